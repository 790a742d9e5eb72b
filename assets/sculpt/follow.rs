//! Makes the targets of each mesh: the face moves by fitted fields, eyelids, jaw and creases, hairs with their roots, teeth and
//! tongue with the jaw, and eyes by rotation. The changes of normals are computed too.

use std::collections::BTreeMap;

use glam::{DMat3, DQuat, DVec3};
use rayon::prelude::*;

use super::anatomy::{EYE, EYE_RADIUS};
use super::expressions::{Expression, Side};
use super::fields;
use super::lids::Lids;
use super::muscles_lower::{JAW_DEGREES, TONGUE_JAW_DEGREES, half_mouth, whole};
use super::muscles_upper::{eye, half_face};
use super::numbers::{atan2, cos, fourth, sin, step, v};
use super::part::{Part, Target};
use super::site::{Site, jaw_turn};
use super::skin::normals;

/// Displacements shorter than this, in centimetres, count as zero.
const LEAST_DISPLACEMENT: f64 = 2e-4;

/// jawOpen, which mouthClose corrects: its field is that of both, so it is added to the opposite of jawOpen. Alone it crosses the lips,
/// as ARKit's does.
const OPEN: Expression = Expression { base: "jawOpen", side: Side::Whole };

/// The displacement of a point of the skin, in centimetres; in mouthClose, that of both jawOpen and mouthClose.
pub fn field(expression: &Expression, site: &Site, lids: &Lids) -> DVec3 {
    let base = expression.base;
    let d = match eye(base, site, lids) {
        Some(d) => d * site.eye_share(expression.side),
        None if expression.side == Side::Whole => whole(base, site),
        None => (half_face(base, site, lids) + half_mouth(base, site, lids)) * site.share(expression.side),
    };
    let d = d + fields::displacement(expression, site);
    if d.length() < LEAST_DISPLACEMENT { DVec3::ZERO } else { d }
}

/// Skin: `welded` is the surface the part was split from (positions, triangles), `sources` the part's vertices in it.
pub fn with_skin(
    part: &mut Part,
    sites: &[Site],
    lids: &Lids,
    expressions: &[Expression],
    welded: (&[DVec3], &[[usize; 3]], &[usize]),
) {
    let (positions, triangles, sources) = welded;
    let still = (positions.to_vec(), normals(positions, triangles));
    part.targets = expressions
        .par_iter()
        .map(|expression| {
            let moved = |expression: &Expression| -> (Vec<DVec3>, Vec<DVec3>) {
                let mut to: Vec<DVec3> =
                    positions.iter().zip(sites).map(|(&p, site)| p + field(expression, site, lids)).collect();
                if [OPEN.base, "mouthClose"].contains(&expression.base) {
                    unfold(positions, &mut to, triangles);
                }
                if expression.base == "eyeBlink" {
                    smooth_fold(expression.side, sites, positions, &mut to, triangles, lids);
                }
                if expression.base == "eyeSquint" {
                    smooth_pouch(sites, positions, &mut to, triangles);
                }
                let turned = normals(&to, triangles);
                (to, turned)
            };
            let (to, turned) = moved(expression);
            let (from, unturned) = if expression.base == "mouthClose" { &moved(&OPEN) } else { &still };
            let movement = |source: usize| to[source] - from[source];
            // What stays keeps its normal, so that no edge shows at the border of the face.
            let turn = |source: usize| {
                if movement(source) == DVec3::ZERO { DVec3::ZERO } else { turned[source] - unturned[source] }
            };
            Target {
                positions: sources.iter().map(|&source| movement(source)).collect(),
                normals: sources.iter().map(|&source| turn(source)).collect(),
            }
        })
        .collect();
}

/// Below the chin, in centimetres, the skin is pushed together while the jaw opens.
const BELOW_CHIN: f64 = -5.5;

