//! Clips: the animations of a glTF file, as far as they animate weights and nodes.

mod curve;
mod node_pose;
mod node_track;

pub use curve::{Curve, Interpolation};
pub(super) use node_pose::NodePose;
pub use node_track::{NodePath, NodeTrack};

use glam::Mat4;

use super::{Channel, Rig};

/// A curve and the targets it animates: curve element `i` drives head-wide target `first_target + i`.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Head-wide index of the target that the curve's first element drives.
    pub first_target: usize,
    /// One element per target.
    pub curve: Curve,
}

/// A named animation of weights and of the transforms of nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// The name in the file, or `clip N`.
    pub name: String,
    /// From 0 to the last key of the longest track, in seconds.
    pub duration_secs: f32,
    /// The weights it animates.
    pub tracks: Vec<Track>,
    /// The nodes it animates.
    pub node_tracks: Vec<NodeTrack>,
    /// Per channel of the head, whether the clip drives it: some key differs from the weight at rest.
    /// Exporters write keys for every target of a mesh; channels whose keys all have the weight at rest are not driven.
    driven_channels: Vec<bool>,
}

impl Clip {
    /// A key that differs by more than this from the weight at rest drives its channel.
    const STILL: f32 = 1e-6;

    /// A clip as long as its longest track. [`crate::head::Head::new`] determines the channels that it drives.
    pub fn new(name: String, tracks: Vec<Track>) -> Self {
        let duration_secs = tracks.iter().map(|track| track.curve.end_secs()).fold(0.0, f32::max);
        Self { name, duration_secs, tracks, node_tracks: Vec::new(), driven_channels: Vec::new() }
    }

    /// The same clip with tracks of nodes.
    pub fn with_node_tracks(mut self, node_tracks: Vec<NodeTrack>) -> Self {
        let ends = node_tracks.iter().map(|track| track.curve.end_secs());
        self.duration_secs = ends.fold(self.duration_secs, f32::max);
        self.node_tracks = node_tracks;
        self
    }

    /// The time within the clip when the play head is at a time of the timeline. A clip that is shorter than the timeline repeats.
    pub fn time_within(&self, timeline_secs: f32) -> f32 {
        if self.duration_secs > 0.0 && timeline_secs > self.duration_secs {
            timeline_secs.rem_euclid(self.duration_secs)
        } else {
            timeline_secs
        }
    }

    /// Whether it animates any node.
    pub fn moves_nodes(&self) -> bool {
        !self.node_tracks.is_empty()
    }

    /// Marks the channels that have a key with another weight than at rest.
    pub(crate) fn find_driven_channels(&mut self, channels: &[Channel], rest: &[f32]) {
        let mut driven_targets = vec![false; rest.len()];
        for track in &self.tracks {
            for element in 0..track.curve.width() {
                let target = track.first_target + element;
                driven_targets[target] |= !track.curve.rests_at(rest[target], element, Self::STILL);
            }
        }
        self.driven_channels =
            channels.iter().map(|channel| channel.targets.iter().any(|&target| driven_targets[target])).collect();
    }

    /// Whether the clip drives that channel of the head.
    pub fn drives(&self, channel: usize) -> bool {
        self.driven_channels.get(channel).copied().unwrap_or(false)
    }

    /// Indices of the channels it drives.
    pub fn driven_channels(&self) -> impl Iterator<Item = usize> + '_ {
        self.driven_channels.iter().enumerate().filter_map(|(channel, driven)| driven.then_some(channel))
    }

    /// The world transforms of all nodes at a time; nodes without tracks are at rest. None if the clip animates no node.
    ///
    /// A node whose transform is not finite stays at rest.
    pub fn world_from_nodes(&self, rig: &Rig, time_secs: f32) -> Option<Vec<Mat4>> {
        let mut pose = NodePose::at_rest(rig);
        pose.play(&self.node_tracks, time_secs);
        pose.world_from_nodes()
    }

    /// The weight of one target at a time, if a track animates it.
    pub fn sample(&self, time_secs: f32, target: usize) -> Option<f32> {
        self.curve_of(target).map(|(curve, element)| curve.sample(time_secs, element))
    }

    /// The curve of one target and the element of it, if a track animates it.
    pub fn curve_of(&self, target: usize) -> Option<(&Curve, usize)> {
        self.tracks.iter().find_map(|track| {
            let element = target.checked_sub(track.first_target)?;
            (element < track.curve.width()).then_some((&track.curve, element))
        })
    }
}
