//! Files that are broken, by accident, by chance or on purpose: an error that says why, or a head that is sound. Never a panic,
//! never longer than two seconds, never memory out of proportion.
#![allow(clippy::unwrap_used)]

#[path = "../support/fuzzing.rs"]
mod fuzzing;
#[path = "../support/good_files.rs"]
mod good_files;
#[path = "../support/random.rs"]
#[allow(dead_code, reason = "every test binary uses its own part")]
mod random;
#[path = "../support/watch.rs"]
mod watch;

mod bad;
mod kinds;
mod mutations;
mod regressions;

use fuzzing::{gltf_builder, sound};

#[global_allocator]
static ALLOCATOR: watch::Counting = watch::Counting;
