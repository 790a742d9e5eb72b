//! The whole skin as one welded surface: both halves, the ears joined in, normals and occlusion. Exported as two meshes, the
//! face and the bust, which share positions and normals along their seam.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

use glam::{DVec2, DVec3};
use rayon::prelude::*;

use super::anatomy::head;
use super::ear;
use super::field::gradient;
use super::grid::{self, Grid};
use super::hairline;
use super::layout::Layout;
use super::numbers::{atan2, step, v};
use super::rings::{self, Chart, Half, LipSide, SkinVertex, Tissue};

/// A triangle of the skin.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Counter-clockwise seen from outside.
    pub corners: [usize; 3],
    /// How it is coloured.
    pub chart: Chart,
    /// Whether it belongs to the face, which morphs, and not to the bust.
    pub is_face: bool,
}

/// The whole skin, with both halves welded along the middle.
pub struct Skin {
    /// The layout of the grid.
    pub layout: Layout,
    /// Vertices; each but those in the middle has a mirror image.
    pub vertices: Vec<SkinVertex>,
    /// Unit length, averaged over the triangles.
    pub normals: Vec<DVec3>,
    /// 0 in a deep crevice, 1 in the open.
    pub openness: Vec<f64>,
    /// All triangles.
    pub triangles: Vec<Triangle>,
    /// The left eye's lid edges from the inner to the outer corner: upper, lower.
    pub lids: [Vec<DVec3>; 2],
    /// Quads of the left half's grid, for baking.
    pub grid_quads: Vec<[usize; 4]>,
}

/// Whether a quad of the grid may move: from the forehead to the throat, up to the ear and, below it, behind the jaw.
fn may_move(layout: &Layout, quad: &[DVec2]) -> bool {
    quad.iter().all(|place| {
        let (theta, y) = (layout.columns[place.x as usize], layout.rows[place.y as usize]);
        let last_theta = if y > -2.9 { 1.32 } else { 1.75 };
        theta < last_theta && (-11.8..9.6).contains(&y)
    })
}

/// Builds the skin from the field of the head.
pub fn build() -> Skin {
    let grid = grid::build(74, 168);
    let half = rings::build(&grid);
    let lids = [0, 1].map(|side: usize| grid.lids[side].iter().map(|&vertex| grid.positions[vertex]).collect());
    assemble(grid, half, lids)
}

fn assemble(grid: Grid, half: Half, lids: [Vec<DVec3>; 2]) -> Skin {
    let mut vertices = half.vertices;
    let mut triangles = Vec::new();
    let under_ear = |quad: &[usize; 4]| quad.iter().any(|&vertex| ear::covers(vertices[vertex].position));
    let kept: Vec<([usize; 4], Chart)> =
        half.quads.into_iter().filter(|(quad, chart)| *chart != Chart::Grid || !under_ear(quad)).collect();
    let hole = border(kept.iter().filter(|(_, chart)| *chart == Chart::Grid).map(|(quad, _)| &quad[..]), |vertex| {
        ear::is_near(vertices[vertex].position)
    });
    for (quad, chart) in &kept {
        let places: Option<Vec<DVec2>> = quad.iter().map(|&vertex| vertices[vertex].place).collect();
        let is_face = *chart != Chart::Grid || places.is_some_and(|places| may_move(&grid.layout, &places));
        let at = |i: usize| vertices[quad[i]].position;
        // Split along the shorter diagonal. The scalp under the hair is invisible and left out.
        let cuts = if at(0).distance_squared(at(2)) <= at(1).distance_squared(at(3)) {
            [[0, 1, 2], [0, 2, 3]]
        } else {
            [[0, 1, 3], [1, 2, 3]]
        };
        for cut in cuts {
            let corners = cut.map(|i| quad[i]);
            let is_bald = cut.iter().any(|&i| hairline::inside(at(i)) < 0.5);
            let is_flat = (at(cut[1]) - at(cut[0])).cross(at(cut[2]) - at(cut[0])).length() < 1e-9;
            if !is_flat && (is_face || is_bald) {
                triangles.push(Triangle { corners, chart: *chart, is_face });
            }
        }
    }
    join_ear(&mut vertices, &mut triangles, &hole);
    refine_shoulders(&mut vertices, &mut triangles);
    mirror(&mut vertices, &mut triangles);
    let positions: Vec<DVec3> = vertices.iter().map(|vertex| vertex.position).collect();
    let corners: Vec<[usize; 3]> = triangles.iter().map(|triangle| triangle.corners).collect();
    let mut normals = normals(&positions, &corners);
    // The ear is finer than its triangles, and never moves.
    for (vertex, normal) in vertices.iter().zip(&mut normals).filter(|(vertex, _)| vertex.tissue == Tissue::Ear) {
        let p = vertex.position;
        let left = v(p.x.abs(), p.y, p.z);
        let fine = gradient(ear::with_head, left, 0.06).normalize_or(*normal);
        let fine = if p.x < 0.0 { mirrored(fine) } else { fine };
        // The edge under the lobe is narrower than the taps of the gradient.
        *normal = normal.lerp(fine, step(0.4, 0.9, p.y)).normalize_or(*normal);
    }
    let openness = vertices
        .par_iter()
        .zip(&normals)
        .map(|(vertex, &normal)| match vertex.tissue {
            Tissue::Skin => openness(head, vertex.position, normal),
            Tissue::Ear => openness(ear::with_head, vertex.position, normal),
            Tissue::LidRim(_) => 0.8,
            Tissue::Nostril(_) => 0.5,
            Tissue::Lining(_) | Tissue::Bag(_) => 1.0,
        })
        .collect();
    let openness = smoothed(openness, &corners);
    Skin { layout: grid.layout, vertices, normals, openness, triangles, lids, grid_quads: grid.quads }
}

