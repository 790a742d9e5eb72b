//! A voice moves the mouth: speech as weights over time, in the names of ARKit.
//!
//! [`Speech::of_labels`] reads the mouth from phones, visemes or words at times, [`Heard::speech`] from the sound
//! alone. Both give the same thing, a [`Speech`], of which [`Speech::take`] makes a take with what the artist has
//! chosen. All of it is pure functions: the same labels or samples give the same take.

mod closures;
mod heard;
mod labels;
mod live;
#[cfg(test)]
mod made;
mod phones;
mod shapes;
mod spectrum;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use smirk_face::head::{Curve, Interpolation};
use smirk_face::motion::Take;

pub use heard::Heard;
pub use labels::ReadLabels;
pub use live::LiveVoice;
pub use phones::PhoneSet;
use shapes::{FUNNEL, JAW, LOWER, Mouth, PUCKER, SPREAD, TONGUE, UPPER};

/// What an artist chooses about a voice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Voice {
    pub enabled: bool,
    pub source: VoiceSource,
    /// How the texts of the labels are spelled; found by what they say if it is not chosen.
    pub phones: Option<PhoneSet>,
    /// How much the mouth moves: 1 is as in clear speech.
    pub amount: f32,
    /// The share of the jaw in that, and that of the lips.
    pub jaw: f32,
    pub lips: f32,
    /// The width of the window that smooths the movement. Lips that close are not smoothed.
    pub smoothing_secs: f32,
    /// How long before its sound a shape is there. Closed lips open with their sound, whatever the lead is.
    pub lead_secs: f32,
    /// Whether stressed words raise the brows, and how far.
    pub brows: bool,
    /// Whether the eyes blink with some of the stressed words.
    pub blinks: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VoiceSource {
    /// The markers of the timeline.
    #[default]
    Labels,
    /// The sound of what plays.
    Sound,
}

impl Default for Voice {
    fn default() -> Self {
        Self {
            enabled: false,
            source: VoiceSource::default(),
            phones: None,
            amount: 1.0,
            jaw: 1.0,
            lips: 1.0,
            smoothing_secs: 0.04,
            lead_secs: 0.06,
            brows: false,
            blinks: false,
        }
    }
}

impl Voice {
    pub const LARGEST_AMOUNT: f32 = 2.0;
    pub const LONGEST_SMOOTHING_SECS: f32 = 0.3;
    pub const LONGEST_LEAD_SECS: f32 = 0.2;

    /// The same with numbers that make sense: those of a file may be any.
    #[must_use]
    pub fn within_reason(self) -> Self {
        let rest = Self::default();
        let limited = |value: f32, most: f32, rest: f32| if value.is_finite() { value.clamp(0.0, most) } else { rest };
        Self {
            amount: limited(self.amount, Self::LARGEST_AMOUNT, rest.amount),
            jaw: limited(self.jaw, Self::LARGEST_AMOUNT, rest.jaw),
            lips: limited(self.lips, Self::LARGEST_AMOUNT, rest.lips),
            smoothing_secs: limited(self.smoothing_secs, Self::LONGEST_SMOOTHING_SECS, rest.smoothing_secs),
            lead_secs: limited(self.lead_secs, Self::LONGEST_LEAD_SECS, rest.lead_secs),
            ..self
        }
    }
}

/// How the mouth moves while something is said, before the artist's choices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Speech {
    /// The mouth, [`FRAMES_PER_SEC`] times a second from time 0 on, while no lips are closed and no lip is bitten.
    mouths: Vec<Mouth>,
    /// From when to when the lips are closed, as for m, b and p, in order.
    pub closed: Vec<[f32; 2]>,
    /// From when to when the upper teeth are on the lower lip, as for f and v, in order.
    pub bitten: Vec<[f32; 2]>,
    /// When stressed vowels begin.
    pub stressed: Vec<f32>,
}

/// Mouths of a [`Speech`] per second.
pub const FRAMES_PER_SEC: f32 = 100.0;
/// The columns of a take of speech, without brows and eyelids.
pub const COLUMNS: [&str; 15] = [
    "jawOpen",
    "mouthPucker",
    "mouthFunnel",
    "mouthStretchLeft",
    "mouthStretchRight",
    "mouthLowerDownLeft",
    "mouthLowerDownRight",
    "mouthUpperUpLeft",
    "mouthUpperUpRight",
    "mouthPressLeft",
    "mouthPressRight",
    "mouthRollLower",
    "mouthRollUpper",
    "mouthClose",
    "tongueOut",
];
const BROWS: [&str; 3] = ["browInnerUp", "browOuterUpLeft", "browOuterUpRight"];
const EYELIDS: [&str; 2] = ["eyeBlinkLeft", "eyeBlinkRight"];

