//! Everything that the user can edit in one open head, with undo, and the evaluation of these edits at a moment.
//! Nothing here draws: there is no egui, wgpu or winit below this crate.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

mod blinks;
mod bound_edits;
mod channels;
mod clips;
mod command;
mod comparison;
mod edits;
mod evaluation;
mod file_ref;
mod heads;
mod keys;
mod live;
mod mends;
mod notes;
mod poses;
mod reference;
mod ripple;
mod sequence;
mod slider;
mod sound;
mod takes;
mod timeline;
mod timing;
mod timing_edits;
mod undo;
mod voice;
mod work;

pub use blinks::{BakeBlinksError, BakedBlinks};
pub use bound_edits::BoundEdits;
pub use channels::{ChannelsMut, MirroredMix};
pub use clips::ClipsMut;
pub use command::{SheetOf, WorkCommand, WorkId};
pub use comparison::{B, ComparedWith, ErrorsFrom, ErrorsOverTime, OpenVersion, PlayedFrames, VersionProblem};
pub use edits::{Edits, TakeEntry, Transition, pair_named};
pub use file_ref::FileRef;
pub use keys::{ConvertedKeys, KeysMut};
pub use live::{FixedSender, LiveEdits, LivePort, LiveSetup, MicrophoneChoice, SendSetup};
pub use mends::Mending;
pub use notes::{
    MergedNotes, NotAnId, NoteId, NotePicture, NoteReply, NoteState, NoteStroke, NotedFace, NotedFinding, NotedLook,
    NotedMoment, NotedTime, NotesMut, PinnedTo, ReviewNote, TooManyNotes,
};
pub use poses::PosesMut;
pub use reference::{Placement, Reference, ReferencePlace};
pub use ripple::{OnTimeline, RippleError};
pub use sequence::SequenceMut;
pub use slider::{MeshWeight, Slider};
pub use smirk_face::head::{BoundPoint, HeadSource, SurfacePoint};
pub use sound::SoundTrack;
pub use takes::TakesMut;
pub use timeline::TimelineMut;
pub use timing::{ClipName, ClipTiming, TakeId, Timing, TimingOf};
pub use undo::{History, Revision, Tracked};
pub use voice::{Said, Spoken};

use std::cell::RefCell;
use std::sync::Arc;

use glam::Mat4;

use comparison::MadeFrom;
use evaluation::{Evaluated, Evaluation};
use live::LiveInput;
use smirk_face::head::{Clip, Expression, Head, OfHead, Role, ShapeFile};
use smirk_face::motion::{Clock, ColumnMatching, Fade, Layer, Mix, Moment, Take};
use smirk_scene::{BlendMode, Camera, Look, Scene, View};
use voice::VoiceInput;

/// One open head with everything that the user edits.
#[derive(Clone, Debug)]
pub struct Session {
    pub head: Arc<Head>,
    pub source: HeadSource,
    /// The files whose shapes are on the head, in that order, or were when it was read. Where the edits name others,
    /// the head is read again.
    shapes: Vec<ShapeFile>,
    /// Everything that undo restores. Its revision changes whenever it changes.
    pub edits: Tracked<Edits>,
    /// The names of the clips that play, in the order in which they were chosen, also of those that the head lacks.
    clip_names: Vec<ClipName>,
    /// The indices of those that the head has.
    playing_clips: Vec<usize>,
    /// The play heads and the running time.
    pub clock: Clock,
    /// The look that a new head starts with.
    pub default_look: Look,
    pub camera: Camera,
    pub mode: BlendMode,
    pub compared_with: ComparedWith,
    /// Another version of the head that is open beside it, also while it is not known how it belongs to the head. It is
    /// no edit, and stays while the head is read again.
    pub open_version: Option<OpenVersion>,
    /// The edits of the last save, which B may show. None if they are those of another head.
    pub saved_edits: Option<Arc<Edits>>,
    /// What the head was made of; that of no head while it is as it was read.
    mending: Option<OfHead<Mending>>,
    /// The transitions of the channels, one entry per channel.
    fades: Tracked<Vec<Option<Fade>>>,
    /// The face of a performer, while one is heard. It is no edit: it comes and goes with the sender.
    live: LiveInput,
    voice: VoiceInput,
    history: History,
    bound: RefCell<Option<Arc<BoundEdits>>>,
    evaluation: RefCell<Evaluation>,
    /// B, which is made when it is asked for, and what it was made from.
    made_b: RefCell<Option<(MadeFrom, Option<Box<Self>>)>>,
}

