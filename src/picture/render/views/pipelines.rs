//! The pipelines of the views, built when a picture first needs them.

use std::collections::HashMap;
use std::time::Instant;

use crate::render::geometry::{StaticVertex, VertexSource, mesh_bind_group_layout};
use crate::render::shaders::{self, PipelineModule, Template};
use crate::render::surface::{Alpha, AlphaPass, Drawn, SurfaceKind, Tier, material_bind_group_layout, sample_targets};
use crate::render::{frame_uniforms, target};
use smirk_graphics::blend::LateBlender;
use smirk_graphics::gpu::Gpu;

use super::shading::OwnView;

/// What a pipeline draws, apart from the tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Surface { view: OwnView, alpha: Alpha, textured: bool, uv_transformed: bool, double_sided: bool, flat: bool },
    Edges,
}

/// A pipeline: what it draws, with a skin or without, from which vertices, in which tier.
type Key = (Kind, bool, VertexSource, Tier);

/// The pipelines that are built.
#[derive(Debug, Default)]
pub(crate) struct ViewPipelines {
    made: HashMap<Key, wgpu::RenderPipeline>,
}

impl ViewPipelines {
    /// Builds the pipelines of a view that are missing for these draws: at least one, and more until some time. Returns whether all
    /// are there.
    pub(super) fn build(
        &mut self,
        gpu: &Gpu,
        blender: &LateBlender,
        draws: impl Iterator<Item = Drawn>,
        (view, tier): (OwnView, Tier),
        until: Option<Instant>,
    ) -> bool {
        let keys = draws.filter_map(|drawn| key_of(view, drawn, tier)).collect();
        self.build_missing(gpu, blender, keys, until)
    }

    /// The same for the edges of meshes, with skins or without, from these sources of vertices.
    pub(crate) fn build_edges(
        &mut self,
        gpu: &Gpu,
        blender: &LateBlender,
        meshes: impl Iterator<Item = (bool, VertexSource)>,
        tier: Tier,
        until: Option<Instant>,
    ) -> bool {
        let keys = meshes.map(|(is_skinned, source)| (Kind::Edges, is_skinned, source, tier)).collect();
        self.build_missing(gpu, blender, keys, until)
    }

    fn build_missing(&mut self, gpu: &Gpu, blender: &LateBlender, keys: Vec<Key>, until: Option<Instant>) -> bool {
        let mut built = 0;
        for key in keys {
            if self.made.contains_key(&key) {
                continue;
            }
            if built > 0 && until.is_some_and(|until| Instant::now() >= until) {
                return false;
            }
            self.made.insert(key, pipeline(&gpu.device, blender, key));
            built += 1;
        }
        true
    }

    /// The pipeline that draws a surface in a view; none where the view leaves it out.
    pub(super) fn surface(&self, view: OwnView, drawn: Drawn, tier: Tier) -> Option<&wgpu::RenderPipeline> {
        self.made.get(&key_of(view, drawn, tier)?)
    }

    /// The pipeline that draws the edges of a mesh.
    pub(super) fn edges(&self, is_skinned: bool, source: VertexSource, tier: Tier) -> Option<&wgpu::RenderPipeline> {
        self.made.get(&(Kind::Edges, is_skinned, source, tier))
    }
}

/// None where a view draws nothing: of a blended surface it draws what hides nearly all that is behind it, and of bands of lashes,
/// whose hairs are drawn by their material, nothing.
fn key_of(view: OwnView, (surface, pass, source): Drawn, tier: Tier) -> Option<Key> {
    let SurfaceKind { alpha, uv_transformed, flat, skinned, .. } = surface;
    match pass {
        AlphaPass::Opaque | AlphaPass::NearlyOpaque => {}
        AlphaPass::ThinBack | AlphaPass::ThinFront => return None,
    }
    let textured = surface.textured && alpha != Alpha::Opaque;
    // What crosses inside the mouth faces away.
    let double_sided = surface.double_sided || matches!(view, OwnView::Backfaces | OwnView::Crossings);
    let kind = Kind::Surface { view, alpha, textured, uv_transformed, double_sided, flat };
    (!surface.lash_card).then_some((kind, skinned, source, tier))
}

