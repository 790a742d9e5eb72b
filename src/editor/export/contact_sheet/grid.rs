//! The layout of a contact sheet, in pixels.

use thiserror::Error;

/// Why a contact sheet cannot be drawn.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SheetError {
    /// The sheet would have no pictures or no columns.
    #[error("a contact sheet needs at least one picture and one column; this one has {pictures} and {columns}")]
    Empty {
        /// The number of pictures.
        pictures: usize,
        /// The number of columns.
        columns: usize,
    },
    /// The sheet would be larger than other programs can open.
    #[error(
        "the sheet would be {width}×{height} pixels: {slots} pictures of {cell_width}×{cell_height} in {columns} columns. \
         A sheet has at most {max_side} pixels a side and {max_megapixels} million in all; ask for smaller cells{hint}",
        max_side = SheetGrid::MAX_SIDE, max_megapixels = SheetGrid::MAX_PIXELS / 1_000_000
    )]
    TooLarge {
        /// Width in pixels.
        width: u64,
        /// Height in pixels.
        height: u64,
        /// The number of slots.
        slots: usize,
        /// Width of a picture in pixels.
        cell_width: u32,
        /// Height of a picture in pixels.
        cell_height: u32,
        /// Pictures per row.
        columns: usize,
        /// Advice on what else to change.
        hint: &'static str,
    },
}

/// The layout of a contact sheet, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SheetGrid {
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) cell: [u32; 2],
    pub(super) gap: u32,
    pub(super) label_px: f32,
    pub(super) label_height: u32,
    pub(super) margin: u32,
    pub(super) title_px: f32,
    pub(super) heading_height: u32,
}

impl SheetGrid {
    /// The largest side that common hardware and viewers support.
    pub(super) const MAX_SIDE: u64 = 16_384;
    /// At this size, the sheet takes half a gigabyte while it is drawn.
    pub(super) const MAX_PIXELS: u64 = 120_000_000;

    /// Sides are limited to this before their product is checked, which must not overflow.
    const OVERFLOW_LIMIT: u64 = 1 << 31;

    /// A grid for `slots` pictures of `cell` pixels in `columns`. Text and gaps are scaled with the size of the cells.
    pub(super) fn new(slots: usize, columns: usize, cell: [u32; 2]) -> Result<Self, SheetError> {
        if slots == 0 || columns == 0 || cell.contains(&0) {
            return Err(SheetError::Empty { pictures: slots, columns });
        }
        let grid = Self::lay_out(slots, columns, cell);
        let [width, height] = grid.size_u64();
        if width > Self::MAX_SIDE || height > Self::MAX_SIDE || width * height > Self::MAX_PIXELS {
            let hint = match (width > Self::MAX_SIDE, height > Self::MAX_SIDE) {
                (true, false) => ", or fewer columns",
                (false, true) => ", or more columns",
                _ => "",
            };
            let [cell_width, cell_height] = cell;
            return Err(SheetError::TooLarge { width, height, slots, cell_width, cell_height, columns, hint });
        }
        Ok(grid)
    }

    /// The number of columns that gives the sheet about the shape of a screen and leaves few slots free. It is even, so
    /// that the two pictures of a pair stay next to each other.
    pub(super) fn columns_for(slots: usize, cell: [u32; 2]) -> usize {
        const SCREEN: f64 = 1.6;
        let cost = |columns: usize| {
            let grid = Self::lay_out(slots, columns, cell);
            let [width, height] = grid.size_u64().map(|side| side as f64);
            let places = (grid.columns * grid.rows).max(1);
            (width / height / SCREEN).ln().abs() + 1.5 * (places - slots.min(places)) as f64 / places as f64
        };
        // More columns would make the sheet wider than any screen.
        let most = ((slots as f64).sqrt() * 3.0) as usize;
        (1..=most.max(2) / 2).map(|half| half * 2).min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(2)
    }

