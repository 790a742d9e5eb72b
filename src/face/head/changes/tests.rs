use super::*;
use crate::head::{Asset, Curve, InBetween, Interpolation, Matching, Material, Track, Vertices};

/// A mesh one unit high whose targets each move one vertex by so much.
fn mesh(name: &str, vertices: usize, targets: &[(&str, usize, f32)]) -> Mesh {
    let positions: Vec<Vec3> = (0..vertices).map(|at| Vec3::Y * (at as f32 / (vertices - 1) as f32)).collect();
    let target = |&(name, row, by): &(&str, usize, f32)| {
        let mut deltas = vec![Vec3::ZERO; vertices];
        deltas[row] = Vec3::X * by;
        Target::from_dense(name.into(), 0.0, &deltas, &[], &[])
    };
    Mesh {
        name: name.into(),
        vertices: Vertices { normals: vec![Vec3::Z; vertices], positions, ..Vertices::default() },
        targets: targets.iter().map(target).collect(),
        ..Mesh::default()
    }
}

fn head(meshes: Vec<Mesh>) -> Head {
    Head::new(Asset { meshes, ..Asset::default() })
}

fn changes(old: Vec<Mesh>, new: Vec<Mesh>) -> HeadChanges {
    HeadChanges::between(&head(old), &head(new))
}

#[test]
fn the_summary_is_that_of_the_issue() {
    let shapes = [("jawOpen", 0, 0.1), ("smile", 1, 0.1), ("pout", 2, 0.1), ("frown", 3, 0.1)];
    let moved = [("cheekPuff", 4, 0.1), ("jawOpen", 0, 0.2), ("smile", 2, 0.1), ("pout", 2, 0.05), ("frown", 3, 0.1)];
    let lashes = |count| mesh("lashes", count, &[]);
    let changes = changes(vec![mesh("face", 9, &shapes), lashes(80)], vec![mesh("face", 9, &moved), lashes(200)]);
    assert_eq!(changes.summary(), "3 targets moved, 1 new: cheekPuff, 120 vertices more");
    let details = "Targets moved, by at most so many millimetres of a head: jawOpen on face (0.10 mm), smile on face (0.10 mm), \
                   pout on face (0.05 mm)\n\
                   Other vertices: lashes (120 vertices more)\n\
                   Targets new: cheekPuff";
    assert_eq!(changes.details(), details);
}

#[test]
fn a_head_that_is_written_again_as_it_was_has_not_changed() {
    let face = || mesh("face", 9, &[("jawOpen", 0, 0.1)]);
    let rounded = mesh("face", 9, &[("jawOpen", 0, 0.100_001)]);
    assert_eq!(changes(vec![face()], vec![face()]), HeadChanges::default());
    let same = changes(vec![face()], vec![rounded]);
    assert_eq!((same.summary().as_str(), same.details().as_str()), ("nothing has changed", ""));
}

#[test]
fn what_is_gone_is_named_and_meshes_are_counted() {
    let old = vec![mesh("face", 9, &[("jawOpen", 0, 0.1), ("smile", 0, 0.1)]), mesh("hat", 5, &[])];
    let mut face = mesh("face", 8, &[("jawOpen", 0, 0.1)]);
    assert_eq!(changes(old.clone(), vec![face.clone()]).summary(), "1 target gone: smile, 1 vertex fewer, 1 mesh gone");
    face = mesh("face", 9, &[("jawOpen", 0, 0.1), ("smile", 0, 0.1)]);
    face.vertices.positions[3].x += 0.01;
    assert_eq!(changes(old.clone(), vec![face.clone(), mesh("hat", 5, &[])]).summary(), "1 mesh moved at rest");
    face = mesh("face", 9, &[("jawOpen", 0, 0.1), ("smile", 0, 0.1)]);
    face.vertices.normals[3] = Vec3::X;
    let twice = vec![face, mesh("hat", 5, &[]), mesh("hat", 5, &[])];
    assert_eq!(changes(old, twice).summary(), "1 mesh new, 1 surface changed");
}

