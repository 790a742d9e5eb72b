//! Separate mesh files become targets, whatever the order of their vertices.

use std::collections::BTreeMap;
use std::path::Path;

use glam::{Mat4, Quat, Vec3};
use smirk_base::progress::{Cancelled, Progress};
use smirk_base::random;
use smirk_export::glb;
use smirk_face::head::{
    Asset, Head, Influence, Joint, Kind, Level, LocalTransform, Matching, Mesh, Node, Rig, SculptedOn, ShapeFile, Skin,
};
use smirk_files::import::{Remark, ShapesReport, add_shapes, open, open_bytes};

use smirk_support::head_checks::says;

/// Vertices along each side of the sheet.
const SIDE: usize = 12;
const COUNT: usize = SIDE * SIDE;

/// The position of vertex `index` of the sheet. All edges differ in length.
fn position(index: usize) -> Vec3 {
    let (x, y) = ((index % SIDE) as f32, (index / SIDE) as f32);
    Vec3::new(x + 0.2 * (y * 1.7).sin(), y + 0.2 * (x * 2.3).cos(), (x * 0.9).sin() + (y * 0.6).cos())
}

/// The position in the shape, which lifts the right half of the sheet.
fn lifted(at: Vec3) -> Vec3 {
    if at.x > 6.0 { at + Vec3::new(0.1, 0.05, (at.x - 6.0) * 0.3) } else { at }
}

/// The sheet as OBJ with the vertices in `order`, at their `moved` positions.
fn sheet(order: &[usize], has_uvs: bool, moved: impl Fn(Vec3) -> Vec3) -> String {
    let mut text = String::new();
    for &index in order {
        let Vec3 { x, y, z } = moved(position(index));
        text += &format!("v {x} {y} {z}\n");
        if has_uvs {
            text += &format!("vt {} {}\n", (index % SIDE) as f32 / 12.0, (index / SIDE) as f32 / 12.0);
        }
    }
    let number = |index: usize| order.iter().position(|&other| other == index).map(|at| at + 1);
    for (x, y) in (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| (x, y))) {
        let corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)].map(|(x, y)| number(y * SIDE + x));
        let Some(corners) = corners.into_iter().collect::<Option<Vec<_>>>() else { continue };
        let word = |at: &usize| if has_uvs { format!(" {at}/{at}") } else { format!(" {at}") };
        text += &format!("f{}\n", corners.iter().map(word).collect::<String>());
    }
    text
}

fn in_order() -> Vec<usize> {
    (0..COUNT).collect()
}

fn shuffled() -> Vec<usize> {
    (0..COUNT).map(|at| at * 37 % COUNT).collect()
}

fn neutral(has_uvs: bool) -> Head {
    open_bytes(sheet(&in_order(), has_uvs, |at| at).as_bytes(), "sheet.obj").unwrap()
}

/// The head with one shape, from a file with this name and text.
fn with_shape(head: &Head, name: &str, text: &str, matching: Matching) -> (Head, ShapesReport) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    add_shapes(head, &[ShapeFile::new(path, matching)], Progress::NONE).unwrap()
}

/// The only problem with the shape.
fn refusal(head: &Head, text: &str, matching: Matching) -> String {
    let (same, report) = with_shape(head, "lift.obj", text, matching);
    assert!(same.channels.len() == head.channels.len() && report.added.is_empty());
    let problem = report.refused[0].problem.clone();
    assert!(problem.starts_with("lift.obj: ") && !problem.contains('\n'), "{problem}");
    problem
}

/// The largest error of the head's only target, where `still` are the vertices of the sheet that must not move.
fn error(head: &Head, still: &[usize]) -> f32 {
    let (mesh, target) = (&head.meshes[0], &head.meshes[0].targets[0]);
    let errors = mesh.vertices.positions.iter().zip(0..).map(|(&at, vertex)| {
        let delta = target.rows.binary_search(&vertex).map_or(Vec3::ZERO, |row| target.positions[row]);
        let stays = still.iter().any(|&index| position(index).distance(at) < 1e-6);
        let wanted = if stays { at } else { lifted(at) };
        (at + delta).distance(wanted)
    });
    errors.fold(0.0, f32::max)
}

