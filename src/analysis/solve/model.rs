//! How much of each column of a basis a head shows at the values of its channels: the program's own evaluation of
//! expressions, correctives and in-betweens.

use super::basis::ColumnOf;
use super::bounded::Matrix;
use smirk_face::head::{Head, Target};

/// What is solved for: a channel, or a pair of channels that have one value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unknown {
    /// Indices into the channels of the head.
    pub channels: Vec<usize>,
    /// The least and the largest value.
    pub bounds: [f64; 2],
    /// The values at which its movement turns, ascending, and the bounds; between two of them it is smooth.
    pub corners: Vec<f64>,
}

impl Unknown {
    /// The value of one channel of a head, with at least these bounds: in-betweens beyond them are reached.
    pub(super) fn new(head: &Head, channel: usize, bounds: [f32; 2]) -> Self {
        let targets = head.channels[channel].targets.iter().filter_map(|&target| head.target(target));
        let in_betweens = targets.flat_map(|(_, target)| &target.in_betweens);
        let mut corners: Vec<f32> = in_betweens.flat_map(|it| [0.0, it.full_weight, 1.0]).collect();
        corners.extend(head.correctives.corners_of(channel));
        let [mut low, mut high] = [bounds[0].min(bounds[1]), bounds[0].max(bounds[1])];
        if head.expression_of(channel).is_some() {
            [low, high] = [low, high].map(|bound| bound.clamp(0.0, 1.0));
        }
        for &corner in &corners {
            (low, high) = (low.min(corner), high.max(corner));
        }
        corners.extend([low, high]);
        corners.sort_by(f32::total_cmp);
        corners.dedup();
        let corners = corners.into_iter().map(f64::from).collect();
        Self { channels: vec![channel], bounds: [low.into(), high.into()], corners }
    }

    /// The smooth part of its way above a value, or below it if there is none.
    pub(super) fn part_above(&self, value: f64) -> [f64; 2] {
        let above = self.corners.iter().position(|&corner| corner > value).unwrap_or(self.corners.len() - 1).max(1);
        [self.corners[above - 1], self.corners[above]]
    }

    /// The smooth part below a corner; none if the value is at no corner or at the lowest one.
    pub(super) fn part_below(&self, value: f64) -> Option<[f64; 2]> {
        let at = self.corners.iter().position(|&corner| corner == value)?.checked_sub(1)?;
        Some([self.corners[at], self.corners[at + 1]])
    }
}

/// The factors of the columns as a function of the unknowns.
#[derive(Debug)]
pub(super) struct Model<'a> {
    head: &'a Head,
    unknowns: &'a [Unknown],
    columns: &'a [ColumnOf],
    at_rest: Vec<f32>,
    /// Whether the factors are linear in the unknowns.
    pub is_linear: bool,
}

/// The factors of the columns near some values of the unknowns: `factors + slopes · change`.
#[derive(Clone, Debug)]
pub(super) struct Tangent {
    pub factors: Vec<f64>,
    /// Per unknown, the columns that it changes and by how much.
    pub slopes: Vec<Vec<(usize, f64)>>,
}

impl<'a> Model<'a> {
    pub(super) fn new(head: &'a Head, unknowns: &'a [Unknown], columns: &'a [ColumnOf]) -> Self {
        let first_expression = head.target_channels().len();
        let has_expressions = unknowns.iter().flat_map(|it| &it.channels).any(|&channel| channel >= first_expression);
        let mut targets = columns.iter().filter_map(|of| target_of(head, of));
        let is_linear =
            !has_expressions && head.correctives.is_empty() && targets.all(|target| target.in_betweens.is_empty());
        Self { head, unknowns, columns, at_rest: head.default_weights(), is_linear }
    }

