//! The dope sheet: the keys as rows of diamonds, first a summary of all keys, then per region a header and its
//! channels. Dragging a diamond moves all keys of its row at its time; with Alt it moves all later keys of all rows,
//! and with them the take and all else that is on the timeline.

use std::collections::{BTreeMap, BTreeSet};

use egui::{
    Align2, Color32, Painter, PointerButton, Pos2, Rangef, Rect, Response, Role, Sense, Stroke, WidgetInfo, pos2, vec2,
};
use rayon::prelude::*;

use smirk_face::head::Region;
use smirk_face::motion::{Key, KeySelection};
use smirk_session::{Revision, Session, TimingOf};

use super::drawing::CurveSources;
use super::extent::{Extent, Navigation, Plot};
use super::keys::{
    Diamonds, Gesture, GestureKind, Handle, KeyEditing, combined, handle_at, paint_box, paint_gesture, time_handles,
};
use super::lanes::Lanes;
use super::{CurvesPanel, ruler};
use crate::context::PanelContext;
use crate::curve_selection::{CurveItem, CurveSelection};
use crate::theme;
use crate::widgets::{modifiers_of_click, pose_over_ui, text};

const ROW_HEIGHT: f32 = 18.0;
const NAMES: f32 = 132.0;
/// The largest distance, in points, at which the pointer touches a diamond.
const REACH: f32 = 7.0;
/// The largest number of diamonds that have a name for screen readers and tests.
const MOST_NAMED: usize = 200;

impl CurvesPanel {
    pub(super) fn dope_sheet_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let area = ui.max_rect();
        let graph = area.with_min_x(area.left() + NAMES);
        let ruler = graph.with_max_y(graph.top() + ruler::HEIGHT);
        let (lanes, rect) = Lanes::at_top_of(graph.with_min_y(ruler.bottom()), cx.session);
        if rect.width() < 40.0 || rect.height() < ROW_HEIGHT {
            return;
        }
        let response = ui.interact(rect, ui.scope_id().with("dope sheet"), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Keys by channel"));
        self.is_hovered = ui.rect_contains_pointer(area);
        self.keys.update_selection(cx.session);
        let secs = self.visible_secs.unwrap_or_else(|| Extent::all_secs(self.sources.end_secs));
        let frozen = self.keys.gesture.as_ref().map(|gesture| gesture.extent);
        let mut sheet = Plot { rect, extent: frozen.unwrap_or(Extent { secs, values: [0.0, 1.0] }) };
        if frozen.is_none() {
            let hand = Navigation::read(ui, &response, area);
            self.dope_sheet.scroll -= hand.drag.y + hand.scroll.y;
            hand.move_secs(hand.pinch, &mut sheet, &mut self.visible_secs, self.sources.end_secs);
        }
        ruler::scrub_ui(ui, &sheet.with_rect(ruler), cx.session);
        if let Some(dragged) = &mut cx.marks.dragged_pose {
            let scale = area.with_min_x(rect.left());
            let secs = pose_over_ui(ui, scale, |secs| sheet.x(secs), |x| sheet.secs_at(x), cx.session);
            dragged.time_secs = secs.or(dragged.time_secs);
        }
        self.dope_sheet.pointer_ui(ui, &response, &sheet, &mut self.keys, cx.session);
        response.context_menu(|ui| self.context_menu_ui(ui, cx));

        let dope_sheet = &mut self.dope_sheet;
        dope_sheet.update(cx.session, &self.sources, &cx.marks.curve_selection, &self.keys.selection, &sheet);
        let tallest = dope_sheet.rows.len() as f32 * ROW_HEIGHT;
        dope_sheet.scroll = dope_sheet.scroll.clamp(0.0, (tallest - rect.height()).max(0.0));

        let painter = ui.painter_at(area);
        painter.rect_filled(rect, 0.0, theme::BACKDROP);
        ruler::paint_time(&painter, ruler, &sheet, &cx.session.edits.timeline);
        ruler::paint_range(&painter, ruler, &sheet, cx.session);
        lanes.show_ui(ui, &sheet, cx, &mut self.markers);
        dope_sheet.rows_ui(ui, &painter.with_clip_rect(area.with_min_y(rect.top())), area, &sheet);
        if let Some((rect, handles)) = dope_sheet.box_of(&self.keys.selection, &sheet) {
            paint_box(&painter.with_clip_rect(sheet.rect), rect, &handles);
            for handle in &handles {
                let touched = Rect::from_center_size(handle.at, vec2(2.0 * REACH, 2.0 * REACH));
                let response = ui.interact(touched, ui.scope_id().with(&handle.label), Sense::hover());
                response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &handle.label));
            }
        }
        if cx.session.keys().is_empty() {
            let text = match cx.session.clips().next() {
                Some(_) => "No keys of your own: those of the clip are hollow in the graph (D).",
                None => "No keys: right-click a slider to set a key.",
            };
            painter.text(rect.center(), Align2::CENTER_CENTER, text, theme::body_font(), theme::TEXT_WEAK);
        }
        let pointer = ui.input(|input| input.pointer.latest_pos());
        if let (Some(gesture), Some(pointer)) = (&self.keys.gesture, pointer) {
            paint_gesture(&painter.with_clip_rect(rect), rect, gesture, pointer);
        }
        ruler::paint_play_head(&painter.with_clip_rect(rect.with_min_y(area.top())), ruler, &sheet, cx.session);
    }
}

