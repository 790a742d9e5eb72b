//! The window's contents, driven by label through egui_kittest: what the hand does, and what the session then holds.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Event, Key, Modifiers, MouseWheelUnit, Pos2, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use glam::{Mat4, Vec3};
use smirk::blend::BlendMode;
use smirk::head::{Head, Mesh, Note, Part, Target, Vertices};
use smirk::motion::{Clip, Curve, Interpolation, Track};
use smirk::readout::{Clock, Loading, Readout};
use smirk::scene::{Look, Quality};
use smirk::session::{Command, Driver, Session, Source};
use smirk::ui::{self, UiState, WindowView};

/// A triangle with targets of these names, each moving one vertex.
fn mesh(name: &str, targets: &[&str]) -> Mesh {
    let corners = [Vec3::ZERO, Vec3::X * 0.1, Vec3::Y * 0.2];
    let target =
        |name: &&str| Target::from_dense((*name).into(), 0.0, &[Vec3::X * 0.01, Vec3::ZERO, Vec3::ZERO], &[], &[]);
    Mesh {
        name: name.into(),
        world_from_mesh: Mat4::IDENTITY,
        vertices: Vertices { positions: corners.to_vec(), normals: vec![Vec3::Z; 3], ..Vertices::default() },
        indices: vec![0, 1, 2],
        parts: vec![Part { first_index: 0, index_count: 3, material: 0, flat_shaded: false }],
        targets: targets.iter().map(target).collect(),
        first_target: 0,
    }
}

const FACE: &[&str] = &[
    "browDownLeft",
    "browDownRight",
    "browInnerUp",
    "browOuterUpLeft",
    "browOuterUpRight",
    "eyeBlinkLeft",
    "eyeBlinkRight",
    "eyeLookDownLeft",
    "eyeLookDownRight",
    "eyeSquintLeft",
    "eyeSquintRight",
    "eyeWideLeft",
    "eyeWideRight",
    "cheekPuff",
    "cheekSquintLeft",
    "cheekSquintRight",
    "noseSneerLeft",
    "noseSneerRight",
    "mouthLeft",
    "mouthRight",
    "mouthSmileLeft",
    "mouthSmileRight",
    "mouthFrownLeft",
    "mouthFrownRight",
    "mouthStretchLeft",
    "mouthStretchRight",
    "mouthFunnel",
    "mouthPucker",
    "jawLeft",
    "jawRight",
    "jawOpen",
    "jawForward",
    "tongueOut",
];

/// Four meshes that share names. The clip moves both blinks and leaves jawOpen alone, although it has keys for every target.
fn head() -> Arc<Head> {
    let meshes = vec![
        mesh("face", FACE),
        mesh("teeth_lower", &["jawOpen", "jawLeft", "jawRight"]),
        mesh("lashes", &["eyeBlinkLeft", "eyeBlinkRight"]),
        mesh("tongue", &["tongueOut", "jawOpen"]),
    ];
    let keys = FACE.len();
    let mut values = vec![0.0; keys * 2];
    values[keys + 5] = 1.0;
    values[keys + 6] = 1.0;
    let curve = |values: Vec<f32>, width| Curve::new(Interpolation::Linear, vec![0.0, 8.0], values, width).unwrap();
    let lashes = keys + 3;
    let tracks = vec![
        Track { first_target: 0, curve: curve(values, keys) },
        Track { first_target: lashes, curve: curve(vec![0.0, 0.0, 1.0, 1.0], 2) },
    ];
    let notes = vec![
        Note::info("image \"skin\"", "Converted from 16 to 8 bits a channel."),
        Note::warning(
            "mesh \"face\", target 3 \"browOuterUpLeft\"",
            "Has no NORMAL: the base normals are kept, so shading lags behind.",
        ),
    ];
    Arc::new(Head::new(
        "ada_head".into(),
        meshes,
        Vec::new(),
        Vec::new(),
        vec![Clip::new("Blink".into(), tracks)],
        notes,
    ))
}

struct App {
    session: Session,
    state: UiState,
    readout: Readout,
    loading: Loading,
    recent: Vec<PathBuf>,
    hovering_file: bool,
    picture: Option<egui::TextureHandle>,
    commands: Vec<Command>,
    is_dressed: bool,
}

