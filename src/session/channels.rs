//! The sliders of channels: set, reset, take over, give back, mute, solo, mirror.
//!
//! A channel is manual if its slider sets its value. Taking over makes a driven channel manual, whatever drives it, and
//! so does setting its value; giving back makes the layers below the slider set it again.

use std::sync::Arc;

use super::{Session, Slider};
use smirk_face::motion::{Layer, Mix};

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

/// Some channels of a session, whose sliders are edited together.
pub struct ChannelsMut<'a> {
    session: &'a mut Session,
    channels: Vec<usize>,
}

impl Session {
    /// A channel and its linked partner.
    pub fn channel_mut(&mut self, channel: usize) -> ChannelsMut<'_> {
        self.channels_mut(self.with_partner(channel))
    }

    /// These channels alone, whatever they are linked with.
    pub fn channels_mut(&mut self, channels: impl IntoIterator<Item = usize>) -> ChannelsMut<'_> {
        ChannelsMut { session: self, channels: channels.into_iter().collect() }
    }

    /// Whether a layer below a channel's slider sets the channel, and the user has not taken it over.
    pub fn is_driven(&self, channel: usize, mix: &Mix) -> bool {
        !self.bound().sliders.manual[channel] && mix.below_manual[channel] != Layer::Rest
    }

    /// Whether a channel is manual although a layer below its slider drives it.
    pub fn is_taken(&self, channel: usize, mix: &Mix) -> bool {
        self.bound().sliders.manual[channel] && mix.below_manual[channel] != Layer::Rest
    }

    /// The value that a channel's slider shows at rest.
    pub fn channel_default(&self, channel: usize) -> f32 {
        self.head.channel_value(channel, &self.bound().sliders.rest)
    }

    /// The channel, and the other one of its pair if the pair is linked.
    pub(super) fn with_partner(&self, channel: usize) -> Vec<usize> {
        let pair = self.head.pair_of(channel).filter(|&pair| self.bound().linked[pair]);
        let Some(pair) = pair.map(|pair| &self.head.pairs[pair]) else { return vec![channel] };
        let partner = if pair.first == channel { pair.second } else { Some(pair.first) };
        [Some(channel), partner].into_iter().flatten().collect()
    }

    /// Edits both channels of a pair. An edit of one of two that are linked is also made to the other.
    pub fn edit_pair(&mut self, pair: usize, edit: impl Fn(&mut Self, usize)) {
        let (first, second) = (self.head.pairs[pair].first, self.head.pairs[pair].second);
        edit(self, first);
        if let Some(second) = second.filter(|_| !self.bound().linked[pair]) {
            edit(self, second);
        }
    }

    /// Moves every slider to rest, removes applied poses, gives every channel back, and clears mute and solo. Links and
    /// the look do not change.
    pub fn reset_all(&mut self) {
        self.fades.fill(None);
        self.edits.applied_poses.clear();
        let (head, rest) = (&self.head, &self.bound().sliders.rest);
        for (index, channel) in head.channels.iter().enumerate() {
            self.edits.edit_slider(&channel.full_name, |slider| {
                (slider.muted, slider.soloed) = (false, false);
                slider.set(head, index, |target| rest[target]);
                slider.give_back(head, index, rest);
            });
        }
    }

    /// Gives back every channel that was taken over, with the transition that poses use.
    pub fn give_back_all(&mut self) {
        let mix = self.unsilenced();
        let taken: Vec<usize> = (0..self.head.channels.len()).filter(|&channel| self.is_taken(channel, &mix)).collect();
        self.glide(self.edits.transition.duration_secs, |session| session.channels_mut(taken).give_back());
    }

    /// Swaps left and right of the shown face, both sides of a pair or neither. A pair of which the artist has set a
    /// side by a slider or a pose is taken over from the animation that drives the other one. A pair that animation
    /// alone moves does not change: one moment of it mirrored would end the performance on half of the face.
    pub fn mirror_mix(&mut self) -> MirroredMix {
        let (mix, bound, head) = (self.unsilenced(), self.bound(), self.head.clone());
        let is_animated = |channel: &usize| !bound.sliders.manual[*channel] && mix.below_manual[*channel].is_motion();
        let (mut mirrored, mut wanted) = (MirroredMix::default(), Vec::new());
        for channel in 0..head.channels.len() {
            let sides = [channel, head.mirror_of(channel)];
            let [own, other] = sides.map(|side| self.head.channel_value(side, &mix.weights));
            if (own - other).abs() <= SAME || sides.iter().any(|&side| self.follows_others(side)) {
                continue;
            }
            let is_set = sides.iter().any(|&side| bound.sliders.manual[side] || mix.below_manual[side] == Layer::Pose);
            let is_left = sides.iter().any(is_animated) && !is_set;
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

    /// Makes a channel manual with every target at a value. If the channel is fading, the fade continues to that value.
    /// While a slider is dragged, one number changes in the edits and in what is bound: nothing is compared or
    /// copied.
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

    /// Makes a channel manual with these weights of its targets.
    fn hold(&mut self, channel: usize, weight: impl Fn(usize) -> f32) {
        let head = &self.head;
        self.edits.edit_slider(&head.channels[channel].full_name, |slider| {
            slider.set(head, channel, weight);
            slider.held = true;
        });
    }
}

impl ChannelsMut<'_> {
    /// Sets every target of the channels, and takes them over from what drives them. A value that is not finite is
    /// ignored, and so are channels that follow others as correctives.
    pub fn set(self, value: f32) {
        if !value.is_finite() {
            return;
        }
        for channel in self.movable() {
            self.session.set_manual(channel, value);
            if self.session.fades[channel].is_some() {
                self.session.fades[channel] = None;
            }
        }
    }

    /// Sets one target of one of the channels; the others keep their current weights. A value that is not finite is
    /// ignored.
    pub fn set_target(self, target: usize, value: f32) {
        let head = &self.session.head;
        let channel = self.movable().into_iter().find(|&channel| head.channels[channel].targets.contains(&target));
        if let Some(channel) = channel.filter(|_| value.is_finite()) {
            let shown = self.session.unsilenced().weights;
            self.session.hold(channel, |other| if other == target { value } else { shown[other] });
            self.session.fades[channel] = None;
        }
    }

    /// Moves the channels to rest: one that its slider sets is given back to the layers below, and one that such a
    /// layer drives is taken over at rest.
    pub fn reset(self) {
        let (mix, bound) = (self.session.unsilenced(), self.session.bound());
        for channel in self.channels {
            self.session.hold(channel, |target| bound.sliders.rest[target]);
            if bound.sliders.manual[channel] || mix.below_manual[channel] == Layer::Rest {
                self.session.channels_mut([channel]).give_back();
            }
            self.session.fades[channel] = None;
        }
    }

    /// Makes driven channels manual at the current value, so that the face does not jump.
    pub fn take_over(self) {
        let mix = self.session.unsilenced();
        for channel in self.movable() {
            if self.session.is_driven(channel, &mix) {
                self.session.hold(channel, |target| mix.weights[target]);
                self.session.fades[channel] = None;
            }
        }
    }

    /// Gives the channels back to the layers below their sliders.
    pub fn give_back(self) {
        let (head, rest) = (&self.session.head, &self.session.bound().sliders.rest);
        for channel in self.channels {
            let name = &head.channels[channel].full_name;
            self.session.edits.edit_slider(name, |slider| slider.give_back(head, channel, rest));
        }
    }

    /// Mutes all of the channels, or unmutes them if the first is muted.
    pub fn toggle_mute(self) {
        let muted = !self.session.bound().sliders.muted[self.channels[0]];
        self.edit_sliders(|slider| slider.muted = muted);
    }

    /// Solos all of the channels, or unsolos them if the first is soloed.
    pub fn toggle_solo(self) {
        let soloed = !self.session.bound().sliders.soloed[self.channels[0]];
        self.edit_sliders(|slider| slider.soloed = soloed);
    }

    fn edit_sliders(self, edit: impl Fn(&mut Slider)) {
        for channel in self.channels {
            self.session.edits.edit_slider(&self.session.head.channels[channel].full_name, &edit);
        }
    }

    /// Gives the channel on the other side of the face the value of the first. The face moves to it as to a pose.
    pub fn mirror(self) {
        let (session, channel) = (self.session, self.channels[0]);
        let value = session.head.channel_value(channel, &session.unsilenced().weights);
        let other = session.head.mirror_of(channel);
        session.glide(session.edits.transition.duration_secs, |session| session.channel_mut(other).set(value));
    }

    /// Those that do not follow others as correctives.
    fn movable(&self) -> Vec<usize> {
        self.channels.iter().copied().filter(|&channel| !self.session.follows_others(channel)).collect()
    }
}
