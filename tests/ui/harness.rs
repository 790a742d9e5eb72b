//! A test head, the panels in a kittest harness, and functions that drag and click.

pub use std::path::PathBuf;
pub use std::sync::Arc;

pub use egui::{Event, Key, Modifiers, MouseWheelUnit, Pos2, Vec2};
pub use egui_kittest::Harness;
pub use egui_kittest::kittest::Queryable;
pub use glam::Vec3;

use egui::accesskit::Role;

use crate::renderer::PanelRenderer;
use smirk_analysis::Marked;
use smirk_analysis::judge::Judged;
pub use smirk_analysis::lint::Finding;
use smirk_analysis::lint::{Settings, lint};
use smirk_base::derived::Derived;
pub use smirk_base::job::JobStatus as Status;
pub use smirk_editor::document::DocumentStatus;
pub use smirk_face::head::{
    Asset, Clip, Curve, Head, HeadId, Interpolation, Kind, LocalTransform, Mesh, Node, NodePath, NodeTrack, Note,
    OfHead, Part, Rig, Subject, Target, Track, Trs, Vertices,
};
pub use smirk_face::motion::{PoseId, Take, TakeColumn};
pub use smirk_graphics::blend::{Memory, Precision};
pub use smirk_picture::render::TimingClock;
pub use smirk_scene::{BlendMode, Look, Quality};
pub use smirk_session::{HeadSource, Session};
pub use smirk_ui::{Answer, Command, ExportView, LiveView, Notice, Prompt, SheetStatus, SoundState};
use smirk_ui::{ChannelList, CurvesPanel, VisiblePictures};
pub use smirk_ui::{Panels, Readings, Readout, Thumbnails, UiState, theme};

/// A triangle with targets of these names, each moving one vertex.
pub fn mesh(name: &str, targets: &[&str]) -> Mesh {
    let corners = [Vec3::ZERO, Vec3::X * 0.1, Vec3::Y * 0.2];
    let target =
        |name: &&str| Target::from_dense((*name).into(), 0.0, &[Vec3::X * 0.01, Vec3::ZERO, Vec3::ZERO], &[], &[]);
    Mesh {
        name: name.into(),
        vertices: Vertices { positions: corners.to_vec(), normals: vec![Vec3::Z; 3], ..Vertices::default() },
        indices: vec![0, 1, 2],
        parts: vec![Part { first_index: 0, index_count: 3, material: 0, flat_shaded: false }],
        targets: targets.iter().map(target).collect(),
        ..Mesh::default()
    }
}

pub const FACE: &[&str] = &[
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

/// Four meshes that share target names. The clip animates both blinks; its values for all other targets stay 0.
pub fn head() -> Arc<Head> {
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
        Note::info(Subject::named(Kind::Image, "skin"), "Converted from 16 to 8 bits a channel."),
        Note::warning(
            Subject::named(Kind::Mesh, "face").part(Subject::NumberedAndNamed(
                Kind::Target,
                3,
                "browOuterUpLeft".into(),
            )),
            "Has no NORMAL: the base normals are kept, so shading lags behind.",
        ),
    ];
    Arc::new(Head::new(Asset {
        name: "ada_head".into(),
        meshes,
        clips: vec![Clip::new("Blink".into(), tracks)],
        notes,
        ..Asset::default()
    }))
}

/// A face on a node, and a clip that only rotates the node.
pub fn nodding_head() -> Arc<Head> {
    let node = Node { name: "neck".into(), parent: None, rest: LocalTransform::Trs(Trs::IDENTITY) };
    let values = [[0.0, 0.0, 0.0, 1.0], [0.6, 0.0, 0.0, 0.8]].concat();
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 8.0], values, 4).unwrap();
    let track = NodeTrack { node: 0, path: NodePath::Rotation, curve };
    Arc::new(Head::new(Asset {
        name: "nodding_head".into(),
        meshes: vec![Mesh { node: Some(0), ..mesh("face", FACE) }],
        rig: Rig { nodes: vec![node], ..Rig::default() },
        clips: vec![Clip::new("Nod".into(), vec![]).with_node_tracks(vec![track])],
        ..Asset::default()
    }))
}

