//! The seam between what makes weights (clip, take, keys, …) and the stack that mixes them.

use std::fmt;

use super::Layer;
use crate::head::Head;

/// The times that sources of weights go by, as the [`crate::motion::Clock`] has them at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// The play head of clip, take and keys.
    pub timeline_secs: f32,
    /// The play head of the sequence.
    pub sequence_secs: f64,
    /// The time of blinks, gaze and fades, which never stops.
    pub running_secs: f64,
}

/// Something that gives weights for channels at a moment: the clip, a take, keys, … It is made for one head, and finds
/// its channels by name only then.
pub(crate) trait WeightSource: fmt::Debug + Send + Sync {
    /// Changes the weights of its channels, which are those that the sources below it came to.
    fn apply(&self, moment: Moment, weights: &mut StackWeights<'_>);
}

/// The weights of a stack while its sources are applied, from the lowest to the highest.
#[derive(Debug)]
pub(crate) struct StackWeights<'a> {
    head: &'a Head,
    /// The layer that is being applied.
    pub(super) layer: Layer,
    /// One per target of the head, then one per expression.
    pub(super) weights: Vec<f32>,
    /// The highest layer that changed each channel.
    pub(super) layers: Vec<Layer>,
    /// The channel whose value is recorded after every layer that changes it.
    recorded_channel: Option<usize>,
    /// What each layer made of that channel, lowest first.
    pub(super) record: Vec<(Layer, f32)>,
}

impl<'a> StackWeights<'a> {
    /// A head at rest.
    pub(super) fn at_rest(head: &'a Head, rest: &[f32], recorded_channel: Option<usize>) -> Self {
        let layers = vec![Layer::Rest; head.channels.len()];
        let weights = rest.to_vec();
        let mut new = Self { head, layer: Layer::Rest, weights, layers, recorded_channel, record: Vec::new() };
        recorded_channel.into_iter().for_each(|channel| new.record(channel));
        new
    }

    /// Changes a channel. `weight` makes the new weight of a target from the target's index and the weight below. A weight
    /// that is not finite is passed over: a spline can overshoot the range of numbers between its keys.
    pub(crate) fn set(&mut self, channel: usize, mut weight: impl FnMut(usize, f32) -> f32) {
        for &target in &self.head.channels[channel].targets {
            let new = weight(target, self.weights[target]);
            if new.is_finite() {
                self.weights[target] = new;
            }
        }
        self.layers[channel] = self.layer;
        if self.recorded_channel == Some(channel) {
            self.record(channel);
        }
    }

    fn record(&mut self, channel: usize) {
        let first = self.head.channels[channel].targets.first();
        self.record.push((self.layer, first.map_or(0.0, |&target| self.weights[target])));
    }
}
