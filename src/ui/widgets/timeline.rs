//! Dragging on a time scale, in the transport and in the curves: the play head, and the in and the out point, which are
//! the ends of the range that plays.

use egui::{
    CursorIcon, Id, LayerId, Order, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Vec2, WidgetInfo, pos2,
};

use super::assistive::AssistiveSlider;
use crate::theme;
use smirk_face::motion::Layer;
use smirk_session::Session;

/// The largest horizontal distance, in points, at which the pointer touches a handle.
const REACH: f32 = 8.0;

/// A strip with handles along a time scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RangeStrip {
    pub rect: Rect,
    pub secs: [f32; 2],
    /// Where the strip is, as a part of the names of its handles.
    pub place: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    In,
    Out,
}

#[derive(Clone, Copy, Debug)]
struct Grabbed {
    end: End,
    /// Where it was pressed, and how far to the right of the handle that is.
    pressed_x: f32,
    beside: f32,
}

impl End {
    const BOTH: [Self; 2] = [Self::In, Self::Out];

    fn label(self) -> &'static str {
        match self {
            Self::In => "In point",
            Self::Out => "Out point",
        }
    }

    fn keys(self) -> &'static str {
        match self {
            Self::In => "I",
            Self::Out => "O",
        }
    }

    fn secs(self, session: &Session) -> f32 {
        let [start, end] = session.range_secs();
        match self {
            Self::In => start,
            Self::Out => end,
        }
    }

    /// Moves the end of the range; at the end of the timeline, it is unset.
    fn set(self, session: &mut Session, secs: f32) {
        let is_within = secs > 0.0 && secs < session.timeline_secs();
        session.timeline_mut().edit_range(|timeline| match self {
            Self::In => timeline.set_in(is_within.then_some(secs)),
            Self::Out => timeline.set_out(is_within.then_some(secs)),
        });
    }
}

impl RangeStrip {
    fn x(&self, secs: f32) -> f32 {
        egui::remap(secs, self.secs[0]..=self.secs[1], self.rect.x_range())
    }

