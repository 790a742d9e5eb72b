//! The 256 colours of a GIF: by median cut (P. Heckbert, "Color image quantization for frame buffer display", 1982), which splits the
//! box of colours with the largest error, and then by k-means (S. Lloyd, 1982), which moves each colour to the mean of what it stands
//! for.

use image::RgbaImage;
use rayon::prelude::*;

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
pub(in crate::export::film) struct Histogram {
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
    pub(in crate::export::film) fn add(&mut self, picture: &RgbaImage) {
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

/// The colours of a film.
#[derive(Clone, Debug)]
pub(in crate::export::film) struct Palette {
    colors: Vec<[u8; 3]>,
    has_transparent: bool,
    /// The nearest colour to the middle of each bin.
    nearest: Vec<u8>,
    /// The usual distance of neighbours, in steps of a channel.
    spacing: f32,
}

impl Palette {
    /// A pixel is transparent if it is covered less than this.
    pub(super) const LEAST_ALPHA: u8 = 128;
    const MEANS: usize = 6;

    /// The colours that are nearest to those of a histogram: 256, or 255 and a transparent one.
    pub(in crate::export::film) fn new(histogram: &Histogram, has_transparent: bool) -> Self {
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
        let middle = |bits: usize| ((bits & ((1 << BITS) - 1)) as f32 + 0.5) * (1 << (8 - BITS)) as f32 - 0.5;
        let nearest = (0..BINS).into_par_iter().map(|bin| {
            let color = [middle(bin >> (2 * BITS)), middle(bin >> BITS), middle(bin)];
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

    /// The index of the transparent colour.
    pub(super) fn transparent(&self) -> Option<u8> {
        self.has_transparent.then_some(u8::MAX)
    }

    /// The colour that is nearest to another, with its index. Channels may lie beyond 0..255.
    pub(super) fn nearest(&self, color: [f32; 3]) -> (u8, [u8; 3]) {
        let index = self.nearest[bin_of(color.map(|channel| channel.clamp(0.0, 255.0) as u8))];
        (index, self.colors[usize::from(index)])
    }

    /// The usual distance of neighbouring colours, in steps of a channel.
    pub(super) fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Red, green and blue of all 256 colours; those that are not used are black.
    pub(super) fn bytes(&self) -> [u8; 768] {
        let mut bytes = [0; 768];
        self.colors.iter().zip(bytes.as_chunks_mut::<3>().0).for_each(|(color, to)| *to = *color);
        bytes
    }
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|channel| (a[channel] - b[channel]).powi(2) * WEIGHTS[channel]).sum()
}

/// The index of the nearest colour, and its distance.
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
        let sum = |errors: &[f32; 3]| errors.iter().sum::<f32>();
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

fn moved_to_means(counted: &[Counted], colors: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let nearest: Vec<usize> = counted.par_iter().map(|(color, _)| nearest_of(colors, *color).0).collect();
    let mut groups = vec![Vec::new(); colors.len()];
    nearest.into_iter().zip(counted).for_each(|(index, counted)| groups[index].push(*counted));
    groups.iter().zip(colors).map(|(group, &color)| if group.is_empty() { color } else { mean_of(group).0 }).collect()
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

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
