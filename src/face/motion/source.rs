//! The interface between the sources of weights (clip, take, keys, …) and the stack that combines them.

use std::fmt;
use std::sync::Arc;

use strum::IntoStaticStr;

use super::LiveFace;
use crate::head::{FaceTurns, Head};

/// When sources of weights are evaluated, by the [`crate::motion::Clock`], and what is heard then.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// The time of the play head for the clip, the take and the keys.
    pub timeline_secs: f32,
    /// The time of the play head of a sequence that has a clock of its own.
    pub sequence_secs: f64,
    /// The running time, on which blinks, gaze and fades depend. It never stops.
    pub running_secs: f64,
    /// The live face that has arrived last; none while nothing is heard.
    pub heard: Option<Arc<LiveFace>>,
}

/// A source of weights for channels: the clip, a take, keys, … It is bound to one head, and resolves channel names only
/// when it is bound.
pub trait WeightSource: fmt::Debug + Send + Sync {
    /// Changes the weights of the channels that it drives. `weights` has the result of the layers below.
    fn apply(&self, moment: &Moment, weights: &mut StackWeights<'_>);

    /// Sets the angles of the head and the eyes that it knows, such as those of a take. Most sources know none.
    fn turn(&self, _: &Moment, _: &mut FaceTurns) {}
}

/// The weights of a stack while its sources are applied, from the lowest to the highest.
#[derive(Debug)]
pub struct StackWeights<'a> {
    head: &'a Head,
    pub(super) layer: Layer,
    /// One per target of the head, then one per expression.
    pub(super) weights: Vec<f32>,
    /// The highest layer that changed each channel.
    pub(super) layers: Vec<Layer>,
    /// The channel whose value is recorded after every layer that changes it.
    recorded_channel: Option<usize>,
    /// The value of that channel after each layer, lowest first.
    pub(super) record: Vec<(Layer, f32)>,
}

impl<'a> StackWeights<'a> {
    pub(super) fn at_rest(head: &'a Head, rest: &[f32], recorded_channel: Option<usize>) -> Self {
        let layers = vec![Layer::Rest; head.channels.len()];
        let weights = rest.to_vec();
        let mut new = Self { head, layer: Layer::Rest, weights, layers, recorded_channel, record: Vec::new() };
        recorded_channel.into_iter().for_each(|channel| new.record(channel));
        new
    }

    /// Sets the weights of a channel's targets. `weight` computes the new weight of a target from its index and its
    /// weight below. A weight that is not finite is ignored: a spline can overshoot the range of f32 between its keys.
    pub fn set(&mut self, channel: usize, mut weight: impl FnMut(usize, f32) -> f32) {
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

/// What can set a channel's value, from the lowest to the highest layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr)]
pub enum Layer {
    /// The file's default weight.
    Rest,
    /// The file's animation.
    Clip,
    Take,
    /// A performer's face from the network. Above the take, since what arrives now is what the artist watches, also
    /// while a take of an earlier try is chosen; below the keys and the sliders, which are set by hand and stay as they
    /// are set.
    Live,
    /// The mouth of a voice. Above recorded and live faces, whose mouth it replaces; below what is set by hand.
    Voice,
    Keys,
    Sequence,
    Blink,
    /// Automatic eye movement (saccades).
    Gaze,
    Pose,
    #[strum(serialize = "Slider")]
    Manual,
    /// The weights of other channels, which drive it as a corrective.
    Corrective,
    /// At rest because other channels are soloed.
    #[strum(serialize = "Not soloed")]
    NotSoloed,
    /// At rest because the channel is muted.
    Muted,
}

impl Layer {
    /// The layers below the sliders that can drive a channel, from the lowest to the highest.
    pub const DRIVING: [Self; 9] = [
        Self::Clip,
        Self::Take,
        Self::Live,
        Self::Voice,
        Self::Keys,
        Self::Sequence,
        Self::Blink,
        Self::Gaze,
        Self::Pose,
    ];

    pub fn label(self) -> &'static str {
        self.into()
    }

    /// What it is, in a few words; empty if nothing can be said to drive the channel.
    pub fn about(self) -> &'static str {
        match self {
            Self::Clip => "An animation of the head's file",
            Self::Take => "A recorded performance",
            Self::Live => "A performer's face from the network",
            Self::Voice => "The mouth of a voice",
            Self::Keys => "Keys that you have set",
            Self::Sequence => "Poses, one after the other",
            Self::Blink => "Automatic blinking",
            Self::Gaze => "Automatic eye movement",
            Self::Pose => "A pose that is applied",
            Self::Manual => "You have moved it",
            Self::Corrective => "Other channels that are on together",
            Self::Rest | Self::NotSoloed | Self::Muted => "",
        }
    }

    /// Whether the layer is animation, which changes the channel as time passes.
    pub fn is_motion(self) -> bool {
        match self {
            Self::Clip
            | Self::Take
            | Self::Live
            | Self::Voice
            | Self::Keys
            | Self::Sequence
            | Self::Blink
            | Self::Gaze => true,
            Self::Rest | Self::Pose | Self::Manual | Self::Corrective | Self::NotSoloed | Self::Muted => false,
        }
    }
}
