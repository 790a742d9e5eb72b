//! Views of the surface that have pipelines of their own: what they show, the edges of triangles, and what is measured of vertices or
//! crosses something.

mod crossing_values;
mod edges;
mod head_views;
mod pipelines;
mod shading;
mod values;

pub(super) use head_views::HeadViews;
#[cfg(test)]
pub(super) use shading::OwnView;
pub(super) use shading::Shading;
