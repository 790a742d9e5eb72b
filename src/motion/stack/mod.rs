//! The stack of layers that decides each channel, from the file's rest weight up to the slider.
//!
//! A layer that does not drive a channel lets the layers below through. Blinks close what is still open, and the gaze
//! adds to what is there; a pose at half its amount is halfway between itself and what is below; every other layer
//! replaces. Then fades lead from what was shown to what the layers come to, and mute and solo are applied last.

mod clip;
mod fade;
mod layer;
mod manual;
mod source;

pub(crate) use fade::Fade;
pub use layer::Layer;
pub(crate) use source::{Moment, StackWeights, WeightSource};

use std::sync::Arc;

use clip::BoundClip;
use manual::BoundSliders;

use super::blink::BoundBlink;
use super::gaze::BoundGaze;
use super::keys::BoundKeys;
use super::pose::{BoundPoses, BoundSequence};
use super::take::BoundTake;
use super::{Blink, Gaze, Keys, Pose, PoseId, Sequence, Take, TakeMap};
use crate::head::Head;

/// Everything a stack is bound from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackInputs<'a> {
    /// The head whose channels are driven.
    pub head: &'a Arc<Head>,
    /// Index of the clip that plays.
    pub clip: Option<usize>,
    /// The take that plays.
    pub take: Option<(&'a Arc<Take>, &'a TakeMap)>,
    /// Keys set by hand.
    pub keys: &'a Keys,
    /// All poses.
    pub poses: &'a [Arc<Pose>],
    /// The poses that are applied, and how much.
    pub posing: &'a [(PoseId, f32)],
    /// The sequence of poses.
    pub sequence: &'a Sequence,
    /// Automatic blinking.
    pub blink: &'a Blink,
    /// Automatic eye movement.
    pub gaze: &'a Gaze,
    /// Where the sliders stand: one per target of the head, then one per expression.
    pub sliders: &'a [f32],
    /// Per channel, whether the slider decides it.
    pub manual: &'a [bool],
    /// Per channel, whether it is muted.
    pub muted: &'a [bool],
    /// Per channel, whether it is soloed. If any is, all others are kept at rest.
    pub soloed: &'a [bool],
}

/// What the layers come to at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Mix {
    /// One per target of the head, then one per expression.
    pub weights: Vec<f32>,
    /// The layer that decides each channel.
    pub layers: Vec<Layer>,
    /// The layer that would decide each channel if its slider did not: the highest one below [`Layer::Manual`].
    pub below_manual: Vec<Layer>,
}

/// The stack of one head and one state of the edits, with every name of a channel looked up. Evaluating it looks up no
/// names; it is bound anew when the head or the edits change.
#[derive(Debug)]
pub(crate) struct BoundStack {
    head: Arc<Head>,
    rest: Vec<f32>,
    /// From the lowest to the highest layer.
    sources: Vec<(Layer, Box<dyn WeightSource>)>,
    /// The channels that are kept at rest, and whether by mute or by solo.
    silenced: Vec<(usize, Layer)>,
}

impl BoundStack {
    /// Looks up every name.
    pub(crate) fn new(inputs: &StackInputs<'_>) -> Self {
        let head = inputs.head;
        let rest = head.default_weights();
        // The order of the layers. A layer that drives nothing is left out.
        let sources = [
            (Layer::Clip, inputs.clip.and_then(|clip| BoundClip::bind(head, clip))),
            (Layer::Take, inputs.take.and_then(|(take, map)| BoundTake::bind(head, take, map))),
            (Layer::Keys, BoundKeys::bind(head, inputs.keys)),
            (Layer::Sequence, BoundSequence::bind(head, inputs.sequence, inputs.poses, &rest)),
            (Layer::Blink, BoundBlink::bind(head, inputs.blink)),
            (Layer::Gaze, BoundGaze::bind(head, inputs.gaze)),
            (Layer::Pose, BoundPoses::bind(head, inputs.posing, inputs.poses)),
            (Layer::Manual, BoundSliders::bind(inputs.sliders, inputs.manual)),
        ];
        let sources = sources.into_iter().filter_map(|(layer, source)| Some((layer, source?))).collect();
        let any_soloed = inputs.soloed.contains(&true);
        let silenced_by = |channel: usize| match () {
            () if inputs.muted[channel] => Some((channel, Layer::Muted)),
            () if any_soloed && !inputs.soloed[channel] => Some((channel, Layer::NotSoloed)),
            () => None,
        };
        let silenced = (0..head.channels.len()).filter_map(silenced_by).collect();
        Self { head: head.clone(), rest, sources, silenced }
    }

