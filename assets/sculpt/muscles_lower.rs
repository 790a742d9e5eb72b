//! The movement of mouth and jaw in each expression: displacements at weight 1 of a point at rest, in centimetres.

use glam::DVec3;

use super::anatomy::{MOUTH_X, NASOLABIAL, NASOLABIAL_FOLD};
use super::lids::{LidMove, Lids};
use super::numbers::{bell, blob, exp, fourth, mix, pow, step, tanh, v};
use super::site::{Site, jaw_turn};

/// The angle of the jaw in jawOpen.
pub const JAW_DEGREES: f64 = 15.5;
/// The angle of the jaw in tongueOut.
pub const TONGUE_JAW_DEGREES: f64 = 7.5;
/// The angle of the jaw in mouthFunnel.
pub const FUNNEL_JAW_DEGREES: f64 = 4.5;

/// A mask around the corners of the mouth, which extends by `x_reach` beyond them and by `y_reach` over and under them.
fn corner(site: &Site, x_reach: f64, y_reach: f64) -> f64 {
    bell((site.a.x - 2.26).max(0.0) / x_reach) * bell(site.over_lips / y_reach) * step(4.5, 8.2, site.p.z)
}

/// Expressions of half a mouth. `None` for others.
pub fn half_mouth(base: &str, site: &Site, own: &Lids) -> Option<DVec3> {
    let (a, x) = (site.a, site.a.x);
    let lids = |upper, lower| own.displacement(site, LidMove { upper, lower, lift: 0.0 });
    Some(match base {
        "mouthSmile" => {
            let pull = pow((x / MOUTH_X).min(1.0), 1.75) * corner(site, 1.5, 1.75);
            let spread = site.lip * x.min(MOUTH_X) * (1.0 - (x / MOUTH_X).min(1.0).powi(2));
            let apple = v(0.12, 0.58, 0.34) * blob(a, v(3.8, 0.3, 9.3), v(1.5, 1.5, 2.0));
            let wing = v(0.10, 0.08, -0.03) * blob(a, v(1.3, -0.1, 11.1), v(0.7, 0.7, 1.0));
            site.sided(v(0.60, 0.70, -0.60) * pull + v(0.09, 0.0, 0.0) * spread + apple + wing)
                + v(0.0, 0.12, -0.10) * (site.lip * bell(x / 1.6))
                + site.crease(&NASOLABIAL, 0.30, -0.15)
                + site.crease(&NASOLABIAL_FOLD, 0.45, 0.13)
                // The cheeks push the lower lids up.
                + v(0.0, 0.14, 0.10) * blob(a, v(3.2, 1.9, 9.6), v(1.5, 0.6, 1.6))
                + lids(0.0, 0.005)
        }
        "mouthFrown" => {
            let pull = pow(step(0.3, MOUTH_X, x), 1.3) * corner(site, 1.2, 1.6);
            site.sided(v(0.08, -0.50, -0.14) * pull)
                + v(0.0, 0.16, 0.12) * blob(a, v(0.0, -5.7, 11.0), v(1.3, 0.9, 1.2))
                + site.crease(&[v(2.75, -3.35, 10.0), v(3.0, -4.45, 9.4)], 0.38, -0.08)
        }
        "mouthDimple" => {
            let pull = blob(a, v(2.6, -3.05, 9.9), v(1.05, 1.1, 1.7)) * step(0.4, 2.4, x);
            site.sided(v(0.22, 0.14, -0.60) * pull)
                + site.crease(&[v(3.05, -2.45, 9.8), v(3.15, -3.5, 9.6)], 0.3, -0.12)
        }
        "mouthStretch" => {
            let pull = step(0.0, MOUTH_X, x) * corner(site, 1.6, 1.9);
            site.sided(v(0.70, -0.30, -0.55) * pull)
                + v(0.0, 0.0, -0.05) * (site.mouth * step(2.3, 0.3, x))
                + site.crease(&[v(3.0, -8.7, 3.9), v(2.6, -7.7, 5.4)], 0.5, 0.10)
        }
        "mouthPress" => {
            let lip = site.lip * step(-0.2, 1.0, x);
            let off_line = site.over_lips.abs();
            v(0.0, -0.20, -0.04) * (lip * site.upper * step(0.0, 0.6, off_line))
                + v(0.0, 0.27, 0.0) * (lip * site.lower * step(0.0, 0.7, off_line))
                + v(0.0, 0.02, -0.10) * (lip * (1.0 - (off_line / 0.8).min(1.0)))
                + v(0.0, 0.03, -0.12) * blob(a, v(2.6, -3.05, 10.0), v(0.8, 0.8, 1.4))
                + v(0.0, 0.12, 0.05) * blob(a, v(1.2, -5.4, 10.8), v(1.3, 0.9, 1.3))
        }
        "mouthUpperUp" => {
            let pull = blob(a, v(0.65, -2.6, 11.2), v(1.5, 1.3, 2.2)) * site.upper * site.front;
            let wing = v(0.08, 0.22, -0.03) * blob(a, v(1.15, 0.1, 11.1), v(0.8, 1.0, 1.3));
            site.sided(v(0.03, 0.58, 0.02) * pull + wing)
                + site.crease(&NASOLABIAL, 0.32, -0.09)
                + v(0.0, 0.14, 0.08) * blob(a, v(3.2, 0.4, 9.6), v(1.3, 1.2, 1.6))
        }
        "mouthLowerDown" => {
            let pull = blob(a, v(0.9, -3.55, 11.0), v(1.4, 1.35, 2.2)) * site.lower * site.front;
            site.sided(v(0.08, -0.58, 0.0) * pull)
                + v(0.0, -0.14, -0.02) * blob(a, v(1.0, -5.4, 10.8), v(1.3, 0.9, 1.3))
        }
        _ => return None,
    })
}

