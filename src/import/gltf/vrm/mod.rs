//! VRM avatars: their expressions, which way they face, and their title, author and licence.

mod binds;
mod expressions;
mod extension;

pub(crate) use self::extension::Vrm;
