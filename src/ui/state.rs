//! The state of the user interface that several panels and the window share. It outlives a frame, and is not part of
//! the document. The state of a single panel is in the panel.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use smirk_analysis::mend::Mend;
use smirk_export::ExportRequest;
use smirk_face::head::{HeadSource, OfHead, Region};
use smirk_face::motion::PoseId;
use smirk_files::audio::Loudness;
use smirk_scene::{FaceValues, NamedLook, ViewMode};
use smirk_session::{LiveSetup, Session, TakeEntry, TakeId, TimingOf};

use crate::curve_selection::CurveSelection;
use crate::feature_placing::FeaturePlacing;
use crate::live::LiveState;
use crate::notes_state::NotesState;
use crate::shortcuts::Menu;
use crate::sound::SoundPanel;
use crate::theme;
use crate::thumbnails::{ThumbnailTextures, VisiblePictures};
use crate::widgets::EditSelection;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointedAt {
    Channel(usize),
    /// The name of a left and a right channel in the channel list, as an index into [`smirk_face::head::Head::pairs`].
    Pair(usize),
    Region(Region),
    Pose(PoseId),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
pub enum Page {
    #[default]
    Poses,
    /// Takes, sequence, blinking, gaze and the blend rule.
    Motion,
    Look,
    Readout,
    /// Notes of the import and problems found in the shapes.
    #[serde(alias = "notes")]
    Report,
    /// Review notes. In settings of earlier versions, `notes` was the Report page.
    #[serde(rename = "review")]
    Notes,
    Export,
}

impl Page {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub(crate) fn label(self) -> &'static str {
        self.into()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    TopBar,
    Transport,
    Curves,
    Channels,
    Page(Page),
    Reference,
    Viewport,
    ViewportControls,
    List,
    WorkList,
    Question,
    Action,
}

impl Part {
    /// What an artist calls it, at the start of a sentence.
    pub(crate) fn name(self) -> String {
        match self {
            Self::TopBar => "The menu bar".into(),
            Self::Transport => "The transport bar".into(),
            Self::Curves => "The curves panel".into(),
            Self::Channels => "The channel list".into(),
            Self::Page(page) => format!("The {} page", page.label()),
            Self::Reference => "The reference".into(),
            Self::Viewport => "The viewport".into(),
            Self::ViewportControls => "What stands over the picture".into(),
            Self::List => "The list".into(),
            Self::WorkList => "The list of unsaved work".into(),
            Self::Question => "A question".into(),
            Self::Action => "The last action".into(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelSettings {
    pub left_width: f32,
    pub right_width: f32,
    pub reference_width: f32,
    pub left_open: bool,
    pub right_open: bool,
    pub curves_height: f32,
    pub curves_open: bool,
    pub page: Page,
    /// Whether the colours of the window differ more from each other.
    pub high_contrast: bool,
    /// Whether left and right of a new head move together.
    pub links_sides: bool,
    /// Whether channels are listed by action units instead of regions.
    pub lists_action_units: bool,
    /// Whether the artist has seen that the face can be asked what moves it.
    pub knows_probing: bool,
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
            links_sides: false,
            lists_action_units: false,
            knows_probing: false,
        }
    }
}

/// A list that covers the window until it is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    Shortcuts,
    Licences,
}

/// How B is shown, besides while it is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparisonView {
    pub shown: ShownB,
    pub opacity: f32,
    /// Whether the errors of A against B over time are shown under the timeline.
    pub errors: bool,
}

impl Default for ComparisonView {
    fn default() -> Self {
        Self { shown: ShownB::default(), opacity: 0.5, errors: false }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, VariantArray)]
pub enum ShownB {
    /// In the place of A, while the key B is held.
    #[default]
    Held,
    /// Beside A, through the same camera.
    Beside,
    /// Over A, half transparent.
    Over,
}

impl ShownB {
    pub(crate) const ALL: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        match self {
            Self::Held => "Hold B",
            Self::Beside => "Side by side",
            Self::Over => "Onion skin",
        }
    }

    pub(crate) fn purpose(self) -> &'static str {
        match self {
            Self::Held => "A fills the picture; hold B to see the other",
            Self::Beside => "A and B side by side, through one camera",
            Self::Over => "B half transparent over A",
        }
    }

    pub fn next(self) -> Self {
        match self {
            Self::Held => Self::Beside,
            Self::Beside => Self::Over,
            Self::Over => Self::Held,
        }
    }
}

/// The edit of the take that plays whose numbers the Motion page shows, and whose range the curves mark.
#[derive(Debug, Default)]
pub(crate) struct SelectedEdit {
    take: Option<TakeId>,
    pub edit: EditSelection,
}

impl SelectedEdit {
    /// The range of the selected edit in seconds; `None` for the whole take.
    pub(crate) fn span(&self, session: &Session) -> Option<[f32; 2]> {
        let entry = session.take().filter(|entry| self.take == Some(entry.id))?;
        entry.edits.get(self.edit.index?)?.span.map(|[a, b]| [a.min(b), a.max(b)])
    }

