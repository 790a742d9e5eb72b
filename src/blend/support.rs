//! What an adapter's limits allow for a head, in words an artist can act on. Knows wgpu's limits and nothing else of it.

use super::active::Entry;
use super::buffers::sum_bytes;
use super::in_shader::bound_pages;
use super::pages::{self, Page};
use super::shaders::MAX_PAGES;
use super::{BLOCK_SIZE, Layout};

/// Storage buffers of the hungriest compute stage: two of its own, the list of changed blocks, three morph tables.
const COMPUTE_STORAGE_BUFFERS: u32 = 6;

/// How deltas are cut, and why a mode cannot be had.
pub(super) struct Support {
    /// None if no mode on the GPU can be had.
    pub pages: Option<Vec<Page>>,
    pub vertex: Option<String>,
    pub compute: Option<String>,
    pub multipass: Option<String>,
}

/// Asks for every mode. No page takes more than `page_limit` bytes, whatever the adapter allows.
pub(super) fn find(limits: &wgpu::Limits, layout: &Layout, page_limit: u64) -> Support {
    let binding_limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    // The shaders count floats in 32 bits.
    let index_limit = u64::from(u32::MAX) * size_of::<f32>() as u64;
    let pages = pages::split(layout, page_limit.min(binding_limit).min(index_limit));
    let entry_bytes = (layout.column_count() * size_of::<Entry>()) as u64;
    let shared = match &pages {
        Err(error) => Some(error.to_string()),
        Ok(_) => too_large("lists of active targets", entry_bytes, binding_limit),
    };
    let page_count = pages.as_ref().map_or(1, Vec::len);
    let vertex_bytes = size_of_val(layout.base()) as u64;
    let compute =
        shared.clone().or_else(|| compute_stage(limits)).or_else(|| too_large("vertices", vertex_bytes, binding_limit));
    let multipass = compute.clone().or_else(|| too_large("sums", sum_bytes(layout), binding_limit));
    let vertex = shared.clone().or_else(|| vertex_stage(limits, page_count));
    Support { pages: pages.ok().filter(|_| shared.is_none()), vertex, compute, multipass }
}

fn too_large(what: &str, bytes: u64, limit: u64) -> Option<String> {
    (bytes > limit).then(|| format!("this head's {what} take {bytes} bytes, and this adapter binds at most {limit}"))
}

fn compute_stage(limits: &wgpu::Limits) -> Option<String> {
    let buffers = limits.max_storage_buffers_per_shader_stage;
    let lanes = limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
    if buffers < COMPUTE_STORAGE_BUFFERS {
        return Some(format!(
            "it needs {COMPUTE_STORAGE_BUFFERS} storage buffers at once, and this adapter has {buffers}"
        ));
    }
    ((lanes as usize) < BLOCK_SIZE)
        .then(|| format!("it needs workgroups of {BLOCK_SIZE}, and this adapter's have at most {lanes}"))
}

fn vertex_stage(limits: &wgpu::Limits, page_count: usize) -> Option<String> {
    if page_count > MAX_PAGES {
        return Some(format!(
            "this head's deltas fill {page_count} of the largest buffers this adapter binds, and the vertex shader reads \
             at most {MAX_PAGES}"
        ));
    }
    let (needed, available) = (2 + bound_pages(page_count), limits.max_storage_buffers_per_shader_stage as usize);
    (needed > available)
        .then(|| format!("it needs {needed} storage buffers in the vertex shader, and this adapter has {available}"))
}
