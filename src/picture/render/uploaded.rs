//! The buffers and textures of one head, made beside each other on several threads.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::ScopedJoinHandle;

use crate::openness::Openness;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{Eyes, Head};
use smirk_graphics::blend::{BlendPipelines, LateBlender, Layout, NormalTables, Normals, Precision, VertexPlaces};
use smirk_graphics::gpu::Gpu;

use super::geometry::{MeshTable, MorphedUvColors, openness_vertices, static_vertices};
use super::surface::{EyesUniforms, Materials};

/// When the deltas of a head are uploaded.
pub(super) enum Deltas {
    /// With everything else.
    Now(Arc<Layout>),
    /// When they are needed. Until then, only the places of the vertices are known.
    Later(Arc<VertexPlaces>, Precision),
}

impl Deltas {
    pub(super) fn places(&self) -> &Arc<VertexPlaces> {
        match self {
            Self::Now(layout) => layout.places(),
            Self::Later(places, _) => places,
        }
    }

    fn precision(&self) -> Precision {
        match self {
            Self::Now(layout) => layout.deltas().precision(),
            Self::Later(_, precision) => *precision,
        }
    }
}

/// The buffers and textures of a head.
pub(super) struct Uploaded {
    pub static_vertices: wgpu::Buffer,
    pub openness: wgpu::Buffer,
    pub uv_colors: MorphedUvColors,
    pub meshes: MeshTable,
    pub materials: Materials,
    pub blender: LateBlender,
}

impl Uploaded {
    /// Reports the part of the textures that is uploaded.
    pub(super) fn new(gpu: &Gpu, head: &Arc<Head>, deltas: &Deltas, progress: Progress<'_>) -> Result<Self, Cancelled> {
        let places = deltas.places();
        let without_deltas = || {
            let eyes = Eyes::of(head, &head.roles);
            let vertices = static_vertices(head, places, head.mm_per_unit(), (&head.roles, eyes.as_ref()));
            let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
            let openness = openness_vertices(places, &Openness::default());
            Ok(Self {
                static_vertices: gpu.filled_buffer("static vertices", bytemuck::cast_slice(&vertices), usage),
                openness: gpu.filled_buffer("openness", bytemuck::cast_slice(&openness), usage),
                uv_colors: MorphedUvColors::new(head, places, vertices),
                meshes: MeshTable::new(gpu, head, places, &head.rest_pose),
                materials: Materials::new(gpu, head, eyes_at_rest(head, eyes), progress)?,
                blender: LateBlender::new(gpu, head.clone(), places.clone(), deltas.precision()),
            })
        };
        let Deltas::Now(layout) = deltas else { return without_deltas() };
        std::thread::scope(|scope| {
            let tables = scope.spawn(|| NormalTables::new(head, layout, Normals::default()));
            let pipelines = scope.spawn(|| BlendPipelines::new(gpu, layout));
            let mut uploaded = without_deltas()?;
            // The deltas come last, because blending also works with less memory: if there is no room for them, the CPU blends.
            uploaded.blender = uploaded.blender.with_layout(layout.clone(), joined(pipelines), joined(tables));
            Ok(uploaded)
        })
    }
}

/// What a thread has returned. If it has panicked, so does this one.
pub(super) fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// The eyes of a head in millimetres at rest, as the vertices have their positions.
pub(super) fn eyes_at_rest(head: &Head, eyes: Option<Eyes>) -> EyesUniforms {
    eyes.map(|eyes| EyesUniforms::new(&eyes, head.focus.center(), head.mm_per_unit())).unwrap_or_default()
}
