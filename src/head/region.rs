//! Regions of the face: how the channel list is folded.

use std::fmt;

/// A region, or a numbered group when names say nothing. Ordered as the list shows them: top of the face down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Region {
    /// Brows and forehead.
    Brows,
    /// Lids and gaze.
    Eyes,
    /// Cheeks.
    Cheeks,
    /// Nose.
    Nose,
    /// Lips and mouth corners.
    Mouth,
    /// Jaw.
    Jaw,
    /// Tongue.
    Tongue,
    /// Named, but not after a region.
    Other,
    /// Not named at all: the n-th run of targets, counted from 1.
    Group(u16),
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Brows => write!(f, "Brows"),
            Self::Eyes => write!(f, "Eyes"),
            Self::Cheeks => write!(f, "Cheeks"),
            Self::Nose => write!(f, "Nose"),
            Self::Mouth => write!(f, "Mouth"),
            Self::Jaw => write!(f, "Jaw"),
            Self::Tongue => write!(f, "Tongue"),
            Self::Other => write!(f, "Other"),
            Self::Group(number) => write!(f, "Group {number}"),
        }
    }
}
