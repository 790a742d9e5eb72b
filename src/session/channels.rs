//! Operations on channels: set, reset, link, take over, give back, mute, solo, mirror.
//!
//! A channel is manual if its slider sets its value. Taking over makes a driven channel manual, whatever drives it, and
//! so does setting its value; giving back makes the layers below the slider set it again.

use std::sync::Arc;

use super::{Session, Slider};
use smirk_face::motion::{Layer, Mix};
use smirk_scene::{HeatAgainst, ViewMode};

/// Weights closer than this are treated as equal.
pub(super) const SAME: f32 = 1e-5;

/// What mirroring a face that animation moves did with the channels that it drives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MirroredMix {
    /// How many channels have the value of the other side now.
    pub changed: usize,
    /// Those that were taken over, because the other side was set by a slider or a pose.
    pub taken_over: Vec<usize>,
    /// Those that were left as they are although their sides differ, because animation alone moves them.
    pub left: Vec<usize>,
}

impl Session {
    /// Whether a channel's slider sets its value, and overrides the layers below.
    pub fn is_manual(&self, channel: usize) -> bool {
        self.bound().manual[channel]
    }

    pub fn is_muted(&self, channel: usize) -> bool {
        self.bound().muted[channel]
    }

    pub fn is_soloed(&self, channel: usize) -> bool {
        self.bound().soloed[channel]
    }

    /// Whether both sliders of a pair move together.
    pub fn is_linked(&self, pair: usize) -> bool {
        self.bound().linked[pair]
    }

    /// Makes both sliders of a pair move together, or not.
    pub fn link_pair(&mut self, pair: usize, is_linked: bool) {
        self.edits.link_pair(&self.head, pair, is_linked);
    }

    /// Whether a layer below a channel's slider sets the channel, and the user has not taken it over.
    pub fn is_driven(&self, channel: usize, mix: &Mix) -> bool {
        !self.is_manual(channel) && mix.below_manual[channel] != Layer::Rest
    }

    /// Whether a channel is manual although a layer below its slider drives it.
    pub fn is_taken(&self, channel: usize, mix: &Mix) -> bool {
        self.is_manual(channel) && mix.below_manual[channel] != Layer::Rest
    }

    /// Sets every target of a channel, and of its linked partner, and takes both over from what drives them. A value
    /// that is not finite is ignored, and so is a channel that follows others as a corrective.
    pub fn set_channel(&mut self, channel: usize, value: f32) {
        for channel in self.movable_with_partner(channel) {
            self.set_channel_alone(channel, value);
        }
    }

    /// The same without its linked partner.
    pub fn set_channel_alone(&mut self, channel: usize, value: f32) {
        if value.is_finite() && !self.follows_others(channel) {
            self.set_manual(channel, value);
            if self.fades[channel].is_some() {
                self.fades[channel] = None;
            }
        }
    }

    /// Sets one target of a channel alone; the others keep their current weights. A value that is not finite is
    /// ignored.
    pub fn set_target(&mut self, channel: usize, target: usize, value: f32) {
        if value.is_finite() && !self.follows_others(channel) {
            let shown = self.unsilenced().weights;
            self.hold(channel, |other| if other == target { value } else { shown[other] });
            self.fades[channel] = None;
        }
    }

    /// Sets a channel to a value, whatever drives it at the moment.
    pub fn set_weight(&mut self, channel: usize, value: f32) {
        if value.is_finite() && channel < self.head.channels.len() && !self.follows_others(channel) {
            self.glide(0.0, |session| session.set_manual(channel, value));
        }
    }

    /// Resets a channel and its linked partner: a channel that its slider sets is given back to the layers below, and
    /// one that such a layer drives is taken over at rest.
    pub fn reset_channel(&mut self, channel: usize) {
        self.reset(self.with_partner(channel));
    }

    /// Moves one target of a channel to rest.
    pub fn reset_target(&mut self, channel: usize, target: usize) {
        self.set_target(channel, target, self.bound().rest[target]);
    }

    pub fn reset_pair(&mut self, pair: usize) {
        let pair = &self.head.pairs[pair];
        self.reset([Some(pair.first), pair.second].into_iter().flatten().collect());
    }

    fn reset(&mut self, channels: Vec<usize>) {
        let (mix, bound) = (self.unsilenced(), self.bound());
        for channel in channels {
            self.hold(channel, |target| bound.rest[target]);
            if bound.manual[channel] || mix.below_manual[channel] == Layer::Rest {
                self.give_slider_back(channel);
            }
            self.fades[channel] = None;
        }
    }

    /// Moves every slider to rest, removes applied poses, gives every channel back, and clears mute and solo. Links and
    /// the look do not change.
    pub fn reset_all(&mut self) {
        self.fades.fill(None);
        self.edits.applied_poses.clear();
        let (head, rest) = (&self.head, &self.bound().rest);
        for (index, channel) in head.channels.iter().enumerate() {
            self.edits.edit_slider(&channel.full_name, |slider| {
                (slider.muted, slider.soloed) = (false, false);
                slider.set(head, index, |target| rest[target]);
                slider.give_back(head, index, rest);
            });
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
            self.give_slider_back(channel);
        }
    }

    /// Gives back every channel that was taken over, with the transition that poses use.
    pub fn give_back_all(&mut self) {
        let mix = self.unsilenced();
        let taken: Vec<usize> = (0..self.head.channels.len()).filter(|&channel| self.is_taken(channel, &mix)).collect();
        self.glide(self.edits.transition.duration_secs, |session| {
            taken.into_iter().for_each(|channel| session.give_slider_back(channel));
        });
    }