impl App {
    fn new(head: Arc<Head>) -> Self {
        let mut session = Session::new(head, Source::Embedded, Look::default(), BlendMode::Compute);
        session.playback.playing = false;
        session.playback.time_secs = 2.0;
        let readout = Readout {
            adapter: "llvmpipe (LLVM 15.0.6, 256 bits), Vulkan".into(),
            is_software: true,
            frame_ms: Some(31.2),
            blend_ms: Some((0.42, Clock::Gpu)),
            draw_ms: Some(18.3),
            quality: Quality { samples: 1, scale: 0.6 },
            delta_bytes: 5_300_000,
            error: None,
            unavailable: [None, None, None, Some("The adapter cannot write storage buffers.".into())],
        };
        Self {
            session,
            state: UiState::default(),
            readout,
            loading: Loading::Idle,
            recent: vec!["/heads/ict_facekit.glb".into()],
            hovering_file: false,
            picture: None,
            commands: Vec::new(),
            is_dressed: false,
        }
    }

    fn weight(&self, name: &str) -> f32 {
        self.session.channel_value(self.channel(name), &self.session.weights())
    }

    fn channel(&self, name: &str) -> usize {
        self.session.head.channel_named(name).unwrap()
    }
}

fn show(ui: &mut egui::Ui, app: &mut App) {
    if !std::mem::replace(&mut app.is_dressed, true) {
        ui::theme::install(ui.ctx());
        let grey = egui::ColorImage::filled([1, 1], egui::Color32::from_gray(58));
        app.picture = Some(ui.ctx().load_texture("picture", grey, egui::TextureOptions::default()));
        ui.ctx().request_discard("the theme came late");
        return;
    }
    let view = WindowView {
        picture: app.picture.as_ref().map(|picture| picture.id()),
        readout: &app.readout,
        loading: &app.loading,
        recent: &app.recent,
        hovering_file: app.hovering_file,
    };
    let commands = ui::show(ui, &mut app.session, &mut app.state, &view);
    app.commands.extend(commands);
}

fn window_of(size: Vec2, app: App) -> Harness<'static, App> {
    let mut harness = Harness::builder()
        .with_size(size + Vec2::splat(16.0))
        .with_max_steps(30)
        .with_step_dt(1.0 / 60.0)
        .build_ui_state(show, app);
    harness.run();
    harness
}

fn window(head: Arc<Head>) -> Harness<'static, App> {
    window_of(Vec2::new(1600.0, 1000.0), App::new(head))
}

/// Writes pictures of the window for a person to judge, where `SMIRK_UI_PICTURES` says.
#[test]
fn pictures_for_the_eye() {
    let Some(folder) = std::env::var_os("SMIRK_UI_PICTURES").map(PathBuf::from) else { return };
    for (name, size) in [("large", Vec2::new(1600.0, 1000.0)), ("small", Vec2::new(1280.0, 720.0))] {
        let mut app = App::new(head());
        let (jaw, smile) = (app.channel("jawOpen"), app.channel("mouthSmileLeft"));
        app.session.set_channel(jaw, 0.62);
        app.session.set_channel(smile, 1.5);
        let funnel = app.channel("mouthFunnel");
        app.session.set_channel(funnel, -0.4);
        app.session.take_over(app.channel("eyeBlinkRight"));
        let teeth = app.session.head.channels[jaw].targets[1];
        app.session.set_target(jaw, teeth, 0.3);
        let linked = app.session.pair_of(app.channel("cheekSquintLeft")).unwrap();
        app.session.edits.linked[linked] = true;
        let mut harness = window_of(size, app);
        harness.state_mut().state.expanded.insert(jaw);
        harness.state_mut().state.folded.insert(smirk::head::Region::Brows);
        let take = |harness: &mut Harness<'static, App>, what: &str| {
            harness.run_ok();
            harness.render().unwrap().save(folder.join(format!("{name}-{what}.png"))).unwrap();
        };
        take(&mut harness, "look");
        harness.state_mut().state.panels.page = ui::Page::Readout;
        harness.state_mut().readout.error = Some(smirk::readout::ErrorReading {
            mode: BlendMode::Compute,
            max_distance: 1.2e-8,
            max_normal_degrees: 0.001,
            head_size: 0.23,
        });
        harness.state_mut().loading =
            Loading::Busy { name: "ict_facekit.glb".into(), stage: "reading targets".into(), fraction: 0.4 };
        take(&mut harness, "readout");
        harness.state_mut().state.panels.page = ui::Page::Notes;
        let message = "ict.glb: mesh \"face\", primitive 0: 26719 positions but 26718 normals. The file is damaged; export it again.";
        harness.state_mut().loading = Loading::Failed { name: "ict.glb".into(), message: message.into() };
        harness.get_by_label("Blend mode").click();
        take(&mut harness, "notes");
        harness.key_press(Key::Escape);
        harness.state_mut().loading = Loading::Idle;
        harness.run_ok();
        harness.state_mut().hovering_file = true;
        harness.state_mut().state.search = "smile".into();
        harness.get_by_label("mouthSmileRight").focus();
        take(&mut harness, "drop");
        harness.state_mut().hovering_file = false;
        harness.state_mut().state.shortcuts_open = true;
        take(&mut harness, "keys");
        harness.state_mut().state.shortcuts_open = false;
        harness.state_mut().state.search.clear();
        harness.run_ok();
        harness.get_by_label("File").click();
        take(&mut harness, "menu");
    }
}

