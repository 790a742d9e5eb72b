//! Draws a finished picture onto a rectangle of the window.
//!
//! egui could show the picture as an image, but egui's shader does much more work per pixel; on a software adapter this one
//! takes a tenth of the time.

use crate::render::shaders;

/// A rectangle of the window, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PixelRect {
    /// The left edge and the top edge.
    pub min: [u32; 2],
    /// Width and height.
    pub size: [u32; 2],
}

/// The pipeline that draws a picture onto the window, and the picture that it draws.
#[derive(Debug)]
pub struct Blit {
    /// For a picture of the size of the rectangle, and for a smaller one; first opaque, then with an opacity.
    pipelines: [[wgpu::RenderPipeline; 2]; 2],
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    picture: Option<(wgpu::TextureView, wgpu::BindGroup)>,
}

impl Blit {
    /// Creates the pipeline for windows of a texture format.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("blit"),
            source: wgpu::ShaderSource::Wgsl(shaders::BLIT.into()),
        });
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("blit"),
            entries: &[
                wgpu::BindGroupLayoutEntry {
                    binding: 0,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: true },
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: false,
                    },
                    count: None,
                },
                wgpu::BindGroupLayoutEntry {
                    binding: 1,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                    count: None,
                },
            ],
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("blit"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        // The opacity is the constant of the pass.
        let by_opacity = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::Constant,
            dst_factor: wgpu::BlendFactor::OneMinusConstant,
            operation: wgpu::BlendOperation::Add,
        };
        let pipeline = |has_opacity: bool, is_enlarged: bool| {
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("blit"),
                layout: Some(&pipeline_layout),
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
                    compilation_options: wgpu::PipelineCompilationOptions {
                        constants: &[("ENLARGED", f64::from(is_enlarged))],
                        ..Default::default()
                    },
                    targets: &[Some(wgpu::ColorTargetState {
                        format,
                        blend: has_opacity.then_some(wgpu::BlendState { color: by_opacity, alpha: by_opacity }),
                        write_mask: wgpu::ColorWrites::ALL,
                    })],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("blit"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let pipelines =
            [false, true].map(|has_opacity| [false, true].map(|is_enlarged| pipeline(has_opacity, is_enlarged)));
        Self { pipelines, layout, sampler, picture: None }
    }

    /// Sets the picture for the next draws. `picture` must be a view that does not decode sRGB.
    pub fn show(&mut self, device: &wgpu::Device, picture: &wgpu::TextureView) {
        if self.picture.as_ref().is_some_and(|(shown, _)| shown == picture) {
            return;
        }
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("blit"),
            layout: &self.layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(picture) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&self.sampler) },
            ],
        });
        self.picture = Some((picture.clone(), group));
    }

    /// Draws the picture into `rect` with an opacity from 0 to 1, over what is there. Draws nothing if the window is smaller than `rect`, which happens for one frame while the
    /// window shrinks.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, rect: PixelRect, opacity: f32, window_size: [u32; 2]) {
        let Some((picture, group)) = &self.picture else { return };
        let fits = |axis: usize| rect.size[axis] > 0 && rect.min[axis] + rect.size[axis] <= window_size[axis];
        if !(fits(0) && fits(1)) {
            return;
        }
        let [x, y] = rect.min.map(|edge| edge as f32);
        let [width, height] = rect.size.map(|side| side as f32);
        pass.set_viewport(x, y, width, height, 0.0, 1.0);
        let is_enlarged = picture.texture().width() < rect.size[0] || picture.texture().height() < rect.size[1];
        pass.set_pipeline(&self.pipelines[usize::from(opacity < 1.0)][usize::from(is_enlarged)]);
        pass.set_bind_group(0, group, &[]);
        let opacity = f64::from(opacity);
        pass.set_blend_constant(wgpu::Color { r: opacity, g: opacity, b: opacity, a: opacity });
        pass.draw(0..3, 0..1);
    }
}
