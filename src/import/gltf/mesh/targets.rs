//! Morph targets (glTF 2.0 §3.7.2.2). Attributes are read one by one, so that a target that lacks one never shifts
//! another's.

use std::collections::HashMap;

use glam::Vec3;
use gltf::json::Index;
use gltf::json::accessor::Accessor;

use super::uv_color_deltas;
use super::vertex_range::Range;
use crate::head::{Note, Target};
use crate::import::Fault;
use crate::import::gltf::read::{Accessors, Elements};

/// Reads targets.
pub struct Deltas<'a> {
    accessors: &'a Accessors<'a>,
    /// Accessors found to hold zeros only, with their length: exporters name one such accessor for every target that
    /// leaves a mesh alone.
    still: HashMap<usize, usize>,
}

/// One attribute's deltas over a mesh.
#[derive(Default)]
struct Column {
    is_present: bool,
    rows: Vec<u32>,
    values: Vec<Vec3>,
}

impl Column {
    /// The values at `rows`, which hold all of the column's own.
    fn spread(self, rows: &[u32]) -> Vec<Vec3> {
        if !self.is_present {
            return Vec::new();
        }
        let mut own = self.rows.into_iter().zip(self.values).peekable();
        rows.iter().map(|row| own.next_if(|(at, _)| at == row).map_or(Vec3::ZERO, |(_, value)| value)).collect()
    }
}

impl<'a> Deltas<'a> {
    /// A reader for one file.
    pub fn new(accessors: &'a Accessors<'a>) -> Self {
        Self { accessors, still: HashMap::new() }
    }

    /// Target `index` of a mesh, over all its ranges.
    pub fn read(
        &mut self,
        ranges: &[Range<'_>],
        index: usize,
        name: String,
        notes: &mut Vec<Note>,
    ) -> Result<Target, Fault> {
        let (mut positions, mut normals, mut tangents) = (Column::default(), Column::default(), Column::default());
        for range in ranges {
            let Some(target) = range.targets.get(index) else { continue };
            let object = format!("{}, target {index} {}", range.object, crate::import::error::quoted(&name));
            self.append(&mut positions, target.positions, "POSITION", range, &object, notes)?;
            for (column, accessor, attribute, has_base) in [
                (&mut normals, target.normals, "NORMAL", range.has_normals),
                (&mut tangents, target.tangents, "TANGENT", range.has_tangents),
            ] {
                if has_base {
                    self.append(column, accessor, attribute, range, &object, notes)?;
                }
            }
        }
        let mut rows = [&positions.rows[..], &normals.rows, &tangents.rows].concat();
        // A stable sort: it finds the three sorted runs and merges them.
        rows.sort();
        rows.dedup();
        Ok(Target {
            name,
            default_weight: 0.0,
            positions: positions.spread(&rows),
            normals: normals.spread(&rows),
            tangents: tangents.spread(&rows),
            rows,
            uv_color_deltas: uv_color_deltas::read(self.accessors, ranges, index, notes),
        })
    }

    fn append(
        &mut self,
        column: &mut Column,
        accessor: Option<Index<Accessor>>,
        attribute: &str,
        range: &Range<'_>,
        object: &str,
        notes: &mut Vec<Note>,
    ) -> Result<(), Fault> {
        let Some(accessor) = accessor else { return Ok(()) };
        let (count, rows, values) = match self.still.get(&accessor.value()) {
            Some(&count) => (count, Vec::new(), Vec::new()),
            None => self.read_rows(accessor, attribute, object, notes)?,
        };
        if count != range.count {
            notes.push(Note::warning(
                object,
                format!("{attribute} has {count} deltas for {} vertices; left out", range.count),
            ));
            return Ok(());
        }
        column.is_present = true;
        column.rows.extend(rows.into_iter().map(|row| row + range.first as u32));
        column.values.extend(values);
        Ok(())
    }

    /// The length of an accessor and its elements that are not zero.
    fn read_rows(
        &mut self,
        accessor: Index<Accessor>,
        attribute: &str,
        object: &str,
        notes: &mut Vec<Note>,
    ) -> Result<(usize, Vec<u32>, Vec<Vec3>), Fault> {
        let elements = self.accessors.read_sparsely::<3>(accessor, object)?;
        let count = elements.count();
        let (mut rows, mut values, mut broken) = (Vec::new(), Vec::new(), 0);
        let mut keep = |row: u32, delta: [f32; 3]| {
            let delta = Vec3::from_array(delta);
            if !delta.is_finite() {
                broken += 1;
            } else if delta != Vec3::ZERO {
                rows.push(row);
                values.push(delta);
            }
        };
        match elements {
            Elements::All(all) => all.into_iter().enumerate().for_each(|(row, delta)| keep(row as u32, delta)),
            Elements::Some { rows, values, .. } => {
                rows.into_iter().zip(values).for_each(|(row, delta)| keep(row, delta))
            }
        }
        if broken > 0 {
            notes.push(Note::warning(
                object,
                format!("{broken} of {count} deltas of {attribute} are not finite; these vertices stay where they are"),
            ));
        }
        if rows.is_empty() && broken == 0 {
            self.still.insert(accessor.value(), count);
        }
        Ok((count, rows, values))
    }
}
