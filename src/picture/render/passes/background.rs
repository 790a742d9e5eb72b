//! The background: a soft gradient, which is drawn only where no part of the head covers it.

use crate::render::{shaders, target};

/// The pipelines that draw the background.
#[derive(Debug)]
pub(crate) struct Background {
    /// One pipeline per number of samples, in the order of [`target::SAMPLE_COUNTS`].
    pipelines: [wgpu::RenderPipeline; 2],
}

impl Background {
    /// Creates the pipelines. `frame` is the layout of bind group 0.
    pub(crate) fn new(device: &wgpu::Device, frame: &wgpu::BindGroupLayout) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("background"),
            source: wgpu::ShaderSource::Wgsl(shaders::background().into()),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("background"),
            bind_group_layouts: &[Some(frame)],
            immediate_size: 0,
        });
        let pipelines = target::SAMPLE_COUNTS.map(|samples| {
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("background"),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vertex"),
                    compilation_options: Default::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState::default(),
                // Drawn after the head, at the far plane: only pixels without a head are shaded.
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: target::DEPTH_FORMAT,
                    depth_write_enabled: Some(false),
                    depth_compare: Some(wgpu::CompareFunction::LessEqual),
                    stencil: Default::default(),
                    bias: Default::default(),
                }),
                multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some("fragment"),
                    compilation_options: Default::default(),
                    targets: &[Some(target::COLOR_FORMAT.into())],
                }),
                multiview_mask: None,
                cache: None,
            })
        });
        Self { pipelines }
    }

    /// Draws the background in a pass in which bind group 0 is set and the opaque surfaces have been drawn.
    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, samples: u32) {
        pass.set_pipeline(&self.pipelines[usize::from(samples > 1)]);
        pass.draw(0..3, 0..1);
    }
}
