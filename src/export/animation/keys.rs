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
    /// Half of what counts as equal: what is still or moves evenly has few keys, and nothing else is lost.
    fn default() -> Self {
        Self::Within(5e-7)
    }
}

impl AnimationKeys {
    /// The tolerance; none if there is a key at every frame.
    pub(super) fn tolerance(self) -> Option<f32> {
        match self {
            Self::Sampled => None,
            Self::Within(tolerance) => Some(tolerance),
        }
    }
}
