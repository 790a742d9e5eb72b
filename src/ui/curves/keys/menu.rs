//! The menus of keys: what can be done with the selected ones, and how their channels act on what is below.

use egui::{Button, DragValue};

use crate::curves::state::CurvesState;
use crate::widgets::is_range_set;
use smirk_editor::session::Session;
use smirk_face::motion::{Extrapolation, KeyMode, Tangents};

use super::commands::{CurvesAction, act, set_tangents};

/// The kinds of tangents, with their names.
pub(crate) const TANGENTS: [(Tangents, &str); 5] = [
    (Tangents::Auto, "Auto clamped"),
    (Tangents::Linear, "Linear"),
    (Tangents::Step, "Step"),
    (Tangents::FLAT, "Free"),
    (Tangents::Broken { incoming: 0.0, outgoing: 0.0 }, "Broken"),
];

/// The menu of the graph and of the dope sheet.
pub(crate) fn context_menu_ui(ui: &mut egui::Ui, session: &mut Session, curves: &mut CurvesState) {
    let (count, has_copied) = (curves.keys.selection.len(), !curves.keys.copied.is_empty());
    let delete = match count {
        0 => "Delete keys".to_owned(),
        1 => "Delete key".to_owned(),
        count => format!("Delete {count} keys"),
    };
    let of_keys = [
        (count > 0, delete.as_str(), "Delete", CurvesAction::Delete),
        (count > 0, "Copy keys", "Ctrl+C", CurvesAction::Copy),
        (count > 0, "Cut keys", "Ctrl+X", CurvesAction::Cut),
        (has_copied, "Paste keys at the play head", "Ctrl+V", CurvesAction::Paste),
        (count > 0, "Mirror keys left and right", "Shift+M", CurvesAction::Mirror),
        (true, "Select all keys", "Ctrl+A", CurvesAction::SelectAll),
    ];
    items_ui(ui, session, curves, &of_keys);
    ui.separator();
    ui.add_enabled_ui(count > 0, |ui| {
        ui.menu_button("Tangents", |ui| {
            for (tangents, name) in TANGENTS {
                if ui.button(name).clicked() {
                    set_tangents(session, &curves.keys.selection, tangents);
                    ui.close();
                }
            }
        });
    });
    let channels = acts_on(session, curves);
    ui.add_enabled_ui(!channels.is_empty(), |ui| {
        ui.menu_button("Over what is below", |ui| mode_menu_ui(ui, session, &channels));
    });
    ui.separator();
    time_items_ui(ui, session, curves);
    ui.separator();
    let of_view = [
        (count > 0, "Fit the selected keys", "F", CurvesAction::FitSelection),
        (true, "Fit all", "A", CurvesAction::FitAll),
        (count > 0, "Isolate their curves", "H", CurvesAction::Isolate),
    ];
    items_ui(ui, session, curves, &of_view);
}

/// The commands that change the time of everything on the timeline.
pub(crate) fn time_items_ui(ui: &mut egui::Ui, session: &mut Session, curves: &mut CurvesState) {
    let has_range = is_range_set(session);
    let items = [
        (has_range, "Insert time from in to out", "Ctrl+I", CurvesAction::InsertTime),
        (has_range, "Delete time from in to out", "Ctrl+Delete", CurvesAction::DeleteTime),
    ];
    items_ui(ui, session, curves, &items);
}

/// Entries of a menu: whether each is enabled, its text, its shortcut and what it does.
fn items_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    curves: &mut CurvesState,
    items: &[(bool, &str, &str, CurvesAction)],
) {
    for &(is_enabled, text, keys, action) in items {
        let response = ui.add_enabled(is_enabled, Button::new(text).shortcut_text(keys));
        if response.on_disabled_hover_text(why_disabled(action)).clicked() {
            act(action, session, curves);
            ui.close();
        }
    }
}

/// What an action that is disabled waits for.
fn why_disabled(action: CurvesAction) -> &'static str {
    match action {
        CurvesAction::InsertTime | CurvesAction::DeleteTime => "Set in (I) or out (O) first",
        CurvesAction::Paste => "Copy keys first",
        _ => "Select keys first",
    }
}

/// The channels whose keys the settings of a layer act on: those of the selected keys, else those of the selected rows
/// that have keys.
pub(crate) fn acts_on(session: &Session, curves: &CurvesState) -> Vec<usize> {
    let of_keys = curves.keys.selection.channels().filter_map(|(name, _)| session.head.channel_named(name));
    let of_keys: Vec<usize> = of_keys.collect();
    if !of_keys.is_empty() {
        return of_keys;
    }
    let has_keys = |channel: &usize| !session.edits.keys.of(&session.head.channels[*channel].full_name).is_empty();
    curves.selected_channels().filter(has_keys).collect()
}

/// Replace or add, and what happens before the first and after the last key.
pub(crate) fn mode_menu_ui(ui: &mut egui::Ui, session: &mut Session, channels: &[usize]) {
    let Some(curve) = channels
        .first()
        .and_then(|&channel| session.edits.keys.curve(&session.head.channels[channel].full_name).cloned())
    else {
        return;
    };
    for mode in KeyMode::ALL {
        let tip = match mode {
            KeyMode::Replace => "The keys alone set the channel",
            KeyMode::Add => "The keys are added to the clip or the take below",
        };
        if ui.radio(curve.mode == mode, mode.label()).on_hover_text(tip).clicked() {
            channels.iter().for_each(|&channel| session.set_key_mode(channel, mode));
        }
    }
    ui.separator();
    let mut ends = [curve.before, curve.after];
    for (ends, name) in ends.iter_mut().zip(["Before the first key", "After the last key"]) {
        extrapolation_ui(ui, ends, name);
    }
    if ends != [curve.before, curve.after] {
        channels.iter().for_each(|&channel| session.set_key_extrapolation(channel, ends[0], ends[1]));
    }
}

fn extrapolation_ui(ui: &mut egui::Ui, ends: &mut Extrapolation, name: &str) {
    ui.horizontal(|ui| {
        let mut fades = matches!(ends, Extrapolation::Fade(_));
        if ui.checkbox(&mut fades, format!("{name}, fade out")).clicked() {
            *ends = if fades { Extrapolation::Fade(0.5) } else { Extrapolation::Hold };
        }
        if let Extrapolation::Fade(secs) = ends {
            let field = DragValue::new(secs).range(0.01..=Extrapolation::LONGEST_SECS).speed(0.01).suffix(" s");
            ui.add(field).accessible_name(format!("{name}, seconds"));
        }
    });
}
