//! The importer, rule by rule, on files made here.
#![allow(clippy::unwrap_used)]

mod capture;
mod files;
mod geometry;
mod layers;
mod maps;
mod motion;
mod obj;
mod offers;
mod packed;
mod shapes;
mod skins;
mod surfaces;
mod targets;
mod textures;
mod vrm;
mod written;

use smirk::head::{Head, Level};

/// Whether some note of that level says that.
fn says(head: &Head, level: Level, text: &str) -> bool {
    head.notes.iter().any(|note| note.level == level && note.to_string().contains(text))
}
