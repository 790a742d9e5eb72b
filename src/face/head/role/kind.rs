//! The things that a material may show.

use serde::{Deserialize, Serialize};

/// What a material shows. The shaders have the same numbers, in `shaders/role/roles.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u32)]
pub enum Role {
    /// Anything else: it is shaded by its material alone.
    #[default]
    Other = 0,
    /// Skin of the face and the body.
    Skin = 1,
    /// An eyeball, or an iris.
    Eye = 2,
    /// The clear layer before an iris, and the film of tears.
    Cornea = 3,
    /// Hair of the head, and beards.
    Hair = 4,
    /// Eyelashes and eyebrows.
    Lash = 5,
    /// Teeth.
    Teeth = 6,
    /// Tongue, gums and the inside of the mouth.
    Tongue = 7,
    /// Clothes.
    Cloth = 8,
}
