//! The curves of the plot: which there are, their points, and the image they are drawn to.

mod image;
mod polyline;
mod raster;
mod source;
mod sources;

pub use image::CurveImage;
pub use sources::{CurveItem, CurveSources, LineStyle, sources};