fn row_rect(sheet: Rect, scroll: f32, index: usize) -> Rect {
    let top = sheet.top() + index as f32 * ROW_HEIGHT - scroll;
    Rect::from_x_y_ranges(sheet.x_range(), top..=top + ROW_HEIGHT)
}

/// A diamond: all keys of a row at one time.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// The whole points from the left edge.
    pixel: i32,
    time_secs: f32,
    /// Whether all of them are selected. Of the keys that a channel has on one pixel, the first counts.
    is_selected: bool,
}

#[derive(Clone, Debug)]
struct Row {
    label: String,
    is_summary: bool,
    color: Color32,
    /// The channel names that its keys are stored under.
    names: Vec<String>,
    /// Its visible diamonds. Of those on one pixel, the first.
    marks: Vec<Mark>,
}

impl Row {
    fn summary(label: String, rows: &[Self]) -> Self {
        Self {
            label,
            is_summary: true,
            color: theme::TEXT_WEAK,
            names: rows.iter().flat_map(|row| row.names.clone()).collect(),
            marks: united(rows.iter().flat_map(|row| &row.marks)),
        }
    }
}

/// What the rows depend on: the edits, what the keys that apply belong to, the rows of the list that are selected, the
/// visible seconds and their width.
type Source = (Revision, TimingOf, BTreeSet<CurveItem>, [f32; 2], Rangef);

/// All rows. They are found again only if what they depend on or the selected keys have changed.
#[derive(Debug, Default)]
pub(super) struct DopeSheet {
    from: Option<(Source, KeySelection)>,
    rows: Vec<Row>,
    scroll: f32,
}

impl DopeSheet {
    pub(super) fn after_reload(self) -> Self {
        Self { scroll: self.scroll, ..Self::default() }
    }

