//! The window on dense screens: at 1.25 and 2 pixels a point it is laid out as at 1, and no text is cut off or lies over another.

use crate::harness::*;
use egui::{Rect, Shape};

/// A text that is drawn, where it is in points, and where it is cut off.
#[derive(Clone, Debug)]
struct DrawnText {
    text: String,
    rect: Rect,
    clip: Rect,
    is_elided: bool,
}

fn add(shape: &Shape, clip: Rect, found: &mut Vec<DrawnText>) {
    match shape {
        Shape::Text(text) => {
            let (rect, galley) = (text.visual_bounding_rect(), &text.galley);
            if rect.intersects(clip) && !galley.text().trim().is_empty() {
                found.push(DrawnText { text: galley.text().to_owned(), rect, clip, is_elided: galley.elided });
            }
        }
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| add(shape, clip, found)),
        _ => {}
    }
}

fn drawn(harness: &Harness<'static, App>) -> Vec<DrawnText> {
    let mut found = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| add(&clipped.shape, clipped.clip_rect, &mut found));
    found
}

/// Texts that are cut off at the left or the right, and pairs that lie over each other.
fn faults(texts: &[DrawnText]) -> Vec<String> {
    let cut =
        |text: &&DrawnText| text.rect.left() < text.clip.left() - 1.0 || text.rect.right() > text.clip.right() + 1.0;
    let mut faults: Vec<String> = texts.iter().filter(cut).map(|text| format!("{:?} is cut off", text.text)).collect();
    for (index, text) in texts.iter().enumerate() {
        for other in &texts[index + 1..] {
            // What is scrolled out of sight lies over nothing.
            let common = text.rect.intersect(text.clip).intersect(other.rect).intersect(other.clip);
            if common.width() > 1.0 && common.height() > 2.0 {
                faults.push(format!("{:?} lies over {:?}", text.text, other.text));
            }
        }
    }
    faults
}

#[test]
fn every_page_is_laid_out_alike_at_every_scale_and_no_text_is_cut_off() {
    for size in [Vec2::new(1280.0, 720.0), Vec2::new(1000.0, 600.0)] {
        for &page in smirk_ui::Page::ALL {
            let at = |scale: f32| {
                let mut app = App::new(head());
                (app.state.panels.right_open, app.state.panels.page) = (true, page);
                app.session.edits.reference = Some(smirk_session::Reference::new("/shots/frame_0001.png".as_ref()));
                app.reference = Some((Ok(Arc::new(image::RgbaImage::new(64, 48))), 250));
                app.session.edits.look.view = smirk_scene::ViewMode::Heat;
                drawn(&window_at(scale, size, app))
            };
            let base = at(1.0);
            let place = format!("{page:?} at {}×{}", size.x, size.y);
            assert_eq!(faults(&base), [] as [String; 0], "{place}");
            assert!(base.len() > 40, "{place}: only {} texts", base.len());
            for scale in [1.25, 2.0] {
                let scaled = at(scale);
                assert_eq!(faults(&scaled), [] as [String; 0], "{place}, scale {scale}");
                for (before, after) in base.iter().zip(&scaled) {
                    let same = (&before.text, before.is_elided) == (&after.text, after.is_elided);
                    // The heights of lines are whole pixels, so that long pages become a little longer or shorter.
                    let apart = (before.rect.center() - after.rect.center()).abs();
                    let is_near = apart.x < 3.0 && apart.y < 24.0;
                    assert!(same && is_near, "{place}, scale {scale}: {before:?} is now {after:?}");
                }
                assert_eq!(base.len(), scaled.len(), "{place}, scale {scale}");
            }
        }
    }
}
