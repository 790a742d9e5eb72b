//! The reference: an image or an image sequence in a pane beside the face, or over it, under the play head.

mod controls;
mod over;
mod pane;
mod picture;

use std::sync::Arc;

use image::RgbaImage;

pub(super) use over::over_ui;
pub(super) use pane::pane_ui;
pub(super) use picture::ReferencePane;

/// What the panels show of an open reference.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReferenceView<'a> {
    /// The number of images that follow the play head or could; 0 until it is opened.
    pub count: usize,
    /// The index of the image at the play head.
    pub frame: usize,
    /// The image that is shown: that at the play head or, until it is decoded, one that was shown before.
    pub image: Option<&'a Arc<RgbaImage>>,
    /// Why there is no picture, in one line.
    pub problem: Option<&'a str>,
}
