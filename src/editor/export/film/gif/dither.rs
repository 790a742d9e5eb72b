//! A picture in the colours of a palette.

use image::RgbaImage;
use serde::{Deserialize, Serialize};

use super::palette::Palette;

/// How colours between those of a palette are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dither {
    /// By the nearest colour, which shows bands.
    None,
    /// By a regular pattern, which stands still where nothing moves (B. Bayer, 1973).
    #[default]
    Pattern,
    /// By passing errors on to the neighbours, which is finest in a still picture and flickers a little in a film (R. Floyd and
    /// L. Steinberg, 1976).
    Diffusion,
}

impl Dither {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::Pattern, Self::Diffusion];

    /// Its name on the command line.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Pattern => "pattern",
            Self::Diffusion => "diffusion",
        }
    }

    /// The index of the colour of each pixel. The top left pixel of the part is at `min` of the whole picture.
    pub(super) fn indices(self, part: &RgbaImage, min: [u32; 2], palette: &Palette) -> Vec<u8> {
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
    let index = |(x, y, pixel): (u32, u32, &image::Rgba<u8>)| {
        let [r, g, b, alpha] = pixel.0;
        let offset = offset(x, y);
        hidden(alpha, palette)
            .unwrap_or_else(|| palette.nearest([r, g, b].map(|channel| f32::from(channel) + offset)).0)
    };
    pixels.map(index).collect()
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

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::super::palette::Histogram;
    use super::*;

    /// Black and white, and a picture of middle grey.
    fn black_and_white() -> Palette {
        let mut histogram = Histogram::default();
        histogram.add(&RgbaImage::from_fn(2, 1, |x, _| Rgba([x as u8 * 255, x as u8 * 255, x as u8 * 255, 255])));
        Palette::new(&histogram, false)
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
}
