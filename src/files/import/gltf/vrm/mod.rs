//! VRM avatars: their expressions, the bones of the head, which way they face, and their title, author and licence; and
//! animations of them.

mod animation;
mod constraints;
mod expressions;
mod extension;
mod material_binds;
mod takes;
mod toon_of_vrm0;

pub(super) use self::animation::VrmAnimation;
pub(super) use self::constraints::{constraints, note_left_out};
pub(super) use self::extension::Vrm;
pub(super) use self::takes::takes;
