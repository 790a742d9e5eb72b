//! Blending on the CPU allocates nothing after its first evaluations.

#![allow(clippy::unwrap_used, reason = "a test")]

use smirk_face::head::Head;
use smirk_files::import;
use smirk_graphics::blend::{ActiveTargets, BlockList, CpuBlend, Layout, NormalTables, Precision};
use smirk_scene::Normals;
use smirk_support::in_betweens;
use smirk_support::watch::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn blending_on_the_cpu_allocates_nothing_after_its_first_evaluations() {
    for head in [import::embedded().unwrap(), in_betweens::head(3)] {
        check(&head);
    }
}

fn check(head: &Head) {
    // Inside the pool: rayon's queue for calls from outside the pool grows now and then. One thread, because rayon
    // allocates when a thread takes work of another one for the first time: on a busy machine that may be late.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for precision in [Precision::Exact, Precision::Packed] {
        let layout = Layout::new(head, precision);
        let tables = NormalTables::new(head, &layout.order, Normals::Recomputed).unwrap();
        let (mut active, mut cpu) = (ActiveTargets::new(&layout), CpuBlend::new(&layout));
        let mut block_list = BlockList::new(layout.order.block_count());
        let all = vec![0.4; head.target_count()];
        let one = |weight: f32| {
            let mut weights = all.clone();
            weights[3] = weight;
            weights
        };
        // All targets at once, one that moves frame by frame, and some that become 0 and come back.
        let frames = [all.clone(), one(0.5), one(0.6), vec![0.0; all.len()], vec![0.3; all.len()], one(0.0), one(0.2)];
        let mut play = |times: usize| {
            for weights in frames.iter().cycle().take(times * frames.len()) {
                assert!(active.update(&layout, weights), "every frame differs from the one before");
                cpu.evaluate(&layout, &active);
                tables.list_dependents(active.changed_blocks(), &mut block_list);
                cpu.recompute(&layout, &tables, block_list.blocks());
            }
        };
        let taken = pool.install(|| {
            play(2);
            let before = allocations();
            play(5);
            allocations() - before
        });
        assert_eq!(taken, 0, "{}", precision.label());
    }
}
