//! Heads that are saved as .glb open again as they were: small ones that use each feature of glTF, and real ones.

use std::path::Path;

use serde_json::{Value, json};
use smirk::cli::inspect;
use smirk_export::glb;
use smirk_face::head::{Head, Level};
use smirk_files::import::{embedded, open, open_bytes};
use smirk_support::test_files::real_heads;
use smirk_support::{good_files, heads_below};

use crate::heads::everything::{avatars, everything};
use crate::heads::odd::odd;

/// Saves a head, opens it again, and checks that nothing was lost. Returns the bytes of the file.
fn check(head: &Head, what: &str) -> Vec<u8> {
    let bytes = glb(head).unwrap();
    let again = open_bytes(&bytes, &format!("{}.glb", head.name)).unwrap_or_else(|error| panic!("{what}: {error}"));
    check_inspection(head, &again, what);
    check_parts(head, &again, what);
    let twice = glb(&again).unwrap();
    assert_eq!(bytes.len(), twice.len(), "{what}: a second save has another size");
    let twice = open_bytes(&twice, "twice.glb").unwrap();
    check_parts(&again, &twice, what);
    assert_eq!(again.rig, twice.rig, "{what}: nodes are added once at most");
    bytes
}

/// Everything that `smirk inspect --json` lists is equal, but for notes on what was repaired in the first file. No warning is new.
fn check_inspection(head: &Head, again: &Head, what: &str) {
    let (mut before, mut after) = (inspect::report(head), inspect::report(again));
    for note in after.notes.iter().filter(|note| note.level == Level::Warning) {
        assert!(before.notes.contains(note), "{what}: a new warning: {note}");
    }
    before.notes.clear();
    after.notes.clear();
    let text = |inspection| serde_json::to_string_pretty(inspection).unwrap();
    assert_eq!(text(&before), text(&after), "{what}");
}

