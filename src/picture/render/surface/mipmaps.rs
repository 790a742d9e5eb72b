//! Mipmaps. Colours are averaged in linear light, and other data without conversion.

use std::borrow::Cow;
use std::sync::LazyLock;

use rayon::prelude::*;

use smirk_face::head::Encoding;

/// A level of no more texels is computed by one core.
const TEXELS_OF_TASK: usize = 1 << 18;

/// One size of a texture: RGBA, 8 bits each.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MipLevel<'a> {
    /// The number of texels in a row.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// `width * height * 4` bytes.
    pub rgba: Cow<'a, [u8]>,
}

/// The mipmaps of `level`: `level` itself, then levels of half the size each, down to one texel, without those larger
/// than `limit` along an axis. If there is a `cutoff` (above 0), texels with a lower alpha are dropped when drawing. In
/// that case alphas are scaled so that the fraction of texels that are drawn is the same in every level and lashes do
/// not become thinner at a distance (I. Castaño, "Computing alpha mipmaps", 2010).
pub(super) fn chain(level: MipLevel<'_>, encoding: Encoding, cutoff: Option<f32>, limit: u32) -> Vec<MipLevel<'_>> {
    let wanted = cutoff.map(|cutoff| (cutoff, share_from(&alpha_counts(&level), (cutoff * 255.0).ceil() as usize)));
    let mut levels = halves(level, encoding, limit);
    if let Some((cutoff, wanted)) = wanted {
        levels.iter_mut().skip(1).for_each(|level| keep_share(level, cutoff, wanted));
    }
    levels
}

fn halves(level: MipLevel<'_>, encoding: Encoding, limit: u32) -> Vec<MipLevel<'_>> {
    let mut levels = vec![level];
    while let Some(last) = levels.last().filter(|last| last.width > 1 || last.height > 1) {
        let half = halved(last, encoding);
        if last.width > limit || last.height > limit {
            levels.clear();
        }
        levels.push(half);
    }
    levels
}

/// For each alpha, the number of texels that have it.
fn alpha_counts(level: &MipLevel<'_>) -> [usize; 256] {
    let mut counts = [0; 256];
    level.rgba.as_chunks::<4>().0.iter().for_each(|texel| counts[usize::from(texel[3])] += 1);
    counts
}

/// The fraction of texels that have at least that alpha.
fn share_from(counts: &[usize; 256], alpha: usize) -> f32 {
    let all: usize = counts.iter().sum();
    counts[alpha.min(256)..].iter().sum::<usize>() as f32 / all.max(1) as f32
}

/// Scales alphas so that about the fraction `wanted` of the texels reaches the cutoff.
fn keep_share(level: &mut MipLevel<'_>, cutoff: f32, wanted: f32) {
    let counts = alpha_counts(level);
    let off_by = |alpha: usize| (share_from(&counts, alpha) - wanted).abs();
    // If several thresholds are equally good, the largest is used, but none above the largest alpha: in a small level,
    // thin hair should be too thick rather than invisible.
    let Some(most) = counts.iter().rposition(|&count| count > 0) else { return };
    let Some(reaches) = (1..=most).rev().min_by(|&a, &b| off_by(a).total_cmp(&off_by(b))) else { return };
    let scale = cutoff * 255.0 / reaches as f32;
    for texel in level.rgba.to_mut().as_chunks_mut::<4>().0 {
        texel[3] = (f32::from(texel[3]) * scale).round().min(255.0) as u8;
    }
}

/// The level of half the size, in which each texel is the mean of 2×2 texels.
fn halved(level: &MipLevel<'_>, encoding: Encoding) -> MipLevel<'static> {
    let (width, height) = ((level.width / 2).max(1), (level.height / 2).max(1));
    let (texels, _) = level.rgba.as_chunks::<4>();
    let (columns, last_row) = (level.width as usize, level.height as usize - 1);
    let mut rgba = vec![0; width as usize * height as usize * 4];
    let curves = Curves { linear: &LINEAR, srgb: &SRGB };
    // Small levels are not worth waiting for other cores, which build pipelines meanwhile.
    let rows_of_task = (TEXELS_OF_TASK / width as usize).max(1);
    let rows = rgba.par_chunks_exact_mut(width as usize * 4).with_min_len(rows_of_task);
    rows.enumerate().for_each(|(y, row)| {
        let [above, below] = [2 * y, (2 * y + 1).min(last_row)].map(|row| &texels[row * columns..][..columns]);
        // A single column counts twice.
        let single = [above, below].map(|row| [[row[0]; 2]]);
        let [above, below] = match columns {
            1 => [&single[0][..], &single[1][..]],
            _ => [above, below].map(|row| row.as_chunks::<2>().0),
        };
        let fours = above.iter().zip(below).map(|(&[a, b], &[c, d])| [a, b, c, d]);
        let means = row.as_chunks_mut::<4>().0.iter_mut().zip(fours);
        match encoding {
            Encoding::Srgb => means.for_each(|(mean, four)| *mean = curves.mean_color(four)),
            Encoding::Linear => means.for_each(|(mean, four)| *mean = mean_data(four)),
        }
    });
    MipLevel { width, height, rgba: rgba.into() }
}

/// The tables between sRGB bytes and linear light.
struct Curves<'a> {
    linear: &'a [u16; 256],
    srgb: &'a [u8; STEPS + 1],
}

impl Curves<'_> {
    /// The mean in linear light, weighted by alpha so that the colours of transparent texels have no effect.
    fn mean_color(&self, four: [[u8; 4]; 4]) -> [u8; 4] {
        let linear = |texel: [u8; 4], channel: usize| u32::from(self.linear[usize::from(texel[channel])]);
        // Most textures are opaque, or all texels in one place are equally so.
        if four.iter().all(|texel| texel[3] == four[0][3]) {
            let light = [0, 1, 2].map(|channel| four.map(|texel| linear(texel, channel)).iter().sum());
            let [red, green, blue] = light.map(|light| self.encoded(light));
            return [red, green, blue, four[0][3]];
        }
        let alphas = four.map(|texel| u32::from(texel[3]));
        let alpha: u32 = alphas.iter().sum();
        let [red, green, blue] = [0, 1, 2].map(|channel| {
            let light: u32 = four.iter().zip(alphas).map(|(&texel, alpha)| linear(texel, channel) * alpha).sum();
            self.encoded(4 * light / alpha)
        });
        [red, green, blue, ((alpha + 2) / 4) as u8]
    }

    /// The sRGB byte for the sum of the linear light of four texels.
    fn encoded(&self, light: u32) -> u8 {
        self.srgb[((light + LIGHT_OF_STEP / 2) / LIGHT_OF_STEP) as usize]
    }
}

/// The mean of each channel. Directions become shorter than 1; the shader normalises them.
fn mean_data(four: [[u8; 4]; 4]) -> [u8; 4] {
    // Two channels of a texel at a time, each with 16 bits.
    const CHANNELS: u32 = 0x00FF_00FF;
    let [red_blue, green_alpha] = [0, 8].map(|shift| {
        let sum: u32 = four.iter().map(|texel| (u32::from_le_bytes(*texel) >> shift) & CHANNELS).sum();
        ((sum + 0x0002_0002) >> 2) & CHANNELS
    });
    (red_blue | green_alpha << 8).to_le_bytes()
}

/// Linear light for each sRGB byte (IEC 61966-2-1): 65535 is white.
static LINEAR: LazyLock<[u16; 256]> = LazyLock::new(|| {
    std::array::from_fn(|byte| {
        let value = byte as f32 / 255.0;
        let linear = if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
        (linear * 65535.0).round() as u16
    })
});

/// The last step of linear light that has an sRGB byte: there are enough that converting a byte to linear light and
/// back gives the same byte.
const STEPS: usize = 8192;
/// From one step to the next, in the sum of the light of four texels, which is 4 · 65535 for white.
const LIGHT_OF_STEP: u32 = 32;

/// The sRGB byte for each step of linear light.
static SRGB: LazyLock<[u8; STEPS + 1]> = LazyLock::new(|| {
    std::array::from_fn(|step| {
        let value = (step as u32 * LIGHT_OF_STEP) as f32 / (4.0 * 65535.0);
        let encoded = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
        (encoded * 255.0 + 0.5) as u8
    })
});

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(width: u32, height: u32, texel: [u8; 4]) -> MipLevel<'static> {
        MipLevel { width, height, rgba: texel.repeat((width * height) as usize).into() }
    }

    #[test]
    fn a_single_colour_stays_the_same_at_every_size() {
        for byte in 0..=255 {
            let color = [byte, 255 - byte, 7, 200];
            for encoding in [Encoding::Srgb, Encoding::Linear] {
                let levels = chain(plain(5, 3, color), encoding, None, 64);
                let sizes: Vec<_> = levels.iter().map(|level| (level.width, level.height)).collect();
                assert_eq!(sizes, [(5, 3), (2, 1), (1, 1)]);
                assert!(levels.iter().all(|level| level.rgba.chunks_exact(4).all(|texel| texel == color)));
            }
        }
    }

    #[test]
    fn black_and_white_are_averaged_in_linear_light() {
        let level = MipLevel { width: 2, height: 1, rgba: vec![0, 0, 0, 255, 255, 255, 255, 255].into() };
        assert_eq!(*chain(level, Encoding::Srgb, None, 64)[1].rgba, [188, 188, 188, 255]);
    }

    #[test]
    fn data_is_averaged_as_it_is_whatever_the_alpha() {
        let level = MipLevel { width: 2, height: 1, rgba: vec![0, 10, 255, 0, 255, 20, 255, 255].into() };
        assert_eq!(*chain(level, Encoding::Linear, None, 64)[1].rgba, [128, 15, 255, 128]);
    }

    #[test]
    fn levels_computed_by_many_cores_have_the_means_of_all_their_texels() {
        let byte = |at: usize| (at as u32).wrapping_mul(2_654_435_761).to_be_bytes()[0];
        let rgba: Vec<u8> = (0..2048 * 1024 * 4).map(byte).collect();
        let texel = |x: usize, y: usize, channel: usize| rgba[(y * 2048 + x) * 4 + channel];
        let light = |byte: u8| f64::from(LINEAR[usize::from(byte)]) / 65535.0;
        let level = MipLevel { width: 2048, height: 1024, rgba: rgba.as_slice().into() };
        let half = &chain(level, Encoding::Srgb, None, 2048)[1];
        assert!(half.rgba.len() > 4 * TEXELS_OF_TASK, "one core computes it");
        for (at, mean) in half.rgba.as_chunks::<4>().0.iter().enumerate().step_by(97) {
            let (x, y) = (at % 1024 * 2, at / 1024 * 2);
            let four = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
            let alpha: f64 = four.map(|(x, y)| f64::from(texel(x, y, 3))).iter().sum();
            for (channel, &found) in mean[..3].iter().enumerate() {
                let lights = four.map(|(x, y)| light(texel(x, y, channel)) * f64::from(texel(x, y, 3)));
                let (wanted, found) = (lights.iter().sum::<f64>() / alpha, light(found));
                assert!((wanted - found).abs() < 0.005, "{wanted} {found} at {at}");
            }
            assert!((f64::from(mean[3]) - alpha / 4.0).abs() <= 0.5);
        }
    }

    #[test]
    fn invisible_texels_do_not_bleed_in() {
        let level = MipLevel { width: 2, height: 1, rgba: vec![255, 0, 0, 0, 0, 0, 255, 255].into() };
        assert_eq!(*chain(level, Encoding::Srgb, None, 64)[1].rgba, [0, 0, 255, 128]);
    }

    #[test]
    fn levels_that_are_too_large_are_left_out() {
        let levels = chain(plain(16, 4, [9; 4]), Encoding::Srgb, None, 5);
        assert_eq!((levels[0].width, levels[0].height), (4, 1));
        assert_eq!(levels.len(), 3);
    }

    #[test]
    fn thin_hair_does_not_vanish_from_afar() {
        // One column in four is opaque, as a hair is. In the level of a quarter of the size, every mean is below the
        // cutoff.
        let row: Vec<u8> = (0..64).flat_map(|x| [9, 9, 9, if x % 4 == x / 16 { 255 } else { 0 }]).collect();
        let level = MipLevel { width: 64, height: 64, rgba: row.repeat(64).into() };
        let reach = |level: &MipLevel<'_>| share_from(&alpha_counts(level), 128);
        let plain = chain(level.clone(), Encoding::Srgb, None, 64);
        let wanted = chain(level, Encoding::Srgb, Some(0.5), 64);
        assert_eq!((reach(&plain[0]), reach(&plain[2])), (0.25, 0.0));
        assert_eq!(wanted[0], plain[0]);
        assert!((1..3).all(|size| reach(&wanted[size]) > 0.0), "no hair is left");
    }

    #[test]
    fn as_many_texels_reach_the_cutoff_at_every_size() {
        // Noise, most of it with a low alpha: its means are all below the cutoff.
        let noise = |at: u32| (at.wrapping_mul(2_654_435_761) >> 24) as f32 / 255.0;
        let rgba: Vec<u8> = (0..64 * 64).flat_map(|at| [9, 9, 9, (noise(at).powi(2) * 255.0) as u8]).collect();
        let level = MipLevel { width: 64, height: 64, rgba: rgba.into() };
        let shares = |cutoff| {
            let levels = chain(level.clone(), Encoding::Srgb, cutoff, 64);
            [0, 1, 2, 3].map(|size: usize| share_from(&alpha_counts(&levels[size]), 128))
        };
        let (plain, wanted) = (shares(None), shares(Some(0.5)));
        assert!(plain[3] < plain[0] * 0.5, "{plain:?}");
        assert!(wanted.iter().all(|share| (share - wanted[0]).abs() < 0.1), "{wanted:?}");
    }
}
