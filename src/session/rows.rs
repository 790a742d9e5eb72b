//! What an artist does to channels: set, reset, link, take over, give back, key, mute, solo, mirror.

use super::Session;
use crate::motion::{Key, Keys, Layer, Mix};

/// Weights closer than this count as equal.
const SAME: f32 = 1e-5;

impl Session {
    /// Whether a channel's slider is locked: something below moves it, and the hand has not taken over.
    pub fn is_locked(&self, channel: usize, mix: &Mix) -> bool {
        !self.edits.manual[channel] && mix.below_manual[channel].is_motion()
    }

    /// Whether the hand holds a channel against something that would decide it.
    pub fn is_taken(&self, channel: usize, mix: &Mix) -> bool {
        self.edits.manual[channel] && mix.below_manual[channel] != Layer::Rest
    }

    /// Sets every target of a channel, and of the one it is linked to. False, and nothing changed, when it is locked.
    pub fn set_channel(&mut self, channel: usize, value: f32) -> bool {
        value.is_finite()
            && self.edit_with_partner(channel, |session, channel| {
                session.hold(channel, value);
                session.fades[channel] = None;
            })
    }

    /// Sets one target of a channel alone. False, and nothing changed, when it is locked.
    pub fn set_target(&mut self, channel: usize, target: usize, value: f32) -> bool {
        let mix = self.unsilenced();
        let free = value.is_finite() && !self.is_locked(channel, &mix);
        if free {
            self.hold_as_shown(channel, &mix);
            self.edits.weights[target] = value;
        }
        free
    }

    /// Brings a channel to a value over a time, whatever drives it now.
    pub fn set_weight(&mut self, channel: usize, value: f32, duration_secs: f32) {
        if value.is_finite() && channel < self.head.channels.len() {
            self.glide(duration_secs, |session| session.hold(channel, value));
        }
    }

    /// Lets a channel, and the one it is linked to, go back to what is below the hand; one that a pose moves, to rest.
    /// False when it is locked.
    pub fn reset_channel(&mut self, channel: usize) -> bool {
        let mix = self.unsilenced();
        self.edit_with_partner(channel, |session, channel| {
            let is_posed = !session.edits.manual[channel] && mix.below_manual[channel] == Layer::Pose;
            for &target in &session.head.channels[channel].targets {
                session.edits.weights[target] = session.rest[target];
            }
            session.edits.manual[channel] = is_posed;
            session.fades[channel] = None;
        })
    }

    /// Puts one target of a channel back to rest. False when it is locked.
    pub fn reset_target(&mut self, channel: usize, target: usize) -> bool {
        self.set_target(channel, target, self.rest[target])
    }

    /// Puts both channels of a pair back to rest, as far as they are not locked.
    pub fn reset_pair(&mut self, pair: usize) {
        let pair = &self.head.pairs[pair];
        let channels = [Some(pair.first), pair.second];
        for channel in channels.into_iter().flatten() {
            self.reset_channel(channel);
        }
    }

    /// Puts every slider back to rest, takes poses off the face, lets every row go, mutes and solos nothing. Links and
    /// look stay.
    pub fn reset_all(&mut self) {
        self.fades.fill(None);
        self.edits.weights.clone_from(&self.rest);
        self.edits.posing.clear();
        let edits = &mut *self.edits;
        for marks in [&mut edits.manual, &mut edits.muted, &mut edits.soloed] {
            marks.fill(false);
        }
    }

    /// Takes a channel, and the one it is linked to, over from what moves it, at the value it has just now.
    pub fn take_over(&mut self, channel: usize) {
        let mix = self.unsilenced();
        for channel in self.with_partner(channel) {
            if self.is_locked(channel, &mix) {
                self.hold_as_shown(channel, &mix);
            }
        }
    }

    /// Holds a channel, and the one it is linked to, where it is.
    pub fn make_manual(&mut self, channel: usize) {
        let mix = self.unsilenced();
        for channel in self.with_partner(channel) {
            self.hold_as_shown(channel, &mix);
        }
    }

