//! The slider of all panels: a bar that fills with its value, with the name on the left and the number on the right.
//!
//! Drag: the value follows the pointer. Shift-drag: the value changes by the dragged distance and can leave the range.
//! Ctrl-drag: the same, ten times finer. Click on the number or Enter: type a value. Double-click: reset. With keyboard
//! focus, the Up and Down keys also change the value; Left and Right step through time, as everywhere. The wheel
//! scrolls what the bar is in, and changes the value under the pointer only while Ctrl is held.

use std::ops::RangeInclusive;

use egui::{
    Align2, EventFilter, Id, Key, Modifiers, PointerButton, Rect, Response, Sense, Stroke, StrokeKind, pos2, vec2,
};

use crate::theme;
use smirk_face::motion::Layer;

use super::assistive::AssistiveSlider;
use super::focus::has_keys;
use super::number_field::{no_number, parse_number};
use super::text;
use super::text_entry::{EntryOutcome, EntryStyle, TextEntry};

/// What sets the value of a bar, and whether the user may edit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarState {
    Manual,
    /// A layer below the slider. The value that the user sets overrides it.
    Driven(Layer),
    /// A layer that the slider cannot override. The bar is read-only.
    Locked(Layer),
    Muted,
}

#[derive(Clone, Debug)]
pub(crate) struct Bar<'a> {
    pub label: &'a str,
    /// The name that is drawn, shortened in its middle if there is no room.
    pub name: &'a str,
    /// The width that is left free before the name, for a mark.
    pub indent: f32,
    pub value: f32,
    pub range: RangeInclusive<f32>,
    pub open_ended: bool,
    pub decimals: usize,
    pub unit: &'a str,
    pub state: BarState,
    /// Whether the bar represents several values that differ.
    pub mixed: bool,
    /// Whether the bar is drawn weakly while it shows zero, so that those which are not at zero stand out among
    /// hundreds.
    pub quiet_at_zero: bool,
}

#[derive(Debug)]
pub(crate) struct BarOutput {
    pub response: Response,
    pub value: Option<f32>,
    pub reset: bool,
    pub drag_started: bool,
    pub edit_refused: bool,
    /// Whether a tooltip may be shown. It may not after a drag, until the pointer has left the bar: the user looks at
    /// the face then, which the tooltip would cover.
    pub allows_tooltip: bool,
}

const STEP: f32 = 0.01;
const WHEEL_STEP: f32 = 0.02;
const NUMBER_WIDTH: f32 = 46.0;

impl<'a> Bar<'a> {
    /// An editable bar from 0 to 1 with two digits, for a row that has the value.
    pub(crate) fn named(label: &'a str) -> Self {
        Self::new(label, 0.0)
    }

    /// An editable bar from 0 to 1 with two digits.
    pub(crate) fn new(label: &'a str, value: f32) -> Self {
        Self {
            label,
            name: label,
            indent: 0.0,
            value,
            range: 0.0..=1.0,
            open_ended: false,
            decimals: 2,
            unit: "",
            state: BarState::Manual,
            mixed: false,
            quiet_at_zero: false,
        }
    }

    fn span(&self) -> f32 {
        self.range.end() - self.range.start()
    }

    fn allowed(&self, value: f32) -> f32 {
        // Ten times beyond, a face is a heap of triangles.
        let beyond = if self.open_ended { 10.0 * self.span() } else { 0.0 };
        value.clamp(self.range.start() - beyond, self.range.end() + beyond)
    }

    fn number(&self, value: f32) -> String {
        let text = format!("{value:.*}{}", self.decimals, self.unit);
        if self.shows_zero(value) { text.trim_start_matches('-').to_owned() } else { text }
    }

    /// Whether a value is so small that its number is zero.
    fn shows_zero(&self, value: f32) -> bool {
        !format!("{value:.*}", self.decimals).contains(|digit: char| digit.is_ascii_digit() && digit != '0')
    }

