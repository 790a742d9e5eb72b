//! Builds the pipelines of one head.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::openness::VertexOpenness;
use crate::render::geometry::{StaticVertex, VertexSource, mesh_bind_group_layout};
use crate::render::shaders::{self, PipelineModule, Template};
use crate::render::{frame_uniforms, light, target};
use smirk_face::head::Head;
use smirk_graphics::blend::LateBlender;
use smirk_graphics::gpu::Gpu;

use super::kind::{Finish, SurfaceKind};
use super::materials;
use super::tier::Tier;
use super::transparency::{Alpha, AlphaPass};

/// The shaders and the layout for vertices with or without a skin.
#[derive(Debug)]
struct VertexStage {
    from_buffer: Template,
    /// `None` if vertex mode is unavailable.
    from_morph: Option<Template>,
    mesh: wgpu::BindGroupLayout,
}

impl VertexStage {
    fn new(device: &wgpu::Device, blender: Option<&LateBlender>, is_skinned: bool) -> Self {
        let morph = blender.and_then(LateBlender::vertex_shader_source);
        Self {
            from_buffer: Template::new("surface from buffer", shaders::surface_from_buffer(is_skinned)),
            from_morph: morph
                .map(|morph| Template::new("surface from morph", shaders::surface_from_morph(&morph, is_skinned))),
            mesh: mesh_bind_group_layout(device, is_skinned),
        }
    }
}

/// The optional shader features that a head needs.
#[derive(Debug)]
pub(super) struct Needs {
    skins: bool,
    file_lights: bool,
    /// Pores are drawn while the head moves as well; a software adapter has no time for it.
    pores_in_motion: bool,
}

/// The state that is shared while the pipelines of a head are built.
#[derive(Debug)]
pub(super) struct Builder {
    device: wgpu::Device,
    on_nodes: VertexStage,
    /// The vertex stage for skinned meshes, if the head has any.
    on_skins: Option<VertexStage>,
    constants: Vec<(&'static str, f64)>,
    has_file_lights: bool,
    pores_in_motion: bool,
    frame: wgpu::BindGroupLayout,
    shadow: wgpu::BindGroupLayout,
    morph: Option<wgpu::BindGroupLayout>,
    material: wgpu::BindGroupLayout,
}

impl Needs {
    /// Those of a head.
    pub(super) fn of(gpu: &Gpu, head: &Head) -> Self {
        Self {
            skins: head.meshes.iter().any(|mesh| mesh.skin.is_some()),
            file_lights: !head.lights.is_empty(),
            pores_in_motion: !gpu.is_software(),
        }
    }
}

impl Builder {
    /// Without a blender, it builds pipelines whose vertices are in a buffer.
    pub(super) fn new(device: &wgpu::Device, blender: Option<&LateBlender>, needs: Needs) -> Self {
        Self {
            device: device.clone(),
            on_nodes: VertexStage::new(device, blender, false),
            on_skins: needs.skins.then(|| VertexStage::new(device, blender, true)),
            constants: blender.map(LateBlender::constants).unwrap_or_default(),
            has_file_lights: needs.file_lights,
            pores_in_motion: needs.pores_in_motion,
            frame: frame_uniforms::frame_bind_group_layout(device),
            shadow: frame_uniforms::shadow_bind_group_layout(device),
            morph: blender.and_then(LateBlender::vertex_bind_group_layout).cloned(),
            material: materials::bind_group_layout(device),
        }
    }

    fn vertex_stage(&self, is_skinned: bool) -> &VertexStage {
        self.on_skins.as_ref().filter(|_| is_skinned).unwrap_or(&self.on_nodes)
    }

    /// All that a pipeline depends on besides its kind.
    pub(super) fn description(&self, source: VertexSource, is_skinned: bool) -> String {
        let (template, _, constants) = self.template(self.vertex_stage(is_skinned), source);
        let mut text = DefaultHasher::new();
        template.text().hash(&mut text);
        format!("{:x} {constants:?} {} {}", text.finish(), self.has_file_lights, self.pores_in_motion)
    }

