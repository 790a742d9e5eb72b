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
    let share = if name == "jawOpen" { jaw_share(site) } else { 1.0 };
    let d = match side {
        Side::Left => left(),
        Side::Right => right(),
        Side::Whole => left() + right(),
    };
    over_eyeball(site, d * (share * fade(site.p)))
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
    let lower = lower_share(site);
    let one = |it: &Gaussian| {
        let q = (p - it.center).length_squared() / (it.radius * it.radius);
        if q > 16.0 { DVec3::ZERO } else { it.upper.lerp(it.lower, lower) * exp(-q) }
    };
    field.iter().map(one).sum()
}

/// Nothing moves at the border of the face: in the hair, in front of the ears, behind the jaw, and below the throat.
fn fade(p: DVec3) -> f64 {
    let below_ear = step(-2.6, -4.2, p.y);
    let behind = mix(mix(mix(2.9, 0.5, below_ear), -0.9, step(-6.3, -8.3, p.y)), 3.0, step(-7.4, -9.6, p.y));
    step(8.8, 7.2, p.y) * step(-10.4, -7.4, p.y) * step(behind, behind + mix(2.2, 3.4, below_ear), p.z)
}

/// `d` for skin that slides over the eyeball. The edges of the eyelids move as `lids` says only; the skin around them follows the
/// field more and more with the distance from them, and comes no nearer to the eyeball than it is.
fn over_eyeball(site: &Site, d: DVec3) -> DVec3 {
    let from_eye = site.a - EYE;
    let away = (from_eye.x / 1.75).powi(2) + (from_eye.y / 1.05).powi(2);
    if away > 3.2 || from_eye.z < 0.0 {
        return d;
    }
    let moved = from_eye + site.sided(d) * step(0.75, 3.2, away);
    let least = from_eye.length().min(1.9);
    let kept = if moved.length() < least { moved * (least / moved.length()) } else { moved };
    site.sided(kept - from_eye)
}
