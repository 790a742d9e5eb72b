//! `smirk convert` of a project, and with dense targets.

use std::sync::Arc;

use serde_json::{Value, json};
use smirk_base::progress::Progress;
use smirk_editor::document::Document;
use smirk_export::glb;
use smirk_face::head::{Axis, ChosenAxes, Head, HeadChanges, Matching, ShapeFile};
use smirk_files::import;
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};
use smirk_support::small_head;

use crate::process::{SMIRK, isolated, stderr};

#[test]
fn a_project_is_converted_with_what_it_plays() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("take.csv"), "time,jawOpen\n0,0\n1,0.25\n2,1\n").unwrap();
    let take = at("take.csv");
    let project = format!(
        r#"{{"smirk":"project","version":1,"head":"embedded","takes":[{{"file":{{"path":{take:?}}},"name":"take"}}],"take":0}}"#
    );
    std::fs::write(at("a.smirk"), project).unwrap();
    let smirk = |arguments: &[&str]| {
        let mut command = isolated(SMIRK);
        command.current_dir(folder.path()).args(arguments);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    };
    smirk(&["convert", "a.smirk", "-o", "a.glb"]);
    let head = import::open(&at("a.glb")).unwrap();
    let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    let last = session.head.clips.len() - 1;
    assert_eq!(session.head.clips[last].name, "take");
    session.clips_mut().select(Some(last));
    let jaw = session.head.channel_named("jawOpen").unwrap();
    for (secs, weight) in [(0.0, 0.0), (0.5, 0.125), (1.0, 0.25), (2.0, 1.0)] {
        session.seek(secs);
        assert!((session.head.channel_value(jaw, &session.mix().weights) - weight).abs() < 1e-5, "{secs} s");
    }
    smirk(&["export", "animation", "a.smirk", "-o", "b.csv", "--fps", "10", "--frames", "5-10"]);
    let text = std::fs::read_to_string(at("b.csv")).unwrap();
    assert_eq!(text.lines().count(), 7, "{text}");
}

#[test]
fn dense_targets_are_those_of_the_head() {
    let folder = tempfile::tempdir().unwrap();
    let [head, sparse, dense] = ["head.glb", "sparse.glb", "dense.glb"].map(|name| folder.path().join(name));
    std::fs::write(&head, glb(&import::open(&small_head::write(folder.path())).unwrap()).unwrap()).unwrap();
    for (options, output) in [(&[][..], &sparse), (&["--dense"][..], &dense)] {
        let mut command = isolated(SMIRK);
        command.arg("convert").arg(&head).arg("-o").arg(output).args(options);
        assert!(command.output().unwrap().status.success());
    }
    let [of_sparse, of_dense] = [&sparse, &dense].map(|path| import::open(path).unwrap());
    assert_eq!(HeadChanges::between(&of_sparse, &of_dense), HeadChanges::default());
    let [sparse, dense] = [sparse, dense].map(|path| std::fs::read(path).unwrap());
    let has_sparse = |bytes: &[u8]| bytes.windows(8).any(|part| part == b"\"sparse\"");
    assert!(has_sparse(&sparse) && !has_sparse(&dense) && dense.len() > sparse.len());
}

