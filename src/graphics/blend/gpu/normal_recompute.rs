//! Recomputing normals in a blender: the tables for the current [`Normals`], and the list of blocks to recompute.

use std::sync::Arc;

use super::{VertexBuffers, bindings};
use crate::blend::Layout;
use crate::blend::normals::{BlockList, NormalTables};
use crate::gpu::{Binding, Gpu, bind_group, bind_group_layout};
use smirk_face::head::Head;
use smirk_scene::Normals;

#[derive(Debug, Default)]
pub(in crate::blend) struct NormalRecompute {
    /// The head with its triangles; without it nothing is recomputed.
    head: Option<Arc<Head>>,
    /// The source for which the tables were made.
    normals: Option<Normals>,
    tables: Option<RecomputeTables>,
    has_compute: bool,
}

/// The tables on the CPU and the GPU. They are remade when the source changes, which takes milliseconds for a face.
#[derive(Debug)]
pub(in crate::blend) struct RecomputeTables {
    pub on_cpu: NormalTables,
    /// `None` if the adapter cannot bind the tables or has no room for them.
    pub on_gpu: Option<NormalPass>,
    pub block_list: BlockList,
}

impl NormalRecompute {
    /// Uploads the tables of `head` for the default source of normals. Without `has_compute` nothing is recomputed on
    /// the GPU.
    pub(crate) fn new(
        gpu: &Gpu,
        head: Arc<Head>,
        tables: Option<NormalTables>,
        layout: &Layout,
        vertices: &VertexBuffers,
        has_compute: bool,
    ) -> Self {
        let normals = Some(Normals::default());
        let mut recomputing = Self { head: Some(head), normals, has_compute, ..Self::default() };
        recomputing.upload(gpu, layout, vertices, tables);
        recomputing
    }

    /// Makes the tables for `normals`. Returns false if they were made already.
    pub(crate) fn switch(&mut self, gpu: &Gpu, layout: &Layout, vertices: &VertexBuffers, normals: Normals) -> bool {
        if self.normals.replace(normals) == Some(normals) {
            return false;
        }
        let tables = self.head.as_ref().and_then(|head| NormalTables::new(head, &layout.order, normals));
        self.upload(gpu, layout, vertices, tables);
        true
    }

    fn upload(&mut self, gpu: &Gpu, layout: &Layout, vertices: &VertexBuffers, tables: Option<NormalTables>) {
        self.tables = tables.map(|on_cpu| {
            let made = self.has_compute.then(|| gpu.attempt(|| NormalPass::new(gpu, layout, &on_cpu, vertices)));
            let block_list = BlockList::new(on_cpu.block_count());
            RecomputeTables { on_gpu: made.and_then(Result::ok).flatten(), block_list, on_cpu }
        });
    }

    /// None if no normals are recomputed.
    pub(crate) fn tables(&mut self) -> Option<&mut RecomputeTables> {
        self.tables.as_mut()
    }

    pub(crate) fn is_any(&self) -> bool {
        self.tables.is_some()
    }

    /// Whether recomputing changes tangents at rest.
    pub(crate) fn turns_tangents(&self) -> bool {
        let meshes = self.head.iter().flat_map(|head| &head.meshes).enumerate();
        meshes.filter(|(_, mesh)| !mesh.vertices.tangents.is_empty()).any(|(index, _)| self.is_recomputed(index))
    }

    pub(crate) fn needs_cpu(&self) -> bool {
        self.tables.as_ref().is_some_and(|tables| tables.on_gpu.is_none())
    }

    pub(crate) fn is_recomputed(&self, mesh: usize) -> bool {
        self.tables.as_ref().is_some_and(|tables| tables.on_cpu.is_recomputed(mesh))
    }

    /// Bytes of the tables in main memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.tables.as_ref().map_or(0, |tables| tables.on_cpu.bytes())
    }

    pub(crate) fn gpu_bytes(&self) -> u64 {
        let is_there = self.tables.as_ref().is_some_and(|tables| tables.on_gpu.is_some());
        if is_there { self.bytes() } else { 0 }
    }
}

#[derive(Debug)]
pub(in crate::blend) struct NormalPass {
    pipeline: Arc<wgpu::ComputePipeline>,
    group: wgpu::BindGroup,
    block_list: wgpu::Buffer,
    /// The contents of `block_list`; the memory is reused for each upload.
    words: Vec<u32>,
}

impl NormalPass {
    /// Uploads the tables. Returns `None` if one of them is larger than a binding of the adapter.
    pub(crate) fn new(gpu: &Gpu, layout: &Layout, tables: &NormalTables, vertices: &VertexBuffers) -> Option<Self> {
        let largest = size_of_val(tables.vertices()).max(size_of_val(tables.entries())) as u64;
        let limits = gpu.device.limits();
        if largest > limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) {
            return None;
        }
        let mut bindings = [Binding::StorageRead; 6];
        bindings[4] = Binding::StorageWritten;
        let group_layout = bind_group_layout(&gpu.device, "normals", wgpu::ShaderStages::COMPUTE, &bindings);
        let buffer = |label, contents: &[u8]| gpu.filled_buffer(label, contents, wgpu::BufferUsages::STORAGE);
        let smooth_vertices = buffer("smooth vertices", bytemuck::cast_slice(tables.vertices()));
        let first_entries = buffer("first entries of rings", bytemuck::cast_slice(tables.first_entries()));
        let ring_entries = buffer("entries of rings", bytemuck::cast_slice(tables.entries()));
        let block_list = gpu.buffer(
            "blocks with new normals",
            (size_of::<u32>() * (1 + tables.block_count())) as u64,
            wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        );
        let bound = [&block_list, &smooth_vertices, &first_entries, &ring_entries, &vertices.output, &vertices.base];
        let places = layout.order.place_count() as f64;
        let tangents_first = if layout.order.has_tangents() { places * 6.0 } else { 0.0 };
        let constants = [
            ("NORMALS_FIRST", places * 3.0),
            ("TANGENTS_FIRST", tangents_first),
            ("TANGENTS_BLENDED", f64::from(u8::from(layout.deltas().moves_tangents()))),
        ];
        Some(Self {
            pipeline: bindings::compute_pipeline(
                gpu,
                "normals",
                smirk_shaders::morph::NORMALS,
                &[Some(&group_layout)],
                &constants,
            ),
            group: bind_group(&gpu.device, "normals", &group_layout, bound.map(wgpu::Buffer::as_entire_binding)),
            block_list,
            words: Vec::with_capacity(1 + tables.block_count()),
        })
    }

    /// Uploads the list and records the dispatch over it, which must come after the blend that wrote the positions.
    pub(crate) fn record(&mut self, gpu: &Gpu, pass: &mut wgpu::ComputePass<'_>, block_list: &BlockList) {
        self.words.clear();
        self.words.push(block_list.blocks().len() as u32);
        self.words.extend_from_slice(block_list.blocks());
        gpu.queue.write_buffer(&self.block_list, 0, bytemuck::cast_slice(&self.words));
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        bindings::dispatch(pass, gpu, block_list.blocks().len() as u32);
    }
}
