//! The channels that the user chose for column names that cannot be matched by name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::head::canonical_name;

/// Maps canonical column names to the names of the chosen channels. An empty list means that the column drives no
/// channel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Aliases(BTreeMap<String, Vec<String>>);

impl Aliases {
    /// Sets the channels that a column drives; an empty list for none. The name is matched in every naming convention.
    pub fn set(&mut self, column: &str, channels: Vec<String>) {
        self.0.insert(key(column), channels);
    }

    /// The channels chosen for a column.
    pub fn find(&self, column: &str) -> Option<&[String]> {
        self.0.get(&key(column)).map(Vec::as_slice)
    }
}

/// The canonical name, or the name itself if it has no letters or digits.
fn key(column: &str) -> String {
    Some(canonical_name(column)).filter(|name| !name.is_empty()).unwrap_or_else(|| column.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_for_one_naming_convention_holds_for_all() {
        let mut aliases = Aliases::default();
        aliases.set("EyeBlinkLeft", vec!["Fcl_EYE_Close_L".into()]);
        aliases.set("_neutral", Vec::new());
        assert_eq!(aliases.find("blendShapes.eyeBlink_L").unwrap(), ["Fcl_EYE_Close_L"]);
        assert_eq!(aliases.find("EyeBlinkRight"), None);
        assert_eq!(aliases.find("_neutral").unwrap(), [""; 0]);
        let text = serde_json::to_string(&aliases).unwrap();
        assert_eq!(serde_json::from_str::<Aliases>(&text).unwrap(), aliases);
    }
}
