//! GIF: one palette of 256 colours for the whole film, so that nothing flickers. The crate `gif` compresses the frames
//! and writes the file.
//!
//! The colours are chosen by median cut (P. Heckbert, "Color image quantization for frame buffer display", 1982), which
//! splits the box of colours with the largest error, and then by k-means (S. Lloyd, 1982), which moves each colour to
//! the mean of what it stands for.

use ::gif::{self, DisposalMethod};
use image::RgbaImage;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::changes::{Rect, StoredFrame};
use super::format::duration;
use smirk_base::atomic_file::{GrowingFile, WriteError};
use smirk_face::motion::FrameRate;

/// Compresses what has changed since the frame before, as indices of colours; all of a transparent frame, because a
/// format without alpha cannot make a pixel transparent again.
pub(super) fn frame(before: Option<&RgbaImage>, picture: &RgbaImage, palette: &Palette, dither: Dither) -> StoredFrame {
    let before = before.filter(|_| palette.transparent().is_none());
    let rect = before.map_or(Rect::whole(picture), |before| Rect::changed(before, picture, 1));
    let indices = dither.indices(&rect.crop(picture), rect.min, palette);
    let mut compressed = gif::Frame { buffer: indices.into(), ..gif::Frame::default() };
    compressed.make_lzw_pre_encoded();
    StoredFrame { rect, bytes: compressed.buffer.into_owned() }
}

pub(super) struct GifFile {
    rate: FrameRate,
    frames: usize,
    transparent: Option<u8>,
    /// Its bytes that are not in the file yet.
    encoder: gif::Encoder<Vec<u8>>,
}

impl GifFile {
    /// The highest rate: players show frames of less than 0.02 s for 0.1 s.
    pub(super) const MOST_FRAMES_PER_SEC: f64 = 50.0;

    /// Begins a file that plays forever.
    pub(super) fn begin(
        file: &mut GrowingFile,
        size: [u32; 2],
        rate: FrameRate,
        palette: &Palette,
    ) -> Result<Self, WriteError> {
        let [width, height] = size.map(|side| side as u16);
        let encoder = gif::Encoder::new(Vec::new(), width, height, &palette.bytes());
        let encoder = encoder.and_then(|mut encoder| encoder.set_repeat(gif::Repeat::Infinite).map(|()| encoder));
        let encoder = encoder.map_err(|error| file.error_of(error))?;
        let mut gif = Self { rate, frames: 0, transparent: palette.transparent(), encoder };
        gif.flush(file)?;
        Ok(gif)
    }

    pub(super) fn add(&mut self, file: &mut GrowingFile, frame: &StoredFrame) -> Result<(), WriteError> {
        let Rect { min: [left, top], size: [width, height] } = frame.rect;
        let frame = gif::Frame {
            delay: duration(self.rate, self.frames, 100.0) as u16,
            // A frame with transparent pixels is removed before the next.
            dispose: if self.transparent.is_some() { DisposalMethod::Background } else { DisposalMethod::Keep },
            transparent: self.transparent,
            left: left as u16,
            top: top as u16,
            width: width as u16,
            height: height as u16,
            buffer: (&frame.bytes).into(),
            ..gif::Frame::default()
        };
        self.frames += 1;
        self.encoder.write_lzw_pre_encoded_frame(&frame).map_err(|error| file.error_of(error))?;
        self.flush(file)
    }

    pub(super) fn end(self, file: &mut GrowingFile) -> Result<(), WriteError> {
        let end = self.encoder.into_inner().map_err(|error| file.error_of(error))?;
        file.append(&end)
    }

    fn flush(&mut self, file: &mut GrowingFile) -> Result<(), WriteError> {
        file.append(&std::mem::take(self.encoder.get_mut()))
    }
}

