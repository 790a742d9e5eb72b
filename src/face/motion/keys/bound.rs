//! Keys as a source of weights.

use super::{KeyCurve, Keys};
use crate::head::Head;
use crate::motion::{Moment, StackWeights, WeightSource};

/// Keys, bound to the channels of a head.
#[derive(Debug)]
pub(in crate::motion) struct BoundKeys(Vec<(Vec<usize>, KeyCurve)>);

impl BoundKeys {
    pub(in crate::motion) fn bind(head: &Head, keys: &Keys) -> Option<Box<dyn WeightSource>> {
        if keys.is_empty() {
            return None;
        }
        Some(Box::new(Self(keys.0.iter().map(|(name, curve)| (head.channel_alike(name), curve.clone())).collect())))
    }
}

impl WeightSource for BoundKeys {
    fn apply(&self, moment: Moment, weights: &mut StackWeights<'_>) {
        let time_secs = moment.timeline_secs;
        for (channels, curve) in &self.0 {
            let Some(value) = curve.value_at(time_secs) else { continue };
            let influence = curve.influence_at(time_secs);
            for &channel in channels {
                // A curve that has faded out leaves the channel to what is below.
                if influence > 0.0 {
                    weights.set(channel, |_, below| curve.combined(value, influence, below));
                }
            }
        }
    }
}
