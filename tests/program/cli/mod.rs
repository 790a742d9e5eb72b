//! The commands of the program, run as processes: exit codes, one-line errors, JSON keys and pictures.

#![allow(clippy::unwrap_used, reason = "a test")]

mod saved_files;

use std::f32::consts::PI;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::{Value, json};
use smirk_session::{HeadSource, Session};
use smirk_support::gltf_builder::GltfBuilder;

use crate::process::{SMIRK, isolated, smirk, stderr};

/// A head that is opened and drawn quickly.
static SMALL_HEAD: LazyLock<String> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli");
    std::fs::create_dir_all(&folder).unwrap();
    smirk_support::small_head::write(&folder).into_os_string().into_string().unwrap()
});

/// A picture of the small head.
fn render(picture: &Path, arguments: &[&str]) -> Vec<u8> {
    render_of(picture, &[&[SMALL_HEAD.as_str()], arguments].concat())
}

/// A picture of the bundled head, or of another that the arguments name.
fn render_of(picture: &Path, arguments: &[&str]) -> Vec<u8> {
    let output =
        [&["render", "--size", "96x64", "--samples", "0", "-o", picture.to_str().unwrap()], arguments].concat();
    let output = smirk(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    let decoded = image::open(picture).unwrap().into_rgba8();
    assert_eq!(decoded.dimensions(), (96, 64));
    decoded.into_raw()
}

/// Largest and mean difference between bytes.
fn difference(a: &[u8], b: &[u8]) -> (u8, f64) {
    let apart = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
    (apart.clone().max().unwrap(), apart.map(f64::from).sum::<f64>() / a.len() as f64)
}

#[test]
fn version_and_help_succeed() {
    assert!(String::from_utf8_lossy(&smirk(&["--version"]).stdout).starts_with("smirk 0."));
    let help = smirk(&["--help"]);
    assert!(help.status.success());
    assert!(String::from_utf8_lossy(&help.stdout).contains("render"));
}

#[test]
fn wrong_usage_exits_with_2() {
    for arguments in [
        &["--no-such-flag"][..],
        &["render"],
        &["render", "-o", "x.png", "--size", "big"],
        &["render", "-o", "x.png", "--pose", "jawOpen=wide"],
        &["check", "a.glb", "b.glb", "--combinations", "-o", "x.png"],
        &["export", "animation", "-o", "x.mocap"],
        &["export", "animation", "-o", "x.csv", "--tolerance", "0.1"],
        &["export", "animation", "-o", "x.csv", "--animation-only"],
        &["export", "mesh", "-o", "x.stl"],
        &["export", "head", "-o", "x.obj"],
        &["export", "pictures", "-o", "x.jpg", "--frames", "0-3"],
        &["export", "pictures", "-o", "x.png", "--frames", "0-3"],
        &["export", "film", "-o", "x.avi", "--frames", "0-3"],
        &["convert", "a.obj", "-o", "x.obj"],
        &["listen", "--port", "1234", "--seconds", "0"],
        &["listen", "--protocol", "vmc", "--phone", "192.168.1.20", "--seconds", "0"],
        &["listen", "--record", "x.glb", "--seconds", "0"],
        &["listen", "--network", "--protocol", "ifacialmocap", "--phone", "::1", "--seconds", "0"],
        &["listen", "--network", "--protocol", "ifacialmocap", "--phone", "fe80::1", "--seconds", "0"],
        &["send", "--to", "127.0.0.1:0", "--clip", "0"],
        &["send", "--to", "255.255.255.255", "--clip", "0"],
    ] {
        let output = smirk(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1, "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn a_picture_is_written_as_what_its_name_ends_with_and_a_dash_is_no_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    for (arguments, name, words) in [
        (&["render"][..], "x.jpg", "must end in .png"),
        (&["render"], "x.pdf", "must end in .png"),
        (&["sheet"], "x.jpeg", "must end in .png or .pdf"),
        (&["diff", SMALL_HEAD.as_str(), SMALL_HEAD.as_str()], "x.tiff", "must end in .png or .pdf"),
        (&["check", "--combinations", SMALL_HEAD.as_str()], "x.webp", "must end in .png or .pdf"),
        (&["--screenshot"], "x.jpg", "must end in .png"),
    ] {
        let option: &[&str] = if arguments[0].starts_with('-') { &[] } else { &["-o"] };
        let output = smirk(&[arguments, option, &[&at(name)]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    for arguments in
        [&["render"][..], &["sheet"], &["thumbnail", &SMALL_HEAD], &["export", "animation", "--format", "csv"]]
    {
        let arguments = [arguments, &["-o", "-"]].concat();
        let output = isolated(SMIRK).args(&arguments).current_dir(&folder).output().unwrap();
        assert!(
            !output.status.success() && stderr(&output).contains("/dev/stdout"),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_long_name_or_a_line_break_on_the_command_line_is_one_short_line_of_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("x.png").into_os_string().into_string().unwrap();
    let (long, broken) = ("x".repeat(100_000), "two\nlines");
    let missing = format!("{}/no\nfolder/x", folder.path().display());
    let picture = picture.as_str();
    for name in [long.as_str(), broken] {
        let weight = format!("{name}=1");
        for arguments in [
            &["render", "-o", picture, "--pose", name][..],
            &["render", "-o", picture, "--pose", &weight],
            &["render", "-o", picture, "--pose", "smile", "--to", name],
            &["render", "-o", picture, "--clip", name],
            &["render", "-o", picture, "--variant", name],
            &["render", "-o", picture, "--hide", name],
            &["render", "-o", picture, "--of", name],
            &["render", "-o", picture, "--mode", name],
            &["render", "-o", picture, "--take", name],
            &["inspect", name],
            &["check", name],
            &["send", "--clip", "0", "--to", name],
            &["listen", "--protocol", "vmc", "--phone", name],
        ] {
            let said = stderr(&smirk(arguments));
            let longest = said.split([' ', '"', '\'']).map(str::len).max().unwrap();
            assert!(said.lines().count() == 1 && longest <= 410, "{longest}: {said:.300}");
        }
    }
    for ending in [".png", ".csv", ".glb", ".obj"] {
        let output = missing.clone() + ending;
        for arguments in [
            &["render", "-o", &output][..],
            &["export", "animation", "--clip", "0", "-o", &output],
            &["export", "head", "-o", &output],
            &["export", "mesh", "-o", &output],
            &["listen", "--record", &output, "--seconds", "0"],
        ] {
            assert_eq!(stderr(&smirk(arguments)).lines().count(), 1, "{arguments:?}");
        }
    }
    let pictures = folder.path().join("two\nlines.####.png");
    let output = smirk(&["export", "pictures", "-o", pictures.to_str().unwrap(), "--frames", "0-1", "--dry-run"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(said.lines().count(), 3, "what would be written, and two files: {said}");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for arguments in [&["--help"][..], &["render", "--help"], &["--version"]] {
        let run = |output: std::process::Stdio| {
            let mut command = isolated(SMIRK);
            command.args(arguments).stdout(output).stderr(std::process::Stdio::piped()).output().unwrap()
        };
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = run(full.into());
        assert!(output.status.code() == Some(1) && stderr(&output).contains("space left"), "{arguments:?}: {output:?}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert!(run(writer.into()).status.success(), "a reader that closes early is no error");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_keeps_a_driver_from_being_found_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("x.png");
    let mut command = isolated(SMIRK);
    command.args(["render", &SMALL_HEAD, "--size", "16x16", "-o"]).arg(&picture).env("WGPU_BACKEND", "bogus");
    let said = stderr(&command.output().unwrap());
    assert!(said.contains("WGPU_BACKEND chooses \"bogus\"") && !said.contains("apt install"), "{said}");
    // The shell sets the limits of the program.
    let with_limit = |limit: &str| {
        let mut command = isolated("sh");
        let script = format!("ulimit {limit}; exec \"$@\"");
        command.args(["-c", &script, "sh", SMIRK, "render", &SMALL_HEAD, "--size", "256x256"]);
        command.arg("-o").arg(&picture).output().unwrap()
    };
    let said = stderr(&with_limit("-v 300000"));
    assert!(said.contains("307 MB of memory") && said.contains("ulimit -v") && !said.contains("apt install"), "{said}");
    let output = with_limit("-f 8");
    assert!(output.status.code() == Some(1) && stderr(&output).contains("ulimit -f"), "{output:?}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "no temporary file is left");
}

/// The limit counts the processes of a user, so that the program runs as one that has no others. Only root can ask for that.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_threads_is_one_line() {
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir().unwrap();
    if folder.path().metadata().unwrap().uid() != 0 {
        eprintln!("left out: only root can run a program as another user");
        return;
    }
    // A place that every user can read.
    let program = folder.path().join("smirk");
    std::fs::copy(SMIRK, &program).unwrap();
    for path in [folder.path(), &program] {
        std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    }
    let mut is_refused = false;
    for limit in 2..12 {
        let mut command = Command::new("setpriv");
        command.args([
            "--reuid",
            "61357",
            "--regid",
            "61357",
            "--clear-groups",
            "prlimit",
            &format!("--nproc={limit}"),
        ]);
        command.args(["./smirk", "render", "-o", "x.png", "--size", "16x16", "--samples", "0"]);
        let output = command.current_dir(folder.path()).env("HOME", "/nonexistent").output().unwrap();
        let said = stderr(&output);
        assert!(output.status.code() != Some(101) && !said.contains("panicked"), "{limit} threads: {said}");
        is_refused |= output.status.code() == Some(1) && said.contains("ulimit -u");
    }
    assert!(is_refused);
}

#[test]
fn the_variable_with_a_wrong_level_is_named() {
    for variable in ["SMIRK_LOG", "RUST_LOG"] {
        let mut command = isolated(SMIRK);
        command.args(["inspect", &SMALL_HEAD]).env_remove("SMIRK_LOG").env(variable, "smirk=loud");
        let said = stderr(&command.output().unwrap());
        assert!(said.starts_with(&format!("smirk: \"loud\" in {variable} is no level")), "{said}");
    }
}

#[test]
fn an_error_names_the_folder_and_a_table_that_is_no_capture_is_called_none() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        std::fs::write(folder.path().join(name).join("face.glb"), "no model").unwrap();
    }
    let mut check = isolated(SMIRK);
    let output = check.args(["check", "a/face.glb", "b/face.glb"]).current_dir(&folder).output().unwrap();
    let said = stderr(&output);
    assert!(said.contains("smirk: a/face.glb: is not") && said.contains("smirk: b/face.glb: is not"), "{said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2 heads: none checked\n");
    for (name, text, words) in [
        ("prices.csv", "name,price\nhat,3\n", "names no column of times"),
        ("prices.json", "{\"price\":\"three\"}", "prices.json: "),
        ("take.csv", "Timecode,jawOpen\n0.0,0\n0.1,1\n", "is a capture, not a head"),
        ("poses.json", "{\"jawOpen\":1}", "is a file of poses, not a head"),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        let said = stderr(&smirk(&["inspect", file.to_str().unwrap()]));
        assert!(said.contains(words) && said.contains(folder.path().to_str().unwrap()), "{said}");
        assert!(name.starts_with("prices") != said.contains("not a head"), "{said}");
    }
}

#[test]
fn every_frame_of_a_table_may_be_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("x.csv").into_os_string().into_string().unwrap();
    let plain = smirk(&["export", "animation", &SMALL_HEAD, "--frames", "0-3", "-o", &table]);
    assert!(plain.status.success(), "{}", stderr(&plain));
    let before = std::fs::read(&table).unwrap();
    let sampled = smirk(&["export", "animation", &SMALL_HEAD, "--frames", "0-3", "--sampled", "-o", &table]);
    assert!(sampled.status.success(), "{}", stderr(&sampled));
    assert_eq!(std::fs::read(&table).unwrap(), before);
}

#[test]
fn a_missing_file_is_one_line_and_exit_code_1() {
    let output = smirk(&["inspect", "no/such/head.glb"]);
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains("head.glb"), "{message}");
}

#[test]
fn inspect_json_has_the_documented_keys() {
    let output = smirk(&["inspect", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mesh = &report["meshes"][0];
    assert!(mesh["name"].is_string() && mesh["vertices"].is_u64() && mesh["triangles"].is_u64());
    assert_eq!(mesh["targets"].as_array().unwrap().len(), 54);
    assert_eq!(report["channels"].as_array().unwrap().len(), 54);
    assert_eq!(report["pairs"].as_array().unwrap().len(), 27);
    assert_eq!(report["pairs"][0].as_array().unwrap().len(), 2);
    let clip = &report["clips"][0];
    assert!(clip["name"].is_string() && clip["duration_secs"].as_f64().unwrap() > 1.0);
    assert!(!clip["channels"].as_array().unwrap().is_empty());
    assert!(report["notes"].is_array());
}

#[test]
fn only_warnings_are_written_to_the_terminal_unless_smirk_log_is_set() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("face.png");
    let render = |level: Option<&str>| {
        let mut command = isolated(SMIRK);
        command.args(["render", &SMALL_HEAD, "--size", "96x64", "-o", picture.to_str().unwrap()]);
        // Without XDG_RUNTIME_DIR, as over SSH, Mesa's drivers look for a Wayland display and libwayland prints an
        // error.
        command.env_remove("XDG_RUNTIME_DIR").env_remove("RUST_LOG").env_remove("SMIRK_LOG");
        let output = command.envs(level.map(|level| ("SMIRK_LOG", level))).output().unwrap();
        assert!(output.status.success() && output.stdout.is_empty(), "{}", stderr(&output));
        stderr(&output)
    };
    assert_eq!(render(None), "");
    let info = render(Some("off,smirk=info"));
    assert!(info.contains(", driver ") && info.lines().all(|line| line.starts_with("smirk: ")), "{info}");
    assert!(render(Some("debug")).contains("smirk: wgpu"), "what wgpu logs is shown too");
    assert_eq!(render(Some("smirk=loud")).lines().count(), 1);
}

#[test]
fn a_pose_moves_the_face_and_every_mode_draws_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("face.png");
    let neutral = render(&picture, &["--mode", "cpu"]);
    let posed = render(&picture, &["--mode", "cpu", "--pose", "jawOpen=1,mouthSmileLeft=0.5"]);
    assert!(difference(&neutral, &posed).1 > 0.3, "the pose changed nothing");
    for mode in ["vertex", "compute", "multipass"] {
        let other = render(&picture, &["--mode", mode, "--pose", "jawOpen=1,mouthSmileLeft=0.5"]);
        let (largest, mean) = difference(&posed, &other);
        assert!(mean < 0.05, "{mode} differs from cpu by {mean} on average, {largest} at most");
    }
}

#[test]
fn a_clip_and_a_view_change_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("face.png");
    let front = render(&picture, &[]);
    assert!(difference(&front, &render(&picture, &["--view", "left"])).1 > 2.0);
    assert!(difference(&front, &render(&picture, &["--clip", "0", "--time", "3"])).1 > 0.01);
}

#[test]
fn a_view_of_the_surface_and_hidden_meshes_change_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("x.png");
    let clay = render(&picture, &["--view-mode", "clay"]);
    for view in [&[][..], &["--matcap", "zebra"], &["--view-mode", "crossings"]] {
        assert!(difference(&clay, &render(&picture, view)).1 > 1.0, "{view:?}");
    }
    let plain = render_of(&picture, &[]);
    let isolated = render_of(&picture, &["--isolate"]);
    let without = |meshes: &[&str]| {
        let arguments: Vec<&str> = meshes.iter().flat_map(|mesh| ["--hide", mesh]).collect();
        render_of(&picture, &arguments)
    };
    // Strands, lashes and brows are left out, and what closes the skull stays.
    let (face, open) = (without(&["lashes", "brows"]), without(&["hair", "lashes", "brows"]));
    assert!(difference(&plain, &isolated).1 > difference(&plain, &face).1, "no strands were left out");
    assert!(difference(&plain, &open).1 > 0.5 && difference(&isolated, &open).1 > 0.5, "the skull is open");
    let output = smirk(&["render", "-o", picture.to_str().unwrap(), "--hide", "hat"]);
    let message = stderr(&output);
    assert!(output.status.code() == Some(1) && message.contains("\"hair\""), "{message}");
    let output = smirk(&["render", "-o", picture.to_str().unwrap(), "--view-mode", "xray"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("wireframe"), "{}", stderr(&output));
}

/// Two eyes with bands of lashes, in the materials `Eye` and `Lashes`, as an OBJ file in a folder.
fn eyes_with_lashes(folder: &Path) -> PathBuf {
    let (mut positions, mut faces, mut count) = (String::new(), String::new(), 0);
    for side in [-1.0_f32, 1.0] {
        faces += "usemtl Eye\n";
        for (row, column) in (0..=12).flat_map(|row| (0..16).map(move |column| (row, column))) {
            let (polar, around) = (row as f32 / 12.0 * PI, column as f32 / 8.0 * PI);
            let [x, y, z] = [polar.sin() * around.cos(), polar.sin() * around.sin(), polar.cos()];
            positions += &format!("v {} {} {}\n", 31.5 * side + 12.0 * x, 12.0 * y, 12.0 * z);
            if row < 12 {
                let [a, b] = [column, (column + 1) % 16].map(|column| count + row * 16 + column + 1);
                faces += &format!("f {a} {} {} {b}\n", a + 16, b + 16);
            }
        }
        count += 13 * 16;
        faces += "usemtl Lashes\n";
        for column in 0..=12 {
            let x = 31.5 * side + column as f32 * 1.5 - 9.0;
            positions += &format!("v {x} 4 13\nv {x} 10 15\n");
            if column < 12 {
                let a = count + column * 2 + 1;
                faces += &format!("f {a} {} {} {}\n", a + 2, a + 3, a + 1);
            }
        }
        count += 26;
    }
    let file = folder.join("eyes.obj");
    std::fs::write(folder.join("eyes.mtl"), "newmtl Eye\nKd 0.9 0.9 0.9\nnewmtl Lashes\nKd 0.02 0.02 0.02\n").unwrap();
    std::fs::write(&file, format!("mtllib eyes.mtl\n{positions}{faces}")).unwrap();
    file
}

#[test]
fn plain_lashes_are_drawn_as_an_option_says_and_inspect_says_where_strands_are() {
    let folder = tempfile::tempdir().unwrap();
    let head = eyes_with_lashes(folder.path());
    let file = head.to_str().unwrap();
    let picture = folder.path().join("x.png");
    let [strands, hidden, as_in_file] = [&[][..], &["hidden"], &["as-in-file"]].map(|style| {
        let option = style.iter().flat_map(|style| ["--plain-lashes", style]);
        render_of(&picture, &[file].into_iter().chain(option).collect::<Vec<_>>())
    });
    assert!(difference(&strands, &hidden).1 > 0.05 && difference(&strands, &as_in_file).1 > 0.05);
    let said = String::from_utf8_lossy(&smirk(&["inspect", file]).stdout).into_owned();
    assert!(said.contains("material \"Lashes\"") && said.contains("--plain-lashes as-in-file"), "{said}");
    let output = smirk(&["render", file, "-o", picture.to_str().unwrap(), "--plain-lashes", "none"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("as-in-file"), "{}", stderr(&output));
}

#[test]
fn a_picture_that_the_face_has_left_is_said_though_the_body_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let [file, picture] = ["walks.glb", "p.png"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let mut head = GltfBuilder::triangle();
    let body = head.primitive().clone();
    let moves = head.floats("VEC3", &[0.1, 0., 0., 0.1, 0., 0., 0.1, 0., 0.]);
    head.primitive()["targets"] = json!([{"POSITION": moves}]);
    head.push("meshes", json!({"name": "body", "primitives": [body]}));
    head.push("nodes", json!({"mesh": 1, "name": "body", "translation": [-1.05, 0.0, 0.0]}));
    let (input, output) = (head.floats("SCALAR", &[0.0, 1.0]), head.floats("VEC3", &[0., 0., 0., 50., 0., 0.]));
    let channel = json!({"sampler": 0, "target": {"node": 0, "path": "translation"}});
    let sampler = json!({"input": input, "output": output});
    head.push("animations", json!({"name": "walk", "samplers": [sampler], "channels": [channel]}));
    std::fs::write(&file, head.glb()).unwrap();
    let said = |time: &str| {
        let arguments = ["render", &file, "-o", &picture, "--size", "48x48", "--samples", "0", "--clip", "walk"];
        let output = smirk(&[&arguments[..], &["--time", time]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output)
    };
    assert_eq!(said("0"), "");
    let moved = said("1");
    assert!(moved.contains("the face is not in the picture: what plays moves it 50.000 units"), "{moved}");
}

#[test]
fn a_picture_without_the_head_is_said_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("far.glb");
    let mut head = GltfBuilder::triangle();
    let away = head.floats("VEC3", &[0., 0., 0., 0., 0., 0., 0., 0., 0.]);
    head.primitive()["targets"] = json!([{"POSITION": away}]);
    let camera = json!({"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.01}});
    head.push("cameras", camera);
    head.push(
        "nodes",
        json!({"camera": 0, "name": "away", "translation": [0.0, 0.0, 9.0], "rotation": [0.0, 1.0, 0.0, 0.0]}),
    );
    let (input, output) = (head.floats("SCALAR", &[0.0, 1.0]), head.floats("VEC3", &[0., 0., 0., 50., 0., 0.]));
    let walk = json!({"name": "walk", "samplers": [{"input": input, "output": output}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]});
    head.push("animations", walk);
    std::fs::write(&file, head.glb()).unwrap();
    let [file, picture] = [file, folder.path().join("p.png")].map(|path| path.to_str().unwrap().to_owned());
    let said = |arguments: &[&str]| {
        let output = smirk(
            &[&["render", file.as_str(), "-o", &picture, "--size", "48x48", "--samples", "0"], arguments].concat(),
        );
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output)
    };
    assert_eq!(said(&[]), "");
    let moved = said(&["--clip", "walk", "--time", "1"]);
    assert!(moved.contains("nothing of the head is in the picture: what plays moves it 50.000 units"), "{moved}");
    assert!(said(&["--camera", "away"]).contains("the camera looks away from it"));
    assert!(said(&["--hide", "tri"]).contains("all of its meshes are hidden"));
    let pictures = format!("{}/f.####.png", folder.path().display());
    let arguments = [
        "export",
        "pictures",
        &file,
        "--clip",
        "walk",
        "-o",
        &pictures,
        "--size",
        "48x48",
        "--samples",
        "0",
        "--fps",
        "4",
    ];
    let output = smirk(&arguments);
    assert!(
        output.status.success() && stderr(&output).contains("pictures; in the first of them, what plays moves it"),
        "{}",
        stderr(&output)
    );
    let sheet = folder.path().join("s.png");
    let output =
        smirk(&["sheet", &file, "-o", sheet.to_str().unwrap(), "--cell", "48", "--samples", "0", "--hide", "tri"]);
    assert!(stderr(&output).contains("all of its meshes are hidden"), "{}", stderr(&output));
}

#[test]
fn action_units_are_drawn_with_a_protocol_and_move_a_pose() {
    let folder = tempfile::tempdir().unwrap();
    let [sheet, protocol] = ["s.png", "p.json"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let draw = |unit: &[&str]| {
        let drawn = ["sheet", "-o", &sheet, "--cell", "48", "--samples", "0", "--protocol", &protocol];
        smirk(&[&drawn[..], unit].concat())
    };
    let output = draw(&["--aus", "au12"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let shown: Value = serde_json::from_slice(&std::fs::read(&protocol).unwrap()).unwrap();
    let letters: Vec<&str> =
        shown["cells"].as_array().unwrap().iter().map(|it| it["intensity"].as_str().unwrap()).collect();
    assert_eq!(letters, ["A", "B", "C", "D", "E"]);
    let strongest = &shown["cells"][4];
    assert_eq!((&strongest["unit"], &strongest["channels"]["mouthSmileLeft"]), (&"AU12".into(), &1.0.into()));
    assert!(draw(&["--aus"]).status.success());
    let all: Value = serde_json::from_slice(&std::fs::read(&protocol).unwrap()).unwrap();
    assert!(all["cells"].as_array().unwrap().len() > 35, "{all}");
    assert!(stderr(&draw(&["--aus", "AU99"])).contains("--aus AU99: it is one of AU1, AU2"));
    assert!(stderr(&draw(&[])).contains("--aus"), "a protocol needs action units");
    // A unit of several channels is the pose of these.
    let picture = |pose: &str| render_of(&folder.path().join("r.png"), &["--pose", pose]);
    assert_eq!(picture("AU26=1"), picture("jawOpen=0.5"));
    assert_ne!(picture("AU26=1"), picture("jawOpen=1"));
}

#[test]
fn a_part_of_the_head_is_framed_as_the_option_says() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |arguments: &[&str]| render(&folder.path().join("p.png"), arguments);
    let face = draw(&[]);
    assert_eq!(draw(&["--frame", "face"]), face);
    assert_ne!(draw(&["--frame", "body"]), face);
    let sheet = folder.path().join("s.png");
    let sheet_of = |part: &str| {
        let arguments = [
            "sheet",
            SMALL_HEAD.as_str(),
            "-o",
            sheet.to_str().unwrap(),
            "--cell",
            "48",
            "--samples",
            "0",
            "--frame",
            part,
        ];
        let output = smirk(&arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        std::fs::read(&sheet).unwrap()
    };
    assert_ne!(sheet_of("face"), sheet_of("all"));
    let output = smirk(&["render", "-o", "x.png", "--frame", "foot"]);
    assert!(!output.status.success() && stderr(&output).contains("face, head, body, all"), "{}", stderr(&output));
}

#[test]
fn a_transition_leads_from_one_pose_to_another() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("face.png");
    let at = |arguments: &[&str]| render(&picture, &[&["--mode", "cpu"], arguments].concat());
    let (from, to) = (at(&["--pose", "jawOpen=1"]), at(&["--pose", "jawOpen=0,mouthSmileLeft=1"]));
    let between = |part| ["--pose", "jawOpen=1", "--to", "jawOpen=0,mouthSmileLeft=1", "--at", part];
    assert_eq!(difference(&from, &at(&between("0"))).0, 0);
    assert_eq!(difference(&to, &at(&between("1"))).0, 0);
    let half = at(&between("0.4"));
    assert!(difference(&from, &half).1 > 0.05 && difference(&to, &half).1 > 0.05);
}

#[test]
fn a_project_is_drawn_as_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let (picture, project) = (folder.path().join("face.png"), folder.path().join("work.smirk"));
    let head = std::sync::Arc::new(smirk_files::import::open(Path::new(SMALL_HEAD.as_str())).unwrap());
    let (look, source) = (smirk_scene::Look::default(), HeadSource::File(SMALL_HEAD.as_str().into()));
    let mut session = Session::new(head, source, look, smirk_scene::BlendMode::Cpu);
    session.clips_mut().select(None);
    session.channels_mut([session.head.channel_named("jawOpen").unwrap()]).set(0.8);
    session.poses_mut().store("Wide open");
    smirk_editor::document::Project::from_session(&session).write(&project).unwrap();
    let project = project.to_str().unwrap();
    let expected = render(&picture, &["--pose", "jawOpen=0.8"]);
    assert_eq!(difference(&expected, &render_of(&picture, &[project])).0, 0);
    let output = smirk(&["sheet", project, "--poses", "--cell", "48", "-o", picture.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    let output = smirk(&["render", project, "--pose", "grin", "-o", picture.to_str().unwrap()]);
    assert!(stderr(&output).contains("Wide open"), "the project's poses are known: {}", stderr(&output));
}

#[test]
fn the_error_for_an_unknown_channel_lists_the_channels() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("face.png");
    let output = smirk(&["render", "-o", picture.to_str().unwrap(), "--pose", "jawOpne=1"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("jawOpne") && stderr(&output).contains("jawOpen"), "{}", stderr(&output));
    assert!(!picture.exists());
}

#[test]
fn a_sheet_shows_rest_and_every_expression_in_the_requested_columns() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("sheet.png");
    let sheet = |arguments: &[&str]| {
        let output =
            smirk(&[&["sheet", &SMALL_HEAD, "--cell", "48", "-o", picture.to_str().unwrap()], arguments].concat());
        assert!(output.status.success() && output.stdout.is_empty(), "{}", stderr(&output));
        assert!(!stderr(&output).contains("picture"), "progress is for terminals: {}", stderr(&output));
        image::open(&picture).unwrap().into_rgba8()
    };
    // Rest and three expressions.
    let full = sheet(&["--columns", "2"]);
    let half = sheet(&["--columns", "2", "--weight", "0.5"]);
    assert!(difference(&full, &half).1 > 0.1, "half the weight looks the same");
    let front = full.dimensions();
    assert!(front.0 > 2 * 48 && front.0 < 3 * 60 && front.1 > 2 * 60, "{front:?} is not 2 columns and 2 rows of 48×60");
    let tall = sheet(&["--columns", "1", "--view", "left"]).dimensions();
    assert!(tall.0 < front.0 && tall.1 > front.1, "{tall:?} {front:?}");
}

#[test]
fn an_impossible_sheet_is_refused_in_one_line_before_it_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("sheet.png");
    let place = picture.to_str().unwrap();
    for (arguments, code, words) in [
        (&["-o", place, "--cell", "4096"][..], 1, "16384"),
        (&["-o", place, "--cell", "7"], 2, "48"),
        (&["-o", place, "--columns", "0"], 2, "--columns"),
        (&["-o", place, "--weight", "inf"], 2, "--weight"),
        (&["-o", "no/such/folder/sheet.png"], 1, "no/such/folder"),
        (&["no/such/head.glb", "-o", place], 1, "head.glb"),
    ] {
        let output = smirk(&[&["sheet"], arguments].concat());
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        assert!(message.lines().count() == 1 && message.contains(words), "{arguments:?}: {message}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{arguments:?} left a file");
    }
}

/// One triangle whose targets are `smile` and `frown`.
fn write_triangle(file: &Path) {
    let mut builder = GltfBuilder::triangle();
    let mut target = |x: f32| {
        let deltas = builder.floats("VEC3", &[x, 0., 0., 0., x, 0., 0., 0., x]);
        json!({"POSITION": deltas})
    };
    let targets = json!([target(0.1), target(0.2)]);
    builder.primitive()["targets"] = targets;
    builder.json["meshes"][0]["extras"] = json!({"targetNames": ["smile", "frown"]});
    std::fs::write(file, builder.glb()).unwrap();
}

#[test]
fn bench_json_has_the_documented_keys_and_plausible_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("triangle.glb");
    write_triangle(&file);
    let bench = |arguments: &[&str]| {
        let output = smirk(&[&["bench", "--json", "--budget", "0", file.to_str().unwrap()], arguments].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let report = bench(&["--targets", "1,6,all"]);
    let head = &report["head"];
    let facts = ["vertices", "targets", "deltas"].map(|key| head[key].as_u64().unwrap());
    assert_eq!((facts, head["name"].as_str()), ([3, 2, 6], Some("triangle")));
    assert!(head["bytes_cpu"].as_u64().unwrap() > 100 && head["bytes_gpu"].as_u64().unwrap() > 100);
    assert!(report["adapter"].is_string() && report["copy_gb_per_s"].as_f64().unwrap() > 0.1);
    assert_eq!((&report["paper"]["6"]["paper"], &report["paper"]["50"]["paper"]), (&json!(1.34), &json!(2.4)));
    let rows = report["rows"].as_array().unwrap();
    for mode in ["cpu", "vertex", "compute", "multipass"] {
        for layout in ["packed", "exact"] {
            for active in [1, 2] {
                let is_it = |row: &&Value| {
                    row["mode"] == mode
                        && row["layout"] == layout
                        && row["active"] == active
                        && row["changed"] == active
                };
                let row = rows.iter().find(is_it).unwrap_or_else(|| panic!("no row for {mode}, {layout}, {active}"));
                let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{mode}: {key} is {}", row[key]));
                // The time of the vertex mode is the difference of two measured times, so its median may be below its
                // minimum.
                assert!(
                    number("ms_min") >= 0.0 && (mode == "vertex" || number("ms_median") >= number("ms_min")),
                    "{row}"
                );
                assert!(number("bytes") > 72.0, "{row}");
                assert!(mode != "cpu" || number("bandwidth_fraction") > 0.0, "{row}");
                assert!(number("max_error_relative") < 1e-5, "{row}");
                assert_eq!(row["threads"].is_u64(), mode == "cpu", "{row}");
            }
        }
    }
    assert!(rows.iter().any(|row| row["active"] == 2 && row["changed"] == 1), "one of two weights changed");
    assert!(!rows.iter().any(|row| row["active"] == 6), "the head has two channels");
    let by_number = bench(&["--targets", "2", "--mode", "cpu"]);
    assert!(
        by_number["rows"].as_array().unwrap().iter().any(|row| row["active"] == 2),
        "all channels, given as a number"
    );
    let report = bench(&["--mode", "cpu", "--exact", "--positions", "--tiles", "4", "--synthetic-targets", "9"]);
    assert_eq!((&report["head"]["vertices"], &report["head"]["channels"]), (&json!(12), &json!(9)));
    let rows = report["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["mode"] == "cpu" && row["layout"] == "exact") && report["adapter"].is_null());
}

#[test]
fn bench_writes_tables_and_reads_weights_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (file, weights) = (folder.path().join("triangle.glb"), folder.path().join("weights.json"));
    write_triangle(&file);
    let bench = |text: &str| {
        std::fs::write(&weights, text).unwrap();
        let (file, weights) = (file.to_str().unwrap(), weights.to_str().unwrap());
        smirk(&["bench", file, "--mode", "cpu", "--budget", "0", "--weights", weights])
    };
    let output = bench(r#"{"1":[[0.5,0],[0,0.5]],"all":[[1,1]]}"#);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("CPU, packed, 1 thread") && text.contains("GB/s") && !text.contains("NaN"), "{text}");
    assert!(!stderr(&output).contains('█'), "progress is for terminals: {}", stderr(&output));
    let output = bench(r#"{"1":[[0.5]]}"#);
    assert_eq!((output.status.code(), stderr(&output).lines().count()), (Some(1), 1));
    assert!(stderr(&output).contains("has 1 weights, and the head 2"), "{}", stderr(&output));
    // A device has no end.
    let output = smirk(&["bench", "--weights", "/dev/zero", "--mode", "cpu", "--budget", "0"]);
    assert!(output.status.code() == Some(1) && stderr(&output).contains("it is a device"), "{}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_that_cannot_be_printed_ends_the_program_as_any_other_does() {
    for (arguments, code) in [(&["--no-such-option"][..], 2), (&["inspect", "no/such/head.glb"], 1)] {
        let full_disk = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let status = isolated(SMIRK).args(arguments).stderr(full_disk).status().unwrap();
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn a_clip_or_a_take_is_exported_at_the_rate_of_its_keys() {
    let folder = tempfile::tempdir().unwrap();
    let in_folder = |name: String| folder.path().join(name).into_os_string().into_string().unwrap();
    for rate in [24, 30, 50, 60] {
        let mut file = GltfBuilder::triangle();
        file.primitive()["targets"] = json!([{"POSITION": 0}]);
        file.json["meshes"][0]["extras"] = json!({"targetNames": ["jawOpen"]});
        let times: Vec<f32> = (0..=rate).map(|frame| frame as f32 / rate as f32).collect();
        let values: Vec<f32> = (0..=rate).map(|frame| (frame * 7 % 10) as f32 / 10.0).collect();
        file.animate(0, "LINEAR", &times, &values);
        let head = in_folder(format!("{rate}.glb"));
        std::fs::write(&head, file.glb()).unwrap();
        for (number, options) in [&["--clip", "0"][..], &["--take", &head]].into_iter().enumerate() {
            let table = in_folder(format!("{rate}_{number}.csv"));
            let arguments = [&["export", "animation", &head, "-o", &table], options].concat();
            let output = smirk(&arguments);
            assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
            let rows = std::fs::read_to_string(&table).unwrap();
            let rows: Vec<&str> = rows.lines().skip(1).collect();
            assert_eq!(rows.len(), values.len(), "{arguments:?}");
            for (row, value) in rows.iter().zip(&values) {
                let written: f32 = row.split(',').next_back().unwrap().parse().unwrap();
                assert!((written - value).abs() < 1e-4, "{arguments:?}: {row}");
            }
        }
    }
}

#[test]
fn a_mapping_with_weights_is_used_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (take, map, output) = (at("take.csv"), at("map.json"), at("out.csv"));
    std::fs::write(&take, "Time,Kiss,JawOpen,EyeBlinkLeft\n0,0.4,0.4,0.3\n1,0.4,0.4,0.3\n").unwrap();
    let weighted = |weight: f32| json!({"channel": "jaw_open", "weight": weight});
    let columns = json!([
        {"column": "kiss", "channels": [weighted(0.5), "mouthSmileLeft", "tailWag"]},
        {"column": "jawOpen", "channels": [weighted(1.0)], "gain": 2.0},
        {"column": "eyeBlinkLeft", "channels": []},
    ]);
    std::fs::write(&map, json!({"smirk": "mapping", "version": 1, "columns": columns}).to_string()).unwrap();
    let export = ["export", "animation", &SMALL_HEAD, "-o", &output, "--format", "csv", "--take", &take, "--map", &map];
    let exported = smirk(&export);
    assert!(exported.status.success(), "{}", stderr(&exported));
    assert!(stderr(&exported).contains("the head lacks tailWag"), "{}", stderr(&exported));
    let table = std::fs::read_to_string(&output).unwrap();
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let (names, values) = (lines.next().unwrap(), lines.next().unwrap());
    let value = |name: &str| values[names.iter().position(|other| *other == name).unwrap()].parse::<f32>().unwrap();
    assert!((value("jawOpen") - 1.0).abs() < 1e-6, "0.5 · 0.4 + 2 · 0.4: {table}");
    assert!((value("mouthSmileLeft") - 0.4).abs() < 1e-6, "{table}");
    assert!((value("eyeBlinkLeft") - 0.3).abs() < 1e-6, "what was saved without a channel is matched by name: {table}");
    // At 50 frames a second, the two frames of the take are a fiftieth of a second apart, not one.
    let exported = smirk(&[&export[..], &["--take-fps", "50"]].concat());
    assert!(exported.status.success(), "{}", stderr(&exported));
    let faster = std::fs::read_to_string(&output).unwrap();
    let last = [&table, &faster].map(|table| table.lines().last().unwrap().split(',').next().unwrap().to_owned());
    assert_eq!(last, ["1", "0.02"]);
    // A mapping is no head, and without a take there is nothing to map.
    let picture = at("x.png");
    let drawn = smirk(&["render", &map, "-o", &picture]);
    assert!(!drawn.status.success() && stderr(&drawn).contains("is a mapping, not a head"), "{}", stderr(&drawn));
    assert_eq!(smirk(&["render", "-o", &picture, "--map", &map]).status.code(), Some(2));
}
