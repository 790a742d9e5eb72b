//! The render passes, one file each: `shadow_pass` draws the shadow map, `picture_pass` the picture with its `background`, and
//! `blit` draws the picture onto the window.

mod background;
mod blit;
mod picture_pass;
mod portion;
mod sample_pass;
mod shadow_pass;

pub(super) use background::Background;
pub use blit::{Blit, PixelRect};

pub(crate) use portion::Portion;

pub(super) use picture_pass::record as record_picture;
pub(super) use sample_pass::record as record_sample;
pub(super) use shadow_pass::record as record_shadow;
