//! FBX files of Maya and Blender: what their manifest says is in them, and that they show what the glTF files show that they were made
//! from.

use std::path::Path;

use glam::{Mat4, Vec3};
use smirk_face::head::{Bounds, Head, Interpolation, Level, Target};
use smirk_files::import::{ImportError, open};
use smirk_support::fbx_builder::FbxBuilder;
use smirk_support::head_checks;
use smirk_support::test_files::real_heads;

/// The facts of a file.
#[derive(Debug, Default, PartialEq)]
struct Facts {
    control_points: usize,
    channels: Vec<String>,
    rest: Vec<f32>,
    /// Of each target, the full weights of its in-betweens.
    full_weights: Vec<Vec<f32>>,
    has_normals: bool,
    /// Of each track, its interpolation, number of keys, and first and last time.
    tracks: Vec<(Interpolation, usize, f32, f32)>,
}

fn rounded(number: f32) -> f32 {
    (number * 1000.0).round() / 1000.0
}

fn facts(head: &Head) -> Facts {
    let targets = || head.meshes.iter().flat_map(|mesh| &mesh.targets);
    let points =
        |mesh: &smirk_face::head::Mesh| mesh.vertices.control_points.iter().max().map_or(0, |last| *last as usize + 1);
    let tracks = head.clips.iter().flat_map(|clip| &clip.tracks).map(|track| {
        let times = track.curve.times();
        (track.curve.interpolation(), times.len(), rounded(times[0]), rounded(times[times.len() - 1]))
    });
    Facts {
        control_points: head.meshes.iter().map(points).sum(),
        channels: head.channels.iter().map(|channel| channel.full_name.clone()).collect(),
        rest: head.default_weights().into_iter().map(rounded).collect(),
        full_weights: targets()
            .map(|target| target.in_betweens.iter().map(|it| rounded(it.full_weight)).collect())
            .collect(),
        has_normals: targets().flat_map(Target::shapes).any(|shape| !shape.normals.is_empty()),
        tracks: tracks.collect(),
    }
}

fn names(names: &str) -> Vec<String> {
    names.split(' ').map(str::to_owned).collect()
}

#[test]
fn what_the_manifest_says_is_in_the_files() {
    use Interpolation::{CubicSpline, Linear};
    let own = facts(&smirk_files::import::open_bytes(&FbxBuilder::everything().binary(), "own.fbx").unwrap());
    assert_eq!((own.control_points, own.channels, own.rest), (8, names("jawOpen smile"), vec![0.35, 0.0]));
    assert_eq!((own.full_weights, own.has_normals), (vec![vec![-0.5, 0.5], vec![]], false));
    assert_eq!(own.tracks, [(Linear, 3, 0.0, 1.5), (CubicSpline, 5, 0.0, 3.0)]);

    let Some(heads) = real_heads() else { return };
    let folder = heads.join("fbx-usd-draco");
    let of = |name: &str| facts(&open(&folder.join(name)).unwrap());
    let inbetween = Facts {
        control_points: 26,
        channels: names("LiftTop MoveToSide"),
        rest: vec![-1.0, 2.0],
        full_weights: vec![vec![0.5], vec![-0.499, -0.249]],
        has_normals: false,
        tracks: vec![(CubicSpline, 2, 0.042, 5.0); 2],
    };
    assert_eq!(of("maya_blend_inbetween_7500_ascii.fbx"), inbetween);
    assert_eq!(of("maya_blend_inbetween_7500_binary.fbx"), inbetween);
    let maya = open(&folder.join("maya_blend_inbetween_7500_binary.fbx")).unwrap();
    let weights = |track: usize| maya.clips[0].tracks[track].curve.clone();
    assert_eq!([0, 1].map(|key| weights(0).key_value(key, 0)), [-1.0, 2.0]);
    assert_eq!([0, 1].map(|key| weights(1).key_value(key, 0)), [2.0, -1.0]);
    let cube = |last: [f32; 2]| Facts {
        control_points: 8,
        channels: names("TopH TopV"),
        rest: vec![1.0; 2],
        full_weights: vec![vec![]; 2],
        has_normals: false,
        tracks: last.map(|last| (CubicSpline, 3, 0.042, last)).to_vec(),
    };
    assert_eq!(of("maya_blend_shape_cube_6100_ascii.fbx"), cube([2.5, 3.75]));
    assert_eq!(of("maya_blend_shape_cube_7700_binary.fbx"), cube([2.5, 3.75]));
    let blender = Facts {
        control_points: 8,
        channels: names("Key Side"),
        rest: vec![0.0; 2],
        full_weights: vec![vec![]; 2],
        has_normals: false,
        tracks: vec![(Linear, 30, 0.0, 1.208); 2],
    };
    assert_eq!(of("blender440_shape_weight_anim_7400_binary.fbx"), blender);
    let still = Facts { channels: names("Squash Stretch"), rest: vec![0.35, -0.4], tracks: vec![], ..blender };
    assert_eq!(of("blender_331_static_blend_shape_7400_binary.fbx"), still);
    let sphere = of("sphereBlendShapeAnimation.fbx");
    assert_eq!((sphere.control_points, sphere.has_normals), (382, true));
    assert_eq!(sphere.channels, names("pSphere2 pSphere4 pSphere6 pSphere5 pSphere3"));
    assert_eq!(sphere.tracks, vec![(CubicSpline, 200, 0.042, 8.333); 4]);
    let order = of("synthetic_blend_shape_order_7500_ascii.fbx");
    assert_eq!((order.control_points, order.channels, order.rest), (12, names("Target"), vec![1.0]));
    for (name, points, channels) in
        [("mh_expressions_blender501.fbx", 15_316, 34), ("ict_facekit_blender501.fbx", 29_077, 53)]
    {
        let facts = of(name);
        assert_eq!((facts.control_points, facts.channels.len(), facts.has_normals), (points, channels, false));
        assert!(!facts.tracks.is_empty() && facts.tracks.iter().all(|track| track.0 == Linear));
    }
}

