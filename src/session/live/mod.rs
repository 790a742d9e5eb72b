//! The face of a performer that arrives while it is shown: how it is set up and mapped. [`LiveInput`] is what the
//! session shows of what a [`LiveStream`](smirk_files::live::LiveStream) makes of its frames.

mod edits;
mod input;
mod setup;

pub use edits::LiveEdits;
pub(super) use input::LiveInput;
pub use setup::{FixedSender, LivePort, LiveSetup, MicrophoneChoice, SendSetup};

use std::sync::Arc;

use crate::{Session, SoundTrack, TakeId};
use smirk_face::motion::{LiveFace, Take, TakeMap, WeightSource};

impl Session {
    /// Shows this live face. With `None`, nothing is heard, and the layers below show. Whether a face drives the head
    /// stays: nothing is heard for some frames also when a port is changed.
    pub fn show_live(&mut self, face: Option<LiveFace>) {
        match face {
            Some(face) => {
                if self.live_columns() != Some(&face.columns) {
                    self.evaluation.get_mut().forget_stack();
                }
                self.live.face = Some(Arc::new(face));
            }
            None if self.live.face.is_some() => {
                self.evaluation.get_mut().forget_stack();
                self.live.silence();
            }
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

    /// The live face as a source of weights, while it drives the head.
    pub(crate) fn live_source(&self) -> Option<Box<dyn WeightSource>> {
        let (face, map) = self.live_face().zip(self.live_map()).filter(|_| self.live_drives())?;
        Some(face.source(&self.head, &map, self.edits.head_and_eyes.eyes))
    }

    /// Whether the live face drives the head when one is heard. Choosing a take to play makes it not.
    pub fn live_drives(&self) -> bool {
        !self.live.is_held_back
    }

    /// Makes the live face drive the head, or not.
    pub fn set_live_drives(&mut self, drives: bool) {
        if self.live_drives() != drives {
            self.evaluation.get_mut().forget_stack();
        }
        self.live.is_held_back = !drives;
    }

    /// Adds a recording of live faces with its sound, if it has one. Its columns get the numbers of the live ones. What
    /// plays stays as it is, so that many takes can be recorded in a row.
    pub fn add_recording(&mut self, take: Take, sound: Option<SoundTrack>) -> TakeId {
        let names: Vec<String> = take.column_names().map(str::to_owned).collect();
        let map = self.edits.live.map_of(&names, &self.head, &self.edits.matching);
        let id = self.takes_mut().list(take);
        if let Some(entry) = self.edits.take_mut(id) {
            (entry.map, entry.sound) = (map, sound);
        }
        id
    }
}