/// Divides the triangles of neck and shoulders, where the grid is coarse, until no side is long. The vertices that are added lie on the
/// sculpt. Sides of other triangles stay whole.
fn refine_shoulders(vertices: &mut Vec<SkinVertex>, triangles: &mut Vec<Triangle>) {
    /// The longest side, in centimetres.
    const LONGEST: f64 = 1.35;
    const MOST_ROUNDS: usize = 6;
    const HIGHEST: f64 = -10.0;
    let side = |a: usize, b: usize| (a.min(b), a.max(b));
    for _ in 0..MOST_ROUNDS {
        let mut is_divided: BTreeMap<(usize, usize), bool> = BTreeMap::new();
        for triangle in triangles.iter() {
            let [a, b, c] = triangle.corners;
            let is_shoulder = !triangle.is_face
                && triangle.chart == Chart::Grid
                && triangle.corners.iter().all(|&corner| vertices[corner].position.y < HIGHEST);
            for (a, b) in [(a, b), (b, c), (c, a)] {
                let is_long = vertices[a].position.distance(vertices[b].position) > LONGEST;
                let divided = is_divided.entry(side(a, b)).or_insert(true);
                *divided = *divided && is_shoulder && is_long;
            }
        }
        let first_added = vertices.len();
        let mut middles: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (&(a, b), _) in is_divided.iter().filter(|(_, divided)| **divided) {
            middles.insert((a, b), vertices.len());
            vertices.push(between(&vertices[a], &vertices[b]));
        }
        if middles.is_empty() {
            return;
        }
        *triangles = triangles
            .iter()
            .flat_map(|triangle| {
                let [a, b, c] = triangle.corners;
                let middle = |a, b| middles.get(&side(a, b)).copied();
                divided([a, b, c], [middle(a, b), middle(b, c), middle(c, a)])
                    .into_iter()
                    .map(|corners| Triangle { corners, ..*triangle })
            })
            .collect();
        even_out(vertices, triangles, first_added);
    }
}

/// A vertex on the sculpt, near the middle between two others.
fn between(a: &SkinVertex, b: &SkinVertex) -> SkinVertex {
    let is_middle = a.position.x.abs() < 1e-9 && b.position.x.abs() < 1e-9;
    let position = on_sculpt(0.5 * (a.position + b.position), is_middle);
    let place = a.place.zip(b.place).map(|(a, b)| 0.5 * (a + b));
    SkinVertex { position, place, tissue: Tissue::Skin, lip: LipSide::ByPosition }
}

