//! The offscreen images: colour, depth, and the multisampled image that the colour is resolved from.

use smirk_graphics::gpu::{Gpu, view};

/// The format in which the image is drawn. It encodes linear light as sRGB.
pub(super) const COLOR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// The format in which the image is read. It returns the same bytes without decoding, because egui blends encoded
/// colours.
const SHOWN_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// The format of depth, which is 0 at the near plane and 1 at the far plane.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The formats of `Sample` in `sample.wgsl`: scattered light and other light, skin colour, and colours that are not
/// tone mapped.
pub(super) const SAMPLE_FORMATS: [wgpu::TextureFormat; 4] = [
    wgpu::TextureFormat::Rgba16Float,
    wgpu::TextureFormat::Rgba16Float,
    wgpu::TextureFormat::Rgba8UnormSrgb,
    wgpu::TextureFormat::Rgba8UnormSrgb,
];

/// The numbers of samples per pixel that multisampling can have; with 1 there is none.
pub(super) const MSAA_COUNTS: [u32; 2] = [1, 4];

/// The depth test of what is drawn, which `writes` its own depth or not.
pub(super) fn depth_state(writes: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(writes),
        depth_compare: Some(wgpu::CompareFunction::LessEqual),
        stencil: Default::default(),
        bias: Default::default(),
    }
}

pub(super) struct PipelineParts<'a> {
    pub label: &'a str,
    pub groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    pub module: &'a wgpu::ShaderModule,
    /// Values of the overrides of the module.
    pub constants: &'a [(&'a str, f64)],
    pub vertex_entry: &'a str,
    pub buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub primitive: wgpu::PrimitiveState,
    pub depth: Option<wgpu::DepthStencilState>,
    pub multisample: wgpu::MultisampleState,
    /// The fragment entry and its targets; `None` if only depth is drawn.
    pub fragment: Option<(&'a str, &'a [Option<wgpu::ColorTargetState>])>,
}

impl PipelineParts<'_> {
    pub(super) fn pipeline(self, device: &wgpu::Device) -> wgpu::RenderPipeline {
        let Self { label, groups, module, constants, buffers, primitive, multisample, .. } = self;
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: groups,
            immediate_size: 0,
        });
        let compilation_options =
            wgpu::PipelineCompilationOptions { constants, zero_initialize_workgroup_memory: false };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(self.vertex_entry),
                compilation_options: compilation_options.clone(),
                buffers,
            },
            primitive,
            depth_stencil: self.depth,
            multisample,
            fragment: self.fragment.map(|(entry, targets)| wgpu::FragmentState {
                module,
                entry_point: Some(entry),
                compilation_options,
                targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// One image to draw into.
#[derive(Debug)]
pub(super) struct RenderTarget {
    pub size: [u32; 2],
    /// Samples per pixel, one of [`MSAA_COUNTS`].
    pub msaa: u32,
    /// The finished picture.
    pub texture: wgpu::Texture,
    /// The view of the finished picture that egui reads.
    pub shown: wgpu::TextureView,
    /// The view of the finished picture that is drawn into.
    pub resolved: wgpu::TextureView,
    /// The multisampled image, if there are several samples per pixel.
    pub multisampled: Option<wgpu::TextureView>,
    pub depth: wgpu::TextureView,
}

impl RenderTarget {
    fn new(device: &wgpu::Device, size: [u32; 2], msaa: u32) -> Self {
        let texture = |label, format, sample_count, usage, view_formats| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats,
            })
        };
        let none = wgpu::TextureUsages::empty();
        let readable = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
        let picture = texture("picture", SHOWN_FORMAT, 1, readable, &[COLOR_FORMAT]);
        Self {
            size,
            msaa,
            shown: view(&picture, "picture, as shown"),
            resolved: picture.create_view(&wgpu::TextureViewDescriptor {
                label: Some("picture, drawn into"),
                format: Some(COLOR_FORMAT),
                // The sRGB view is only drawn into; the other usages belong to the other view.
                usage: Some(wgpu::TextureUsages::RENDER_ATTACHMENT),
                ..Default::default()
            }),
            multisampled: (msaa > 1)
                .then(|| view(&texture("picture, samples", COLOR_FORMAT, msaa, none, &[]), "picture, samples")),
            depth: view(&texture("depth", DEPTH_FORMAT, msaa, none, &[]), "depth"),
            texture: picture,
        }
    }
}

