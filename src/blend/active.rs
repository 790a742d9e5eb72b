//! Which columns count at the current weights, and which blocks have changed. Knows no wgpu.
//!
//! The lists are rebuilt only when a weight changes, and by walking the active targets only: a target of weight 0 costs
//! nothing. Once warm, nothing is allocated.

use bytemuck::{Pod, Zeroable};

use super::Layout;
use super::usable_weight;

/// An active target in one block.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Entry {
    /// Its column, counted over the whole head.
    pub column: u32,
    /// Unbounded, never 0.
    pub weight: f32,
}

/// The compact lists.
#[derive(Clone, Debug)]
pub struct Active {
    /// One per target, all finite.
    weights: Vec<f32>,
    /// A block's entries one after the other, by target.
    entries: Vec<Entry>,
    /// Where each block's entries begin, and where the last one's end.
    first_entries: Vec<u32>,
    /// Where each block's next entry goes, while the lists are filled.
    cursors: Vec<u32>,
    /// Per block.
    is_changed: Vec<bool>,
    /// The same as a list, ascending.
    changed_blocks: Vec<u32>,
}

impl Active {
    /// All weights 0, nothing changed.
    pub fn new(layout: &Layout) -> Self {
        Self {
            weights: vec![0.0; layout.target_count()],
            entries: Vec::with_capacity(layout.column_count()),
            first_entries: vec![0; layout.block_count() + 1],
            cursors: vec![0; layout.block_count()],
            is_changed: vec![false; layout.block_count()],
            changed_blocks: Vec::with_capacity(layout.block_count()),
        }
    }

    /// Takes over new weights; false if they are the old ones, and then nothing is touched.
    ///
    /// Changed are the blocks of targets whose weight is not what it was at the last call.
    pub fn update(&mut self, layout: &Layout, weights: &[f32]) -> bool {
        let weights = (0..self.weights.len()).map(|target| usable_weight(weights, target));
        if weights.clone().eq(self.weights.iter().copied()) {
            return false;
        }
        self.is_changed.fill(false);
        for (target, weight) in weights.enumerate() {
            if self.weights[target] != weight {
                self.weights[target] = weight;
                for place in layout.places_of(target) {
                    self.is_changed[place.block as usize] = true;
                }
            }
        }
        self.list_changed();
        self.rebuild(layout);
        true
    }

    /// Marks every block that any target touches, at whatever weight.
    pub fn change_all(&mut self, layout: &Layout) {
        for (block, is_changed) in self.is_changed.iter_mut().enumerate() {
            *is_changed = !layout.columns_of(block).is_empty();
        }
        self.list_changed();
    }

    fn list_changed(&mut self) {
        self.changed_blocks.clear();
        let blocks = self.is_changed.iter().enumerate().filter(|(_, is_changed)| **is_changed);
        self.changed_blocks.extend(blocks.map(|(block, _)| block as u32));
    }

    /// A counting sort of the active targets' places by block; targets keep their order.
    fn rebuild(&mut self, layout: &Layout) {
        let active = || self.weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        self.cursors.fill(0);
        for (target, _) in active() {
            for place in layout.places_of(target) {
                self.cursors[place.block as usize] += 1;
            }
        }
        let mut first = 0;
        for (block, cursor) in self.cursors.iter_mut().enumerate() {
            self.first_entries[block] = first;
            first += std::mem::replace(cursor, first);
        }
        self.first_entries[layout.block_count()] = first;
        self.entries.resize(first as usize, Entry::default());
        for (target, &weight) in active() {
            for place in layout.places_of(target) {
                let cursor = &mut self.cursors[place.block as usize];
                self.entries[*cursor as usize] = Entry { column: place.column, weight };
                *cursor += 1;
            }
        }
    }

    /// All entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Where a block's entries are.
    pub fn entries_of(&self, block: usize) -> std::ops::Range<usize> {
        self.first_entries[block] as usize..self.first_entries[block + 1] as usize
    }

    /// The blocks to blend again, ascending.
    pub fn changed_blocks(&self) -> &[u32] {
        &self.changed_blocks
    }

    /// Whether a block is to be blended again.
    pub fn is_changed(&self, block: usize) -> bool {
        self.is_changed[block]
    }

    /// Most entries of any changed block.
    pub fn longest_list(&self) -> usize {
        self.changed_blocks.iter().map(|&block| self.entries_of(block as usize).len()).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::blend::Precision;
    use crate::head::{Head, Mesh, Target, Vertices};

    /// Three blocks; target 0 touches 0 and 2, target 1 touches 0, target 2 touches 2.
    fn layout() -> Layout {
        let target =
            |rows: &[u32]| Target { rows: rows.to_vec(), positions: vec![Vec3::X; rows.len()], ..Default::default() };
        let mesh = Mesh {
            name: "mesh".into(),
            vertices: Vertices { positions: vec![Vec3::ZERO; 150], ..Default::default() },
            targets: vec![target(&[1, 140]), target(&[2]), target(&[149])],
            ..Mesh::default()
        };
        Layout::new(
            &Head::new("head".into(), vec![mesh], Vec::new(), Vec::new(), Vec::new(), Vec::new()),
            Precision::Exact,
        )
    }

    fn columns(active: &Active, block: usize) -> Vec<(u32, f32)> {
        active.entries()[active.entries_of(block)].iter().map(|entry| (entry.column, entry.weight)).collect()
    }

    #[test]
    fn entries_are_by_block_then_by_target() {
        let layout = layout();
        let mut active = Active::new(&layout);
        assert!(active.update(&layout, &[0.5, -1.0, 2.0]));
        assert_eq!(columns(&active, 0), [(0, 0.5), (1, -1.0)]);
        assert_eq!(columns(&active, 1), []);
        assert_eq!(columns(&active, 2), [(2, 0.5), (3, 2.0)]);
        assert_eq!(active.longest_list(), 2);
    }

    #[test]
    fn weight_zero_and_nonsense_never_appear() {
        let layout = layout();
        let mut active = Active::new(&layout);
        assert!(!active.update(&layout, &[f32::NAN, f32::INFINITY, -0.0]));
        assert!(!active.update(&layout, &[]));
        assert!(active.update(&layout, &[0.0, f32::NEG_INFINITY, 1.0]));
        assert_eq!(active.entries(), [Entry { column: 3, weight: 1.0 }]);
    }

    #[test]
    fn changed_are_the_blocks_of_changed_targets() {
        let layout = layout();
        let mut active = Active::new(&layout);
        active.update(&layout, &[1.0, 1.0, 1.0]);
        assert_eq!(active.changed_blocks(), [0, 2]);
        active.update(&layout, &[1.0, 0.0, 1.0]);
        assert_eq!(active.changed_blocks(), [0]);
        assert!(active.is_changed(0) && !active.is_changed(2));
        active.update(&layout, &[1.0, 0.0, 0.5]);
        assert_eq!(active.changed_blocks(), [2]);
        active.change_all(&layout);
        assert_eq!(active.changed_blocks(), [0, 2]);
    }

    #[test]
    fn the_same_weights_touch_nothing() {
        let layout = layout();
        let mut active = Active::new(&layout);
        active.update(&layout, &[1.0, 0.0, 0.0]);
        assert!(!active.update(&layout, &[1.0, 0.0, 0.0]));
        assert_eq!(active.changed_blocks(), [0, 2]);
    }
}
