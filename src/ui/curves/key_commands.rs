//! The actions of shortcuts, menus and buttons on keys and on the graph.

use std::collections::BTreeSet;

use egui::Button;

use smirk_face::motion::{CopiedKeys, Key, KeySelection, Tangents};
use smirk_session::{ConvertedKeys, Session};

use super::{CurvesPanel, drawing};
use crate::context::PanelContext;
use crate::curve_selection::{CurveItem, CurveSelection};
use crate::shortcuts::CurvesAction;
use crate::widgets::{is_range_set, key_mode_menu_ui, text};

pub(super) const TANGENTS: [(Tangents, &str); 5] = [
    (Tangents::Auto, "Auto clamped"),
    (Tangents::Linear, "Linear"),
    (Tangents::Step, "Step"),
    (Tangents::FLAT, "Free"),
    (Tangents::Broken { incoming: 0.0, outgoing: 0.0 }, "Broken"),
];

impl CurvesPanel {
    pub(crate) fn act(&mut self, action: CurvesAction, cx: &mut PanelContext<'_>) {
        let session = &mut *cx.session;
        self.keys.update_selection(session);
        let selection = &mut self.keys.selection;
        match action {
            CurvesAction::Delete => delete(session, selection),
            CurvesAction::Copy | CurvesAction::Cut => {
                if selection.is_empty() {
                    return;
                }
                self.keys.copied = CopiedKeys::copy(session.keys(), selection);
                self.keys.clipboard_text = Some(format!("{} keys", self.keys.copied.len()));
                if action == CurvesAction::Cut {
                    delete(session, selection);
                }
            }
            CurvesAction::Paste => {
                let at_secs = session.clock.timeline.time_secs;
                let channels = cx.marks.curve_selection.channels();
                let onto: Vec<String> =
                    channels.map(|channel| session.head.channels[channel].full_name.clone()).collect();
                let copied = &self.keys.copied;
                session.keys_mut().edit(|keys| *selection = copied.paste(keys, at_secs, &onto));
            }
            CurvesAction::SelectAll => self.select_all(session, &cx.marks.curve_selection),
            CurvesAction::Mirror => {
                let (keys, mirrored) =
                    session.keys().mirrored(selection, |name| session.head.mirrored_name(name).to_owned());
                session.keys_mut().edit(|all| *all = keys);
                *selection = mirrored;
            }
            CurvesAction::Isolate => {
                let channels = selection.channels().filter_map(|(name, _)| session.head.channel_named(name));
                let items: BTreeSet<_> = channels.map(CurveItem::Channel).collect();
                let selected = &mut cx.marks.curve_selection.items;
                *selected = if *selected == items { BTreeSet::new() } else { items };
            }
            CurvesAction::FitSelection => self.fit_selection(session),
            CurvesAction::FitAll => (self.visible_secs, self.visible_values) = (None, None),
            CurvesAction::Normalise => {
                self.is_normalised = !self.is_normalised;
                self.visible_values = None;
            }
            CurvesAction::ListColumns => {
                self.search.clear();
                cx.marks.curve_selection.lists_columns = true;
                cx.state.panels.curves_open = true;
            }
            CurvesAction::DopeSheet => self.shows_dope_sheet = !self.shows_dope_sheet,
            CurvesAction::InsertTime | CurvesAction::DeleteTime => {
                *selection = KeySelection::default();
                let text = change_time(session, action == CurvesAction::InsertTime);
                cx.show_status(text);
            }
        }
    }

    fn select_all(&mut self, session: &Session, shown: &CurveSelection) {
        let sources = drawing::sources(session);
        let mut all = KeySelection::default();
        for channel in (0..session.head.channels.len()).filter(|&channel| shown.is_shown(CurveItem::Channel(channel))) {
            if let Some(name) = sources.key_name(channel) {
                all.add(name, session.keys().keys_of(name).iter().map(|key| key.time_secs));
            }
        }
        self.keys.selection = all;
    }

    /// Shows the selected keys with a margin, but not less than half a second and a tenth of a weight.
    fn fit_selection(&mut self, session: &Session) {
        let Some([first, last]) = self.keys.selection.range_secs() else {
            (self.visible_secs, self.visible_values) = (None, None);
            return;
        };
        let margin = ((last - first) * 0.1).max(0.25);
        self.visible_secs = Some([first - margin, last + margin]);
        if let Some(bounds) = self.keys.markers.bounds().filter(|_| !session.keys().is_empty()) {
            let [low, high] = bounds.values;
            let margin = ((high - low) * 0.2).max(0.05);
            self.visible_values = Some([low - margin, high + margin]);
        }
    }

