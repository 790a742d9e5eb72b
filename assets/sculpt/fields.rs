//! The displacement fields of expressions that are fitted to those of a scanned average face (`fit/expressions.py`): sums of
//! Gaussians. Between the lips, and only there, a field jumps from the displacement of the upper lip to that of the lower one.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use glam::DVec3;

use super::anatomy::{EYE, MOUTH_X};
use super::expressions::{Expression, Side};
use super::numbers::{bell, exp, fourth, mix, pow, step, v};
use super::site::Site;
use super::skin::mirrored;
use super::tables;
use super::teeth::in_front;

/// One Gaussian of a field of the left side.
struct Gaussian {
    center: DVec3,
    radius: f64,
    upper: DVec3,
    lower: DVec3,
}

static FIELDS: LazyLock<BTreeMap<&str, Vec<Gaussian>>> = LazyLock::new(|| {
    let mut fields: BTreeMap<&str, Vec<Gaussian>> = BTreeMap::new();
    for (name, [x, y, z, radius, ux, uy, uz, lx, ly, lz]) in tables::named_rows(include_str!("expressions.csv")) {
        let gaussian = Gaussian { center: v(x, y, z), radius, upper: v(ux, uy, uz), lower: v(lx, ly, lz) };
        fields.entry(name).or_default().push(gaussian);
    }
    fields
});

/// The displacement of a point by the fitted field of an expression; zero where there is none.
pub fn displacement(expression: &Expression, site: &Site) -> DVec3 {
    let (name, side) = match expression.base {
        "mouthLeft" => ("mouthLeft", Side::Left),
        "mouthRight" => ("mouthLeft", Side::Right),
        base => (base, expression.side),
    };
    let Some(field) = FIELDS.get(name) else { return DVec3::ZERO };
    let left = || sum(field, site.p, site);
    let right = || mirrored(sum(field, mirrored(site.p), site));
    let share = if name == "jawOpen" { jaw_share(site) } else { 1.0 } * fade(site.p);
    let d = match side {
        Side::Left => left(),
        Side::Right => right(),
        Side::Whole => left() + right(),
    };
    // A squint and a sneer draw the skin around the eye up to the edges of the lids.
    let reach = if ["eyeSquint", "noseSneer"].contains(&name) { [0.2, 1.6] } else { [0.75, 3.2] };
    let d = over_eyeball(site, d * share, reach);
    // In these the lower teeth move.
    if ["jawOpen", "mouthClose"].contains(&name) || !is_near_teeth(site) {
        return d;
    }
    // Both sides together must not go through the teeth; each avoids them by its share.
    let moves_both = name == "mouthLeft" || side == Side::Whole;
    let both = if moves_both { d } else { (left() + right()) * share };
    let part = if both == d { 1.0 } else { site.share(side) };
    depth_share(site) * d + over_teeth(site, depth_share(site) * both) * part
}

/// The share of the fitted field in jawOpen. It is 0 inside the mouth, and on and near the lips, where the opening must keep its form;
/// elsewhere the field replaces the turn of the jaw.
pub fn jaw_share(site: &Site) -> f64 {
    if !site.is_outside {
        return 0.0;
    }
    1.0 - exp(-fourth(site.over_lips / 1.1)) * bell((site.a.x - 2.3).max(0.0) / 0.8)
}

/// The weight of the lower lip. It jumps where the lips part, and only there.
fn lower_share(site: &Site) -> f64 {
    let t = (site.a.x / MOUTH_X).min(1.0);
    let jump = pow(1.0 - t * t * fourth(t), 1.5) * bell(site.over_lips / 2.2);
    0.5 - 0.5 * jump * site.over_lips.signum()
}

fn sum(field: &[Gaussian], p: DVec3, site: &Site) -> DVec3 {
    let (mut upper, mut lower) = (DVec3::ZERO, DVec3::ZERO);
    for it in field {
        let q = (p - it.center).length_squared() / (it.radius * it.radius);
        if q <= 16.0 {
            upper += it.upper * exp(-q);
            lower += it.lower * exp(-q);
        }
    }
    // Lips that would go through each other meet half-way: several expressions together then do not either.
    let crossing = 0.5 * (lower.y - upper.y).max(0.0) * bell(site.over_lips / 0.35);
    upper.y += crossing;
    lower.y -= crossing;
    upper.lerp(lower, lower_share(site))
}

/// Nothing moves at the border of the face: in the hair, in front of the ears, behind the jaw, and below the throat.
fn fade(p: DVec3) -> f64 {
    let below_ear = step(-2.6, -4.2, p.y);
    let behind = mix(mix(mix(2.9, 0.5, below_ear), -0.9, step(-6.3, -8.3, p.y)), 3.0, step(-7.4, -9.6, p.y));
    step(8.8, 7.2, p.y) * step(-10.4, -7.4, p.y) * step(behind, behind + mix(2.2, 3.4, below_ear), p.z)
}

/// `d` for skin that slides over the eyeball. The edges of the eyelids move as `lids` says only; the skin around them follows the
/// field more and more with the distance from them, between the `reach` of an ellipse around the opening, and comes no nearer to the
/// eyeball than it is.
fn over_eyeball(site: &Site, d: DVec3, [from, to]: [f64; 2]) -> DVec3 {
    let from_eye = site.a - EYE;
    let away = (from_eye.x / 1.75).powi(2) + (from_eye.y / 1.05).powi(2);
    if away > to || from_eye.z < 0.0 {
        return d;
    }
    let moved = from_eye + site.sided(d) * step(from, to, away);
    let least = from_eye.length().min(1.9);
    let kept = if moved.length() < least { moved * (least / moved.length()) } else { moved };
    site.sided(kept - from_eye)
}

/// Whether a point is in the mouth or in the lips.
fn is_near_teeth(site: &Site) -> bool {
    let is_lip = site.a.x < 3.6 && site.over_lips.abs() < 1.9 && site.p.z > 8.0;
    is_lip || !site.is_outside && site.p.z > 4.0
}

/// The part of the fitted fields that moves a point of the mouth. Behind the teeth nothing moves, so that the walls of the mouth do not
/// meet the tongue.
fn depth_share(site: &Site) -> f64 {
    if site.is_outside { 1.0 } else { step(-0.9, 0.0, in_front(site.p, site.over_lips > 0.0).0) }
}

/// What has to be added to the displacement `d` of lips and cheeks, which slide over the teeth: what is near them comes no nearer than it
/// is.
fn over_teeth(site: &Site, d: DVec3) -> DVec3 {
    /// How far from the teeth skin and lining stay that are further away at rest, in centimetres. The lining keeps more, for the sum of
    /// several expressions.
    const LEAST: [f64; 2] = [0.12, 0.40];
    let is_upper = site.over_lips > 0.0;
    let (before, _) = in_front(site.p, is_upper);
    let (after, out) = in_front(site.p + d, is_upper);
    let least = if site.is_outside { LEAST[0] } else { LEAST[1] };
    // Where the arch turns back, the cheek is beside the teeth and not in front of them.
    out * ((before.min(least) - after).max(0.0) * step(8.0, 9.0, site.p.z))
}
