//! Morph targets (glTF 2.0 §3.7.2.2). Each attribute is read by itself: a target may lack one that another target has, and
//! that must not shift the deltas of the others.

use std::collections::{HashMap, HashSet};

use glam::Vec3;
use gltf::json::Index;
use gltf::json::accessor::Accessor;

use super::uv_color_deltas::read_uv_color_deltas;
use super::vertex_range::VertexRange;
use crate::head::{Kind, Note, Notes, Subject, Target};
use crate::import::Fault;
use crate::import::gltf::read::{Accessors, Elements};

/// Reads the targets of one file.
pub(super) struct TargetReader<'a> {
    accessors: &'a Accessors<'a>,
    /// The accessors without any delta that moves a vertex, by index: the number of deltas that are not finite.
    /// Exporters name one such accessor for every target that does not move a mesh, so it is decoded once.
    without_deltas: HashMap<usize, usize>,
    /// The accessors of another length than their vertices, by index.
    of_other_length: HashSet<usize>,
}

/// The deltas of one attribute over all vertices of a mesh, without those that are zero.
#[derive(Default)]
struct AttributeDeltas {
    /// Some vertex range has this attribute in the target, even if all its deltas are zero.
    is_present: bool,
    /// Indices of vertices, increasing.
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
        let mut own = self.rows.into_iter().zip(self.values).peekable();
        rows.iter().map(|row| own.next_if(|(at, _)| at == row).map_or(Vec3::ZERO, |(_, value)| value)).collect()
    }
}

impl<'a> TargetReader<'a> {
    /// A reader for the targets of one file.
    pub(super) fn new(accessors: &'a Accessors<'a>) -> Self {
        Self { accessors, without_deltas: HashMap::new(), of_other_length: HashSet::new() }
    }

    /// Target `index` of a mesh that consists of `ranges`.
    pub(super) fn read(
        &mut self,
        ranges: &[VertexRange<'_>],
        index: usize,
        name: String,
        notes: &mut Notes,
    ) -> Result<Target, Fault> {
        let mut positions = AttributeDeltas::default();
        let (mut normals, mut tangents) = (AttributeDeltas::default(), AttributeDeltas::default());
        for range in ranges {
            let Some(target) = range.targets.get(index) else { continue };
            let subject = range.subject.part(Subject::numbered_and_named(Kind::Target, index, &name));
            self.append(&mut positions, target.positions, "POSITION", range, &subject, notes)?;
            for (deltas, accessor, attribute, has_base) in [
                (&mut normals, target.normals, "NORMAL", range.has_normals),
                (&mut tangents, target.tangents, "TANGENT", range.has_tangents),
            ] {
                if has_base {
                    self.append(deltas, accessor, attribute, range, &subject, notes)?;
                }
            }
        }
        let mut rows = [&positions.rows[..], &normals.rows, &tangents.rows].concat();
        // The stable sort merges runs that are already sorted, of which there are three here.
        rows.sort();
        rows.dedup();
        Ok(Target {
            name,
            default_weight: 0.0,
            positions: positions.at_rows(&rows),
            normals: normals.at_rows(&rows),
            tangents: tangents.at_rows(&rows),
            rows,
            in_betweens: Vec::new(),
            uv_color_deltas: read_uv_color_deltas(self.accessors, ranges, index, notes),
        })
    }

    /// Appends the deltas of one vertex range; leaves them out, with a note, if there are not as many as vertices.
    fn append(
        &mut self,
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
            if self.of_other_length.insert(accessor.value()) {
                self.accessors.check_sparse_rows(accessor, subject)?;
            }
            notes.push(Note::warning(
                subject,
                format!("{attribute} has {count} deltas for {} vertices; left out", range.count),
            ));
            return Ok(());
        }
        let Deltas { rows, values, broken } = match self.without_deltas.get(&accessor.value()) {
            Some(&broken) => Deltas { broken, ..Deltas::default() },
            None => self.read_rows(accessor, subject)?,
        };
        if broken > 0 {
            notes.push(Note::warning(
                subject,
                format!("{broken} of {count} deltas of {attribute} are not finite; these vertices stay where they are"),
            ));
        }
        deltas.is_present = true;
        deltas.rows.extend(rows.into_iter().map(|row| row + range.first as u32));
        deltas.values.extend(values);
        Ok(())
    }

    /// The deltas of an accessor.
    fn read_rows(&mut self, accessor: Index<Accessor>, subject: &Subject) -> Result<Deltas, Fault> {
        let mut deltas = Deltas::default();
        let mut add = |row: u32, delta: [f32; 3]| {
            let delta = Vec3::from_array(delta);
            if !delta.is_finite() {
                deltas.broken += 1;
            } else if delta != Vec3::ZERO {
                deltas.rows.push(row);
                deltas.values.push(delta);
            }
        };
        match self.accessors.read_sparsely::<3>(accessor, subject)? {
            Elements::Dense(all) => all.into_iter().enumerate().for_each(|(row, delta)| add(row as u32, delta)),
            Elements::Sparse { rows, values, .. } => {
                rows.into_iter().zip(values).for_each(|(row, delta)| add(row, delta))
            }
        }
        if deltas.rows.is_empty() {
            self.without_deltas.insert(accessor.value(), deltas.broken);
        }
        Ok(deltas)
    }
}

/// The elements of an accessor that are neither zero nor broken, with their indices, and the number of those that are broken.
#[derive(Default)]
struct Deltas {
    rows: Vec<u32>,
    values: Vec<Vec3>,
    broken: usize,
}
