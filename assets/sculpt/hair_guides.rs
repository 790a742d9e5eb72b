//! The guides of the hair: curves between which strands are grown when the head is opened. Hair is combed from everywhere on the
//! scalp to the bun, so that strands from the hairline lie above those that are rooted behind them; short hairs stand at the
//! hairline, and the bun is wound.

use glam::DVec3;
use rayon::prelude::*;

use super::anatomy::head;
use super::ear;
use super::hair::{bun_surface, height, scalp};
use super::hairline;
use super::numbers::{Rgb, exp, hash, mix, pow, sin, step};
use super::paint::PALETTE;
use super::part::{Guides, Part};

/// The number of lines around the head on which guides are rooted.
const LINES: usize = 66;
/// Distances behind the hairline at which guides are rooted, in centimetres.
const ROOTS: [f64; 5] = [0.1, 0.8, 2.2, 4.4, 7.5];
/// The number of points of a guide.
const POINTS: usize = 16;
/// The centimetres per radian along a line from the hairline to the back.
const ARC: f64 = 9.5;
/// Where combed hair ends, under the bun.
const BACK_DEGREES: f64 = 174.0;

/// Curves while they are collected.
#[derive(Default)]
struct Curves {
    points: Part,
    ends: Vec<usize>,
}

/// Position, normal, colour.
type Point = (DVec3, DVec3, Rgb);

impl Curves {
    fn of(curves: impl IntoIterator<Item = Vec<Point>>) -> Self {
        let mut all = Self::default();
        for curve in curves {
            for (position, normal, color) in curve {
                all.points.push(position, normal, color);
            }
            all.ends.push(all.points.positions.len());
        }
        all
    }

    fn grown(self, count: f64, width: f64, clumping: f64, frizz: f64, flyaways: f64, shortest: f64) -> Guides {
        let growth = [
            ("count", count),
            ("width", width),
            ("clumping", clumping),
            ("frizz", frizz),
            ("flyaways", flyaways),
            ("shortest", shortest),
        ];
        Guides { points: Box::new(self.points), ends: self.ends, growth }
    }
}

/// The guides of all of the hair: combed, short at the hairline, wound into the bun.
pub fn all() -> Vec<Guides> {
    vec![
        combed().grown(14_000.0, 0.000_165, 0.2, 0.000_12, 0.004, 0.75),
        short().grown(4_500.0, 0.000_06, 0.15, 0.000_22, 0.01, 0.3),
        wound().grown(2_600.0, 0.000_2, 0.5, 0.000_6, 0.03, 0.7),
    ]
}

/// The colour of hair: 0 dark, 1 light.
fn shade(light: f64) -> Rgb {
    let color = PALETTE.hair.lerp(PALETTE.hair_light, light);
    // Strands are seen with light that passed through others, which makes them redder than the palette.
    color.lerp(Rgb::splat(color.dot(Rgb::splat(1.0 / 3.0))), 0.18)
}

/// A point over the scalp, `lift` centimetres, but flat where the ear covers it.
fn over_scalp(around: f64, away: f64, lift: f64) -> (DVec3, DVec3) {
    let (p, normal) = scalp(around, away);
    let lift = lift.max(0.02);
    let lifted = p + normal * lift;
    // The distance to the ear alone is what remains of that to both.
    let near_ear = step(0.28, 0.05, ear::with_head(lifted)) * step(0.02, 0.12, head(lifted) - ear::with_head(lifted));
    (p + normal * mix(lift, 0.03, near_ear), normal)
}

