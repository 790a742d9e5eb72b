//! A session whose head is replaced: by another one, by the same one with added targets, or by the same one read from
//! its file again. Edits name parts of the head, so that they stay as they are; what was done to a part that the new
//! head lacks counts again on the next head that has the part.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::edits::first_clip_rate;
use super::{Edits, HeadSource, History, Session, TimingOf, Tracked};
use smirk_face::head::{ChosenAxes, Head, Matching, ShapeFile};
use smirk_face::motion::{BlendRule, PlayHead, Pose, PoseId, starter_poses};
use smirk_scene::{Camera, Look};

impl Session {
    /// Replaces the head with another one. Everything that moves a face is kept: poses, takes, keys, the
    /// sequence and blinking. If it is the same file read again, everything is kept; another head starts
    /// with its sliders at rest and the default look. The undo steps are dropped.
    pub fn replace_head(&mut self, head: Arc<Head>, source: HeadSource) {
        let mut edits = (*self.edits).clone();
        edits.follow_head(&self.head, &head);
        edits.shapes.clear();
        if source != self.source {
            edits = edits.without_parts(self.default_look.for_head(&head), head.hidden_at_first());
            // A take has set the rate that it was recorded at.
            edits.timeline.rate =
                first_clip_rate(&head).filter(|_| edits.takes.is_empty()).unwrap_or(edits.timeline.rate);
        }
        // The clip of the new head would take the place of keys that belong to no clip, or to one that it lacks.
        let playing = self.playing();
        let loses_clip = matches!(&playing, TimingOf::Clip(clip) if clip.index_on(&head).is_none())
            && self.edits.timing_for_all.is_none();
        let plays_keys_alone =
            source != self.source && (playing == TimingOf::Head || loses_clip) && !self.keys().is_empty();
        if plays_keys_alone && loses_clip {
            edits.timing_for_all = Some(playing);
        }
        let new = Self::new(head, source, self.default_look, self.mode);
        let edits = Tracked::new(edits);
        self.close_version();
        let compared_with = self.compared_with;
        let (live, voice) = (std::mem::take(&mut self.live), std::mem::take(&mut self.voice));
        let mut clock = self.clock;
        clock.timeline = PlayHead { time_secs: 0.0, playing: new.clock.timeline.playing, ..self.clock.timeline };
        *self = Self { history: History::new(&edits), edits, clock, compared_with, live, voice, ..new };
        if plays_keys_alone {
            self.clips_mut().select(None);
            self.clock.timeline.playing = false;
        }
    }

    /// Replaces the session with one of another head without any work. What is heard, and how takes find their
    /// channels, stay.
    pub fn start_anew(&mut self, head: Arc<Head>, source: HeadSource) {
        let new = Self::new(head, source, self.default_look, self.mode);
        let new = new.with_habits(self.edits.matching.clone(), self.edits.links_sides);
        self.close_version();
        let PlayHead { looping, speed, .. } = self.clock.timeline;
        let mut clock = new.clock;
        (clock.timeline.looping, clock.timeline.speed) = (looping, speed);
        let (compared_with, live) = (self.compared_with, std::mem::take(&mut self.live));
        *self = Self { clock, compared_with, live, ..new };
    }

    /// Whether nothing that [`Self::replace_head`] keeps would move another head.
    pub fn leaves_another_head_at_rest(&self) -> bool {
        let Edits { sequence, blink, gaze, voice, .. } = &*self.edits;
        let has_takes = self.edits.playable_takes().next().is_some();
        let plays = has_takes || !self.keys().is_empty() || sequence.is_on() || self.live_face().is_some();
        !plays && !blink.enabled && !gaze.enabled && !voice.enabled
    }

    /// Whether [`Self::replace_head`] would hide something if `head` is the same file read again: added shapes, or the
    /// slider of a channel or the variant that `head` lacks.
    pub fn has_more_than(&self, head: &Head) -> bool {
        let lacks_variant = self.bound().look.variant.is_some() && self.edits.variant_of(head).is_none();
        let mut own = self.edits.sliders.keys().filter(|name| self.head.channel_named(name).is_some());
        !self.edits.shapes.is_empty() || lacks_variant || own.any(|name| head.channel_named(name).is_none())
    }

