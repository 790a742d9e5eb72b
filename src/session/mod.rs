//! Everything that the user can edit in one open head, with undo, and the evaluation of these edits at a moment.
//! Nothing here draws: no egui, wgpu or winit.

mod automatic;
mod channels;
mod command;
mod edits;
mod evaluation;
mod history;
mod poses;
mod retarget;

mod takes;
mod timeline;
mod tracked;

pub use command::Command;
pub(crate) use command::SheetOf;
pub use edits::TakeId;
pub(crate) use edits::{Edits, TakeEntry, Transition};
pub(crate) use history::History;
pub(crate) use tracked::{Revision, Tracked};

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use glam::Mat4;

use crate::blend::BlendMode;
use crate::head::{Head, ShapeFile};
use crate::motion::{Aliases, BoundStack, Clock, Fade, Layer, Mix, PlayHead, StackInputs};
use crate::scene::{Camera, Look, View};
use evaluation::{Evaluation, Shown};

/// The source of a head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeadSource {
    /// The head that is part of the program.
    Embedded,
    /// A file.
    File(PathBuf),
}

impl HeadSource {
    /// Its name on the screen.
    pub fn name(&self) -> String {
        match self {
            Self::Embedded => "Bundled head".into(),
            Self::File(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        }
    }
}

/// The state of one open head.
#[derive(Clone, Debug)]
pub struct Session {
    /// The head that is shown.
    pub head: Arc<Head>,
    /// Where it comes from.
    pub source: HeadSource,
    /// The files whose shapes were added to it, in that order. Some may no longer exist.
    pub shapes: Vec<ShapeFile>,
    /// What undo restores. Its revision number tells whether any of it changed.
    pub edits: Tracked<Edits>,
    /// Index of the head's clip that drives its channels; without one, the channels are free.
    pub clip_index: Option<usize>,
    /// The play heads, and the time that blinks, gaze and fades go by.
    pub clock: Clock,
    /// The camera.
    pub camera: Camera,
    /// Which implementation blends the targets.
    pub mode: BlendMode,
    /// The transitions to what the layers come to, one entry per channel.
    fades: Tracked<Vec<Option<Fade>>>,
    /// The head's weights at rest.
    rest: Vec<f32>,
    history: History,
    evaluation: RefCell<Evaluation>,
}

impl Session {
    /// A head as it opens: at rest, with its first clip playing, framed by the camera.
    pub fn new(head: Arc<Head>, source: HeadSource, look: Look, mode: BlendMode) -> Self {
        let edits = Tracked::new(Edits::at_rest(&head, look));
        Self {
            camera: Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0),
            clip_index: (!head.clips.is_empty()).then_some(0),
            clock: Clock::new(!head.clips.is_empty()),
            fades: Tracked::new(vec![None; head.channels.len()]),
            rest: head.default_weights(),
            history: History::new(&edits),
            evaluation: RefCell::default(),
            head,
            source,
            shapes: Vec::new(),
            edits,
            mode,
        }
    }

    /// Replaces the head by another one. What refers to channels by name is kept: poses, takes, keys, sequence and blink.
    /// The same file read again keeps its sliders too. The steps of undo are dropped.
    pub fn replace_head(&mut self, head: Arc<Head>, source: HeadSource) {
        let mut edits = self.edits.moved_to(&self.head, &head);
        if source == self.source {
            edits.copy_sliders(&self.edits, &self.head, &head);
        }
        let new = Self::new(head, source, edits.look, self.mode);
        let edits = Tracked::new(edits);
        let mut clock = self.clock;
        clock.timeline = PlayHead { time_secs: 0.0, playing: new.clock.timeline.playing, ..self.clock.timeline };
        *self = Self { history: History::new(&edits), edits, clock, ..new };
    }

    /// Whether [`Self::replace_head`] would lose something if `head` is the same file read again: added shapes, the slider of a channel
    /// or the variant that `head` lacks.
    pub fn has_more_than(&self, head: &Head) -> bool {
        !self.shapes.is_empty() || self.edits.has_more_than(&self.head, head)
    }

    /// Replaces the edits by others of the same head. Undo starts from there.
    pub fn start_from(&mut self, edits: Edits) {
        self.edits = Tracked::new(edits);
        self.history = History::new(&self.edits);
        self.fades.fill(None);
    }

    /// Adds the column names of an earlier run of the program. Undo starts from there.
    pub fn with_aliases(mut self, aliases: Aliases) -> Self {
        self.edits.aliases = aliases;
        self.history = History::new(&self.edits);
        self
    }