    pub(super) fn context_menu_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let (count, has_copied) = (self.keys.selection.len(), !self.keys.copied.is_empty());
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
        self.items_ui(ui, cx, &of_keys);
        ui.separator();
        ui.add_enabled_ui(count > 0, |ui| {
            ui.menu_button("Tangents", |ui| {
                for (tangents, name) in TANGENTS {
                    if ui.button(name).clicked() {
                        set_tangents(cx.session, &self.keys.selection, tangents);
                        ui.close();
                    }
                }
            });
        });
        let channels = self.acts_on(cx);
        ui.add_enabled_ui(!channels.is_empty(), |ui| {
            ui.menu_button("Over what is below", |ui| key_mode_menu_ui(ui, cx.session, &channels));
        });
        self.convert_item_ui(ui, cx);
        ui.separator();
        self.time_items_ui(ui, cx);
        ui.separator();
        let of_view = [
            (count > 0, "Fit the selected keys", "F", CurvesAction::FitSelection),
            (true, "Fit all", "A", CurvesAction::FitAll),
            (count > 0, "Isolate their curves", "H", CurvesAction::Isolate),
        ];
        self.items_ui(ui, cx, &of_view);
    }

    pub(super) fn convert_item_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let convert = ui.add_enabled(!self.convertible(cx).is_empty(), Button::new("Convert the clip to keys"));
        if convert
            .on_disabled_hover_text("Select rows that a clip drives first, or drag a box over hollow keys")
            .clicked()
        {
            self.convert_to_keys(cx);
        }
    }

    /// Makes keys of those of the file that were clicked or boxed last, else of the selected rows.
    pub(super) fn convert_to_keys(&mut self, cx: &mut PanelContext<'_>) {
        let convertible = self.convertible(cx);
        let converted = cx.session.keys_mut().convert_clip(convertible);
        cx.show_status(converted_text(converted));
    }

    fn convertible(&self, cx: &PanelContext<'_>) -> Vec<usize> {
        if !self.keys.of_file.channels.is_empty() {
            return self.keys.of_file.channels.clone();
        }
        let mut channels: Vec<usize> = cx.marks.curve_selection.channels().collect();
        channels.retain(|&channel| self.sources.clip_in_effect(cx.session, channel).is_some());
        channels
    }

    pub(super) fn time_items_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let has_range = is_range_set(cx.session);
        let items = [
            (has_range, "Insert time from in to out", "Ctrl+I", CurvesAction::InsertTime),
            (has_range, "Delete time from in to out", "Ctrl+Delete", CurvesAction::DeleteTime),
        ];
        self.items_ui(ui, cx, &items);
    }

    /// Entries of a menu: whether each is enabled, its text, its shortcut and what it does.
    fn items_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, items: &[(bool, &str, &str, CurvesAction)]) {
        for &(is_enabled, text, keys, action) in items {
            let response = ui.add_enabled(is_enabled, Button::new(text).shortcut_text(keys));
            if response.on_disabled_hover_text(why_disabled(action)).clicked() {
                self.act(action, cx);
                ui.close();
            }
        }
    }

    /// The channels whose keys the settings of a layer act on: those of the selected keys, else those of the selected
    /// rows that have keys.
    pub(super) fn acts_on(&self, cx: &PanelContext<'_>) -> Vec<usize> {
        let session = &*cx.session;
        let of_keys = self.keys.selection.channels().filter_map(|(name, _)| session.head.channel_named(name));
        let mut channels: Vec<usize> = of_keys.collect();
        if channels.is_empty() {
            channels.extend(cx.marks.curve_selection.channels());
            channels.retain(|&channel| !session.keys().keys_of(&session.head.channels[channel].full_name).is_empty());
        }
        channels
    }
}

/// Inserts or deletes time, and shows in the top row what was done.
fn change_time(session: &mut Session, inserts: bool) -> String {
    let (done, result) = if inserts {
        ("inserted", session.timeline_mut().insert_time())
    } else {
        ("deleted", session.timeline_mut().delete_time())
    };
    let secs = match result {
        Ok(secs) => secs,
        Err(error) => return error.to_string(),
    };
    let clips = session.clips().count();
    let unchanged = match clips {
        0 => String::new(),
        1 => ". 1 clip of the head stays as it is".to_owned(),
        _ => format!(". {clips} clips of the head stay as they are"),
    };
    format!("{} {done} in all curves{unchanged}", session.edits.timeline.length_text(secs))
}

fn converted_text(converted: ConvertedKeys) -> String {
    let ConvertedKeys { keys, channels, keyed, unlike } = converted;
    let done = match keys {
        0 => "Nothing was converted".to_owned(),
        _ => format!("{} on {} in place of the clip's", text::counted(keys, "key"), text::counted(channels, "channel")),
    };
    let left = [(keyed, "with keys already"), (unlike, "moved differently by mesh, left to the clip")];
    let left = left.into_iter().filter(|(count, _)| *count > 0);
    let left: String = left.map(|(count, why)| format!(". {} {why}", text::counted(count, "channel"))).collect();
    done + &left
}

fn delete(session: &mut Session, selection: &mut KeySelection) {
    let selection = std::mem::take(selection);
    session.keys_mut().edit(|keys| *keys = keys.without(&selection));
}

fn why_disabled(action: CurvesAction) -> &'static str {
    match action {
        CurvesAction::InsertTime | CurvesAction::DeleteTime => "Set in (I) or out (O) first",
        CurvesAction::Paste => "Copy keys first",
        _ => "Select keys first",
    }
}

/// Gives the selected keys tangents. Free and broken ones start with the slopes that the curves have.
pub(super) fn set_tangents(session: &mut Session, selection: &KeySelection, tangents: Tangents) {
    let keys = session.keys();
    let (keys, _) = keys.changed(selection, |name, key| {
        let curve = keys.curve(name);
        let index = keys.keys_of(name).partition_point(|other| other.time_secs < key.time_secs);
        let [incoming, outgoing] = curve.map_or([0.0; 2], |curve| curve.slopes_at(index));
        let tangents = match tangents {
            Tangents::Free(_) => Tangents::Free(if incoming == 0.0 { outgoing } else { incoming }),
            Tangents::Broken { .. } => Tangents::Broken { incoming, outgoing },
            Tangents::Auto | Tangents::Linear | Tangents::Step => tangents,
        };
        Key { tangents, ..key }
    });
    session.keys_mut().edit(|all| *all = keys);
}
