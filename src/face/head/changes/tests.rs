use super::*;
use crate::head::{
    Asset, Clip, Curve, InBetween, Influence, Interpolation, Joint, LocalTransform, Matching, Material, Node, Rig,
    Skin, Target, Toon, Track, Trs, UvColorDeltas, Vertices,
};
use glam::{Mat4, Vec2, Vec4};

/// A mesh one unit high whose targets each move one vertex by so much.
pub(super) fn mesh(name: &str, vertices: usize, targets: &[(&str, usize, f32)]) -> Mesh {
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
    Head::from_meshes(meshes)
}

fn changes(old: Vec<Mesh>, new: Vec<Mesh>) -> HeadChanges {
    HeadChanges::between(&head(old), &head(new))
}

#[test]
fn what_has_changed_of_toon_shading_is_said_with_both_values() {
    let head = |toon: Option<Toon>| {
        let face = Material { name: "Face".into(), toon: toon.map(Box::new), ..Material::default() };
        Head::new(Asset { materials: vec![face], ..Asset::default() })
    };
    let changed = |old: Option<Toon>, new: Option<Toon>| HeadChanges::between(&head(old), &head(new)).toon;
    let sharp = || Some(Toon { shading_toony: 1.0, ..Toon::default() });
    assert_eq!(changed(Some(Toon::default()), sharp()), ["Face: shading toony 0.9 is now 1"]);
    assert_eq!((changed(None, sharp()), changed(sharp(), None)), (vec!["Face: new".into()], vec!["Face: gone".into()]));
    assert!(changed(sharp(), sharp()).is_empty() && changed(None, None).is_empty());
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
    assert_eq!((same.summary().as_str(), same.details().as_str()), ("nothing that Smirk reads has changed", ""));
}

#[test]
fn what_is_gone_is_named_and_meshes_are_counted() {
    let old = vec![mesh("face", 9, &[("jawOpen", 0, 0.1), ("smile", 0, 0.1)]), mesh("hat", 5, &[])];
    let mut face = mesh("face", 8, &[("jawOpen", 0, 0.1)]);
    assert_eq!(
        changes(old.clone(), vec![face.clone()]).summary(),
        "1 target gone: smile, 1 vertex fewer, 1 mesh gone, targets of 1 mesh not compared"
    );
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

/// Turns the normal of a vertex by a target that moves nothing.
fn turning(normal: Vec3) -> Vec<Mesh> {
    let mut face = mesh("face", 9, &[("jawOpen", 0, 0.1), ("smile", 3, 0.1)]);
    let mut normals = vec![Vec3::ZERO; 9];
    normals[4] = normal;
    face.targets.push(Target::from_dense("wrinkle".into(), 0.0, &[], &normals, &[]));
    vec![face]
}

#[test]
fn normals_of_a_target_are_compared_apart_from_its_movement() {
    let changed = changes(turning(Vec3::X * 0.5), turning(Vec3::Y * 0.5));
    assert_eq!((&changed.normals[..], changed.moved.len()), (&["wrinkle".to_owned()][..], 0));
    assert_eq!(changed.summary(), "normals of 1 target changed");
    assert_eq!(changes(turning(Vec3::X * 0.5), turning(Vec3::X * 0.501)), HeadChanges::default());
    // Normals have no unit.
    let wide = || {
        let mut face = turning(Vec3::X * 0.5);
        face[0].vertices.positions.iter_mut().enumerate().for_each(|(at, position)| position.x = (at % 4) as f32 * 0.2);
        head(face)
    };
    let larger = HeadChanges::between(&wide(), &wide().rescaled(100.0));
    assert_eq!(larger.summary(), "another unit: lengths are 100 times as long");
}

#[test]
fn weights_at_rest_are_compared_under_the_new_name() {
    let at = |name: &'static str, weight: f32| {
        let mut face = mesh("face", 9, &[("jawOpen", 0, 0.1), (name, 3, 0.1)]);
        face.targets[1].default_weight = weight;
        vec![face]
    };
    let changed = changes(at("smile", 0.0), at("smile", 1.0));
    assert_eq!(changed.summary(), "weight at rest of 1 target changed");
    assert_eq!(changed.details(), "Weights at rest changed: smile");
    assert_eq!(changes(at("smile", 0.5), at("mouthSmile", 0.25)).rest_weights, ["mouthSmile"]);
    assert!(changes(at("smile", 0.5), at("mouthSmile", 0.5)).rest_weights.is_empty());
}

