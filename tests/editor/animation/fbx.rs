//! FBX files, read back by `ufbx`.

use glam::Vec3;
use smirk_support::in_betweens;
use ufbx::{LoadOpts, SceneRoot};

use super::*;

fn open(path: &Path) -> SceneRoot {
    let bytes = std::fs::read(path).unwrap();
    ufbx::load_memory(&bytes, LoadOpts::default()).unwrap_or_else(|error| panic!("{}", error.description))
}

/// The blend channels of each mesh, in the order of the meshes and targets of the head.
fn weights(scene: &SceneRoot, stack: usize, secs: f64) -> Vec<f32> {
    let anim = &scene.anim_stacks[stack].anim;
    let channels = scene.meshes.iter().flat_map(|mesh| &mesh.blend_deformers).flat_map(|deformer| &deformer.channels);
    channels.map(|channel| ufbx::evaluate_blend_weight(anim, channel, secs) as f32).collect()
}

fn point(point: &ufbx::Vec3) -> Vec3 {
    Vec3::new(point.x as f32, point.y as f32, point.z as f32)
}

fn check(session: &Session, folder: &Path, keys: smirk_export::AnimationKeys) {
    let path = folder.join("a.fbx");
    let span = FrameSpan::new(rate(29.97), 3, 85).unwrap();
    let settings = AnimationSettings { keys, ..AnimationSettings::new(AnimationFormat::Fbx) };
    export(session, span, settings, &path);
    let scene = open(&path);
    assert_eq!((scene.settings.unit_meters, scene.metadata.version), (1.0, 7400));
    assert!((scene.settings.frames_per_second - 30_000.0 / 1001.0).abs() < 1e-3);
    assert!(
        scene.metadata.warnings.is_empty(),
        "{:?}",
        scene.metadata.warnings.iter().map(|it| &*it.description).collect::<Vec<_>>()
    );
    let stack = &scene.anim_stacks[0];
    assert_eq!((scene.anim_stacks.len(), stack.time_begin), (1, 0.0));
    assert!((stack.time_end - span.duration_secs()).abs() < f64::from(SAME_SECS));
    let expected = performance(session, span);
    for frame in 0..expected.frame_count() {
        let found = weights(&scene, 0, expected.secs_of(frame));
        assert_eq!(found.len(), expected.target_count);
        for (is, should) in found.iter().zip(expected.frame_of_targets(frame)) {
            assert!((is - should).abs() <= EXACT, "frame {frame}: {is}, not {should}");
        }
    }
    let head = &session.head;
    assert_eq!(scene.meshes.len(), head.meshes.len());
    for (mesh, own) in scene.meshes.iter().zip(&head.meshes) {
        assert_eq!((mesh.num_vertices, mesh.num_triangles), (own.vertices.len(), own.indices.len() / 3));
        let placed = |at: Vec3| own.world_from_mesh.transform_point3(at);
        for (position, own) in mesh.vertices.iter().zip(&own.vertices.positions) {
            assert!(point(position).distance(placed(*own)) < 1e-6);
        }
        let channels = mesh.blend_deformers.iter().flat_map(|deformer| &deformer.channels);
        for (channel, target) in channels.zip(&own.targets) {
            assert_eq!(&*channel.element.name, target.name);
            let shape = &channel.keyframes[0].shape;
            let moved: Vec<_> =
                target.rows.iter().zip(&target.positions).filter(|(_, delta)| **delta != Vec3::ZERO).collect();
            for (&row, &delta) in moved {
                let at = shape.offset_vertices.iter().position(|vertex| *vertex == row).unwrap();
                let delta = own.world_from_mesh.transform_vector3(delta);
                assert!(point(&shape.position_offsets[at]).distance(delta) < 1e-6, "{}", target.name);
            }
        }
    }
}

#[test]
fn ufbx_reads_the_shapes_and_the_weights_of_every_frame() {
    use smirk_export::AnimationKeys;
    let folder = tempfile::tempdir().unwrap();
    check(&performing(Arc::new(two_meshes()), 3), folder.path(), AnimationKeys::Sampled);
    check(&performing(bundled(), 2), folder.path(), AnimationKeys::default());
}

