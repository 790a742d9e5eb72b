//! The colour of the skin as a function of the position at rest: linear, mirrored, without fine grain.

use std::sync::LazyLock;

use glam::DVec3;

use super::anatomy::{CORNER_RISE, MOUTH_X, MOUTH_Y};
use super::ear;
use super::hairline;
use super::layout::parting;
use super::nostril;
use super::numbers::{Rgb, bell, blob, exp, hash, hypot, noise, pow, sin, srgb, step, v, waves};
use super::rings::Tissue;

/// The colours of the head, in linear light.
pub struct Palette {
    /// Skin that is not occluded.
    pub skin: Rgb,
    /// Skin through which blood is visible.
    pub blush: Rgb,
    /// Lips.
    pub lip: Rgb,
    /// Inside of the lips.
    pub mucosa: Rgb,
    /// Inside of the cheeks, in the shade of the mouth.
    pub cheek: Rgb,
    /// The deepest part of the mouth.
    pub depth: Rgb,
    /// Hair in shade.
    pub hair: Rgb,
    /// Hair in light.
    pub hair_light: Rgb,
    /// Brows.
    pub brow: Rgb,
    /// Lashes and lid line.
    pub liner: Rgb,
}

/// The head's colours.
pub static PALETTE: LazyLock<Palette> = LazyLock::new(|| Palette {
    skin: srgb(218, 170, 149),
    blush: srgb(200, 106, 92),
    lip: srgb(170, 92, 86),
    mucosa: srgb(150, 72, 68),
    cheek: srgb(156, 74, 68),
    depth: srgb(82, 33, 29),
    hair: srgb(42, 28, 22),
    hair_light: srgb(108, 72, 50),
    brow: srgb(94, 64, 47),
    liner: srgb(40, 23, 20),
});

/// Height of the brow's middle line at `x`.
pub fn brow_line(x: f64) -> f64 {
    let t = (x - 1.25) / 4.0;
    5.32 + 0.50 * sin(t.clamp(0.0, 1.15) * 2.05) - 0.50 * (t - 0.70).clamp(0.0, 1.0)
}

/// Half the brow's height at `x`.
pub fn brow_half(x: f64) -> f64 {
    let t = ((x - 1.15) / 4.1).clamp(0.0, 1.0);
    0.29 * pow(1.0 - t * t, 0.7) * step(-0.02, 0.16, t) + 0.13
}

/// The proportion of lip colour: 1 on the lips, with a soft edge of more than a millimetre.
pub fn lip_share(x: f64, y: f64) -> f64 {
    let t = (x / (MOUTH_X - 0.01)).clamp(0.0, 1.0);
    let middle = MOUTH_Y + CORNER_RISE * t * t;
    // Cupid's bow: a dip in the middle, a peak to each side.
    let bow = 0.66 - 0.14 * bell(x / 0.27) + 0.07 * bell((x - 0.55) / 0.32);
    let top = middle + bow * pow(1.0 - pow(t, 1.9), 0.95);
    let bottom = middle - 0.78 * pow(1.0 - pow(t, 2.3), 0.8);
    let slant = (1.0 + pow(1.1 * t * t * t, 2.0)).sqrt();
    step(-0.13, 0.13, (top - y).min(y - bottom) / slant)
}

fn over(under: Rgb, color: Rgb, share: f64) -> Rgb {
    under.lerp(color, share.clamp(0.0, 1.0))
}

/// A point in a system of axes that is turned against that of the head.
fn turned_lattice(p: DVec3) -> DVec3 {
    v(v(2.0, 1.0, 2.0).dot(p), v(-2.0, 2.0, 1.0).dot(p), v(-1.0, -2.0, 2.0).dot(p)) / 3.0
}

