//! Keys of 60 channels with 10,000 keys each: what a frame costs while they play, while some of them are dragged in the
//! graph, and while nothing changes. `cargo bench -p smirk-benches --bench keys`.
//!
//! A frame is all work of the processor but for the picture of the face: the session, the panels of the window at 1600×1000,
//! and the triangles that are handed to the graphics driver.

mod panels;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;

use divan::Bencher;
use egui::{Event, Modifiers, PointerButton, Pos2, Rect, pos2, vec2};
use glam::Vec3;
use panels::PanelsAlone;
use smirk_face::head::{Asset, Curve, Head, Interpolation, Mesh, Target, Vertices};
use smirk_face::motion::{EditKind, Key, KeyMode, KeySelection, Keys, Take, TakeColumn, TakeEdit};
use smirk_scene::{BlendMode, Look};
use smirk_session::{ComparedWith, HeadSource, Session};
use smirk_ui::CurvesPanel;

const CHANNELS: usize = 60;
const FRAMES: usize = 10_000;
/// The frames whose keys are dragged: 2,040 keys.
const DRAGGED: std::ops::Range<usize> = 5_000..5_034;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The frame whose key the pointer takes hold of.
const GRABBED: usize = DRAGGED.start + 10;

fn main() {
    divan::main();
}

fn name(channel: usize) -> String {
    format!("shape{channel:02}")
}

fn time_of(frame: usize) -> f32 {
    frame as f32 / 60.0
}

/// Waves of several speeds, from 0.1 to 0.9.
fn value(frame: usize, channel: usize) -> f32 {
    0.5 + 0.4 * (time_of(frame) * (1.0 + channel as f32 * 0.1) + channel as f32).sin()
}

fn keys() -> Keys {
    let of = |channel: usize| (0..FRAMES).map(move |frame| Key::new(time_of(frame), value(frame, channel)));
    let by_name: BTreeMap<String, Vec<Key>> =
        (0..CHANNELS).map(|channel| (name(channel), of(channel).collect())).collect();
    let stored = serde_json::to_value(by_name).expect("keys as JSON");
    serde_json::from_value(stored).expect("keys")
}

fn take() -> Take {
    let values = (0..FRAMES).flat_map(|frame| (0..CHANNELS).map(move |column| value(frame, column)));
    let times = (0..FRAMES).map(time_of).collect();
    Take {
        name: "take".into(),
        source: None,
        frames_per_sec: Some(60.0),
        start_timecode: None,
        columns: (0..CHANNELS).map(|element| TakeColumn { name: name(element), track: 0, element }).collect(),
        body: None,
        duration_secs: time_of(FRAMES - 1),
        tracks: vec![Curve::new(Interpolation::Linear, times, values.collect(), CHANNELS).expect("a curve")],
        notes: Vec::new(),
    }
}

fn session_without_keys() -> Session {
    let targets = (0..CHANNELS).map(|channel| Target::from_dense(name(channel), 0.0, &[Vec3::X], &[], &[]));
    let mesh = Mesh {
        vertices: Vertices { positions: vec![Vec3::ZERO], normals: vec![Vec3::Z], ..Vertices::default() },
        targets: targets.collect(),
        ..Mesh::default()
    };
    let head = Head::new(Asset { name: "head".into(), meshes: vec![mesh], ..Asset::default() });
    Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu)
}

fn session() -> Session {
    let mut session = session_without_keys();
    session.keys_mut().edit(|all| *all = keys());
    session.commit();
    session
}

/// A take without keys.
fn session_of_a_take() -> Session {
    let mut session = session_without_keys();
    session.takes_mut().add(vec![take()]);
    session.commit();
    session
}

/// Keys that are added to a take on all channels.
fn session_over_a_take() -> Session {
    let mut session = session();
    (0..CHANNELS).for_each(|channel| {
        session.keys_mut().edit(|keys| keys.edit_curve(&name(channel), |curve| curve.mode = KeyMode::Add));
    });
    session.takes_mut().add(vec![take()]);
    session.commit();
    session
}

/// Reads the values that panels and picture read in one frame.
fn read(session: &Session) -> f32 {
    let (sliders, readout, picture) = (session.mix(), session.weights(), session.weights());
    black_box((session.can_undo(), session.can_redo()));
    sliders.weights[0] + readout[1] + picture[2]
}

