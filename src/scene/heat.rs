//! The heat map: what is measured of the shape, as colours.

use serde::{Deserialize, Serialize};

use super::ColorScale;
use crate::blend::BlendMode;
use crate::head::Head;
use crate::measure::Measure;

/// What a heat map shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Heat {
    /// What is measured.
    pub measure: Measure,
    /// What the shape is compared with.
    pub against: HeatAgainst,
    /// The value at the end of the scale, in the unit of the measure; none: one that fits the head.
    pub most: Option<f32>,
    /// The channel that is measured alone; none: the face as it is. It is saved with a project, by its name, and not here.
    #[serde(skip)]
    pub channel: Option<usize>,
}

/// What the shape is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeatAgainst {
    /// The shape at rest.
    #[default]
    Rest,
    /// The same shape, blended in this mode.
    Mode(BlendMode),
}

impl Heat {
    /// What blend modes differ by is shown up to so many millimetres.
    const MOST_OF_MODES: f32 = 0.001;

    /// The value at the end of the scale, positive.
    pub fn most(&self, head: &Head) -> f32 {
        if let Some(most) = self.most.filter(|most| most.is_finite() && *most > 0.0) {
            return most;
        }
        match (self.against, self.measure, self.channel.and_then(|channel| head.channels.get(channel))) {
            (HeatAgainst::Mode(_), Measure::Displacement, _) => Self::MOST_OF_MODES,
            (_, measure, None) => measure.usual_most(head, 0..head.target_count()),
            (_, measure, Some(channel)) => measure.usual_most(head, channel.targets.iter().copied()),
        }
    }

    /// The colours of the values from 0 to [`Self::most`], or of a measure with negative values from minus that.
    pub fn scale(&self) -> ColorScale {
        if self.measure.is_signed() { ColorScale::CoolWarm } else { ColorScale::Viridis }
    }

    /// The weights, one per target of the head, of the shape that it is compared with by [`HeatAgainst::Rest`].
    pub fn rest_weights(&self, head: &Head) -> Vec<f32> {
        let mut rest = if self.channel.is_some() { Vec::new() } else { head.default_weights() };
        rest.truncate(head.target_count());
        rest
    }

    /// The weights, one per target of the head, of the shape that is measured, while the face has `weights`: all of them; or of a channel
    /// alone those it has, and 1 if it is at rest.
    pub fn measured_weights(&self, head: &Head, weights: &[f32]) -> Vec<f32> {
        let Some(channel) = self.channel.and_then(|channel| head.channels.get(channel)) else {
            return weights.to_vec();
        };
        let now = |target: usize| weights.get(target).copied().unwrap_or(0.0);
        let is_at_rest = channel.targets.iter().all(|&target| now(target) == 0.0);
        let mut alone = vec![0.0; head.target_count() + head.expressions.len()];
        for &target in &channel.targets {
            if let Some(weight) = alone.get_mut(target) {
                *weight = if is_at_rest { 1.0 } else { now(target) };
            }
        }
        head.resolve_expressions(&mut alone);
        alone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Asset, Mesh, Target};

    #[test]
    fn a_channel_is_measured_alone_as_it_is_or_whole() {
        let target = |name: &str| Target { name: name.into(), ..Target::default() };
        let mesh = Mesh { targets: ["jawOpen", "pout"].map(target).into(), ..Mesh::default() };
        let head = Head::new(Asset { meshes: vec![mesh], ..Asset::default() });
        let of = |channel| Heat { channel, ..Heat::default() };
        assert_eq!(of(None).measured_weights(&head, &[0.25, 0.5]), [0.25, 0.5]);
        let jaw = head.channel_named("jawOpen");
        assert_eq!(of(jaw).measured_weights(&head, &[0.25, 0.5]), [0.25, 0.0]);
        assert_eq!(of(jaw).measured_weights(&head, &[0.0, 0.5]), [1.0, 0.0]);
    }
}
