//! The face of a performer that arrives while it is shown: how it is set up and mapped. [`LiveInput`] is what the
//! session shows of what a [`LiveStream`](smirk_files::live::LiveStream) makes of its frames.

mod edits;
mod input;
mod setup;

pub use edits::LiveEdits;
pub(super) use input::LiveInput;
pub use setup::{FixedSender, LivePort, LiveSetup, MicrophoneChoice, SendSetup};

use std::sync::Arc;

use crate::Session;
use smirk_face::motion::{ColumnMap, DrivenChannel, LiveFace, TakeMap};
use smirk_files::live::Calibration;

impl Session {
    /// Shows this live face. With `None`, nothing is heard, and the layers below show.
    pub fn show_live(&mut self, face: Option<LiveFace>) {
        match face {
            Some(face) => self.live.face = Some(Arc::new(face)),
            None if self.live.face.is_some() => self.live = LiveInput::default(),
            None => {}
        }
    }

    /// The names of the live columns, while a face is heard.
    pub fn live_columns(&self) -> Option<&Arc<[String]>> {
        self.live_face().map(|face| &face.columns)
    }

    pub fn live_face(&self) -> Option<&LiveFace> {
        self.live.face.as_deref()
    }

    /// The mapping of the live columns, while a face is heard.
    pub fn live_map(&self) -> Option<Arc<TakeMap>> {
        self.live.map(&self.head, &self.edits.live, &self.edits.matching)
    }

    /// Whether the live face drives the head when one is heard. Choosing a take to play makes it not.
    pub fn live_drives(&self) -> bool {
        !self.live.is_held_back
    }

    /// Makes the live face drive the head, or not.
    pub fn set_live_drives(&mut self, drives: bool) {
        self.live.is_held_back = !drives;
    }

    /// Edits the numbers of live columns: gain, offset, clamp, neutral, and whether they are used.
    pub fn edit_live_columns<'a>(&mut self, names: impl IntoIterator<Item = &'a str>, change: impl Fn(&mut ColumnMap)) {
        for name in names {
            self.edits.live.edit(name, &change);
        }
    }

    /// Maps a live column to other channels, for takes too.
    pub fn map_live_column(&mut self, name: &str, channels: Vec<DrivenChannel>) {
        self.edits.matching.aliases.set(name, channels);
    }

    /// Applies what a calibration has found.
    pub fn calibrate_live(&mut self, calibration: &Calibration) {
        let names = calibration.columns().clone();
        for (column, name) in names.iter().enumerate() {
            self.edits.live.edit(name, |map| calibration.apply(column, map));
        }
    }

    /// Removes the numbers of all live columns.
    pub fn clear_live_columns(&mut self) {
        self.edits.live.columns.clear();
    }
}