    /// Finds the rows, if anything that they depend on has changed.
    fn update(
        &mut self,
        session: &Session,
        sources: &CurveSources,
        curves: &CurveSelection,
        selection: &KeySelection,
        sheet: &Plot,
    ) {
        let (secs, width, selected_rows) = (sheet.extent.secs, sheet.rect.x_range(), &curves.items);
        let timing = session.timing_of();
        let is_same = self.from.as_ref().is_some_and(|((edits, of, rows, old_secs, old_width), selected)| {
            (*edits, of) == (session.edits.revision(), &timing)
                && (rows, *old_secs, *old_width) == (selected_rows, secs, width)
                && selected == selection
        });
        if is_same {
            return;
        }
        let mut regions: BTreeMap<Region, Vec<usize>> = BTreeMap::new();
        for pair in &session.head.pairs {
            for channel in [Some(pair.first), pair.second].into_iter().flatten() {
                if curves.is_shown(CurveItem::Channel(channel)) && sources.key_name(channel).is_some() {
                    regions.entry(pair.region).or_default().push(channel);
                }
            }
        }
        let all: Vec<usize> = regions.values().flatten().copied().collect();
        let (head, keys) = (&session.head, session.keys());
        let of_channels = all.par_iter().map(|&channel| {
            let Some(name) = sources.key_name(channel) else { unreachable!("only channels with keys have a row") };
            Row {
                label: head.channels[channel].name.clone(),
                is_summary: false,
                color: sources.color(CurveItem::Channel(channel)),
                names: vec![name.to_owned()],
                marks: marks(keys.keys_of(name), selection.times_of(name), secs, width),
            }
        });
        let mut of_channels: Vec<Row> = of_channels.collect();
        self.rows = vec![Row::summary("All keys".into(), &of_channels)];
        for (region, channels) in &regions {
            let later = of_channels.split_off(channels.len());
            self.rows.push(Row::summary(region.to_string(), &of_channels));
            self.rows.append(&mut of_channels);
            of_channels = later;
        }
        let source = (session.edits.revision(), timing, selected_rows.clone(), secs, width);
        self.from = Some((source, selection.clone()));
    }

    fn mark_at(&self, sheet: &Plot, point: Pos2) -> Option<(&Row, Mark)> {
        let index = ((point.y - sheet.rect.top() + self.scroll) / ROW_HEIGHT).floor();
        let row = self.rows.get(index.max(0.0) as usize)?;
        let near = row.marks.iter().map(|mark| ((sheet.x(mark.time_secs) - point.x).abs(), mark));
        let (distance, nearest) = near.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (distance <= REACH).then_some((row, *nearest))
    }

    fn keys_at(&self, sheet: &Plot, session: &Session, point: Pos2) -> Option<(Mark, KeySelection)> {
        let (row, mark) = self.mark_at(sheet, point)?;
        let secs = [mark.time_secs - Key::SAME_SECS, mark.time_secs + Key::SAME_SECS];
        Some((mark, keys_between(session, row, secs)))
    }

    /// The box around the selected keys, as in the graph, and its handles: they scale the keys in time.
    fn box_of(&self, selection: &KeySelection, sheet: &Plot) -> Option<(Rect, Vec<Handle>)> {
        let [first, last] = selection.range_secs().filter(|[first, last]| first < last)?;
        let selected =
            self.rows.iter().enumerate().filter(|(_, row)| {
                !row.is_summary && row.names.iter().any(|name| !selection.times_of(name).is_empty())
            });
        let of_rows = selected.map(|(index, _)| row_rect(sheet.rect, self.scroll, index)).reduce(Rect::union)?;
        let rect = Rect::from_x_y_ranges(sheet.x(first)..=sheet.x(last), of_rows.y_range());
        let rect = rect.expand2(vec2(2.0 * REACH, 0.0)).intersect(sheet.rect.shrink(5.0));
        rect.is_positive().then(|| (rect, time_handles(rect, [first, last])))
    }

    fn keys_in(&self, session: &Session, sheet: &Plot, rect: Rect) -> KeySelection {
        let secs = [rect.left(), rect.right()].map(|x| sheet.secs_at(x));
        let mut found = KeySelection::default();
        for (index, row) in self.rows.iter().enumerate().filter(|(_, row)| !row.is_summary) {
            if rect.y_range().contains(row_rect(sheet.rect, self.scroll, index).center().y) {
                for (name, times) in keys_between(session, row, secs).channels() {
                    found.add(name, times.iter().copied());
                }
            }
        }
        found
    }

