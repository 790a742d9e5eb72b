//! The pointer in the graph: clicks select keys, a double-click inserts one, and drags start a gesture.

use egui::{Modifiers, PointerButton, Pos2, Rect, Response, Role, Sense, UiBuilder, Vec2, WidgetInfo};

use smirk_face::motion::KeySelection;

use super::CurvesPanel;
use super::extent::Plot;
use super::keys::{
    FileKeys, Gesture, GestureKind, KeyEditing, MarkerStyle, REACH, ShownCurve, box_handles, box_rect, file_curves,
    handle_at, key_at, keys_in, paint_box, paint_gesture, paint_tangents, shown_curves, tangent_handles,
};
use crate::context::PanelContext;
use crate::curve_selection::CurveItem;
use crate::theme;
use crate::widgets::{modifiers_of_click, text};

impl CurvesPanel {
    pub(super) fn shown_curves<'a>(&'a self, cx: &'a PanelContext<'_>) -> Vec<ShownCurve<'a>> {
        shown_curves(cx.session, &self.image, &self.sources, &cx.marks.curve_selection)
    }

    pub(super) fn pointer_ui(&mut self, ui: &egui::Ui, response: &Response, plot: &Plot, cx: &mut PanelContext<'_>) {
        if cx.marks.curve_selection.lists_columns {
            self.keys.gesture = None;
            return;
        }
        let point = response.interact_pointer_pos();
        let pressed = ui.input(|input| input.pointer.press_origin());
        if response.drag_started_by(PointerButton::Primary)
            && let Some(origin) = pressed.filter(|origin| plot.rect.expand(REACH).contains(*origin))
        {
            self.begin(plot, origin, modifiers_of_click(ui), cx);
        }
        if self.keys.gesture.is_some() {
            let boxed = self.keys.gesture.as_ref().and_then(|gesture| gesture.selecting_rect(ui.pointer_latest_pos()?));
            let (image, sources, selected) = (&self.image, &self.sources, &cx.marks.curve_selection);
            self.keys.continue_drag(ui, plot, cx.session, |session, rect| {
                keys_in(&shown_curves(session, image, sources, selected), plot, rect)
            });
            if let Some(rect) = boxed.filter(|_| self.keys.gesture.is_none()) {
                self.pick_of_file(plot, rect, cx);
            }
        } else if response.double_clicked() {
            self.double_click(ui, plot, point, cx);
        } else if response.clicked() || response.secondary_clicked() {
            let Some(point) = point.filter(|point| plot.rect.contains(*point)) else { return };
            let modifiers = if response.clicked() { Some(modifiers_of_click(ui)) } else { None };
            self.click(plot, point, modifiers, cx);
            self.pick_of_file(plot, Rect::from_center_size(point, Vec2::splat(2.0 * REACH)), cx);
        }
    }

    /// Notices the keys of the file in a rectangle, unless keys are selected.
    fn pick_of_file(&mut self, plot: &Plot, rect: Rect, cx: &PanelContext<'_>) {
        let curves = file_curves(cx.session, &self.image, &self.sources, &cx.marks.curve_selection);
        let counts = curves.iter().map(|curve| (curve.channel, curve.count_in(plot, rect)));
        let found: Vec<_> = counts.filter(|(_, count)| *count > 0 && self.keys.selection.is_empty()).collect();
        self.keys.of_file = FileKeys {
            count: found.iter().map(|(_, count)| count).sum(),
            channels: found.into_iter().map(|(channel, _)| channel).collect(),
        };
    }

    /// Says whose the keys of the file are, and offers to make keys of them.
    pub(super) fn file_keys_ui(&mut self, ui: &mut egui::Ui, plot: Rect, cx: &mut PanelContext<'_>) {
        let FileKeys { count, channels } = &self.keys.of_file;
        if channels.is_empty() {
            return;
        }
        let of = match channels[..] {
            [channel] => text::shown(&cx.session.head.channels[channel].name).into_owned(),
            _ => text::counted(channels.len(), "channel"),
        };
        let keys = text::counted(*count, "key");
        let verb = if *count == 1 { "belongs" } else { "belong" };
        let line = format!("{keys} of {of} {verb} to the file: double-click adds a key over it");
        let area = plot.shrink(theme::GAP_SMALL);
        let mut child = ui.new_child(UiBuilder::new().max_rect(area).id_salt("keys of the file"));
        theme::card().inner_margin(6).show(&mut child, |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.label(line);
                if ui.button("Convert to keys").clicked() {
                    self.convert_to_keys(cx);
                }
            });
        });
    }

    /// Selects the key at a point. `modifiers` are `None` for a click that opens the menu, which keeps selected keys
    /// selected.
    fn click(&mut self, plot: &Plot, point: Pos2, modifiers: Option<Modifiers>, cx: &PanelContext<'_>) {
        let shown = shown_curves(cx.session, &self.image, &self.sources, &cx.marks.curve_selection);
        let hit = key_at(&shown, plot, point).map(|(index, key)| (shown[index].name, key.time_secs));
        let selection = &mut self.keys.selection;
        let Some((name, time_secs)) = hit else {
            if modifiers.is_some_and(|modifiers| modifiers.is_none()) {
                *selection = KeySelection::default();
            }
            return;
        };
        let is_selected = selection.contains(name, time_secs);
        match modifiers {
            None if is_selected => {}
            Some(modifiers) if modifiers.command && is_selected => selection.subtract(name, [time_secs]),
            Some(modifiers) if modifiers.command || modifiers.shift => selection.add(name, [time_secs]),
            _ => {
                *selection = KeySelection::default();
                selection.add(name, [time_secs]);
            }
        }
    }

    /// Inserts a key on the curve at a point, unless there is one; where there is no curve, shows everything.
    fn double_click(&mut self, ui: &egui::Ui, plot: &Plot, point: Option<Pos2>, cx: &mut PanelContext<'_>) {
        let Some(point) = point.filter(|point| plot.rect.contains(*point)) else { return };
        if key_at(&self.shown_curves(cx), plot, point).is_some() {
            return;
        }
        let session = &mut *cx.session;
        match self.hovered_point(ui, plot, point).map(|found| found.item) {
            Some(CurveItem::Channel(channel)) => {
                let time_secs = session.edits.timeline.snapped(plot.secs_at(point.x)).max(0.0);
                session.keys_mut().insert(channel, time_secs);
                let name = &session.head.channels[channel].full_name;
                self.keys.selection = KeySelection::default();
                self.keys.selection.add(name, session.keys().key_at(name, time_secs).map(|key| key.time_secs));
            }
            Some(CurveItem::Column(_)) => {}
            None => (self.visible_secs, self.visible_values) = (None, None),
        }
    }

    fn begin(&mut self, plot: &Plot, origin: Pos2, modifiers: Modifiers, cx: &PanelContext<'_>) {
        let session = &*cx.session;
        let shown = shown_curves(session, &self.image, &self.sources, &cx.marks.curve_selection);
        let hit = key_at(&shown, plot, origin);
        let selection = &self.keys.selection;
        let of_tangents = tangent_handles(session, &shown, selection, plot);
        let of_box = box_handles(self.keys.markers.bounds(), plot, self.is_normalised);
        let handle = handle_at(&of_tangents, origin).or_else(|| handle_at(&of_box, origin));
        let mut selection = selection.clone();
        let kind = match (handle, hit) {
            (Some(handle), _) => handle.kind.clone(),
            (None, Some((index, key))) => {
                let ShownCurve { name, .. } = shown[index];
                if !selection.contains(name, key.time_secs) {
                    if !modifiers.shift {
                        selection = KeySelection::default();
                    }
                    selection.add(name, [key.time_secs]);
                }
                let height_of_one = shown[index].height_of_one();
                GestureKind::Move { grabbed_secs: key.time_secs, height_of_one, only_time: false }
            }
            (None, None) => GestureKind::Box,
        };
        self.keys.selection = selection;
        self.keys.gesture = Some(Gesture::new(kind, origin, plot.extent, session, &self.keys.selection));
    }

    pub(super) fn keys_ui(&mut self, ui: &egui::Ui, painter: &egui::Painter, plot: &Plot, cx: &PanelContext<'_>) {
        let (session, selected) = (&*cx.session, &cx.marks.curve_selection);
        if selected.lists_columns {
            return;
        }
        let style = MarkerStyle {
            edits: session.edits.revision(),
            curves: (session.clip_names().to_vec(), self.image.times_drawn(), self.is_normalised),
            plot: *plot,
        };
        let shown = shown_curves(session, &self.image, &self.sources, selected);
        let of_file = file_curves(session, &self.image, &self.sources, selected);
        self.keys.markers.update(painter.ctx(), style, &self.keys.selection, &shown, &of_file);
        let KeyEditing { selection, gesture, markers, .. } = &self.keys;
        let of_tangents = tangent_handles(session, &shown, selection, plot);
        let of_box = box_handles(markers.bounds(), plot, self.is_normalised);
        if let Some(rect) = box_rect(markers.bounds(), plot) {
            paint_box(painter, rect, &of_box);
        }
        paint_tangents(painter, &of_tangents);
        markers.paint(painter);
        let keys = markers.named().map(|(kind, channel, time_secs, at)| {
            (format!("{kind} {} {time_secs:.2} s", session.head.channels[channel].name), at)
        });
        let handles = of_tangents.iter().chain(&of_box).map(|handle| (handle.label.clone(), handle.at));
        for (label, at) in keys.chain(handles).filter(|(_, at)| plot.rect.contains(*at)) {
            let rect = Rect::from_center_size(at, Vec2::splat(2.0 * REACH));
            let response = ui.interact(rect, ui.scope_id().with(("named", &label)), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        }
        let pointer = ui.input(|input| input.pointer.latest_pos());
        if let (Some(gesture), Some(pointer)) = (gesture, pointer) {
            paint_gesture(painter, plot.rect, gesture, pointer);
        }
    }
}
