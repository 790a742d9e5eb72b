//! Complete heads: the embedded one, small ones made by the tests, and real ones in the folder of the variable `SMIRK_HEADS`.
#![allow(clippy::unwrap_used)]

mod baked;
mod embedded;
mod everything;
mod fbx;
mod odd;
mod opening;
mod saved;
mod shapes;
mod takes;
