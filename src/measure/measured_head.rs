//! A head whose deformed surface is measured.

use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;

use super::curvature::curvature;
use super::measured_mesh::MeasuredMesh;
use crate::blend::{ActiveTargets, CpuBlend, Layout};
use crate::head::Head;

/// A head, blended on the CPU to be measured. Nodes and joints are at rest: what is measured is what targets do.
#[derive(Debug)]
pub struct MeasuredHead {
    layout: Arc<Layout>,
    meshes: Vec<MeasuredMesh>,
    active: ActiveTargets,
    blended: CpuBlend,
}

impl MeasuredHead {
    /// The head at rest. `layout` is that of the head.
    pub fn new(head: &Head, layout: Arc<Layout>) -> Self {
        let meshes = (0..head.meshes.len()).into_par_iter().map(|mesh| MeasuredMesh::new(head, &layout, mesh));
        Self { meshes: meshes.collect(), active: ActiveTargets::new(&layout), blended: CpuBlend::new(&layout), layout }
    }

    /// Deforms the head. Returns whether that changed anything.
    pub fn set_weights(&mut self, weights: &[f32]) -> bool {
        let is_changed = self.active.update(&self.layout, weights);
        if is_changed {
            self.blended.evaluate(&self.layout, &self.active);
        }
        is_changed
    }

    /// The mean curvature of the surface at each place of the head-wide array, in 1/mm: positive on ridges, negative in hollows.
    pub fn curvature(&self) -> Vec<f32> {
        self.at_places(curvature)
    }

    /// Values per point of each mesh, at the places of their vertices; 0 where there is no vertex.
    fn at_places(&self, of: impl Fn(&MeasuredMesh, &[Vec3]) -> Vec<f32> + Sync) -> Vec<f32> {
        let (base, [blended, ..]) = (self.layout.base(), self.blended.sections());
        let measured: Vec<Vec<f32>> =
            self.meshes.par_iter().map(|mesh| of(mesh, &mesh.deformed_mm(base, blended))).collect();
        let mut at_places = vec![0.0; self.layout.place_count()];
        for (mesh, values) in self.meshes.iter().zip(measured) {
            mesh.write(&values, &mut at_places);
        }
        at_places
    }
}
