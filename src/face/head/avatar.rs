//! What makes a head a VRM avatar besides its expressions. Smirk shows none of it; it is kept so that an avatar that is saved
//! still says who made it and under which licence, and so that other programs find its bones.

use glam::{Mat4, Quat};
use serde_json::{Map, Value};

/// The version of VRM that an avatar is stored in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VrmVersion {
    /// 0.x: the extension `VRM`.
    V0,
    /// 1.0: the extension `VRMC_vrm`.
    V1,
}

impl VrmVersion {
    /// The transform that turns an avatar to face +z: VRM 0.x faces -z; VRM 1.0 faces +z, like glTF.
    pub fn world_from_file(self) -> Mat4 {
        match self {
            Self::V0 => Mat4::from_quat(Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)),
            Self::V1 => Mat4::IDENTITY,
        }
    }
}

/// What makes a head a VRM avatar besides its expressions.
#[derive(Clone, Debug, PartialEq)]
pub struct Avatar {
    /// The version it is stored in.
    pub version: VrmVersion,
    /// Title, author, licence and the like, under the keys of its version; without its thumbnail.
    pub meta: Map<String, Value>,
    /// The bones of the body by VRM's names, such as `head`, as indices into [`super::Rig::nodes`].
    pub bones: Vec<(String, usize)>,
}
