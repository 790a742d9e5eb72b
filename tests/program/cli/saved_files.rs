//! Heads and meshes that `convert` and `export` save.

use std::path::Path;

use serde_json::{Value, json};
use smirk_support::gltf_builder::{GltfBuilder, UNSIGNED_BYTE};

use crate::process::{smirk, stderr};

#[test]
fn a_head_and_its_shapes_become_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let quad = |z: f32| format!("v 0 0 0\nv 100 0 0\nv 100 100 {z}\nv 0 100 0\nf 1 2 3 4\n");
    for (name, z) in [("face.obj", 0.0), ("face_smile.obj", 30.0), ("face_frown.obj", -20.0)] {
        std::fs::write(at(name), quad(z)).unwrap();
    }
    let (face, smile, frown, out) = (at("face.obj"), at("face_smile.obj"), at("face_frown.obj"), at("face.glb"));
    let output = smirk(&["convert", &face, &smile, &frown, "-o", &out, "--scale", "0.01", "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["channels"], json!(["smile", "frown"]));
    assert_eq!(report["shapes"][0]["by_order"], 4);
    assert_eq!(report["size_metres"], 1.0);
    let head = smirk_files::import::open(Path::new(&out)).unwrap();
    let farthest = head.meshes[0].targets[0].positions.iter().map(|delta| delta.z).fold(0.0, f32::max);
    assert!((farthest - 0.3).abs() < 1e-6, "{farthest}");

    let text = smirk(&["convert", &face, &smile, "-o", &out]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("smile: matched on face: 4 by order") && text.contains("--scale 0.01"), "{text}");

    std::fs::write(at("face_other.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let before = std::fs::read(&out).unwrap();
    for (arguments, words) in [
        (
            &["convert", &face, &at("face_other.obj"), "-o", &out, "--match", "order"][..],
            "3 vertices, 1 fewer than the head's 4",
        ),
        (&["convert", &face, "-o", &at("face.obj")], "must end in .glb"),
        (&["convert", &out, &smile, "-o", &out], "it is an input"),
        (&["convert", &face, "-o", &at("no/such.glb")], "there is no folder"),
    ] {
        let output = smirk(arguments);
        let message = stderr(&output);
        let code = if words.starts_with("must end") || words.starts_with("such as") { 2 } else { 1 };
        assert!(output.status.code() == Some(code) && message.contains(words), "{arguments:?}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    assert_eq!(std::fs::read(&out).unwrap(), before, "a failed conversion leaves the old file");
}

/// A skinned triangle whose joint is animated, with a target that also has colour deltas.
fn write_skinned(file: &Path) {
    let mut builder = GltfBuilder::triangle();
    let colors = builder.floats("VEC3", &[0.5; 9]);
    builder.primitive()["attributes"]["COLOR_0"] = json!(colors);
    builder.primitive()["targets"] = json!([{"POSITION": 0, "COLOR_0": colors}]);
    let joints = builder.accessor("VEC4", UNSIGNED_BYTE, 3, &[0; 12]);
    let weights = builder.floats("VEC4", &[1., 0., 0., 0.].repeat(3));
    builder.primitive()["attributes"]["JOINTS_0"] = json!(joints);
    builder.primitive()["attributes"]["WEIGHTS_0"] = json!(weights);
    builder.push("nodes", json!({"name": "jaw", "translation": [0, 5, 0]}));
    builder.push("skins", json!({"joints": [1]}));
    builder.json["nodes"][0]["skin"] = json!(0);
    let up = builder.floats("VEC3", &[0., 5., 0., 0., 6., 0.]);
    builder.animate(1, "LINEAR", &[0., 1.], &[0.]);
    builder.json["animations"][0]["samplers"][0]["output"] = json!(up);
    builder.json["animations"][0]["channels"][0]["target"]["path"] = json!("translation");
    builder.json["meshes"][0]["weights"] = json!([0.0, 1.0]);
    std::fs::write(file, builder.glb()).unwrap();
}

#[test]
fn a_head_is_saved_and_inspected_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("skinned.glb"), folder.path().join("again.glb"));
    write_skinned(&file);
    let (file, place) = (file.to_str().unwrap(), out.to_str().unwrap());
    let output = smirk(&["export", "head", file, "-o", place]);
    assert!(output.status.success(), "{}", stderr(&output));
    let [own, again] = [file, place].map(|file| {
        let mut report: Value = serde_json::from_slice(&smirk(&["inspect", file, "--json"]).stdout).unwrap();
        // What was repaired in the first file is no news of the second.
        report["notes"].as_array_mut().unwrap().retain(|note| note["level"] == "info");
        report
    });
    assert_eq!(own, again);
    for (arguments, words) in [
        (&["export", "head", file, "-o", file][..], "it is an input"),
        (&["export", "head", file, "-o", "head.obj"], "must end in .glb"),
        (&["export", "mesh", file, "-o", file], "it is an input"),
        (&["export", "mesh", file, "-o", "head.stl"], "must end in .obj, .glb, .pc2 or .mdd"),
        (&["export", "mesh", file, "-o", "head.obj", "--frames", "0-3"], "such as face.####.obj"),
    ] {
        let output = smirk(arguments);
        let message = stderr(&output);
        let code = if words.starts_with("must end") || words.starts_with("such as") { 2 } else { 1 };
        assert!(output.status.code() == Some(code) && message.contains(words), "{arguments:?}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn the_face_is_exported_as_meshes() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let pose = smirk(&["export", "mesh", "-o", &at("open.obj"), "--pose", "jawOpen=1"]);
    assert!(pose.status.success(), "{}", stderr(&pose));
    let rest = smirk(&["export", "mesh", "-o", &at("rest.obj"), "--normals", "blended", "--meshes", "visible"]);
    assert!(rest.status.success(), "{}", stderr(&rest));
    let lowest = |name: &str| smirk_files::import::open(Path::new(&at(name))).unwrap().bounds.min.y;
    let points =
        |name: &str| std::fs::read_to_string(at(name)).unwrap().lines().filter(|line| line.starts_with("v ")).count();
    assert_eq!(points("open.obj"), points("rest.obj"));
    assert!(lowest("open.obj") <= lowest("rest.obj"));
    assert_ne!(std::fs::read(at("open.obj")).unwrap(), std::fs::read(at("rest.obj")).unwrap());
    let range = smirk(&["export", "mesh", "-o", &at("clip.pc2"), "--clip", "0", "--frames", "2-4", "--fps", "24"]);
    assert!(range.status.success(), "{}", stderr(&range));
    assert_eq!(std::fs::read(at("clip.pc2")).unwrap().len(), 32 + 3 * 12 * points("rest.obj"));
    let frames = smirk(&["export", "mesh", "-o", &at("clip.#.obj"), "--clip", "0", "--frames", "2-4", "--fps", "24"]);
    assert!(frames.status.success(), "{}", stderr(&frames));
    assert!(["clip.2.obj", "clip.3.obj", "clip.4.obj"].iter().all(|name| folder.path().join(name).exists()));
}

#[test]
fn a_conversion_keeps_skins_and_clips_and_reports_what_was_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("skinned.glb"), folder.path().join("again.glb"));
    write_skinned(&file);
    let (file, place) = (file.to_str().unwrap(), out.to_str().unwrap());
    let output = smirk(&["convert", file, "-o", place, "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["warnings"][0]["message"].as_str().unwrap().contains("2 weights for 1 targets"), "{report}");
    let head = smirk_files::import::open(&out).unwrap();
    assert_eq!((head.rig.skins.len(), head.clips[0].moves_nodes()), (1, true));
    assert_eq!(head.meshes[0].targets[0].uv_color_deltas.rows.len(), 3);
    let text = smirk(&["convert", file, "-o", place]);
    assert!(String::from_utf8_lossy(&text.stdout).contains("warning  mesh"), "{text:?}");

    let clip = |arguments: &[&str]| smirk(&[&["inspect", file], arguments].concat()).stdout;
    let report: Value = serde_json::from_slice(&clip(&["--json"])).unwrap();
    assert_eq!((&report["clips"][0]["nodes"], &report["clips"][0]["channels"]), (&json!(["jaw"]), &json!([])));
    assert!(String::from_utf8_lossy(&clip(&[])).contains("1.00 s, moves 1 node"));
}

#[test]
fn correctives_of_an_earlier_export_are_replaced_by_those_of_the_head_and_others_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut builder = GltfBuilder::triangle();
    let up = builder.floats("VEC3", &[0., 1., 0., 0., 0., 0., 0., 0., 0.]);
    builder.primitive()["targets"] = vec![json!({"POSITION": up}); 3].into();
    builder.primitive()["extras"] = json!({"targetNames": ["jawOpen", "mouthPucker", "mend"]});
    let (head, plain, out, sidecar) = (at("a.glb"), at("plain.glb"), at("out.glb"), at("out.correctives.json"));
    for file in [&head, &plain] {
        std::fs::write(file, builder.glb()).unwrap();
    }
    let open = |file: &str| smirk_files::import::open(Path::new(file)).unwrap();
    for command in [&["export", "head"][..], &["convert"]] {
        let write = |file: &str| {
            let output = smirk(&[command, &[file, "-o", &out]].concat());
            assert!(output.status.success(), "{command:?}: {}", stderr(&output));
            (open(&out), stderr(&output))
        };
        for full_weight in [0.5, 0.75] {
            let drivers = json!(["jawOpen", {"target": "mouthPucker", "full_weight": full_weight}]);
            let text = json!({"combinations": [{"target": "mend", "drivers": drivers}]}).to_string();
            std::fs::write(at("a.correctives.json"), text).unwrap();
            let (written, said) = write(&head);
            assert!(!said.contains("out.correctives.json"), "{said}");
            assert_eq!(written.declared_correctives, open(&head).declared_correctives);
            assert!(!written.correctives.is_empty());
        }
        let (_, said) = write(&plain);
        assert!(said.contains("out.correctives.json declares correctives, of which the head has none"), "{said}");
        std::fs::remove_file(&sidecar).unwrap();
        let (_, said) = write(&plain);
        assert!(!said.contains("correctives"), "{said}");
        assert!(!Path::new(&sidecar).exists(), "there is nothing to declare");
    }
}

#[test]
fn options_that_mean_nothing_for_an_export_are_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    let to = ["--pose", "jawOpen=1", "--to", "mouthPucker=1"];
    for (kind, name, options, words) in [
        ("mesh", "a.pc2", &[&to[..], &["--at", "0.3"]].concat()[..], "--at means nothing"),
        ("mesh", "a.mdd", &[&to[..], &["--ease", "in"]].concat(), "--ease means nothing"),
        ("mesh", "a.pc2", &["--clip", "0", "--time", "1"], "--time means nothing"),
        ("mesh", "a.#.obj", &["--clip", "0", "--time", "1"], "--time means nothing"),
        ("mesh", "a.glb", &["--clip", "0", "--frames", "3", "--time", "1"], "--time means nothing"),
        ("mesh", "a.obj", &["--fps", "24"], "--fps means nothing"),
        ("film", "a.webp", &["--clip", "0", "--dither", "diffusion"], "has no --dither: choose .gif"),
    ] {
        let output = folder.path().join(name);
        let run = smirk(&[&["export", kind, "-o", output.to_str().unwrap()], options].concat());
        assert!(run.status.code() == Some(2) && stderr(&run).contains(words), "{options:?}: {}", stderr(&run));
        assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "{options:?}");
    }
}
