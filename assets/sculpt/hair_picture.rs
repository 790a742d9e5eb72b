//! The hair textures: strands along v, one half of the head across u. One is for the shell, the other, with alpha, for the strip
//! over the hairline.

use super::numbers::{Rgb, hash, mix, sin, step, to_srgb};
use super::paint::PALETTE;
use super::picture::{Encoding, Picture, opaque};

/// The sizes of the textures, in texels across and along the strands.
const SHELL: [usize; 2] = [1024, 256];
const EDGE: [usize; 2] = [1024, 64];

/// Layers of the strip: how far a hair leans over its length, and the seed of its random numbers.
const LAYERS: [(f64, u32); 3] = [(0.006, 80), (-0.005, 90), (0.001, 100)];

/// Smooth noise on a line.
fn noise(x: f64, series: u32) -> f64 {
    let i = x.floor();
    let at = |i: f64| hash(i as i64 as usize, series);
    mix(at(i), at(i + 1.0), step(0.0, 1.0, x - i))
}

/// The hair's colour at `u` across and `w` along.
fn color(u: f64, w: f64) -> Rgb {
    let palette = &*PALETTE;
    let swayed = u + 0.004 * sin(w * 4.0 + u * 40.0) + 0.0012 * sin(w * 11.0 + u * 90.0);
    let clump = noise(swayed * 26.0, 60) * 0.5 + noise(swayed * 74.0, 61) * 0.5;
    let strand = 0.30 * noise(swayed * 150.0, 62) + 0.36 * noise(swayed * 300.0, 63) + 0.34 * noise(swayed * 480.0, 67);
    let light = 0.05 + 0.36 * clump + 0.66 * strand;
    let c = palette.hair.lerp(palette.hair_light, light);
    // The roots of the hair shade each other.
    c * (0.86 + 0.14 * step(0.0, 0.12, w))
}

fn rgb(c: Rgb) -> [u8; 3] {
    [c.x, c.y, c.z].map(to_srgb)
}

/// The middle of a texel, as parts of the width and the height.
fn place([width, height]: [usize; 2], column: usize, row: usize) -> (f64, f64) {
    ((column as f64 + 0.5) / width as f64, (row as f64 + 0.5) / height as f64)
}

/// The texture of the shell.
pub fn shell() -> Picture<'static> {
    let texel = |column, row| {
        let (u, w) = place(SHELL, column, row);
        opaque(rgb(color(u, w)))
    };
    Picture { name: "hair", size: SHELL, encoding: Encoding::Jpeg(86), texel: Box::new(texel) }
}

/// The texture of the strip: strands that begin at different heights, thin at first.
pub fn edge() -> Picture<'static> {
    let texel = |column, row| {
        let (u, w) = place(EDGE, column, row);
        let [r, g, b] = rgb(color(u, 0.10 * w));
        // Layers of hairs that cross at small angles. Each hair begins at another height, so that the strip becomes denser and
        // denser.
        let bare: f64 = LAYERS
            .iter()
            .map(|&(lean, series)| {
                let across = u + lean * (1.0 - w) + 0.003 * sin(u * 70.0) * (1.0 - w);
                let uneven = 0.16 * noise(across * 23.0, series) + 0.10 * noise(across * 120.0, series + 1);
                let hair = 0.75 * noise(across * 760.0, series + 2) + 0.25 * noise(across * 240.0, series + 3);
                let begin = uneven + 0.26 * hair;
                1.0 - 0.80 * step(begin, begin + 0.26, w)
            })
            .product();
        let visible = (1.0 - bare).max(step(0.42, 0.62, w));
        // Towards the back it fades into the shell below.
        let alpha = visible * step(1.0, 0.72, w);
        // Few levels of alpha compress better and look the same.
        [r & 0xFC, g & 0xFC, b & 0xFC, (alpha * 63.0).round() as u8 * 4]
    };
    Picture { name: "hair_edge", size: EDGE, encoding: Encoding::Png, texel: Box::new(texel) }
}
