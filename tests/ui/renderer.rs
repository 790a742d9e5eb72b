//! Draws the panels of a harness on the software adapter that all tests of this program share.

use std::sync::LazyLock;

use egui_kittest::TestRenderer;
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use image::RgbaImage;
use smirk_graphics::gpu::Gpu;

static GPU: LazyLock<Gpu> = LazyLock::new(smirk_support::software_gpu);
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

pub struct PanelRenderer(Renderer);

impl PanelRenderer {
    pub fn new() -> Self {
        Self(Renderer::new(&GPU.device, FORMAT, RendererOptions::PREDICTABLE))
    }
}

impl TestRenderer for PanelRenderer {
    fn handle_delta(&mut self, delta: &mut egui::TexturesDelta) {
        for (id, images) in delta.set.drain() {
            for image in images {
                self.0.update_texture(&GPU.device, &GPU.queue, id, &image);
            }
        }
        for id in delta.free.drain() {
            self.0.free_texture(&id);
        }
    }

    fn render(&mut self, context: &egui::Context, output: &egui::FullOutput) -> Result<RgbaImage, String> {
        let pixels_per_point = context.pixels_per_point();
        let [width, height] = (context.content_rect().size() * pixels_per_point).into();
        let (width, height) = (width.round() as u32, height.round() as u32);
        let screen = ScreenDescriptor { pixels_per_point, size_in_pixels: [width, height] };
        let primitives = context.tessellate(output.shapes.clone(), pixels_per_point);
        let mut encoder = GPU.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("panels") });
        let uploads = self.0.update_buffers(&GPU.device, &GPU.queue, &mut encoder, &primitives, &screen);
        let texture = GPU.texture(
            "panels",
            [width, height],
            FORMAT,
            wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        );
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let attachment = wgpu::RenderPassColorAttachment {
            view: &view,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store: wgpu::StoreOp::Store },
            depth_slice: None,
        };
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("panels"),
            color_attachments: &[Some(attachment)],
            ..Default::default()
        });
        self.0.render(&mut pass.forget_lifetime(), &primitives, &screen);
        GPU.queue.submit(uploads.into_iter().chain([encoder.finish()]));
        let pixels = GPU.read_texture(&texture).map_err(|error| error.to_string())?;
        RgbaImage::from_raw(width, height, pixels).ok_or_else(|| "four bytes per texel".to_owned())
    }
}
