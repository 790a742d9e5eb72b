//! VRM avatars: their expressions, the bones of the head, which way they face, and their title, author and licence; and
//! animations of them.

mod animation;
mod expressions;
mod extension;
mod material_binds;
mod takes;

pub(super) use self::animation::VrmAnimation;
pub(super) use self::extension::Vrm;
pub(super) use self::takes::takes;
