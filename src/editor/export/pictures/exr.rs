//! OpenEXR files: linear light as 16-bit floats, compressed losslessly.
//!
//! Written: single-part scan-line files of the version 2 with ZIP compression, 16 lines a block, after the document "OpenEXR File
//! Layout" of the Academy Software Foundation. Colours are those of sRGB's primaries, which is the default of a file without
//! chromaticities, and are multiplied by alpha, as the format asks for.

use std::io::{self, Read, Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use half::f16;
use image::RgbaImage;
use rayon::prelude::*;

/// Linear light: red, green, blue and alpha of each pixel, multiplied by alpha, row by row from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct LightPicture {
    pub(super) size: [u32; 2],
    pub(super) pixels: Vec<[f16; 4]>,
}

impl LightPicture {
    /// A transparent picture.
    pub(super) fn new(size: [u32; 2]) -> Self {
        Self { size, pixels: vec![[f16::ZERO; 4]; size[0] as usize * size[1] as usize] }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Red, green, blue and alpha of each pixel, row by row from the top.
    pub fn pixels(&self) -> &[[f16; 4]] {
        &self.pixels
    }

    /// Draws a picture of `size`, as the adapter gives its bytes, with an opacity from 0 to 1, so that its top left corner is at `left` in
    /// the first row.
    pub(super) fn mix(&mut self, left: u32, size: [u32; 2], bytes: &[u8], opacity: f32) {
        let (row, width) = (self.size[0] as usize, size[0] as usize);
        let pixels = bytes.as_chunks::<8>().0;
        for (to, from) in self.pixels.chunks_mut(row.max(1)).zip(pixels.chunks(width.max(1))) {
            for (to, from) in to.iter_mut().skip(left as usize).zip(from) {
                let channel = |index: usize| f16::from_le_bytes([from[2 * index], from[2 * index + 1]]);
                for (index, to) in to.iter_mut().enumerate() {
                    let mixed = to.to_f32() + (channel(index).to_f32() - to.to_f32()) * opacity;
                    *to = if opacity < 1.0 { f16::from_f32(mixed) } else { channel(index) };
                }
            }
        }
    }

    /// Covers this picture with what is painted on another of the same size.
    pub(super) fn cover(&mut self, over: &RgbaImage) {
        for (pixel, over) in self.pixels.iter_mut().zip(over.pixels()) {
            let alpha = f32::from(over.0[3]) / 255.0;
            if alpha == 0.0 {
                continue;
            }
            for (channel, value) in pixel.iter_mut().enumerate() {
                let ink = if channel < 3 { linear(over.0[channel]) } else { 1.0 };
                *value = f16::from_f32(ink * alpha + value.to_f32() * (1.0 - alpha));
            }
        }
    }
}

/// The linear value of an sRGB byte (IEC 61966-2-1).
fn linear(byte: u8) -> f32 {
    let encoded = f32::from(byte) / 255.0;
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

const MAGIC: [u8; 8] = [0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0];
/// Lines of a block with ZIP compression.
const BLOCK_LINES: usize = 16;
/// The level of the compression, as OpenEXR's own library has it: higher ones take much longer for few bytes.
const LEVEL: u32 = 4;

/// The content of a file, with or without alpha.
pub(super) fn exr_bytes(picture: &LightPicture, has_alpha: bool) -> Vec<u8> {
    let [width, height] = picture.size.map(|side| side as usize);
    // Channels are stored in alphabetical order.
    let channels: &[(&str, usize)] =
        if has_alpha { &[("A", 3), ("B", 2), ("G", 1), ("R", 0)] } else { &[("B", 2), ("G", 1), ("R", 0)] };
    let mut bytes = header(picture.size, channels.iter().map(|(name, _)| *name));
    let lines: Vec<&[[f16; 4]]> = picture.pixels.chunks(width.max(1)).collect();
    let blocks: Vec<Vec<u8>> = lines
        .par_chunks(BLOCK_LINES)
        .map(|lines| {
            let mut plain = Vec::with_capacity(lines.len() * width * channels.len() * 2);
            for line in lines {
                for (_, channel) in channels {
                    line.iter().for_each(|pixel| plain.extend(pixel[*channel].to_le_bytes()));
                }
            }
            compressed(&plain)
        })
        .collect();
    let mut offset = bytes.len() + blocks.len() * 8;
    for block in &blocks {
        bytes.extend((offset as u64).to_le_bytes());
        offset += 8 + block.len();
    }
    for (index, block) in blocks.iter().enumerate() {
        bytes.extend(((index * BLOCK_LINES) as i32).to_le_bytes());
        bytes.extend((block.len() as u32).to_le_bytes());
        bytes.extend(block);
    }
    debug_assert_eq!(blocks.len(), height.div_ceil(BLOCK_LINES));
    bytes
}

fn header<'a>(size: [u32; 2], channels: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let mut attribute = |name: &str, kind: &str, value: &[u8]| {
        for text in [name, kind] {
            bytes.extend(text.as_bytes());
            bytes.push(0);
        }
        bytes.extend((value.len() as u32).to_le_bytes());
        bytes.extend(value);
    };
    let mut list = Vec::new();
    for name in channels {
        list.extend(name.as_bytes());
        list.push(0);
        // Half floats; not linear for perception, and three reserved bytes; one sample per pixel along x and y.
        [1_u32, 0, 1, 1].iter().for_each(|number| list.extend(number.to_le_bytes()));
    }
    list.push(0);
    let window: Vec<u8> = [0, 0, size[0] - 1, size[1] - 1].iter().flat_map(|edge| edge.to_le_bytes()).collect();
    let one = 1.0_f32.to_le_bytes();
    attribute("channels", "chlist", &list);
    attribute("compression", "compression", &[3]);
    attribute("dataWindow", "box2i", &window);
    attribute("displayWindow", "box2i", &window);
    attribute("lineOrder", "lineOrder", &[0]);
    attribute("pixelAspectRatio", "float", &one);
    attribute("screenWindowCenter", "v2f", &[0; 8]);
    attribute("screenWindowWidth", "float", &one);
    bytes.push(0);
    bytes
}

