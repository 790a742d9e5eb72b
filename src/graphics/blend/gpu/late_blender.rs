//! A blender that is made when it is needed, so that the picture of a head at rest need not wait for the head's deltas.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::on_gpu::BlendPipelines;
use super::{Blended, Blender, Memory, VertexBuffers};
use crate::blend::layout::{Layout, Precision, VertexOrder};
use crate::blend::normals::NormalTables;
use crate::blend::usable_weight;
use crate::gpu::Gpu;
use smirk_face::head::Head;
use smirk_scene::{BlendMode, Normals};

/// What the blender of a head is made of, and the blender once it is made. It is shared with the thread that makes the blender.
#[derive(Debug)]
struct Making {
    gpu: Gpu,
    head: Arc<Head>,
    order: Arc<VertexOrder>,
    vertices: VertexBuffers,
    precision: Precision,
    /// For each source of normals, whether it changes tangents at rest, once that is known.
    turns_tangents: [OnceLock<bool>; Normals::ALL.len()],
    /// The blender until it is taken.
    made: OnceLock<Mutex<Option<Box<Blender>>>>,
}

impl Making {
    /// Makes the blender, or waits for the thread that is making it.
    fn finish(&self) -> &Mutex<Option<Box<Blender>>> {
        self.made.get_or_init(|| Mutex::new(Some(Box::new(self.make()))))
    }

    fn make(&self) -> Blender {
        let layout = Arc::new(Layout::with_order(&self.head, self.order.clone(), self.precision));
        let (tables, pipelines) = rayon::join(
            || NormalTables::new(&self.head, &layout, Normals::default()),
            || BlendPipelines::new(&self.gpu, &layout),
        );
        self.make_of(layout, pipelines, tables)
    }

    fn make_of(&self, layout: Arc<Layout>, pipelines: BlendPipelines, tables: Option<NormalTables>) -> Blender {
        Blender::with_pipelines(&self.gpu, layout, self.vertices.clone(), pipelines)
            .with_tables(self.head.clone(), tables)
    }

    fn take(&self) -> Box<Blender> {
        let made = self.finish().lock().unwrap_or_else(PoisonError::into_inner).take();
        made.unwrap_or_else(|| Box::new(self.make()))
    }

    /// Whether these weights leave all vertices as they are at rest.
    fn is_at_rest(&self, weights: &[f32], normals: Normals) -> bool {
        let turns_tangents = || {
            let of_normals = &self.turns_tangents[normals as usize];
            *of_normals.get_or_init(|| self.head.meshes.iter().any(|mesh| normals.turns_tangents(mesh)))
        };
        (0..weights.len()).all(|target| usable_weight(weights, target) == 0.0) && !turns_tangents()
    }
}

/// The vertices of one head on one GPU, and its blender. Until the first weights that are not 0, there may be no blender: the vertices
/// are at rest then.
#[derive(Debug)]
pub struct LateBlender {
    making: Arc<Making>,
    made: Option<Box<Blender>>,
}

impl LateBlender {
    /// Uploads the vertices at rest.
    pub fn new(gpu: &Gpu, head: Arc<Head>, order: Arc<VertexOrder>, precision: Precision) -> Self {
        let vertices = VertexBuffers::new(gpu, &order);
        let (turns_tangents, made) = (Default::default(), OnceLock::new());
        let making = Making { gpu: gpu.clone(), head, order, vertices, precision, turns_tangents, made };
        Self { making: Arc::new(making), made: None }
    }

    /// Makes the blender of a layout with the vertex order and the precision of this one, with the pipelines for the same head, and with its
    /// tables for the default source of normals.
    pub fn with_layout(mut self, layout: Arc<Layout>, pipelines: BlendPipelines, tables: Option<NormalTables>) -> Self {
        self.made = Some(Box::new(self.making.make_of(layout, pipelines, tables)));
        self
    }

    /// What is to be done until there is a blender, for a thread that has time. Without it, the first blend does it.
    pub fn work_ahead(&self) -> Option<impl FnOnce() + Send + use<>> {
        let making = self.making.clone();
        let is_to_do = self.made.is_none() && making.made.get().is_none();
        is_to_do.then_some(move || _ = making.finish())
    }

    /// Whether [`Self::work_ahead`] is not done yet and these weights need it.
    pub fn needs_work(&self, weights: &[f32], normals: Normals) -> bool {
        self.made.is_none() && self.making.made.get().is_none() && !self.making.is_at_rest(weights, normals)
    }

    /// The blender. It is made if there is none, which can take a second for a large head.
    pub fn made(&mut self) -> &mut Blender {
        self.made.get_or_insert_with(|| self.making.take())
    }

    /// The blender, if there is one.
    pub fn get(&self) -> Option<&Blender> {
        self.made.as_deref()
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
        let is_needed = || self.making.made.get().is_some() || !self.making.is_at_rest(weights, normals);
        if self.made.is_some() || is_needed() {
            self.made().blend(encoder, weights, mode, normals, timestamps);
        }
    }

    /// [`Blender::blended`].
    pub fn blended(&self) -> Blended<'_> {
        self.get().map_or(Blended::Buffer(self.buffer()), Blender::blended)
    }

    /// [`Blender::buffer`].
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.making.vertices.output
    }

    /// [`Blender::base`].
    pub fn base(&self) -> &wgpu::Buffer {
        &self.making.vertices.base
    }

    /// The order of the vertices.
    pub fn vertex_order(&self) -> &VertexOrder {
        &self.making.order
    }

    /// [`Blender::is_recomputed`].
    pub fn is_recomputed(&self, mesh: usize) -> bool {
        self.get().is_some_and(|blender| blender.is_recomputed(mesh))
    }

    /// [`Blender::memory`]. Without a blender it is that of the vertices.
    pub fn memory(&self) -> Memory {
        let Making { order, vertices, precision, .. } = &*self.making;
        let at_rest =
            || Memory { precision: *precision, delta_bytes: 0, cpu_bytes: order.bytes(), gpu_bytes: vertices.bytes() };
        self.get().map_or_else(at_rest, Blender::memory)
    }
}
