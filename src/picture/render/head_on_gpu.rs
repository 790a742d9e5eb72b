//! All GPU objects of one head: those that never change while it is open, and the blender, which writes the others.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Instant;

use glam::Mat4;
use rayon::prelude::*;
use thiserror::Error;

use super::effort::Effort;
use super::frame_uniforms::ShapeMeasures;
use super::geometry::{
    Choices, DrawCall, DrawList, MeshTable, MorphedUvColors, SimplifiedHead, VertexSource, ambient_occlusion_vertices,
    static_vertices, surfaces,
};
use super::pipelines::{DrawnSurface, Pipelines, Tier};
use super::pixel_rect::PixelRect;
use super::strands::StrandsOnGpu;
use super::surface::{AlphaPass, EyesUniforms, Materials, SurfaceKind, outline_reach};
use super::target;
use super::views::{HeadViews, Shading};
use crate::ambient_occlusion::AmbientOcclusion;
use smirk_base::job::NoThread;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{Bounds, Eyes, Head, Mesh, MouthOpeners, RigPose};
use smirk_graphics::blend::{
    BlendPipelines, Blended, DeformedBounds, LaidOut, LateBlender, Layout, NormalTables, Precision, VertexOrder,
};
use smirk_graphics::gpu::{DeviceError, Gpu};
use smirk_scene::{BlendMode, Normals, Quality, Scene, Unseen, ViewMode};

/// Why a head is not on the GPU.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum UploadError {
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error(transparent)]
    NoThread(#[from] NoThread),
}

/// A head that can be drawn. Create it on a worker thread, because uploading textures and building pipelines takes a
/// while.
#[derive(Debug)]
pub struct HeadOnGpu {
    pub(super) head: Arc<Head>,
    pub(super) blender: LateBlender,
    pub(super) bounds: DeformedBounds,
    /// Whether the bounds know what the targets move.
    has_target_bounds: bool,
    pub(super) pipelines: Pipelines,
    pub(super) views: HeadViews,
    /// What all draws have their pipelines for: the source of the vertices of meshes with targets, the tier, the
    /// shading, and whether the edges are shown.
    built: Vec<(VertexSource, Tier, Shading, bool)>,
    /// Whether the pipelines of previews are there for all variants, sources and [`target::MSAA_COUNTS`].
    is_built_ahead: bool,
    pub(super) draws: DrawList,
    /// The head with fewer triangles, once [`Self::work_ahead`] has made it, if the adapter needs it.
    simplified: Option<Arc<OnceLock<SimplifiedHead>>>,
    /// Whether the preview that is being drawn has fewer triangles.
    is_preview_simplified: bool,
    /// The contents of vertex buffer slot 2.
    pub(super) static_vertices: wgpu::Buffer,
    ambient_occlusion: wgpu::Buffer,
    has_ambient_occlusion: bool,
    mouth_openers: MouthOpeners,
    millimetres_per_unit: f32,
    pub(super) meshes: MeshTable,
    pub(super) materials: Materials,
    /// Hair as strands, if the head has guides for it.
    pub(super) strands: Option<StrandsOnGpu>,
    rig_pose: RigPose,
    /// The area of all triangles at rest, divided by that of the largest side of the head's box.
    layers: f32,
    uv_colors: MorphedUvColors,
    /// See [`outline_reach`].
    outline_reach: [f32; 2],
    /// The same in the last picture, in world units.
    outline_reach_in_world: f32,
}

