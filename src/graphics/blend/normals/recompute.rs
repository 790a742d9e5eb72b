//! Recomputing normals in a blender: the tables for the current [`Normals`], and the list of blocks to recompute.

use std::sync::Arc;

use super::source::Normals;
use super::tables::{BlockList, NormalTables};
use crate::blend::Layout;
use crate::blend::gpu::NormalPass;
use crate::blend::gpu::VertexBuffers;
use crate::gpu::Gpu;
use smirk_face::head::Head;

/// The state of a blender's recomputed normals.
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
    /// Uploads the tables of `head` for the default source of normals. Without `has_compute` nothing is recomputed on the GPU.
    pub(crate) fn new(
        gpu: &Gpu,
        (head, tables): (Arc<Head>, Option<NormalTables>),
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
        let tables = self.head.as_ref().and_then(|head| NormalTables::new(head, layout, normals));
        self.upload(gpu, layout, vertices, tables);
        true
    }

    fn upload(&mut self, gpu: &Gpu, layout: &Layout, vertices: &VertexBuffers, tables: Option<NormalTables>) {
        let has_compute = self.has_compute;
        let on_gpu = |on_cpu: &NormalTables| {
            let made = has_compute.then(|| gpu.attempt(|| NormalPass::new(gpu, layout, on_cpu, vertices)));
            made.and_then(Result::ok).flatten()
        };
        self.tables = tables.map(|on_cpu| RecomputeTables {
            on_gpu: on_gpu(&on_cpu),
            block_list: BlockList::new(on_cpu.block_count()),
            on_cpu,
        });
    }

    /// The tables; `None` if no normals are recomputed.
    pub(crate) fn tables(&mut self) -> Option<&mut RecomputeTables> {
        self.tables.as_mut()
    }

    /// Whether any mesh's normals are recomputed.
    pub(crate) fn is_any(&self) -> bool {
        self.tables.is_some()
    }

    /// Whether recomputing changes tangents at rest.
    pub(crate) fn turns_tangents(&self) -> bool {
        let meshes = self.head.iter().flat_map(|head| &head.meshes).enumerate();
        meshes.filter(|(_, mesh)| !mesh.vertices.tangents.is_empty()).any(|(index, _)| self.is_recomputed(index))
    }

    /// Whether any normals are recomputed, and only the CPU can do it.
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

    /// Bytes of the tables on the GPU.
    pub(crate) fn gpu_bytes(&self) -> u64 {
        let is_there = self.tables.as_ref().is_some_and(|tables| tables.on_gpu.is_some());
        if is_there { self.bytes() } else { 0 }
    }
}
