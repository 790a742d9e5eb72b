//! How much of a picture an adapter can afford, where the processor may be the adapter: triangles, samples, textures
//! and strands. What else differs there is the window's own: what is painted again (`egui_window/painter.rs`), how
//! frames are presented, and when pictures of poses are drawn. Batches of draws (`batch`) and modules without dead
//! branches (`shaders::template`) serve every slow adapter, and the governor of the window chooses how finely it draws
//! what changes.

use super::target::MSAA_COUNTS;
use smirk_face::head::GrownStrands;
use smirk_graphics::gpu::Gpu;

/// What an adapter can afford in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Effort {
    /// Samples per pixel of the first picture that a window shows, with which its governor begins.
    pub first_msaa: u32,
    /// Whether previews are drawn with fewer triangles, where those are not seen
    /// ([`SimplifiedHead`](super::geometry::SimplifiedHead)).
    pub simplifies_preview: bool,
    /// Whether pores are drawn in a preview too. Where they are not, light that varies slowly is computed for vertices
    /// (`surface/by_vertex.wgsl`).
    pub pores_in_preview: bool,
    /// Directions of the studio's light in each sample of an accumulated picture.
    pub domes_per_sample: u32,
    /// Texels along each side of the depth map of the key light in such a sample.
    pub key_map_size: u32,
    /// The same for the studio's light.
    pub dome_map_size: u32,
    /// The most samples along the longer axis of a texture that is seen at an angle.
    pub anisotropy: u16,
    /// Strands of hair in a preview.
    pub strands_of_preview: StrandEffort,
    /// Strands of hair in an accumulated picture.
    pub strands_of_accumulated: StrandEffort,
    /// Strands of hair in shadow maps.
    pub strands_of_shadow: StrandEffort,
}

/// How exactly strands are drawn for a purpose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StrandEffort {
    /// The number of points of each strand that are drawn, between root and tip; at most [`GrownStrands::POINTS`].
    pub points: u32,
    /// The largest part of the strands that is drawn; for shadows, of those of the picture.
    pub part: f32,
}

impl Effort {
    const ALL_POINTS: u32 = GrownStrands::POINTS as u32;

    /// That of a graphics card.
    const HARDWARE: Self = Self {
        first_msaa: MSAA_COUNTS[1],
        simplifies_preview: false,
        pores_in_preview: true,
        domes_per_sample: 2,
        key_map_size: 1024,
        dome_map_size: 768,
        anisotropy: 8,
        strands_of_preview: StrandEffort { points: Self::ALL_POINTS, part: 1.0 },
        strands_of_accumulated: StrandEffort { points: Self::ALL_POINTS, part: 1.0 },
        strands_of_shadow: StrandEffort { points: Self::ALL_POINTS, part: 1.0 / 4.0 },
    };

    /// That of a software adapter. It transforms vertices on one core, draws a map in the time of a picture, and takes
    /// time for each sample of a texture.
    const SOFTWARE: Self = Self {
        first_msaa: MSAA_COUNTS[0],
        simplifies_preview: true,
        pores_in_preview: false,
        domes_per_sample: 1,
        key_map_size: 640,
        dome_map_size: 448,
        anisotropy: 1,
        strands_of_preview: StrandEffort { points: 6, part: 1.0 / 8.0 },
        strands_of_accumulated: StrandEffort { points: Self::ALL_POINTS, part: 0.45 },
        strands_of_shadow: StrandEffort { points: 8, part: 1.0 / 12.0 },
    };

    pub(super) fn for_adapter(gpu: &Gpu) -> Self {
        if gpu.is_software() { Self::SOFTWARE } else { Self::HARDWARE }
    }
}