impl HeadOnGpu {
    /// Uploads `head`, if there is enough memory for it. `layout` is [`Layout::new`] of the same head. The first
    /// picture builds the pipelines that it needs.
    pub fn new(gpu: &Gpu, head: Arc<Head>, layout: Arc<Layout>) -> Result<Self, UploadError> {
        std::thread::scope(|scope| {
            let tables = spawn(scope, || NormalTables::new(&head, &layout.order, Normals::default()))?;
            let pipelines = spawn(scope, || BlendPipelines::new(gpu, &layout))?;
            let (order, precision) = (&layout.order, layout.deltas().precision());
            let mut uploaded = Self::upload(gpu, head.clone(), order, precision, None, Progress::NONE)?;
            // The deltas come last, because blending also works with less memory: if there is no room for them, the CPU
            // blends.
            let (pipelines, tables) = (joined(pipelines), joined(tables));
            uploaded.blender = gpu.attempt(|| uploaded.blender.with_layout(layout.clone(), pipelines, tables))?;
            Ok(uploaded)
        })
    }

    /// [`Self::new`] for a window, with the pipelines of its first picture, which can be cancelled. A head with
    /// thousands of textures or kinds of surface takes long. `order` is [`VertexOrder::new`] of the same head. Its
    /// deltas are not uploaded yet: see [`Self::work_ahead`].
    pub fn for_window(
        gpu: &Gpu,
        head: Arc<Head>,
        order: Arc<VertexOrder>,
        precision: Precision,
        progress: Progress<'_>,
    ) -> Result<Self, UploadError> {
        let tier = Tier::Preview { msaa: Effort::for_adapter(gpu).first_msaa };
        Self::upload(gpu, head, &order, precision, Some(tier), progress)
    }

    /// Uploads a head, and builds its pipelines of a tier meanwhile, with vertices from a buffer.
    fn upload(
        gpu: &Gpu,
        head: Arc<Head>,
        order: &Arc<VertexOrder>,
        precision: Precision,
        tier: Option<Tier>,
        progress: Progress<'_>,
    ) -> Result<Self, UploadError> {
        let is_cancelled = AtomicBool::new(false);
        let (drawn, strands, bounds, uploaded) = std::thread::scope(|scope| {
            let drawn = spawn(scope, || {
                let whole = Choices::whole(&head.roles);
                let draws = gpu.attempt(|| DrawList::new(gpu, &head, order, &head.rest_pose, whole))?;
                let pipelines = tier.map(|tier| {
                    let surfaces = draws.surfaces().map(|(surface, pass, _)| (surface, pass));
                    Pipelines::on_all_cores(gpu, &head, surfaces, tier, &is_cancelled)
                });
                Ok::<_, UploadError>((draws, pipelines.transpose()))
            })?;
            let strands = spawn(scope, || {
                gpu.attempt(|| {
                    let strands = StrandsOnGpu::new(gpu, &head);
                    strands.iter().zip(tier).for_each(|(strands, tier)| strands.build(tier));
                    strands
                })
            })?;
            let bounds = spawn(scope, || DeformedBounds::at_rest(&head, order))?;
            let uploaded = gpu.attempt(|| Uploaded::new(gpu, &head, order, precision, progress));
            is_cancelled.store(!matches!(uploaded, Ok(Ok(_))), Ordering::Relaxed);
            Ok::<_, NoThread>((joined(drawn), joined(strands), joined(bounds), uploaded))
        })?;
        let (draws, pipelines) = drawn?;
        let Uploaded { static_vertices, ambient_occlusion, uv_colors, meshes, materials, blender } = uploaded??;
        Ok(Self {
            static_vertices,
            ambient_occlusion,
            has_ambient_occlusion: false,
            mouth_openers: head.mouth_openers(),
            millimetres_per_unit: head.mm_per_unit(),
            uv_colors,
            outline_reach: outline_reach(&head.materials),
            outline_reach_in_world: 0.0,
            strands: strands?,
            materials,
            bounds,
            has_target_bounds: false,
            layers: layers(&head),
            blender,
            pipelines: pipelines?.unwrap_or_default(),
            views: HeadViews::default(),
            built: tier.map(|tier| (VertexSource::Buffer, tier, Shading::Materials, false)).into_iter().collect(),
            is_built_ahead: false,
            rig_pose: head.rest_pose.clone(),
            draws,
            simplified: Effort::for_adapter(gpu).simplifies_preview.then(Arc::default),
            is_preview_simplified: false,
            meshes,
            head,
        })
    }

