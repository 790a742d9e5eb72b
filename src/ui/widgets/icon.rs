//! Icons drawn with strokes: the default fonts lack most of them, and strokes stay sharp at any scale.

use egui::{Color32, Id, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Vec2, WidgetInfo, vec2};

use Part::{Arc, Block, Dot, Filled, Frame, Line, Outline, Ring, Thin};

use crate::theme;
use smirk_face::motion::Layer;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    Link,
    /// Opposed arrows: two directions of one movement.
    Opposites,
    Film,
    Wave,
    /// A dot that sends to both sides: driven by a live face.
    Live,
    Star,
    Diamond,
    /// Stacked frames: driven by the sequence.
    Steps,
    ClosedEye,
    Eye,
    Face,
    Slider,
    /// Two lines that run into one: driven by other channels.
    Corrective,
    Mute,
    Solo,
    /// An arrow that turns back: give the channel back to what drives it.
    GiveBack,
    Collapsed,
    Expanded,
    Play,
    Pause,
    /// Two arrows that follow each other round: loop.
    Loop,
    Close,
    Info,
    Warning,
    Search,
    Curves,
    /// A solid line over a dashed one: compare two takes.
    Compare,
    /// A filled curve over and under a line: the difference of two.
    Difference,
    DopeSheet,
    Fit,
    /// A curve between two lines: each curve with its own range.
    Normalise,
    /// A smooth curve with a flat end: automatic tangents.
    TangentAuto,
    TangentLinear,
    TangentStep,
    TangentFree,
    TangentBroken,
    Sound,
    Silent,
}

