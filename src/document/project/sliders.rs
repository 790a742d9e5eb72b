//! Sliders by name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::head::{Head, Pair};
use crate::session::{Edits, Session};

/// What an artist did to one channel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Slider {
    /// Weight of all its targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// Weights of single targets, where they differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<MeshWeight>,
    /// The hand holds it.
    #[serde(skip_serializing_if = "is_false")]
    pub held: bool,
    /// It is kept at rest.
    #[serde(skip_serializing_if = "is_false")]
    pub muted: bool,
    /// The others are kept at rest.
    #[serde(skip_serializing_if = "is_false")]
    pub soloed: bool,
}

/// The weight of a channel's target on one mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshWeight {
    /// The mesh's name. Several of one name follow in the head's order.
    pub mesh: String,
    /// Weight.
    pub value: f32,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The channels that are not at rest, free and heard.
pub(super) fn of(session: &Session) -> BTreeMap<String, Slider> {
    let (head, edits, rest) = (&session.head, &session.edits, session.head.default_weights());
    let mut sliders = BTreeMap::new();
    for (index, channel) in head.channels.iter().enumerate() {
        let mut slider = Slider {
            held: edits.held[index],
            muted: edits.muted[index],
            soloed: edits.soloed[index],
            ..Slider::default()
        };
        let weights: Vec<f32> = channel.targets.iter().map(|&target| edits.weights[target]).collect();
        let rests = channel.targets.iter().all(|&target| edits.weights[target] == rest[target]);
        if slider.held || !rests {
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

/// The meshes of some targets of a head.
pub(super) fn mesh_names<'a>(head: &'a Head, targets: &'a [usize]) -> impl Iterator<Item = &'a str> {
    targets.iter().map(|&target| head.target(target).map_or("", |(mesh, _)| mesh.name.as_str()))
}

/// The pairs whose sliders move together.
pub(super) fn linked(session: &Session) -> Vec<[String; 2]> {
    let name = |channel: usize| session.head.channels[channel].full_name.clone();
    let pairs = session.head.pairs.iter().zip(&session.edits.linked).filter(|(_, linked)| **linked);
    pairs.filter_map(|(pair, _)| Some([name(pair.first), name(pair.second?)])).collect()
}

/// The pair of both channels, by the names of [`linked`]; none where the head lacks one of them or pairs them otherwise.
pub(super) fn pair_of(head: &Head, names: &[String; 2]) -> Option<usize> {
    let [first, second] = [&names[0], &names[1]].map(|name| head.channel_named(name));
    let holds = |channel: Option<usize>, pair: &Pair| {
        channel.is_some_and(|channel| pair.first == channel || pair.second == Some(channel))
    };
    head.pairs.iter().position(|pair| holds(first, pair) && holds(second, pair))
}

impl Slider {
    /// Puts it on a channel of the head; what finds no mesh is given back.
    pub(super) fn put_on(&self, head: &Head, channel: usize, edits: &mut Edits) -> Vec<MeshWeight> {
        let targets = &head.channels[channel].targets;
        if let Some(value) = self.value.filter(|value| value.is_finite()) {
            for &target in targets {
                edits.weights[target] = value;
            }
        }
        let mut places: Vec<(&str, usize)> = mesh_names(head, targets).zip(targets.iter().copied()).collect();
        let mut homeless = Vec::new();
        for weight in self.targets.iter().filter(|weight| weight.value.is_finite()) {
            match places.iter().position(|(mesh, _)| *mesh == weight.mesh) {
                Some(place) => edits.weights[places.remove(place).1] = weight.value,
                None => homeless.push(weight.clone()),
            }
        }
        edits.held[channel] = self.held;
        edits.muted[channel] = self.muted;
        edits.soloed[channel] = self.soloed;
        homeless
    }
}
