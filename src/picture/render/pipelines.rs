//! The pipelines of one head. What a picture needs is built before it is drawn; the rest is built while nothing else is
//! drawn, so that switching the blend mode or the multisampling takes one frame.

mod toon;

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use super::effort::Effort;
use super::surface::{self, Alpha, AlphaPass, Finish, SurfaceKind};
use crate::ambient_occlusion::VertexOcclusion;
use crate::render::geometry::{StaticVertex, VertexSource, mesh_bind_group_layout};
use crate::render::shaders::{self, PipelineModule, Template};
use crate::render::target::{self, PipelineParts};
use crate::render::{frame_uniforms, light};
use smirk_face::head::Head;
use smirk_graphics::blend::Blender;
use smirk_graphics::gpu::{DeviceError, Gpu};

/// What a pipeline draws: a kind of surface in a pass, whose vertices have a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DrawnSurface {
    pub surface: SurfaceKind,
    pub pass: AlphaPass,
    pub source: VertexSource,
}

struct Made {
    surface: Arc<wgpu::RenderPipeline>,
    shadow: Arc<wgpu::RenderPipeline>,
}

impl Made {
    /// Builds those that nothing on the device has.
    fn new(gpu: &Gpu, builder: &Builder, drawn: DrawnSurface, tier: Tier) -> Self {
        let DrawnSurface { surface, pass, source } = drawn;
        let is_skinned = surface.skinned;
        let shared = |what: &dyn fmt::Debug, make: &dyn Fn() -> wgpu::RenderPipeline| {
            gpu.shared_pipeline(format!("{what:?} {}", builder.description(source, is_skinned)), make)
        };
        Self {
            surface: shared(&(drawn, tier), &|| builder.surface(surface, pass, source, tier)),
            shadow: shared(&("shadow", source, is_skinned), &|| builder.shadow(source, is_skinned)),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Pipelines {
    surfaces: HashMap<(DrawnSurface, Tier), Arc<wgpu::RenderPipeline>>,
    /// The pipelines of the shadow map, by the source of the shape and by whether the mesh has a skin.
    shadows: HashMap<(VertexSource, bool), Arc<wgpu::RenderPipeline>>,
    /// Builds the pipelines, while some are missing.
    builder: Option<Box<Builder>>,
    /// The pipelines of the head before, as long as some of this head are missing.
    of_head_before: Vec<Arc<wgpu::RenderPipeline>>,
}

impl Pipelines {
    /// Builds the pipelines of a tier that are missing for these draws: at least one, and more until some time. Returns
    /// whether all are there. Those that another head on the device has are shared: a software adapter takes a second
    /// to build the pipelines of a head, and a hundred megabytes to keep them.
    pub(crate) fn build(
        &mut self,
        gpu: &Gpu,
        blender: Option<&Blender>,
        head: &Head,
        draws: impl IntoIterator<Item = DrawnSurface>,
        tier: Tier,
        until: Option<Instant>,
    ) -> bool {
        for (index, drawn) in self.missing(draws, tier).into_iter().enumerate() {
            if index > 0 && until.is_some_and(|until| Instant::now() >= until) {
                return false;
            }
            let made = Made::new(gpu, self.builder(gpu, blender, head), drawn, tier);
            self.insert(made, drawn, tier);
        }
        true
    }

    /// The pipelines of a tier for these surfaces with vertices from a buffer, built on all cores, until
    /// `is_cancelled`.
    pub(crate) fn on_all_cores(
        gpu: &Gpu,
        head: &Head,
        surfaces: impl IntoIterator<Item = (SurfaceKind, AlphaPass)>,
        tier: Tier,
        is_cancelled: &AtomicBool,
    ) -> Result<Self, DeviceError> {
        let builder = Builder::new(&gpu.device, None, Needs::new(gpu, head));
        let surfaces: Vec<_> = surfaces.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        // One at a time, because some take three times as long as others.
        let made = surfaces.into_par_iter().with_max_len(1).map(|(surface, pass)| {
            let drawn = DrawnSurface { surface, pass, source: VertexSource::Buffer };
            // Errors of the device are found on the thread that caused them.
            let made = (!is_cancelled.load(Ordering::Relaxed))
                .then(|| gpu.attempt(|| (drawn, Made::new(gpu, &builder, drawn, tier))));
            made.transpose()
        });
        let made = made.collect::<Result<Vec<_>, _>>()?;
        let mut pipelines = Self::default();
        made.into_iter().flatten().for_each(|(drawn, made)| pipelines.insert(made, drawn, tier));
        Ok(pipelines)
    }

    fn missing(&self, draws: impl IntoIterator<Item = DrawnSurface>, tier: Tier) -> Vec<DrawnSurface> {
        let missing = draws.into_iter().filter(|&drawn| !self.surfaces.contains_key(&(drawn, tier)));
        missing.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn builder(&mut self, gpu: &Gpu, blender: Option<&Blender>, head: &Head) -> &Builder {
        self.builder.get_or_insert_with(|| Box::new(Builder::new(&gpu.device, blender, Needs::new(gpu, head))))
    }

    fn insert(&mut self, made: Made, drawn: DrawnSurface, tier: Tier) {
        self.surfaces.insert((drawn, tier), made.surface);
        self.shadows.insert((drawn.source, drawn.surface.skinned), made.shadow);
    }

    /// Forgets what pipelines are built from, which has changed.
    pub(crate) fn forget_builder(&mut self) {
        self.builder = None;
    }

    /// All pipelines of the head are there: what was kept to build them is dropped.
    pub(crate) fn complete(&mut self) {
        self.builder = None;
        self.of_head_before.clear();
    }

    /// Keeps the pipelines of the head before this one until those of this head are built, so that these can be shared:
    /// some drivers never give back all memory of a pipeline.
    pub(crate) fn follow(&mut self, before: Self) {
        self.of_head_before = before.surfaces.into_values().collect();
    }

    /// The pipeline that draws a surface of the head in a pass.
    pub(crate) fn surface(&self, drawn: DrawnSurface, tier: Tier) -> &wgpu::RenderPipeline {
        let Some(pipeline) = self.surfaces.get(&(drawn, tier)) else {
            unreachable!("pipelines are built before the pass that they draw: {drawn:?}, {tier:?}")
        };
        pipeline
    }

    /// The pipeline that draws the shadow map, if the head has such a surface.
    pub(crate) fn shadow(&self, source: VertexSource, is_skinned: bool) -> Option<&wgpu::RenderPipeline> {
        self.shadows.get(&(source, is_skinned)).map(AsRef::as_ref)
    }
}

/// The texts of a module by the source of its vertices.
#[derive(Debug)]
struct Templates {
    from_buffer: Template,
    /// `None` if vertex mode is unavailable.
    from_morph: Option<Template>,
}

/// The shaders and the layout for vertices with or without a skin.
#[derive(Debug)]
struct VertexStage {
    surface: Templates,
    /// Those of toon surfaces, if the head has any.
    toon: Option<Templates>,
    mesh: wgpu::BindGroupLayout,
}

impl VertexStage {
    fn new(device: &wgpu::Device, blender: Option<&Blender>, has_toon: bool, is_skinned: bool) -> Self {
        let morph = blender.and_then(Blender::vertex_shader_source);
        let from_morph = |name: &'static str, source: fn(&str, bool) -> String| {
            morph.as_ref().map(|morph| Template::new(name, source(morph, is_skinned)))
        };
        Self {
            surface: Templates {
                from_buffer: Template::new("surface from buffer", shaders::surface_from_buffer(is_skinned)),
                from_morph: from_morph("surface from morph", shaders::surface_from_morph),
            },
            toon: has_toon.then(|| Templates {
                from_buffer: Template::new("toon from buffer", shaders::toon_from_buffer(is_skinned)),
                from_morph: from_morph("toon from morph", shaders::toon_from_morph),
            }),
            mesh: mesh_bind_group_layout(device, is_skinned),
        }
    }
}

/// The optional shader features that a head needs.
#[derive(Debug)]
struct Needs {
    skins: bool,
    toon: bool,
    file_lights: bool,
    /// Pores are drawn while the head moves as well; a software adapter has no time for it.
    pores_in_preview: bool,
}

/// The state that is shared while the pipelines of a head are built.
#[derive(Debug)]
struct Builder {
    device: wgpu::Device,
    on_nodes: VertexStage,
    /// The vertex stage for skinned meshes, if the head has any.
    on_skins: Option<VertexStage>,
    constants: Vec<(&'static str, f64)>,
    has_file_lights: bool,
    pores_in_preview: bool,
    frame: wgpu::BindGroupLayout,
    shadow: wgpu::BindGroupLayout,
    morph: Option<wgpu::BindGroupLayout>,
    material: wgpu::BindGroupLayout,
}

impl Needs {
    pub(super) fn new(gpu: &Gpu, head: &Head) -> Self {
        Self {
            skins: head.meshes.iter().any(|mesh| mesh.skin.is_some()),
            toon: head.has_toon(),
            file_lights: !head.lights.is_empty(),
            pores_in_preview: Effort::for_adapter(gpu).pores_in_preview,
        }
    }
}

impl Builder {
    /// Without a blender, it builds pipelines whose vertices are in a buffer.
    pub(super) fn new(device: &wgpu::Device, blender: Option<&Blender>, needs: Needs) -> Self {
        Self {
            device: device.clone(),
            on_nodes: VertexStage::new(device, blender, needs.toon, false),
            on_skins: needs.skins.then(|| VertexStage::new(device, blender, needs.toon, true)),
            constants: blender.map(Blender::constants).unwrap_or_default(),
            has_file_lights: needs.file_lights,
            pores_in_preview: needs.pores_in_preview,
            frame: frame_uniforms::frame_bind_group_layout(device),
            shadow: frame_uniforms::shadow_bind_group_layout(device),
            morph: blender.and_then(Blender::vertex_bind_group_layout).cloned(),
            material: surface::material_bind_group_layout(device),
        }
    }

    fn vertex_stage(&self, is_skinned: bool) -> &VertexStage {
        self.on_skins.as_ref().filter(|_| is_skinned).unwrap_or(&self.on_nodes)
    }

    /// All that a pipeline depends on besides its kind.
    pub(super) fn description(&self, source: VertexSource, is_skinned: bool) -> String {
        let (template, _, constants) = self.template(&self.vertex_stage(is_skinned).surface, source);
        let mut text = DefaultHasher::new();
        template.text().hash(&mut text);
        format!("{:x} {constants:?} {} {}", text.finish(), self.has_file_lights, self.pores_in_preview)
    }

    fn template<'p>(
        &'p self,
        templates: &'p Templates,
        source: VertexSource,
    ) -> (&'p Template, Option<&'p wgpu::BindGroupLayout>, Vec<(&'static str, f64)>) {
        match (source, &templates.from_morph) {
            (VertexSource::MorphShader, Some(template)) => (template, self.morph.as_ref(), self.constants.clone()),
            (VertexSource::MorphShader, None) | (VertexSource::Buffer, _) => (&templates.from_buffer, None, Vec::new()),
        }
    }

    pub(super) fn surface(
        &self,
        surface: SurfaceKind,
        pass: AlphaPass,
        source: VertexSource,
        tier: Tier,
    ) -> wgpu::RenderPipeline {
        if let Some(kind) = surface.toon {
            return self.toon((surface, kind), pass, source, tier);
        }
        let msaa = tier.msaa();
        let stage = self.vertex_stage(surface.skinned);
        let (template, morph, mut constants) = self.template(&stage.surface, source);
        let flag = f64::from;
        let role = f64::from(surface.role as u32);
        let uses_alpha_to_coverage = surface.alpha == Alpha::Masked && msaa > 1;
        let [least_alpha, alpha_limit] = pass.alphas(surface.transmissive).map(f64::from);
        constants.extend([
            ("ROLE", role),
            ("PLAIN", flag(surface.plain)),
            ("STRANDS_IN_TEXTURE", flag(surface.strands_in_texture)),
            ("LASH_CARD", flag(surface.lash_card)),
            ("RELIEF", f64::from(surface.relief as u32)),
            ("PORES", flag(tier == Tier::Accumulated || self.pores_in_preview)),
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
            ("BESIDE_TOON", flag(surface.beside_toon)),
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
            ("REFINED", flag(tier == Tier::Accumulated)),
        ]);
        let (vertex_entry, fragment_entry) = match (surface.normal_mapped, tier) {
            (true, Tier::Preview { .. }) => ("vertex_normal_mapped", "fragment_normal_mapped"),
            (true, Tier::Accumulated) => ("vertex_normal_mapped", "sample_fragment_normal_mapped"),
            (false, Tier::Preview { .. }) => ("vertex", "fragment"),
            (false, Tier::Accumulated) => ("vertex", "sample_fragment"),
        };
        let mut slots = vec![
            Some(slot(size_of::<[f32; 3]>(), &POSITION)),
            Some(slot(size_of::<[f32; 3]>(), &NORMAL)),
            Some(slot(size_of::<StaticVertex>(), &STATIC)),
            Some(slot(size_of::<VertexOcclusion>(), &AMBIENT_OCCLUSION)),
        ];
        if surface.normal_mapped {
            slots.push(Some(slot(size_of::<[f32; 4]>(), &TANGENT)));
        }
        let PipelineModule { module, constants } =
            template.module(&self.device, &[vertex_entry, fragment_entry], &constants);
        let is_blended = surface.alpha == Alpha::Blended;
        let is_untoned = surface.unlit || surface.beside_toon;
        PipelineParts {
            label: &format!("{surface:?}, {pass:?}, from {source:?}, {tier:?}"),
            groups: &[Some(&self.frame), morph, Some(&stage.mesh), Some(&self.material)],
            module: &module,
            constants,
            vertex_entry,
            buffers: &slots,
            primitive: wgpu::PrimitiveState {
                cull_mode: match pass {
                    AlphaPass::ThinBack => Some(wgpu::Face::Front),
                    AlphaPass::ThinFront => Some(wgpu::Face::Back),
                    AlphaPass::Opaque | AlphaPass::NearlyOpaque | AlphaPass::Cards => {
                        (!surface.double_sided).then_some(wgpu::Face::Back)
                    }
                    AlphaPass::Toon | AlphaPass::Outline => unreachable!("drawn by pipelines of toon surfaces"),
                },
                ..Default::default()
            },
            depth: Some(target::depth_state(matches!(pass, AlphaPass::Opaque | AlphaPass::NearlyOpaque))),
            multisample: wgpu::MultisampleState {
                count: msaa,
                alpha_to_coverage_enabled: uses_alpha_to_coverage,
                ..Default::default()
            },
            fragment: Some((fragment_entry, &color_targets(tier, is_blended, is_untoned, uses_alpha_to_coverage))),
        }
        .pipeline(&self.device)
    }

    pub(super) fn shadow(&self, source: VertexSource, is_skinned: bool) -> wgpu::RenderPipeline {
        let stage = self.vertex_stage(is_skinned);
        let (template, morph, constants) = self.template(&stage.surface, source);
        let entry = "shadow_vertex";
        let PipelineModule { module, constants } = template.module(&self.device, &[entry], &constants);
        PipelineParts {
            label: &format!("shadow from {source:?}"),
            groups: &[Some(&self.shadow), morph, Some(&stage.mesh)],
            module: &module,
            constants,
            vertex_entry: entry,
            buffers: &[Some(slot(size_of::<[f32; 3]>(), &POSITION))],
            primitive: wgpu::PrimitiveState::default(),
            depth: Some(light::depth_state()),
            multisample: wgpu::MultisampleState::default(),
            fragment: None,
        }
        .pipeline(&self.device)
    }
}

/// The targets of a surface in a tier. With alpha to coverage, alpha selects samples and is not written, so that the
/// picture stays opaque.
fn color_targets(
    tier: Tier,
    is_blended: bool,
    is_untoned: bool,
    uses_alpha_to_coverage: bool,
) -> Vec<Option<wgpu::ColorTargetState>> {
    match tier {
        Tier::Preview { .. } => vec![Some(wgpu::ColorTargetState {
            format: target::COLOR_FORMAT,
            blend: is_blended.then_some(wgpu::BlendState::ALPHA_BLENDING),
            write_mask: if uses_alpha_to_coverage { wgpu::ColorWrites::COLOR } else { wgpu::ColorWrites::ALL },
        })],
        Tier::Accumulated => sample_targets(is_blended, is_untoned).map(Some).to_vec(),
    }
}

/// The targets of one sample in an accumulated picture: `Sample` in `sample.wgsl`. Its colours are multiplied with
/// their coverage.
pub(crate) fn sample_targets(is_blended: bool, is_untoned: bool) -> [wgpu::ColorTargetState; 4] {
    let [adds, hides] = [wgpu::BlendFactor::One, wgpu::BlendFactor::Zero].map(|src_factor| wgpu::BlendComponent {
        src_factor,
        dst_factor: wgpu::BlendFactor::OneMinusSrcAlpha,
        operation: wgpu::BlendOperation::Add,
    });
    // A blended surface hides a part of the skin behind it, and is none itself. The coverage by surfaces that are tone
    // mapped and by those that are shown as they are is in the last two.
    let [of_lit, of_untoned] = if is_untoned { [hides, adds] } else { [adds, hides] };
    let alphas = [hides, hides, of_lit, of_untoned];
    std::array::from_fn(|index| wgpu::ColorTargetState {
        format: target::SAMPLE_FORMATS[index],
        blend: is_blended.then_some(wgpu::BlendState { color: adds, alpha: alphas[index] }),
        write_mask: wgpu::ColorWrites::ALL,
    })
}

/// The contents of vertex buffers 0 to 4. Buffer 4 exists for heads that have tangents.
pub(crate) const POSITION: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];

pub(crate) const NORMAL: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![1 => Float32x3];

const STATIC: [wgpu::VertexAttribute; 3] = wgpu::vertex_attr_array![2 => Float32x4, 3 => Unorm16x4, 5 => Float32x3];

const AMBIENT_OCCLUSION: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![6 => Unorm16x2];

const TANGENT: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![4 => Float32x4];

/// A vertex buffer whose vertices are `stride` bytes apart.
pub(crate) fn slot(stride: usize, attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride: stride as u64, step_mode: wgpu::VertexStepMode::Vertex, attributes }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tier {
    /// The picture while the head moves, multisampled with one of [`MSAA_COUNTS`](crate::render::target::MSAA_COUNTS).
    Preview { msaa: u32 },
    /// One sample of the picture of a head that rests, which is the mean of many.
    Accumulated,
}

impl Tier {
    /// The number of samples per pixel that multisampling has.
    pub(crate) fn msaa(self) -> u32 {
        match self {
            Self::Preview { msaa } => msaa,
            Self::Accumulated => 1,
        }
    }
}