fn check_parts(head: &Head, again: &Head, what: &str) {
    assert_eq!(head.meshes.len(), again.meshes.len(), "{what}");
    for (own, read) in head.meshes.iter().zip(&again.meshes) {
        let what = format!("{what}, mesh {}", own.name);
        let size = head.bounds.radius();
        let places =
            |head: &Head, mesh: usize| head.rest_pose.positions_in_world(&head.meshes[mesh]).collect::<Vec<_>>();
        let index = head.meshes.iter().position(|mesh| std::ptr::eq(mesh, own)).unwrap();
        for (a, b) in places(head, index).into_iter().zip(places(again, index)) {
            assert!(a.distance(b) <= size * 1e-5 || !a.is_finite(), "{what}: {a} {b}");
        }
        assert_eq!(own.vertices.positions, read.vertices.positions, "{what}");
        assert_eq!((own.node.is_some(), own.skin), (true, read.skin), "{what}");
        assert_eq!(own.vertices.uvs, read.vertices.uvs, "{what}");
        assert_eq!(
            (&own.vertices.second_uvs, &own.vertices.colors),
            (&read.vertices.second_uvs, &read.vertices.colors)
        );
        assert_eq!((&own.indices, &own.parts, &own.strands), (&read.indices, &read.parts, &read.strands), "{what}");
        for vertex in 0..own.vertices.len() {
            let weight_of = |head: &smirk_face::head::Mesh, joint: u32| -> f32 {
                head.vertices
                    .influences
                    .of_vertex(vertex)
                    .iter()
                    .filter(|it| it.joint == joint)
                    .map(|it| it.weight)
                    .sum()
            };
            for joint in own.vertices.influences.of_vertex(vertex).iter().map(|each| each.joint) {
                assert!((weight_of(own, joint) - weight_of(read, joint)).abs() < 1e-6, "{what}: vertex {vertex}");
            }
        }
        for (a, b) in own.targets.iter().zip(&read.targets) {
            assert_eq!((&a.name, a.default_weight, &a.rows), (&b.name, b.default_weight, &b.rows), "{what}");
            let deltas = |target: &smirk_face::head::Target| match target.positions.is_empty() {
                // A target that moves no vertex is written with deltas of 0.
                true => vec![glam::Vec3::ZERO; target.rows.len()],
                false => target.positions.clone(),
            };
            assert_eq!(deltas(a), deltas(b), "{what}, target {}", a.name);
            assert_eq!((&a.normals, &a.tangents), (&b.normals, &b.tangents), "{what}, target {}", a.name);
            assert_eq!(a.uv_color_deltas, b.uv_color_deltas, "{what}, target {}", a.name);
        }
    }
    assert_eq!(head.textures, again.textures, "{what}");
    for (a, b) in head.materials.iter().zip(&again.materials) {
        assert!(a.emissive.iter().zip(b.emissive).all(|(a, b)| (a - b).abs() <= a * 1e-6), "{what}: {a:?} {b:?}");
        let transforms =
            |material: &smirk_face::head::Material| material.textures().map(|map| map.map(|map| map.texture_from_uv));
        for (a, b) in transforms(a).into_iter().zip(transforms(b)) {
            assert!(a.zip(b).is_none_or(|(a, b)| a.abs_diff_eq(b, 1e-5)) && a.is_some() == b.is_some(), "{what}");
        }
        let plain = |material: &smirk_face::head::Material| {
            let mut material = material.clone();
            material.emissive = [0.0; 3];
            for map in [
                &mut material.base_color_texture,
                &mut material.metallic_roughness_texture,
                &mut material.normal_texture,
                &mut material.occlusion_texture,
                &mut material.emissive_texture,
                &mut material.specular_texture,
            ] {
                map.iter_mut().for_each(|map| map.texture_from_uv = glam::Affine2::IDENTITY);
            }
            material
        };
        assert_eq!(plain(a), plain(b), "{what}");
    }
    assert_eq!((&head.roles, &head.variants), (&again.roles, &again.variants), "{what}");
    assert_eq!(head.expressions, again.expressions, "{what}");
    assert_eq!(head.lights.len(), again.lights.len(), "{what}");
    for (a, b) in head.cameras.iter().zip(&again.cameras) {
        assert_eq!((&a.name, a.lens), (&b.name, b.lens), "{what}");
        assert!(a.world_from_camera.abs_diff_eq(b.world_from_camera, 1e-5), "{what}");
    }
    for (a, b) in head.lights.iter().zip(&again.lights) {
        assert_eq!((&a.name, a.color, a.intensity, a.beam), (&b.name, b.color, b.intensity, b.beam), "{what}");
        assert!(a.range == b.range && a.world_from_light.abs_diff_eq(b.world_from_light, 1e-5), "{what}");
    }
    assert_eq!(head.cameras.len(), again.cameras.len(), "{what}");
    let avatar = |head: &Head| {
        head.avatar.as_ref().map(|avatar| {
            let bone = |(bone, node): &(String, usize)| (bone.clone(), head.rig.nodes[*node].name.clone());
            (avatar.version, avatar.meta.clone(), avatar.bones.iter().map(bone).collect::<Vec<_>>())
        })
    };
    assert_eq!(avatar(head), avatar(again), "{what}");
    assert_eq!(head.rig.humanoid.eye_range, again.rig.humanoid.eye_range, "{what}");
    for (a, b) in head.clips.iter().zip(&again.clips) {
        check_clip((head, a), (again, b), &format!("{what}, clip {}", a.name));
    }
}

/// Both clips show the same at moments on and between their keys.
fn check_clip((head, a): (&Head, &smirk_face::head::Clip), (again, b): (&Head, &smirk_face::head::Clip), what: &str) {
    let size = head.bounds.radius();
    for moment in 0..=40 {
        let secs = a.duration_secs * moment as f32 / 40.0;
        for target in 0..head.target_count() {
            let rest = head.target(target).unwrap().1.default_weight;
            let [own, read] = [a, b].map(|clip| clip.sample(secs, target).unwrap_or(rest));
            assert!((own - read).abs() < 1e-5, "{what}: target {target} at {secs} s: {own}, then {read}");
        }
        let (Some(own), Some(read)) = (a.world_from_nodes(&head.rig, secs), b.world_from_nodes(&again.rig, secs))
        else {
            assert!(!a.moves_nodes() && !b.moves_nodes(), "{what}");
            continue;
        };
        for (mesh, other) in head.meshes.iter().zip(&again.meshes) {
            let (Some(node), Some(other)) = (mesh.node, other.node) else { panic!("{what}: a mesh without a node") };
            let difference =
                (own[node] - read[other]).to_cols_array().into_iter().fold(0.0_f32, |most, x| most.max(x.abs()));
            assert!(difference <= size.max(1.0) * 1e-4, "{what}: {} at {secs} s: {difference}", mesh.name);
        }
    }
}

#[test]
fn a_saved_head_keeps_everything() {
    check(&everything().open().unwrap(), "everything");
    check(&embedded().unwrap(), "the bundled head");
    for (what, file) in avatars() {
        let head = file.open().unwrap();
        assert!(head.avatar.is_some() && head.expressions.len() > 1, "{what}");
        check(&head, what);
    }
    for (what, file) in good_files::all() {
        check(&file.open().unwrap(), what);
    }
}