#[test]
fn an_in_between_that_moves_a_vertex_elsewhere_is_a_change_of_its_target() {
    let with = |half: f32| {
        let mut face = mesh("face", 9, &[("jawOpen", 0, 0.1)]);
        let in_between = InBetween {
            name: "half".into(),
            full_weight: 0.5,
            rows: vec![0],
            positions: vec![Vec3::X * half],
            ..InBetween::default()
        };
        assert!(face.targets[0].set_in_betweens(vec![in_between]).is_empty());
        vec![face]
    };
    assert_eq!(changes(with(0.09), with(0.09)), HeadChanges::default());
    let moved = changes(with(0.09), with(0.02)).moved;
    assert!(moved.len() == 1 && (moved[0].largest_mm - 0.07).abs() < 1e-6, "{moved:?}");
    assert_eq!(changes(with(0.05), vec![mesh("face", 9, &[("jawOpen", 0, 0.1)])]), HeadChanges::default());
}

#[test]
fn many_names_are_counted() {
    let names = ["a1", "b2", "c3", "d4", "e5"];
    let shapes: Vec<(&str, usize, f32)> = names.iter().map(|name| (*name, 0, 0.1)).collect();
    let new = changes(vec![mesh("face", 9, &[])], vec![mesh("face", 9, &shapes)]);
    assert_eq!(new.summary(), "5 targets new: a1, b2, c3 and 2 more");
}

#[test]
fn materials_and_clips_are_compared_by_name() {
    let with = |names: &[&str], clip: &str| {
        let material = |name: &&str| Material { name: (*name).into(), ..Material::default() };
        let (materials, clips) = (names.iter().map(material).collect(), vec![Clip::new(clip.into(), Vec::new())]);
        Head::new(Asset { materials, clips, ..Asset::default() })
    };
    let (old, new) = (with(&["skin", "hair"], "talk"), with(&["hair", "skin", "eyes"], "walk"));
    let changes = HeadChanges::between(&old, &new);
    assert_eq!(
        (&changes.materials[..], changes.summary().as_str()),
        (&["eyes".to_owned()][..], "1 material changed, 2 clips changed")
    );
}

#[test]
fn a_clip_has_not_changed_because_its_targets_are_elsewhere() {
    let with = |targets: &[&str], values: Vec<f32>| {
        let targets: Vec<(&str, usize, f32)> = targets.iter().map(|name| (*name, 0, 0.1)).collect();
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], values, targets.len()).unwrap();
        let clips = vec![Clip::new("talk".into(), vec![Track { first_target: 0, curve }])];
        Head::new(Asset { meshes: vec![mesh("face", 9, &targets)], clips, ..Asset::default() })
    };
    let old = with(&["jawOpen", "smile"], vec![0.0, 0.0, 1.0, 0.5]);
    let moved = with(&["puff", "smile", "jawOpen"], vec![0.0, 0.0, 0.0, 0.0, 0.5, 1.0]);
    assert_eq!(HeadChanges::between(&old, &moved).summary(), "1 target new: puff");
    let other = with(&["jawOpen", "smile"], vec![0.0, 0.0, 0.7, 0.5]);
    assert_eq!(HeadChanges::between(&old, &other).summary(), "1 clip changed");
}