fn drag(harness: &mut Harness<'static, App>, from: Pos2, to: Pos2, modifiers: Modifiers) {
    let button = |pos, pressed| Event::PointerButton { pos, button: egui::PointerButton::Primary, pressed, modifiers };
    harness.event(Event::ModifiersChanged(modifiers));
    harness.hover_at(from);
    harness.event(button(from, true));
    for step in 1..=4 {
        harness.hover_at(from.lerp(to, step as f32 / 4.0));
        harness.run_ok();
    }
    harness.event(button(to, false));
    harness.run_ok();
    harness.event(Event::ModifiersChanged(Modifiers::NONE));
    harness.remove_cursor();
    harness.run_ok();
}

/// The point of a slider at a fraction of its width.
fn at(harness: &Harness<'static, App>, label: &str, fraction: f32) -> Pos2 {
    let rect = harness.get_by_label(label).rect();
    egui::pos2(egui::lerp(rect.x_range(), fraction), rect.center().y)
}

fn drag_slider(harness: &mut Harness<'static, App>, label: &str, from: f32, to: f32) {
    let (from, to) = (at(harness, label, from), at(harness, label, to));
    drag(harness, from, to, Modifiers::NONE);
}

fn click(harness: &mut Harness<'static, App>, pos: Pos2) {
    harness.hover_at(pos);
    harness.drag_at(pos);
    harness.drop_at(pos);
    harness.run_ok();
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 0.01
}

#[test]
fn dragging_a_slider_moves_its_targets_on_all_meshes_and_nothing_else() {
    let mut harness = window(head());
    let before = harness.state().session.weights();
    drag_slider(&mut harness, "jawOpen", 0.2, 0.75);
    let app = harness.state();
    let channel = &app.session.head.channels[app.channel("jawOpen")];
    assert_eq!(channel.targets.len(), 3, "face, teeth and tongue open together");
    let after = app.session.weights();
    for (target, (before, after)) in before.iter().zip(&after).enumerate() {
        if channel.targets.contains(&target) {
            assert!(near(*after, 0.75), "target {target}: {after}");
        } else {
            assert_eq!(before, after, "target {target}");
        }
    }
}

#[test]
fn a_plain_drag_stops_at_the_ends_and_shift_goes_beyond() {
    let mut harness = window(head());
    drag_slider(&mut harness, "mouthFunnel", 0.5, 1.6);
    assert_eq!(harness.state().weight("mouthFunnel"), 1.0);
    let (from, to) = (at(&harness, "mouthFunnel", 0.3), at(&harness, "mouthFunnel", 0.8));
    drag(&mut harness, from, to, Modifiers::SHIFT);
    let beyond = harness.state().weight("mouthFunnel");
    assert!(beyond > 1.3 && beyond < 1.55, "{beyond}");
    drag(&mut harness, to, from, Modifiers::COMMAND);
    let fine = harness.state().weight("mouthFunnel");
    assert!(fine < beyond - 0.02 && fine > beyond - 0.06, "{fine}");
}

