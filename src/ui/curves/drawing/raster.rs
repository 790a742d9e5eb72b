//! Draws curves into an image, which is shown as one textured rectangle until something changes. A frame in which only
//! the play head moves therefore costs the same for any number of curves.

use std::ops::Range;

use egui::{Color32, ColorImage};
use rayon::prelude::*;

use super::polyline::Span;

/// How to draw a curve. Lengths are in physical pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pen {
    pub color: Color32,
    pub opacity: f32,
    pub width: f32,
    /// Length of the dashes and of the gaps between them; `None` for a solid line.
    pub dash: Option<f32>,
    /// Whether everything between the curve and the value 0 is painted too.
    pub fills: bool,
}

/// Some pixel columns of an image. An image is drawn in strips, one beside the other: each fits into the caches of a
/// processor core, and all cores draw at once.
pub(super) struct Strip {
    /// The columns, of an image `width` columns wide.
    columns: Range<usize>,
    width: usize,
    image: ColorImage,
}

const STRIP_WIDTH: usize = 32;

/// Draws some columns of an image of this size: `draw` gets strips, transparent at first.
pub(super) fn draw_columns(
    columns: Range<usize>,
    [width, height]: [usize; 2],
    draw: impl Fn(&mut Strip) + Sync,
) -> ColorImage {
    let count = columns.len().div_ceil(STRIP_WIDTH);
    let strips: Vec<Strip> = (0..count)
        .into_par_iter()
        .map(|index| {
            let first = columns.start + index * STRIP_WIDTH;
            let columns = first..(first + STRIP_WIDTH).min(columns.end);
            let image = ColorImage::filled([columns.len(), height], Color32::TRANSPARENT);
            let mut strip = Strip { columns, width, image };
            draw(&mut strip);
            strip
        })
        .collect();
    let mut pixels = Vec::with_capacity(columns.len() * height);
    for row in 0..height {
        for Strip { columns, image, .. } in &strips {
            pixels.extend_from_slice(&image.pixels[row * columns.len()..(row + 1) * columns.len()]);
        }
    }
    ColorImage::new([columns.len(), height], pixels)
}

impl Strip {
    /// Fills the pixel columns between two positions, at least one.
    pub(super) fn fill_columns(&mut self, [from, to]: [f32; 2], color: Color32) {
        let width = self.width;
        let (from, to) = (from.round().clamp(0.0, width as f32) as usize, to.round().clamp(0.0, width as f32) as usize);
        let filled = from.min(width - 1)..to.max(from + 1).min(width);
        let own = filled.start.max(self.columns.start)..filled.end.min(self.columns.end);
        if own.is_empty() {
            return;
        }
        for row in self.image.pixels.chunks_mut(self.columns.len()) {
            row[own.start - self.columns.start..own.end - self.columns.start].fill(color);
        }
    }

    /// Draws a curve given as one span of values per pixel column of the image; `values` are the values at the bottom
    /// and the top edge.
    pub(super) fn draw(&mut self, outline: &[Span], values: [f32; 2], pen: &Pen) {
        let [width, height] = self.image.size;
        let per_value = height as f32 / (values[1] - values[0]);
        for (x, column) in self.columns.clone().enumerate() {
            let Some(&[low, high]) = outline.get(column) else { return };
            let in_gap = pen.dash.is_some_and(|dash| (column as f32 / dash) as usize % 2 == 1);
            if low > high || in_gap {
                continue;
            }
            let [low, high] = if pen.fills { [low.min(0.0), high.max(0.0)] } else { [low, high] };
            let top = ((values[1] - high) * per_value - pen.width * 0.5).max(0.0);
            let bottom = ((values[1] - low) * per_value + pen.width * 0.5).min(height as f32);
            if top >= bottom {
                continue;
            }
            for row in top as usize..(bottom.ceil() as usize).min(height) {
                let covered = bottom.min(row as f32 + 1.0) - top.max(row as f32);
                let pixel = &mut self.image.pixels[row * width + x];
                *pixel = over(pen.color, (covered * pen.opacity * 256.0) as u32, *pixel);
            }
        }
    }
}

/// Blends a colour over a premultiplied pixel; an `opacity` of 256 is opaque. It uses integers because it runs for
/// every pixel.
fn over(color: Color32, opacity: u32, below: Color32) -> Color32 {
    let opacity = opacity.min(256);
    let mix = |above: u8, below: u8| ((u32::from(above) * opacity + u32::from(below) * (256 - opacity)) >> 8) as u8;
    Color32::from_rgba_premultiplied(
        mix(color.r(), below.r()),
        mix(color.g(), below.g()),
        mix(color.b(), below.b()),
        mix(color.a(), below.a()),
    )
}