/// The horizontal position of a frame while the whole timeline is visible.
fn x_of(plot: Rect, frame: f32) -> f32 {
    let end_secs = time_of(FRAMES - 1);
    plot.left() + plot.width() * (frame / 60.0 + 0.015 * end_secs) / (1.03 * end_secs)
}

/// The window without a picture of the face.
struct Window {
    session: Session,
    ui: PanelsAlone,
}

impl Window {
    fn new(mut session: Session) -> Self {
        session.clock.timeline.playing = false;
        let mut ui = PanelsAlone::new();
        ui.state.panels.curves_open = true;
        let mut window = Self { session, ui };
        (0..30).for_each(|_| drop(window.frame(vec![])));
        window
    }

    /// A window in which 2,040 keys are selected, and the pointer has taken hold of one of them.
    fn dragging(session: Session) -> (Self, Pos2) {
        let mut window = Self::with_a_selection(session);
        let plot = window.rect_of("Curves");
        // The range of values that is drawn is from -0.08 to 1.08.
        let y = plot.bottom() - plot.height() * (value(GRABBED, 0) + 0.08) / 1.16;
        window.take_hold(pos2(x_of(plot, GRABBED as f32), y))
    }

    /// The same in the dope sheet.
    fn dragging_in_the_dope_sheet(session: Session) -> (Self, Pos2) {
        let mut window = Self::with_a_selection(session);
        window.show_dope_sheet();
        let sheet = window.rect_of("Keys by channel");
        // The first row has all keys.
        window.take_hold(pos2(x_of(sheet, GRABBED as f32), sheet.top() + 8.0))
    }

    /// A window in which 2,040 keys are selected.
    fn with_a_selection(session: Session) -> Self {
        let mut window = Self::new(session);
        let plot = window.rect_of("Curves");
        let (left, right) = (x_of(plot, DRAGGED.start as f32 - 0.5), x_of(plot, DRAGGED.end as f32 - 0.5));
        window.drag(pos2(left, plot.top() + 2.0), pos2(right, plot.bottom() - 2.0));
        window.release(pos2(right, plot.bottom() - 2.0));
        assert_eq!(window.curves().selected_keys(), CHANNELS * DRAGGED.len());
        window
    }

    fn curves(&self) -> &CurvesPanel {
        &self.ui.panels.of_head(&self.session.head).expect("the panels were shown").curves
    }

    fn show_dope_sheet(&mut self) {
        let over = self.rect_of("Curves").center();
        self.frame(vec![Event::PointerMoved(over)]);
        let key = egui::Key::D;
        let modifiers = Modifiers::NONE;
        self.frame(vec![Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }]);
        self.frame(vec![]);
    }

    /// Presses the button over a selected key, and moves the pointer.
    fn take_hold(mut self, from: Pos2) -> (Self, Pos2) {
        let (before, selected) = (self.session.keys().clone(), self.curves().selected_keys());
        self.drag(from, from + vec2(40.0, 0.0));
        assert!(*self.session.keys() != before && self.curves().selected_keys() == selected);
        (self, from)
    }

    /// Where the widget of that name is.
    fn rect_of(&mut self, label: &str) -> Rect {
        self.ui.ctx.enable_accesskit();
        let output = self.frame(vec![]);
        self.ui.ctx.disable_accesskit();
        let update = output.platform_output.accesskit_update.expect("a tree");
        let bounds = update.nodes.iter().find(|(_, node)| node.label() == Some(label));
        let bounds = bounds.and_then(|(_, node)| node.bounds()).expect("a widget with its bounds");
        Rect::from_min_max(pos2(bounds.x0 as f32, bounds.y0 as f32), pos2(bounds.x1 as f32, bounds.y1 as f32))
    }

    fn press(&mut self, pos: Pos2, pressed: bool) {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        self.frame(vec![Event::PointerMoved(pos)]);
        self.frame(vec![Event::PointerButton { pos, button, pressed, modifiers }]);
    }

    fn drag(&mut self, from: Pos2, to: Pos2) {
        self.press(from, true);
        for step in 1..=4 {
            self.frame(vec![Event::PointerMoved(from.lerp(to, step as f32 / 4.0))]);
        }
    }

    fn release(&mut self, at: Pos2) {
        self.press(at, false);
        self.frame(vec![]);
    }

    /// One frame.
    fn frame(&mut self, events: Vec<Event>) -> egui::FullOutput {
        self.session.advance(1.0 / 60.0);
        let mut output = self.ui.frame(&mut self.session, events);
        output.textures_delta.clear();
        let shapes = std::mem::take(&mut output.shapes);
        black_box(self.ui.ctx.tessellate(shapes, output.pixels_per_point).len());
        black_box(read(&self.session));
        output
    }
}

