//! Sounds: every format is decoded at the right time, damaged files are refused, and what is heard is where the play head is.
#![allow(clippy::unwrap_used)]

mod formats;