/// Expressions of the whole mouth. `None` for others.
pub fn whole(base: &str, site: &Site) -> Option<DVec3> {
    let (a, x) = (site.a, site.a.x);
    let off_line = site.over_lips.abs();
    Some(match base {
        "mouthLeft" => sideways(site, 1.0),
        "mouthRight" => sideways(site, -1.0),
        "jawLeft" | "jawRight" => {
            let way = if base == "jawLeft" { 0.85 } else { -0.85 };
            v(way, 0.0, -0.04) * (site.jaw * step(-1.0, 7.0, site.p.z))
                + v(way, 0.0, 0.0) * (site.mouth * (1.0 - site.jaw) * 0.22)
        }
        "jawForward" => v(0.0, -0.12, 0.85) * site.jaw,
        "jawOpen" => {
            let mut d = site.with_jaw(JAW_DEGREES) + v(0.0, -0.10, -0.02) * (site.mouth * (1.0 - site.jaw));
            d += relaxed(site);
            // The corners come inwards; the cheeks behind them stay beside the teeth.
            let kept = if site.is_outside { 1.0 } else { step(8.2, 9.6, site.p.z) };
            d += site.sided(v(-0.36, 0.0, 0.12)) * (step(1.0, 2.6, x) * site.mouth * kept);
            if site.is_outside {
                d += site.sided(v(-0.22, -0.10, -0.10)) * blob(a, v(4.4, -1.5, 8.0), v(1.6, 2.0, 2.0));
            }
            d
        }
        "mouthPucker" => {
            let gather = gather(site);
            let pout = tanh(site.over_lips * 2.2) * step(0.0, 0.35, off_line) * step(2.1, 0.2, x);
            site.sided(v(-0.42 * x.min(MOUTH_X), 0.0, 0.0)) * gather
                + v(0.0, 0.0, 0.78) * gather
                + v(0.0, 0.0, 0.35) * (gather * step(0.6, 2.4, x))
                + v(0.0, 0.14, 0.06) * (gather * pout)
        }
        "mouthFunnel" => {
            let (gather, arch) = (gather(site), site.arch());
            site.sided(v(-0.26 * x.min(MOUTH_X), 0.0, 0.0)) * gather
                + v(0.0, 0.0, 0.55) * gather
                + v(0.0, 0.0, 0.20) * (gather * step(0.6, 2.4, x))
                + v(0.0, 0.30, 0.06) * (site.mouth * site.upper * arch)
                + v(0.0, -0.36, -0.02) * (site.mouth * site.lower * arch)
                + v(0.0, 0.0, 0.10) * (site.lip * arch * bell(site.over_lips / 0.45))
                + site.with_jaw(FUNNEL_JAW_DEGREES)
        }
        "mouthRollUpper" => roll(site, site.upper, -0.30),
        "mouthRollLower" => roll(site, site.lower, 0.36),
        "mouthShrugUpper" => {
            let near = bell(site.over_lips / 1.3) * exp(-fourth(x / 2.0)) * site.front * (0.88 + 0.12 * site.upper);
            v(0.0, 0.46, 0.14) * near + v(0.0, 0.10, 0.0) * blob(a, v(0.0, -0.4, 11.5), v(1.4, 0.6, 1.2))
        }
        "mouthShrugLower" => {
            let side = 1.0 - 0.65 * step(0.0, 0.8, site.over_lips);
            let near = exp(-fourth(x / 2.3)) * site.front * step(-8.0, -5.6, site.p.y);
            let lift = near * bell(site.over_lips.max(0.0) / 0.9) * (0.55 + 0.45 * side);
            v(0.0, 0.60, 0.30) * lift
                + v(0.0, 0.10, -0.14) * blob(a, v(0.0, -4.55, 11.0), v(1.6, 0.4, 1.0))
                + v(0.0, 0.16, 0.14) * blob(a, v(0.0, -5.8, 10.9), v(1.4, 0.8, 1.3))
                + site.crease(&[v(0.0, -4.75, 11.1), v(1.5, -4.6, 10.6)], 0.34, -0.06)
        }
        // Corrects jawOpen: the lips meet again while the chin stays down. Alone it crosses the lips, as ARKit's does.
        "mouthClose" => {
            let beside = 1.0 - site.gap_share;
            let (meeting, share, reach) = if site.over_lips < 0.0 {
                (0.26 + 0.24 * beside, -0.74, 1.4)
            } else {
                (0.22 + 0.28 * beside, 0.22, 0.9)
            };
            // The lips move as a whole to where both meet, and keep their outline; at the lip line by the width of the gap, and
            // around the corners the movement fades evenly.
            let whole = meeting - site.jaw;
            let fading = share * mix(site.gap_share, bell(x / 2.0), step(0.05, 0.9, off_line));
            // Towards the chin the movement of the lips fades more slowly, or a fold would form below each corner.
            let spread = step(-0.3, -1.5, site.over_lips);
            let inside = step(mix(MOUTH_X, 3.3, spread), mix(1.8, 1.1, spread), x);
            let near = bell((off_line - 0.5).max(0.0) / reach) * step(7.0, 9.5, site.p.z);
            jaw_turn(site.p, JAW_DEGREES) * (mix(fading, whole, inside) * near) - relaxed(site)
        }
        "tongueOut" => {
            site.with_jaw(TONGUE_JAW_DEGREES)
                + v(0.0, -0.30, 0.08) * (site.lip * site.lower)
                + v(0.0, 0.12, 0.0) * (site.lip * site.upper)
        }
        _ => return None,
    })
}

