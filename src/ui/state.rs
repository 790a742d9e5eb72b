//! The window's own state, which outlives a frame but is not part of the document: expanded rows, search text, panel
//! sizes.

use std::collections::HashSet;
use std::sync::{Arc, Weak};

use serde::{Deserialize, Serialize};

use smirk_editor::export::{ExportKind, ExportRequest, FilmFormat};
use smirk_editor::session::{LiveSetup, Session};
use smirk_face::head::{Head, Matching, Region};
use smirk_face::judge::Judged;
use smirk_face::motion::PoseId;
use smirk_files::audio::Loudness;

use super::comparison::ComparisonView;
use super::curves::CurvesState;
use super::export::ExportPage;
use super::motion::{LivePanel, TakeEditsState};
use super::poses::{PictureTextures, Renaming};
use super::reference::ReferencePane;
use super::shortcuts::Action;
use super::theme;
use super::unsaved_work::WorkList;
use super::viewport::Pointing;
use super::widgets::PanelSize;

/// What the pointer is over, as far as keys act on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointedAt {
    /// A row of the channel list, or a curve of the channel.
    Channel(usize),
    /// The name of a left and a right channel in the channel list, as an index into [`Head::pairs`].
    Pair(usize),
    /// The header of a region in the channel list.
    Region(Region),
    /// The card of a pose.
    Pose(PoseId),
}

/// A page of the right panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Page {
    /// Saved poses.
    #[default]
    Poses,
    /// Takes, sequence, blinking, gaze and the blend rule.
    Motion,
    /// Lights, shading and background.
    Look,
    /// Memory, times and accuracy.
    Readout,
    /// Notes of the import and problems found in the shapes.
    #[serde(alias = "notes")]
    Report,
    /// What is exported, and how.
    Export,
}

/// Sizes and visibility of the panels. Saved with the settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelSettings {
    /// Width of the channel list, in points.
    pub left_width: f32,
    /// Width of the right panel, in points.
    pub right_width: f32,
    /// Width of the pane of the reference, in points.
    pub reference_width: f32,
    /// Whether the channel list is shown.
    pub left_open: bool,
    /// Whether the right panel is shown.
    pub right_open: bool,
    /// Height of the curves panel, in points.
    pub curves_height: f32,
    /// Whether the curves panel is shown.
    pub curves_open: bool,
    /// The page that the right panel shows.
    pub page: Page,
    /// Whether the colours of the window differ more from each other.
    pub high_contrast: bool,
}

impl Default for PanelSettings {
    fn default() -> Self {
        Self {
            left_width: 464.0,
            right_width: theme::TABS_WIDTH,
            reference_width: 300.0,
            left_open: true,
            right_open: true,
            curves_height: 236.0,
            curves_open: false,
            page: Page::Poses,
            high_contrast: false,
        }
    }
}

/// The window's own state.
#[derive(Debug, Default)]
pub struct UiState {
    /// Sizes and visibility of the panels.
    pub panels: PanelSettings,
    /// Whether the head is read again when its file changes. Saved with the settings.
    pub reloads_head: bool,
    /// Search text of the channel list: only channels whose names contain all of its words are listed.
    pub search: String,
    /// Whether only active channels are listed.
    pub only_active: bool,
    /// Regions whose rows are hidden while the list is not filtered.
    pub collapsed_regions: HashSet<Region>,
    /// Regions whose rows are hidden while the list is searched or filtered. Each search begins with all of its results.
    pub(super) folded_results: HashSet<Region>,
    /// Channels that list one slider per mesh.
    pub expanded_channels: HashSet<usize>,
    /// How loud sounds are. Saved with the settings.
    pub loudness: Loudness,
    /// State of the curves panel.
    pub curves: CurvesState,
    /// What the Export page describes. Its request is saved with the settings.
    pub export: ExportPage,
    /// Live capture. Its setup is saved with the settings.
    pub live: LivePanel,
    /// Which edit of the selected take is shown.
    pub(super) take_edits: TakeEditsState,
    /// Whether the list of shortcuts covers the window.
    pub shortcuts_open: bool,
    /// The list of unsaved work.
    pub work_list: WorkList,
    /// How the vertices of imported shapes are matched.
    pub matching: Matching,
    /// Output: left and top edge of the viewport, in physical pixels.
    pub viewport_min_px: [u32; 2],
    /// How B is shown.
    pub comparison: ComparisonView,
    /// Output: left and top edge of the picture of B, while it is shown beside A at the same size.
    pub beside_min_px: Option<[u32; 2]>,
    /// Output: the opacity of the picture of B, while it is drawn over that of A.
    pub b_opacity: Option<f32>,
    /// Output: width and height of the viewport, or of the picture of A while B is beside it, in physical pixels.
    pub viewport_size_px: [u32; 2],
    /// Output: whether the picture shows what the face is compared with: B is held, and there is something.
    pub shows_b: bool,
    /// Whether B is held.
    pub(super) holds_b: bool,
    /// Output: whether the user is dragging or scrolling; the viewport then favours speed over quality.
    pub is_interacting: bool,
    /// Output: number of rows of the channel list that were laid out in this frame.
    pub laid_out_rows: usize,
    /// Output: poses whose cards were laid out in this frame; their thumbnails are rendered first.
    pub visible_poses: Vec<PoseId>,
    /// Output: combinations that are listed on the screen in this frame; their thumbnails are rendered next.
    pub visible_combinations: Vec<Judged>,
    /// What K, M and S act on: what is under the pointer, else the channel with keyboard focus.
    pub(super) pointed_at: Option<PointedAt>,
    /// What a key asked for while a text field had the keyboard focus. It is done when the field has taken its text.
    pub(super) after_typing: Option<Action>,
    /// The pose whose name is being edited.
    pub(super) renaming: Option<Renaming>,
    /// The pose whose card is being dragged.
    pub(super) dragged_pose: Option<PoseId>,
    pub(super) scroll_to_pose: Option<PoseId>,
    /// Thumbnails as egui textures.
    pub(super) picture_textures: PictureTextures,
    pub(super) scroll_to_channel: Option<usize>,
    /// What is under the pointer in the viewport.
    pub(super) pointing: Pointing,
    /// Indices of the findings that list all of their channels.
    pub(super) expanded_findings: HashSet<usize>,
    /// Whether all channels are listed that another version moves otherwise.
    pub(super) lists_all_moved: bool,
    /// Whether the search field takes the keyboard focus in the next frame.
    pub(super) search_focus_requested: bool,
    /// The pair that is being edited. It stays listed even if the filter excludes it.
    pub(super) edited_pair: Option<usize>,
    /// When arrow keys or the wheel last changed a value. Changes that follow soon belong to the same undo step.
    pub(super) nudged_at_secs: Option<f64>,
    /// The read-only channel that was last dragged, and when. Its row explains for a while why it does not move.
    pub(super) refused_row: Option<(usize, f64)>,
    /// Whether Esc is for something else than the search: at the end of the last frame, a widget had the keyboard focus, which egui
    /// takes away before the next frame begins, or a menu was open.
    pub(super) escape_is_taken: bool,
    /// Width of the longest name in the channel list of this head, once it was measured.
    pub(super) name_width: Option<f32>,
    /// The picture of the reference, and how it is looked at.
    pub(super) reference: ReferencePane,
    pub(super) left_panel: PanelSize,
    pub(super) curves_panel: PanelSize,
    head: Weak<Head>,
}

