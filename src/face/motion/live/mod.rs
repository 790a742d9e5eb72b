//! The face of a performer that arrives while it is shown, as a source of weights.

mod bound_live;
mod live_face;
mod one_euro;

pub(super) use bound_live::BoundLive;
pub use live_face::LiveFace;
pub use live_face::{FaceRevision, ShownFace};
pub use one_euro::OneEuro;
pub use one_euro::Smoothing;
