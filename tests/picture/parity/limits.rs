//! Heads that do not fit in one binding or one dispatch.

use std::sync::Arc;

use smirk_graphics::blend::{Blender, Layout, Precision, shaders};
use smirk_scene::BlendMode;

use crate::parity::{assert_parity_of, deviation, several_meshes, weight_vectors};
use smirk_support::synthetic::{self, Recipe};
use smirk_support::tolerance::is_within;
use smirk_support::{software_gpu, software_gpu_with};

#[test]
fn deltas_in_several_pages() {
    let gpu = software_gpu();
    let head = several_meshes();
    for precision in [Precision::Exact, Precision::Packed] {
        let layout = Arc::new(Layout::new(&head, precision));
        let column_bytes = layout.deltas().column_bytes() as u64;
        let column_count = layout.deltas().bytes() / column_bytes;
        let mut blender = Blender::with_page_limit(&gpu, layout.clone(), column_bytes * column_count.div_ceil(4));
        assert_parity_of(&gpu, &head, &mut blender, &weight_vectors(17));
    }
}

#[test]
fn a_delta_in_the_wrong_page_is_caught() {
    let gpu = software_gpu();
    let (head, mut planted) = (several_meshes(), several_meshes());
    let target = &mut planted.asset.meshes[0].targets[0];
    let last = target.positions.len() - 1;
    assert!(target.rows[0] / 64 < target.rows[last] / 64, "in different blocks, hence pages");
    target.positions.swap(0, last);
    let layout = Arc::new(Layout::new(&planted, Precision::Exact));
    let fullest = (0..layout.order.block_count()).map(|block| layout.columns_of_block(block).len()).max().unwrap();
    let limit = (fullest * layout.deltas().column_bytes()) as u64;
    let mut blender = Blender::with_page_limit(&gpu, layout, limit);
    let weights = vec![1.0; 17];
    let uses_pages = |mode: &BlendMode| mode.needs_adapter() && blender.unavailable(*mode).is_none();
    let modes: Vec<BlendMode> = BlendMode::ALL.iter().copied().filter(uses_pages).collect();
    assert!(!modes.is_empty(), "no mode reads the pages");
    for mode in modes {
        let deviation = deviation(&gpu, &head, &mut blender, &weights, mode);
        assert!(!is_within(Precision::Exact, &weights, &deviation), "{}: {deviation:?}", mode.label());
    }
}

/// Small bindings, and dispatches that are too short for the head, as for a huge head on a real adapter.
#[test]
fn an_adapter_with_small_limits() {
    const MOST_ACROSS: u32 = 3;
    let gpu = software_gpu_with(|limits| {
        limits.max_compute_workgroups_per_dimension = MOST_ACROSS;
        limits.max_storage_buffer_binding_size = 128 * 1024;
    });
    let head = synthetic::head(13, &[Recipe::new(2000, 9)]);
    let layout = Arc::new(Layout::new(&head, Precision::Exact));
    let workgroups = layout.order.block_count() / shaders::BLOCKS_PER_WORKGROUP as usize;
    assert!(workgroups > 2 * MOST_ACROSS as usize, "two rows of workgroups are not enough");
    assert!(layout.deltas().bytes() > 2 * 128 * 1024);
    assert_parity_of(&gpu, &head, &mut Blender::new(&gpu, layout), &weight_vectors(9));
}

#[test]
fn more_pages_than_the_vertex_stage_can_bind() {
    let gpu = software_gpu();
    let head = synthetic::head(13, &[Recipe { reach: 0.2, ..Recipe::new(2000, 9) }]);
    let layout = Arc::new(Layout::new(&head, Precision::Exact));
    let fullest = (0..layout.order.block_count()).map(|block| layout.columns_of_block(block).len()).max().unwrap();
    let limit = (fullest * layout.deltas().column_bytes()) as u64;
    let mut blender = Blender::with_page_limit(&gpu, layout, limit);
    let reason = blender.unavailable(BlendMode::Vertex).unwrap().to_string();
    assert!(reason.contains("at most 8"), "{reason}");
    let weights = vec![0.4; 9];
    for &mode in BlendMode::ALL {
        let deviation = deviation(&gpu, &head, &mut blender, &weights, mode);
        assert!(is_within(Precision::Exact, &weights, &deviation), "{}: {deviation:?}", mode.label());
    }
}

/// `blend` does not check the limit of bind groups itself. If there are too few, wgpu refuses to create the pipelines.
#[test]
fn pipelines_that_wgpu_refuses_leave_the_cpu() {
    let gpu = software_gpu_with(|limits| limits.max_bind_groups = 1);
    let head = synthetic::head(13, &[Recipe::new(100, 9)]);
    let layout = Arc::new(Layout::new(&head, Precision::Exact));
    let mut blender = Blender::new(&gpu, layout.clone());
    for mode in BlendMode::ALL.iter().copied().filter(|mode| mode.needs_adapter()) {
        let reason = blender.unavailable(mode).unwrap().to_string();
        assert!(reason.contains("deltas") && reason.contains("group"), "{reason}");
    }
    assert_eq!(blender.memory().gpu_bytes, 2 * size_of_val(layout.order.base()) as u64, "the vertices alone");
    let weights = vec![0.4; 9];
    let deviation = deviation(&gpu, &head, &mut blender, &weights, BlendMode::Compute);
    assert!(is_within(Precision::Exact, &weights, &deviation), "{deviation:?}");
}

#[test]
fn a_limit_below_one_block_leaves_the_cpu() {
    let gpu = software_gpu();
    let head = synthetic::head(13, &[Recipe::new(100, 9)]);
    let mut blender = Blender::with_page_limit(&gpu, Arc::new(Layout::new(&head, Precision::Exact)), 1000);
    for mode in BlendMode::ALL.iter().copied().filter(|mode| mode.needs_adapter()) {
        let reason = blender.unavailable(mode).unwrap().to_string();
        assert!(reason.contains("1000"), "{reason}");
    }
    let weights = vec![0.4; 9];
    let deviation = deviation(&gpu, &head, &mut blender, &weights, BlendMode::Compute);
    assert!(is_within(Precision::Exact, &weights, &deviation), "{deviation:?}");
}
