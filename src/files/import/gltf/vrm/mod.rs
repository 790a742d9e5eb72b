//! VRM avatars: their expressions, the bones of the head, which way they face, and their title, author and licence; and
//! animations of them.

mod animation;
mod expressions;
mod extension;
mod material_binds;

pub(crate) use self::animation::VrmAnimation;
pub(crate) use self::extension::{Thumbnail, Vrm};