/// The point of the sculpt that is met from `p` along the slope of the field; `is_middle` keeps it at x 0.
fn on_sculpt(mut p: DVec3, is_middle: bool) -> DVec3 {
    for _ in 0..16 {
        let slope = gradient(head, p, 0.004);
        p -= slope * (head(p) / slope.length_squared().max(0.1)).clamp(-0.4, 0.4);
        if is_middle {
            p.x = 0.0;
        }
    }
    p
}

/// Slides the vertices from `first` on along the sculpt towards the middle of their neighbours.
fn even_out(vertices: &mut [SkinVertex], triangles: &[Triangle], first: usize) {
    let mut neighbours: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for [a, b, c] in triangles.iter().map(|triangle| triangle.corners) {
        for (at, others) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
            if at >= first {
                neighbours.entry(at).or_default().extend(others);
            }
        }
    }
    for _ in 0..8 {
        for (&at, around) in &neighbours {
            let mean = around.iter().map(|&other| vertices[other].position).sum::<DVec3>() / around.len() as f64;
            let p = vertices[at].position;
            vertices[at].position = on_sculpt(p.lerp(mean, 0.5), p.x.abs() < 1e-9);
        }
    }
}

/// The triangles that a triangle is divided into. Vertices are added in the middle of the first side, of the second and of the third, or
/// not.
fn divided([a, b, c]: [usize; 3], middles: [Option<usize>; 3]) -> Vec<[usize; 3]> {
    match middles {
        [None, None, None] => vec![[a, b, c]],
        [Some(ab), None, None] => vec![[a, ab, c], [ab, b, c]],
        [Some(ab), Some(bc), None] => vec![[a, ab, c], [ab, bc, c], [ab, b, bc]],
        [Some(ab), Some(bc), Some(ca)] => vec![[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]],
        [first, second, third] => divided([b, c, a], [second, third, first]),
    }
}

/// Joins the patch of the ear to the hole in the grid with a band of triangles.
fn join_ear(vertices: &mut Vec<SkinVertex>, triangles: &mut Vec<Triangle>, hole: &[usize]) {
    let patch = ear::patch();
    let first = vertices.len();
    vertices.extend(patch.positions.iter().map(|&position| SkinVertex {
        position,
        place: None,
        tissue: Tissue::Ear,
        lip: LipSide::ByPosition,
    }));
    let wrapped = |angle: f64| angle - (angle / TAU).round() * TAU;
    let own = |corners: [usize; 3]| Triangle { corners, chart: Chart::Ear, is_face: false };
    triangles.extend(patch.triangles.iter().map(|corners| own(corners.map(|corner| corner + first))));
    let rim = border(patch.triangles.iter().map(|triangle| &triangle[..]), |_| true);
    let rim: Vec<usize> = rim.into_iter().map(|vertex| vertex + first).collect();
    // Both loops have their surface on the left; the band runs along the hole and back along the rim.
    let rim: Vec<usize> = rim.into_iter().rev().collect();
    let angle = |vertex: usize| {
        let q = ear::local(vertices[vertex].position) - ear::MIDDLE;
        atan2(q.y, q.x)
    };
    let nearest = (0..rim.len())
        .min_by(|&a, &b| {
            let gap = |i: usize| wrapped(angle(rim[i]) - angle(hole[0])).abs();
            gap(a).total_cmp(&gap(b))
        })
        .unwrap_or(0);
    let rim: Vec<usize> = (0..rim.len()).map(|i| rim[(nearest + i) % rim.len()]).collect();
    // Angles walked since the hole's first vertex, at every vertex of a loop and back at its first.
    let walked = |ring: &[usize]| {
        let mut angles = vec![wrapped(angle(ring[0]) - angle(hole[0]))];
        for i in 0..ring.len() {
            let turn = wrapped(angle(ring[(i + 1) % ring.len()]) - angle(ring[i]));
            angles.push(angles[i] + turn);
        }
        angles
    };
    let (along_hole, along_rim) = (walked(hole), walked(&rim));
    let direction = along_hole[hole.len()].signum();
    let (mut i, mut j) = (0, 0);
    let mut band = Vec::new();
    while i < hole.len() || j < rim.len() {
        let (here, there) = (hole[i % hole.len()], rim[j % rim.len()]);
        let is_hole_next =
            j >= rim.len() || i < hole.len() && along_hole[i + 1] * direction <= along_rim[j + 1] * direction;
        if is_hole_next {
            i += 1;
            band.push(own([hole[i % hole.len()], here, there]));
        } else {
            j += 1;
            band.push(own([here, there, rim[j % rim.len()]]));
        }
    }
    triangles.extend(band);
}