    pub fn head(&self) -> &Arc<Head> {
        &self.head
    }

    /// Blends the weights of a scene in a mode, after the values that its view shows; see [`LateBlender::blend`].
    pub(super) fn blend(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        scene: &Scene,
        mode: BlendMode,
        timestamps: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        self.views.upload_values(gpu, &mut self.blender, scene);
        self.blender.blend(encoder, &scene.weights, mode, scene.look.normals, timestamps);
        self.follow_blender();
    }

    /// Takes what depends on the deltas from the blender, once there is one.
    fn follow_blender(&mut self) {
        let Some(blender) = self.blender.get().filter(|_| !self.has_target_bounds) else { return };
        self.bounds.add_targets(blender.layout());
        self.has_target_bounds = true;
        // The builder of the pipelines was made without the shader that sums the targets.
        self.pipelines.forget_builder();
    }

    /// Whether the deltas are uploaded and taken.
    pub(super) fn has_deltas(&self) -> bool {
        self.blender.get().is_some()
    }

    /// Takes the deltas that [`Self::work_ahead`] has uploaded. If it has not, this uploads them.
    pub fn take_deltas(&mut self) {
        self.blender.get_mut();
        self.follow_blender();
    }

    /// [`Self::take_deltas`] with what is laid out of the same head with other deltas, in the same vertex order.
    /// Returns what is laid out of this one.
    pub fn take_deltas_like(&mut self, before: Option<&LaidOut>) -> LaidOut {
        let laid_out = self.blender.make_like(before);
        self.follow_blender();
        laid_out
    }

    /// What a head from [`Self::for_window`] needs before the first weights that are not 0 can be blended, for a thread
    /// that has time for it: its deltas are laid out and uploaded. Otherwise the first such blend does it. A simplified
    /// head for quicker previews is made as well, if the adapter needs one. `None` if all is done.
    pub fn work_ahead(&self) -> Option<impl FnOnce() + Send + use<>> {
        let deltas = self.blender.work_ahead();
        let simplified = self.simplified.clone().filter(|simplified| simplified.get().is_none());
        let head = self.head.clone();
        (deltas.is_some() || simplified.is_some()).then_some(move || {
            deltas.into_iter().for_each(|upload| upload());
            simplified.iter().for_each(|simplified| _ = simplified.get_or_init(|| SimplifiedHead::new(&head)));
        })
    }

    /// Writes all that changes from picture to picture besides the blend, which is done already. Returns the bounds of
    /// the shape.
    pub(super) fn place(&mut self, gpu: &Gpu, scene: &Scene) -> Bounds {
        self.set_nodes(&gpu.queue, &scene.world_from_nodes);
        let bounds = self.bounds.under(&scene.weights);
        self.outline_reach_in_world = reach_in_world(self.outline_reach, scene, bounds);
        let bounds = bounds.grown(self.outline_reach_in_world);
        self.update_meshes(&gpu.queue);
        self.update_uv_colors(&gpu.queue, &scene.weights);
        self.renew_draws(gpu, scene);
        self.materials.follow(&gpu.queue, &self.head, &scene.expression_outputs, scene.seconds);
        self.views.choose(gpu, &self.head, self.blender.vertex_order(), scene);
        // Blended draws are sorted back to front, by their positions at the scene's weights.
        self.draws.sort_from(scene.camera.eye_in_world(), &scene.weights);
        bounds
    }

