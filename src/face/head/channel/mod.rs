//! Channels, the controls that an artist moves: one per target name, over all meshes, and one per expression; and their pairs.

mod arkit;
mod canonical_name;
mod expression;
mod from_targets;
mod pairing;
mod preset;
mod region;
mod words;

pub use arkit::{ARKIT_NAMES, ARKIT_SHAPES};
pub(super) use canonical_name::side_of;
pub use canonical_name::{ChannelNames, canonical_name};
pub use expression::{Bind, Expression, Override};
pub(super) use expression::{outputs, resolve};
pub use from_targets::channels_and_pairs;
pub use preset::Preset;
pub use region::Region;
pub(super) use words::lowercase_words;

/// One control: all targets of one name, on every mesh that has it; or an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The name on the screen: without a prefix that all channels have in common (`blendShape1.`).
    pub name: String,
    /// The name in the file; of an expression [`EXPRESSION_PREFIX`] and its name. Unique.
    pub full_name: String,
    /// The indices of its weights in a mix of motion: those of the targets it drives, or the one of its expression, which comes
    /// after all targets. Never empty.
    pub targets: Vec<usize>,
    /// The region of the face it acts on, guessed from its name.
    pub region: Region,
}

/// The relation of the two channels of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKind {
    /// The same movement on the face's own left and right.
    Sides,
    /// Two directions of one movement (jawLeft/jawRight, eyeLookUp/eyeLookDown …).
    Opposites,
    /// Two channels without any relation.
    Neighbours,
}

/// Two channels that belong together, or a last one alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The common part of both names (`eyeBlink`), or both names.
    pub label: String,
    /// Index into [`crate::head::Head::channels`].
    pub first: usize,
    /// Index into [`crate::head::Head::channels`]; none if the channel is alone.
    pub second: Option<usize>,
    /// The relation of the two channels.
    pub kind: PairKind,
    /// Whether the names differ in left and right: the two sides of the face, or two directions to its sides.
    pub is_left_and_right: bool,
    /// The region under which the channels are listed.
    pub region: Region,
}

/// The prefix of the full names of expressions, because a target may have the same name.
pub(super) const EXPRESSION_PREFIX: &str = "expression:";
