//! Draws a finished picture onto a rectangle of the window.
//!
//! egui could show the picture as an image, but egui's shader does much more work per pixel; on a software adapter this one
//! takes a tenth of the time.

use crate::render::shaders;

/// A rectangle of the window, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PixelRect {
    /// The left edge and the top edge.
    pub min: [u32; 2],
    /// Width and height.
    pub size: [u32; 2],
}

/// The pipeline that draws a picture onto the window, and the picture that it draws.
#[derive(Debug)]
pub(crate) struct Blit {
    pipeline: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
    picture: Option<(wgpu::TextureView, wgpu::BindGroup)>,
}

impl Blit {
    /// Creates the pipeline for windows of a texture format.
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("blit"),
            source: wgpu::ShaderSource::Wgsl(shaders::BLIT.into()),
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("blit"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: None,
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: None,
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("blit"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        Self { pipeline, sampler, picture: None }
    }

    /// Sets the picture for the next draws. `picture` must be a view that does not decode sRGB.
    pub(crate) fn show(&mut self, device: &wgpu::Device, picture: &wgpu::TextureView) {
        if self.picture.as_ref().is_some_and(|(shown, _)| shown == picture) {
            return;
        }
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("blit"),
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(picture) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&self.sampler) },
            ],
        });
        self.picture = Some((picture.clone(), group));
    }

    /// Draws the picture into `rect`. Draws nothing if the window is smaller than `rect`, which happens for one frame while the
    /// window shrinks.
    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, rect: PixelRect, window_size: [u32; 2]) {
        let Some((_, group)) = &self.picture else { return };
        let fits = |axis: usize| rect.size[axis] > 0 && rect.min[axis] + rect.size[axis] <= window_size[axis];
        if !(fits(0) && fits(1)) {
            return;
        }
        let [x, y] = rect.min.map(|edge| edge as f32);
        let [width, height] = rect.size.map(|side| side as f32);
        pass.set_viewport(x, y, width, height, 0.0, 1.0);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.draw(0..3, 0..1);
    }
}
