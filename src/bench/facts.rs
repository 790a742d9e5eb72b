//! What an evaluation moves and a layout takes, counted from what the layout says of itself.

use crate::blend::{Active, BLOCK_SIZE, Layout};

/// Bytes an evaluation of the changed blocks must move: lists, columns, base and output.
pub fn evaluation_bytes(layout: &Layout, active: &Active) -> u64 {
    const ENTRY_BYTES: u64 = 8;
    let column_bytes = layout.delta_bytes() / (layout.column_count() as u64).max(1);
    let block_bytes = (BLOCK_SIZE as u64) * u64::from(layout.vertex_floats()) * 4;
    let changed = active.changed_blocks();
    let entries: usize = changed.iter().map(|&block| active.entries_of(block as usize).len()).sum();
    changed.len() as u64 * 2 * block_bytes + entries as u64 * (column_bytes + ENTRY_BYTES)
}

/// All of a layout's memory.
pub fn layout_bytes(layout: &Layout) -> u64 {
    layout.delta_bytes() + u64::from(layout.vertex_count()) * u64::from(layout.vertex_floats()) * 4
}

/// All of a head's memory on the adapter: deltas, base and output.
pub fn gpu_bytes(layout: &Layout) -> u64 {
    layout_bytes(layout) + u64::from(layout.vertex_count()) * u64::from(layout.vertex_floats()) * 4
}
