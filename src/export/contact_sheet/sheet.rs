//! The image of a contact sheet: a heading, and pictures with their names below.

use egui::{Align, Color32};
use image::{Rgba, RgbaImage, imageops};

use super::marks;
use crate::ExportError;
use crate::pictures::{Lettering, sheet_style as style};
use smirk_session::ReviewNote;

pub(super) struct Sheet {
    grid: SheetGrid,
    image: RgbaImage,
    lettering: Lettering,
    /// The size of all names.
    name_px: f32,
}

impl Sheet {
    pub(super) fn new(grid: SheetGrid, title: &str, facts: &str) -> Self {
        let [width, height] = grid.size();
        let mut sheet = Self {
            grid,
            image: RgbaImage::from_pixel(width, height, pixel(style::BACKGROUND)),
            lettering: Lettering::default(),
            name_px: grid.label_px,
        };
        sheet.draw_heading(title, facts);
        sheet
    }

    fn draw_heading(&mut self, title: &str, facts: &str) {
        let SheetGrid { margin, title_px, label_px, heading_height, .. } = self.grid;
        let (left, top) = (margin as f32, margin as f32 * 0.75);
        let width = self.image.width() as f32 - 2.0 * left;
        let title = self.lettering.fit(title, title_px, 14.0_f32.min(title_px), width);
        self.lettering.paint(&mut self.image, &title, [left, top], Align::LEFT, style::TEXT);
        let facts = self.lettering.fit(facts, (label_px * 1.1).round(), 10.0, width);
        let facts_top = top + self.lettering.height_px(title_px);
        self.lettering.paint(&mut self.image, &facts, [left, facts_top], Align::LEFT, style::TEXT_WEAK);
        let line = margin + heading_height - (heading_height as f32 * 0.2) as u32;
        for x in margin..self.image.width() - margin {
            self.image.put_pixel(x, line, pixel(style::LINE));
        }
    }

    /// Gives all names the largest size at which each of them fits below its picture, or the least one.
    pub(super) fn fit_names(&mut self, names: impl IntoIterator<Item = impl AsRef<str>>) {
        let SheetGrid { label_px, cell, .. } = self.grid;
        let least_px = (label_px * 0.7).max(9.0);
        let sizes =
            names.into_iter().map(|name| self.lettering.fit(name.as_ref(), label_px, least_px, cell[0] as f32).size_px);
        self.name_px = sizes.fold(label_px, f32::min);
    }

    /// Draws what a review note has over its picture.
    pub(super) fn mark(&mut self, picture: &mut RgbaImage, note: &ReviewNote) {
        marks::paint(picture, note, &mut self.lettering);
    }

    pub(super) fn place(&mut self, slot: usize, label: &str, picture: &RgbaImage) {
        let [x, y] = self.grid.corner(slot);
        imageops::replace(&mut self.image, picture, i64::from(x), i64::from(y));
        let SheetGrid { cell, label_height, .. } = self.grid;
        let line = self.lettering.fit(label, self.name_px, self.name_px, cell[0] as f32);
        let spare = label_height as f32 - self.lettering.height_px(line.size_px);
        let at = [x as f32 + cell[0] as f32 * 0.5, (y + cell[1]) as f32 + spare * 0.4];
        self.lettering.paint(&mut self.image, &line, at, Align::Center, style::TEXT);
    }

    pub(super) fn into_image(self) -> RgbaImage {
        self.image
    }
}

fn pixel(color: Color32) -> Rgba<u8> {
    Rgba(color.to_array())
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SheetGrid {
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) cell: [u32; 2],
    gap: u32,
    label_px: f32,
    label_height: u32,
    margin: u32,
    title_px: f32,
    heading_height: u32,
}

impl SheetGrid {
    /// The largest side that common hardware and viewers support.
    const MAX_SIDE: u64 = 16_384;
    /// At this size, the sheet takes half a gigabyte while it is drawn.
    const MAX_PIXELS: u64 = 120_000_000;

    /// Sides are limited to this before their product is checked, which must not overflow.
    const OVERFLOW_LIMIT: u64 = 1 << 31;

    /// A grid for `slots` pictures of `cell` pixels in `columns`. Text and gaps are scaled with the size of the cells.
    pub(super) fn new(slots: usize, columns: usize, cell: [u32; 2]) -> Result<Self, ExportError> {
        if slots == 0 || columns == 0 || cell.contains(&0) {
            return Err(failed!(
                "a contact sheet needs at least one picture and one column; this one has {slots} and {columns}"
            ));
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
            let (max_side, max_megapixels) = (Self::MAX_SIDE, Self::MAX_PIXELS / 1_000_000);
            return Err(failed!(
                "the sheet would be {width}×{height} pixels: {slots} pictures of {cell_width}×{cell_height} in {columns} columns. \
                 A sheet has at most {max_side} pixels a side and {max_megapixels} million in all; ask for smaller cells{hint}"
            ));
        }
        Ok(grid)
    }

