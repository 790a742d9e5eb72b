//! What is under the pointer in the viewport: its name, the channels that move it, a menu of these, and a drag that
//! moves those whose motion fits it.

use std::time::Duration;

use egui::{
    Align2, EventFilter, Id, Key, LayerId, Modifiers, Order, PointerButton, Popup, PopupCloseBehavior, Pos2, Rect,
    Response, Role, Sense, Stroke, Tooltip, Vec2, WidgetInfo, vec2,
};

use smirk_face::head::{Head, PairKind};
use smirk_face::motion::Layer;
use smirk_picture::drag::FaceDrag;
use smirk_picture::pick::{Hit, Mover, Picker, movers};
use smirk_scene::{FaceValues, ViewMode};
use smirk_session::Session;

use super::pins::surface_point;
use crate::context::PanelContext;
use crate::notes;
use crate::theme;
use crate::widgets::text::{self, whole_b_name};

const MOST: usize = 5;
const MOST_IN_MENU: usize = 3;
/// How far a drag goes before it is clear where to, in points.
const DECISIVE: f32 = 6.0;
/// How long the pointer rests on the face before the hint is shown, and how long it is shown.
const HINT_SECS: [f64; 2] = [3.0, 8.0];
#[derive(Debug, Default)]
pub(crate) struct Pointing {
    picker: Picker,
    drag: Option<Drag>,
    /// Where a drag began whose direction is not clear yet.
    begun: Option<Pos2>,
    menu: Option<PointMenu>,
    /// The channel that the menu's commands are for, of those that it names.
    chosen: usize,
    rests: Option<(Pos2, f64)>,
    /// Where a key has asked for the menu; none if the right button did.
    asked_at: Option<Pos2>,
    /// The cursor that keys move, in heights of the picture from its middle.
    cursor: Vec2,
}

/// What the menu of a point is about.
#[derive(Debug)]
struct PointMenu {
    hit: Hit,
    found: Vec<Mover>,
    /// Where the point is, in picture heights from the middle.
    in_picture: Vec2,
}

#[derive(Debug)]
struct Drag {
    face: FaceDrag,
    from: Pos2,
    /// The channels that it has moved, which were taken over from what drove them.
    moved: Vec<usize>,
}