impl Speech {
    /// The weights over time, as an artist wants them. At its start and its end the mouth is at rest.
    pub fn take(&self, voice: &Voice) -> Take {
        let mouths = smoothed(&self.mouths, voice.smoothing_secs);
        let (closures, bites) = (Gates::new(&self.closed), Gates::new(&self.bitten));
        let (brows, eyelids) =
            (voice.brows.then(|| apart(&self.stressed, 0.9)), voice.blinks.then(|| apart(&self.stressed, 2.2)));
        let names =
            COLUMNS.into_iter().chain(brows.iter().flat_map(|_| BROWS)).chain(eyelids.iter().flat_map(|_| EYELIDS));
        let names: Vec<&str> = names.collect();
        // One more at the end, so that a take is never empty and ends at rest.
        let count = mouths.len() + 1;
        let mut times = Vec::with_capacity(count);
        let mut values = Vec::with_capacity(count * names.len());
        for frame in 0..count {
            let secs = frame as f32 / FRAMES_PER_SEC;
            let mouth = mouths.get(frame).copied().unwrap_or_default();
            times.push(secs);
            values.extend(weights(&mouth, closures.at(secs), bites.at(secs), voice));
            if let Some(stressed) = &brows {
                let raised = pulse(stressed, secs, 0.12, 0.35);
                values.extend([0.3, 0.2, 0.2].map(|share| share * raised));
            }
            if let Some(stressed) = &eyelids {
                values.extend([pulse(stressed, secs, 0.08, 0.16); EYELIDS.len()]);
            }
        }
        let last = values.len() - names.len();
        values[last..].fill(0.0);
        let curve = Curve::new(Interpolation::Linear, times, values, names.len());
        let curve = curve.unwrap_or_else(|_| unreachable!("times ascend, and every frame has all columns"));
        Take { name: "Voice".into(), frames_per_sec: Some(FRAMES_PER_SEC), ..Take::of_curve(names, curve) }
    }

    /// When it ends.
    pub fn end_secs(&self) -> f32 {
        self.mouths.len() as f32 / FRAMES_PER_SEC
    }

    /// The same, later by some seconds, or earlier; what comes before 0 is left out. The mouth leads what touches by a
    /// part of `lead_secs`: what is heard of it already anticipates what comes.
    #[must_use]
    pub fn moved(mut self, secs: f32, lead_secs: f32) -> Self {
        const HEARD_LEAD: f32 = 0.2;
        let mouth_secs = secs - HEARD_LEAD * lead_secs;
        let frames = (mouth_secs.abs() * FRAMES_PER_SEC).round() as usize;
        if mouth_secs >= 0.0 {
            self.mouths.splice(0..0, std::iter::repeat_n([0.0; shapes::PARTS], frames));
        } else {
            self.mouths.drain(..frames.min(self.mouths.len()));
        }
        for spans in [&mut self.closed, &mut self.bitten] {
            spans.iter_mut().flatten().for_each(|time| *time += secs);
            spans.retain(|span| span[1] > 0.0);
        }
        self.stressed.iter_mut().for_each(|time| *time += secs);
        self.stressed.retain(|time| *time >= 0.0);
        self
    }
}

/// The values of [`COLUMNS`] for a mouth. `closed` and `bitten` are from 0 to 1; closed lips leave nothing open.
pub(crate) fn weights(mouth: &Mouth, closed: f32, bitten: f32, voice: &Voice) -> [f32; COLUMNS.len()] {
    let (jaw, lips) = (voice.amount * voice.jaw, voice.amount * voice.lips);
    let open = (1.0 - closed) * (1.0 - bitten);
    let limited = |value: f32| value.clamp(0.0, 1.0);
    let jaw_open = limited(mouth[JAW] * jaw) * open + 0.05 * bitten * (1.0 - closed);
    let pucker = limited(mouth[PUCKER] * lips) * (1.0 - 0.5 * closed) * (1.0 - 0.8 * bitten);
    let funnel = limited(mouth[FUNNEL] * lips) * open;
    let spread = limited(mouth[SPREAD] * lips) * (1.0 - closed);
    let lower = limited(mouth[LOWER] * lips) * open;
    let upper = limited(mouth[UPPER] * lips) * open + 0.3 * bitten * (1.0 - closed);
    let press = 0.3 * closed;
    let roll_lower = 0.7 * bitten * (1.0 - closed) + 0.1 * closed;
    let tongue = limited(mouth[TONGUE] * lips) * open;
    [
        jaw_open,
        pucker,
        funnel,
        spread,
        spread,
        lower,
        lower,
        upper,
        upper,
        press,
        press,
        roll_lower,
        0.1 * closed,
        0.0,
        tongue,
    ]
}

