//! DDS images (DirectDraw Surface): the block formats BC1 to BC7, and uncompressed texels of 8 to 32 bits. The layout
//! of the file is that of Microsoft's "Programming Guide for DDS": a header, perhaps followed by that of Direct3D 10,
//! then the largest level, with rows from the top. Only this level of the first image is read.

use rayon::prelude::*;

use super::{MAX_SIDE, Pixels, too_large};
use crate::import::error::Problem;

pub(super) fn is_dds(bytes: &[u8]) -> bool {
    bytes.starts_with(b"DDS ")
}

/// Width and height in texels, if the header is there.
pub(super) fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    is_dds(bytes).then(|| Some((word(bytes, WIDTH)?, word(bytes, HEIGHT)?))).flatten()
}

pub(super) fn decode(bytes: &[u8]) -> Result<Pixels, Problem> {
    let Header { width, height, format, data } = Header::read(bytes)?;
    let side = match format {
        Format::Blocks(_) => 4,
        Format::Plain(_) => 1,
    };
    let [columns, rows] = [width, height].map(|length| u64::from(length.div_ceil(side)));
    let needed = columns * rows * format.bytes() as u64;
    if (data.len() as u64) < needed {
        let text = format!("is DDS with {} bytes for {width} × {height} texels, which need {needed}", data.len());
        return Err(Problem::new(text).advise("it was cut off: export it again"));
    }
    let mut rgba = vec![0; width as usize * height as usize * 4];
    let row_bytes = columns as usize * format.bytes();
    rgba.par_chunks_mut((width * 4 * side) as usize).zip(data.par_chunks(row_bytes)).for_each(|(texels, row)| {
        match format {
            Format::Blocks(blocks) => blocks.decode_row(row, width as usize, texels),
            Format::Plain(plain) => plain.decode_row(row, texels),
        }
    });
    Ok(Pixels { width, height, rgba })
}

// Where the numbers of the header are, in bytes.
const HEIGHT: usize = 12;
const WIDTH: usize = 16;
const FORMAT_FLAGS: usize = 80;
const FORMAT_NAME: usize = 84;
const BITS: usize = 88;
const MASKS: usize = 92;
const MORE_CAPABILITIES: usize = 112;
const HEADER_BYTES: usize = 128;
const DXGI_FORMAT: usize = 128;
const DXGI_DIMENSION: usize = 132;
const DXGI_FLAGS: usize = 136;
const HEADER_WITH_DXGI_BYTES: usize = 148;

/// The number at a place of the header, in little-endian order.
fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|four| u32::from_le_bytes(*four))
}

fn number(bytes: &[u8], at: usize) -> Result<u32, Problem> {
    word(bytes, at).ok_or_else(|| cut_off(bytes))
}

fn cut_off(bytes: &[u8]) -> Problem {
    let text = format!("ends within its header, after {} bytes", bytes.len());
    Problem::new(text).advise("it was cut off: export it again")
}

struct Header<'a> {
    width: u32,
    height: u32,
    format: Format,
    data: &'a [u8],
}

