//! Channels: what an artist moves. One per target name, over all meshes; one per expression; and their pairs.

mod canonical_name;
mod expression;
mod from_targets;
mod pairing;
mod preset;
mod region;
mod words;

pub use canonical_name::canonical_name;
pub(super) use canonical_name::{ChannelNames, side_of};
pub use expression::{Bind, Expression, Override};
pub(super) use expression::{resolve, shown};
pub use from_targets::channels_and_pairs;
pub use preset::{Preset, Procedure};
pub use region::Region;
pub(super) use words::lowercase_words;

/// One control: every target of that name, on every mesh that has it; or an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Shown: the name with a prefix common to all channels (`blendShape1.`) stripped.
    pub name: String,
    /// As in the file; [`EXPRESSION_PREFIX`] and its name for an expression. No other channel has it.
    pub full_name: String,
    /// Where its weights lie in what motion mixes: head-wide indices of the targets it drives, or the one place of an
    /// expression behind all targets. Never empty.
    pub targets: Vec<usize>,
    /// Where on the face it acts, guessed from its name.
    pub region: Region,
}

/// What two channels of a pair are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKind {
    /// The same expression on the face's own left and right.
    Sides,
    /// Two directions of one movement (jawLeft/jawRight, eyeLookUp/eyeLookDown …).
    Opposites,
    /// Neighbours that share a row only for want of a partner.
    Neighbours,
}

/// A row of the channel list: two channels, or a last one alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// What both have in common (`eyeBlink`), or both names.
    pub label: String,
    /// Index into [`crate::head::Head::channels`].
    pub first: usize,
    /// Likewise.
    pub second: Option<usize>,
    /// What they are to each other.
    pub kind: PairKind,
    /// Where the row is listed.
    pub region: Region,
}

/// What the full names of expressions begin with: a target may be called the same.
pub const EXPRESSION_PREFIX: &str = "expression:";