#[test]
fn the_same_mesh_moved_is_a_shape() {
    let head = neutral(true);
    let (head, report) = with_shape(&head, "sheet_lift.obj", &sheet(&in_order(), true, lifted), Matching::Auto);
    assert_eq!(head.channels[0].name, "lift");
    let added = &report.added[0];
    assert_eq!((added.by_order, added.by_uv + added.by_position + added.unmatched + added.unused), (COUNT, 0));
    assert!(added.is_plain() && error(&head, &[]) < 1e-5, "{added:?}");
    let target = &head.meshes[0].targets[0];
    assert!(target.rows.len() < COUNT, "vertices that do not move are not stored");
    assert!(target.normals.iter().any(|delta| delta.length() > 0.05), "normals of the lifted side change");
    assert!(!head.notes.iter().any(|note| note.subject.kind() == Some(Kind::Shape)), "{:?}", head.notes);
    assert!(!says(&head, Level::Info, "no morph targets"));
}

#[test]
fn vertices_in_another_order_are_matched_by_texture_coordinates() {
    let text = sheet(&shuffled(), true, lifted);
    for matching in [Matching::Auto, Matching::Uv] {
        let (head, report) = with_shape(&neutral(true), "lift.obj", &text, matching);
        assert_eq!((report.added[0].by_uv, report.added[0].unmatched), (COUNT, 0));
        assert!(error(&head, &[]) < 1e-5);
    }
    let (_, report) = with_shape(&neutral(true), "lift.obj", &text, Matching::Auto);
    assert!(report.added[0].text().contains("as many vertices as the head, in another order"), "{report:?}");
    let (head, report) = with_shape(&neutral(true), "lift.obj", &text, Matching::Order);
    assert!(error(&head, &[]) > 1.0, "the order is used if it is chosen explicitly");
    assert!(matches!(report.added[0].remarks[..], [Remark::OtherEdges { .. }, Remark::Far { .. }]), "{report:?}");
}

#[test]
fn without_texture_coordinates_vertices_are_matched_from_those_that_do_not_move() {
    let text = sheet(&shuffled(), false, lifted);
    let (head, report) = with_shape(&neutral(false), "lift.obj", &text, Matching::Auto);
    assert_eq!((report.added[0].by_position, report.added[0].unmatched), (COUNT, 0));
    assert!(error(&head, &[]) < 1e-5);
    assert!(refusal(&neutral(false), &text, Matching::Uv).contains("no texture coordinates to match by"));
}

#[test]
fn vertices_without_a_match_do_not_move_and_are_counted() {
    let gone = [30, 31, 100];
    let order: Vec<usize> = shuffled().into_iter().filter(|index| !gone.contains(index)).collect();
    for has_uvs in [true, false] {
        let text = sheet(&order, has_uvs, lifted);
        let (head, report) = with_shape(&neutral(has_uvs), "lift.obj", &text, Matching::Auto);
        let added = &report.added[0];
        assert_eq!((added.unmatched, added.unused), (3, 0), "{added:?}");
        assert!(error(&head, &gone) < 1e-5);
        assert!(added.text().contains("141 vertices, 3 fewer than the head's 144"), "{}", added.text());
        assert!(says(&head, Level::Warning, "3 without a partner stay"));
    }
    let message = refusal(&neutral(true), &sheet(&order, true, lifted), Matching::Order);
    assert!(message.contains("it has 141 vertices, 3 fewer than the head's 144"), "{message}");
}