#[test]
fn a_driven_row_refuses_the_hand_and_the_others_do_not() {
    let mut harness = window(head());
    let before = harness.state().weight("eyeBlinkLeft");
    assert!(near(before, 0.25), "a quarter into the clip: {before}");
    drag_slider(&mut harness, "eyeBlinkLeft", 0.3, 0.9);
    assert_eq!(harness.state().weight("eyeBlinkLeft"), before);
    drag_slider(&mut harness, "eyeSquintLeft", 0.3, 0.9);
    assert!(near(harness.state().weight("eyeSquintLeft"), 0.9));
    harness.state_mut().session.seek(4.0);
    assert!(near(harness.state().weight("eyeBlinkLeft"), 0.5), "the clip still moves it");
}

#[test]
fn a_row_is_taken_over_without_a_jump_and_given_back() {
    let mut harness = window(head());
    let blink = harness.state().channel("eyeBlinkLeft");
    harness.get_by_label("Take over eyeBlinkLeft").click();
    harness.run();
    assert_eq!(harness.state().session.driver(blink), Driver::Taken);
    assert!(near(harness.state().weight("eyeBlinkLeft"), 0.25), "starts where the clip was");
    drag_slider(&mut harness, "eyeBlinkLeft", 0.2, 0.8);
    harness.state_mut().session.seek(0.0);
    let app = harness.state();
    for &target in &app.session.head.channels[blink].targets {
        assert!(near(app.session.weights()[target], 0.8), "lids and lashes stay where the hand put them");
    }
    harness.get_by_label("Give back eyeBlinkLeft").click();
    harness.run();
    assert_eq!(harness.state().session.driver(blink), Driver::Clip);
    assert_eq!(harness.state().weight("eyeBlinkLeft"), 0.0);
}

#[test]
fn a_linked_pair_moves_together_until_unlinked() {
    let mut harness = window(head());
    harness.get_by_label("Link mouthSmile").click();
    harness.run();
    drag_slider(&mut harness, "mouthSmileLeft", 0.2, 0.6);
    assert!(
        near(harness.state().weight("mouthSmileLeft"), 0.6) && near(harness.state().weight("mouthSmileRight"), 0.6)
    );
    harness.get_by_label("Unlink mouthSmile").click();
    harness.run();
    drag_slider(&mut harness, "mouthSmileRight", 0.6, 0.1);
    assert!(
        near(harness.state().weight("mouthSmileLeft"), 0.6) && near(harness.state().weight("mouthSmileRight"), 0.1)
    );
}

#[test]
fn single_targets_are_unfolded_and_mark_their_channel_as_mixed() {
    let mut harness = window(head());
    assert!(harness.query_by_label("jawOpen · teeth_lower").is_none());
    harness.get_by_label("Unfold jawOpen").click();
    harness.run();
    drag_slider(&mut harness, "jawOpen · teeth_lower", 0.1, 0.5);
    let app = harness.state();
    let jaw = app.channel("jawOpen");
    let values: Vec<f32> =
        app.session.head.channels[jaw].targets.iter().map(|&target| app.session.weights()[target]).collect();
    assert!(values[0] == 0.0 && near(values[1], 0.5) && values[2] == 0.0, "{values:?}");
    assert!(app.session.is_mixed(jaw, &app.session.weights()));
    harness.get_by_label("Fold jawOpen").click();
    harness.run();
    assert!(harness.query_by_label("jawOpen · teeth_lower").is_none());
}

#[test]
fn search_lists_pairs_with_a_match() {
    let mut harness = window(head());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_ok();
    harness.event(Event::Text("SMILE left".into()));
    harness.run_ok();
    assert!(harness.query_by_label("mouthSmileLeft").is_some() && harness.query_by_label("mouthSmileRight").is_some());
    assert!(harness.query_by_label("jawOpen").is_none());
    harness.get_by_label("Clear search").click();
    harness.run_ok();
    assert!(harness.query_by_label("jawOpen").is_some());
}