    /// Mutes or unmutes a channel and its linked partner.
    pub fn toggle_mute(&mut self, channel: usize) {
        let muted = !self.is_muted(channel);
        for channel in self.with_partner(channel) {
            self.edits.edit_slider(&self.head.channels[channel].full_name, |slider| slider.muted = muted);
        }
    }

    /// Solos or unsolos a channel and its linked partner.
    pub fn toggle_solo(&mut self, channel: usize) {
        let soloed = !self.is_soloed(channel);
        for channel in self.with_partner(channel) {
            self.edits.edit_slider(&self.head.channels[channel].full_name, |slider| slider.soloed = soloed);
        }
    }

    /// Swaps left and right of the shown face, both sides of a pair or neither. A pair of which the artist has set a
    /// side by a slider or a pose is taken over from the animation that drives the other one. A pair that animation
    /// alone moves does not change: one moment of it mirrored would end the performance on half of the face.
    pub fn mirror_mix(&mut self) -> MirroredMix {
        let (mix, bound, head) = (self.unsilenced(), self.bound(), self.head.clone());
        let is_set = |channel: &usize| bound.manual[*channel] || mix.below_manual[*channel] == Layer::Pose;
        let is_animated = |channel: &usize| !bound.manual[*channel] && mix.below_manual[*channel].is_motion();
        let (mut mirrored, mut wanted) = (MirroredMix::default(), Vec::new());
        for channel in 0..head.channels.len() {
            let sides = [channel, head.mirror_of(channel)];
            let [own, other] = sides.map(|side| self.head.channel_value(side, &mix.weights));
            if (own - other).abs() <= SAME || sides.iter().any(|&side| self.follows_others(side)) {
                continue;
            }
            let is_left = sides.iter().any(is_animated) && !sides.iter().any(is_set);
            if is_animated(&channel) {
                if is_left { &mut mirrored.left } else { &mut mirrored.taken_over }.push(channel);
            }
            if !is_left {
                wanted.push((channel, other));
            }
        }
        mirrored.changed = wanted.len();
        self.glide(self.edits.transition.duration_secs, |session| {
            wanted.into_iter().for_each(|(channel, value)| session.set_manual(channel, value));
        });
        mirrored
    }

    /// Gives the channel on the other side of the face the value of a channel. The face moves to it as to a pose.
    pub fn mirror_channel(&mut self, channel: usize) {
        let value = self.head.channel_value(channel, &self.unsilenced().weights);
        let other = self.head.mirror_of(channel);
        self.glide(self.edits.transition.duration_secs, |session| session.set_channel(other, value));
    }

    /// Shows the heat map of what a channel alone does.
    pub fn show_heat_of(&mut self, channel: usize) {
        self.edits.heat_channel = Some(self.head.channels[channel].full_name.clone());
        (self.edits.look.view, self.edits.look.heat.against) = (ViewMode::Heat, HeatAgainst::Rest);
    }

    /// Edits both channels of a pair. An edit of one of two that are linked is also made to the other.
    pub fn edit_pair(&mut self, pair: usize, edit: impl Fn(&mut Self, usize)) {
        let (first, second) = (self.head.pairs[pair].first, self.head.pairs[pair].second);
        edit(self, first);
        if let Some(second) = second.filter(|_| !self.is_linked(pair)) {
            edit(self, second);
        }
    }

    /// The other channel of the pair, if the pair is linked.
    pub fn linked_partner(&self, channel: usize) -> Option<usize> {
        let index = self.head.pair_of(channel).filter(|&index| self.is_linked(index))?;
        let pair = &self.head.pairs[index];
        if pair.first == channel { pair.second } else { Some(pair.first) }
    }

    /// The value that a channel's slider shows at rest.
    pub fn channel_default(&self, channel: usize) -> f32 {
        self.head.channel_value(channel, &self.bound().rest)
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
    /// While a slider is dragged, one number changes in the edits and in what is bound: nothing is compared, copied or
    /// looked up by name again.
    fn set_manual(&mut self, channel: usize, value: f32) {
        let name = &self.head.channels[channel].full_name;
        match self.edits.sliders.get(name).filter(|slider| slider.is_held_at_one_value() && value.is_finite()) {
            None => self.hold(channel, |_| value),
            Some(slider) if slider.value == Some(value) => {}
            Some(_) => {
                let [before, after] = self.edits.change(|edits| {
                    if let Some(slider) = edits.sliders.get_mut(name) {
                        slider.value = Some(value);
                    }
                });
                if let Some(bound) = self.bound.get_mut().as_mut().filter(|bound| bound.is_of(&self.head, before)) {
                    Arc::make_mut(bound).move_slider(channel, value, after);
                }
                self.evaluation.get_mut().move_slider(&self.head, [before, after], channel, value);
            }
        }
    }

    /// Makes a channel manual with every target at its current weight.
    fn set_manual_as_shown(&mut self, channel: usize, mix: &Mix) {
        self.hold(channel, |target| mix.weights[target]);
        self.fades[channel] = None;
    }

    /// Makes a channel manual with these weights of its targets.
    fn hold(&mut self, channel: usize, weight: impl Fn(usize) -> f32) {
        let head = &self.head;
        self.edits.edit_slider(&head.channels[channel].full_name, |slider| {
            slider.set(head, channel, weight);
            slider.held = true;
        });
    }

    /// Makes the layers below a channel's slider set it.
    pub(super) fn give_slider_back(&mut self, channel: usize) {
        let (head, rest) = (&self.head, &self.bound().rest);
        let give_back = |slider: &mut Slider| slider.give_back(head, channel, rest);
        self.edits.edit_slider(&head.channels[channel].full_name, give_back);
    }
}
