//! Morph targets (glTF 2.0 §3.7.2.2). Each attribute is read by itself: a target may lack one that another target has,
//! and that must not shift the deltas of the others.
//!
//! The names of morph targets. glTF only recommends where to store them: in `extras.targetNames` of the mesh. Older
//! files have them on the primitives, some exporters repeat the list once per primitive, and others store none.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use glam::Vec3;
use gltf::json::accessor::Accessor;
use gltf::json::{self, Index};
use serde_json::Value;

use super::uv_color_deltas::read_uv_color_deltas;
use super::vertex_range::VertexRange;
use crate::import::Fault;
use crate::import::gltf::read::{Accessors, Elements};
use crate::import::unique_names::UniqueNames;
use smirk_base::names::quoted;
use smirk_face::head::{Kind, Note, Notes, Subject, Target};

pub(super) struct TargetReader<'a> {
    accessors: &'a Accessors<'a>,
    /// The accessors without any delta that moves a vertex, by index: the number of deltas that are not finite.
    /// Exporters name one such accessor for every target that does not move a mesh, so it is decoded once.
    without_deltas: Mutex<HashMap<usize, usize>>,
    /// The accessors of another length than their vertices, by index.
    of_other_length: Mutex<HashSet<usize>>,
}

/// The deltas of one attribute over all vertices of a mesh, without those that are zero.
#[derive(Default)]
struct AttributeDeltas {
    /// Some vertex range has this attribute in the target, even if all its deltas are zero.
    is_present: bool,
    rows: Vec<u32>,
    /// One per row.
    values: Vec<Vec3>,
}

impl AttributeDeltas {
    /// The deltas of `rows`, which include all of the attribute's own; empty for an attribute that is not present.
    fn at_rows(self, rows: &[u32]) -> Vec<Vec3> {
        if !self.is_present {
            return Vec::new();
        }
        if self.rows == rows {
            return self.values;
        }
        let mut own = self.rows.into_iter().zip(self.values).peekable();
        rows.iter().map(|row| own.next_if(|(at, _)| at == row).map_or(Vec3::ZERO, |(_, value)| value)).collect()
    }
}

impl<'a> TargetReader<'a> {
    pub(super) fn new(accessors: &'a Accessors<'a>) -> Self {
        Self { accessors, without_deltas: Mutex::default(), of_other_length: Mutex::default() }
    }