/// Moves the skin below the chin so that none of its triangles is turned over or loses nearly all of its area: the movement there is
/// averaged with that of its neighbours until none is.
fn unfold(positions: &[DVec3], to: &mut [DVec3], triangles: &[[usize; 3]]) {
    const MOST_ROUNDS: usize = 200;
    /// The least cosine of the angle by which a triangle may turn.
    const LEAST_COSINE: f64 = 0.5;
    /// The least part of its area that a triangle may keep.
    const LEAST_AREA: f64 = 0.2;
    let below: Vec<[usize; 3]> =
        triangles.iter().copied().filter(|it| it.iter().all(|&at| positions[at].y < BELOW_CHIN)).collect();
    let mut neighbours = vec![Vec::new(); positions.len()];
    for [a, b, c] in &below {
        for (at, beside) in [(a, b), (b, c), (c, a), (b, a), (c, b), (a, c)] {
            neighbours[*at].push(*beside);
        }
    }
    let normal = |at: &[DVec3], [a, b, c]: [usize; 3]| (at[b] - at[a]).cross(at[c] - at[a]);
    for _ in 0..MOST_ROUNDS {
        let is_folded = |it: &&[usize; 3]| {
            let (before, after) = (normal(positions, **it), normal(to, **it));
            let projected = before.dot(after) / before.length();
            projected < LEAST_COSINE * after.length() || after.length() < LEAST_AREA * before.length()
        };
        let mut folded: Vec<usize> = below.iter().filter(is_folded).flatten().copied().collect();
        if folded.is_empty() {
            return;
        }
        folded = folded.iter().flat_map(|&at| neighbours[at].iter().copied()).collect();
        folded.sort_unstable();
        folded.dedup();
        let movement = |at: usize| to[at] - positions[at];
        // The bust stays where it is, and so does the border of the face with it.
        folded.retain(|&at| movement(at) != DVec3::ZERO);
        let averaged: Vec<DVec3> = folded
            .iter()
            .map(|&at| {
                let around = &neighbours[at];
                let mean = around.iter().map(|&other| movement(other)).sum::<DVec3>() / around.len() as f64;
                positions[at] + 0.5 * (movement(at) + mean)
            })
            .collect();
        for (at, place) in folded.into_iter().zip(averaged) {
            to[at] = place;
        }
    }
}

/// The neighbours of the wanted vertices, once per triangle.
fn neighbours(triangles: &[[usize; 3]], is_wanted: impl Fn(usize) -> bool) -> BTreeMap<usize, Vec<usize>> {
    let mut neighbours = BTreeMap::<usize, Vec<usize>>::new();
    for &[a, b, c] in triangles {
        for (at, others) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
            if is_wanted(at) {
                neighbours.entry(at).or_default().extend(others);
            }
        }
    }
    neighbours
}

/// The place that a vertex is moved to, from all places, its index and its neighbours.
type Averaged<'a> = &'a dyn Fn(&[DVec3], usize, &[usize]) -> DVec3;

/// Draws the fold over a closed eyelid smooth, as the lid does when it is stretched. Beside its outer end, where the fold meets the bone, the
/// movement is averaged there, and then everywhere the distance from the eyeball.
fn smooth_fold(
    side: Side,
    sites: &[Site],
    positions: &[DVec3],
    to: &mut [DVec3],
    triangles: &[[usize; 3]],
    lids: &Lids,
) {
    const ROUNDS_OF_MOVEMENT: usize = 40;
    const ROUNDS_OF_DISTANCE: usize = 110;
    /// Up to this distance from the middle of the eyeball, in centimetres, the eyelid keeps its distance: between rest and blink it moves
    /// on a straight line, which comes nearer to the eyeball than its ends.
    const LEAST: f64 = EYE_RADIUS + 0.25;
    let share: Vec<f64> = sites.iter().map(|site| lids.fold_share(site.a) * site.eye_share(side)).collect();
    let eye = |at: usize| EYE * v(sites[at].mirror, 1.0, 1.0);
    let least: Vec<f64> = (0..to.len()).map(|at| to[at].distance(eye(at)).min(LEAST)).collect();
    let neighbours = neighbours(triangles, |at| share[at] > 0.0);
    let average = |to: &mut [DVec3], moved: Averaged| {
        let averaged: Vec<(usize, DVec3)> = neighbours
            .iter()
            .map(|(&at, around)| {
                let place = moved(to, at, around);
                let away = (to[at] - eye(at)).normalize_or(DVec3::Z);
                (at, place + away * (least[at] - (place - eye(at)).dot(away)).max(0.0))
            })
            .collect();
        averaged.into_iter().for_each(|(at, place)| to[at] = place);
    };
    for _ in 0..ROUNDS_OF_MOVEMENT {
        average(to, &|to, at, around| {
            let movement = |at: usize| to[at] - positions[at];
            let mean = around.iter().map(|&other| movement(other)).sum::<DVec3>() / around.len() as f64;
            to[at] + 0.5 * share[at].powi(2) * step(3.7, 4.4, sites[at].a.x) * (mean - movement(at))
        });
    }
    for _ in 0..ROUNDS_OF_DISTANCE {
        average(to, &|to, at, around| {
            let mean = around.iter().map(|&other| to[other]).sum::<DVec3>() / around.len() as f64;
            let away = (to[at] - eye(at)).normalize_or(DVec3::Z);
            to[at] + away * (0.5 * share[at] * (mean - to[at]).dot(away))
        });
    }
}

