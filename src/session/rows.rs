//! What an artist does to channels: set, reset, link, take over from the clip and give back.

use super::{Driver, Session};

/// Weights closer than this count as equal.
const SAME: f32 = 1e-5;

impl Session {
    /// Who decides that channel's value.
    pub fn driver(&self, channel: usize) -> Driver {
        match self.clip() {
            Some(clip) if clip.drives(channel) => {
                if self.edits.taken[channel] {
                    Driver::Taken
                } else {
                    Driver::Clip
                }
            }
            _ => Driver::Manual,
        }
    }

    /// Sets every target of a channel, and of the one it is linked to. False, and nothing changed, when the clip drives it.
    pub fn set_channel(&mut self, channel: usize, value: f32) -> bool {
        value.is_finite()
            && self.edit_with_partner(channel, |session, channel| {
                for &target in &session.head.channels[channel].targets {
                    session.edits.weights[target] = value;
                }
            })
    }

    /// Sets one target of a channel alone. False, and nothing changed, when the clip drives it.
    pub fn set_target(&mut self, channel: usize, target: usize, value: f32) -> bool {
        let free = value.is_finite() && self.driver(channel) != Driver::Clip;
        if free {
            self.edits.weights[target] = value;
        }
        free
    }

    /// Puts a channel, and the one it is linked to, back to rest. False when the clip drives it.
    pub fn reset_channel(&mut self, channel: usize) -> bool {
        let rest = self.head.default_weights();
        self.edit_with_partner(channel, |session, channel| {
            for &target in &session.head.channels[channel].targets {
                session.edits.weights[target] = rest[target];
            }
        })
    }

    /// Puts one target of a channel back to rest. False when the clip drives it.
    pub fn reset_target(&mut self, channel: usize, target: usize) -> bool {
        let rest = self.head.default_weights()[target];
        self.set_target(channel, target, rest)
    }

    /// Puts both channels of a pair back to rest, as far as the clip leaves them free.
    pub fn reset_pair(&mut self, pair: usize) {
        let pair = &self.head.pairs[pair];
        let channels = [Some(pair.first), pair.second];
        for channel in channels.into_iter().flatten() {
            self.reset_channel(channel);
        }
    }

    /// Puts every channel back to rest and gives all rows back to the clip. Links and look stay.
    pub fn reset_all(&mut self) {
        self.edits.weights = self.head.default_weights();
        self.edits.taken.fill(false);
    }

    /// Takes a channel, and the one it is linked to, over from the clip, at the value the clip has just now.
    pub fn take_over(&mut self, channel: usize) {
        let weights = self.weights();
        for channel in [Some(channel), self.linked_partner(channel)].into_iter().flatten() {
            if self.driver(channel) == Driver::Clip {
                for &target in &self.head.channels[channel].targets {
                    self.edits.weights[target] = weights[target];
                }
                self.edits.taken[channel] = true;
            }
        }
    }

    /// Gives a channel, and the one it is linked to, back to the clip.
    pub fn give_back(&mut self, channel: usize) {
        for channel in [Some(channel), self.linked_partner(channel)].into_iter().flatten() {
            self.edits.taken[channel] = false;
        }
    }

    /// The pair that holds a channel.
    pub fn pair_of(&self, channel: usize) -> Option<usize> {
        self.head.pairs.iter().position(|pair| pair.first == channel || pair.second == Some(channel))
    }

    /// The other channel of its pair, if both move together.
    pub fn linked_partner(&self, channel: usize) -> Option<usize> {
        let index = self.pair_of(channel).filter(|&index| self.edits.linked[index])?;
        let pair = &self.head.pairs[index];
        if pair.first == channel { pair.second } else { Some(pair.first) }
    }

    /// What a channel's slider shows: the weight of its first target.
    pub fn channel_value(&self, channel: usize, weights: &[f32]) -> f32 {
        let target = self.head.channels[channel].targets.first();
        target.map_or(0.0, |&target| weights[target])
    }

    /// What its slider shows at rest.
    pub fn channel_default(&self, channel: usize) -> f32 {
        let target = self.head.channels[channel].targets.first().and_then(|&target| self.head.target(target));
        target.map_or(0.0, |(_, target)| target.default_weight)
    }

    /// Whether a channel's targets are not all at one weight.
    pub fn is_mixed(&self, channel: usize, weights: &[f32]) -> bool {
        let value = self.channel_value(channel, weights);
        self.head.channels[channel].targets.iter().any(|&target| (weights[target] - value).abs() > SAME)
    }

    /// Whether a channel moves anything just now.
    pub fn is_active(&self, channel: usize, weights: &[f32]) -> bool {
        self.head.channels[channel].targets.iter().any(|&target| weights[target] != 0.0)
    }

    /// How many targets move anything just now: the cost of every blend mode goes with it.
    pub fn active_targets(&self, weights: &[f32]) -> usize {
        weights.iter().filter(|&&weight| weight != 0.0).count()
    }

    fn edit_with_partner(&mut self, channel: usize, edit: impl Fn(&mut Self, usize)) -> bool {
        if self.driver(channel) == Driver::Clip {
            return false;
        }
        edit(self, channel);
        if let Some(partner) = self.linked_partner(channel).filter(|&partner| self.driver(partner) != Driver::Clip) {
            edit(self, partner);
        }
        true
    }
}
