//! The heat map: what is measured of the shape, as colours.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::BlendMode;
use smirk_analysis::measure::{Measure, MeasuredHead, rounded_up};
use smirk_face::head::{Channel, Head, Version};

/// What a heat map shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Heat {
    pub measure: Measure,
    /// What the shape is compared with.
    pub against: HeatAgainst,
    /// The value at the end of the scale, in the unit of the measure; none: one that fits the head.
    pub most: Option<f32>,
    /// The channel that is measured alone; none: the face as it is. It is saved with a project, by its name, and not
    /// here.
    #[serde(skip)]
    pub channel: Option<usize>,
    /// Whether the channel is measured at weight 1, whatever it has, so that all that it moves is seen. It is not
    /// saved.
    #[serde(skip)]
    pub is_whole: bool,
    /// Whether the head rests at 0 instead of at the weights of its file. It is an edit, and not saved here.
    #[serde(skip)]
    pub rests_at_zero: bool,
}

/// What the shape is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeatAgainst {
    #[default]
    Rest,
    Mode(BlendMode),
    /// What the face is compared with: [`Scene::compared`](super::Scene::compared); without it, the shape at rest.
    Compared,
}

/// What a face is compared with.
#[derive(Clone, Debug)]
pub enum Compared {
    /// Another version of the head, at the weights of the face; compared by pointer.
    Version {
        version: Arc<Version>,
        /// Whether correctives play that it has alone.
        plays_correctives: bool,
        /// The time at which recorded frames are shown; 0 for another version.
        time_secs: f32,
    },
    /// The same head at other weights, one per target.
    Weights(Arc<[f32]>),
}

impl PartialEq for Compared {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Version { version: a, plays_correctives: of_a, time_secs: at_a },
                Self::Version { version: b, plays_correctives: of_b, time_secs: at_b },
            ) => Arc::ptr_eq(a, b) && of_a == of_b && at_a == at_b,
            // By bits, so that NaN equals itself; otherwise a face with a NaN would be measured again and again.
            (Self::Weights(a), Self::Weights(b)) => {
                bytemuck::cast_slice::<f32, u32>(a) == bytemuck::cast_slice::<f32, u32>(b)
            }
            (Self::Version { .. }, Self::Weights(_)) | (Self::Weights(_), Self::Version { .. }) => false,
        }
    }
}

impl Compared {
    /// Whether some vertex of the head is not in it.
    pub fn lacks_vertices(&self) -> bool {
        match self {
            Self::Version { version, .. } => version.lacks_vertices(),
            Self::Weights(_) => false,
        }
    }
}

impl Heat {
    /// What blend modes differ by is shown up to so many millimetres.
    const MOST_OF_MODES: f32 = 0.001;
    /// What a face and a recorded frame differ by is shown up to so many millimetres.
    const MOST_OF_FRAMES: f32 = 2.0;

    /// The value at the end of the scale, positive.
    pub fn most(&self, head: &Head, compared: Option<&Compared>) -> f32 {
        if let Some(most) = self.most.filter(|most| most.is_finite() && *most > 0.0) {
            return most;
        }
        match (self.against, self.measure, compared) {
            (HeatAgainst::Mode(_), Measure::Displacement, _) => return Self::MOST_OF_MODES,
            (HeatAgainst::Compared, Measure::Displacement, Some(Compared::Version { version, .. })) => {
                if !version.frame_times_secs().is_empty() {
                    return Self::MOST_OF_FRAMES;
                }
                return rounded_up(version.largest_mm(self.channel));
            }
            _ => {}
        }
        match self.channel.and_then(|channel| head.channels.get(channel)) {
            None => self.measure.usual_most(head, 0..head.target_count()),
            Some(channel) => self.measure.usual_most(head, channel.targets.iter().copied()),
        }
    }

