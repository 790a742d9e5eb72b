//! The notes over the picture: numbered pins that follow the surface, and the strokes of the view that is shown; and
//! what is clicked and drawn there.

use std::collections::HashMap;
use std::sync::Arc;

use egui::{Key, Modifiers, Painter, Pos2, Rect, Response, Role, Sense, Stroke, Vec2, WidgetInfo, vec2};

use smirk_face::head::Head;
use smirk_picture::pick::{Hit, SurfaceAt, points_on_surface};
use smirk_session::{BoundPoint, NoteId, NoteStroke, ReviewNote, Session, SurfacePoint};

use super::Pointing;
use crate::context::PanelContext;
use crate::notes::{MOST, color_of, go_to, listed, paint_badge, paint_stroke, tip};
use crate::notes_state::NoteTool;
use crate::state::Page;

/// How near the points of a stroke are at least, in points on the screen.
const LEAST_STEP: f32 = 3.0;

/// What is known of the pins on one head.
#[derive(Debug, Default)]
pub(crate) struct NotePins {
    /// Where the points of notes are on the head, by the note that has the point.
    bound: HashMap<NoteId, (SurfacePoint, Option<BoundPoint>)>,
    /// The points of a stroke that is being drawn, on the screen.
    drawn: Vec<Pos2>,
}

impl NotePins {
    /// Shows pins and strokes over the picture of A. Returns whether the gesture is for a note, and not for the camera
    /// or the surface.
    pub(crate) fn show_ui(
        &mut self,
        ui: &egui::Ui,
        response: &Response,
        picture: Rect,
        pointing: &mut Pointing,
        cx: &mut PanelContext<'_>,
    ) -> bool {
        if cx.session.edits.notes.is_empty() || picture.height() <= 0.0 || cx.state.shows_b {
            return false;
        }
        let is_for_note = self.tool_ui(ui, response, picture, pointing, cx);
        let notes: Vec<Arc<ReviewNote>> = listed(cx.session, &cx.state.notes).into_iter().take(MOST).collect();
        let painter = ui.painter().with_clip_rect(picture);
        self.strokes_ui(&painter, picture, &notes, cx);
        self.pins_ui(ui, &painter, picture, &notes, pointing, cx);
        is_for_note
    }