    /// The stack of the head and the edits as they are now.
    fn stack(&self) -> Arc<BoundStack> {
        let edits = &*self.edits;
        let inputs = StackInputs {
            head: &self.head,
            clip: self.clip_index,
            take: self.take().map(|entry| (&entry.take, &entry.map)),
            keys: &edits.keys,
            poses: &edits.poses,
            posing: &edits.posing,
            sequence: &edits.sequence,
            blink: &edits.blink,
            gaze: &edits.gaze,
            sliders: &edits.weights,
            manual: &edits.manual,
            muted: &edits.muted,
            soloed: &edits.soloed,
        };
        self.evaluation.borrow_mut().stack(self.edits.revision(), &inputs)
    }

    fn shown(&self) -> Shown {
        let stack = self.stack();
        self.evaluation.borrow_mut().shown(stack, self.clock.moment(), &self.fades, self.edits.rule)
    }

    /// What the layers come to now, which is what the sliders show. Evaluated once, until anything it depends on changes.
    pub fn mix(&self) -> Arc<Mix> {
        self.shown().mix
    }

    /// What is blended, one per target: the mix under the head's blend rule. Evaluated together with [`Self::mix`].
    pub fn weights(&self) -> Arc<[f32]> {
        self.shown().weights
    }

    /// What each layer that drives a channel makes of it now, lowest first.
    pub fn contributions(&self, channel: usize) -> Vec<(Layer, f32)> {
        self.stack().contributions(channel, self.clock.moment())
    }

    /// What would be shown without mute and solo.
    fn unsilenced(&self) -> Mix {
        self.stack().unsilenced(self.clock.moment(), &self.fades)
    }

    /// The name of a layer on the screen, with that of its clip, take or poses.
    pub fn layer_name(&self, layer: Layer) -> String {
        let source = match layer {
            Layer::Clip => self.clip().map(|clip| clip.name.clone()),
            Layer::Take => self.take().map(|entry| entry.take.name.clone()),
            Layer::Pose => {
                let names = self.edits.posing.iter().filter_map(|&(id, _)| self.edits.pose(id));
                Some(names.map(|pose| pose.name.as_str()).collect::<Vec<_>>().join(" + "))
            }
            _ => None,
        };
        source.map_or_else(|| layer.label().to_owned(), |source| format!("{}: {source}", layer.label()))
    }

    /// The transform of each node of the rig under the clip; empty if the clip moves none and all are at rest. Takes, poses,
    /// solo and mute do not affect nodes.
    pub fn world_from_nodes(&self) -> Vec<Mat4> {
        let moved = self.clip_now().and_then(|(clip, time_secs)| clip.world_from_nodes(&self.head.rig, time_secs));
        moved.unwrap_or_default()
    }

    /// Makes a change that the face follows over `duration_secs`, at most [`Transition::LONGEST_SECS`]. A transition that is
    /// interrupted by another continues from what is shown at that moment.
    pub fn glide(&mut self, duration_secs: f32, change: impl FnOnce(&mut Self)) {
        let (shown, before) = (self.unsilenced().weights, self.stack().unfaded_weights(self.clock.moment()));
        change(self);
        let after = self.stack().unfaded_weights(self.clock.moment());
        let duration_secs = if duration_secs > 0.0 { duration_secs.min(Transition::LONGEST_SECS) } else { 0.0 };
        for (channel, fade) in self.fades.iter_mut().enumerate() {
            let targets = &self.head.channels[channel].targets;
            if targets.iter().all(|&target| before[target] == after[target]) {
                continue;
            }
            *fade = (duration_secs > 0.0).then(|| Fade {
                from: targets.iter().map(|&target| shown[target]).collect(),
                start_secs: self.clock.running_secs(),
                duration_secs,
                ease: self.edits.transition.ease,
            });
        }
    }

    /// Looks through a camera of the head's file.
    pub fn look_through(&mut self, camera: usize) {
        if let Some(camera) = self.head.cameras.get(camera) {
            self.camera.look_through(camera);
        }
    }

    /// Ends a gesture: what was edited since the last call becomes one step of undo.
    pub fn commit(&mut self) {
        self.history.commit(&self.edits);
    }

    /// Goes back one step; false when there is none.
    pub fn undo(&mut self) -> bool {
        self.fades.fill(None);
        let is_changed = self.history.undo(&mut self.edits);
        self.stay_on_timeline();
        is_changed
    }

    /// Goes forward one step; false when there is none.
    pub fn redo(&mut self) -> bool {
        self.fades.fill(None);
        let is_changed = self.history.redo(&mut self.edits);
        self.stay_on_timeline();
        is_changed
    }

    /// Whether there is a step to go back to.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo(&self.edits)
    }

    /// Whether a step was undone and nothing was edited since.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo(&self.edits)
    }
}
