//! The poses of a session: save, apply, mix, mirror, reorder.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Edits, Session};
use smirk_base::names;
use smirk_face::motion::{FIRST_OWN_POSE, Layer, Pose, PoseAmount, PoseGroup, PoseId};

/// The digits of the number keys, in the order in which poses get them.
const DIGITS: [u8; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0];
/// How many starter poses have a number key. The others are left to the artist's own poses.
const NUMBERED_STARTERS: usize = 7;

/// The poses, which ones are applied, and at which amounts.
pub struct PosesMut<'a> {
    session: &'a mut Session,
}

impl Session {
    pub fn poses_mut(&mut self) -> PosesMut<'_> {
        PosesMut { session: self }
    }

    /// Whether [`PosesMut::clear`] would change anything.
    pub fn can_clear_poses(&self) -> bool {
        let bound = self.bound();
        let mut manual = bound.sliders.manual.iter().zip(self.below_poses());
        !self.edits.applied_poses.is_empty() || manual.any(|(&is_manual, below)| is_manual && !below.is_motion())
    }

    /// The layer that would set each channel if neither its slider nor a pose did.
    fn below_poses(&self) -> Vec<Layer> {
        self.stack().mix_without(&[Layer::Pose], &self.moment(), &self.fades).below_manual
    }
}

impl Edits {
    /// The poses in the order in which they are shown: by group.
    pub fn poses_in_order(&self) -> impl Iterator<Item = &Arc<Pose>> {
        let of_group = |&group: &PoseGroup| self.poses.iter().filter(move |pose| PoseGroup::of_pose(pose.id) == group);
        PoseGroup::ALL.iter().flat_map(of_group)
    }

    /// The digit of the key that applies a pose.
    pub fn key_of_pose(&self, id: PoseId) -> Option<u8> {
        self.pose_keys.iter().find(|(_, pose)| **pose == id).map(|(&digit, _)| digit)
    }

    fn give_free_key(&mut self, id: PoseId) {
        let free = DIGITS.into_iter().find(|digit| !self.pose_keys.contains_key(digit));
        if let Some(digit) = free.filter(|_| self.key_of_pose(id).is_none()) {
            self.pose_keys.insert(digit, id);
        }
    }

    /// Gives those of the first starter poses that are new their number keys, as far as keys are free.
    pub(super) fn number_starters(&mut self, is_new: impl Fn(PoseId) -> bool) {
        let emotions =
            self.poses.iter().map(|pose| pose.id).filter(|&id| PoseGroup::of_pose(id) == PoseGroup::Emotions);
        let new: Vec<PoseId> = emotions.take(NUMBERED_STARTERS).filter(|&id| is_new(id)).collect();
        new.into_iter().for_each(|id| self.give_free_key(id));
    }

    /// Takes keys from poses that are gone, and a second one from a pose. Without any, as in projects of earlier
    /// versions, the poses that are shown first get them.
    pub fn settle_pose_keys(&mut self) {
        for (digit, pose) in std::mem::take(&mut self.pose_keys) {
            if DIGITS.contains(&digit) && self.pose(pose).is_some() && self.key_of_pose(pose).is_none() {
                self.pose_keys.insert(digit, pose);
            }
        }
        if self.pose_keys.is_empty() {
            let first: Vec<PoseId> = self.poses_in_order().take(9).map(|pose| pose.id).collect();
            first.into_iter().for_each(|id| self.give_free_key(id));
        }
    }
}