    /// Chooses the triangles and the strands of hair of a preview, and writes what the strands need, for a picture or a
    /// tile of it of `size` pixels.
    pub(super) fn choose_preview(&mut self, gpu: &Gpu, scene: &Scene, tier: Tier, size: [u32; 2]) {
        // Most of a simplified surface is wrong by less than a third of a pixel.
        let pixels_per_mm = scene.pixels_per_unit() / self.millimetres_per_unit;
        let is_fine = pixels_per_mm * SimplifiedHead::ERROR_MM < 1.0 / 3.0;
        let is_coarse = scene.quality.scale < Quality::FULL.scale;
        let is_surface = matches!(scene.look.view, ViewMode::Shaded | ViewMode::Clay);
        self.is_preview_simplified = is_coarse && is_fine && is_surface;
        self.choose_strands(scene, tier);
        self.strands.iter().for_each(|strands| strands.write(&gpu.queue, size, 0));
    }

    /// The indices of a draw in the preview that was chosen last.
    pub(super) fn preview_indices(&self, draw: &DrawCall) -> Range<u32> {
        let simplified = draw.simplified.as_ref().filter(|_| self.is_preview_simplified);
        simplified.unwrap_or(&draw.indices).clone()
    }

    /// Chooses the strands of hair of a picture.
    pub(super) fn choose_strands(&mut self, scene: &Scene, tier: Tier) {
        self.strands.iter_mut().for_each(|strands| strands.choose(scene, tier));
    }

    /// Builds the pipelines that a picture of `scene` needs, whose weights are blended: at least one of them, and more
    /// until some time. Returns whether all are there.
    pub(super) fn build(&mut self, gpu: &Gpu, scene: &Scene, tier: Tier, until: Option<Instant>) -> bool {
        self.renew_draws(gpu, scene);
        self.views.choose(gpu, &self.head, self.blender.vertex_order(), scene);
        self.build_current(gpu, tier, until)
    }

    fn build_current(&mut self, gpu: &Gpu, tier: Tier, until: Option<Instant>) -> bool {
        let source = match (tier, self.blender.blended()) {
            (Tier::Preview { .. }, Blended::InShader(_)) => VertexSource::MorphShader,
            (Tier::Preview { .. }, Blended::Buffer(_)) | (Tier::Accumulated, _) => VertexSource::Buffer,
        };
        let built = (source, tier, self.views.shading(), self.views.shows_edges());
        if self.built.contains(&built) {
            return true;
        }
        self.strands.iter().for_each(|strands| strands.build(tier));
        let draws = || self.draws.surfaces().map(|(surface, pass, morphs)| drawn_from(source, surface, pass, morphs));
        let of_materials = match self.views.shading() {
            Shading::Materials => draws().collect(),
            Shading::Clay => draws().filter_map(in_clay).collect(),
            Shading::Own(_) => Vec::new(),
        };
        let is_built = self.pipelines.build(gpu, self.blender.get(), &self.head, of_materials, tier, until)
            && self.views.build(gpu, self.blender.get(), draws(), source, tier, until);
        if is_built {
            self.built.push(built);
        }
        is_built
    }

    /// The pipeline that draws a surface in a pass, as the view of the last scene shows it; none where it leaves it
    /// out.
    pub(super) fn pipeline(&self, drawn: DrawnSurface, tier: Tier) -> Option<&wgpu::RenderPipeline> {
        match self.views.shading() {
            Shading::Materials => Some(self.pipelines.surface(drawn, tier)),
            Shading::Clay => Some(self.pipelines.surface(in_clay(drawn)?, tier)),
            Shading::Own(_) => self.views.pipeline(drawn, tier),
        }
    }

    /// Whether pipelines of toon surfaces draw this one, as the view of the last scene shows it.
    pub(super) fn draws_toon(&self, surface: SurfaceKind) -> bool {
        surface.toon.is_some() && self.views.shading() == Shading::Materials
    }

    /// The contents of vertex buffer slot 3: what the view has measured, or else the ambient occlusion.
    pub(super) fn third_buffer(&self) -> &wgpu::Buffer {
        match self.views.shading() {
            Shading::Materials | Shading::Clay => &self.ambient_occlusion,
            Shading::Own(_) => self.views.values().unwrap_or(&self.ambient_occlusion),
        }
    }