/// The box in world space around what a target moves, at weight 1, and the longest way that it moves a vertex.
fn moved_by(head: &Head, name: &str) -> (Bounds, f32) {
    let (mut places, mut longest) = (Vec::new(), 0.0_f32);
    for mesh in &head.meshes {
        for target in mesh.targets.iter().filter(|target| target.name == name) {
            for (&row, offset) in target.rows.iter().zip(&target.positions) {
                let world = mesh.world_from_mesh;
                places.push(world.transform_point3(mesh.vertices.positions[row as usize] + *offset));
                longest = longest.max(world.transform_vector3(*offset).length());
            }
        }
    }
    (Bounds::around(places), longest)
}

/// Checks that a file of Blender shows what the glTF file shows that it was made from.
fn check_same(fbx: &Path, gltf: &Path) {
    let (fbx, gltf) = (open(fbx).unwrap(), open(gltf).unwrap());
    let size = gltf.bounds.size().max_element();
    let distance = |a: Bounds, b: Bounds| a.min.distance(b.min).max(a.max.distance(b.max)) / size;
    assert!(distance(fbx.bounds, gltf.bounds) < 1e-4, "{:?}, {:?}", fbx.bounds, gltf.bounds);
    assert!(distance(fbx.focus, gltf.focus) < 1e-3, "{:?}, {:?}", fbx.focus, gltf.focus);
    let channels = |head: &Head| head.channels.iter().map(|channel| channel.full_name.clone()).collect::<Vec<_>>();
    assert_eq!(channels(&fbx), channels(&gltf));
    for name in channels(&gltf) {
        let (of_fbx, of_gltf) = (moved_by(&fbx, &name), moved_by(&gltf, &name));
        assert!((of_fbx.1 - of_gltf.1).abs() < 1e-4 * size, "{name}: {} and {}", of_fbx.1, of_gltf.1);
        // Blender leaves out offsets of almost nothing, which move the box around the others.
        assert!(distance(of_fbx.0, of_gltf.0) < 0.3, "{name}: {:?} and {:?}", of_fbx.0, of_gltf.0);
    }
    let materials = |head: &Head| {
        let mut names: Vec<_> = head.meshes[0].parts.iter().map(|part| head.materials[part.material].clone()).collect();
        names.sort_by(|a, b| a.name.cmp(&b.name));
        names
    };
    for (of_fbx, of_gltf) in materials(&fbx).iter().zip(&materials(&gltf)) {
        // Blender adds a number to a name that another material has.
        assert!(of_fbx.name.starts_with(&of_gltf.name), "{} and {}", of_fbx.name, of_gltf.name);
        let colors = of_fbx.base_color.iter().zip(&of_gltf.base_color);
        assert!(colors.into_iter().all(|(a, b)| (a - b).abs() < 2e-3), "{of_fbx:?}, {of_gltf:?}");
    }
    // The clips show the same weights at the frames of Blender, which wrote a key for each.
    for secs in [0.0, 14.0, 16.0, 40.0, 83.0, 110.0].map(|frame| frame / 24.0) {
        for (index, channel) in gltf.channels.iter().enumerate() {
            let weight = |head: &Head| {
                let target = head.channels[index].targets[0];
                head.clips[0].sample(secs, target).unwrap_or(head.default_weights()[target])
            };
            let (a, b) = (weight(&fbx), weight(&gltf));
            assert!((a - b).abs() < 0.02, "{} at {secs} s: {a} and {b}", channel.full_name);
        }
    }
}

#[test]
fn heads_of_blender_show_what_their_gltf_shows() {
    let upright = smirk_files::import::open_bytes(&FbxBuilder::everything().binary(), "own.fbx").unwrap();
    assert_eq!(upright.meshes[0].world_from_mesh, Mat4::from_scale(Vec3::splat(0.01)));
    let Some(heads) = real_heads() else { return };
    let folder = heads.join("fbx-usd-draco");
    check_same(&folder.join("ict_facekit_blender501.fbx"), &heads.join("ict/ict_facekit.glb"));
    check_same(&folder.join("mh_expressions_blender501.fbx"), &heads.join("makehuman/mh_expressions.glb"));
}

#[test]
fn broken_files_open_with_a_warning_or_say_why_not() {
    let Some(heads) = real_heads() else { return };
    let outcome = |name: &str| -> Result<Head, ImportError> {
        let outcome = open(&heads.join("fbx-usd-draco/bad").join(name));
        head_checks::check_outcome(&outcome);
        outcome
    };
    let head = outcome("fuzz_0739.fbx").unwrap();
    assert_eq!(head.meshes[0].targets.iter().map(|target| target.in_betweens.len()).collect::<Vec<_>>(), [0, 2]);
    assert!(head.notes.iter().any(|note| note.level == Level::Warning && note.message.contains("full weight")));
    assert_eq!(outcome("fuzz_0002.fbx").unwrap().triangle_count(), 12);
    for (name, words) in [
        ("fuzz_0001.fbx", "holds no mesh to show"),
        ("fuzz_0195.fbx", "export it again"),
        ("truncated_header.fbx", "it was cut off"),
        ("truncated_middle.fbx", "Bad DEFLATE data"),
    ] {
        let message = outcome(name).unwrap_err().to_string();
        assert!(message.contains(words), "{name}: {message}");
    }
}