    pub(crate) fn show_ui(mut self, ui: &mut egui::Ui, rect: Rect, id: Id) -> BarOutput {
        let response = ui.interact(rect, id, Sense::click_and_drag());
        let has_keys = has_keys(&response);
        let number_width = NUMBER_WIDTH.min(rect.width() * 0.5);
        let number_rect = Rect::from_min_max(pos2(rect.right() - number_width, rect.top()), rect.max);
        let allows_tooltip = !self.was_dragged(ui, &response);
        let mut output =
            BarOutput { response, value: None, reset: false, drag_started: false, edit_refused: false, allows_tooltip };
        let is_read_only = matches!(self.state, BarState::Muted | BarState::Locked(_));

        if is_read_only {
            output.edit_refused = output.response.dragged() || output.response.double_clicked();
            if output.response.clicked() {
                output.response.request_focus();
            }
        } else {
            self.drag(ui, rect, &mut output);
            if let Some(value) = self.assistive(true).requested(&output.response) {
                output.value = Some(value as f32);
                mark_nudge(ui);
            }
            if has_keys {
                self.keys(ui, &mut output);
            }
            if output.response.hovered() {
                let notches: f32 = ui.input(|input| input.events.iter().map(notches).sum());
                self.nudge(ui, notches * WHEEL_STEP, &mut output);
            }
            let pressed_enter = has_keys && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            let on_number = output.response.interact_pointer_pos().is_some_and(|point| number_rect.contains(point));
            let typed = if has_keys { take_number(ui) } else { String::new() };
            let shown = self.number(self.value);
            if output.response.double_clicked() && !on_number {
                output.reset = true;
            } else if !typed.is_empty() {
                open_entry(ui, id, TextEntry::typed(typed, shown.trim_end_matches(self.unit)));
            } else if pressed_enter || (output.response.clicked() && on_number) {
                open_entry(ui, id, TextEntry::new(shown.trim_end_matches(self.unit)));
            } else if output.response.clicked() {
                output.response.request_focus();
            }
            if let Some(value) = output.value {
                let value = self.allowed(value);
                output.value = (value != self.value).then_some(value);
                self.value = value;
            }
        }

        self.assistive(!is_read_only).describe(&output.response);
        if let Some(source) = self.source() {
            ui.ctx().accesskit_node_builder(id, |node| node.set_description(source));
        }
        if ui.is_rect_visible(rect) {
            self.paint(ui, rect, &output.response);
        }
        match entry_ui(ui, id, number_rect, self.label) {
            NumberEntry::Silent => {}
            NumberEntry::Typed(typed) => output.value = Some(self.allowed(typed)),
            NumberEntry::Refused(reason) => {
                output.allows_tooltip = false;
                output.response.show_tooltip_text(reason);
            }
        }
        if output.value.is_some() || output.reset {
            output.response.mark_changed();
            // A linked bar that this edit also changes may have been painted already.
            ui.request_repaint();
        }
        output
    }

