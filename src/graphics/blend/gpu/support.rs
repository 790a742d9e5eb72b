//! Which modes an adapter's limits allow for a head. Uses the limits of wgpu and nothing else of it.

use super::shaders::{MAX_PAGES, WORKGROUP_SIZE};
use super::tables::{MorphEntry, Page, bound_pages, entry_limit, split};
use super::unavailable::Unavailable;
use crate::blend::Layout;

/// The largest number of storage buffers that a compute stage binds: three of its own, the list of changed blocks, and
/// three morph tables.
const COMPUTE_STORAGE_BUFFERS: usize = 7;

/// The number of storage buffers that a skinned mesh binds in the vertex stage, in every mode. Vulkan, Metal and
/// Direct3D 12 guarantee at least 4.
const SKIN_STORAGE_BUFFERS: usize = 2;

/// The pages of the deltas, and why modes are unavailable.
#[derive(Debug)]
pub(in crate::blend) struct Support {
    /// The pages; `None` if no mode on the GPU is available.
    pub pages: Option<Vec<Page>>,
    /// Why vertex mode is unavailable; `None` if it is available.
    pub vertex: Option<Unavailable>,
    /// Why compute mode and multi-pass mode are unavailable; `None` if they are available. The limits are the same for
    /// both, because the sums that each stores take no more bytes than the vertices.
    pub compute: Option<Unavailable>,
}

/// Checks every mode. No page takes more than `page_limit` bytes, whatever the adapter allows.
pub(in crate::blend) fn find(limits: &wgpu::Limits, layout: &Layout, page_limit: u64) -> Support {
    let binding_limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    // The shaders index the numbers of the deltas with 32 bits.
    let index_limit = u64::from(u32::MAX) * size_of::<f32>() as u64;
    let pages = split(layout, page_limit.min(binding_limit).min(index_limit));
    let entry_bytes = (entry_limit(layout) * size_of::<MorphEntry>()) as u64;
    let shared = match &pages {
        Err(unavailable) => Some(unavailable.clone()),
        Ok(_) => too_large("lists of active targets", entry_bytes, binding_limit),
    };
    let page_count = pages.as_ref().map_or(1, Vec::len);
    let vertex_bytes = size_of_val(layout.order.base()) as u64;
    let compute =
        shared.clone().or_else(|| compute_stage(limits)).or_else(|| too_large("vertices", vertex_bytes, binding_limit));
    let vertex = shared.clone().or_else(|| vertex_stage(limits, page_count, layout.order.is_skinned()));
    Support { pages: pages.ok().filter(|_| shared.is_none()), vertex, compute }
}

fn too_large(what: &'static str, bytes: u64, limit: u64) -> Option<Unavailable> {
    (bytes > limit).then_some(Unavailable::LargeBuffer { what, bytes, limit })
}

fn compute_stage(limits: &wgpu::Limits) -> Option<Unavailable> {
    let most = limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
    too_few_buffers(limits, "at once", COMPUTE_STORAGE_BUFFERS)
        .or_else(|| (most < WORKGROUP_SIZE).then_some(Unavailable::Workgroups { most }))
}

fn vertex_stage(limits: &wgpu::Limits, pages: usize, is_skinned: bool) -> Option<Unavailable> {
    if pages > MAX_PAGES {
        return Some(Unavailable::Pages { pages });
    }
    let skin_buffers = if is_skinned { SKIN_STORAGE_BUFFERS } else { 0 };
    too_few_buffers(limits, "in the vertex shader", 2 + bound_pages(pages) + skin_buffers)
}

fn too_few_buffers(limits: &wgpu::Limits, wherein: &'static str, needed: usize) -> Option<Unavailable> {
    let available = limits.max_storage_buffers_per_shader_stage as usize;
    (needed > available).then_some(Unavailable::StorageBuffers { wherein, needed, available })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::blend::Precision;
    use smirk_face::head::{Head, Mesh, Target, Vertices};

    /// 256 vertices (6144 bytes), two targets that touch all four blocks (6144 bytes of deltas).
    fn layout() -> Layout {
        let deltas = vec![Vec3::X; 256];
        let target = Target::from_dense("target".into(), 0.0, &deltas, &[], &[]);
        let mesh = Mesh {
            name: "mesh".into(),
            vertices: Vertices { positions: deltas, ..Default::default() },
            targets: vec![target.clone(), target],
            ..Mesh::default()
        };
        Layout::new(&Head::from_meshes(vec![mesh]), Precision::Exact)
    }

    fn limits(storage_buffers: u32) -> wgpu::Limits {
        wgpu::Limits { max_storage_buffers_per_shader_stage: storage_buffers, ..wgpu::Limits::defaults() }
    }

    #[test]
    fn the_default_limits_of_webgpu_are_enough() {
        let support = find(&wgpu::Limits::defaults(), &layout(), u64::MAX);
        assert_eq!(support.pages.map(|pages| pages.len()), Some(1));
        assert_eq!((support.vertex, support.compute), (None, None));
    }

    #[test]
    fn too_few_storage_buffers_are_named_with_their_numbers() {
        let support = find(&limits(6), &layout(), u64::MAX);
        assert_eq!(support.vertex, None);
        let reason = support.compute.unwrap().to_string();
        assert!(reason.contains("needs 7") && reason.contains("has 6"), "{reason}");
    }

    #[test]
    fn too_small_workgroups_are_named_with_their_numbers() {
        let limits = wgpu::Limits { max_compute_invocations_per_workgroup: 32, ..limits(8) };
        let reason = find(&limits, &layout(), u64::MAX).compute.unwrap().to_string();
        assert!(reason.contains("of 64") && reason.contains("at most 32"), "{reason}");
    }

    #[test]
    fn lists_larger_than_a_binding_leave_only_the_cpu() {
        // The entries of eight columns and of the moving set, 16 bytes each.
        let limits = wgpu::Limits { max_buffer_size: 175, ..limits(8) };
        let support = find(&limits, &layout(), u64::MAX);
        assert!(support.vertex.is_some() && support.compute == support.vertex && support.pages.is_none());
    }

    #[test]
    fn pages_take_storage_buffers_of_the_vertex_stage() {
        let support = find(&limits(8), &layout(), 6143);
        let reason = support.vertex.unwrap().to_string();
        assert!(reason.contains("needs 10") && reason.contains("has 8"), "{reason}");
        assert_eq!(support.compute, None);
    }

    #[test]
    fn skins_take_storage_buffers_of_the_vertex_stage() {
        let mesh = Mesh { skin: Some(0), ..Mesh::default() };
        let head = Head::from_meshes(vec![mesh]);
        let layout = Layout::new(&head, Precision::Exact);
        assert_eq!(find(&limits(5), &layout, u64::MAX).vertex, None);
        let reason = find(&limits(4), &layout, u64::MAX).vertex.unwrap().to_string();
        assert!(reason.contains("needs 5") && reason.contains("has 4"), "{reason}");
    }

    #[test]
    fn vertices_larger_than_a_binding_leave_the_vertex_mode() {
        let limits = wgpu::Limits { max_storage_buffer_binding_size: 6143, ..limits(16) };
        let support = find(&limits, &layout(), u64::MAX);
        assert_eq!(support.vertex, None);
        let reason = support.compute.unwrap().to_string();
        assert!(reason.contains("6144") && reason.contains("6143"), "{reason}");
    }
}
