//! The movement of brows, eyelids, cheeks and nose in each expression: displacements at weight 1 of a point at rest, in
//! centimetres.

use glam::DVec3;

use super::anatomy::NASOLABIAL;
use super::lids::{LidMove, Lids};
use super::numbers::{bell, blob, cos, exp, fourth, hypot, step, v};
use super::site::Site;

fn lids(upper: f64, lower: f64, lift: f64) -> LidMove {
    LidMove { upper, lower, lift }
}

/// A soft mask around `center`, with another radius upwards.
fn uneven(a: DVec3, center: DVec3, radius: DVec3, up: f64) -> f64 {
    let radius = if a.y > center.y { v(radius.x, up, radius.z) } else { radius };
    blob(a, center, radius)
}

/// Expressions of one eye: these never cross the middle. `None` for others.
pub fn eye(base: &str, site: &Site, own: &Lids) -> Option<DVec3> {
    let a = site.a;
    Some(match base {
        "eyeBlink" => {
            let brow_follows = v(0.0, -0.07, 0.0) * blob(a, v(3.1, 5.3, 9.6), v(1.8, 0.7, 2.0));
            own.displacement(site, lids(0.925, 0.055, 0.18)) + brow_follows
        }
        "eyeSquint" => {
            let pouch = v(0.0, 0.34, 0.22) * uneven(a, v(3.2, 2.0, 9.6), v(1.7, 0.8, 1.6), 0.45);
            let outer = v(-0.10, 0.0, 0.02) * blob(a, v(4.9, 3.4, 8.6), v(0.9, 1.1, 1.4));
            let crow = [v(5.0, 3.75, 8.4), v(5.9, 4.0, 7.2)];
            let feet = [v(5.0, 3.3, 8.4), v(5.9, 3.0, 7.2)];
            own.displacement(site, lids(0.0, 0.15, 0.0))
                + pouch
                + site.sided(outer)
                + site.crease(&crow, 0.14, -0.03)
                + site.crease(&feet, 0.14, -0.03)
        }
        "eyeWide" => {
            own.displacement(site, lids(-0.15, -0.05, 0.0))
                + v(0.0, 0.12, 0.0) * blob(a, v(3.1, 5.5, 9.6), v(1.9, 0.9, 2.0))
        }
        "eyeLookUp" => own.displacement(site, lids(-0.17, 0.08, 0.09)),
        "eyeLookDown" => own.displacement(site, lids(0.34, -0.14, 0.01)),
        "eyeLookIn" | "eyeLookOut" => {
            // The cornea pushes the lids sideways a little.
            let way = if base == "eyeLookIn" { -0.06 } else { 0.06 };
            let near = bell(hypot((a.x - 3.15) / 1.3, (site.p.y - 3.6) / 0.9)) * site.front;
            site.sided(v(way * near, 0.0, 0.0)) + own.displacement(site, lids(0.03, 0.0, 0.0))
        }
        _ => return None,
    })
}

