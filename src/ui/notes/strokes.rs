//! What was drawn over a picture of a note or of the face.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, vec2};

use crate::theme;
use smirk_session::NoteStroke;

/// The length of the head of an arrow, in picture heights.
const ARROW_HEAD: f32 = 0.04;

pub(crate) fn paint_stroke(painter: &Painter, picture: Rect, stroke: &NoteStroke, opacity: f32) {
    let on_screen = |point: &[f32; 2]| picture.center() + vec2(point[0], point[1]) * picture.height();
    let points: Vec<Pos2> = stroke.points.iter().map(on_screen).collect();
    let head = stroke.arrow_head(ARROW_HEAD).zip(points.last());
    let head: Option<Vec<Pos2>> = head.map(|([a, b], &end)| vec![on_screen(&a), end, on_screen(&b)]);
    for (width, color) in [(5.0, Color32::from_black_alpha(140)), (3.0, theme::WARNING)] {
        let stroke = Stroke::new(width, color.gamma_multiply(opacity));
        for line in [Some(&points), head.as_ref()].into_iter().flatten() {
            painter.add(Shape::line(line.clone(), stroke));
        }
    }
}
