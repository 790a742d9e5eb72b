//! The ear: its own field, blended into the head's, and the patch of triangles cut from the blend (naive surface nets,
//! S. Gibson 1998). The patch ends on the skin around the ear, where it is joined to the grid.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use super::anatomy::head;
use super::field::{ellipsoid, gradient, join, meet, tube};
use super::numbers::{cos, mix, pow, sin, step, v};

/// Position of the ear.
const ROOT: DVec3 = v(7.20, 2.15, 0.45);
/// Width of the blend between ear and head: above, and at the lobe, which merges into the cheek.
const BLEND: [f64; 2] = [0.5, 0.45];
/// Edge of a cell of the patch.
const CELL: f64 = 0.115;

/// Middle of the ear in its own frame.
pub const MIDDLE: DVec3 = v(-0.2, 0.4, 0.0);

/// The axes of the ear's own frame as rows: forwards along the ear, up along it, and outwards.
static AXES: LazyLock<DMat3> = LazyLock::new(|| {
    let (flare, tilt) = (20f64.to_radians(), 13f64.to_radians());
    let back = v(-sin(flare), 0.0, cos(flare));
    let out = v(cos(flare), 0.0, sin(flare));
    let up = v(0.0, cos(tilt), 0.0) - back * sin(tilt);
    DMat3::from_cols(out.cross(up), up, out).transpose()
});

/// Transforms a point into the ear's own frame: x forwards, y up, z outwards.
pub fn local(p: DVec3) -> DVec3 {
    *AXES * (p - ROOT)
}

fn bent(points: &[(f64, f64, f64, f64)], per_span: usize) -> Vec<(DVec3, f64)> {
    let at = |i: isize| points[i.clamp(0, points.len() as isize - 1) as usize];
    let mut chain = Vec::new();
    for span in 0..points.len() as isize - 1 {
        let [a, b, c, d] = [at(span - 1), at(span), at(span + 1), at(span + 2)];
        for i in 0..per_span {
            let t = i as f64 / per_span as f64;
            let spline = |a: f64, b: f64, c: f64, d: f64| {
                b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)))
            };
            let position = v(spline(a.0, b.0, c.0, d.0), spline(a.1, b.1, c.1, d.1), spline(a.2, b.2, c.2, d.2));
            chain.push((position, spline(a.3, b.3, c.3, d.3)));
        }
    }
    let end = points[points.len() - 1];
    chain.push((v(end.0, end.1, end.2), end.3));
    chain
}

static HELIX: LazyLock<Vec<(DVec3, f64)>> = LazyLock::new(|| {
    bent(
        &[
            (0.35, 0.25, 0.10, 0.16),
            (0.85, 0.75, 0.16, 0.17),
            (0.98, 1.5, 0.18, 0.18),
            (0.72, 2.3, 0.2, 0.19),
            (0.1, 2.78, 0.2, 0.2),
            (-0.7, 2.68, 0.2, 0.2),
            (-1.3, 2.05, 0.2, 0.19),
            (-1.52, 1.1, 0.2, 0.19),
            (-1.45, 0.1, 0.16, 0.19),
            (-1.22, -0.75, 0.12, 0.19),
            (-0.88, -1.45, 0.08, 0.19),
            (-0.45, -1.85, 0.05, 0.19),
        ],
        3,
    )
});

static ANTIHELIX: LazyLock<Vec<(DVec3, f64)>> = LazyLock::new(|| {
    bent(
        &[
            (-0.50, -1.15, 0.10, 0.15),
            (-0.84, -0.3, 0.16, 0.17),
            (-0.82, 0.6, 0.16, 0.18),
            (-0.45, 1.35, 0.12, 0.16),
            (0.15, 1.80, 0.06, 0.12),
        ],
        4,
    )
});

