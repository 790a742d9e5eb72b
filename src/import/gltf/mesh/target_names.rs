//! The names of morph targets. glTF only recommends where to store them: in `extras.targetNames` of the mesh. Older files have
//! them on the primitives, some exporters repeat the list once per primitive, and others store none.

use gltf::json;
use serde_json::Value;

use crate::head::{Note, Subject, quoted};
use crate::import::unique_names::UniqueNames;

/// A unique name for each target.
pub fn target_names(mesh: &json::Mesh, count: usize, object: &Subject, notes: &mut Vec<Note>) -> Vec<String> {
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
    let mut unique_names = UniqueNames::default();
    let (mut unnamed_count, mut duplicate_count, mut first_duplicate) = (0, 0, None);
    let names = (0..count)
        .map(|index| {
            let name = listed.get(index).and_then(Value::as_str).filter(|name| !name.is_empty());
            unnamed_count += usize::from(index < listed.len() && name.is_none());
            let name = name.map_or_else(|| format!("target {index}"), str::to_owned);
            let free_name = unique_names.take(name.clone());
            if free_name != name {
                duplicate_count += 1;
                first_duplicate.get_or_insert_with(|| (index, name, free_name.clone()));
            }
            free_name
        })
        .collect();
    if let Some((index, name, free_name)) = first_duplicate {
        let more = if duplicate_count > 1 { format!(" ({duplicate_count} such in the mesh)") } else { String::new() };
        let (name, free_name) = (quoted(&name), quoted(&free_name));
        let message = format!("target {index} has the name {name} of another; it is called {free_name}{more}");
        notes.push(Note::info(object, message));
    }
    if unnamed_count > 0 {
        notes.push(Note::warning(
            object,
            format!("{unnamed_count} of its target names are not text; they are numbered"),
        ));
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
