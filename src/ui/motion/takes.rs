//! Imported takes: the selected one, the one that it is compared with, and the mapping of the selected one.

use egui::{Align, Align2, Button, Id, Label, Layout, Rect, RichText, Sense, WidgetInfo, pos2, vec2};

use smirk_base::file_kind::Content;
use smirk_face::head::Level;
use smirk_face::motion::{ColumnMap, Take};
use smirk_session::{Session, TakeEntry, TakeId};

use super::edits::edits_ui;
use super::mapping::{MappedSource, MappingList};
use crate::command::{Command, OpenAs};
use crate::context::PanelContext;
use crate::shortcuts::{Action, CurvesAction};
use crate::theme;
use crate::widgets::text::short_take_name;
use crate::widgets::{Bar, Icon, close_row_ui, icon_button_ui, names_ui, setting_ui, text, title_ui};

const ROW_HEIGHT: f32 = 40.0;

pub(super) fn takes_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, mapping: &mut MappingList) {
    title_ui(ui, "Takes", |ui| {
        let import = ui.button("Import…").on_hover_text("Live Link Face, Audio2Face, MediaPipe, or a glTF clip");
        if import.clicked() {
            cx.commands.push(Command::Choose(OpenAs::File(Some(Content::Takes))));
        }
    });
    let (missing, takes): (Vec<_>, Vec<_>) = cx.session.edits.takes.iter().cloned().partition(TakeEntry::is_missing);
    for entry in &missing {
        missing_take_ui(ui, entry, cx);
    }
    if takes.is_empty() {
        if missing.is_empty() {
            ui.weak("A take is a recorded performance. Import one, or drop its file on the window.");
        }
        return;
    }
    for entry in takes {
        row_ui(ui, cx.session, &entry);
    }
    if let Some(entry) = cx.session.take().cloned() {
        ui.add_space(theme::GAP_SMALL);
        edits_ui(ui, cx, entry.id);
        ui.add_space(theme::GAP);
        calibration_ui(ui, cx.session, &entry);
        all_columns_ui(ui, cx.session, &entry);
        mapping.show_ui(ui, cx, MappedSource::Take(entry.id));
        fit_ui(ui, cx, &entry);
    } else {
        ui.weak("Click a take to play it.");
    }
}

/// The row of one take: name, numbers and buttons. A click plays it.
fn row_ui(ui: &mut egui::Ui, session: &mut Session, entry: &TakeEntry) {
    let (id, name) = (entry.id, entry.take.name.as_str());
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), ROW_HEIGHT));
    let buttons = 3.0 * theme::BAR_HEIGHT + theme::GAP_SMALL;
    let widget = Id::unique(("take", id));
    let response = ui.interact(row.with_max_x(row.right() - buttons), widget, Sense::click());
    let (plays, compared) = (session.edits.take == Some(id), session.edits.compared_take == Some(id));
    response.widget_info(|| WidgetInfo::selected(egui::Role::RadioButton, true, plays, format!("Take {name}")));
    let painter = ui.painter();
    painter.rect_filled(row, theme::ROUNDING, theme::row_fill(plays, response.hovered()));
    let left = row.left() + theme::GAP;
    let short = short_take_name(session, entry);
    let shown = text::elide_middle(painter, &short, &theme::body_font(), row.width() - buttons - 2.0 * theme::GAP);
    painter.text(pos2(left, row.top() + 12.0), Align2::LEFT_CENTER, shown, theme::body_font(), theme::TEXT);
    let weak = if plays { theme::TEXT } else { theme::TEXT_WEAK };
    painter.text(pos2(left, row.top() + 28.0), Align2::LEFT_CENTER, summary(entry), theme::small_font(), weak);
    let tip = if plays { "Playing. Choose “No take” in the transport bar to unload it" } else { "Click to play" };
    let response = response.on_hover_ui(|ui| {
        ui.label(text::shown(name));
        ui.weak(tip);
    });
    if response.clicked() && !plays {
        session.takes_mut().select(Some(id));
    }
    let [remove, compare, star] = [0.5, 1.5, 2.5].map(|place| {
        let middle = pos2(row.right() - place * theme::BAR_HEIGHT - 2.0, row.center().y);
        Rect::from_center_size(middle, egui::Vec2::splat(theme::BAR_HEIGHT))
    });
    let label = format!("Remove take {name}");
    let cross = (Icon::Close, weak);
    if icon_button_ui(ui, (remove, widget.with("remove")), cross, &label, "Remove from the list").clicked() {
        session.takes_mut().remove(id);
        return;
    }
    let (color, tip) = if compared {
        (theme::ACCENT_BRIGHT, "Drawn dashed in the curves. Click to stop comparing")
    } else {
        (if plays { theme::TEXT_WEAK } else { theme::ICON_WEAK }, "Compare: draw it dashed in the curves")
    };
    let label = format!("Compare take {name}");
    if icon_button_ui(ui, (compare, widget.with("compare")), (Icon::Compare, color), &label, tip).clicked() {
        session.edits.compared_take = (!compared).then_some(id);
    }
    let (color, tip) = match (entry.is_starred, plays) {
        (true, _) => (theme::WARNING, "A good take. Click to take the mark away"),
        (false, true) => (theme::TEXT_WEAK, "Mark as a good take"),
        (false, false) => (theme::ICON_WEAK, "Mark as a good take"),
    };
    let label = format!("Star take {name}");
    if icon_button_ui(ui, (star, widget.with("star")), (Icon::Star, color), &label, tip).clicked()
        && let Some(entry) = session.edits.take_mut(id)
    {
        entry.is_starred ^= true;
    }
}

