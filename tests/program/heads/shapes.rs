//! Shapes added from separate meshes equal the targets in a file of the same head.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use glam::{IVec3, Vec3};
use smirk_base::progress::Progress;
use smirk_face::head::{Head, Matching, Mesh, ShapeFile};
use smirk_files::import::{add_shapes, embedded, open};
use smirk_support::test_files::real_heads;

fn with_shapes(neutral: &Head, folder: &Path, names: &[&str]) -> Head {
    let file = |name: &&str| ShapeFile::new(folder.join(format!("{name}.obj")), Matching::Auto);
    let files: Vec<ShapeFile> = names.iter().map(file).collect();
    let (made, report) = add_shapes(neutral, &files, Progress::NONE).unwrap();
    assert!(report.refused.is_empty() && report.added.iter().all(|shape| shape.is_plain()), "{report:?}");
    made
}

/// Compares the targets with these names on the first meshes. At least `least_places` vertices must be at common positions.
fn check_same_shapes(made: &Head, given: &Head, names: &[&str], least_places: usize) {
    // Vertices are identified by their positions at rest.
    let place = |at: Vec3| (at * 1e5).round().as_ivec3();
    let by_place = |head: &Head, name: &str| -> HashMap<IVec3, [Vec3; 2]> {
        let mesh = &head.meshes[0];
        let target = mesh.targets.iter().find(|target| target.name == name).unwrap();
        let delta = |vertex: usize| {
            let row = target.rows.binary_search(&(vertex as u32));
            row.map_or([Vec3::ZERO; 2], |row| [target.positions[row], target.normals[row]])
        };
        let world = mesh.world_from_mesh;
        let vertices = mesh.vertices.positions.iter().enumerate();
        vertices
            .map(|(vertex, &at)| {
                let [position, normal] = delta(vertex);
                (place(world.transform_point3(at)), [world.transform_vector3(position), normal])
            })
            .collect()
    };
    for name in names {
        let (own, others) = (by_place(made, name), by_place(given, name));
        let both: Vec<_> = own.iter().filter_map(|(place, delta)| Some((delta, others.get(place)?))).collect();
        assert!(both.len() > least_places, "{name}: {} places in common", both.len());
        let largest = both.iter().map(|(own, other)| own[0].distance(other[0])).fold(0.0, f32::max);
        assert!(largest < 2e-6, "{name}: a displacement differs by {largest} m");
        let turned: f32 = both.iter().map(|(own, other)| own[1].distance(other[1])).sum();
        let mean = turned / both.len() as f32;
        println!("{name}: {largest} m and normals {mean} apart at {} places", both.len());
        assert!(mean < 0.01, "{name}: the mean difference of normals is {mean}");
    }
}

/// A mesh as OBJ, with a target at weight 1.
fn obj(mesh: &Mesh, target: Option<&str>) -> String {
    let (mut positions, mut normals) = (mesh.vertices.positions.clone(), mesh.vertices.normals.clone());
    if let Some(target) = target.and_then(|name| mesh.targets.iter().find(|target| target.name == name)) {
        for (at, &row) in target.rows.iter().enumerate() {
            positions[row as usize] += target.positions[at];
            normals[row as usize] += target.normals[at];
        }
    }
    let mut text = String::new();
    for (position, normal) in positions.iter().zip(&normals) {
        let (Vec3 { x, y, z }, normal) = (mesh.world_from_mesh.transform_point3(*position), normal.normalize_or_zero());
        writeln!(text, "v {x} {y} {z}\nvn {} {} {}", normal.x, normal.y, normal.z).unwrap();
    }
    for [a, b, c] in mesh.indices.as_chunks::<3>().0 {
        writeln!(text, "f {0}//{0} {1}//{1} {2}//{2}", a + 1, b + 1, c + 1).unwrap();
    }
    text
}

#[test]
fn shapes_from_separate_meshes_equal_the_targets_in_a_file() {
    let given = embedded().unwrap();
    let names = ["jawOpen", "mouthSmileLeft", "browInnerUpRight"];
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, target| -> PathBuf {
        let path = folder.path().join(format!("{name}.obj"));
        std::fs::write(&path, obj(&given.meshes[0], target)).unwrap();
        path
    };
    let neutral = open(&write("neutral", None)).unwrap();
    names.iter().for_each(|name| drop(write(name, Some(name))));
    let least_places = given.meshes[0].vertices.len() / 2;
    check_same_shapes(&with_shapes(&neutral, folder.path(), &names), &given, &names, least_places);

    let Some(folder) = real_heads() else { return };
    let given = open(&folder.join("ict/ict_facekit.glb")).unwrap();
    let objs = folder.join("ict/obj");
    let neutral = open(&objs.join("generic_neutral_mesh.obj")).unwrap();
    assert_eq!(neutral.triangle_count(), given.triangle_count());
    let names = ["browInnerUp_L", "eyeBlink_L", "eyeBlink_R", "jawOpen", "mouthSmile_L", "mouthSmile_R"];
    // The meshes are in centimetres, the file in metres.
    let made = with_shapes(&neutral, &objs, &names).rescaled(0.01);
    check_same_shapes(&made, &given, &names, 26_000);
}
