//! The bind group layouts, bind groups and pipeline constants of the morph shaders.

use std::sync::Arc;

use super::shaders::MAX_PAGES;
use super::tables::{MorphTables, Run};
use crate::blend::Layout;
use crate::gpu::{Binding, Gpu, bind_group, bind_group_layout, row, shader_module};

/// The layout of group 1: blocks, entries and `page_count` pages of deltas.
pub(in crate::blend) fn morph_layout(gpu: &Gpu, page_count: usize) -> wgpu::BindGroupLayout {
    let stages = wgpu::ShaderStages::VERTEX | wgpu::ShaderStages::COMPUTE;
    bind_group_layout(&gpu.device, "morph tables", stages, &vec![Binding::StorageRead; 2 + page_count])
}

/// One bind group 1 for each page, which a dispatch over the blocks of that page binds.
pub(in crate::blend) fn page_groups(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    tables: &MorphTables,
) -> Vec<wgpu::BindGroup> {
    tables.deltas.iter().map(|deltas| morph_group(gpu, layout, tables, &[deltas])).collect()
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
    let resources = [&tables.blocks, &tables.entries].into_iter().chain(deltas.iter().copied());
    bind_group(&gpu.device, "morph tables", layout, resources.map(wgpu::Buffer::as_entire_binding))
}

/// The layout of group 0 in the modes that write the vertex buffer: the run, the changed blocks, and `more` from
/// binding 2 on.
pub(in crate::blend) fn run_layout(gpu: &Gpu, label: &str, more: &[Binding]) -> wgpu::BindGroupLayout {
    let bindings = [&[Binding::UniformRow(size_of::<Run>()), Binding::StorageRead], more].concat();
    bind_group_layout(&gpu.device, label, wgpu::ShaderStages::COMPUTE, &bindings)
}

pub(in crate::blend) fn run_group<'a>(
    gpu: &Gpu,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    tables: &'a MorphTables,
    more: [wgpu::BindingResource<'a>; 3],
) -> wgpu::BindGroup {
    let run = [row(&tables.runs, size_of::<Run>()), tables.changed_blocks.as_entire_binding()];
    bind_group(&gpu.device, label, layout, run.into_iter().chain(more))
}

/// The values of the `override`s of `morph/sum.wgsl` for a head.
pub(in crate::blend) fn morph_constants(layout: &Layout) -> Vec<(&'static str, f64)> {
    vec![("MORPH_COMPONENTS", layout.deltas().components() as f64)]
}

/// The values of the `override`s of `morph/sum.wgsl` and `morph/output.wgsl` for a head.
pub(in crate::blend) fn output_constants(layout: &Layout) -> Vec<(&'static str, f64)> {
    let mut constants = morph_constants(layout);
    constants.push(("MORPH_PLACE_COUNT", layout.order.place_count() as f64));
    constants
}

/// A pipeline with that label, source and values of constants, which another head may use already. Labels differ where
/// groups do.
pub(in crate::blend) fn compute_pipeline(
    gpu: &Gpu,
    label: &str,
    source: &str,
    groups: &[Option<&wgpu::BindGroupLayout>],
    constants: &[(&str, f64)],
) -> Arc<wgpu::ComputePipeline> {
    gpu.shared_compute_pipeline(format!("{label} {constants:?} {source}"), || {
        let module = shader_module(&gpu.device, label, source);
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
    })
}

/// Dispatches `workgroups`, in two dimensions if they exceed the adapter's limit for one dimension. The shader does
/// nothing in the excess workgroups.
pub(in crate::blend) fn dispatch(pass: &mut wgpu::ComputePass<'_>, gpu: &Gpu, workgroups: u32) {
    let across = workgroups.min(gpu.device.limits().max_compute_workgroups_per_dimension).max(1);
    pass.dispatch_workgroups(across, workgroups.div_ceil(across), 1);
}