/// A block with ZIP compression: bytes of even places, then those of odd ones, as differences, deflated. A block that does not become
/// smaller is stored as it is.
fn compressed(plain: &[u8]) -> Vec<u8> {
    let even = plain.iter().step_by(2);
    let apart: Vec<u8> = even.chain(plain.iter().skip(1).step_by(2)).copied().collect();
    let mut before = 128_u8;
    let differences = apart.iter().enumerate().map(|(index, &byte)| {
        let difference = if index == 0 { byte } else { byte.wrapping_sub(before).wrapping_add(128) };
        before = byte;
        difference
    });
    let differences: Vec<u8> = differences.collect();
    let mut deflated = ZlibEncoder::new(Vec::new(), Compression::new(LEVEL));
    // Writing to memory cannot fail.
    let deflated = deflated.write_all(&differences).and_then(|()| deflated.finish()).unwrap_or_default();
    if (1..plain.len()).contains(&deflated.len()) { deflated } else { plain.to_vec() }
}

/// Whether a file as [`exr_bytes`] makes it, of a picture of `size`, is whole: its last block ends with the file.
pub(super) fn is_whole(file: &mut (impl Read + Seek), size: [u32; 2]) -> io::Result<bool> {
    for channels in [&["A", "B", "G", "R"][..], &["B", "G", "R"]] {
        let header = header(size, channels.iter().copied());
        let mut start = vec![0; header.len()];
        file.seek(SeekFrom::Start(0))?;
        file.read_exact(&mut start)?;
        if start != header {
            continue;
        }
        let blocks = u64::from(size[1]).div_ceil(BLOCK_LINES as u64);
        file.seek(SeekFrom::Start(header.len() as u64 + (blocks - 1) * 8))?;
        let mut last = [0; 8];
        file.read_exact(&mut last)?;
        let last = u64::from_le_bytes(last);
        file.seek(SeekFrom::Start(last.saturating_add(4)))?;
        let mut length = [0; 4];
        file.read_exact(&mut length)?;
        let end = last.saturating_add(8 + u64::from(u32::from_le_bytes(length)));
        return Ok(file.seek(SeekFrom::End(0))? == end);
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::random;

    fn picture(size: [u32; 2]) -> LightPicture {
        let mut picture = LightPicture::new(size);
        for (index, pixel) in picture.pixels.iter_mut().enumerate() {
            // Smooth on the left, noise on the right, so that some blocks are compressed and some are not.
            let smooth = index as f32 / 1000.0;
            let noise = random::unit(7, index as u64) * 40.0 - 2.0;
            let is_left = index as u32 % size[0] < size[0] / 2;
            *pixel = [0.25, 1.0, 3.0, 0.5].map(|scale| f16::from_f32(scale * if is_left { smooth } else { noise }));
        }
        picture
    }

    #[test]
    fn another_library_reads_the_same_pixels() {
        use exr::prelude::*;
        for size in [[1, 1], [16, 16], [33, 50], [5, 17]] {
            let picture = picture(size);
            for has_alpha in [false, true] {
                let bytes = exr_bytes(&picture, has_alpha);
                let image = read()
                    .no_deep_data()
                    .largest_resolution_level()
                    .all_channels()
                    .first_valid_layer()
                    .all_attributes();
                let image = image.from_buffered(io::Cursor::new(bytes)).unwrap();
                let layer = &image.layer_data;
                assert_eq!([layer.size.0 as u32, layer.size.1 as u32], size);
                let names: &[(&str, usize)] =
                    if has_alpha { &[("A", 3), ("B", 2), ("G", 1), ("R", 0)] } else { &[("B", 2), ("G", 1), ("R", 0)] };
                assert_eq!(layer.channel_data.list.len(), names.len());
                for (channel, (name, index)) in layer.channel_data.list.iter().zip(names) {
                    assert_eq!(channel.name.to_string(), *name);
                    let FlatSamples::F16(samples) = &channel.sample_data else { panic!("no half floats") };
                    let expected: Vec<u16> = picture.pixels.iter().map(|pixel| pixel[*index].to_bits()).collect();
                    assert_eq!(
                        samples.iter().map(|value| value.to_bits()).collect::<Vec<_>>(),
                        expected,
                        "{size:?} {name}"
                    );
                }
            }
        }
    }

    #[test]
    fn text_covers_light() {
        let mut light = LightPicture::new([3, 1]);
        light.pixels.fill([4.0, 4.0, 4.0, 1.0].map(f16::from_f32));
        let mut over = RgbaImage::new(3, 1);
        over.put_pixel(0, 0, image::Rgba([255, 0, 188, 255]));
        over.put_pixel(1, 0, image::Rgba([255, 255, 255, 51]));
        light.cover(&over);
        let pixel = |x: usize| light.pixels[x].map(f16::to_f32);
        assert!((pixel(0)[2] - 0.5029).abs() < 1e-3 && pixel(0)[0] == 1.0 && pixel(0)[1] == 0.0, "{:?}", pixel(0));
        assert!((pixel(1)[0] - 3.4).abs() < 4e-3 && pixel(1)[3] == 1.0, "{:?}", pixel(1));
        assert_eq!(pixel(2), [4.0, 4.0, 4.0, 1.0]);
    }
}
