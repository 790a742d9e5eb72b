//! Pipelines for one head: every kind of surface it has, ready before anyone asks, so that switching the blend mode
//! or the sampling takes one frame.

use std::collections::{BTreeSet, HashMap};

use crate::blend::Blender;

use super::draws::{Alpha, Draw, Finish, Surface};
use super::head_on_gpu::StaticVertex;
use super::transparency::Layer;
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
    shadow_from_buffer: wgpu::RenderPipeline,
    shadow_from_morph: wgpu::RenderPipeline,
}

impl Pipelines {
    /// Builds what `draws` can ask for.
    pub fn new(device: &wgpu::Device, blender: &Blender, draws: &[Draw]) -> Self {
        let builder = Builder::new(device, blender);
        let mut wanted = BTreeSet::new();
        for (draw, &layer) in draws.iter().flat_map(|draw| draw.layers.iter().map(move |layer| (draw, layer))) {
            wanted.insert((draw.surface, layer, false));
            if draw.morphs {
                wanted.insert((draw.surface, layer, true));
            }
        }
        let mut surfaces = HashMap::new();
        for (surface, layer, morphs) in wanted {
            let source = if morphs { Source::Morph } else { Source::Buffer };
            for samples in target::SAMPLE_COUNTS {
                let pipeline = builder.surface(surface, layer, source, samples);
                surfaces.insert((surface, layer, source, samples), pipeline);
            }
        }
        Self {
            surfaces,
            shadow_from_buffer: builder.shadow(Source::Buffer),
            shadow_from_morph: builder.shadow(Source::Morph),
        }
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

    /// The pipeline that draws depth from the key light.
    pub fn shadow(&self, source: Source) -> &wgpu::RenderPipeline {
        match source {
            Source::Buffer => &self.shadow_from_buffer,
            Source::Morph => &self.shadow_from_morph,
        }
    }
}

/// What all pipelines of a head share while they are made.
struct Builder<'a> {
    device: &'a wgpu::Device,
    buffer_module: wgpu::ShaderModule,
    morph_module: wgpu::ShaderModule,
    constants: Vec<(&'static str, f64)>,
    frame: wgpu::BindGroupLayout,
    shadow: wgpu::BindGroupLayout,
    morph: &'a wgpu::BindGroupLayout,
    mesh: wgpu::BindGroupLayout,
    material: wgpu::BindGroupLayout,
}

impl<'a> Builder<'a> {
    fn new(device: &'a wgpu::Device, blender: &'a Blender) -> Self {
        let module = |label, source: String| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        };
        Self {
            device,
            buffer_module: module("surface from buffer", shaders::surface_from_buffer()),
            morph_module: module("surface from morph", shaders::surface_from_morph(&blender.vertex_shader_source())),
            constants: blender.constants(),
            frame: uniforms::frame_bind_group_layout(device),
            shadow: shadow::bind_group_layout(device),
            morph: blender.vertex_bind_group_layout(),
            mesh: uniforms::mesh_bind_group_layout(device),
            material: materials::bind_group_layout(device),
        }
    }

    fn module(
        &self,
        source: Source,
    ) -> (&wgpu::ShaderModule, Option<&wgpu::BindGroupLayout>, Vec<(&'static str, f64)>) {
        match source {
            Source::Buffer => (&self.buffer_module, None, Vec::new()),
            Source::Morph => (&self.morph_module, Some(self.morph), self.constants.clone()),
        }
    }

    fn surface(&self, surface: Surface, layer: Layer, source: Source, samples: u32) -> wgpu::RenderPipeline {
        let (module, morph, mut constants) = self.module(source);
        let flag = f64::from;
        let is_covering = surface.alpha == Alpha::Masked && samples > 1;
        let [least_alpha, alpha_limit] = layer.alphas().map(f64::from);
        constants.extend([
            ("TEXTURED", flag(surface.textured)),
            ("MASKED", flag(surface.alpha == Alpha::Masked)),
            ("COVERING", flag(is_covering)),
            ("BLENDED", flag(surface.alpha == Alpha::Blended)),
            ("LEAST_ALPHA", least_alpha),
            ("ALPHA_LIMIT", alpha_limit),
            ("DOUBLE_SIDED", flag(surface.double_sided)),
            ("FLAT", flag(surface.flat)),
            ("UNLIT", flag(surface.unlit)),
            ("WET", flag(surface.finish == Finish::Wet)),
            ("MATTE", flag(surface.finish == Finish::Matte)),
            ("ROUGHNESS_MAPPED", flag(surface.roughness_mapped)),
            ("OCCLUDED", flag(surface.occluded)),
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
            bind_group_layouts: &[Some(&self.frame), morph, Some(&self.mesh), Some(&self.material)],
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

    fn shadow(&self, source: Source) -> wgpu::RenderPipeline {
        let (module, morph, constants) = self.module(source);
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("shadow"),
            bind_group_layouts: &[Some(&self.shadow), morph, Some(&self.mesh)],
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
