//! A blender that is made when it is needed, so that the picture of a head at rest need not wait for the head's deltas.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::on_gpu::BlendPipelines;
use super::{Blended, Blender, Memory, VertexBuffers};
use crate::blend::layout::{LaidOut, Layout, Precision, VertexOrder};
use crate::blend::normals::NormalTables;
use crate::blend::usable_weight;
use crate::gpu::Gpu;
use smirk_face::head::Head;
use smirk_scene::{BlendMode, Normals};

/// A blender that is not made yet, and what it is made of. It is shared with the thread that makes the blender.
#[derive(Debug)]
struct Pending {
    gpu: Gpu,
    head: Arc<Head>,
    order: Arc<VertexOrder>,
    vertices: VertexBuffers,
    precision: Precision,
    /// For each source of normals, whether it changes tangents at rest, once that is known.
    turns_tangents: [OnceLock<bool>; Normals::ALL.len()],
    /// The blender once it is made, until its [`LateBlender`] takes it.
    blender: OnceLock<Mutex<Option<Box<Blender>>>>,
}

impl Pending {
    /// Makes the blender, if no one has; waits for a thread that is making it.
    fn make(&self) -> &Mutex<Option<Box<Blender>>> {
        self.blender.get_or_init(|| Mutex::new(Some(self.made(None))))
    }

    fn made(&self, before: Option<&LaidOut>) -> Box<Blender> {
        let (layout, tables) = rayon::join(
            || Arc::new(Layout::with_order(&self.head, self.order.clone(), self.precision, before)),
            || NormalTables::new(&self.head, &self.order, Normals::default()),
        );
        let pipelines = BlendPipelines::new(&self.gpu, &layout);
        self.assembled(layout, pipelines, tables)
    }

    fn assembled(&self, layout: Arc<Layout>, pipelines: BlendPipelines, tables: Option<NormalTables>) -> Box<Blender> {
        let blender = Blender::with_pipelines(&self.gpu, layout, self.vertices.clone(), pipelines);
        Box::new(blender.with_tables(self.head.clone(), tables))
    }

    /// Whether these weights leave all vertices as they are at rest.
    fn is_at_rest(&self, weights: &[f32], normals: Normals) -> bool {
        (0..weights.len()).all(|target| usable_weight(weights, target) == 0.0)
            && !*self.turns_tangents[normals as usize]
                .get_or_init(|| self.head.meshes.iter().any(|mesh| normals.turns_tangents(mesh)))
    }
}

/// The vertices of one head on one GPU, and its blender. Until the first weights that are not 0, there may be no
/// blender: the vertices are at rest then.
#[derive(Debug)]
pub struct LateBlender {
    pending: Arc<Pending>,
    blender: Option<Box<Blender>>,
}

impl LateBlender {
    /// Uploads the vertices at rest.
    pub fn new(gpu: &Gpu, head: Arc<Head>, order: Arc<VertexOrder>, precision: Precision) -> Self {
        let vertices = VertexBuffers::new(gpu, &order);
        let (turns_tangents, blender) = (Default::default(), OnceLock::new());
        let pending = Pending { gpu: gpu.clone(), head, order, vertices, precision, turns_tangents, blender };
        Self { pending: Arc::new(pending), blender: None }
    }

    /// Makes the blender of a layout with the vertex order and the precision of this one, with the pipelines for the
    /// same head, and with its tables for the default source of normals.
    pub fn with_layout(mut self, layout: Arc<Layout>, pipelines: BlendPipelines, tables: Option<NormalTables>) -> Self {
        self.blender = Some(self.pending.assembled(layout, pipelines, tables));
        self
    }

    /// Makes the blender, if it is not made, with what is laid out of the same head with other deltas. Returns what
    /// this one has laid out.
    pub fn make_like(&mut self, before: Option<&LaidOut>) -> LaidOut {
        if !self.is_made() {
            self.blender = Some(self.pending.made(before));
        }
        let layout = self.get_mut().layout().clone();
        LaidOut { head: self.pending.head.clone(), layout }
    }

    fn is_made(&self) -> bool {
        self.blender.is_some() || self.pending.blender.get().is_some()
    }

    /// Makes the blender on a thread that has time, so that the first blend does not have to; none if it is made.
    pub fn work_ahead(&self) -> Option<impl FnOnce() + Send + use<>> {
        let pending = self.pending.clone();
        (!self.is_made()).then_some(move || _ = pending.make())
    }

    /// Whether these weights need the blender, and it is not made yet.
    pub fn needs_work(&self, weights: &[f32], normals: Normals) -> bool {
        !self.is_made() && !self.pending.is_at_rest(weights, normals)
    }

    /// The blender. It is made if it is not, which can take a second for a large head.
    pub fn get_mut(&mut self) -> &mut Blender {
        self.blender.get_or_insert_with(|| {
            let made = self.pending.make().lock().unwrap_or_else(PoisonError::into_inner).take();
            made.expect("nothing else takes it, and this only once")
        })
    }

    /// The blender, if this has it already.
    pub fn get(&self) -> Option<&Blender> {
        self.blender.as_deref()
    }

    /// [`Blender::blend`].
    pub fn blend(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        weights: &[f32],
        mode: BlendMode,
        normals: Normals,
        timestamps: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        if self.is_made() || !self.pending.is_at_rest(weights, normals) {
            self.get_mut().blend(encoder, weights, mode, normals, timestamps);
        }
    }

    /// [`Blender::blended`].
    pub fn blended(&self) -> Blended<'_> {
        self.get().map_or(Blended::Buffer(self.buffer()), Blender::blended)
    }

    /// [`Blender::buffer`].
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.pending.vertices.output
    }

    /// [`Blender::base`].
    pub fn base(&self) -> &wgpu::Buffer {
        &self.pending.vertices.base
    }

    /// The order of the vertices.
    pub fn vertex_order(&self) -> &VertexOrder {
        &self.pending.order
    }

    /// [`Blender::is_recomputed`].
    pub fn is_recomputed(&self, mesh: usize) -> bool {
        self.get().is_some_and(|blender| blender.is_recomputed(mesh))
    }

    /// [`Blender::memory`]. Without a blender it is that of the vertices.
    pub fn memory(&self) -> Memory {
        let Pending { order, vertices, precision, .. } = &*self.pending;
        let at_rest =
            || Memory { precision: *precision, delta_bytes: 0, cpu_bytes: order.bytes(), gpu_bytes: vertices.bytes() };
        self.get().map_or_else(at_rest, Blender::memory)
    }
}