/// The row of a take of the project whose file could not be read.
fn missing_take_ui(ui: &mut egui::Ui, entry: &TakeEntry, cx: &mut PanelContext<'_>) {
    let Some(problem) = &entry.problem else { unreachable!("a take is missing because of a problem") };
    let name = text::shown(&entry.name);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let (id, rect) = ui.allocate_space(vec2(theme::BAR_HEIGHT, theme::BAR_HEIGHT));
            let label = format!("Remove missing take {}", entry.name);
            let tip = "Remove it and its mapping from the project";
            if icon_button_ui(ui, (rect, id), (Icon::Close, theme::TEXT_WEAK), &label, tip).clicked() {
                cx.session.takes_mut().remove(entry.id);
            }
            if ui.button("Locate…").on_hover_text("Import the file again; the mapping is kept").clicked() {
                cx.commands.push(Command::Choose(OpenAs::MissingTake(entry.id, entry.content())));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = RichText::new(text::shown_message(&format!("{name}: {problem}"))).color(theme::TEXT_WEAK);
                ui.add(Label::new(text).truncate());
            });
        });
    });
}

/// Duration, frame rate, number of mapped columns, and whether it moves a body.
fn summary(entry: &TakeEntry) -> String {
    let take = &entry.take;
    let rate = take.frames_per_sec.map_or_else(String::new, |rate| format!(" · {} fps", rate_text(rate)));
    let columns = take.columns.len();
    let matched = columns - entry.map.unmapped_columns(take).len();
    let mut parts = vec![format!("{:.1} s{rate}", entry.edited().duration_secs)];
    parts.extend((columns > 0 || take.body.is_none()).then(|| format!("{matched} of {columns} columns")));
    parts.extend(take.body.is_some().then(|| "body".to_owned()));
    parts.join(" · ")
}

/// The frame rate, with two decimals only if it needs them, such as 59.94.
fn rate_text(rate: f32) -> String {
    if (rate - rate.round()).abs() < 5e-3 { format!("{rate:.0}") } else { format!("{rate:.2}") }
}

fn calibration_ui(ui: &mut egui::Ui, session: &mut Session, entry: &TakeEntry) {
    let is_calibrated = entry.map.columns.iter().any(|column| column.neutral != 0.0);
    close_row_ui(ui, |ui| {
        let here = ui
            .button("Calibrate here")
            .on_hover_text("The face at the play head is the rest face: its values are subtracted from the whole take");
        if here.clicked() {
            let time_secs = session.clock.timeline.time_secs;
            glide_map(session, entry.id, |map, take| map.calibrate(take, time_secs));
        }
        let clear = ui.add_enabled(is_calibrated, Button::new("Clear"));
        if clear.on_hover_text("Remove the calibration").on_disabled_hover_text("Not calibrated").clicked() {
            glide_map(session, entry.id, |map, _| map.clear_calibration());
        }
        if is_calibrated {
            ui.weak("calibrated");
        }
    });
}

/// Edits the mapping of a take with a transition, so that the face does not jump.
fn glide_map(session: &mut Session, id: TakeId, edit: impl FnOnce(&mut smirk_face::motion::TakeMap, &Take)) {
    session.glide(session.edits.transition.duration_secs, |session| session.takes_mut().edit_map(id, edit));
}

fn all_columns_ui(ui: &mut egui::Ui, session: &mut Session, entry: &TakeEntry) {
    let rest = ColumnMap::default();
    let columns = &entry.map.columns;
    let Some(first) = columns.first() else { return };
    let mut gain = first.gain;
    let mixed = columns.iter().any(|column| column.gain != first.gain);
    let bar = Bar { name: "Gain, all columns", range: 0.0..=2.0, open_ended: true, mixed, ..Bar::named("Take gain") };
    if setting_ui(ui, bar, &mut gain, rest.gain) {
        session.takes_mut().edit_map(entry.id, |map, _| map.columns.iter_mut().for_each(|column| column.gain = gain));
    }
    let mut smoothing = first.smoothing_secs;
    let mixed = columns.iter().any(|column| column.smoothing_secs != first.smoothing_secs);
    let bar = Bar {
        name: "Smoothing, all columns",
        range: 0.0..=0.5,
        decimals: 3,
        unit: " s",
        mixed,
        ..Bar::named("Take smoothing")
    };
    if setting_ui(ui, bar, &mut smoothing, rest.smoothing_secs) {
        session.takes_mut().edit_map(entry.id, |map, _| {
            map.columns.iter_mut().for_each(|column| column.smoothing_secs = smoothing);
        });
    }
}

/// Lists unmapped columns, unmapped channels and notes, and a button that opens the mapping.
fn fit_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, entry: &TakeEntry) {
    let session = &*cx.session;
    let uncovered = entry.map.uncovered_channels(&session.head).into_iter();
    let uncovered: Vec<&str> = uncovered.map(|channel| session.head.channels[channel].name.as_str()).collect();
    names_ui(ui, "unmapped column", &entry.map.unmapped_columns(&entry.take));
    names_ui(ui, "replaced column", &entry.map.contested(entry.take.column_names(), &session.head));
    names_ui(ui, "column between opposites", &entry.map.opposites(&session.head));
    names_ui(ui, "approximate column", &entry.map.approximate(&session.head));
    names_ui(ui, "unmapped channel", &uncovered);
    for (level, noun) in [(Level::Warning, "warning"), (Level::Info, "note")] {
        let notes = entry.take.notes.iter().filter(|note| note.level == level);
        names_ui(ui, noun, &notes.map(ToString::to_string).collect::<Vec<_>>());
    }
    let edit = ui.add_sized(vec2(ui.available_width(), theme::BAR_HEIGHT), Button::new("Columns as curves"));
    if edit.on_hover_text("List the columns beside their curves; several can be mapped and scaled at once").clicked() {
        cx.actions.push(Action::Curves(CurvesAction::ListColumns));
    }
}
