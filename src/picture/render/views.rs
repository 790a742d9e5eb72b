//! Views of the surface that have pipelines of their own: what they show, the edges of triangles, and a value per
//! vertex as a colour.

use std::collections::HashMap;
use std::ops::Range;
use std::time::Instant;

use crate::render::frame_uniforms;
use crate::render::geometry::{Choices, MeshTable, ShapeBuffers, StaticVertex, VertexSource, mesh_bind_group_layout};
use crate::render::pipelines::{DrawnSurface, NORMAL, POSITION, Tier, sample_targets, slot};
use crate::render::shaders::{self, PipelineModule, Template};
use crate::render::surface::{Alpha, AlphaPass, SurfaceKind, material_bind_group_layout};
use crate::render::target::{self, PipelineParts};
use smirk_face::head::Head;
use smirk_graphics::blend::{Blender, LateBlender, VertexOrder};
use smirk_graphics::gpu::Gpu;
use smirk_scene::{FaceValues, Look, Matcap, Scene, ViewMode};

/// What the picture shows of the surface, and the objects of the views that were shown.
#[derive(Debug, Default)]
pub(crate) struct HeadViews {
    shading: Shading,
    shows_edges: bool,
    pipelines: ViewPipelines,
    edges: Option<Edges>,
    values: FaceValues,
    /// The last of the values, one f32 per place of the head-wide array.
    buffer: Option<wgpu::Buffer>,
}

impl HeadViews {
    /// Which pipelines draw the surface.
    pub(crate) fn shading(&self) -> Shading {
        self.shading
    }

    pub(crate) fn shows_edges(&self) -> bool {
        self.shows_edges
    }

    /// Uploads the values of the vertices, if the view of a scene shows some and they have changed. Afterwards the
    /// blender has to blend, since two blend modes are compared by what it makes of the weights, which is read back.
    pub(crate) fn upload_values(&mut self, gpu: &Gpu, blender: &mut LateBlender, scene: &Scene) {
        let values = self.values.follow(scene, |weights, mode| {
            // What draws the scene reports the loss of the device.
            let vertices = blender.get_mut().read_back(gpu, weights, mode, scene.look.normals).ok()?;
            let mut positions = vertices.iter().map(|vertex| vertex.position);
            let counts = scene.head.meshes.iter().map(|mesh| mesh.vertices.len());
            Some(counts.map(|count| positions.by_ref().take(count).collect()).collect())
        });
        let Some(values) = values else { return };
        let order = blender.vertex_order();
        let mut at_places = vec![0.0_f32; order.place_count()];
        for (mesh, values) in values.iter().enumerate() {
            for (vertex, &value) in values.iter().enumerate() {
                at_places[order.place_of(mesh, vertex)] = value;
            }
        }
        let bytes: &[u8] = bytemuck::cast_slice(&at_places);
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        let new = || gpu.buffer("values of vertices", bytes.len() as u64, usage);
        gpu.queue.write_buffer(self.buffer.get_or_insert_with(new), 0, bytes);
    }

    pub(crate) fn choose(&mut self, gpu: &Gpu, head: &Head, order: &VertexOrder, scene: &Scene) {
        self.shading = Shading::for_look(&scene.look);
        self.shows_edges = scene.look.view == ViewMode::Wireframe;
        if self.shows_edges && self.edges.is_none() {
            self.edges = Some(Edges::new(gpu, head, order, Choices::for_scene(scene, None)));
        }
    }

    /// Drops the edges, because other parts of the head are shown.
    pub(crate) fn forget_edges(&mut self) {
        self.edges = None;
    }

    /// Builds the pipelines that are missing for these draws, and for the edges of meshes whose targets have this
    /// source: at least one, and more until some time. Returns whether all are there.
    pub(crate) fn build(
        &mut self,
        gpu: &Gpu,
        blender: Option<&Blender>,
        draws: impl Iterator<Item = DrawnSurface>,
        source: VertexSource,
        tier: Tier,
        until: Option<Instant>,
    ) -> bool {
        let of_edges = self.edges.iter().filter(|_| self.shows_edges).flat_map(|edges| &edges.meshes);
        let of_edges = of_edges
            .map(|of| {
                let source = if of.morphs { source } else { VertexSource::Buffer };
                Key { kind: Kind::Edges, is_skinned: of.is_skinned, source, tier }
            })
            .collect();
        let of_surface = match self.shading {
            Shading::Materials | Shading::Clay => Vec::new(),
            Shading::Own(view) => draws.filter_map(|drawn| key_of(view, drawn, tier)).collect(),
        };
        [of_edges, of_surface].into_iter().all(|keys| self.pipelines.build(gpu, blender, keys, until))
    }

    /// The pipeline of a draw; none where the view leaves it out.
    pub(crate) fn pipeline(&self, drawn: DrawnSurface, tier: Tier) -> Option<&wgpu::RenderPipeline> {
        match self.shading {
            Shading::Materials | Shading::Clay => None,
            Shading::Own(view) => self.pipelines.surface(view, drawn, tier),
        }
    }

    /// Vertex buffer 3 of views that show a value per vertex, if there was one.
    pub(crate) fn values(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref()
    }

