//! The columns of a take that say how the head and the eyes are turned.
//!
//! They are those of Live Link Face: `HeadYaw`, `LeftEyePitch` and so on, in radians; a receiver of another protocol
//! converts to [`FaceTurns`] itself. Epic documents neither unit nor signs. They follow from recordings of the app:
//!
//! - Eyes: in an iPhone capture of 1846 frames, `LeftEyeYaw` rises with `EyeLookInLeft` − `EyeLookOutLeft` (correlation
//!   0.995) and `RightEyeYaw` falls with `EyeLookInRight` − `EyeLookOutRight` (−0.997): a positive yaw looks to the
//!   actor's own right. Pitch falls with `EyeLookUp` − `EyeLookDown` (−0.99): positive is down. This is the sign of
//!   `FRotator` in Unreal's axes (−z, x, y) of ARKit (`AppleARKitConversion.h`), so that a positive roll tilts towards
//!   the own left. A weight of 1 of the targets is 0.6 of the yaw and 0.5 of the pitch: 35 and 28 degrees, if the unit
//!   is radians; in degrees or in fractions of 90 or 180 degrees it would be no angle of an eye.
//! - Head: all signs are the opposite ones: yaw to the own left, pitch up, roll to the own right. While an actor looks
//!   at the phone, the eyes turn against the head, and `HeadYaw` rises with the yaw of the eyes (0.95, slope 0.77, in a
//!   recorded stream of 180 frames). `MeFaMo`, which computes the columns from a camera for Unreal, has the same three
//!   signs.

use std::collections::HashSet;
use std::f32::consts::{PI, TAU};

use super::Take;
use crate::head::{FaceTurns, Turn, canonical_name};

/// An angle of the head, of one eye or of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Angle {
    part: TurnedPart,
    axis: Axis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TurnedPart {
    Head,
    /// 0 for the actor's own left eye, 1 for the right one.
    Eye(usize),
    BothEyes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Yaw,
    Pitch,
    Roll,
}

/// The names of the angles in Live Link Face's tables and packets, in its order. Takes of other formats have them too.
pub const ANGLE_COLUMNS: [&str; 9] = [
    "HeadYaw",
    "HeadPitch",
    "HeadRoll",
    "LeftEyeYaw",
    "LeftEyePitch",
    "LeftEyeRoll",
    "RightEyeYaw",
    "RightEyePitch",
    "RightEyeRoll",
];

/// The values of [`ANGLE_COLUMNS`], in radians with the signs of Live Link Face.
pub fn angle_values(turns: &FaceTurns) -> [f32; 9] {
    const PARTS: [TurnedPart; 3] = [TurnedPart::Head, TurnedPart::Eye(0), TurnedPart::Eye(1)];
    const AXES: [Axis; 3] = [Axis::Yaw, Axis::Pitch, Axis::Roll];
    std::array::from_fn(|column| Angle { part: PARTS[column / 3], axis: AXES[column % 3] }.value(turns))
}

impl Angle {
    /// The angle that a column records, by its name in any spelling: `HeadYaw`, `eyePitch_L`, `rightEyeRoll`, `headYaw
    /// (deg)`.
    pub fn of_column(column: &str) -> Option<Self> {
        let canonical = canonical_name(column);
        let (name, side) = match (canonical.strip_suffix("_l"), canonical.strip_suffix("_r")) {
            (Some(name), _) => (name, Some(0)),
            (_, Some(name)) => (name, Some(1)),
            (None, None) => (canonical.as_str(), None),
        };
        let (part, axis) = match (name.strip_prefix("head"), name.strip_prefix("eye")) {
            (Some(axis), _) if side.is_none() => (TurnedPart::Head, axis),
            (_, Some(axis)) => (side.map_or(TurnedPart::BothEyes, TurnedPart::Eye), axis),
            _ => return None,
        };
        let (axis, _) = without_unit(axis);
        let axis = match axis {
            "yaw" => Axis::Yaw,
            "pitch" => Axis::Pitch,
            "roll" => Axis::Roll,
            _ => return None,
        };
        Some(Self { part, axis })
    }

