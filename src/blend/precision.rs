//! How exactly deltas are kept.

/// What a delta is stored as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// 16 bits a number, with a scale per column: within 1e-5 of the head's size and 0.1° at any mix of weights in -1..1.
    #[default]
    Packed,
    /// The file's 32-bit floats.
    Exact,
}

impl Precision {
    /// What the readout says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Packed => "16-bit, packed",
            Self::Exact => "32-bit, exact",
        }
    }
}
