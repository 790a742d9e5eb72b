//! The bind group layouts, bind groups and pipeline constants of the morph shaders.

use std::num::NonZeroU64;

use super::shaders::MAX_PAGES;
use super::tables::{MorphTables, Run};
use crate::blend::Layout;
use crate::gpu::Gpu;

/// The layout entry of a storage buffer.
pub(in crate::blend) fn storage(
    binding: u32,
    visibility: wgpu::ShaderStages,
    read_only: bool,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }
}

/// The layout entry of one row of a uniform buffer, which a dynamic offset selects.
pub(in crate::blend) fn uniform_row(binding: u32, row_bytes: usize) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: true,
            min_binding_size: NonZeroU64::new(row_bytes as u64),
        },
        count: None,
    }
}

pub(in crate::blend) fn whole(binding: u32, buffer: &wgpu::Buffer) -> wgpu::BindGroupEntry<'_> {
    wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }
}

/// Binds one row of a buffer, which a dynamic offset selects.
pub(in crate::blend) fn row(binding: u32, buffer: &wgpu::Buffer, row_bytes: usize) -> wgpu::BindGroupEntry<'_> {
    let size = NonZeroU64::new(row_bytes as u64);
    let binding_of = wgpu::BufferBinding { buffer, offset: 0, size };
    wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::Buffer(binding_of) }
}

/// The layout of group 1: blocks, entries and `page_count` pages of deltas.
pub(in crate::blend) fn morph_layout(gpu: &Gpu, page_count: usize) -> wgpu::BindGroupLayout {
    let stages = wgpu::ShaderStages::VERTEX | wgpu::ShaderStages::COMPUTE;
    let entries: Vec<_> = (0..2 + page_count as u32).map(|binding| storage(binding, stages, true)).collect();
    gpu.device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("morph tables"), entries: &entries })
}

/// One bind group 1 for each page, which a dispatch over the blocks of that page binds.
pub(in crate::blend) fn page_groups(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    tables: &MorphTables,
) -> Vec<wgpu::BindGroup> {
    let group = |deltas: &wgpu::Buffer| morph_group(gpu, layout, tables, &[deltas]);
    tables.deltas.iter().map(group).collect()
}

/// The bind group 1 with all pages, for the vertex stage. The bindings after the last page hold the first page.
pub(in crate::blend) fn all_pages_group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    tables: &MorphTables,
) -> wgpu::BindGroup {
    if let [deltas] = tables.deltas.as_slice() {
        return morph_group(gpu, layout, tables, &[deltas]);
    }
    let pages: Vec<_> = tables.deltas.iter().chain(std::iter::repeat(&tables.deltas[0])).take(MAX_PAGES).collect();
    morph_group(gpu, layout, tables, &pages)
}

fn morph_group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    tables: &MorphTables,
    deltas: &[&wgpu::Buffer],
) -> wgpu::BindGroup {
    let mut entries = vec![whole(0, &tables.blocks), whole(1, &tables.entries)];
    entries.extend(deltas.iter().enumerate().map(|(page, deltas)| whole(2 + page as u32, deltas)));
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some("morph tables"), layout, entries: &entries })
}

/// The layout of group 0 in the modes that write the vertex buffer: the run, the changed blocks, and `more` from
/// binding 2 on.
pub(in crate::blend) fn run_layout(
    gpu: &Gpu,
    label: &str,
    more: &[wgpu::BindGroupLayoutEntry],
) -> wgpu::BindGroupLayout {
    let mut entries = vec![uniform_row(0, size_of::<Run>()), storage(1, wgpu::ShaderStages::COMPUTE, true)];
    entries.extend_from_slice(more);
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

/// A bind group for [`run_layout`].
pub(in crate::blend) fn run_group(
    gpu: &Gpu,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    tables: &MorphTables,
    more: &[wgpu::BindGroupEntry<'_>],
) -> wgpu::BindGroup {
    let mut entries = vec![row(0, &tables.runs, size_of::<Run>()), whole(1, &tables.changed_blocks)];
    entries.extend_from_slice(more);
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}

/// The values of the `override`s of `morph/sum.wgsl` for a head.
pub(in crate::blend) fn morph_constants(layout: &Layout) -> Vec<(&'static str, f64)> {
    vec![("MORPH_COMPONENTS", layout.deltas().components() as f64)]
}

/// The values of the `override`s of `morph/sum.wgsl` and `morph/output.wgsl` for a head.
pub(in crate::blend) fn output_constants(layout: &Layout) -> Vec<(&'static str, f64)> {
    let mut constants = morph_constants(layout);
    constants.push(("MORPH_PLACE_COUNT", layout.place_count() as f64));
    constants
}

/// A compute pipeline over the given groups.
pub(in crate::blend) fn compute_pipeline(
    gpu: &Gpu,
    label: &str,
    source: &str,
    groups: &[Option<&wgpu::BindGroupLayout>],
    constants: &[(&str, f64)],
) -> wgpu::ComputePipeline {
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: groups,
        immediate_size: 0,
    });
    gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(label),
        layout: Some(&layout),
        module: &module,
        entry_point: None,
        compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
        cache: None,
    })
}

/// Dispatches `workgroups`, in two dimensions if they exceed the adapter's limit for one dimension. The shader does
/// nothing in the excess workgroups.
pub(in crate::blend) fn dispatch(pass: &mut wgpu::ComputePass<'_>, gpu: &Gpu, workgroups: u32) {
    let across = workgroups.min(gpu.device.limits().max_compute_workgroups_per_dimension).max(1);
    pass.dispatch_workgroups(across, workgroups.div_ceil(across), 1);
}
