//! What is under the pointer in the viewport: its name, the channels that move it, and a drag that moves the strongest of them.

use std::sync::{Arc, Weak};

use egui::{Id, LayerId, Order, Pos2, Rect, Response, Tooltip, Vec2};

use smirk_editor::session::Session;
use smirk_face::head::Head;
use smirk_graphics::measure::MeasuredHead;
use smirk_picture::pick::{Hit, Mover, Picker, movers};
use smirk_picture::scene::{Compared, Heat, HeatAgainst, ViewMode};

use crate::context::PanelContext;
use crate::theme;
use crate::widgets::text::{self, whole_b_name};

/// The largest number of channels that are named.
const MOST: usize = 5;
/// A channel that moves the point by less than this many points on the screen at weight 1 moves it along the view direction, and cannot be
/// dragged.
const SHORTEST_DRAG: f32 = 2.0;

/// The surface under the pointer.
#[derive(Debug, Default)]
pub(super) struct Pointing {
    picker: Picker,
    /// What the heat map measures, at the weights of the last time.
    heat: Option<HeatValues>,
    drag: Option<Drag>,
}

/// A channel that is dragged on the surface.
#[derive(Clone, Copy, Debug)]
struct Drag {
    channel: usize,
    value_at_start: f32,
    /// Points on the screen, at weight 1.
    way: Vec2,
    /// Where it began.
    from: Pos2,
}

/// What a heat map measures of a head at some weights.
#[derive(Debug)]
struct HeatValues {
    head: Weak<Head>,
    heat: Heat,
    weights: Vec<f32>,
    compared: Option<Compared>,
    measured: MeasuredHead,
    /// For each mesh, a value per vertex.
    values: Vec<Vec<f32>>,
}

