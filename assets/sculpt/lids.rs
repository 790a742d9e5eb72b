//! The movement of eyelids: every point near the eye rotates about the eye's left-right axis, so that its distance from the
//! eyeball never shrinks. The angle is a part of the gap between the eyelids at rest.

use glam::DVec3;

use super::anatomy::EYE;
use super::numbers::{atan2, bell, cos, hypot, mix, polyline, sin, step, v};
use super::site::Site;

/// The left eye's lid edges as angles over the horizon, against x.
pub struct Lids {
    upper: Vec<[f64; 2]>,
    lower: Vec<[f64; 2]>,
    /// How much farther from the axis of rotation the lower edge is than the upper one, in centimetres, against x.
    farther: Vec<[f64; 2]>,
}

/// The widest gap, in radians, that the movement of the lower lid depends on: at wider gaps it rises no further.
const EVEN_RISE: f64 = 0.45;

/// The movement of the eyelids in an expression, as parts of the gap, which counts for the lower lid as [`EVEN_RISE`] at most.
/// Positive values close the eye.
pub struct LidMove {
    /// The movement of the upper eyelid.
    pub upper: f64,
    /// The movement of the lower eyelid.
    pub lower: f64,
    /// How far a moving eyelid is lifted off the eyeball, in centimetres.
    pub lift: f64,
}

impl Lids {
    /// Makes the angles from the points of the edges of both eyelids: upper, lower.
    pub fn new([upper, lower]: &[Vec<DVec3>; 2]) -> Self {
        let table =
            |edge: &[DVec3]| edge.iter().map(|p| [p.x, atan2(p.y - EYE.y, p.z - EYE.z)]).collect::<Vec<[f64; 2]>>();
        let distance = |p: &DVec3| hypot(p.y - EYE.y, p.z - EYE.z);
        let farther = upper.iter().zip(lower).map(|(up, low)| [up.x, distance(low) - distance(up)]).collect();
        Self { upper: table(upper), lower: table(lower), farther }
    }

    /// The share with which a point of the left eye belongs to the fold over the upper lid: 0 at the lashes, at the brow and beside the eye.
    pub fn fold_share(&self, a: DVec3) -> f64 {
        let from_eye = a - EYE;
        if from_eye.z < 0.0 || hypot(from_eye.y, from_eye.z) > 2.9 {
            return 0.0;
        }
        let (first, last) = (self.upper[0][0], self.upper[self.upper.len() - 1][0]);
        let above = atan2(from_eye.y, from_eye.z) - polyline(&self.upper, a.x.clamp(first, last));
        let below_brow = step(5.35, 4.95, a.y - 0.10 * (a.x - 3.1));
        step(0.06, 0.22, above) * below_brow * step(1.35, 1.9, a.x) * step(5.9, 5.3, a.x)
    }

    /// The displacement of a point by the eyelids of the eye on its side.
    pub fn displacement(&self, site: &Site, LidMove { upper, lower, lift }: LidMove) -> DVec3 {
        let from_eye = site.a - EYE;
        let distance = hypot(from_eye.y, from_eye.z);
        if distance > 2.7 || from_eye.z < -0.4 || site.a.x < 0.8 {
            return DVec3::ZERO;
        }
        let angle = atan2(from_eye.y, from_eye.z);
        if angle.abs() > 1.5 {
            return DVec3::ZERO;
        }
        let (first, last) = (self.upper[0][0], self.upper[self.upper.len() - 1][0]);
        let x = site.a.x.clamp(first, last);
        let (top, bottom) = (polyline(&self.upper, x), polyline(&self.lower, x));
        let (gap, middle) = (top - bottom, 0.5 * (top + bottom));
        // Opening widens less where the gap is narrow; closing is a share of the gap itself.
        let travel = |share: f64| if share > 0.0 { gap * share } else { share * (gap / 0.7).clamp(0.0, 1.0) };
        // The lower eyelid rises evenly, not in proportion to the gap: when squeezed, it becomes straight.
        let lower_travel = |share: f64| if share > 0.0 { gap.min(EVEN_RISE) * share } else { travel(share) };
        // The upper eyelid folds in under the brow, which does not move; nor does the skin over it, or a second fold would form.
        let crease = step(4.95, 4.30, site.p.y - 0.10 * (site.a.x - 3.1));
        let on_eyeball = step(2.02, 1.68, from_eye.length()).max(step(0.30, 0.10, angle - top));
        // The lower lid rises least beside the nose.
        let rise = mix(0.35, 1.0, step(0.0, 0.4, (x - first) / (last - first)));
        let turn = if angle > middle {
            -travel(upper) * step(1.0, 0.0, (angle - top) / 0.48) * crease * on_eyeball
        } else {
            lower_travel(lower) * rise * step(1.0, 0.0, (bottom - angle) / 0.60)
        };
        let beyond = (first - site.a.x).max(site.a.x - last).max(0.0);
        let turn = turn * bell(beyond / 0.35);
        if turn == 0.0 {
            return DVec3::ZERO;
        }
        // Only what is near the eyeball needs to be lifted off it, and towards the outer corner less: the edge would
        // stand off there.
        let over_cornea = mix(0.25, 1.0, step(last, last - 1.1, x));
        let lift = lift * over_cornea * (turn.abs() / 0.18).min(1.0) * step(1.95, 1.65, from_eye.length());
        // Where the upper edge meets the lower one, it lies as deep.
        let closed = (-turn / gap.max(0.01)).clamp(0.0, 1.0);
        let (turned, away) = (angle + turn, distance + lift + closed * polyline(&self.farther, x));
        v(0.0, away * sin(turned) - from_eye.y, away * cos(turned) - from_eye.z)
    }
}