impl UiState {
    /// State with the panels, the request of the Export page, the setup of live capture and the choice of reloading as they were
    /// saved.
    pub fn new(panels: PanelSettings, export: ExportRequest, live: LiveSetup, reloads_head: bool) -> Self {
        Self { panels, export: ExportPage::new(export), live: LivePanel::new(live), reloads_head, ..Self::default() }
    }

    /// The format of the film that the Export page describes, while it is shown.
    pub fn wanted_film(&self) -> Option<FilmFormat> {
        let is_film = self.shows_page(Page::Export) && self.export.request.kind == ExportKind::Film;
        is_film.then_some(self.export.request.film)
    }

    /// Whether a page of the right panel is on screen.
    pub(super) fn shows_page(&self, page: Page) -> bool {
        self.panels.right_open && self.panels.page == page
    }

    /// Shows what was found about a version that was just opened.
    pub fn show_version(&mut self) {
        self.open_page(Page::Report);
    }

    /// Opens the right panel at a page.
    pub(super) fn open_page(&mut self, page: Page) {
        (self.panels.right_open, self.panels.page) = (true, page);
    }

    /// Width of the viewport divided by its height.
    pub(super) fn aspect(&self) -> f32 {
        let [width, height] = self.viewport_size_px;
        if height == 0 { 1.0 } else { width as f32 / height as f32 }
    }

    /// Saves the current face as a pose, starts editing its name and scrolls to its card.
    pub(super) fn save_pose(&mut self, session: &mut Session) {
        let id = session.store_pose("");
        self.renaming = Renaming::new(session, id);
        self.scroll_to_pose = Some(id);
    }

    /// The regions whose rows are hidden now.
    pub(super) fn folded_regions(&mut self) -> &mut HashSet<Region> {
        let is_filtered = self.only_active || !self.search.trim().is_empty();
        if is_filtered { &mut self.folded_results } else { &mut self.collapsed_regions }
    }

    /// Ends the search of the channel list.
    pub(super) fn clear_search(&mut self) {
        self.search.clear();
        self.folded_results.clear();
    }

    /// Shows a channel in the list even if a filter hides it, and gives it the keyboard focus.
    pub(super) fn reveal(&mut self, head: &Head, channel: usize) {
        self.panels.left_open = true;
        self.clear_search();
        self.only_active = false;
        self.collapsed_regions.remove(&head.channels[channel].region);
        self.scroll_to_channel = Some(channel);
    }

    /// Shows a channel in the list, and marks its row.
    pub(super) fn mark(&mut self, head: &Head, channel: usize) {
        self.pointing.marked = vec![channel];
        self.reveal(head, channel);
    }

    /// Keeps what is open, searched and selected when the same head was read again. Channels are found by name.
    pub fn follow_reload(&mut self, before: &Head, head: &Arc<Head>) {
        let new_of = |channel: usize| head.channel_named(&before.channels.get(channel)?.full_name);
        self.head = Arc::downgrade(head);
        self.expanded_channels = self.expanded_channels.iter().filter_map(|&channel| new_of(channel)).collect();
        self.curves.follow_reload(new_of);
        self.name_width = None;
        self.edited_pair = None;
        self.pointed_at = None;
        self.refused_row = None;
        self.scroll_to_channel = None;
        self.expanded_findings.clear();
        self.pointing = Pointing::default();
    }

    /// Clears everything that refers to channels and poses of the previous head.
    pub(super) fn clear_for_new_head(&mut self, head: &Arc<Head>) {
        if !std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head)) {
            self.head = Arc::downgrade(head);
            self.collapsed_regions.clear();
            self.expanded_channels.clear();
            self.name_width = None;
            self.clear_search();
            self.only_active = false;
            self.edited_pair = None;
            self.pointed_at = None;
            self.refused_row = None;
            self.renaming = None;
            self.dragged_pose = None;
            self.scroll_to_pose = None;
            self.scroll_to_channel = None;
            self.expanded_findings.clear();
            self.pointing = Pointing::default();
            self.curves = CurvesState::default();
        }
    }
}