fn pipeline(
    device: &wgpu::Device,
    blender: &LateBlender,
    (kind, is_skinned, source, tier): Key,
) -> wgpu::RenderPipeline {
    let (text, morph, mut constants) = match (source, blender.vertex_shader_source()) {
        (VertexSource::MorphShader, Some(morph)) => {
            (shaders::view_from_morph(&morph, is_skinned), blender.vertex_bind_group_layout(), blender.constants())
        }
        (VertexSource::MorphShader, None) | (VertexSource::Buffer, _) => {
            (shaders::view_from_buffer(is_skinned), None, Vec::new())
        }
    };
    if let Kind::Surface { view, alpha, textured, uv_transformed, double_sided, flat } = kind {
        constants.extend([
            ("VIEW", f64::from(view as u32)),
            ("ALPHA_TESTED", f64::from(alpha == Alpha::Masked)),
            ("BLENDED", f64::from(alpha == Alpha::Blended)),
            ("DOUBLE_SIDED", f64::from(double_sided)),
            ("FLAT", f64::from(flat)),
            ("TEXTURED", f64::from(textured)),
            ("UV_TRANSFORMED", f64::from(uv_transformed)),
        ]);
    }
    let (vertex_entry, fragment_entry) = match (kind, tier) {
        (Kind::Surface { view: OwnView::Crossings, .. }, Tier::Moving { .. }) => ("view_vertex", "crossing_fragment"),
        (Kind::Surface { view: OwnView::Crossings, .. }, Tier::Resting) => ("view_vertex", "sample_crossing_fragment"),
        (Kind::Surface { .. }, Tier::Moving { .. }) => ("view_vertex", "view_fragment"),
        (Kind::Surface { .. }, Tier::Resting) => ("view_vertex", "sample_view_fragment"),
        (Kind::Edges, Tier::Moving { .. }) => ("edge_vertex", "edge_fragment"),
        (Kind::Edges, Tier::Resting) => ("edge_vertex", "sample_edge_fragment"),
    };
    let template = Template::new("view", text);
    let PipelineModule { module, constants } = template.module(device, &[vertex_entry, fragment_entry], &constants);
    let [frame, mesh, material] = [
        frame_uniforms::frame_bind_group_layout(device),
        mesh_bind_group_layout(device, is_skinned),
        material_bind_group_layout(device),
    ];
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("view"),
        bind_group_layouts: &[Some(&frame), morph, Some(&mesh), Some(&material)],
        immediate_size: 0,
    });
    let is_edges = kind == Kind::Edges;
    let compilation_options = wgpu::PipelineCompilationOptions { constants, zero_initialize_workgroup_memory: false };
    let buffers = [
        Some(slot(size_of::<[f32; 3]>(), &POSITION)),
        Some(slot(size_of::<[f32; 3]>(), &NORMAL)),
        Some(slot(size_of::<StaticVertex>(), &STATIC)),
        Some(slot(size_of::<f32>(), &VALUE)),
    ];
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(&format!("{kind:?}, from {source:?}, {tier:?}")),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some(vertex_entry),
            compilation_options: compilation_options.clone(),
            buffers: if is_edges { &buffers[..2] } else { &buffers },
        },
        primitive: match kind {
            Kind::Surface { double_sided, .. } => {
                wgpu::PrimitiveState { cull_mode: (!double_sided).then_some(wgpu::Face::Back), ..Default::default() }
            }
            Kind::Edges => wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::LineList, ..Default::default() },
        },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: target::DEPTH_FORMAT,
            depth_write_enabled: Some(!is_edges),
            depth_compare: Some(wgpu::CompareFunction::LessEqual),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: wgpu::MultisampleState { count: tier.samples(), ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(fragment_entry),
            compilation_options,
            targets: &match tier {
                Tier::Moving { .. } => vec![Some(wgpu::ColorTargetState {
                    format: target::COLOR_FORMAT,
                    blend: is_edges.then_some(wgpu::BlendState::ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
                Tier::Resting => sample_targets(is_edges, true).map(Some).to_vec(),
            },
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// The contents of vertex buffers 0 to 3.
const POSITION: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x3];
const NORMAL: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![1 => Float32x3];
const STATIC: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![2 => Float32x4, 3 => Unorm16x4];
const VALUE: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![4 => Float32];

fn slot(stride: usize, attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride: stride as u64, step_mode: wgpu::VertexStepMode::Vertex, attributes }
}
