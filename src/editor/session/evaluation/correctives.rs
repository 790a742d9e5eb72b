//! Which correctives play, and the values of all channels with them.

use crate::session::Session;
use smirk_face::motion::{Layer, Mix};

impl Session {
    /// The channels whose correctives do not play, ascending: all if they are switched off, else those that are muted.
    pub fn silent_correctives(&self) -> Vec<usize> {
        let edits = &*self.edits;
        self.head.correctives.driven().filter(|&channel| !edits.plays_correctives || edits.muted[channel]).collect()
    }

    /// Whether a channel follows others as a corrective that plays. Nothing else sets its weight then.
    pub fn follows_others(&self, channel: usize) -> bool {
        let edits = &*self.edits;
        edits.plays_correctives && !edits.muted[channel] && self.head.correctives.of_channel(channel).is_some()
    }

    /// The value of each channel in [`Self::mix`], divided as the blend rule does. Correctives follow divided weights, so theirs are
    /// as they are.
    pub fn values_after_rule(&self, mix: &Mix) -> Vec<f32> {
        let silent = self.silent_correctives();
        let divisor = self.edits.rule.divisor(&self.head, &mix.weights, &silent);
        let value = |channel: usize| match (self.channel_value(channel, &mix.weights), mix.layers[channel]) {
            (value, Layer::Corrective) => value,
            (value, _) => (f64::from(value) / divisor) as f32,
        };
        (0..self.head.channels.len()).map(value).collect()
    }
}