    /// Draws the edges, in a pass in which bind group 0 is set and the surface is drawn.
    pub(crate) fn draw_edges(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        shape: &ShapeBuffers<'_>,
        blender: &LateBlender,
        meshes: &MeshTable,
        tier: Tier,
    ) {
        let Some(edges) = self.edges.as_ref().filter(|_| self.shows_edges) else { return };
        pass.set_index_buffer(edges.indices.slice(..), wgpu::IndexFormat::Uint32);
        for of in &edges.meshes {
            let source = shape.source_of(of.morphs);
            let Some(pipeline) = self.pipelines.edges(of.is_skinned, source, tier) else { continue };
            pass.set_pipeline(pipeline);
            shape.bind(source, blender.is_recomputed(of.mesh), pass);
            meshes.bind(of.mesh, of.is_skinned, pass);
            pass.draw_indexed(of.indices.clone(), 0, 0..1);
        }
    }
}

/// Which pipelines draw the surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Shading {
    #[default]
    Materials,
    /// Those of its materials, all of them grey clay.
    Clay,
    Own(OwnView),
}

/// A view with pipelines of its own; its number is that of the `VIEW_` constant in `view.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub(crate) enum OwnView {
    Porcelain = 0,
    RedWax = 1,
    Chrome = 2,
    Zebra = 3,
    Normals = 4,
    UvChecker = 5,
    Curvature = 6,
    Backfaces = 7,
    Heat = 8,
    SignedHeat = 9,
    Intersections = 10,
}

impl Shading {
    pub(crate) fn for_look(look: &Look) -> Self {
        match look.view {
            ViewMode::Shaded | ViewMode::Wireframe => Self::Materials,
            ViewMode::Clay => Self::Clay,
            ViewMode::Matcap => Self::Own(match look.matcap {
                Matcap::Porcelain => OwnView::Porcelain,
                Matcap::RedWax => OwnView::RedWax,
                Matcap::Chrome => OwnView::Chrome,
                Matcap::Zebra => OwnView::Zebra,
            }),
            ViewMode::Normals => Self::Own(OwnView::Normals),
            ViewMode::UvChecker => Self::Own(OwnView::UvChecker),
            ViewMode::Curvature => Self::Own(OwnView::Curvature),
            ViewMode::Backfaces => Self::Own(OwnView::Backfaces),
            ViewMode::Intersections => Self::Own(OwnView::Intersections),
            ViewMode::Heat if look.heat.measure.is_signed() => Self::Own(OwnView::SignedHeat),
            ViewMode::Heat => Self::Own(OwnView::Heat),
        }
    }
}

#[derive(Debug)]
pub(crate) struct EdgesOfMesh {
    pub mesh: usize,
    pub is_skinned: bool,
    /// Whether it has targets.
    pub morphs: bool,
    /// Places in the head-wide array, two for each line: a range of the index buffer.
    pub indices: Range<u32>,
}

#[derive(Debug)]
pub(crate) struct Edges {
    pub indices: wgpu::Buffer,
    pub meshes: Vec<EdgesOfMesh>,
}

impl Edges {
    /// Those of the parts that are chosen.
    fn new(gpu: &Gpu, head: &Head, order: &VertexOrder, choices: Choices<'_>) -> Self {
        let (mut indices, mut meshes) = (Vec::<u32>::new(), Vec::new());
        for (index, mesh) in head.meshes.iter().enumerate() {
            let mut edges = Vec::new();
            for (part_index, part) in mesh.parts.iter().enumerate() {
                let role = choices.roles[head.material_of(index, part_index, choices.variant)];
                if choices.shows(index, role) {
                    edges.extend(mesh.triangles_of(part).as_chunks::<3>().0.iter().flat_map(sides));
                }
            }
            edges.sort_unstable();
            edges.dedup();
            let first = indices.len() as u32;
            indices.extend(edges.iter().flatten().map(|&vertex| order.place_of(index, vertex as usize) as u32));
            let (is_skinned, morphs) = (mesh.skin.is_some(), !mesh.targets.is_empty());
            meshes.push(EdgesOfMesh { mesh: index, is_skinned, morphs, indices: first..indices.len() as u32 });
        }
        meshes.retain(|edges| !edges.indices.is_empty());
        // A buffer is not empty.
        indices.resize(indices.len().max(2), 0);
        let indices = gpu.filled_buffer("edges", bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX);
        Self { indices, meshes }
    }
}

/// The edges of a triangle, the lower vertex first.
fn sides(&[a, b, c]: &[u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)])
}

/// What a pipeline draws, apart from the tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Surface { view: OwnView, alpha: Alpha, textured: bool, uv_transformed: bool, double_sided: bool, flat: bool },
    Edges,
}

/// What determines a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    kind: Kind,
    is_skinned: bool,
    source: VertexSource,
    tier: Tier,
}

#[derive(Debug, Default)]
pub(crate) struct ViewPipelines {
    made: HashMap<Key, wgpu::RenderPipeline>,
}

