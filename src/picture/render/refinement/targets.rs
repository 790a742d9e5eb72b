//! The images of a region that is refined: one sample, the mean of the samples, and the picture before.

use crate::render::region::Region;
use crate::render::target::{COLOR_FORMAT, DEPTH_FORMAT, SAMPLE_FORMATS};

/// The format of the means.
pub(super) const MEAN_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// The images of a region.
#[derive(Debug)]
pub(super) struct RefinementTargets {
    /// Width and height.
    pub size: [u32; 2],
    /// One sample: `Sample` in `tiers.wgsl`.
    pub sample: [wgpu::TextureView; 4],
    pub depth: wgpu::TextureView,
    /// The mean of the samples.
    pub means: [wgpu::TextureView; 4],
    /// The scattered light after it was spread across, and after it was spread down.
    pub spread: [wgpu::TextureView; 2],
    /// The picture of the moving tier, from which the refined one emerges.
    pub before: wgpu::Texture,
}

impl RefinementTargets {
    /// Sizes are multiples of this, so that the images of another view of the head often fit.
    const STEP: u32 = 64;

    /// Whether a region of this size fits, and does not waste most of the memory.
    pub(super) fn holds(&self, size: [u32; 2]) -> bool {
        let pixels = |[width, height]: [u32; 2]| u64::from(width) * u64::from(height);
        (0..2).all(|axis| self.size[axis] >= size[axis])
            && pixels(self.size) <= 2 * pixels(size) + u64::from(4 * Self::STEP * Self::STEP)
    }

    /// The images that a sample is drawn to, and its depth.
    pub(super) fn attachments(&self) -> (&[wgpu::TextureView; 4], &wgpu::TextureView) {
        (&self.sample, &self.depth)
    }

    /// Keeps the part of a picture that shows a region.
    pub(super) fn keep_before(&self, encoder: &mut wgpu::CommandEncoder, picture: &wgpu::Texture, region: Region) {
        let origin = wgpu::Origin3d { x: region.min[0], y: region.min[1], z: 0 };
        encoder.copy_texture_to_texture(
            wgpu::TexelCopyTextureInfo { origin, ..picture.as_image_copy() },
            self.before.as_image_copy(),
            wgpu::Extent3d { width: region.size[0], height: region.size[1], depth_or_array_layers: 1 },
        );
    }

    /// The images of a region of this size.
    pub(super) fn new(device: &wgpu::Device, size: [u32; 2]) -> Self {
        let size = size.map(|side| side.next_multiple_of(Self::STEP));
        let texture = |label, format, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let view = |label, format, usage| {
            let view = wgpu::TextureViewDescriptor { label: Some(label), ..Default::default() };
            texture(label, format, usage).create_view(&view)
        };
        Self {
            size,
            sample: SAMPLE_FORMATS.map(|format| view("sample", format, drawn)),
            depth: view("depth of a sample", DEPTH_FORMAT, wgpu::TextureUsages::RENDER_ATTACHMENT),
            means: std::array::from_fn(|_| view("mean of the samples", MEAN_FORMAT, drawn)),
            spread: std::array::from_fn(|_| view("spread light", MEAN_FORMAT, drawn)),
            before: texture(
                "picture before",
                COLOR_FORMAT,
                wgpu::TextureUsages::COPY_DST | wgpu::TextureUsages::TEXTURE_BINDING,
            ),
        }
    }
}
