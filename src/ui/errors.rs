//! The strip under the timeline with the errors of A against B: how far apart they are at each frame.

use std::fmt::Write as _;
use std::sync::Arc;

use egui::{Align2, Color32, Link, Rect, Sense, Shape, Stroke, pos2, vec2};

use crate::context::PanelContext;
use crate::theme;
use crate::widgets::text::{self, short_b_name};
use crate::widgets::{drag_play_head, inverts_snap};
use smirk_analysis::sequences::FrameError;
use smirk_base::derived::Derived;
use smirk_base::job::{Job, OnDrop};
use smirk_session::{ErrorsFrom, ErrorsOverTime};

pub(crate) const HEIGHT: f32 = 78.0;
const FACTS_WIDTH: f32 = 196.0;
const MEAN: Color32 = theme::ACCENT_BRIGHT;
const LIPS: Color32 = theme::WARNING;
/// The least error at the top of the strip, in millimetres: less is rounding.
const LEAST_TOP_MM: f32 = 0.01;

/// The errors of the head that is open.
#[derive(Debug, Default)]
pub(crate) struct ErrorStrip {
    errors: Derived<ErrorsFrom, Arc<Option<ErrorsOverTime>>>,
}

/// Whether the strip is shown.
pub(crate) fn is_shown(cx: &PanelContext<'_>) -> bool {
    cx.state.comparison.errors && cx.session.timeline_secs() > 0.0 && cx.session.b().exists()
}

impl ErrorStrip {
    pub(crate) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        self.follow(ui, cx);
        let (is_busy, latest) = (self.errors.is_busy(), self.errors.latest_output().cloned());
        let area = ui.available_rect_before_wrap();
        let facts = area.with_max_x(area.left() + FACTS_WIDTH);
        let plot = area.with_min_x(facts.right() + theme::GAP);
        let errors = latest.as_deref().and_then(Option::as_ref).filter(|errors| !errors.error.frames.is_empty());
        ui.scope_builder(egui::UiBuilder::new().max_rect(facts), |ui| self.facts_ui(ui, cx, errors, is_busy));
        plot_ui(ui, plot, cx, errors);
    }

    /// Begins to measure what is compared now. Nothing begins while something is dragged.
    fn follow(&mut self, ui: &egui::Ui, cx: &PanelContext<'_>) {
        let is_dragged = ui.input(|input| input.pointer.any_down());
        let Some(from) = cx.session.b().errors_from() else { return };
        let from = if is_dragged { self.errors.input().cloned().unwrap_or(from) } else { from };
        self.errors.follow_latest(from, |_| {
            let session = cx.session.clone();
            Job::spawn("errors over time", OnDrop::Detach, (cx.readings.notifier)(), move |control| {
                Ok(Arc::new(session.errors_over_time(control.progress())?))
            })
        });
    }

    fn facts_ui(&self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, errors: Option<&ErrorsOverTime>, is_busy: bool) {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.spacing_mut().interact_size.y = 0.0;
        let name = format!("A against {}", text::shown(&short_b_name(cx.session)));
        let title = text::elide_middle(ui.painter(), &name, &theme::small_font(), FACTS_WIDTH);
        ui.label(egui::RichText::new(title).font(theme::small_font()).color(theme::TEXT_WEAK)).on_hover_text(name);
        let Some(errors) = errors else {
            let progress = self.errors.progress().map_or(0.0, |progress| progress.fraction);
            let text = if is_busy { format!("Comparing, {:.0} %", progress * 100.0) } else { "No errors".to_owned() };
            ui.weak(text);
            return;
        };
        let frame = errors.error.frames[errors.frame_at(cx.session.clock.timeline.time_secs)];
        let said = |what: &str, value: f32| format!("{what} {value:.2} mm");
        ui.horizontal(|ui| {
            ui.colored_label(MEAN, said("mean", frame.mean))
                .on_hover_text("The mean distance of all vertices at this frame");
            match frame.lips {
                Some(lips) => {
                    let tip = "The largest distance of a vertex of the lips at this frame (lip vertex error)";
                    ui.colored_label(LIPS, said("lips", lips)).on_hover_text(tip);
                }
                None => drop(ui.weak("no lips").on_hover_text("No channel of the head is known to move its lips")),
            }
        });
        let error = &errors.error;
        let mut over_all = format!("all: mean {:.2}", error.mean);
        if let Some(lips) = error.lip_vertex_error {
            _ = write!(over_all, ", lips {lips:.2} mm");
        } else {
            over_all.push_str(" mm");
        }
        let busy = if is_busy { " …" } else { "" };
        ui.weak(format!("{over_all}{busy}"));
        let (largest, at, _) = error.largest;
        let secs = errors.times_secs.get(at).copied().unwrap_or(0.0);
        let link = ui.add(Link::new(format!("largest {largest:.2} mm at {secs:.2} s")));
        if link.on_hover_text("Go to the frame with the vertex that is farthest apart").clicked() {
            cx.session.clock.timeline.playing = false;
            cx.session.seek(secs);
        }
    }
}