pub struct App {
    pub session: Session,
    pub state: UiState,
    pub panels: Panels,
    pub readout: Readout,
    pub notice: Notice,
    pub status: Option<String>,
    pub problem: Option<String>,
    pub sheet: Option<SheetStatus>,
    pub version_sheet: Option<(&'static str, f32)>,
    pub export: ExportView,
    pub prompt: Option<Prompt>,
    pub document: DocumentStatus,
    pub recent: Vec<PathBuf>,
    pub thumbnails: OfHead<Thumbnails>,
    /// The picture of the reference or why there is none, and the number of its frames.
    pub reference: Option<(Result<Arc<image::RgbaImage>, String>, usize)>,
    pub findings: OfHead<Vec<Finding>>,
    pub marked: Option<Arc<Marked>>,
    pub is_file_hovering: bool,
    pub commands: Vec<Command>,
    pub has_theme: bool,
}

impl App {
    pub fn new(head: Arc<Head>) -> Self {
        let findings = OfHead::with(&head, Vec::new());
        let mut session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Compute);
        session.clock.timeline.playing = false;
        session.clock.timeline.time_secs = 2.0;
        let readout = Readout {
            adapter: "llvmpipe (LLVM 15.0.6, 256 bits), Vulkan".into(),
            is_software: true,
            frame_ms: Some(31.2),
            blend_ms: Some((0.42, TimingClock::Gpu)),
            draw_ms: Some(18.3),
            quality: Quality { msaa: 1, scale: 0.6, samples: 0 },
            memory: Memory {
                precision: Precision::Packed,
                delta_bytes: 5_300_000,
                cpu_bytes: 8_200_000,
                gpu_bytes: 12_400_000,
            },
            error: None,
            measuring: Status::Idle,
            unavailable_modes: vec![(BlendMode::Multipass, "The adapter cannot write storage buffers.".into())],
        };
        Self {
            session,
            state: UiState::default(),
            panels: Panels::default(),
            readout,
            notice: Notice::Idle,
            status: None,
            problem: None,
            sheet: None,
            version_sheet: None,
            export: ExportView::default(),
            prompt: None,
            document: DocumentStatus::default(),
            recent: vec!["/heads/ict_facekit.glb".into()],
            thumbnails: OfHead::default(),
            reference: None,
            findings,
            marked: None,
            is_file_hovering: false,
            commands: Vec::new(),
            has_theme: false,
        }
    }

    pub fn weight(&self, name: &str) -> f32 {
        self.session.head.channel_value(self.channel(name), &self.session.weights())
    }

    pub fn pose(&self, name: &str) -> PoseId {
        self.session.edits.poses.iter().find(|pose| pose.name == name).unwrap().id
    }

    pub fn channel(&self, name: &str) -> usize {
        self.session.head.channel_named(name).unwrap()
    }

    pub fn list(&self) -> &ChannelList {
        &self.panels.of_head(&self.session.head).unwrap().channels
    }

    pub fn list_mut(&mut self) -> &mut ChannelList {
        &mut self.panels.of_head_mut(&self.session.head).channels
    }

    pub fn curves(&self) -> &CurvesPanel {
        &self.panels.of_head(&self.session.head).unwrap().curves
    }

    /// The lint of the open head has found this.
    pub fn find(&mut self, findings: Vec<Finding>) {
        self.findings = OfHead::with(&self.session.head, findings);
    }

    /// These combinations of the open head were tried.
    pub fn try_combinations(&mut self, judged: Vec<Judged>) {
        let head = self.session.head.clone();
        self.tried().set(HeadId::new(&head), Arc::new(OfHead::with(&head, judged)));
    }

    pub fn tried(&mut self) -> &mut Derived<HeadId, Arc<OfHead<Vec<Judged>>>> {
        &mut self.panels.of_head_mut(&self.session.head).side.report.tried
    }

    pub fn thumbnails_mut(&mut self) -> &mut Thumbnails {
        self.thumbnails.get_or_default(&self.session.head)
    }

    pub fn visible_pictures(&self) -> &VisiblePictures {
        self.state.visible_pictures.get(&self.session.head).unwrap()
    }
}