#[test]
fn another_mesh_or_another_unit_is_refused() {
    let head = neutral(true);
    let cube = "v 90 0 0\nv 91 0 0\nv 90 91 0\nf 1 2 3\n";
    assert!(refusal(&head, cube, Matching::Auto).contains("0 of its 3 vertices have a partner among the head's 144"));
    let large = sheet(&in_order(), true, |at| lifted(at) * 30.0);
    assert!(refusal(&head, &large, Matching::Auto).contains("times the head's size: export both in one unit"));
    assert!(refusal(&head, "v 1 2", Matching::Auto).contains("line 1"));
}

#[test]
fn a_shape_in_centimetres_is_scaled_to_metres() {
    let text = sheet(&in_order(), true, |at| lifted(at) * 100.0);
    let (head, report) = with_shape(&neutral(true), "lift.obj", &text, Matching::Auto);
    assert_eq!(report.added[0].remarks, [Remark::OtherUnit { ratio: 100.0 }], "{report:?}");
    assert!(error(&head, &[]) < 1e-4);
    assert!(head.meshes[0].targets[0].rows.len() < COUNT, "rounding moves nothing");
}

#[test]
fn vertices_split_at_seams_move_together() {
    let torn = "v -1 0 0\nv -1 0 2\nv 0 1 2\nv 0 1 0\nv 1 0 2\nv 1 0 0\n\
        vt 0 0\nvt 0 1\nvt 0.4 1\nvt 0.4 0\nvt 0.6 1\nvt 0.6 0\nvt 1 1\nvt 1 0\n\
        f 1/1 2/2 3/3 4/4\nf 4/6 3/5 5/7 6/8\n";
    let whole = "v -1 0 0\nv -1 0 2\nv 0 2 2\nv 0 1 0\nv 1 0 2\nv 1 0 0\nf 1 2 3 4\nf 4 3 5 6\n";
    let head = open_bytes(torn.as_bytes(), "roof.obj").unwrap();
    let (head, report) = with_shape(&head, "peak.obj", whole, Matching::Auto);
    assert_eq!((report.added[0].by_order, report.added[0].moved), (6, 2));
    let moved: Vec<Vec3> = head.meshes[0].targets[0].positions.iter().copied().filter(|at| *at != Vec3::ZERO).collect();
    assert_eq!(moved, [Vec3::Y, Vec3::Y], "both halves of the ridge");
}

#[test]
fn shapes_fit_heads_of_other_formats() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheet.glb");
    std::fs::write(&path, glb(&neutral(true)).unwrap()).unwrap();
    let head = open(&path).unwrap();
    assert!(head.meshes[0].vertices.control_points.is_empty());
    let shape = sheet(&shuffled(), true, lifted);
    // Vertices are split in the order of the polygons, which are the same.
    let (same, report) = with_shape(&head, "lift.obj", &shape, Matching::Auto);
    assert_eq!(report.added[0].by_order, COUNT);
    // The polygons from the last to the first.
    let (polygons, rest): (Vec<&str>, Vec<&str>) = shape.lines().partition(|line| line.starts_with('f'));
    let reversed =
        rest.into_iter().chain(polygons.into_iter().rev()).fold(String::new(), |text, line| text + line + "\n");
    let (other, report) = with_shape(&head, "lift.obj", &reversed, Matching::Auto);
    assert_eq!(report.added[0].by_uv, COUNT);
    assert!(error(&same, &[]) < 1e-5 && error(&other, &[]) < 1e-5);
}

#[test]
fn a_shape_read_again_replaces_its_target() {
    let (head, _) = with_shape(&neutral(true), "lift.obj", &sheet(&in_order(), true, |at| at), Matching::Auto);
    assert!(says(&head, Level::Warning, "moves nothing"));
    let (head, _) = with_shape(&head, "lift.obj", &sheet(&in_order(), true, lifted), Matching::Auto);
    assert_eq!(head.target_count(), 1);
    assert!(error(&head, &[]) < 1e-5 && says(&head, Level::Info, "takes the place of the target of that name"));
}