    /// Replaces the head with the same head whose meshes have additional targets from `added`. New channels are at
    /// rest. The undo steps are adjusted and stay; undo of this one leaves the head to be read without them.
    pub fn add_shapes(&mut self, head: Arc<Head>, added: Vec<ShapeFile>) {
        self.commit();
        let are_carried = added.iter().any(|shape| shape.matching == Matching::Face);
        let on_head = |edits: &mut Edits| edits.spell_keys_as(&head);
        on_head(&mut self.edits);
        self.history.each(on_head);
        self.shapes.retain(|shape| !added.iter().any(|other| other.source == shape.source));
        self.shapes.extend(added);
        self.edits.shapes.clone_from(&self.shapes);
        // The camera looks at the face already, where its features were shown.
        if are_carried {
            self.reload_in_view(head)
        } else {
            self.reload(head)
        }
        self.commit();
    }

    /// The files whose shapes are on the head that is shown.
    pub fn shapes(&self) -> &[ShapeFile] {
        &self.shapes
    }

    /// Whether the head that is shown has other shapes added than the edits say: after undo, for example.
    pub fn needs_shapes(&self) -> bool {
        self.shapes != self.edits.shapes
    }

    /// Replaces the head with the same head with these shapes added instead of those that it has.
    pub fn show_with_shapes(&mut self, head: Arc<Head>, shapes: Vec<ShapeFile>) {
        self.shapes = shapes;
        self.reload_in_view(head);
    }

    /// [`Self::reload`] without the camera, which otherwise follows the part of the face that targets move.
    fn reload_in_view(&mut self, head: Arc<Head>) {
        let camera = self.camera;
        self.reload(head);
        self.camera = Camera { scene_bounds: self.camera.scene_bounds, ..camera };
    }

    /// Records the files whose shapes the head has that was just opened. Undo does not take them off.
    pub fn set_shapes(&mut self, shapes: Vec<ShapeFile>) {
        self.edits.shapes.clone_from(&shapes);
        self.history.each(|edits| edits.shapes.clone_from(&shapes));
        self.shapes = shapes;
    }

    /// Goes on with the shapes that the head has, where it cannot have those of the edits.
    pub fn keep_shapes(&mut self) {
        self.edits.shapes.clone_from(&self.shapes);
    }

    /// The same, of which files get the head as it is shown, and not with the axes of its own file.
    #[must_use]
    pub fn written_upright(mut self) -> Self {
        if self.head.rig.is_turned() {
            self.reload(Arc::new(self.head.written_upright()));
        }
        self
    }

    /// Replaces the head with the same head read again. The undo steps stay.
    pub fn reload(&mut self, head: Arc<Head>) {
        let follow = Edits::following(&self.head, &head);
        follow(&mut self.edits);
        self.history.each(follow);
        let mut fades = vec![None; head.channels.len()];
        for (fade, channel) in self.fades.iter_mut().zip(&self.head.channels) {
            let Some(new) = head.channel_named(&channel.full_name) else { continue };
            let count = head.channels[new].targets.len();
            fades[new] = fade.take().filter(|fade| fade.from.len() == count);
        }
        self.fades = Tracked::new(fades);
        self.camera.follow(self.head.focus, head.focus);
        self.camera.scene_bounds = head.character;
        self.head = head;
        let names = self.clip_names.clone();
        self.clips_mut().select_named(names);
        self.stay_on_timeline();
    }
}

/// The poses whose ids none of the others has.
fn poses_only_in(poses: &[Pose], others: &[Pose]) -> Vec<Arc<Pose>> {
    let is_new = |pose: &&Pose| others.iter().all(|other| other.id != pose.id);
    poses.iter().filter(is_new).cloned().map(Arc::new).collect()
}

