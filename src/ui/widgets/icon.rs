//! Icons drawn with strokes: the default fonts lack most of them, and strokes stay sharp at any scale.

use egui::{Color32, Id, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Vec2, WidgetInfo, vec2};

use crate::theme;
use smirk_face::motion::Layer;

/// An icon for a button, a row or a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    /// Two links of a chain: linked sliders.
    Link,
    /// Opposed arrows: two directions of one movement.
    Opposites,
    /// A film frame: driven by the clip.
    Film,
    /// A wave: driven by a take.
    Wave,
    /// A dot that sends to both sides: driven by a live face.
    Live,
    /// A star: a good take.
    Star,
    /// A diamond: driven by keys.
    Diamond,
    /// Stacked frames: driven by the sequence.
    Steps,
    /// A closed eye: driven by automatic blinking.
    ClosedEye,
    /// An eye: driven by automatic gaze.
    Eye,
    /// A face: driven by a pose.
    Face,
    /// A knob on a line: set by its slider.
    Slider,
    /// Two lines that run into one: driven by other channels.
    Corrective,
    /// A crossed circle: muted.
    Mute,
    /// A ring around a dot: soloed.
    Solo,
    /// An arrow that turns back: give the channel back to what drives it.
    GiveBack,
    /// A triangle to the right: a collapsed list.
    Collapsed,
    /// A triangle down: an expanded list.
    Expanded,
    /// Start.
    Play,
    /// Stop.
    Pause,
    /// Two arrows that follow each other round: loop.
    Loop,
    /// A cross.
    Close,
    /// A circle with a dot: information.
    Info,
    /// A triangle with a stroke: warning.
    Warning,
    /// A magnifying glass.
    Search,
    /// A curve between two axes: the curves panel.
    Curves,
    /// A solid line over a dashed one: compare two takes.
    Compare,
    /// A filled curve over and under a line: the difference of two.
    Difference,
    /// Rows of diamonds: the dope sheet.
    DopeSheet,
    /// Four corners: fit into the view.
    Fit,
    /// A curve between two lines: each curve with its own range.
    Normalise,
    /// A smooth curve with a flat end: automatic tangents.
    TangentAuto,
    /// Straight lines: linear tangents.
    TangentLinear,
    /// A stair: the value is held.
    TangentStep,
    /// A straight handle: free tangents.
    TangentFree,
    /// A bent handle: broken tangents.
    TangentBroken,
    /// A loudspeaker with waves: sound.
    Sound,
    /// A loudspeaker with a cross: no sound.
    Silent,
}

impl Icon {
    /// The icon of a layer that drives a channel.
    pub(crate) fn of_layer(layer: Layer) -> Self {
        match layer {
            Layer::Take => Self::Wave,
            Layer::Live => Self::Live,
            Layer::Keys => Self::Diamond,
            Layer::Sequence => Self::Steps,
            Layer::Blink => Self::ClosedEye,
            Layer::Gaze => Self::Eye,
            Layer::Pose => Self::Face,
            Layer::Muted | Layer::NotSoloed => Self::Mute,
            Layer::Manual => Self::Slider,
            Layer::Corrective => Self::Corrective,
            Layer::Rest | Layer::Clip => Self::Film,
        }
    }

