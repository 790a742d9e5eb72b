//! The texts in the corner of the plot: which take is dashed, and where the difference of A and B is largest.

use egui::{Id, Rect, Response, Role, Sense, WidgetInfo, pos2, vec2};

use smirk_session::Session;

use super::CurvesPanel;
use crate::theme;
use crate::widgets::text::{self, short_b_name, short_take_name, whole_b_name};

/// Smaller differences are rounding errors.
const LEAST_DIFFERENCE: f32 = 5e-4;

impl CurvesPanel {
    /// Shows the texts below each other, on the right. A click on the largest difference moves the play head to it.
    pub(super) fn captions_ui(&self, ui: &mut egui::Ui, plot: Rect, session: &mut Session) {
        let mut top = plot.top() + theme::GAP_SMALL;
        if let Some(entry) = session.edits.compared_take.and_then(|id| session.edits.take_entry(id)) {
            let caption = format!("dashed: {}", short_take_name(session, entry));
            let response = caption_ui(ui, plot, &mut top, &caption, Sense::hover());
            response.on_hover_text(text::shown(&entry.take.name));
        }
        if !self.shows_difference {
            return;
        }
        if !session.b().exists() {
            let why = session.compared_with.why_none();
            caption_ui(ui, plot, &mut top, why, Sense::hover()).on_hover_text(why);
            return;
        }
        let largest = self.image.largest_difference().filter(|(_, [_, value])| value.abs() >= LEAST_DIFFERENCE);
        let Some((item, [secs, value])) = largest else {
            let caption = format!("A = B in these rows, B being {}", short_b_name(session));
            let response = caption_ui(ui, plot, &mut top, &caption, Sense::hover());
            response.on_hover_text(text::shown(&whole_b_name(session)));
            return;
        };
        let name = item.name(session);
        let when = session.edits.timeline.text(secs);
        let caption = format!("largest A − B: {value:+.3} at {when}, {name}");
        let response = caption_ui(ui, plot, &mut top, &caption, Sense::click());
        let response = response.on_hover_ui(|ui| {
            ui.label(format!("B is {}", text::shown(&whole_b_name(session))));
            ui.weak("The filled curves are A minus B. Click to go to the largest difference");
        });
        if response.clicked() {
            session.clock.timeline.playing = false;
            session.seek(secs);
        }
    }
}

/// Shows one text, on up to three lines if it does not fit on one, and without its middle if it does not fit on these.
/// Moves `top` below it.
fn caption_ui(ui: &egui::Ui, plot: Rect, top: &mut f32, caption: &str, sense: Sense) -> Response {
    let painter = ui.painter_at(plot);
    let font = theme::small_font();
    let width = plot.width() - 6.0 * theme::GAP;
    let shown = text::elide_middle(&painter, caption, &font, 2.6 * width);
    let galley = painter.layout(shown, font, theme::TEXT_WEAK, width);
    let size = galley.size() + vec2(2.0 * theme::GAP_SMALL, 2.0);
    let rect = Rect::from_min_size(pos2(plot.right() - theme::GAP_SMALL - size.x, *top), size);
    *top = rect.bottom() + 2.0;
    let response = ui.interact(rect, Id::unique(("caption of curves", rect.top().to_bits())), sense);
    let role = if sense.senses_click() { Role::Button } else { Role::Label };
    response.widget_info(|| WidgetInfo::labeled(role, true, caption));
    painter.rect_filled(rect, theme::ROUNDING, theme::OVERLAY);
    let color = if response.hovered() { theme::TEXT } else { theme::TEXT_WEAK };
    painter.galley_with_override_text_color(rect.min + vec2(theme::GAP_SMALL, 1.0), galley, color);
    response
}
