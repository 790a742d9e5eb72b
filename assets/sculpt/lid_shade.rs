//! What lies between the eyelids and the eyeballs: the soft shadow of the lids, and the line of tears along the lower one. Both move
//! with the edges of the lids.

use glam::DVec3;

use super::anatomy::EYE;
use super::eyes::face_outwards;
use super::numbers::{atan2, cos, hypot, sin, srgb, step, v};
use super::part::{Material, Part};
use super::rings::{self, RIM_RADIUS};
use super::skin::Skin;

/// A point of a strip across: radians beyond the edge of the eyelid towards the opening, distance from the centre of the eyeball,
/// opacity.
type Across = (f64, f64, f64);

const ON_RIM: f64 = RIM_RADIUS - 0.006;
/// Weak, because the light that reaches an eye is computed too.
const UPPER: [Across; 6] = [
    (-0.10, ON_RIM, 0.52),
    (0.0, ON_RIM, 0.46),
    (0.06, ON_RIM, 0.31),
    (0.15, ON_RIM, 0.17),
    (0.28, ON_RIM, 0.06),
    (0.44, ON_RIM, 0.0),
];
/// The shadow of the lower lid lies under the tears, just over the cornea.
const LOWER: [Across; 4] = [(-0.08, 1.55, 0.22), (0.0, 1.540, 0.18), (0.04, 1.522, 0.07), (0.11, 1.520, 0.0)];
/// The surface of the tears is hollow: it stands up along the lid and lies down on the eyeball.
const TEARS: [Across; 4] = [(-0.030, 1.615, 0.5), (-0.006, 1.580, 0.5), (0.012, 1.553, 0.35), (0.034, 1.536, 0.0)];

/// Shadow and tears, and per vertex the point on the edge of the eyelid that it moves with.
pub fn lid_shade(skin: &Skin) -> (Part, Vec<DVec3>) {
    let mut part = Part { name: "lid_shade", ..Part::default() };
    let mut roots = Vec::new();
    let [upper, lower] = &skin.lids;
    let shade = srgb(58, 24, 20);
    strip(&mut part, &mut roots, (upper, -1.0), &UPPER, (Material::LidShade, shade));
    strip(&mut part, &mut roots, (lower, 1.0), &LOWER, (Material::LidShade, shade));
    strip(&mut part, &mut roots, (lower, 1.0), &TEARS, (Material::Tears, srgb(214, 172, 160)));
    face_outwards(&mut part);
    part.smooth();
    let mirrored_roots: Vec<DVec3> = roots.iter().map(|&root| super::skin::mirrored(root)).collect();
    roots.extend(mirrored_roots);
    (part.both_sides(), roots)
}

/// A strip along the edge of an eyelid. `sign` is the side of the opening: 1 above the edge, -1 below.
fn strip(
    part: &mut Part,
    roots: &mut Vec<DVec3>,
    (edge, sign): (&[DVec3], f64),
    across: &[Across],
    (material, color): (Material, DVec3),
) {
    let mut own = Part::default();
    let ends = [edge[0].x, edge[edge.len() - 1].x];
    // There are no tears on the caruncle.
    let (first, from) = if material == Material::Tears { (0.22, 0.45) } else { (0.0, 0.06) };
    for &(past, distance, opacity) in across {
        for (i, &root) in edge.iter().enumerate() {
            let (away, _) = rings::inwards(root, ends);
            let (height, depth) = (hypot(away.y, away.z), atan2(away.y, away.z));
            let turned = v(away.x, height * sin(depth + sign * past), height * cos(depth + sign * past));
            let normal = turned.normalize_or(DVec3::Z);
            own.push(EYE + normal * distance, normal, color);
            // Full strength along the opening, zero beyond its corners.
            let s = i as f64 / (edge.len() - 1) as f64;
            own.alphas.push(opacity * step(first, from, s) * step(1.0, 0.94, s));
            roots.push(root);
        }
    }
    own.loft(material, 0, edge.len(), false);
    part.append(&own);
}