/// The ear alone; `p.x` is positive.
fn ear(p: DVec3) -> f64 {
    // The curves are scaled down a little.
    const SCALE: f64 = 0.92;
    let q = local(p) / SCALE;
    // Far from thin solids the field underestimates the distance; a thicker bounding solid estimates it better.
    let around = ellipsoid(q - MIDDLE, v(2.5, 3.7, 1.7));
    if around > 1.5 {
        return around * SCALE;
    }
    let mut d = ellipsoid(q - v(-0.24, 0.45, -0.04), v(1.28, 2.25, 0.18));
    d = join(d, ellipsoid(q - v(-0.02, -1.60, -0.04), v(0.60, 0.68, 0.26)), 0.4);
    d = join(d, tube(q, &HELIX, 0.0), 0.36);
    d = join(d, tube(q, &ANTIHELIX, 0.0), 0.26);
    // The groove between both ends above the lobe.
    d = join(d, ellipsoid(q - v(-0.80, -1.12, 0.02), v(0.42, 0.62, 0.16)), 0.25);
    // The bowl; tragus and antitragus in front of and below it.
    d = meet(d, -ellipsoid(q - v(0.0, -0.15, 0.32), v(0.60, 0.84, 0.52)), 0.18);
    d = join(d, ellipsoid(q - v(0.80, -0.40, 0.10), v(0.20, 0.42, 0.26)), 0.25);
    d = join(d, ellipsoid(q - v(-0.42, -1.15, 0.08), v(0.24, 0.26, 0.24)), 0.2);
    // The notch between both, which must not be a crack.
    d = join(d, ellipsoid(q - v(0.46, -0.95, -0.52), v(0.60, 0.72, 0.36)), 0.8);
    d = join(d, ellipsoid(q - v(0.25, -0.10, -0.78), v(0.95, 1.9, 0.80)), 0.5);
    // The front of the lobe touches the cheek.
    d = join(d, ellipsoid(q - v(0.50, -1.25, -0.42), v(0.80, 0.70, 0.34)), 0.45);
    d.max(around) * SCALE
}

/// Head and ear as one; both sides.
pub fn with_head(p: DVec3) -> f64 {
    let left = v(p.x.abs(), p.y, p.z);
    let blend = mix(BLEND[0], BLEND[1], step(-0.5, -1.5, local(left).y));
    let whole = join(ear(left), head(p), blend);
    // The bowl goes down to the skull, so it is cut from both.
    let q = local(left);
    let bowl = ellipsoid(q - v(0.02, -0.14, 0.36), v(0.54, 0.78, 0.58));
    meet(whole, -bowl, 0.34)
}

/// Whether the grid has a hole at this point, which the patch of the ear fills.
pub fn covers(p: DVec3) -> bool {
    is_near(p) && footprint(p) < 1.14
}

/// Squared distance from the ear's middle along the skull, 1 on the rim of its patch.
fn footprint(p: DVec3) -> f64 {
    let q = local(p) - MIDDLE;
    // Larger than an ellipse, to include the corners of the lobe.
    let cubed = |x: f64| x.abs() * x * x;
    pow(cubed(q.x / 2.15) + cubed(q.y / 3.35), 2.0 / 3.0)
}

/// Whether a point is in the ear's surroundings, on the left.
pub fn is_near(p: DVec3) -> bool {
    p.x > 4.0 && (p - ROOT).length() < 5.5
}

/// A surface with a border.
pub struct Patch {
    /// In centimetres.
    pub positions: Vec<DVec3>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[usize; 3]>,
}