/// How colours between those of a palette are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Dither {
    /// By the nearest colour, which shows bands.
    None,
    /// By a regular pattern, which stands still where nothing moves (B. Bayer, 1973).
    #[default]
    Pattern,
    /// By passing errors on to the neighbours, which is finest in a still picture and flickers a little in a film (R.
    /// Floyd and L. Steinberg, 1976).
    Diffusion,
}

impl Dither {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn keyword(self) -> &'static str {
        self.into()
    }

    /// The index of the colour of each pixel. The top left pixel of the part is at `min` of the whole picture.
    fn indices(self, part: &RgbaImage, min: [u32; 2], palette: &Palette) -> Vec<u8> {
        match self {
            Self::None => by_offset(part, palette, |_, _| 0.0),
            Self::Pattern => {
                let spacing = palette.spacing();
                by_offset(part, palette, |x, y| bayer(x + min[0], y + min[1]) * spacing)
            }
            Self::Diffusion => diffused(part, palette),
        }
    }
}

/// Each pixel for itself, with a number added to its channels that depends on its place.
fn by_offset(part: &RgbaImage, palette: &Palette, offset: impl Fn(u32, u32) -> f32) -> Vec<u8> {
    let pixels = part.enumerate_pixels();
    pixels
        .map(|(x, y, pixel)| {
            let [r, g, b, alpha] = pixel.0;
            let offset = offset(x, y);
            hidden(alpha, palette)
                .unwrap_or_else(|| palette.nearest([r, g, b].map(|channel| f32::from(channel) + offset)).0)
        })
        .collect()
}

fn hidden(alpha: u8, palette: &Palette) -> Option<u8> {
    palette.transparent().filter(|_| alpha < Palette::LEAST_ALPHA)
}

/// The threshold of a place in an 8 × 8 pattern, from -0.5 to 0.5.
fn bayer(x: u32, y: u32) -> f32 {
    let (mut value, mixed) = (0, x ^ y);
    for bit in 0..3 {
        value = value << 2 | (mixed >> bit & 1) << 1 | y >> bit & 1;
    }
    (value as f32 + 0.5) / 64.0 - 0.5
}

fn diffused(part: &RgbaImage, palette: &Palette) -> Vec<u8> {
    let width = part.width() as usize;
    let mut indices = vec![0; width * part.height() as usize];
    // With a column on each side, to which errors may go.
    let (mut errors, mut below) = (vec![[0.0_f32; 3]; width + 2], vec![[0.0_f32; 3]; width + 2]);
    for (row, (line, indices)) in
        part.chunks_exact(width.max(1) * 4).zip(indices.chunks_exact_mut(width.max(1))).enumerate()
    {
        below.fill([0.0; 3]);
        let line = line.as_chunks::<4>().0;
        // To and fro, so that errors do not all go to one side.
        let is_back = row % 2 == 1;
        for step in 0..width {
            let x = if is_back { width - 1 - step } else { step };
            let [r, g, b, alpha] = line[x];
            if let Some(index) = hidden(alpha, palette) {
                indices[x] = index;
                continue;
            }
            let wanted: [f32; 3] =
                std::array::from_fn(|channel| f32::from([r, g, b][channel]) + errors[x + 1][channel]);
            let (index, color) = palette.nearest(wanted);
            indices[x] = index;
            let (ahead, behind) = if is_back { (x, x + 2) } else { (x + 2, x) };
            for channel in 0..3 {
                // Errors beyond what a palette leaves come from colours that it lacks, and would leave trails.
                let error = (wanted[channel] - f32::from(color[channel])).clamp(-64.0, 64.0) / 16.0;
                errors[ahead][channel] += error * 7.0;
                below[behind][channel] += error * 3.0;
                below[x + 1][channel] += error * 5.0;
                below[ahead][channel] += error;
            }
        }
        std::mem::swap(&mut errors, &mut below);
    }
    indices
}

/// Bits of a channel by which colours are counted together. Their means are exact.
const BITS: u32 = 6;

const BINS: usize = 1 << (3 * BITS);

/// How much differences of red, green and blue count for the eye.
const WEIGHTS: [f32; 3] = [2.0, 4.0, 1.5];

