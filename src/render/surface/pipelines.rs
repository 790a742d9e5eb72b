//! Pipelines for one head: every kind of surface it has, ready before anyone asks, so that switching the blend mode
//! or the sampling takes one frame.

use std::collections::HashMap;

use crate::blend::Blender;
use crate::head::Head;

use super::draws::{self, Alpha, Finish, Surface};
use super::head_on_gpu::StaticVertex;
use super::transparency::{Layer, TextureAlphas};
use super::{materials, shaders, shadow, target, uniforms};

/// Who gives the vertex stage its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The vertex buffer.
    Buffer,
    /// The blender's own vertex shader, bind group 1.
    Morph,
}

/// All pipelines of one head.
#[derive(Debug)]
pub struct Pipelines {
    surfaces: HashMap<(Surface, Layer, Source, u32), wgpu::RenderPipeline>,
    /// By source, and whether vertices hang on joints.
    shadows: HashMap<(Source, bool), wgpu::RenderPipeline>,
}

impl Pipelines {
    /// Builds what draws of a head can ask for, whatever it wears.
    pub fn new(device: &wgpu::Device, blender: &Blender, head: &Head, alphas: &mut TextureAlphas) -> Self {
        let mut wanted = draws::surfaces(head, alphas);
        let builder = Builder::new(
            device,
            blender,
            Needs { skins: wanted.iter().any(|(surface, _, _)| surface.skinned), lamps: !head.lights.is_empty() },
        );
        wanted.extend(wanted.clone().into_iter().map(|(surface, layer, _)| (surface, layer, false)));
        // What the vertex stage has no room to sum is summed elsewhere: nothing asks for such a pipeline, and to build it
        // would be an error.
        wanted.retain(|&(_, _, morphs)| !morphs || builder.morph.is_some());
        let (mut surfaces, mut shadows) = (HashMap::new(), HashMap::new());
        for (surface, layer, morphs) in wanted {
            let source = if morphs { Source::Morph } else { Source::Buffer };
            let is_skinned = surface.skinned;
            shadows.entry((source, is_skinned)).or_insert_with(|| builder.shadow(source, is_skinned));
            for samples in target::SAMPLE_COUNTS {
                let pipeline = builder.surface(surface, layer, source, samples);
                surfaces.insert((surface, layer, source, samples), pipeline);
            }
        }
        Self { surfaces, shadows }
    }

    /// The pipeline that draws that layer of `surface`, if some draw of the head has it.
    pub fn surface(
        &self,
        surface: Surface,
        layer: Layer,
        source: Source,
        samples: u32,
    ) -> Option<&wgpu::RenderPipeline> {
        self.surfaces.get(&(surface, layer, source, samples))
    }

    /// The pipeline that draws depth from the key light, if some draw of the head asks for it.
    pub fn shadow(&self, source: Source, is_skinned: bool) -> Option<&wgpu::RenderPipeline> {
        self.shadows.get(&(source, is_skinned))
    }
}

/// Shader modules and layouts for vertices that are placed in one way.
struct Placed {
    from_buffer: wgpu::ShaderModule,
    /// Where the vertex stage can sum targets.
    from_morph: Option<wgpu::ShaderModule>,
    mesh: wgpu::BindGroupLayout,
}

impl Placed {
    fn new(device: &wgpu::Device, blender: &Blender, is_skinned: bool) -> Self {
        let module = |label, source: String| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        };
        Self {
            from_buffer: module("surface from buffer", shaders::surface_from_buffer(is_skinned)),
            from_morph: blender
                .vertex_shader_source()
                .map(|morph| module("surface from morph", shaders::surface_from_morph(&morph, is_skinned))),
            mesh: uniforms::mesh_bind_group_layout(device, is_skinned),
        }
    }
}

/// What only some heads need.
struct Needs {
    skins: bool,
    lamps: bool,
}

/// What all pipelines of a head share while they are made.
struct Builder<'a> {
    device: &'a wgpu::Device,
    on_nodes: Placed,
    /// Made only where a draw asks for it.
    on_skins: Option<Placed>,
    constants: Vec<(&'static str, f64)>,
    has_lamps: bool,
    frame: wgpu::BindGroupLayout,
    shadow: wgpu::BindGroupLayout,
    morph: Option<&'a wgpu::BindGroupLayout>,
    material: wgpu::BindGroupLayout,
}

impl<'a> Builder<'a> {
    fn new(device: &'a wgpu::Device, blender: &'a Blender, needs: Needs) -> Self {
        Self {
            device,
            on_nodes: Placed::new(device, blender, false),
            on_skins: needs.skins.then(|| Placed::new(device, blender, true)),
            constants: blender.constants(),
            has_lamps: needs.lamps,
            frame: uniforms::frame_bind_group_layout(device),
            shadow: shadow::bind_group_layout(device),
            morph: blender.vertex_bind_group_layout(),
            material: materials::bind_group_layout(device),
        }
    }

    fn placed(&self, is_skinned: bool) -> &Placed {
        self.on_skins.as_ref().filter(|_| is_skinned).unwrap_or(&self.on_nodes)
    }