pub fn show(ui: &mut egui::Ui, app: &mut App) {
    if !std::mem::replace(&mut app.has_theme, true) {
        theme::install(ui.ctx());
        ui.ctx().request_discard("the theme was set in this frame");
        return;
    }
    // As the window does, which takes a moment for it.
    let before = app.session.head.clone();
    app.session.mend();
    if !Arc::ptr_eq(&before, &app.session.head) {
        app.panels.follow_reload(&before, &app.session.head);
        let found = lint(&app.session.head, &Settings::default());
        app.findings = OfHead::with(&app.session.head, found);
    }
    let reference = app.reference.as_ref().map(|(frame, count)| smirk_ui::ReferenceView {
        count: *count,
        frame: 0,
        image: frame.as_ref().ok(),
        problem: frame.as_ref().err().map(String::as_str),
    });
    let readings = Readings {
        readout: &app.readout,
        notice: &app.notice,
        status: app.status.as_deref(),
        problem: app.problem.as_deref(),
        sheet: app.sheet,
        version_sheet: app.version_sheet,
        export: &app.export,
        prompt: app.prompt.as_ref(),
        document: &app.document,
        recent: &app.recent,
        thumbnails: &app.thumbnails,
        reference: reference.as_ref(),
        findings: Some(&app.findings),
        marked: app.marked.as_deref(),
        notifier: &|| Box::new(|| {}),
        is_file_hovering: app.is_file_hovering,
    };
    let commands = app.panels.show(ui, &mut app.session, &mut app.state, &readings);
    app.commands.extend(commands);
}

pub fn window_of(size: Vec2, app: App) -> Harness<'static, App> {
    window_at(1.0, size, app)
}

/// A window of so many points, on a screen with so many pixels a point.
pub fn window_at(pixels_per_point: f32, size: Vec2, app: App) -> Harness<'static, App> {
    let mut harness = Harness::builder()
        .with_pixels_per_point(pixels_per_point)
        .with_size(size + Vec2::splat(16.0))
        .renderer(PanelRenderer::new())
        .with_max_steps(30)
        .with_step_dt(1.0 / 60.0)
        // The fonts of other scripts are those of the system, which the tests do not search.
        .allow_missing_glyphs()
        .build_ui_state(show, app);
    harness.run();
    harness
}

pub fn window(head: Arc<Head>) -> Harness<'static, App> {
    window_of(Vec2::new(1600.0, 1000.0), App::new(head))
}

pub fn drag(harness: &mut Harness<'static, App>, from: Pos2, to: Pos2, modifiers: Modifiers) {
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

/// Starts a drag without ending it.
pub fn drag_towards(harness: &mut Harness<'static, App>, from: Pos2, to: Pos2) {
    harness.hover_at(from);
    harness.drag_at(from);
    harness.run_ok();
    for step in 1..=4 {
        harness.hover_at(from.lerp(to, step as f32 / 4.0));
        harness.run_ok();
    }
}

/// The point of a slider at a fraction of its width.
pub fn at(harness: &Harness<'static, App>, label: &str, fraction: f32) -> Pos2 {
    let rect = harness.get_by_label(label).rect();
    egui::pos2(egui::lerp(rect.x_range(), fraction), rect.center().y)
}

pub fn drag_slider(harness: &mut Harness<'static, App>, label: &str, from: f32, to: f32) {
    let (from, to) = (at(harness, label, from), at(harness, label, to));
    drag(harness, from, to, Modifiers::NONE);
}

pub fn click(harness: &mut Harness<'static, App>, pos: Pos2) {
    harness.hover_at(pos);
    harness.drag_at(pos);
    harness.drop_at(pos);
    harness.run_ok();
}

/// Clicks with the right button.
pub fn right_click(harness: &mut Harness<'static, App>, pos: Pos2) {
    harness.hover_at(pos);
    for pressed in [true, false] {
        let button = egui::PointerButton::Secondary;
        harness.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
    }
    harness.run_ok();
}

/// A turn of the wheel.
pub fn wheel(unit: MouseWheelUnit, distance: f32, modifiers: Modifiers) -> Event {
    let (phase, source) = (egui::TouchPhase::Move, egui::MouseWheelSource::Wheel);
    Event::MouseWheel { unit, delta: Vec2::new(0.0, distance), phase, source, modifiers }
}

/// Clicks an item of a menu, whose name a tab on the right may have too.
pub fn press_in_menu(harness: &mut Harness<'static, App>, name: &str) {
    let items = harness.get_all_by_label(name);
    items.min_by(|a, b| a.rect().left().total_cmp(&b.rect().left())).unwrap().click();
    harness.run_ok();
}

/// Clicks what has a label, until the window is at rest again.
pub fn press(harness: &mut Harness<'_, App>, label: &str) {
    harness.get_by_label(label).click();
    harness.run_ok();
}

/// Opens a drop-down list and chooses one of its entries.
pub fn choose_in_list(harness: &mut Harness<'_, App>, list: &str, choice: &str) {
    harness.get_by_role_and_label(Role::ComboBox, list).click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, choice).click();
    harness.run();
}

pub fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 0.01
}