#[test]
fn active_lists_what_moves_and_what_the_clip_drives() {
    let mut harness = window(head());
    drag_slider(&mut harness, "jawOpen", 0.2, 0.4);
    harness.state_mut().session.seek(0.0);
    harness.get_by_label("Active").click();
    harness.run();
    assert!(harness.query_by_label("jawOpen").is_some());
    assert!(harness.query_by_label("eyeBlinkLeft").is_some(), "driven, though at 0 just now");
    assert!(harness.query_by_label("mouthFunnel").is_none());
    drag_slider(&mut harness, "jawOpen", 0.4, 0.0);
    assert!(harness.query_by_label("jawOpen").is_some(), "a row does not vanish from under the hand");
}

#[test]
fn any_number_can_be_typed() {
    let mut harness = window(head());
    for (typed, value) in [("1.5", 1.5), ("-0.5", -0.5), ("30%", 0.3)] {
        let number = at(&harness, "mouthPucker", 0.93);
        click(&mut harness, number);
        harness.event(Event::Text(typed.into()));
        harness.key_press(Key::Enter);
        harness.run_ok();
        assert!(
            near(harness.state().weight("mouthPucker"), value),
            "{typed}: {}",
            harness.state().weight("mouthPucker")
        );
    }
    harness.key_press(Key::Enter);
    harness.run_ok();
    harness.event(Event::Text("0.9".into()));
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(near(harness.state().weight("mouthPucker"), 0.3), "Esc leaves the value alone");
}

#[test]
fn double_click_resets() {
    let mut harness = window(head());
    drag_slider(&mut harness, "jawOpen", 0.2, 0.8);
    let name = at(&harness, "jawOpen", 0.4);
    harness.run_steps(60);
    harness.hover_at(name);
    for _ in 0..2 {
        harness.drag_at(name);
        harness.event(Event::PointerButton {
            pos: name,
            button: egui::PointerButton::Primary,
            pressed: false,
            modifiers: Modifiers::NONE,
        });
    }
    harness.run_ok();
    assert_eq!(harness.state().weight("jawOpen"), 0.0);
}

#[test]
fn keys_and_wheel_move_the_slider_in_focus() {
    let mut harness = window(head());
    harness.get_by_label("jawForward").focus();
    harness.run_ok();
    let mut press = |modifiers, key| {
        harness.key_press_modifiers(modifiers, key);
        harness.run_ok();
        harness.state().weight("jawForward")
    };
    assert!((press(Modifiers::NONE, Key::ArrowRight) - 0.01).abs() < 1e-6);
    assert!((press(Modifiers::SHIFT, Key::ArrowRight) - 0.11).abs() < 1e-6);
    assert!((press(Modifiers::NONE, Key::ArrowLeft) - 0.10).abs() < 1e-6);
    assert_eq!(harness.state().session.playback.time_secs, 2.0, "arrows step the clip only when nothing is in focus");
    let over = at(&harness, "jawForward", 0.5);
    harness.hover_at(over);
    let wheel = |notches| Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: Vec2::new(0.0, notches),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    };
    harness.event(wheel(2.0));
    harness.run_ok();
    assert!(near(harness.state().weight("jawForward"), 0.14), "{}", harness.state().weight("jawForward"));
    let elsewhere = at(&harness, "jawOpen", 0.5);
    harness.hover_at(elsewhere);
    harness.event(wheel(2.0));
    harness.run_ok();
    assert_eq!(harness.state().weight("jawOpen"), 0.0, "a slider that is not in focus leaves the wheel to the list");
    harness.key_press(Key::Home);
    harness.run_ok();
    assert_eq!(harness.state().weight("jawForward"), 0.0);
}

#[test]
fn modes_switch_by_key_and_combo_box_unless_unavailable() {
    let mut harness = window(head());
    harness.key_press(Key::Num1);
    harness.run();
    assert_eq!(harness.state().session.mode, BlendMode::Cpu);
    harness.key_press(Key::Num4);
    harness.run();
    assert_eq!(harness.state().session.mode, BlendMode::Cpu, "multi-pass is unavailable here");
    harness.get_by_label("Blend mode").click();
    harness.run();
    harness.get_by_label_contains("Vertex shader").click();
    harness.run();
    assert_eq!(harness.state().session.mode, BlendMode::Vertex);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_ok();
    harness.key_press(Key::Num3);
    harness.event(Event::Text("3".into()));
    harness.run_ok();
    assert_eq!(harness.state().session.mode, BlendMode::Vertex, "digits typed into the search are no shortcuts");
    assert_eq!(harness.state().state.search, "3");
}

