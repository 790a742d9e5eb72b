//! The combinations of expressions that are tried.

use smirk_base::random;
use smirk_face::head::{Head, PairKind};

/// Channels at full weight together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Combination {
    /// Indices into [`Head::channels`], ascending.
    pub channels: Vec<usize>,
}

/// Combinations that break faces, by the names of ARKit. A name without a side is both sides.
const KNOWN: [&[&str]; 38] = [
    &["eyeBlink", "eyeSquint"],
    &["eyeBlink", "cheekSquint"],
    &["eyeBlink", "eyeSquint", "cheekSquint"],
    &["eyeBlink", "eyeWide"],
    &["eyeBlink", "browDown"],
    &["eyeBlink", "eyeLookUp"],
    &["eyeBlink", "eyeLookDown"],
    &["eyeBlink", "eyeLookInLeft", "eyeLookOutRight"],
    &["eyeBlink", "mouthSmile", "cheekSquint"],
    &["eyeSquint", "eyeLookDown"],
    &["eyeWide", "eyeLookUp"],
    &["eyeWide", "browInnerUp", "browOuterUp"],
    &["browDown", "browInnerUp"],
    &["browDown", "eyeSquint", "noseSneer"],
    &["jawOpen", "mouthClose"],
    &["jawOpen", "mouthPucker"],
    &["jawOpen", "mouthFunnel"],
    &["jawOpen", "mouthSmile"],
    &["jawOpen", "mouthStretch"],
    &["jawOpen", "mouthFrown"],
    &["jawOpen", "tongueOut"],
    &["jawOpen", "mouthUpperUp", "mouthLowerDown"],
    &["jawOpen", "mouthRollLower", "mouthRollUpper"],
    &["jawOpen", "jawLeft"],
    &["jawOpen", "jawForward"],
    &["mouthSmile", "mouthPucker"],
    &["mouthSmile", "mouthFunnel"],
    &["mouthSmile", "mouthFrown"],
    &["mouthSmile", "mouthDimple", "mouthStretch"],
    &["mouthSmile", "cheekPuff"],
    &["mouthSmile", "noseSneer", "cheekSquint"],
    &["mouthPucker", "mouthFunnel"],
    &["mouthPucker", "mouthPress"],
    &["mouthPress", "mouthRollLower", "mouthRollUpper"],
    &["mouthShrugLower", "mouthShrugUpper"],
    &["mouthLeft", "mouthSmileLeft"],
    &["mouthUpperUp", "noseSneer"],
    &["jawForward", "mouthShrugLower"],
];

/// The number of random pairs, and the seed that chooses them: the same on every run.
const RANDOM_PAIRS: u64 = 40;
const SEED: u32 = 0x0c0b;

/// Combinations of channels that move something: those that are known to break faces, the two sides of every pair, and
/// pairs chosen at random.
pub fn combinations(head: &Head) -> Vec<Combination> {
    let moving: Vec<usize> = (0..head.channels.len()).filter(|&channel| moves(head, channel)).collect();
    let mut found: Vec<Combination> = Vec::new();
    for names in KNOWN {
        let each: Vec<Vec<usize>> = names.iter().map(|name| head.channel_alike(name)).collect();
        if each.iter().all(|channels| channels.iter().any(|channel| moving.contains(channel))) {
            let here = each.into_iter().flatten().filter(|channel| moving.contains(channel));
            add(&mut found, here.collect());
        }
    }
    for pair in head.pairs.iter().filter(|pair| pair.kind == PairKind::Sides) {
        let both: Vec<usize> = [Some(pair.first), pair.second].into_iter().flatten().collect();
        if both.iter().all(|channel| moving.contains(channel)) {
            add(&mut found, both);
        }
    }
    if moving.len() > 1 {
        for index in 0..RANDOM_PAIRS {
            let channels = [0, 1].map(|at| {
                let chance = random::bits(SEED, index * 2 + at) % moving.len() as u64;
                moving[chance as usize]
            });
            add(&mut found, channels.to_vec());
        }
    }
    found
}

/// Adds a combination of two or more channels, if it is not there.
fn add(found: &mut Vec<Combination>, mut channels: Vec<usize>) {
    channels.sort_unstable();
    channels.dedup();
    let combination = Combination { channels };
    if combination.channels.len() > 1 && !found.contains(&combination) {
        found.push(combination);
    }
}

fn moves(head: &Head, channel: usize) -> bool {
    match (head.expression_of(channel), head.correctives.of_channel(channel)) {
        // What an expression does, its targets do; what a corrective does, is seen with its drivers.
        (Some(_), _) | (_, Some(_)) => false,
        (None, None) => {
            let targets = head.channels[channel].targets.iter().filter_map(|&target| head.target(target));
            targets.flat_map(|(_, target)| &target.positions).any(|delta| delta.length_squared() > 0.0)
        }
    }
}

impl Combination {
    /// The names of the channels, with `+` between them.
    pub fn name(&self, head: &Head) -> String {
        let names = self.channels.iter().filter_map(|&channel| head.channels.get(channel));
        names.map(|channel| channel.name.as_str()).collect::<Vec<_>>().join(" + ")
    }

    /// The weights of a mix of motion that show it.
    pub fn weights(&self, head: &Head) -> Vec<f32> {
        let mut weights = head.default_weights();
        let targets = self.channels.iter().filter_map(|&channel| head.channels.get(channel));
        for &target in targets.flat_map(|channel| &channel.targets) {
            if let Some(weight) = weights.get_mut(target) {
                *weight = 1.0;
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Asset, Mesh, Target, Vertices};

    #[test]
    fn known_combinations_sides_and_random_pairs_of_the_channels_that_move_are_tried() {
        let target = |name: &&str| Target {
            name: (*name).into(),
            rows: vec![0],
            positions: vec![glam::Vec3::X * f32::from(u8::from(!name.starts_with("cheek")))],
            ..Target::default()
        };
        let names = ["eyeBlinkLeft", "eyeBlinkRight", "eyeSquint_L", "cheekSquintLeft", "jawOpen", "mouthClose"];
        let mesh = Mesh {
            name: "face".into(),
            vertices: Vertices { positions: vec![glam::Vec3::ZERO], ..Vertices::default() },
            targets: names.iter().map(target).collect(),
            ..Mesh::default()
        };
        let head = Head::from_meshes(vec![mesh]);
        let found: Vec<String> = combinations(&head).iter().map(|combination| combination.name(&head)).collect();
        assert!(found.contains(&"eyeBlinkLeft + eyeBlinkRight + eyeSquint_L".into()), "{found:?}");
        for name in ["jawOpen + mouthClose", "eyeBlinkLeft + eyeBlinkRight"] {
            assert!(found.contains(&name.to_owned()), "{found:?}");
        }
        assert!(found.iter().all(|name| !name.contains("cheek")), "{found:?}");
        assert_eq!(combinations(&head), combinations(&head));
        let weights = combinations(&head)[0].weights(&head);
        assert_eq!(weights.iter().filter(|weight| **weight == 1.0).count(), 3);
        assert_eq!(combinations(&Head::new(Asset::default())), []);
    }
}
