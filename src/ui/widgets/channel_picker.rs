//! A button that opens a list of all channels with check boxes: for the channels that a take's column drives, or that
//! close the eyes.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Button, DragValue, Id, PopupCloseBehavior, Rect, Response, ScrollArea, TextEdit, vec2};

use super::number_field::NumberField;
use super::{Icon, checkbox_ui, radio_ui, text};
use crate::theme;
use smirk_base::names::Search;
use smirk_face::head::{Channel, Head};
use smirk_face::motion::{Extrapolation, KeyMode};
use smirk_session::Session;

/// Shows the chosen channels, given by full name. Returns the new choice when the user changes it. `label` is the name
/// of the button for screen readers and tests; `none` is shown if no channel is chosen.
pub(crate) fn channel_picker_ui(
    ui: &mut egui::Ui,
    head: &Head,
    chosen: &[String],
    label: &str,
    none: &str,
) -> Option<Vec<String>> {
    picker_ui(ui, head, (&head.channels, chosen), label, none)
}

/// The same without the channels of expressions.
pub(crate) fn shape_picker_ui(
    ui: &mut egui::Ui,
    head: &Head,
    chosen: &[String],
    label: &str,
    none: &str,
) -> Option<Vec<String>> {
    picker_ui(ui, head, (head.target_channels(), chosen), label, none)
}

fn picker_ui(
    ui: &mut egui::Ui,
    head: &Head,
    (channels, chosen): (&[Channel], &[String]),
    label: &str,
    none: &str,
) -> Option<Vec<String>> {
    let search_id = Id::unique(label).with("search");
    let mut new = None;
    let menu = MenuButton::from_button(arrow_button(ui, &chosen_text(head, chosen, none)))
        .config(MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside));
    let (response, opened) = menu.ui(ui, |ui| {
        ui.set_width(240.0);
        new = list_ui(ui, head, (channels, chosen), search_id);
    });
    paint_arrow(ui, &response);
    if opened.is_none() {
        end_search(ui, search_id);
    }
    response.accessible_name(label).on_hover_text("Choose one channel or more");
    new
}

/// A button as wide as the room with a text, shortened in its middle, and at its right end room for [`paint_arrow`].
pub(crate) fn arrow_button<'a>(ui: &egui::Ui, text: &str) -> Button<'a> {
    let width = ui.available_width();
    let shown = text::elide_middle(ui.painter(), text, &theme::body_font(), width - 2.0 * theme::GAP - 16.0);
    Button::new(shown).min_size(vec2(width, theme::BAR_HEIGHT))
}

pub(crate) fn paint_arrow(ui: &egui::Ui, button: &Response) {
    let arrow = Rect::from_center_size(button.rect.right_center() - vec2(13.0, 0.0), egui::Vec2::splat(12.0));
    Icon::Expanded.paint(ui.painter(), arrow, theme::TEXT_WEAK);
}

/// The names of the chosen channels in short: the first name and the number of others.
pub(crate) fn chosen_text(head: &Head, chosen: &[String], none: &str) -> String {
    let names = chosen.iter().take(2).map(|name| match head.channel_named(name) {
        Some(channel) => head.shown_name(channel),
        None => name.into(),
    });
    match (&names.collect::<Vec<_>>()[..], chosen.len()) {
        ([], _) => none.to_owned(),
        ([first, ..], count @ 3..) => format!("{first} and {} more", count - 1),
        (names, _) => names.join(", "),
    }
}

/// The search field of a list that is open, which has the keyboard focus at first. Forget it with [`end_search`] when
/// the list closes.
pub(crate) fn search_ui(ui: &mut egui::Ui, search_id: Id, label: &str) -> Search {
    let mut search: String = ui.data(|data| data.get_temp(search_id)).unwrap_or_default();
    let is_new = ui.data(|data| data.get_temp::<String>(search_id).is_none());
    let field = TextEdit::singleline(&mut search).hint_text("Search").desired_width(f32::INFINITY);
    let field = ui.add(field.id(search_id.with("field"))).accessible_name(label);
    if is_new {
        field.request_focus();
    }
    let found = Search::new(&search);
    ui.data_mut(|data| data.insert_temp(search_id, search));
    found
}