#[test]
fn a_channel_with_another_name_is_renamed_and_compared_under_it() {
    let old = [("jawOpen", 0, 0.1), ("smile", 1, 0.1), ("pout", 2, 0.1)];
    let new = [("jawOpen", 0, 0.1), ("mouthPout", 2, 0.1), ("mouthSmile", 1, 0.13), ("puff", 4, 0.1)];
    let changes = changes(vec![mesh("face", 9, &old)], vec![mesh("face", 9, &new)]);
    let renamed: Vec<(&str, &str, bool)> =
        changes.renamed.iter().map(|it| (it.old.as_str(), it.new.as_str(), it.likeness > 0.999)).collect();
    assert_eq!(renamed, [("pout", "mouthPout", true), ("smile", "mouthSmile", false)]);
    assert!((changes.renamed[1].likeness - 0.9665).abs() < 1e-3, "{:?}", changes.renamed);
    assert_eq!((&changes.new[..], &changes.gone[..]), (&["puff".to_owned()][..], &[][..]));
    let moved: Vec<&str> = changes.moved.iter().map(|moved| moved.channel.as_str()).collect();
    assert_eq!(moved, ["mouthSmile"]);
    assert_eq!(changes.summary(), "1 target moved, 2 renamed, 1 new: puff");
    let other = [("jawOpen", 0, 0.1), ("up", 1, -0.1), ("pout", 2, 0.1)];
    let changes = HeadChanges::between(&head(vec![mesh("face", 9, &old)]), &head(vec![mesh("face", 9, &other)]));
    assert!(changes.renamed.is_empty(), "the opposite is another channel");
}

#[test]
fn the_root_mean_square_is_over_the_vertices_that_move() {
    let shape = |deltas: [f32; 4]| {
        let mut face = mesh("face", 9, &[]);
        let deltas: Vec<Vec3> = deltas.iter().map(|delta| Vec3::X * *delta).chain([Vec3::ZERO; 5]).collect();
        face.targets.push(Target::from_dense("smile".into(), 0.0, &deltas, &[], &[]));
        vec![face]
    };
    // The four vertices are apart by 0.3, 0, 0.4 and 0.
    let moved = changes(shape([0.5, 0.2, 0.0, 0.1]), shape([0.8, 0.2, 0.4, 0.1])).moved;
    assert!((moved[0].largest_mm - 0.4).abs() < 1e-6 && (moved[0].rms_mm - 0.25).abs() < 1e-6, "{moved:?}");
}

#[test]
fn a_mesh_with_another_name_is_compared() {
    let shapes = [("jawOpen", 0, 0.1)];
    let new = vec![mesh("Face_v2", 9, &[("jawOpen", 0, 0.3)]), mesh("hat", 5, &[])];
    let changes = changes(vec![mesh("face", 9, &shapes)], new);
    assert_eq!(changes.renamed_meshes, [["face".to_owned(), "Face_v2".to_owned()]]);
    assert_eq!(changes.summary(), "1 target moved, 1 mesh renamed, 1 mesh new");
}

#[test]
fn found_vertices_are_compared_wherever_they_are_in_the_list() {
    let old = head(vec![mesh("face", 9, &[("jawOpen", 0, 0.1), ("smile", 1, 0.1)])]);
    // The vertices in the opposite order, and one more.
    let mut face = mesh("face", 9, &[("jawOpen", 8, 0.1), ("smile", 7, 0.2)]);
    face.vertices.positions.reverse();
    face.vertices.positions.push(Vec3::X);
    face.vertices.normals.push(Vec3::Z);
    let new = head(vec![face]);
    let old_of_new: Vec<Option<u32>> = (0..9).rev().map(Some).chain([None]).collect();
    let vertices = MatchedVertices::Found { old_of_new, by: Matching::Position };
    let changes = HeadChanges::between_matched(&old, &new, &[MatchedMesh { old: 0, new: 0, vertices }]);
    assert_eq!(changes.summary(), "1 target moved, 1 vertex more, 1 surface changed");
    assert!(changes.moved[0].channel == "smile" && (changes.moved[0].largest_mm - 0.1).abs() < 1e-6);
    assert!(changes.moved_at_rest.is_empty());
}

#[test]
fn another_unit_is_one_change_and_not_one_of_every_target() {
    let face = || {
        let mut face = mesh("face", 9, &[("jawOpen", 0, 0.1), ("smile", 3, 0.1)]);
        face.vertices.positions.iter_mut().enumerate().for_each(|(at, position)| position.x = (at % 4) as f32 * 0.2);
        vec![face]
    };
    let changes = HeadChanges::between(&head(face()), &head(face()).rescaled(100.0));
    assert_eq!(changes.summary(), "another unit: lengths are 100 times as long");
}