/// The mean around each frame, weighted by a triangle as wide as the window: two moving means of half its width.
fn smoothed(mouths: &[Mouth], window_secs: f32) -> Vec<Mouth> {
    let half = (0.25 * window_secs * FRAMES_PER_SEC).round() as usize;
    let mut mouths = mouths.to_vec();
    for _ in 0..2 {
        if half > 0 {
            mouths = averaged(&mouths, half);
        }
    }
    mouths
}

/// The mean of each frame and `half` frames on both sides. Beyond its ends the mouth is at rest.
fn averaged(mouths: &[Mouth], half: usize) -> Vec<Mouth> {
    let mut sums = Vec::with_capacity(mouths.len() + 1);
    let mut sum = [0.0_f64; shapes::PARTS];
    sums.push(sum);
    for mouth in mouths {
        sum.iter_mut().zip(mouth).for_each(|(sum, value)| *sum += f64::from(*value));
        sums.push(sum);
    }
    let width = (2 * half + 1) as f64;
    let frames = 0..mouths.len();
    let mean = |frame: usize| {
        let (from, to) = (sums[frame.saturating_sub(half)], sums[(frame + half + 1).min(mouths.len())]);
        std::array::from_fn(|part| ((to[part] - from[part]) / width) as f32)
    };
    frames.map(mean).collect()
}

/// Spans of time in which a gate is shut, apart from each other. It moves before and after them.
struct Gates {
    spans: Vec<[f32; 2]>,
}

/// How long a gate moves, before it is shut and after it.
const GATE_SECS: f32 = 0.04;
/// A gate stays shut at least so long: no frame of a film with 24 of them a second misses it.
const LEAST_SHUT_SECS: f32 = 0.044;
/// Between two moments in which it is shut, a gate opens wholly if they are so far apart, and else by the square of
/// that: as far as it can without bending by more than 0.3 in a hundredth of a second.
const WHOLLY_OPEN_SECS: f32 = 0.073;

impl Gates {
    fn new(spans: &[[f32; 2]]) -> Self {
        let mut apart: Vec<[f32; 2]> = Vec::with_capacity(spans.len());
        for &[from, to] in spans {
            let lacking = (LEAST_SHUT_SECS - (to - from)).max(0.0);
            let [from, to] = [from - 0.5 * lacking, to + 0.5 * lacking];
            match apart.last_mut().filter(|last| from <= last[1]) {
                Some(last) => last[1] = last[1].max(to),
                None => apart.push([from, to]),
            }
        }
        Self { spans: apart }
    }

    /// How far the gate is shut at a time, from 0 to 1.
    fn at(&self, secs: f32) -> f32 {
        let next = self.spans.partition_point(|span| span[0] <= secs);
        let since = next.checked_sub(1).map_or(f32::INFINITY, |last| secs - self.spans[last][1]);
        let until = self.spans.get(next).map_or(f32::INFINITY, |next| next[0] - secs);
        let gap_secs = since + until;
        let part = (since.min(until) / GATE_SECS.min(0.5 * gap_secs)).clamp(0.0, 1.0);
        let eased = if part < 0.5 { 2.0 * part * part } else { 1.0 - 2.0 * (1.0 - part) * (1.0 - part) };
        1.0 - eased * (gap_secs / WHOLLY_OPEN_SECS).clamp(0.0, 1.0).powi(2)
    }
}

/// Those of some times that are at least so far apart.
fn apart(times: &[f32], least_secs: f32) -> Vec<f32> {
    let mut chosen: Vec<f32> = Vec::new();
    for &time in times {
        if chosen.last().is_none_or(|last| time - last >= least_secs) {
            chosen.push(time);
        }
    }
    chosen
}

/// A movement that begins somewhat before each of some times and is over some time after it, from 0 to 1.
fn pulse(times: &[f32], secs: f32, rise_secs: f32, fall_secs: f32) -> f32 {
    let next = times.partition_point(|time| *time <= secs);
    let near = times[next.saturating_sub(1)..].iter().take(2);
    near.map(|time| {
        let since = secs - time;
        let part = if since < 0.0 { 1.0 + since / rise_secs } else { 1.0 - since / fall_secs };
        let part = part.clamp(0.0, 1.0);
        part * part * (3.0 - 2.0 * part)
    })
    .fold(0.0, f32::max)
}
