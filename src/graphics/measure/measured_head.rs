//! A head whose deformed surface is measured.

use glam::Vec3;
use rayon::prelude::*;

use super::change::{area, displacement, edge_length, normal};
use super::curvature::curvature;
use super::deformed::deformed_positions;
use super::kind::Measure;
use super::measured_mesh::MeasuredMesh;
use smirk_face::head::Head;

/// The surface of a head, prepared for measuring. It belongs to the head that it was made of, which every call needs again.
#[derive(Debug)]
pub struct MeasuredHead {
    meshes: Vec<MeasuredMesh>,
}

impl MeasuredHead {
    /// Finds the edges of all meshes.
    pub fn new(head: &Head) -> Self {
        Self { meshes: head.meshes.par_iter().map(|mesh| MeasuredMesh::new(head, mesh)).collect() }
    }

    /// What changes from the shape at some weights to that at others: for each mesh, a value per vertex. Weights are one per target;
    /// missing ones count as 0.
    pub fn values(&self, head: &Head, measure: Measure, from: &[f32], to: &[f32]) -> Vec<Vec<f32>> {
        let at = |weights: &[f32]| -> Vec<Vec<Vec3>> {
            head.meshes.par_iter().map(|mesh| deformed_positions(mesh, weights)).collect()
        };
        self.between(head, measure, &at(from), &at(to))
    }

    /// The same for shapes whose positions are known: for each mesh, those of all its vertices in mesh space.
    pub fn between(&self, head: &Head, measure: Measure, from: &[Vec<Vec3>], to: &[Vec<Vec3>]) -> Vec<Vec<f32>> {
        let of = |index: usize| {
            let (measured, mesh) = (&self.meshes[index], &head.meshes[index]);
            let [from, to] = [from, to].map(|positions| measured.deformed_mm(mesh, &positions[index]));
            measured.per_vertex(&match measure {
                Measure::Displacement => displacement(&from, &to),
                Measure::EdgeLength => edge_length(measured, &from, &to),
                Measure::Area => area(measured, &from, &to),
                Measure::Normal => normal(measured, &from, &to),
                Measure::Curvature => curvature(measured, &to),
            })
        };
        (0..self.meshes.len()).into_par_iter().map(of).collect()
    }
}
