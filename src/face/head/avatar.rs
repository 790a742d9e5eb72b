//! What makes a head a VRM avatar besides its expressions: its version, what it says about itself, its bones and its
//! gaze.

use glam::{Mat4, Quat};
use serde_json::{Map, Value};

use super::Preset;

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

/// Its bones move the body and expressions may show its gaze. The rest is kept so that an avatar that is saved still
/// says who made it and under which licence.
#[derive(Clone, Debug, PartialEq)]
pub struct Avatar {
    pub version: VrmVersion,
    /// Title, author, licence and the like, under the keys of its version; without its thumbnail, which is in
    /// [`Carried`](super::Carried).
    pub meta: Map<String, Value>,
    /// The bones of the body by VRM's names, such as `head`, as indices into [`Rig::nodes`](super::Rig::nodes).
    pub bones: Vec<(String, usize)>,
    /// How expressions show the gaze; none where bones turn the eyes.
    pub look_at: Option<LookAtExpressions>,
}

/// The gaze of an avatar whose eyes are drawn by the expressions `lookUp`, `lookDown`, `lookLeft` and `lookRight`
/// (VRM's `lookAt` of the type `expression`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAtExpressions {
    pub aside: RangeMap,
    pub down: RangeMap,
    pub up: RangeMap,
}

/// How an angle of the gaze becomes the value of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeMap {
    /// The angle from which on the value is the largest, in radians.
    pub most_radians: f32,
    pub most: f32,
}

impl RangeMap {
    /// The value at an angle; 0 at a negative one.
    fn value(self, angle: f32) -> f32 {
        if angle > 0.0 && self.most_radians > 0.0 { (angle / self.most_radians).min(1.0) * self.most } else { 0.0 }
    }
}

impl LookAtExpressions {
    /// The values of the expressions at angles of the gaze in radians, to the actor's own left and down.
    pub fn values(&self, to_left: f32, down: f32) -> [(Preset, f32); 4] {
        [
            (Preset::LookLeft, self.aside.value(to_left)),
            (Preset::LookRight, self.aside.value(-to_left)),
            (Preset::LookDown, self.down.value(down)),
            (Preset::LookUp, self.up.value(-down)),
        ]
    }
}