/// Forgets what was searched for, since the list is closed.
pub(crate) fn end_search(ui: &egui::Ui, search_id: Id) {
    ui.data_mut(|data| data.remove::<String>(search_id));
}

fn list_ui(
    ui: &mut egui::Ui,
    head: &Head,
    (channels, chosen): (&[Channel], &[String]),
    search_id: Id,
) -> Option<Vec<String>> {
    let found = search_ui(ui, search_id, "Search channels to choose");
    let mut new = None;
    if !chosen.is_empty() && ui.button("Choose none").clicked() {
        new = Some(Vec::new());
    }
    let channels = channels.iter().enumerate().filter(|(_, channel)| found.finds(&channel.full_name));
    let mut rows: Vec<_> =
        channels.map(|(index, channel)| (index, channel, chosen.contains(&channel.full_name))).collect();
    // Chosen channels come first, so that they are easy to find and clear.
    rows.sort_by_key(|(.., is_chosen)| !is_chosen);
    ScrollArea::vertical().max_height(260.0).auto_shrink([false, true]).show_rows(
        ui,
        theme::BAR_HEIGHT,
        rows.len(),
        |ui, range| {
            for &(index, channel, was_chosen) in &rows[range] {
                let mut ticked = was_chosen;
                let label = format!("Choose {}", head.shown_name(index));
                checkbox_ui(ui, &mut ticked, text::shown(&head.shown_name(index))).accessible_name(label);
                if ticked != was_chosen {
                    let kept = chosen.iter().filter(|name| **name != channel.full_name).cloned();
                    new = Some(kept.chain(ticked.then(|| channel.full_name.clone())).collect());
                }
            }
        },
    );
    new
}

/// Replace or add, and what happens before the first and after the last key.
pub(crate) fn key_mode_menu_ui(ui: &mut egui::Ui, session: &mut Session, channels: &[usize]) {
    let Some(curve) =
        channels.first().and_then(|&channel| session.keys().curve(&session.head.channels[channel].full_name).cloned())
    else {
        return;
    };
    for &mode in KeyMode::ALL {
        let tip = match mode {
            KeyMode::Replace => "The keys alone set the channel",
            KeyMode::Add => "The keys are added to the clip or the take below",
        };
        if radio_ui(ui, curve.mode == mode, mode.label()).on_hover_text(tip).clicked() {
            for &channel in channels {
                session.keys_mut().set_mode(channel, mode);
            }
        }
    }
    ui.separator();
    let mut ends = [curve.before, curve.after];
    for (ends, name) in ends.iter_mut().zip(["Before the first key", "After the last key"]) {
        extrapolation_ui(ui, ends, name);
    }
    if ends != [curve.before, curve.after] {
        for &channel in channels {
            session.keys_mut().edit_channel(channel, |keys, name| {
                keys.edit_curve(name, |curve| (curve.before, curve.after) = (ends[0], ends[1]));
            });
        }
    }
}

fn extrapolation_ui(ui: &mut egui::Ui, ends: &mut Extrapolation, name: &str) {
    ui.horizontal(|ui| {
        let mut fades = matches!(ends, Extrapolation::Fade(_));
        if checkbox_ui(ui, &mut fades, format!("{name}, fade out")).clicked() {
            *ends = if fades { Extrapolation::Fade(0.5) } else { Extrapolation::Hold };
        }
        if let Extrapolation::Fade(secs) = ends {
            let field = DragValue::new(secs).range(0.01..=Extrapolation::LONGEST_SECS).speed(0.01).suffix(" s");
            ui.add(NumberField(field)).accessible_name(format!("{name}, seconds"));
        }
    });
}