    /// Gives a channel, and the one it is linked to, back to what is below the hand.
    pub fn give_back(&mut self, channel: usize) {
        for channel in self.with_partner(channel) {
            self.edits.manual[channel] = false;
        }
    }

    /// Gives back every channel that the hand took over; the face follows as it does a pose.
    pub fn give_back_all(&mut self) {
        let mix = self.unsilenced();
        self.glide(self.edits.transition.duration_secs, |session| {
            for channel in 0..session.edits.manual.len() {
                session.edits.manual[channel] &= !session.is_taken(channel, &mix);
            }
        });
    }

    /// Sets a key at the play head, at the value a channel shows, and lets the keys drive it, unless a pose
    /// lies over them. So for the one it is linked to.
    pub fn key_channel(&mut self, channel: usize) {
        let (mix, time_secs) = (self.unsilenced(), self.clock.timeline.time_secs);
        for channel in self.with_partner(channel) {
            let value = self.channel_value(channel, &mix.weights);
            self.edits.keys.set(&self.head.channels[channel].full_name, Key { time_secs, value });
            // Under a pose, keys would not show: there the hand holds on.
            self.edits.manual[channel] &= self.unsilenced().below_manual[channel] != Layer::Keys;
        }
    }

    /// Takes the keys of a channel, and of the one it is linked to, away.
    pub fn clear_keys(&mut self, channel: usize) {
        for channel in self.with_partner(channel) {
            self.edits.keys.clear(&self.head.channels[channel].full_name);
        }
        self.stay_on_timeline();
    }

    /// Moves keys or takes them away.
    pub fn edit_keys(&mut self, edit: impl FnOnce(&mut Keys)) {
        edit(&mut self.edits.keys);
        self.stay_on_timeline();
    }

    /// Mutes a channel, and the one it is linked to, or lets it be heard again.
    pub fn toggle_mute(&mut self, channel: usize) {
        let muted = !self.edits.muted[channel];
        for channel in self.with_partner(channel) {
            self.edits.muted[channel] = muted;
        }
    }

    /// Solos a channel, and the one it is linked to, or not any more.
    pub fn toggle_solo(&mut self, channel: usize) {
        let soloed = !self.edits.soloed[channel];
        for channel in self.with_partner(channel) {
            self.edits.soloed[channel] = soloed;
        }
    }

    /// Swaps left and right in what is on screen. What moves by itself goes on doing so.
    pub fn mirror_mix(&mut self) {
        let mix = self.unsilenced();
        self.glide(self.edits.transition.duration_secs, |session| {
            for channel in 0..session.head.channels.len() {
                let wanted = session.channel_value(session.head.mirror_of(channel), &mix.weights);
                let differs = (wanted - session.channel_value(channel, &mix.weights)).abs() > SAME;
                if differs && !session.is_locked(channel, &mix) {
                    session.hold(channel, wanted);
                }
            }
        });
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
        self.channel_value(channel, &self.rest)
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

    fn with_partner(&self, channel: usize) -> Vec<usize> {
        [Some(channel), self.linked_partner(channel)].into_iter().flatten().collect()
    }

    fn edit_with_partner(&mut self, channel: usize, edit: impl Fn(&mut Self, usize)) -> bool {
        let mix = self.unsilenced();
        if self.is_locked(channel, &mix) {
            return false;
        }
        for channel in self.with_partner(channel) {
            if !self.is_locked(channel, &mix) {
                edit(self, channel);
            }
        }
        true
    }

    /// Holds every target of a channel at a value; a fade that is under way goes on to it.
    fn hold(&mut self, channel: usize, value: f32) {
        for &target in &self.head.channels[channel].targets {
            self.edits.weights[target] = value;
        }
        self.edits.manual[channel] = true;
    }

    /// Holds a channel where it is, target by target.
    fn hold_as_shown(&mut self, channel: usize, mix: &Mix) {
        for &target in &self.head.channels[channel].targets {
            self.edits.weights[target] = mix.weights[target];
        }
        self.edits.manual[channel] = true;
        self.fades[channel] = None;
    }
}
