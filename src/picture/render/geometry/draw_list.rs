//! The draws of what is shown of a head, with their indices on the GPU.

use glam::Vec3;

use crate::render::surface::{Alpha, AlphaPass, SurfaceKind};
use crate::scene::MeshSet;
use smirk_face::head::{Head, RigPose, Role};
use smirk_graphics::blend::VertexPlaces;
use smirk_graphics::gpu::Gpu;

use super::draws::{self, Choices, DrawCall};

/// The draws, in drawing order.
#[derive(Debug)]
pub(crate) struct DrawList {
    variant: Option<usize>,
    /// The role of each material.
    roles: Vec<Role>,
    /// Meshes that are left out.
    hidden: MeshSet,
    /// Hair, lashes and brows are left out.
    isolates_face: bool,
    /// For each mesh, whether the rig pose mirrors it, so that the order of its triangles' corners is reversed.
    mirrored: Vec<bool>,
    /// The rig pose of the last call of [`Self::recenter`] mirrors other meshes, so that a new list is needed.
    is_outdated: bool,
    draws: Vec<DrawCall>,
    indices: wgpu::Buffer,
    /// The indices of the blended draws, back to front, with the square of the distance from the eye. Its memory is reused in
    /// every frame.
    sorted: Vec<(usize, f32)>,
}

impl DrawList {
    /// The draws of what is shown of a head in a rig pose.
    pub(crate) fn new(gpu: &Gpu, head: &Head, places: &VertexPlaces, rig_pose: &RigPose, choices: Choices<'_>) -> Self {
        let place_of = |mesh, vertex| places.place_of(mesh, vertex) as u32;
        let (indices, draws) = draws::indices_and_draws(head, rig_pose, choices, place_of);
        Self {
            variant: choices.variant,
            roles: choices.roles.to_vec(),
            hidden: choices.hidden,
            isolates_face: choices.isolates_face,
            mirrored: mirrored(head, rig_pose).collect(),
            is_outdated: false,
            indices: gpu.filled_buffer("indices", bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            sorted: (0..draws.len())
                .filter(|&index| draws[index].surface.alpha == Alpha::Blended)
                .map(|index| (index, 0.0))
                .collect(),
            draws,
        }
    }

    /// Whether the list shows the same, in the rig pose of the last call of [`Self::recenter`].
    pub(crate) fn is_for(&self, choices: Choices<'_>) -> bool {
        let (hidden, isolates_face) = (choices.hidden, choices.isolates_face);
        self.variant == choices.variant
            && self.roles == choices.roles
            && (self.hidden, self.isolates_face) == (hidden, isolates_face)
            && !self.is_outdated
    }

    /// The role of each material.
    pub(crate) fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// Moves the centers by which blended draws are sorted to their positions in a rig pose.
    pub(crate) fn recenter(&mut self, head: &Head, rig_pose: &RigPose) {
        self.is_outdated = !self.mirrored.iter().copied().eq(mirrored(head, rig_pose));
        draws::recenter(&mut self.draws, head, rig_pose);
    }

    /// Sorts the blended draws back to front, by the positions of their centers at these weights.
    pub(crate) fn sort_from(&mut self, eye_in_world: Vec3, weights: &[f32]) {
        for (index, distance) in &mut self.sorted {
            *distance = self.draws[*index].center.under(weights).distance_squared(eye_in_world);
        }
        self.sorted.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    }

    /// The kinds of surface that are drawn, each with a pass that draws it and with whether its mesh has targets.
    pub(crate) fn surfaces(&self) -> impl Iterator<Item = (SurfaceKind, AlphaPass, bool)> {
        self.draws.iter().flat_map(|draw| draw.passes.iter().map(|&pass| (draw.surface, pass, draw.morphs)))
    }

    /// The number of draws.
    pub(crate) fn len(&self) -> usize {
        self.draws.len()
    }

    /// Binds the index buffer. Returns false if there is nothing to draw.
    pub(crate) fn bind(&self, pass: &mut wgpu::RenderPass<'_>) -> bool {
        if !self.draws.is_empty() {
            pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        }
        !self.draws.is_empty()
    }

    /// The draws that hide what is behind them: opaque and masked ones.
    pub(crate) fn opaque_and_masked(&self) -> impl Iterator<Item = &DrawCall> {
        self.draws.iter().filter(|draw| draw.surface.alpha != Alpha::Blended)
    }

    /// The blended draws: first the nearly opaque part of all, then the remaining part of each in the order of
    /// [`Self::sort_from`], where the sides that face away come before those that face the eye.
    pub(crate) fn blended(&self) -> impl Iterator<Item = (&DrawCall, AlphaPass)> {
        let of = |passes: &'static [AlphaPass]| {
            let sorted = self.sorted.iter().map(|&(index, _)| &self.draws[index]);
            let in_passes = sorted.flat_map(move |draw| passes.iter().map(move |&pass| (draw, pass)));
            in_passes.filter(|(draw, pass)| draw.passes.contains(pass))
        };
        of(&[AlphaPass::NearlyOpaque]).chain(of(&[AlphaPass::ThinBack, AlphaPass::ThinFront]))
    }
}

/// For each mesh, whether a rig pose mirrors it.
fn mirrored<'a>(head: &'a Head, rig_pose: &'a RigPose) -> impl Iterator<Item = bool> + 'a {
    head.meshes.iter().map(|mesh| rig_pose.is_mirrored(mesh))
}
