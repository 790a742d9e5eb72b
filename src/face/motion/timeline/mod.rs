//! The timeline of a session: its frame rate, how times are shown, and the range that plays.

mod frame_rate;
mod settings;
mod time_change;
mod time_display;
mod timecode;

pub use frame_rate::FrameRate;
pub use settings::TimelineSettings;
pub use time_change::TimeChange;
pub use time_display::TimeDisplay;
pub use timecode::TimecodeBase;
