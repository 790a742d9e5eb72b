//! How a head stands in its file: which axis is up, and which one the face looks along.

use std::str::FromStr;

use glam::{Mat4, Vec3, Vec4};
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// A direction along an axis of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
pub enum Axis {
    #[serde(rename = "+y")]
    PlusY,
    #[serde(rename = "+z")]
    PlusZ,
    #[serde(rename = "-y")]
    MinusY,
    #[serde(rename = "-z")]
    MinusZ,
    #[serde(rename = "+x")]
    PlusX,
    #[serde(rename = "-x")]
    MinusX,
}

impl Axis {
    pub const EACH: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        match self {
            Self::PlusX => "+X",
            Self::PlusY => "+Y",
            Self::PlusZ => "+Z",
            Self::MinusX => "−X",
            Self::MinusY => "−Y",
            Self::MinusZ => "−Z",
        }
    }

    pub fn direction(self) -> Vec3 {
        match self {
            Self::PlusX => Vec3::X,
            Self::PlusY => Vec3::Y,
            Self::PlusZ => Vec3::Z,
            Self::MinusX => Vec3::NEG_X,
            Self::MinusY => Vec3::NEG_Y,
            Self::MinusZ => Vec3::NEG_Z,
        }
    }

    /// The axis that is less than 41 degrees from a direction, if there is one.
    pub(super) fn near(direction: Vec3) -> Option<Self> {
        const LEAST_COSINE: f32 = 0.75;
        let direction = direction.normalize_or_zero();
        Self::EACH.iter().copied().find(|axis| axis.direction().dot(direction) > LEAST_COSINE)
    }

    pub fn is_across(self, other: Self) -> bool {
        self.direction().dot(other.direction()) == 0.0
    }

    fn opposite(self) -> Self {
        match self {
            Self::PlusX => Self::MinusX,
            Self::PlusY => Self::MinusY,
            Self::PlusZ => Self::MinusZ,
            Self::MinusX => Self::PlusX,
            Self::MinusY => Self::PlusY,
            Self::MinusZ => Self::PlusZ,
        }
    }
}

impl FromStr for Axis {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let (sign, letter) = match word.strip_prefix(['-', '−']) {
            Some(letter) => ("−", letter),
            None => ("+", word.strip_prefix('+').unwrap_or(word)),
        };
        let label = format!("{sign}{}", letter.to_uppercase());
        let found = Self::EACH.iter().copied().find(|axis| axis.label() == label);
        found.ok_or_else(|| "it is one of +x, +y, +z, -x, -y and -z".into())
    }
}

/// Two axes of a file at right angles: the one that is up, and the one that the face looks along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    up: Axis,
    front: Axis,
}

impl Default for Standing {
    fn default() -> Self {
        Self::UPRIGHT
    }
}

impl Standing {
    /// As assets of glTF stand (glTF 2.0 §3.4).
    pub const UPRIGHT: Self = Self { up: Axis::PlusY, front: Axis::PlusZ };

    /// `None` if they are not at right angles.
    pub fn new(up: Axis, front: Axis) -> Option<Self> {
        up.is_across(front).then_some(Self { up, front })
    }

    /// The usual front of programs with this axis up: -y in Blender and Maya if +z is up.
    fn usual(up: Axis) -> Self {
        let front = match up {
            Axis::PlusZ => Axis::MinusY,
            Axis::MinusZ => Axis::PlusY,
            Axis::PlusX | Axis::MinusX | Axis::PlusY | Axis::MinusY => Axis::PlusZ,
        };
        Self { up, front }
    }

    /// `left` is the axis from the right of the face to its left.
    pub(super) fn from_up_and_left(up: Axis, left: Option<Axis>) -> Self {
        let front = left.and_then(|left| Axis::near(left.direction().cross(up.direction())));
        front.map_or(Self::usual(up), |front| Self { up, front })
    }

    pub fn up(self) -> Axis {
        self.up
    }

    pub fn front(self) -> Axis {
        self.front
    }

    pub(super) fn turned_round(self) -> Self {
        Self { front: self.front.opposite(), ..self }
    }

    /// The rotation that takes `up` to +y and `front` to +z. It takes axes to axes, so that it is exact.
    pub fn upright_from_file(self) -> Mat4 {
        let [up, front] = [self.up, self.front].map(Axis::direction);
        let [side, up, front] = [up.cross(front), up, front].map(|axis| axis.extend(0.0));
        Mat4::from_cols(side, up, front, Vec4::W).transpose()
    }