impl<'a> Header<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, Problem> {
        const HAS_NAME: u32 = 0x4;
        const IS_CUBE: u32 = 0x200;
        const IS_VOLUME: u32 = 0x20_0000;
        const DXGI_IS_CUBE: u32 = 0x4;
        const DXGI_IS_FLAT: u32 = 3;
        let (width, height) = (number(bytes, WIDTH)?, number(bytes, HEIGHT)?);
        if width == 0 || height == 0 {
            return Err(Problem::new(format!("is DDS of {width} × {height} texels")));
        }
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(too_large());
        }
        let (capabilities, flags) = (number(bytes, MORE_CAPABILITIES)?, number(bytes, FORMAT_FLAGS)?);
        let name = number(bytes, FORMAT_NAME)?.to_le_bytes();
        let is_dxgi = flags & HAS_NAME != 0 && name == *b"DX10";
        let is_flat = capabilities & (IS_CUBE | IS_VOLUME) == 0
            && (!is_dxgi
                || number(bytes, DXGI_DIMENSION)? == DXGI_IS_FLAT && number(bytes, DXGI_FLAGS)? & DXGI_IS_CUBE == 0);
        if !is_flat {
            let text = "is DDS with a cube map or a volume, and no flat image";
            return Err(Problem::new(text).advise("re-export it as one image"));
        }
        let (format, described) = if is_dxgi {
            let number = number(bytes, DXGI_FORMAT)?;
            (Format::of_dxgi(number), format!("DXGI format {number}"))
        } else if flags & HAS_NAME != 0 {
            (Format::of_name(name), format!("\"{}\"", name.escape_ascii()))
        } else {
            let (bits, mut masks) = (number(bytes, BITS)?, [0; 4]);
            for (index, mask) in masks.iter_mut().enumerate() {
                *mask = number(bytes, MASKS + index * 4)?;
            }
            (Format::of_masks(flags, bits, masks), format!("{bits} bits with the masks {masks:x?}"))
        };
        let format = format.ok_or_else(|| {
            let text = format!("is DDS with texels that are not read ({described})");
            Problem::new(text).advise("re-export it as BC1 to BC7, or as PNG")
        })?;
        let start = if is_dxgi { HEADER_WITH_DXGI_BYTES } else { HEADER_BYTES };
        Ok(Self { width, height, format, data: bytes.get(start..).ok_or_else(|| cut_off(bytes))? })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Blocks(BlockKind),
    Plain(PlainTexel),
}

/// A block format: 4 × 4 texels in 8 or 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockKind {
    Bc1,
    Bc2,
    Bc3,
    Bc4 {
        is_signed: bool,
    },
    Bc5 {
        is_signed: bool,
    },
    /// Linear light, as half floats.
    Bc6 {
        is_signed: bool,
    },
    Bc7,
}

/// A texel of up to 32 bits, and the bits of red, green, blue and alpha in it. Without bits, a colour is 0 and alpha is
/// 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PlainTexel {
    bytes: usize,
    masks: [u32; 4],
}

impl Format {
    fn plain(bytes: usize, masks: [u32; 4]) -> Self {
        Self::Plain(PlainTexel { bytes, masks })
    }

    /// The format of a number of Direct3D 10 (`DXGI_FORMAT`).
    fn of_dxgi(number: u32) -> Option<Self> {
        use BlockKind::{Bc1, Bc2, Bc3, Bc4, Bc5, Bc6, Bc7};
        Some(match number {
            27..=29 => Self::plain(4, [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]),
            49 => Self::plain(2, [0xFF, 0xFF00, 0, 0]),
            61 => Self::plain(1, [0xFF, 0xFF, 0xFF, 0]),
            85 => Self::plain(2, [0xF800, 0x7E0, 0x1F, 0]),
            86 => Self::plain(2, [0x7C00, 0x3E0, 0x1F, 0x8000]),
            87 | 90 | 91 => Self::plain(4, [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]),
            88 | 92 | 93 => Self::plain(4, [0xFF_0000, 0xFF00, 0xFF, 0]),
            115 => Self::plain(2, [0xF00, 0xF0, 0xF, 0xF000]),
            70..=72 => Self::Blocks(Bc1),
            73..=75 => Self::Blocks(Bc2),
            76..=78 => Self::Blocks(Bc3),
            79 | 80 => Self::Blocks(Bc4 { is_signed: false }),
            81 => Self::Blocks(Bc4 { is_signed: true }),
            82 | 83 => Self::Blocks(Bc5 { is_signed: false }),
            84 => Self::Blocks(Bc5 { is_signed: true }),
            94 | 95 => Self::Blocks(Bc6 { is_signed: false }),
            96 => Self::Blocks(Bc6 { is_signed: true }),
            97..=99 => Self::Blocks(Bc7),
            _ => return None,
        })
    }

    /// The format of the four letters that files without the header of Direct3D 10 have.
    fn of_name(name: [u8; 4]) -> Option<Self> {
        Some(Self::Blocks(match &name {
            b"DXT1" => BlockKind::Bc1,
            b"DXT2" | b"DXT3" => BlockKind::Bc2,
            b"DXT4" | b"DXT5" => BlockKind::Bc3,
            b"ATI1" | b"BC4U" => BlockKind::Bc4 { is_signed: false },
            b"BC4S" => BlockKind::Bc4 { is_signed: true },
            b"ATI2" | b"BC5U" => BlockKind::Bc5 { is_signed: false },
            b"BC5S" => BlockKind::Bc5 { is_signed: true },
            _ => return None,
        }))
    }