impl Pointing {
    /// Names what is under the pointer, and lets it be dragged, while Ctrl is held; reads the value of the heat map. `picture` is the half of
    /// the viewport under the pointer. Returns whether the gesture is for the surface, and not for the camera.
    pub(super) fn pointed_ui(
        &mut self,
        ui: &egui::Ui,
        response: &Response,
        picture: Rect,
        cx: &mut PanelContext<'_>,
    ) -> bool {
        let session = &mut *cx.session;
        if let Some(drag) = self.drag {
            let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged()) else {
                self.drag = None;
                return true;
            };
            let value = drag.value_at_start + (pointer - drag.from).dot(drag.way) / drag.way.length_sq();
            let (channel, start) = (drag.channel, drag.value_at_start);
            session.set_channel(channel, value.clamp(start.min(0.0), start.max(1.0)));
            if session.edits.timeline.auto_keys {
                session.key_channel(channel);
            }
            return true;
        }
        let is_held = ui.input(|input| input.modifiers.command_only());
        let reads_heat = session.edits.look.view == ViewMode::Heat && !cx.state.shows_b;
        let Some(pointer) = response.hover_pos().or(response.interact_pointer_pos()) else { return false };
        if !(is_held || reads_heat) || (response.dragged() && !response.drag_started()) {
            return false;
        }
        // A drag begins where the button was pressed.
        let press = ui.input(|input| input.pointer.press_origin()).filter(|_| response.drag_started());
        let at = press.unwrap_or(pointer);
        let (hit, found) = match self.pick(session, picture, at) {
            Some(found) => found,
            None => return is_held && response.dragged(),
        };
        if is_held && response.drag_started() {
            let strongest = found.iter().find(|mover| !session.follows_others(mover.channel));
            self.drag = strongest.and_then(|strongest| begin(session, strongest, &hit, (picture, at)));
            if let Some(drag) = self.drag {
                session.take_over(drag.channel);
            }
            return true;
        }
        if is_held && response.clicked() {
            cx.state.mark(found.iter().take(MOST).map(|mover| mover.channel).collect());
        }
        let heat = if reads_heat { self.heat_at(session, &hit) } else { None };
        let layer = LayerId::new(Order::Tooltip, Id::unique("pointed"));
        Tooltip::always_open(ui.ctx().clone(), layer, Id::unique("pointed at"), pointer + Vec2::splat(14.0)).show(
            |ui| {
                if let Some(value) = heat {
                    ui.label(value);
                }
                if is_held {
                    pointed_text_ui(ui, &session.head, &hit, &found);
                }
            },
        );
        is_held
    }

    /// The point of the surface at a position on the screen, and what moves it.
    fn pick(&mut self, session: &Session, picture: Rect, at: Pos2) -> Option<(Hit, Vec<Mover>)> {
        let from_middle = (at - picture.center()) / picture.height();
        let ray = session.camera.ray(glam::vec2(from_middle.x, from_middle.y));
        let (weights, nodes) = (session.weights(), session.world_from_nodes());
        self.picker.place(&session.head, (&session.look(), &session.roles()), &weights, &nodes);
        let hit = self.picker.pick(&ray)?;
        Some((hit, movers(&session.head, &hit, &weights, &nodes)))
    }

    /// The value of the heat map at a point. Blend modes are compared on the device alone.
    fn heat_at(&mut self, session: &Session, hit: &Hit) -> Option<String> {
        let heat = session.look().heat;
        let compared = match heat.against {
            HeatAgainst::Mode(_) => return None,
            HeatAgainst::Rest => None,
            HeatAgainst::Compared => session.compared(),
        };
        let (head, weights) = (&session.head, session.weights());
        let known = &mut self.heat;
        let is_of_head = |values: &&HeatValues| std::ptr::eq(values.head.as_ptr(), Arc::as_ptr(head));
        let is_same =
            |values: &HeatValues| values.heat == heat && *values.weights == *weights && values.compared == compared;
        if !known.as_ref().filter(is_of_head).is_some_and(is_same) {
            let measured = known.take().filter(|values| is_of_head(&values)).map(|values| values.measured);
            let measured = measured.unwrap_or_else(|| MeasuredHead::new(head));
            let values = heat.values(head, &measured, &weights, compared.as_ref())?;
            let head = Arc::downgrade(head);
            *known = Some(HeatValues { head, heat, weights: weights.to_vec(), compared, measured, values });
        }
        let values = known.as_ref()?.values.get(hit.mesh)?;
        let corners = hit.vertices.iter().zip(hit.weights.to_array());
        let value: f32 =
            corners.map(|(&vertex, share)| values.get(vertex as usize).copied().unwrap_or(0.0) * share).sum();
        if value.is_nan() {
            return Some(text::shown(&format!("not in {}", whole_b_name(session))).into_owned());
        }
        Some(format!("{value:.2}{}", heat.measure.unit()))
    }
}

/// Begins to drag a channel, if it moves the point along the screen.
fn begin(session: &Session, mover: &Mover, hit: &Hit, (picture, from): (Rect, Pos2)) -> Option<Drag> {
    let camera = &session.camera;
    let way = camera.in_picture(hit.point + mover.whole)? - camera.in_picture(hit.point)?;
    let way = Vec2::new(way.x, way.y) * picture.height();
    let value_at_start = session.channel_value(mover.channel, &session.mix().weights);
    let drag = Drag { channel: mover.channel, value_at_start, way, from };
    (way.length() >= SHORTEST_DRAG).then_some(drag)
}

fn pointed_text_ui(ui: &mut egui::Ui, head: &Head, hit: &Hit, found: &[Mover]) {
    let region = found.first().map(|strongest| head.channels[strongest.channel].region);
    let mesh = text::shown(&head.meshes[hit.mesh].name);
    ui.strong(region.map_or(mesh.to_string(), |region| format!("{mesh}, {}", region.to_string().to_lowercase())));
    if found.is_empty() {
        ui.colored_label(theme::TEXT_WEAK, "No channel moves this point");
    }
    egui::Grid::new("movers").num_columns(3).show(ui, |ui| {
        for mover in found.iter().take(MOST) {
            ui.label(text::shown(&head.channels[mover.channel].name));
            ui.label(format!("{:.2} mm now", mover.now_mm));
            ui.colored_label(theme::TEXT_WEAK, format!("{:.2} mm at 1", mover.whole_mm));
            ui.end_row();
        }
    });
    let more = found.len().saturating_sub(MOST);
    if more > 0 {
        ui.colored_label(theme::TEXT_WEAK, format!("and {more} more"));
    }
}
