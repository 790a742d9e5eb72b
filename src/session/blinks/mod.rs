//! Automatic blinks: one that comes at once, and all of them as keys, which can be moved, removed and given other
//! shapes one by one.

#[cfg(test)]
mod tests;

use thiserror::Error;

use crate::keys::first_key_mode;
use crate::{KeysMut, Session};
use smirk_face::motion::{Blink, Extrapolation, Key, KeyCurve, KeyMode, Layer, Moment};

/// What [`KeysMut::bake_blinks`] did.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedBlinks {
    /// Number of blinks; a double one counts as two.
    pub blinks: usize,
    /// Number of keys that the channels have more than before.
    pub keys: usize,
    pub channels: Vec<usize>,
    /// The seconds of the timeline in which the blinks start.
    pub range_secs: [f32; 2],
}

/// Why [`KeysMut::bake_blinks`] did nothing.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum BakeBlinksError {
    #[error("No channel closes the eyes: choose the eyelids under Blink")]
    NoEyelids,
    #[error("No blink starts from {0:.2} to {1:.2} s: make the range longer or the interval shorter")]
    NoBlinks(f32, f32),
    #[error("More than {MOST_BLINKS} blinks: set in and out to a part of the timeline")]
    TooMany,
    #[error("The sequence drives {0}, which hides keys: switch the sequence off first")]
    Hidden(String),
    #[error("The keys of {0} fade out: make them hold their ends first, in the menu of its slider")]
    Fades(String),
}

const MOST_BLINKS: usize = 10_000;
/// A movement that takes no time becomes one of this length.
const LEAST_SECS: f32 = 0.002;

impl Session {
    /// Skips the time to the next automatic blink; does nothing if blinks are off. Fades do not advance.
    pub fn blink_now(&mut self) {
        if !self.edits.blink.enabled {
            return;
        }
        let skipped_secs = self.edits.blink.secs_until_motion(self.clock.running_secs());
        self.clock.skip(skipped_secs);
        for fade in self.fades.iter_mut().flatten() {
            fade.start_secs += skipped_secs;
        }
    }
}

impl KeysMut<'_> {
    /// Writes the automatic blinks that start in the range that plays as keys, and switches automatic blinking off. The
    /// face then blinks as it does when the range plays from its start, as in an export. Blinks are added to keys that
    /// the eyelids have already. Without them the keys are added to a clip or a take that drives the eyelids, and
    /// replace a constant weight. Without a timeline, the range is [`Session::LEAST_KEYS_SECS`] long.
    ///
    /// # Errors
    /// If there are no blinks or no eyelids, or if keys cannot show the blinks. Nothing is changed then.
    pub fn bake_blinks(&mut self) -> Result<BakedBlinks, BakeBlinksError> {
        let session = &*self.session;
        let blink = session.edits.blink.clone();
        let channels = blink.channels_of(&session.head);
        if channels.is_empty() {
            return Err(BakeBlinksError::NoEyelids);
        }
        let timeline_secs = session.timeline_secs();
        let end_secs = if timeline_secs > 0.0 { timeline_secs } else { Session::LEAST_KEYS_SECS };
        let range_secs = session.timeline().range_secs(end_secs);
        let spans = spans(&blink, range_secs, end_secs)?;
        let mut curves = Vec::with_capacity(channels.len());
        for &channel in &channels {
            curves.push(self.with_blinks(channel, &blink, range_secs[0], &spans)?);
        }
        let mut keys = 0;
        for (&channel, curve) in channels.iter().zip(curves) {
            let name = self.session.head.channels[channel].full_name.clone();
            keys += curve.keys().len().saturating_sub(self.session.keys().keys_of(&name).len());
            self.change(|keys| keys.set_curve(&name, curve));
        }
        self.session.edits.blink.enabled = false;
        self.session.stay_on_timeline();
        Ok(BakedBlinks { blinks: spans.len(), keys, channels, range_secs })
    }

    /// The keys of a channel with the blinks.
    fn with_blinks(
        &self,
        channel: usize,
        blink: &Blink,
        start_secs: f32,
        spans: &[Vec<f32>],
    ) -> Result<KeyCurve, BakeBlinksError> {
        let session = &*self.session;
        let name = &session.head.channels[channel].full_name;
        let (first_secs, last_secs) = ends(spans);
        let stack = session.stack();
        let layers = |timeline_secs| stack.contributions(channel, &Moment { timeline_secs, ..session.moment() });
        if layers(first_secs).iter().any(|(layer, _)| *layer == Layer::Sequence) {
            return Err(BakeBlinksError::Hidden(name.clone()));
        }
        let own = session.keys().curve(name).cloned();
        let fades = own.as_ref().is_some_and(|own| {
            let (first, last) = (own.keys().first(), own.keys().last());
            (own.before != Extrapolation::Hold && first.is_some_and(|key| key.time_secs > first_secs))
                || (own.after != Extrapolation::Hold && last.is_some_and(|key| key.time_secs < last_secs))
        });
        if fades {
            return Err(BakeBlinksError::Fades(name.clone()));
        }
        let (layer, below) = self.below(channel, first_secs);
        let is_first = own.is_none();
        let mut own = own.unwrap_or_default();
        if is_first {
            own.mode = first_key_mode(layer);
        }
        let base = if own.mode == KeyMode::Add { 0.0 } else { below };
        // A blink closes the part of the eye that is still open.
        Ok(own.plus(base, spans, |secs| {
            let closure = if (first_secs..=last_secs).contains(&secs) {
                blink.closure(f64::from(secs) - f64::from(start_secs))
            } else {
                0.0
            };
            if closure == 0.0 {
                return 0.0;
            }
            let keyed =
                layers(secs).into_iter().rfind(|(layer, _)| *layer <= Layer::Keys).map_or(0.0, |(_, open)| open);
            (1.0 - keyed).max(0.0) * closure
        }))
    }
}

/// The moments of each blink that starts in the range, in seconds of a timeline that ends at `end_secs`.
fn spans(blink: &Blink, [start, end]: [f32; 2], end_secs: f32) -> Result<Vec<Vec<f32>>, BakeBlinksError> {
    let blinks = blink.moments(f64::from(end) - f64::from(start));
    let mut spans = Vec::new();
    for moments in blinks.filter(|moments| moments[3] > moments[0]).take(MOST_BLINKS + 1) {
        let [from, closed, opening, open] = moments.map(|secs| (secs + f64::from(start)) as f32);
        let from = if closed > from { from } else { from - LEAST_SECS };
        let open = if open > opening { open } else { open + LEAST_SECS };
        let mut span = vec![from.max(start), closed, opening, open];
        span.retain(|secs| *secs <= end_secs.min(Key::LATEST_SECS));
        span.extend((open > end_secs).then_some(end_secs));
        spans.push(span);
    }
    match spans.len() {
        0 => Err(BakeBlinksError::NoBlinks(start, end)),
        count if count > MOST_BLINKS => Err(BakeBlinksError::TooMany),
        _ => Ok(spans),
    }
}

/// When the first blink starts and when the last one ends.
fn ends(spans: &[Vec<f32>]) -> (f32, f32) {
    let first = spans.first().and_then(|span| span.first());
    let last = spans.last().and_then(|span| span.last());
    (first.copied().unwrap_or(0.0), last.copied().unwrap_or(0.0))
}