#[test]
fn a_head_that_looks_back_or_lies_is_shown_upright_from_the_front_and_written_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut file = small_head::file();
    std::fs::write(at("front.glb"), file.glb()).unwrap();
    file.json["nodes"][0]["rotation"] = json!([0.0, 1.0, 0.0, 0.0]);
    std::fs::write(at("back.glb"), file.glb()).unwrap();
    // +z is up, as in Blender, and the face looks along -y.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    file.json["nodes"][0]["rotation"] = json!([half, 0.0, 0.0, half]);
    std::fs::write(at("lying.glb"), file.glb()).unwrap();
    let smirk = |arguments: &[&str]| {
        let mut command = isolated(SMIRK);
        command.current_dir(folder.path()).args(arguments);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    };
    // The same picture from the front, also with the head lowered.
    std::fs::write(at("nod.csv"), "time,HeadPitch\n0,-0.5\n").unwrap();
    for motion in [&[][..], &["--take", "nod.csv"]] {
        for name in ["front", "back", "lying"] {
            let (head, picture) = (format!("{name}.glb"), format!("{name}.png"));
            smirk(&[&["render", &head, "-o", &picture, "--size", "64x64", "--samples", "0"], motion].concat());
        }
        let [front, back, lying] =
            ["front.png", "back.png", "lying.png"].map(|name| image::open(at(name)).unwrap().into_rgba8());
        for other in [back, lying] {
            let apart = front.iter().zip(other.iter()).filter(|(a, b)| a.abs_diff(**b) > 8).count();
            assert!(apart * 200 < front.len(), "{motion:?}: {apart} of {} bytes differ", front.len());
        }
    }
    // What is written is where it was: nodes, meshes, and a shape made of one.
    for name in ["back", "lying"] {
        let file = format!("{name}.glb");
        let head = import::open(&at(&file)).unwrap();
        assert!(head.rig.is_turned());
        smirk(&["export", "head", &file, "-o", "again.glb"]);
        let again = import::open(&at("again.glb")).unwrap();
        assert!(again.rig.stands == head.rig.stands && again.rig.nodes[0].rest == head.rig.nodes[0].rest, "{name}");
    }
    // The axes of the file are chosen, and what is written stays as in the file, or is upright by choice.
    let drawn = |arguments: &[&str]| {
        let small = ["-o", "chosen.png", "--size", "64x64", "--samples", "0"];
        smirk(&[&["render", "lying.glb"], arguments, &small].concat());
        image::open(at("chosen.png")).unwrap().into_rgba8()
    };
    assert_eq!(drawn(&["--up", "+z", "--front", "-y"]), drawn(&[]), "as found");
    assert_ne!(drawn(&["--up", "+y"]), drawn(&[]), "as in the file");
    // Every blend mode draws the same face.
    let smile = |mode: &str| drawn(&["--pose", "jawOpen=1", "--mode", mode]);
    let by_mode = ["cpu", "vertex", "compute", "multipass"].map(smile);
    assert_ne!(by_mode[0], drawn(&[]));
    for other in &by_mode[1..] {
        let apart = by_mode[0].iter().zip(other.iter()).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(apart <= Some(2), "{apart:?}");
    }
    // Sheets and films are turned too.
    std::fs::write(at("nods.csv"), "time,HeadPitch,jawOpen\n0,0,0\n1,-0.5,1\n").unwrap();
    let sheet = ["sheet", "lying.glb", "--cell", "64", "--samples", "0", "-o", "drawn.png"];
    let film =
        ["export", "film", "lying.glb", "--take", "nods.csv", "--frames", "6-7", "--size", "64x64", "-o", "drawn.webp"];
    for command in [&sheet[..], &film] {
        let drawn = |arguments: &[&str]| {
            smirk(&[command, arguments].concat());
            std::fs::read(at(command[command.len() - 1])).unwrap()
        };
        assert!(drawn(&["--up", "+z", "--front", "-y"]) == drawn(&[]), "{command:?} as found");
        assert!(drawn(&["--up", "+y"]) != drawn(&[]), "{command:?} as in the file");
    }
    // The choice is kept in a project. One axis is enough: the face looks along the usual other one.
    let (head, source) = (import::open(&at("lying.glb")).unwrap(), HeadSource::File(at("lying.glb")));
    let mut session = Session::new(Arc::new(head), source, Look::default(), BlendMode::Compute);
    session.edits.axes = ChosenAxes { up: Some(Axis::PlusY), front: None };
    Document::new(session, None).save(&at("lying.smirk")).unwrap();
    smirk(&["render", "lying.smirk", "-o", "project.png", "--size", "64x64", "--samples", "0"]);
    let of_project = image::open(at("project.png")).unwrap().into_rgba8();
    assert_eq!(of_project, drawn(&["--up", "+y", "--front", "+z"]));
    assert_ne!(of_project, drawn(&[]));
    // A head that is written with an animation stays as in the file too, or is upright by choice, and moves alike.
    let moving = |name: &str, arguments: &[&str]| {
        smirk(&[&["export", "animation", "lying.glb", "--take", "nods.csv", "-o", name], arguments].concat());
        smirk(&["render", name, "--clip", "0", "--time", "1", "-o", "moved.png", "--size", "64x64", "--samples", "0"]);
        (image::open(at("moved.png")).unwrap().into_rgba8(), import::open(&at(name)).unwrap().rig.is_turned())
    };
    let [(in_file, lies), (upright, stands)] = [moving("as_in_file.glb", &[]), moving("as_shown.glb", &["--as-shown"])];
    assert_eq!((lies, stands), (true, false));
    let apart = in_file.iter().zip(upright.iter()).filter(|(a, b)| a.abs_diff(**b) > 8).count();
    assert!(apart * 200 < in_file.len(), "{apart} bytes differ");
    assert_ne!(in_file, drawn(&[]), "it moves");
    let written = |name: &str, arguments: &[&str]| {
        smirk(&[&["export", "head", "lying.glb", "-o", name], arguments].concat());
        std::fs::read(at(name)).unwrap()
    };
    assert!(written("found.glb", &[]) == written("plain.glb", &["--up", "+y", "--front", "+z"]));
    written("shown.glb", &["--as-shown"]);
    let shown = import::open(&at("shown.glb")).unwrap();
    assert!(!shown.rig.is_turned() && shown.rig.found.is_some(), "it stands upright in the file");
    let head = import::open(&at("back.glb")).unwrap();
    smirk(&["export", "mesh", "back.glb", "--pose", "jawOpen=1", "-o", "smile.obj"]);
    smirk(&["export", "mesh", "back.glb", "-o", "rest.obj"]);
    let rest = std::fs::read_to_string(at("rest.obj")).unwrap();
    let points: Vec<Vec<f32>> = rest
        .lines()
        .filter_map(|line| Some(line.strip_prefix("v ")?.split(' ').map(|number| number.parse().unwrap()).collect()))
        .collect();
    let in_file = |point: &[f32]| glam::vec3(-point[0], point[1], -point[2]);
    let positions = &head.meshes[0].vertices.positions;
    assert!(points.iter().all(|point| positions.iter().any(|own| own.distance(in_file(point)) < 1e-5)));
    let shape = ShapeFile::new(at("smile.obj"), Matching::Order);
    let (joined, _) = import::add_shapes(&head, &[shape], Progress::NONE).unwrap();
    let added = joined.meshes[0].targets.iter().find(|target| target.name == "smile").unwrap();
    let own = &joined.meshes[0].targets[0];
    let largest = |deltas: &[glam::Vec3]| deltas.iter().map(|delta| delta.length()).fold(0.0, f32::max);
    assert!((largest(&added.positions) - largest(&own.positions)).abs() < 1e-4, "{}", largest(&added.positions));
}