    /// The number of columns that gives the sheet about the shape of a screen and leaves few slots free. It is even, so
    /// that the two pictures of a pair stay next to each other.
    pub(super) fn columns_for(slots: usize, cell: [u32; 2]) -> usize {
        const SCREEN: f64 = 1.6;
        // More columns would make the sheet wider than any screen.
        let most = ((slots as f64).sqrt() * 3.0) as usize;
        let costs = (2..=most.max(2)).step_by(2).map(|columns| {
            let grid = Self::lay_out(slots, columns, cell);
            let [width, height] = grid.size_u64().map(|side| side as f64);
            let places = (grid.columns * grid.rows).max(1);
            let free = (places - slots.min(places)) as f64 / places as f64;
            (columns, (width / height / SCREEN).ln().abs() + 1.5 * free)
        });
        costs.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(2, |(columns, _)| columns)
    }

    fn lay_out(slots: usize, columns: usize, cell: [u32; 2]) -> Self {
        let unit = cell[0] as f32 / 240.0;
        let label_px = scaled(17.0, 11.0, 40.0, unit);
        let title_px = scaled(34.0, 18.0, 64.0, unit);
        Self {
            columns: columns.min(slots),
            rows: slots.div_ceil(columns),
            cell,
            gap: scaled(10.0, 4.0, 32.0, unit) as u32,
            label_px,
            label_height: (label_px * 2.1).round() as u32,
            margin: scaled(40.0, 16.0, 96.0, unit) as u32,
            title_px,
            heading_height: (title_px * 2.7).round() as u32,
        }
    }

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

    fn corner(&self, slot: usize) -> [u32; 2] {
        let (column, row) = ((slot % self.columns) as u32, (slot / self.columns) as u32);
        [
            self.margin + column * (self.cell[0] + self.gap),
            self.margin + self.heading_height + row * (self.cell[1] + self.label_height + self.gap),
        ]
    }
}

fn scaled(at_240: f32, least: f32, most: f32, unit: f32) -> f32 {
    (at_240 * unit).clamp(least, most).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_names_and_heading_are_on_the_sheet() {
        let grid = SheetGrid::new(4, 2, [120, 150]).unwrap();
        let empty = Sheet::new(grid, "", "").into_image();
        let mut sheet = Sheet::new(grid, "Head", "every expression");
        let red = Rgba([200, 10, 10, 255]);
        sheet.place(3, "mouthSmileLeft", &RgbaImage::from_pixel(120, 150, red));
        let image = sheet.into_image();
        assert_eq!(image.dimensions(), (grid.size()[0], grid.size()[1]));
        let [x, y] = grid.corner(3);
        assert_eq!((image.get_pixel(x, y), image.get_pixel(x + 119, y + 149)), (&red, &red));
        assert_ne!(image.get_pixel(x - 1, y), &red);
        let inked = |x: std::ops::Range<u32>, y: std::ops::Range<u32>| {
            let pixels = y.flat_map(|y| x.clone().map(move |x| (x, y)));
            pixels.filter(|&(x, y)| image.get_pixel(x, y) != empty.get_pixel(x, y)).count()
        };
        assert!(inked(x..x + 120, y + 150..y + 150 + grid.label_height) > 100, "no name");
        assert!(inked(grid.margin..grid.size()[0], 0..grid.margin + grid.heading_height) > 100, "no heading");
        assert_eq!(inked(0..grid.margin, 0..grid.size()[1]), 0, "something is in the margin");
        let [x, y] = grid.corner(2);
        assert_eq!(inked(x..x + 120, y..y + 150 + grid.label_height), 0, "a free slot is not free");
    }

    #[test]
    fn all_names_have_one_size_and_a_long_one_makes_all_smaller() {
        let grid = SheetGrid::new(4, 2, [120, 150]).unwrap();
        let size = |names: &[&str]| {
            let mut sheet = Sheet::new(grid, "", "");
            sheet.fit_names(names);
            sheet.name_px
        };
        assert_eq!(size(&["rest", "jawOpen"]), grid.label_px);
        let (longer, longest) =
            (size(&["rest", "mouthLowerDownRight_corrective"]), size(&["rest", &"long ".repeat(90)]));
        assert!(longer < grid.label_px && longest <= longer && longest >= 9.0, "{longer} {longest}");
    }

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
        let refusal = |slots, columns, cell| SheetGrid::new(slots, columns, cell).unwrap_err().to_string();
        assert!(refusal(usize::MAX / 2, 1, [100, 100]).starts_with("the sheet would be"));
        assert!(refusal(0, 3, [9, 9]).ends_with("this one has 0 and 3"));
        assert!(SheetGrid::new(3, 0, [9, 9]).is_err());
    }
}
