//! The state of sliders by the names of their channels.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::head::{Head, Pair};
use crate::session::{Edits, Session};

/// What an artist did to one channel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Slider {
    /// The weight of all its targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// The weights of its targets on single meshes, where they differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<MeshWeight>,
    /// The slider decides the channel's weight, whatever plays.
    #[serde(skip_serializing_if = "is_false")]
    pub held: bool,
    /// The channel stays at its default weight.
    #[serde(skip_serializing_if = "is_false")]
    pub muted: bool,
    /// Channels that are not soloed stay at their default weights.
    #[serde(skip_serializing_if = "is_false")]
    pub soloed: bool,
}

/// The weight of a channel's target on one mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshWeight {
    /// The name of the mesh. Several meshes of one name are listed in the head's order.
    pub mesh: String,
    /// The weight.
    pub value: f32,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The sliders that are not as they were when the head was opened, by the full names of their channels.
pub(super) fn of(session: &Session) -> BTreeMap<String, Slider> {
    let (head, edits, defaults) = (&session.head, &session.edits, session.head.default_weights());
    let mut sliders = BTreeMap::new();
    for (index, channel) in head.channels.iter().enumerate() {
        let mut slider = Slider {
            held: edits.manual[index],
            muted: edits.muted[index],
            soloed: edits.soloed[index],
            ..Slider::default()
        };
        let weights: Vec<f32> = channel.targets.iter().map(|&target| edits.weights[target]).collect();
        let is_at_default = channel.targets.iter().all(|&target| edits.weights[target] == defaults[target]);
        if slider.held || !is_at_default {
            if weights.windows(2).all(|pair| pair[0] == pair[1]) {
                slider.value = weights.first().copied();
            } else {
                let meshes = mesh_names(head, &channel.targets);
                slider.targets =
                    meshes.zip(weights).map(|(mesh, value)| MeshWeight { mesh: mesh.to_owned(), value }).collect();
            }
        }
        if slider != Slider::default() {
            sliders.insert(channel.full_name.clone(), slider);
        }
    }
    sliders
}

pub(super) fn mesh_names<'a>(head: &'a Head, targets: &'a [usize]) -> impl Iterator<Item = &'a str> {
    targets.iter().map(|&target| head.target(target).map_or("", |(mesh, _)| mesh.name.as_str()))
}

/// The full names of the channels of each pair whose sliders move together.
pub(super) fn linked(session: &Session) -> Vec<[String; 2]> {
    let name = |channel: usize| session.head.channels[channel].full_name.clone();
    let pairs = session.head.pairs.iter().zip(&session.edits.linked).filter(|(_, linked)| **linked);
    pairs.filter_map(|(pair, _)| Some([name(pair.first), name(pair.second?)])).collect()
}

/// The pair of two channels, by the names that [`linked`] gave. None if the head lacks a channel, or pairs them otherwise.
pub(super) fn pair_of(head: &Head, names: &[String; 2]) -> Option<usize> {
    let [first, second] = [&names[0], &names[1]].map(|name| head.channel_named(name));
    let holds = |channel: Option<usize>, pair: &Pair| {
        channel.is_some_and(|channel| pair.first == channel || pair.second == Some(channel))
    };
    head.pairs.iter().position(|pair| holds(first, pair) && holds(second, pair))
}

impl Slider {
    /// Sets a channel of the head to this state. Returns the weights of meshes that the channel has no target on.
    pub(super) fn apply(&self, head: &Head, channel: usize, edits: &mut Edits) -> Vec<MeshWeight> {
        let targets = &head.channels[channel].targets;
        if let Some(value) = self.value.filter(|value| value.is_finite()) {
            for &target in targets {
                edits.weights[target] = value;
            }
        }
        let mut free_targets: Vec<(&str, usize)> = mesh_names(head, targets).zip(targets.iter().copied()).collect();
        let mut without_mesh = Vec::new();
        for weight in self.targets.iter().filter(|weight| weight.value.is_finite()) {
            match free_targets.iter().position(|(mesh, _)| *mesh == weight.mesh) {
                Some(index) => edits.weights[free_targets.remove(index).1] = weight.value,
                None => without_mesh.push(weight.clone()),
            }
        }
        edits.manual[channel] = self.held;
        edits.muted[channel] = self.muted;
        edits.soloed[channel] = self.soloed;
        without_mesh
    }
}
