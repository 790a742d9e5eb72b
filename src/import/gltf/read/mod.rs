//! From bytes to typed lists, buffers and numbers. Nothing here knows what a mesh or a material is made of.

mod accessors;
mod buffers;
mod container;
mod decode;
mod document;
mod meshopt;
mod prepare;
mod views;

pub use self::accessors::{Accessors, Elements};
pub use self::buffers::{Buffers, fetch};
pub use self::container::split;
pub use self::document::{Document, lookup};
pub use self::meshopt::{MeshoptFilter, MeshoptLayout, MeshoptMode, decode_meshopt};
pub use self::prepare::prepare;
pub use self::views::Views;
