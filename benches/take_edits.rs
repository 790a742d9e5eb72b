//! The edits of a take of 60 columns and 10,000 frames: the whole list, and one number while it is dragged.
//! `cargo bench -p smirk-benches --bench take_edits`.

use std::sync::Arc;

use divan::Bencher;
use glam::Vec3;
use smirk_face::head::{Asset, Curve, Head, Interpolation, Mesh, Target, Vertices};
use smirk_face::motion::{EditKind, Fit, Take, TakeColumn, TakeEdit};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session, TakeId};

const COLUMNS: usize = 60;
const FRAMES: usize = 10_000;

fn main() {
    divan::main();
}

fn name(column: usize) -> String {
    format!("shape{column:02}")
}

/// A take with noise on waves of several speeds.
fn take() -> Take {
    let times: Vec<f32> = (0..FRAMES).map(|frame| frame as f32 / 60.0).collect();
    let value = |frame: usize, column: usize| {
        let noise = 0.01 * smirk_base::random::signed(column as u32, frame as u64);
        0.5 + 0.4 * (times[frame] * (1.0 + column as f32 * 0.1)).sin() + noise
    };
    let values = (0..FRAMES).flat_map(|frame| (0..COLUMNS).map(move |column| (frame, column)));
    let values = values.map(|(frame, column)| value(frame, column)).collect();
    let column = |element: usize| TakeColumn { name: name(element), track: 0, element };
    Take {
        name: "take".into(),
        source: None,
        frames_per_sec: Some(60.0),
        start_timecode: None,
        columns: (0..COLUMNS).map(column).collect(),
        body: None,
        duration_secs: times[FRAMES - 1],
        tracks: vec![Curve::new(Interpolation::Linear, times, values, COLUMNS).expect("a curve")],
        notes: Vec::new(),
    }
}

fn session() -> Session {
    let targets = (0..COLUMNS).map(|column| Target::from_dense(name(column), 0.0, &[Vec3::X], &[], &[]));
    let mesh = Mesh {
        vertices: Vertices { positions: vec![Vec3::ZERO], normals: vec![Vec3::Z], ..Vertices::default() },
        targets: targets.collect(),
        ..Mesh::default()
    };
    let head = Head::new(Asset { name: "head".into(), meshes: vec![mesh], ..Asset::default() });
    let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.takes_mut().add(vec![take()]);
    session
}

/// Smoothing of the whole take, a gain on a range, and a bridge.
fn edits() -> Vec<TakeEdit> {
    let edit = |kind, span| TakeEdit { kind, span, ..TakeEdit::default() };
    vec![
        edit(EditKind::Smooth { cutoff_hz: 6.0, keep_peaks: 1.0 }, None),
        edit(EditKind::Gain(1.2), Some([20.0, 120.0])),
        edit(EditKind::Bridge, Some([50.0, 52.0])),
    ]
}

/// Changes the list, and evaluates the face, as a frame of the window does.
fn changed(session: &mut Session, change: impl FnOnce(&mut Vec<TakeEdit>)) -> f32 {
    session.takes_mut().change_edits(TakeId(0), change);
    session.mix().weights[0]
}

/// All three edits are computed.
#[divan::bench]
fn whole_list(bencher: Bencher) {
    let mut session = session();
    let mut cutoff_hz = 6.0;
    changed(&mut session, |list| *list = edits());
    bencher.bench_local(|| {
        cutoff_hz += 1e-3;
        changed(&mut session, |list| list[0].kind = EditKind::Smooth { cutoff_hz, keep_peaks: 1.0 })
    });
}

/// A number of the second edit is dragged, in all columns.
#[divan::bench]
fn dragging_a_gain(bencher: Bencher) {
    let mut session = session();
    let mut gain = 1.2;
    changed(&mut session, |list| *list = edits());
    bencher.bench_local(|| {
        gain += 1e-4;
        changed(&mut session, |list| list[1].kind = EditKind::Gain(gain))
    });
}

/// A number of the last edit is dragged, in two columns.
#[divan::bench]
fn dragging_a_gain_of_two_columns(bencher: Bencher) {
    let mut session = session();
    let mut gain = 1.2;
    let columns = Some(vec![name(0), name(1)]);
    changed(&mut session, |list| {
        *list = edits();
        list.push(TakeEdit { columns, ..TakeEdit::default() });
    });
    bencher.bench_local(|| {
        gain += 1e-4;
        changed(&mut session, |list| list[3].kind = EditKind::Gain(gain))
    });
}

/// The tolerance of a reduction to splines is dragged, in all columns.
#[divan::bench]
fn dragging_a_tolerance(bencher: Bencher) {
    let mut session = session();
    let mut tolerance = 0.01;
    changed(&mut session, |list| {
        *list = edits();
        list.push(TakeEdit::default());
    });
    bencher.bench_local(|| {
        tolerance += 1e-6;
        changed(&mut session, |list| list[3].kind = EditKind::Reduce { fit: Fit::Smooth, tolerance })
    });
}

/// Nothing is dragged.
#[divan::bench]
fn frame_of_playback(bencher: Bencher) {
    let mut session = session();
    changed(&mut session, |list| *list = edits());
    bencher.bench_local(|| {
        session.advance(1.0 / 60.0);
        session.mix().weights[0]
    });
}
