//! Everything that the user can edit in one open head, with undo, and the evaluation of these edits at a moment.
//! Nothing here draws: no egui, wgpu or winit.

mod automatic;
mod channels;
mod command;
mod comparison;
mod edits;
mod evaluation;
mod keys;
mod live;
mod poses;
mod reference;
mod retarget;
mod ripple;
mod shown_face;
mod sound;
mod takes;
mod timeline;
mod undo;
mod work_command;

pub use automatic::{BakeBlinksError, BakedBlinks};
pub use command::SheetOf;
pub use command::{Answer, Command};
pub use comparison::{ComparedWith, OpenVersion, VersionProblem};
pub use edits::TakeId;
pub use edits::Transition;
pub use edits::{Edits, TakeEntry};
pub use live::{
    Calibration, CalibrationKind, FixedSender, LatencyReading, LiveCommand, LiveEdits, LivePort, LiveSetup, LiveStream,
    MicrophoneChoice, SendSetup,
};
pub use reference::{Placement, Reference, ReferencePlace};
pub use retarget::{MeshWeight, Slider};
pub use retarget::{NamedEdits, Retarget, mesh_names, pair_of};
pub use ripple::{OnTimeline, RippleError};
pub use shown_face::ShownFace;
pub use sound::SoundTrack;
pub use undo::{History, Revision, Tracked};
pub use work_command::{WorkCommand, WorkId};

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use glam::Mat4;

use comparison::Comparison;
use evaluation::{Evaluation, Shown};
use live::LiveInput;
use smirk_face::head::{Head, Role, ShapeFile};
use smirk_face::motion::{Aliases, BoundStack, Clock, Fade, Layer, Mix, PlayHead, StackInputs};
use smirk_graphics::blend::BlendMode;
use smirk_picture::scene::{Camera, Heat, Look, View};

/// The source of a head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeadSource {
    /// The head that is part of the program.
    Embedded,
    /// A file.
    File(PathBuf),
}

impl HeadSource {
    /// The name of the source on the screen.
    pub fn name(&self) -> String {
        match self {
            Self::Embedded => "Bundled head".into(),
            Self::File(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        }
    }
}

/// One open head with everything that the user edits.
#[derive(Clone, Debug)]
pub struct Session {
    /// The current head.
    pub head: Arc<Head>,
    /// The source of the head.
    pub source: HeadSource,
    /// The files whose shapes were added to the head, in that order. Some may no longer exist.
    pub shapes: Vec<ShapeFile>,
    /// Everything that undo restores. Its revision changes whenever it changes.
    pub edits: Tracked<Edits>,
    /// Indices of the clips that play, in the order of the head's list.
    pub playing_clips: Vec<usize>,
    /// The play heads and the running time.
    pub clock: Clock,
    /// The look that a new head starts with.
    pub default_look: Look,
    /// The camera.
    pub camera: Camera,
    /// Which implementation blends the targets.
    pub mode: BlendMode,
    /// What [`Self::with_b`] shows.
    pub compared_with: ComparedWith,
    /// Another version of the head that is open beside it. It is no edit, and stays while the head is read again.
    version: Option<OpenVersion>,
    /// The transitions of the channels, one entry per channel.
    fades: Tracked<Vec<Option<Fade>>>,
    /// The head's weights at rest.
    rest: Vec<f32>,
    /// The face of a performer, while one is heard. It is no edit: it comes and goes with the sender.
    live: LiveInput,
    history: History,
    evaluation: RefCell<Evaluation>,
    comparison: RefCell<Comparison<Self>>,
}

impl Session {
    /// A session with a newly opened head: at rest, with its first clip playing, and framed by the camera. Other heads will
    /// start with the same look.
    pub fn new(head: Arc<Head>, source: HeadSource, look: Look, mode: BlendMode) -> Self {
        let edits = Tracked::new(Edits::at_rest(&head, look));
        Self {
            camera: Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.0),
            playing_clips: (!head.clips.is_empty()).then_some(0).into_iter().collect(),
            clock: Clock::new(!head.clips.is_empty()),
            fades: Tracked::new(vec![None; head.channels.len()]),
            rest: head.default_weights(),
            live: LiveInput::default(),
            history: History::new(&edits),
            evaluation: RefCell::default(),
            comparison: RefCell::default(),
            compared_with: ComparedWith::default(),
            version: None,
            head,
            source,
            shapes: Vec::new(),
            edits,
            default_look: look.of_any_head().of_materials(),
            mode,
        }
    }

