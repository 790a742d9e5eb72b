//! All columns of a head, one after the other: by block, then by target. Knows no wgpu.

use std::ops::Range;

use super::build::ColumnRun;
use super::column::{ATTRIBUTES, BLOCK_SIZE, step_of};
use crate::head::{Head, Mesh};

/// What a delta is stored as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// 16 bits a number, a position's beside a normal 18 and the normal's 14: half the memory, and half the time where memory
    /// is what one waits for. At any mix of weights in -1..1 a vertex is within 1e-5 of the head's size of where it belongs,
    /// a direction, blended or recomputed, within 0.1° as long as the sum is not much shorter than what it blends.
    #[default]
    Packed,
    /// The file's 32-bit floats.
    Exact,
}

impl Precision {
    /// What `--exact` asks for.
    pub fn exact_if(exact: bool) -> Self {
        if exact { Self::Exact } else { Self::Packed }
    }

    /// What the readout says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Packed => "packed, 16 bit",
            Self::Exact => "exact, 32 bit",
        }
    }

    /// Its name in a benchmark.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Packed => "packed",
            Self::Exact => "exact",
        }
    }
}

/// All columns, as they lie.
#[derive(Clone, Copy, Debug)]
pub enum ColumnData<'a> {
    /// The file's floats.
    Exact(&'a [f32]),
    /// Words of two numbers each, to be multiplied by a scale per column and attribute (position, normal, tangent).
    Packed(&'a [u32], &'a [[f32; ATTRIBUTES]]),
}

/// What the targets add. `column` says how one of the columns lies.
#[derive(Clone, Debug, Default)]
pub struct DeltaColumns {
    components: usize,
    precision: Precision,
    floats: Vec<f32>,
    words: Vec<u32>,
    /// Per column.
    scales: Vec<[f32; ATTRIBUTES]>,
}

impl DeltaColumns {
    pub(in crate::blend) fn new(components: usize, precision: Precision, piece: ColumnRun) -> Self {
        Self { components, precision, floats: piece.floats, words: piece.words, scales: piece.scales }
    }

    /// Numbers per delta: 3 (position), 6 (and normal), or 10 (and tangent, and a zero): no more than the head's targets move.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Whether any target moves tangents; else they are those at rest.
    pub fn moves_tangents(&self) -> bool {
        self.components == 10
    }

    /// How exactly they are kept.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// Numbers per column.
    pub fn column_numbers(&self) -> usize {
        self.components * BLOCK_SIZE
    }

    /// Bytes per column.
    pub fn column_bytes(&self) -> usize {
        match self.precision {
            Precision::Exact => self.column_numbers() * size_of::<f32>(),
            Precision::Packed => self.column_numbers() / 2 * size_of::<u32>(),
        }
    }

    /// All columns.
    #[inline]
    pub fn columns(&self) -> ColumnData<'_> {
        match self.precision {
            Precision::Exact => ColumnData::Exact(&self.floats),
            Precision::Packed => ColumnData::Packed(&self.words, &self.scales),
        }
    }

    /// Some columns, as they lie.
    pub fn bytes_of(&self, columns: Range<usize>) -> &[u8] {
        let bytes: &[u8] = match self.precision {
            Precision::Exact => bytemuck::cast_slice(&self.floats),
            Precision::Packed => bytemuck::cast_slice(&self.words),
        };
        &bytes[columns.start * self.column_bytes()..columns.end * self.column_bytes()]
    }

    /// What a weight is multiplied by in a column: per attribute.
    pub fn scales_of(&self, column: usize) -> [f32; ATTRIBUTES] {
        self.scales.get(column).copied().unwrap_or([1.0; ATTRIBUTES])
    }

    /// How far packing may have moved a number of a column's positions: half a step; 0 where they are the file's.
    pub fn rounding_of(&self, column: usize) -> f32 {
        self.scales.get(column).map_or(0.0, |[position, ..]| 0.5 * position * step_of(self.components, 0))
    }

    /// Bytes of all columns, without their scales.
    pub fn bytes(&self) -> u64 {
        (size_of_val(self.floats.as_slice()) + size_of_val(self.words.as_slice())) as u64
    }

    /// Bytes of everything here.
    pub fn all_bytes(&self) -> u64 {
        self.bytes() + size_of_val(self.scales.as_slice()) as u64
    }
}

/// See [`DeltaColumns::components`].
pub(in crate::blend) fn components_of(head: &Head) -> usize {
    let morphs = |moves: fn(&Mesh) -> bool| head.meshes.iter().any(moves);
    let tangents = |mesh: &Mesh| {
        !mesh.vertices.tangents.is_empty() && mesh.targets.iter().any(|target| !target.tangents.is_empty())
    };
    let normals = |mesh: &Mesh| mesh.targets.iter().any(|target| !target.normals.is_empty());
    if morphs(tangents) {
        10
    } else if morphs(normals) {
        6
    } else {
        3
    }
}