/// The colour of the skin without occlusion. `p` is the position at rest, `normal` has unit length.
fn bare(p: DVec3, normal: DVec3) -> Rgb {
    let palette = &*PALETTE;
    let skin = palette.skin;
    let a = v(p.x.abs(), p.y, p.z);
    // Noise varies smoothly over the middle, where its mirror images meet.
    let noisy = v(hypot(p.x, 0.7), p.y, p.z);
    let mut c = skin;
    // Neck and chest paler, forehead yellower, the skin around the mouth a trace paler and greener.
    c = over(c, skin * v(1.02, 1.05, 1.09), 0.5 * step(-9.0, -12.0, a.y));
    c = over(c, skin * v(0.99, 1.00, 0.84), 0.75 * blob(a, v(0.0, 7.6, 10.0), v(4.4, 2.2, 3.4)));
    c = over(c, skin * v(0.96, 1.00, 0.95), 0.55 * blob(a, v(2.3, -3.4, 10.2), v(2.0, 2.2, 2.4)));
    c = over(c, skin * v(0.93, 0.97, 0.99), 0.6 * blob(a, v(1.8, -4.6, 10.0), v(2.6, 2.2, 2.6)));
    // The temples are thin and cool.
    c = over(c, skin * v(0.94, 0.98, 1.02), 0.5 * blob(a, v(5.9, 5.0, 6.2), v(1.4, 1.7, 2.0)));
    // Blood is near the surface on cheeks, nose and its wings, chin, and on the bone of the brow; it is spread unevenly.
    let uneven = 1.0 + 0.22 * waves(noisy * 1.3 + 5.0) + 0.12 * waves(noisy * 3.7);
    let blush = 0.31 * blob(a, v(4.2, 0.35, 8.9), v(2.1, 1.5, 2.4)) * uneven
        + 0.12 * blob(a, v(2.4, 0.5, 10.2), v(1.6, 1.2, 1.6)) * uneven
        + 0.44 * blob(a, v(0.0, 0.30, 12.8), v(0.95, 0.8, 1.2))
        + 0.50 * blob(a, v(1.35, -0.1, 11.1), v(0.55, 0.75, 0.9))
        + 0.20 * blob(a, v(0.0, -6.3, 11.0), v(1.5, 0.9, 1.5))
        + 0.12 * blob(a, v(2.9, 4.9, 9.8), v(1.5, 0.5, 1.5))
        + 0.10 * blob(a, v(0.0, 3.0, 11.2), v(0.7, 1.6, 1.4))
        // Over the breastbone.
        + 0.10 * blob(a, v(0.0, -15.5, 4.5), v(3.5, 2.5, 4.0)) * uneven;
    c = over(c, palette.blush, blush);
    // Around the eyes: thin skin, warm crease, cooler hollow below.
    c = over(c, skin * v(0.84, 0.76, 0.84), 0.55 * blob(a, v(2.4, 2.40, 9.7), v(1.3, 0.45, 1.4)));
    c = over(c, skin * v(0.84, 0.70, 0.68), 0.38 * blob(a, v(1.6, 3.5, 9.5), v(0.45, 0.7, 1.0)));
    c = over(c, srgb(178, 122, 108), 0.40 * blob(a, v(3.3, 4.62, 9.6), v(1.65, 0.40, 1.5)));
    // Tone varies broadly and softly, blood and pigment in patches of 9 down to 2 mm.
    c *= 1.0 + 0.018 * waves(noisy * 0.9) + 0.016 * waves(noisy * 2.3 + 3.0);
    // Turned, so that the lattice of the noise is in line with neither texels nor the axes of neck and brow.
    let turned = turned_lattice(noisy);
    let patches = |cells: f64, seed: f64| noise(turned * cells + seed);
    let off_lips = 1.0 - 0.6 * lip_share(a.x, a.y) * step(8.5, 9.5, a.z);
    let blood = off_lips
        * (0.030 * waves(noisy * 0.8 + 9.0)
            + 0.050 * patches(1.1, 20.0)
            + 0.040 * patches(2.5, 40.0)
            + 0.028 * patches(6.0, 60.0));
    c *= v(1.0 + 0.2 * blood, 1.0 - blood, 1.0 - 0.9 * blood);
    let pigment = off_lips * (0.35 * patches(1.7, 80.0) + 0.35 * patches(4.5, 30.0) + 0.25 * patches(14.0, 50.0));
    c *= v(1.0 - 0.025 * pigment, 1.0 - 0.045 * pigment, 1.0 - 0.065 * pigment);
    c = freckled(c, a);
    c = with_brow(c, a);
    c = with_lips(c, a);
    // The rim of the nostril is reddish.
    let rim = step(1.7, 0.9, nostril::from_middle(a));
    c = over(c, srgb(126, 60, 50), 0.55 * rim * step(0.2, -0.3, normal.y));
    c
}