    fn lay_out(slots: usize, columns: usize, cell: [u32; 2]) -> Self {
        let unit = cell[0] as f32 / 240.0;
        let scaled = |at_240: f32, least: f32, most: f32| (at_240 * unit).clamp(least, most).round();
        let label_px = scaled(17.0, 11.0, 40.0);
        let title_px = scaled(34.0, 18.0, 64.0);
        Self {
            columns: columns.min(slots),
            rows: slots.div_ceil(columns),
            cell,
            gap: scaled(10.0, 4.0, 32.0) as u32,
            label_px,
            label_height: (label_px * 2.1).round() as u32,
            margin: scaled(40.0, 16.0, 96.0) as u32,
            title_px,
            heading_height: (title_px * 2.7).round() as u32,
        }
    }

    /// Width and height of the sheet in pixels.
    pub(super) fn size(&self) -> [u32; 2] {
        // `new` has checked that both sides fit.
        self.size_u64().map(|side| side as u32)
    }

    fn size_u64(&self) -> [u64; 2] {
        let [width, height] = self.cell.map(u64::from);
        let (columns, rows, gap) = (self.columns as u64, self.rows as u64, u64::from(self.gap));
        let margins = u64::from(self.margin) * 2;
        [
            margins + columns.saturating_mul(width + gap).saturating_sub(gap).min(Self::OVERFLOW_LIMIT),
            margins
                + u64::from(self.heading_height)
                + rows
                    .saturating_mul(height + u64::from(self.label_height) + gap)
                    .saturating_sub(gap)
                    .min(Self::OVERFLOW_LIMIT),
        ]
    }

    /// The top left corner of a picture.
    pub(super) fn corner(&self, slot: usize) -> [u32; 2] {
        let (column, row) = ((slot % self.columns) as u32, (slot / self.columns) as u32);
        [
            self.margin + column * (self.cell[0] + self.gap),
            self.margin + self.heading_height + row * (self.cell[1] + self.label_height + self.gap),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_do_not_overlap_and_stay_within_the_margins() {
        for (slots, columns, cell) in [(1, 1, [240, 300]), (56, 12, [240, 300]), (7, 3, [64, 64]), (5, 9, [700, 200])] {
            let grid = SheetGrid::new(slots, columns, cell).unwrap();
            let [width, height] = grid.size();
            let mut taken = vec![false; (width * height) as usize];
            for slot in 0..slots {
                let [x, y] = grid.corner(slot);
                for row in y..y + cell[1] + grid.label_height {
                    for column in x..x + cell[0] {
                        let place = &mut taken[(row * width + column) as usize];
                        assert!(!std::mem::replace(place, true), "{slots} in {columns}: slot {slot} overlaps");
                    }
                }
            }
            let [x, y] = grid.corner(grid.columns - 1);
            assert_eq!(x + cell[0] + grid.margin, width, "the last column ends at the margin");
            assert!(y > grid.heading_height);
            assert!(grid.corner(slots - 1)[1] + cell[1] + grid.label_height + grid.margin == height);
        }
    }

    #[test]
    fn chosen_columns_are_even_and_give_the_sheet_the_shape_of_a_screen() {
        for slots in [20, 54, 56, 70, 240] {
            let cell = [240, 300];
            let columns = SheetGrid::columns_for(slots, cell);
            let [width, height] = SheetGrid::new(slots, columns, cell).unwrap().size().map(f64::from);
            assert!(columns.is_multiple_of(2) && (1.1..2.3).contains(&(width / height)), "{slots}: {width}×{height}");
        }
        assert_eq!(SheetGrid::columns_for(1, [240, 300]), 2);
    }

    #[test]
    fn a_sheet_that_is_too_large_is_refused_with_its_numbers() {
        let message = SheetGrid::new(56, 12, [2048, 2560]).unwrap_err().to_string();
        for number in ["2048×2560", "56 pictures", "12 columns", "16384", "120 million"] {
            assert!(message.contains(number), "{number} is not in {message}");
        }
        assert!(SheetGrid::new(300, 300, [100, 100]).unwrap_err().to_string().contains("fewer columns"));
        assert!(SheetGrid::new(300, 1, [100, 100]).unwrap_err().to_string().contains("more columns"));
        assert!(matches!(SheetGrid::new(usize::MAX / 2, 1, [100, 100]), Err(SheetError::TooLarge { .. })));
        assert_eq!(SheetGrid::new(0, 3, [9, 9]), Err(SheetError::Empty { pictures: 0, columns: 3 }));
        assert!(SheetGrid::new(3, 0, [9, 9]).is_err());
    }
}
