//! Random changes of JSON, like those of manual edits or of damage.

use serde_json::{Value, json};

use crate::random::Random;

/// Adds the JSON pointers of a value and of all values in it to `found`.
pub fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(list) => (0..list.len()).for_each(|index| places(&list[index], &format!("{at}/{index}"), found)),
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| places(value, &format!("{at}/{name}"), found));
        }
        _ => {}
    }
}

/// A value that is probably not valid in place of `old`.
pub fn strange_value(random: &mut Random, old: &Value) -> Value {
    match random.below(22) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(u32::MAX),
        4 => json!(u64::MAX),
        5 => json!(1_u64 << 31),
        6 => json!(1e308),
        7 => json!(-3.5e38),
        8 => json!(1e-40),
        9 => json!(2.5),
        10 => json!("VEC2"),
        11 => json!("jawOpen"),
        12 => json!(random.between(-1e6, 1e6)),
        13 => json!("\u{0}\u{1b}[31m眼".repeat(40)),
        14 => json!([]),
        15 => json!({}),
        16 => json!([old, old]),
        17 => json!(vec![0; 300]),
        // Small numbers are valid as indices and counts.
        _ => json!(random.below(8)),
    }
}
