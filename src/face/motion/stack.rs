//! The stack of layers that sets each channel, from the rest weight of the file up to the slider.
//!
//! A layer does not change channels that it does not drive. Blinks close the part of the eye that is still open, the
//! gaze and additive keys add to the weights below them, a pose at half its amount gives the mean of itself and the
//! value below, and a live face fades in and out; every other layer replaces the value below. Fades are applied after
//! the layers; mute and solo are applied last.

use std::sync::Arc;

use super::source::{Layer, Moment, StackWeights, WeightSource};
use crate::head::{FaceTurns, Head};
use crate::motion::Ease;

/// What an artist has set of the channels of a head.
#[derive(Clone, Debug)]
pub struct Sliders {
    /// The weights at rest: one per target of the head, then one per expression.
    pub rest: Vec<f32>,
    /// The positions of the sliders, as many. They apply to the manual channels only.
    pub weights: Vec<f32>,
    /// Per channel, whether its slider sets its value and overrides the layers below.
    pub manual: Vec<bool>,
    pub muted: Vec<bool>,
    /// Per channel, whether it is soloed. If any channel is, all others are at rest, but for those that drive it.
    pub soloed: Vec<bool>,
    /// The channels whose correctives do not play, ascending.
    pub silent_correctives: Vec<usize>,
}

impl Sliders {
    pub fn at_rest(head: &Head, rest: Vec<f32>) -> Self {
        let none = vec![false; head.channels.len()];
        let (muted, soloed) = (none.clone(), none.clone());
        Self { weights: rest.clone(), rest, manual: none, muted, soloed, silent_correctives: Vec::new() }
    }

    /// The channels that are muted or not soloed, with [`Layer::Muted`] or [`Layer::NotSoloed`].
    fn silenced(&self, head: &Head) -> Vec<(usize, Layer)> {
        let any_soloed = self.soloed.contains(&true);
        let mut is_heard = self.soloed.clone();
        // A corrective is soloed with the channels that show it.
        for channel in head.correctives.driven().filter(|&channel| self.soloed[channel]) {
            let shown_by = head.correctives.shown_by(channel, 1.0, &self.silent_correctives);
            shown_by.into_iter().for_each(|(by, _)| is_heard[by] = true);
        }
        let silenced = (0..head.channels.len()).filter_map(|channel| match () {
            () if self.muted[channel] => Some((channel, Layer::Muted)),
            () if any_soloed && !is_heard[channel] => Some((channel, Layer::NotSoloed)),
            () => None,
        });
        silenced.collect()
    }
}

/// The weights of all layers together at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Mix {
    /// One per target of the head, then one per expression.
    pub weights: Vec<f32>,
    /// The layer that sets each channel.
    pub layers: Vec<Layer>,
    /// The layer that would set each channel if its slider did not: the highest one below [`Layer::Manual`].
    pub below_manual: Vec<Layer>,
    /// How the head and the eyes are turned. The weights of targets do not depend on it.
    pub turns: FaceTurns,
}

/// The stack for one head and one revision of the edits, with all channel names resolved to indices. A new one is bound
/// when the head or the edits change, so that evaluating it needs no look-up of names.
#[derive(Debug)]
pub struct BoundStack {
    head: Arc<Head>,
    /// What moves the channels, from the lowest to the highest layer below the sliders.
    sources: Vec<(Layer, Box<dyn WeightSource>)>,
    sliders: Sliders,
    silenced: Vec<(usize, Layer)>,
}

impl BoundStack {
    pub fn new(head: &Arc<Head>, sources: Vec<(Layer, Box<dyn WeightSource>)>, sliders: Sliders) -> Self {
        let (weights, channels) = (head.target_count() + head.expressions.len(), head.channels.len());
        debug_assert!(
            [&sliders.rest, &sliders.weights].iter().all(|of| of.len() == weights),
            "weights of another head"
        );
        debug_assert!(
            [&sliders.manual, &sliders.muted, &sliders.soloed].iter().all(|of| of.len() == channels),
            "channels of another head"
        );
        debug_assert!(sources.is_sorted_by_key(|(layer, _)| *layer), "sources out of order");
        Self { head: head.clone(), silenced: sliders.silenced(head), sources, sliders }
    }

    /// Moves the slider of a channel that it sets, as binding the stack anew with that position would.
    pub fn move_slider(&mut self, channel: usize, value: f32) {
        debug_assert!(self.sliders.manual[channel], "another layer sets the channel");
        self.head.channels[channel].targets.iter().for_each(|&target| self.sliders.weights[target] = value);
    }

    pub fn sliders(&self) -> &Sliders {
        &self.sliders
    }

    pub fn head(&self) -> &Arc<Head> {
        &self.head
    }

    /// The weights that are shown. `fades` has one entry per channel.
    pub fn mix(&self, moment: &Moment, fades: &[Option<Fade>]) -> Mix {
        self.mix_without(&[], moment, fades)
    }

    /// The weights that would be shown without some of the layers below the sliders.
    pub fn mix_without(&self, skipped: &[Layer], moment: &Moment, fades: &[Option<Fade>]) -> Mix {
        let mut mix = self.faded(skipped, moment, fades);
        for &(channel, layer) in &self.silenced {
            mix.layers[channel] = layer;
            for &target in &self.head.channels[channel].targets {
                mix.weights[target] = self.sliders.rest[target];
            }
        }
        mix
    }

    /// The weights that would be shown without mute and solo. Fades start from them, and a slider that takes over gets
    /// its value from them.
    pub fn unsilenced(&self, moment: &Moment, fades: &[Option<Fade>]) -> Mix {
        self.faded(&[], moment, fades)
    }

