//! The window's contents: one panel per file. Widgets edit the session; what leaves it is returned as commands.

mod channels;
mod curves;
mod egui_textures;
mod layout;
mod look;
mod motion;
mod notices;
mod poses;
mod readout;
mod report;
pub mod shell;
pub mod shortcuts;
mod side;
mod state;
pub(crate) mod text;
pub mod theme;
mod thumbnails;
mod top_bar;
mod transport;
mod view;
mod viewport;
mod widgets;

pub use curves::CurvesState;
pub use layout::show;
pub use state::{Page, PanelSettings, UiState};
pub use thumbnails::Thumbnails;
pub use view::{ErrorReading, Readout, WindowView};