impl Edits {
    /// Adjusts edits to another state of the same head: sliders get its spelling of their channels, starter poses that
    /// only it has the channels for are added, those that it lacks the channels for are taken away unless they were
    /// changed or are in the sequence, and columns of takes that drive nothing are matched with its channels.
    pub fn following(from: &Head, to: &Arc<Head>) -> impl Fn(&mut Self) + use<> {
        let (before, after) = (starter_poses(from), starter_poses(to));
        let (lacking, new_poses) = (poses_only_in(&before, &after), poses_only_in(&after, &before));
        // A mend that gave channels new names may have been taken back.
        let earlier = from.former_names.keys().filter_map(|name| {
            let [now, before] = [from, to.as_ref()].map(|head| head.channel_named(name).map(|at| &head.channels[at]));
            let (now, before) = (&now?.full_name, &before?.full_name);
            to.channel_named(now).is_none().then(|| (now.clone(), before.clone()))
        });
        let (earlier, head) = (earlier.collect::<Vec<_>>(), to.clone());
        move |edits| {
            for (now, before) in &earlier {
                if let Some(slider) = edits.sliders.remove(now) {
                    edits.sliders.entry(before.clone()).or_insert(slider);
                }
            }
            edits.spell_sliders_as(&head);
            let Self { poses, sequence, pose_keys, .. } = edits;
            poses.retain(|pose| !lacking.contains(pose) || sequence.steps.iter().any(|step| step.pose == pose.id));
            pose_keys.retain(|_, id| poses.iter().any(|pose| pose.id == *id));
            for pose in &new_poses {
                if edits.pose(pose.id).is_none() {
                    edits.poses.push(pose.clone());
                }
            }
            edits.number_starters(|id| new_poses.iter().any(|pose| pose.id == id));
            for entry in &mut edits.takes {
                let matched = edits.matching.map_of(entry.take.column_names(), &head);
                for (column, new) in entry.map.columns.iter_mut().zip(matched.columns) {
                    if column.channels.is_empty() {
                        column.channels = new.channels;
                    }
                }
            }
        }
    }

    /// Gives sliders the full names of the channels of a head where they differ in case or have a prefix.
    pub fn spell_sliders_as(&mut self, head: &Head) {
        let names: Vec<String> = self.sliders.keys().cloned().collect();
        for name in names {
            let Some(channel) = head.channel_named(&name) else { continue };
            let full_name = &head.channels[channel].full_name;
            if !self.sliders.contains_key(full_name)
                && let Some(slider) = self.sliders.remove(&name)
            {
                self.sliders.insert(full_name.clone(), slider);
            }
        }
    }

    /// Adjusts edits to another head. Starter poses that are unchanged and not in the sequence are replaced by those of
    /// the new head, and the columns of takes are matched anew.
    fn follow_head(&mut self, from: &Head, head: &Head) {
        let (old, new) = (starter_poses(from), starter_poses(head));
        let mut poses: Vec<Arc<Pose>> = Vec::new();
        for pose in &self.poses {
            let is_own = !old.contains(pose) || self.sequence.steps.iter().any(|step| step.pose == pose.id);
            if is_own {
                poses.push(pose.clone());
            } else if let Some(starter) = new.iter().find(|starter| starter.id == pose.id) {
                poses.push(Arc::new(starter.clone()));
            }
        }
        let is_new =
            |starter: &&Pose| !old.iter().chain(self.poses.iter().map(Arc::as_ref)).any(|pose| pose.id == starter.id);
        let added: Vec<Arc<Pose>> = new.iter().filter(is_new).cloned().map(Arc::new).collect();
        poses.extend(added.iter().cloned());
        self.poses = poses;
        let is_left = |id: PoseId| self.poses.iter().any(|pose| pose.id == id);
        self.pose_keys.retain(|_, &mut id| is_left(id));
        self.number_starters(|id| added.iter().any(|pose| pose.id == id));
        self.takes = self.takes.iter().map(|entry| entry.fitted_to(head, &self.matching)).collect();
        self.spell_keys_as(head);
        self.spell_sliders_as(head);
    }

    /// The same edits for the head of another file: without what was done to single parts of the one before.
    fn without_parts(mut self, look: Look, hidden_meshes: BTreeSet<String>) -> Self {
        // Another head may have a clip of the same name and another length.
        self.clip_timings.iter_mut().for_each(|of| (of.timing.in_secs, of.timing.out_secs) = (None, None));
        self.clip_timings.retain(|of| !of.timing.is_empty());
        Self {
            sliders: BTreeMap::new(),
            mends: Vec::new(),
            linked: BTreeSet::new(),
            rule: BlendRule::default(),
            plays_correctives: true,
            applied_poses: Vec::new(),
            axes: ChosenAxes::default(),
            look,
            variant: None,
            variant_turn: 0,
            lit_by_file: false,
            roles: BTreeMap::new(),
            hidden_meshes,
            heat_channel: None,
            ..self
        }
    }
}