/// A few pale freckles over nose and cheeks.
fn freckled(mut c: Rgb, a: DVec3) -> Rgb {
    if a.z < 7.0 || a.y > 3.0 || a.y < -1.5 {
        return c;
    }
    for i in 0..70 {
        let at = v(0.25 + 4.6 * hash(i, 31), -0.6 + 2.6 * hash(i, 32), 0.0);
        let size = 0.035 + 0.04 * hash(i, 33);
        let d2 = (a.x - at.x).powi(2) + (a.y - at.y).powi(2);
        if d2 < 9.0 * size * size {
            let zone = blob(v(at.x, at.y, 0.0), v(2.3, 1.0, 0.0), v(2.2, 1.1, 1.0));
            c = over(c, srgb(178, 112, 82), 0.30 * zone * (0.4 + 0.6 * hash(i, 34)) * exp(-d2 / (size * size)));
        }
    }
    c
}

fn with_brow(c: Rgb, a: DVec3) -> Rgb {
    if a.z < 5.0 {
        return c;
    }
    let across = (a.y - brow_line(a.x)).abs() / brow_half(a.x);
    let ends = step(1.15, 2.1, a.x) * step(5.5, 3.9, a.x);
    over(c, PALETTE.brow, 0.74 * step(1.30, 0.25, across) * ends)
}

fn with_lips(mut c: Rgb, a: DVec3) -> Rgb {
    if a.z < 9.0 || a.x > MOUTH_X + 0.4 || (a.y - MOUTH_Y).abs() > 1.6 {
        return c;
    }
    let palette = &*PALETTE;
    let share = lip_share(a.x, a.y) * step(MOUTH_X + 0.12, MOUTH_X - 0.12, a.x);
    // The edge catches light above the upper lip, shade lies below the lower one.
    let halo = lip_share(a.x * 0.985, MOUTH_Y + (a.y - MOUTH_Y) * 0.88) - share;
    c = over(c, PALETTE.skin * v(1.06, 1.03, 1.0), 0.12 * halo * step(MOUTH_Y, MOUTH_Y + 0.3, a.y));
    let full = blob(a, v(0.0, -3.62, 11.5), v(1.3, 0.30, 0.7)) + 0.6 * blob(a, v(0.5, -2.62, 11.6), v(0.8, 0.22, 0.7));
    let mut lip = over(palette.lip, palette.lip * v(1.16, 1.28, 1.28), 0.6 * full);
    // Fine vertical lines, wider apart than they are deep.
    let lines = sin(a.x * 19.0 + 2.0 * sin(a.x * 5.0) + 0.6 * sin(a.y * 4.0));
    lip *= 1.0 + 0.022 * lines;
    // Darker where the lips are moist, towards the corners, and uneven.
    let moist = bell((a.y - parting(a.x)) / 0.20).max(0.6 * step(1.6, 2.5, a.x));
    lip = over(lip, lip * v(0.84, 0.70, 0.70), 0.55 * moist);
    let uneven = 0.06 * noise(a * 3.1 + 11.0) + 0.05 * noise(turned_lattice(a) * 7.3 + 5.0);
    lip *= v(1.0 + 0.5 * uneven, 1.0 + uneven, 1.0 + uneven);
    c = over(c, lip, 0.82 * share);
    let seam = bell((a.y - parting(a.x)) / 0.055) * step(MOUTH_X + 0.1, MOUTH_X - 0.1, a.x) * step(9.4, 9.9, a.z);
    c = over(c, palette.mucosa * 0.62, 0.75 * seam * share.max(0.4));
    let corner = blob(a, v(MOUTH_X + 0.03, MOUTH_Y + CORNER_RISE - 0.05, 10.0), v(0.16, 0.10, 0.6));
    over(c, palette.mucosa * 0.8, 0.5 * corner)
}

/// The roots of the hair are visible through the scalp.
fn with_scalp(c: Rgb, p: DVec3) -> Rgb {
    if p.y < -4.0 {
        return c;
    }
    let inside = hairline::inside(p);
    let roots = PALETTE.skin.lerp(PALETTE.hair, 0.92);
    over(c, roots, 0.14 * step(-0.9, 0.1, inside) + 0.58 * step(-0.35, 0.8, inside))
}

