//! The names of features of a face.

use serde::{Deserialize, Serialize};
use strum::{EnumCount, IntoStaticStr, VariantArray};

/// A point of the face that a head has whatever its topology. Left is the head's own left, +x.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumCount, VariantArray, IntoStaticStr, Serialize, Deserialize,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum Landmark {
    EyeInnerLeft,
    EyeInnerRight,
    EyeOuterLeft,
    EyeOuterRight,
    NoseTip,
    Nasion,
    Subnasale,
    NoseWingLeft,
    NoseWingRight,
    MouthLeft,
    MouthRight,
    UpperLip,
    LowerLip,
    Sulcus,
    Menton,
    Chin,
    SideOfMouthLeft,
    SideOfMouthRight,
    SideOfNoseLeft,
    SideOfNoseRight,
}

impl Landmark {
    pub const ALL: &'static [Self] = Self::VARIANTS;
    pub const COUNT: usize = <Self as EnumCount>::COUNT;
}
