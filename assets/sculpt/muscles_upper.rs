//! The movement of the eyelids, and the creases of brow, cheek and nose, which are finer than the fitted fields: displacements at
//! weight 1 of a point at rest, in centimetres.

use glam::DVec3;

use super::anatomy::{LID_FOLD, NASOLABIAL};
use super::lids::{LidMove, Lids};
use super::numbers::{bell, blob, cos, exp, fourth, hypot, mix, step, v};
use super::site::Site;

fn lids(upper: f64, lower: f64, lift: f64) -> LidMove {
    LidMove { upper, lower, lift }
}

/// Expressions of one eye: these never cross the middle. `None` for others.
pub fn eye(base: &str, site: &Site, own: &Lids) -> Option<DVec3> {
    let a = site.a;
    Some(match base {
        "eyeBlink" => {
            let brow_follows = v(0.0, -0.07, 0.0) * blob(a, v(3.1, 5.3, 9.6), v(1.8, 0.7, 2.0));
            // The fold of the upper lid is drawn out.
            own.displacement(site, lids(0.93, 0.045, 0.12)) + brow_follows + site.crease(&LID_FOLD, 0.20, 0.03)
        }
        "eyeSquint" => {
            let crow = [v(5.0, 3.75, 8.4), v(5.9, 4.0, 7.2)];
            let feet = [v(5.0, 3.3, 8.4), v(5.9, 3.0, 7.2)];
            // Beside the nose the lower lid hardly rises: it would come out through the upper one in a blink.
            own.displacement(site, lids(0.01, 0.215, 0.0)) * mix(0.3, 1.0, step(1.9, 2.8, a.x))
                + site.crease(&crow, 0.14, -0.03)
                + site.crease(&feet, 0.14, -0.03)
        }
        "eyeWide" => {
            own.displacement(site, lids(-0.15, -0.05, 0.0))
                + v(0.0, 0.12, 0.0) * blob(a, v(3.1, 5.5, 9.6), v(1.9, 0.9, 2.0))
        }
        "eyeLookUp" => own.displacement(site, lids(-0.17, 0.08, 0.09)),
        "eyeLookDown" => own.displacement(site, lids(0.31, -0.205, 0.02)),
        "eyeLookIn" | "eyeLookOut" => {
            // The cornea pushes the lids sideways a little.
            let way = if base == "eyeLookIn" { -0.06 } else { 0.06 };
            let near = bell(hypot((a.x - 3.15) / 1.3, (site.p.y - 3.6) / 0.9)) * site.front;
            site.sided(v(way * near, 0.0, 0.0)) + own.displacement(site, lids(0.03, 0.0, 0.0))
        }
        _ => return None,
    })
}

/// Creases of brow, cheek and nose in an expression, and what it moves at the eyelids, in addition to its fitted field.
pub fn half_face(base: &str, site: &Site, own: &Lids) -> DVec3 {
    let a = site.a;
    match base {
        "browDown" => {
            // The inner end of the brow goes lower than the average's, which frowns less than an angry face does.
            own.displacement(site, lids(0.01, 0.0, 0.02))
                + site.sided(v(-0.06, -0.24, 0.05)) * blob(a, v(1.4, 5.4, 10.4), v(1.4, 0.9, 2.0))
                + site.crease(&[v(0.42, 4.9, 10.7), v(0.52, 6.1, 10.6)], 0.16, -0.06)
                + site.crease(&[v(0.0, 5.3, 10.8), v(0.0, 5.8, 10.7)], 0.3, 0.04)
        }
        "browInnerUp" => {
            let lines = [6.9, 7.6, 8.25].map(|y| bell((site.p.y - y - 0.10 * cos(a.x)) / 0.16)).iter().sum::<f64>();
            site.normal * (lines * exp(-fourth(a.x / 2.3)) * site.front * -0.04)
        }
        "browOuterUp" => {
            let lines = [7.2, 7.9].map(|y| bell((site.p.y - y + 0.10 * (a.x - 3.0)) / 0.22)).iter().sum::<f64>();
            site.normal * (lines * exp(-fourth((a.x - 3.4) / 1.5)) * site.front * -0.02)
        }
        "cheekSquint" => {
            let pouch = [v(2.0, 2.70, 9.9), v(3.3, 2.30, 9.9), v(4.6, 2.65, 9.2)];
            let crow = [v(5.1, 3.2, 8.4), v(5.9, 2.8, 7.3)];
            site.crease(&pouch, 0.36, -0.03)
                + site.crease(&crow, 0.16, -0.03)
                + own.displacement(site, lids(0.0, 0.005, 0.0))
        }
        "noseSneer" => {
            site.crease(&NASOLABIAL, 0.28, -0.04)
                + own.displacement(site, lids(0.03, 0.045, 0.02))
                + site.crease(&[v(0.25, 3.75, 11.0), v(0.95, 3.2, 10.5)], 0.18, -0.022)
                + site.crease(&[v(0.2, 3.1, 11.2), v(1.1, 2.6, 10.6)], 0.18, -0.022)
        }
        _ => DVec3::ZERO,
    }
}