#[test]
fn adding_shapes_can_be_cancelled() {
    let file = ShapeFile::new(Path::new("no/such.obj").into(), Matching::Auto);
    let (_, report) = add_shapes(&neutral(false), std::slice::from_ref(&file), Progress::NONE).unwrap();
    assert_eq!((report.added.len(), report.refused[0].file.as_str()), (0, "such.obj"));
    assert!(add_shapes(&neutral(false), &[file], Progress::new(&|_, _| Err(Cancelled))).is_err());
}

#[test]
fn shapes_of_a_skinned_head_are_matched_in_its_rest_pose() {
    let (head, _) = with_shape(&neutral(true), "lift.obj", &sheet(&in_order(), true, lifted), Matching::Auto);
    let posed = |head: &Head| {
        // The joint leaves the mesh in its bind pose. The transform of the node, which skins ignore, is far away and rotated.
        let far = Mat4::from_translation(Vec3::splat(50.0)) * Mat4::from_rotation_x(1.0);
        let node = |name: &str, matrix| Node { name: name.into(), parent: None, rest: LocalTransform::Matrix(matrix) };
        let joint = Joint { node: 1, joint_from_mesh: Mat4::IDENTITY };
        let skins = vec![Skin { name: "skin".into(), joints: vec![joint] }];
        let rig = Rig { nodes: vec![node("mesh", far), node("joint", Mat4::IDENTITY)], skins, ..Rig::default() };
        let mut meshes = head.meshes.clone();
        (meshes[0].node, meshes[0].skin) = (Some(0), Some(0));
        meshes[0].targets.clear();
        for _ in 0..meshes[0].vertices.len() {
            meshes[0].vertices.influences.push([Influence { joint: 0, weight: 1.0 }], 0);
        }
        Head::new(Asset { meshes, rig, materials: head.materials.clone(), ..Asset::default() })
    };
    let (skinned, report) = with_shape(&posed(&head), "lift.obj", &sheet(&in_order(), true, lifted), Matching::Auto);
    assert_eq!(report.added.len(), 1, "{report:?}");
    assert_eq!(skinned.meshes[0].targets[0].positions, head.meshes[0].targets[0].positions);
}

#[test]
fn shapes_for_a_mesh_that_its_node_flattens_are_refused() {
    let flat = |head: &Head| {
        let mut meshes = head.meshes.clone();
        meshes[0].world_from_mesh = Mat4::from_scale(Vec3::new(1.0, 1.0, 0.0));
        Head::new(Asset { meshes, materials: head.materials.clone(), ..Asset::default() })
    };
    let problem = refusal(&flat(&neutral(true)), &sheet(&in_order(), true, lifted), Matching::Order);
    assert!(problem.contains("flattened by its node"), "{problem}");
}

#[test]
fn problems_of_a_shape_file_become_notes_of_the_head() {
    let broken = sheet(&in_order(), true, lifted) + "mtllib gone.mtl\nusemtl gold\nv nan 0 0\nf 1 2 145\n";
    let (head, _) = with_shape(&neutral(true), "lift.obj", &broken, Matching::Auto);
    assert!(says(&head, Level::Warning, "lift.obj: v: 1 of 145 are not finite"), "{:?}", head.notes);
    assert!(!head.notes.iter().any(|note| note.message.contains("gone.mtl")), "{:?}", head.notes);

    // Two meshes of which the head has one.
    let mut meshes = neutral(true).meshes.clone();
    meshes.push(Mesh { name: "teeth".into(), ..meshes[0].clone() });
    meshes[1].vertices.positions.truncate(100);
    meshes[1].vertices.control_points = (0..100).collect();
    meshes[1].indices = vec![0, 1, 2];
    let vertices = &mut meshes[1].vertices;
    (vertices.normals, vertices.uvs) = (vec![Vec3::Z; 100], vec![Default::default(); 100]);
    meshes[1].parts[0].index_count = 3;
    let two = Head::new(Asset { meshes, materials: neutral(true).materials.clone(), ..Asset::default() });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.glb");
    std::fs::write(&path, glb(&two).unwrap()).unwrap();
    let file = ShapeFile::new(path, Matching::Auto);
    let (head, report) = add_shapes(&neutral(true), &[file], Progress::NONE).unwrap();
    assert_eq!(report.added.len(), 1, "{report:?}");
    assert!(says(&head, Level::Warning, "two.glb: 1 of its 2 meshes have no counterpart"), "{:?}", head.notes);
}