    /// Draws the icon in the middle of `rect`.
    pub(crate) fn paint(self, painter: &Painter, rect: Rect, color: Color32) {
        let middle = rect.center();
        let at = |x: f32, y: f32| middle + vec2(x, y);
        let stroke = Stroke::new(1.5, color);
        let line = |points: &[Pos2]| {
            painter.add(Shape::line(points.to_vec(), stroke));
        };
        let filled = |points: &[Pos2]| {
            painter.add(Shape::convex_polygon(points.to_vec(), color, Stroke::NONE));
        };
        match self {
            Self::Link => {
                for x in [-3.4, 3.4] {
                    let link = Rect::from_center_size(at(x, 0.0), vec2(7.6, 6.0));
                    painter.rect_stroke(link, 3.0, stroke, egui::StrokeKind::Middle);
                }
            }
            Self::Corrective => {
                for y in [-4.0, 4.0] {
                    line(&[at(-5.5, y), at(-1.5, y), at(1.5, 0.0)]);
                }
                line(&[at(1.5, 0.0), at(5.5, 0.0)]);
                line(&[at(3.5, -2.0), at(5.5, 0.0), at(3.5, 2.0)]);
            }
            Self::Opposites => {
                for (y, way) in [(-2.5, -1.0), (2.5, 1.0)] {
                    line(&[at(-5.0 * way, y), at(5.0 * way, y)]);
                    line(&[at(2.5 * way, y - 2.5), at(5.0 * way, y), at(2.5 * way, y + 2.5)]);
                }
            }
            Self::Film => {
                let frame = Rect::from_center_size(middle, vec2(12.0, 9.0));
                painter.rect_stroke(frame, 1.5, stroke, egui::StrokeKind::Middle);
                filled(&[at(-1.6, -2.4), at(2.6, 0.0), at(-1.6, 2.4)]);
            }
            Self::Wave => line(&[
                at(-6.0, 0.5),
                at(-3.8, 0.5),
                at(-2.0, -4.5),
                at(0.6, 4.5),
                at(2.6, -2.0),
                at(3.8, 0.5),
                at(6.0, 0.5),
            ]),
            Self::Live => {
                painter.circle_filled(middle, 1.9, color);
                for radius in [4.0, 6.6] {
                    painter.add(arc(middle, radius, -42.0, 42.0, stroke));
                    painter.add(arc(middle, radius, 138.0, 222.0, stroke));
                }
            }
            Self::Star => {
                let corner = |index: usize| {
                    let radius = if index.is_multiple_of(2) { 6.2 } else { 2.7 };
                    middle + radius * Vec2::angled((index as f32 / 10.0 - 0.25) * std::f32::consts::TAU)
                };
                // A star is not convex: five points on a pentagon.
                for point in 0..5 {
                    filled(&[corner(2 * point), corner(2 * point + 1), middle, corner((2 * point + 9) % 10)]);
                }
            }
            Self::Diamond => filled(&[at(0.0, -5.0), at(5.0, 0.0), at(0.0, 5.0), at(-5.0, 0.0)]),
            Self::Steps => {
                let frame = Rect::from_center_size(at(-1.5, 1.5), vec2(8.0, 8.0));
                painter.rect_stroke(frame, 1.5, stroke, egui::StrokeKind::Middle);
                line(&[at(-1.5, -5.0), at(5.0, -5.0), at(5.0, 1.5)]);
            }
            Self::ClosedEye => {
                painter.add(arc(at(0.0, -5.0), 7.2, 35.0, 145.0, stroke));
                for x in [-1.0, 0.0, 1.0] {
                    line(&[at(3.4 * x, 2.2 - x.abs()), at(4.6 * x, 5.0 - 1.4 * x.abs())]);
                }
            }
            Self::Eye => {
                painter.add(arc(at(0.0, 4.0), 7.2, -145.0, -35.0, stroke));
                painter.add(arc(at(0.0, -4.0), 7.2, 35.0, 145.0, stroke));
                painter.circle_filled(middle, 1.8, color);
            }
            Self::Face => {
                painter.circle_stroke(middle, 5.8, stroke);
                painter.add(arc(at(0.0, 0.2), 2.8, 25.0, 155.0, stroke));
                for x in [-2.0, 2.0] {
                    painter.circle_filled(at(x, -1.6), 0.9, color);
                }
            }
            Self::Slider => {
                line(&[at(-6.0, 0.0), at(6.0, 0.0)]);
                painter.circle_filled(at(1.5, 0.0), 3.2, color);
            }
            Self::Mute => {
                painter.circle_stroke(middle, 5.2, stroke);
                line(&[at(-3.6, 3.6), at(3.6, -3.6)]);
            }
            Self::Solo => {
                painter.circle_stroke(middle, 5.2, stroke);
                painter.circle_filled(middle, 2.4, color);
            }
            Self::GiveBack => {
                line(&[at(-5.0, -2.0), at(1.8, -2.0)]);
                painter.add(arc(at(1.8, 1.2), 3.2, -90.0, 90.0, stroke));
                line(&[at(1.8, 4.4), at(-2.0, 4.4)]);
                line(&[at(-2.4, -4.6), at(-5.0, -2.0), at(-2.4, 0.6)]);
            }
            Self::Collapsed => filled(&[at(-2.5, -4.0), at(3.0, 0.0), at(-2.5, 4.0)]),
            Self::Expanded => filled(&[at(-4.0, -2.5), at(4.0, -2.5), at(0.0, 3.0)]),
            Self::Play => filled(&[at(-4.0, -5.5), at(5.5, 0.0), at(-4.0, 5.5)]),
            Self::Pause => {
                for x in [-3.0, 3.0] {
                    painter.rect_filled(Rect::from_center_size(at(x, 0.0), vec2(3.4, 11.0)), 1.0, color);
                }
            }
            Self::Loop => {
                for way in [-1.0, 1.0] {
                    line(&[at(-6.0 * way, -0.4 * way), at(-6.0 * way, -3.4 * way), at(5.2 * way, -3.4 * way)]);
                    line(&[at(3.0 * way, -5.8 * way), at(5.6 * way, -3.4 * way), at(3.0 * way, -way)]);
                }
            }
            Self::Sound | Self::Silent => {
                filled(&[at(-6.0, -2.0), at(-3.5, -2.0), at(-3.5, 2.0), at(-6.0, 2.0)]);
                filled(&[at(-4.0, -2.0), at(-0.5, -5.0), at(-0.5, 5.0), at(-4.0, 2.0)]);
                if self == Self::Sound {
                    painter.add(arc(at(-1.0, 0.0), 3.4, -50.0, 50.0, stroke));
                    painter.add(arc(at(-1.0, 0.0), 6.4, -50.0, 50.0, stroke));
                } else {
                    line(&[at(1.8, -2.4), at(6.4, 2.4)]);
                    line(&[at(6.4, -2.4), at(1.8, 2.4)]);
                }
            }
            Self::Close => {
                line(&[at(-3.5, -3.5), at(3.5, 3.5)]);
                line(&[at(3.5, -3.5), at(-3.5, 3.5)]);
            }
            Self::Info => {
                painter.circle_stroke(middle, 5.5, stroke);
                line(&[at(0.0, -0.5), at(0.0, 3.0)]);
                painter.circle_filled(at(0.0, -2.6), 0.9, color);
            }
            Self::Warning => {
                painter.add(Shape::closed_line(vec![at(0.0, -5.5), at(6.0, 5.0), at(-6.0, 5.0)], stroke));
                line(&[at(0.0, -1.8), at(0.0, 1.6)]);
                painter.circle_filled(at(0.0, 3.3), 0.8, color);
            }
            Self::Search => {
                painter.circle_stroke(at(-1.0, -1.0), 3.8, stroke);
                line(&[at(1.8, 1.8), at(5.0, 5.0)]);
            }
            Self::Curves => {
                line(&[at(-5.5, -5.0), at(-5.5, 5.0), at(5.5, 5.0)]);
                line(&[at(-3.0, 2.0), at(-1.2, -3.0), at(1.4, 0.8), at(3.2, -1.6), at(5.0, -3.6)]);
            }
            Self::Difference => {
                line(&[at(-6.0, 0.0), at(6.0, 0.0)]);
                filled(&[at(-5.0, 0.0), at(-2.6, -5.0), at(-0.2, 0.0)]);
                filled(&[at(0.2, 0.0), at(2.6, 5.0), at(5.0, 0.0)]);
            }
            Self::DopeSheet => {
                for (y, xs) in [(-4.0, [-4.0, 3.0]), (0.0, [-1.0, 4.0]), (4.0, [-4.0, 1.0])] {
                    painter.line_segment([at(-6.0, y), at(6.0, y)], Stroke::new(0.8, color));
                    for x in xs {
                        filled(&[at(x, y - 2.4), at(x + 2.4, y), at(x, y + 2.4), at(x - 2.4, y)]);
                    }
                }
            }
            Self::Fit => {
                for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                    line(&[at(5.5 * x, 1.8 * y), at(5.5 * x, 5.0 * y), at(2.2 * x, 5.0 * y)]);
                }
            }
            Self::Normalise => {
                for y in [-5.0, 5.0] {
                    line(&[at(-6.0, y), at(6.0, y)]);
                }
                line(&[at(-5.0, 3.0), at(-2.0, -3.0), at(1.5, 3.0), at(5.0, -3.0)]);
            }
            Self::TangentAuto => line(&[
                at(-6.0, 4.0),
                at(-4.0, 3.4),
                at(-2.2, 0.0),
                at(-1.2, -2.6),
                at(0.4, -4.0),
                at(2.2, -3.0),
                at(4.0, 1.0),
                at(6.0, 2.4),
            ]),
            Self::TangentLinear => line(&[at(-6.0, 4.0), at(0.0, -4.0), at(6.0, 2.0)]),
            Self::TangentStep => line(&[at(-6.0, 4.0), at(-1.0, 4.0), at(-1.0, -3.5), at(6.0, -3.5)]),
            Self::TangentFree | Self::TangentBroken => {
                let end = if self == Self::TangentFree { at(5.0, -3.5) } else { at(3.5, 4.5) };
                line(&[at(-5.0, 3.5), middle, end]);
                painter.circle_filled(middle, 2.2, color);
                painter.circle_filled(at(-5.0, 3.5), 1.5, color);
                painter.circle_filled(end, 1.5, color);
            }
            Self::Compare => {
                line(&[at(-6.0, -0.5), at(-2.5, -4.0), at(2.0, 0.0), at(6.0, -3.5)]);
                for x in [-5.0, -1.0, 3.0] {
                    line(&[at(x, 4.0), at(x + 2.0, 4.0)]);
                }
            }
        }
    }
}