    /// What a column with the angle does, in words.
    pub fn label(self) -> &'static str {
        match self.part {
            TurnedPart::Head => "turns the head",
            TurnedPart::Eye(0) => "turns the left eye",
            TurnedPart::Eye(_) => "turns the right eye",
            TurnedPart::BothEyes => "turns the eyes",
        }
    }

    pub fn is_of_eyes(self) -> bool {
        self.part != TurnedPart::Head
    }

    /// Converts the angles of the takes of one file to radians, where they are degrees: where the name of a column says
    /// so, or, for all columns whose names say nothing, where another says so or a value is larger than half a turn.
    /// Returns the names of the columns that were converted in each take.
    pub fn convert_to_radians(takes: &mut [Take]) -> Vec<Vec<String>> {
        let is_in_degrees = takes.iter().any(|take| (0..take.columns.len()).any(|column| is_in_degrees(take, column)));
        if !is_in_degrees {
            return vec![Vec::new(); takes.len()];
        }
        takes.iter_mut().map(degrees_to_radians).collect()
    }

    /// Sets the angle to the value of a column, in radians.
    pub fn set(self, turns: &mut FaceTurns, value: f32) {
        let turns = match self.part {
            TurnedPart::Head => std::slice::from_mut(&mut turns.head),
            TurnedPart::Eye(side) => std::slice::from_mut(&mut turns.eyes[side]),
            TurnedPart::BothEyes => &mut turns.eyes[..],
        };
        for turn in turns {
            *self.axis.angle_in(turn) = value * self.sign();
        }
    }

    /// The value of a column that records this angle, in radians from -π to π: the inverse of [`Self::set`].
    pub fn value(self, turns: &FaceTurns) -> f32 {
        let mut turn = match self.part {
            TurnedPart::Head => turns.head,
            TurnedPart::Eye(side) => turns.eyes[side],
            TurnedPart::BothEyes => turns.eyes[0],
        };
        let value = *self.axis.angle_in(&mut turn) * self.sign();
        if !value.is_finite() {
            0.0
        } else if value.abs() > PI {
            // Readers of files take larger angles for degrees.
            ((value + PI).rem_euclid(TAU) - PI).clamp(-PI, PI)
        } else {
            value
        }
    }

    /// 1 if the column has the sign of [`Turn`], else -1.
    fn sign(self) -> f32 {
        let of_head = match self.axis {
            Axis::Yaw | Axis::Roll => 1.0,
            Axis::Pitch => -1.0,
        };
        if self.part == TurnedPart::Head { of_head } else { -of_head }
    }
}

/// Whether a column is an angle in degrees, by the unit in its name, else by its values.
fn is_in_degrees(take: &Take, column: usize) -> bool {
    let name = &take.columns[column].name;
    Angle::of_column(name).is_some()
        && match AngleUnit::of_name(name) {
            Some(unit) => unit == AngleUnit::Degrees,
            None => take.curve_of(column).is_some_and(|(curve, element)| {
                (0..curve.times().len()).any(|key| curve.key_value(key, element).abs() > PI)
            }),
        }
}

