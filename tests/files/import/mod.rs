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
mod skins;
mod strands;
mod targets;
mod textures;
mod toon;
mod valid;
mod variants_cameras_lights;
