//! What is read from files and from the network, without a graphics adapter.
#![allow(clippy::unwrap_used, reason = "a test")]

mod audio;
mod dialects;
mod import;
mod lint;
mod live;
mod roles;
mod standing;
mod transfer;
