//! Which column is the other side of a column.

use std::collections::HashMap;

use crate::head::canonical_name;
use crate::motion::Take;

/// The column whose values a column gets, and their sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::motion::take::edit) struct Mirrored {
    pub from: usize,
    pub sign: f32,
}

/// For each column its mirror image. A column without a side is its own. Turning and tilting to one side becomes turning
/// and tilting to the other.
pub(in crate::motion::take::edit) fn mirrored_columns(take: &Take) -> Vec<Mirrored> {
    let names: Vec<String> = take.columns.iter().map(|column| canonical_name(&column.name)).collect();
    let mut indices = HashMap::new();
    for (index, name) in names.iter().enumerate() {
        indices.entry(name.as_str()).or_insert(index);
    }
    let mirrored = |(index, name): (usize, &String)| {
        let sides = [("_l", "_r"), ("_r", "_l")];
        let swapped = sides.iter().find_map(|(side, other)| Some(format!("{}{other}", name.strip_suffix(side)?)));
        let from = swapped.and_then(|other| indices.get(other.as_str()).copied()).unwrap_or(index);
        let movement = name.trim_end_matches("_l").trim_end_matches("_r");
        let is_sideways = ["headyaw", "headroll", "eyeyaw", "eyeroll"].contains(&movement);
        Mirrored { from, sign: if is_sideways { -1.0 } else { 1.0 } }
    };
    names.iter().enumerate().map(mirrored).collect()
}