/// Averages the movement of the skin where the cheek is pushed up against the pouch of the lower lid, or a jagged crease
/// forms there.
fn smooth_pouch(sites: &[Site], positions: &[DVec3], to: &mut [DVec3], triangles: &[[usize; 3]]) {
    const ROUNDS: usize = 24;
    let share: Vec<f64> = sites
        .iter()
        .map(|site| {
            let below = step(2.75, 2.45, site.p.y - 0.15 * (site.a.x - 3.2)) * step(0.8, 1.4, site.p.y);
            below * step(1.9, 2.6, site.a.x) * step(6.2, 5.4, site.a.x) * site.front
        })
        .collect();
    let neighbours = neighbours(triangles, |at| share[at] > 0.0 && to[at] != positions[at]);
    for _ in 0..ROUNDS {
        let movement = |at: usize| to[at] - positions[at];
        let averaged: Vec<(usize, DVec3)> = neighbours
            .iter()
            .map(|(&at, around)| {
                let mean = around.iter().map(|&other| movement(other)).sum::<DVec3>() / around.len() as f64;
                (at, to[at] + 0.5 * share[at] * (mean - movement(at)))
            })
            .collect();
        averaged.into_iter().for_each(|(at, place)| to[at] = place);
    }
}

/// What turns with the eyelid at the root of a hair or a shadow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Nothing: the shape is moved only.
    Nothing,
    /// The shape with its normals.
    Normals,
}

/// Hairs, eyelid shadows and tears: each vertex moves with its root.
pub fn with_roots(part: &mut Part, roots: &[DVec3], turn: Turn, lids: &Lids, expressions: &[Expression]) {
    let sites: Vec<Site> = roots.par_iter().map(|&root| Site::on_skin(root)).collect();
    part.targets = expressions
        .par_iter()
        .map(|expression| {
            let mut target = target_without_movement(part);
            for (i, (site, &p)) in sites.iter().zip(&part.positions).enumerate() {
                let d = field(expression, site, lids);
                target.positions[i] = if turn == Turn::Nothing { d } else { d + lid_turn(site, d, p) };
                if turn == Turn::Normals {
                    target.normals[i] = turned_about_eye(site, p, target.positions[i], part.normals[i]);
                }
            }
            target
        })
        .collect();
}

/// The change of a normal when its base moves along the eyeball.
fn turned_about_eye(site: &Site, p: DVec3, moved: DVec3, normal: DVec3) -> DVec3 {
    let eye = EYE * v(site.mirror, 1.0, 1.0);
    let direction = |p: DVec3| (p - eye).normalize_or(DVec3::Z);
    DQuat::from_rotation_arc(direction(p), direction(p + moved)) * normal - normal
}

/// The displacement of `p` because the eyelid at its root rotates about the eye.
fn lid_turn(site: &Site, moved: DVec3, p: DVec3) -> DVec3 {
    let eye = EYE * v(site.mirror, 1.0, 1.0);
    let (before, after) = (site.p - eye, site.p + moved - eye);
    let turn = atan2(after.y, after.z) - atan2(before.y, before.z);
    let q = p - site.p;
    let (s, c) = (sin(turn), cos(turn));
    v(0.0, q.y * c + q.z * s - q.y, q.z * c - q.y * s - q.z)
}