fn bin_of([r, g, b]: [u8; 3]) -> usize {
    let [r, g, b] = [r, g, b].map(|channel| usize::from(channel >> (8 - BITS)));
    r << (2 * BITS) | g << BITS | b
}

/// How often colours occur in some pictures.
#[derive(Clone, Debug)]
pub(in crate::film) struct Histogram {
    /// By bin: the number of pixels, and the sums of their channels.
    bins: Vec<[u64; 4]>,
}

/// The mean colour of a bin, and the number of its pixels.
type Counted = ([f32; 3], f32);

impl Default for Histogram {
    fn default() -> Self {
        Self { bins: vec![[0; 4]; BINS] }
    }
}

impl Histogram {
    /// Counts the colours of a picture, but for those of transparent pixels.
    pub(in crate::film) fn add(&mut self, picture: &RgbaImage) {
        for &[r, g, b, alpha] in picture.as_chunks::<4>().0 {
            if alpha >= Palette::LEAST_ALPHA {
                let bin = &mut self.bins[bin_of([r, g, b])];
                [1, u64::from(r), u64::from(g), u64::from(b)].iter().zip(bin).for_each(|(add, sum)| *sum += add);
            }
        }
    }

    fn counted(&self) -> Vec<Counted> {
        let bins = self.bins.iter().filter(|[count, ..]| *count > 0);
        // A large area of one colour does not need more colours in the same measure.
        bins.map(|&[count, r, g, b]| ([r, g, b].map(|sum| sum as f32 / count as f32), (count as f32).sqrt())).collect()
    }
}

#[derive(Clone, Debug)]
pub(in crate::film) struct Palette {
    colors: Vec<[u8; 3]>,
    has_transparent: bool,
    nearest: Vec<u8>,
    /// The usual distance of neighbours, in steps of a channel.
    spacing: f32,
}

impl Palette {
    /// A pixel is transparent if it is covered less than this.
    const LEAST_ALPHA: u8 = 128;
    const MEANS: usize = 6;

    /// The colours that are nearest to those of a histogram: 256, or 255 and a transparent one.
    pub(in crate::film) fn new(histogram: &Histogram, has_transparent: bool) -> Self {
        let counted = histogram.counted();
        let most = if has_transparent { 255 } else { 256 };
        let mut colors = median_cut(counted.clone(), most);
        for _ in 0..Self::MEANS {
            colors = moved_to_means(&counted, &colors);
        }
        let mut colors: Vec<[u8; 3]> = colors.iter().map(|color| color.map(|channel| channel.round() as u8)).collect();
        colors.sort_unstable();
        colors.dedup();
        if colors.is_empty() {
            colors.push([0; 3]);
        }
        let exact: Vec<[f32; 3]> = colors.iter().map(|color| color.map(f32::from)).collect();
        let nearest = (0..BINS).into_par_iter().map(|bin| {
            let color = [middle_of_bin(bin >> (2 * BITS)), middle_of_bin(bin >> BITS), middle_of_bin(bin)];
            nearest_of(&exact, color).0 as u8
        });
        let (mut errors, mut total) = (0.0, f32::MIN_POSITIVE);
        for (color, count) in &counted {
            errors += nearest_of(&exact, *color).1.sqrt() * count;
            total += count;
        }
        let per_channel = errors / total / WEIGHTS.iter().sum::<f32>().sqrt();
        Self { nearest: nearest.collect(), has_transparent, spacing: (per_channel * 4.0).clamp(1.0, 48.0), colors }
    }

    fn transparent(&self) -> Option<u8> {
        self.has_transparent.then_some(u8::MAX)
    }

    /// The colour that is nearest to another, with its index. Channels may lie beyond 0..255.
    fn nearest(&self, color: [f32; 3]) -> (u8, [u8; 3]) {
        let index = self.nearest[bin_of(color.map(|channel| channel.clamp(0.0, 255.0) as u8))];
        (index, self.colors[usize::from(index)])
    }

    fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Red, green and blue of all 256 colours; those that are not used are black.
    fn bytes(&self) -> [u8; 768] {
        let mut bytes = [0; 768];
        self.colors.iter().zip(bytes.as_chunks_mut::<3>().0).for_each(|(color, to)| *to = *color);
        bytes
    }
}

fn middle_of_bin(bits: usize) -> f32 {
    ((bits & ((1 << BITS) - 1)) as f32 + 0.5) * (1 << (8 - BITS)) as f32 - 0.5
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|channel| (a[channel] - b[channel]).powi(2) * WEIGHTS[channel]).sum()
}

fn nearest_of(colors: &[[f32; 3]], color: [f32; 3]) -> (usize, f32) {
    let distances = colors.iter().map(|&other| distance(color, other)).enumerate();
    distances.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default()
}

/// The sums of squared differences from the mean, channel by channel.
fn errors_of(colors: &[Counted]) -> [f32; 3] {
    let (mean, _) = mean_of(colors);
    [0, 1, 2].map(|channel| {
        let errors = colors.iter().map(|(color, count)| (color[channel] - mean[channel]).powi(2) * count);
        errors.sum::<f32>() * WEIGHTS[channel]
    })
}

fn mean_of(colors: &[Counted]) -> Counted {
    let (mut sum, mut total) = ([0.0; 3], 0.0);
    for (color, count) in colors {
        (0..3).for_each(|channel| sum[channel] += color[channel] * count);
        total += count;
    }
    (sum.map(|sum| if total > 0.0 { sum / total } else { 0.0 }), total)
}

fn median_cut(colors: Vec<Counted>, most: usize) -> Vec<[f32; 3]> {
    let mut boxes = vec![(errors_of(&colors), colors)];
    while boxes.len() < most {
        let widest = (0..boxes.len()).max_by(|&a, &b| sum(&boxes[a].0).total_cmp(&sum(&boxes[b].0)));
        let Some(widest) = widest.filter(|&index| boxes[index].1.len() > 1) else { break };
        let (errors, mut colors) = boxes.swap_remove(widest);
        let channel = (0..3).max_by(|&a, &b| errors[a].total_cmp(&errors[b])).unwrap_or_default();
        colors.sort_by(|(a, _), (b, _)| a[channel].total_cmp(&b[channel]));
        let (mean, _) = mean_of(&colors);
        let at = colors.partition_point(|(color, _)| color[channel] <= mean[channel]).clamp(1, colors.len() - 1);
        let above = colors.split_off(at);
        boxes.extend([colors, above].map(|colors| (errors_of(&colors), colors)));
    }
    boxes.iter().filter(|(_, colors)| !colors.is_empty()).map(|(_, colors)| mean_of(colors).0).collect()
}

fn sum(errors: &[f32; 3]) -> f32 {
    errors.iter().sum::<f32>()
}

