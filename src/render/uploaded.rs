//! The buffers and textures of one head, made beside each other on several threads.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::ScopedJoinHandle;

use crate::blend::{BlendPipelines, Blender, Layout, NormalTables, Normals};
use crate::gpu::Gpu;
use crate::head::{Eyes, Head};
use crate::openness::Openness;

use super::advance::Advance;
use super::geometry::{MeshTable, MorphedUvColors, openness_vertices, static_vertices};
use super::surface::{EyesUniforms, Materials};

/// The buffers and textures of a head.
pub(super) struct Uploaded {
    pub static_vertices: wgpu::Buffer,
    pub openness: wgpu::Buffer,
    pub uv_colors: MorphedUvColors,
    pub meshes: MeshTable,
    pub materials: Materials,
    pub blender: Blender,
}

impl Uploaded {
    /// `None` if `advance` breaks.
    pub(super) fn new(gpu: &Gpu, head: &Arc<Head>, layout: &Arc<Layout>, advance: &Advance<'_>) -> Option<Self> {
        std::thread::scope(|scope| {
            let tables = scope.spawn(|| NormalTables::new(head, layout, Normals::default()));
            let pipelines = scope.spawn(|| BlendPipelines::new(gpu, layout));
            Self::with(gpu, head, layout, advance, (tables, pipelines))
        })
    }

    /// With the tables of the head for the default source of normals, and the pipelines of its blend modes.
    fn with(
        gpu: &Gpu,
        head: &Arc<Head>,
        layout: &Arc<Layout>,
        advance: &Advance<'_>,
        (tables, pipelines): (ScopedJoinHandle<'_, Option<NormalTables>>, ScopedJoinHandle<'_, BlendPipelines>),
    ) -> Option<Self> {
        let eyes = Eyes::of(head, &head.roles);
        let vertices = static_vertices(head, layout, head.mm_per_unit(), (&head.roles, eyes.as_ref()));
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        let openness = openness_vertices(layout, &Openness::default());
        Some(Self {
            static_vertices: gpu.filled_buffer("static vertices", bytemuck::cast_slice(&vertices), usage),
            openness: gpu.filled_buffer("openness", bytemuck::cast_slice(&openness), usage),
            uv_colors: MorphedUvColors::new(head, layout, vertices),
            meshes: MeshTable::new(gpu, head, layout, &head.rest_pose),
            materials: Materials::new(gpu, head, eyes_at_rest(head, eyes), advance)?,
            // The blender is created last, because it also works with less memory: if there is no room for the deltas, the CPU
            // blends.
            blender: Blender::with_pipelines(gpu, layout.clone(), joined(pipelines))
                .with_tables(head.clone(), joined(tables)),
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