impl Session {
    /// A session with a newly opened head: at rest, with its first clip playing, and framed by the camera. Other heads
    /// will start with the same look.
    pub fn new(head: Arc<Head>, source: HeadSource, look: Look, mode: BlendMode) -> Self {
        let edits = Tracked::new(Edits::at_rest(&head, look.for_head(&head)));
        let playing_clip = edits::first_clip(&head);
        Self {
            camera: Camera::framing(head.focus, head.character, View::ThreeQuarter, 1.0),
            clip_names: playing_clip.and_then(|clip| ClipName::at(&head, clip)).into_iter().collect(),
            playing_clips: playing_clip.into_iter().collect(),
            clock: Clock::new(playing_clip.is_some()),
            fades: Tracked::new(vec![None; head.channels.len()]),
            live: LiveInput::default(),
            voice: VoiceInput::default(),
            history: History::new(&edits),
            bound: RefCell::default(),
            evaluation: RefCell::default(),
            made_b: RefCell::default(),
            compared_with: ComparedWith::default(),
            open_version: None,
            saved_edits: None,
            mending: None,
            head,
            source,
            shapes: Vec::new(),
            edits,
            default_look: look.of_any_head().of_materials(),
            mode,
        }
    }

    /// Replaces the edits with others for the same head, and clears the undo steps.
    pub fn start_from(&mut self, edits: Edits) {
        self.edits = Tracked::new(edits);
        self.history = History::new(&self.edits);
        self.fades.fill(None);
    }

    /// Sets how columns find their channels, and whether left and right move together, as in an earlier run of the
    /// program, and clears the undo steps.
    pub fn with_habits(mut self, matching: ColumnMatching, links_sides: bool) -> Self {
        (self.edits.matching, self.edits.links_sides) = (matching, links_sides);
        self.history = History::new(&self.edits);
        self
    }

    /// The edits with their names resolved on the head. They are bound once, and again only after one of both has
    /// changed.
    pub fn bound(&self) -> Arc<BoundEdits> {
        let revision = self.edits.revision();
        let mut bound = self.bound.borrow_mut();
        match bound.as_ref().filter(|bound| bound.is_of(&self.head, revision)) {
            Some(bound) => bound.clone(),
            None => bound.insert(Arc::new(BoundEdits::new(&self.head, revision, &self.edits))).clone(),
        }
    }

    /// The present moment, with what is heard.
    fn moment(&self) -> Moment {
        Moment { heard: self.live.face.clone(), ..self.clock.moment() }
    }