fn moved_to_means(counted: &[Counted], colors: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let nearest: Vec<usize> = counted.par_iter().map(|(color, _)| nearest_of(colors, *color).0).collect();
    let mut groups = vec![Vec::new(); colors.len()];
    nearest.into_iter().zip(counted).for_each(|(index, counted)| groups[index].push(*counted));
    groups.iter().zip(colors).map(|(group, &color)| if group.is_empty() { color } else { mean_of(group).0 }).collect()
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::Histogram;
    use super::*;

    /// Black and white, and a picture of middle grey.
    fn black_and_white() -> Palette {
        palette_of(&RgbaImage::from_fn(2, 1, |x, _| Rgba([x as u8 * 255, x as u8 * 255, x as u8 * 255, 255])), false)
    }

    #[test]
    fn the_pattern_has_each_threshold_once() {
        let mut thresholds: Vec<f32> = (0..64).map(|place| bayer(place % 8, place / 8)).collect();
        thresholds.sort_by(f32::total_cmp);
        let even = (0..64).all(|index| (thresholds[index] - ((index as f32 + 0.5) / 64.0 - 0.5)).abs() < 1e-6);
        assert!(even, "{thresholds:?}");
    }

    #[test]
    fn diffusion_keeps_the_mean() {
        let palette = black_and_white();
        for grey in [90_u8, 128, 170] {
            let picture = RgbaImage::from_pixel(64, 64, Rgba([grey, grey, grey, 255]));
            let white = palette.nearest([255.0; 3]).0;
            let indices = Dither::Diffusion.indices(&picture, [0; 2], &palette);
            let part = indices.iter().filter(|&&index| index == white).count() as f32 / indices.len() as f32;
            // Errors are limited, so that the mean is only near.
            assert!((0.02..0.98).contains(&part) && (part > 0.4) == (grey > 100), "{grey}: {part}");
            let flat = Dither::None.indices(&picture, [0; 2], &palette);
            assert!(flat.iter().all(|index| *index == flat[0]));
        }
    }

    #[test]
    fn a_part_has_the_pattern_of_the_whole() {
        let picture = RgbaImage::from_fn(32, 32, |x, y| Rgba([(x * 8) as u8, (y * 8) as u8, 90, 255]));
        let mut histogram = Histogram::default();
        histogram.add(&picture);
        let palette = Palette::new(&histogram, false);
        let whole = Dither::Pattern.indices(&picture, [0; 2], &palette);
        let part = image::imageops::crop_imm(&picture, 5, 9, 11, 13).to_image();
        let of_part = Dither::Pattern.indices(&part, [5, 9], &palette);
        for (place, index) in of_part.iter().enumerate() {
            assert_eq!(*index, whole[(place / 11 + 9) * 32 + place % 11 + 5]);
        }
    }

    fn palette_of(picture: &RgbaImage, has_transparent: bool) -> Palette {
        let mut histogram = Histogram::default();
        histogram.add(picture);
        Palette::new(&histogram, has_transparent)
    }

    #[test]
    fn few_colours_are_exact() {
        let colors = [[0, 0, 0], [255, 255, 255], [200, 30, 40], [8, 12, 9], [120, 121, 250]];
        let picture = RgbaImage::from_fn(50, 5, |_, y| {
            let [r, g, b] = colors[y as usize];
            Rgba([r, g, b, 255])
        });
        let palette = palette_of(&picture, false);
        for color in colors {
            assert_eq!(palette.nearest(color.map(f32::from)).1, color);
        }
        assert_eq!((palette.colors.len(), palette.transparent()), (5, None));
    }

    #[test]
    fn many_colours_are_near() {
        // A dark gradient and a skin-like ramp, of more colours than a palette has.
        let picture = RgbaImage::from_fn(256, 128, |x, y| {
            if y < 64 {
                Rgba([(x / 10) as u8, (x / 9) as u8, (x / 8) as u8, 255])
            } else {
                Rgba([x as u8, (x * 3 / 4) as u8, (x / 2 + (y - 64) / 8) as u8, 255])
            }
        });
        let palette = palette_of(&picture, true);
        assert!(palette.colors.len() > 200 && palette.colors.len() <= 255, "{}", palette.colors.len());
        assert_eq!(palette.transparent(), Some(255));
        let apart = |pixel: &Rgba<u8>| {
            let [r, g, b, _] = pixel.0;
            let (_, [x, y, z]) = palette.nearest([r, g, b].map(f32::from));
            [r.abs_diff(x), g.abs_diff(y), b.abs_diff(z)].into_iter().max().unwrap()
        };
        let worst = picture.pixels().map(apart).max().unwrap();
        assert!(worst <= 6, "{worst}");
    }

    #[test]
    fn a_picture_without_pixels_has_a_palette() {
        let palette = palette_of(&RgbaImage::new(4, 4), true);
        assert_eq!(palette.nearest([1000.0, -5.0, f32::NAN]).0, 0);
    }
}