    fn assistive(&self, is_enabled: bool) -> AssistiveSlider<'a> {
        let (value, range) = (f64::from(self.value), f64::from(*self.range.start())..=f64::from(*self.range.end()));
        AssistiveSlider { label: self.label, value, range, step: f64::from(STEP * self.span()), is_enabled }
    }

    fn source(&self) -> Option<String> {
        match self.state {
            BarState::Manual => None,
            BarState::Driven(Layer::Rest) | BarState::Locked(Layer::Rest) => None,
            BarState::Driven(layer) => Some(format!("Driven by {}", layer.label())),
            BarState::Locked(layer) => Some(format!("Driven by {}, read-only", layer.label())),
            BarState::Muted => Some("Muted".into()),
        }
    }

    /// Whether the bar was dragged since the pointer came over it.
    fn was_dragged(&self, ui: &egui::Ui, response: &Response) -> bool {
        let id = response.id.with("was dragged");
        if response.dragged() {
            ui.data_mut(|data| data.insert_temp(id, true));
        } else if !response.contains_pointer() {
            ui.data_mut(|data| data.remove::<bool>(id));
        }
        ui.data(|data| data.get_temp(id)).unwrap_or(false)
    }

    fn drag(&self, ui: &egui::Ui, rect: Rect, output: &mut BarOutput) {
        let response = &output.response;
        let relative_id = response.id.with("relative");
        if response.drag_started_by(PointerButton::Primary) {
            output.drag_started = true;
            response.request_focus();
            ui.data_mut(|data| data.remove::<bool>(relative_id));
        }
        if !response.dragged_by(PointerButton::Primary) {
            return;
        }
        let modifiers = ui.input(|input| input.modifiers);
        // A drag that has become relative stays relative: releasing Shift before the mouse button must not make the
        // value jump to the pointer.
        let has_relative_modifier = modifiers.shift || modifiers.command;
        let relative = ui.data_mut(|data| {
            let relative = data.get_temp_mut_or(relative_id, has_relative_modifier);
            *relative |= has_relative_modifier;
            *relative
        });
        if relative {
            let speed = if modifiers.command { 0.1 } else { 1.0 };
            let distance = response.drag_delta().x;
            if distance != 0.0 {
                output.value = Some(self.value + distance / rect.width() * self.span() * speed);
            }
        } else if let Some(point) = response.interact_pointer_pos() {
            let fraction = ((point.x - rect.left()) / rect.width()).clamp(0.0, 1.0);
            output.value = Some(self.range.start() + fraction * self.span());
        }
    }

    fn keys(&self, ui: &egui::Ui, output: &mut BarOutput) {
        let id = output.response.id;
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        ui.data_mut(|data| data.insert_temp(number_id(), id));
        let (steps, reset) = ui.input_mut(|input| {
            let mut steps = 0.0;
            for (key, sign) in [(Key::ArrowDown, -1.0), (Key::ArrowUp, 1.0)] {
                steps += sign * 10.0 * input.count_and_consume_key(Modifiers::SHIFT, key) as f32;
                steps += sign * input.count_and_consume_key(Modifiers::NONE, key) as f32;
            }
            let reset = [Key::Home, Key::Delete, Key::Backspace]
                .into_iter()
                .filter(|&key| input.consume_key(Modifiers::NONE, key))
                .count();
            (steps, reset > 0)
        });
        self.nudge(ui, steps * STEP, output);
        output.reset |= reset;
    }

    fn nudge(&self, ui: &egui::Ui, part: f32, output: &mut BarOutput) {
        if part != 0.0 {
            output.value = Some(self.value + part * self.span());
            mark_nudge(ui);
        }
    }

    fn paint(&self, ui: &egui::Ui, rect: Rect, response: &Response) {
        let painter = ui.painter_at(rect.expand(1.0));
        let hovered = response.hovered() || response.dragged();
        // Only the fill has the hue of what drives the bar, so that bars at zero have none and moved ones stand out.
        let tint = match self.state {
            BarState::Manual | BarState::Muted => theme::layer_tint(Layer::Manual),
            BarState::Driven(layer) | BarState::Locked(layer) => theme::layer_tint(layer),
        };
        let (well, fill, text) = match (self.state, hovered) {
            (BarState::Muted, _) => (theme::BACKDROP, theme::ICON_FAINT, theme::TEXT_WEAK),
            (BarState::Manual | BarState::Driven(_), true) => (theme::WELL_HOVERED, tint.fill_hovered, theme::TEXT),
            (BarState::Manual | BarState::Driven(_), false) => (theme::WELL, tint.fill, theme::TEXT),
            (BarState::Locked(_), _) => (theme::BACKDROP, tint.fill, theme::TEXT),
        };
        let is_zero = self.shows_zero(self.value) && !self.mixed;
        let is_quiet = is_zero && self.quiet_at_zero && !hovered && self.state != BarState::Muted;
        let (well, edge, text) = if is_quiet {
            (theme::WELL_QUIET, theme::WELL_EDGE_QUIET, theme::TEXT_WEAK)
        } else {
            (well, theme::WELL_EDGE, text)
        };
        painter.rect(rect, theme::ROUNDING, well, Stroke::new(1.0, edge), StrokeKind::Inside);
        if !is_zero || self.value == 0.0 {
            self.paint_fill(&painter, rect, fill, tint.bright);
        }

        let number = if self.mixed { format!("~{}", self.number(self.value)) } else { self.number(self.value) };
        // Zeros are drawn in a weaker colour, so that the few sliders that are not at zero are easy to find among
        // hundreds.
        let number_color = if is_zero { theme::TEXT_WEAK } else { text };
        let number = painter.layout_no_wrap(number, theme::number_font(), number_color);
        let number_left = rect.right() - theme::GAP + 2.0 - number.size().x;
        let font = if rect.height() < theme::BAR_HEIGHT { theme::small_font() } else { theme::body_font() };
        let name_left = rect.left() + theme::GAP - 1.0 + self.indent;
        let name = text::elide_middle(&painter, self.name, &font, number_left - theme::GAP_SMALL - name_left);
        let name = painter.layout_no_wrap(name, font, text);
        let middle = rect.center().y;
        painter.galley(pos2(name_left, middle - name.size().y / 2.0), name, text);
        if !is_entry_open(ui, response.id) {
            painter.galley(pos2(number_left, middle - number.size().y / 2.0), number, number_color);
        }
    }

    /// Fills the bar from zero to the value. A value outside of the range widens the scale, and the part beyond the
    /// range is marked.
    fn paint_fill(&self, painter: &egui::Painter, rect: Rect, fill: egui::Color32, bright: egui::Color32) {
        let (start, end) = (*self.range.start(), *self.range.end());
        let low = if self.value < start { self.value.min(-end) } else { start };
        let high = end.max(self.value);
        let [zero, value, start_x, end_x] = [0.0_f32.clamp(low, high), self.value, start, end]
            .map(|value| egui::remap_clamp(value, low..=high, rect.left()..=rect.right()));
        // Clipping the whole rounded bar keeps the fill's outer corners round and its inner edge straight.
        let filled = rect.with_min_x(zero.min(value)).with_max_x(zero.max(value));
        painter.with_clip_rect(filled.intersect(painter.clip_rect())).rect_filled(rect, theme::ROUNDING, fill);
        if self.value > end || self.value < start {
            let edge = if self.value > end { end_x } else { start_x };
            let cap = rect.with_min_x(edge.min(value)).with_max_x(edge.max(value)).with_min_y(rect.bottom() - 3.0);
            painter.with_clip_rect(cap.intersect(painter.clip_rect())).rect_filled(rect, theme::ROUNDING, bright);
            let tick = if self.value > end { end_x } else { zero };
            painter.vline(tick, rect.shrink2(vec2(0.0, 3.0)).y_range(), Stroke::new(1.0, bright));
        } else if start < 0.0 {
            painter.vline(zero, rect.shrink2(vec2(0.0, 5.0)).y_range(), Stroke::new(1.0, theme::ICON_WEAK));
        }
    }
}

