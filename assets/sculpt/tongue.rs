//! The tongue. At rest it is high, with the tip behind the upper teeth, so that a straight movement outwards passes above the lower
//! teeth and the lip.

use super::eyes::face_outwards;
use super::numbers::{Table, bell, cos, pow, sin, srgb, step, v};
use super::part::{Material, Part};
use super::teeth::darkened_by_depth;

/// The tongue at rest.
pub fn tongue() -> Part {
    const AROUND: usize = 18;
    const RINGS: usize = 22;
    // From the tip to the root: height of the middle, half height above and below it, half width.
    let profile = Table::new(&[
        (0.0, [-2.91, 0.46, 0.34, 1.50]),
        (0.2, [-2.97, 0.48, 0.40, 1.55]),
        (0.4, [-3.06, 0.52, 0.80, 1.68]),
        (0.7, [-3.34, 0.58, 0.90, 1.86]),
        (1.0, [-4.00, 0.60, 1.00, 1.86]),
    ]);
    let mut part = Part { name: "tongue", ..Part::default() };
    for ring in 0..RINGS {
        // Closer to each other at the round tip.
        let u = pow(ring as f64 / (RINGS - 1) as f64, 1.4);
        let rounded = |reach: f64| (1.0 - (1.0 - (u * reach).clamp(0.0, 1.0)).powi(2)).sqrt();
        let [y, above, below, half_width] = profile.at(u);
        let (half_width, z) = (half_width * rounded(2.5), 9.62 - 4.9 * u);
        for i in 0..AROUND {
            let around = std::f64::consts::TAU * i as f64 / AROUND as f64;
            let (x, height) = (half_width * cos(around), sin(around));
            let groove = if height > 1e-9 { 0.14 * bell(x / 0.35) * rounded(3.5) } else { 0.0 };
            let p = v(x, y + height * rounded(3.5) * if height > 0.0 { above } else { below } - groove, z);
            let color = srgb(206, 108, 106).lerp(srgb(168, 62, 62), 0.6 * step(9.3, 6.7, z));
            part.push(p, v(cos(around), sin(around), 0.0), darkened_by_depth(color, p.z + 0.9));
        }
    }
    part.loft(Material::Tongue, 0, AROUND, true);
    part.drop_flat();
    face_outwards(&mut part);
    part.smooth();
    part
}
