//! Who decides a channel: layers from the file's rest up to the hand, each over those below.
//!
//! A layer that leaves a channel alone lets the ones below through. Blinks close what is still open and the wandering
//! gaze adds to what is there; a pose at half its amount is halfway between itself and what is below; everything else
//! replaces. Fades then lead from what was shown to what the layers ask for, and solo and mute have the last word.

use std::sync::Arc;

use super::{Blink, Fade, Gaze, Keys, Pose, PoseId, Sequence, Take, TakeMap};
use crate::head::{Clip, Head};

/// Who decides a channel, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The file's default weight.
    Rest,
    /// The file's animation.
    Clip,
    /// An imported take.
    Take,
    /// Keys set by hand.
    Keys,
    /// The sequence of poses.
    Sequence,
    /// Automatic blinking.
    Blink,
    /// The wandering gaze.
    Gaze,
    /// One or more poses.
    Pose,
    /// The slider.
    Manual,
    /// Other channels are soloed.
    NotSoloed,
    /// Muted.
    Muted,
}

impl Layer {
    /// What to call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Rest => "Rest",
            Self::Clip => "Clip",
            Self::Take => "Take",
            Self::Keys => "Keys",
            Self::Sequence => "Sequence",
            Self::Blink => "Blink",
            Self::Gaze => "Gaze",
            Self::Pose => "Pose",
            Self::Manual => "Slider",
            Self::NotSoloed => "Not soloed",
            Self::Muted => "Muted",
        }
    }

    /// Whether the value changes by itself: the slider is locked until it takes over.
    pub fn is_motion(self) -> bool {
        matches!(self, Self::Clip | Self::Take | Self::Keys | Self::Sequence | Self::Blink | Self::Gaze)
    }
}

/// What the layers come to at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Mix {
    /// One per target of the head, then one per expression.
    pub weights: Vec<f32>,
    /// Who won, one per channel.
    pub layers: Vec<Layer>,
    /// Who decides where the hand lets go: the highest layer below the slider, one per channel.
    pub below_hand: Vec<Layer>,
}

