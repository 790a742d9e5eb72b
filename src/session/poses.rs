//! What an artist does with poses: keep, show, blend, mirror, sort.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Session;
use crate::motion::{FIRST_OWN_POSE, Layer, Pose, PoseId};

impl Session {
    /// Keeps what is on screen as a pose at the end of the list; without a name, under a numbered one.
    pub fn store_pose(&mut self, name: &str) -> PoseId {
        let id = self.next_pose_id();
        let name = self.free_pose_name(name);
        let pose = Pose::of_mix(id, name, &self.head, &self.face());
        self.edits.poses.push(Arc::new(pose));
        id
    }

    /// Puts what is on screen in the place of what a pose was.
    pub fn replace_pose(&mut self, id: PoseId) {
        let weights = self.face();
        let head = self.head.clone();
        self.edit_pose(id, |pose| pose.weights = Pose::of_mix(id, String::new(), &head, &weights).weights);
    }

    /// Adds poses from elsewhere at the end of the list.
    pub fn add_poses(&mut self, poses: impl IntoIterator<Item = (String, BTreeMap<String, f32>)>) {
        for (name, weights) in poses {
            let (id, name) = (self.next_pose_id(), self.free_pose_name(&name));
            self.edits.poses.push(Arc::new(Pose { id, name, weights }));
        }
    }

    /// Goes over to a pose. Sliders the hand held are let go, but for those that keep something moving off a channel the
    /// pose says nothing of.
    pub fn apply_pose(&mut self, id: PoseId) {
        let Some(pose) = self.edits.pose(id).cloned() else { return };
        let named = pose.channels_of(&self.head).into_iter().map(|(channel, _)| channel);
        self.go_over_to(vec![(id, 1.0)], named.collect());
    }

    /// Takes every pose off the face, and lets sliders go as a pose without any weights would.
    pub fn clear_poses(&mut self) {
        self.go_over_to(Vec::new(), Vec::new());
    }

    /// Whether [`Self::clear_poses`] would change anything.
    pub fn can_clear_poses(&self) -> bool {
        let mut held = self.edits.manual.iter().zip(self.below_poses());
        !self.edits.posing.is_empty() || held.any(|(&held, below)| held && !below.is_motion())
    }

    /// How much of a pose is on the face.
    pub fn pose_amount(&self, id: PoseId) -> f32 {
        self.edits.posing.iter().find(|(other, _)| *other == id).map_or(0.0, |(_, amount)| *amount)
    }

    /// Puts so much of a pose on the face, at once, beside what is there of others.
    pub fn set_pose_amount(&mut self, id: PoseId, amount: f32) {
        if !amount.is_finite() || self.edits.pose(id).is_none() {
            return;
        }
        let posing = &mut self.edits.posing;
        match posing.iter().position(|(other, _)| *other == id) {
            // In its place: names and sums keep their order while a slider moves.
            Some(place) if amount != 0.0 => posing[place].1 = amount,
            Some(place) => {
                posing.remove(place);
            }
            None if amount != 0.0 => posing.push((id, amount)),
            None => {}
        }
    }

    /// Calls a pose something else; an empty name changes nothing.
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

    /// Puts a copy of a pose behind it.
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

    /// Moves a pose to another place in the list.
    pub fn move_pose(&mut self, id: PoseId, place: usize) {
        let poses = &mut self.edits.poses;
        if let Some(from) = poses.iter().position(|pose| pose.id == id) {
            let pose = poses.remove(from);
            poses.insert(place.min(poses.len()), pose);
        }
    }

    /// Takes a pose off the list, the face and the sequence.
    pub fn delete_pose(&mut self, id: PoseId) {
        self.glide(self.edits.transition.duration_secs, |session| {
            session.edits.poses.retain(|pose| pose.id != id);
            session.edits.posing.retain(|(other, _)| *other != id);
            session.edits.sequence.poses.retain(|&other| other != id);
        });
    }

    fn go_over_to(&mut self, posing: Vec<(PoseId, f32)>, named: Vec<usize>) {
        let mut lets_go: Vec<bool> = self.below_poses().into_iter().map(|layer| !layer.is_motion()).collect();
        for channel in named {
            lets_go[channel] = true;
        }
        self.glide(self.edits.transition.duration_secs, |session| {
            session.edits.posing = posing;
            for (held, lets_go) in session.edits.manual.iter_mut().zip(lets_go) {
                *held &= !lets_go;
            }
        });
    }

    /// The layer that would decide each channel if neither its slider nor a pose did.
    fn below_poses(&self) -> Vec<Layer> {
        self.stack().mix_without(&[Layer::Pose], self.clock.moment(), &self.fades).below_manual
    }

    /// What is shown, but for blinks and gaze: a pose must not store the moment they happen to be in.
    fn face(&self) -> Vec<f32> {
        self.stack().mix_without(&[Layer::Blink, Layer::Gaze], self.clock.moment(), &self.fades).weights
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

    /// The name; the next number in the place of its own, or behind it, if it is taken.
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
