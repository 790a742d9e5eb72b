//! The tool's slider: a bar that is its own track, with the name inside on the left and the number on the right.
//!
//! Drag: the value follows the pointer. Shift-drag: moves by the way dragged, past both ends. Ctrl-drag: the same, ten times
//! finer. Click the number or press Enter: type any value. Double click: back to rest. With focus: arrow keys, wheel.

use std::ops::RangeInclusive;

use egui::{
    EventFilter, Id, Key, Modifiers, PointerButton, Rect, Response, Sense, Stroke, StrokeKind, WidgetInfo, pos2, vec2,
};

use crate::ui::{text, theme};

use super::bar_entry;

/// Who the bar shows in charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The hand.
    Free,
    /// A pose; the hand can take it from there.
    Posed,
    /// Something that moves by itself: the bar refuses the hand.
    Driven,
    /// Nobody: the value is kept at rest. The bar refuses the hand.
    Silent,
}

impl Hold {
    /// Whether the bar refuses the hand.
    pub fn refuses(self) -> bool {
        matches!(self, Self::Driven | Self::Silent)
    }
}

/// What a bar shows and allows.
#[derive(Clone, Debug)]
pub struct Bar<'a> {
    /// What screen readers and tests call it.
    pub label: &'a str,
    /// Painted; cut in the middle when there is no room.
    pub name: &'a str,
    /// Shown, and edited.
    pub value: f32,
    /// What the bar spans from end to end.
    pub range: RangeInclusive<f32>,
    /// Whether values outside of the range are allowed at all.
    pub open_ended: bool,
    /// Digits after the point.
    pub decimals: usize,
    /// After the number.
    pub unit: &'a str,
    /// Who is in charge.
    pub hold: Hold,
    /// The value stands for several that differ.
    pub mixed: bool,
    /// Room kept free on the left for a mark.
    pub indent: f32,
}

/// What the hand did to a bar.
#[derive(Debug)]
pub struct BarOutput {
    /// The bar itself.
    pub response: Response,
    /// The value asked for.
    pub value: Option<f32>,
    /// Back to rest.
    pub reset: bool,
    /// Someone pulled at a driven bar.
    pub refused: bool,
    /// Changed by keys or wheel: more of the same may follow at once.
    pub nudged: bool,
}

const STEP: f32 = 0.01;
const WHEEL_STEP: f32 = 0.02;
const NUMBER_WIDTH: f32 = 46.0;

impl<'a> Bar<'a> {
    /// A free bar from 0 to 1 with two digits.
    pub fn new(label: &'a str, value: f32) -> Self {
        Self {
            label,
            name: label,
            value,
            range: 0.0..=1.0,
            open_ended: false,
            decimals: 2,
            unit: "",
            hold: Hold::Free,
            mixed: false,
            indent: 0.0,
        }
    }

    fn span(&self) -> f32 {
        self.range.end() - self.range.start()
    }

    fn allowed(&self, value: f32) -> f32 {
        if self.open_ended { value } else { value.clamp(*self.range.start(), *self.range.end()) }
    }

    fn number(&self, value: f32) -> String {
        let text = format!("{value:.*}{}", self.decimals, self.unit);
        let is_zero = !text.contains(|digit: char| digit.is_ascii_digit() && digit != '0');
        if is_zero { text.trim_start_matches('-').to_owned() } else { text }
    }