impl PosesMut<'_> {
    /// Gives a pose this number key, which no other pose has any longer, or none.
    pub fn set_key(&mut self, id: PoseId, digit: Option<u8>) {
        let keys = &mut self.session.edits.pose_keys;
        keys.retain(|_, pose| *pose != id);
        keys.extend(digit.map(|digit| (digit, id)));
    }

    /// Saves the current face as a pose at the end of the list. An empty name is replaced by a numbered one.
    pub fn store(&mut self, name: &str) -> PoseId {
        self.insert(self.session.edits.poses.len(), name, self.shown())
    }

    /// Replaces the weights of a pose with the current face.
    pub fn replace(&mut self, id: PoseId) {
        let weights = self.shown();
        self.edit(id, |pose| pose.weights = weights);
    }

    /// Adds the poses of a file at the end of the list.
    pub fn add(&mut self, poses: impl IntoIterator<Item = (String, BTreeMap<String, f32>)>) {
        for (name, weights) in poses {
            self.insert(self.session.edits.poses.len(), &name, weights);
        }
    }

    /// Applies a pose in place of all applied poses. Manual channels are given back, except those that animation drives
    /// and the pose does not name.
    pub fn apply(&mut self, id: PoseId) {
        let Some(pose) = self.session.edits.pose(id).cloned() else { return };
        let named = pose.channels_of(&self.session.head).into_iter().map(|(channel, _)| channel);
        self.set_applied(vec![PoseAmount { pose: id, amount: 1.0 }], named.collect());
    }

    /// Removes every applied pose, and gives manual channels back as applying an empty pose would.
    pub fn clear(&mut self) {
        self.set_applied(Vec::new(), Vec::new());
    }

    /// Sets the amount of a pose without a transition; other applied poses stay.
    pub fn set_amount(&mut self, id: PoseId, amount: f32) {
        if !amount.is_finite() || self.session.edits.pose(id).is_none() {
            return;
        }
        let applied_poses = &mut self.session.edits.applied_poses;
        match applied_poses.iter().position(|applied| applied.pose == id) {
            // The order of the applied poses does not change, so that their names on the screen do not swap while the
            // user drags a slider.
            Some(place) if amount != 0.0 => applied_poses[place].amount = amount,
            Some(place) => {
                applied_poses.remove(place);
            }
            None if amount != 0.0 => applied_poses.push(PoseAmount { pose: id, amount }),
            None => {}
        }
    }

    /// Renames a pose. An empty name changes nothing.
    pub fn rename(&mut self, id: PoseId, name: &str) {
        let name = name.trim().to_owned();
        if !name.is_empty() {
            self.edit(id, |pose| pose.name = name);
        }
    }

    pub fn mirror(&mut self, id: PoseId) {
        let head = self.session.head.clone();
        self.session.glide(self.session.edits.transition.duration_secs, |session| {
            session.poses_mut().edit(id, |pose| pose.weights = pose.mirrored(&head));
        });
    }

    /// Adds a copy of a pose after it.
    pub fn duplicate(&mut self, id: PoseId) -> Option<PoseId> {
        let place = self.session.edits.poses.iter().position(|pose| pose.id == id)?;
        let original = self.session.edits.poses[place].clone();
        Some(self.insert(place + 1, &original.name, original.weights.clone()))
    }

    pub fn move_to(&mut self, id: PoseId, place: usize) {
        let poses = &mut self.session.edits.poses;
        if let Some(from) = poses.iter().position(|pose| pose.id == id) {
            let pose = poses.remove(from);
            poses.insert(place.min(poses.len()), pose);
        }
    }

    /// Removes a pose from the list, from the applied poses and from the sequence.
    pub fn delete(&mut self, id: PoseId) {
        self.session.glide(self.session.edits.transition.duration_secs, |session| {
            session.edits.poses.retain(|pose| pose.id != id);
            session.edits.pose_keys.retain(|_, pose| *pose != id);
            session.edits.applied_poses.retain(|applied| applied.pose != id);
            session.edits.sequence.steps.retain(|step| step.pose != id);
        });
        self.session.stay_on_timeline();
    }

    /// Replaces the applied poses. Manual channels are given back, except those that animation drives and that are not
    /// named.
    pub(super) fn set_applied(&mut self, applied_poses: Vec<PoseAmount>, named: Vec<usize>) {
        let mut is_given_back: Vec<bool> =
            self.session.below_poses().into_iter().map(|layer| !layer.is_motion()).collect();
        for channel in named {
            is_given_back[channel] = true;
        }
        self.session.glide(self.session.edits.transition.duration_secs, |session| {
            session.edits.applied_poses = applied_poses;
            session.channels_mut((0..is_given_back.len()).filter(|&channel| is_given_back[channel])).give_back();
        });
    }

    /// The weights of the current face without blinks and gaze, so that a pose does not store a half-closed eye.
    fn shown(&self) -> BTreeMap<String, f32> {
        let session = &*self.session;
        let mix = session.stack().mix_without(&[Layer::Blink, Layer::Gaze], &session.moment(), &session.fades);
        Pose::of_mix(PoseId(0), String::new(), &session.head, &session.bound().sliders.rest, &mix.weights).weights
    }

    fn edit(&mut self, id: PoseId, edit: impl FnOnce(&mut Pose)) {
        if let Some(pose) = self.session.edits.poses.iter_mut().find(|pose| pose.id == id) {
            edit(Arc::make_mut(pose));
        }
    }

    fn insert(&mut self, place: usize, name: &str, weights: BTreeMap<String, f32>) -> PoseId {
        let poses = &self.session.edits.poses;
        let last = poses.iter().map(|pose| pose.id.0).max().unwrap_or(0);
        let id = PoseId(FIRST_OWN_POSE.max(last.saturating_add(1)));
        let pose = Pose { id, name: free_name(poses, name), weights };
        self.session.edits.poses.insert(place, Arc::new(pose));
        self.session.edits.give_free_key(id);
        id
    }
}

/// The name itself if no pose has it, else the name with the next free number.
fn free_name(poses: &[Arc<Pose>], name: &str) -> String {
    let name = match name.trim() {
        "" => "Pose 1",
        name => name,
    };
    names::free_name(name, " ", |name| poses.iter().all(|pose| pose.name != name))
}
