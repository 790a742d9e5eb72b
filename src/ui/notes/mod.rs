//! Review notes: their page, their pins on the picture, and what marks them elsewhere: on the time bar, on the rows of
//! channels, at findings.

mod card;
mod page;
mod strokes;

pub(crate) use page::NotesPage;
pub(crate) use strokes::paint_stroke;

use std::sync::Arc;

use egui::{Color32, Rect, Role, Sense, Stroke, WidgetInfo, pos2, vec2};

use smirk_session::{NoteId, NotedFinding, PinnedTo, ReviewNote, Session, SurfacePoint};

use crate::context::PanelContext;
use crate::notes_state::{NoteFilter, NoteTool, NotesState};
use crate::state::{Page, PointedAt};
use crate::theme;
use crate::widgets::text;

/// Only so many notes are listed, pinned and marked at once. A hostile file has a hundred thousand.
pub(crate) const MOST: usize = 200;

/// The notes that are listed: those of the filter, and the selected one.
pub(crate) fn listed(session: &Session, state: &NotesState) -> Vec<Arc<ReviewNote>> {
    let notes = session.edits.notes.iter();
    notes.filter(|note| state.filter.lists(note) || state.selected == Some(note.id)).cloned().collect()
}

pub(crate) fn color_of(note: &ReviewNote) -> Color32 {
    if note.is_open() { theme::WARNING } else { theme::GOOD }
}

/// The number of a note in a ring of the colour of its state.
pub(crate) fn paint_badge(painter: &egui::Painter, at: egui::Pos2, note: &ReviewNote, is_selected: bool) {
    let fill = if is_selected { theme::ACCENT } else { theme::PANEL };
    let ring = if is_selected { theme::TEXT } else { color_of(note) };
    painter.circle(at, 10.0, fill, Stroke::new(2.0, ring));
    painter.text(at, egui::Align2::CENTER_CENTER, note.number, theme::small_font(), theme::TEXT);
}

/// Adds a note that is pinned to something, and lets its text be typed and a point of the face be clicked.
fn add(cx: &mut PanelContext<'_>, pinned_to: PinnedTo) -> NoteId {
    let author = cx.state.author_name();
    let id = cx.session.notes_mut().add(&author, "", pinned_to, cx.state.aspect());
    cx.state.open_page(Page::Notes);
    let notes = &mut cx.state.notes;
    notes.select(id);
    (notes.tool, notes.edits_text) = (Some(NoteTool::Pin), true);
    cx.show_status("Type the note; click the face to pin it there");
    id
}

/// Adds a note on channels, at the moment of the timeline.
pub(crate) fn add_on(cx: &mut PanelContext<'_>, channels: &[usize]) {
    let head = &cx.session.head;
    let channels = channels.iter().map(|&channel| head.channels[channel].full_name.clone()).collect();
    let time = cx.session.noted_time();
    add(cx, PinnedTo { channels, time, ..PinnedTo::default() });
}

/// Adds a note on a point of the face, which is at `in_picture` in picture heights from the middle.
pub(crate) fn add_at(cx: &mut PanelContext<'_>, point: SurfacePoint, in_picture: glam::Vec2) {
    let time = cx.session.noted_time();
    let id = add(cx, PinnedTo { time, ..PinnedTo::default() });
    cx.session.notes_mut().pin_to_point(id, point, in_picture, cx.state.aspect());
    cx.state.notes.tool = None;
    cx.show_status("Type the note");
}

/// Adds a note on the moment of the timeline, and on the channel under the pointer.
pub(crate) fn add_here(cx: &mut PanelContext<'_>) {
    let channels = match cx.marks.pointed_at {
        Some(PointedAt::Channel(channel)) => vec![channel],
        Some(PointedAt::Pair(pair)) => {
            let pair = &cx.session.head.pairs[pair];
            [Some(pair.first), pair.second].into_iter().flatten().collect()
        }
        Some(PointedAt::Region(_) | PointedAt::Pose(_)) | None => Vec::new(),
    };
    add_on(cx, &channels);
}

/// A link that adds a note on a finding.
pub(crate) fn finding_link_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, rule: &str, of: &str, channels: &[usize]) {
    let finding = NotedFinding { rule: rule.to_owned(), of: of.to_owned() };
    let noted = cx.session.edits.notes.iter().find(|note| note.pinned_to.finding.as_ref() == Some(&finding)).cloned();
    let name = noted.as_ref().map_or("Add note".to_owned(), |note| format!("Note {}", note.number));
    let link = ui.link(egui::RichText::new(&name).color(theme::TEXT_WEAK));
    link.widget_info(|| WidgetInfo::labeled(Role::Link, true, format!("{name} on {of}")));
    if link.on_hover_text("A review note on this finding").clicked() {
        match noted {
            Some(note) => go_to(cx, note.id),
            None => {
                let names = channels.iter().map(|&channel| cx.session.head.channels[channel].full_name.clone());
                let channels = names.take(MOST).collect();
                add(cx, PinnedTo { channels, finding: Some(finding), ..PinnedTo::default() });
            }
        }
    }
}

