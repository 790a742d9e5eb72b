//! Which correctives play, and the values of all channels with them.

use crate::session::Session;
use smirk_face::motion::{Layer, Mix};

impl Session {
    /// Whether a channel follows others as a corrective that plays. Nothing else sets its weight then.
    pub fn follows_others(&self, channel: usize) -> bool {
        self.edits.plays_correctives && !self.is_muted(channel) && self.head.correctives.of_channel(channel).is_some()
    }

    /// The value of each channel in [`Self::mix`], divided as the blend rule does. Correctives follow divided weights, so theirs are
    /// as they are.
    pub fn values_after_rule(&self, mix: &Mix) -> Vec<f32> {
        let bound = self.bound();
        let divisor = self.edits.rule.divisor(&self.head, &mix.weights, &bound.silent_correctives);
        let value = |channel: usize| match (self.channel_value(channel, &mix.weights), mix.layers[channel]) {
            (value, Layer::Corrective) => value,
            (value, _) => (f64::from(value) / divisor) as f32,
        };
        (0..self.head.channels.len()).map(value).collect()
    }
}
