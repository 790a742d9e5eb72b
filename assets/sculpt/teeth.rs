//! Teeth with gums: one crown after the other along the arch, each with the shape of its kind. Their colour becomes darker with the
//! depth in the mouth, and stays warm.

use glam::DVec3;

use super::eyes::face_outwards;
use super::numbers::{Rgb, Table, atan2, bell, cos, fourth, hash, hypot, mix, pow, sin, srgb, step, v};
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
    /// Series of the numbers that make the crowns of the left and the right side a little irregular.
    series: [u32; 2],
}

const UPPER: Arch = Arch {
    widths: [0.43, 0.34, 0.38, 0.36, 0.36, 0.48, 0.48],
    heights: [0.50, 0.45, 0.49, 0.43, 0.42, 0.40, 0.40],
    shape: [2.86, 10.56, 6.8],
    edge_y: -3.33,
    margin_y: -2.57,
    up: 1.0,
    series: [61, 62],
};
const LOWER: Arch = Arch {
    widths: [0.29, 0.32, 0.36, 0.37, 0.37, 0.50, 0.50],
    heights: [0.42, 0.42, 0.45, 0.42, 0.40, 0.38, 0.38],
    shape: [2.70, 10.28, 6.7],
    edge_y: -3.06,
    margin_y: -3.70,
    up: -1.0,
    // Equal, because a jaw that moves left and right has to be symmetric.
    series: [63, 63],
};
/// The distance of each crown's edge from the other jaw, beyond that of the first crown, in centimetres.
const EDGE_OFFSETS: [f64; 7] = [0.0, 0.07, -0.02, 0.07, 0.10, 0.12, 0.14];
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
    let light = step(5.4, 10.0, z);
    color * (v(0.72, 0.64, 0.60) + v(0.28, 0.36, 0.40) * v(pow(light, 0.8), pow(light, 0.95), pow(light, 1.05)))
}

