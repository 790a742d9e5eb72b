//! Tests of the panels with egui_kittest: they operate controls by label and check the session, the commands and the image.

#![allow(clippy::unwrap_used)]

mod axes;
mod bench;
mod clip;
mod comparison;
mod correctives;
mod curves;
mod documents;
mod export;
mod file_extras;
mod focus;
mod harness;
mod head_and_eyes;
mod keying;
mod keys;
mod light;
mod list;
mod live;
mod mends;
mod motion;
mod names;
mod normals;
mod notes;
mod notices;
mod other_heads;
mod pictures;
mod pointed;
mod poses;
mod prompt;
mod reference;
mod renderer;
mod report;
mod scale;
mod shortcuts;
mod sliders;
mod sound;
mod surface;
mod take_edits;
mod takes;
mod timing;
mod undo;
mod versions;
mod voice;
mod window;
