//! All state a user can edit, and nothing that draws it. No egui, wgpu or winit here.

use std::path::PathBuf;
use std::sync::Arc;

use crate::blend::BlendMode;
use crate::head::Head;
use crate::motion::{Clip, Playback};
use crate::scene::{Camera, Look, View};

/// Where the head on screen came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The head inside the program.
    Embedded,
    /// A file.
    File(PathBuf),
}

/// What leaves the process, or needs more than the session: returned by the UI, done by the app.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Ask for a file, then open it.
    OpenDialog,
    /// Open this file.
    Open(PathBuf),
    /// Go back to the head inside the program.
    OpenEmbedded,
    /// Give up the load under way.
    CancelLoad,
    /// Close the message about what failed.
    DismissFailure,
    /// Forget the list of recent files.
    ClearRecent,
    /// Compare the current mode with the f64 reference, once.
    MeasureError,
    /// End the program.
    Quit,
}

/// What undo brings back.
#[derive(Clone, Debug, PartialEq)]
pub struct Edits {
    /// What the artist set, one per target of the head. A channel the clip drives shows the clip's value instead.
    pub weights: Vec<f32>,
    /// Per channel: the artist took the row over from the clip.
    pub taken: Vec<bool>,
    /// Per pair: both sliders move together.
    pub linked: Vec<bool>,
    /// Light and surface.
    pub look: Look,
}

/// Who decides a channel's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// Nothing but the slider.
    Manual,
    /// The clip; the row is locked.
    Clip,
    /// The slider, although the clip would drive it.
    Taken,
}

/// The state of one open head.
#[derive(Clone, Debug)]
pub struct Session {
    /// The head on screen.
    pub head: Arc<Head>,
    /// Where it came from.
    pub source: Source,
    /// What undo brings back.
    pub edits: Edits,
    /// The clip and its play head.
    pub playback: Playback,
    /// Where it is looked at from.
    pub camera: Camera,
    /// Who adds up the targets.
    pub mode: BlendMode,
}

impl Session {
    /// A head as it opens: at rest, first clip running, framed.
    pub fn new(head: Arc<Head>, source: Source, look: Look, mode: BlendMode) -> Self {
        let edits = Edits {
            weights: head.default_weights(),
            taken: vec![false; head.channels.len()],
            linked: vec![false; head.pairs.len()],
            look,
        };
        let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
        let playback = Playback::start(head.clips.len());
        Self { head, source, edits, playback, camera, mode }
    }

    /// The clip that drives its channels now.
    pub fn clip(&self) -> Option<&Clip> {
        self.head.clips.get(self.playback.clip?)
    }

    /// Who decides that channel's value.
    pub fn driver(&self, channel: usize) -> Driver {
        match self.clip() {
            Some(clip) if clip.drives(channel) => {
                if self.edits.taken[channel] {
                    Driver::Taken
                } else {
                    Driver::Clip
                }
            }
            _ => Driver::Manual,
        }
    }

    /// What is on screen, one per target: the clip where it drives, the sliders elsewhere.
    pub fn weights(&self) -> Vec<f32> {
        let mut weights = self.edits.weights.clone();
        if let Some(clip) = self.clip() {
            for channel in clip.driven_channels().filter(|&channel| !self.edits.taken[channel]) {
                for &target in &self.head.channels[channel].targets {
                    if let Some(weight) = clip.sample(self.playback.time_secs, target) {
                        weights[target] = weight;
                    }
                }
            }
        }
        weights
    }
}
