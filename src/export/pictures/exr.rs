//! OpenEXR files, by the crate `exr`: linear light as 16-bit floats, with ZIP compression of 16 lines a block. Colours
//! are those of sRGB's primaries, which is the default of a file without chromaticities, and are multiplied by alpha,
//! as the format asks for.

use std::io::{Cursor, Read, Seek};

use exr::block::UncompressedBlock;
use exr::block::reader::Reader;
use exr::block::writer::ChunksWriter;
use exr::compression::Compression;
use exr::math::Vec2;
use exr::meta::BlockDescription;
use exr::meta::attribute::{ChannelDescription, LineOrder, SampleType, Text};
use exr::meta::header::{Header, LayerAttributes};
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
    pub(super) fn new(size: [u32; 2]) -> Self {
        Self { size, pixels: vec![[f16::ZERO; 4]; size[0] as usize * size[1] as usize] }
    }

    /// Draws a picture of `size`, as the adapter gives its bytes, with an opacity from 0 to 1, so that its top left
    /// corner is at `left` in the first row.
    pub(super) fn mix(&mut self, left: u32, size: [u32; 2], bytes: &[u8], opacity: f32) {
        let (row, width) = (self.size[0] as usize, size[0] as usize);
        let pixels = bytes.as_chunks::<8>().0;
        for (to, from) in self.pixels.chunks_mut(row.max(1)).zip(pixels.chunks(width.max(1))) {
            for (to, from) in to.iter_mut().skip(left as usize).zip(from) {
                for (to, from) in to.iter_mut().zip(from.as_chunks::<2>().0) {
                    let channel = f16::from_le_bytes(*from);
                    let mixed = to.to_f32() + (channel.to_f32() - to.to_f32()) * opacity;
                    *to = if opacity < 1.0 { f16::from_f32(mixed) } else { channel };
                }
            }
        }
    }

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

pub(super) fn exr_bytes(picture: &LightPicture, has_alpha: bool) -> exr::error::Result<Vec<u8>> {
    let [width, height] = picture.size.map(|side| side as usize);
    // Channels are stored in alphabetical order.
    let channels: &[(&str, usize)] =
        if has_alpha { &[("A", 3), ("B", 2), ("G", 1), ("R", 0)] } else { &[("B", 2), ("G", 1), ("R", 0)] };
    let descriptions = channels.iter().map(|(name, _)| ChannelDescription::new(*name, SampleType::F16, false));
    let header = Header::new(Text::default(), (width, height), descriptions.collect())
        .with_encoding(Compression::ZIP16, BlockDescription::ScanLines, LineOrder::Increasing)
        .with_attributes(LayerAttributes::default());
    let mut file = Cursor::new(Vec::new());
    exr::block::write(&mut file, [header].into_iter().collect(), true, |meta, writer| {
        let blocks: Vec<_> = meta.enumerate_ordered_header_block_indices().collect();
        let chunks: Vec<_> = blocks
            .into_par_iter()
            .map(|(number, index)| {
                let block = UncompressedBlock::from_lines(&meta.headers[0].channels, index, |line| {
                    let row = &picture.pixels[line.location.position.y() * width..][..width];
                    let channel = channels[line.location.channel].1;
                    // A list of samples is written faster than one sample after the other.
                    let samples: Vec<f16> = row.iter().map(|pixel| pixel[channel]).collect();
                    // Writing to memory cannot fail.
                    let _ = line.write_samples_from_slice(&samples);
                });
                Ok((number, block.compress_to_chunk(&meta.headers)?))
            })
            .collect::<exr::error::Result<_>>()?;
        chunks.into_iter().try_for_each(|(number, chunk)| writer.write_chunk(number, chunk))
    })?;
    Ok(file.into_inner())
}

/// Whether a file holds a whole picture of a size: its last block, which is written last, is there.
pub(super) fn is_whole(file: impl Read + Seek, size: [u32; 2]) -> exr::error::Result<bool> {
    let reader = Reader::read_from_buffered(file, false)?;
    let [width, height] = size.map(|side| side as usize);
    if reader.headers().iter().any(|header| header.layer_size != Vec2(width, height)) {
        return Ok(false);
    }
    let mut last =
        reader.filter_chunks(true, |_, _, block| block.pixel_position.y() + block.pixel_size.height() == height)?;
    last.try_fold(true, |_, chunk| chunk.map(|_| true))
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
    fn the_same_pixels_are_read() {
        use exr::prelude::*;
        for size in [[1, 1], [16, 16], [33, 50], [5, 17]] {
            let picture = picture(size);
            for has_alpha in [false, true] {
                let bytes = exr_bytes(&picture, has_alpha).unwrap();
                let image = read()
                    .no_deep_data()
                    .largest_resolution_level()
                    .all_channels()
                    .first_valid_layer()
                    .all_attributes();
                let image = image.from_buffered(Cursor::new(bytes)).unwrap();
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