/// The session alone, while 600,000 keys play.
#[divan::bench]
fn session_in_playback(bencher: Bencher) {
    let mut session = session();
    session.clock.timeline.playing = true;
    bencher.bench_local(|| {
        session.advance(1.0 / 60.0);
        let read = read(&session);
        session.commit();
        read
    });
}

/// The session alone, while 2,040 of 600,000 keys are dragged.
#[divan::bench]
fn session_in_a_drag(bencher: Bencher) {
    let mut session = session();
    let mut selection = KeySelection::default();
    for channel in 0..CHANNELS {
        selection.add(&name(channel), DRAGGED.map(time_of));
    }
    let before = session.keys().clone();
    let mut by_secs = 0.0;
    bencher.bench_local(|| {
        by_secs = (by_secs + 1.0 / 60.0) % 2.0;
        let moved = |_: &str, key: Key| Key { time_secs: key.time_secs + by_secs, ..key };
        session.keys_mut().edit(|keys| *keys = before.changed(&selection, moved).0);
        read(&session)
    });
}

fn frames(bencher: Bencher, mut window: Window) {
    bencher.bench_local(|| window.frame(vec![]));
}

/// Nothing changes, and the curves are hidden.
#[divan::bench]
fn frame_without_curves(bencher: Bencher) {
    let mut window = Window::new(session());
    window.ui.state.panels.curves_open = false;
    (0..60).for_each(|_| drop(window.frame(vec![])));
    frames(bencher, window);
}

/// Nothing changes.
#[divan::bench]
fn frame_at_rest(bencher: Bencher) {
    frames(bencher, Window::new(session()));
}

/// Nothing changes, and the curves of a take are shown instead of keys.
#[divan::bench]
fn frame_at_rest_of_a_take(bencher: Bencher) {
    let window = Window::new(session_of_a_take());
    assert!(window.curves().drawn_images() > 0);
    frames(bencher, window);
}

/// Nothing changes, and the differences of a take with keys from its recording are shown.
#[divan::bench]
fn frame_at_rest_of_differences(bencher: Bencher) {
    let mut window = Window::new(session_over_a_take());
    let id = window.session.edits.takes[0].id;
    let edit = TakeEdit { kind: EditKind::Gain(0.5), ..TakeEdit::default() };
    window.session.takes_mut().change_edits(id, |edits| edits.push(edit));
    window.session.compared_with = ComparedWith::Recording;
    let button = window.rect_of("Difference").center();
    window.press(button, true);
    window.release(button);
    window.press(pos2(2.0, 2.0), false);
    (0..60).for_each(|_| drop(window.frame(vec![])));
    frames(bencher, window);
}

/// The keys play.
#[divan::bench]
fn frame_of_playback(bencher: Bencher) {
    let mut window = Window::new(session());
    window.session.clock.timeline.playing = true;
    frames(bencher, window);
}

/// The pointer moves to and fro in a drag.
fn drag_frames(bencher: Bencher, (mut window, from): (Window, Pos2)) {
    let mut step = 0;
    bencher.bench_local(|| {
        step = (step + 1) % 200;
        window.frame(vec![Event::PointerMoved(from + vec2(40.0 + step as f32, step as f32 * 0.2))])
    });
}

/// 2,040 of 600,000 keys are dragged in the graph.
#[divan::bench]
fn frame_of_a_drag(bencher: Bencher) {
    drag_frames(bencher, Window::dragging(session()));
}

/// The same with keys that are added to a take.
#[divan::bench]
fn frame_of_a_drag_over_a_take(bencher: Bencher) {
    drag_frames(bencher, Window::dragging(session_over_a_take()));
}

/// 2,040 of 600,000 keys are dragged in the dope sheet.
#[divan::bench]
fn frame_of_a_drag_in_the_dope_sheet(bencher: Bencher) {
    drag_frames(bencher, Window::dragging_in_the_dope_sheet(session()));
}

/// Nothing changes, and the dope sheet is shown.
#[divan::bench]
fn frame_at_rest_of_the_dope_sheet(bencher: Bencher) {
    let mut window = Window::new(session());
    window.show_dope_sheet();
    frames(bencher, window);
}