    /// The largest number of bytes that target `index` of a mesh can take, without its deltas of texture coordinates
    /// and colours.
    pub(super) fn most_bytes(&self, ranges: &[VertexRange<'_>], index: usize) -> u64 {
        let targets = ranges.iter().filter_map(|range| range.targets.get(index));
        let accessors = targets.flat_map(|target| [target.positions, target.normals, target.tangents]).flatten();
        let counts = accessors.map(|accessor| self.accessors.stored_count(accessor));
        // If each attribute has rows of its own, each row has a delta of every attribute.
        let rows = counts.fold(0, u64::saturating_add);
        rows.saturating_mul((size_of::<u32>() + 3 * size_of::<Vec3>()) as u64)
    }

    pub(super) fn read(
        &self,
        ranges: &[VertexRange<'_>],
        index: usize,
        name: String,
    ) -> Result<(Target, Notes), Fault> {
        let mut notes = Notes::default();
        let mut positions = AttributeDeltas::default();
        let (mut normals, mut tangents) = (AttributeDeltas::default(), AttributeDeltas::default());
        for range in ranges {
            let Some(target) = range.targets.get(index) else { continue };
            let subject = range.subject.part(Subject::numbered_and_named(Kind::Target, index, &name));
            self.append(&mut positions, target.positions, "POSITION", range, &subject, &mut notes)?;
            for (deltas, accessor, attribute, has_base) in [
                (&mut normals, target.normals, "NORMAL", range.has_normals),
                (&mut tangents, target.tangents, "TANGENT", range.has_tangents),
            ] {
                if has_base {
                    self.append(deltas, accessor, attribute, range, &subject, &mut notes)?;
                }
            }
        }
        let rows = union([&positions.rows, &normals.rows, &tangents.rows]);
        let target = Target {
            name,
            default_weight: 0.0,
            positions: positions.at_rows(&rows),
            normals: normals.at_rows(&rows),
            tangents: tangents.at_rows(&rows),
            rows,
            in_betweens: Vec::new(),
            uv_color_deltas: read_uv_color_deltas(self.accessors, ranges, index, &mut notes),
        };
        Ok((target, notes))
    }

    /// Appends the deltas of one vertex range; leaves them out, with a note, if there are not as many as vertices.
    fn append(
        &self,
        deltas: &mut AttributeDeltas,
        accessor: Option<Index<Accessor>>,
        attribute: &str,
        range: &VertexRange<'_>,
        subject: &Subject,
        notes: &mut Notes,
    ) -> Result<(), Fault> {
        let Some(accessor) = accessor else { return Ok(()) };
        // Checked before they are read: any number of targets may name an accessor of another length.
        let count = self.accessors.count::<3>(accessor, subject)?;
        if count != range.count as u64 {
            if self.of_other_length.lock().unwrap_or_else(PoisonError::into_inner).insert(accessor.value()) {
                self.accessors.check_sparse_rows(accessor, subject)?;
            }
            notes.warn(subject, format!("{attribute} has {count} deltas for {} vertices; left out", range.count));
            return Ok(());
        }
        let known = self.without_deltas.lock().unwrap_or_else(PoisonError::into_inner).get(&accessor.value()).copied();
        let Deltas { mut rows, values, broken } = match known {
            Some(broken) => Deltas { broken, ..Deltas::default() },
            None => self.read_rows(accessor, subject)?,
        };
        if broken > 0 {
            notes.warn(
                subject,
                format!("{broken} of {count} deltas of {attribute} are not finite; these vertices stay where they are"),
            );
        }
        deltas.is_present = true;
        rows.iter_mut().for_each(|row| *row += range.first as u32);
        append_or_take(&mut deltas.rows, rows);
        append_or_take(&mut deltas.values, values);
        Ok(())
    }

    fn read_rows(&self, accessor: Index<Accessor>, subject: &Subject) -> Result<Deltas, Fault> {
        let deltas = match self.accessors.read_sparsely::<3>(accessor, subject)? {
            Elements::Dense(values) => {
                let (kept, broken) = count_deltas(&values);
                let rows = (0..).zip(&values).filter(|(_, delta)| is_delta(delta)).map(|(row, _)| row);
                Deltas { rows: collect_exactly(kept, rows), values: kept_values(kept, values), broken }
            }
            Elements::Sparse { rows, values, .. } => {
                let (kept, broken) = count_deltas(&values);
                let rows = if kept == rows.len() {
                    rows
                } else {
                    let kept_rows = rows.into_iter().zip(&values).filter(|(_, delta)| is_delta(delta));
                    collect_exactly(kept, kept_rows.map(|(row, _)| row))
                };
                Deltas { rows, values: kept_values(kept, values), broken }
            }
        };
        if deltas.rows.is_empty() {
            let mut without_deltas = self.without_deltas.lock().unwrap_or_else(PoisonError::into_inner);
            without_deltas.insert(accessor.value(), deltas.broken);
        }
        Ok(deltas)
    }
}

fn is_delta(delta: &[f32; 3]) -> bool {
    delta.iter().all(|x| x.is_finite()) && *delta != [0.0; 3]
}

/// The number of values that are deltas, and of those that are not finite.
fn count_deltas(values: &[[f32; 3]]) -> (usize, usize) {
    let kept = values.iter().filter(|delta| is_delta(delta)).count();
    let broken = values.iter().filter(|delta| !delta.iter().all(|x| x.is_finite())).count();
    (kept, broken)
}

fn kept_values(kept: usize, values: Vec<[f32; 3]>) -> Vec<Vec3> {
    if kept == values.len() {
        return bytemuck::cast_vec(values);
    }
    collect_exactly(kept, values.into_iter().filter(is_delta).map(Vec3::from_array))
}

/// A list that takes no more memory than its elements: targets are most of what a head takes.
fn collect_exactly<T>(count: usize, elements: impl Iterator<Item = T>) -> Vec<T> {
    let mut list = Vec::with_capacity(count);
    list.extend(elements);
    list
}

/// Appends elements to a list; an empty one takes over their memory.
fn append_or_take<T>(list: &mut Vec<T>, mut elements: Vec<T>) {
    if list.is_empty() { *list = elements } else { list.append(&mut elements) }
}

/// The elements of increasing lists, each once, increasing.
fn union(lists: [&Vec<u32>; 3]) -> Vec<u32> {
    let mut filled = lists.into_iter().filter(|list| !list.is_empty());
    let first = filled.next().cloned().unwrap_or_default();
    filled.fold(first, |mut all, list| {
        if all != *list {
            all.extend_from_slice(list);
            // The stable sort merges runs that are already sorted, of which there are two here.
            all.sort();
            all.dedup();
            all.shrink_to_fit();
        }
        all
    })
}

/// The elements of an accessor that are neither zero nor broken, with their indices, and the number of those that are
/// broken.
#[derive(Default)]
struct Deltas {
    rows: Vec<u32>,
    values: Vec<Vec3>,
    broken: usize,
}

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
        notes.warn(subject, "its extras are not an object, and hold no target names; targets are numbered");
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
        notes.inform(subject, message);
    }
    for (unnamed_count, what) in [(empty_count, "empty"), (other_count, "not text")] {
        if unnamed_count > 0 {
            notes.warn(subject, format!("{unnamed_count} of its target names are {what}; these targets are numbered"));
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
