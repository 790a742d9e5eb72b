//! What the artist said once about names no rule can match.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::head::canonical_name;

/// Canonical column names to the names of the channels chosen for them; none of them: leave the column alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Aliases(BTreeMap<String, Vec<String>>);

impl Aliases {
    /// Remembers that a column, in any dialect, drives these channels, or none.
    pub fn learn(&mut self, column: &str, channels: Vec<String>) {
        self.0.insert(key(column), channels);
    }

    /// What was learned about a column.
    pub fn find(&self, column: &str) -> Option<&[String]> {
        self.0.get(&key(column)).map(Vec::as_slice)
    }
}

/// The canonical name, or the name itself if it is nothing but signs.
fn key(column: &str) -> String {
    Some(canonical_name(column)).filter(|name| !name.is_empty()).unwrap_or_else(|| column.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_in_one_dialect_is_known_in_all() {
        let mut aliases = Aliases::default();
        aliases.learn("EyeBlinkLeft", vec!["Fcl_EYE_Close_L".into()]);
        aliases.learn("_neutral", Vec::new());
        assert_eq!(aliases.find("blendShapes.eyeBlink_L").unwrap(), ["Fcl_EYE_Close_L"]);
        assert_eq!(aliases.find("EyeBlinkRight"), None);
        assert_eq!(aliases.find("_neutral").unwrap(), [""; 0]);
        let text = serde_json::to_string(&aliases).unwrap();
        assert_eq!(serde_json::from_str::<Aliases>(&text).unwrap(), aliases);
    }
}
