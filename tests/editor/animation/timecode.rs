//! The timecode of Live Link Face tables.

use smirk_face::motion::{EditKind, TakeEdit};

use super::*;

/// The first and the last timecode of a table of what plays from frame `first` to `last`.
fn timecodes(take: Take, fps: f64, first: i64, last: i64) -> [String; 2] {
    timecodes_of_edited(take, &[], fps, first, last)
}

fn timecodes_of_edited(take: Take, edits: &[TakeEdit], fps: f64, first: i64, last: i64) -> [String; 2] {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let mut session = session(bundled());
    let take = session.takes_mut().add(vec![take])[0];
    session.takes_mut().change_edits(take, |of_take| of_take.extend_from_slice(edits));
    let span = FrameSpan::new(rate(fps), first, last).unwrap();
    export(&session, span, AnimationSettings::new(AnimationFormat::LiveLink), &path);
    let text = std::fs::read_to_string(&path).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), span.count() + 1);
    assert!(rows[0].starts_with("Timecode,BlendshapeCount,EyeBlinkLeft,EyeLookDownLeft,"), "{}", rows[0]);
    assert!(rows.iter().skip(1).all(|row| row.split(',').count() == 63 && row.split(',').nth(1) == Some("61")));
    let read = import::open_takes(&path).unwrap().remove(0);
    let code = |row: &str| row.split(',').next().unwrap().to_owned();
    assert_eq!(read.start_timecode, Some(code(rows[1])));
    for (frame, time) in read.tracks[0].times().iter().enumerate() {
        assert!((time - span.secs_of(frame as i64) as f32).abs() < SAME_SECS, "frame {frame} at {time} s");
    }
    [code(rows[1]), code(rows[span.count()])]
}

#[test]
fn timecode_continues_that_of_the_take() {
    assert_eq!(
        timecodes(take(Some("18:43:58:59.723"), 60.0, 4.0), 60.0, 0, 120),
        ["18:43:58:59.723", "18:44:00:59.723"]
    );
    assert_eq!(
        timecodes(take(Some("18:43:58:59.723"), 60.0, 4.0), 60.0, 30, 150),
        ["18:43:59:29.723", "18:44:01:29.723"]
    );
    assert_eq!(timecodes(take(Some("10:00:00:30"), 60.0, 4.0), 30.0, 0, 60), ["10:00:00:15.000", "10:00:02:15.000"]);
    assert_eq!(timecodes(take(None, 25.0, 4.0), 25.0, 50, 100), ["00:00:02:00.000", "00:00:04:00.000"]);
}

#[test]
fn timecode_is_that_of_the_recording_where_time_was_changed() {
    let first_of = |first: i64, kind: EditKind, span: [f32; 2]| {
        let edits = [TakeEdit { kind, span: Some(span), ..TakeEdit::default() }];
        timecodes_of_edited(take(Some("10:00:00:00"), 25.0, 4.0), &edits, 25.0, first, first + 40)[0].clone()
    };
    assert_eq!(first_of(0, EditKind::DeleteTime, [0.0, 1.0]), "10:00:01:00.000");
    assert_eq!(first_of(25, EditKind::DeleteTime, [1.0, 2.0]), "10:00:02:00.000", "the first frame after the cut");
    assert_eq!(first_of(20, EditKind::DeleteTime, [1.0, 2.0]), "10:00:00:20.000");
    assert_eq!(first_of(50, EditKind::InsertTime(0.5), [1.0, 1.0]), "10:00:01:12.500");
    assert_eq!(first_of(50, EditKind::Stretch(2.0), [0.0, 4.0]), "10:00:01:00.000");
    assert_eq!(first_of(50, EditKind::Gain(2.0), [0.0, 4.0]), "10:00:02:00.000");
}

#[test]
fn timecode_is_drop_frame_at_the_rates_of_ntsc_and_passes_midnight() {
    let drops = take(Some("00:00:59;20"), 29.97, 4.0);
    assert_eq!(timecodes(drops, 29.97, 0, 60), ["00:00:59;20.000", "00:01:01;22.000"]);
    let tenth = take(Some("00:09:59;20"), 29.97, 4.0);
    assert_eq!(timecodes(tenth, 29.97, 0, 60), ["00:09:59;20.000", "00:10:01;20.000"]);
    let late = take(Some("23:59:58:12"), 24.0, 4.0);
    assert_eq!(timecodes(late, 24.0, 0, 72), ["23:59:58:12.000", "00:00:01:12.000"]);
}
