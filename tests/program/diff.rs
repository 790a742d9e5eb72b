//! `smirk diff`: two versions of a head, edited in known ways.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::Path;
use std::process::Output;

use glam::Vec3;
use serde_json::{Value, json};
use smirk_export::glb;
use smirk_face::head::{Head, Target};
use smirk_files::import;
use smirk_support::fbx_builder::{FbxBuilder, Key};
use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::small_head;

use crate::process::{SMIRK, isolated, stderr};

fn diff(arguments: &[&str]) -> Output {
    isolated(SMIRK).arg("diff").args(arguments).output().unwrap()
}

fn json_of(old: &Path, new: &Path, options: &[&str]) -> Value {
    let output = diff(&[&[old.to_str().unwrap(), new.to_str().unwrap(), "--json"], options].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A sheet of triangles; shapes lift single corners by so much.
struct Sheet {
    /// Where the corners are.
    corners: Vec<Vec3>,
    shapes: Vec<(&'static str, usize, f32)>,
}

impl Sheet {
    const SIDE: usize = 5;

    fn new(shapes: &[(&'static str, usize, f32)]) -> Self {
        let corner = |index: usize| Vec3::new((index % Self::SIDE) as f32, (index / Self::SIDE) as f32, 0.0) * 0.035;
        Self { corners: (0..Self::SIDE * Self::SIDE).map(corner).collect(), shapes: shapes.to_vec() }
    }

    /// Writes it with its vertices in an order: `order` has the corner of each vertex.
    fn write(&self, file: &Path, order: &[usize]) {
        let mut builder = GltfBuilder::empty();
        let floats = |points: &[Vec3]| points.iter().flat_map(|point| point.to_array()).collect::<Vec<f32>>();
        let in_order = |of: &dyn Fn(usize) -> Vec3| floats(&order.iter().map(|&corner| of(corner)).collect::<Vec<_>>());
        let positions = builder.floats("VEC3", &in_order(&|corner| self.corners[corner]));
        let normals = builder.floats("VEC3", &in_order(&|_| Vec3::Z));
        let vertex = |corner: usize| order.iter().position(|&other| other == corner).unwrap() as u16;
        let mut triangles = Vec::new();
        for cell in (0..Self::SIDE * (Self::SIDE - 1)).filter(|cell| cell % Self::SIDE != Self::SIDE - 1) {
            let [a, b, c, d] = [cell, cell + 1, cell + Self::SIDE + 1, cell + Self::SIDE].map(vertex);
            triangles.extend([a, b, c, a, c, d]);
        }
        let indices = builder.indices(&triangles);
        let mut targets = Vec::new();
        for &(_, moved, up) in &self.shapes {
            let delta = |corner: usize| if corner == moved { Vec3::Z * up } else { Vec3::ZERO };
            targets.push(json!({"POSITION": builder.floats("VEC3", &in_order(&delta))}));
        }
        let names: Vec<&str> = self.shapes.iter().map(|shape| shape.0).collect();
        let primitive =
            json!({"attributes": {"POSITION": positions, "NORMAL": normals}, "indices": indices, "targets": targets});
        builder.push("meshes", json!({"name": "face", "primitives": [primitive], "extras": {"targetNames": names}}));
        builder.push("nodes", json!({"mesh": 0, "name": "face"}));
        std::fs::write(file, builder.glb()).unwrap();
    }
}

fn in_order() -> Vec<usize> {
    (0..Sheet::SIDE * Sheet::SIDE).collect()
}

#[test]
fn targets_that_are_new_gone_renamed_and_moved_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["v12.glb", "v13.glb"].map(|name| folder.path().join(name));
    // The two shapes move the corners at the left and the right: the face is 140 mm wide.
    Sheet::new(&[("jawOpen", 10, 0.02), ("smile", 14, 0.01), ("pout", 12, 0.01)]).write(&old, &in_order());
    Sheet::new(&[("jawOpen", 10, 0.025), ("mouthSmile", 14, 0.01), ("puff", 7, 0.01)]).write(&new, &in_order());
    let report = json_of(&old, &new, &[]);
    let changes = &report["changes"];
    assert_eq!((&changes["new"], &changes["gone"]), (&json!(["puff"]), &json!(["pout"])));
    assert_eq!((&changes["renamed"][0]["old"], &changes["renamed"][0]["new"]), (&json!("smile"), &json!("mouthSmile")));
    let moved = changes["moved"].as_array().unwrap();
    assert_eq!((moved.len(), &moved[0]["channel"], &moved[0]["mesh"]), (1, &json!("jawOpen"), &json!("face")));
    for key in ["largest_mm", "rms_mm"] {
        assert!((moved[0][key].as_f64().unwrap() - 5.0).abs() < 0.01, "{}", moved[0]);
    }
    let mesh = json!({
        "name": "face", "vertices": [25, 25], "triangles": [32, 32], "targets": [3, 3], "matched_by": "order", "matched": 25,
    });
    assert_eq!(report["meshes"], json!([mesh]));
    let text = diff(&[old.to_str().unwrap(), new.to_str().unwrap()]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.starts_with("1 target moved, 1 renamed, 1 new: puff, 1 gone: pout\n"), "{text}");
    assert!(text.contains("jawOpen  face       5.00 mm     5.00 mm\n"), "{text}");
    assert!(text.contains("Targets renamed: smile is now mouthSmile"), "{text}");
}

#[test]
fn vertices_in_another_order_are_matched_by_position_and_nothing_has_moved() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["v12.glb", "v13.glb"].map(|name| folder.path().join(name));
    let shapes = [("jawOpen", 10, 0.02), ("smile", 14, 0.01)];
    // Numbers that have few edges in common with those in order.
    let shuffled: Vec<usize> = in_order().into_iter().map(|corner| corner * 7 % 25).collect();
    // Uneven, so that no corner lies where another did.
    let uneven = |shapes: &[(&'static str, usize, f32)]| {
        let mut sheet = Sheet::new(shapes);
        sheet
            .corners
            .iter_mut()
            .for_each(|corner| *corner += Vec3::new(corner.y * 0.21, corner.x * corner.x * 2.0, 0.0));
        sheet
    };
    uneven(&shapes).write(&old, &in_order());
    uneven(&shapes).write(&new, &shuffled);
    let report = json_of(&old, &new, &[]);
    assert_eq!((&report["meshes"][0]["matched_by"], &report["meshes"][0]["matched"]), (&json!("position"), &json!(25)));
    assert_eq!(report["changes"]["moved"], json!([]), "{report}");
    // By order, every shape moves another corner.
    let report = json_of(&old, &new, &["--match", "order"]);
    assert_eq!(report["changes"]["moved"].as_array().unwrap().len(), 2);
    uneven(&[("jawOpen", 10, 0.02), ("smile", 14, 0.015)]).write(&new, &shuffled);
    let report = json_of(&old, &new, &[]);
    let moved = &report["changes"]["moved"];
    assert_eq!((moved.as_array().unwrap().len(), &moved[0]["channel"]), (1, &json!("smile")));
}

#[test]
fn two_equal_heads_have_no_differences_and_wrong_usage_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let head = folder.path().join("v12.glb");
    Sheet::new(&[("jawOpen", 10, 0.02)]).write(&head, &in_order());
    let path = head.to_str().unwrap();
    let output = diff(&[path, path]);
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().next(), Some("nothing that Smirk reads has changed"));
    for (arguments, code) in [
        (&[path][..], 2),
        (&[path, path, "--match", "name"], 2),
        (&[path, "gone.glb"], 1),
        (&[path, path, "-o", path], 2),
    ] {
        assert_eq!(diff(arguments).status.code(), Some(code), "{arguments:?}");
    }
}

fn save(head: &Head, file: &Path) {
    std::fs::write(file, glb(head).unwrap()).unwrap();
}

#[test]
fn a_head_with_a_stronger_smile_differs_by_as_much() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["v12.glb", "v13.glb"].map(|name| folder.path().join(name));
    let head = import::open(&small_head::write(folder.path())).unwrap();
    let smile = head.meshes[0].targets.iter().find(|target| target.name == "mouthSmileLeft").unwrap();
    let stronger = Target { positions: smile.positions.iter().map(|delta| *delta * 1.1).collect(), ..smile.clone() };
    let mm_per_unit = head.mm_per_unit();
    let added: Vec<f32> = smile.positions.iter().map(|delta| delta.length() * 0.1 * mm_per_unit).collect();
    let largest = f64::from(added.iter().copied().fold(0.0, f32::max));
    let mean_square = added.iter().map(|distance| f64::from(*distance).powi(2)).sum::<f64>() / added.len() as f64;
    save(&head.with_targets(vec![(0, stronger)], Vec::new()), &new);
    save(&head, &old);
    let sheet = folder.path().join("sheet.png");
    let report = json_of(&old, &new, &["-o", sheet.to_str().unwrap()]);
    let moved = report["changes"]["moved"].as_array().unwrap();
    assert_eq!((moved.len(), &moved[0]["channel"]), (1, &json!("mouthSmileLeft")), "{report}");
    let sheet = image::open(sheet).unwrap().into_rgb8();
    // Three pictures of one expression. The last has saturated colours where the smile is; the others have none.
    let third = sheet.width() / 3;
    let vivid = |column: u32| {
        let pixels = sheet.enumerate_pixels().filter(|(x, ..)| x / third == column);
        pixels.filter(|(.., pixel)| pixel[0] > 120 && pixel[2] < 60).count()
    };
    assert!(vivid(2) > 200 && vivid(2) > 2 * vivid(0).max(vivid(1)), "{} {} {}", vivid(0), vivid(1), vivid(2));
    let [largest_mm, rms_mm] = ["largest_mm", "rms_mm"].map(|key| moved[0][key].as_f64().unwrap());
    assert!((largest_mm / largest - 1.0).abs() < 0.01, "{largest_mm} is not {largest}");
    assert!((rms_mm / mean_square.sqrt() - 1.0).abs() < 0.05, "{rms_mm} is not {}", mean_square.sqrt());
}

#[test]
fn a_picture_shows_two_versions_side_by_side_over_each_other_and_their_difference() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["v12.glb", "v13.glb"].map(|name| folder.path().join(name));
    let head = import::open(&small_head::write(folder.path())).unwrap();
    let smile = head.meshes[0].targets.iter().find(|target| target.name == "mouthSmileLeft").unwrap();
    let stronger = Target { positions: smile.positions.iter().map(|delta| *delta * 2.0).collect(), ..smile.clone() };
    save(&head, &old);
    save(&head.with_targets(vec![(0, stronger)], Vec::new()), &new);
    let render = |options: &[&str]| {
        let picture = folder.path().join("picture.png");
        let files = [old.to_str().unwrap(), "-o", picture.to_str().unwrap(), "--pose", "mouthSmileLeft=1"];
        let mut command = isolated(SMIRK);
        let output =
            command.arg("render").args(files).args(["--samples", "0", "--isolate"]).args(options).output().unwrap();
        assert!(output.status.success(), "{options:?}: {}", stderr(&output));
        image::open(&picture).unwrap().into_rgb8()
    };
    let apart = |a: &image::RgbImage, b: &image::RgbImage| {
        let sum: u64 = a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        sum as f64 / a.as_raw().len() as f64
    };
    let b = new.to_str().unwrap();
    let compare = |options: &[&str]| render(&[&["--compare", b, "--size", "256x256"], options].concat());
    let [a, of_a, of_b] = [
        render(&["--size", "256x256"]),
        compare(&["--compare-as", "onion", "--opacity", "0"]),
        compare(&["--compare-as", "onion", "--opacity", "1"]),
    ];
    assert!(apart(&a, &of_a) < 0.01 && apart(&a, &of_b) > 0.2, "{} {}", apart(&a, &of_a), apart(&a, &of_b));
    let half = compare(&["--compare-as", "onion"]);
    assert!((apart(&half, &a) - apart(&half, &of_b)).abs() < 0.1, "half of each");
    let both = render(&["--compare", b, "--size", "512x256"]);
    let part = |left: u32| image::imageops::crop_imm(&both, left, 0, 250, 256).to_image();
    let whole = |picture: &image::RgbImage| image::imageops::crop_imm(picture, 0, 0, 250, 256).to_image();
    assert!(apart(&part(0), &whole(&a)) < 0.1, "A is left: {}", apart(&part(0), &whole(&a)));
    assert!(apart(&part(256), &image::imageops::crop_imm(&of_b, 0, 0, 250, 256).to_image()) < 1.0, "B is right");
    let difference = compare(&["--compare-as", "difference"]);
    let count = |is: &dyn Fn(&image::Rgb<u8>) -> bool| difference.pixels().filter(|pixel| is(pixel)).count();
    let (still, moved) =
        (count(&|pixel| pixel[2] > 50 && pixel[1] < 20), count(&|pixel| pixel[1] > 100 && pixel[0] < 150));
    assert!(still > 5_000 && moved > 100, "{still} pixels of what is alike, {moved} of what moved");
    let wrong = |options: &[&str]| {
        let arguments = [&["render", old.to_str().unwrap(), "-o", "x.png"], options].concat();
        isolated(SMIRK).args(arguments).output().unwrap().status.code()
    };
    assert_eq!(wrong(&["--compare-as", "onion"]), Some(2), "without another version");
    assert_eq!(wrong(&["--compare", "gone.glb"]), Some(1));
    assert_eq!(wrong(&["--compare", b, "--opacity", "2"]), Some(2));
}

