//! What is not written, and why.

use smirk_base::progress::{Cancelled, Progress};
use smirk_export::{AnimationKeys, ExportError};
use smirk_face::head::Expression;

use super::*;

fn refused(clips: Vec<AnimationClip>, settings: AnimationSettings) -> String {
    let export = AnimationExport::new(clips, settings, OutputPath::new("unwritten"));
    // A head has too many numbers to print.
    export.map(|_| "is no error").unwrap_err().to_string()
}

fn clip() -> AnimationClip {
    let session = performing(bundled(), 1);
    AnimationClip::of_session(&session, FrameSpan::new(rate(30.0), 0, 30).unwrap())
}

#[test]
fn what_a_format_cannot_hold_is_refused_before_anything_is_evaluated() {
    let csv = AnimationSettings::new(AnimationFormat::Table);
    let two = refused(vec![clip(), clip()], csv);
    assert!(two.contains("CSV of channels holds one animation, not 2") && two.contains(".glb"), "{two}");
    let other = Arc::new(two_meshes());
    let other = AnimationClip::of_session(&session(other), three_seconds(30.0));
    let gltf = AnimationSettings::new(AnimationFormat::Gltf);
    assert!(refused(vec![clip(), other], gltf).contains("different heads"));
    assert!(refused(Vec::new(), csv).contains("nothing to write"));
    let keys = AnimationKeys::Within(f32::NAN);
    assert!(refused(vec![clip()], AnimationSettings { keys, ..csv }).contains("no tolerance"));
    let mesh = smirk_face::head::Mesh { name: "ball".into(), ..smirk_face::head::Mesh::default() };
    let head = Head::new(Asset { name: "ball".into(), meshes: vec![mesh], ..Asset::default() });
    let session = session(Arc::new(head));
    let still = AnimationClip::of_session(&session, FrameSpan::new(rate(30.0), 0, 3).unwrap());
    assert!(refused(vec![still], csv).starts_with("ball has nothing that an animation could move"));
}

#[test]
fn expressions_that_move_no_target_are_written_by_the_formats_of_channels() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = smirk_face::head::Mesh { name: "ball".into(), ..smirk_face::head::Mesh::default() };
    let expressions = ["happy", "blink"];
    let expressions = expressions.map(|name| Expression { name: name.into(), ..Expression::default() }).into();
    let head = Head::new(Asset { name: "ball".into(), meshes: vec![mesh], expressions, ..Asset::default() });
    let mut session = session(Arc::new(head));
    for (secs, value) in [(0.0, 0.0), (1.0, 1.0)] {
        session.keys_mut().edit(|keys| keys.set("expression:happy", Key::new(secs, value)));
    }
    let span = FrameSpan::new(rate(30.0), 0, 30).unwrap();
    for &format in AnimationFormat::ALL {
        let settings = AnimationSettings::new(format);
        if format.can_hold_head() {
            let refused = refused(vec![AnimationClip::of_session(&session, span)], settings);
            assert!(refused.contains("morph targets, of which ball has none: choose CSV of channels"), "{refused}");
            continue;
        }
        let path = folder.path().join(file_name(format));
        export(&session, span, settings, &path);
        let take = import::open_takes(&path).unwrap().remove(0);
        // A table of Live Link Face has the columns of ARKit alone.
        if format != AnimationFormat::LiveLink {
            let column = take.column_names().position(|name| name.ends_with("happy")).unwrap();
            assert!((take.sample(column, 0.5) - 0.5).abs() <= EXACT, "{format:?}");
        }
    }
}

#[test]
fn a_cancelled_export_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    for &format in AnimationFormat::ALL {
        let path = folder.path().join(file_name(format));
        std::fs::write(&path, "old").unwrap();
        let of = |path: &Path| {
            AnimationExport::new(vec![clip()], AnimationSettings::new(format), OutputPath::new(path)).unwrap()
        };
        let third = |stage: &str, _: f32| if stage.starts_with("frame 3 ") { Err(Cancelled) } else { Ok(()) };
        let cancelled = of(&path).run(Progress::new(&third));
        assert!(matches!(cancelled, Err(ExportError::Cancelled(_))), "{format:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        let lost = of(&folder.path().join("no/such")).run(Progress::NONE);
        assert!(matches!(lost, Err(ExportError::NotWritten(_))), "{format:?}");
    }
}

#[test]
fn the_estimated_size_is_that_of_the_file_within_a_factor_of_three() {
    let folder = tempfile::tempdir().unwrap();
    for &format in AnimationFormat::ALL {
        let settings = AnimationSettings { keys: AnimationKeys::Sampled, ..AnimationSettings::new(format) };
        for with_head in [true, false] {
            let path = folder.path().join(file_name(format));
            let settings = AnimationSettings { with_head, ..settings };
            let export = AnimationExport::new(vec![clip()], settings, OutputPath::new(&path)).unwrap();
            let estimate = export.plan().bytes as f64;
            let bytes = export.run(Progress::NONE).unwrap().bytes as f64;
            let ratio = estimate / bytes;
            assert!((0.33..3.0).contains(&ratio), "{format:?}, with head {with_head}: {estimate}, not {bytes}");
        }
    }
}