#[cfg(test)]
mod tests {
    use super::super::polyline::EMPTY;
    use super::*;

    const PEN: Pen = Pen { color: Color32::WHITE, opacity: 1.0, width: 2.0, dash: None, fills: false };

    fn alpha(image: &ColorImage, column: usize) -> Vec<u8> {
        (0..image.size[1]).map(|row| image.pixels[row * image.size[0] + column].a()).collect()
    }

    fn drawn(size: [usize; 2], draw: impl Fn(&mut Strip) + Sync) -> ColorImage {
        draw_columns(0..size[0], size, draw)
    }

    #[test]
    fn a_range_fills_its_columns_and_never_leaves_the_image() {
        let filled = |range: [f32; 2]| {
            let image = drawn([4, 2], |strip| strip.fill_columns(range, Color32::WHITE));
            (0..4).filter(|&column| alpha(&image, column) == [255, 255]).collect::<Vec<_>>()
        };
        assert_eq!((filled([1.0, 3.0]), filled([-9.0, 1e30])), (vec![1, 2], vec![0, 1, 2, 3]));
        assert_eq!((filled([2.1, 2.2]), filled([f32::NAN, f32::NAN])), (vec![2], vec![0]));
    }

    #[test]
    fn a_line_covers_its_span_and_its_width() {
        let spans = [[0.5, 0.5], [0.45, 0.5], [1.0, 0.0]];
        let image = drawn([3, 10], |strip| strip.draw(&spans, [0.0, 1.0], &PEN));
        assert_eq!(alpha(&image, 0), [0, 0, 0, 0, 255, 255, 0, 0, 0, 0]);
        let half = alpha(&image, 1);
        assert!(half[6].abs_diff(128) <= 1 && half[5] == 255 && half[7] == 0, "{half:?}");
        assert!(alpha(&image, 2).iter().all(|&alpha| alpha == 0), "a reversed span is empty");
    }

    #[test]
    fn an_area_reaches_from_its_spans_to_zero() {
        let area = Pen { width: 0.0, fills: true, ..PEN };
        let image =
            drawn([4, 4], |strip| strip.draw(&[[0.5, 1.0], [-0.5, -0.5], [-0.5, 0.5], EMPTY], [-1.0, 1.0], &area));
        let columns = [0, 1, 2, 3].map(|column| alpha(&image, column));
        assert_eq!(columns, [[255, 255, 0, 0], [0, 0, 255, 0], [0, 255, 255, 0], [0; 4]]);
    }

    #[test]
    fn spans_outside_of_the_image_are_not_drawn_and_dashes_have_gaps() {
        let image = drawn([4, 4], |strip| strip.draw(&[[9.0, 1e30], [-5.0, -4.0]], [0.0, 1.0], &PEN));
        assert!(image.pixels.iter().all(|pixel| pixel.a() == 0));
        let dashes = Pen { dash: Some(1.0), ..PEN };
        let image = drawn([4, 4], |strip| strip.draw(&[[0.5, 0.5]; 9], [0.0, 1.0], &dashes));
        let has_line: Vec<bool> = (0..4).map(|column| alpha(&image, column).contains(&255)).collect();
        assert_eq!(has_line, [true, false, true, false]);
    }

    #[test]
    fn some_columns_are_those_of_the_whole_image() {
        let size = [3 * STRIP_WIDTH + 5, 20];
        let spans: Vec<Span> = (0..size[0]).map(|column| [0.2, 0.3 + 0.005 * column as f32]).collect();
        let draw = |strip: &mut Strip| {
            strip.fill_columns([20.0, 70.0], Color32::GRAY);
            strip.draw(&spans, [0.0, 1.0], &Pen { opacity: 0.5, dash: Some(3.0), ..PEN });
        };
        let whole = drawn(size, draw);
        for columns in [0..1, 31..34, 20..size[0], 7..7] {
            let part = draw_columns(columns.clone(), size, draw);
            assert_eq!(part.size, [columns.len(), size[1]]);
            for (x, column) in columns.enumerate() {
                assert_eq!(alpha(&part, x), alpha(&whole, column), "{column}");
            }
        }
    }
}
