//! The bones of the head that a file names itself, as a VRM avatar does.

use super::Turn;

/// The bones of the head that a file names itself, as indices into [`super::Rig::nodes`]. They need not be searched for by their
/// names.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Humanoid {
    /// The head.
    pub head: Option<usize>,
    /// The neck, which carries the head.
    pub neck: Option<usize>,
    /// The actor's own left eye, then the right one.
    pub eyes: [Option<usize>; 2],
    /// How far these eyes turn at most; none if the file does not say.
    pub eye_range: Option<EyeRange>,
}

/// How far the eyes turn at most from looking straight ahead, in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EyeRange {
    /// Towards the nose.
    pub inwards: f32,
    /// Away from the nose.
    pub outwards: f32,
    /// Down.
    pub down: f32,
    /// Up.
    pub up: f32,
}

impl EyeRange {
    /// A turn of an eye within the range: of the actor's own left eye with `side` 0, of the right one with 1.
    pub(in crate::head) fn limited(self, side: usize, turn: Turn) -> Turn {
        let [to_right, to_left] = if side == 0 { [self.inwards, self.outwards] } else { [self.outwards, self.inwards] };
        // `max` and `min` also replace an angle that is not a number.
        Turn { yaw: turn.yaw.max(-to_right).min(to_left), pitch: turn.pitch.max(-self.up).min(self.down), ..turn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eyes_turn_further_out_than_in_on_either_side() {
        let range = EyeRange { inwards: 0.1, outwards: 0.2, down: 0.3, up: 0.4 };
        let far = |yaw: f32, pitch: f32| Turn { yaw, pitch, roll: 0.0 };
        let limited = |side: usize, turn: Turn| range.limited(side, turn);
        assert_eq!((limited(0, far(1.0, 1.0)), limited(0, far(-1.0, -1.0))), (far(0.2, 0.3), far(-0.1, -0.4)));
        assert_eq!((limited(1, far(1.0, 1.0)), limited(1, far(-1.0, -1.0))), (far(0.1, 0.3), far(-0.2, -0.4)));
        assert_eq!(limited(0, far(0.05, -0.05)), far(0.05, -0.05));
    }
}
