//! Decodes buffer views compressed by meshoptimizer (`EXT_meshopt_compression`, `KHR_meshopt_compression`).
//!
//! The decoder never reads past its input, but allocates as many elements as its caller states. The properties of the
//! extension are therefore checked first: that they agree, and that so many elements can be stored in so few bytes.

use meshopt::{
    decode_filter_color, decode_filter_exp, decode_filter_oct, decode_filter_quat, decode_index_buffer,
    decode_index_sequence, decode_vertex_buffer,
};
use serde::Deserialize;

use crate::import::Problem;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum MeshoptMode {
    Attributes,
    /// Indices of a triangle list.
    Triangles,
    /// Indices of anything else.
    Indices,
}

/// The transformation that was applied to elements before compression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum MeshoptFilter {
    #[default]
    None,
    /// Unit vectors, octahedral encoding: four signed integers of 8 or 16 bits per element.
    Octahedral,
    /// Unit quaternions without their largest component: four signed integers of 16 bits per element.
    Quaternion,
    Exponential,
    /// Colours as luma and two chroma components: four integers of 8 or 16 bits per element (KHR only).
    Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeshoptLayout {
    pub count: u64,
    /// Bytes per element once decompressed.
    #[serde(rename = "byteStride")]
    pub stride: u64,
    pub mode: MeshoptMode,
    #[serde(default)]
    pub filter: MeshoptFilter,
}

impl MeshoptLayout {
    /// The codec compresses attributes in blocks of at most this many elements.
    const MAX_BLOCK_ELEMENTS: u64 = 256;

    /// Size once decompressed, unless it exceeds 64 bits.
    pub fn decompressed_bytes(&self) -> Option<u64> {
        self.count.checked_mul(self.stride)
    }

    /// The smallest size that so many elements can have compressed: one control byte per block for every four bytes of
    /// an element, one byte per triangle or per index.
    fn min_compressed_bytes(&self) -> u64 {
        1 + match self.mode {
            MeshoptMode::Attributes => self.count.div_ceil(Self::MAX_BLOCK_ELEMENTS).saturating_mul(self.stride / 4),
            MeshoptMode::Triangles => self.count / 3,
            MeshoptMode::Indices => self.count,
        }
    }

    /// Checks that the numbers agree and that so many bytes can hold so many elements.
    pub fn check(&self, compressed_bytes: usize) -> Result<(), Problem> {
        let Self { count, stride, mode, filter } = *self;
        let fits = match mode {
            MeshoptMode::Attributes => stride % 4 == 0 && (4..=256).contains(&stride),
            MeshoptMode::Triangles | MeshoptMode::Indices => stride == 2 || stride == 4,
        };
        if !fits {
            return Err(Problem::new(format!("has a byteStride of {stride}, which {mode:?} cannot have")));
        }
        if mode == MeshoptMode::Triangles && count % 3 != 0 {
            return Err(Problem::new(format!("holds {count} indices, not a multiple of 3")));
        }
        let suits = match filter {
            MeshoptFilter::None => true,
            _ if mode != MeshoptMode::Attributes => false,
            MeshoptFilter::Octahedral | MeshoptFilter::Color => stride == 4 || stride == 8,
            MeshoptFilter::Quaternion => stride == 8,
            MeshoptFilter::Exponential => true,
        };
        if !suits {
            return Err(Problem::new(format!(
                "has the filter {filter:?}, which {mode:?} of {stride} bytes cannot have"
            )));
        }
        if self.decompressed_bytes().is_none() || (compressed_bytes as u64) < self.min_compressed_bytes() {
            return Err(Problem::new(format!(
                "compresses {count} elements of {stride} bytes into {compressed_bytes} bytes, which is too few"
            ))
            .advise("it was cut off"));
        }
        Ok(())
    }
}

/// Decompresses elements. Safe with any bytes: it allocates `count * stride` bytes, and only if the input is long
/// enough for so many elements.
pub fn decode_meshopt(compressed: &[u8], layout: &MeshoptLayout) -> Result<Vec<u8>, Problem> {
    layout.check(compressed.len())?;
    let count = layout.count as usize;
    if count == 0 {
        return Ok(Vec::new());
    }
    let decompressed = match (layout.mode, layout.stride) {
        (MeshoptMode::Attributes, stride) => {
            decode_elements_of(compressed, count, (stride / 4) as usize, layout.filter)
        }
        (MeshoptMode::Triangles, 2) => decode_index_buffer::<u16>(compressed, count).map(bytes_of),
        (MeshoptMode::Triangles, _) => decode_index_buffer::<u32>(compressed, count).map(bytes_of),
        (MeshoptMode::Indices, 2) => decode_index_sequence::<u16>(compressed, count).map(bytes_of),
        (MeshoptMode::Indices, _) => decode_index_sequence::<u32>(compressed, count).map(bytes_of),
    };
    decompressed.map_err(|error| Problem::new(format!("does not decompress: {error}")).advise("compress it again"))
}

/// An element of vertex attributes; the decoder takes the stride from the size of this type.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
struct Element<const WORDS: usize>([u32; WORDS]);

impl<const WORDS: usize> Default for Element<WORDS> {
    fn default() -> Self {
        Self([0; WORDS])
    }
}

fn decode_elements<const WORDS: usize>(
    compressed: &[u8],
    count: usize,
    filter: MeshoptFilter,
) -> meshopt::Result<Vec<u8>> {
    let mut elements = decode_vertex_buffer::<Element<WORDS>>(compressed, count)?;
    let words: &mut [u32] = bytemuck::cast_slice_mut(&mut elements);
    let is_8_bit = WORDS == 1;
    match filter {
        MeshoptFilter::None => {}
        MeshoptFilter::Octahedral if is_8_bit => decode_filter_oct::<i8>(bytemuck::cast_slice_mut(words)),
        MeshoptFilter::Octahedral => decode_filter_oct::<i16>(bytemuck::cast_slice_mut(words)),
        MeshoptFilter::Quaternion => decode_filter_quat(bytemuck::cast_slice_mut(words)),
        MeshoptFilter::Exponential => decode_filter_exp::<1>(bytemuck::cast_slice_mut(words)),
        MeshoptFilter::Color if is_8_bit => decode_filter_color::<u8>(bytemuck::cast_slice_mut(words)),
        MeshoptFilter::Color => decode_filter_color::<u16>(bytemuck::cast_slice_mut(words)),
    }
    Ok(bytes_of(elements))
}

fn bytes_of<T: bytemuck::NoUninit>(elements: Vec<T>) -> Vec<u8> {
    bytemuck::cast_slice(&elements).to_vec()
}

/// [`decode_elements`] for a number of words that is known at run time only.
fn decode_elements_of(
    compressed: &[u8],
    count: usize,
    words: usize,
    filter: MeshoptFilter,
) -> meshopt::Result<Vec<u8>> {
    macro_rules! of_length {
        ($($length:literal)*) => {
            match words {
                $($length => decode_elements::<$length>(compressed, count, filter),)*
                _ => unreachable!("strides are checked to be from 4 to 256"),
            }
        };
    }
    of_length!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
        33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64)
}