fn arc(center: Pos2, radius: f32, from_degrees: f32, to_degrees: f32, stroke: Stroke) -> Shape {
    const STEPS: usize = 16;
    let points = (0..=STEPS).map(|step| {
        let degrees = egui::lerp(from_degrees..=to_degrees, step as f32 / STEPS as f32);
        center + radius * Vec2::angled(degrees.to_radians())
    });
    Shape::line(points.collect(), stroke)
}

/// A button with an icon. `label` is its name for screen readers and tests.
pub(crate) fn icon_button_ui(
    ui: &mut egui::Ui,
    (rect, id): (Rect, Id),
    (icon, color): (Icon, Color32),
    label: &str,
    tip: &str,
) -> Response {
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), label));
    let is_highlighted = response.hovered() || response.has_focus();
    if is_highlighted {
        ui.painter().rect_filled(rect, theme::ROUNDING, theme::WELL_HOVERED);
    }
    let color = match (ui.is_enabled(), is_highlighted) {
        (false, _) => theme::ICON_FAINT,
        (true, true) => theme::TEXT,
        (true, false) => color,
    };
    icon.paint(ui.painter(), rect, color);
    response.on_hover_text(tip)
}

/// [`icon_button_ui`], placed by egui's layout.
pub(crate) fn icon_button_inline_ui(ui: &mut egui::Ui, icon: (Icon, Color32), label: &str, tip: &str) -> Response {
    let (id, rect) = ui.allocate_space(Vec2::splat(theme::BAR_HEIGHT));
    icon_button_ui(ui, (rect, id), icon, label, tip)
}