/// The images of the sizes drawn recently, so that lowering and raising the quality again creates none.
#[derive(Debug, Default)]
pub(super) struct RenderTargets {
    /// The most recently used first.
    images: Vec<RenderTarget>,
    /// The size of a picture at full quality. A larger image is of a window that was larger, and may take gigabytes.
    full_size: [u32; 2],
}

impl RenderTargets {
    /// The largest number of images: for full quality, low quality, and one step between them.
    const MOST: usize = 3;

    /// Takes out an image of that size and multisampling to draw into; a new one if there is none. If `keeps_newest`,
    /// the [newest](Self::newest) image is not taken, because it is shown until the other is finished. Images are kept
    /// that are no larger than `full_size`.
    pub(super) fn take(
        &mut self,
        device: &wgpu::Device,
        size: [u32; 2],
        msaa: u32,
        full_size: [u32; 2],
        keeps_newest: bool,
    ) -> RenderTarget {
        self.full_size = full_size;
        let first = usize::from(keeps_newest);
        match self.images.iter().skip(first).position(|target| target.size == size && target.msaa == msaa) {
            Some(index) => self.images.remove(first + index),
            None => {
                self.images.truncate(Self::MOST - 1);
                RenderTarget::new(device, size, msaa)
            }
        }
    }

    /// Puts a finished image back, as the newest one.
    pub(super) fn put(&mut self, target: RenderTarget) {
        let [width, height] = self.full_size;
        self.images.retain(|other| other.size[0] <= width && other.size[1] <= height);
        self.images.truncate(Self::MOST - 1);
        self.images.insert(0, target);
    }

    /// The image finished last.
    pub(super) fn newest(&self) -> Option<&RenderTarget> {
        self.images.first()
    }
}

/// The largest picture with the sides of `size` in the same proportion for which the adapter has memory now; `None` if
/// there is none. It is found by trying, since the system does not say how much memory is free.
pub fn largest_picture(gpu: &Gpu, size: [u32; 2]) -> Option<[u32; 2]> {
    /// Each try has three quarters of the pixels of the one before.
    const STEP: f64 = 0.75;
    let smaller = (1..).map(|tries| size.map(|side| (f64::from(side) * STEP.sqrt().powi(tries)) as u32));
    smaller.take_while(|size| size.iter().all(|&side| side >= 64)).find(|size| {
        let made = gpu.attempt(|| {
            let pixels = u64::from(size[0]) * u64::from(size[1]);
            let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
            let target = RenderTarget::new(&gpu.device, *size, MSAA_COUNTS[1]);
            (target, gpu.buffer("copy of the picture", pixels * 4, usage))
        });
        made.is_ok()
    })
}

/// A depth attachment that is cleared to the far plane, or continued.
pub(super) fn depth_attachment(
    view: &wgpu::TextureView,
    is_cleared: bool,
    store: wgpu::StoreOp,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations {
            load: if is_cleared { wgpu::LoadOp::Clear(1.0) } else { wgpu::LoadOp::Load },
            store,
        }),
        stencil_ops: None,
    }
}

/// What the pixels of a picture are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pixels {
    /// As a screen shows them: 8 bits a channel, sRGB, straight alpha.
    #[default]
    Screen,
    /// The light of the scene, before tone mapping: 16-bit floats, linear, with the primaries of sRGB, multiplied by
    /// alpha.
    Light,
}

impl Pixels {
    /// The format of the image that they are drawn into.
    pub(super) fn format(self) -> wgpu::TextureFormat {
        match self {
            Self::Screen => COLOR_FORMAT,
            Self::Light => wgpu::TextureFormat::Rgba16Float,
        }
    }

    /// Bytes of a pixel.
    pub fn bytes(self) -> usize {
        match self {
            Self::Screen => 4,
            Self::Light => 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_graphics::gpu::Prefer;

    #[test]
    fn images_of_a_window_that_was_larger_are_not_kept() {
        let gpu = Gpu::headless(Prefer::Software).unwrap();
        let mut targets = RenderTargets::default();
        let mut draw = |size: [u32; 2], full_size: [u32; 2]| {
            let target = targets.take(&gpu.device, size, 1, full_size, true);
            targets.put(target);
            targets.images.iter().map(|image| image.size).collect::<Vec<_>>()
        };
        assert_eq!(draw([800, 600], [800, 600]), [[800, 600]]);
        // A lower quality keeps the images of the higher one.
        assert_eq!(draw([400, 300], [800, 600]), [[400, 300], [800, 600]]);
        assert_eq!(draw([200, 150], [400, 300]), [[200, 150], [400, 300]]);
        assert_eq!(draw([100, 300], [100, 300]), [[100, 300]]);
    }
}
