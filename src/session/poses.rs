//! What an artist does with poses: keep, show, blend, mirror, sort.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Session;
use crate::motion::{FIRST_OWN_POSE, Pose, PoseId};

impl Session {
    /// Keeps what is on screen as a pose at the end of the list.
    pub fn keep_pose(&mut self, name: &str) -> PoseId {
        let id = self.next_pose_id();
        let name = self.free_pose_name(name);
        let pose = Pose::of_mix(id, name, &self.head, &self.mix().weights);
        self.edits.poses.push(Arc::new(pose));
        id
    }

    /// Puts what is on screen in the place of what a pose was.
    pub fn replace_pose(&mut self, id: PoseId) {
        let weights = self.mix().weights;
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
        let below_hand = self.mix().below_hand;
        let mut lets_go: Vec<bool> = below_hand.iter().map(|layer| !layer.is_motion()).collect();
        for (channel, _) in pose.channels_of(&self.head) {
            lets_go[channel] = true;
        }
        self.glide(self.edits.transition.duration_secs, |session| {
            session.edits.posing = vec![(id, 1.0)];
            for (held, lets_go) in session.edits.held.iter_mut().zip(lets_go) {
                *held &= !lets_go;
            }
        });
    }

    /// Takes every pose off the face.
    pub fn clear_poses(&mut self) {
        self.glide(self.edits.transition.duration_secs, |session| session.edits.posing.clear());
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
        self.edits.posing.retain(|(other, _)| *other != id);
        if amount != 0.0 {
            self.edits.posing.push((id, amount));
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

    fn edit_pose(&mut self, id: PoseId, edit: impl FnOnce(&mut Pose)) {
        if let Some(pose) = self.edits.poses.iter_mut().find(|pose| pose.id == id) {
            edit(Arc::make_mut(pose));
        }
    }

    fn next_pose_id(&self) -> PoseId {
        let last = self.edits.poses.iter().map(|pose| pose.id.0).max().unwrap_or(0);
        PoseId(FIRST_OWN_POSE.max(last.saturating_add(1)))
    }

    /// The name, with a number behind it if it is taken.
    fn free_pose_name(&self, name: &str) -> String {
        let name = match name.trim() {
            "" => "Pose",
            name => name,
        };
        let is_free = |name: &str| self.edits.poses.iter().all(|pose| pose.name != name);
        if is_free(name) {
            return name.to_owned();
        }
        let mut numbered = (2_u32..).map(|number| format!("{name} {number}"));
        numbered.find(|name| is_free(name)).unwrap_or_default()
    }
}
