//! The numbers of an edit, by its kind, its range of time and its columns.

use egui::{Button, vec2};

use smirk_face::motion::{EditKind, Fit, NeutralOf, TakeEdit};
use smirk_session::{Session, TakeEntry};

use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{Bar, options_ui, setting_ui, text};

/// The longest eased end of the sliders.
const LONGEST_EASE_SECS: f32 = 1.0;

/// Shows the sliders of the kind.
pub(super) fn numbers_ui(ui: &mut egui::Ui, session: &Session, edit: &mut TakeEdit) {
    let now_secs = session.clock.timeline.time_secs;
    match &mut edit.kind {
        EditKind::Gain(factor) => {
            let bar = Bar { name: "Gain", range: 0.0..=2.0, open_ended: true, ..Bar::new("Edit gain", *factor) };
            setting_ui(ui, bar, factor, 1.0);
        }
        EditKind::Offset(offset) => {
            let bar = Bar { name: "Offset", range: -1.0..=1.0, open_ended: true, ..Bar::new("Edit offset", *offset) };
            setting_ui(ui, bar, offset, 0.0);
        }
        EditKind::Clamp([low, high]) => {
            for (value, name, label, rest) in
                [(low, "Lowest", "Edit lowest", 0.0), (high, "Highest", "Edit highest", 1.0)]
            {
                let bar = Bar { name, range: -1.0..=2.0, open_ended: true, ..Bar::new(label, *value) };
                setting_ui(ui, bar, value, rest);
            }
        }
        EditKind::Smooth { cutoff_hz, keep_peaks } => {
            let bar = Bar {
                name: "Frequency",
                range: 0.5..=25.0,
                decimals: 1,
                unit: " Hz",
                ..Bar::new("Edit frequency", *cutoff_hz)
            };
            setting_ui(ui, bar, cutoff_hz, 6.0);
            let bar = Bar { name: "Keep peaks", ..Bar::new("Edit keep peaks", *keep_peaks) };
            setting_ui(ui, bar, keep_peaks, 1.0);
        }
        EditKind::RemoveSpikes { threshold, longest_secs } => {
            let bar = Bar { name: "Threshold", range: 0.01..=1.0, ..Bar::new("Edit threshold", *threshold) };
            setting_ui(ui, bar, threshold, 0.1);
            let bar = Bar {
                name: "Longest",
                range: 0.01..=0.2,
                decimals: 3,
                unit: " s",
                ..Bar::new("Edit longest", *longest_secs)
            };
            setting_ui(ui, bar, longest_secs, 0.035);
        }
        EditKind::Neutral(of) => {
            let moment_secs = if let NeutralOf::Moment(secs) = of { *secs } else { now_secs };
            options_ui(ui, of, &[(NeutralOf::Moment(moment_secs), "Face at a moment"), (NeutralOf::Mean, "Mean")]);
            if let NeutralOf::Moment(secs) = of {
                let end_secs = session.timeline_secs().max(0.1);
                let bar = seconds("Rest face at", "Edit rest face", *secs, end_secs);
                setting_ui(ui, bar, secs, 0.0);
                if ui.button("Use play head").clicked() {
                    *secs = now_secs;
                }
            }
        }
        EditKind::Hold(value) => {
            let mut is_own = value.is_none();
            ui.checkbox(&mut is_own, "Value at the start").accessible_name("Edit holds the value at the start");
            if is_own != value.is_none() {
                *value = (!is_own).then_some(0.0);
            }
            if let Some(value) = value {
                let bar = Bar { name: "Value", open_ended: true, ..Bar::new("Edit held value", *value) };
                setting_ui(ui, bar, value, 0.0);
            }
        }
        EditKind::Reduce { fit, tolerance } => {
            options_ui(ui, fit, &[(Fit::Smooth, "Splines"), (Fit::Linear, "Lines")]);
            let bar = Bar {
                name: "Tolerance",
                range: 0.001..=0.1,
                decimals: 3,
                open_ended: true,
                ..Bar::new("Edit tolerance", *tolerance)
            };
            setting_ui(ui, bar, tolerance, 0.01);
            *tolerance = tolerance.max(0.0);
        }
        EditKind::Bake(rate) => {
            let bar = Bar { name: "Samples", range: 5.0..=120.0, unit: " /s", ..Bar::new("Edit rate", *rate) };
            setting_ui(ui, bar, rate, 30.0);
        }
        EditKind::FrameRate(rate) => {
            let bar = Bar {
                name: "Frames",
                range: 10.0..=120.0,
                decimals: 3,
                unit: " /s",
                open_ended: true,
                ..Bar::new("Edit frame rate", *rate)
            };
            setting_ui(ui, bar, rate, 60.0);
        }
        EditKind::Stretch(factor) => {
            let bar = Bar { name: "Length", range: 0.25..=4.0, unit: "×", ..Bar::new("Edit length", *factor) };
            setting_ui(ui, bar, factor, 1.0);
        }
        EditKind::InsertTime(secs) => {
            let bar = seconds("Duration", "Edit inserted", *secs, 5.0);
            setting_ui(ui, Bar { open_ended: true, ..bar }, secs, 0.5);
        }
        EditKind::Line | EditKind::Bridge | EditKind::Mirror | EditKind::DeleteTime => {}
    }
}

