//! Static vertices that some target repaints: written anew when its weight changes, and only then.

use std::ops::Range;

use crate::blend::Layout;
use crate::head::Head;

use super::static_vertices::{StaticVertex, static_vertex};

/// What is painted of a head; empty for nearly all.
#[derive(Debug)]
pub struct RepaintedVertices {
    /// A copy of all of them, as they are on the GPU; empty if nothing is painted.
    vertices: Vec<StaticVertex>,
    meshes: Vec<RepaintedMesh>,
}

/// A mesh with targets that paint.
#[derive(Debug)]
struct RepaintedMesh {
    /// Index into [`Head::meshes`].
    mesh: usize,
    /// Which of its vertices.
    rows: Vec<u32>,
    /// Where these lie among all: the part of the buffer to be written.
    places: Range<usize>,
    /// What it was painted with, one per target of the mesh.
    weights: Vec<f32>,
}

impl RepaintedVertices {
    /// Of a head whose static vertices are `vertices`, painted with weights of 0.
    pub fn new(head: &Head, layout: &Layout, vertices: Vec<StaticVertex>) -> Self {
        let of_mesh = |(index, mesh): (usize, &crate::head::Mesh)| {
            let rows = mesh.uv_color_rows();
            let places = rows.iter().map(|&row| layout.place_of(index, row as usize));
            let (first, last) = (places.clone().min()?, places.max()?);
            Some(RepaintedMesh { mesh: index, rows, places: first..last + 1, weights: vec![0.0; mesh.targets.len()] })
        };
        let meshes: Vec<RepaintedMesh> = head.meshes.iter().enumerate().filter_map(of_mesh).collect();
        Self { vertices: if meshes.is_empty() { Vec::new() } else { vertices }, meshes }
    }

    /// Whether anything ever changes.
    pub fn is_any(&self) -> bool {
        !self.meshes.is_empty()
    }

    /// Brings `buffer` up to the weights, one per target of the head.
    pub fn update(
        &mut self,
        queue: &wgpu::Queue,
        buffer: &wgpu::Buffer,
        head: &Head,
        layout: &Layout,
        weights: &[f32],
    ) {
        for repainted in &mut self.meshes {
            let mesh = &head.meshes[repainted.mesh];
            let Some(now) = weights.get(mesh.first_target..mesh.first_target + mesh.targets.len()) else { continue };
            let paints = mesh.targets.iter().map(|target| !target.uv_color_deltas.rows.is_empty());
            let differs = |((now, then), paints): ((&f32, &f32), bool)| paints && now.to_bits() != then.to_bits();
            if !now.iter().zip(&repainted.weights).zip(paints).any(differs) {
                continue;
            }
            repainted.weights.copy_from_slice(now);
            for (&row, (uvs, color)) in repainted.rows.iter().zip(mesh.uvs_and_colors(&repainted.rows, now)) {
                let place = layout.place_of(repainted.mesh, row as usize);
                self.vertices[place] = static_vertex(uvs, color.to_array());
            }
            let offset = repainted.places.start * size_of::<StaticVertex>();
            queue.write_buffer(buffer, offset as u64, bytemuck::cast_slice(&self.vertices[repainted.places.clone()]));
        }
    }
}
