//! The offscreen pictures: colour, depth, and the samples they are resolved from.

/// What is drawn to. Encodes linear light as it writes.
pub const COLOR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// The same bytes read without decoding: egui mixes in gamma space and wants them as they are.
const SHOWN_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Depth, 0 near … 1 far.
pub const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Samples per pixel a picture can be drawn with.
pub const SAMPLE_COUNTS: [u32; 2] = [1, 4];

/// One image to draw into.
#[derive(Debug)]
pub struct RenderTarget {
    size: [u32; 2],
    /// Samples per pixel, one of [`SAMPLE_COUNTS`].
    pub samples: u32,
    /// The finished picture.
    pub texture: wgpu::Texture,
    /// The finished picture as egui reads it.
    pub shown: wgpu::TextureView,
    /// The finished picture as it is drawn to.
    pub resolved: wgpu::TextureView,
    /// Several samples per pixel, where there are.
    pub multisampled: Option<wgpu::TextureView>,
    /// Depth.
    pub depth: wgpu::TextureView,
}

impl RenderTarget {
    fn new(device: &wgpu::Device, size: [u32; 2], samples: u32) -> Self {
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
        let view = |label, texture: &wgpu::Texture| {
            texture.create_view(&wgpu::TextureViewDescriptor { label: Some(label), ..Default::default() })
        };
        let readable = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
        let picture = texture("picture", SHOWN_FORMAT, 1, readable, &[COLOR_FORMAT]);
        Self {
            size,
            samples,
            shown: view("picture, as shown", &picture),
            resolved: picture.create_view(&wgpu::TextureViewDescriptor {
                label: Some("picture, drawn into"),
                format: Some(COLOR_FORMAT),
                // The sRGB view is only drawn to: what else the texture may be used for is left to the other one.
                usage: Some(wgpu::TextureUsages::RENDER_ATTACHMENT),
                ..Default::default()
            }),
            multisampled: (samples > 1)
                .then(|| view("picture, samples", &texture("picture, samples", COLOR_FORMAT, samples, none, &[]))),
            depth: view("depth", &texture("depth", DEPTH_FORMAT, samples, none, &[])),
            texture: picture,
        }
    }
}

/// The pictures of the sizes drawn lately, so that stepping the quality down and up again makes none anew.
#[derive(Debug, Default)]
pub struct RenderTargets {
    /// The newest first.
    kept: Vec<RenderTarget>,
}

impl RenderTargets {
    /// Sharp and coarse, and a step between.
    const KEPT: usize = 3;

    /// The picture of that size, made where there is none; [`Self::newest`] from then on.
    pub fn select(&mut self, device: &wgpu::Device, size: [u32; 2], samples: u32) {
        match self.kept.iter().position(|target| target.size == size && target.samples == samples) {
            Some(index) => self.kept[..=index].rotate_right(1),
            None => {
                self.kept.truncate(Self::KEPT - 1);
                self.kept.insert(0, RenderTarget::new(device, size, samples));
            }
        }
    }

    /// The picture drawn last.
    pub fn newest(&self) -> Option<&RenderTarget> {
        self.kept.first()
    }
}

/// A depth attachment that is cleared to the far plane.
pub fn depth_attachment(view: &wgpu::TextureView, store: wgpu::StoreOp) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store }),
        stencil_ops: None,
    }
}
