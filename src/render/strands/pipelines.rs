//! The pipelines that draw strands: in the moving tier with one or several samples, in the resting tier, and into shadow maps.

use std::sync::Arc;

use crate::gpu::Gpu;
use crate::render::geometry::mesh_bind_group_layout;
use crate::render::surface::{Tier, sample_targets};
use crate::render::{frame_uniforms, light, shaders, target};

use super::detail::{Detail, Purpose};

/// The pipelines of strands.
#[derive(Debug)]
pub(super) struct StrandPipelines {
    /// In the order of [`target::SAMPLE_COUNTS`].
    moving: [Arc<wgpu::RenderPipeline>; 2],
    resting: Arc<wgpu::RenderPipeline>,
    shadow: Arc<wgpu::RenderPipeline>,
}

impl StrandPipelines {
    /// Builds the pipelines, or shares those of another head. `strands` is the layout of bind group 1.
    pub(super) fn new(gpu: &Gpu, strands: &wgpu::BindGroupLayout, has_file_lights: bool) -> Self {
        let device = &gpu.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("strands"),
            source: wgpu::ShaderSource::Wgsl(shaders::strands().into()),
        });
        let mesh = mesh_bind_group_layout(device, false);
        let layout = |frame: &wgpu::BindGroupLayout| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("strands"),
                bind_group_layouts: &[Some(frame), Some(strands), Some(&mesh)],
                immediate_size: 0,
            })
        };
        let points = |purpose| ("DRAWN_POINTS", f64::from(Detail::of(purpose, gpu.is_software()).points));
        let drawn = |tier: Tier| {
            gpu.shared_pipeline(format!("strands {tier:?} {has_file_lights}"), || {
                let constants = [
                    ("REFINED", f64::from(tier == Tier::Resting)),
                    ("HAS_FILE_LIGHTS", f64::from(has_file_lights)),
                    points(Purpose::Picture(tier)),
                ];
                let (entry, targets) = match tier {
                    Tier::Moving { .. } => ("strand_fragment", vec![Some(target::COLOR_FORMAT.into())]),
                    Tier::Resting => ("sample_strand_fragment", sample_targets(false, false).map(Some).to_vec()),
                };
                let options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
                device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                    label: Some(&format!("strands, {tier:?}")),
                    layout: Some(&layout(&frame_uniforms::frame_bind_group_layout(device))),
                    vertex: wgpu::VertexState {
                        module: &module,
                        entry_point: Some("strand_vertex"),
                        compilation_options: options.clone(),
                        buffers: &[],
                    },
                    primitive: strip(),
                    depth_stencil: Some(wgpu::DepthStencilState {
                        format: target::DEPTH_FORMAT,
                        depth_write_enabled: Some(true),
                        depth_compare: Some(wgpu::CompareFunction::LessEqual),
                        stencil: Default::default(),
                        bias: Default::default(),
                    }),
                    multisample: wgpu::MultisampleState { count: tier.samples(), ..Default::default() },
                    fragment: Some(wgpu::FragmentState {
                        module: &module,
                        entry_point: Some(entry),
                        compilation_options: options,
                        targets: &targets,
                    }),
                    multiview_mask: None,
                    cache: None,
                })
            })
        };
        let shadow = gpu.shared_pipeline("shadow of strands".into(), || {
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("shadow of strands"),
                layout: Some(&layout(&frame_uniforms::shadow_bind_group_layout(device))),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("strand_shadow_vertex"),
                    compilation_options: wgpu::PipelineCompilationOptions {
                        constants: &[points(Purpose::Shadow)],
                        ..Default::default()
                    },
                    buffers: &[],
                },
                primitive: strip(),
                depth_stencil: Some(light::depth_state()),
                multisample: wgpu::MultisampleState::default(),
                fragment: None,
                multiview_mask: None,
                cache: None,
            })
        });
        Self {
            moving: target::SAMPLE_COUNTS.map(|samples| drawn(Tier::Moving { samples })),
            resting: drawn(Tier::Resting),
            shadow,
        }
    }

    /// The pipeline that draws strands in a tier.
    pub(super) fn of(&self, tier: Tier) -> &wgpu::RenderPipeline {
        match tier {
            Tier::Moving { samples } => &self.moving[usize::from(samples > 1)],
            Tier::Resting => &self.resting,
        }
    }

    /// The pipeline that draws strands into a shadow map.
    pub(super) fn shadow(&self) -> &wgpu::RenderPipeline {
        &self.shadow
    }
}

/// Ribbons are seen from both sides.
fn strip() -> wgpu::PrimitiveState {
    wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::TriangleStrip, ..Default::default() }
}
