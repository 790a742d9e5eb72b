//! The layers of the stack.

/// What can set a channel's value, from the lowest to the highest layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The file's default weight.
    Rest,
    /// The file's animation.
    Clip,
    /// An imported take.
    Take,
    /// A performer's face from the network. Above the take, since what arrives now is what the artist watches, also while a take of
    /// an earlier try is chosen; below the keys and the sliders, which are set by hand and stay as they are set.
    Live,
    /// Keys set by the user.
    Keys,
    /// The sequence of poses.
    Sequence,
    /// Automatic blinking.
    Blink,
    /// Automatic eye movement (saccades).
    Gaze,
    /// One or more poses.
    Pose,
    /// The slider.
    Manual,
    /// The weights of other channels, which drive it as a corrective.
    Corrective,
    /// At rest because other channels are soloed.
    NotSoloed,
    /// At rest because the channel is muted.
    Muted,
}

impl Layer {
    /// The layers below the sliders that can drive a channel, from the lowest to the highest.
    pub const DRIVING: [Self; 8] =
        [Self::Clip, Self::Take, Self::Live, Self::Keys, Self::Sequence, Self::Blink, Self::Gaze, Self::Pose];

    /// Its name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Rest => "Rest",
            Self::Clip => "Clip",
            Self::Take => "Take",
            Self::Live => "Live",
            Self::Keys => "Keys",
            Self::Sequence => "Sequence",
            Self::Blink => "Blink",
            Self::Gaze => "Gaze",
            Self::Pose => "Pose",
            Self::Manual => "Slider",
            Self::Corrective => "Corrective",
            Self::NotSoloed => "Not soloed",
            Self::Muted => "Muted",
        }
    }

    /// Whether the layer is animation, which changes the channel as time passes.
    pub fn is_motion(self) -> bool {
        match self {
            Self::Clip | Self::Take | Self::Live | Self::Keys | Self::Sequence | Self::Blink | Self::Gaze => true,
            Self::Rest | Self::Pose | Self::Manual | Self::Corrective | Self::NotSoloed | Self::Muted => false,
        }
    }
}