/// A slider from 0 to a number of seconds.
fn seconds<'a>(name: &'a str, label: &'a str, value: f32, end_secs: f32) -> Bar<'a> {
    Bar { name, range: 0.0..=end_secs, unit: " s", ..Bar::new(label, value) }
}

/// Shows the start and the end of the range, with buttons that take them from the play head, and the eased ends.
pub(super) fn range_ui(ui: &mut egui::Ui, session: &Session, entry: &TakeEntry, edit: &mut TakeEdit) {
    if !edit.kind.has_range() {
        return;
    }
    let end_secs = entry.edited().duration_secs.max(entry.take.duration_secs).max(0.1);
    let now_secs = session.clock.timeline.time_secs;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        let whole = Button::selectable(edit.span.is_none(), "Whole take").frame_when_inactive(true);
        if ui.add(whole).accessible_name("Edit the whole take").clicked() {
            edit.span = None;
        }
        if ui.button("Start here").on_hover_text("The range starts at the play head").clicked() {
            let end = edit.span.map_or(end_secs, |[_, end]| end);
            edit.span = Some([now_secs, if end > now_secs { end } else { end_secs }]);
        }
        if ui.button("End here").on_hover_text("The range ends at the play head").clicked() {
            let start = edit.span.map_or(0.0, |[start, _]| start);
            edit.span = Some([if start < now_secs { start } else { 0.0 }, now_secs]);
        }
    });
    if let Some([start, end]) = &mut edit.span {
        setting_ui(ui, seconds("Start", "Edit start", *start, end_secs), start, 0.0);
        let has_end = !matches!(edit.kind, EditKind::InsertTime(_));
        if has_end {
            setting_ui(ui, seconds("End", "Edit end", *end, end_secs), end, end_secs);
        }
        let eases = [
            (&mut edit.ease_in_secs, "Ease in", "Edit ease in"),
            (&mut edit.ease_out_secs, "Ease out", "Edit ease out"),
        ];
        for (secs, name, label) in
            eases.into_iter().zip(edit.kind.eases()).filter_map(|(of, eases)| eases.then_some(of))
        {
            let bar = Bar { open_ended: true, ..seconds(name, label, *secs, LONGEST_EASE_SECS) };
            setting_ui(ui, bar, secs, TakeEdit::EASE_SECS);
            *secs = secs.max(0.0);
        }
    }
}

/// Shows which columns the edit changes, with buttons that choose others.
pub(super) fn columns_ui(ui: &mut egui::Ui, cx: &PanelContext<'_>, entry: &TakeEntry, edit: &mut TakeEdit) {
    if edit.kind.is_of_time() {
        ui.weak("All columns: time is changed for the whole face");
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        let all = Button::selectable(edit.columns.is_none(), "All columns").frame_when_inactive(true);
        if ui.add(all).accessible_name("Edit all columns").clicked() {
            edit.columns = None;
        }
        let selected = selected_names(cx, entry);
        let text = selected.as_ref().map_or_else(|| "Selected".to_owned(), |names| format!("{} selected", names.len()));
        let is_chosen = selected.is_some() && edit.columns == selected;
        let button = Button::selectable(is_chosen, text).frame_when_inactive(true);
        let button = ui.add_enabled(selected.is_some(), button).accessible_name("Edit the selected curves");
        let button = button
            .on_hover_text("The columns of the selected curves")
            .on_disabled_hover_text("Select curves in the panel below the face");
        if button.clicked() {
            edit.columns = selected;
        }
    });
    if let Some(columns) = &edit.columns {
        let names = columns.iter().map(|name| text::shown(name).into_owned()).collect::<Vec<_>>().join(", ");
        let label = egui::RichText::new(&names).small().color(theme::TEXT_WEAK);
        ui.allocate_ui(vec2(ui.available_width(), 0.0), |ui| {
            ui.add(egui::Label::new(label).truncate().show_tooltip_when_elided(false)).on_hover_text(names);
        });
    }
}

/// The names of the columns of the selected curves; `None` if no curve is selected.
pub(super) fn selected_names(cx: &PanelContext<'_>, entry: &TakeEntry) -> Option<Vec<String>> {
    let columns = cx.marks.curve_selection.columns_of_take(cx.session);
    let names = columns.into_iter().filter_map(|column| Some(entry.take.columns.get(column)?.name.clone()));
    Some(names.collect::<Vec<_>>()).filter(|names| !names.is_empty())
}
