//! The layers of the stack.

/// What can decide a channel, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The file's default weight.
    Rest,
    /// The file's animation.
    Clip,
    /// An imported take.
    Take,
    /// Keys set by hand.
    Keys,
    /// The sequence of poses.
    Sequence,
    /// Automatic blinking.
    Blink,
    /// Automatic eye movement.
    Gaze,
    /// One or more poses.
    Pose,
    /// The slider.
    Manual,
    /// Kept at rest because other channels are soloed.
    NotSoloed,
    /// Muted.
    Muted,
}

impl Layer {
    /// Its name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Rest => "Rest",
            Self::Clip => "Clip",
            Self::Take => "Take",
            Self::Keys => "Keys",
            Self::Sequence => "Sequence",
            Self::Blink => "Blink",
            Self::Gaze => "Gaze",
            Self::Pose => "Pose",
            Self::Manual => "Slider",
            Self::NotSoloed => "Not soloed",
            Self::Muted => "Muted",
        }
    }

    /// Whether the value changes by itself. The slider of such a channel is locked until it takes over.
    pub fn is_motion(self) -> bool {
        matches!(self, Self::Clip | Self::Take | Self::Keys | Self::Sequence | Self::Blink | Self::Gaze)
    }
}
