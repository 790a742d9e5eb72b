//! What the integration tests share: an adapter, and heads made of numbers.
#![allow(dead_code, reason = "every test binary uses its own part")]

pub mod random;
pub mod synthetic;

use smirk::gpu::{Gpu, Prefer};

/// The software adapter, or a failure that says which package to install.
pub fn software_gpu() -> Gpu {
    Gpu::headless(Prefer::Software).unwrap_or_else(|error| panic!("{error}"))
}