    fn shown(&self) -> Evaluated {
        let stack = self.stack();
        self.evaluation.borrow_mut().shown(&stack, self.moment(), &self.fades, self.edits.rule)
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

    /// The output of each expression, which may change materials. Evaluated together with [`Self::mix`].
    pub fn expression_outputs(&self) -> Arc<[f32]> {
        self.shown().expression_outputs
    }

    /// The current value of a channel after each layer that drives it, lowest first.
    pub fn contributions(&self, channel: usize) -> Vec<(Layer, f32)> {
        let mut contributions = self.stack().contributions(channel, &self.moment());
        if self.follows_others(channel) {
            contributions.push((Layer::Corrective, self.head.channel_value(channel, &self.mix().weights)));
        }
        contributions
    }

    /// The weights that would be shown without mute and solo.
    fn unsilenced(&self) -> Mix {
        self.stack().unsilenced(&self.moment(), &self.fades)
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
                let names = self.edits.applied_poses.iter().filter_map(|applied| self.edits.pose(applied.pose));
                Some(names.map(|pose| pose.name.as_str()).collect::<Vec<_>>().join(" + "))
            }
            _ => None,
        };
        source.map_or_else(|| layer.label().to_owned(), |source| format!("{}: {source}", layer.label()))
    }

    /// The transform of each node of the rig, as clips animate it, with the head and the eyes turned; empty if all
    /// nodes are at rest. Poses, solo and mute do not affect nodes.
    pub fn world_from_nodes(&self) -> Vec<Mat4> {
        self.nodes_of(&self.head, self.clips(), &self.expression_outputs())
    }

    /// The same on a head while some of its clips play, with the outputs of its expressions.
    fn nodes_of<'c>(&self, head: &'c Head, clips: impl Iterator<Item = &'c Clip>, outputs: &[f32]) -> Vec<Mat4> {
        let time_secs = self.clock.timeline.time_secs;
        let choice = &self.edits.head_and_eyes;
        let take = self.take_of_body(head);
        let body = take.as_ref().and_then(|take| Some((take.body.as_ref()?, time_secs)));
        let clips = clips.map(|clip| (clip, clip.time_within(time_secs)));
        let turns = choice.switched_on(self.mix().turns);
        head.world_from_nodes(clips, body, outputs, &turns, &choice.joints_of(head)).unwrap_or_default()
    }

    /// Whether clips, expressions or a take move nodes, apart from the turns of the head and the eyes.
    pub fn moves_nodes(&self) -> bool {
        self.clips().any(Clip::moves_nodes)
            || self.head.expressions.iter().any(Expression::moves_nodes)
            || self.take_of_body(&self.head).is_some()
    }

    /// The take with its edits, if the body of a head plays its motion.
    fn take_of_body(&self, head: &Head) -> Option<Arc<Take>> {
        let plays = self.edits.head_and_eyes.body && head.has_body();
        self.take().filter(|_| plays).map(TakeEntry::edited).filter(|take| take.body.is_some())
    }

    /// What a picture of the session shows, at full quality.
    pub fn scene(&self, size: [u32; 2]) -> Scene {
        let scene = self.scene_alone(size);
        let compared = if scene.look.shows_comparison() { self.b().compared() } else { None };
        Scene { compared, ..scene }
    }

    /// The same, without what it is compared with.
    fn scene_alone(&self, size: [u32; 2]) -> Scene {
        Scene {
            weights: self.weights(),
            world_from_nodes: self.world_from_nodes().into(),
            expression_outputs: self.expression_outputs(),
            seconds: if self.head.animates_uvs { self.clock.timeline.time_secs } else { 0.0 },
            mode: self.mode,
            roles: self.roles(),
            ..Scene::at_rest(&self.head, &self.camera, &self.look(), size)
        }
    }

    /// The look of the picture, with the hidden meshes of the head, the channel of its heat map, its variant and its
    /// lights.
    pub fn look(&self) -> Look {
        self.bound().look
    }

    /// What each material of the head shows; empty if the artist has chosen nothing, so that the head's own roles
    /// apply.
    pub fn roles(&self) -> Arc<[Role]> {
        self.bound().roles.clone()
    }

    /// Shows the animation at a time after the start of what plays, without any live face. The result is the same on
    /// any machine.
    pub fn show_moment(&mut self, elapsed_secs: f64) {
        self.clock.restart(self.range_secs()[0]);
        self.fades.fill(None);
        self.show_live(None);
        self.advance(elapsed_secs);
    }

    /// Makes a change to which the face moves over `duration_secs`, at most [`Transition::LONGEST_SECS`], and returns
    /// its result. A transition that interrupts another one starts from the face that is shown at that moment, and one
    /// of a channel that the change does not move goes on.
    pub fn glide<R>(&mut self, duration_secs: f32, change: impl FnOnce(&mut Self) -> R) -> R {
        let (shown, before) = (self.unsilenced().weights, self.stack().unfaded_weights(&self.moment()));
        let fades_before = self.fades.snapshot();
        let result = change(self);
        let after = self.stack().unfaded_weights(&self.moment());
        let duration_secs = if duration_secs > 0.0 { duration_secs.min(Transition::LONGEST_SECS) } else { 0.0 };
        for (channel, fade) in self.fades.iter_mut().enumerate() {
            let targets = &self.head.channels[channel].targets;
            if targets.iter().all(|&target| before[target] == after[target]) {
                fade.clone_from(&fades_before[channel]);
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
        let before = self.edits.snapshot();
        let is_changed = self.history.undo(&mut self.edits);
        self.play_what_changed(&before);
        self.stay_on_timeline();
        is_changed
    }

    /// Goes forward one step. Returns false if there is none.
    pub fn redo(&mut self) -> bool {
        self.fades.fill(None);
        let before = self.edits.snapshot();
        let is_changed = self.history.redo(&mut self.edits);
        self.play_what_changed(&before);
        self.stay_on_timeline();
        is_changed
    }

    pub fn can_undo(&self) -> bool {
        self.history.can_undo(&self.edits)
    }

    pub fn can_redo(&self) -> bool {
        self.history.can_redo(&self.edits)
    }
}
