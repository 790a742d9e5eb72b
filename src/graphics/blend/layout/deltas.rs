//! All columns of a head, in the order of the blocks and, within a block, of the targets.

use std::ops::Range;

use super::build::ColumnRun;
use super::column::{ATTRIBUTES, BLOCK_SIZE, step_of};
use smirk_face::head::{Head, Mesh, ShapeDeltas, Target};

/// The numbers that deltas are stored as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// 16 bits a number; where there are normals, a position has 18 bits and the normal 14. This takes half the memory, and half
    /// the time where blending is limited by memory bandwidth. At any mix of weights in -1..1 the error of a position is at most
    /// 1e-5 of the head's size, and that of a direction, blended or recomputed, at most 0.1°, unless the sum is much shorter than
    /// the directions it blends.
    #[default]
    Packed,
    /// The file's 32-bit floats.
    Exact,
}

impl Precision {
    /// The precision that the flag `--exact` selects.
    pub fn exact_if(exact: bool) -> Self {
        if exact { Self::Exact } else { Self::Packed }
    }

    /// The name on the Readout page.
    pub fn label(self) -> &'static str {
        match self {
            Self::Packed => "packed, 16 bit",
            Self::Exact => "exact, 32 bit",
        }
    }

    /// The name in tables and reports of `smirk bench`.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Packed => "packed",
            Self::Exact => "exact",
        }
    }
}

/// The numbers of all columns, column after column.
#[derive(Clone, Copy, Debug)]
pub enum ColumnData<'a> {
    /// The file's floats.
    Exact(&'a [f32]),
    /// Words of two numbers each, to be multiplied by a scale per column and attribute (position, normal, tangent).
    Packed(&'a [u32], &'a [[f32; ATTRIBUTES]]),
}

/// The columns of all targets of a head. The order within one column is described in `column.rs`.
#[derive(Clone, Debug, Default)]
pub struct DeltaColumns {
    components: usize,
    precision: Precision,
    floats: Vec<f32>,
    words: Vec<u32>,
    /// The scales of each column.
    scales: Vec<[f32; ATTRIBUTES]>,
}

impl DeltaColumns {
    pub(in crate::blend) fn new(components: usize, precision: Precision, run: ColumnRun) -> Self {
        Self { components, precision, floats: run.floats, words: run.words, scales: run.scales }
    }

    /// The number of numbers per delta: 3 (position), 6 (position, normal) or 10 (position, normal, tangent and a zero); as few as
    /// the head's targets need.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Whether any target changes tangents; otherwise a blend has the tangents at rest.
    pub fn moves_tangents(&self) -> bool {
        self.components == 10
    }

    /// The numbers that deltas are stored as.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// The number of numbers in a column.
    pub fn column_numbers(&self) -> usize {
        self.components * BLOCK_SIZE
    }

    /// The number of bytes of a column.
    pub fn column_bytes(&self) -> usize {
        match self.precision {
            Precision::Exact => self.column_numbers() * size_of::<f32>(),
            Precision::Packed => self.column_numbers() / 2 * size_of::<u32>(),
        }
    }

    /// The numbers of all columns.
    #[inline]
    pub fn columns(&self) -> ColumnData<'_> {
        match self.precision {
            Precision::Exact => ColumnData::Exact(&self.floats),
            Precision::Packed => ColumnData::Packed(&self.words, &self.scales),
        }
    }

    /// The bytes of some columns.
    pub fn bytes_of(&self, columns: Range<usize>) -> &[u8] {
        let bytes: &[u8] = match self.precision {
            Precision::Exact => bytemuck::cast_slice(&self.floats),
            Precision::Packed => bytemuck::cast_slice(&self.words),
        };
        &bytes[columns.start * self.column_bytes()..columns.end * self.column_bytes()]
    }

    /// The scales of a column: what a weight is multiplied by, per attribute. 1 if deltas are exact.
    pub fn scales_of(&self, column: usize) -> [f32; ATTRIBUTES] {
        self.scales.get(column).copied().unwrap_or([1.0; ATTRIBUTES])
    }

    /// The largest rounding error of a column's positions: half a step if packed, 0 if exact.
    pub fn rounding_of(&self, column: usize) -> f32 {
        self.scales.get(column).map_or(0.0, |[position, ..]| 0.5 * position * step_of(self.components, 0))
    }

    /// Bytes of all columns, without their scales.
    pub fn bytes(&self) -> u64 {
        (size_of_val(self.floats.as_slice()) + size_of_val(self.words.as_slice())) as u64
    }

    /// Bytes of all columns, with their scales.
    pub fn all_bytes(&self) -> u64 {
        self.bytes() + size_of_val(self.scales.as_slice()) as u64
    }
}

fn shapes(mesh: &Mesh) -> impl Iterator<Item = ShapeDeltas<'_>> {
    mesh.targets.iter().flat_map(Target::shapes)
}

/// See [`DeltaColumns::components`].
pub(in crate::blend) fn components_of(head: &Head) -> usize {
    let morphs = |moves: fn(&Mesh) -> bool| head.meshes.iter().any(moves);
    let tangents =
        |mesh: &Mesh| !mesh.vertices.tangents.is_empty() && shapes(mesh).any(|shape| !shape.tangents.is_empty());
    let normals = |mesh: &Mesh| shapes(mesh).any(|shape| !shape.normals.is_empty());
    if morphs(tangents) {
        10
    } else if morphs(normals) {
        6
    } else {
        3
    }
}
