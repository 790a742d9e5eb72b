//! The window's contents, driven by label through egui_kittest: what the hand does, and what the session then holds.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Event, Key, Modifiers, MouseWheelUnit, Pos2, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
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
    let target = |name: &&str| {
        Target::from_dense((*name).into(), 0.0, &[Vec3::X * 0.01, Vec3::ZERO, Vec3::ZERO], &[], &[])
    };
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
    "browDownLeft", "browDownRight", "browInnerUp", "browOuterUpLeft", "browOuterUpRight",
    "eyeBlinkLeft", "eyeBlinkRight", "eyeLookDownLeft", "eyeLookDownRight", "eyeSquintLeft", "eyeSquintRight",
    "eyeWideLeft", "eyeWideRight", "cheekPuff", "cheekSquintLeft", "cheekSquintRight", "noseSneerLeft",
    "noseSneerRight", "mouthLeft", "mouthRight", "mouthSmileLeft", "mouthSmileRight", "mouthFrownLeft",
    "mouthFrownRight", "mouthStretchLeft", "mouthStretchRight", "mouthFunnel", "mouthPucker", "jawLeft", "jawRight",
    "jawOpen", "jawForward", "tongueOut",
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
        Note::warning("mesh \"face\", target 3 \"browOuterUpLeft\"", "Has no NORMAL: the base normals are kept, so shading lags behind."),
    ];
    Arc::new(Head::new("ada_head".into(), meshes, Vec::new(), Vec::new(), vec![Clip::new("Blink".into(), tracks)], notes))
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
    let mut harness = Harness::builder().with_size(size + Vec2::splat(16.0)).with_max_steps(12).build_ui_state(show, app);
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
        app.state.expanded.insert(jaw);
        let linked = app.session.pair_of(app.channel("cheekSquintLeft")).unwrap();
        app.session.edits.linked[linked] = true;
        let mut harness = window_of(size, app);
        let mut take = |harness: &mut Harness<'static, App>, what: &str| {
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
