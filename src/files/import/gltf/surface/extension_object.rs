//! The values of an extension of glTF.

use serde_json::Value;

/// The object of an extension, or none if the extension is absent.
#[derive(Clone, Copy)]
pub(crate) struct ExtensionObject<'a>(pub Option<&'a Value>);

impl<'a> ExtensionObject<'a> {
    /// The value of a property, of any type.
    pub(crate) fn get(self, key: &str) -> Option<&'a Value> {
        self.0?.get(key)
    }

    /// A finite number, or `default`.
    pub(crate) fn number(self, key: &str, default: f32) -> f32 {
        finite(self.get(key)).unwrap_or(default)
    }

    /// A list of at least `N` numbers, or `default`; single numbers that are not finite have their default.
    pub(crate) fn numbers<const N: usize>(self, key: &str, default: [f32; N]) -> [f32; N] {
        let list = self.get(key).and_then(Value::as_array);
        let Some(list) = list.filter(|list| list.len() >= N) else { return default };
        let mut numbers = default;
        for (number, value) in numbers.iter_mut().zip(list) {
            *number = finite(Some(value)).unwrap_or(*number);
        }
        numbers
    }

    /// A number, clamped to 0..1, or `default`.
    pub(crate) fn fraction(self, key: &str, default: f32) -> f32 {
        self.number(key, default).clamp(0.0, 1.0)
    }
}

fn finite(value: Option<&Value>) -> Option<f32> {
    value.and_then(Value::as_f64).map(|number| number as f32).filter(|number| number.is_finite())
}
