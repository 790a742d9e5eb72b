//! How open a surface is to light from all around: nostrils, the inside of the mouth and the skin under the lids are dark, because
//! most directions are blocked there (ambient occlusion: Zhukov, Iones and Kronin 1998). It is computed for two shapes, at rest and with an open
//! mouth, and mixed while the head moves.

mod depth_map;
mod directions;
mod shape;
mod surface;

use bytemuck::{Pod, Zeroable};
use surface::openness;

use smirk_face::head::Head;

/// The openness of all vertices of a head.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Openness {
    /// Per mesh, one element per vertex.
    pub meshes: Vec<Vec<VertexOpenness>>,
}

/// The openness of a vertex: the fraction of the light of an even sky that nothing blocks. 0 is 0, and the largest number is 1.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct VertexOpenness {
    /// With the shape at rest.
    pub at_rest: u16,
    /// With an open mouth.
    pub mouth_open: u16,
}

impl VertexOpenness {
    /// Nothing blocks any light.
    pub const FULL: Self = Self { at_rest: u16::MAX, mouth_open: u16::MAX };
}

impl Openness {
    /// The openness of a head.
    pub fn of(head: &Head) -> Self {
        let regions = shape::regions(head);
        let mut weights = head.default_weights();
        weights.truncate(head.target_count());
        let at_rest = shape::surface(head, &weights);
        let openers = head.mouth_openers();
        for opener in &openers {
            weights[opener.target] = opener.wide_open;
        }
        let [at_rest, mouth_open] = if openers.is_empty() {
            let [at_rest] = openness([&at_rest], &regions);
            [at_rest.clone(), at_rest]
        } else {
            openness([&at_rest, &shape::surface(head, &weights)], &regions)
        };
        let unorm = |open: f32| (open * f32::from(u16::MAX) + 0.5) as u16;
        let vertex = |(&at_rest, &mouth_open): (&f32, &f32)| VertexOpenness {
            at_rest: unorm(at_rest),
            mouth_open: unorm(mouth_open),
        };
        let mut vertices = at_rest.iter().zip(&mouth_open).map(vertex);
        let meshes = head.meshes.iter().map(|mesh| vertices.by_ref().take(mesh.vertices.len()).collect());
        Self { meshes: meshes.collect() }
    }
}