#[test]
fn a_shape_of_another_mesh_is_refused_and_nothing_is_written() {
    // Triangles apart from each other; of the shape, some are where those of the neutral face are.
    let triangles = |count: usize, alike: usize| {
        let mut text = String::new();
        for at in 0..count {
            let y = if at < alike { 0.0 } else { 5.0 + at as f32 * 0.013 };
            for (x, z) in [(0.0, 0.0), (0.3, 0.0), (0.0, 0.3)] {
                text += &format!("v {} {y} {}\n", (at % 20) as f32 + x, (at / 20) as f32 + z);
            }
        }
        (0..count).for_each(|at| text += &format!("f {} {} {}\n", at * 3 + 1, at * 3 + 2, at * 3 + 3));
        text
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("face.obj"), triangles(200, 200)).unwrap();
    for (count, alike, is_written) in [(201, 60, false), (60, 60, true), (260, 200, true)] {
        std::fs::write(folder.path().join("smile.obj"), triangles(count, alike)).unwrap();
        let mut command = isolated(SMIRK);
        command.args(["convert", "face.obj", "smile.obj", "-o", "a.glb"]).current_dir(folder.path());
        let output = command.output().unwrap();
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(if is_written { 0 } else { 1 }), "{count}, {alike}: {message}");
        assert_eq!(folder.path().join("a.glb").exists(), is_written, "{count}, {alike}: {message}");
        assert!(is_written || message.contains("only 180 of the 600 vertices"), "{message}");
        let _ = std::fs::remove_file(folder.path().join("a.glb"));
    }
}

#[test]
fn files_of_other_programs_are_named_with_the_way_to_one_that_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let head = small_head::write(folder.path());
    let head = head.to_str().unwrap();
    for (name, words) in [
        ("a.pkl", ["a pickle", "numpy.save"]),
        ("a.ABC", ["an Alembic cache", ".obj"]),
        ("a.usdz", ["a USD scene", ".glb"]),
        ("a.blend", ["a Blender scene", ".glb"]),
        ("a.c3d", ["a C3D file of markers", ".csv"]),
    ] {
        std::fs::write(folder.path().join(name), b"whatever it holds").unwrap();
        let options: [&[&str]; 4] = [
            &["inspect", name],
            &["convert", name, "-o", "b.glb"],
            &["solve", head, name, "-o", "b.csv"],
            &["export", "animation", head, "--take", name, "-o", "b.csv"],
        ];
        for arguments in options {
            let mut command = isolated(SMIRK);
            command.args(arguments).current_dir(folder.path());
            let output = command.output().unwrap();
            let message = stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
            let is_said = words.iter().all(|words| message.contains(words)) && message.contains("does not read");
            assert!(is_said && message.trim_end().lines().count() == 1, "{arguments:?}: {message}");
        }
    }
}