impl Pointing {
    /// Names what is under the pointer, and lets it be dragged, while Ctrl is held; reads the value of the heat map.
    /// `picture` is the half of the viewport under the pointer. Returns whether the gesture is for the surface, and not
    /// for the camera.
    pub(super) fn pointed_ui(
        &mut self,
        ui: &egui::Ui,
        response: &Response,
        picture: Rect,
        cx: &mut PanelContext<'_>,
    ) -> bool {
        cx.state.picture_has_focus = response.has_focus();
        let asked_at = if response.has_focus() { self.cursor_ui(ui, response, picture, cx) } else { None };
        self.menu_ui(response, picture, asked_at, cx);
        self.hint_ui(ui, response, picture, cx);
        let session = &mut *cx.session;
        if let Some(origin) = self.begun {
            let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged()) else {
                self.begun = None;
                return true;
            };
            if pointer.distance(origin) < DECISIVE {
                return true;
            }
            let modifiers = ui.input(|input| input.modifiers);
            self.drag = self.pick(session, picture, origin).map(|(hit, found)| {
                let face = face_drag(session, &hit, &found, modifiers);
                Drag { face, from: origin, moved: Vec::new() }
            });
            self.begun = None;
        }
        if let Some(drag) = &mut self.drag {
            let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged()) else {
                self.drag = None;
                return true;
            };
            let dragged = (pointer - drag.from) / picture.height();
            let values = drag.face.values(glam::vec2(dragged.x, dragged.y));
            for &(channel, value) in &values {
                if !drag.moved.contains(&channel) {
                    session.channels_mut([channel]).take_over();
                    drag.moved.push(channel);
                }
                session.channels_mut([channel]).set(value);
            }
            if session.edits.timeline.auto_keys {
                values.iter().for_each(|(channel, _)| session.keys_mut().key(*channel));
            }
            at_point(ui, pointer, |ui| {
                for (channel, value) in values.iter().filter(|(_, value)| *value != 0.0) {
                    let name = session.head.shown_name(*channel);
                    ui.label(format!("{} {value:.2}", text::shown(&name)));
                }
            });
            return true;
        }
        let is_held = ui.input(|input| input.modifiers.command);
        // A menu or a list is not covered.
        let is_menu_open = Popup::is_any_open(ui.ctx());
        let reads_heat = session.edits.look.view == ViewMode::Heat && !cx.state.shows_b && !is_menu_open;
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
        cx.state.panels.knows_probing |= is_held;
        if is_held && response.drag_started() {
            self.begun = Some(at);
            return true;
        }
        if is_held && response.clicked() {
            cx.marks.mark(found.iter().take(MOST).map(|mover| mover.channel).collect(), &mut cx.state.panels);
        }
        let heat = if reads_heat { heat_at(session, &mut cx.marks.face_values, &hit) } else { None };
        at_point(ui, pointer, |ui| {
            if let Some(value) = heat {
                ui.label(value);
            }
            if is_held {
                pointed_text_ui(ui, &session.head, &hit, &found);
            }
        });
        is_held
    }

    /// The cursor that arrow keys move over the picture while that has the keyboard focus, with what moves the point
    /// below it. Returns where the menu of that point is asked for.
    fn cursor_ui(&mut self, ui: &egui::Ui, response: &Response, picture: Rect, cx: &PanelContext<'_>) -> Option<Pos2> {
        /// In heights of the picture; with Shift, [`FAST`] times as far.
        const STEP: f32 = 0.01;
        const FAST: f32 = 5.0;
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let ways = [
            (Key::ArrowLeft, vec2(-1.0, 0.0)),
            (Key::ArrowRight, vec2(1.0, 0.0)),
            (Key::ArrowUp, vec2(0.0, -1.0)),
            (Key::ArrowDown, vec2(0.0, 1.0)),
        ];
        let moved = ui.input_mut(|input| {
            let mut moved = Vec2::ZERO;
            for (key, way) in ways {
                moved += way * FAST * input.count_and_consume_key(Modifiers::SHIFT, key) as f32;
                moved += way * input.count_and_consume_key(Modifiers::NONE, key) as f32;
            }
            moved * STEP
        });
        // egui reports Enter and Space on what has the focus as a click, without a button of the mouse.
        let is_asked = response.clicked() && !response.clicked_by(PointerButton::Primary);
        if !picture.is_positive() {
            return None;
        }
        let half = 0.5 * picture.size() / picture.height();
        self.cursor = (self.cursor + moved).clamp(-half, half);
        let at = picture.center() + self.cursor * picture.height();
        if Popup::is_id_open(ui.ctx(), Popup::default_response_id(response)) {
            return None;
        }
        for (radius, color) in [(7.0, theme::OVERLAY), (6.0, theme::ACCENT_BRIGHT)] {
            ui.painter().circle_stroke(at, radius, Stroke::new(1.5, color));
        }
        ui.painter().circle_filled(at, 1.5, theme::ACCENT_BRIGHT);
        let found = self.pick(cx.session, picture, at);
        if let Some((hit, found)) = &found {
            at_point(ui, at, |ui| pointed_text_ui(ui, &cx.session.head, hit, found));
        }
        found.is_some().then_some(at).filter(|_| is_asked)
    }

    /// The menu of what moves the point of the face that was clicked with the right button, or asked for by a key.
    fn menu_ui(&mut self, response: &Response, picture: Rect, asked_at: Option<Pos2>, cx: &mut PanelContext<'_>) {
        let clicked_at = response.interact_pointer_pos().filter(|_| response.secondary_clicked());
        if clicked_at.is_some() || asked_at.is_some() {
            self.asked_at = asked_at;
        }
        if let Some(at) = clicked_at.or(asked_at) {
            let in_picture = (at - picture.center()) / picture.height();
            self.menu = self.pick(cx.session, picture, at).map(|(hit, found)| PointMenu { hit, found, in_picture });
            self.chosen = 0;
            cx.state.panels.knows_probing |= self.menu.is_some();
        }
        let head = cx.session.head.clone();
        let menu = Popup::context_menu(response).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let menu = if let Some(at) = self.asked_at { menu.at_position(at) } else { menu };
        let menu = if asked_at.is_some() {
            Popup::open_id(&response.ctx, Popup::default_response_id(response));
            // A click would close it.
            menu.open_memory(None)
        } else {
            menu
        };
        menu.show(|ui| {
            ui.set_width(240.0);
            let Some(PointMenu { hit, found, in_picture }) = &self.menu else {
                ui.weak("No surface here");
                return;
            };
            ui.weak(format!("What moves this point of {}", text::shown(&head.meshes[hit.mesh].name)));
            let strongest = found.first().map_or(0.0, |mover| mover.whole_mm);
            if found.is_empty() {
                ui.weak("No channel does");
            }
            for (index, mover) in found.iter().take(MOST_IN_MENU).enumerate() {
                let share = mover.whole_mm / strongest.max(f32::MIN_POSITIVE);
                if mover_ui(ui, &head, mover, share, index == self.chosen) {
                    self.chosen = index;
                }
            }
            ui.separator();
            if ui.button("Add note here").clicked() {
                notes::add_at(cx, surface_point(&head, hit), glam::vec2(in_picture.x, in_picture.y));
                ui.close();
            }
            let Some(channel) = found.get(self.chosen).map(|mover| mover.channel) else { return };
            let name = text::elide_middle(ui.painter(), &head.shown_name(channel), &theme::body_font(), 150.0);
            if ui.button(format!("Heat map of {name}")).clicked() {
                cx.session.edits.show_heat_of(&cx.session.head, channel);
                ui.close();
            }
            let solo = if cx.session.bound().sliders.soloed[channel] { "Unsolo" } else { "Solo" };
            if ui.button(format!("{solo} {name}")).clicked() {
                cx.session.channel_mut(channel).toggle_solo();
                ui.close();
            }
            if ui.button("Select row").clicked() {
                cx.marks.mark(vec![channel], &mut cx.state.panels);
                ui.close();
            }
        });
    }

    /// Says once what can be done with the face, when the pointer has rested for some seconds over a face that rests.
    fn hint_ui(&mut self, ui: &egui::Ui, response: &Response, picture: Rect, cx: &mut PanelContext<'_>) {
        let now = ui.input(|input| input.time);
        let is_at_rest = !cx.session.clock.timeline.playing && !cx.is_covered();
        let is_idle = ui.input(|input| !input.pointer.any_down() && input.modifiers.is_none()) && is_at_rest;
        let Some(pointer) = response.hover_pos().filter(|_| is_idle && !cx.state.panels.knows_probing) else {
            self.rests = None;
            return;
        };
        let (at, since) = self.rests.filter(|(at, _)| at.distance(pointer) < 2.0).unwrap_or((pointer, now));
        self.rests = Some((at, since));
        let [begins, lasts] = HINT_SECS;
        let (rested, is_over) = (now - since, now - since > begins + lasts);
        if rested < begins {
            ui.request_repaint_after(Duration::from_secs_f64(begins - rested));
        } else if is_over {
            cx.state.panels.knows_probing = true;
        } else if self.pick(cx.session, picture, at).is_some() {
            // In the corner, where it covers neither the face nor a pin and what is said of it.
            at_point(ui, picture.left_top(), |ui| {
                ui.set_max_width(picture.width() - 4.0 * theme::GAP_LARGE);
                ui.label("Right-click: what moves this. Ctrl-drag: move it; with Shift, both sides");
            });
            ui.request_repaint_after(Duration::from_secs_f64(begins + lasts - rested + 0.01));
        }
    }

    fn pick(&mut self, session: &Session, picture: Rect, at: Pos2) -> Option<(Hit, Vec<Mover>)> {
        let from_middle = (at - picture.center()) / picture.height();
        let ray = session.camera.ray(glam::vec2(from_middle.x, from_middle.y));
        let hit = self.placed(session).pick(&session.head, &ray)?;
        Some((hit, movers(&session.head, &hit, &session.weights(), &session.world_from_nodes())))
    }

    /// The surface where the picture shows it.
    pub(crate) fn placed(&mut self, session: &Session) -> &Picker {
        let (weights, nodes) = (session.weights(), session.world_from_nodes());
        self.picker.place(&session.head, (&session.look(), &session.roles()), &weights, &nodes);
        &self.picker
    }
}