    /// What is said of a head that stands so, unless it is upright.
    pub(super) fn message(self) -> Option<String> {
        let (up, front) = (self.up.label().to_lowercase(), self.front.label().to_lowercase());
        match self {
            Self::UPRIGHT => None,
            Self { up: Axis::PlusY, .. } => {
                Some(format!("looks along {front}: it is shown turned to the front, and saved as it was"))
            }
            _ => Some(format!("stands along {up} and looks along {front}: it is shown upright, and saved as it was")),
        }
    }
}

/// The axes of a head's file that an artist says are up and front. `None`: as found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChosenAxes {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up: Option<Axis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front: Option<Axis>,
}

impl ChosenAxes {
    pub fn are_as_found(&self) -> bool {
        *self == Self::default()
    }

    /// A front that cannot be one while this axis is up is as found.
    #[must_use]
    pub fn within_reason(self) -> Self {
        let front = self.front.filter(|front| self.up.is_none_or(|up| up.is_across(*front)));
        Self { front, ..self }
    }

    /// How a head stands, given how it was found to.
    pub fn standing(self, found: Standing) -> Standing {
        let Self { up, front } = self.within_reason();
        let across = |axis: Axis| front.is_none_or(|front| front.is_across(axis));
        let up = up.or_else(|| [found.up, Axis::PlusY, Axis::PlusZ].into_iter().find(|up| across(*up)));
        let up = up.unwrap_or_else(|| unreachable!("no axis is parallel to both y and z"));
        let fronts = [front, Some(found.front)].into_iter().flatten();
        fronts.filter_map(|front| Standing::new(up, front)).next().unwrap_or(Standing::usual(up))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_standing_is_turned_upright_by_an_exact_rotation() {
        let all = Axis::EACH.iter().flat_map(|up| Axis::EACH.iter().filter_map(|front| Standing::new(*up, *front)));
        let all: Vec<Standing> = all.collect();
        assert_eq!(all.len(), 24);
        for standing in all {
            let turn = standing.upright_from_file();
            assert_eq!(turn.transform_vector3(standing.up.direction()), Vec3::Y, "{standing:?}");
            assert_eq!(turn.transform_vector3(standing.front.direction()), Vec3::Z, "{standing:?}");
            assert_eq!((turn.determinant(), turn.inverse()), (1.0, turn.transpose()), "{standing:?}");
            assert_eq!(standing.message().is_none(), standing == Standing::UPRIGHT);
            let chosen = ChosenAxes { up: Some(standing.up), front: Some(standing.front) };
            assert_eq!(chosen.standing(Standing::UPRIGHT), standing);
            let left = Axis::near(standing.up.direction().cross(standing.front.direction()));
            assert_eq!(Standing::from_up_and_left(standing.up, left), standing);
        }
    }

    #[test]
    fn what_is_not_chosen_is_as_found_where_that_can_be() {
        let found = Standing::new(Axis::PlusZ, Axis::MinusX).unwrap();
        let standing = |up, front| ChosenAxes { up, front }.standing(found);
        assert_eq!(standing(None, None), found);
        assert_eq!(standing(None, Some(Axis::PlusY)), Standing { up: Axis::PlusZ, front: Axis::PlusY });
        assert_eq!(standing(Some(Axis::PlusY), None), Standing { up: Axis::PlusY, front: Axis::MinusX });
        assert_eq!(standing(Some(Axis::PlusX), None), Standing { up: Axis::PlusX, front: Axis::PlusZ });
        assert_eq!(standing(None, Some(Axis::PlusZ)), Standing { up: Axis::PlusY, front: Axis::PlusZ });
        let parallel = ChosenAxes { up: Some(Axis::PlusY), front: Some(Axis::MinusY) };
        assert_eq!(parallel.within_reason(), ChosenAxes { up: Some(Axis::PlusY), front: None });
    }

    #[test]
    fn axes_are_read_in_any_spelling() {
        for (word, axis) in [("+y", Axis::PlusY), ("Z", Axis::PlusZ), ("-z", Axis::MinusZ), ("−X", Axis::MinusX)] {
            assert_eq!(word.parse(), Ok(axis));
        }
        assert!("up".parse::<Axis>().is_err() && "".parse::<Axis>().is_err() && "--y".parse::<Axis>().is_err());
    }
}
