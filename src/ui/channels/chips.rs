//! Counts of soloed, muted and taken-over channels in the header of the list. A click on one clears that state on all
//! channels.

use egui::{Align2, Color32, Id, Rect, Role, Sense, WidgetInfo, pos2, vec2};

use crate::theme;
use crate::widgets::Icon;
use smirk_editor::session::Session;
use smirk_face::motion::Mix;

const HEIGHT: f32 = 20.0;

#[derive(Clone, Copy, Debug)]
enum Chip {
    Soloed,
    Muted,
    TakenOver,
}

impl Chip {
    fn count(self, session: &Session, mix: &Mix) -> usize {
        let edits = &session.edits;
        let is_counted = |channel: &usize| match self {
            Self::Soloed => edits.soloed[*channel],
            Self::Muted => edits.muted[*channel],
            Self::TakenOver => session.is_taken(*channel, mix),
        };
        (0..session.head.channels.len()).filter(is_counted).count()
    }

    fn clear(self, session: &mut Session) {
        match self {
            Self::Soloed => session.edits.soloed.fill(false),
            Self::Muted => session.edits.muted.fill(false),
            Self::TakenOver => session.give_back_all(),
        }
    }

    fn appearance(self) -> (Icon, Color32, &'static str, &'static str) {
        match self {
            Self::Soloed => (Icon::Solo, theme::ACCENT_BRIGHT, "soloed", "Click to unsolo all."),
            Self::Muted => (Icon::Mute, theme::WARNING, "muted", "Click to unmute all."),
            Self::TakenOver => {
                (Icon::GiveBack, theme::TEXT_WEAK, "taken over", "Click to give all back to their animation or pose.")
            }
        }
    }
}

/// Shows one chip for each state that any channel has, from right to left. If there is not enough room, only icons and
/// counts are shown.
pub(super) fn chips_ui(ui: &mut egui::Ui, session: &mut Session, mix: &Mix) {
    let counts = [Chip::TakenOver, Chip::Muted, Chip::Soloed].map(|chip| (chip, chip.count(session, mix)));
    let shown = counts.into_iter().filter(|(_, count)| *count > 0);
    let widest: f32 = shown.clone().map(|(chip, count)| width(ui, &words(chip, count))).sum();
    let has_room = widest + theme::GAP * 2.0 < ui.available_width();
    ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
    for (chip, count) in shown {
        let text = if has_room { words(chip, count) } else { count.to_string() };
        if chip_ui(ui, chip, count, &text) {
            chip.clear(session);
        }
    }
}

fn words(chip: Chip, count: usize) -> String {
    format!("{count} {}", chip.appearance().2)
}

fn width(ui: &egui::Ui, text: &str) -> f32 {
    let text = ui.painter().layout_no_wrap(text.to_owned(), theme::small_font(), theme::TEXT);
    text.size().x + theme::ICON_BUTTON_SIZE * 2.0
}

fn chip_ui(ui: &mut egui::Ui, chip: Chip, count: usize, text: &str) -> bool {
    let (icon, color, state, tip) = chip.appearance();
    let (_, rect) = ui.allocate_space(vec2(width(ui, text), HEIGHT));
    let response = ui.interact(rect, Id::unique(("chip", state)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Clear {count} {state}")));
    let is_highlighted = response.hovered() || response.has_focus();
    let painter = ui.painter();
    painter.rect_filled(rect, theme::ROUNDING, if is_highlighted { theme::WELL_HOVERED } else { theme::WELL });
    let mark = |x: f32| Rect::from_center_size(pos2(x, rect.center().y), vec2(HEIGHT, HEIGHT));
    icon.paint(painter, mark(rect.left() + 11.0), color);
    let at = pos2(rect.left() + theme::ICON_BUTTON_SIZE + 2.0, rect.center().y);
    painter.text(at, Align2::LEFT_CENTER, text, theme::small_font(), theme::TEXT);
    let cross = if is_highlighted { theme::TEXT } else { theme::ICON_WEAK };
    Icon::Close.paint(painter, mark(rect.right() - 9.0), cross);
    response.on_hover_text(tip).clicked()
}
