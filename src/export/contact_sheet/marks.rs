//! What a review note has drawn over its picture: its strokes, and its number where it is pinned.

use egui::{Align, Color32};
use image::RgbaImage;

use crate::pictures::{Lettering, cover, sheet_style as style};
use smirk_session::ReviewNote;

const OPEN: Color32 = Color32::from_rgb(179, 84, 30);
const DONE: Color32 = Color32::from_rgb(47, 125, 79);
const STROKE: Color32 = Color32::from_rgb(255, 184, 77);
const EDGE: Color32 = Color32::from_rgba_premultiplied(0, 0, 0, 140);
/// All sizes are in heights of the picture.
const ARROW_HEAD: f32 = 0.05;
const RADIUS: f32 = 0.04;

/// Paints the marks of a note on a picture that is seen from its camera. Both have the same height in the world, so
/// that the marks are in their places whatever the width of the picture.
pub(super) fn paint(picture: &mut RgbaImage, note: &ReviewNote, lettering: &mut Lettering) {
    let [width, height] = [picture.width() as f32, picture.height() as f32];
    let in_pixels = |[x, y]: [f32; 2]| [width * 0.5 + x * height, height * 0.5 + y * height];
    for (stroke_width, color) in [(0.018, EDGE), (0.010, STROKE)] {
        for stroke in &note.strokes {
            let points: Vec<[f32; 2]> = stroke.points.iter().map(|&point| in_pixels(point)).collect();
            let head = stroke.arrow_head(ARROW_HEAD).zip(points.last());
            let head = head.map(|([a, b], &end)| vec![in_pixels(a), end, in_pixels(b)]);
            let mut ink = Ink::new(picture);
            for line in [Some(&points), head.as_ref()].into_iter().flatten() {
                line.windows(2).for_each(|ends| ink.draw([ends[0], ends[1]], stroke_width * height * 0.5));
            }
            ink.cover(picture, color);
        }
    }
    if let Some(point) = note.moment.as_ref().and_then(|moment| moment.point) {
        let ([x, y], radius) = (in_pixels(point), RADIUS * height);
        let fill = if note.is_open() { OPEN } else { DONE };
        for (radius, color) in [(radius, Color32::WHITE), (radius * 0.86, fill)] {
            let mut ink = Ink::new(picture);
            ink.draw([[x, y]; 2], radius);
            ink.cover(picture, color);
        }
        let number = lettering.fit(&note.number.to_string(), radius * 1.25, radius * 0.6, radius * 1.6);
        let top = y - lettering.height_px(number.size_px) * 0.5;
        lettering.paint(picture, &number, [x, top], Align::Center, style::TEXT);
    }
}

/// How much of each pixel of a picture is covered by lines, whose joints are thereby no darker than the rest.
struct Ink {
    width: usize,
    covered: Vec<f32>,
}

impl Ink {
    fn new(picture: &RgbaImage) -> Self {
        let [width, height] = [picture.width(), picture.height()].map(|side| side as usize);
        Self { width, covered: vec![0.0; width * height] }
    }

    /// A line with round ends; a disc, if both ends are one point.
    fn draw(&mut self, [a, b]: [[f32; 2]; 2], radius: f32) {
        let [a, b] = [a, b].map(glam::Vec2::from_array);
        let height = self.covered.len() / self.width;
        let reach = glam::Vec2::splat(radius + 1.0);
        let (low, high) = ((a.min(b) - reach).max(glam::Vec2::ZERO), (a.max(b) + reach).max(glam::Vec2::ZERO));
        for y in low.y as usize..(high.y.ceil() as usize).min(height) {
            for x in low.x as usize..(high.x.ceil() as usize).min(self.width) {
                let at = glam::vec2(x as f32 + 0.5, y as f32 + 0.5);
                let along = ((at - a).dot(b - a) / (b - a).length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
                let distance = at.distance(a.lerp(b, along));
                let covered = &mut self.covered[y * self.width + x];
                *covered = covered.max((radius + 0.5 - distance).clamp(0.0, 1.0));
            }
        }
    }

    fn cover(&self, picture: &mut RgbaImage, color: Color32) {
        for (index, &covered) in self.covered.iter().enumerate().filter(|(_, covered)| **covered > 0.0) {
            let at = [(index % self.width) as i64, (index / self.width) as i64];
            cover(picture, at, color.gamma_multiply(covered));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_session::{NoteStroke, NotedMoment};

    fn painted(note: &ReviewNote, size: [u32; 2]) -> RgbaImage {
        let mut picture = RgbaImage::from_pixel(size[0], size[1], image::Rgba([60, 60, 60, 255]));
        paint(&mut picture, note, &mut Lettering::default());
        picture
    }

    fn note(strokes: Vec<NoteStroke>, point: Option<[f32; 2]>) -> ReviewNote {
        let moment =
            r#"{"camera":{"target_in_world":[0,0,0],"yaw_radians":0,"pitch_radians":0,"distance":1},"aspect":1.6}"#;
        let moment = NotedMoment { point, ..serde_json::from_str(moment).unwrap() };
        let note = r#"{"id":"0000000000000001","number":7,"text":"x"}"#;
        ReviewNote { strokes, moment: Some(moment), ..serde_json::from_str(note).unwrap() }
    }

    #[test]
    fn strokes_and_pins_are_where_they_were_drawn_whatever_the_width() {
        for size in [[240, 300], [400, 300]] {
            let points = vec![[-0.2, 0.1], [0.2, 0.1]];
            let picture = painted(&note(vec![NoteStroke { is_arrow: false, points }], Some([0.1, -0.3])), size);
            let at = |x: f32, y: f32| {
                let [x, y] = [size[0] as f32 * 0.5 + x * 300.0, 150.0 + y * 300.0];
                picture.get_pixel(x as u32, y as u32).0
            };
            let [r, g, b, _] = STROKE.to_array();
            assert_eq!(at(0.0, 0.1), [r, g, b, 255], "the stroke");
            assert_eq!(at(0.0, 0.14), [60, 60, 60, 255], "beside it");
            let ring = at(0.1 - RADIUS * 0.93, -0.3);
            assert!(ring[..3].iter().all(|&value| value > 230), "the ring of the pin: {ring:?}");
            assert_eq!(at(0.1 - RADIUS * 0.75, -0.3), OPEN.to_array(), "the pin");
        }
        let arrow = |is_arrow| {
            let points = vec![[-0.2, 0.0], [0.2, 0.0]];
            let picture = painted(&note(vec![NoteStroke { is_arrow, points }], None), [240, 300]);
            picture.pixels().filter(|pixel| pixel.0[2] != 60).count()
        };
        assert!(arrow(true) > arrow(false) + 50, "the head of an arrow");
        // A file may have strokes far outside and without length.
        let points = vec![[1e9, -1e9], [1e9, -1e9]];
        painted(&note(vec![NoteStroke { is_arrow: true, points }], Some([-1e9, 1e9])), [24, 30]);
    }
}