    fn template<'p>(
        &'p self,
        stage: &'p VertexStage,
        source: VertexSource,
    ) -> (&'p Template, Option<&'p wgpu::BindGroupLayout>, Vec<(&'static str, f64)>) {
        match (source, &stage.from_morph) {
            (VertexSource::MorphShader, Some(template)) => (template, self.morph.as_ref(), self.constants.clone()),
            (VertexSource::MorphShader, None) | (VertexSource::Buffer, _) => (&stage.from_buffer, None, Vec::new()),
        }
    }

    pub(super) fn surface(
        &self,
        surface: SurfaceKind,
        pass: AlphaPass,
        source: VertexSource,
        tier: Tier,
    ) -> wgpu::RenderPipeline {
        let samples = tier.samples();
        let stage = self.vertex_stage(surface.skinned);
        let (template, morph, mut constants) = self.template(stage, source);
        let flag = f64::from;
        let role = f64::from(surface.role as u32);
        let uses_alpha_to_coverage = surface.alpha == Alpha::Masked && samples > 1;
        let [least_alpha, alpha_limit] = pass.alphas(surface.transmissive).map(f64::from);
        constants.extend([
            ("ROLE", role),
            ("PLAIN", flag(surface.plain)),
            ("STRANDS_IN_TEXTURE", flag(surface.strands_in_texture)),
            ("LASH_CARD", flag(surface.lash_card)),
            ("PORES", flag(tier == Tier::Resting || self.pores_in_motion)),
            ("TEXTURED", flag(surface.textured)),
            ("ALPHA_TESTED", flag(surface.alpha_tested)),
            ("ALPHA_TO_COVERAGE", flag(uses_alpha_to_coverage)),
            ("BLENDED", flag(surface.alpha == Alpha::Blended)),
            ("BLENDED_BY_ALPHA", flag(surface.blended_by_alpha)),
            ("LEAST_ALPHA", least_alpha),
            ("ALPHA_LIMIT", alpha_limit),
            ("DOUBLE_SIDED", flag(surface.double_sided)),
            ("FLAT", flag(surface.flat)),
            ("UNLIT", flag(surface.unlit)),
            ("WET", flag(surface.finish == Finish::Wet)),
            ("MATTE", flag(surface.finish == Finish::Matte)),
            ("ROUGHNESS_MAPPED", flag(surface.roughness_mapped)),
            ("OCCLUSION_MAPPED", flag(surface.occlusion_mapped)),
            ("HAS_FILE_LIGHTS", flag(self.has_file_lights)),
            ("EMISSIVE", flag(surface.emissive)),
            ("EMISSIVE_MAPPED", flag(surface.emissive_mapped)),
            ("SPECULAR", flag(surface.specular)),
            ("SPECULAR_MAPPED", flag(surface.specular_mapped)),
            ("CLEARCOAT", flag(surface.clearcoat)),
            ("SHEEN", flag(surface.sheen)),
            ("TRANSMISSIVE", flag(surface.transmissive)),
            ("UV_TRANSFORMED", flag(surface.uv_transformed)),
            ("CLAY", flag(surface.clay)),
            ("REFINED", flag(tier == Tier::Resting)),
        ]);
        let (vertex_entry, fragment_entry) = match (surface.normal_mapped, tier) {
            (true, Tier::Moving { .. }) => ("vertex_normal_mapped", "fragment_normal_mapped"),
            (true, Tier::Resting) => ("vertex_normal_mapped", "sample_fragment_normal_mapped"),
            (false, Tier::Moving { .. }) => ("vertex", "fragment"),
            (false, Tier::Resting) => ("vertex", "sample_fragment"),
        };
        let mut slots = vec![
            Some(slot(size_of::<[f32; 3]>(), &POSITION)),
            Some(slot(size_of::<[f32; 3]>(), &NORMAL)),
            Some(slot(size_of::<StaticVertex>(), &STATIC)),
            Some(slot(size_of::<VertexOpenness>(), &OPENNESS)),
        ];
        if surface.normal_mapped {
            slots.push(Some(slot(size_of::<[f32; 4]>(), &TANGENT)));
        }
        let PipelineModule { module, constants } =
            template.module(&self.device, &[vertex_entry, fragment_entry], &constants);
        let compilation_options =
            wgpu::PipelineCompilationOptions { constants, zero_initialize_workgroup_memory: false };
        let is_blended = surface.alpha == Alpha::Blended;
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("surface"),
            bind_group_layouts: &[Some(&self.frame), morph, Some(&stage.mesh), Some(&self.material)],
            immediate_size: 0,
        });
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(&format!("{surface:?}, {pass:?}, from {source:?}, {tier:?}")),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(vertex_entry),
                compilation_options: compilation_options.clone(),
                buffers: &slots,
            },
            primitive: wgpu::PrimitiveState {
                cull_mode: match pass {
                    AlphaPass::ThinBack => Some(wgpu::Face::Front),
                    AlphaPass::ThinFront => Some(wgpu::Face::Back),
                    AlphaPass::Opaque | AlphaPass::NearlyOpaque => (!surface.double_sided).then_some(wgpu::Face::Back),
                },
                ..Default::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: target::DEPTH_FORMAT,
                depth_write_enabled: Some(matches!(pass, AlphaPass::Opaque | AlphaPass::NearlyOpaque)),
                depth_compare: Some(wgpu::CompareFunction::LessEqual),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: samples,
                alpha_to_coverage_enabled: uses_alpha_to_coverage,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(fragment_entry),
                compilation_options,
                targets: &match tier {
                    Tier::Moving { .. } => vec![Some(wgpu::ColorTargetState {
                        format: target::COLOR_FORMAT,
                        blend: is_blended.then_some(wgpu::BlendState::ALPHA_BLENDING),
                        // With alpha to coverage, alpha selects samples and is not written, so that the picture stays opaque.
                        write_mask: if uses_alpha_to_coverage {
                            wgpu::ColorWrites::COLOR
                        } else {
                            wgpu::ColorWrites::ALL
                        },
                    })],
                    Tier::Resting => sample_targets(is_blended, surface.unlit).map(Some).to_vec(),
                },
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    pub(super) fn shadow(&self, source: VertexSource, is_skinned: bool) -> wgpu::RenderPipeline {
        let stage = self.vertex_stage(is_skinned);
        let (template, morph, constants) = self.template(stage, source);
        let entry = "shadow_vertex";
        let PipelineModule { module, constants } = template.module(&self.device, &[entry], &constants);
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("shadow"),
            bind_group_layouts: &[Some(&self.shadow), morph, Some(&stage.mesh)],
            immediate_size: 0,
        });
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(&format!("shadow from {source:?}")),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants,
                    zero_initialize_workgroup_memory: false,
                },
                buffers: &[Some(slot(size_of::<[f32; 3]>(), &POSITION))],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(light::depth_state()),
            multisample: wgpu::MultisampleState::default(),
            fragment: None,
            multiview_mask: None,
            cache: None,
        })
    }
}

