//! What an artist does to one channel, as projects save it.

use std::ops::Not;

use serde::{Deserialize, Serialize};

use smirk_face::head::Head;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Slider {
    /// The weight of all its targets. None if it is at rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// The weights of its targets on single meshes, where they differ. Those of meshes that the head lacks are kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<MeshWeight>,
    /// The slider decides the channel's weight, whatever plays.
    #[serde(skip_serializing_if = "Not::not")]
    pub held: bool,
    /// The channel stays at its default weight.
    #[serde(skip_serializing_if = "Not::not")]
    pub muted: bool,
    /// Channels that are not soloed stay at their default weights.
    #[serde(skip_serializing_if = "Not::not")]
    pub soloed: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshWeight {
    /// The name of the mesh. Several meshes of one name are listed in the head's order.
    pub mesh: String,
    pub value: f32,
}

impl Slider {
    /// The weight of each target of the channel, in its order. `rest` has the weights of the head at rest, which stay
    /// where nothing is said.
    pub(super) fn weights(&self, head: &Head, channel: usize, rest: &[f32]) -> Vec<f32> {
        let targets = &head.channels[channel].targets;
        let value = self.value.filter(|value| value.is_finite());
        let mut weights: Vec<f32> = targets.iter().map(|&target| value.unwrap_or(rest[target])).collect();
        for (weight, index) in self.targets_on(head, channel) {
            if let Some(index) = index.filter(|_| weight.value.is_finite()) {
                weights[index] = weight.value;
            }
        }
        weights
    }

    /// Sets the weight of each target of the channel on a head.
    pub(super) fn set(&mut self, head: &Head, channel: usize, weight: impl Fn(usize) -> f32) {
        let targets = &head.channels[channel].targets;
        let first = targets.first().map(|&target| weight(target));
        let absent = self.absent_targets(head, channel);
        let is_one =
            !share_a_name(head, channel, &absent) && targets.iter().all(|&target| Some(weight(target)) == first);
        self.value = first.filter(|_| is_one);
        self.targets = Vec::new();
        if !is_one {
            for &target in targets {
                self.targets.push(MeshWeight { mesh: mesh_name(head, target).into(), value: weight(target) });
            }
        }
        self.targets.extend(absent);
    }

    /// Whether it sets one weight for all targets, so that another value changes nothing else.
    pub(super) fn is_held_at_one_value(&self) -> bool {
        self.held && self.value.is_some() && self.targets.is_empty()
    }

    /// Makes the layers below decide the channel's weight. The slider stays where it is; at rest, nothing is said of
    /// it.
    pub(super) fn give_back(&mut self, head: &Head, channel: usize, rest: &[f32]) {
        self.held = false;
        let at_rest = head.channels[channel].targets.iter().map(|&target| rest[target]);
        if self.weights(head, channel, rest).into_iter().eq(at_rest) {
            let absent = self.absent_targets(head, channel);
            if !share_a_name(head, channel, &absent) {
                (self.value, self.targets) = (None, absent);
            }
        }
    }

    /// Whether a head has the channel of this name, on all meshes that it has a weight for.
    pub fn is_on(&self, head: &Head, name: &str) -> bool {
        let channel = head.channel_named(name);
        channel.is_some_and(|channel| self.absent_targets(head, channel).is_empty())
    }

    fn absent_targets(&self, head: &Head, channel: usize) -> Vec<MeshWeight> {
        let absent = self.targets_on(head, channel).filter(|(_, index)| index.is_none());
        absent.map(|(weight, _)| weight.clone()).collect()
    }

    /// The weights of single meshes, each with the index of its target among those of the channel. Several meshes of
    /// one name are matched in their order.
    fn targets_on<'a>(
        &'a self,
        head: &'a Head,
        channel: usize,
    ) -> impl Iterator<Item = (&'a MeshWeight, Option<usize>)> {
        let targets = &head.channels[channel].targets;
        let mut free: Vec<(usize, &str)> = if self.targets.is_empty() {
            Vec::new()
        } else {
            targets.iter().map(|&target| mesh_name(head, target)).enumerate().collect()
        };
        self.targets.iter().map(move |weight| {
            let found = free.iter().position(|(_, mesh)| *mesh == weight.mesh);
            (weight, found.map(|place| free.remove(place).0))
        })
    }
}

/// Whether one of the meshes that the head lacks has the name of one that it has. Weights of meshes of one name are
/// told apart by their order alone: then those of the meshes that are there stay listed, before the others.
fn share_a_name(head: &Head, channel: usize, absent: &[MeshWeight]) -> bool {
    let targets = &head.channels[channel].targets;
    absent.iter().any(|weight| targets.iter().any(|&target| mesh_name(head, target) == weight.mesh))
}

/// The name of the mesh that a target is on; empty for an expression, which is on none.
fn mesh_name(head: &Head, target: usize) -> &str {
    head.target(target).map_or("", |(mesh, _)| mesh.name.as_str())
}
