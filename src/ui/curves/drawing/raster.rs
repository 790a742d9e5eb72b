//! Draws curves into an image, which is shown as one textured rectangle until something changes. A frame in which only
//! the play head moves therefore costs the same for any number of curves.

use egui::{Color32, ColorImage};

use super::polyline::Span;

/// How to draw a curve. Lengths are in physical pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pen {
    /// The colour, opaque.
    pub color: Color32,
    /// Opacity from 0 to 1.
    pub opacity: f32,
    /// Width of the line.
    pub width: f32,
    /// Length of the dashes and of the gaps between them; `None` for a solid line.
    pub dash: Option<f32>,
}

/// A transparent image.
pub(super) fn blank([width, height]: [usize; 2]) -> ColorImage {
    ColorImage::filled([width, height], Color32::TRANSPARENT)
}

/// Fills the pixel columns between two positions, at least one.
pub(super) fn fill_columns(image: &mut ColorImage, [from, to]: [f32; 2], color: Color32) {
    let [width, _] = image.size;
    let (from, to) = (from.round().clamp(0.0, width as f32) as usize, to.round().clamp(0.0, width as f32) as usize);
    for row in image.pixels.chunks_mut(width) {
        row[from.min(width - 1)..to.max(from + 1).min(width)].fill(color);
    }
}

/// Draws a curve given as one span of values per pixel column; `values` are the values at the bottom and the top edge
/// of the image.
pub(super) fn draw(image: &mut ColorImage, outline: &[Span], values: [f32; 2], pen: &Pen) {
    let [width, height] = image.size;
    let per_value = height as f32 / (values[1] - values[0]);
    for (column, &[low, high]) in outline.iter().enumerate().take(width) {
        let in_gap = pen.dash.is_some_and(|dash| (column as f32 / dash) as usize % 2 == 1);
        if low > high || in_gap {
            continue;
        }
        let top = ((values[1] - high) * per_value - pen.width * 0.5).max(0.0);
        let bottom = ((values[1] - low) * per_value + pen.width * 0.5).min(height as f32);
        if top >= bottom {
            continue;
        }
        for row in top as usize..(bottom.ceil() as usize).min(height) {
            let covered = bottom.min(row as f32 + 1.0) - top.max(row as f32);
            let pixel = &mut image.pixels[row * width + column];
            *pixel = over(pen.color, (covered * pen.opacity * 256.0) as u32, *pixel);
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
    use super::*;

    const PEN: Pen = Pen { color: Color32::WHITE, opacity: 1.0, width: 2.0, dash: None };

    fn alpha(image: &ColorImage, column: usize) -> Vec<u8> {
        (0..image.size[1]).map(|row| image.pixels[row * image.size[0] + column].a()).collect()
    }

    #[test]
    fn a_range_fills_its_columns_and_never_leaves_the_image() {
        let filled = |range: [f32; 2]| {
            let mut image = blank([4, 2]);
            fill_columns(&mut image, range, Color32::WHITE);
            (0..4).filter(|&column| alpha(&image, column) == [255, 255]).collect::<Vec<_>>()
        };
        assert_eq!((filled([1.0, 3.0]), filled([-9.0, 1e30])), (vec![1, 2], vec![0, 1, 2, 3]));
        assert_eq!((filled([2.1, 2.2]), filled([f32::NAN, f32::NAN])), (vec![2], vec![0]));
    }

    #[test]
    fn a_line_covers_its_span_and_its_width() {
        let mut image = blank([3, 10]);
        draw(&mut image, &[[0.5, 0.5], [0.45, 0.5], [1.0, 0.0]], [0.0, 1.0], &PEN);
        assert_eq!(alpha(&image, 0), [0, 0, 0, 0, 255, 255, 0, 0, 0, 0]);
        let half = alpha(&image, 1);
        assert!(half[6].abs_diff(128) <= 1 && half[5] == 255 && half[7] == 0, "{half:?}");
        assert!(alpha(&image, 2).iter().all(|&alpha| alpha == 0), "a reversed span is empty");
    }

    #[test]
    fn spans_outside_of_the_image_are_not_drawn_and_dashes_have_gaps() {
        let mut image = blank([4, 4]);
        draw(&mut image, &[[9.0, 1e30], [-5.0, -4.0]], [0.0, 1.0], &PEN);
        assert!(image.pixels.iter().all(|pixel| pixel.a() == 0));
        draw(&mut image, &[[0.5, 0.5]; 9], [0.0, 1.0], &Pen { dash: Some(1.0), ..PEN });
        let drawn: Vec<bool> = (0..4).map(|column| alpha(&image, column).contains(&255)).collect();
        assert_eq!(drawn, [true, false, true, false]);
    }
}
