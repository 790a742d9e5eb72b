//! One rule per file, with its measure and its threshold.

pub(super) mod combinations;
pub(super) mod coverage;
pub(super) mod empty;
pub(super) mod in_betweens;
pub(super) mod noise;
pub(super) mod seams;
pub(super) mod sides;
pub(super) mod stale_normals;
