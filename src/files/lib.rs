//! What is read: heads, takes, sound, images, and frames of a face from the network.
//!
//! - [`import`]: files to heads, takes and poses; separate meshes to targets.
//! - [`live`]: frames of a performer's face from the network.
//! - [`audio`]: the sound of takes: decoded, drawn as a waveform, played, recorded.
//! - [`mod@reference`]: images that are looked at together with the face.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod audio;
pub mod import;
pub mod live;
pub mod reference;
pub mod video;
