//! A column of a take: its curve, the keys of the curve while it is edited, and the span that an edit changes.

mod change;
mod curve;
mod keys;
mod place;

pub(super) use curve::Column;
pub(super) use keys::{ColumnKeys, Opening, SAME_SECS};
pub(super) use place::Place;
