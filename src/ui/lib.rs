//! The contents of the window. There is one file per panel, or one folder for a panel of several files; [`theme`] has
//! all colours, spacing and text sizes. Panels edit the session; everything that reaches beyond the session is returned
//! as a [`smirk_editor::session::Command`].
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

mod channels;
mod comparison;
mod curves;
mod export;
mod layout;
mod look;
mod motion;
mod notices;
mod poses;
mod prompt;
mod readout;
mod reference;
mod report;
pub mod shortcuts;
mod side_panel;
mod sound_view;
mod state;
mod surface_menu;
pub mod theme;
mod top_bar;
mod transport;
mod unsaved_work;
mod view;
mod viewport;
mod widgets;

pub use comparison::{ComparisonView, ShownB};
pub use export::{ExportPage, ExportStatus, ExportView};
pub use layout::show;
pub use motion::{LivePanel, LiveView, RecordingView, SILENT_AFTER};
pub use notices::{Notice, SheetStatus};
pub use poses::{PictureOf, Thumbnails};
pub use prompt::Prompt;
pub use reference::ReferenceView;
pub use sound_view::{SoundState, SoundView};
pub use state::PanelSettings;
use state::PointedAt;
pub use state::{Page, UiState};
pub use unsaved_work::WorkList;
pub use view::{ErrorReading, Readout, WindowView};
