//! The render passes, one file each: `shadow_pass` draws the shadow map, `picture_pass` the picture with its `background`, and
//! `blit` draws the picture onto the window.

mod background;
mod blit;
mod picture_pass;
mod portion;
mod sample_pass;
mod shadow_pass;

pub use background::Background;
pub use blit::{Blit, PixelRect};

pub(crate) use portion::Portion;

pub use picture_pass::record as record_picture;
pub use sample_pass::record as record_sample;
pub use shadow_pass::record as record_shadow;
