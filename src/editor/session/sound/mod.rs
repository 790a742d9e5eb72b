//! Sounds on the timeline, and its markers.

mod editing;
mod track;

pub use track::SoundTrack;
