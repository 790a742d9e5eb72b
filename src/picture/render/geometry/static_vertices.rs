//! The part of a vertex that blending never writes: texture coordinates, colour, and the position at rest.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};
use rayon::prelude::*;

use smirk_face::head::{Eyes, Head, Role, UvSet};
use smirk_graphics::blend::VertexPlaces;

use super::at_rest::position_mm;
use super::lash_cards::places_on_cards;

/// The vertices that are written as one parallel task.
const VERTICES_AT_ONCE: usize = 4096;

/// An element of vertex buffer 2.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct StaticVertex {
    /// The first and the second set of texture coordinates. Lash cards have no second set; it holds the place on the card.
    uvs: [[f32; 2]; 2],
    /// Linear RGBA, with 16 bits per channel, because 8 would show bands in dark colours.
    color: [u16; 4],
    /// The position in the world at rest, in millimetres of a head of human size.
    at_rest_mm: [f32; 3],
}

/// One vertex per place of the head-wide array; the padding between meshes is white. `mm_per_unit` is the size of a human head;
/// `eyes` are those of the head, where they are known.
pub(crate) fn static_vertices(
    head: &Head,
    places: &VertexPlaces,
    mm_per_unit: f32,
    (roles, eyes): (&[Role], Option<&Eyes>),
) -> Vec<StaticVertex> {
    let blank = StaticVertex { uvs: [[0.0; 2]; 2], color: [u16::MAX; 4], at_rest_mm: [0.0; 3] };
    let mut vertices = vec![blank; places.place_count()];
    for (index, mesh) in head.meshes.iter().enumerate() {
        let of_vertex = |vertex: usize| {
            let uv = |set| mesh.vertices.uv_set(set).get(vertex).copied().unwrap_or_default();
            let color = mesh.vertices.colors.get(vertex).copied().unwrap_or([1.0; 4]);
            let at_rest_mm = position_mm(head, mesh, vertex, mm_per_unit);
            StaticVertex::new([uv(UvSet::First), uv(UvSet::Second)], color, at_rest_mm)
        };
        let (first_place, in_order) = places.vertices_in_order(index);
        let written = vertices[first_place..].par_iter_mut().zip(in_order).with_min_len(VERTICES_AT_ONCE);
        written.for_each(|(place, &vertex)| *place = of_vertex(vertex as usize));
    }
    for on_card in eyes.map(|eyes| places_on_cards(head, roles, eyes, mm_per_unit)).unwrap_or_default() {
        vertices[places.place_of(on_card.mesh, on_card.vertex)].uvs[1] = on_card.place;
    }
    vertices
}

impl StaticVertex {
    fn new(uvs: [Vec2; 2], color: [f32; 4], at_rest_mm: Vec3) -> Self {
        let uvs = uvs.map(|uv| uv.to_array());
        Self { uvs, color: color.map(unorm), at_rest_mm: at_rest_mm.to_array() }
    }

    /// Replaces texture coordinates and linear colour.
    pub(super) fn set(&mut self, uvs: [Vec2; 2], color: [f32; 4]) {
        (self.uvs, self.color) = (uvs.map(|uv| uv.to_array()), color.map(unorm));
    }
}

fn unorm(value: f32) -> u16 {
    (value.clamp(0.0, 1.0) * f32::from(u16::MAX) + 0.5) as u16
}
