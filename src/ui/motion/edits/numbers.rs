//! The numbers of an edit, by its kind, its range of time and its columns.

use std::ops::RangeInclusive;

use egui::{Button, vec2};

use smirk_face::motion::{EditKind, Fit, NeutralOf, TakeEdit};
use smirk_session::{Session, TakeEntry};

use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{Bar, checkbox_ui, close_row_ui, options_ui, setting_ui, text};

const LONGEST_EASE_SECS: f32 = 1.0;

pub(super) fn numbers_ui(ui: &mut egui::Ui, session: &Session, edit: &mut TakeEdit) {
    match &mut edit.kind {
        EditKind::Gain(factor) => {
            let gain = bar("Gain", "Edit gain", 0.0..=2.0, "");
            number_ui(ui, Bar { open_ended: true, ..gain }, factor, 1.0);
        }
        EditKind::Offset(offset) => {
            let bar = bar("Offset", "Edit offset", -1.0..=1.0, "");
            number_ui(ui, Bar { open_ended: true, ..bar }, offset, 0.0);
        }
        EditKind::Clamp([low, high]) => {
            for (value, name, label, rest) in
                [(low, "Lowest", "Edit lowest", 0.0), (high, "Highest", "Edit highest", 1.0)]
            {
                number_ui(ui, Bar { open_ended: true, ..bar(name, label, -1.0..=2.0, "") }, value, rest);
            }
        }
        EditKind::Smooth { cutoff_hz, keep_peaks } => {
            let frequency = bar("Frequency", "Edit frequency", 0.5..=25.0, " Hz");
            number_ui(ui, Bar { decimals: 1, ..frequency }, cutoff_hz, 6.0);
            number_ui(ui, bar("Keep peaks", "Edit keep peaks", 0.0..=1.0, ""), keep_peaks, 1.0);
        }
        EditKind::RemoveSpikes { threshold, longest_secs } => {
            number_ui(ui, bar("Threshold", "Edit threshold", 0.01..=1.0, ""), threshold, 0.1);
            let longest = bar("Longest", "Edit longest", 0.01..=0.2, " s");
            number_ui(ui, Bar { decimals: 3, ..longest }, longest_secs, 0.035);
        }
        EditKind::Neutral(of) => neutral_ui(ui, session, of),
        EditKind::Hold(value) => {
            let mut is_own = value.is_none();
            checkbox_ui(ui, &mut is_own, "Value at the start").accessible_name("Edit holds the value at the start");
            if is_own != value.is_none() {
                *value = (!is_own).then_some(0.0);
            }
            if let Some(value) = value {
                let held = bar("Value", "Edit held value", 0.0..=1.0, "");
                number_ui(ui, Bar { open_ended: true, ..held }, value, 0.0);
            }
        }
        EditKind::Reduce { fit, tolerance } => {
            options_ui(ui, fit, &[(Fit::Smooth, "Splines"), (Fit::Linear, "Lines")]);
            let bar = bar("Tolerance", "Edit tolerance", 0.001..=0.1, "");
            number_ui(ui, Bar { decimals: 3, open_ended: true, ..bar }, tolerance, 0.01);
            *tolerance = tolerance.max(0.0);
        }
        EditKind::Bake(rate) => number_ui(ui, bar("Samples", "Edit rate", 5.0..=120.0, " /s"), rate, 30.0),
        EditKind::FrameRate(rate) => {
            let bar = bar("Frames", "Edit frame rate", 10.0..=120.0, " /s");
            number_ui(ui, Bar { decimals: 3, open_ended: true, ..bar }, rate, 60.0);
        }
        EditKind::Stretch(factor) => number_ui(ui, bar("Length", "Edit length", 0.25..=4.0, "×"), factor, 1.0),
        EditKind::InsertTime(secs) => {
            let duration = bar("Duration", "Edit inserted", 0.0..=5.0, " s");
            number_ui(ui, Bar { open_ended: true, ..duration }, secs, 0.5);
        }
        EditKind::Line | EditKind::Bridge | EditKind::Mirror | EditKind::DeleteTime => {}
    }
}

fn neutral_ui(ui: &mut egui::Ui, session: &Session, of: &mut NeutralOf) {
    let now_secs = session.clock.timeline.time_secs;
    let moment_secs = if let NeutralOf::Moment(secs) = of { *secs } else { now_secs };
    options_ui(ui, of, &[(NeutralOf::Moment(moment_secs), "Face at a moment"), (NeutralOf::Mean, "Mean")]);
    if let NeutralOf::Moment(secs) = of {
        let end_secs = session.timeline_secs().max(0.1);
        number_ui(ui, bar("Rest face at", "Edit rest face", 0.0..=end_secs, " s"), secs, 0.0);
        if ui.button("Use play head").clicked() {
            *secs = now_secs;
        }
    }
}

fn bar<'a>(name: &'a str, label: &'a str, range: RangeInclusive<f32>, unit: &'a str) -> Bar<'a> {
    Bar { name, range, unit, ..Bar::named(label) }
}

fn number_ui(ui: &mut egui::Ui, bar: Bar<'_>, value: &mut f32, rest: f32) {
    setting_ui(ui, bar, value, rest);
}

/// Shows the start and the end of the range, with buttons that take them from the play head, and the eased ends.
pub(super) fn range_ui(ui: &mut egui::Ui, session: &Session, entry: &TakeEntry, edit: &mut TakeEdit) {
    if !edit.kind.has_range() {
        return;
    }
    let end_secs = entry.edited().duration_secs.max(entry.take.duration_secs).max(0.1);
    let now_secs = session.clock.timeline.time_secs;
    close_row_ui(ui, |ui| {
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
        number_ui(ui, bar("Start", "Edit start", 0.0..=end_secs, " s"), start, 0.0);
        if !matches!(edit.kind, EditKind::InsertTime(_)) {
            number_ui(ui, bar("End", "Edit end", 0.0..=end_secs, " s"), end, end_secs);
        }
        let eases = [
            (&mut edit.ease_in_secs, "Ease in", "Edit ease in"),
            (&mut edit.ease_out_secs, "Ease out", "Edit ease out"),
        ];
        for (secs, name, label) in
            eases.into_iter().zip(edit.kind.eases()).filter_map(|(of, eases)| eases.then_some(of))
        {
            let bar = bar(name, label, 0.0..=LONGEST_EASE_SECS, " s");
            number_ui(ui, Bar { open_ended: true, ..bar }, secs, TakeEdit::EASE_SECS);
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
    close_row_ui(ui, |ui| {
        let all = Button::selectable(edit.columns.is_none(), "All columns").frame_when_inactive(true);
        if ui.add(all).accessible_name("Edit all columns").clicked() {
            edit.columns = None;
        }
        let selected = selected_names(cx, entry);
        let text = selected.as_ref().map_or("Selected".to_owned(), |names| format!("{} selected", names.len()));
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