#[test]
fn several_takes_become_several_stacks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.fbx");
    let clip = |name: &str, secs: f32| {
        let mut session = session(bundled());
        session.takes_mut().add(vec![Take { name: name.into(), ..take(None, 30.0, secs) }]);
        let span = FrameSpan::of_session(&session, session.edits.timeline.rate).unwrap();
        AnimationClip::of_session(&session, span)
    };
    export_clips(vec![clip("one", 1.0), clip("two", 2.0)], AnimationSettings::new(AnimationFormat::Fbx), &path);
    let scene = open(&path);
    let stacks: Vec<_> =
        scene.anim_stacks.iter().map(|stack| (stack.element.name.to_string(), stack.time_end)).collect();
    assert_eq!(stacks, [("one".to_owned(), 1.0), ("two".to_owned(), 2.0)]);
    let sum =
        |stack: usize, secs: f64| weights(&scene, stack, secs).iter().fold(0.0, |sum: f32, weight| sum.max(*weight));
    assert!((sum(0, 0.5) - 0.5).abs() < 1e-5 && (sum(1, 0.5) - 0.25).abs() < 1e-5);
}

#[test]
fn without_the_head_it_has_its_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.fbx");
    let session = performing(bundled(), 1);
    let settings = AnimationSettings { with_head: false, ..AnimationSettings::new(AnimationFormat::Fbx) };
    export(&session, FrameSpan::new(rate(24.0), 0, 24).unwrap(), settings, &path);
    let scene = open(&path);
    assert!(scene.meshes.iter().all(|mesh| mesh.num_triangles == 1));
    let names: Vec<String> = scene.blend_channels.iter().map(|channel| channel.element.name.to_string()).collect();
    let own: Vec<String> =
        session.head.meshes.iter().flat_map(|mesh| &mesh.targets).map(|target| target.name.clone()).collect();
    assert_eq!(names, own);
}

/// The weights of shapes that `ufbx` computes are those that Smirk blends.
#[test]
fn in_betweens_are_shapes_of_their_channel() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.fbx");
    let session = performing(Arc::new(in_betweens::head(5)), 1);
    let span = three_seconds(10.0);
    export(&session, span, AnimationSettings::new(AnimationFormat::Fbx), &path);
    let scene = open(&path);
    let expected = performance(&session, span);
    let targets: Vec<_> = session.head.meshes.iter().flat_map(|mesh| &mesh.targets).collect();
    for frame in 0..expected.frame_count() {
        let opts = ufbx::EvaluateOpts::default();
        let at = ufbx::evaluate_scene(&scene, &scene.anim_stacks[0].anim, expected.secs_of(frame), opts);
        let at = at.unwrap_or_else(|error| panic!("{}", error.description));
        let channels = at.meshes.iter().flat_map(|mesh| &mesh.blend_deformers).flat_map(|it| &it.channels);
        for ((channel, target), &weight) in channels.zip(&targets).zip(expected.frame_of_targets(frame)) {
            let mut corners: Vec<f32> = target.in_betweens.iter().map(|it| it.full_weight).chain([1.0]).collect();
            corners.sort_by(f32::total_cmp);
            assert_eq!(channel.keyframes.len(), corners.len(), "{}", target.name);
            let mix = target.mix(weight);
            for (keyframe, corner) in channel.keyframes.iter().zip(corners) {
                assert!((keyframe.target_weight - f64::from(corner)).abs() < 1e-6);
                let (found, expected) = (keyframe.effective_weight as f32, mix.weight_of(corner));
                assert!((found - expected).abs() < 1e-4, "{} at {weight}: {found}, not {expected}", target.name);
            }
        }
    }
    let lift = &scene.meshes[0].blend_deformers[0].channels[1].keyframes[0].shape;
    let own = &session.head.meshes[0].targets[1].in_betweens[0];
    let offset = |row: u32| lift.offset_vertices.iter().position(|vertex| *vertex == row).unwrap();
    for (&row, delta) in own.rows.iter().zip(&own.positions) {
        assert!(point(&lift.position_offsets[offset(row)]).distance(*delta) < 1e-6);
    }
}