#[test]
fn numbers_that_are_those_of_another_order_are_not_matched_although_the_edges_agree() {
    let mirrored: Vec<usize> = (0..COUNT).map(|at| at / SIDE * SIDE + SIDE - 1 - at % SIDE).collect();
    let turned: Vec<usize> = (0..COUNT).rev().collect();
    let halves: Vec<usize> = (0..COUNT).map(|at| (at + COUNT / 2) % COUNT).collect();
    for (what, order) in [("mirrored", mirrored), ("turned", turned), ("halves exchanged", halves)] {
        for has_uvs in [true, false] {
            let text = sheet(&order, has_uvs, lifted);
            let (head, report) = with_shape(&neutral(has_uvs), "lift.obj", &text, Matching::Auto);
            let added = &report.added[0];
            assert_eq!((added.by_order, added.unmatched, added.unused), (0, 0, 0), "{what}: {added:?}");
            assert!(error(&head, &[]) < 1e-5, "{what}: {}", error(&head, &[]));
            assert!(says(&head, Level::Info, "numbered in another order"), "{what}: {:?}", head.notes);
            // Who asks for the order gets it, with a warning.
            let (head, report) = with_shape(&neutral(has_uvs), "lift.obj", &text, Matching::Order);
            assert_eq!(report.added[0].by_order, COUNT);
            assert!(says(&head, Level::Warning, "is far for a shape"), "{what}: {:?}", head.notes);
        }
        // Nothing is where it was at rest, so that nothing can be matched by position.
        let raised = sheet(&order, false, |at| lifted(at) + Vec3::Z * 5.0);
        if what == "halves exchanged" {
            let message = refusal(&neutral(false), &raised, Matching::Auto);
            assert!(
                message.contains("by number they would move by") && message.contains("% of the edges"),
                "{message}"
            );
        } else {
            let (head, _) = with_shape(&neutral(false), "lift.obj", &raised, Matching::Auto);
            assert!(says(&head, Level::Warning, "is far for a shape"), "{what}: {:?}", head.notes);
        }
    }
}

#[test]
fn shapes_that_move_far_and_lids_that_close_are_matched_by_number() {
    // A shape that moves everything keeps its numbers: the edges say so.
    let (head, report) =
        with_shape(&neutral(true), "up.obj", &sheet(&in_order(), true, |at| at + Vec3::Y * 2.0), Matching::Auto);
    assert_eq!(report.added[0].by_order, COUNT, "{report:?}");
    assert!(says(&head, Level::Warning, "is far for a shape"), "{:?}", head.notes);
    // A row of vertices that closes on the next one takes the places of its vertices.
    let closed =
        |at: Vec3| (SIDE * 5..SIDE * 6).find(|&index| position(index) == at).map(|index| position(index + SIDE));
    for has_uvs in [true, false] {
        let text = sheet(&in_order(), has_uvs, |at| closed(at).unwrap_or(at));
        let (head, report) = with_shape(&neutral(has_uvs), "blink.obj", &text, Matching::Auto);
        assert_eq!((report.added[0].by_order, report.added[0].moved), (COUNT, SIDE), "{report:?}");
        assert!(!head.notes.iter().any(|note| note.subject.kind() == Some(Kind::Shape)), "{:?}", head.notes);
    }
}