fn combed() -> Curves {
    let guide = |index: usize| -> Option<Vec<Point>> {
        let (line, row) = (index / ROOTS.len(), index % ROOTS.len());
        // Rows are staggered, so that roots are not in lines.
        let random = |series: u32| hash(index, 300 + series) * 2.0 - 1.0;
        let stagger = 0.5 * (row % 2) as f64 + 0.3 * random(0);
        let around = std::f64::consts::TAU * ((line as f64 + stagger) / LINES as f64 - 0.5);
        let start = hairline::edge(around);
        let back = BACK_DEGREES.to_radians();
        let root = (ROOTS[row] + if row == 0 { 0.15 + 0.3 * random(1) } else { 0.5 * random(1) }).max(-0.4);
        let total = (back - start) * ARC;
        if root > total - 3.0 {
            return None;
        }
        // Strands from far behind the hairline stay low: those before them lie on them.
        let layer = 1.0 - 0.22 * root.max(0.0) / (root.max(0.0) + 3.5);
        let light = (0.42 + 0.30 * random(2)).clamp(0.0, 1.0);
        let sway = 0.030 * random(3);
        let point = |j: usize| {
            let t = pow(j as f64 / (POINTS - 1) as f64, 1.15);
            let inwards = mix(root, total, t);
            let behind_root = inwards - root;
            let along = step(0.0, 3.0, behind_root) * step(total, total - 4.0, inwards);
            let turned = around + sway * sin(behind_root * 0.55 + 6.0 * random(4)) * along;
            let away = start + inwards / ARC;
            let full = 1.0 - exp(-behind_root / 1.1);
            let lift = 0.04 + height(around, away, inwards) * layer * full + 0.02 * random(5) * full;
            let (p, normal) = over_scalp(turned, away, lift);
            // Roots and lower layers are in the shade of the others; tips have been in the sun.
            let open = mix(0.55, 1.0, layer) * mix(0.85, 1.0, step(0.0, 1.6, behind_root));
            (p, normal, shade((light + 0.15 * t).min(1.0)) * open)
        };
        Some((0..POINTS).map(point).collect())
    };
    Curves::of((0..LINES * ROOTS.len()).into_par_iter().filter_map(guide).collect::<Vec<_>>())
}

/// Short hairs at the hairline. Most follow the comb; at the temples they fall forwards.
fn short() -> Curves {
    const COUNT: usize = 220;
    const SHORT_POINTS: usize = 6;
    let guide = |index: usize| -> Vec<Point> {
        let random = |series: u32| hash(index, 330 + series) * 2.0 - 1.0;
        let around = std::f64::consts::PI * 0.98 * (2.0 * (index as f64 + 0.5) / COUNT as f64 - 1.0);
        let start = hairline::edge(around);
        let root = 0.6 * random(0);
        let length = 1.9 + 0.9 * random(1);
        // Before the ear hair falls down and forwards.
        let degrees = around.abs().to_degrees();
        let falls = step(58.0, 74.0, degrees) * step(100.0, 94.0, degrees);
        let lean = 0.5 * random(2) + around.signum() * falls * (0.5 + 0.3 * random(3));
        let light = 0.5 + 0.3 * random(4);
        let point = |j: usize| {
            let t = j as f64 / (SHORT_POINTS - 1) as f64;
            let s = length * t;
            let along = s * (1.0 - 0.65 * falls * t);
            let away = start + (root + along) / ARC;
            let sideways = s * lean * (0.35 + 0.65 * t) / (ARC * sin(away).max(0.2));
            let lift = 0.03 + (0.06 + 0.05 * random(5)) * t + 0.7 * height(around, away, root + along).max(0.0) * t;
            let (p, normal) = over_scalp(around + sideways, away, lift);
            (p, normal, shade(light.clamp(0.0, 1.0)) * mix(0.9, 1.1, t))
        };
        (0..SHORT_POINTS).map(point).collect()
    };
    Curves::of((0..COUNT).into_par_iter().map(guide).collect::<Vec<_>>())
}

/// The bun: strands wound around it towards its middle.
fn wound() -> Curves {
    const COUNT: usize = 64;
    let guide = |index: usize| -> Vec<Point> {
        let random = |series: u32| hash(index, 360 + series) * 2.0 - 1.0;
        let around = std::f64::consts::TAU * (index as f64 + 0.4 * random(0)) / COUNT as f64;
        let (from, to) = (2.2 + 0.35 * random(1), 0.35 + 0.3 * random(2).abs());
        let turns = 2.1 + 0.5 * random(3);
        let light = 0.45 + 0.3 * random(4);
        let lift = 0.05 + 0.10 * random(5).abs();
        let point = |j: usize| {
            let t = j as f64 / (POINTS - 1) as f64;
            let u = mix(from, to, t);
            let (p, normal) = bun_surface(u, around + turns * t);
            let groove = 0.55 + 0.45 * step(0.0, 0.12, lift * sin(std::f64::consts::PI * t));
            (p + normal * (lift * sin(std::f64::consts::PI * t)), normal, shade(light) * groove)
        };
        (0..POINTS).map(point).collect()
    };
    Curves::of((0..COUNT).map(guide))
}