/// The value of the heat map at a point; none where it compares blend modes.
fn heat_at(session: &Session, values: &mut FaceValues, hit: &Hit) -> Option<String> {
    let scene = session.scene([1; 2]);
    let values = &values.measured(&scene)?[hit.mesh];
    let corners = hit.vertices.iter().zip(hit.weights.to_array());
    let value: f32 = corners.map(|(&vertex, share)| values[vertex as usize] * share).sum();
    if value.is_nan() {
        return Some(text::shown(&format!("not in {}", whole_b_name(session))).into_owned());
    }
    Some(format!("{value:.2}{}", scene.look.heat.measure.unit()))
}

/// A drag of a point of the face. Both sides of a pair move where they are linked, or with Shift; with Alt, one does.
fn face_drag(session: &Session, hit: &Hit, found: &[Mover], modifiers: Modifiers) -> FaceDrag {
    let (head, mix, linked) = (&session.head, session.mix(), &session.bound().linked);
    let is_silent = |channel: usize| matches!(mix.layers[channel], Layer::Muted | Layer::NotSoloed);
    FaceDrag::new(
        head,
        (hit, found),
        &session.camera,
        |channel| head.channel_value(channel, &mix.weights),
        |channel| !session.follows_others(channel) && !is_silent(channel),
        |pair| !modifiers.alt && (linked[pair] || (modifiers.shift && head.pairs[pair].kind == PairKind::Sides)),
    )
}