/// The longest loop of border edges among the chosen vertices, with the surface on its left.
pub fn border<'a>(polygons: impl Iterator<Item = &'a [usize]>, is_wanted: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut edges: BTreeMap<(usize, usize), i32> = BTreeMap::new();
    for polygon in polygons {
        for (i, &a) in polygon.iter().enumerate() {
            let b = polygon[(i + 1) % polygon.len()];
            *edges.entry((a, b)).or_default() += 1;
            *edges.entry((b, a)).or_default() -= 1;
        }
    }
    let mut next: BTreeMap<usize, usize> =
        edges.into_iter().filter(|&((a, b), n)| n > 0 && is_wanted(a) && is_wanted(b)).map(|(edge, _)| edge).collect();
    let mut longest = Vec::new();
    while let Some((first, mut vertex)) = next.pop_first() {
        let mut walked = vec![first];
        while vertex != first {
            walked.push(vertex);
            let Some(following) = next.remove(&vertex) else { break };
            vertex = following;
        }
        if walked.len() > longest.len() {
            longest = walked;
        }
    }
    longest
}

/// Adds the other half; vertices in the middle are not duplicated.
fn mirror(vertices: &mut Vec<SkinVertex>, triangles: &mut Vec<Triangle>) {
    let mut image = Vec::with_capacity(vertices.len());
    for vertex in 0..vertices.len() {
        let mut other = vertices[vertex];
        if other.position.x.abs() < 1e-9 {
            vertices[vertex].position.x = 0.0;
            image.push(vertex);
        } else {
            other.position.x = -other.position.x;
            image.push(vertices.len());
            vertices.push(other);
        }
    }
    for i in 0..triangles.len() {
        let mut other = triangles[i];
        let [a, b, c] = other.corners;
        other.corners = [image[a], image[c], image[b]];
        triangles.push(other);
    }
}

/// Unit normals: the triangles' own, weighted by area.
pub fn normals(positions: &[DVec3], triangles: &[[usize; 3]]) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; positions.len()];
    for &[a, b, c] in triangles {
        let normal = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
        for corner in [a, b, c] {
            sums[corner] += normal;
        }
    }
    sums.into_iter().map(|sum| sum.try_normalize().unwrap_or(DVec3::Z)).collect()
}

/// Ambient occlusion: samples of the field along the normal, after I. Quilez.
pub fn openness(field: impl Fn(DVec3) -> f64, p: DVec3, normal: DVec3) -> f64 {
    const TAPS: [(f64, f64); 4] = [(0.15, 0.75), (0.4, 0.62), (0.9, 0.34), (1.8, 0.12)];
    let closed: f64 =
        TAPS.iter().map(|&(reach, weight)| weight * (reach - field(p + normal * reach)).max(0.0) / reach * 0.5).sum();
    (1.0 - closed).clamp(0.12, 1.0)
}

/// Smooths values towards the mean of their neighbours, so that baked values show no triangles.
fn smoothed(mut values: Vec<f64>, triangles: &[[usize; 3]]) -> Vec<f64> {
    for _ in 0..2 {
        let mut sums = vec![(0.0, 0.0); values.len()];
        for corners in triangles {
            let mean = corners.iter().map(|&corner| values[corner]).sum::<f64>() / 3.0;
            for &corner in corners {
                sums[corner].0 += mean;
                sums[corner].1 += 1.0;
            }
        }
        for (value, (sum, count)) in values.iter_mut().zip(sums) {
            if count > 0.0 {
                *value = sum / count;
            }
        }
    }
    values
}

/// Mirrors a point or vector.
pub fn mirrored(p: DVec3) -> DVec3 {
    v(-p.x, p.y, p.z)
}
