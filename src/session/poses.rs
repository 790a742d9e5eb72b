//! Operations on poses: save, apply, mix, mirror, reorder.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Session;
use smirk_face::motion::{FIRST_OWN_POSE, Layer, Pose, PoseAmount, PoseId};

impl Session {
    /// Saves the current face as a pose at the end of the list. An empty name is replaced by a numbered one.
    pub fn store_pose(&mut self, name: &str) -> PoseId {
        let id = self.next_pose_id();
        let name = self.free_pose_name(name);
        let pose = Pose::of_mix(id, name, &self.head, &self.bound().rest, &self.face());
        self.edits.poses.push(Arc::new(pose));
        id
    }

    /// Replaces the weights of a pose with the current face.
    pub fn replace_pose(&mut self, id: PoseId) {
        let weights = Pose::of_mix(id, String::new(), &self.head, &self.bound().rest, &self.face()).weights;
        self.edit_pose(id, |pose| pose.weights = weights);
    }

    /// Adds the poses of a file at the end of the list.
    pub fn add_poses(&mut self, poses: impl IntoIterator<Item = (String, BTreeMap<String, f32>)>) {
        for (name, weights) in poses {
            let (id, name) = (self.next_pose_id(), self.free_pose_name(&name));
            self.edits.poses.push(Arc::new(Pose { id, name, weights }));
        }
    }

    /// Applies a pose in place of all applied poses. Manual channels are given back, except those that animation drives
    /// and the pose does not name.
    pub fn apply_pose(&mut self, id: PoseId) {
        let Some(pose) = self.edits.pose(id).cloned() else { return };
        let named = pose.channels_of(&self.head).into_iter().map(|(channel, _)| channel);
        self.set_applied_poses(vec![PoseAmount { pose: id, amount: 1.0 }], named.collect());
    }

    /// Removes every applied pose, and gives manual channels back as applying an empty pose would.
    pub fn clear_poses(&mut self) {
        self.set_applied_poses(Vec::new(), Vec::new());
    }

    /// Whether [`Self::clear_poses`] would change anything.
    pub fn can_clear_poses(&self) -> bool {
        let bound = self.bound();
        let mut manual = bound.manual.iter().zip(self.below_poses());
        !self.edits.applied_poses.is_empty() || manual.any(|(&is_manual, below)| is_manual && !below.is_motion())
    }

    /// The amount at which a pose is applied; 0 if it is not.
    pub fn pose_amount(&self, id: PoseId) -> f32 {
        self.edits.applied_poses.iter().find(|applied| applied.pose == id).map_or(0.0, |applied| applied.amount)
    }

    /// Sets the amount of a pose without a transition; other applied poses stay.
    pub fn set_pose_amount(&mut self, id: PoseId, amount: f32) {
        if !amount.is_finite() || self.edits.pose(id).is_none() {
            return;
        }
        let applied_poses = &mut self.edits.applied_poses;
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
    pub fn rename_pose(&mut self, id: PoseId, name: &str) {
        let name = name.trim().to_owned();
        if !name.is_empty() {
            self.edit_pose(id, |pose| pose.name = name);
        }
    }

    /// Swaps left and right in a pose.
    pub fn mirror_pose(&mut self, id: PoseId) {
        let head = self.head.clone();
        self.glide(self.edits.transition.duration_secs, |session| {
            session.edit_pose(id, |pose| pose.weights = pose.mirrored(&head));
        });
    }

    /// Adds a copy of a pose after it.
    pub fn duplicate_pose(&mut self, id: PoseId) -> Option<PoseId> {
        let place = self.edits.poses.iter().position(|pose| pose.id == id)?;
        let original = self.edits.poses[place].clone();
        let copy = Pose {
            id: self.next_pose_id(),
            name: self.free_pose_name(&original.name),
            weights: original.weights.clone(),
        };
        let id = copy.id;
        self.edits.poses.insert(place + 1, Arc::new(copy));
        Some(id)
    }

    /// Moves a pose to another position in the list.
    pub fn move_pose(&mut self, id: PoseId, place: usize) {
        let poses = &mut self.edits.poses;
        if let Some(from) = poses.iter().position(|pose| pose.id == id) {
            let pose = poses.remove(from);
            poses.insert(place.min(poses.len()), pose);
        }
    }

    /// Removes a pose from the list, from the applied poses and from the sequence.
    pub fn delete_pose(&mut self, id: PoseId) {
        self.glide(self.edits.transition.duration_secs, |session| {
            session.edits.poses.retain(|pose| pose.id != id);
            session.edits.applied_poses.retain(|applied| applied.pose != id);
            session.edits.sequence.steps.retain(|step| step.pose != id);
        });
    }

    fn set_applied_poses(&mut self, applied_poses: Vec<PoseAmount>, named: Vec<usize>) {
        let mut is_given_back: Vec<bool> = self.below_poses().into_iter().map(|layer| !layer.is_motion()).collect();
        for channel in named {
            is_given_back[channel] = true;
        }
        self.glide(self.edits.transition.duration_secs, |session| {
            session.edits.applied_poses = applied_poses;
            for channel in (0..is_given_back.len()).filter(|&channel| is_given_back[channel]) {
                session.give_slider_back(channel);
            }
        });
    }

    /// The layer that would set each channel if neither its slider nor a pose did.
    fn below_poses(&self) -> Vec<Layer> {
        self.stack().mix_without(&[Layer::Pose], &self.moment(), &self.fades).below_manual
    }

    /// The current weights without blinks and gaze, so that a pose does not store a half-closed eye.
    fn face(&self) -> Vec<f32> {
        self.stack().mix_without(&[Layer::Blink, Layer::Gaze], &self.moment(), &self.fades).weights
    }

    fn edit_pose(&mut self, id: PoseId, edit: impl FnOnce(&mut Pose)) {
        if let Some(pose) = self.edits.poses.iter_mut().find(|pose| pose.id == id) {
            edit(Arc::make_mut(pose));
        }
    }

    fn next_pose_id(&self) -> PoseId {
        let last = self.edits.poses.iter().map(|pose| pose.id.0).max().unwrap_or(0);
        PoseId(FIRST_OWN_POSE.max(last.saturating_add(1)))
    }

    /// The name itself if it is free, else the name with the next free number.
    fn free_pose_name(&self, name: &str) -> String {
        let name = match name.trim() {
            "" => "Pose 1",
            name => name,
        };
        let is_free = |name: &str| self.edits.poses.iter().all(|pose| pose.name != name);
        if is_free(name) {
            return name.to_owned();
        }
        let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit()).trim_end();
        let stem = if stem.is_empty() { name } else { stem };
        let mut numbered = (2_u32..).map(|number| format!("{stem} {number}"));
        numbered.find(|name| is_free(name)).unwrap_or_default()
    }
}