    /// Selects no edit when another take is chosen or the edit is gone.
    pub(crate) fn update(&mut self, entry: &TakeEntry) {
        if self.take != Some(entry.id) {
            *self = Self { take: Some(entry.id), edit: EditSelection::default() };
        }
        self.edit.index.take_if(|index| *index >= entry.edits.len());
    }
}

/// A pose whose card is dragged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DraggedPose {
    pub id: PoseId,
    /// The time at which it would be keyed, while it is over a time scale.
    pub time_secs: Option<f32>,
}

/// What several panels share of the head that they show, and remember from one frame to the next. Indices of channels
/// stand here and in the panels of [`crate::layout::HeadPanels`] only, so that none is left when another head is open.
#[derive(Debug, Default)]
pub(crate) struct HeadMarks {
    /// What K, M and S act on: what is under the pointer, else the channel with keyboard focus.
    pub pointed_at: Option<PointedAt>,
    pub marked_channels: Vec<usize>,
    pub revealed_channel: Option<usize>,
    /// The pose that was just saved: the Poses page is to show its card and edit its name.
    pub saved_pose: Option<PoseId>,
    /// A mend that was asked for elsewhere: the Report page is to add it to its list and show its numbers.
    pub new_mend: Option<Mend>,
    /// The mend, by its index, whose mask is painted by clicks on the face.
    pub masked_mend: Option<usize>,
    /// The pose whose card is dragged.
    pub dragged_pose: Option<DraggedPose>,
    pub curve_selection: CurveSelection,
    pub shown_target: Option<ShownTarget>,
    /// What the heat map shows, for panels that read its numbers.
    pub face_values: FaceValues,
    /// The parts of the window that stopped unexpectedly, and are not shown until the artist asks for them.
    pub failed_parts: Vec<Part>,
    /// Whether a part that failed is to be shown again: then everything that is remembered of the head is forgotten.
    pub begins_anew: bool,
}

/// A target of a mapping whose movement is a heat map on the face, until another click or Esc.
#[derive(Clone, Debug)]
pub(crate) struct ShownTarget {
    /// The full name of its channel.
    pub name: String,
    /// The view of the surface before the heat map was shown.
    view_before: ViewMode,
}

impl HeadMarks {
    /// Shows what a channel moves as a heat map, in the place of what was shown so before.
    pub(crate) fn show_target(&mut self, session: &mut Session, channel: usize) {
        let view_before = self.shown_target.take().map_or(session.edits.look.view, |shown| shown.view_before);
        let name = session.head.channels[channel].full_name.clone();
        self.shown_target = Some(ShownTarget { name, view_before });
        session.edits.show_heat_of(&session.head, channel);
        // What plays may move it by little at the moment.
        session.edits.look.heat.is_whole = true;
    }

    /// Shows what the channel of a full name moves, or no longer if that is shown.
    pub(crate) fn toggle_target(&mut self, session: &mut Session, name: &str) {
        match (&self.shown_target, session.head.channel_named(name)) {
            (Some(shown), _) if shown.name == name => self.hide_target(session),
            (_, Some(channel)) => self.show_target(session, channel),
            (_, None) => {}
        }
    }

    /// Goes back to the view of the surface before; if another was chosen since, that stays.
    pub(crate) fn hide_target(&mut self, session: &mut Session) {
        let Some(ShownTarget { name, view_before }) = self.shown_target.take() else { return };
        if session.edits.look.view == ViewMode::Heat && session.edits.heat_channel.as_ref() == Some(&name) {
            session.edits.look.view = view_before;
            session.edits.look.heat.is_whole = false;
        }
    }

    /// Has the channel list show channels and mark their rows. The first of them gets the keyboard focus.
    pub(crate) fn mark(&mut self, channels: Vec<usize>, panels: &mut PanelSettings) {
        if let Some(&first) = channels.first() {
            self.reveal(first, panels);
        }
        self.marked_channels = channels;
    }

    /// Has the channel list show a channel, even if a filter hides it, and give it the keyboard focus.
    pub(crate) fn reveal(&mut self, channel: usize, panels: &mut PanelSettings) {
        panels.left_open = true;
        self.revealed_channel = Some(channel);
    }

    /// Keeps the selected curves when the head was read again; `new_of` has the new index of a channel.
    pub(crate) fn follow_reload(&mut self, new_of: impl Fn(usize) -> Option<usize>) {
        let mut selection = std::mem::take(&mut self.curve_selection);
        selection.follow_reload(new_of);
        let (saved_pose, masked_mend) = (self.saved_pose, self.masked_mend);
        *self = Self { saved_pose, masked_mend, curve_selection: selection, ..Self::default() };
    }
}

/// What is asked of a head before it is saved as a VRM avatar: the answers so far. Authors are separated by commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AvatarForm {
    /// The head that is asked about.
    pub source: HeadSource,
    pub name: String,
    pub authors: String,
    pub licence: String,
}

/// What is saved of [`UiState`] with the settings of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedState {
    pub looks: Vec<NamedLook>,
    pub panels: PanelSettings,
    pub export: ExportRequest,
    pub live: LiveSetup,
    pub reloads_head: bool,
    pub loudness: Loudness,
    /// Who writes review notes; empty for the name that the user has in the system.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub author: String,
}