impl ViewPipelines {
    /// Builds the pipelines that are missing: at least one, and more until some time. Returns whether all are there.
    fn build(&mut self, gpu: &Gpu, blender: Option<&Blender>, keys: Vec<Key>, until: Option<Instant>) -> bool {
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
    fn surface(&self, view: OwnView, drawn: DrawnSurface, tier: Tier) -> Option<&wgpu::RenderPipeline> {
        self.made.get(&key_of(view, drawn, tier)?)
    }

    /// The pipeline that draws the edges of a mesh.
    fn edges(&self, is_skinned: bool, source: VertexSource, tier: Tier) -> Option<&wgpu::RenderPipeline> {
        self.made.get(&Key { kind: Kind::Edges, is_skinned, source, tier })
    }
}

/// None where a view draws nothing: of a blended surface it draws what hides nearly all that is behind it, and of bands
/// of lashes, whose hairs are drawn by their material, nothing.
fn key_of(view: OwnView, drawn: DrawnSurface, tier: Tier) -> Option<Key> {
    let DrawnSurface { surface, pass, source } = drawn;
    let SurfaceKind { alpha, uv_transformed, flat, .. } = surface;
    match pass {
        AlphaPass::Opaque | AlphaPass::NearlyOpaque | AlphaPass::Toon => {}
        AlphaPass::ThinBack | AlphaPass::ThinFront | AlphaPass::Cards | AlphaPass::Outline => return None,
    }
    let textured = surface.textured && alpha != Alpha::Opaque;
    // What crosses inside the mouth faces away.
    let double_sided = surface.double_sided || matches!(view, OwnView::Backfaces | OwnView::Intersections);
    let kind = Kind::Surface { view, alpha, textured, uv_transformed, double_sided, flat };
    Some(Key { kind, is_skinned: surface.skinned, source, tier })
}

fn pipeline(device: &wgpu::Device, blender: Option<&Blender>, key: Key) -> wgpu::RenderPipeline {
    let Key { kind, is_skinned, source, tier } = key;
    let morph = blender.filter(|_| source == VertexSource::MorphShader);
    let (text, mut constants) = match morph.and_then(Blender::vertex_shader_source) {
        Some(text) => (shaders::view_from_morph(&text, is_skinned), morph.map(Blender::constants).unwrap_or_default()),
        None => (shaders::view_from_buffer(is_skinned), Vec::new()),
    };
    let morph = morph.and_then(Blender::vertex_bind_group_layout);
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
        (Kind::Surface { view: OwnView::Intersections, .. }, Tier::Preview { .. }) => {
            ("view_vertex", "intersection_fragment")
        }
        (Kind::Surface { view: OwnView::Intersections, .. }, Tier::Accumulated) => {
            ("view_vertex", "sample_intersection_fragment")
        }
        (Kind::Surface { .. }, Tier::Preview { .. }) => ("view_vertex", "view_fragment"),
        (Kind::Surface { .. }, Tier::Accumulated) => ("view_vertex", "sample_view_fragment"),
        (Kind::Edges, Tier::Preview { .. }) => ("edge_vertex", "edge_fragment"),
        (Kind::Edges, Tier::Accumulated) => ("edge_vertex", "sample_edge_fragment"),
    };
    let template = Template::new("view", text);
    let PipelineModule { module, constants } = template.module(device, &[vertex_entry, fragment_entry], &constants);
    let [frame, mesh, material] = [
        frame_uniforms::frame_bind_group_layout(device),
        mesh_bind_group_layout(device, is_skinned),
        material_bind_group_layout(device),
    ];
    let is_edges = kind == Kind::Edges;
    let buffers = [
        Some(slot(size_of::<[f32; 3]>(), &POSITION)),
        Some(slot(size_of::<[f32; 3]>(), &NORMAL)),
        Some(slot(size_of::<StaticVertex>(), &STATIC)),
        Some(slot(size_of::<f32>(), &VALUE)),
    ];
    PipelineParts {
        label: &format!("{kind:?}, from {source:?}, {tier:?}"),
        groups: &[Some(&frame), morph, Some(&mesh), Some(&material)],
        module: &module,
        constants,
        vertex_entry,
        buffers: if is_edges { &buffers[..2] } else { &buffers },
        primitive: match kind {
            Kind::Surface { double_sided, .. } => {
                wgpu::PrimitiveState { cull_mode: (!double_sided).then_some(wgpu::Face::Back), ..Default::default() }
            }
            Kind::Edges => wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::LineList, ..Default::default() },
        },
        depth: Some(target::depth_state(!is_edges)),
        multisample: wgpu::MultisampleState { count: tier.msaa(), ..Default::default() },
        fragment: Some((
            fragment_entry,
            &match tier {
                Tier::Preview { .. } => vec![Some(wgpu::ColorTargetState {
                    format: target::COLOR_FORMAT,
                    blend: is_edges.then_some(wgpu::BlendState::ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
                Tier::Accumulated => sample_targets(is_edges, true).map(Some).to_vec(),
            },
        )),
    }
    .pipeline(device)
}

/// The contents of vertex buffers 2 and 3; those of 0 and 1 are the same for all surfaces.
const STATIC: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![2 => Float32x4, 3 => Unorm16x4];

const VALUE: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![4 => Float32];
