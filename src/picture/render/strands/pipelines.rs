//! The pipelines that draw strands: in the moving tier with one or several samples, in the resting tier, and into shadow maps. Each is
//! built before the first picture that needs it.

use std::sync::{Arc, OnceLock};

use crate::render::geometry::mesh_bind_group_layout;
use crate::render::shaders::{self, PipelineModule, Template};
use crate::render::surface::{Tier, sample_targets};
use crate::render::{frame_uniforms, light, target};
use smirk_graphics::gpu::Gpu;

use super::detail::{Detail, Purpose};

type Pipeline = OnceLock<Arc<wgpu::RenderPipeline>>;

/// The pipelines of strands.
#[derive(Debug)]
pub(super) struct StrandPipelines {
    gpu: Gpu,
    /// The layout of bind group 1.
    strands: wgpu::BindGroupLayout,
    has_file_lights: bool,
    shader: OnceLock<Template>,
    /// In the order of [`target::SAMPLE_COUNTS`].
    moving: [Pipeline; 2],
    resting: Pipeline,
    shadow: Pipeline,
}

impl StrandPipelines {
    /// No pipelines yet. `strands` is the layout of bind group 1.
    pub(super) fn new(gpu: &Gpu, strands: wgpu::BindGroupLayout, has_file_lights: bool) -> Self {
        Self {
            gpu: gpu.clone(),
            strands,
            has_file_lights,
            shader: OnceLock::new(),
            moving: Default::default(),
            resting: Pipeline::new(),
            shadow: Pipeline::new(),
        }
    }

    /// Builds what pictures of a tier need, and is missing.
    pub(super) fn build(&self, tier: Tier) {
        self.of(tier);
        self.shadow();
    }

    /// The pipeline that draws strands in a tier.
    pub(super) fn of(&self, tier: Tier) -> &wgpu::RenderPipeline {
        let pipeline = match tier {
            Tier::Moving { samples } => &self.moving[usize::from(samples > 1)],
            Tier::Resting => &self.resting,
        };
        pipeline.get_or_init(|| {
            let description = format!("strands {tier:?} {}", self.has_file_lights);
            self.gpu.shared_pipeline(description, || self.picture_pipeline(tier))
        })
    }

    /// The pipeline that draws strands into a shadow map.
    pub(super) fn shadow(&self) -> &wgpu::RenderPipeline {
        let make = || self.shadow_pipeline();
        self.shadow.get_or_init(|| self.gpu.shared_pipeline("shadow of strands".into(), make))
    }

    fn picture_pipeline(&self, tier: Tier) -> wgpu::RenderPipeline {
        let device = &self.gpu.device;
        let constants = [
            ("REFINED", f64::from(tier == Tier::Resting)),
            ("HAS_FILE_LIGHTS", f64::from(self.has_file_lights)),
            self.points(Purpose::Picture(tier)),
        ];
        let (entry, targets) = match tier {
            Tier::Moving { .. } => ("strand_fragment", vec![Some(target::COLOR_FORMAT.into())]),
            Tier::Resting => ("sample_strand_fragment", sample_targets(false, false).map(Some).to_vec()),
        };
        let PipelineModule { module, constants } = self.shader().module(device, &["strand_vertex", entry], &constants);
        let options = wgpu::PipelineCompilationOptions { constants, ..Default::default() };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(&format!("strands, {tier:?}")),
            layout: Some(&self.layout(&frame_uniforms::frame_bind_group_layout(device))),
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
    }

    fn shadow_pipeline(&self) -> wgpu::RenderPipeline {
        let device = &self.gpu.device;
        let (entry, constants) = ("strand_shadow_vertex", [self.points(Purpose::Shadow)]);
        let PipelineModule { module, constants } = self.shader().module(device, &[entry], &constants);
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("shadow of strands"),
            layout: Some(&self.layout(&frame_uniforms::shadow_bind_group_layout(device))),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
                buffers: &[],
            },
            primitive: strip(),
            depth_stencil: Some(light::depth_state()),
            multisample: wgpu::MultisampleState::default(),
            fragment: None,
            multiview_mask: None,
            cache: None,
        })
    }

    fn shader(&self) -> &Template {
        self.shader.get_or_init(|| Template::new("strands", shaders::strands()))
    }

    fn layout(&self, frame: &wgpu::BindGroupLayout) -> wgpu::PipelineLayout {
        let mesh = mesh_bind_group_layout(&self.gpu.device, false);
        self.gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("strands"),
            bind_group_layouts: &[Some(frame), Some(&self.strands), Some(&mesh)],
            immediate_size: 0,
        })
    }

    fn points(&self, purpose: Purpose) -> (&'static str, f64) {
        ("DRAWN_POINTS", f64::from(Detail::of(purpose, self.gpu.is_software()).points))
    }
}

/// Ribbons are seen from both sides.
fn strip() -> wgpu::PrimitiveState {
    wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::TriangleStrip, ..Default::default() }
}
