//! An extension's JSON object, read without trust: what is missing or no number is what the extension takes it to be.

use serde_json::Value;

use super::texture_use::TextureUse;

/// An extension's object, or that there is none. Numbers that are none are not there.
#[derive(Clone, Copy)]
pub struct Extension<'a>(pub Option<&'a Value>);

impl Extension<'_> {
    /// A number, or what the extension takes it to be.
    pub fn number(self, key: &str, default: f32) -> f32 {
        let number = self.0.and_then(|extension| extension.get(key)).and_then(Value::as_f64);
        number.map(|number| number as f32).filter(|number| number.is_finite()).unwrap_or(default)
    }

    /// A row of numbers.
    pub fn numbers<const N: usize>(self, key: &str, default: [f32; N]) -> [f32; N] {
        let list = self.0.and_then(|extension| extension.get(key)).and_then(Value::as_array);
        let Some(list) = list.filter(|list| list.len() >= N) else { return default };
        let mut numbers = default;
        for (number, value) in numbers.iter_mut().zip(list) {
            *number = value.as_f64().map(|value| value as f32).filter(|value| value.is_finite()).unwrap_or(*number);
        }
        numbers
    }

    /// A texture.
    pub fn texture(self, key: &str) -> Option<TextureUse> {
        TextureUse::of_value(self.0?.get(key)?)
    }

    /// A number from 0 to 1.
    pub fn share(self, key: &str, default: f32) -> f32 {
        self.number(key, default).clamp(0.0, 1.0)
    }
}
