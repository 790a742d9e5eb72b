//! A point of the skin at rest, with the values that expressions depend on: its position, its lip, its weight on the jaw.

use glam::DVec3;

use super::anatomy::{MOUTH_X, head};
use super::expressions::Side;
use super::field::gradient;
use super::layout::parting;
use super::numbers::{bell, cos, exp, fourth, mix, pow, sin, step, v};
use super::rings::LipSide;

/// The rotation axis of the jaw, through both condyles.
pub const HINGE: DVec3 = v(0.0, 1.5, 1.3);

/// The point and the values derived from it. Lengths in centimetres.
pub struct Site {
    /// The position at rest.
    pub p: DVec3,
    /// The position, mirrored to the left side.
    pub a: DVec3,
    /// Unit normal of the skin; zero on linings.
    pub normal: DVec3,
    /// 1 on the left, -1 on the right, 0 in the middle.
    pub mirror: f64,
    /// Height over the line between the lips.
    pub over_lips: f64,
    /// Whether it is in front of the lip line, not behind it.
    pub is_outside: bool,
    /// Its weight on the jaw.
    pub jaw: f64,
    /// Weight of the upper lip; 0.5 beyond the corners.
    pub upper: f64,
    /// 1 - upper.
    pub lower: f64,
    /// 1 in front of the head, 0 behind.
    pub front: f64,
    /// Weight of the body of the lips.
    pub lip: f64,
    /// Weight of the surroundings of the mouth.
    pub mouth: f64,
    /// The gap between the lips at this point when the jaw opens, as a part of the movement of the jaw: zero at the corners.
    pub gap_share: f64,
    left_share: f64,
}

impl Site {
    /// The values of a point on the outer skin.
    pub fn on_skin(p: DVec3) -> Self {
        Self::new(p, skin_normal(p), LipSide::ByPosition)
    }

    /// The values of a point with its normal and, near the lips, the lip that it belongs to.
    pub fn new(p: DVec3, normal: DVec3, lip_side: LipSide) -> Self {
        let a = v(p.x.abs(), p.y, p.z);
        let over_line = p.y - parting(a.x.min(MOUTH_X));
        let over_lips = match lip_side {
            LipSide::Upper => over_line.abs().max(1e-3),
            LipSide::Lower => -over_line.abs().max(1e-3),
            _ => over_line,
        };
        let is_low = over_lips < 0.0;
        let t = (a.x / MOUTH_X).clamp(0.0, 1.0);
        // Towards the corner, the weights of both lips approach 0.5.
        let to_half = 0.5 * (1.0 - (1.0 - pow(t, 2.4)).max(0.0).sqrt());
        let beyond = (a.x - MOUTH_X).max(0.0);
        let width = 0.40 + 0.36 * a.x.min(MOUTH_X) + 0.5 * beyond;
        let below = step(width, -width, over_lips);
        let jaw = match lip_side {
            LipSide::Corner => 0.5,
            _ if is_low => 1.0 - 2.0 * to_half * (1.0 - below),
            _ => 2.0 * to_half * below,
        };
        let lower = match lip_side {
            LipSide::Corner => 0.5,
            _ if a.x >= MOUTH_X => 0.5,
            _ if is_low => 1.0 - to_half,
            _ => to_half,
        };
        // The angle of the jaw moves with the jaw, the ear does not, and the throat little.
        let held = step(-4.4, -2.7, p.y).max(step(-6.2, -7.8, p.y));
        let depth = p.z + 0.25 * (p.y + 5.0).min(0.0);
        let reach = step(mix(0.2, 2.8, held), mix(5.2, 6.6, held), depth) * step(-10.4, -7.2, p.y);
        Self {
            p,
            a,
            normal,
            mirror: sign(p.x),
            over_lips,
            is_outside: lip_side == LipSide::ByPosition,
            jaw: jaw * reach,
            upper: 1.0 - lower,
            lower,
            front: step(4.0, 7.0, p.z),
            lip: exp(-fourth(over_lips / 0.82)) * bell((a.x - 2.1).max(0.0) / 0.8) * step(6.5, 9.3, p.z),
            mouth: bell(over_lips / 2.0) * bell((a.x - 2.2).max(0.0) / 1.7) * step(4.5, 8.5, p.z),
            gap_share: 1.0 - 2.0 * to_half,
            left_share: step(-0.9, 0.9, p.x),
        }
    }

    /// The weight of a side's expression here, with a soft transition in the middle.
    pub fn share(&self, side: Side) -> f64 {
        match side {
            Side::Left => self.left_share,
            Side::Right => 1.0 - self.left_share,
            Side::Whole => 1.0,
        }
    }

    /// The weight of an eye's expression at this point: zero on the other side of the face.
    pub fn eye_share(&self, side: Side) -> f64 {
        match side {
            Side::Left => f64::from(self.p.x > 0.0),
            Side::Right => f64::from(self.p.x < 0.0),
            Side::Whole => 1.0,
        }
    }

    /// Converts a movement from the left side to the side of the point.
    pub fn sided(&self, d: DVec3) -> DVec3 {
        v(d.x * self.mirror, d.y, d.z)
    }

    /// A crease (negative) or bulge of the skin along a line, `depth` centimetres.
    pub fn crease(&self, line: &[DVec3], radius: f64, depth: f64) -> DVec3 {
        self.normal * (bell(super::field::line(self.a, line) / radius) * depth)
    }

    /// The displacement by a downward rotation of the jaw. At the throat and the angle of the jaw the bone slides back under the
    /// skin; the skin moves less, or it would fold against the neck.
    pub fn with_jaw(&self, degrees: f64) -> DVec3 {
        let back = if self.is_outside { mix(0.1, 1.0, step(3.5, 9.8, self.p.z)) } else { 1.0 };
        jaw_turn(self.p, degrees) * v(1.0, 1.0, back) * self.jaw
    }
}

/// The unit normal of the skin: exactly mirrored, with x = 0 in the middle.
pub fn skin_normal(p: DVec3) -> DVec3 {
    let normal = gradient(head, v(p.x.abs(), p.y, p.z), 0.004).normalize_or(DVec3::Z);
    v(normal.x * sign(p.x), normal.y, normal.z)
}

/// 1 on the left, -1 on the right, 0 in the middle.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// The displacement of a point that is fixed to the jaw.
pub fn jaw_turn(p: DVec3, degrees: f64) -> DVec3 {
    let q = p - HINGE;
    let (s, c) = (sin(degrees.to_radians()), cos(degrees.to_radians()));
    v(0.0, q.y * c - q.z * s - q.y, q.y * s + q.z * c - q.z)
}