/// The targets of one sample in the resting tier: `Sample` in `tiers.wgsl`. Its colours are multiplied with their coverage.
pub(crate) fn sample_targets(is_blended: bool, is_unlit: bool) -> [wgpu::ColorTargetState; 4] {
    let part = |src_factor| wgpu::BlendComponent {
        src_factor,
        dst_factor: wgpu::BlendFactor::OneMinusSrcAlpha,
        operation: wgpu::BlendOperation::Add,
    };
    let (adds, hides) = (part(wgpu::BlendFactor::One), part(wgpu::BlendFactor::Zero));
    // A blended surface hides a part of the skin behind it, and is none itself. The coverage by lit and by unlit
    // surfaces is in the last two.
    let [of_lit, of_unlit] = if is_unlit { [hides, adds] } else { [adds, hides] };
    let alphas = [hides, hides, of_lit, of_unlit];
    std::array::from_fn(|index| wgpu::ColorTargetState {
        format: target::SAMPLE_FORMATS[index],
        blend: is_blended.then_some(wgpu::BlendState { color: adds, alpha: alphas[index] }),
        write_mask: wgpu::ColorWrites::ALL,
    })
}

/// The contents of vertex buffers 0 to 4. Buffer 4 exists for heads that have tangents.
const POSITION: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];
const NORMAL: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![1 => Float32x3];
const STATIC: [wgpu::VertexAttribute; 3] = wgpu::vertex_attr_array![2 => Float32x4, 3 => Unorm16x4, 5 => Float32x3];
const OPENNESS: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![6 => Unorm16x2];
const TANGENT: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![4 => Float32x4];

fn slot(stride: usize, attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride: stride as u64, step_mode: wgpu::VertexStepMode::Vertex, attributes }
}
