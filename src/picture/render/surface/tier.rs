//! The two tiers of pictures.

/// What a pipeline draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tier {
    /// The picture while the head moves, with so many samples per pixel: one of [`SAMPLE_COUNTS`](crate::render::target::SAMPLE_COUNTS).
    Moving { samples: u32 },
    /// One sample of the picture of a head that rests.
    Resting,
}

impl Tier {
    /// The number of samples per pixel.
    pub(crate) fn samples(self) -> u32 {
        match self {
            Self::Moving { samples } => samples,
            Self::Resting => 1,
        }
    }
}