/// Expressions of brow, cheek and nose. `None` for others.
pub fn half_face(base: &str, site: &Site, own: &Lids) -> Option<DVec3> {
    let a = site.a;
    let below_hair = step(8.7, 7.2, a.y);
    Some(match base {
        "browDown" => {
            let pull =
                site.sided(v(-0.20, -0.60, 0.0)) * uneven(a, v(2.3, 5.55, 10.2), v(2.2, 1.0, 2.6), 2.2) * below_hair;
            let knit = v(-0.18, -0.12, 0.08) * blob(a, v(1.0, 5.2, 10.5), v(0.7, 0.8, 1.0));
            let hood = v(0.0, 0.0, 0.10) * blob(a, v(2.6, 5.15, 10.0), v(1.6, 0.45, 1.2));
            site.sliding(pull * site.front, 0.1)
                + site.sided(knit)
                + hood
                + own.displacement(site, lids(0.06, 0.0, 0.02))
                + site.crease(&[v(0.42, 4.9, 10.7), v(0.52, 6.1, 10.6)], 0.16, -0.085)
                + site.crease(&[v(0.0, 5.3, 10.8), v(0.0, 5.8, 10.7)], 0.3, 0.06)
        }
        "browInnerUp" => {
            let pull =
                site.sided(v(-0.05, 0.74, 0.0)) * uneven(a, v(1.1, 5.5, 10.4), v(1.75, 1.1, 2.6), 2.7) * below_hair;
            let lid = v(0.0, 0.10, -0.03) * blob(a, v(1.2, 4.9, 10.2), v(1.1, 0.6, 1.0));
            let lines = [6.9, 7.6, 8.25].map(|y| bell((site.p.y - y - 0.10 * cos(a.x)) / 0.16)).iter().sum::<f64>();
            let furrow = lines * exp(-fourth(a.x / 2.3)) * site.front * -0.05;
            site.sliding(pull * site.front, 0.15) + lid + site.normal * furrow
        }
        "browOuterUp" => {
            let pull = site.sided(v(0.02, 0.60, 0.0)) * uneven(a, v(4.1, 5.6, 9.2), v(1.9, 1.4, 2.8), 2.6) * below_hair;
            let lid = v(0.0, 0.14, 0.0) * blob(a, v(3.9, 4.7, 9.3), v(1.3, 0.5, 1.0));
            let lines = [7.2, 7.9].map(|y| bell((site.p.y - y + 0.10 * (a.x - 3.0)) / 0.16)).iter().sum::<f64>();
            let furrow = lines * exp(-fourth((a.x - 3.4) / 1.5)) * site.front * -0.035;
            site.sliding(pull * site.front, 0.15) + lid + site.normal * furrow
        }
        "cheekPuff" => {
            let mut d = v(0.0, 0.0, 0.12) * site.mouth;
            if site.is_outside {
                let swell = 0.95 * blob(a, v(4.0, -2.0, 8.4), v(1.9, 1.9, 2.4)) * (1.0 - 0.8 * site.lip);
                d += site.normal * v(1.0, 1.0, 0.9) * swell;
                d += site.sided(v(-0.10, 0.0, 0.15)) * (site.mouth * step(1.0, 2.4, a.x));
            }
            d
        }
        "cheekSquint" => {
            let lift = v(0.02, 0.80, 0.52) * uneven(a, v(3.7, 1.35, 9.3), v(1.7, 1.3, 2.0), 0.68);
            let pouch = [v(2.0, 2.70, 9.9), v(3.3, 2.30, 9.9), v(4.6, 2.65, 9.2)];
            let crow = [v(5.1, 3.2, 8.4), v(5.9, 2.8, 7.3)];
            // The ring around the eye draws the brow's end down.
            let brow = v(-0.05, -0.16, 0.0) * blob(a, v(4.7, 5.6, 8.9), v(1.3, 0.8, 2.0));
            site.sided(lift + brow)
                + site.crease(&pouch, 0.30, -0.07)
                + site.crease(&crow, 0.16, -0.04)
                + own.displacement(site, lids(0.0, 0.005, 0.0))
        }
        "noseSneer" => {
            let wing = v(0.08, 0.56, -0.02) * uneven(a, v(1.15, 0.2, 11.2), v(0.85, 0.9, 1.4), 1.9);
            let lip_share = 0.45 + 0.55 * site.upper * step(0.0, 0.5, site.over_lips);
            let lip = v(0.02, 0.30, 0.02) * (blob(a, v(1.2, -1.94, 11.3), v(1.1, 1.0, 1.4)) * lip_share);
            let brow = site.sided(v(-0.08, -0.20, 0.0)) * (blob(a, v(1.6, 5.3, 10.2), v(1.2, 0.8, 2.0)) * site.front);
            site.sided(wing + lip)
                + v(0.0, 0.03, 0.07) * blob(a, v(0.7, 3.2, 10.6), v(0.6, 0.7, 0.9))
                + site.crease(&NASOLABIAL, 0.30, -0.10)
                + site.sliding(brow, 0.15)
                + own.displacement(site, lids(0.03, 0.07, 0.02))
                + site.crease(&[v(0.25, 3.75, 11.0), v(0.95, 3.2, 10.5)], 0.14, -0.05)
                + site.crease(&[v(0.2, 3.1, 11.2), v(1.1, 2.6, 10.6)], 0.14, -0.05)
        }
        _ => return None,
    })
}
