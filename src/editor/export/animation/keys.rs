//! How many keys an animation has.

/// How many keys are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnimationKeys {
    /// One at every frame.
    Sampled,
    /// As few as stay within this distance of the weight at every frame. Only formats with
    /// [`AnimationFormat::can_hold_sparse_keys`](super::AnimationFormat::can_hold_sparse_keys) have fewer.
    Within(f32),
}

impl Default for AnimationKeys {
    /// Fewer keys without a loss.
    fn default() -> Self {
        Self::Within(Self::LOSSLESS)
    }
}

impl AnimationKeys {
    /// Half of what counts as equal: with this tolerance, what is still or moves evenly has few keys, and nothing else is lost.
    pub const LOSSLESS: f32 = 5e-7;

    /// The tolerance; none if there is a key at every frame.
    pub(super) fn tolerance(self) -> Option<f32> {
        match self {
            Self::Sampled => None,
            Self::Within(tolerance) => Some(tolerance),
        }
    }
}
