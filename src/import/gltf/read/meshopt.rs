//! Buffer views packed by meshoptimizer (`EXT_meshopt_compression`, `KHR_meshopt_compression`): what they say of
//! themselves, and how they unpack.
//!
//! The decoder reads no further than its input and writes as many elements as it is asked for, so the numbers are
//! checked before: that they agree, and that so many elements can come out of so few bytes at all.

use meshopt::{
    decode_filter_color, decode_filter_exp, decode_filter_oct, decode_filter_quat, decode_index_buffer,
    decode_index_sequence, decode_vertex_buffer,
};
use serde::Deserialize;

use crate::import::Undecodable;

/// What the elements are, which decides how they are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum MeshoptMode {
    /// Rows of anything.
    Attributes,
    /// Indices, three by three.
    Triangles,
    /// Any other indices.
    Indices,
}

/// What was done to rows before they were packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum MeshoptFilter {
    /// Nothing.
    #[default]
    None,
    /// Unit vectors on an octahedron, four signed numbers of 8 or 16 bits a row.
    Octahedral,
    /// Unit quaternions less their largest component, four signed numbers of 16 bits a row.
    Quaternion,
    /// Floats as exponent and mantissa.
    Exponential,
    /// Colours as lightness and two differences, four numbers of 8 or 16 bits a row (KHR only).
    Color,
}

/// What packed bytes hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeshoptLayout {
    /// How many elements.
    pub count: u64,
    /// Bytes of one.
    #[serde(rename = "byteStride")]
    pub stride: u64,
    /// What they are.
    pub mode: MeshoptMode,
    /// What was done to them.
    #[serde(default)]
    pub filter: MeshoptFilter,
}

impl MeshoptLayout {
    /// A block of rows has at most this many.
    const MAX_BLOCK_ROWS: u64 = 256;

    /// Bytes once unpacked, if that can be counted.
    pub fn unpacked_bytes(&self) -> Option<u64> {
        self.count.checked_mul(self.stride)
    }

    /// The least bytes so many elements can be packed into: a control byte for every four bytes of a block of rows, a byte
    /// for every triangle or index.
    fn least_packed_bytes(&self) -> u64 {
        1 + match self.mode {
            MeshoptMode::Attributes => self.count.div_ceil(Self::MAX_BLOCK_ROWS).saturating_mul(self.stride / 4),
            MeshoptMode::Triangles => self.count / 3,
            MeshoptMode::Indices => self.count,
        }
    }

    /// Whether the numbers agree, and so many bytes can hold so much.
    pub(super) fn check(&self, packed_bytes: usize) -> Result<(), Undecodable> {
        let Self { count, stride, mode, filter } = *self;
        let fits = match mode {
            MeshoptMode::Attributes => stride % 4 == 0 && (4..=256).contains(&stride),
            MeshoptMode::Triangles | MeshoptMode::Indices => stride == 2 || stride == 4,
        };
        if !fits {
            return Err(Undecodable::new(format!("has a byteStride of {stride}, which {mode:?} cannot have")));
        }
        if mode == MeshoptMode::Triangles && count % 3 != 0 {
            return Err(Undecodable::new(format!("holds {count} indices, which are no whole triangles")));
        }
        let suits = match filter {
            MeshoptFilter::None => true,
            _ if mode != MeshoptMode::Attributes => false,
            MeshoptFilter::Octahedral | MeshoptFilter::Color => stride == 4 || stride == 8,
            MeshoptFilter::Quaternion => stride == 8,
            MeshoptFilter::Exponential => true,
        };
        if !suits {
            return Err(Undecodable::new(format!(
                "has the filter {filter:?}, which {mode:?} of {stride} bytes cannot have"
            )));
        }
        if self.unpacked_bytes().is_none() || (packed_bytes as u64) < self.least_packed_bytes() {
            return Err(Undecodable::new(format!(
                "packs {count} elements of {stride} bytes into {packed_bytes} bytes, which is too few; it was cut off"
            )));
        }
        Ok(())
    }
}

/// Unpacks. Safe with any bytes: takes memory for `count` times `stride` bytes, and only if there are enough of them to
/// hold that much.
pub fn decode_meshopt(packed: &[u8], layout: &MeshoptLayout) -> Result<Vec<u8>, Undecodable> {
    layout.check(packed.len())?;
    let count = layout.count as usize;
    if count == 0 {
        return Ok(Vec::new());
    }
    let unpacked = match (layout.mode, layout.stride) {
        (MeshoptMode::Attributes, stride) => decode_rows_of(packed, count, (stride / 4) as usize, layout.filter),
        (MeshoptMode::Triangles, 2) => decode_index_buffer::<u16>(packed, count).map(bytes_of),
        (MeshoptMode::Triangles, _) => decode_index_buffer::<u32>(packed, count).map(bytes_of),
        (MeshoptMode::Indices, 2) => decode_index_sequence::<u16>(packed, count).map(bytes_of),
        (MeshoptMode::Indices, _) => decode_index_sequence::<u32>(packed, count).map(bytes_of),
    };
    unpacked.map_err(|error| Undecodable::new(format!("does not unpack: {error}; pack it again")))
}

/// A row of an attribute; the decoder takes its stride from the type.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
struct Row<const WORDS: usize>([u32; WORDS]);

impl<const WORDS: usize> Default for Row<WORDS> {
    fn default() -> Self {
        Self([0; WORDS])
    }
}

fn decode_rows<const WORDS: usize>(packed: &[u8], count: usize, filter: MeshoptFilter) -> meshopt::Result<Vec<u8>> {
    let mut rows = decode_vertex_buffer::<Row<WORDS>>(packed, count)?;
    let words: &mut [u32] = bytemuck::cast_slice_mut(&mut rows);
    let is_narrow = WORDS == 1;
    match filter {
        MeshoptFilter::None => {}
        MeshoptFilter::Octahedral if is_narrow => decode_filter_oct::<i8>(bytemuck::cast_slice_mut(words)),
        MeshoptFilter::Octahedral => decode_filter_oct::<i16>(bytemuck::cast_slice_mut(words)),
        MeshoptFilter::Quaternion => decode_filter_quat(bytemuck::cast_slice_mut(words)),
        MeshoptFilter::Exponential => decode_filter_exp::<1>(bytemuck::cast_slice_mut(words)),
        MeshoptFilter::Color if is_narrow => decode_filter_color::<u8>(bytemuck::cast_slice_mut(words)),
        MeshoptFilter::Color => decode_filter_color::<u16>(bytemuck::cast_slice_mut(words)),
    }
    Ok(bytes_of(rows))
}

fn bytes_of<T: bytemuck::NoUninit>(elements: Vec<T>) -> Vec<u8> {
    bytemuck::cast_slice(&elements).to_vec()
}

/// [`decode_rows`] of a length known only now.
fn decode_rows_of(packed: &[u8], count: usize, words: usize, filter: MeshoptFilter) -> meshopt::Result<Vec<u8>> {
    macro_rules! of_length {
        ($($length:literal)*) => {
            match words {
                $($length => decode_rows::<$length>(packed, count, filter),)*
                _ => unreachable!("strides are checked to be from 4 to 256"),
            }
        };
    }
    of_length!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
        33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64)
}