    /// Builds pipelines of previews that later pictures may need, so that switching the blend mode, the variant or the
    /// multisampling takes one frame: at least one, and more until some time. Returns whether all are there. Before
    /// there are deltas, it is not known what they are built from, and there is nothing to do.
    pub(super) fn build_ahead(&mut self, gpu: &Gpu, until: Option<Instant>) -> bool {
        if self.is_built_ahead || !self.has_deltas() {
            return true;
        }
        let wanted = surfaces(&self.head, self.draws.roles());
        // If vertex mode is unavailable, building its pipelines would be an error.
        let has_morph_shader = self.blender.get().is_some_and(|blender| blender.vertex_bind_group_layout().is_some());
        let sources = [Some(VertexSource::Buffer), has_morph_shader.then_some(VertexSource::MorphShader)];
        for msaa in target::MSAA_COUNTS {
            let tier = Tier::Preview { msaa };
            self.strands.iter().for_each(|strands| strands.build(tier));
            for source in sources.into_iter().flatten() {
                let draws = wanted.iter().map(|&(surface, pass, morphs)| drawn_from(source, surface, pass, morphs));
                if !self.pipelines.build(gpu, self.blender.get(), &self.head, draws, tier, until) {
                    return false;
                }
            }
        }
        self.pipelines.complete();
        self.is_built_ahead = true;
        true
    }

    /// Whether it is drawn in batches from the first picture on: it has very many draws, or its surface would cover a
    /// picture of it very often. A sphere covers it four times, and a head with dense hair some fifty times.
    pub(super) fn is_heavy(&self) -> bool {
        const MANY_DRAWS: usize = 3000;
        const MANY_LAYERS: f32 = 400.0;
        self.draws.len() > MANY_DRAWS || self.layers > MANY_LAYERS
    }

    /// Replaces the ambient occlusion of the vertices, of which there is none until then.
    pub(super) fn set_ambient_occlusion(&mut self, queue: &wgpu::Queue, ambient_occlusion: &AmbientOcclusion) {
        let vertices = ambient_occlusion_vertices(self.blender.vertex_order(), ambient_occlusion);
        queue.write_buffer(&self.ambient_occlusion, 0, bytemuck::cast_slice(&vertices));
        self.has_ambient_occlusion = true;
    }

    pub(super) fn has_ambient_occlusion(&self) -> bool {
        self.has_ambient_occlusion
    }

    /// The part of a picture of `size` pixels that shows the head as it was placed last; `None` if it is outside.
    pub(super) fn part_of_picture(&self, projection_from_world: Mat4, size: [u32; 2]) -> Option<PixelRect> {
        let boxes = self.bounds.boxes().map(|bounds| bounds.grown(self.outline_reach_in_world));
        let of_surface = boxes.map(|bounds| PixelRect::showing(bounds, projection_from_world, size));
        let of_strands =
            self.strand_boxes().map(|(world, bounds)| PixelRect::showing(bounds, projection_from_world * world, size));
        PixelRect::around(of_surface.chain(of_strands))
    }

    /// The boxes around strands, each with its transform into the world.
    fn strand_boxes(&self) -> impl Iterator<Item = (Mat4, Bounds)> + Clone {
        let boxes = self.strands.iter().flat_map(StrandsOnGpu::boxes);
        boxes.map(|(mesh, bounds)| (self.rig_pose.world_from_mesh(&self.head.meshes[mesh]), bounds))
    }

    /// Why nothing of the head is seen in the picture of a scene; none if something may be seen.
    pub(super) fn unseen(&mut self, scene: &Scene) -> Option<Unseen> {
        let around_all = self.bounds.under(&scene.weights);
        let aspect = scene.size[0].max(1) as f32 / scene.size[1].max(1) as f32;
        let camera = &scene.camera;
        let projection_from_world = camera.projection_around(around_all, aspect) * camera.view_from_world();
        let of_surface = self.bounds.boxes().map(|bounds| (Mat4::IDENTITY, bounds));
        Unseen::find(scene, projection_from_world, &self.rig_pose, of_surface.chain(self.strand_boxes()))
    }

