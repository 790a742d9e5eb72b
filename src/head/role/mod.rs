//! What a material shows: skin, an eye, hair … The renderer shades each of them in its own way.

mod by_name;

use super::{AlphaMode, Head, Material};

/// What a material shows. The shaders have the same numbers, in `shaders/surface/roles.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

impl Role {
    /// All roles, in the order of their numbers.
    pub const ALL: [Self; 9] = [
        Self::Other,
        Self::Skin,
        Self::Eye,
        Self::Cornea,
        Self::Hair,
        Self::Lash,
        Self::Teeth,
        Self::Tongue,
        Self::Cloth,
    ];

    /// The role, with that of a cornea for films over an eye: parts of eyes that hide little of what is behind them.
    pub(crate) fn of_film(self, material: &Material) -> Self {
        let is_film =
            material.alpha == AlphaMode::Blend && material.base_color_texture.is_none() && material.base_color[3] < 0.5;
        if self == Self::Eye && is_film { Self::Cornea } else { self }
    }

    /// The name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Other => "Other",
            Self::Skin => "Skin",
            Self::Eye => "Eye",
            Self::Cornea => "Cornea",
            Self::Hair => "Hair",
            Self::Lash => "Lashes and brows",
            Self::Teeth => "Teeth",
            Self::Tongue => "Tongue and gums",
            Self::Cloth => "Cloth",
        }
    }

    /// The name in a project.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Other => "other",
            Self::Skin => "skin",
            Self::Eye => "eye",
            Self::Cornea => "cornea",
            Self::Hair => "hair",
            Self::Lash => "lash",
            Self::Teeth => "teeth",
            Self::Tongue => "tongue",
            Self::Cloth => "cloth",
        }
    }
}

/// The role of each material of a head, found without the artist.
pub(super) fn roles(materials: &[Material]) -> Vec<Role> {
    materials.iter().map(|material| by_name::role_of(&material.name).unwrap_or_default()).collect()
}

impl Head {
    /// The role of each material: those of `chosen` where it has one for each material, else the head's own.
    pub(crate) fn roles_or<'a>(&'a self, chosen: &'a [Role]) -> &'a [Role] {
        if chosen.len() == self.materials.len() { chosen } else { &self.roles }
    }
}