    /// Lays the bar out at `rect`.
    pub fn show_ui(mut self, ui: &mut egui::Ui, rect: Rect, id: Id) -> BarOutput {
        let had_focus = ui.memory(|memory| memory.has_focus(id));
        let response = ui.interact(rect, id, Sense::click_and_drag());
        let number_rect = Rect::from_min_max(pos2(rect.right() - NUMBER_WIDTH, rect.top()), rect.max);
        let mut output = BarOutput { response, value: None, reset: false, refused: false, nudged: false };

        if self.hold.refuses() {
            output.refused = output.response.dragged() || output.response.double_clicked();
            if output.response.clicked() {
                output.response.request_focus();
            }
        } else {
            self.drag(ui, rect, &mut output);
            if had_focus {
                self.keys_and_wheel(ui, &mut output);
            }
            let pressed_enter = had_focus && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            let on_number = output.response.interact_pointer_pos().is_some_and(|point| number_rect.contains(point));
            if output.response.double_clicked() && !on_number {
                output.reset = true;
            } else if pressed_enter || (output.response.clicked() && on_number) {
                bar_entry::begin(ui, id, self.number(self.value).trim_end_matches(self.unit));
            } else if output.response.clicked() {
                output.response.request_focus();
            }
            if let Some(value) = output.value {
                let value = self.allowed(value);
                output.value = (value != self.value).then_some(value);
                self.value = value;
            }
        }

        let (enabled, shown) = (!self.hold.refuses(), f64::from(self.value));
        output.response.widget_info(|| WidgetInfo::slider(enabled, shown, self.label));
        if ui.is_rect_visible(rect) {
            self.paint(ui, rect, &output.response);
        }
        if let Some(typed) = bar_entry::field_ui(ui, id, number_rect, self.label) {
            output.value = Some(self.allowed(typed));
        }
        if output.value.is_some() || output.reset {
            output.response.mark_changed();
            // A linked bar may have been painted already.
            ui.request_repaint();
        }
        output
    }

    fn drag(&self, ui: &egui::Ui, rect: Rect, output: &mut BarOutput) {
        let response = &output.response;
        let relative_id = response.id.with("relative");
        if response.drag_started_by(PointerButton::Primary) {
            response.request_focus();
            ui.data_mut(|data| data.remove::<bool>(relative_id));
        }
        if !response.dragged_by(PointerButton::Primary) {
            return;
        }
        let modifiers = ui.input(|input| input.modifiers);
        // Once relative, a drag stays so: letting go of Shift first must not make the value jump to the pointer.
        let asked = modifiers.shift || modifiers.command;
        let relative = ui.data_mut(|data| {
            let relative = data.get_temp_mut_or(relative_id, asked);
            *relative |= asked;
            *relative
        });
        if relative {
            let gear = if modifiers.command { 0.1 } else { 1.0 };
            let way = response.drag_delta().x;
            if way != 0.0 {
                output.value = Some(self.value + way / rect.width() * self.span() * gear);
            }
        } else if let Some(point) = response.interact_pointer_pos() {
            let fraction = ((point.x - rect.left()) / rect.width()).clamp(0.0, 1.0);
            output.value = Some(self.range.start() + fraction * self.span());
        }
    }

    fn keys_and_wheel(&self, ui: &egui::Ui, output: &mut BarOutput) {
        let id = output.response.id;
        let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        let hovered = output.response.hovered();
        let (steps, notches, reset) = ui.input_mut(|input| {
            let mut steps = 0.0;
            for (key, sign) in [(Key::ArrowLeft, -1.0), (Key::ArrowRight, 1.0)] {
                steps += sign * 10.0 * input.count_and_consume_key(Modifiers::SHIFT, key) as f32;
                steps += sign * input.count_and_consume_key(Modifiers::NONE, key) as f32;
            }
            let notches: f32 = if hovered { input.events.iter().map(notches).sum() } else { 0.0 };
            if hovered {
                input.smooth_scroll_delta = egui::Vec2::ZERO;
            }
            let reset = [Key::Home, Key::Delete, Key::Backspace]
                .into_iter()
                .filter(|&key| input.consume_key(Modifiers::NONE, key))
                .count();
            (steps, notches, reset > 0)
        });
        let change = (steps * STEP + notches * WHEEL_STEP) * self.span();
        if change != 0.0 {
            output.value = Some(self.value + change);
            output.nudged = true;
        }
        output.reset |= reset;
    }

