//! What a head cannot show of the frames.

use glam::Vec3;

use super::basis::{Block, FRAMES_AT_ONCE};
use super::model::Model;
use super::{Frames, Outcome, Solver, in_order};
use smirk_base::progress::{Cancelled, Progress};

/// The distances that are left between the places of the head and those of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// The root of the mean squared distance, in millimetres of a human head.
    pub rms_mm: f32,
    /// The largest distance.
    pub largest_mm: f32,
    /// Where it is: a mesh of the head and a vertex of it.
    pub mesh: usize,
    pub vertex: usize,
}

/// The movement that the frames have most of what the head cannot show.
#[derive(Clone, Debug, PartialEq)]
pub struct Lacking {
    /// Per mesh of the head and vertex, its displacement in world space, as far as in the frame that has most of it.
    pub displacements: Vec<Vec<Vec3>>,
    /// The longest displacement, in millimetres.
    pub largest_mm: f32,
    /// The part of what is left, by its squares, that it explains in the frames that have most left.
    pub share: f32,
    /// The frame that has most of it.
    pub frame: usize,
}

impl Solver<'_> {
    /// Measures what is left of the frames of a block at their values.
    pub(super) fn find_residuals(&self, model: &Model<'_>, block: &mut Block, solved: &mut [Outcome]) {
        self.subtract(model, block, solved);
        for (lane, of_frame) in solved.iter_mut().enumerate() {
            let Ok(of_frame) = of_frame else { continue };
            let missing = block.missing[lane].as_deref().unwrap_or_default();
            let (mut sum, mut largest, mut at) = (0.0_f64, 0.0_f32, 0);
            for place in 0..self.basis.places.len() {
                let square = block.left_at(place, lane).length_squared();
                if !missing.is_empty() && missing.binary_search(&(place as u32)).is_ok() {
                    continue;
                }
                sum += f64::from(square);
                if square > largest {
                    (largest, at) = (square, place);
                }
            }
            let count = (self.basis.places.len() - missing.len()).max(1) as f64;
            let place = self.basis.places[at];
            of_frame.residual = Residual {
                rms_mm: ((sum / count).sqrt() * self.mm_per_unit) as f32,
                largest_mm: largest.sqrt() * self.mm_per_unit as f32,
                mesh: place.mesh as usize,
                vertex: place.vertex as usize,
            };
        }
    }

    /// Takes the head at the values of its channels out of the frames of a block.
    fn subtract(&self, model: &Model<'_>, block: &mut Block, solved: &[Outcome]) {
        // As the values are stored, in 32 bits.
        let mut factors: Vec<Vec<f64>> = solved
            .iter()
            .map(|of_frame| of_frame.as_ref().map_or_else(|_| Vec::new(), |it| model.factors(&it.values)))
            .collect();
        factors.resize(FRAMES_AT_ONCE, Vec::new());
        self.basis.subtract(&factors, block);
    }

    /// Reads all frames again, and measures what is left of each.
    pub(super) fn find_all_residuals(
        &self,
        frames: &dyn Frames,
        model: &Model<'_>,
        solved: &mut [Outcome],
        progress: Progress<'_>,
    ) -> Result<(), Cancelled> {
        let chunks: Vec<(usize, &[Outcome])> = solved.chunks(FRAMES_AT_ONCE).enumerate().collect();
        let measure = |block: &mut Block, &(index, of_chunk): &(usize, &[Outcome])| {
            let mut of_chunk = of_chunk.to_vec();
            self.read_again(frames, index * FRAMES_AT_ONCE, &of_chunk, block);
            self.find_residuals(model, block, &mut of_chunk);
            of_chunk
        };
        let measured = in_order(&chunks, ("measuring frames", progress), measure)?;
        for (known, new) in solved.iter_mut().zip(measured.into_iter().flatten()) {
            *known = new;
        }
        Ok(())
    }

    fn read_again(&self, frames: &dyn Frames, start: usize, solved: &[Outcome], block: &mut Block) {
        let motions: Vec<_> =
            solved.iter().map(|it| it.as_ref().map_or(super::RigidMotion::NONE, |it| it.motion)).collect();
        self.read_block(frames, start..start + solved.len(), Some(&motions), block);
    }

    /// The movement that the head lacks most, by the frames that have most left; none if nothing is left that can be
    /// seen.
    pub(super) fn find_lacking(&self, frames: &dyn Frames, model: &Model<'_>, solved: &[Outcome]) -> Option<Lacking> {
        /// What is left of frames that are looked at.
        const MOST_FRAMES: usize = 24;
        /// Less is rounding.
        const LEAST_MM: f32 = 0.01;
        let rms_of = |frame: usize| solved[frame].as_ref().map_or(0.0, |it| it.residual.rms_mm);
        let mut worst: Vec<usize> = (0..solved.len()).filter(|&frame| rms_of(frame) > LEAST_MM).collect();
        worst.sort_by(|&a, &b| rms_of(b).total_cmp(&rms_of(a)).then(a.cmp(&b)));
        worst.truncate(MOST_FRAMES);
        let mut block = Block::default();
        let left: Vec<Vec<Vec3>> = worst
            .iter()
            .map(|&frame| {
                self.read_again(frames, frame, &solved[frame..=frame], &mut block);
                self.subtract(model, &mut block, &solved[frame..=frame]);
                (0..self.basis.places.len()).map(|place| block.left_at(place, 0)).collect()
            })
            .collect();
        let product = |a: &[Vec3], b: &[Vec3]| -> f64 { a.iter().zip(b).map(|(a, b)| f64::from(a.dot(*b))).sum() };
        let products: Vec<Vec<f64>> =
            left.iter().map(|row| left.iter().map(|column| product(row, column)).collect()).collect();
        let all: f64 = (0..left.len()).map(|at| products[at][at]).sum();
        let shares = first_component(&products)?;
        let mut direction = vec![Vec3::ZERO; self.basis.places.len()];
        for (share, left) in shares.iter().zip(&left) {
            direction.iter_mut().zip(left).for_each(|(sum, left)| *sum += *left * *share as f32);
        }
        let square = product(&direction, &direction);
        let parts: Vec<f64> = left.iter().map(|left| product(left, &direction) / square).collect();
        let most = (0..parts.len()).max_by(|&a, &b| parts[a].abs().total_cmp(&parts[b].abs()))?;
        let explained: f64 = parts.iter().map(|part| part * part * square).sum();
        let mut of_points = vec![None; self.matched.point_count()];
        for (place, direction) in self.basis.places.iter().zip(&direction) {
            of_points[place.point as usize] = Some(*direction * parts[most] as f32);
        }
        let displacements: Vec<Vec<Vec3>> = (self.matched.of_vertices.iter())
            .map(|points| {
                let displacements = points.iter().map(|point| of_points[(*point)? as usize]);
                displacements.map(Option::unwrap_or_default).collect()
            })
            .collect();
        let longest = displacements.iter().flatten().map(|it: &Vec3| it.length()).fold(0.0, f32::max);
        Some(Lacking {
            displacements,
            largest_mm: longest * self.mm_per_unit as f32,
            share: (explained / all) as f32,
            frame: worst[most],
        })
    }
}

/// The eigenvector of a symmetric matrix for its largest eigenvalue, by repeated products; none of an empty one.
fn first_component(matrix: &[Vec<f64>]) -> Option<Vec<f64>> {
    const ROUNDS: usize = 200;
    let largest = (0..matrix.len()).max_by(|&a, &b| matrix[a][a].total_cmp(&matrix[b][b]))?;
    let mut vector = matrix[largest].clone();
    for _ in 0..ROUNDS {
        let length = vector.iter().map(|it| it * it).sum::<f64>().sqrt();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        vector.iter_mut().for_each(|it| *it /= length);
        vector = matrix.iter().map(|row| row.iter().zip(&vector).map(|(a, b)| a * b).sum()).collect();
    }
    Some(vector)
}
