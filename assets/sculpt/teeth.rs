//! Teeth with gums. Their colour becomes darker with the depth in the mouth, and stays warm.

use glam::DVec3;

use super::eyes::face_outwards;
use super::numbers::{Rgb, atan2, cos, hypot, mix, pow, sin, srgb, step, v};
use super::part::{Material, Part};

/// One jaw's arch and crowns.
struct Arch {
    /// Half widths of the crowns, from the middle.
    widths: [f64; 7],
    /// Half heights of the crowns.
    heights: [f64; 7],
    /// Half width of the arch, depth in front, depth at its ends.
    shape: [f64; 3],
    /// Height of the cutting edge in the middle, and of the gum's margin.
    edge_y: f64,
    margin_y: f64,
    /// 1 if the crowns extend upwards from their edges (upper jaw), -1 if downwards.
    up: f64,
}

const UPPER: Arch = Arch {
    widths: [0.43, 0.34, 0.38, 0.36, 0.36, 0.48, 0.48],
    heights: [0.50, 0.45, 0.49, 0.43, 0.42, 0.40, 0.40],
    shape: [2.86, 10.56, 6.7],
    edge_y: -3.33,
    margin_y: -2.58,
    up: 1.0,
};
const LOWER: Arch = Arch {
    widths: [0.29, 0.32, 0.36, 0.37, 0.37, 0.50, 0.50],
    heights: [0.42, 0.42, 0.45, 0.42, 0.40, 0.38, 0.38],
    shape: [2.70, 10.28, 6.6],
    edge_y: -3.06,
    margin_y: -3.66,
    up: -1.0,
};
/// The distance of each crown's edge from the other jaw, beyond that of the first crown, in centimetres.
const EDGE_OFFSETS: [f64; 7] = [0.0, 0.06, 0.0, 0.08, 0.10, 0.12, 0.14];
/// Half depths of the crowns, from cheek to tongue.
const HALF_DEPTHS: [f64; 7] = [0.20, 0.20, 0.30, 0.42, 0.42, 0.42, 0.42];

impl Arch {
    fn depth(&self, x: f64) -> f64 {
        let [half_width, front, back] = self.shape;
        front - (front - back) * pow(x.abs() / half_width, 2.45)
    }

    /// The x of the point on the arch at a distance of `length` along it from `x`.
    fn walk(&self, mut x: f64, length: f64) -> f64 {
        let mut walked = 0.0;
        while walked < length {
            let across = 0.01;
            walked += hypot(across, self.depth(x + across) - self.depth(x));
            x += across;
        }
        x
    }
}

/// Darkens a colour with the depth in the mouth: blue fades first, red last.
pub fn darkened_by_depth(color: Rgb, z: f64) -> Rgb {
    let light = step(6.7, 10.2, z);
    color * (v(0.16, 0.07, 0.06) + v(0.84, 0.93, 0.94) * v(pow(light, 0.8), pow(light, 0.95), pow(light, 1.05)))
}

/// The left half of one jaw's crowns, and its gum.
fn jaw(arch: &Arch, name: &'static str) -> Part {
    let mut half = Part::default();
    // The first teeth of both sides touch in the middle.
    let mut x = -0.016;
    for tooth in 0..7 {
        let half_width = arch.widths[tooth];
        let (middle, end) = (arch.walk(x, half_width), arch.walk(x, 2.0 * half_width));
        let turn = atan2(arch.depth(x) - arch.depth(end), end - x);
        crown(&mut half, arch, tooth, middle, turn);
        x = end + 0.006;
    }
    let mut part = half.both_sides();
    gum(&mut part, arch);
    part.drop_flat();
    face_outwards(&mut part);
    part.smooth();
    part.name = name;
    part
}

/// A power that keeps the sign.
fn bent(s: f64, power: f64) -> f64 {
    s.signum() * pow(s.abs(), power)
}

