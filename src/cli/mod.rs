//! What Smirk does without a window: one file per command.

pub mod inspect;