#[test]
fn a_saved_head_keeps_the_numbers_of_nodes_and_names_its_extensions() {
    let head = everything().open().unwrap();
    let (bytes, read) = (glb(&head).unwrap(), |bytes: &[u8]| -> Value {
        let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        serde_json::from_slice(&bytes[20..20 + length]).unwrap()
    });
    let root = read(&bytes);
    let (own, saved) = (&everything().json["nodes"], &root["nodes"]);
    assert_eq!(own.as_array().unwrap().len(), saved.as_array().unwrap().len());
    for (own, saved) in own.as_array().unwrap().iter().zip(saved.as_array().unwrap()) {
        assert_eq!(
            (&own["name"], &own["children"], &own["camera"]),
            (&saved["name"], &saved["children"], &saved["camera"])
        );
    }
    // The index of refraction became part of the specular colour.
    let mut used = everything().json["extensionsUsed"].as_array().unwrap().clone();
    used.retain(|name| name != "KHR_materials_ior");
    assert_eq!(root["extensionsUsed"], json!(used));
    assert_eq!(root["skins"][0]["joints"], json!([5, 4, 1, 7, 6]));
}

/// A joint of another tree, for vertices that are bound to nothing, and a matrix that shears.
#[test]
fn what_gltf_does_not_allow_is_written_as_something_that_it_allows() {
    let mut file = everything();
    let weights = file.floats("VEC4", &[0.0; 12]);
    for primitive in 0..2 {
        let attributes = &mut file.json["meshes"][1]["primitives"][primitive]["attributes"];
        attributes["WEIGHTS_0"] = json!(weights);
        attributes.as_object_mut().unwrap().retain(|name, _| !name.ends_with("_1"));
    }
    file.json["nodes"][6]["matrix"] = json!([1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0.5, 0.25, 0, 1]);
    let head = file.open().unwrap();
    let bytes = glb(&head).unwrap();
    let again = open_bytes(&bytes, "again.glb").unwrap();
    check_inspection(&head, &again, "unbound");
    check_parts(&head, &again, "unbound");
    let root = again.rig.nodes.iter().filter(|node| node.parent.is_none()).count();
    assert_eq!(root, 1, "the joints of a skin have a common root");
    assert_eq!(again.rig.nodes.len(), head.rig.nodes.len() + 2, "a root, and a second node for the shear");
}

#[test]
fn every_real_head_is_the_same_after_it_was_saved() {
    let Some(folder) = real_heads() else { return };
    let keep = std::env::var_os("SMIRK_SAVED_TO");
    let mut count = 0;
    for path in heads_below(&folder) {
        let is_gltf =
            ["glb", "gltf", "vrm"].iter().any(|extension| path.extension().is_some_and(|own| own == *extension));
        let Ok(head) = open(&path) else { continue };
        if !is_gltf {
            continue;
        }
        count += 1;
        println!("{}", path.display());
        let bytes = check(&head, &path.display().to_string());
        if let Some(folder) = &keep {
            let name = path.strip_prefix(real_heads().unwrap()).unwrap().display().to_string().replace('/', "_");
            std::fs::write(Path::new(folder).join(format!("{name}.glb")), bytes).unwrap();
        }
    }
    assert!(count > 20, "{count} heads in {}", folder.display());
}

/// The report of the Khronos validator on the files of these tests.
#[test]
fn the_validator_found_no_error_in_saved_heads() {
    let report: Value = serde_json::from_str(include_str!("saved.validator.json")).unwrap();
    let [old, new] = avatars();
    let files =
        [("everything", everything()), old, new].map(|(what, file)| (what, glb(&file.open().unwrap()).unwrap()));
    let files: Vec<_> = files.into_iter().chain([("odd", glb(&odd()).unwrap())]).collect();
    if let Some(folder) = std::env::var_os("SMIRK_SAVED_TO") {
        for (what, bytes) in &files {
            std::fs::write(Path::new(&folder).join(format!("{what}.glb")), bytes).unwrap();
        }
    }
    for (what, bytes) in files {
        let checksum = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let of_file = &report["files"][what];
        assert_eq!(
            of_file["file_fnv1a"],
            format!("{checksum:016x}"),
            "{what}: the report is of another file: run these tests with SMIRK_SAVED_TO=FOLDER, then gltf-validator (npm) on what \
             they write there, and record the result in saved.validator.json"
        );
        assert_eq!(of_file["num_errors"], 0, "{what}");
    }
}
