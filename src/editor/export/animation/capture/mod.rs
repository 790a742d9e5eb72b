//! The formats of face captures: weights by name, without a head.

mod audio2face;
mod columns;
mod keys;
mod live_link;
mod mediapipe;
mod number;
mod table;

pub(super) use audio2face::audio2face;
pub(super) use keys::keys;
pub(super) use live_link::{live_link, unmapped_channels};
pub(super) use mediapipe::mediapipe;
pub(super) use table::table;