    /// The weights without fades, mute and solo: the values at which fades end.
    pub fn unfaded_weights(&self, moment: &Moment) -> Vec<f32> {
        self.layered(&[], moment, None).0.weights
    }

    /// The value of a channel after each layer that drives it, lowest first. Without fades, the last one is shown.
    pub fn contributions(&self, channel: usize, moment: &Moment) -> Vec<(Layer, f32)> {
        let (weights, _) = self.layered(&[], moment, Some(channel));
        let mut record = weights.record;
        if let Some(&(_, layer)) = self.silenced.iter().find(|(other, _)| *other == channel) {
            let first = self.head.channels[channel].targets.first();
            record.push((layer, first.map_or(0.0, |&target| self.sliders.rest[target])));
        }
        record
    }

    fn faded(&self, skipped: &[Layer], moment: &Moment, fades: &[Option<Fade>]) -> Mix {
        let (StackWeights { mut weights, layers, .. }, below_manual) = self.layered(skipped, moment, None);
        debug_assert!(fades.is_empty() || fades.len() == self.head.channels.len(), "fades of another head");
        for (channel, fade) in fades.iter().enumerate() {
            let Some(fade) = fade else { continue };
            let progress = fade.progress(moment.running_secs);
            for (&target, &from) in self.head.channels[channel].targets.iter().zip(&fade.from) {
                let to = weights[target];
                weights[target] = if progress < 1.0 { from + (to - from) * progress } else { to };
            }
        }
        let turns = self.turns(skipped, moment);
        Mix { weights, layers, below_manual, turns }
    }

    fn turns(&self, skipped: &[Layer], moment: &Moment) -> FaceTurns {
        let mut turns = FaceTurns::NONE;
        let sources = self.sources.iter().filter(|(layer, _)| !skipped.contains(layer));
        sources.for_each(|(_, source)| source.turn(moment, &mut turns));
        turns
    }

    /// The weights after all layers, and the highest layer below the sliders for each channel.
    fn layered(&self, skipped: &[Layer], moment: &Moment, recorded: Option<usize>) -> (StackWeights<'_>, Vec<Layer>) {
        let mut weights = StackWeights::at_rest(&self.head, &self.sliders.rest, recorded);
        for (layer, source) in self.sources.iter().filter(|(layer, _)| !skipped.contains(layer)) {
            weights.layer = *layer;
            source.apply(moment, &mut weights);
        }
        let below_manual = weights.layers.clone();
        weights.layer = Layer::Manual;
        let manual = self.sliders.manual.iter().enumerate().filter(|(_, is_manual)| **is_manual);
        for (channel, _) in manual {
            weights.set(channel, |target, _| self.sliders.weights[target]);
        }
        (weights, below_manual)
    }
}

/// A clip of a head, with the curve of each target found.
#[derive(Debug)]
struct BoundClip {
    head: Arc<Head>,
    clip: usize,
    channels: Vec<(usize, Vec<BoundTarget>)>,
}

/// A target of the head, and the track and element of the curve that drives it.
#[derive(Debug)]
struct BoundTarget {
    target: usize,
    track: usize,
    element: usize,
}

impl Head {
    /// One of its clips as a source of weights.
    pub fn clip_source(self: &Arc<Self>, clip: usize) -> Option<Box<dyn WeightSource>> {
        let of_head = self.clips.get(clip)?;
        let channels = of_head.driven_channels().map(|channel| {
            let targets = self.channels[channel].targets.iter().filter_map(|&target| {
                let (track, element) = of_head.track_of(target)?;
                Some(BoundTarget { target, track, element })
            });
            (channel, targets.collect())
        });
        Some(Box::new(BoundClip { head: self.clone(), clip, channels: channels.collect() }))
    }
}

impl WeightSource for BoundClip {
    fn apply(&self, moment: &Moment, weights: &mut StackWeights<'_>) {
        let clip = &self.head.clips[self.clip];
        let time_secs = clip.time_within(moment.timeline_secs);
        // All elements of a curve share one list of key times, so it is searched once.
        let next_keys: Vec<usize> = clip.tracks.iter().map(|track| track.curve.next_key(time_secs)).collect();
        for (channel, targets) in &self.channels {
            weights.set(*channel, |target, below| {
                let Some(bound) = targets.iter().find(|bound| bound.target == target) else { return below };
                clip.tracks[bound.track].curve.sample_before(next_keys[bound.track], time_secs, bound.element)
            });
        }
    }
}

/// The transition of one channel.
///
/// A fade stores the value at its start but not at its end, because the end value may change while the fade runs (for
/// example while a clip plays). A fade that interrupts another one starts at the value of that moment, so the face
/// never jumps.
#[derive(Clone, Debug, PartialEq)]
pub struct Fade {
    /// The weights at its start, one per target of the channel.
    pub from: Vec<f32>,
    /// The start time, in the running time of the [`crate::motion::Clock`].
    pub start_secs: f64,
    pub duration_secs: f32,
    pub ease: Ease,
}

impl Fade {
    /// The eased progress, from 0 to 1.
    pub fn progress(&self, clock_secs: f64) -> f32 {
        if self.duration_secs <= 0.0 {
            return 1.0;
        }
        self.ease.at(((clock_secs - self.start_secs) / f64::from(self.duration_secs)) as f32)
    }

    pub fn is_over(&self, clock_secs: f64) -> bool {
        clock_secs - self.start_secs >= f64::from(self.duration_secs)
    }
}