    /// What is measured of a face with these weights: for each mesh, a value per vertex, NaN where there is nothing to
    /// compare with. None for [`HeatAgainst::Mode`], which only the device knows.
    pub fn values(
        &self,
        head: &Head,
        measured: &MeasuredHead,
        weights: &[f32],
        compared: Option<&Compared>,
    ) -> Option<Vec<Vec<f32>>> {
        let now = || self.measured_weights(head, weights);
        match (self.against, compared) {
            (HeatAgainst::Mode(_), _) => None,
            (HeatAgainst::Rest, _) | (HeatAgainst::Compared, None) => {
                Some(measured.values(head, self.measure, &self.rest_weights(head), &now()))
            }
            (HeatAgainst::Compared, Some(Compared::Version { version, plays_correctives, time_secs })) => {
                let at_weights = version.weights(&now(), *plays_correctives, *time_secs);
                Some(measured.against_version(head, self.measure, version, [&now(), &at_weights]))
            }
            (HeatAgainst::Compared, Some(Compared::Weights(other))) => {
                let [from, to] = [&**other, weights].map(|weights| self.weights_as_they_are(head, weights));
                Some(measured.values(head, self.measure, &from, &to))
            }
        }
    }

    /// The colours of the values from 0 to [`Self::most`], or of a measure with negative values from minus that.
    pub fn scale(&self) -> ColorScale {
        if self.measure.is_signed() { ColorScale::CoolWarm } else { ColorScale::Viridis }
    }

    /// The weights, one per target of the head, of the shape that it is compared with by [`HeatAgainst::Rest`].
    fn rest_weights(&self, head: &Head) -> Vec<f32> {
        let is_zero = self.channel.is_some() || self.rests_at_zero;
        let mut rest = if is_zero { Vec::new() } else { head.default_weights() };
        rest.truncate(head.target_count());
        rest
    }

    /// The weights, one per target of the head, of the shape that is measured, while the face has `weights`: all of
    /// them; or of a channel alone those it has, and 1 if it is at rest or [`Self::is_whole`].
    pub fn measured_weights(&self, head: &Head, weights: &[f32]) -> Vec<f32> {
        let Some(channel) = self.channel.and_then(|channel| head.channels.get(channel)) else {
            return weights.to_vec();
        };
        let is_at_rest = channel.targets.iter().all(|&target| weights.get(target).is_none_or(|weight| *weight == 0.0));
        let is_whole = self.is_whole || is_at_rest;
        alone(head, channel, |target| if is_whole { 1.0 } else { weights.get(target).copied().unwrap_or(0.0) })
    }

    /// The same with the weights that the channel has, also at rest.
    fn weights_as_they_are(&self, head: &Head, weights: &[f32]) -> Vec<f32> {
        match self.channel.and_then(|channel| head.channels.get(channel)) {
            None => weights.to_vec(),
            Some(channel) => alone(head, channel, |target| weights.get(target).copied().unwrap_or(0.0)),
        }
    }
}

/// The weights, one per target of the head, of a channel alone.
fn alone(head: &Head, channel: &Channel, weight: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut alone = vec![0.0; head.target_count() + head.expressions.len()];
    for &target in &channel.targets {
        if let Some(place) = alone.get_mut(target) {
            *place = weight(target);
        }
    }
    head.resolve_expressions(&mut alone);
    alone
}

/// A scale of colours for the numbers 0..1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorScale {
    /// From dark blue over green to yellow, ever brighter: viridis of matplotlib (S. van der Walt and N. Smith, 2015,
    /// CC0), in the polynomials of degree 6 that M. Zucker fitted to it (shadertoy.com/view/WlfXRN, CC0).
    Viridis,
    /// From blue over light grey, at 0.5, to red: the three colours of the cool-warm scale (K. Moreland, "Diverging
    /// color maps for scientific visualization", 2009), with straight lines between them.
    CoolWarm,
}

/// The coefficients of viridis, of the power 0 first.
pub const VIRIDIS: [[f32; 3]; 7] = [
    [0.277_727_33, 0.005_407_344_5, 0.334_099_8],
    [0.105_093_04, 1.404_613_5, 1.384_590_2],
    [-0.330_861_83, 0.214_847_56, 0.095_095_16],
    [-4.634_230_5, -5.799_101, -19.332_441],
    [6.228_27, 14.179_934, 56.690_55],
    [4.776_385, -13.745_145, -65.353_03],
    [-5.435_456, 4.645_852_6, 26.312_435],
];

