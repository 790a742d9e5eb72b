//! Meshes compressed by Draco.

use glam::Vec3;
use serde_json::json;
use smirk_face::head::{Bounds, Head, Mesh};
use smirk_files::import::{open, open_bytes};
use smirk_support::draco::{Connectivity, Grid};
use smirk_support::gltf_builder::{GltfBuilder, SHORT};
use smirk_support::test_files::real_heads;

fn mesh(head: &Head) -> &Mesh {
    &head.meshes[0]
}

/// The largest distance of a position from that of the vertex in the grid that has the same place in the square.
fn largest_error(grid: &Grid, mesh: &Mesh) -> f32 {
    let nearest = |at: &Vec3| {
        let distances = grid.positions.iter().map(|position| Vec3::from_array(*position).distance(*at));
        distances.fold(f32::INFINITY, f32::min)
    };
    mesh.vertices.positions.iter().map(nearest).fold(0.0, f32::max)
}

#[test]
fn vertices_in_the_order_of_the_file_are_exact_and_targets_move_them() {
    let grid = Grid::new(9);
    let head = grid.file(Connectivity::Sequential, 0).open().unwrap();
    let mesh = mesh(&head);
    let positions: Vec<[f32; 3]> = mesh.vertices.positions.iter().map(Vec3::to_array).collect();
    assert_eq!(positions, grid.positions);
    assert_eq!(mesh.indices, grid.triangles.as_flattened());
    assert_eq!(mesh.vertices.uvs.iter().map(|uv| uv.to_array()).collect::<Vec<_>>(), grid.uvs);
    assert!(mesh.vertices.normals.iter().all(|normal| normal.distance(Vec3::new(0.0, 0.6, 0.8)) < 1e-6));
    let target = &mesh.targets[0];
    let last = target.rows.last().copied().unwrap();
    assert_eq!((last, target.positions.last().copied().unwrap().z), (80, 80.0));
}

#[test]
fn quantised_meshes_are_as_exact_as_their_bits() {
    for connectivity in [Connectivity::Sequential, Connectivity::Edgebreaker] {
        for bits in [11, 16] {
            let grid = Grid::new(12);
            let head = grid.file(connectivity, bits).open().unwrap();
            let mesh = mesh(&head);
            assert_eq!((mesh.vertices.len(), mesh.indices.len()), (144, 6 * 121), "{connectivity:?}");
            // The range is 1 in x and y.
            let step = 1.0 / ((1 << bits) - 1) as f32;
            let error = largest_error(&grid, mesh);
            assert!(error > 0.0 && error < step, "{connectivity:?}, {bits} bits: {error}, {step}");
            let area = |triangle: &[u32]| {
                let [a, b, c] = [0, 1, 2].map(|corner| mesh.vertices.positions[triangle[corner] as usize]);
                (b - a).cross(c - a).z * 0.5
            };
            let area: f32 = mesh.indices.chunks(3).map(area).sum();
            assert!((area - 1.0).abs() < 1e-3, "the triangles cover the square: {area}");
        }
    }
}

#[test]
fn a_mesh_that_is_stored_uncompressed_as_well_is_read_from_there() {
    let mut file = GltfBuilder::triangle();
    let broken = file.view(b"no mesh");
    file.primitive()["extensions"] =
        json!({"KHR_draco_mesh_compression": {"bufferView": broken, "attributes": {"POSITION": 0}}});
    file.json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    assert_eq!(mesh(&file.open().unwrap()).vertices.len(), 3);
}

#[test]
fn what_disagrees_is_said_with_numbers() {
    let refusal = |change: &dyn Fn(&mut GltfBuilder)| {
        let mut file = Grid::new(5).file(Connectivity::Sequential, 0);
        change(&mut file);
        file.refusal()
    };
    let extension = |file: &mut GltfBuilder| file.primitive()["extensions"]["KHR_draco_mesh_compression"].take();
    let with = |file: &mut GltfBuilder, key: &str, value: serde_json::Value| {
        let mut compressed = extension(file);
        compressed[key] = value;
        file.primitive()["extensions"]["KHR_draco_mesh_compression"] = compressed;
    };
    type Change<'a> = &'a dyn Fn(&mut GltfBuilder);
    let expected: [(Change<'_>, &[&str]); 8] = [
        (&|file| file.json["accessors"][0]["count"] = json!(26), &["25 elements of accessor 0", "26"]),
        (&|file| file.json["accessors"][4]["count"] = json!(99), &["96 elements of accessor 4", "99"]),
        (&|file| file.json["accessors"][2]["type"] = json!("VEC3"), &["attribute 2", "2 numbers", "3 of type F32"]),
        (&|file| file.json["accessors"][0]["componentType"] = json!(SHORT), &["Float32", "I16"]),
        (&|file| with(file, "attributes", json!({"POSITION": 7})), &["no compressed attribute 7"]),
        (&|file| with(file, "attributes", json!({"COLOR_0": 1})), &["\"COLOR_0\""]),
        (&|file| with(file, "bufferView", json!(50)), &["bufferView 50"]),
        (&|file| file.primitive()["mode"] = json!(5), &["triangles"]),
    ];
    for (change, words) in expected {
        let message = refusal(change);
        assert!(words.iter().all(|word| message.contains(word)), "{words:?}: {message}");
        assert!(message.contains("mesh 0"), "{message}");
    }
}

/// A file of Blender's exporter beside the file that it was made from. Blender gives the vertices an order of its own, so that the
/// heads are compared by the bounds that targets move them to.
#[test]
fn a_file_of_blender_has_the_shapes_of_its_source() {
    let Some(heads) = real_heads() else { return };
    let [packed, plain] = ["fbx-usd-draco/morph_stress_draco.glb", "khronos/morph-stress-test.glb"]
        .map(|name| open(&heads.join(name)).unwrap());
    assert_eq!((packed.target_count(), packed.clips.len()), (plain.target_count(), plain.clips.len()));
    for target in 0..8 {
        let bounds = [&packed, &plain].map(|head| {
            let mesh = mesh(head);
            let mut positions = mesh.vertices.positions.clone();
            let target = &mesh.targets[target];
            target.rows.iter().zip(&target.positions).for_each(|(&row, delta)| positions[row as usize] += *delta);
            Bounds::around(positions)
        });
        let error = (bounds[0].min - bounds[1].min).length().max((bounds[0].max - bounds[1].max).length());
        assert!(error < 1e-3, "target {target}: {bounds:?}");
    }
}

#[test]
fn a_mesh_that_is_cut_off_anywhere_is_an_error() {
    let grid = Grid::new(5);
    for connectivity in [Connectivity::Sequential, Connectivity::Edgebreaker] {
        let mut file = grid.file(connectivity, 10);
        let whole = grid.compressed(connectivity, 10).len();
        for length in 0..whole {
            file.json["bufferViews"][0]["byteLength"] = json!(length);
            let outcome = open_bytes(&file.glb(), "draco.glb");
            assert!(outcome.is_err(), "{connectivity:?}: {length} of {whole} bytes");
        }
    }
}
