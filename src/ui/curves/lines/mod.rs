//! The lines of the plot: which there are, their points, and the image that shows them.

mod picture;
mod polyline;
mod raster;
mod recipe;
mod sources;

pub use picture::Picture;
pub use sources::{Item, Sources, Style, sources};