#[test]
fn texture_coordinates_and_colours_of_targets_are_compared() {
    let with = |u: f32, red: f32| {
        let mut face = mesh("face", 9, &[("blush", 0, 0.1)]);
        let (uvs, colors) = (vec![[Vec2::X * u, Vec2::ZERO]], vec![Vec4::X * red]);
        face.targets[0].uv_color_deltas = UvColorDeltas { rows: vec![3], uvs, colors };
        head(vec![face])
    };
    let changed = |old: &Head, new: &Head| HeadChanges::between(old, new).summary();
    assert_eq!(changed(&with(0.1, 0.2), &with(0.1, 0.2)), "nothing that Smirk reads has changed");
    let clause = "texture coordinates or colours of 1 target changed";
    assert_eq!(changed(&with(0.1, 0.2), &with(0.3, 0.2)), clause);
    assert_eq!(changed(&with(0.1, 0.2), &with(0.1, 0.0)), clause);
    // With the vertices in the opposite order.
    let reversed = |row: u32| {
        let mut new = with(0.1, 0.2);
        new.asset.meshes[0].vertices.positions.reverse();
        new.asset.meshes[0].targets[0] = Target { rows: vec![8], ..new.meshes[0].targets[0].clone() };
        new.asset.meshes[0].targets[0].uv_color_deltas.rows = vec![row];
        let vertices = MatchedVertices::Found { old_of_new: (0..9).rev().map(Some).collect(), by: Matching::Position };
        let matched = MatchedMesh { old: 0, new: 0, vertices };
        HeadChanges::between_matched(&with(0.1, 0.2), &new, &[matched]).uvs_and_colors
    };
    assert_eq!((reversed(5), reversed(3)), (Vec::new(), vec!["blush".to_owned()]));
}

/// A head with two named nodes, the second of which is below the first and is the joint of a skin, and one without a
/// name.
fn rigged(jaw_at: f32, joints: [(&str, f32); 2]) -> Head {
    let node = |name: &str, parent, y: f32| Node {
        name: name.into(),
        parent,
        rest: LocalTransform::Trs(Trs { translation: Vec3::Y * y, ..Trs::IDENTITY }),
    };
    let nodes = vec![node("root", None, 0.0), node("jaw", Some(0), jaw_at), node("node 2", Some(0), jaw_at)];
    let place = |name: &str| if name == "jaw" { 1 } else { 0 };
    let joint = |&(name, _): &(&str, f32)| Joint { node: place(name), joint_from_mesh: Mat4::IDENTITY };
    let skins = vec![Skin { name: "skin".into(), joints: joints.iter().map(joint).collect() }];
    let mut face = mesh("face", 9, &[("jawOpen", 0, 0.1)]);
    face.skin = Some(0);
    for _ in 0..9 {
        let influences = joints.iter().zip(0..).map(|((_, weight), joint)| Influence { joint, weight: *weight });
        face.vertices.influences.push(influences, 0);
    }
    let rig = Rig { world_from_file: Mat4::IDENTITY, nodes, skins, ..Rig::default() };
    Head::new(Asset { meshes: vec![face], rig, ..Asset::default() })
}

#[test]
fn nodes_and_skins_are_compared_by_name_and_place() {
    let joints = [("jaw", 0.75), ("root", 0.25)];
    let old = rigged(0.0, joints);
    let changed = |new: &Head| HeadChanges::between(&old, new).summary();
    let mut same = rigged(0.0, joints);
    // In another order, as a matrix, and with one more node without a name.
    let rig = &mut same.asset.rig;
    rig.nodes.swap(1, 2);
    rig.skins[0].joints[0].node = 2;
    rig.nodes[2].rest = LocalTransform::Matrix(Mat4::from_translation(Vec3::Y * 1e-6));
    rig.nodes.push(Node { name: "node 3".into(), ..rig.nodes[1].clone() });
    assert_eq!(changed(&same), "nothing that Smirk reads has changed");
    let mut moved = rigged(0.0, joints);
    moved.asset.rig.nodes[1].rest = LocalTransform::Matrix(Mat4::from_translation(Vec3::Y));
    assert_eq!(changed(&moved), "nodes changed");
    let mut unparented = rigged(0.0, joints);
    unparented.asset.rig.nodes[1].parent = None;
    assert_eq!(changed(&unparented), "nodes changed");
    let mut bound = rigged(0.0, joints);
    bound.asset.rig.skins[0].joints[0].joint_from_mesh = Mat4::from_scale(Vec3::splat(2.0));
    assert_eq!(changed(&bound), "skins changed");
    let other = HeadChanges::between(&old, &rigged(0.0, [("jaw", 0.5), ("root", 0.5)]));
    assert_eq!((other.summary().as_str(), other.skin_weights), ("skin weights of 1 mesh changed", vec!["face".into()]));
    // The joints in another order are another skin, whose vertices follow the same joints as much.
    assert_eq!(changed(&rigged(0.0, [("root", 0.25), ("jaw", 0.75)])), "skins changed");
}