    pub(super) fn measures(&self, bounds: Bounds, weights: &[f32]) -> ShapeMeasures {
        let mouth_open = self.mouth_openers.openness_under(weights);
        ShapeMeasures { bounds, mouth_open, millimetres_per_unit: self.millimetres_per_unit }
    }

    /// Moves the nodes, and all meshes and joints that depend on them, to the given matrices. A node that is missing
    /// from the list, or whose matrix is not finite, goes to its rest pose.
    fn set_nodes(&mut self, queue: &wgpu::Queue, world_from_nodes: &[Mat4]) {
        let rest = self.head.rest_pose.world_from_node().iter().enumerate();
        let wanted: Vec<Mat4> = rest
            .map(|(node, rest)| world_from_nodes.get(node).filter(|world| world.is_finite()).unwrap_or(rest))
            .copied()
            .collect();
        if wanted == self.rig_pose.world_from_node() {
            return;
        }
        self.rig_pose = RigPose::new(&self.head.rig, wanted);
        self.bounds.set_rig_pose(&self.head, &self.rig_pose);
        self.meshes.set_joints(queue, &self.head, &self.rig_pose);
        self.draws.recenter(&self.head, &self.rig_pose);
    }

    /// Writes the transforms of the meshes, and which of them have recomputed normals, where either has changed.
    fn update_meshes(&mut self, queue: &wgpu::Queue) {
        let blender = &self.blender;
        self.meshes.update(queue, &self.head, &self.rig_pose, |mesh| blender.is_recomputed(mesh));
    }

    /// Writes the texture coordinates and colours that targets change, if their weights have changed.
    fn update_uv_colors(&mut self, queue: &wgpu::Queue, weights: &[f32]) {
        if self.uv_colors.is_any() {
            self.uv_colors.update(queue, &self.static_vertices, &self.head, self.blender.vertex_order(), weights);
        }
    }

    /// Makes new draw calls, if other parts of the head, another variant or other roles of the materials are shown.
    fn renew_draws(&mut self, gpu: &Gpu, scene: &Scene) {
        let simplified = self.simplified.as_ref().and_then(|simplified| simplified.get());
        let choices = Choices::for_scene(scene, simplified);
        if self.draws.is_for(choices) {
            return;
        }
        if self.draws.roles() != choices.roles {
            let eyes = eyes_at_rest(&self.head, Eyes::find(&self.head, choices.roles));
            self.materials.set_eyes(&gpu.queue, &self.head, eyes);
            self.is_built_ahead = false;
        }
        self.draws = DrawList::new(gpu, &self.head, self.blender.vertex_order(), &self.rig_pose, choices);
        self.views.forget_edges();
        self.built.clear();
    }
}

/// How far outlines can be from the surface in a picture of a scene, in world units; 0 if there are none. `bounds` are
/// those of the surface.
fn reach_in_world([in_world, on_screen]: [f32; 2], scene: &Scene, bounds: Bounds) -> f32 {
    if on_screen <= 0.0 {
        return in_world;
    }
    let away = scene.camera.eye_in_world().distance(bounds.center()) + bounds.radius();
    in_world.max(on_screen * away * 2.0 * (scene.camera.fov_y * 0.5).tan())
}

/// What draws a kind of surface in a pass, if its mesh has targets with vertices from this source.
fn drawn_from(source: VertexSource, surface: SurfaceKind, pass: AlphaPass, morphs: bool) -> DrawnSurface {
    DrawnSurface { surface, pass, source: if morphs { source } else { VertexSource::Buffer } }
}