/// The lips of an open mouth are relaxed: the lower one lies over the edges of the lower teeth.
fn relaxed(site: &Site) -> DVec3 {
    v(0.0, 0.24, 0.08) * (site.lip * site.lower * site.gap_share)
}

/// A mask of the lips and their surroundings, for movements that draw them together.
fn gather(site: &Site) -> f64 {
    bell(site.over_lips / 1.55) * bell((site.a.x - 1.9).max(0.0) / 1.35) * step(6.5, 9.4, site.p.z)
}

/// Moves the mouth to one side; `way` is 1 for the left, -1 for the right.
fn sideways(site: &Site, way: f64) -> DVec3 {
    let near = bell(site.over_lips / 2.0) * bell((site.a.x - 2.0).max(0.0) / 1.8) * step(5.5, 9.0, site.p.z);
    let along = site.p.x * way;
    v(1.05 * way, 0.05, -0.10) * near
        + v(-0.25 * way, 0.26, -0.28) * (near * step(-1.0, 2.6, along))
        + v(0.10 * way, 0.0, 0.44) * (near * step(1.0, -2.6, along))
        + v(0.14 * way, 0.0, 0.0) * blob(site.p, v(0.0, 0.2, 12.0), v(1.4, 1.0, 1.4))
        + v(0.16 * way, 0.0, 0.0) * blob(site.p, v(0.0, -5.4, 10.8), v(1.8, 1.1, 1.5))
}

/// Draws one lip in over the teeth; `rise` is the movement of the skin behind it.
fn roll(site: &Site, share: f64, rise: f64) -> DVec3 {
    let off_line = site.over_lips.abs();
    let lip = site.lip * share * pow((1.0 - fourth(site.a.x / 2.46)).max(0.0), 0.5);
    let turned = if site.is_outside { step(0.75, 0.05, off_line) } else { 1.0 };
    v(0.0, 0.0, -0.50) * (lip * turned)
        + v(0.0, rise, -0.12) * (lip * step(0.0, 0.65, off_line) * bell((off_line - 0.7).max(0.0) / 0.6))
}