    /// The head it is bound to.
    pub(crate) fn head(&self) -> &Arc<Head> {
        &self.head
    }

    /// What is shown. `fades` has one entry per channel.
    pub(crate) fn mix(&self, moment: Moment, fades: &[Option<Fade>]) -> Mix {
        self.mix_without(&[], moment, fades)
    }

    /// What would be shown without some of the layers.
    pub(crate) fn mix_without(&self, skipped: &[Layer], moment: Moment, fades: &[Option<Fade>]) -> Mix {
        let mut mix = self.faded(skipped, moment, fades);
        for &(channel, layer) in &self.silenced {
            mix.layers[channel] = layer;
            for &target in &self.head.channels[channel].targets {
                mix.weights[target] = self.rest[target];
            }
        }
        mix
    }

    /// What would be shown without mute and solo: where a fade begins, and the value that a slider takes over.
    pub(crate) fn unsilenced(&self, moment: Moment, fades: &[Option<Fade>]) -> Mix {
        self.faded(&[], moment, fades)
    }

    /// The weights that the layers come to, which is where fades lead.
    pub(crate) fn unfaded_weights(&self, moment: Moment) -> Vec<f32> {
        self.layered(&[], moment, None).0.weights
    }

    /// What each layer that drives a channel makes of it, lowest first; the last one is shown, once fades are over.
    pub(crate) fn contributions(&self, channel: usize, moment: Moment) -> Vec<(Layer, f32)> {
        let (weights, _) = self.layered(&[], moment, Some(channel));
        let mut record = weights.record;
        if let Some(&(_, layer)) = self.silenced.iter().find(|(other, _)| *other == channel) {
            let first = self.head.channels[channel].targets.first();
            record.push((layer, first.map_or(0.0, |&target| self.rest[target])));
        }
        record
    }

    fn faded(&self, skipped: &[Layer], moment: Moment, fades: &[Option<Fade>]) -> Mix {
        let (StackWeights { mut weights, layers, .. }, below_manual) = self.layered(skipped, moment, None);
        for (channel, fade) in fades.iter().enumerate() {
            let Some(fade) = fade else { continue };
            let progress = fade.progress(moment.running_secs);
            for (&target, &from) in self.head.channels[channel].targets.iter().zip(&fade.from) {
                let to = weights[target];
                weights[target] = if progress < 1.0 { from + (to - from) * progress } else { to };
            }
        }
        Mix { weights, layers, below_manual }
    }

    /// The weights once every layer is applied, and the layers below the sliders.
    fn layered(&self, skipped: &[Layer], moment: Moment, recorded: Option<usize>) -> (StackWeights<'_>, Vec<Layer>) {
        let mut weights = StackWeights::at_rest(&self.head, &self.rest, recorded);
        let mut below_manual = None;
        for (layer, source) in self.sources.iter().filter(|(layer, _)| !skipped.contains(layer)) {
            if *layer == Layer::Manual {
                below_manual = Some(weights.layers.clone());
            }
            weights.layer = *layer;
            source.apply(moment, &mut weights);
        }
        let below_manual = below_manual.unwrap_or_else(|| weights.layers.clone());
        (weights, below_manual)
    }
}