    pub(super) fn factors(&self, values: &[f64]) -> Vec<f64> {
        let mut mix = self.at_rest.clone();
        for (unknown, &value) in self.unknowns.iter().zip(values) {
            for &channel in &unknown.channels {
                self.head.channels[channel].targets.iter().for_each(|&at| mix[at] = value as f32);
            }
        }
        self.head.resolve(&mut mix);
        let mut factors = Vec::with_capacity(self.columns.len());
        for of in self.columns {
            let weight = mix.get(of.target).copied().filter(|weight| weight.is_finite()).unwrap_or(0.0);
            let target = target_of(self.head, of);
            factors.push(target.map_or(0.0, |target| f64::from(target.mix(weight).weight_of(of.full_weight))));
        }
        factors
    }

    /// The factors at some values, and how they change with each unknown on a part of its way.
    pub(super) fn tangent(&self, values: &[f64], parts: &[[f64; 2]]) -> Tangent {
        let factors = self.factors(values);
        let slopes = parts.iter().enumerate().map(|(at, part)| self.slopes(values, &factors, at, *part)).collect();
        Tangent { factors, slopes }
    }

    /// How the factors change with one unknown on a part of its way.
    pub(super) fn slopes(
        &self,
        values: &[f64],
        factors: &[f64],
        at: usize,
        [low, high]: [f64; 2],
    ) -> Vec<(usize, f64)> {
        /// Short enough for what is not linear, and long enough for the 32 bits of a weight.
        const STEP: f64 = 1.0 / 1024.0;
        let (below, above) = (values[at] - low, high - values[at]);
        let step = if above >= below { above.min(STEP) } else { -below.min(STEP) };
        if step == 0.0 {
            return Vec::new();
        }
        let mut moved = values.to_vec();
        moved[at] += step;
        slopes_between(factors, &self.factors(&moved), step)
    }

    /// The straight way from rest to the upper ends of all unknowns: where the search for the solution begins.
    pub(super) fn chord(&self) -> Tangent {
        let mut values = vec![0.0; self.unknowns.len()];
        let factors = self.factors(&values);
        let slopes = self.unknowns.iter().enumerate().map(|(at, unknown)| {
            let [low, high] = unknown.bounds;
            let end = if high > 0.0 { high.min(1.0) } else { low };
            values[at] = end;
            let other = self.factors(&values);
            values[at] = 0.0;
            slopes_between(&factors, &other, end)
        });
        let slopes = slopes.collect();
        Tangent { factors, slopes }
    }
}

impl Tangent {
    /// The products of every two unknowns, from those of the columns.
    pub(super) fn products(&self, of_columns: &Matrix) -> Matrix {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(self.slopes.len());
        for (at, row) in self.slopes.iter().enumerate() {
            let mut products = vec![0.0; at + 1];
            for (product, column) in products.iter_mut().zip(&self.slopes) {
                for &(a, x) in row {
                    *product += column.iter().map(|&(b, y)| x * y * of_columns.at(a, b)).sum::<f64>();
                }
            }
            rows.push(products);
        }
        Matrix::of_lower_rows(&rows)
    }

    /// Per unknown, the sum over the columns that it changes.
    pub(super) fn of_unknowns(&self, of_columns: &[f64]) -> Vec<f64> {
        let slopes = self.slopes.iter();
        slopes.map(|slopes| slopes.iter().map(|&(column, slope)| slope * of_columns[column]).sum()).collect()
    }

    /// The factors after a change of the unknowns, as far as they are linear.
    pub(super) fn factors_after(&self, change: &[f64]) -> Vec<f64> {
        let mut factors = self.factors.clone();
        for (slopes, change) in self.slopes.iter().zip(change) {
            slopes.iter().for_each(|&(column, slope)| factors[column] += slope * change);
        }
        factors
    }
}

/// How fast the factors of columns change over a step of an unknown, of those that do.
fn slopes_between(from: &[f64], to: &[f64], step: f64) -> Vec<(usize, f64)> {
    let slopes = to.iter().zip(from).map(|(to, from)| (to - from) / step).enumerate();
    slopes.filter(|(_, slope)| slope.is_finite() && *slope != 0.0).collect()
}

fn target_of<'h>(head: &'h Head, of: &ColumnOf) -> Option<&'h Target> {
    head.target(of.target).map(|(_, target)| target)
}
