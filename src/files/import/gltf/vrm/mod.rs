//! VRM avatars: their expressions, the bones of the head, which way they face, and their title, author and licence.

mod binds;
mod expressions;
mod extension;
mod humanoid;

pub(crate) use self::extension::Vrm;
