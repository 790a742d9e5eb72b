//! Recordings of live faces: a table that grows on disk frame by frame, and becomes a take when it ends.
//!
//! While it grows it is called `….csv.part`. A program that is killed leaves it there with every frame but the one that
//! was being written; the unsaved work of that program names it, and when that work is restored, [`complete`] makes a
//! whole table of it. What a microphone hears meanwhile grows beside it as `….wav.part`, for which [`complete_sound`]
//! is.

mod grow;
mod places;
mod sound;

pub(in crate::document) use grow::complete;
pub use grow::{Recording, growing_path};
pub use places::RecordingError;
pub(in crate::document) use places::{GrowingTake, Places, Recordings};
pub use sound::SoundRecording;
pub(in crate::document) use sound::complete_sound;
