//! The image of a contact sheet: a heading, and pictures with their names below.

use egui::{Align, Color32};
use image::{Rgba, RgbaImage, imageops};

use super::grid::SheetGrid;
use crate::export::pictures::{Lettering, sheet_style as style};

/// The image of a contact sheet while its pictures are added.
pub(super) struct Sheet {
    grid: SheetGrid,
    image: RgbaImage,
    lettering: Lettering,
}

impl Sheet {
    /// An empty sheet with its heading: a title, and facts below it.
    pub(super) fn new(grid: SheetGrid, title: &str, facts: &str) -> Self {
        let [width, height] = grid.size();
        let mut sheet = Self {
            grid,
            image: RgbaImage::from_pixel(width, height, pixel(style::BACKGROUND)),
            lettering: Lettering::default(),
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

    /// Copies a picture of the grid's cell size into its slot, with its name below.
    pub(super) fn place(&mut self, slot: usize, label: &str, picture: &RgbaImage) {
        let [x, y] = self.grid.corner(slot);
        imageops::replace(&mut self.image, picture, i64::from(x), i64::from(y));
        let SheetGrid { cell, label_px, label_height, .. } = self.grid;
        let line = self.lettering.fit(label, label_px, (label_px * 0.7).max(9.0), cell[0] as f32);
        let spare = label_height as f32 - self.lettering.height_px(line.size_px);
        let at = [x as f32 + cell[0] as f32 * 0.5, (y + cell[1]) as f32 + spare * 0.4];
        self.lettering.paint(&mut self.image, &line, at, Align::Center, style::TEXT);
    }

    /// Draws an empty frame in a slot that is left free.
    pub(super) fn leave_free(&mut self, slot: usize) {
        let ([left, top], [width, height]) = (self.grid.corner(slot), self.grid.cell);
        let (right, bottom) = (left + width - 1, top + height - 1);
        let across = (left..=right).flat_map(|x| [(x, top), (x, bottom)]);
        let down = (top..=bottom).flat_map(|y| [(left, y), (right, y)]);
        across.chain(down).for_each(|(x, y)| self.image.put_pixel(x, y, pixel(style::FREE_SLOT)));
    }

    /// The image with the pictures added so far.
    pub(super) fn into_image(self) -> RgbaImage {
        self.image
    }
}

fn pixel(color: Color32) -> Rgba<u8> {
    Rgba(color.to_array())
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
}