/// By how many notches the wheel was turned with Ctrl.
fn notches(event: &egui::Event) -> f32 {
    const POINTS_PER_NOTCH: f32 = 50.0;
    match event {
        egui::Event::MouseWheel { modifiers, .. } if !modifiers.command => 0.0,
        egui::Event::MouseWheel { unit: egui::MouseWheelUnit::Point, delta, .. } => delta.y / POINTS_PER_NOTCH,
        egui::Event::MouseWheel { delta, .. } => delta.y,
        _ => 0.0,
    }
}

/// Records that arrow keys or the wheel have changed a value. They often come in quick series, each of which is one
/// undo step.
pub(crate) fn mark_nudge(ui: &egui::Ui) {
    let now = ui.input(|input| input.time);
    ui.data_mut(|data| data.insert_temp(nudge_id(), now));
}

/// When arrow keys or the wheel last changed a value, unless [`forget_nudge`] was called since then.
pub(crate) fn last_nudge_secs(ctx: &egui::Context) -> Option<f64> {
    ctx.data(|data| data.get_temp(nudge_id()))
}

/// Forgets when arrow keys or the wheel last changed a value.
pub(crate) fn forget_nudge(ctx: &egui::Context) {
    ctx.data_mut(|data| data.remove::<f64>(nudge_id()));
}

