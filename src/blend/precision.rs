//! How exactly deltas are kept.

/// What a delta is stored as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// 16 bits a number, a position's beside a normal 18 and the normal's 14: half the memory, and half the time where memory
    /// is what one waits for. At any mix of weights in -1..1 a vertex is within 1e-5 of the head's size of where it belongs,
    /// a direction, blended or recomputed, within 0.1° as long as the sum is not much shorter than what it blends.
    #[default]
    Packed,
    /// The file's 32-bit floats.
    Exact,
}

impl Precision {
    /// What `--exact` asks for.
    pub fn exact_if(exact: bool) -> Self {
        if exact { Self::Exact } else { Self::Packed }
    }

    /// What the readout says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Packed => "packed, 16 bit",
            Self::Exact => "exact, 32 bit",
        }
    }

    /// Its name in a benchmark.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Packed => "packed",
            Self::Exact => "exact",
        }
    }
}