    fn module<'p>(
        &'p self,
        placed: &'p Placed,
        source: Source,
    ) -> (&'p wgpu::ShaderModule, Option<&'p wgpu::BindGroupLayout>, Vec<(&'static str, f64)>) {
        match (source, &placed.from_morph) {
            (Source::Morph, Some(module)) => (module, self.morph, self.constants.clone()),
            (Source::Morph, None) | (Source::Buffer, _) => (&placed.from_buffer, None, Vec::new()),
        }
    }

    fn surface(&self, surface: Surface, layer: Layer, source: Source, samples: u32) -> wgpu::RenderPipeline {
        let placed = self.placed(surface.skinned);
        let (module, morph, mut constants) = self.module(placed, source);
        let flag = f64::from;
        let is_covering = surface.alpha == Alpha::Masked && samples > 1;
        let [least_alpha, alpha_limit] = layer.alphas(surface.transmissive).map(f64::from);
        constants.extend([
            ("TEXTURED", flag(surface.textured)),
            ("MASKED", flag(surface.masked)),
            ("COVERING", flag(is_covering)),
            ("BLENDED", flag(surface.alpha == Alpha::Blended)),
            ("BY_ALPHA", flag(surface.by_alpha)),
            ("LEAST_ALPHA", least_alpha),
            ("ALPHA_LIMIT", alpha_limit),
            ("DOUBLE_SIDED", flag(surface.double_sided)),
            ("FLAT", flag(surface.flat)),
            ("UNLIT", flag(surface.unlit)),
            ("WET", flag(surface.finish == Finish::Wet)),
            ("MATTE", flag(surface.finish == Finish::Matte)),
            ("ROUGHNESS_MAPPED", flag(surface.roughness_mapped)),
            ("OCCLUDED", flag(surface.occluded)),
            ("LAMPS", flag(self.has_lamps)),
            ("EMISSIVE", flag(surface.emissive)),
            ("EMISSIVE_MAPPED", flag(surface.emissive_mapped)),
            ("SPECULAR", flag(surface.specular)),
            ("SPECULAR_MAPPED", flag(surface.specular_mapped)),
            ("COATED", flag(surface.coated)),
            ("SHEEN", flag(surface.sheen)),
            ("TRANSMISSIVE", flag(surface.transmissive)),
            ("PLACED", flag(surface.placed)),
        ]);
        let (vertex_entry, fragment_entry) =
            if surface.bumpy { ("vertex_bumpy", "fragment_bumpy") } else { ("vertex", "fragment") };
        let mut slots = vec![
            Some(slot(size_of::<[f32; 3]>(), &POSITION)),
            Some(slot(size_of::<[f32; 3]>(), &NORMAL)),
            Some(slot(size_of::<StaticVertex>(), &STATIC)),
        ];
        if surface.bumpy {
            slots.push(Some(slot(size_of::<[f32; 4]>(), &TANGENT)));
        }
        let compilation_options =
            wgpu::PipelineCompilationOptions { constants: &constants, zero_initialize_workgroup_memory: false };
        let is_blended = surface.alpha == Alpha::Blended;
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("surface"),
            bind_group_layouts: &[Some(&self.frame), morph, Some(&placed.mesh), Some(&self.material)],
            immediate_size: 0,
        });
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(&format!("{surface:?}, {layer:?}, from {source:?}, {samples} samples")),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(vertex_entry),
                compilation_options: compilation_options.clone(),
                buffers: &slots,
            },
            primitive: wgpu::PrimitiveState {
                cull_mode: match layer {
                    Layer::Back => Some(wgpu::Face::Front),
                    Layer::Front => Some(wgpu::Face::Back),
                    Layer::Solid | Layer::Core => (!surface.double_sided).then_some(wgpu::Face::Back),
                },
                ..Default::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: target::DEPTH_FORMAT,
                depth_write_enabled: Some(matches!(layer, Layer::Solid | Layer::Core)),
                depth_compare: Some(wgpu::CompareFunction::LessEqual),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: samples,
                alpha_to_coverage_enabled: is_covering,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: Some(fragment_entry),
                compilation_options,
                targets: &[Some(wgpu::ColorTargetState {
                    format: target::COLOR_FORMAT,
                    blend: is_blended.then_some(wgpu::BlendState::ALPHA_BLENDING),
                    // Coverage is no alpha: the picture stays opaque.
                    write_mask: if is_covering { wgpu::ColorWrites::COLOR } else { wgpu::ColorWrites::ALL },
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    fn shadow(&self, source: Source, is_skinned: bool) -> wgpu::RenderPipeline {
        let placed = self.placed(is_skinned);
        let (module, morph, constants) = self.module(placed, source);
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("shadow"),
            bind_group_layouts: &[Some(&self.shadow), morph, Some(&placed.mesh)],
            immediate_size: 0,
        });
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(&format!("shadow from {source:?}")),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some("shadow_vertex"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &constants,
                    zero_initialize_workgroup_memory: false,
                },
                buffers: &[Some(slot(size_of::<[f32; 3]>(), &POSITION))],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(shadow::depth_state()),
            multisample: wgpu::MultisampleState::default(),
            fragment: None,
            multiview_mask: None,
            cache: None,
        })
    }
}

/// What the vertex slots hold, from slot 0 on. Slot 3 is there for heads that have tangents.
const POSITION: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];
const NORMAL: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![1 => Float32x3];
const STATIC: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![2 => Float32x4, 3 => Unorm16x4];
const TANGENT: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![4 => Float32x4];

fn slot(stride: usize, attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride: stride as u64, step_mode: wgpu::VertexStepMode::Vertex, attributes }
}
