//! How exactly the numbers of a file are stored: as they are, or as small as a stated error allows.
//!
//! A mesh that is stored within an error is written in steps of a grid (`KHR_mesh_quantization`): its node, or the
//! inverse bind matrices of its skin, scale it by the length of a step, so that small integers are deltas.

use super::nodes::is_skinned;
use smirk_face::head::{Head, Mesh};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum StoredDeltas {
    /// The deltas of the vertices that move, where that is smaller.
    #[default]
    Smallest,
    /// The deltas of all vertices, for programs that do not read sparse accessors.
    Dense,
    /// Whatever is smallest, so that no vertex of a shape at any weight from 0 to 1 is further off.
    Within(Precision),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// The largest error in millimetres of a human head.
    pub max_error_mm: f32,
    pub packing: Packing,
}

/// By which extensions of glTF a file is smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packing {
    /// By none: deltas below the error are left out. Most programs that read VRM know no extension for meshes.
    Floats,
    /// By `KHR_mesh_quantization`.
    #[default]
    Quantised,
    /// By `EXT_meshopt_compression` in addition.
    Compressed,
}

/// The grid of a mesh that is stored within an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// The length of a step in mesh space. It is not a normal number where the error leaves no room for steps.
    pub step: f32,
    /// Whether the mesh is written in steps, and not in the unit of mesh space.
    pub is_in_steps: bool,
    /// A delta up to this length, in mesh space, may be left out.
    pub least: f32,
}

impl Grid {
    /// The exponent of two of a fraction of a step in which compressed positions at rest are written.
    pub(super) const REST_EXPONENT: i32 = -3;

    /// The part of the error that is used; rounding of floats has the rest.
    const USED: f32 = 0.999;

    pub(super) fn new(head: &Head, index: usize, precision: Precision) -> Self {
        let mesh = &head.meshes[index];
        let within = Self::USED * precision.max_error_mm / (head.mm_per_unit() * scale(head, mesh));
        let least = if within.is_finite() { within } else { 0.0 };
        // The corner of a cell, which is the farthest from the next point of a grid, is half of its diagonal away.
        let half_diagonals = match precision.packing {
            Packing::Compressed => 1.0 + 2_f32.powi(Self::REST_EXPONENT),
            Packing::Floats | Packing::Quantised => 1.0,
        };
        let step = least * 2.0 / (3_f32.sqrt() * half_diagonals);
        let skin = mesh.skin.filter(|_| is_skinned(mesh, &head.rig));
        let mut of_skin = head.meshes.iter().filter(|other| is_skinned(other, &head.rig) && other.skin == skin);
        let is_in_steps = precision.packing != Packing::Floats
            && step.is_normal()
            && may_be_scaled(head, mesh)
            && (skin.is_none() || of_skin.all(|mesh| may_be_scaled(head, mesh)));
        Self { step, is_in_steps, least: least / half_diagonals }
    }

    /// The length in mesh space of 1 in the file.
    pub(super) fn unit(self) -> f32 {
        if self.is_in_steps { self.step } else { 1.0 }
    }

    /// The exponent of the largest power of two in the file that is not longer than a step, if the exponential filter
    /// has it.
    pub(super) fn exponent(self) -> Option<i32> {
        let exponent = (self.step / self.unit()).log2().floor();
        (-80.0..=80.0).contains(&exponent).then_some(exponent as i32)
    }
}

/// The largest scale of a mesh from mesh space to the world.
fn scale(head: &Head, mesh: &Mesh) -> f32 {
    if is_skinned(mesh, &head.rig) {
        return head.rest_pose.largest_scale(mesh);
    }
    let world_from_mesh = head.rest_pose.world_from_mesh(mesh);
    let axes = [world_from_mesh.x_axis, world_from_mesh.y_axis, world_from_mesh.z_axis];
    axes.iter().map(|axis| axis.truncate().length()).fold(0.0, f32::max)
}

/// Whether nothing but its vertices has lengths in mesh space: neither hair nor the thickness of a volume.
fn may_be_scaled(head: &Head, mesh: &Mesh) -> bool {
    let mut extensions = mesh.parts.iter().filter_map(|part| head.carried.materials.get(&part.material));
    mesh.strands.is_empty() && !extensions.any(|extensions| extensions.contains_key("KHR_materials_volume"))
}
