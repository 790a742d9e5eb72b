//! The program as a user runs it, from the command line, and its documentation.
#![allow(clippy::unwrap_used, reason = "a test")]

mod arbitrary;
mod check;
mod cli;
mod convert;
mod diff;
mod docs;
mod drawn_exports;
mod features;
mod heads;
mod interrupted;
mod live_commands;
mod measure;
mod mend;
mod names;
mod notes;
mod outputs;
mod process;
mod project;
mod release;
mod rooms;
mod solve;
mod thumbnails;
mod transfer;
mod walls;
mod watching;