/// The left ear with a rim of bare skin.
pub fn patch() -> Patch {
    let low = v(4.6, -2.4, -3.7);
    let size = [48usize, 78, 68];
    let corner = |i: usize, j: usize, k: usize| low + v(i as f64, j as f64, k as f64) * CELL;
    let index = |i: usize, j: usize, k: usize| (i * size[1] + j) * size[2] + k;
    let all: Vec<[usize; 3]> = (0..size[0] * size[1] * size[2])
        .map(|n| [n / (size[1] * size[2]), n / size[2] % size[1], n % size[2]])
        .collect();
    let values: Vec<f64> = all.par_iter().map(|&[i, j, k]| with_head(corner(i, j, k))).collect();

    // One vertex per cell that the surface crosses.
    let mut cell_vertex: BTreeMap<usize, usize> = BTreeMap::new();
    let mut positions = Vec::new();
    for &[i, j, k] in &all {
        if i + 1 >= size[0] || j + 1 >= size[1] || k + 1 >= size[2] {
            continue;
        }
        let mut inside = 0;
        for n in 0..8 {
            inside += usize::from(values[index(i + (n & 1), j + (n >> 1 & 1), k + (n >> 2))] < 0.0);
        }
        if inside != 0 && inside != 8 {
            cell_vertex.insert(index(i, j, k), positions.len());
            positions.push(corner(i, j, k) + DVec3::splat(0.5 * CELL));
        }
    }
    // A quad around every grid edge that the surface crosses.
    let mut quads: Vec<[usize; 4]> = Vec::new();
    for &[i, j, k] in &all {
        let here = values[index(i, j, k)] < 0.0;
        for axis in 0..3 {
            let mut end = [i, j, k];
            end[axis] += 1;
            let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
            if end[axis] >= size[axis] || [i, j, k][b] == 0 || [i, j, k][c] == 0 {
                continue;
            }
            if here == (values[index(end[0], end[1], end[2])] < 0.0) {
                continue;
            }
            let around = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[db, dc]: [usize; 2]| {
                let mut cell = [i, j, k];
                cell[b] -= db;
                cell[c] -= dc;
                cell_vertex.get(&index(cell[0], cell[1], cell[2])).copied()
            });
            if let [Some(p), Some(q), Some(r), Some(s)] = around {
                quads.push(if here { [p, q, r, s] } else { [s, r, q, p] });
            }
        }
    }
    make_distances_even(&mut positions, &quads);
    trim(positions, quads)
}

/// Slides vertices along the surface to even distances.
fn make_distances_even(positions: &mut Vec<DVec3>, quads: &[[usize; 4]]) {
    let mut neighbours = vec![Vec::new(); positions.len()];
    for quad in quads {
        for i in 0..4 {
            neighbours[quad[i]].push(quad[(i + 1) % 4]);
            neighbours[quad[(i + 1) % 4]].push(quad[i]);
        }
    }
    for _ in 0..6 {
        *positions = positions
            .par_iter()
            .zip(&neighbours)
            .map(|(&p, others)| {
                let middle = others.iter().map(|&other| positions[other]).sum::<DVec3>() / others.len().max(1) as f64;
                let mut q = if others.is_empty() { p } else { p.lerp(middle, 0.35) };
                for _ in 0..2 {
                    let slope = gradient(with_head, q, 0.004);
                    q -= slope * (with_head(q) / slope.length_squared().max(0.1)).clamp(-0.1, 0.1);
                }
                q
            })
            .collect();
    }
}

/// Keeps the triangles that the ear may have changed.
fn trim(positions: Vec<DVec3>, mut quads: Vec<[usize; 4]>) -> Patch {
    quads.retain(|quad| quad.iter().all(|&vertex| footprint(positions[vertex]) < 1.0));
    let mut renamed: BTreeMap<usize, usize> = BTreeMap::new();
    let mut used = Vec::new();
    let mut rename = |vertex: usize| {
        *renamed.entry(vertex).or_insert_with(|| {
            used.push(positions[vertex]);
            used.len() - 1
        })
    };
    let triangles: Vec<[usize; 3]> = quads
        .into_iter()
        .flat_map(|quad| {
            let [a, b, c, d] = quad.map(&mut rename);
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let mut sides: BTreeMap<(usize, usize), i32> = BTreeMap::new();
    for [a, b, c] in &triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *sides.entry((*from.min(to), *from.max(to))).or_default() += 1;
        }
    }
    // The stepped rim is pulled onto the outline, so that the seam is smooth.
    for (from, _) in sides.iter().filter(|(_, count)| **count == 1).flat_map(|((a, b), _)| [(a, ()), (b, ())]) {
        let p = used[*from];
        let q = local(p) - MIDDLE;
        let stretched = v(q.x, q.y, 0.0) * (1.0 / footprint(p).sqrt()) + v(0.0, 0.0, q.z) + MIDDLE;
        let mut p = AXES.transpose() * stretched + ROOT;
        for _ in 0..3 {
            let slope = gradient(with_head, p, 0.004);
            p -= slope * (with_head(p) / slope.length_squared().max(0.1));
        }
        used[*from] = p;
    }
    Patch { positions: used, triangles }
}