/// What makes the halves of the face unlike, as a factor: both share the texture, so this colours vertices. Moles, and a little more
/// blood here and there.
pub fn unlike(p: DVec3) -> Rgb {
    const MOLES: [(DVec3, f64, f64); 5] = [
        (v(3.05, -0.95, 10.0), 0.10, 0.42),
        (v(-4.55, -2.35, 8.1), 0.11, 0.36),
        (v(-1.75, -3.95, 10.4), 0.09, 0.30),
        (v(4.95, 2.05, 8.4), 0.09, 0.30),
        (v(-2.6, -9.6, 4.6), 0.14, 0.40),
    ];
    let mole: f64 = MOLES.iter().map(|&(at, size, depth)| depth * blob(p, at, DVec3::splat(size * 1.5))).sum();
    let blood = 0.022 * waves(p * 0.55 + 2.0);
    v(1.0 - 0.4 * blood.abs(), 1.0 - 0.02 - blood, 1.0 - 0.02 - blood) * (DVec3::ONE - v(0.7, 1.0, 1.15) * mole)
}

/// Darkens a colour by occlusion. Skin in crevices becomes red, not grey.
pub fn occluded(color: Rgb, openness: f64) -> Rgb {
    let floor = v(0.76, 0.66, 0.64);
    color * (floor + (DVec3::ONE - floor) * v(pow(openness, 0.75), pow(openness, 1.05), pow(openness, 1.12)))
}

/// The colour of the skin at a point of any tissue.
pub fn color(p: DVec3, normal: DVec3, tissue: Tissue, openness: f64, lid_line: f64) -> Rgb {
    let palette = &*PALETTE;
    match tissue {
        Tissue::Skin => {
            let c = over(with_scalp(bare(p, normal), p), palette.liner, lid_line);
            occluded(c, openness)
        }
        Tissue::LidRim(depth) => {
            // Pale along the lids, dark under the upper lashes; at the inner corner moist and red, at the outer one like the white.
            let x = p.x.abs();
            let (inner, outer) = (step(2.25, 1.85, x), step(4.1, 4.5, x));
            let flesh = srgb(216, 166, 152).lerp(srgb(194, 128, 116), step(0.2, 0.7, depth));
            let moist = srgb(208, 146, 134).lerp(srgb(192, 118, 108), step(0.4, 0.9, depth));
            let pale = srgb(206, 150, 138).lerp(srgb(198, 166, 154), step(0.3, 0.6, depth));
            let line = 0.85 * lid_line * step(0.9, 0.4, depth * (1.0 + inner.max(outer)));
            over(flesh.lerp(moist, inner).lerp(pale, outer), palette.liner * 1.3, line)
        }
        Tissue::Nostril(depth) => {
            let at_rim = occluded(bare(p, normal), openness);
            at_rim.lerp(srgb(120, 52, 44), step(0.0, 0.25, depth)).lerp(srgb(34, 13, 11), step(0.1, 0.5, depth))
        }
        Tissue::Lining(depth) => {
            let wet = over(palette.lip, palette.mucosa, step(0.0, 0.5, depth));
            // The lips shade what is behind their edge.
            let shade = DVec3::ONE - v(0.40, 0.46, 0.46) * step(0.0, 0.35, depth);
            over(wet * shade, palette.cheek * 0.8, step(0.55, 1.1, depth))
        }
        Tissue::Bag(depth) => over(palette.cheek, palette.depth * (1.0 - 0.35 * depth), step(0.35, 1.0, depth)),
        Tissue::Ear => {
            let q = ear::local(p);
            let off_head = super::anatomy::head(p);
            let free = step(0.1, 0.8, off_head);
            let warm = 0.30 + 0.25 * step(0.6, 2.6, q.y) + 0.25 * step(-0.8, -1.8, q.y);
            let bare = bare(p, normal);
            // Points away from the scalp have no hair roots.
            let c = over(with_scalp(bare, p).lerp(bare, step(0.02, 0.20, off_head)), palette.blush, 0.85 * warm * free);
            let bowl = blob(q, v(0.26, -0.36, 0.0), v(0.34, 0.40, 0.40));
            occluded(over(c, srgb(104, 44, 36), 0.85 * bowl), openness)
        }
    }
}