/// Eyeballs: both in one mesh, each rotating about its own centre.
pub fn with_eyes(part: &mut Part, expressions: &[Expression]) {
    let target = |expression: &Expression| {
        let (right, degrees) = (DVec3::X, DVec3::Y);
        let side = if expression.side == Side::Left { 1.0 } else { -1.0 };
        let turn = match expression.base {
            "eyeLookUp" => about(right, -20.0),
            "eyeLookDown" => about(right, 24.0),
            "eyeLookIn" => about(degrees, -28.0 * side),
            "eyeLookOut" => about(degrees, 28.0 * side),
            _ => DMat3::IDENTITY,
        };
        let mut target = target_without_movement(part);
        if turn == DMat3::IDENTITY {
            return target;
        }
        for (i, &p) in part.positions.iter().enumerate() {
            if p.x * side > 0.0 {
                let q = p - EYE * v(side, 1.0, 1.0);
                target.positions[i] = turn * q - q;
                target.normals[i] = turn * part.normals[i] - part.normals[i];
            }
        }
        target
    };
    part.targets = expressions.iter().map(target).collect();
}

/// Parts that are fixed to the jaw; with `is_tongue` the part also sticks out.
pub fn with_jaw(part: &mut Part, is_tongue: bool, expressions: &[Expression]) {
    let rest = normals(&part.positions, &part.all_triangles());
    let target = |expression: &Expression| {
        let mut target = target_without_movement(part);
        for (i, &p) in part.positions.iter().enumerate() {
            target.positions[i] = if is_tongue { tongue_move(expression, p) } else { jaw_move(expression, p) };
        }
        if expression.base == "tongueOut" || expression.base == "jawOpen" {
            let moved: Vec<DVec3> = part.positions.iter().zip(&target.positions).map(|(p, d)| *p + *d).collect();
            let turned = normals(&moved, &part.all_triangles());
            target.normals = turned.iter().zip(&rest).map(|(turned, rest)| *turned - *rest).collect();
        }
        target
    };
    part.targets = expressions.iter().map(target).collect();
}

fn jaw_move(expression: &Expression, p: DVec3) -> DVec3 {
    match expression.base {
        "jawOpen" => jaw_turn(p, JAW_DEGREES),
        "tongueOut" => jaw_turn(p, TONGUE_JAW_DEGREES),
        "jawLeft" => v(0.85, 0.0, -0.04),
        "jawRight" => v(-0.85, 0.0, -0.04),
        "jawForward" => v(0.0, -0.12, 0.85),
        _ => DVec3::ZERO,
    }
}

fn tongue_move(expression: &Expression, p: DVec3) -> DVec3 {
    let d = jaw_move(expression, p);
    let tip = step(5.6, 9.3, p.z);
    match expression.base {
        // The tongue lies low behind the lower teeth.
        "jawOpen" => d + v(0.0, -0.36, -0.10) * tip + v(0.0, -0.25, 0.0) * (step(3.5, 6.0, p.z) * (1.0 - tip)),
        // The path is flat and almost level, so that it does not pass through teeth or lip; beyond the lip the tip sinks.
        "tongueOut" => {
            d + v(-0.30 * p.x, -0.22 - 0.35 * (p.y + 3.0), 3.75) * tip + v(0.0, -0.32, 0.0) * fourth(fourth(tip))
        }
        "jawForward" => d * 0.8,
        _ => d,
    }
}

fn target_without_movement(part: &Part) -> Target {
    let zeros = vec![DVec3::ZERO; part.positions.len()];
    Target { positions: zeros.clone(), normals: zeros }
}

/// Rotation about a unit axis along a coordinate.
fn about(axis: DVec3, degrees: f64) -> DMat3 {
    let (s, c) = (sin(degrees.to_radians()), cos(degrees.to_radians()));
    if axis.x > 0.5 {
        DMat3::from_cols(DVec3::X, v(0.0, c, s), v(0.0, -s, c))
    } else {
        DMat3::from_cols(v(c, 0.0, -s), DVec3::Y, v(s, 0.0, c))
    }
}
