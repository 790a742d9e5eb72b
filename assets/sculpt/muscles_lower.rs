//! The movement of the jaw, and the creases around the mouth, which are finer than the fitted fields: displacements at weight 1 of a
//! point at rest, in centimetres.

use glam::DVec3;

use super::anatomy::{MOUTH_X, NASOLABIAL, NASOLABIAL_FOLD};
use super::fields::jaw_share;
use super::lids::{LidMove, Lids};
use super::numbers::{bell, step, v};
use super::site::Site;

/// The angle of the jaw in jawOpen; the fitted fields of `fit/expressions.py` are made for the same angle.
pub const JAW_DEGREES: f64 = 22.2;
/// The angle of the jaw in tongueOut.
pub const TONGUE_JAW_DEGREES: f64 = 3.0;

/// Creases that half a mouth makes in an expression, and what it moves at the eyelids, in addition to its fitted field.
pub fn half_mouth(base: &str, site: &Site, own: &Lids) -> DVec3 {
    match base {
        // The cheeks push the lower lids up.
        "mouthSmile" => {
            site.crease(&NASOLABIAL, 0.28, -0.07)
                + site.crease(&NASOLABIAL_FOLD, 0.42, 0.05)
                + own.displacement(site, LidMove { upper: 0.0, lower: 0.005, lift: 0.0 })
        }
        "mouthFrown" => site.crease(&[v(2.75, -3.35, 10.0), v(3.0, -4.45, 9.4)], 0.38, -0.06),
        "mouthDimple" => site.crease(&[v(3.05, -2.55, 9.8), v(3.15, -3.6, 9.6)], 0.3, -0.07),
        "mouthStretch" => site.crease(&[v(3.0, -8.7, 3.9), v(2.6, -7.7, 5.4)], 0.5, 0.10),
        "mouthUpperUp" => site.crease(&NASOLABIAL, 0.30, -0.05),
        _ => DVec3::ZERO,
    }
}

/// The movement of the jaw and what is added to the fitted fields of the whole mouth.
pub fn whole(base: &str, site: &Site) -> DVec3 {
    let x = site.a.x;
    match base {
        "jawLeft" | "jawRight" => {
            let way = if base == "jawLeft" { 0.85 } else { -0.85 };
            v(way, 0.0, -0.04) * (site.jaw * step(-1.0, 7.0, site.p.z))
                + v(way, 0.0, 0.0) * (site.mouth * (1.0 - site.jaw) * 0.22)
        }
        "jawForward" => v(0.0, -0.12, 0.85) * site.jaw,
        "jawOpen" => {
            let mut d = site.with_jaw(JAW_DEGREES) + v(0.0, -0.10, -0.02) * (site.mouth * (1.0 - site.jaw));
            // The lips of an open mouth are relaxed: the lower one lies over the edges of the lower teeth.
            d += v(0.0, 0.24, 0.08) * (site.lip * site.lower * site.gap_share);
            // The corners come inwards; the cheeks behind them stay beside the teeth.
            let kept = if site.is_outside { 1.0 } else { step(8.2, 9.6, site.p.z) };
            d += site.sided(v(-0.36, 0.0, 0.10)) * ((x / MOUTH_X).min(1.0) * site.mouth * kept);
            // Their ends are round.
            d += site.sided(v(-0.12, 0.0, 0.0)) * (bell((x - 2.5) / 0.35) * site.mouth * kept);
            d * (1.0 - jaw_share(site))
        }
        // The fitted fields draw the middle of a rolled lip up and its sides down, which is a wave where the jaw is open.
        "mouthRollUpper" => {
            let up = 0.11 * bell((x - 1.8) / 0.5) - 0.07 * site.upper * bell(x / 0.75);
            v(0.0, up * site.lip, 0.0)
        }
        "mouthRollLower" => {
            let up = 0.11 * bell((x - 1.45) / 0.65) + 0.05 * bell((x - 0.75) / 0.5) - 0.06 * bell(x / 0.35);
            v(0.0, up, 0.0) * (site.lip * site.lower)
        }
        "mouthShrugLower" => site.crease(&[v(0.0, -4.75, 11.1), v(1.5, -4.6, 10.6)], 0.34, -0.04),
        "tongueOut" => {
            site.with_jaw(TONGUE_JAW_DEGREES)
                + v(0.0, -0.36, 0.08) * (site.lip * site.lower)
                + v(0.0, 0.12, 0.0) * (site.lip * site.upper)
        }
        _ => DVec3::ZERO,
    }
}