    /// Replaces the head with another one. Everything that refers to channels by name is kept: poses, takes, keys, the
    /// sequence and blinking. If it is the same file read again, its sliders and the look are also kept; another head starts
    /// with the default look. The undo steps are dropped.
    pub fn replace_head(&mut self, head: Arc<Head>, source: HeadSource) {
        let mut edits = self.edits.moved_to(&self.head, &head);
        if source == self.source {
            edits.copy_sliders(&self.edits, &self.head, &head);
        } else {
            edits.look = self.default_look;
        }
        let new = Self::new(head, source, self.default_look, self.mode);
        let edits = Tracked::new(edits);
        self.close_version();
        let compared_with = self.compared_with;
        let live = std::mem::take(&mut self.live);
        let mut clock = self.clock;
        clock.timeline = PlayHead { time_secs: 0.0, playing: new.clock.timeline.playing, ..self.clock.timeline };
        *self = Self { history: History::new(&edits), edits, clock, compared_with, live, ..new };
    }

    /// Whether nothing that [`Self::replace_head`] keeps would move another head.
    pub fn leaves_another_head_at_rest(&self) -> bool {
        let Edits { takes, keys, sequence, blink, gaze, .. } = &*self.edits;
        let plays = !takes.is_empty() || !keys.is_empty() || sequence.is_on() || self.live_face().is_some();
        !plays && !blink.enabled && !gaze.enabled
    }

    /// Whether [`Self::replace_head`] would lose something if `head` is the same file read again: added shapes, or the
    /// slider of a channel or the variant that `head` lacks.
    pub fn has_more_than(&self, head: &Head) -> bool {
        !self.shapes.is_empty() || self.edits.has_more_than(&self.head, head)
    }

    /// Replaces the edits with others for the same head, and clears the undo steps.
    pub fn start_from(&mut self, edits: Edits) {
        self.edits = Tracked::new(edits);
        self.history = History::new(&self.edits);
        self.fades.fill(None);
    }

    /// Adds the aliases of an earlier run of the program, and clears the undo steps.
    pub fn with_aliases(mut self, aliases: Aliases) -> Self {
        self.edits.aliases = aliases;
        self.history = History::new(&self.edits);
        self
    }

    /// The stack of the current head and edits.
    fn stack(&self) -> Arc<BoundStack> {
        let edits = &*self.edits;
        let take = self.take().map(|entry| (entry.edited(), &entry.map));
        let silent = self.silent_correctives();
        let live_map = if self.live_drives() { self.live_map() } else { None };
        let inputs = StackInputs {
            head: &self.head,
            clips: &self.playing_clips,
            take: take.as_ref().map(|(take, map)| (take, *map)),
            live: self.live.columns.as_ref().zip(live_map.as_deref()).map(|(names, map)| (&self.live.face, names, map)),
            keys: &edits.keys,
            poses: &edits.poses,
            applied_poses: &edits.applied_poses,
            sequence: &edits.sequence,
            blink: &edits.blink,
            gaze: &edits.gaze,
            sliders: &edits.weights,
            manual: &edits.manual,
            muted: &edits.muted,
            soloed: &edits.soloed,
            silent: &silent,
        };
        self.evaluation.borrow_mut().stack(self.edits.revision(), &inputs)
    }

    fn shown(&self) -> Shown {
        let stack = self.stack();
        self.evaluation.borrow_mut().shown(
            stack,
            self.clock.moment(),
            self.live.face.revision(),
            &self.fades,
            self.edits.rule,
        )
    }

    /// The weights that the sliders show. They are evaluated once, and again only after one of their inputs has
    /// changed.
    pub fn mix(&self) -> Arc<Mix> {
        self.shown().mix
    }

    /// The weights that are blended, one per target: the mix after the blend rule. Evaluated together with
    /// [`Self::mix`].
    pub fn weights(&self) -> Arc<[f32]> {
        self.shown().weights
    }

    /// The current value of a channel after each layer that drives it, lowest first.
    pub fn contributions(&self, channel: usize) -> Vec<(Layer, f32)> {
        let mut contributions = self.stack().contributions(channel, self.clock.moment());
        if self.follows_others(channel) {
            contributions.push((Layer::Corrective, self.channel_value(channel, &self.mix().weights)));
        }
        contributions
    }

    /// The weights that would be shown without mute and solo.
    fn unsilenced(&self) -> Mix {
        self.stack().unsilenced(self.clock.moment(), &self.fades)
    }

