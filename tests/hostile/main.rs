//! Files that are broken, by accident, by chance or on purpose: an error that says why, or a head that is sound. Never a panic,
//! never longer than two seconds, never memory out of proportion.
#![allow(clippy::unwrap_used)]

mod bad;
mod kinds;
mod mutations;
mod regressions;

use smirk_support::watch;

#[global_allocator]
static ALLOCATOR: watch::Counting = watch::Counting;
