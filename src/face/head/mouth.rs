//! The targets that open the mouth.

use super::{Head, Preset};

/// A target that opens the mouth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MouthOpener {
    /// Head-wide index.
    pub target: usize,
    /// The weight at which the mouth is wide open.
    pub wide_open: f32,
}

/// The weight of jawOpen at which a mouth is wide open: in ARKit's captures, 1 is beyond what most people can do.
const WIDE_OPEN: f32 = 0.7;

/// Names of channels that open the mouth, the most exact first: a head may have several.
const NAMES: [&str; 7] = ["jawOpen", "mouthOpen", "jawDrop", "openMouth", "Fcl_MTH_A", "viseme_aa", "MTH_A"];

impl Head {
    /// The targets that open the mouth: those of the first channel of a known name, else of VRM's expression `aa`.
    pub fn mouth_openers(&self) -> Vec<MouthOpener> {
        let named = NAMES.iter().map(|name| self.channel_alike(name)).find(|channels| !channels.is_empty());
        let aa = || self.expressions.iter().position(|expression| expression.preset == Some(Preset::Aa));
        let channels = named.unwrap_or_else(|| aa().map(|aa| self.target_channels().len() + aa).into_iter().collect());
        let of_channel = |channel: usize| match self.expression_of(channel) {
            Some(expression) => expression.binds.iter().map(|bind| (bind.target, bind.weight)).collect::<Vec<_>>(),
            None => self.channels[channel].targets.iter().map(|&target| (target, 1.0)).collect(),
        };
        let openers = channels.into_iter().flat_map(of_channel).filter(|(_, weight)| *weight > 0.0);
        openers.map(|(target, weight)| MouthOpener { target, wide_open: weight * WIDE_OPEN }).collect()
    }
}

impl MouthOpener {
    /// 0..1: how far the mouth is open at these weights, one per target of the head.
    pub fn openness_under(openers: &[Self], weights: &[f32]) -> f32 {
        let part = |opener: &Self| weights.get(opener.target).map_or(0.0, |weight| weight / opener.wide_open);
        openers.iter().map(part).fold(0.0, f32::max).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Asset, Bind, Expression, Mesh, Target};

    fn head(names: &[&str], expressions: Vec<Expression>) -> Head {
        let target = |name: &&str| Target { name: (*name).to_owned(), ..Target::default() };
        let mesh = Mesh { targets: names.iter().map(target).collect(), ..Mesh::default() };
        Head::new(Asset { meshes: vec![mesh], expressions, ..Asset::default() })
    }

    fn targets(head: &Head) -> Vec<usize> {
        head.mouth_openers().iter().map(|opener| opener.target).collect()
    }

    #[test]
    fn the_jaw_comes_before_speech_and_speech_before_nothing() {
        assert_eq!(targets(&head(&["viseme_aa", "smile", "JawOpen"], vec![])), [2]);
        assert_eq!(targets(&head(&["smile", "mouth-open"], vec![])), [1]);
        assert_eq!(targets(&head(&["smile"], vec![])), [0_usize; 0]);
        let binds = vec![Bind { target: 1, weight: 0.5 }];
        let aa = Expression { name: "aa".into(), preset: Some(Preset::Aa), binds, ..Expression::default() };
        assert_eq!(head(&["smile", "wide"], vec![aa]).mouth_openers(), [MouthOpener { target: 1, wide_open: 0.35 }]);
    }

    #[test]
    fn the_mouth_opens_with_the_weight() {
        let openers = head(&["jawOpen"], vec![]).mouth_openers();
        let under = |weight: f32| MouthOpener::openness_under(&openers, &[weight]);
        assert_eq!((under(-1.0), under(0.0), under(0.7), under(9.0)), (0.0, 0.0, 1.0, 1.0));
        assert!((under(0.35) - 0.5).abs() < 1e-6);
        assert_eq!(MouthOpener::openness_under(&openers, &[]), 0.0);
        assert_eq!(under(f32::NAN), 0.0);
    }
}
