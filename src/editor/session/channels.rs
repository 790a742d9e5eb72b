//! Operations on channels: set, reset, link, take over, give back, mute, solo, mirror.
//!
//! A channel is manual if its slider sets its value. Taking over makes a driven channel manual, whatever drives it, and
//! so does setting its value; giving back makes the layers below the slider set it again.

use super::Session;
use smirk_face::motion::{Layer, Mix};

/// Weights closer than this are treated as equal.
pub(super) const SAME: f32 = 1e-5;

impl Session {
    /// Whether a layer below a channel's slider sets the channel, and the user has not taken it over.
    pub fn is_driven(&self, channel: usize, mix: &Mix) -> bool {
        !self.edits.manual[channel] && mix.below_manual[channel] != Layer::Rest
    }

    /// Whether a channel is manual although a layer below its slider drives it.
    pub fn is_taken(&self, channel: usize, mix: &Mix) -> bool {
        self.edits.manual[channel] && mix.below_manual[channel] != Layer::Rest
    }

    /// Sets every target of a channel, and of its linked partner, and takes both over from what drives them. A value that
    /// is not finite is ignored, and so is a channel that follows others as a corrective.
    pub fn set_channel(&mut self, channel: usize, value: f32) {
        if !value.is_finite() {
            return;
        }
        for channel in self.movable_with_partner(channel) {
            self.set_manual(channel, value);
            self.fades[channel] = None;
        }
    }

    /// Sets one target of a channel alone; the others keep their current weights. A value that is not finite is ignored.
    pub fn set_target(&mut self, channel: usize, target: usize, value: f32) {
        if value.is_finite() && !self.follows_others(channel) {
            let mix = self.unsilenced();
            self.set_manual_as_shown(channel, &mix);
            self.edits.weights[target] = value;
        }
    }

    /// Moves a channel to a value over `duration_secs`, whatever drives it at the moment.
    pub fn set_weight(&mut self, channel: usize, value: f32, duration_secs: f32) {
        if value.is_finite() && channel < self.head.channels.len() && !self.follows_others(channel) {
            self.glide(duration_secs, |session| session.set_manual(channel, value));
        }
    }

    /// Resets a channel and its linked partner: a channel that its slider sets is given back to the layers below, and one
    /// that such a layer drives is taken over at rest.
    pub fn reset_channel(&mut self, channel: usize) {
        self.reset(self.with_partner(channel));
    }

    /// Moves one target of a channel to rest.
    pub fn reset_target(&mut self, channel: usize, target: usize) {
        self.set_target(channel, target, self.rest[target]);
    }

    /// Resets both channels of a pair.
    pub fn reset_pair(&mut self, pair: usize) {
        let pair = &self.head.pairs[pair];
        self.reset([Some(pair.first), pair.second].into_iter().flatten().collect());
    }

    fn reset(&mut self, channels: Vec<usize>) {
        let mix = self.unsilenced();
        for channel in channels {
            for &target in &self.head.channels[channel].targets {
                self.edits.weights[target] = self.rest[target];
            }
            self.edits.manual[channel] = self.is_driven(channel, &mix);
            self.fades[channel] = None;
        }
    }

    /// Moves every slider to rest, removes applied poses, gives every channel back, and clears mute and solo. Links and
    /// the look do not change.
    pub fn reset_all(&mut self) {
        self.fades.fill(None);
        self.edits.weights.clone_from(&self.rest);
        self.edits.applied_poses.clear();
        let edits = &mut *self.edits;
        for marks in [&mut edits.manual, &mut edits.muted, &mut edits.soloed] {
            marks.fill(false);
        }
    }

    /// Makes a driven channel, and its linked partner, manual at the current value, so that the face does not jump.
    pub fn take_over(&mut self, channel: usize) {
        let mix = self.unsilenced();
        for channel in self.movable_with_partner(channel) {
            if self.is_driven(channel, &mix) {
                self.set_manual_as_shown(channel, &mix);
            }
        }
    }

    /// Gives a channel, and its linked partner, back to the layers below the slider.
    pub fn give_back(&mut self, channel: usize) {
        for channel in self.with_partner(channel) {
            self.edits.manual[channel] = false;
        }
    }

    /// Gives back every channel that was taken over, with the transition that poses use.
    pub fn give_back_all(&mut self) {
        let mix = self.unsilenced();
        self.glide(self.edits.transition.duration_secs, |session| {
            for channel in 0..session.edits.manual.len() {
                session.edits.manual[channel] &= !session.is_taken(channel, &mix);
            }
        });
    }

