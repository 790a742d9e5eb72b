//! The tongue. At rest it is high, with the tip behind the upper teeth, so that a straight movement outwards passes above the lower
//! teeth and the lip.

use super::eyes::face_outwards;
use super::numbers::{Table, bell, cos, pow, sin, srgb, step, v, waves};
use super::part::{Material, Part};
use super::teeth::darkened_by_depth;

/// The tongue at rest.
pub fn tongue() -> Part {
    const AROUND: usize = 22;
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
            let turn = std::f64::consts::TAU * i as f64 / AROUND as f64;
            // Closer to each other along the middle of the upper side, where the groove is.
            let around = turn + 0.42 * cos(turn) * step(-0.2, 0.6, sin(turn));
            let (x, height) = (half_width * cos(around), sin(around));
            // The groove along the middle is narrow and fades towards the tip.
            let furrow = bell(x / 0.20) * step(0.04, 0.22, u);
            let groove = if height > 1e-9 { 0.16 * furrow + 0.05 * bell(x / 0.6) * rounded(3.5) } else { 0.0 };
            let p = v(x, y + height * rounded(3.5) * if height > 0.0 { above } else { below } - groove, z);
            // Greyish pink above, redder along the sides and in the groove.
            let coated = srgb(178, 116, 112).lerp(srgb(164, 88, 86), step(0.45, -0.1, height) + 0.45 * furrow);
            let color = coated.lerp(srgb(138, 62, 60), 0.7 * step(9.3, 6.7, z));
            let color = color * (1.0 + 0.05 * waves(p * 7.0));
            part.push(p, v(cos(around), sin(around), 0.0), darkened_by_depth(color, p.z + 0.9));
        }
    }
    part.loft(Material::Tongue, 0, AROUND, true);
    part.drop_flat();
    face_outwards(&mut part);
    part.smooth();
    part
}