    /// The format of texels whose channels are given by masks.
    fn of_masks(flags: u32, bits: u32, [red, green, blue, alpha]: [u32; 4]) -> Option<Self> {
        const HAS_ALPHA: u32 = 0x1;
        const HAS_COLOR: u32 = 0x40;
        const HAS_LUMINANCE: u32 = 0x2_0000;
        let [green, blue] = match flags & (HAS_COLOR | HAS_LUMINANCE) {
            HAS_COLOR => [green, blue],
            HAS_LUMINANCE => [red; 2],
            _ => return None,
        };
        let alpha = if flags & HAS_ALPHA != 0 { alpha } else { 0 };
        let is_read = matches!(bits, 8 | 16 | 24 | 32) && red != 0;
        is_read.then(|| Self::plain(bits as usize / 8, [red, green, blue, alpha]))
    }

    fn bytes(self) -> usize {
        match self {
            Self::Blocks(BlockKind::Bc1 | BlockKind::Bc4 { .. }) => 8,
            Self::Blocks(_) => 16,
            Self::Plain(plain) => plain.bytes,
        }
    }
}

impl PlainTexel {
    fn decode_row(self, row: &[u8], texels: &mut [u8]) {
        for (texel, bytes) in texels.as_chunks_mut::<4>().0.iter_mut().zip(row.chunks_exact(self.bytes)) {
            let number = bytes.iter().rev().fold(0_u32, |number, &byte| number << 8 | u32::from(byte));
            *texel = self.masks.map(|mask| {
                let most = mask.checked_shr(mask.trailing_zeros()).unwrap_or(0);
                let value = (number & mask).checked_shr(mask.trailing_zeros()).unwrap_or(0);
                (u64::from(value) * 255 + u64::from(most) / 2).checked_div(u64::from(most)).unwrap_or(0) as u8
            });
            if self.masks[3] == 0 {
                texel[3] = 255;
            }
        }
    }
}

impl BlockKind {
    /// Decodes a row of blocks to up to four rows of `width` texels.
    fn decode_row(self, row: &[u8], width: usize, texels: &mut [u8]) {
        for (column, block) in row.chunks_exact(Format::Blocks(self).bytes()).enumerate() {
            let decoded = self.texels(block);
            // Blocks at the right and the lower edge may reach over it.
            let count = (width - column * 4).min(4);
            for (texels, decoded) in texels.chunks_exact_mut(width * 4).zip(&decoded) {
                texels[column * 16..][..count * 4].copy_from_slice(&decoded.as_flattened()[..count * 4]);
            }
        }
    }

    /// The rows of texels of a block: RGBA, 8 bits each.
    fn texels(self, block: &[u8]) -> [[[u8; 4]; 4]; 4] {
        const ROW_BYTES: usize = 16;
        let mut texels = [[[0; 4]; 4]; 4];
        let bytes = texels.as_flattened_mut().as_flattened_mut();
        match self {
            Self::Bc1 => bcdec_rs::bc1(block, bytes, ROW_BYTES),
            Self::Bc2 => bcdec_rs::bc2(block, bytes, ROW_BYTES),
            Self::Bc3 => bcdec_rs::bc3(block, bytes, ROW_BYTES),
            Self::Bc7 => bcdec_rs::bc7(block, bytes, ROW_BYTES),
            Self::Bc4 { is_signed } => {
                let mut values = [0.0; 16];
                bcdec_rs::bc4_float(block, &mut values, 4, is_signed);
                for (texel, value) in texels.as_flattened_mut().iter_mut().zip(values) {
                    let grey = byte_of(if is_signed { value * 0.5 + 0.5 } else { value });
                    *texel = [grey, grey, grey, 255];
                }
            }
            Self::Bc5 { is_signed } => {
                let mut values = [[0.0; 2]; 16];
                bcdec_rs::bc5_float(block, values.as_flattened_mut(), 8, is_signed);
                for (texel, xy) in texels.as_flattened_mut().iter_mut().zip(values) {
                    let [x, y] = xy.map(|value: f32| if is_signed { value } else { value * 2.0 - 1.0 });
                    // The format has no room for z: normals of a surface have length 1 and point out of it.
                    let z = (1.0 - x * x - y * y).max(0.0).sqrt();
                    let [red, green, blue] = [x, y, z].map(|value| byte_of(value * 0.5 + 0.5));
                    *texel = [red, green, blue, 255];
                }
            }
            Self::Bc6 { is_signed } => {
                let mut values = [[0.0; 3]; 16];
                bcdec_rs::bc6h_float(block, values.as_flattened_mut(), 12, is_signed);
                for (texel, linear) in texels.as_flattened_mut().iter_mut().zip(values) {
                    let [red, green, blue] = linear.map(|value| byte_of(srgb_of_linear(value)));
                    *texel = [red, green, blue, 255];
                }
            }
        }
        texels
    }
}

