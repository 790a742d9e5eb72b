//! What the window remembers from frame to frame and the session does not: which rows are open, what is searched for.

use std::collections::HashSet;
use std::sync::{Arc, Weak};

use serde::{Deserialize, Serialize};

use crate::head::{Head, Region};
use crate::import::Matching;
use crate::motion::PoseId;
use crate::session::Session;

use super::curves::CurvesState;
use super::poses::{PosePictures, Renaming};
use super::widgets::PanelSize;

/// The page of the right panel on top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Page {
    /// Faces by name.
    #[default]
    Poses,
    /// Takes, sequence, blinks, blend rule.
    Motion,
    /// Light and surface.
    Look,
    /// Figures.
    Readout,
    /// What opening the file took, and what was found in it.
    #[serde(alias = "notes")]
    Report,
}

/// How the window is divided. Saved with the settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelSettings {
    /// Of the channel list, in points.
    pub left_width: f32,
    /// Of the right panel, in points.
    pub right_width: f32,
    /// Whether the channel list is shown.
    pub left_open: bool,
    /// Whether the right panel is shown.
    pub right_open: bool,
    /// Of the curves, in points.
    pub curves_height: f32,
    /// Whether the curves are shown.
    pub curves_open: bool,
    /// What the right panel shows.
    pub page: Page,
}

impl Default for PanelSettings {
    fn default() -> Self {
        Self {
            left_width: 464.0,
            right_width: 288.0,
            left_open: true,
            right_open: true,
            curves_height: 236.0,
            curves_open: false,
            page: Page::Poses,
        }
    }
}

/// The window's own state.
#[derive(Debug, Default)]
pub struct UiState {
    /// How the window is divided.
    pub panels: PanelSettings,
    /// Only channels whose names have all these words are listed.
    pub search: String,
    /// Only channels that move something are listed.
    pub only_active: bool,
    /// Regions whose rows are hidden.
    pub folded: HashSet<Region>,
    /// Channels whose single targets are listed.
    pub expanded: HashSet<usize>,
    /// The curves panel.
    pub curves: CurvesState,
    /// Whether the list of shortcuts covers the window.
    pub shortcuts_open: bool,
    /// How imported shapes are matched.
    pub matching: Matching,
    /// Out: where the picture shines through, left and top edge, in physical pixels.
    pub viewport_min_px: [u32; 2],
    /// Out: how large it should be, in physical pixels.
    pub viewport_size_px: [u32; 2],
    /// Out: the hand moves something just now; a quick picture beats a fine one.
    pub interacting: bool,
    /// Out: rows of the channel list that were laid out in this frame.
    pub laid_out_rows: usize,
    /// Out: the poses whose cards were laid out in this frame; their pictures are wanted first.
    pub poses_in_sight: Vec<PoseId>,
    /// The channel whose row is under the pointer, else the one in focus: what keys are about.
    pub(super) row_at_hand: Option<usize>,
    /// The pose whose name is being typed.
    pub(super) renaming: Option<Renaming>,
    /// The pose whose card is being dragged.
    pub(super) lifted_pose: Option<PoseId>,
    /// The pose to scroll to.
    pub(super) revealed_pose: Option<PoseId>,
    /// Pictures of poses as the window paints them.
    pub(super) pose_pictures: PosePictures,
    /// The channel to scroll to.
    pub(super) revealed_channel: Option<usize>,
    /// Findings whose names are all listed, by their place in the report.
    pub(super) unfolded_findings: HashSet<usize>,
    /// The search field gets the keyboard in the next frame.
    pub(super) wants_search: bool,
    /// The pair under the hand: it stays listed, whatever the filter says.
    pub(super) touched_pair: Option<usize>,
    /// When keys or a wheel last changed something: more of the same belongs to the same step of undo.
    pub(super) nudged_at_secs: Option<f64>,
    /// The row that refused the hand, and when: for a while it says why.
    pub(super) refused: Option<(usize, f64)>,
    pub(super) left_size: PanelSize,
    pub(super) curves_size: PanelSize,
    head: Weak<Head>,
}

impl UiState {
    /// A window divided as it was last time.
    pub fn new(panels: PanelSettings) -> Self {
        Self { panels, ..Self::default() }
    }

    /// Width of the picture over its height.
    pub(super) fn aspect(&self) -> f32 {
        let [width, height] = self.viewport_size_px;
        if height == 0 { 1.0 } else { width as f32 / height as f32 }
    }

    /// Keeps what is on screen as a pose, opens its name for typing and scrolls to its card.
    pub(super) fn keep_face(&mut self, session: &mut Session) {
        let id = session.keep_pose("");
        self.renaming = Renaming::begin(session, id);
        self.revealed_pose = Some(id);
    }

    /// Shows a channel in the list, whatever hides it, and puts the focus on it.
    pub(super) fn reveal(&mut self, head: &Head, channel: usize) {
        self.panels.left_open = true;
        self.search.clear();
        self.only_active = false;
        self.folded.remove(&head.channels[channel].region);
        self.revealed_channel = Some(channel);
    }

    /// Forgets what was about another head's channels and poses.
    pub(super) fn follow(&mut self, head: &Arc<Head>) {
        if !std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head)) {
            self.head = Arc::downgrade(head);
            self.folded.clear();
            self.expanded.clear();
            self.search.clear();
            self.only_active = false;
            self.touched_pair = None;
            self.row_at_hand = None;
            self.refused = None;
            self.renaming = None;
            self.lifted_pose = None;
            self.revealed_pose = None;
            self.revealed_channel = None;
            self.unfolded_findings.clear();
            self.curves = CurvesState::default();
        }
    }
}