fn nudge_id() -> Id {
    Id::unique("last nudge")
}

/// Opens the text field over the number of the bar `id`, in which the user types a value.
fn open_entry(ui: &egui::Ui, id: Id, entry: TextEntry) {
    ui.data_mut(|data| data.insert_temp(id, entry));
}

/// Whether the widget that has the keyboard focus is a bar, on which numbers are typed.
pub(crate) fn takes_numbers(ctx: &egui::Context) -> bool {
    let bar = ctx.data(|data| data.get_temp::<Id>(number_id()));
    bar.is_some() && ctx.memory(|memory| memory.focused()) == bar
}

fn number_id() -> Id {
    Id::unique("bar with the focus")
}

/// Takes what was typed of a number in this frame: digits, a sign and a decimal point.
fn take_number(ui: &egui::Ui) -> String {
    ui.input_mut(|input| {
        let mut typed = String::new();
        input.events.retain(|event| match event {
            egui::Event::Text(text) if text.chars().all(|char| matches!(char, '0'..='9' | '-' | '.' | ',')) => {
                typed.push_str(text);
                false
            }
            egui::Event::Key { key, modifiers, pressed: true, .. } => {
                let is_number =
                    (Key::Num0..=Key::Num9).contains(key) || [Key::Minus, Key::Period, Key::Comma].contains(key);
                !(modifiers.is_none() && is_number)
            }
            _ => true,
        });
        typed
    })
}

fn is_entry_open(ui: &egui::Ui, id: Id) -> bool {
    ui.data(|data| data.get_temp::<TextEntry>(id).is_some())
}

/// The field over the number of a bar.
enum NumberEntry {
    /// It is not open, or is and waits.
    Silent,
    Typed(f32),
    /// It stays open with a text that is no number, for this reason.
    Refused(String),
}

/// Shows the field if it is open.
fn entry_ui(ui: &mut egui::Ui, id: Id, rect: Rect, label: &str) -> NumberEntry {
    let Some(mut entry) = ui.data(|data| data.get_temp::<TextEntry>(id)) else { return NumberEntry::Silent };
    let (name, field) = (format!("Value of {label}"), id.with("field"));
    let style = EntryStyle { name: &name, font: theme::number_font(), align: Align2::RIGHT_CENTER, is_number: true };
    let outcome = entry.field_ui(ui, field, rect, style);
    let (is_enter, is_escape) = ui.input(|input| (input.key_pressed(Key::Enter), input.key_pressed(Key::Escape)));
    let typed = match &outcome {
        EntryOutcome::Open | EntryOutcome::Kept => None,
        EntryOutcome::Accepted(text) => Some(parse(text)),
    };
    if typed == Some(None) {
        entry.refuse();
        if is_enter {
            ui.memory_mut(|memory| memory.request_focus(field));
        }
    }
    if typed == Some(None) || matches!(outcome, EntryOutcome::Open) {
        let keep = format!("Esc keeps {}", entry.old_text());
        let reason = entry.refused().map(|refused| no_number(refused, &keep));
        ui.data_mut(|data| data.insert_temp(id, entry));
        return reason.map_or(NumberEntry::Silent, NumberEntry::Refused);
    }
    ui.data_mut(|data| data.remove::<TextEntry>(id));
    if is_escape || is_enter {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    typed.flatten().map_or(NumberEntry::Silent, NumberEntry::Typed)
}

/// A finite number with a decimal point or comma, or a percentage.
fn parse(text: &str) -> Option<f32> {
    let (digits, scale) = text.trim().strip_suffix('%').map_or((text, 1.0), |percent| (percent, 0.01));
    parse_number(digits).map(|number| (number * scale) as f32).filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn points_commas_and_percentages_are_numbers() {
        assert_eq!(parse(" 1.5 "), Some(1.5));
        assert_eq!(parse("-0,25"), Some(-0.25));
        assert_eq!(parse("50 %"), Some(0.5));
        for text in ["", "abc", "inf", "NaN", "1e99"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