    fn pointer_ui(
        &self,
        ui: &egui::Ui,
        response: &Response,
        sheet: &Plot,
        editing: &mut KeyEditing,
        session: &mut Session,
    ) {
        let modifiers = modifiers_of_click(ui);
        let origin = ui.input(|input| input.pointer.press_origin());
        if response.drag_started_by(PointerButton::Primary)
            && let Some(origin) = origin
        {
            let hit = self.keys_at(sheet, session, origin);
            let handles = self.box_of(&editing.selection, sheet).map_or_else(Vec::new, |(_, handles)| handles);
            let kind = match (handle_at(&handles, origin), &hit) {
                (Some(handle), _) => handle.kind.clone(),
                (None, None) => GestureKind::Box,
                (None, Some((mark, _))) if modifiers.alt => {
                    GestureKind::Ripple { from_secs: mark.time_secs, before: Box::new(session.on_timeline()) }
                }
                (None, Some((mark, keys))) => {
                    if !mark.is_selected {
                        editing.selection = combined(&editing.selection, keys, modifiers);
                    }
                    GestureKind::Move { grabbed_secs: mark.time_secs, height_of_one: 1.0, only_time: true }
                }
            };
            editing.gesture = Some(Gesture::new(kind, origin, sheet.extent, session, &editing.selection));
        }
        if editing.gesture.is_some() {
            editing.continue_drag(ui, sheet, session, |session, rect| self.keys_in(session, sheet, rect));
        } else if let Some(point) =
            response.interact_pointer_pos().filter(|_| response.clicked() || response.secondary_clicked())
        {
            match self.keys_at(sheet, session, point) {
                Some((mark, _)) if mark.is_selected && response.secondary_clicked() => {}
                Some((_, keys)) => editing.selection = combined(&editing.selection, &keys, modifiers),
                None if response.clicked() && modifiers.is_none() => editing.selection = KeySelection::default(),
                None => {}
            }
        }
    }

    fn rows_ui(&self, ui: &egui::Ui, painter: &Painter, area: Rect, sheet: &Plot) {
        let visible_rect = sheet.rect;
        let mut visible = Vec::new();
        let (mut named, most) = (0, self.rows.iter().map(|row| row.marks.len()).sum::<usize>() <= MOST_NAMED);
        for (index, row) in self.rows.iter().enumerate() {
            let rect = row_rect(visible_rect, self.scroll, index);
            if !rect.intersects(visible_rect) {
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
                let at = pos2(sheet.x(mark.time_secs), rect.center().y);
                if !visible_rect.expand(4.0).contains(at) {
                    continue;
                }
                let color = if mark.is_selected { theme::TEXT } else { row.color };
                visible.push((at, if mark.is_selected { 6.0 } else { 5.0 }, color));
                if most && visible_rect.contains(at) {
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
        diamonds.paint(&painter.with_clip_rect(visible_rect));
    }
}

/// The diamonds of a channel in the visible seconds: the first key on each pixel. `selected` are times in order.
fn marks(keys: &[Key], selected: &[f32], secs: [f32; 2], width: Rangef) -> Vec<Mark> {
    let per_sec = width.span() / (secs[1] - secs[0]);
    let mut marks: Vec<Mark> = Vec::new();
    for key in Key::between(keys, secs) {
        let pixel = ((key.time_secs - secs[0]) * per_sec) as i32;
        if marks.last().is_none_or(|mark| mark.pixel != pixel) {
            let is_selected = selected.binary_search_by(|time| time.total_cmp(&key.time_secs)).is_ok();
            marks.push(Mark { pixel, time_secs: key.time_secs, is_selected });
        }
    }
    marks
}

/// The diamonds of several rows as one row. Of those on one pixel, the earliest.
fn united<'a>(marks: impl Iterator<Item = &'a Mark>) -> Vec<Mark> {
    let mut by_pixel: Vec<Option<Mark>> = Vec::new();
    for &mark in marks {
        let index = mark.pixel.max(0) as usize;
        if index >= by_pixel.len() {
            by_pixel.resize(index + 1, None);
        }
        let united = by_pixel[index].get_or_insert(mark);
        united.is_selected &= mark.is_selected;
        united.time_secs = united.time_secs.min(mark.time_secs);
    }
    by_pixel.into_iter().flatten().collect()
}

fn keys_between(session: &Session, row: &Row, secs: [f32; 2]) -> KeySelection {
    let mut found = KeySelection::default();
    for name in &row.names {
        found.add(name, Key::between(session.keys().keys_of(name), secs).iter().map(|key| key.time_secs));
    }
    found
}