#[test]
fn a_drag_is_one_step_of_undo_and_so_is_a_burst_of_keys() {
    let mut harness = window(head());
    drag_slider(&mut harness, "jawOpen", 0.1, 0.7);
    drag_slider(&mut harness, "jawForward", 0.1, 0.5);
    for _ in 0..5 {
        harness.key_press(Key::ArrowRight);
    }
    harness.run_steps(60);
    let undo = |harness: &mut Harness<'static, App>, modifiers: Modifiers| {
        harness.key_press_modifiers(modifiers, Key::Z);
        harness.run_ok();
        (harness.state().weight("jawOpen"), harness.state().weight("jawForward"))
    };
    let redo = Modifiers::COMMAND | Modifiers::SHIFT;
    let (open, forward) = undo(&mut harness, Modifiers::COMMAND);
    assert!(near(open, 0.7) && near(forward, 0.5), "five keys at once: {open} {forward}");
    let (open, forward) = undo(&mut harness, Modifiers::COMMAND);
    assert!(near(open, 0.7) && forward == 0.0, "a whole drag: {open} {forward}");
    assert_eq!(undo(&mut harness, Modifiers::COMMAND), (0.0, 0.0));
    assert_eq!(undo(&mut harness, Modifiers::COMMAND), (0.0, 0.0), "nothing further back");
    let (open, forward) = undo(&mut harness, redo);
    assert!(near(open, 0.7) && forward == 0.0, "{open} {forward}");
    drag_slider(&mut harness, "Key intensity", 0.4, 0.9);
    assert!(near(harness.state().session.edits.look.key.intensity, 5.4));
    assert!(!harness.state().session.can_redo(), "a new edit drops what was ahead");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert_eq!(harness.state().session.edits.look, Look::default(), "lights are undone as well");
}

#[test]
fn a_window_left_alone_edits_nothing() {
    let mut harness = window(head());
    harness.run_steps(30);
    assert!(!harness.state().session.can_undo());
    assert_eq!(harness.state().session.edits.look, Look::default());
    assert!(harness.state().commands.is_empty());
    assert!(!harness.state().state.interacting);
}

#[test]
fn reset_all_keeps_the_look_and_can_be_undone() {
    let mut harness = window(head());
    drag_slider(&mut harness, "jawOpen", 0.1, 0.7);
    drag_slider(&mut harness, "Gloss", 0.4, 0.9);
    let look = harness.state().session.edits.look;
    harness.get_by_label("Reset all").click();
    harness.run();
    assert_eq!(harness.state().weight("jawOpen"), 0.0);
    assert_eq!(harness.state().session.edits.look, look);
    assert_ne!(look, Look::default());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert!(near(harness.state().weight("jawOpen"), 0.7));
}

