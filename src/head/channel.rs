//! Channels: what an artist moves. One per expression name, over all meshes; and their pairs.

use super::{Mesh, Region};

/// One control: every target of that name, on every mesh that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Shown: the name with a prefix common to all channels (`blendShape1.`) stripped.
    pub name: String,
    /// As in the file.
    pub full_name: String,
    /// Head-wide indices of the targets it drives; never empty.
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
    /// Index into [`super::Head::channels`].
    pub first: usize,
    /// Likewise.
    pub second: Option<usize>,
    /// What they are to each other.
    pub kind: PairKind,
    /// Where the row is listed.
    pub region: Region,
}

/// Groups the targets of all meshes by name and pairs the result.
pub fn channels_and_pairs(_meshes: &[Mesh]) -> (Vec<Channel>, Vec<Pair>) {
    (Vec::new(), Vec::new())
}
