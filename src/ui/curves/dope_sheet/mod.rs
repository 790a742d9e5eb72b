//! The dope sheet: the same keys as rows of diamonds. Dragging a diamond moves all keys of its row at its time; with
//! Alt it moves all later keys of all rows, and with them the take and all else that is on the timeline.

mod rows;

pub(super) use rows::Rows;

use egui::{Align2, Painter, PointerButton, Pos2, Rect, Response, Role, Sense, Stroke, WidgetInfo, pos2, vec2};

use crate::theme;
use crate::widgets::text;
use smirk_editor::session::Session;
use smirk_face::motion::{Key, KeySelection};
use smirk_files::audio::Sound;

use super::drawing::CurveSources;
use super::extent::Extent;
use super::keys::{self, Diamonds, Gesture, GestureKind};
use super::lanes::Lanes;
use super::list::modifiers_of_click;
use super::navigation::Navigation;
use super::state::CurvesState;
use super::{plot, range, ruler};
use rows::{Mark, Row, keys_between};

const ROW_HEIGHT: f32 = 18.0;
/// Width of the names.
const NAMES: f32 = 132.0;
/// The largest distance, in points, at which the pointer touches a diamond.
const REACH: f32 = 7.0;
/// The largest number of diamonds that have a name for screen readers and tests.
const MOST_NAMED: usize = 200;

