//! Typing a bar's value: a field over its number, open from a click or Enter until Enter, Esc or a click elsewhere.

use egui::text::{CCursor, CCursorRange};
use egui::{Id, Key, Margin, Rect, TextEdit, UiBuilder};

use super::theme;

#[derive(Clone)]
struct Typing {
    text: String,
    is_new: bool,
}

/// Opens the field over the bar `id`, with all of `text` selected.
pub fn begin(ui: &egui::Ui, id: Id, text: &str) {
    ui.data_mut(|data| data.insert_temp(id, Typing { text: text.to_owned(), is_new: true }));
}

/// Whether the field is open.
pub fn is_open(ui: &egui::Ui, id: Id) -> bool {
    ui.data(|data| data.get_temp::<Typing>(id).is_some())
}

/// Shows the field if it is open; the number, once, when it was closed with one in it.
pub fn field_ui(ui: &mut egui::Ui, id: Id, rect: Rect, label: &str) -> Option<f32> {
    let mut typing = ui.data(|data| data.get_temp::<Typing>(id))?;
    let field_id = id.with("field");
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(field_id));
    let field = TextEdit::singleline(&mut typing.text)
        .id(field_id)
        .font(theme::number_font())
        .background_color(theme::BACKDROP)
        .margin(Margin::symmetric(4, 2))
        .desired_width(f32::INFINITY)
        .align(egui::Align2::RIGHT_CENTER)
        .min_size(rect.size());
    let mut output = field.show(&mut child);
    let response = output.response.response.clone().accessible_name(format!("Value of {label}"));
    if typing.is_new {
        typing.is_new = false;
        response.request_focus();
        let all = CCursorRange::two(CCursor::default(), CCursor::default() + typing.text.chars().count());
        output.state.cursor.set_char_range(Some(all));
        output.state.store(ui.ctx(), field_id);
    } else if response.lost_focus() {
        ui.data_mut(|data| data.remove::<Typing>(id));
        let (escaped, entered) = ui.input(|input| (input.key_pressed(Key::Escape), input.key_pressed(Key::Enter)));
        if entered || escaped {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        return if escaped { None } else { parse(&typing.text) };
    }
    ui.data_mut(|data| data.insert_temp(id, typing));
    None
}

/// A finite number, with a point or a comma, or a percentage.
fn parse(text: &str) -> Option<f32> {
    let text = text.trim().replace(',', ".");
    let (digits, scale) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim(), 0.01),
        None => (text.as_str(), 1.0),
    };
    digits.parse::<f32>().ok().map(|number| number * scale).filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn numbers_people_type() {
        assert_eq!(parse(" 1.5 "), Some(1.5));
        assert_eq!(parse("-0,25"), Some(-0.25));
        assert_eq!(parse("50 %"), Some(0.5));
        for text in ["", "abc", "inf", "NaN", "1e99"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
