//! What targets are called. glTF only advises: `extras.targetNames` on the mesh, in older files on its primitives,
//! repeated once per primitive by some exporters, or nowhere.

use std::collections::{HashMap, HashSet};

use gltf::json;
use serde_json::Value;

use super::super::error::quoted;
use crate::head::Note;

/// One name per target, no two alike.
pub fn target_names(mesh: &json::Mesh, count: usize, object: &str, notes: &mut Vec<Note>) -> Vec<String> {
    let listed = listed_names(mesh);
    if let Some(listed) = listed.as_ref().filter(|listed| listed.len() != count && count > 0) {
        let is_repeated = listed.len() > count && listed.len().is_multiple_of(count);
        let message = format!("has {} target names for {count} targets", listed.len());
        notes.push(if is_repeated {
            Note::info(object, format!("{message}: repeated once per primitive, the first {count} are used"))
        } else {
            let repair = if listed.len() > count { "the last ones are ignored" } else { "the others are numbered" };
            Note::warning(object, format!("{message}; {repair}"))
        });
    }
    if listed.is_none() && count > 0 && mesh.extras.as_ref().is_some_and(|raw| !raw.get().starts_with('{')) {
        notes.push(Note::warning(
            object,
            "its extras are not an object, and hold no target names; targets are numbered",
        ));
    }
    let listed = listed.unwrap_or_default();
    let mut taken = HashSet::new();
    // Where counting goes on, so that thousands of equal names do not count from the start each time.
    let mut next_number: HashMap<String, u32> = HashMap::new();
    let mut unnamed = 0;
    let names = (0..count)
        .map(|index| {
            let name = listed.get(index).and_then(Value::as_str).filter(|name| !name.is_empty());
            unnamed += usize::from(index < listed.len() && name.is_none());
            let name = name.map_or_else(|| format!("target {index}"), str::to_owned);
            if taken.insert(name.clone()) {
                return name;
            }
            let number = next_number.entry(name.clone()).or_insert(1);
            let numbered = loop {
                *number += 1;
                let numbered = format!("{name} ({number})");
                if taken.insert(numbered.clone()) {
                    break numbered;
                }
            };
            notes.push(Note::info(
                object,
                format!("target {index} has the name {} of another; it is called {}", quoted(&name), quoted(&numbered)),
            ));
            numbered
        })
        .collect();
    if unnamed > 0 {
        notes.push(Note::warning(object, format!("{unnamed} of its target names are not text; they are numbered")));
    }
    names
}

fn listed_names(mesh: &json::Mesh) -> Option<Vec<Value>> {
    let extras = std::iter::once(&mesh.extras).chain(mesh.primitives.iter().map(|primitive| &primitive.extras));
    extras.flatten().find_map(|raw| {
        match serde_json::from_str::<Value>(raw.get()).ok()?.get_mut("targetNames")?.take() {
            Value::Array(names) => Some(names),
            _ => None,
        }
    })
}
