//! The names of morph targets. glTF only recommends where to store them: in `extras.targetNames` of the mesh. Older files have
//! them on the primitives, some exporters repeat the list once per primitive, and others store none.

use gltf::json;
use serde_json::Value;

use crate::import::unique_names::UniqueNames;
use smirk_base::names::quoted;
use smirk_face::head::{Note, Notes, Subject};

/// A unique name for each target.
pub(super) fn target_names(mesh: &json::Mesh, count: usize, subject: &Subject, notes: &mut Notes) -> Vec<String> {
    let stored = stored_names(mesh);
    if let Some(stored) = stored.as_ref().filter(|stored| stored.len() != count && count > 0) {
        let is_repeated = stored.len() > count && stored.len().is_multiple_of(count);
        let message = format!("has {} target names for {count} targets", stored.len());
        notes.push(if is_repeated {
            Note::info(subject, format!("{message}: repeated once per primitive, the first {count} are used"))
        } else {
            let repair = if stored.len() > count { "the last ones are ignored" } else { "the others are numbered" };
            Note::warning(subject, format!("{message}; {repair}"))
        });
    }
    if stored.is_none() && count > 0 && mesh.extras.as_ref().is_some_and(|raw| !raw.get().starts_with('{')) {
        notes.push(Note::warning(
            subject,
            "its extras are not an object, and hold no target names; targets are numbered",
        ));
    }
    let stored = stored.unwrap_or_default();
    let mut unique_names = UniqueNames::default();
    let (mut empty_count, mut duplicate_count, mut first_duplicate) = (0, 0, None);
    let other_count = stored.iter().take(count).filter(|name| !name.is_string()).count();
    let names = (0..count)
        .map(|index| {
            let name = stored.get(index).and_then(Value::as_str);
            empty_count += usize::from(name.is_some_and(str::is_empty));
            let name = name.filter(|name| !name.is_empty());
            let name = name.map_or_else(|| format!("target {index}"), str::to_owned);
            let unique_name = unique_names.make(name.clone());
            if unique_name != name {
                duplicate_count += 1;
                first_duplicate.get_or_insert_with(|| (index, name, unique_name.clone()));
            }
            unique_name
        })
        .collect();
    if let Some((index, name, unique_name)) = first_duplicate {
        let more = if duplicate_count > 1 { format!(" ({duplicate_count} such in the mesh)") } else { String::new() };
        let (name, unique_name) = (quoted(&name), quoted(&unique_name));
        let message = format!(
            "target {index} has the same name as another target, {name}; it was renamed to {unique_name}{more}"
        );
        notes.push(Note::info(subject, message));
    }
    for (unnamed_count, what) in [(empty_count, "empty"), (other_count, "not text")] {
        if unnamed_count > 0 {
            let message = format!("{unnamed_count} of its target names are {what}; these targets are numbered");
            notes.push(Note::warning(subject, message));
        }
    }
    names
}

fn stored_names(mesh: &json::Mesh) -> Option<Vec<Value>> {
    let extras = std::iter::once(&mesh.extras).chain(mesh.primitives.iter().map(|primitive| &primitive.extras));
    extras.flatten().find_map(|raw| {
        match serde_json::from_str::<Value>(raw.get()).ok()?.get_mut("targetNames")?.take() {
            Value::Array(names) => Some(names),
            _ => None,
        }
    })
}