/// Shows the dope sheet with its ruler.
pub(super) fn dope_sheet_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    curves: &mut CurvesState,
    sources: &CurveSources,
    sound: Option<&Sound>,
) {
    let area = ui.max_rect();
    let graph = area.with_min_x(area.left() + NAMES);
    let ruler = graph.with_max_y(graph.top() + ruler::HEIGHT);
    let (lanes, sheet) = Lanes::at_top_of(graph.with_min_y(ruler.bottom()), session);
    if sheet.width() < 40.0 || sheet.height() < ROW_HEIGHT {
        return;
    }
    let response = ui.interact(sheet, ui.scope_id().with("dope sheet"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Keys by channel"));
    curves.is_hovered = ui.rect_contains_pointer(area);
    curves.keys.update_selection(session);
    let secs = curves.visible_secs.unwrap_or_else(|| Extent::all_secs(sources.end_secs));
    let mut extent = curves.keys.gesture.as_ref().map_or(Extent { secs, values: [0.0, 1.0] }, |gesture| gesture.extent);
    if curves.keys.gesture.is_none() {
        let hand = Navigation::read(ui, &response, area);
        curves.scroll -= hand.drag.y + hand.scroll.y;
        hand.move_secs(hand.pinch, sheet, curves, &mut extent, sources.end_secs);
    }
    plot::scrub_ui(ui, ruler, &extent, session);
    pointer_ui(ui, &response, sheet, &extent, session, curves);
    response.context_menu(|ui| keys::context_menu_ui(ui, session, curves));

    let mut rows = std::mem::take(&mut curves.rows);
    let (selected, selection) = (&curves.selected, &curves.keys.selection);
    rows.update(session, sources, selected, |item| curves.is_shown(item), selection, (extent.secs, sheet.x_range()));
    curves.rows = rows;
    let tallest = curves.rows.list().len() as f32 * ROW_HEIGHT;
    curves.scroll = curves.scroll.clamp(0.0, (tallest - sheet.height()).max(0.0));

    let painter = ui.painter_at(area);
    painter.rect_filled(sheet, 0.0, theme::BACKDROP);
    ruler::paint_time(&painter, ruler, sheet, &extent, &session.edits.timeline);
    range::paint(&painter, ruler, sheet, &extent, session);
    lanes.show_ui(ui, &extent, session, curves, sound);
    paint_rows(ui, &painter.with_clip_rect(area.with_min_y(sheet.top())), area, sheet, &extent, curves);
    if session.edits.keys.is_empty() {
        let text = "No keys: right-click a slider to set a key.";
        painter.text(sheet.center(), Align2::CENTER_CENTER, text, theme::body_font(), theme::TEXT_WEAK);
    }
    let pointer = ui.input(|input| input.pointer.latest_pos());
    if let (Some(gesture), Some(pointer)) = (&curves.keys.gesture, pointer) {
        keys::paint_gesture(&painter.with_clip_rect(sheet), sheet, gesture, pointer);
    }
    plot::paint_play_head(&painter.with_clip_rect(sheet.with_min_y(area.top())), ruler, sheet, &extent, session);
}

fn row_rect(sheet: Rect, scroll: f32, index: usize) -> Rect {
    let top = sheet.top() + index as f32 * ROW_HEIGHT - scroll;
    Rect::from_x_y_ranges(sheet.x_range(), top..=top + ROW_HEIGHT)
}

/// The diamond at a point, and its row.
fn mark_at<'a>(curves: &'a CurvesState, sheet: Rect, extent: &Extent, point: Pos2) -> Option<(&'a Row, Mark)> {
    let index = ((point.y - sheet.top() + curves.scroll) / ROW_HEIGHT).floor();
    let row = curves.rows.list().get(index.max(0.0) as usize)?;
    let distance = |mark: &Mark| (extent.x(sheet, mark.time_secs) - point.x).abs();
    let nearest = row.marks.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    (distance(nearest) <= REACH).then_some((row, *nearest))
}

/// The keys in a rectangle of the sheet.
fn keys_in(session: &Session, curves: &CurvesState, sheet: Rect, extent: &Extent, rect: Rect) -> KeySelection {
    let secs = [rect.left(), rect.right()].map(|x| extent.secs_at(sheet, x));
    let mut found = KeySelection::default();
    for (index, row) in curves.rows.list().iter().enumerate().filter(|(_, row)| !row.is_summary) {
        if rect.y_range().contains(row_rect(sheet, curves.scroll, index).center().y) {
            for (name, times) in keys_between(session, row, secs).channels() {
                found.add(name, times.iter().copied());
            }
        }
    }
    found
}

/// Handles clicks and drags.
fn pointer_ui(
    ui: &egui::Ui,
    response: &Response,
    sheet: Rect,
    extent: &Extent,
    session: &mut Session,
    curves: &mut CurvesState,
) {
    let modifiers = modifiers_of_click(ui);
    let at = |curves: &CurvesState, session: &Session, point: Pos2| {
        let (row, mark) = mark_at(curves, sheet, extent, point)?;
        Some((mark, keys_between(session, row, [mark.time_secs - Key::SAME_SECS, mark.time_secs + Key::SAME_SECS])))
    };
    let origin = ui.input(|input| input.pointer.press_origin());
    if response.drag_started_by(PointerButton::Primary)
        && let Some(origin) = origin
    {
        let hit = at(curves, session, origin);
        let kind = match &hit {
            None => GestureKind::Box,
            Some((mark, _)) if modifiers.alt => {
                GestureKind::Ripple { from_secs: mark.time_secs, before: Box::new(session.on_timeline()) }
            }
            Some((mark, keys)) => {
                if !mark.is_selected {
                    curves.keys.selection = keys::combined(&curves.keys.selection, keys, modifiers);
                }
                GestureKind::Move { grabbed_secs: mark.time_secs, height_of_one: 1.0, only_time: true }
            }
        };
        let (keys, selection) = (&session.edits.keys, &curves.keys.selection);
        curves.keys.gesture = Some(Gesture::new(kind, origin, *extent, keys, selection));
    }
    if curves.keys.gesture.is_some() {
        keys::go_on(ui, session, curves, sheet, |session, curves, rect| keys_in(session, curves, sheet, extent, rect));
    } else if let Some(point) =
        response.interact_pointer_pos().filter(|_| response.clicked() || response.secondary_clicked())
    {
        match at(curves, session, point) {
            Some((mark, _)) if mark.is_selected && response.secondary_clicked() => {}
            Some((_, keys)) => curves.keys.selection = keys::combined(&curves.keys.selection, &keys, modifiers),
            None if response.clicked() && modifiers.is_none() => curves.keys.selection = KeySelection::default(),
            None => {}
        }
    }
}

/// Paints names and diamonds.
fn paint_rows(ui: &egui::Ui, painter: &Painter, area: Rect, sheet: Rect, extent: &Extent, curves: &CurvesState) {
    let mut visible = Vec::new();
    let (mut named, most) = (0, curves.rows.list().iter().map(|row| row.marks.len()).sum::<usize>() <= MOST_NAMED);
    for (index, row) in curves.rows.list().iter().enumerate() {
        let rect = row_rect(sheet, curves.scroll, index);
        if !rect.intersects(sheet) {
            continue;
        }
        let full = rect.with_min_x(area.left());
        if row.is_summary {
            painter.rect_filled(full, 0.0, theme::WELL.gamma_multiply(if index == 0 { 1.0 } else { 0.6 }));
        }
        painter.hline(full.x_range(), full.bottom(), Stroke::new(1.0, theme::WELL));
        let (font, color) = (theme::small_font(), if row.is_summary { theme::TEXT } else { theme::TEXT_WEAK });
        let indent = if row.is_summary { 4.0 } else { 12.0 };
        let label = text::elide_middle(painter, &row.label, &font, NAMES - indent - theme::GAP);
        painter.text(pos2(area.left() + indent, rect.center().y), Align2::LEFT_CENTER, label, font, color);
        for mark in &row.marks {
            let at = pos2(extent.x(sheet, mark.time_secs), rect.center().y);
            if !sheet.expand(4.0).contains(at) {
                continue;
            }
            let color = if mark.is_selected { theme::TEXT } else { row.color };
            visible.push((at, if mark.is_selected { 6.0 } else { 5.0 }, color));
            if most && sheet.contains(at) {
                named += 1;
                let label = format!("{} {:.2} s", row.label, mark.time_secs);
                let touched = Rect::from_center_size(at, vec2(2.0 * REACH, ROW_HEIGHT));
                let response = ui.interact(touched, ui.scope_id().with(("mark", named)), Sense::hover());
                response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
            }
        }
    }
    let mut diamonds = Diamonds::default();
    diamonds.replace(ui.ctx(), visible.into_iter());
    diamonds.paint(&painter.with_clip_rect(sheet));
}