fn plot_ui(ui: &egui::Ui, rect: Rect, cx: &mut PanelContext<'_>, errors: Option<&ErrorsOverTime>) {
    let session = &mut *cx.session;
    let response = ui.interact(rect, ui.scope_id().with("errors"), Sense::click_and_drag());
    let duration = session.timeline_secs();
    let is_held = response.is_pointer_button_down_on();
    // In a slow frame, the press and the release of a click may arrive at once, so that `is_held` is never true.
    let point = response.interact_pointer_pos().filter(|_| is_held || response.clicked());
    let secs_at = |x: f32| egui::remap_clamp(x, rect.x_range(), 0.0..=duration);
    let target_secs = point.map(|point| session.edits.timeline.dragged_to(secs_at(point.x), inverts_snap(ui)));
    drag_play_head(&response, "Error over time", session, is_held, target_secs);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, theme::ROUNDING, theme::WELL_QUIET);
    let x = |secs: f32| egui::lerp(rect.x_range(), if duration > 0.0 { secs / duration } else { 0.0 });
    if let Some(errors) = errors {
        let frames = &errors.error.frames;
        let inner = rect.shrink2(vec2(0.0, 5.0));
        painter.hline(rect.x_range(), inner.center().y, Stroke::new(1.0, theme::LINE));
        let mut corner = rect.right_top() + vec2(-4.0, 2.0);
        for (color, is_lips) in [(LIPS, true), (MEAN, false)] {
            let value = |frame: &FrameError| if is_lips { frame.lips } else { Some(frame.mean) };
            // Each curve has its own scale: the mean of a whole head is a small part of what the lips are off.
            let Some(largest) = frames.iter().filter_map(value).reduce(f32::max) else { continue };
            let top = largest.max(LEAST_TOP_MM);
            let y = |value: f32| egui::remap_clamp(value, 0.0..=top, inner.bottom()..=inner.top());
            let points = errors.times_secs.iter().zip(frames).filter_map(|(&secs, of)| Some((x(secs), value(of)?)));
            let points: Vec<(f32, f32)> = points.collect();
            // Of several frames within a point of width, the largest counts, so that no peak is lost.
            let columns = points.chunk_by(|a, b| a.0.floor() == b.0.floor());
            let line = columns.map(|column| {
                let most = column.iter().map(|(_, value)| *value).fold(0.0, f32::max);
                pos2(column[0].0, y(most))
            });
            painter.add(Shape::line(line.collect(), Stroke::new(1.5, color)));
            let galley = painter.layout_no_wrap(format!("{top:.2} mm"), theme::small_font(), color);
            let place = Align2::RIGHT_TOP.anchor_size(corner, galley.size());
            painter.rect_filled(place.expand2(vec2(3.0, 0.0)), theme::ROUNDING, theme::OVERLAY);
            painter.galley(place.min, galley, color);
            corner.x = place.left() - theme::GAP;
        }
        if let Some(pointer) = response.hover_pos().filter(|_| !is_held) {
            let frame = errors.frame_at(secs_at(pointer.x));
            let (secs, of) = (errors.times_secs[frame], errors.error.frames[frame]);
            painter.vline(x(secs), rect.y_range(), Stroke::new(1.0, theme::ICON_WEAK));
            let lips = of.lips.map_or_else(String::new, |lips| format!(", lips {lips:.2}"));
            let said = format!("{secs:.2} s: mean {:.2}{lips}, largest {:.2} mm", of.mean, of.largest);
            let galley = painter.layout_no_wrap(said, theme::small_font(), theme::TEXT);
            let (size, beside) = (galley.size(), theme::GAP);
            let is_left = x(secs) + beside + size.x > rect.right();
            let left = if is_left { x(secs) - beside - size.x } else { x(secs) + beside };
            let place = Rect::from_min_size(pos2(left, rect.bottom() - size.y - 3.0), size);
            painter.rect_filled(place.expand2(vec2(3.0, 1.0)), theme::ROUNDING, theme::OVERLAY);
            painter.galley(place.min, galley, theme::TEXT);
        }
    }
    let now = x(session.clock.timeline.time_secs);
    painter.vline(now, rect.y_range(), Stroke::new(1.5, theme::PLAY_HEAD));
}
