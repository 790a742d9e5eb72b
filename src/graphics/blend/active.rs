//! The targets whose weight is not zero, block by block, and the blocks that changed. Nothing here uses wgpu.
//!
//! The lists are rebuilt only when a weight becomes zero or stops being zero, by one walk over the blocks and the
//! active targets; a target of weight 0 costs nothing. Otherwise a new weight is one number in a table. After the first
//! updates nothing is allocated.
//!
//! While an artist drags one slider, the same few targets change from update to update: the *moving set*,
//! [`ActiveTargets::moving`]. The sum of all other targets stays the same, so that modes can cache it and add only the
//! moving set. [`ActiveTargets::moving_set_version`] changes when such a cached sum is no longer valid.

use super::layout::{BLOCK_SIZE, Layout};
use super::usable_weight;

/// If more targets than this change at once, there is no moving set.
const MAX_MOVING: usize = 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActiveEntry {
    /// Its column, counted over the whole head.
    pub column: u32,
    /// Index into [`ActiveTargets::weights`].
    pub target: u32,
}

/// The lists of one head under the weights of the last update.
#[derive(Clone, Debug)]
pub struct ActiveTargets {
    weights: Vec<f32>,
    /// The weights of the last update if the head has in-betweens, which count as targets here; else empty.
    of_shapes: Vec<f32>,
    entries: Vec<ActiveEntry>,
    /// The index at which each block's entries begin, and, as a last element, the end of the last block's entries.
    first_entries: Vec<u32>,
    /// The index at which each block's next entry is written while the lists are filled.
    cursors: Vec<u32>,
    /// One bit per block: whether it changed in the last update.
    is_changed: Vec<u64>,
    changed_blocks: Vec<u32>,
    moving: Vec<u32>,
    moved_before: Vec<u32>,
    moving_set_version: u64,
    rebuilds: u64,
}

impl ActiveTargets {
    /// Lists for a head at rest: all weights are 0 and no block is changed.
    pub fn new(layout: &Layout) -> Self {
        Self {
            weights: vec![0.0; layout.shape_count()],
            of_shapes: Vec::new(),
            entries: Vec::with_capacity(layout.column_count()),
            first_entries: vec![0; layout.order.block_count() + 1],
            cursors: vec![0; layout.order.block_count()],
            is_changed: vec![0; layout.order.block_words()],
            changed_blocks: Vec::with_capacity(layout.order.block_count()),
            moving: Vec::with_capacity(layout.shape_count()),
            moved_before: Vec::with_capacity(layout.shape_count()),
            moving_set_version: 0,
            rebuilds: 0,
        }
    }

    /// Sets the weights, one per target of the head. Returns false, and changes nothing, if they are those of the last
    /// update.
    ///
    /// Afterwards the changed blocks are those that a target with a new weight touches.
    pub fn update(&mut self, layout: &Layout, weights: &[f32]) -> bool {
        let mut of_shapes = std::mem::take(&mut self.of_shapes);
        let is_changed = self.set(layout, layout.shapes().weights(weights, &mut of_shapes));
        self.of_shapes = of_shapes;
        is_changed
    }

    fn set(&mut self, layout: &Layout, weights: &[f32]) -> bool {
        let weights = (0..self.weights.len()).map(|target| usable_weight(weights, target));
        if weights.clone().eq(self.weights.iter().copied()) {
            return false;
        }
        self.is_changed.fill(0);
        std::mem::swap(&mut self.moving, &mut self.moved_before);
        self.moving.clear();
        let mut is_another_set = false;
        for (target, weight) in weights.enumerate() {
            let before = std::mem::replace(&mut self.weights[target], weight);
            if before != weight {
                is_another_set |= (before == 0.0) != (weight == 0.0);
                self.moving.push(target as u32);
                let touched = layout.blocks_of(target);
                self.is_changed.iter_mut().zip(touched).for_each(|(changed, touched)| *changed |= touched);
            }
        }
        self.list_changed();
        if is_another_set {
            self.rebuild(layout);
        }
        // If the moving targets have a large share of the entries, caching the sum of the others takes longer than it
        // saves.
        if self.moving.len() > MAX_MOVING || self.moving_columns(layout) * 3 > self.changed_entries() {
            self.moving.clear();
        }
        if self.moving.is_empty() || self.moving != self.moved_before {
            self.moving_set_version += 1;
        }
        true
    }