/// The crowns of one jaw, and its gum.
fn jaw(arch: &Arch, name: &'static str) -> Part {
    let [mut part, right] = arch.series.map(|series| {
        let mut half = Part::default();
        // The first teeth of both sides touch in the middle.
        let mut x = 0.004;
        for tooth in 0..7 {
            let half_width = arch.widths[tooth];
            let (middle, end) = (arch.walk(x, half_width), arch.walk(x, 2.0 * half_width));
            let turn = atan2(arch.depth(x) - arch.depth(end), end - x);
            crown(&mut half, arch, (tooth, series), middle, turn);
            x = end + 0.004;
        }
        half
    });
    part.append(&right.mirrored());
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

/// The outline of a crown from its cutting edge to the gum. Per height: width and depth as parts of the greatest.
fn outline(tooth: usize) -> Table<2> {
    if tooth < 3 {
        Table::new(&[
            (0.0, [0.85, 0.24]),
            (0.045, [0.94, 0.36]),
            (0.16, [0.99, 0.52]),
            (0.35, [1.0, 0.72]),
            (0.62, [0.95, 0.93]),
            (0.85, [0.86, 1.0]),
            (1.0, [0.78, 0.94]),
        ])
    } else {
        Table::new(&[
            (0.0, [0.62, 0.55]),
            (0.06, [0.82, 0.76]),
            (0.22, [0.985, 0.93]),
            (0.42, [1.0, 1.0]),
            (0.70, [0.92, 0.98]),
            (1.0, [0.78, 0.88]),
        ])
    }
}

/// One crown. Incisors end in an edge with rounded corners, canines in a point, the teeth behind them in two rows of cusps. The last
/// ring lies within the gum, so that no end of a tooth is seen above its margin.
fn crown(part: &mut Part, arch: &Arch, (tooth, series): (usize, u32), x: f64, turn: f64) {
    let is_front = tooth < 3;
    let (around_count, heights): (usize, &[f64]) =
        if is_front { (16, &[0.0, 0.045, 0.16, 0.42, 0.74, 1.0, 1.2]) } else { (12, &[0.0, 0.07, 0.26, 0.65, 1.2]) };
    let outline = outline(tooth);
    let wobble = |i: u32| hash(tooth * 8 + i as usize, series) - 0.5;
    // Wider than its place, so that no gap is seen where two crowns touch.
    let half_width = arch.widths[tooth] * 1.08;
    let (height, half_depth) = (2.0 * arch.heights[tooth], HALF_DEPTHS[tooth]);
    let edge_y = arch.edge_y + arch.up * (EDGE_OFFSETS[tooth] + 0.03 * wobble(0));
    let middle = v(x, edge_y, arch.depth(x) - half_depth * 0.6 + 0.03 * wobble(1));
    let turn = turn + 0.10 * wobble(2);
    let lean = 0.05 * wobble(3);
    let (s, c) = (sin(turn), cos(turn));
    // Canines are yellower, and no two teeth are quite alike.
    let shade = 1.0 + 0.05 * wobble(4);
    let enamel = srgb(250, 246, 238) * shade * if tooth == 2 { v(0.98, 0.955, 0.90) } else { DVec3::ONE };
    let (edge, neck) = (srgb(230, 227, 220) * shade, srgb(228, 212, 184) * shade);
    let dulled = DVec3::ONE - v(0.025, 0.035, 0.045) * tooth.saturating_sub(2) as f64;
    let first = part.positions.len();
    // The first ring closes the edge.
    for ring in 0..=heights.len() {
        let h = heights[ring.saturating_sub(1)];
        let [wide, deep] = outline.at(h);
        let closing = if ring == 0 { 0.0 } else { 1.0 };
        for i in 0..around_count {
            let around = std::f64::consts::TAU * i as f64 / around_count as f64;
            let (across, forth) = (bent(cos(around), 0.78), bent(sin(around), 0.86));
            let along = across * wide * half_width * mix(0.55, 1.0, closing);
            // The front is nearly straight, the back leans towards it at the edge.
            let front = if is_front { half_depth * (0.88 - deep) * 0.75 } else { 0.0 };
            let back_and_forth = forth * deep * half_depth * mix(0.2, 1.0, closing) + front;
            // Rounded corners, the outer more than the inner; the point of a canine; cusps and the valley between them.
            let to_edge = step(0.45, 0.0, h);
            let q = along / half_width;
            let rise = match tooth {
                0 | 1 => 0.05 * bent(q.max(0.0), 2.6) + 0.025 * bent((-q).max(0.0), 3.0),
                2 => 0.17 * pow(q.abs(), 1.3) + 0.03 * q,
                3 | 4 => 0.12 * pow(q.abs(), 1.4) + 0.10 * (1.0 - closing),
                _ => 0.05 * (1.0 - cos(q * 6.0)) + 0.10 * (1.0 - closing),
            };
            let up = h * height + rise * to_edge;
            let local = v(along + lean * up, 0.0, back_and_forth);
            let p = middle + v(c * local.x + s * local.z, arch.up * up, c * local.z - s * local.x);
            // Light is lost between the teeth.
            let between = bell((1.0 - across.abs()) / 0.16) * step(0.0, 0.12, h);
            let color = edge.lerp(enamel, step(0.0, 0.22, h)).lerp(neck, 0.6 * step(0.6, 1.0, h)) * dulled;
            let color = color * (DVec3::ONE - v(0.10, 0.16, 0.20) * between);
            let outwards = v(c * along + s * back_and_forth, 0.0, c * back_and_forth - s * along);
            let normal = outwards * closing + v(0.0, -arch.up * step(0.1, 0.0, h), 0.0);
            part.push(p, normal, darkened_by_depth(color, p.z));
        }
    }
    // Back teeth are rougher: they lie deep, and reflect little but each other.
    let material = if is_front { Material::Teeth } else { Material::Molars };
    part.loft(material, first, around_count, true);
}

/// The gum: a ridge along the arch on both sides of the crowns' necks, which ends behind the last one. Its margin rises over each
/// crown and comes down between two.
fn gum(part: &mut Part, arch: &Arch) {
    const AROUND: usize = 9;
    const STEPS: usize = 4;
    const HALF_HEIGHT: f64 = 0.62;
    let first = part.positions.len();
    // Distances along the arch, each with the height of the margin, 1 between crowns.
    let mut places = vec![];
    let mut start = 0.0;
    for width in arch.widths {
        for i in 0..STEPS {
            let t = i as f64 / STEPS as f64;
            places.push((start + 2.0 * width * t, fourth(cos(std::f64::consts::PI * t))));
        }
        start += 2.0 * width + 0.004;
    }
    places.extend([(start, 0.6), (start + 0.25, 0.0)]);
    let right = places.iter().skip(1).rev().map(|&(length, papilla)| (-length, papilla));
    for (s, papilla) in right.chain(places.iter().copied()) {
        let x = s.signum() * arch.walk(0.0, s.abs());
        let slope = (arch.depth(x + 0.02) - arch.depth(x - 0.02)) / 0.04;
        let length = hypot(1.0, slope);
        let back = step(0.8, 2.9, s.abs());
        let half_depth = mix(HALF_DEPTHS[0], HALF_DEPTHS[6], back);
        for i in 0..AROUND {
            let around = std::f64::consts::TAU * (i as f64 + 0.5) / AROUND as f64;
            let (out, height) = (bent(cos(around), 0.7), bent(sin(around), 0.7));
            // Beside the cheek the gum slopes outwards to meet it.
            let slope_out = if out > 0.0 { 0.20 * back * (1.0 + arch.up * height) } else { 0.0 };
            // Over the roots it bulges, between them it is hollow.
            let root = if out > 0.0 { 0.035 * (1.0 - papilla) * step(1.0, 0.0, -arch.up * height) } else { 0.0 };
            let out = (half_depth + 0.03 + slope_out + root) * out - 0.6 * half_depth;
            let margin = step(0.1, 0.9, -arch.up * height);
            let y = arch.margin_y + arch.up * (HALF_HEIGHT + HALF_HEIGHT * height * arch.up - 0.36 * papilla * margin);
            let p = v(x - slope / length * out, y, arch.depth(x) + out / length);
            // Pale along the margin, redder towards the lip.
            let color = srgb(182, 108, 102).lerp(srgb(202, 138, 128), margin);
            let normal = v(-slope * cos(around), sin(around), cos(around));
            part.push(p, normal, darkened_by_depth(color, p.z + 0.6));
        }
    }
    part.loft(Material::Mouth, first, AROUND, true);
}

/// How far a point is in front of the teeth of one jaw, and the direction in which that grows: from the fronts of the crowns.
pub fn in_front(p: DVec3, is_upper: bool) -> (f64, DVec3) {
    const CROWN: f64 = 0.12;
    let arch = if is_upper { &UPPER } else { &LOWER };
    let (x, across) = (p.x.abs(), 0.02);
    let slope = (arch.depth(x + across) - arch.depth(x)) / across;
    let length = hypot(1.0, slope);
    let side = if p.x == 0.0 { 0.0 } else { p.x.signum() };
    ((p.z - arch.depth(x)) / length - CROWN, v(-slope * side, 0.0, 1.0) / length)
}

/// Upper teeth and gum.
pub fn upper() -> Part {
    jaw(&UPPER, "teeth_upper")
}

/// Lower teeth and gum.
pub fn lower() -> Part {
    jaw(&LOWER, "teeth_lower")
}
