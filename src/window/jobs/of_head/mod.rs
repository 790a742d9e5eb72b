//! What is done for the head that is open, after its first picture.

mod crossings_job;
mod deltas_job;
mod lint_job;
mod openness_job;

pub(super) use crossings_job::CrossingsJob;
pub(super) use deltas_job::DeltasJob;
pub(super) use lint_job::LintJob;
pub(super) use openness_job::OpennessJob;
