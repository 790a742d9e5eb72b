//! Files of megabytes that are made to take gigabytes, or hours: many tiny objects, lists without end, and lines without end. The
//! memory they take is bounded by their size, they can be cancelled at any time, and their notes are few.

use std::cell::Cell;
use std::path::Path;

use serde_json::{Value, json};
use smirk_base::progress::{Cancelled, Progress};
use smirk_export::read_notes;
use smirk_files::import::{ImportError, open_bytes, open_takes_bytes, open_takes_with, open_with};
use smirk_session::{Edits, ReviewNote};
use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::watch::{justified_bytes, peak_bytes, watch};

/// The size of the files. Before their memory was bounded, most of them took more than [`most_bytes`] at this size.
const BYTES: usize = 8 << 20;

/// The memory that a file of a size may take.
fn most_bytes(file_bytes: usize) -> usize {
    (300 << 20) + 10 * file_bytes
}

/// A list of `unit`, over and over.
fn list(unit: &str) -> String {
    format!("[{}]", vec![unit; BYTES / (unit.len() + 1)].join(","))
}

/// A triangle with a target, and `text` as the value at a JSON pointer whose last part may be new.
fn triangle_with(place: &str, text: &str) -> Vec<u8> {
    triangle_with_all(&[(place, text)])
}

/// The same with several values.
fn triangle_with_all(values: &[(&str, &str)]) -> Vec<u8> {
    let mut file = GltfBuilder::triangle();
    let moved = file.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.2]);
    file.primitive()["targets"] = json!([{"POSITION": moved}]);
    file.json["materials"] = json!([{"name": "M"}]);
    for &(place, _) in values {
        let (parent, key) = place.rsplit_once('/').unwrap();
        match file.json.pointer_mut(parent).unwrap() {
            Value::Array(list) => list[key.parse::<usize>().unwrap()] = json!(format!("@{place}")),
            fields => fields[key] = json!(format!("@{place}")),
        }
    }
    file.json["buffers"] = json!([{"byteLength": file.bin_bytes()}]);
    // The text is put into the file as it is: as a tree of values it would take as much memory as the test forbids.
    let filled = values
        .iter()
        .fold(file.json.to_string(), |json, (place, text)| json.replacen(&format!("\"@{place}\""), text, 1));
    file.glb_with(&filled)
}

