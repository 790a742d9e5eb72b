//! A list of mends as a file that travels beside a head.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Mend;
use crate::toml_file::{self, TomlError};
use smirk_base::regular_file;

/// A list of mends. In a file it is TOML: `[[mend]]` for each, with `kind`, `shapes`, `mask` and `enabled`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mends {
    #[serde(default, rename = "mend")]
    pub list: Vec<Mend>,
}

const MOST_BYTES: u64 = 4 << 20;

impl Mends {
    pub fn parse(text: &str) -> Result<Self, TomlError> {
        let mends: Self = toml_file::parse(text)?;
        match mends.list.len() {
            count if count > Mend::MOST => {
                Err(TomlError::new(format!("{count} mends; a list has at most {}", Mend::MOST)))
            }
            _ => Ok(mends),
        }
    }

    pub fn read(path: &Path) -> Result<Self, TomlError> {
        toml_file::parse_file(path, regular_file::read(path, MOST_BYTES), Self::parse)
    }

    /// The text of the file.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        for mend in &self.list {
            // By way of text, because a number of 32 bits has more digits as one of 64.
            let json = serde_json::to_string(mend).and_then(|json| serde_json::from_str(&json));
            let Ok(Value::Object(fields)) = json else { unreachable!("a mend is an object of plain values") };
            text += "[[mend]]\n";
            for (name, value) in &fields {
                text += &format!("{name} = {}\n", inline(value));
            }
            text.push('\n');
        }
        text
    }
}

/// A value on one line of TOML.
fn inline(value: &Value) -> String {
    let list = |items: Vec<String>| items.join(", ");
    match value {
        // TOML has no word for what is not there.
        Value::Null => unreachable!("what is not there is not written"),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        // Strings of JSON are those of TOML but for one control character.
        Value::String(_) => value.to_string().replace('\u{7f}', "\\u007f"),
        Value::Array(items) => format!("[{}]", list(items.iter().map(inline).collect())),
        Value::Object(fields) if fields.is_empty() => "{}".into(),
        Value::Object(fields) => {
            format!(
                "{{ {} }}",
                list(fields.iter().map(|(name, value)| format!("{} = {}", key(name), inline(value))).collect())
            )
        }
    }
}

/// A key of TOML, which needs quotes if it has other characters than those of words.
fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if is_bare { name.to_owned() } else { inline(&Value::String(name.to_owned())) }
}