    fn paint(&self, ui: &egui::Ui, rect: Rect, response: &Response) {
        let painter = ui.painter_at(rect.expand(1.0));
        let hovered = response.hovered() || response.dragged();
        let driven = self.hold == Hold::Driven;
        let (well, fill, text) = match (self.hold, hovered) {
            (Hold::Driven, _) => (theme::DRIVEN_WELL, theme::DRIVEN, theme::DRIVEN_TEXT),
            (Hold::Silent, _) => (theme::BACKDROP, theme::MARK_FAINT, theme::TEXT_WEAK),
            (Hold::Posed, true) => (theme::WELL_HOVERED, theme::POSED_HOVERED, theme::TEXT),
            (Hold::Posed, false) => (theme::WELL, theme::POSED, theme::TEXT),
            (Hold::Free, true) => (theme::WELL_HOVERED, theme::ACCENT_HOVERED, theme::TEXT),
            (Hold::Free, false) => (theme::WELL, theme::ACCENT, theme::TEXT),
        };
        painter.rect_filled(rect, theme::ROUNDING, well);
        self.paint_fill(&painter, rect, fill, if driven { theme::DRIVEN_BRIGHT } else { theme::ACCENT_BRIGHT });

        let number = if self.mixed { format!("~{}", self.number(self.value)) } else { self.number(self.value) };
        // Among hundreds of sliders, the few that are not at zero are the ones to see.
        let number_color = if self.value == 0.0 && !self.mixed && !driven { theme::TEXT_WEAK } else { text };
        let number = painter.layout_no_wrap(number, theme::number_font(), number_color);
        let number_left = rect.right() - theme::GAP + 2.0 - number.size().x;
        let font = if rect.height() < theme::BAR_HEIGHT { theme::small_font() } else { theme::body_font() };
        let name_left = rect.left() + (theme::GAP - 1.0).max(self.indent);
        let name = text::elide_middle(&painter, self.name, &font, number_left - theme::GAP_SMALL - name_left);
        let name = painter.layout_no_wrap(name, font, text);
        let middle = rect.center().y;
        painter.galley(pos2(name_left, middle - name.size().y / 2.0), name, text);
        if !bar_entry::is_open(ui, response.id) {
            painter.galley(pos2(number_left, middle - number.size().y / 2.0), number, number_color);
        }
        if response.has_focus() {
            let stroke = Stroke::new(1.5, theme::ACCENT_BRIGHT);
            painter.rect_stroke(rect, theme::ROUNDING, stroke, StrokeKind::Inside);
        }
    }

    /// Fills from zero. A value outside of the range widens the scale, so that the part beyond can be seen and is marked.
    fn paint_fill(&self, painter: &egui::Painter, rect: Rect, fill: egui::Color32, bright: egui::Color32) {
        let (start, end) = (*self.range.start(), *self.range.end());
        let low = if self.value < start { self.value.min(-end) } else { start };
        let high = end.max(self.value);
        let x = |value: f32| egui::remap_clamp(value, low..=high, rect.left()..=rect.right());
        let zero = x(0.0_f32.clamp(low, high));
        let between = |a: f32, b: f32| Rect::from_x_y_ranges(a.min(b)..=a.max(b), rect.y_range());
        let filled = between(zero, x(self.value));
        // Clipping a rounded bar keeps its outer corners round and its inner edge straight.
        painter.with_clip_rect(filled.intersect(painter.clip_rect())).rect_filled(rect, theme::ROUNDING, fill);
        if self.value > end || self.value < start {
            let beyond = between(x(if self.value > end { end } else { start }), x(self.value));
            let cap = beyond.with_min_y(rect.bottom() - 3.0);
            painter.with_clip_rect(cap.intersect(painter.clip_rect())).rect_filled(rect, theme::ROUNDING, bright);
            let tick = if self.value > end { x(end) } else { zero };
            painter.vline(tick, rect.shrink2(vec2(0.0, 3.0)).y_range(), Stroke::new(1.0, bright));
        } else if start < 0.0 {
            painter.vline(zero, rect.shrink2(vec2(0.0, 5.0)).y_range(), Stroke::new(1.0, theme::MARK));
        }
    }
}

fn notches(event: &egui::Event) -> f32 {
    const POINTS_PER_NOTCH: f32 = 50.0;
    match event {
        egui::Event::MouseWheel { unit: egui::MouseWheelUnit::Point, delta, .. } => delta.y / POINTS_PER_NOTCH,
        egui::Event::MouseWheel { delta, .. } => delta.y,
        _ => 0.0,
    }
}
