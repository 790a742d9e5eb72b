//! Files that are broken by accident, at random or on purpose give an error with the reason, or a valid head: never a
//! panic, never more than two seconds, never memory out of proportion to the file.
#![allow(clippy::unwrap_used)]

mod bad;
mod kinds;
mod large;
mod mutations;
mod own_files;
mod packets;
mod regressions;
mod scales;
mod sounds;

use smirk_support::watch;

#[global_allocator]
static ALLOCATOR: watch::Counting = watch::Counting;
