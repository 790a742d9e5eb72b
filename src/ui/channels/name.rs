//! The name of a row in the channel list, with the triangle that expands it to one slider per mesh, and its menu.

use egui::{Align2, Id, Rect, Role, Sense, WidgetInfo, pos2};

use crate::widgets::{Icon, context_menu_ui, text};
use crate::{PointedAt, UiState, theme};
use smirk_editor::session::Session;
use smirk_face::motion::Mix;

use super::columns::TRIANGLE_WIDTH;
use super::menu::{menu_ui, pair_menu_ui};

/// Shows the name of a channel, or the common one of a left and a right channel. `anchor` is the row, beside which the
/// tooltip stands.
pub(super) fn name_ui(
    ui: &mut egui::Ui,
    rect: Rect,
    session: &mut Session,
    state: &mut UiState,
    pair: usize,
    channels: &[usize],
    mix: &Mix,
) {
    let head = session.head.clone();
    let name = match channels {
        [channel] => &head.channels[*channel].name,
        _ => &head.pairs[pair].label,
    };
    let has_several = channels.iter().any(|&channel| head.moving_targets(channel).len() > 1);
    let is_open = channels.iter().any(|channel| state.expanded_channels.contains(channel));
    // The Tab key stops only at names that can be expanded.
    let sense = if has_several { Sense::click() } else { Sense::CLICK };
    let response = ui.interact(rect, Id::unique(("name", channels)), sense);
    if has_several {
        let label = format!("{} {name}", if is_open { "Collapse" } else { "Expand" });
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    }
    if ui.is_rect_visible(rect) {
        let moves = channels.iter().any(|&channel| session.is_active(channel, &mix.weights));
        let is_near = response.hovered() || response.has_focus();
        let color = if moves || is_near { theme::TEXT } else { theme::TEXT_WEAK };
        if has_several {
            let icon = if is_open { Icon::Expanded } else { Icon::Collapsed };
            let color = if is_near { theme::TEXT } else { theme::ICON_WEAK };
            icon.paint(ui.painter(), rect.with_max_x(rect.left() + TRIANGLE_WIDTH), color);
        }
        let room = rect.width() - TRIANGLE_WIDTH;
        let shown = text::elide_middle(ui.painter(), name, &theme::body_font(), room);
        let at = pos2(rect.left() + TRIANGLE_WIDTH, rect.center().y);
        ui.painter().text(at, Align2::LEFT_CENTER, shown, theme::body_font(), color);
    }
    if ui.rect_contains_pointer(rect) {
        state.pointed_at = Some(match channels {
            [channel] => PointedAt::Channel(*channel),
            _ => PointedAt::Pair(pair),
        });
    }
    if has_several && response.clicked() {
        for channel in channels {
            if is_open {
                state.expanded_channels.remove(channel);
            } else {
                state.expanded_channels.insert(*channel);
            }
        }
    }
    context_menu_ui(&response, |ui| match channels {
        [channel] => menu_ui(ui, session, state, pair, *channel, mix),
        _ => pair_menu_ui(ui, session, pair),
    });
    if has_several {
        let tip = format!("{}. Click: one slider per mesh", text::shown(name));
        response.on_hover_text(tip);
    } else {
        response.on_hover_text(text::shown(name));
    }
}