#[test]
fn clips_are_compared_at_the_keys_of_both_and_between_them() {
    let with = |interpolation, keys: &[(f32, f32)]| {
        let (times, values): (Vec<f32>, Vec<f32>) = keys.iter().copied().unzip();
        let curve = Curve::new(interpolation, times, values, 1).unwrap();
        let clips = vec![Clip::new("talk".into(), vec![Track { first_target: 0, curve }])];
        Head::new(Asset {
            meshes: vec![mesh("face", 9, &[("jawOpen", 0, 0.1), ("smile", 1, 0.1)])],
            clips,
            ..Asset::default()
        })
    };
    let changed = |old: &Head, new: &Head| HeadChanges::between(old, new).clips.len();
    let linear = |keys: &[(f32, f32)]| with(Interpolation::Linear, keys);
    let long = linear(&[(0.0, 0.0), (100.0, 0.0)]);
    // One frame that moves in a hundred seconds.
    let flash = linear(&[(0.0, 0.0), (40.0, 0.0), (40.04, 1.0), (40.08, 0.0), (100.0, 0.0)]);
    assert_eq!((changed(&long, &flash), changed(&flash, &long)), (1, 1));
    let ramp = [(0.0, 0.0), (1.0, 1.0)];
    let more_keys = [(0.0, 0.0), (0.25, 0.25), (0.5, 0.5), (1.0, 1.0)];
    assert_eq!(changed(&linear(&ramp), &linear(&more_keys)), 0, "a key that changes nothing");
    assert_eq!(changed(&linear(&ramp), &with(Interpolation::Step, &ramp)), 1);
    // In-tangent, value and out-tangent of each key. Tangents that turn together leave the middle where it is.
    let spline = |tangent: f32| {
        let values = vec![0.0, 0.0, tangent, tangent, 1.0, 0.0];
        let curve = Curve::new(Interpolation::CubicSpline, vec![0.0, 1.0], values, 1).unwrap();
        linear(&ramp).with_clips(vec![Clip::new("talk".into(), vec![Track { first_target: 0, curve }])])
    };
    assert_eq!((changed(&spline(1.0), &linear(&ramp)), changed(&spline(1.0), &spline(0.0))), (0, 1));
}

#[test]
fn a_target_that_a_clip_holds_at_rest_is_as_one_that_it_does_not_animate() {
    let with = |values: Vec<f32>, width: usize| {
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], values, width).unwrap();
        let clips = vec![Clip::new("talk".into(), vec![Track { first_target: 0, curve }])];
        let meshes = vec![mesh("face", 9, &[("jawOpen", 0, 0.1), ("smile", 1, 0.1)])];
        Head::new(Asset { meshes, clips, ..Asset::default() })
    };
    let changed = |old: &Head, new: &Head| HeadChanges::between(old, new).clips.len();
    let one = with(vec![0.0, 1.0], 1);
    assert_eq!(changed(&one, &with(vec![0.0, 0.0, 1.0, 0.0], 2)), 0);
    assert_eq!(changed(&with(vec![0.0, 0.5, 1.0, 0.5], 2), &one), 1);
}

#[test]
fn a_mesh_whose_vertices_are_not_known_is_named() {
    let (old, new) = ([("jawOpen", 0, 0.1)], [("jawOpen", 0, 0.3)]);
    let meshes =
        |count: usize, targets: &[(&str, usize, f32)]| vec![mesh("face", count, targets), mesh("hat", count, &[])];
    let changed = changes(meshes(9, &old), meshes(8, &new));
    assert_eq!(changed.not_compared, ["face"]);
    assert_eq!(changed.summary(), "2 vertices fewer, targets of 1 mesh not compared");
}