    /// Moves the end of the range that is dragged. Returns whether there is one, so that the play head stays.
    pub(crate) fn drag_ui(&self, ui: &egui::Ui, session: &mut Session) -> bool {
        let (pressed, pointer, is_down) = ui.input(|input| {
            let pressed = input.pointer.primary_pressed().then(|| input.pointer.press_origin()).flatten();
            (pressed, input.pointer.latest_pos(), input.pointer.primary_down())
        });
        let id: Id = ui.scope_id().with((self.place, "grabbed end"));
        for end in End::BOTH {
            let at = pos2(self.x(end.secs(session)), self.rect.center().y);
            let touched = Rect::from_center_size(at, Vec2::new(2.0 * REACH, self.rect.height()));
            let label = format!("{}{}", end.label(), self.place);
            let response = ui.interact(touched, id.with(end.label()), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
            if response.contains_pointer() {
                ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
            }
            // A menu or a question may lie above.
            let is_touched = |at: &Pos2| touched.contains(*at) && ui.ctx().layer_id_at(*at) == Some(ui.layer_id());
            if let Some(origin) = pressed.filter(is_touched).filter(|_| session.timeline_secs() > 0.0) {
                let grabbed = Grabbed { end, pressed_x: origin.x, beside: origin.x - at.x };
                ui.data_mut(|data| data.insert_temp(id, grabbed));
            }
            response.on_hover_text(format!("{}: drag it, or press {}", end.label(), end.keys()));
        }
        let Some(Grabbed { end, pressed_x, beside }) = ui.data(|data| data.get_temp(id)) else { return false };
        if let Some(pointer) = pointer.filter(|pointer| pointer.x != pressed_x) {
            let secs = egui::remap(pointer.x - beside, self.rect.x_range(), self.secs[0]..=self.secs[1]);
            let secs = session.edits.timeline.dragged_to(secs, inverts_snap(ui));
            end.set(session, secs);
        }
        if !is_down {
            ui.data_mut(|data| data.remove::<Grabbed>(id));
        }
        true
    }

    /// Paints the range as a thin bar with a handle at either end: bright if it is set. `bar_y` is the middle of the
    /// bar; the handles begin there and hang or stand within the strip.
    pub(crate) fn paint(&self, painter: &Painter, session: &Session, bar_y: f32) {
        if session.timeline_secs() == 0.0 {
            return;
        }
        let color = if is_range_set(session) { theme::ACCENT_BRIGHT } else { theme::ICON_FAINT };
        let [start, end] = session.range_secs().map(|secs| self.x(secs));
        let bar = Rect::from_x_y_ranges(start..=end, bar_y - 1.0..=bar_y + 1.0);
        painter.rect_filled(bar.intersect(self.rect), 0.0, color.gamma_multiply(0.6));
        let [base, tip] = if bar_y < self.rect.center().y {
            [self.rect.top(), self.rect.bottom()]
        } else {
            [self.rect.bottom(), self.rect.top()]
        };
        for (x, inwards) in [(start, 5.0), (end, -5.0)] {
            let corners = vec![pos2(x, base), pos2(x + inwards, base), pos2(x, tip)];
            painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
        }
    }
}

pub(crate) fn is_range_set(session: &Session) -> bool {
    let timeline = session.timeline();
    timeline.in_secs.is_some() || timeline.out_secs.is_some()
}

/// Shows the time at which a pose that is dragged over a time scale would be keyed, and returns it. `x` and `secs_at`
/// are the scale.
pub(crate) fn pose_over_ui(
    ui: &egui::Ui,
    rect: Rect,
    x: impl Fn(f32) -> f32,
    secs_at: impl Fn(f32) -> f32,
    session: &Session,
) -> Option<f32> {
    let point = ui.input(|input| input.pointer.latest_pos()).filter(|point| rect.contains(*point))?;
    let timeline = &session.edits.timeline;
    let secs = timeline.dragged_to(secs_at(point.x).clamp(0.0, session.timeline_secs()), inverts_snap(ui));
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Foreground, Id::unique("pose over a time scale")));
    let color = theme::layer_tint(Layer::Keys).bright;
    painter.vline(x(secs), rect.y_range(), Stroke::new(2.0, color));
    let text = format!("Key at {}", timeline.text(secs));
    let galley = painter.layout_no_wrap(text, theme::small_font(), theme::TEXT);
    let at = pos2((x(secs) + 6.0).min(rect.right() - galley.size().x), rect.top() - galley.size().y);
    painter.rect_filled(Rect::from_min_size(at, galley.size()).expand(2.0), theme::ROUNDING, theme::OVERLAY);
    painter.galley(at, galley, theme::TEXT);
    Some(secs)
}

/// Pauses playback while the play head is held, moves the play head to `target_secs`, and resumes playback when it is
/// released.
pub(crate) fn drag_play_head(
    response: &Response,
    name: &str,
    session: &mut Session,
    is_held: bool,
    target_secs: Option<f32>,
) {
    let slider = AssistiveSlider {
        label: name,
        value: session.clock.timeline.time_secs.into(),
        range: 0.0..=session.timeline_secs().into(),
        step: 1.0 / session.edits.timeline.rate.frames_per_sec(),
        is_enabled: response.enabled(),
    };
    slider.describe(response);
    let requested = slider.requested(response);
    let target_secs = target_secs.or(requested.map(|secs| session.edits.timeline.dragged_to(secs as f32, false)));
    let id = response.id.with("was playing");
    if is_held {
        let was_playing = session.clock.timeline.playing;
        response.ctx.data_mut(|data| *data.get_temp_mut_or(id, false) |= was_playing);
        session.clock.timeline.playing = false;
    } else if response.ctx.data_mut(|data| data.remove_temp::<bool>(id)).unwrap_or(false) {
        session.clock.timeline.playing = true;
    }
    if let Some(time_secs) = target_secs {
        session.seek(time_secs);
    }
}

/// Whether Ctrl is held: a drag in time then snaps to frames where it usually does not, and does not snap where it
/// usually does.
pub(crate) fn inverts_snap(ui: &egui::Ui) -> bool {
    ui.input(|input| input.modifiers.command)
}