    /// The name of a layer on the screen, with the name of its clip, take or poses.
    pub fn layer_name(&self, layer: Layer) -> String {
        let source = match layer {
            Layer::Clip => {
                let names: Vec<&str> = self.clips().map(|clip| clip.name.as_str()).collect();
                (!names.is_empty()).then(|| names.join(" + "))
            }
            Layer::Take => self.take().map(|entry| entry.take.name.clone()),
            Layer::Pose => {
                let names = self.edits.applied_poses.iter().filter_map(|&(id, _)| self.edits.pose(id));
                Some(names.map(|pose| pose.name.as_str()).collect::<Vec<_>>().join(" + "))
            }
            _ => None,
        };
        source.map_or_else(|| layer.label().to_owned(), |source| format!("{}: {source}", layer.label()))
    }

    /// The transform of each node of the rig, as clips animate it, with the head and the eyes turned; empty if all nodes are at
    /// rest. Poses, solo and mute do not affect nodes.
    pub fn world_from_nodes(&self) -> Vec<Mat4> {
        let time_secs = self.clock.timeline.time_secs;
        let clips = self.clips().map(|clip| (clip, clip.time_within(time_secs)));
        let choice = &self.edits.head_and_eyes;
        let moved = self.head.world_from_nodes(clips, &choice.of(self.mix().turns), &choice.joints_of(&self.head));
        moved.unwrap_or_default()
    }

    /// What the picture shows.
    pub fn shown_face(&self) -> ShownFace {
        ShownFace {
            head: self.head.clone(),
            weights: self.weights(),
            world_from_nodes: self.world_from_nodes(),
            roles: self.roles(),
            look: self.look(),
            camera: self.camera,
        }
    }

    /// The look of the picture, with the hidden meshes of the head and the channel of its heat map.
    pub fn look(&self) -> Look {
        let hidden = &self.edits.hidden_meshes;
        let meshes = self.head.meshes.iter().enumerate();
        let hidden = meshes.filter(|(_, mesh)| hidden.contains(&mesh.name)).map(|(index, _)| index).collect();
        let channel = self.edits.heat_channel.as_ref().and_then(|name| self.head.channel_named(name));
        let look = self.edits.look;
        Look { hidden, heat: Heat { channel, ..look.heat }, ..look }
    }

    /// What each material of the head shows; empty if the artist has chosen nothing, so that the head's own roles apply.
    pub fn roles(&self) -> Vec<Role> {
        self.roles_on(&self.head)
    }

    /// The same of another version of the head.
    fn roles_on(&self, head: &Head) -> Vec<Role> {
        let chosen = &self.edits.roles;
        if chosen.is_empty() {
            return Vec::new();
        }
        let materials = head.materials.iter().zip(&head.roles);
        materials.map(|(material, &own)| chosen.get(&material.name).copied().unwrap_or(own)).collect()
    }

    /// Makes a change to which the face moves over `duration_secs`, and returns its result. The duration is at most [`Transition::LONGEST_SECS`]. A transition
    /// that interrupts another one starts from the face that is shown at that moment.
    pub fn glide<R>(&mut self, duration_secs: f32, change: impl FnOnce(&mut Self) -> R) -> R {
        let (shown, before) = (self.unsilenced().weights, self.stack().unfaded_weights(self.clock.moment()));
        let result = change(self);
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
        result
    }

    /// Sets the viewport's camera to a camera of the head's file.
    pub fn look_through(&mut self, camera: usize) {
        if let Some(camera) = self.head.cameras.get(camera) {
            self.camera.look_through(camera);
        }
    }

    /// Ends a gesture: all edits since the last call become one undo step.
    pub fn commit(&mut self) {
        self.history.commit(&self.edits);
    }

    /// Goes back one undo step. Returns false if there is none.
    pub fn undo(&mut self) -> bool {
        self.fades.fill(None);
        let is_changed = self.history.undo(&mut self.edits);
        self.stay_on_timeline();
        is_changed
    }

    /// Goes forward one step. Returns false if there is none.
    pub fn redo(&mut self) -> bool {
        self.fades.fill(None);
        let is_changed = self.history.redo(&mut self.edits);
        self.stay_on_timeline();
        is_changed
    }

    /// Whether there is a step to undo.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo(&self.edits)
    }

    /// Whether there is a step to redo.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo(&self.edits)
    }
}