#[test]
fn two_eyes_in_another_order_are_told_apart_by_their_places() {
    let eyes = |order: [(&str, f32); 2], up: f32| {
        let sheet = neutral(true);
        let eye = |(name, x): (&str, f32)| {
            let mut mesh = Mesh { name: name.into(), ..sheet.meshes[0].clone() };
            mesh.vertices.positions.iter_mut().for_each(|at| *at += Vec3::new(x, up, 0.0));
            mesh
        };
        let meshes = order.map(eye).into_iter().collect();
        Head::new(Asset { meshes, materials: sheet.materials.clone(), ..Asset::default() })
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("up.glb");
    std::fs::write(&path, glb(&eyes([("eye.001", 20.0), ("eye.002", -20.0)], 0.5)).unwrap()).unwrap();
    let file = ShapeFile::new(path, Matching::Auto);
    let (head, _) = add_shapes(&eyes([("left", -20.0), ("right", 20.0)], 0.0), &[file], Progress::NONE).unwrap();
    for mesh in &head.meshes {
        assert!(mesh.targets[0].positions.iter().all(|delta| delta.distance(Vec3::Y * 0.5) < 1e-4), "{}", mesh.name);
    }
}

#[test]
fn what_turns_far_is_not_taken_for_another_order() {
    // A disc with its vertices at uneven places, so that turning it leaves none at the place of another one.
    const AROUND: usize = 120;
    const RINGS: usize = 40;
    let at = |index: usize| {
        let off = |axis: u32| 0.3 * random::signed(axis, index as u64);
        let (ring, angle) = ((index / AROUND) as f32 + 1.0 + off(1), (index % AROUND) as f32 + off(2));
        let (sine, cosine) = (angle * std::f32::consts::TAU / AROUND as f32).sin_cos();
        Vec3::new(ring * cosine, ring * sine, 0.01 * ring * ring)
    };
    let disc = |moved: &dyn Fn(Vec3) -> Vec3| {
        let vertex = |text: String, index: usize| {
            let Vec3 { x, y, z } = moved(at(index));
            text + &format!("v {x} {y} {z}\n")
        };
        let text = (0..AROUND * RINGS).fold(String::new(), vertex);
        let face = |text: String, index: usize| {
            let next = index / AROUND * AROUND + (index + 1) % AROUND;
            text + &format!("f {} {} {} {}\n", index + 1, next + 1, next + AROUND + 1, index + AROUND + 1)
        };
        (0..AROUND * (RINGS - 1)).fold(text, face)
    };
    let head = open_bytes(disc(&|at| at).as_bytes(), "disc.obj").unwrap();
    for degrees in [10.0_f32, 17.0, 45.0] {
        let text = disc(&|at| Quat::from_rotation_z(degrees.to_radians()) * at);
        let (_, report) = with_shape(&head, "turn.obj", &text, Matching::Auto);
        assert_eq!(report.added[0].by_order, AROUND * RINGS, "{degrees}°: {report:?}");
    }
}

#[test]
fn vertices_of_a_head_without_control_points_are_those_of_a_shape_with_as_many() {
    // Polygons that come from the last to the first split the vertices in another order.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheet.glb");
    std::fs::write(&path, glb(&neutral(false)).unwrap()).unwrap();
    let head = open(&path).unwrap();
    let mesh = &head.meshes[0];
    assert!(mesh.vertices.control_points.is_empty());
    for far in [1.0, 30.0] {
        let moved = |at: Vec3| at + Vec3::new(0.0, far * 0.1, far * 0.01 * at.x);
        let vertices =
            mesh.vertices.positions.iter().map(|at| moved(*at)).map(|at| format!("v {} {} {}\n", at.x, at.y, at.z));
        let triangles = mesh.indices.as_chunks::<3>().0.iter().rev();
        let faces = triangles.map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
        let text: String = vertices.chain(faces).collect();
        let (head, report) = with_shape(&head, "up.obj", &text, Matching::Auto);
        assert_eq!((report.added[0].by_order, report.added[0].unmatched), (COUNT, 0), "{report:?}");
        let mesh = &head.meshes[0];
        for (at, delta) in mesh.vertices.positions.iter().zip(&mesh.targets[0].positions) {
            assert!((moved(*at) - *at).distance(*delta) < 1e-4, "{delta}");
        }
    }
}

/// The sheet with two shapes, on a skin of two joints that stand otherwise than in the bind pose.
fn posable() -> Head {
    let head = neutral(true);
    let (head, _) = with_shape(&head, "lift.obj", &sheet(&in_order(), true, lifted), Matching::Auto);
    let (head, _) = with_shape(&head, "lean.obj", &sheet(&in_order(), true, leaning), Matching::Auto);
    let mut asset = head.to_asset();
    let turned = LocalTransform::Matrix(Mat4::from_rotation_translation(Quat::from_rotation_y(0.4), Vec3::X));
    let node = |name: &str, rest| Node { name: name.into(), parent: None, rest };
    asset.rig = Rig {
        nodes: vec![node("still", LocalTransform::Matrix(Mat4::IDENTITY)), node("turned", turned)],
        skins: vec![Skin {
            name: "skin".into(),
            joints: [0, 1].map(|node| Joint { node, joint_from_mesh: Mat4::IDENTITY }).into(),
        }],
        ..Rig::default()
    };
    let mesh = &mut asset.meshes[0];
    (mesh.skin, mesh.node) = (Some(0), None);
    for place in mesh.vertices.positions.clone() {
        let weight = (place.x / 12.0).clamp(0.0, 1.0);
        let influences = [Influence { joint: 0, weight: 1.0 - weight }, Influence { joint: 1, weight }];
        mesh.vertices.influences.push(influences, 0);
    }
    Head::new(asset)
}

fn leaning(at: Vec3) -> Vec3 {
    at + Vec3::new(0.2 * at.y, 0.0, -0.1 * at.y)
}

/// The world positions of the sheet's vertices with these weights of channels.
fn posed(head: &Head, weights: &[(&str, f32)]) -> Vec<Vec3> {
    let mut of_targets = head.default_weights();
    for (name, weight) in weights {
        let channel = &head.channels[head.channel_named(name).unwrap()];
        channel.targets.iter().for_each(|&target| of_targets[target] = *weight);
    }
    head.resolve(&mut of_targets);
    let mesh = &head.meshes[0];
    let mut positions = mesh.vertices.positions.clone();
    for (target, weight) in mesh.targets.iter().zip(of_targets) {
        for (shape, weight) in target.shapes_at(weight) {
            shape.rows.iter().zip(shape.positions).for_each(|(&row, delta)| positions[row as usize] += *delta * weight);
        }
    }
    let world = |(vertex, at)| head.rest_pose.world_from_vertex(mesh, vertex).transform_point3(at);
    positions.into_iter().enumerate().map(world).collect()
}

/// Adds what a sculptor does to the posed sheet, here a bump in the middle, as a file of these weights.
fn with_sculpt(head: &Head, on: &[(&str, f32)]) -> (Head, ShapesReport, Vec<Vec3>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bump.obj");
    let points = &head.meshes[0].vertices.control_points;
    let sculpted: Vec<Vec3> = posed(head, on)
        .into_iter()
        .zip(points)
        .map(|(at, point)| at + Vec3::new(0.1, -0.2, 0.7) * f32::from(u8::from((40..70).contains(point))))
        .collect();
    std::fs::write(&path, sheet_at(points, &sculpted)).unwrap();
    let sculpted_on = SculptedOn(on.iter().map(|(name, weight)| ((*name).to_owned(), *weight)).collect());
    let file = ShapeFile { sculpted_on, ..ShapeFile::new(path, Matching::Order) };
    let (head, report) = add_shapes(head, &[file], Progress::NONE).unwrap();
    (head, report, sculpted)
}

/// The sheet as OBJ with its control points where these vertices are.
fn sheet_at(points: &[u32], places: &[Vec3]) -> String {
    let by_point: BTreeMap<u32, &Vec3> = points.iter().copied().zip(places).collect();
    let vertices: String = by_point.values().map(|at| format!("v {} {} {}\n", at.x, at.y, at.z)).collect();
    let text = sheet(&in_order(), true, |at| at);
    let rest: Vec<&str> = text.lines().filter(|line| !line.starts_with("v ")).collect();
    format!("{vertices}{}\n", rest.join("\n"))
}

fn largest(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn what_is_sculpted_on_a_posed_face_is_a_corrective_that_gives_the_sculpt() {
    let head = posable();
    for (on, words) in [
        (&[("lift", 1.0), ("lean", 0.6)][..], "lift × lean at 0.6"),
        (&[("lift", 0.5)], "lift at 0.5"),
        (&[("lean", -0.8)], "lean at -0.8"),
    ] {
        let (head, report, sculpted) = with_sculpt(&head, on);
        assert!(report.refused.is_empty(), "{report:?}");
        // The bump of 0.73 units, and not where the pose is from the rest, is what it says.
        let said = report.added[0].max_percent / 100.0 * head.bounds.size().max_element();
        assert!((said - 0.735).abs() < 0.01 && report.added[0].moved < sculpted.len(), "{said}: {report:?}");
        let bump = head.channel_named("bump").unwrap();
        assert_eq!(head.correctives.of_channel(bump).unwrap().drive_in_words(), words);
        let error = largest(&posed(&head, on), &sculpted);
        assert!(error < 1e-5, "{words}: {error}");
        // At rest, and with each shape alone at its full weight, nothing is different.
        let single: Vec<Vec<(&str, f32)>> =
            if on.len() > 1 { on.iter().map(|&each| vec![each]).collect() } else { vec![] };
        for weights in single.into_iter().chain([vec![], vec![("lift", 1.0)]]) {
            let difference = largest(&posed(&head, &weights), &posed(&posable(), &weights));
            assert!(difference < 1e-6, "{words} at {weights:?}: {difference}");
        }
        // Sculpted again on the same face, the new one takes its place.
        let (again, _, sculpted) = with_sculpt(&head, on);
        assert!(again.channels.len() == head.channels.len() && largest(&posed(&again, on), &sculpted) < 1e-5);
    }
}

#[test]
fn a_sculpt_is_refused_where_its_face_is_none() {
    let head = posable();
    let (with_bump, ..) = with_sculpt(&head, &[("lift", 1.0), ("lean", 1.0)]);
    for (head, on, said) in [
        (&head, &[("smile", 1.0), ("lift", 1.0)][..], "which is no shape of the head"),
        (&head, &[("lift", 1.0)], "alone at 1: it is that shape"),
        (&head, &[("lift", 0.0), ("lean", 1.0)], "where nothing moves"),
        (&head, &[("lift", 1.0), ("lift", 0.5)], "twice"),
        (&with_bump, &[("bump", 1.0), ("lift", 1.0)], "which follows other shapes"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dent.obj");
        std::fs::write(&path, sheet(&in_order(), true, lifted)).unwrap();
        let sculpted_on = SculptedOn(on.iter().map(|(name, weight)| ((*name).to_owned(), *weight)).collect());
        let file = ShapeFile { sculpted_on, ..ShapeFile::new(path, Matching::Order) };
        let (same, report) = add_shapes(head, &[file], Progress::NONE).unwrap();
        assert!(report.refused[0].problem.contains(said), "{on:?}: {report:?}");
        assert_eq!(same.channels.len(), head.channels.len());
    }
}