/// Converts all angles of a take whose names do not say that they are radians. Returns the names of their columns.
fn degrees_to_radians(take: &mut Take) -> Vec<String> {
    let mut converted = Vec::new();
    let mut done = HashSet::new();
    for column in &take.columns {
        if Angle::of_column(&column.name).is_none() || AngleUnit::of_name(&column.name) == Some(AngleUnit::Radians) {
            continue;
        }
        // Several columns may show one element.
        let curve = take.tracks.get_mut(column.track).filter(|curve| column.element < curve.width());
        if let Some(curve) = curve.filter(|_| done.insert((column.track, column.element))) {
            curve.scale_element(column.element, 1.0_f32.to_radians());
        }
        converted.push(column.name.clone());
    }
    converted
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AngleUnit {
    Degrees,
    Radians,
}

impl AngleUnit {
    /// The unit in the name of a column; none if it states none.
    fn of_name(column: &str) -> Option<Self> {
        let canonical = canonical_name(column);
        let name = canonical.strip_suffix("_l").or(canonical.strip_suffix("_r")).unwrap_or(&canonical);
        let in_words = without_unit(name).1;
        in_words.or_else(|| column.contains('°').then_some(Self::Degrees))
    }
}

/// A name in its canonical form without the unit at its end, and the unit.
fn without_unit(name: &str) -> (&str, Option<AngleUnit>) {
    let units = [
        ("degrees", AngleUnit::Degrees),
        ("degree", AngleUnit::Degrees),
        ("deg", AngleUnit::Degrees),
        ("radians", AngleUnit::Radians),
        ("radian", AngleUnit::Radians),
        ("rad", AngleUnit::Radians),
    ];
    let found = units.into_iter().find_map(|(ending, unit)| Some((name.strip_suffix(ending)?, Some(unit))));
    found.unwrap_or((name, None))
}

impl Axis {
    fn angle_in(self, turn: &mut Turn) -> &mut f32 {
        match self {
            Self::Yaw => &mut turn.yaw,
            Self::Pitch => &mut turn.pitch,
            Self::Roll => &mut turn.roll,
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::head::{Curve, Interpolation};
    use crate::motion::TakeColumn;

    #[test]
    fn columns_are_angles_in_every_spelling_and_shapes_are_not() {
        let angle = |part, axis| Some(Angle { part, axis });
        for (name, expected) in [
            ("HeadYaw", angle(TurnedPart::Head, Axis::Yaw)),
            ("head_pitch", angle(TurnedPart::Head, Axis::Pitch)),
            ("rig.headRoll", angle(TurnedPart::Head, Axis::Roll)),
            ("LeftEyePitch", angle(TurnedPart::Eye(0), Axis::Pitch)),
            ("eyeYaw_R", angle(TurnedPart::Eye(1), Axis::Yaw)),
            ("EyeRollRight", angle(TurnedPart::Eye(1), Axis::Roll)),
            ("eyePitch", angle(TurnedPart::BothEyes, Axis::Pitch)),
            ("HeadYaw (deg)", angle(TurnedPart::Head, Axis::Yaw)),
            ("head_pitch_degrees", angle(TurnedPart::Head, Axis::Pitch)),
            ("LeftEyeYaw [°]", angle(TurnedPart::Eye(0), Axis::Yaw)),
            ("HeadRollRad", angle(TurnedPart::Head, Axis::Roll)),
            ("EyeLookInLeft", None),
            ("HeadYawLeft", None),
            ("forehead", None),
            ("_neutral", None),
            ("", None),
        ] {
            assert_eq!(Angle::of_column(name), expected, "{name}");
        }
    }

    /// Where the nose or the pupil points, and the top of the head, after one column is set to 0.3.
    fn directions(column: &str) -> [Vec3; 2] {
        let mut turns = FaceTurns::NONE;
        Angle::of_column(column).unwrap().set(&mut turns, 0.3);
        let turn =
            if column.starts_with("Head") { turns.head } else { turns.eyes[usize::from(column.starts_with('R'))] };
        [turn.rotation() * Vec3::Z, turn.rotation() * Vec3::Y]
    }

    #[test]
    fn positive_values_turn_to_the_side_that_live_link_face_means() {
        // The actor looks along +z, and the own left is at +x.
        let (sine, cosine) = 0.3_f32.sin_cos();
        for (column, forward, up) in [
            ("HeadYaw", Vec3::new(sine, 0.0, cosine), Vec3::Y),
            ("HeadPitch", Vec3::new(0.0, sine, cosine), Vec3::new(0.0, cosine, -sine)),
            ("HeadRoll", Vec3::Z, Vec3::new(-sine, cosine, 0.0)),
            ("LeftEyeYaw", Vec3::new(-sine, 0.0, cosine), Vec3::Y),
            ("LeftEyePitch", Vec3::new(0.0, -sine, cosine), Vec3::new(0.0, cosine, sine)),
            ("RightEyeYaw", Vec3::new(-sine, 0.0, cosine), Vec3::Y),
            ("RightEyeRoll", Vec3::Z, Vec3::new(sine, cosine, 0.0)),
        ] {
            let [to, top] = directions(column);
            assert!(to.distance(forward) < 1e-6 && top.distance(up) < 1e-6, "{column}: {to}, {top}");
        }
    }

    #[test]
    fn the_value_of_an_angle_is_what_it_was_set_to() {
        for (column, value) in
            [("HeadYaw", 0.3), ("HeadPitch", -0.2), ("HeadRoll", 0.1), ("LeftEyeYaw", 0.4), ("RightEyePitch", 0.5)]
        {
            let (angle, mut turns) = (Angle::of_column(column).unwrap(), FaceTurns::NONE);
            angle.set(&mut turns, value);
            assert_eq!(angle.value(&turns), value, "{column}");
            angle.set(&mut turns, f32::NAN);
            assert_eq!(angle.value(&turns), 0.0);
            angle.set(&mut turns, 4.0);
            assert!((angle.value(&turns) - (4.0 - TAU)).abs() < 1e-6);
        }
    }

    #[test]
    fn the_values_of_the_columns_are_those_of_their_names() {
        let turn = |first: f32| Turn { yaw: first, pitch: first + 0.01, roll: first + 0.02 };
        let turns = FaceTurns { head: turn(0.1), eyes: [turn(0.2), turn(0.3)] };
        let values = ANGLE_COLUMNS.map(|column| Angle::of_column(column).unwrap().value(&turns));
        assert_eq!(angle_values(&turns), values);
    }

    fn take(columns: &[(&str, f32)]) -> Take {
        let values = [vec![0.0; columns.len()], columns.iter().map(|(_, value)| *value).collect()].concat();
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], values, columns.len()).unwrap();
        Take::of_curve(columns.iter().map(|(name, _)| *name), curve)
    }

    #[test]
    fn angles_are_degrees_where_the_file_or_a_name_says_so() {
        let converted = |takes: &[&[(&str, f32)]]| {
            let mut takes: Vec<Take> = takes.iter().map(|columns| take(columns)).collect();
            Angle::convert_to_radians(&mut takes);
            let last = |take: &Take| (0..take.columns.len()).map(|column| take.sample(column, 1.0)).collect::<Vec<_>>();
            takes.iter().map(last).collect::<Vec<_>>()
        };
        let radians = f32::to_radians;
        assert_eq!(converted(&[&[("HeadYaw", 1.2), ("jawOpen", 30.0)]]), [[1.2, 30.0]], "no angle is that large");
        assert_eq!(converted(&[&[("HeadYaw", -30.0), ("HeadRoll", 2.0)]]), [[radians(-30.0), radians(2.0)]]);
        assert_eq!(converted(&[&[("HeadYaw", 2.0)], &[("HeadYaw", 9.0)]]), [[radians(2.0)], [radians(9.0)]]);
        assert_eq!(converted(&[&[("HeadYaw (deg)", 2.0), ("jawOpen", 0.5)]]), [[radians(2.0), 0.5]]);
        assert_eq!(converted(&[&[("HeadYaw", 2.0), ("LeftEyePitch°", 1.0)]]), [[radians(2.0), radians(1.0)]]);
        assert_eq!(converted(&[&[("HeadYawRad", 2.0), ("HeadRollDeg", 3.0)]]), [[2.0, radians(3.0)]]);
        assert_eq!(converted(&[&[("HeadYaw_rad", 4.0)]]), [[4.0]], "more than half a turn, as the name says");
    }

    #[test]
    fn an_element_of_several_columns_is_converted_once() {
        let mut takes = [take(&[("HeadYaw", 90.0)])];
        takes[0].columns.push(TakeColumn { name: "head_yaw".into(), track: 0, element: 0 });
        takes[0].columns.push(TakeColumn { name: "HeadPitch".into(), track: 7, element: 0 });
        assert_eq!(Angle::convert_to_radians(&mut takes)[0].len(), 3);
        assert_eq!(takes[0].sample(0, 1.0), 90.0_f32.to_radians());
    }
}
