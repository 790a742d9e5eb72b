//! What a material shows: skin, an eye, hair … The renderer shades each of them in its own way.

mod by_material;
mod by_motion;
mod by_name;
mod kind;
mod parts;
use std::collections::BTreeMap;

use super::channel::Channel;
use super::{Material, Mesh, Part, Rig, Texture};
pub use kind::Role;
use parts::Parts;

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
    pub fn of_film(self, material: &Material) -> Self {
        if self == Self::Eye && by_material::is_clear(material) { Self::Cornea } else { self }
    }

    /// The name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Other => "Other",
            Self::Skin => "Skin",
            Self::Eye => "Eye",
            Self::Cornea => "Cornea",
            Self::Hair => "Hair",
            Self::Lash => "Lashes",
            Self::Teeth => "Teeth",
            Self::Tongue => "Tongue",
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

/// The role of each material of a head, found without the artist. The rules are asked one after the other, and the first that has an
/// answer decides: the name of the material, those of its textures and of its meshes, the motion of its surface, and the material itself.
pub(super) fn roles(
    meshes: &[Mesh],
    rig: &Rig,
    (materials, textures): (&[Material], &[Texture]),
    channels: &[Channel],
) -> Vec<Role> {
    let target_count = meshes.iter().map(|mesh| mesh.targets.len()).sum();
    let mut channel_of_target = vec![None; target_count];
    for channel in channels {
        for &target in &channel.targets {
            if let Some(of_target) = channel_of_target.get_mut(target) {
                *of_target = Some(channel);
            }
        }
    }
    let mut uses = vec![Vec::new(); materials.len()];
    for (mesh, part) in meshes.iter().flat_map(|mesh| mesh.parts.iter().map(move |part| (mesh, part))) {
        if let Some(uses) = uses.get_mut(part.material) {
            uses.push((mesh, part));
        }
    }
    let parts = Parts { uses, materials, textures, rig, channel_of_target };
    (0..materials.len()).map(|material| parts.role_of(material)).collect()
}

impl Parts<'_> {
    fn role_of(&self, index: usize) -> Role {
        let material = &self.materials[index];
        let used = || self.uses[index].iter().copied();
        let names = || material.textures().into_iter().flatten().filter_map(|map| self.textures.get(map.texture));
        let has_face = self.channel_of_target.len() > Self::TARGETS_OF_A_FACE;
        let found = by_name::role_of(&material.name)
            .or_else(|| names().find_map(|texture| by_name::role_of(&texture.name)))
            .or_else(|| most_common(used().map(|(mesh, part)| (part, by_name::role_of(&mesh.name)))))
            .or_else(|| most_common(used().map(|(mesh, part)| (part, by_motion::role_of(self, mesh, part)))))
            .or_else(|| by_material::role_of(material, self.textures, has_face));
        found.unwrap_or_default().of_film(material)
    }

    /// With fewer targets, a file is no face, and its colours tell nothing.
    const TARGETS_OF_A_FACE: usize = 10;
}

/// The answer for most triangles, if it is one.
fn most_common<'p>(answers: impl Iterator<Item = (&'p Part, Option<Role>)>) -> Option<Role> {
    let mut counts = BTreeMap::<Option<Role>, u64>::new();
    for (part, answer) in answers {
        *counts.entry(answer).or_default() += u64::from(part.index_count);
    }
    counts.into_iter().max_by_key(|(_, count)| *count)?.0
}
