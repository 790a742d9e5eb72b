//! Keys that the user set: a layer of curves above the clip and the take. Per channel, the curve replaces what is below
//! or is added to it.

mod addition;
mod bound;
mod by_channel;
mod copied;
mod curve;
mod cut;
mod editing;
mod key;
mod ripple;
mod selection;
mod slopes;

pub(super) use bound::BoundKeys;
pub use by_channel::Keys;
pub use copied::CopiedKeys;
pub use curve::{Extrapolation, KeyCurve, KeyMode};
pub use key::{Key, Tangents};
pub use selection::KeySelection;