impl Default for SavedState {
    fn default() -> Self {
        Self { reloads_head: true, ..UiState::default().saved() }
    }
}

impl SavedState {
    /// The same with values that make sense: those of a file may be any.
    pub fn within_reason(self) -> Self {
        let looks = self.looks.into_iter();
        Self {
            looks: looks.map(|named| NamedLook { look: named.look.within_reason(), ..named }).collect(),
            export: self.export.within_reason(),
            loudness: self.loudness.within_reason(),
            live: self.live.within_reason(),
            ..self
        }
    }
}

#[derive(Debug, Default)]
pub struct UiState {
    pub panels: PanelSettings,
    /// Whether the head is read again when its file changes.
    pub reloads_head: bool,
    /// What the Export page describes.
    pub export: ExportRequest,
    pub live: LiveState,
    pub sound: SoundPanel,
    pub comparison: ComparisonView,
    /// What the keys of the last frame belonged to.
    pub timing_of: Option<TimingOf>,
    pub overlay: Option<Overlay>,
    pub(crate) avatar_form: Option<AvatarForm>,
    /// The features of the head, while they are looked over before shapes are carried over.
    pub placing: Option<OfHead<FeaturePlacing>>,
    pub(crate) overlay_search: String,
    /// Output: left and top edge of the viewport, in physical pixels.
    pub viewport_min_px: [u32; 2],
    /// Output: width and height of the viewport, or of the picture of A while B is beside it, in physical pixels.
    pub viewport_size_px: [u32; 2],
    /// Output: left and top edge of the picture of B, while it is shown beside A at the same size.
    pub beside_min_px: Option<[u32; 2]>,
    /// Output: the opacity of the picture of B, while it is drawn over that of A.
    pub b_opacity: Option<f32>,
    /// Output: whether the picture shows what the face is compared with: B is held, and there is something.
    pub shows_b: bool,
    /// Output: whether the user is dragging or scrolling; the viewport then favours speed over quality.
    pub is_interacting: bool,
    /// Output: what was laid out in this frame with a thumbnail.
    pub visible_pictures: OfHead<VisiblePictures>,
    pub looks: Vec<NamedLook>,
    pub author: String,
    pub(crate) notes: NotesState,
    pub(crate) holds_b: bool,
    /// Whether the picture had the keyboard focus at the end of the last frame.
    pub(crate) picture_has_focus: bool,
    pub(crate) requested_menu: Option<Menu>,
    /// Whether the search field of the channel list is to take the keyboard focus.
    pub(crate) search_requested: bool,
    pub(crate) selected_edit: SelectedEdit,
    pub(crate) thumbnail_textures: ThumbnailTextures,
    /// Whether Esc is for something else than the search: at the end of the last frame, a widget had the keyboard
    /// focus, which egui takes away before the next frame begins, or a menu was open.
    pub(crate) escape_is_taken: bool,
}

impl UiState {
    /// State as it was saved.
    pub fn new(saved: SavedState) -> Self {
        let SavedState { panels, looks, export, live, reloads_head, loudness, author } = saved;
        Self {
            panels,
            looks,
            export,
            live: LiveState { setup: live, ..LiveState::default() },
            reloads_head,
            author,
            sound: SoundPanel { loudness, ..SoundPanel::default() },
            ..Self::default()
        }
    }

    pub fn saved(&self) -> SavedState {
        SavedState {
            panels: self.panels,
            looks: self.looks.clone(),
            export: self.export,
            live: self.live.setup.clone(),
            reloads_head: self.reloads_head,
            loudness: self.sound.loudness,
            author: self.author.clone(),
        }
    }

    /// What the Export page describes, while it is shown.
    pub fn described_export(&self) -> Option<&ExportRequest> {
        self.shows_page(Page::Export).then_some(&self.export)
    }

    pub(crate) fn shows_page(&self, page: Page) -> bool {
        self.panels.right_open && self.panels.page == page
    }

    pub fn open_page(&mut self, page: Page) {
        (self.panels.right_open, self.panels.page) = (true, page);
    }

    /// Who writes review notes.
    pub(crate) fn author_name(&self) -> String {
        let name = self.author.trim();
        if name.is_empty() { login_name() } else { name.to_owned() }
    }

    /// Whether the text of the selected note takes the keyboard focus as soon as it is shown.
    pub(crate) fn awaits_note_text(&self, session: &Session) -> bool {
        let selected = self.notes.selected.and_then(|id| session.edits.note(id));
        self.notes.edits_text && selected.is_some() && self.shows_page(Page::Notes)
    }

    pub fn aspect(&self) -> f32 {
        let [width, height] = self.viewport_size_px;
        if height == 0 { 1.0 } else { width as f32 / height as f32 }
    }
}

/// The name that the user has in the system; `Someone` if it does not say.
pub(crate) fn login_name() -> String {
    let names = ["USER", "USERNAME", "LOGNAME"].into_iter().filter_map(|name| std::env::var(name).ok());
    names.map(|name| name.trim().to_owned()).find(|name| !name.is_empty()).unwrap_or_else(|| "Someone".into())
}