/// A file has its own order of nodes and its own way to store transforms, and FBX animates single targets.
#[test]
fn an_fbx_head_that_was_converted_has_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let [original, converted] = ["face.fbx", "face.glb"].map(|name| folder.path().join(name));
    let mut file = FbxBuilder::empty();
    let (geometry, model) = file.cube("face");
    let deformer = file.deformer(geometry, "blendShape1");
    let jaw = file.channel(deformer, "blendShape1.jawOpen", 0.0, &[(100.0, [0.0, 2.0, 0.0])]);
    file.channel(deformer, "blendShape1.smile", 20.0, &[(100.0, [1.0, 0.0, 0.0])]);
    let root = file.model("root", "LimbNode", 0, [0.0, -1.0, 0.0]);
    let tip = file.model("tip", "LimbNode", root, [0.0, 2.0, 0.0]);
    file.skin(geometry, &[(root, [0.0, -1.0, 0.0], &[0, 1, 4, 5]), (tip, [0.0, 1.0, 0.0], &[2, 3, 6, 7])]);
    file.material(model, "skin", [0.5, 0.25, 0.125]);
    let layer = file.stack("talk");
    let key = |secs, value| Key { secs, value, kind: Key::LINEAR, slopes: [0.0; 2] };
    file.curves(layer, jaw, "DeformPercent", &["d|DeformPercent"], &[key(0.0, 0.0), key(1.0, 100.0)]);
    file.curves(layer, tip, "Lcl Rotation", &["d|X"], &[key(0.0, 0.0), key(2.0, 90.0)]);
    std::fs::write(&original, file.text()).unwrap();
    std::fs::write(&converted, glb(&import::open(&original).unwrap()).unwrap()).unwrap();
    let report = json_of(&original, &converted, &[]);
    assert_eq!(report["summary"], "nothing that Smirk reads has changed", "{report:#}");
    assert_eq!(
        (&report["meshes"][0]["matched_by"], &report["changes"]["has_others"]),
        (&json!("order"), &json!(false))
    );
}