    /// Mutes or unmutes a channel and its linked partner.
    pub fn toggle_mute(&mut self, channel: usize) {
        let muted = !self.edits.muted[channel];
        for channel in self.with_partner(channel) {
            self.edits.muted[channel] = muted;
        }
    }

    /// Solos or unsolos a channel and its linked partner.
    pub fn toggle_solo(&mut self, channel: usize) {
        let soloed = !self.edits.soloed[channel];
        for channel in self.with_partner(channel) {
            self.edits.soloed[channel] = soloed;
        }
    }

    /// Swaps left and right of the shown face. Channels that animation drives do not change: one moment of it mirrored
    /// would end the performance on half of the face.
    pub fn mirror_mix(&mut self) {
        let mix = self.unsilenced();
        self.glide(self.edits.transition.duration_secs, |session| {
            for channel in 0..session.head.channels.len() {
                let wanted = session.channel_value(session.head.mirror_of(channel), &mix.weights);
                let differs = (wanted - session.channel_value(channel, &mix.weights)).abs() > SAME;
                let is_animated = !session.edits.manual[channel] && mix.below_manual[channel].is_motion();
                if differs && !is_animated && !session.follows_others(channel) {
                    session.set_manual(channel, wanted);
                }
            }
        });
    }

    /// Edits both channels of a pair. An edit of one of two that are linked is also made to the other.
    pub fn edit_pair(&mut self, pair: usize, edit: impl Fn(&mut Self, usize)) {
        let (first, second) = (self.head.pairs[pair].first, self.head.pairs[pair].second);
        edit(self, first);
        if let Some(second) = second.filter(|_| !self.edits.linked[pair]) {
            edit(self, second);
        }
    }

    /// The index of the pair that a channel belongs to.
    pub fn pair_of(&self, channel: usize) -> Option<usize> {
        self.head.pairs.iter().position(|pair| pair.first == channel || pair.second == Some(channel))
    }

    /// The other channel of the pair, if the pair is linked.
    pub fn linked_partner(&self, channel: usize) -> Option<usize> {
        let index = self.pair_of(channel).filter(|&index| self.edits.linked[index])?;
        let pair = &self.head.pairs[index];
        if pair.first == channel { pair.second } else { Some(pair.first) }
    }

    /// The value that a channel's slider shows: the weight of the channel's first target.
    pub fn channel_value(&self, channel: usize, weights: &[f32]) -> f32 {
        let target = self.head.channels[channel].targets.first();
        target.map_or(0.0, |&target| weights[target])
    }

    /// The value that a channel's slider shows at rest.
    pub fn channel_default(&self, channel: usize) -> f32 {
        self.channel_value(channel, &self.rest)
    }

    /// Whether the targets of a channel have different weights.
    pub fn is_mixed(&self, channel: usize, weights: &[f32]) -> bool {
        let value = self.channel_value(channel, weights);
        self.head.channels[channel].targets.iter().any(|&target| (weights[target] - value).abs() > SAME)
    }

    /// Whether a channel has a visible effect now.
    pub fn is_active(&self, channel: usize, weights: &[f32]) -> bool {
        self.head.channels[channel].targets.iter().any(|&target| weights[target] != 0.0)
    }

    /// The number of targets with a weight other than 0. The cost of every blend mode grows with it.
    pub fn active_targets(&self, weights: &[f32]) -> usize {
        weights.iter().filter(|&&weight| weight != 0.0).count()
    }

    pub(super) fn with_partner(&self, channel: usize) -> Vec<usize> {
        [Some(channel), self.linked_partner(channel)].into_iter().flatten().collect()
    }

    /// The channel and its linked partner, without those that follow others as correctives.
    pub(super) fn movable_with_partner(&self, channel: usize) -> Vec<usize> {
        self.with_partner(channel).into_iter().filter(|&channel| !self.follows_others(channel)).collect()
    }

    /// Makes a channel manual with every target at a value. If the channel is fading, the fade continues to that value.
    fn set_manual(&mut self, channel: usize, value: f32) {
        for &target in &self.head.channels[channel].targets {
            self.edits.weights[target] = value;
        }
        self.edits.manual[channel] = true;
    }

    /// Makes a channel manual with every target at its current weight.
    fn set_manual_as_shown(&mut self, channel: usize, mix: &Mix) {
        for &target in &self.head.channels[channel].targets {
            self.edits.weights[target] = mix.weights[target];
        }
        self.edits.manual[channel] = true;
        self.fades[channel] = None;
    }
}
