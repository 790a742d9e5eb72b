//! The legend of the view of intersections: what its colour means, and what crosses.

use egui::{Label, Rect, RichText, Sense, UiBuilder, Vec2, vec2};

use crate::theme;
use smirk_editor::session::Session;
use smirk_face::judge::{FaceIntersections, Through};
use smirk_picture::scene::{INTERSECTION, ViewMode};

const WIDTH: f32 = 216.0;
const LINE: f32 = 18.0;
const SWATCH: f32 = 12.0;

const ABOUT: &str = "Lips, lids, eyes, teeth and tongue that go through each other, and do not at rest. Turns of joints are not counted";

/// Shows the legend at the lower left of the viewport, while intersections are shown. `intersections` are those found last.
pub(super) fn intersections_legend_ui(
    ui: &mut egui::Ui,
    viewport: Rect,
    session: &Session,
    intersections: Option<&FaceIntersections>,
) {
    if session.edits.look.view != ViewMode::Intersections {
        return;
    }
    let lines = lines(intersections);
    let height = (lines.len() + 1) as f32 * LINE + 2.0 * theme::GAP;
    // Above the row of buttons, which reaches it in a narrow viewport.
    let corner = viewport.left_bottom() + vec2(12.0, -20.0 - theme::BAR_HEIGHT - theme::GAP - height);
    let card = Rect::from_min_size(corner, vec2(WIDTH + 2.0 * theme::GAP, height));
    ui.painter().rect_filled(card, theme::ROUNDING_LARGE, theme::OVERLAY);
    let mut child = ui.new_child(UiBuilder::new().max_rect(card.shrink(theme::GAP)).id_salt("crossings"));
    child.spacing_mut().item_spacing = vec2(theme::GAP, 0.0);
    line_ui(&mut child, |ui| {
        let (swatch, _) = ui.allocate_exact_size(Vec2::splat(SWATCH), Sense::hover());
        let [red, green, blue] = INTERSECTION.map(|value| (value * 255.0 + 0.5) as u8);
        ui.painter().rect_filled(swatch, theme::ROUNDING, theme::opaque(red, green, blue));
        ui.add(Label::new("Goes through another part").truncate()).on_hover_text(ABOUT);
    });
    for line in lines {
        line_ui(&mut child, |ui| ui.add(Label::new(RichText::new(line).color(theme::TEXT_WEAK)).truncate()));
    }
}

fn line_ui<R>(ui: &mut egui::Ui, contents: impl FnOnce(&mut egui::Ui) -> R) {
    ui.allocate_ui(vec2(WIDTH, LINE), |ui| ui.horizontal_centered(contents));
}

/// How far something crosses, and what.
fn lines(intersections: Option<&FaceIntersections>) -> Vec<String> {
    let Some(intersections) = intersections else { return vec!["Searching…".into()] };
    if intersections.kinds.is_empty() {
        return vec!["Nothing crosses".into()];
    }
    let of_kind = |(through, _, length): &(Through, usize, f32)| format!("{length:.1} mm {}", through.label());
    let whole = format!("{:.1} mm of crossings", intersections.length_mm());
    std::iter::once(whole).chain(intersections.kinds.iter().map(of_kind)).collect()
}