impl Icon {
    pub(crate) fn of_layer(layer: Layer) -> Self {
        match layer {
            Layer::Take => Self::Wave,
            Layer::Live => Self::Live,
            Layer::Voice => Self::Sound,
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

    pub(crate) fn paint(self, painter: &Painter, rect: Rect, color: Color32) {
        let stroke = Stroke::new(1.5, color);
        let middle = rect.center();
        for part in self.parts() {
            match *part {
                Line(points) => drop(painter.add(Shape::line(all_placed(middle, points), stroke))),
                Thin(points) => drop(painter.add(Shape::line(all_placed(middle, points), Stroke::new(0.8, color)))),
                Outline(points) => drop(painter.add(Shape::closed_line(all_placed(middle, points), stroke))),
                Filled(points) => {
                    painter.add(Shape::convex_polygon(all_placed(middle, points), color, Stroke::NONE));
                }
                Frame(at, size, rounding) => {
                    let frame = Rect::from_center_size(placed(middle, at), size.into());
                    painter.rect_stroke(frame, rounding, stroke, egui::StrokeKind::Middle);
                }
                Block(at, size) => {
                    painter.rect_filled(Rect::from_center_size(placed(middle, at), size.into()), 1.0, color);
                }
                Ring(at, radius) => drop(painter.circle_stroke(placed(middle, at), radius, stroke)),
                Dot(at, radius) => drop(painter.circle_filled(placed(middle, at), radius, color)),
                Arc(at, radius, degrees) => drop(painter.add(arc(placed(middle, at), radius, degrees, stroke))),
            }
        }
    }

    /// What the icon is drawn of, the lowest first.
    fn parts(self) -> &'static [Part] {
        match self {
            Self::Link => &[Frame([-3.4, 0.0], [7.6, 6.0], 3.0), Frame([3.4, 0.0], [7.6, 6.0], 3.0)],
            Self::Corrective => &[
                Line(&[[-5.5, -4.0], [-1.5, -4.0], [1.5, 0.0]]),
                Line(&[[-5.5, 4.0], [-1.5, 4.0], [1.5, 0.0]]),
                Line(&[[1.5, 0.0], [5.5, 0.0]]),
                Line(&[[3.5, -2.0], [5.5, 0.0], [3.5, 2.0]]),
            ],
            Self::Opposites => &[
                Line(&[[5.0, -2.5], [-5.0, -2.5]]),
                Line(&[[-2.5, -5.0], [-5.0, -2.5], [-2.5, 0.0]]),
                Line(&[[-5.0, 2.5], [5.0, 2.5]]),
                Line(&[[2.5, 0.0], [5.0, 2.5], [2.5, 5.0]]),
            ],
            Self::Film => &[Frame(MIDDLE, [12.0, 9.0], 1.5), Filled(&[[-1.6, -2.4], [2.6, 0.0], [-1.6, 2.4]])],
            Self::Wave => {
                &[Line(&[[-6.0, 0.5], [-3.8, 0.5], [-2.0, -4.5], [0.6, 4.5], [2.6, -2.0], [3.8, 0.5], [6.0, 0.5]])]
            }
            Self::Live => &[
                Dot(MIDDLE, 1.9),
                Arc(MIDDLE, 4.0, [-42.0, 42.0]),
                Arc(MIDDLE, 4.0, [138.0, 222.0]),
                Arc(MIDDLE, 6.6, [-42.0, 42.0]),
                Arc(MIDDLE, 6.6, [138.0, 222.0]),
            ],
            // A star is not convex: five points on a pentagon.
            Self::Star => &[
                Filled(&[[0.0, -6.2], [1.59, -2.18], MIDDLE, [-1.59, -2.18]]),
                Filled(&[[5.9, -1.92], [2.57, 0.83], MIDDLE, [1.59, -2.18]]),
                Filled(&[[3.64, 5.02], [0.0, 2.7], MIDDLE, [2.57, 0.83]]),
                Filled(&[[-3.64, 5.02], [-2.57, 0.83], MIDDLE, [0.0, 2.7]]),
                Filled(&[[-5.9, -1.92], [-1.59, -2.18], MIDDLE, [-2.57, 0.83]]),
            ],
            Self::Diamond => &[Filled(&[[0.0, -5.0], [5.0, 0.0], [0.0, 5.0], [-5.0, 0.0]])],
            Self::Steps => &[Frame([-1.5, 1.5], [8.0, 8.0], 1.5), Line(&[[-1.5, -5.0], [5.0, -5.0], [5.0, 1.5]])],
            Self::ClosedEye => &[
                Arc([0.0, -5.0], 7.2, [35.0, 145.0]),
                Line(&[[-3.4, 1.2], [-4.6, 3.6]]),
                Line(&[[0.0, 2.2], [0.0, 5.0]]),
                Line(&[[3.4, 1.2], [4.6, 3.6]]),
            ],
            Self::Eye => {
                &[Arc([0.0, 4.0], 7.2, [-145.0, -35.0]), Arc([0.0, -4.0], 7.2, [35.0, 145.0]), Dot(MIDDLE, 1.8)]
            }
            Self::Face => {
                &[Ring(MIDDLE, 5.8), Arc([0.0, 0.2], 2.8, [25.0, 155.0]), Dot([-2.0, -1.6], 0.9), Dot([2.0, -1.6], 0.9)]
            }
            Self::Slider => &[Line(&[[-6.0, 0.0], [6.0, 0.0]]), Dot([1.5, 0.0], 3.2)],
            Self::Mute => &[Ring(MIDDLE, 5.2), Line(&[[-3.6, 3.6], [3.6, -3.6]])],
            Self::Solo => &[Ring(MIDDLE, 5.2), Dot(MIDDLE, 2.4)],
            Self::GiveBack => &[
                Line(&[[-5.0, -2.0], [1.8, -2.0]]),
                Arc([1.8, 1.2], 3.2, [-90.0, 90.0]),
                Line(&[[1.8, 4.4], [-2.0, 4.4]]),
                Line(&[[-2.4, -4.6], [-5.0, -2.0], [-2.4, 0.6]]),
            ],
            Self::Collapsed => &[Filled(&[[-2.5, -4.0], [3.0, 0.0], [-2.5, 4.0]])],
            Self::Expanded => &[Filled(&[[-4.0, -2.5], [4.0, -2.5], [0.0, 3.0]])],
            Self::Play => &[Filled(&[[-4.0, -5.5], [5.5, 0.0], [-4.0, 5.5]])],
            Self::Pause => &[Block([-3.0, 0.0], [3.4, 11.0]), Block([3.0, 0.0], [3.4, 11.0])],
            Self::Loop => &[
                Line(&[[6.0, 0.4], [6.0, 3.4], [-5.2, 3.4]]),
                Line(&[[-3.0, 5.8], [-5.6, 3.4], [-3.0, 1.0]]),
                Line(&[[-6.0, -0.4], [-6.0, -3.4], [5.2, -3.4]]),
                Line(&[[3.0, -5.8], [5.6, -3.4], [3.0, -1.0]]),
            ],
            Self::Sound => {
                &[SPEAKER[0], SPEAKER[1], Arc([-1.0, 0.0], 3.4, [-50.0, 50.0]), Arc([-1.0, 0.0], 6.4, [-50.0, 50.0])]
            }
            Self::Silent => {
                &[SPEAKER[0], SPEAKER[1], Line(&[[1.8, -2.4], [6.4, 2.4]]), Line(&[[6.4, -2.4], [1.8, 2.4]])]
            }
            Self::Close => &[Line(&[[-3.5, -3.5], [3.5, 3.5]]), Line(&[[3.5, -3.5], [-3.5, 3.5]])],
            Self::Info => &[Ring(MIDDLE, 5.5), Line(&[[0.0, -0.5], [0.0, 3.0]]), Dot([0.0, -2.6], 0.9)],
            Self::Warning => &[
                Outline(&[[0.0, -5.5], [6.0, 5.0], [-6.0, 5.0]]),
                Line(&[[0.0, -1.8], [0.0, 1.6]]),
                Dot([0.0, 3.3], 0.8),
            ],
            Self::Search => &[Ring([-1.0, -1.0], 3.8), Line(&[[1.8, 1.8], [5.0, 5.0]])],
            Self::Curves => &[
                Line(&[[-5.5, -5.0], [-5.5, 5.0], [5.5, 5.0]]),
                Line(&[[-3.0, 2.0], [-1.2, -3.0], [1.4, 0.8], [3.2, -1.6], [5.0, -3.6]]),
            ],
            Self::Difference => &[
                Line(&[[-6.0, 0.0], [6.0, 0.0]]),
                Filled(&[[-5.0, 0.0], [-2.6, -5.0], [-0.2, 0.0]]),
                Filled(&[[0.2, 0.0], [2.6, 5.0], [5.0, 0.0]]),
            ],
            Self::DopeSheet => &[
                Thin(&[[-6.0, -4.0], [6.0, -4.0]]),
                Filled(&[[-4.0, -6.4], [-1.6, -4.0], [-4.0, -1.6], [-6.4, -4.0]]),
                Filled(&[[3.0, -6.4], [5.4, -4.0], [3.0, -1.6], [0.6, -4.0]]),
                Thin(&[[-6.0, 0.0], [6.0, 0.0]]),
                Filled(&[[-1.0, -2.4], [1.4, 0.0], [-1.0, 2.4], [-3.4, 0.0]]),
                Filled(&[[4.0, -2.4], [6.4, 0.0], [4.0, 2.4], [1.6, 0.0]]),
                Thin(&[[-6.0, 4.0], [6.0, 4.0]]),
                Filled(&[[-4.0, 1.6], [-1.6, 4.0], [-4.0, 6.4], [-6.4, 4.0]]),
                Filled(&[[1.0, 1.6], [3.4, 4.0], [1.0, 6.4], [-1.4, 4.0]]),
            ],
            Self::Fit => &[
                Line(&[[-5.5, -1.8], [-5.5, -5.0], [-2.2, -5.0]]),
                Line(&[[5.5, -1.8], [5.5, -5.0], [2.2, -5.0]]),
                Line(&[[5.5, 1.8], [5.5, 5.0], [2.2, 5.0]]),
                Line(&[[-5.5, 1.8], [-5.5, 5.0], [-2.2, 5.0]]),
            ],
            Self::Normalise => &[
                Line(&[[-6.0, -5.0], [6.0, -5.0]]),
                Line(&[[-6.0, 5.0], [6.0, 5.0]]),
                Line(&[[-5.0, 3.0], [-2.0, -3.0], [1.5, 3.0], [5.0, -3.0]]),
            ],
            Self::TangentAuto => &[Line(&[
                [-6.0, 4.0],
                [-4.0, 3.4],
                [-2.2, 0.0],
                [-1.2, -2.6],
                [0.4, -4.0],
                [2.2, -3.0],
                [4.0, 1.0],
                [6.0, 2.4],
            ])],
            Self::TangentLinear => &[Line(&[[-6.0, 4.0], [0.0, -4.0], [6.0, 2.0]])],
            Self::TangentStep => &[Line(&[[-6.0, 4.0], [-1.0, 4.0], [-1.0, -3.5], [6.0, -3.5]])],
            Self::TangentFree => &[
                Line(&[[-5.0, 3.5], MIDDLE, [5.0, -3.5]]),
                Dot(MIDDLE, 2.2),
                Dot([-5.0, 3.5], 1.5),
                Dot([5.0, -3.5], 1.5),
            ],
            Self::TangentBroken => &[
                Line(&[[-5.0, 3.5], MIDDLE, [3.5, 4.5]]),
                Dot(MIDDLE, 2.2),
                Dot([-5.0, 3.5], 1.5),
                Dot([3.5, 4.5], 1.5),
            ],
            Self::Compare => &[
                Line(&[[-6.0, -0.5], [-2.5, -4.0], [2.0, 0.0], [6.0, -3.5]]),
                Line(&[[-5.0, 4.0], [-3.0, 4.0]]),
                Line(&[[-1.0, 4.0], [1.0, 4.0]]),
                Line(&[[3.0, 4.0], [5.0, 4.0]]),
            ],
        }
    }
}

const MIDDLE: [f32; 2] = [0.0, 0.0];

const SPEAKER: [Part; 2] = [
    Filled(&[[-6.0, -2.0], [-3.5, -2.0], [-3.5, 2.0], [-6.0, 2.0]]),
    Filled(&[[-4.0, -2.0], [-0.5, -5.0], [-0.5, 5.0], [-4.0, 2.0]]),
];

/// A part of an icon. Places are in points from its middle, to the right and down.
#[derive(Clone, Copy, Debug)]
enum Part {
    Line(&'static [[f32; 2]]),
    Thin(&'static [[f32; 2]]),
    /// A line back to its first point.
    Outline(&'static [[f32; 2]]),
    Filled(&'static [[f32; 2]]),
    /// The outline of a rectangle: its middle, its size and the radius of its corners.
    Frame([f32; 2], [f32; 2], f32),
    Block([f32; 2], [f32; 2]),
    Ring([f32; 2], f32),
    Dot([f32; 2], f32),
    /// A part of a ring, from an angle to another in degrees, clockwise from the right.
    Arc([f32; 2], f32, [f32; 2]),
}

fn placed(middle: Pos2, [x, y]: [f32; 2]) -> Pos2 {
    middle + vec2(x, y)
}

fn all_placed(middle: Pos2, points: &[[f32; 2]]) -> Vec<Pos2> {
    points.iter().map(|&point| placed(middle, point)).collect()
}

fn arc(center: Pos2, radius: f32, [from, to]: [f32; 2], stroke: Stroke) -> Shape {
    const STEPS: usize = 16;
    let points = (0..=STEPS).map(|step| {
        let degrees = egui::lerp(from..=to, step as f32 / STEPS as f32);
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

pub(crate) fn icon_button_inline_ui(ui: &mut egui::Ui, icon: (Icon, Color32), label: &str, tip: &str) -> Response {
    let (id, rect) = ui.allocate_space(Vec2::splat(theme::BAR_HEIGHT));
    icon_button_ui(ui, (rect, id), icon, label, tip)
}
