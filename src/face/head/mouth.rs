//! The targets that open the mouth, and those that part the lips.

use super::{Head, Preset};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct MouthOpeners {
    /// The targets that open the jaw; the one that opens it most counts.
    pub jaw: Vec<MouthOpener>,
    /// Targets that part the lips over a closed jaw; they add up.
    pub lips: Vec<MouthOpener>,
    /// Targets that draw the corners apart: they widen the gap that the jaw leaves, and open nothing over a closed one.
    /// They add up.
    pub corners: Vec<MouthOpener>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MouthOpener {
    /// Head-wide index.
    pub target: usize,
    pub wide_open: f32,
}

/// The weight of jawOpen at which a mouth is wide open: in ARKit's captures, 1 is beyond what most people can do.
const WIDE_OPEN: f32 = 0.7;

/// Names of channels that open the mouth, the most exact first: a head may have several.
const NAMES: [&str; 7] = ["jawOpen", "mouthOpen", "jawDrop", "openMouth", "Fcl_MTH_A", "viseme_aa", "MTH_A"];

/// ARKit's names of channels that part the lips.
const LIPS: [&str; 5] =
    ["mouthUpperUpLeft", "mouthUpperUpRight", "mouthLowerDownLeft", "mouthLowerDownRight", "mouthFunnel"];
/// The weight at which one of them would open the mouth as far as the jaw does: both sides of a lip part the lips by
/// some 6 mm, and a mouth that is wide open by 25.
const WIDE_OPEN_LIPS: f32 = 8.0;

/// ARKit's names of channels that draw the corners of the mouth apart, one a side.
const CORNERS: [&str; 2] = ["mouthSmileLeft", "mouthSmileRight"];
/// The sum of their weights at which the gap lets in twice as much light: the lips are thinner, and their ends no
/// longer meet before the teeth.
const WIDE_CORNERS: f32 = 2.0;

impl Head {
    /// The targets that open the mouth: the jaw's are those of the first channel of a known name, else of VRM's
    /// expression `aa`.
    pub fn mouth_openers(&self) -> MouthOpeners {
        let named = NAMES.iter().map(|name| self.channel_alike(name)).find(|channels| !channels.is_empty());
        let channels = named.unwrap_or_else(|| {
            let aa = self.expressions.iter().position(|expression| expression.preset == Some(Preset::Aa));
            aa.map(|aa| self.target_channels().len() + aa).into_iter().collect()
        });
        let openers = channels.into_iter().flat_map(|channel| self.moved_by(channel));
        let lips = LIPS.iter().flat_map(|name| self.channel_alike(name)).flat_map(|channel| self.moved_by(channel));
        // The targets of a channel in several meshes are one movement: each counts as its part.
        let corners = CORNERS.iter().flat_map(|name| self.channel_alike(name)).flat_map(|channel| {
            let targets = self.moved_by(channel);
            let count = targets.len() as f32;
            targets.into_iter().map(move |(target, weight)| opener(target, weight * WIDE_CORNERS * count))
        });
        MouthOpeners {
            jaw: openers.map(|(target, weight)| opener(target, weight * WIDE_OPEN)).collect(),
            lips: lips.map(|(target, weight)| opener(target, weight * WIDE_OPEN_LIPS)).collect(),
            corners: corners.collect(),
        }
    }

    /// The targets that a channel moves, and their weights at its weight 1: of an expression those that it binds.
    fn moved_by(&self, channel: usize) -> Vec<(usize, f32)> {
        let targets: Vec<(usize, f32)> = match self.expression_of(channel) {
            Some(expression) => expression.binds.iter().map(|bind| (bind.target, bind.weight)).collect(),
            None => self.channels[channel].targets.iter().map(|&target| (target, 1.0)).collect(),
        };
        targets.into_iter().filter(|(target, weight)| *weight > 0.0 && *target < self.target_count()).collect()
    }
}

fn opener(target: usize, wide_open: f32) -> MouthOpener {
    MouthOpener { target, wide_open }
}

impl MouthOpener {
    /// How far it opens the mouth at these weights: 1 is wide open.
    fn part_at(&self, weights: &[f32]) -> f32 {
        weights.get(self.target).map_or(0.0, |weight| weight / self.wide_open)
    }
}

impl MouthOpeners {
    /// 0..1: the part of the light that a wide open mouth lets in, at these weights, one per target of the head. A gap
    /// of a few millimetres before teeth that are as far behind it lets in more than half of it.
    pub fn openness_under(&self, weights: &[f32]) -> f32 {
        let jaw = self.jaw.iter().map(|opener| opener.part_at(weights)).fold(0.0, f32::max);
        let [corners, lips] = [&self.corners, &self.lips]
            .map(|openers| openers.iter().fold(0.0, |sum, opener| sum + opener.part_at(weights).max(0.0)));
        let closed = 1.0 - (jaw * (1.0 + corners.min(1.0)) + lips).min(1.0);
        1.0 - closed * closed * closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Asset, Bind, Expression, Mesh};

    fn head(names: &[&str], expressions: Vec<Expression>) -> Head {
        let mesh = Mesh::with_targets(names.iter().copied());
        Head::new(Asset { meshes: vec![mesh], expressions, ..Asset::default() })
    }

    fn targets(head: &Head) -> Vec<usize> {
        head.mouth_openers().jaw.iter().map(|opener| opener.target).collect()
    }

    #[test]
    fn the_jaw_comes_before_speech_and_speech_before_nothing() {
        assert_eq!(targets(&head(&["viseme_aa", "smile", "JawOpen"], vec![])), [2]);
        assert_eq!(targets(&head(&["smile", "mouth-open"], vec![])), [1]);
        assert_eq!(targets(&head(&["smile"], vec![])), [0_usize; 0]);
        let binds = vec![Bind { target: 1, weight: 0.5 }];
        let aa = Expression { name: "aa".into(), preset: Some(Preset::Aa), binds, ..Expression::default() };
        assert_eq!(
            head(&["smile", "wide"], vec![aa]).mouth_openers().jaw,
            [MouthOpener { target: 1, wide_open: 0.35 }]
        );
    }

    #[test]
    fn expressions_named_like_shapes_open_the_mouth_by_what_they_bind() {
        let expression = |name: &str, target: usize, weight: f32| Expression {
            name: name.into(),
            binds: vec![Bind { target, weight }],
            ..Expression::default()
        };
        let expressions = vec![
            expression("jawOpen", 0, 0.5),
            expression("mouthSmileLeft", 1, 0.5),
            expression("mouthFunnel", 2, 1.0),
            expression("mouthUpperUpLeft", 9, 1.0),
        ];
        let openers = head(&["open", "wide", "round"], expressions).mouth_openers();
        assert_eq!(openers.jaw, [opener(0, 0.35)]);
        assert_eq!(openers.corners, [opener(1, 1.0)]);
        assert_eq!(openers.lips, [opener(2, 8.0)]);
    }

    #[test]
    fn the_mouth_opens_with_the_weight() {
        let openers = head(&["jawOpen"], vec![]).mouth_openers();
        let under = |weight: f32| openers.openness_under(&[weight]);
        assert_eq!((under(-1.0), under(0.0), under(0.7), under(9.0)), (0.0, 0.0, 1.0, 1.0));
        assert!((under(0.35) - 0.875).abs() < 1e-6);
        assert_eq!(openers.openness_under(&[]), 0.0);
        assert_eq!(under(f32::NAN), 0.0);
    }

    #[test]
    fn lips_part_over_a_closed_jaw() {
        let openers = head(&["mouthUpperUpLeft", "mouthUpperUpRight", "jawOpen"], vec![]).mouth_openers();
        let under = |weights: [f32; 3]| openers.openness_under(&weights);
        assert_eq!(under([-1.0, 0.0, 0.0]), 0.0);
        assert!((under([1.0, 1.0, 0.0]) - 0.578_125).abs() < 1e-6);
        assert!(under([1.0, 1.0, 0.35]) > under([0.0, 0.0, 0.35]));
    }

    #[test]
    fn a_smile_widens_the_gap_of_an_open_jaw_only() {
        let openers = head(&["mouthSmileLeft", "mouthSmileRight", "jawOpen"], vec![]).mouth_openers();
        let under = |weights: [f32; 3]| openers.openness_under(&weights);
        assert_eq!(under([1.0, 1.0, 0.0]), 0.0);
        assert!((under([1.0, 1.0, 0.14]) - under([0.0, 0.0, 0.28])).abs() < 1e-6);
        assert_eq!(under([9.0, -1.0, 0.14]), under([1.0, 1.0, 0.14]));
    }
}
