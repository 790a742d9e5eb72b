//! Once warm, an evaluation on the processor allocates nothing.

#![allow(clippy::unwrap_used, reason = "a test")]

use smirk::blend::{ActiveTargets, BlockList, CpuBlend, Layout, NormalTables, Normals, Precision};
use smirk::import;
use smirk_support::watch::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_warm_evaluation_allocates_nothing() {
    let head = import::embedded().unwrap();
    // On the pool's own threads: rayon's queue for calls from outside grows now and then.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for precision in [Precision::Exact, Precision::Packed] {
        let layout = Layout::new(&head, precision);
        let tables = NormalTables::new(&head, &layout, Normals::Recomputed).unwrap();
        let (mut active, mut cpu) = (ActiveTargets::new(&layout), CpuBlend::new(&layout));
        let mut block_list = BlockList::new(layout.block_count());
        let all = vec![0.4; layout.target_count()];
        let one = |weight: f32| {
            let mut weights = all.clone();
            weights[3] = weight;
            weights
        };
        // All at once, one under a hand, some that come and go.
        let frames = [all.clone(), one(0.5), one(0.6), vec![0.0; all.len()], vec![0.3; all.len()], one(0.0), one(0.2)];
        let mut play = |times: usize| {
            for weights in frames.iter().cycle().take(times * frames.len()) {
                assert!(active.update(&layout, weights), "every frame is another");
                cpu.evaluate(&layout, &active);
                tables.list_after(active.changed_blocks(), &mut block_list);
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