/// Everything the mix of one moment depends on. Slices have one entry per channel, but where said otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Stack<'a> {
    /// The head.
    pub head: &'a Head,
    /// Weights at rest: [`Head::default_weights`].
    pub rest: &'a [f32],
    /// Play head of the take and the keys.
    pub time_secs: f32,
    /// The clip and its own play head: a clip shorter than a take starts over.
    pub clip: Option<(&'a Clip, f32)>,
    /// The take that plays.
    pub take: Option<(&'a Take, &'a TakeMap)>,
    /// Keys set by hand.
    pub keys: &'a Keys,
    /// All poses there are.
    pub poses: &'a [Arc<Pose>],
    /// How much of which pose is on the face.
    pub posing: &'a [(PoseId, f32)],
    /// The sequence, and where it stands.
    pub sequence: (&'a Sequence, f32),
    /// Automatic blinking.
    pub blink: &'a Blink,
    /// Wandering eyes.
    pub gaze: &'a Gaze,
    /// The clock of blinks, gaze and fades.
    pub clock_secs: f64,
    /// Where the sliders stand, likewise.
    pub manual: &'a [f32],
    /// Whether the hand holds the channel.
    pub held: &'a [bool],
    /// What was shown before, while it passes.
    pub fades: &'a [Option<Fade>],
    /// Channels kept at rest.
    pub muted: &'a [bool],
    /// If any is set, all others are kept at rest.
    pub soloed: &'a [bool],
}

impl Stack<'_> {
    /// What is shown.
    pub fn mix(&self) -> Mix {
        let mut pile = self.blended();
        self.silence(&mut pile);
        pile.mix
    }

    /// What is shown but for solo and mute: where a fade begins, and what taking over takes.
    pub fn unsilenced(&self) -> Mix {
        self.blended().mix
    }

    /// What the layers ask for: where fades lead to.
    pub fn asked(&self) -> Vec<f32> {
        let mut pile = Pile::new(self, None);
        self.pile_up(&mut pile);
        pile.mix.weights
    }

    /// What each layer that has a say makes of a channel, lowest first; the last one wins.
    pub fn contributions(&self, channel: usize) -> Vec<(Layer, f32)> {
        let mut pile = Pile::new(self, Some(channel));
        self.pile_up(&mut pile);
        self.silence(&mut pile);
        pile.said
    }

    fn blended(&self) -> Pile<'_> {
        let mut pile = Pile::new(self, None);
        self.pile_up(&mut pile);
        for (channel, fade) in self.fades.iter().enumerate() {
            let Some(fade) = fade else { continue };
            let progress = fade.progress(self.clock_secs);
            for (&target, &from) in self.head.channels[channel].targets.iter().zip(&fade.from) {
                let to = pile.mix.weights[target];
                pile.mix.weights[target] = if progress < 1.0 { from + (to - from) * progress } else { to };
            }
        }
        pile
    }

    fn pile_up(&self, pile: &mut Pile<'_>) {
        self.lay_clip(pile);
        self.lay_take(pile);
        for name in self.keys.channels() {
            let value = self.keys.sample(name, self.time_secs);
            for channel in self.head.channel_alike(name) {
                pile.lay(channel, Layer::Keys, |_, below| value.unwrap_or(below));
            }
        }
        self.lay_sequence(pile);
        self.lay_blink_and_gaze(pile);
        let posing = self.posing.iter().filter(|(_, amount)| *amount != 0.0);
        for (channel, (amount, value)) in self.sum_of(posing.copied()) {
            let below = 1.0 - amount.clamp(0.0, 1.0);
            pile.lay(channel, Layer::Pose, |_, weight| weight * below + value);
        }
        pile.mix.below_hand.clone_from(&pile.mix.layers);
        for channel in (0..self.held.len()).filter(|&channel| self.held[channel]) {
            pile.lay(channel, Layer::Manual, |target, _| self.manual[target]);
        }
    }

    fn lay_clip(&self, pile: &mut Pile<'_>) {
        let Some((clip, time_secs)) = self.clip else { return };
        for channel in clip.driven_channels() {
            pile.lay(channel, Layer::Clip, |target, below| clip.sample(time_secs, target).unwrap_or(below));
        }
    }

    fn lay_take(&self, pile: &mut Pile<'_>) {
        let Some((take, map)) = self.take else { return };
        for (channel, columns) in map.driven(self.head) {
            let sum: f32 = columns.iter().map(|&column| map.value(take, column, self.time_secs)).sum();
            pile.lay(channel, Layer::Take, |_, _| sum / columns.len() as f32);
        }
    }

    fn lay_sequence(&self, pile: &mut Pile<'_>) {
        let (sequence, position) = self.sequence;
        if !sequence.is_on() {
            return;
        }
        // Every pose of the sequence has a say all the time: a channel only one of them names is at rest in the others.
        let silent = sequence.poses.iter().map(|&pose| (pose, 0.0));
        for (channel, (amount, value)) in self.sum_of(silent.chain(sequence.amounts(position))) {
            let rest = 1.0 - amount.clamp(0.0, 1.0);
            pile.lay(channel, Layer::Sequence, |target, _| self.rest[target] * rest + value);
        }
    }

    fn lay_blink_and_gaze(&self, pile: &mut Pile<'_>) {
        if self.blink.enabled {
            let closure = self.blink.closure(self.clock_secs);
            for channel in self.blink.channels_of(self.head) {
                pile.lay(channel, Layer::Blink, |_, open| open + (1.0 - open).max(0.0) * closure);
            }
        }
        if self.gaze.enabled {
            for (channel, weight) in Gaze::channels_of(self.head, self.gaze.direction(self.clock_secs)) {
                pile.lay(channel, Layer::Gaze, |_, below| below + weight);
            }
        }
    }

    /// Per channel that any of the poses names: the sum of the amounts that do, and the sum of amount times weight.
    fn sum_of(&self, amounts: impl Iterator<Item = (PoseId, f32)>) -> Vec<(usize, (f32, f32))> {
        let mut sums: Vec<Option<(f32, f32)>> = vec![None; self.head.channels.len()];
        for (id, amount) in amounts {
            let Some(pose) = self.poses.iter().find(|pose| pose.id == id) else { continue };
            for (channel, weight) in pose.channels_of(self.head) {
                let (amounts, values) = sums[channel].get_or_insert_default();
                *amounts += amount;
                *values += amount * weight;
            }
        }
        sums.into_iter().enumerate().filter_map(|(channel, sum)| Some((channel, sum?))).collect()
    }

    fn silence(&self, pile: &mut Pile<'_>) {
        let any_soloed = self.soloed.contains(&true);
        for channel in 0..self.head.channels.len() {
            let layer = if self.muted[channel] {
                Layer::Muted
            } else if any_soloed && !self.soloed[channel] {
                Layer::NotSoloed
            } else {
                continue;
            };
            pile.lay(channel, layer, |target, _| self.rest[target]);
        }
    }
}

/// The mix while layers are laid on it.
struct Pile<'a> {
    head: &'a Head,
    mix: Mix,
    /// The channel whose layers are noted.
    watched: Option<usize>,
    said: Vec<(Layer, f32)>,
}

impl<'a> Pile<'a> {
    fn new(stack: &Stack<'a>, watched: Option<usize>) -> Self {
        let layers = vec![Layer::Rest; stack.head.channels.len()];
        let mix = Mix { weights: stack.rest.to_vec(), below_hand: layers.clone(), layers };
        let mut pile = Self { head: stack.head, mix, watched, said: Vec::new() };
        if let Some(channel) = watched {
            pile.note(channel, Layer::Rest);
        }
        pile
    }

    /// `weight` makes a target's new weight of target and the weight below. What is not a number is passed over: a
    /// spline can shoot beyond all numbers between its keys.
    fn lay(&mut self, channel: usize, layer: Layer, mut weight: impl FnMut(usize, f32) -> f32) {
        for &target in &self.head.channels[channel].targets {
            let new = weight(target, self.mix.weights[target]);
            if new.is_finite() {
                self.mix.weights[target] = new;
            }
        }
        self.mix.layers[channel] = layer;
        if self.watched == Some(channel) {
            self.note(channel, layer);
        }
    }

    fn note(&mut self, channel: usize, layer: Layer) {
        let first = self.head.channels[channel].targets.first();
        self.said.push((layer, first.map_or(0.0, |&target| self.mix.weights[target])));
    }
}
