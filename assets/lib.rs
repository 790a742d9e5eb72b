//! The files that Smirk brings with it. They are statics, so that the program holds each of them once.
#![warn(unreachable_pub)]

/// The bundled head, as a GLB. The crate `smirk-sculpt` in `sculpt/` makes it, byte for byte.
pub static HEAD: &[u8] = include_bytes!("head.glb");

/// The icon of the window: a PNG of 256×256 pixels.
pub static ICON: &[u8] = include_bytes!("icons/smirk.png");

/// The licences of Smirk and of the libraries in it, which `./dev notices` writes.
pub static LICENCES: &str = include_str!("licences.txt");