/// The same draw in clay, which leaves out what hides little of what is behind it. Lash cards are bands.
fn in_clay(drawn: DrawnSurface) -> Option<DrawnSurface> {
    let pass = match drawn.pass {
        AlphaPass::Opaque | AlphaPass::NearlyOpaque => drawn.pass,
        AlphaPass::Cards => AlphaPass::Opaque,
        AlphaPass::Toon => AlphaPass::NearlyOpaque,
        AlphaPass::ThinBack | AlphaPass::ThinFront | AlphaPass::Outline => return None,
    };
    Some(DrawnSurface { surface: drawn.surface.in_clay(), pass, ..drawn })
}

/// The area of all triangles at rest, divided by that of the largest side of the head's box.
fn layers(head: &Head) -> f32 {
    let size = head.bounds.size();
    let side = (size.x * size.y).max(size.y * size.z).max(size.z * size.x);
    head.meshes.iter().map(|mesh| area(head, mesh)).sum::<f32>() / side.max(f32::MIN_POSITIVE)
}

/// The area of the triangles of a mesh at rest.
fn area(head: &Head, mesh: &Mesh) -> f32 {
    /// The triangles that are summed as one parallel task.
    const TRIANGLES_AT_ONCE: usize = 1 << 14;
    let world = head.rest_pose.world_from_mesh(mesh);
    let triangles = mesh.indices.as_chunks::<3>().0.par_chunks(TRIANGLES_AT_ONCE);
    let areas = triangles.map(|chunk| {
        let areas = chunk.iter().map(|triangle| {
            let [a, b, c] =
                triangle.map(|vertex| mesh.vertices.positions.get(vertex as usize).copied().unwrap_or_default());
            world.transform_vector3(b - a).cross(world.transform_vector3(c - a)).length() * 0.5
        });
        areas.filter(|area| area.is_finite()).sum::<f32>()
    });
    areas.collect::<Vec<f32>>().into_iter().sum()
}

/// The buffers and textures of a head.
struct Uploaded {
    pub static_vertices: wgpu::Buffer,
    pub ambient_occlusion: wgpu::Buffer,
    pub uv_colors: MorphedUvColors,
    pub meshes: MeshTable,
    pub materials: Materials,
    pub blender: LateBlender,
}

impl Uploaded {
    /// Reports the part of the textures that is uploaded.
    pub(super) fn new(
        gpu: &Gpu,
        head: &Arc<Head>,
        order: &Arc<VertexOrder>,
        precision: Precision,
        progress: Progress<'_>,
    ) -> Result<Self, UploadError> {
        let vertices = static_vertices(head, order, head.mm_per_unit());
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        let ambient_occlusion = ambient_occlusion_vertices(order, &AmbientOcclusion::default());
        Ok(Self {
            static_vertices: gpu.filled_buffer("static vertices", bytemuck::cast_slice(&vertices), usage),
            ambient_occlusion: gpu.filled_buffer("ambient occlusion", bytemuck::cast_slice(&ambient_occlusion), usage),
            uv_colors: MorphedUvColors::new(head, order, vertices),
            meshes: MeshTable::new(gpu, head, order, &head.rest_pose),
            materials: Materials::new(gpu, head, eyes_at_rest(head, Eyes::find(head, &head.roles)), progress)?,
            blender: LateBlender::new(gpu, head.clone(), order.clone(), precision),
        })
    }
}

/// Starts work on a thread, which the scope waits for.
fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, NoThread> {
    Builder::new().spawn_scoped(scope, work).map_err(|_| NoThread)
}

/// What a thread has returned. If it has panicked, so does this one.
pub(super) fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// The eyes of a head in millimetres at rest, as the vertices have their positions.
fn eyes_at_rest(head: &Head, eyes: Option<Eyes>) -> EyesUniforms {
    eyes.map(|eyes| EyesUniforms::new(&eyes, head.focus.center(), head.mm_per_unit())).unwrap_or_default()
}