/// A part of 1 as a byte; what is not a number is 0.
fn byte_of(part: f32) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// The transfer function of sRGB (IEC 61966-2-1).
fn srgb_of_linear(value: f32) -> f32 {
    if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with the largest level alone; `name` is that of its format, with the number of Direct3D 10 after `DX10`.
    fn file(width: u32, height: u32, name: &[u8; 4], dxgi: u32, data: &[u8]) -> Vec<u8> {
        let mut words = [0_u32; 37];
        words[0] = u32::from_le_bytes(*b"DDS ");
        (words[1], words[3], words[4]) = (124, height, width);
        (words[19], words[20], words[21]) = (32, 4, u32::from_le_bytes(*name));
        (words[32], words[33], words[35]) = (dxgi, 3, 1);
        let count = if name == b"DX10" { 37 } else { 32 };
        [words[..count].iter().flat_map(|word| word.to_le_bytes()).collect(), data.to_vec()].concat()
    }

    fn texel(pixels: &Pixels, x: usize, y: usize) -> [u8; 4] {
        *pixels.rgba[(y * pixels.width as usize + x) * 4..].first_chunk().unwrap()
    }

    /// A block of BC1 of one colour, 5, 6 and 5 bits.
    fn color_block(color: u16) -> Vec<u8> {
        [&color.to_le_bytes()[..], &color.to_le_bytes(), &[0; 4]].concat()
    }

    /// The bits of a block of 128 bits, written from the lowest on as (value, count).
    fn bits(fields: &[(u128, u32)]) -> Vec<u8> {
        let mut at = 0;
        let number = fields.iter().fold(0, |number, &(value, count)| {
            at += count;
            number | value << (at - count)
        });
        number.to_le_bytes().to_vec()
    }

    #[test]
    fn every_block_format_is_decoded() {
        let alpha = [[128; 2].as_slice(), &[0; 6]].concat();
        let red = color_block(0xF800);
        let with_alpha = [alpha.clone(), red.clone()].concat();
        let explicit_alpha = [vec![0x88; 8], red.clone()].concat();
        let signed = [[127; 2].as_slice(), &[0; 6]].concat();
        // Mode 6 of BC7: two colours of 7 bits a channel with a bit below each, and 16 indices that are 0: the first
        // colour.
        let bc7 = bits(&[(64, 7), (100, 7), (0, 7), (20, 7), (0, 7), (2, 7), (0, 7), (127, 7), (0, 7), (1, 1), (0, 1)]);
        // Mode 11 of BC6: two colours of 10 bits a channel. Of red, 0x1E0 is the half float 0x3A2F: 0.773. Of blue, all
        // bits are 65504.
        let bc6 = bits(&[(3, 5), (0x1E0, 10), (0, 10), (0x3FF, 10), (0, 30)]);
        for (name, dxgi, block, expected) in [
            (b"DXT1", 0, &red, [255, 0, 0, 255]),
            (b"DXT3", 0, &explicit_alpha, [255, 0, 0, 136]),
            (b"DXT5", 0, &with_alpha, [255, 0, 0, 128]),
            (b"ATI1", 0, &alpha, [128, 128, 128, 255]),
            (b"BC4S", 0, &signed, [255, 255, 255, 255]),
            (b"ATI2", 0, &[alpha.clone(), alpha.clone()].concat(), [128, 128, 255, 255]),
            (b"BC5S", 0, &[signed.clone(), vec![0; 8]].concat(), [255, 128, 128, 255]),
            (b"DX10", 71, &red, [255, 0, 0, 255]),
            (b"DX10", 78, &with_alpha, [255, 0, 0, 128]),
            (b"DX10", 98, &bc7, [201, 41, 5, 255]),
            (b"DX10", 95, &bc6, [228, 0, 255, 255]),
        ] {
            let pixels = decode(&file(4, 4, name, dxgi, block)).unwrap();
            assert_eq!((pixels.width, pixels.height, pixels.rgba.len()), (4, 4, 64));
            let found: [u8; 4] = texel(&pixels, 3, 2);
            let is_near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 2);
            assert!(is_near, "{} {dxgi}: {found:?}, not {expected:?}", name.escape_ascii());
        }
    }

    #[test]
    fn blocks_are_in_rows_from_the_top_and_may_reach_over_the_edge() {
        let blocks: Vec<u8> = [0xF800, 0x7E0, 0x1F, 0xFFFF].into_iter().flat_map(color_block).collect();
        let pixels = decode(&file(6, 5, b"DXT1", 0, &blocks)).unwrap();
        assert_eq!(pixels.rgba.len(), 6 * 5 * 4);
        for (x, y, expected) in [
            (0, 0, [255, 0, 0, 255]),
            (3, 3, [255, 0, 0, 255]),
            (4, 0, [0, 255, 0, 255]),
            (5, 3, [0, 255, 0, 255]),
            (0, 4, [0, 0, 255, 255]),
            (5, 4, [255, 255, 255, 255]),
        ] {
            assert_eq!(texel(&pixels, x, y), expected, "{x}, {y}");
        }
    }

    #[test]
    fn texels_without_blocks_follow_their_masks() {
        let mut plain = file(2, 1, b"DXT1", 0, &[1, 2, 3, 4, 5, 6, 7, 8]);
        let set = |bytes: &mut [u8], at: usize, value: u32| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        set(&mut plain, FORMAT_FLAGS, 0x41);
        set(&mut plain, BITS, 32);
        for (index, mask) in [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000].into_iter().enumerate() {
            set(&mut plain, MASKS + index * 4, mask);
        }
        assert_eq!(decode(&plain).unwrap().rgba, [3, 2, 1, 4, 7, 6, 5, 8]);
        set(&mut plain, FORMAT_FLAGS, 0x40);
        assert_eq!(decode(&plain).unwrap().rgba, [3, 2, 1, 255, 7, 6, 5, 255], "alpha that is not used");
        let sixteen = file(1, 1, b"DX10", 85, &0xF81F_u16.to_le_bytes());
        assert_eq!(decode(&sixteen).unwrap().rgba, [255, 0, 255, 255]);
    }

    #[test]
    fn damaged_files_are_one_line() {
        let good = file(4, 4, b"DX10", 98, &[0; 16]);
        assert_eq!(size(&good), Some((4, 4)));
        let with = |at: usize, value: u32| {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            bytes
        };
        for (bytes, words) in [
            (good[..150].to_vec(), "2 bytes for 4 × 4 texels, which need 16"),
            (good[..100].to_vec(), "ends within its header"),
            (good[..140].to_vec(), "ends within its header"),
            (with(WIDTH, 0), "0 × 4"),
            (with(WIDTH, 9000), "larger than 8192"),
            (with(HEIGHT, u32::MAX), "larger than 8192"),
            (with(DXGI_FORMAT, 2), "DXGI format 2"),
            (with(DXGI_FLAGS, 4), "cube map"),
            (with(MORE_CAPABILITIES, 0x20_0000), "volume"),
            (with(FORMAT_NAME, 7), "\\x07"),
        ] {
            let message = decode(&bytes).unwrap_err().to_string();
            assert!(message.contains(words) && message.lines().count() == 1, "{words}: {message}");
        }
    }
}
