//! Splits the deltas into pages of whole blocks, none larger than the adapter can bind.

use std::ops::Range;

use thiserror::Error;

use crate::blend::{BLOCK_SIZE, Layout};

/// Whole blocks whose columns fit into one binding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// The blocks of the page.
    pub blocks: Range<usize>,
    /// The columns of these blocks, counted over the whole head.
    pub columns: Range<usize>,
}

/// Why deltas cannot be split: one block is larger than a page.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{columns} targets touch the same {block_size} vertices: their deltas take {bytes} bytes, and this adapter binds at \
     most {limit}",
    block_size = BLOCK_SIZE
)]
pub(super) struct BlockTooLarge {
    /// The number of the block's columns.
    pub columns: usize,
    /// The bytes they take.
    pub bytes: u64,
    /// The bytes a page may take.
    pub limit: u64,
}

/// Splits the deltas so that no page takes more than `limit` bytes. There is at least one page, even for a head without targets.
pub(super) fn split(layout: &Layout, limit: u64) -> Result<Vec<Page>, BlockTooLarge> {
    let bytes_of = |columns: &Range<usize>| (columns.len() * layout.deltas().column_bytes()) as u64;
    let mut pages = vec![Page { blocks: 0..0, columns: 0..0 }];
    for block in 0..layout.block_count() {
        let columns = layout.columns_of_block(block);
        if bytes_of(&columns) > limit {
            return Err(BlockTooLarge { columns: columns.len(), bytes: bytes_of(&columns), limit });
        }
        let Some(page) = pages.last_mut() else { continue };
        if bytes_of(&(page.columns.start..columns.end)) > limit {
            pages.push(Page { blocks: block..block + 1, columns });
        } else {
            page.blocks.end = block + 1;
            page.columns.end = columns.end;
        }
    }
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::blend::Precision;
    use smirk_face::head::{Asset, Head, Mesh, Target, Vertices};

    /// Four blocks with 2, 1, 0 and 1 columns of 768 bytes.
    fn layout() -> Layout {
        let deltas = vec![Vec3::X; 64];
        let target = Target::from_dense("target".into(), 0.0, &deltas, &[], &[]);
        let mesh = |target_count| Mesh {
            name: "mesh".into(),
            vertices: Vertices { positions: vec![Vec3::ZERO; 64], ..Default::default() },
            targets: vec![target.clone(); target_count],
            ..Mesh::default()
        };
        let meshes = [2, 1, 0, 1].map(mesh).into();
        let head = Head::new(Asset { name: "head".into(), meshes, ..Asset::default() });
        Layout::new(&head, Precision::Exact)
    }

    #[test]
    fn one_page_when_all_fits() {
        assert_eq!(split(&layout(), 4 * 768), Ok(vec![Page { blocks: 0..4, columns: 0..4 }]));
    }

    #[test]
    fn pages_hold_whole_blocks() {
        let cut = |block: usize, column: usize| {
            Ok(vec![Page { blocks: 0..block, columns: 0..column }, Page { blocks: block..4, columns: column..4 }])
        };
        assert_eq!(split(&layout(), 4 * 768 - 1), cut(3, 3));
        assert_eq!(split(&layout(), 2 * 768), cut(1, 2));
    }

    #[test]
    fn a_block_larger_than_a_page_is_an_error_with_numbers() {
        assert_eq!(split(&layout(), 1535), Err(BlockTooLarge { columns: 2, bytes: 1536, limit: 1535 }));
    }
}
