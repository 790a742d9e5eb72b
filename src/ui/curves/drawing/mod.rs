//! The curves of the plot: their sources, their points, and the image that they are drawn to.

mod difference;
mod image;
mod points;
mod polyline;
mod raster;
mod source;
mod sources;
#[cfg(test)]
mod tests;

pub(super) use image::{CurveImage, ValueScale};
pub(crate) use polyline::Polyline;
pub(super) use sources::sources;
pub(crate) use sources::{CurveSources, LineStyle};
