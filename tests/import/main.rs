//! The importers, rule by rule, on files that the tests build.
#![allow(clippy::unwrap_used)]

mod animations;
mod capture;
mod correctives;
mod draco;
mod fbx;
mod files;
mod geometry;
mod material_extensions;
mod materials;
mod meshopt;
mod normal_maps;
mod obj;
mod shapes;
mod skins;
mod strands;
mod targets;
mod textures;
mod valid;
mod variants_cameras_lights;
mod vrm;
mod written;

use smirk_face::head::{Head, Level};

/// Whether the head has a note of this level that contains the text.
fn says(head: &Head, level: Level, text: &str) -> bool {
    head.notes.iter().any(|note| note.level == level && note.to_string().contains(text))
}
