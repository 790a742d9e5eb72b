//! Whole heads: the embedded one, small ones made here, and the real ones under the folder that `SMIRK_HEADS` names.
#![allow(clippy::unwrap_used)]

mod embedded;
mod opening;
mod shapes;
mod takes;