    /// Marks every block that any target touches as changed, whatever its weight.
    pub fn change_all(&mut self, layout: &Layout) {
        self.is_changed.fill(0);
        for block in (0..layout.order.block_count()).filter(|&block| !layout.columns_of_block(block).is_empty()) {
            self.is_changed[block / 64] |= 1 << (block % 64);
        }
        self.list_changed();
        self.moving.clear();
        self.moving_set_version += 1;
    }

    pub fn change_also(&mut self, blocks: &[u32]) {
        blocks.iter().for_each(|&block| self.is_changed[block as usize / 64] |= 1 << (block % 64));
        self.list_changed();
    }

    fn list_changed(&mut self) {
        self.changed_blocks.clear();
        for (first, &word) in (0..).step_by(64).zip(&self.is_changed) {
            let mut left = word;
            while left != 0 {
                self.changed_blocks.push(first + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }

    fn moving_columns(&self, layout: &Layout) -> usize {
        self.moving.iter().map(|&target| layout.columns_of_target(target as usize).len()).sum()
    }

    /// A counting sort of the active targets' columns by block; within a block they are in the order of the targets.
    fn rebuild(&mut self, layout: &Layout) {
        let active = || self.weights.iter().zip(0..).filter(|(weight, _)| **weight != 0.0).map(|(_, target)| target);
        self.cursors.fill(0);
        for target in active() {
            for place in layout.columns_of_target(target as usize) {
                self.cursors[place.block as usize] += 1;
            }
        }
        let mut first = 0;
        for (block, cursor) in self.cursors.iter_mut().enumerate() {
            self.first_entries[block] = first;
            first += std::mem::replace(cursor, first);
        }
        self.first_entries[layout.order.block_count()] = first;
        self.entries.resize(first as usize, ActiveEntry::default());
        for target in active() {
            for place in layout.columns_of_target(target as usize) {
                let cursor = &mut self.cursors[place.block as usize];
                self.entries[*cursor as usize] = ActiveEntry { column: place.column, target };
                *cursor += 1;
            }
        }
        self.rebuilds += 1;
    }

    /// The weights, one per target, then one per in-between. They are finite but not limited to 0..1.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The entries of all blocks, one block after the other; within a block in the order of the targets.
    pub fn entries(&self) -> &[ActiveEntry] {
        &self.entries
    }

    /// The range of [`Self::entries`] that belongs to a block.
    pub fn entries_of(&self, block: usize) -> std::ops::Range<usize> {
        self.first_entries[block] as usize..self.first_entries[block + 1] as usize
    }

    pub fn entries_of_target(&self, block: usize, target: u32) -> impl Iterator<Item = &ActiveEntry> {
        let entries = &self.entries[self.entries_of(block)];
        let first = entries.partition_point(|entry| entry.target < target);
        entries[first..].iter().take_while(move |entry| entry.target == target)
    }

    /// How often the entries have been rebuilt. While this number stays the same, only weights have changed.
    pub fn rebuilds(&self) -> u64 {
        self.rebuilds
    }

    /// The moving set: the targets that changed in the last update, ascending. Empty if there are so many that a cached
    /// sum of the others would save nothing.
    pub fn moving(&self) -> &[u32] {
        &self.moving
    }

    /// Counts the changes of the moving set. While this number stays the same, all targets but [`Self::moving`] have
    /// kept their weights, and a cached sum of them is valid.
    pub fn moving_set_version(&self) -> u64 {
        self.moving_set_version
    }

    /// The blocks to blend again, ascending.
    pub fn changed_blocks(&self) -> &[u32] {
        &self.changed_blocks
    }

    pub fn is_changed(&self, block: usize) -> bool {
        self.is_changed[block / 64] >> (block % 64) & 1 == 1
    }

    /// The block at which to cut `blocks` so that `left_parts` of `parts` equal shares of their work come before it.
    pub fn cut(&self, blocks: std::ops::Range<usize>, left_parts: usize, parts: usize) -> usize {
        // Writing a block's vertices takes about as long as summing two entries.
        let work = |block: usize| self.first_entries[block] as usize + 2 * block;
        let (before, all) = (work(blocks.start), work(blocks.end) - work(blocks.start));
        let wanted = before + all * left_parts / parts;
        let (mut low, mut high) = (blocks.start, blocks.end);
        while low < high {
            let middle = (low + high) / 2;
            if work(middle) < wanted { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The number of entries in all changed blocks, which is the number of columns to be added.
    pub fn changed_entries(&self) -> usize {
        self.changed_blocks.iter().map(|&block| self.entries_of(block as usize).len()).sum()
    }

    /// The largest number of entries of any changed block.
    pub fn longest_list(&self) -> usize {
        self.changed_blocks.iter().map(|&block| self.entries_of(block as usize).len()).max().unwrap_or(0)
    }

    /// Bytes that blending the changed blocks reads and writes at least: their lists and columns, the base and the
    /// vertices.
    pub fn bytes(&self, layout: &Layout) -> u64 {
        let per_entry = size_of::<ActiveEntry>() + layout.deltas().column_bytes();
        let per_block = 2 * layout.deltas().components() * BLOCK_SIZE * size_of::<f32>();
        (self.changed_entries() * per_entry + self.changed_blocks.len() * per_block) as u64
    }

    /// The same for a mode that caches sums ([`BlendMode::caches_sums`](smirk_scene::BlendMode::caches_sums)): it reads
    /// one sum per block in place of the columns of all targets that are not moving.
    pub fn bytes_with_cached_sums(&self, layout: &Layout) -> u64 {
        if self.moving.is_empty() {
            return self.bytes(layout);
        }
        let per_entry = size_of::<ActiveEntry>() + layout.deltas().column_bytes();
        let sums = self.changed_blocks.len() * layout.deltas().column_numbers() * size_of::<f32>();
        self.bytes(layout) - (self.changed_entries() * per_entry) as u64
            + (self.moving_columns(layout) * per_entry + sums) as u64
    }
}

#[cfg(test)]
pub(super) mod tests {
    use glam::Vec3;

    use super::*;
    use crate::blend::Precision;
    use smirk_face::head::{Head, Mesh, Target, Vertices};

    /// Target 0 touches all of blocks 0 and 1, target 1 all of block 0, target 2 all of block 1; no target touches
    /// block 2.
    fn layout() -> Layout {
        let target = |rows: std::ops::Range<u32>| Target {
            positions: vec![Vec3::X; rows.len()],
            rows: rows.collect(),
            ..Default::default()
        };
        let moved = Mesh {
            name: "moved".into(),
            vertices: Vertices { positions: vec![Vec3::ZERO; 128], ..Default::default() },
            targets: vec![target(0..128), target(0..64), target(64..128)],
            ..Mesh::default()
        };
        let still = Mesh { targets: Vec::new(), ..moved.clone() };
        let head = Head::from_meshes(vec![moved, still]);
        Layout::new(&head, Precision::Exact)
    }

    fn entries(active: &ActiveTargets, block: usize) -> Vec<(u32, u32)> {
        active.entries()[active.entries_of(block)].iter().map(|entry| (entry.column, entry.target)).collect()
    }

    #[test]
    fn entries_are_by_block_then_by_target() {
        let layout = layout();
        let mut active = ActiveTargets::new(&layout);
        assert!(active.update(&layout, &[0.5, -1.0, 2.0]));
        assert_eq!(entries(&active, 0), [(0, 0), (1, 1)]);
        assert_eq!(entries(&active, 1), [(2, 0), (3, 2)]);
        assert_eq!(entries(&active, 2), []);
        assert_eq!(active.weights(), [0.5, -1.0, 2.0]);
        assert_eq!((active.longest_list(), active.changed_entries()), (2, 4));
    }

    #[test]
    fn weights_that_are_zero_or_not_finite_have_no_entries() {
        let layout = layout();
        let mut active = ActiveTargets::new(&layout);
        assert!(!active.update(&layout, &[f32::NAN, f32::INFINITY, -0.0]));
        assert!(!active.update(&layout, &[]));
        assert!(active.update(&layout, &[0.0, f32::NEG_INFINITY, 1.0]));
        assert_eq!(active.entries(), [ActiveEntry { column: 3, target: 2 }]);
    }

    #[test]
    fn changed_are_the_blocks_of_changed_targets() {
        let layout = layout();
        let mut active = ActiveTargets::new(&layout);
        active.update(&layout, &[1.0, 1.0, 1.0]);
        assert_eq!(active.changed_blocks(), [0, 1]);
        active.update(&layout, &[1.0, 0.0, 1.0]);
        assert_eq!(active.changed_blocks(), [0]);
        assert!(active.is_changed(0) && !active.is_changed(1));
        active.update(&layout, &[1.0, 0.0, 0.5]);
        assert_eq!(active.changed_blocks(), [1]);
        // Two columns of 64 positions and their entries; base and vertices of one block.
        assert_eq!(active.bytes(&layout), 2 * (64 * 12 + 8) + 2 * 64 * 12);
        active.change_all(&layout);
        assert_eq!(active.changed_blocks(), [0, 1]);
    }

    #[test]
    fn only_another_set_of_targets_rebuilds_the_lists() {
        let layout = layout();
        let mut active = ActiveTargets::new(&layout);
        active.update(&layout, &[1.0, 0.0, 0.0]);
        assert!(!active.update(&layout, &[1.0, 0.0, 0.0]));
        assert_eq!((active.changed_blocks(), active.rebuilds()), ([0, 1].as_slice(), 1));
        active.update(&layout, &[0.3, 0.0, 0.0]);
        assert_eq!(active.rebuilds(), 1);
        active.update(&layout, &[0.3, 0.1, 0.0]);
        assert_eq!(active.rebuilds(), 2);
    }

    /// Six targets, of which one alone is a moving set.
    pub(crate) fn six_targets_on_a_block() -> Layout {
        let deltas = vec![Vec3::X; 64];
        let mesh = Mesh {
            vertices: Vertices { positions: deltas.clone(), ..Default::default() },
            targets: vec![Target::from_dense("target".into(), 0.0, &deltas, &[], &[]); 6],
            ..Mesh::default()
        };
        let head = Head::from_meshes(vec![mesh]);
        Layout::new(&head, Precision::Exact)
    }

    #[test]
    fn a_few_targets_that_change_are_the_moving_set() {
        let layout = six_targets_on_a_block();
        let mut active = ActiveTargets::new(&layout);
        let mut weights = [1.0; 6];
        active.update(&layout, &weights);
        assert!(active.moving().is_empty(), "all of them are too many");
        weights[1] = 0.5;
        active.update(&layout, &weights);
        let version = active.moving_set_version();
        assert_eq!(active.moving(), [1]);
        // One column, one sum, base and vertices, instead of six columns, base and vertices.
        assert!(active.bytes_with_cached_sums(&layout) < active.bytes(&layout));
        weights[1] = 0.4;
        active.update(&layout, &weights);
        assert_eq!((active.moving(), active.moving_set_version()), ([1].as_slice(), version));
        weights[0] = 0.9;
        active.update(&layout, &weights);
        assert!(active.moving_set_version() != version, "another target moves");
        let version = active.moving_set_version();
        active.change_all(&layout);
        assert!(active.moving_set_version() != version && active.moving().is_empty());
    }
}