/// So many expressions of VRM 0, which share the text of a file.
fn expressions_of_vrm0(count: usize) -> Vec<u8> {
    let value = r#"{"materialName":"M","propertyName":"_Color","targetValue":[1,0,0,1]}"#;
    let values = vec![value; BYTES / count / value.len()].join(",");
    let group = format!(r#"{{"name":"a","presetName":"a","binds":[],"materialValues":[{values}]}}"#);
    let groups = vec![group; count].join(",");
    triangle_with("/extensions", &format!(r#"{{"VRM":{{"blendShapeMaster":{{"blendShapeGroups":[{groups}]}}}}}}"#))
}

/// Materials of one name, each of which every value of an expression changes: a product that is far above the size of
/// the file.
fn values_times_materials() -> Vec<u8> {
    let value = r#"{"materialName":"M","propertyName":"_Color","targetValue":[1,0,0,1]}"#;
    let values = vec![value; BYTES / 2 / value.len()].join(",");
    let group = format!(r#"{{"name":"a","presetName":"a","binds":[],"materialValues":[{values}]}}"#);
    let extension = format!(r#"{{"VRM":{{"blendShapeMaster":{{"blendShapeGroups":[{group}]}}}}}}"#);
    let material = r#"{"name":"M"}"#;
    let materials = format!("[{}]", vec![material; BYTES / 4 / material.len()].join(","));
    triangle_with_all(&[("/materials", &materials), ("/extensions", &extension)])
}

/// Expressions of VRM 1.
fn expressions_of_vrm1(count: usize) -> Vec<u8> {
    let bind = r#"{"material":0,"type":"color","targetValue":[1,0,0,1]}"#;
    let binds = vec![bind; BYTES / count / bind.len()].join(",");
    let expression = |number: usize| format!(r#""c{number}":{{"materialColorBinds":[{binds}]}}"#);
    let custom = (0..count).map(expression).collect::<Vec<_>>().join(",");
    triangle_with(
        "/extensions",
        &format!(r#"{{"VRMC_vrm":{{"specVersion":"1.0","expressions":{{"custom":{{{custom}}}}}}}}}"#),
    )
}

/// Models by what is special about them.
fn models() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let glb = |what, place: &str, text: &str| (what, "a.glb", triangle_with(place, text));
    let fbx = |what, objects: &str| {
        (what, "a.fbx", format!("; FBX 7.4.0 project file\nObjects: {{\n{objects}\n}}\n").into_bytes())
    };
    let three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let lines = |what, line: &str| (what, "a.obj", (three.to_owned() + &line.repeat(BYTES / line.len())).into_bytes());
    let numbered = |what, word: &str, count: usize| {
        let lines: String = (0..count).map(|number| format!("{word} {number}\n")).collect();
        (what, "a.obj", (three.to_owned() + "f 1 2 3\n" + &lines).into_bytes())
    };
    vec![
        glb("extras of the file", "/extras", &list(r#"{"a":1}"#)),
        glb("extras of a node", "/nodes/0/extras", &format!(r#"{{"x":{}}}"#, list(r#"{"a":1}"#))),
        glb("an extension", "/extensions", &format!(r#"{{"X":{}}}"#, list(r#"{"a":1}"#))),
        glb("nested lists", "/extras", &("[".repeat(BYTES / 2) + &"]".repeat(BYTES / 2))),
        glb("empty nodes", "/nodes", &list("{}")),
        glb("nodes with one mesh", "/nodes", &list(r#"{"mesh":0}"#)),
        glb("empty materials", "/materials", &list("{}")),
        glb("empty animations", "/animations", &list(r#"{"channels":[],"samplers":[]}"#)),
        glb(
            "channels",
            "/animations",
            &format!(
                r#"[{{"samplers":[{{"input":0,"output":0}}],"channels":{}}}]"#,
                list(r#"{"sampler":0,"target":{"node":0,"path":"weights"}}"#)
            ),
        ),
        glb("primitives", "/meshes/0/primitives", &list(r#"{"attributes":{"POSITION":0}}"#)),
        glb("points", "/meshes/0/primitives", &list(r#"{"mode":0,"attributes":{"POSITION":0}}"#)),
        glb("targets", "/meshes/0/primitives/0/targets", &list("{}")),
        glb("names of targets", "/meshes/0/extras", &format!(r#"{{"targetNames":{}}}"#, list("\"a\""))),
        glb("a long name", "/meshes/0/name", &format!("\"{}\"", "n".repeat(BYTES))),
        glb(
            "accessors",
            "/accessors/1",
            &list(r#"{"componentType":5126,"count":3,"type":"VEC3"}"#)[1..].replace(']', ""),
        ),
        ("values of an expression of VRM 0", "a.vrm", expressions_of_vrm0(1)),
        ("values of expressions of VRM 0", "a.vrm", expressions_of_vrm0(3)),
        ("values times materials of VRM 0", "a.vrm", values_times_materials()),
        ("binds of an expression of VRM 1", "a.vrm", expressions_of_vrm1(1)),
        ("binds of expressions of VRM 1", "a.vrm", expressions_of_vrm1(2000)),
        (
            "what is not read of a VRM",
            "a.vrm",
            triangle_with("/extensions", &format!(r#"{{"VRM":{{"x":{}}}}}"#, list("{}"))),
        ),
        lines("separate triangles", "s off\nf 1 2 3\n"),
        lines("faces with one normal each", "vn 0 0 1\nf 1//-1 2//-1 3//-1\n"),
        lines("libraries", "mtllib a.mtl b.mtl\n"),
        ("a face", "a.obj", (three.to_owned() + "f " + &"1 2 3 ".repeat(BYTES / 6)).into_bytes()),
        numbered("objects", "o", BYTES / 10),
        numbered("materials", "usemtl", BYTES / 15),
        numbered("different libraries", "mtllib", 50_000),
        fbx("objects", &"Model: 1, \"Model::a\", \"Mesh\" {}\n".repeat(BYTES / 32)),
        fbx("connections", &"C: \"OO\",1,2\n".repeat(BYTES / 12)),
        fbx("nested nodes", &"a: {".repeat(BYTES / 4)),
        fbx("one list", &format!("a: *{} {{a: {}}}", BYTES / 2, "1,".repeat(BYTES / 2))),
    ]
}

/// Captures by what is special about them.
fn captures() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let json = |what, text: String| (what, "a.json", text.into_bytes());
    let csv = |what, text: String| (what, "a.csv", text.into_bytes());
    let audio2face = |rows: &str| format!(r#"{{"facsNames":["a"],"weightMat":{}}}"#, list(rows));
    let many_keys: String = (0..BYTES / 10).map(|number| format!("\"k{number}\":1,")).collect();
    vec![
        json("objects", list(r#"{"a":1}"#)),
        json("empty objects", list("{}")),
        json("numbers", list("1")),
        json("a frame of objects", format!(r#"[{{"x":{}}}]"#, list(r#"{"a":1}"#))),
        json("a frame of keys", format!("[{{{many_keys}\"z\":1}}]")),
        json("keys", format!("{{{many_keys}\"z\":1}}")),
        json("names", format!(r#"{{"names":{},"frames":[[1]]}}"#, list("\"a\""))),
        json("nested lists", "[".repeat(BYTES / 2) + &"]".repeat(BYTES / 2)),
        json("NaN", format!(r#"{{"frames":{}}}"#, list(r#"{"jawOpen":NaN}"#))),
        json("rows of one number", audio2face("[0]")),
        json("rows of objects", audio2face("[{}]")),
        csv("empty columns", format!("Timecode{}\n", ",".repeat(BYTES))),
        csv("columns", format!("Timecode{}\n1,2\n", ",a".repeat(BYTES / 2))),
        csv("a wide row", format!("time,a\n1{}\n", ",".repeat(BYTES))),
        csv("short rows", format!("time,{}\n{}", "a,".repeat(4000), "1\n".repeat(33_000))),
        csv("rows", format!("time,a\n{}", "1,1\n".repeat(BYTES / 4))),
        csv("open quotation marks", format!("time,a\n{}", "\"\n\",".repeat(BYTES / 4))),
    ]
}

#[test]
fn models_of_many_small_objects_take_memory_in_proportion_to_their_size() {
    for (what, file_name, bytes) in models() {
        let file_bytes = bytes.len();
        let (outcome, peak) = peak_bytes(|| open_bytes(&bytes, file_name).map(|head| head.asset.notes));
        // The objects of FBX are larger.
        let most = if file_name.ends_with(".fbx") { justified_bytes(file_bytes) } else { most_bytes(file_bytes) };
        assert!(peak <= most, "{what}: {} MiB for {file_bytes} bytes", peak >> 20);
        match outcome {
            Ok(notes) => {
                let text: usize = notes.iter().map(|note| note.to_string().len()).sum();
                assert!(notes.len() < 1000 && text < 200_000, "{what}: {} notes, {text} bytes", notes.len());
            }
            Err(error) => {
                let error = error.to_string();
                assert!(error.len() < 1000 && error.contains("; "), "{what}: {error}");
            }
        }
    }
}

#[test]
fn captures_of_many_small_objects_take_memory_in_proportion_to_their_size() {
    for (what, file_name, bytes) in captures() {
        let file_bytes = bytes.len();
        let (outcome, peak) = peak_bytes(|| open_takes_bytes(&bytes, Path::new(file_name)));
        assert!(peak <= most_bytes(file_bytes), "{what}: {} MiB for {file_bytes} bytes", peak >> 20);
        if let Err(error) = outcome {
            assert!(error.to_string().len() < 1000, "{what}: {error}");
        }
    }
}

#[test]
fn an_import_ends_when_it_is_cancelled_and_asks_often() {
    let folder = tempfile::tempdir().unwrap();
    for (is_capture, files) in [(false, models()), (true, captures())] {
        for (what, file_name, bytes) in files {
            let path = folder.path().join(file_name);
            std::fs::write(&path, &bytes).unwrap();
            let open = |progress: Progress<'_>| match is_capture {
                true => open_takes_with(&path, progress).map(drop),
                false => open_with(&path, progress).map(drop),
            };
            let asked = Cell::new(0);
            let stop_at_third = |_: &str, _: f32| {
                asked.set(asked.get() + 1);
                if asked.get() < 3 { Ok(()) } else { Err(Cancelled) }
            };
            let outcome = open(Progress::new(&stop_at_third));
            // A file that is refused before the third question is as good.
            let is_cancelled = matches!(outcome, Err(ImportError::Cancelled(_)));
            assert!(is_cancelled && asked.get() == 3 || outcome.is_err() && asked.get() < 3, "{what}: {outcome:?}");
        }
    }
}

#[test]
fn notes_of_a_kind_are_one_note() {
    let points = 20_000;
    let mut file = GltfBuilder::triangle();
    for _ in 0..points {
        let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
        primitives.push(json!({"mode": 0, "attributes": {"POSITION": 0}}));
    }
    for number in 0..points {
        let mesh = file.push("meshes", json!({"name": format!("m{number}"), "primitives": []}));
        file.push("nodes", json!({"mesh": mesh}));
    }
    let head = file.open().unwrap();
    let texts: Vec<String> = head.notes.iter().map(ToString::to_string).collect();
    let points = texts.iter().find(|text| text.contains("is drawn as Points")).unwrap();
    assert!(points.starts_with("mesh \"tri\", primitive 1, mesh \"tri\", primitive 2, "), "{points}");
    assert!(points.contains(" and 19997 more: "), "{points}");
    assert!(texts.iter().any(|text| text.contains("\"m2\" and 19997 more: has no triangle")), "{texts:?}");
    assert!(texts.len() < 20, "{texts:?}");
}

/// What is in a tree of values is compared with what it is made of.
#[test]
fn names_and_extras_that_are_read_are_unchanged() {
    let mut file = GltfBuilder::triangle();
    let moved = file.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.2]);
    file.primitive()["targets"] = json!([{"POSITION": moved}, {"POSITION": moved}]);
    let extras: Value = json!({"other": [1, {"x": 2}], "targetNames": ["jawOpen", "眉"]});
    file.json["meshes"][0]["extras"] = extras;
    let head = file.open().unwrap();
    let names: Vec<&str> = head.meshes[0].targets.iter().map(|target| target.name.as_str()).collect();
    assert_eq!((head.meshes[0].name.as_str(), names), ("tri", vec!["jawOpen", "眉"]));
}

#[test]
fn a_table_of_a_million_notes_is_refused_and_many_rows_are_merged_in_little_memory() {
    const ID: &str = "b0000000000000a1";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.csv");
    let read = |header: &str, count: usize, row: &dyn Fn(usize) -> String| {
        let table: String = std::iter::once(format!("{header}\n")).chain((0..count).map(row)).collect();
        std::fs::write(&file, &table).unwrap();
        let most = most_bytes(table.len());
        drop(table);
        watch("a table of notes", most, {
            let file = file.clone();
            move || read_notes(&file)
        })
    };
    let refused = read("text,author", 1_000_000, &|nth| format!("Lid {nth},Ada\n")).unwrap_err().to_string();
    assert_eq!(refused, format!("{}: has more than 100000 rows", file.display()));
    let merge = |edits: Edits, notes: Vec<ReviewNote>| {
        watch("merging notes", most_bytes(4 << 20), move || {
            let mut edits = edits;
            edits.merge_notes(notes).map(|changed| (edits, changed))
        })
    };
    let notes = read("text,author", 80_000, &|nth| format!("Lid {nth},Ada\n")).unwrap();
    let (edits, changed) = merge(Edits::default(), notes).unwrap();
    assert_eq!(changed.to_string(), "80000 new notes");
    // Rows of one id, and replies to one note.
    let replies = read("text,reply_to", 100_000, &|nth| format!("Reply {nth},{ID}\n")).unwrap();
    let (edits, changed) = merge(edits, replies).unwrap();
    assert_eq!(changed.to_string(), "1 new note");
    let copies = read("text,id", 100_000, &|nth| format!("Lid {nth},{ID}\n")).unwrap();
    let refused = merge(edits, copies).unwrap_err().to_string();
    assert_eq!(refused, "there would be 180000 notes, and a project has at most 90000");
}
