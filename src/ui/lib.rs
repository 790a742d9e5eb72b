//! The contents of the window. There is one file per panel, or one folder for a panel of several files; [`theme`] has
//! all colours, spacing and text sizes. [`Panels`] has the panels, each with what it remembers between frames. All of
//! them edit the same context: the session, the state that they share, and the [`Command`]s for the
//! window.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

mod avatar;
mod channels;
mod command;
mod comparison;
mod context;
mod curve_selection;
mod curves;
mod errors;
mod export;
mod feature_placing;
mod guard;
mod high_contrast;
mod keyboard;
mod layout;
mod live;
mod look;
mod motion;
mod notes;
mod notes_state;
mod notices;
mod overlay;
mod poses;
mod prompt;
mod readings;
mod readout;
mod reference;
mod report;
pub mod shortcuts;
mod side_panel;
mod sound;
mod state;
mod surface_menu;
pub mod theme;
mod thumbnails;
mod top_bar;
mod transport;
mod unsaved_work;
mod viewport;
mod widgets;

pub use channels::{ChannelList, Group};
pub use command::{Answer, Command, OpenAs};
pub use curves::CurvesPanel;
pub use feature_placing::FeaturePlacing;
pub use layout::{HeadPanels, Panels};
pub use live::{LiveState, LiveView, MicrophoneView, RecordingView, SILENT_AFTER};
pub use readings::{
    ErrorReading, ExportStatus, ExportView, Notice, Prompt, Readings, Readout, ReferenceView, SheetStatus,
};
pub use sound::{SoundPanel, SoundState, SoundView};
pub use state::{ComparisonView, Overlay, Page, PanelSettings, SavedState, ShownB, UiState};
pub use thumbnails::{LookId, PictureOf, Thumbnails, VisiblePictures};
pub use unsaved_work::WorkList;