#[test]
fn five_hundred_channels_lay_out_only_what_is_in_sight() {
    let names: Vec<String> = (0..500).map(|index| format!("brow{index:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let head = Head::new("big".into(), vec![mesh("face", &names)], Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let harness = window(Arc::new(head));
    let rows = harness.state().state.laid_out_rows;
    assert!(rows > 20 && rows < 40, "{rows} of 251 rows");
    assert!(harness.query_by_label("brow000").is_some() && harness.query_by_label("brow499").is_none());
    assert!(harness.query_by_label("Play").is_some());
}

#[test]
fn the_clip_is_played_scrubbed_and_put_away() {
    let mut harness = window(head());
    harness.key_press(Key::Space);
    harness.run();
    assert!(harness.state().session.is_playing());
    let (from, to) = (at(&harness, "Time", 0.1), at(&harness, "Time", 0.5));
    drag(&mut harness, from, to, Modifiers::NONE);
    let app = harness.state();
    assert!((app.session.playback.time_secs - 4.0).abs() < 0.05 && app.session.playback.playing);
    harness.state_mut().session.advance(1.0);
    assert!((harness.state().session.playback.time_secs - 5.0).abs() < 0.05);
    harness.key_press(Key::L);
    harness.run();
    assert!(!harness.state().session.playback.looping);
    harness.state_mut().session.advance(60.0);
    assert!(!harness.state().session.playback.playing, "stops at the end");
    harness.run();
    harness.get_by_label("Play").click();
    harness.run();
    assert_eq!(harness.state().session.playback.time_secs, 0.0, "play at the end starts over");
    harness.get_by_label("Clip").click();
    harness.run();
    harness.get_by_label("No clip").click();
    harness.run();
    let blink = harness.state().channel("eyeBlinkLeft");
    assert_eq!(harness.state().session.driver(blink), Driver::Manual);
}

#[test]
fn the_picture_turns_moves_and_zooms_under_the_hand() {
    let mut harness = window(head());
    let middle = harness.get_by_label("Picture of the head").rect().center();
    let before = harness.state().session.camera;
    drag(&mut harness, middle, middle + Vec2::new(80.0, 0.0), Modifiers::NONE);
    let turned = harness.state().session.camera;
    assert!(turned.yaw != before.yaw && turned.target_in_world == before.target_in_world);
    drag(&mut harness, middle, middle + Vec2::new(80.0, 0.0), Modifiers::SHIFT);
    let moved = harness.state().session.camera;
    assert!(moved.yaw == turned.yaw && moved.target_in_world != turned.target_in_world);
    harness.hover_at(middle);
    harness.event(Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: Vec2::new(0.0, 3.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    harness.run_ok();
    assert!(harness.state().session.camera.distance < moved.distance);
    harness.key_press(Key::Q);
    harness.key_press(Key::F);
    harness.run_ok();
    let framed = harness.state().session.camera;
    assert_eq!((framed.yaw, framed.target_in_world), (0.0, harness.state().session.head.focus.center()));
    let [width, height] = harness.state().state.viewport_size_px;
    assert!(width > 800 && height > 800, "{width}×{height}");
}

#[test]
fn what_leaves_the_process_is_a_command() {
    let mut harness = window(head());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::O);
    harness.run();
    harness.get_by_label("Readout").click();
    harness.run();
    harness.get_by_label("Measure error").click();
    harness.run();
    harness.state_mut().loading = Loading::Failed { name: "x.glb".into(), message: "It is empty.".into() };
    harness.run();
    harness.get_by_label("Dismiss").click();
    harness.run();
    harness.state_mut().loading = Loading::Busy { name: "x.glb".into(), stage: "reading".into(), fraction: 0.5 };
    harness.run();
    harness.get_by_label("Cancel").click();
    harness.run();
    let expected = [Command::OpenDialog, Command::MeasureError, Command::DismissFailure, Command::CancelLoad];
    assert_eq!(harness.state().commands, expected);
}

#[test]
fn another_head_keeps_mode_and_look_and_forgets_the_rest() {
    let mut harness = window(head());
    drag_slider(&mut harness, "jawOpen", 0.1, 0.7);
    drag_slider(&mut harness, "Gloss", 0.4, 0.9);
    harness.get_by_label("Unfold jawOpen").click();
    harness.run();
    let look = harness.state().session.edits.look;
    let other =
        Head::new("other".into(), vec![mesh("face", &["smile"])], Vec::new(), Vec::new(), Vec::new(), Vec::new());
    harness.state_mut().session.replace_head(Arc::new(other), Source::File("other.glb".into()));
    harness.run();
    let app = harness.state();
    assert_eq!((app.session.mode, app.session.edits.look), (BlendMode::Compute, look));
    assert!(!app.session.can_undo() && app.state.expanded.is_empty());
    assert!(harness.query_by_label("smile").is_some() && harness.query_by_label("jawOpen").is_none());
}

#[test]
fn the_list_of_keys_opens_and_closes() {
    let mut harness = window(head());
    harness.key_press(Key::Questionmark);
    harness.run();
    assert!(harness.query_by_label("Drag the picture").is_some());
    harness.key_press(Key::Escape);
    harness.run();
    assert!(harness.query_by_label("Drag the picture").is_none());
}
