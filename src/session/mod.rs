//! All state a user can edit, and nothing that draws it. No egui, wgpu or winit here.

mod edits;
mod history;
mod rows;

pub use edits::Edits;
pub use history::History;

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

impl Source {
    /// What to call it.
    pub fn name(&self) -> String {
        match self {
            Self::Embedded => "Bundled head".into(),
            Self::File(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        }
    }
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
    /// Put the message about a failed load away.
    DismissFailure,
    /// Forget the list of recent files.
    ClearRecent,
    /// Compare the current mode with the f64 reference, once.
    MeasureError,
    /// End the program.
    Quit,
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
    history: History,
}

impl Session {
    /// A head as it opens: at rest, first clip running, framed.
    pub fn new(head: Arc<Head>, source: Source, look: Look, mode: BlendMode) -> Self {
        let edits = Edits::at_rest(&head, look);
        let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0);
        let playback = Playback::start(head.clips.len());
        let history = History::new(&edits);
        Self { head, source, edits, playback, camera, mode, history }
    }

    /// Puts another head on screen. Mode, look, loop and speed stay; poses and undo steps belong to the old head.
    pub fn replace_head(&mut self, head: Arc<Head>, source: Source) {
        let playback = Playback {
            looping: self.playback.looping,
            speed: self.playback.speed,
            ..Playback::start(head.clips.len())
        };
        *self = Self { playback, ..Self::new(head, source, self.edits.look, self.mode) };
    }

    /// The clip that drives its channels now.
    pub fn clip(&self) -> Option<&Clip> {
        self.head.clips.get(self.playback.clip?)
    }

    /// How long that clip is, in seconds; 0 without one.
    pub fn clip_duration_secs(&self) -> f32 {
        self.clip().map_or(0.0, |clip| clip.duration_secs)
    }

    /// Chooses the clip that drives, from its start; none leaves every row free.
    pub fn select_clip(&mut self, clip: Option<usize>) {
        self.playback.clip = clip.filter(|&clip| clip < self.head.clips.len());
        self.playback.time_secs = 0.0;
    }

    /// Lets `elapsed_secs` of clock pass.
    pub fn advance(&mut self, elapsed_secs: f32) {
        let duration_secs = self.clip_duration_secs();
        self.playback.advance(elapsed_secs, duration_secs);
    }

    /// Starts or stops the clip; at the end of one that does not loop, starts it over.
    pub fn toggle_playing(&mut self) {
        if self.clip().is_none() {
            return;
        }
        let ended = !self.playback.looping && self.playback.time_secs >= self.clip_duration_secs();
        if !self.playback.playing && ended {
            self.playback.time_secs = 0.0;
        }
        self.playback.playing = !self.playback.playing;
    }

    /// Puts the play head at a time within the clip.
    pub fn seek(&mut self, time_secs: f32) {
        self.playback.time_secs = time_secs.clamp(0.0, self.clip_duration_secs());
    }

    /// Steps the play head while it stands still; a looping clip is stepped around its ends.
    pub fn step(&mut self, delta_secs: f32) {
        let duration_secs = self.clip_duration_secs();
        self.playback.playing = false;
        let time_secs = self.playback.time_secs + delta_secs;
        let wraps = self.playback.looping && duration_secs > 0.0;
        self.seek(if wraps { time_secs.rem_euclid(duration_secs) } else { time_secs });
    }

    /// Whether something moves by itself.
    pub fn is_playing(&self) -> bool {
        self.playback.playing && self.clip_duration_secs() > 0.0
    }

    /// What is on screen, one per target: the clip where it drives, the sliders elsewhere.
    pub fn weights(&self) -> Vec<f32> {
        let mut weights = self.edits.weights.clone();
        if let Some(clip) = self.clip() {
            for channel in clip.driven_channels().filter(|&channel| !self.edits.taken[channel]) {
                for &target in &self.head.channels[channel].targets {
                    // A spline can shoot beyond all numbers between its keys.
                    let weight = clip.sample(self.playback.time_secs, target);
                    if let Some(weight) = weight.filter(|weight| weight.is_finite()) {
                        weights[target] = weight;
                    }
                }
            }
        }
        weights
    }

    /// Ends the step under way: what was edited since the last call becomes one step of undo.
    pub fn commit(&mut self) {
        self.history.commit(&self.edits);
    }

    /// Goes back one step; false when there is none.
    pub fn undo(&mut self) -> bool {
        self.history.undo(&mut self.edits)
    }

    /// Goes forward one step again; false when there is none.
    pub fn redo(&mut self) -> bool {
        self.history.redo(&mut self.edits)
    }

    /// Whether there is a step to go back to.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo(&self.edits)
    }

    /// Whether a step was taken back and nothing edited since.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo(&self.edits)
    }
}
