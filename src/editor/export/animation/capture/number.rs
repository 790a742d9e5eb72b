//! Numbers and names as text.

use std::fmt;

/// A number with as few digits as read back exactly, which both JSON and tables understand. What is not finite is 0.
pub(super) struct Number<T>(pub T);

impl fmt::Display for Number<f32> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 turns -0 into 0.
        write!(f, "{}", if self.0.is_finite() { self.0 + 0.0 } else { 0.0 })
    }
}

impl fmt::Display for Number<f64> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", if self.0.is_finite() { self.0 + 0.0 } else { 0.0 })
    }
}

/// A text as JSON.
pub(super) fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Texts as a list in JSON.
pub(super) fn json_list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    format!("[{}]", texts.map(json).collect::<Vec<_>>().join(","))
}

/// Numbers with commas between them.
pub(super) fn joined(numbers: impl Iterator<Item = f32>) -> String {
    numbers.map(|number| Number(number).to_string()).collect::<Vec<_>>().join(",")
}