/// One crown: a rounded box.
fn crown(part: &mut Part, arch: &Arch, tooth: usize, x: f64, turn: f64) {
    const AROUND: usize = 12;
    const RINGS: usize = 7;
    let (half_width, half_height) = (arch.widths[tooth], arch.heights[tooth]);
    let half_depth = HALF_DEPTHS[tooth];
    let middle = v(x, arch.edge_y + arch.up * (half_height + EDGE_OFFSETS[tooth]), arch.depth(x) - half_depth * 0.6);
    let enamel = srgb(255, 242, 223);
    let neck = srgb(252, 232, 204);
    let first = part.positions.len();
    for ring in 0..RINGS {
        let latitude = std::f64::consts::PI * (0.5 - ring as f64 / (RINGS - 1) as f64);
        for i in 0..AROUND {
            let around = std::f64::consts::TAU * i as f64 / AROUND as f64;
            let belt = pow(cos(latitude).max(0.0), 0.40);
            let height = bent(sin(latitude), 0.62);
            // The crown is narrower at the gum.
            let taper = 1.0 - 0.07 * arch.up * height;
            // Chewing surfaces are hollow.
            let hollow = if tooth > 2 && height * arch.up < 0.0 { 0.16 * (1.0 - belt) } else { 0.0 };
            let local = v(
                belt * bent(cos(around), 0.55) * half_width * 1.06 * taper,
                height * half_height + hollow * arch.up,
                belt * bent(sin(around), 0.7) * half_depth,
            );
            let (s, c) = (sin(turn), cos(turn));
            let p = middle + v(c * local.x + s * local.z, local.y, c * local.z - s * local.x);
            let towards_gum = arch.up * height;
            let dulled = DVec3::ONE - v(0.06, 0.085, 0.095) * tooth.saturating_sub(2) as f64;
            let color = enamel.lerp(neck, 0.75 * step(0.2, 1.0, towards_gum)) * dulled;
            part.push(p, v(0.0, height, 0.0) + (p - middle) * v(1.0, 0.0, 1.0), darkened_by_depth(color, p.z));
        }
    }
    // Back teeth are matt: lights without shadows would turn them grey.
    let material = if tooth < 3 { Material::Teeth } else { Material::Molars };
    part.loft(material, first, AROUND, true);
}

/// The gum: a ridge along the arch on both sides of the crowns' necks, which ends behind the last one.
fn gum(part: &mut Part, arch: &Arch) {
    const AROUND: usize = 12;
    const STEPS: usize = 40;
    const HALF_HEIGHT: f64 = 0.62;
    let first = part.positions.len();
    let last = 2.0 * arch.widths.iter().sum::<f64>() + 0.25;
    for step_index in 0..=STEPS {
        let s = step_index as f64 / STEPS as f64 * 2.0 - 1.0;
        let x = s.signum() * arch.walk(0.0, last * s.abs());
        let slope = (arch.depth(x + 0.02) - arch.depth(x - 0.02)) / 0.04;
        let length = hypot(1.0, slope);
        let back = step(0.8, 2.9, last * s.abs());
        let half_depth = mix(HALF_DEPTHS[0], HALF_DEPTHS[6], back);
        for i in 0..AROUND {
            let around = std::f64::consts::TAU * i as f64 / AROUND as f64;
            let (out, height) = (bent(cos(around), 0.7), bent(sin(around), 0.7));
            // Beside the cheek the gum slopes outwards to meet it.
            let slope_out = if out > 0.0 { 0.20 * back * (1.0 + arch.up * height) } else { 0.0 };
            let out = (half_depth + 0.04 + slope_out) * out - 0.6 * half_depth;
            let y = arch.margin_y + arch.up * HALF_HEIGHT + HALF_HEIGHT * height;
            let p = v(x - slope / length * out, y, arch.depth(x) + out / length);
            part.push(
                p,
                v(-slope * cos(around), sin(around), cos(around)),
                darkened_by_depth(srgb(206, 112, 106), p.z + 0.8),
            );
        }
    }
    part.loft(Material::Mouth, first, AROUND, true);
}

/// Upper teeth and gum.
pub fn upper() -> Part {
    jaw(&UPPER, "teeth_upper")
}

/// Lower teeth and gum.
pub fn lower() -> Part {
    jaw(&LOWER, "teeth_lower")
}
