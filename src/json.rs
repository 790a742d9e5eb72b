//! JSON with numbers that are numbers.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads what [`to_text`] wrote, or a hand. The error says the line and column, or the field.
pub fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if let Some(place) = beyond_f32(&value) {
        return Err(format!("the number at {place} is larger than any Smirk reckons with"));
    }
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// JSON for people to read. What is not a number (JSON has no word for it) is left out, like what is not there: reading gives
/// both what they are without a file.
pub fn to_text(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut value = serde_json::to_value(value)?;
    tidy(&mut value);
    serde_json::to_string_pretty(&value)
}

/// The place, as `.poses[3].weights.jawOpen`, of a number that would become infinite.
fn beyond_f32(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => {
            number.as_f64().is_some_and(|number| number.abs() > f64::from(f32::MAX)).then(String::new)
        }
        Value::Array(list) => list
            .iter()
            .enumerate()
            .find_map(|(index, value)| beyond_f32(value).map(|place| format!("[{index}]{place}"))),
        Value::Object(fields) => {
            fields.iter().find_map(|(name, value)| beyond_f32(value).map(|place| format!(".{name}{place}")))
        }
        _ => None,
    }
}

/// Without nulls, and with numbers as short as they can be: 0.8, not the 0.800000011920929 that an `f32` of it is.
fn tidy(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(tidy),
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(tidy);
        }
        Value::Number(number) if number.is_f64() => {
            let exact = number.as_f64().filter(|&wide| f64::from(wide as f32) == wide);
            let short = exact.and_then(|wide| (wide as f32).to_string().parse().ok());
            if let Some(short) = short.and_then(serde_json::Number::from_f64) {
                *number = short;
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Blink;

    #[test]
    fn what_is_no_number_does_not_make_a_file_unreadable() {
        let blink = Blink { wait_secs: f32::NAN, hold_secs: f32::INFINITY, seed: 7, ..Blink::default() };
        let text = to_text(&blink).unwrap();
        assert_eq!(from_text::<Blink>(&text).unwrap(), Blink { seed: 7, ..Blink::default() });
        assert!(text.contains(r#""close_secs": 0.08,"#), "{text}");
    }

    #[test]
    fn a_number_beyond_all_weights_is_named() {
        let error = from_text::<Value>(r#"{"poses":[{},{"weights":{"jawOpen":1e200}}]}"#).unwrap_err();
        assert!(error.contains(".poses[1].weights.jawOpen"), "{error}");
    }
}