fn at_point(ui: &egui::Ui, point: Pos2, contents: impl FnOnce(&mut egui::Ui)) {
    let layer = LayerId::new(Order::Tooltip, Id::unique("pointed"));
    let at = point + Vec2::splat(14.0);
    Tooltip::always_open(ui.ctx().clone(), layer, Id::unique("pointed at"), at).show(contents);
}

/// A channel of the menu, with a bar as long as its motion is strong. Returns whether it was clicked.
fn mover_ui(ui: &mut egui::Ui, head: &Head, mover: &Mover, share: f32, is_chosen: bool) -> bool {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), theme::BAR_HEIGHT));
    let response = ui.interact(rect, ui.scope_id().with(("mover", mover.channel)), Sense::click());
    let name = head.shown_name(mover.channel);
    let value = format!("{:.1} mm", mover.whole_mm);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, format!("{name}, {value} at 1")));
    let painter = ui.painter();
    painter.rect_filled(rect, theme::ROUNDING, if response.hovered() { theme::WELL_HOVERED } else { theme::WELL });
    let bar = rect.with_max_x(egui::lerp(rect.x_range(), share.clamp(0.0, 1.0)));
    painter.rect_filled(
        bar,
        theme::ROUNDING,
        if is_chosen { theme::ACCENT } else { theme::ACCENT.gamma_multiply(0.45) },
    );
    let number = painter.text(
        rect.right_center() - vec2(theme::GAP, 0.0),
        Align2::RIGHT_CENTER,
        value,
        theme::small_font(),
        theme::TEXT_WEAK,
    );
    let room = number.left() - rect.left() - 2.0 * theme::GAP;
    let shown = text::elide_middle(painter, &name, &theme::body_font(), room);
    let at = rect.left_center() + vec2(theme::GAP, 0.0);
    painter.text(at, Align2::LEFT_CENTER, shown, theme::body_font(), theme::TEXT);
    response.clicked()
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
            ui.label(text::shown(&head.shown_name(mover.channel)));
            ui.label(format!("{:.2} mm now", mover.now_mm));
            ui.colored_label(theme::TEXT_WEAK, format!("{:.2} mm at 1", mover.whole_mm));
            ui.end_row();
        }
    });
    let more = found.len().saturating_sub(MOST);
    if more > 0 {
        ui.colored_label(theme::TEXT_WEAK, format!("and {more} more"));
    }
    if !found.is_empty() {
        ui.colored_label(theme::TEXT_WEAK, "Drag moves it; Shift: both sides, Alt: this side");
    }
}
