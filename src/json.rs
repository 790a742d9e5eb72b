//! Reading JSON whose numbers must be finite.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads JSON into a type. A `null` in a field is treated as a missing field, because JSON writers put `null` for NaN and
/// infinity. The error names the line and column, or the field.
pub(crate) fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let mut value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if let Some(place) = beyond_f32(&value) {
        return Err(format!("the number at {place} is larger than {:.1e}, the largest that Smirk can use", f32::MAX));
    }
    serde_json::from_str(text).or_else(|error| {
        drop_nulls(&mut value);
        serde_json::from_value(value).map_err(|_| error.to_string())
    })
}

/// The path, as `.poses[3].weights.jawOpen`, of a number that would become infinite as f32.
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

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(drop_nulls),
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(drop_nulls);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Blink;

    #[test]
    fn numbers_that_are_not_finite_read_as_missing_fields() {
        let blink = Blink { wait_secs: f32::NAN, hold_secs: f32::INFINITY, seed: 7, ..Blink::default() };
        let text = serde_json::to_string(&blink).unwrap();
        assert_eq!(from_text::<Blink>(&text).unwrap(), Blink { seed: 7, ..Blink::default() });
    }

    #[test]
    fn a_number_beyond_f32_is_named_by_its_path() {
        let error = from_text::<Value>(r#"{"poses":[{},{"weights":{"jawOpen":1e200}}]}"#).unwrap_err();
        assert!(error.contains(".poses[1].weights.jawOpen"), "{error}");
    }
}