/// The colours of 0, 0.5 and 1.
pub const COOL_WARM: [[f32; 3]; 3] = [[0.230, 0.299, 0.754], [0.865, 0.865, 0.865], [0.706, 0.016, 0.150]];

/// The colour of vertices that were searched, sRGB.
pub const MARKED: [f32; 3] = [0.93, 0.07, 0.22];

/// What stands for the value of a vertex that has none.
pub const NO_VALUE: f32 = -8.0;

/// The colour of what has no value, sRGB, in a heat map.
pub const WITHOUT_VALUE: [f32; 3] = [0.42, 0.42, 0.42];

impl ColorScale {
    /// The colour of a number, sRGB, 0..1. Numbers outside 0..1 have the colour of the nearest end.
    pub fn color(self, value: f32) -> [f32; 3] {
        let value = if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
        match self {
            Self::Viridis => std::array::from_fn(|channel| {
                let sum = VIRIDIS.iter().rev().fold(0.0, |sum, power| sum * value + power[channel]);
                sum.clamp(0.0, 1.0)
            }),
            Self::CoolWarm => {
                let (half, part) = if value < 0.5 { (0, value * 2.0) } else { (1, value * 2.0 - 1.0) };
                std::array::from_fn(|channel| {
                    COOL_WARM[half][channel] * (1.0 - part) + COOL_WARM[half + 1][channel] * part
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use smirk_face::head::Mesh;

    use super::*;

    #[test]
    fn a_channel_is_measured_alone_as_it_is_or_whole() {
        let head = Head::from_meshes(vec![Mesh::with_targets(["jawOpen", "pout"])]);
        let of = |channel| Heat { channel, ..Heat::default() };
        assert_eq!(of(None).measured_weights(&head, &[0.25, 0.5]), [0.25, 0.5]);
        let jaw = head.channel_named("jawOpen");
        assert_eq!(of(jaw).measured_weights(&head, &[0.25, 0.5]), [0.25, 0.0]);
        assert_eq!(of(jaw).measured_weights(&head, &[0.0, 0.5]), [1.0, 0.0]);
        let whole = Heat { is_whole: true, ..of(jaw) };
        assert_eq!(whole.measured_weights(&head, &[0.25, 0.5]), [1.0, 0.0]);
    }

    #[test]
    fn viridis_is_that_of_matplotlib() {
        let known = [
            (0.0, [0.267_004, 0.004_874, 0.329_415]),
            (0.25, [0.229_739, 0.322_361, 0.545_706]),
            (0.5, [0.127_568, 0.566_949, 0.550_556]),
            (0.75, [0.360_741, 0.785_964, 0.387_814]),
            (1.0, [0.993_248, 0.906_157, 0.143_936]),
        ];
        for (value, expected) in known {
            let color = ColorScale::Viridis.color(value);
            let apart = color.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(apart < 0.02, "{value}: {color:?} is not {expected:?}");
        }
    }

    #[test]
    fn the_scales_go_on_in_one_direction_and_end_at_their_ends() {
        let luminance = |color: [f32; 3]| 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2];
        let of = |scale: ColorScale, step: usize| luminance(scale.color(step as f32 / 100.0));
        assert!((0..100).all(|step| of(ColorScale::Viridis, step) < of(ColorScale::Viridis, step + 1)));
        assert_eq!(ColorScale::CoolWarm.color(0.5), COOL_WARM[1]);
        for scale in [ColorScale::Viridis, ColorScale::CoolWarm] {
            assert_eq!(scale.color(-3.0), scale.color(0.0));
            assert_eq!(scale.color(7.0), scale.color(1.0));
            assert_eq!(scale.color(f32::NAN), scale.color(0.0));
        }
    }
}