/// The JSON that `smirk convert` prints for a head.
fn converted(folder: &std::path::Path, arguments: &[&str]) -> Value {
    let mut command = isolated(SMIRK);
    command.current_dir(folder).arg("convert").args(arguments).arg("--json");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_head_within_an_error_is_smaller_and_the_report_says_by_what() {
    let folder = tempfile::tempdir().unwrap();
    let head = import::embedded().unwrap();
    std::fs::write(folder.path().join("head.glb"), glb(&head).unwrap()).unwrap();
    let bytes = |report: &Value| report["bytes"].as_u64().unwrap();
    let plain = converted(folder.path(), &["head.glb", "-o", "plain.glb"]);
    assert_eq!(plain["stored"], json!([]));
    let small = converted(folder.path(), &["head.glb", "-o", "small.glb", "--max-error", "0.05"]);
    let packed = converted(folder.path(), &["head.glb", "-o", "packed.glb", "--max-error", "0.05", "--meshopt"]);
    assert!(bytes(&small) < bytes(&plain) * 3 / 4 && bytes(&packed) < bytes(&small) / 2, "{plain} {small} {packed}");
    for (report, file) in [(&small, "small.glb"), (&packed, "packed.glb")] {
        let shapes = report["stored"].as_array().unwrap();
        assert_eq!(shapes.len(), head.meshes[0].targets.len());
        assert!(shapes.iter().all(|shape| shape["worst_mm"].as_f64().unwrap() <= 0.05), "{report:#}");
        let read = import::open(&folder.path().join(file)).unwrap();
        let names = |head: &Head| head.channels.iter().map(|channel| channel.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&read), names(&head));
        assert!(read.bounds.size().distance(head.bounds.size()) < 1e-4);
    }
    let table =
        isolated(SMIRK).current_dir(folder.path()).args(["convert", "head.glb", "-o", "a.glb"]).output().unwrap();
    assert!(!String::from_utf8(table.stdout).unwrap().contains("worst mm"));
    let arguments = ["export", "head", "head.glb", "-o", "b.glb", "--max-error", "0.05"];
    let table = isolated(SMIRK).current_dir(folder.path()).args(arguments).output().unwrap();
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.starts_with("shape ") && table.contains("worst mm") && table.contains("jawOpen"), "{table}");
    for wrong in [&["--max-error", "0"][..], &["--meshopt"], &["--max-error", "0.1", "--dense"]] {
        let mut command = isolated(SMIRK);
        let output =
            command.current_dir(folder.path()).args(["convert", "head.glb", "-o", "c.glb"]).args(wrong).output();
        assert_eq!(output.unwrap().status.code(), Some(2), "{wrong:?}");
        assert!(!folder.path().join("c.glb").exists());
    }
}

#[test]
fn a_sculpt_becomes_a_corrective_in_the_file_beside_the_head() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("head.glb"), glb(&import::open(&small_head::write(folder.path())).unwrap()).unwrap()).unwrap();
    let head = import::open(&at("head.glb")).unwrap();
    let [first, second] = [0, 1].map(|channel| head.channels[channel].full_name.clone());
    std::fs::copy(at("head.glb"), at("fix.glb")).unwrap();
    let on = format!("{first}=1,{second}=0.5");
    let report = converted(folder.path(), &["head.glb", "fix.glb", "--sculpted-on", &on, "-o", "out.glb"]);
    assert_eq!(report["shapes"][0]["name"], "fix");
    let read = import::open(&at("out.glb")).unwrap();
    let fix = read.channel_named("fix").unwrap();
    let words = read.correctives.of_channel(fix).unwrap().drive_in_words();
    assert_eq!(words, format!("{first} × {second} at 0.5"));
    // Converted again, the file beside it goes along.
    converted(folder.path(), &["out.glb", "-o", "again.glb"]);
    assert!(!import::open(&at("again.glb")).unwrap().correctives.is_empty());
}
