//! What the window shows, as a file, for programs that drive the window. The tests find in it where a widget is, and
//! whether the window is idle.
//!
//! If the environment variable `SMIRK_STATE_FILE` names a file, the window writes it as JSON after every frame in which
//! any of it has changed. Without the variable, egui describes no widgets and nothing is written.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use egui::accesskit::{Node, NodeId, Role, Toggled};
use serde::Serialize;

use super::Viewer;
use crate::window::egui_window::EguiWindow;
use crate::window::frame_schedule::FrameSchedule;
use smirk_scene::BlendMode;

const VARIABLE: &str = "SMIRK_STATE_FILE";

pub(super) struct StateFile {
    path: PathBuf,
    frames: u64,
    last: Option<State>,
}

impl StateFile {
    pub(super) fn requested() -> Option<Self> {
        let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty())?;
        Some(Self { path: path.into(), frames: 0, last: None })
    }

    /// Writes the state after a frame, unless it is that of the frame before. A reader finds a whole file at any time.
    fn write(&mut self, state: State) -> std::io::Result<()> {
        self.frames += 1;
        if self.last.as_ref() == Some(&state) {
            return Ok(());
        }
        let temporary = self.path.with_extension("part");
        let state = self.last.insert(state);
        std::fs::write(&temporary, serde_json::to_vec(&NumberedState { frame: self.frames, state })?)?;
        std::fs::rename(&temporary, &self.path)
    }
}

#[derive(Serialize)]
struct NumberedState<'a> {
    frame: u64,
    #[serde(flatten)]
    state: &'a State,
}

#[derive(PartialEq, Serialize)]
struct State {
    title: String,
    /// The picture is complete and as fine as it becomes, the panels do not move, and no job is running that would
    /// change either.
    is_at_rest: bool,
    is_focused: bool,
    /// Where the pointer is, in physical pixels of the window. All input before its last movement was handled.
    pointer: Option<[f32; 2]>,
    mode: BlendMode,
    is_playing: bool,
    play_head_secs: f32,
    channels: BTreeMap<String, f32>,
    poses: Vec<String>,
    /// The times and values of the keys of every channel that has any.
    keys: BTreeMap<String, Vec<[f32; 2]>>,
    selected_keys: usize,
    widgets: Vec<Widget>,
}

#[derive(PartialEq, Serialize)]
struct Widget {
    role: String,
    name: String,
    text: Option<String>,
    number: Option<f64>,
    /// Left, top, right and bottom, in physical pixels of the window.
    rect: [f32; 4],
    is_focused: bool,
    is_disabled: bool,
    is_on: Option<bool>,
}

impl Viewer {
    /// Writes what the window shows after a frame, if the environment asks for it.
    pub(super) fn write_state(&mut self, schedule: &FrameSchedule) {
        if self.state_file.is_none() {
            return;
        }
        let state = self.state(schedule);
        if let Some(file) = &mut self.state_file
            && let Err(error) = file.write(state)
        {
            log::warn!("{} cannot be written: {error}", file.path.display());
        }
    }

    fn state(&self, schedule: &FrameSchedule) -> State {
        let session = &self.document.session;
        let mix = session.mix();
        let channels = session.head.channels.iter().enumerate();
        let keys = session.keys().channels().map(|channel| {
            let keys = session.keys().keys_of(channel).iter().map(|key| [key.time_secs, key.value]);
            (channel.to_owned(), keys.collect())
        });
        let context = self.egui_window.context();
        let pointer = context.input(|input| input.pointer.latest_pos());
        State {
            title: self.title.clone(),
            is_at_rest: self.is_at_rest(schedule),
            is_focused: self.window.has_focus(),
            pointer: pointer.map(|at| [at.x, at.y].map(|position| position * context.pixels_per_point())),
            mode: session.mode,
            is_playing: session.clock.timeline.playing,
            play_head_secs: session.clock.timeline.time_secs,
            channels: channels
                .map(|(index, channel)| (channel.name.clone(), session.head.channel_value(index, &mix.weights)))
                .collect(),
            poses: session.edits.poses.iter().map(|pose| pose.name.clone()).collect(),
            keys: keys.collect(),
            selected_keys: self.panels.of_head(&session.head).map_or(0, |panels| panels.curves.selected_keys()),
            widgets: widgets(&self.egui_window),
        }
    }

    fn is_at_rest(&self, schedule: &FrameSchedule) -> bool {
        let FrameSchedule { is_changing, is_loading, is_full_quality_due, egui_delay, .. } = *schedule;
        let panels_move = egui_delay == Duration::ZERO || self.has_requested_frame.get() || self.jobs.fonts.is_busy();
        let picture_changes = is_changing || is_full_quality_due || !self.viewport.renderer.has_picture();
        let jobs_run = self.is_occupied()
            || self.jobs.deltas.is_busy()
            || self.jobs.has_pictures_to_draw(&self.ui)
            || self.jobs.reference.is_busy(&self.document.session);
        !panels_move && !picture_changes && !jobs_run && !is_loading && self.file_queue.is_empty()
    }
}

/// The widgets of the last frame that have a name or a text.
fn widgets(window: &EguiWindow) -> Vec<Widget> {
    let Some(update) = window.widgets() else { return Vec::new() };
    let nodes: BTreeMap<NodeId, &Node> = update.nodes.iter().map(|(id, node)| (*id, node)).collect();
    let scale = window.context().pixels_per_point();
    let shown = update.nodes.iter().filter(|(_, node)| node.role() != Role::TextRun);
    let widgets = shown.filter_map(|(id, node)| {
        let bounds = node.bounds()?;
        let own_name = node.label().or(node.value().filter(|_| node.role() == Role::Label));
        let mut labels = node.labelled_by().iter().filter_map(|id| nodes.get(id));
        let other_name = labels.find_map(|label| label.label().or(label.value()));
        let name = own_name.or(other_name).or(node.placeholder()).unwrap_or_default();
        let text = node.value().filter(|_| node.role() != Role::Label);
        (!name.is_empty() || text.is_some()).then(|| Widget {
            role: format!("{:?}", node.role()),
            name: name.to_owned(),
            text: text.map(str::to_owned),
            number: node.numeric_value(),
            rect: [bounds.x0, bounds.y0, bounds.x1, bounds.y1].map(|position| position as f32 * scale),
            is_focused: *id == update.focus,
            is_disabled: node.is_disabled(),
            is_on: node.toggled().map(|toggled| toggled == Toggled::True),
        })
    });
    widgets.collect()
}
