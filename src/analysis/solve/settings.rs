//! What is solved for, and what is asked of the solution besides.

use super::basis::Basis;
use super::model::{Model, Unknown};
use smirk_face::head::{Head, PairKind, Region};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SolvedChannels {
    #[default]
    Shapes,
    /// The channels of the expressions of a VRM file.
    Expressions,
    /// These, by their indices in the head.
    Chosen(Vec<usize>),
}

/// How frames are solved. Lengths are in millimetres of a human head.
#[derive(Clone, Debug, PartialEq)]
pub struct SolveSettings {
    pub channels: SolvedChannels,
    /// The least and the largest value of a channel. A channel with in-betweens beyond goes as far as these.
    pub bounds: [f32; 2],
    /// What the square of a value costs. The least that makes one of many solutions the smallest.
    pub ridge_mm2: f64,
    /// What the square of the change of a value from one frame to the next costs.
    pub temporal_mm2: f64,
    /// What a value costs, so that few channels are not at 0.
    pub sparse_mm2: f64,
    /// How much the places count that the shapes of a region move; all others count 1.
    pub region_weights: Vec<(Region, f32)>,
    /// Whether both sides of a pair have one value.
    pub ties_sides: bool,
    /// Whether the head and the eyes turn in the frames.
    pub finds_motion: bool,
}

impl SolveSettings {
    /// How much the lips count unless something else is asked for.
    pub const LIPS: f32 = 3.0;
}

impl Default for SolveSettings {
    fn default() -> Self {
        Self {
            channels: SolvedChannels::Shapes,
            bounds: [0.0, 1.0],
            ridge_mm2: 1e-9,
            temporal_mm2: 0.0,
            sparse_mm2: 0.0,
            region_weights: vec![(Region::Mouth, Self::LIPS)],
            ties_sides: false,
            finds_motion: true,
        }
    }
}

impl SolveSettings {
    /// The unknowns on a head, and the channels that are left out because they move nothing there. Channels that follow
    /// others, and those that are only on or off, are no unknowns.
    pub(super) fn unknowns(&self, head: &Head, basis: &Basis) -> (Vec<Unknown>, Vec<usize>) {
        let shapes = head.target_channels().len();
        let mut channels: Vec<usize> = match &self.channels {
            SolvedChannels::Shapes => (0..shapes).collect(),
            SolvedChannels::Expressions => (shapes..head.channels.len()).collect(),
            SolvedChannels::Chosen(channels) => channels.clone(),
        };
        channels.sort_unstable();
        channels.dedup();
        channels.retain(|&channel| {
            let is_binary = head.expression_of(channel).is_some_and(|expression| expression.is_binary);
            channel < head.channels.len() && !is_binary && head.correctives.of_channel(channel).is_none()
        });
        let single: Vec<Unknown> = channels.iter().map(|&channel| Unknown::new(head, channel, self.bounds)).collect();
        // In the middle of its way, a channel that moves anything does.
        let middle: Vec<f64> = single.iter().map(|it| 0.5 * (it.bounds[0] + it.bounds[1])).collect();
        let parts: Vec<[f64; 2]> = single.iter().map(|it| it.bounds).collect();
        let slopes = Model::new(head, &single, &basis.columns_of).tangent(&middle, &parts).slopes;
        let (moving, unmoved): (Vec<_>, Vec<_>) =
            single.into_iter().zip(slopes).partition(|(_, slopes)| !slopes.is_empty());
        let mut unknowns: Vec<Unknown> = moving.into_iter().map(|(unknown, _)| unknown).collect();
        if self.ties_sides {
            unknowns = tied(head, unknowns);
        }
        (unknowns, unmoved.into_iter().map(|(unknown, _)| unknown.channels[0]).collect())
    }
}

/// The unknowns with both sides of a pair as one.
fn tied(head: &Head, unknowns: Vec<Unknown>) -> Vec<Unknown> {
    let mut tied: Vec<Unknown> = Vec::with_capacity(unknowns.len());
    for unknown in unknowns {
        let own = unknown.channels[0];
        let pair = head.pairs.iter().find(|pair| pair.kind == PairKind::Sides && pair.second == Some(own));
        match pair.and_then(|pair| tied.iter_mut().find(|other| other.channels[0] == pair.first)) {
            Some(first) => {
                first.channels.push(own);
                first.bounds[0] = first.bounds[0].max(unknown.bounds[0]);
                first.bounds[1] = first.bounds[1].min(unknown.bounds[1]);
                let [low, high] = first.bounds;
                first.corners.extend(unknown.corners);
                first.corners.retain(|corner| (low..=high).contains(corner));
                first.corners.sort_by(f64::total_cmp);
                first.corners.dedup();
            }
            None => tied.push(unknown),
        }
    }
    tied
}
