//! What is done for the head that is open, after its first picture.

mod ambient_occlusion_job;
mod deltas_job;
mod intersections_job;
mod lint_job;

pub(super) use ambient_occlusion_job::AmbientOcclusionJob;
pub(super) use deltas_job::DeltasJob;
pub(super) use intersections_job::IntersectionsJob;
pub(super) use lint_job::LintJob;