    /// What the chosen tool does with a click or a drag.
    fn tool_ui(
        &mut self,
        ui: &egui::Ui,
        response: &Response,
        picture: Rect,
        pointing: &mut Pointing,
        cx: &mut PanelContext<'_>,
    ) -> bool {
        // Who draws may hide the page for more room.
        if cx.state.panels.page != Page::Notes {
            cx.state.notes.tool = None;
        }
        let selected = cx.state.notes.selected.filter(|id| cx.session.edits.note(*id).is_some());
        let (Some(tool), Some(id)) = (cx.state.notes.tool, selected) else {
            self.drawn.clear();
            return false;
        };
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            cx.state.notes.tool = None;
            self.drawn.clear();
            return false;
        }
        if response.hovered() {
            ui.set_cursor_icon(egui::CursorIcon::Crosshair);
        }
        let aspect = cx.state.aspect();
        if tool == NoteTool::Pin {
            let is_plain = ui.input(|input| input.modifiers.is_none());
            let Some(at) = response.interact_pointer_pos().filter(|_| is_plain && response.clicked()) else {
                return false;
            };
            let ray = cx.session.camera.ray(to_glam(in_heights(picture, at)));
            match pointing.placed(cx.session).pick(&cx.session.head, &ray) {
                Some(hit) => {
                    let point = surface_point(&cx.session.head, &hit);
                    cx.session.notes_mut().pin_to_point(id, point, to_glam(in_heights(picture, at)), aspect);
                    // The click has ended the typing of the text, which goes on, or begins.
                    let is_empty = cx.session.edits.note(id).is_some_and(|note| note.text.is_empty());
                    let notes = &mut cx.state.notes;
                    (notes.tool, notes.edits_text) = (None, notes.is_typed || is_empty);
                    cx.show_status("Pinned to the face");
                    // The page was shown before.
                    ui.request_repaint();
                }
                None => cx.show_status("There is no surface here to pin the note to"),
            }
            return true;
        }
        if !response.dragged_by(egui::PointerButton::Primary) && !response.drag_stopped() {
            self.drawn.clear();
            return false;
        }
        if response.drag_started() {
            // The drag ends the typing of the text, which goes on.
            cx.state.notes.edits_text |= cx.state.notes.is_typed;
        }
        if let Some(at) = response.interact_pointer_pos() {
            if self.drawn.is_empty() {
                let press = ui.input(|input| input.pointer.press_origin());
                self.drawn.push(press.unwrap_or(at));
            }
            if tool == NoteTool::Arrow {
                self.drawn.truncate(1);
            }
            if self.drawn.last().is_none_or(|last| last.distance(at) >= LEAST_STEP) {
                self.drawn.push(at);
            }
        }
        if response.drag_stopped() {
            let points: Vec<[f32; 2]> =
                std::mem::take(&mut self.drawn).into_iter().map(|at| in_heights(picture, at).into()).collect();
            if points.len() > 1 {
                let stroke = NoteStroke { is_arrow: tool == NoteTool::Arrow, points };
                cx.session.notes_mut().draw(id, stroke, aspect);
                ui.request_repaint();
            }
        }
        true
    }

    fn strokes_ui(&self, painter: &Painter, picture: Rect, notes: &[Arc<ReviewNote>], cx: &PanelContext<'_>) {
        for note in notes {
            let is_selected = cx.state.notes.selected == Some(note.id);
            let is_seen = note.moment.as_ref().is_some_and(|moment| moment.camera.is_that_of(&cx.session.camera));
            for stroke in note.strokes.iter().filter(|_| is_seen) {
                paint_stroke(painter, picture, stroke, if is_selected { 1.0 } else { 0.4 });
            }
        }
        if !self.drawn.is_empty() {
            let points = self.drawn.iter().map(|&at| in_heights(picture, at).into()).collect();
            let is_arrow = cx.state.notes.tool == Some(NoteTool::Arrow);
            paint_stroke(painter, picture, &NoteStroke { is_arrow, points }, 1.0);
        }
    }

    fn pins_ui(
        &mut self,
        ui: &egui::Ui,
        painter: &Painter,
        picture: Rect,
        notes: &[Arc<ReviewNote>],
        pointing: &mut Pointing,
        cx: &mut PanelContext<'_>,
    ) {
        let head = cx.session.head.clone();
        let mut pins = Vec::new();
        for note in notes {
            let Some(point) = &note.pinned_to.point else { continue };
            if let Some(bound) = self.bound_on(note.id, point, cx.session) {
                pins.push((note, bound));
            }
        }
        if pins.is_empty() {
            return;
        }
        let (weights, nodes) = (cx.session.weights(), cx.session.world_from_nodes());
        let points: Vec<_> = pins.iter().map(|(_, point)| (point.mesh, point.vertices, point.weights)).collect();
        let at = points_on_surface(&head, &points, &weights, &nodes);
        let camera = cx.session.camera;
        // Where the face moves, only what looks away is known to be hidden: to place all of the surface takes longer.
        let rests = !cx.session.clock.timeline.playing && !cx.state.is_interacting;
        let surface = rests.then(|| pointing.placed(cx.session));
        let mut clicked = None;
        for ((note, _), SurfaceAt { point, normal }) in pins.into_iter().zip(at) {
            let Some(in_picture) = camera.in_picture(point) else { continue };
            let at = on_screen(picture, in_picture);
            if !picture.contains(at) {
                continue;
            }
            let eye = camera.eye_in_world();
            let is_away = normal.dot(eye - point) <= 0.0;
            let is_covered = surface.is_some_and(|surface| {
                let hit = surface.pick(&head, &camera.ray(in_picture));
                hit.is_some_and(|hit| hit.point.distance(eye) < point.distance(eye) * (1.0 - COVERED))
            });
            let is_selected = cx.state.notes.selected == Some(note.id);
            if (is_away || is_covered) && !is_selected {
                painter.circle_stroke(at, 6.0, Stroke::new(1.5, color_of(note).gamma_multiply(0.35)));
                continue;
            }
            paint_badge(painter, at, note, is_selected);
            let pin = ui.interact(
                Rect::from_center_size(at, Vec2::splat(22.0)),
                ui.scope_id().with(("pin", note.id)),
                Sense::click(),
            );
            pin.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Pin of note {}", note.number)));
            if pin.clicked() {
                clicked = Some((note.id, pin.double_clicked()));
            }
            pin.on_hover_text(tip(note));
        }
        if let Some((id, edits_text)) = clicked {
            let camera = cx.session.camera;
            go_to(cx, id);
            // The pin is seen already.
            cx.session.camera = camera;
            cx.state.notes.edits_text = edits_text;
        }
    }

    /// Where a point is on the head. It is looked for once.
    fn bound_on(&mut self, id: NoteId, point: &SurfacePoint, session: &Session) -> Option<BoundPoint> {
        match self.bound.get(&id) {
            Some((of, bound)) if of == point => *bound,
            _ => self.bound.entry(id).insert_entry((point.clone(), point.on(&session.head))).get().1,
        }
    }
}

/// What is nearer than a point by less than this part of its distance does not cover it: the point is on it.
const COVERED: f32 = 2e-3;

/// What is under the pointer, as a note keeps it.
pub(super) fn surface_point(head: &Head, hit: &Hit) -> SurfacePoint {
    let mesh = head.meshes[hit.mesh].name.clone();
    SurfacePoint { mesh, vertices: hit.vertices, weights: hit.weights.to_array() }
}

pub(super) fn in_heights(picture: Rect, at: Pos2) -> Vec2 {
    (at - picture.center()) / picture.height()
}

/// Where a point is that is so far from the middle of the picture, in its heights.
pub(super) fn on_screen(picture: Rect, in_picture: glam::Vec2) -> Pos2 {
    picture.center() + vec2(in_picture.x, in_picture.y) * picture.height()
}

pub(super) fn to_glam(at: Vec2) -> glam::Vec2 {
    glam::vec2(at.x, at.y)
}