/// Selects a note, and shows its view and its moment.
pub(crate) fn go_to(cx: &mut PanelContext<'_>, id: NoteId) {
    cx.state.open_page(Page::Notes);
    let notes = &mut cx.state.notes;
    if cx.session.edits.note(id).is_some_and(|note| !notes.filter.lists(note)) {
        notes.filter = NoteFilter::All;
    }
    notes.select(id);
    cx.session.notes_mut().go_to(id);
}

/// Goes to the next of the listed notes, or to the one before.
pub(crate) fn step(cx: &mut PanelContext<'_>, is_forward: bool) {
    let listed = listed(cx.session, &cx.state.notes);
    let selected = listed.iter().position(|note| Some(note.id) == cx.state.notes.selected);
    let place = match (selected, is_forward) {
        (None, true) => Some(0),
        (None, false) => listed.len().checked_sub(1),
        (Some(place), true) => Some(place + 1),
        (Some(place), false) => place.checked_sub(1),
    };
    match place.and_then(|place| listed.get(place)) {
        Some(note) => {
            go_to(cx, note.id);
            cx.state.notes.steps = true;
        }
        None => cx.show_status(if listed.is_empty() { "No notes are listed" } else { "No more notes that way" }),
    }
}

/// Shows the notes on what plays as marks on a time bar. A click goes to the note; further clicks go to the others
/// whose marks are in its place.
pub(crate) fn marks_ui(ui: &egui::Ui, bar: Rect, cx: &mut PanelContext<'_>) {
    let end_secs = cx.session.timeline_secs();
    let timed = cx.session.edits.notes.iter().filter_map(|note| {
        let time = note.pinned_to.time.as_ref().filter(|time| cx.session.plays_noted(time))?;
        let is_shown = time.start_secs <= end_secs && (note.is_open() || cx.state.notes.filter == NoteFilter::All);
        is_shown.then(|| (note.clone(), [time.start_secs, time.end_secs]))
    });
    let timed: Vec<_> = timed.take(MOST).collect();
    let on_bar = |secs: f32| egui::remap_clamp(secs, 0.0..=end_secs.max(f32::MIN_POSITIVE), bar.x_range());
    for (note, secs) in &timed {
        let [start, end] = secs.map(on_bar);
        let color = color_of(note);
        if end > start {
            let range = Rect::from_x_y_ranges(start..=end, bar.top()..=bar.top() + 2.0);
            ui.painter().rect_filled(range, 0.0, color.gamma_multiply(0.7));
        }
        let corners = vec![pos2(start - 4.0, bar.top()), pos2(start + 4.0, bar.top()), pos2(start, bar.top() + 6.0)];
        ui.painter().add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
        let touched = Rect::from_min_size(pos2(start - 5.0, bar.top()), vec2(10.0, 7.0));
        let mark = ui.interact(touched, ui.scope_id().with(("note", note.id)), Sense::click());
        let name = format!("Note {} on the time bar", note.number);
        mark.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let here = || timed.iter().filter(|(_, [secs, _])| (on_bar(*secs) - start).abs() < 5.0).map(|(note, _)| note);
        let mark = mark.on_hover_ui(|ui| {
            for note in here().take(8) {
                ui.label(tip(note));
            }
        });
        if mark.clicked() {
            let after_selected = here().skip_while(|note| Some(note.id) != cx.state.notes.selected).nth(1);
            let next = after_selected.or_else(|| here().next()).unwrap_or(note).id;
            go_to(cx, next);
        }
    }
}

pub(crate) fn tip(note: &ReviewNote) -> String {
    format!("Note {}: {}", note.number, text::shown(note.title()))
}

/// Shows a dot at the right end of the name of a row whose channels have open notes. A click goes to the first. Returns
/// the width that it takes of the name.
pub(crate) fn dot_ui(ui: &egui::Ui, name: Rect, channels: &[usize], cx: &mut PanelContext<'_>) -> f32 {
    const WIDTH: f32 = 14.0;
    let (head, notes) = (&cx.session.head, &cx.session.edits.notes);
    let names = || channels.iter().map(|&channel| &head.channels[channel].full_name);
    let mut open = notes.iter().filter(|note| note.is_open()).take(MOST);
    let noted = open.find(|note| names().any(|name| note.pinned_to.channels.contains(name))).cloned();
    let Some(note) = noted else { return 0.0 };
    let at = pos2(name.right() - 6.0, name.center().y);
    ui.painter().circle_filled(at, 3.5, color_of(&note));
    let touched = Rect::from_center_size(at, vec2(WIDTH, name.height()));
    let dot = ui.interact(touched, egui::Id::unique(("note of row", channels)), Sense::CLICK);
    dot.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Note {} of this row", note.number)));
    if dot.on_hover_text(tip(&note)).clicked() {
        go_to(cx, note.id);
    }
    WIDTH
}
