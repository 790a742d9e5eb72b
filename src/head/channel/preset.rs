//! The preset expressions of VRM (VRM 1.0, `VRMC_vrm.expressions`, preset expressions).

/// An expression whose meaning VRM defines, whatever its name in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "VRM's names")]
pub enum Preset {
    Happy,
    Angry,
    Sad,
    Relaxed,
    Surprised,
    Aa,
    Ih,
    Ou,
    Ee,
    Oh,
    Blink,
    BlinkLeft,
    BlinkRight,
    LookUp,
    LookDown,
    LookLeft,
    LookRight,
    Neutral,
}

/// A kind of expression that programs animate procedurally, and that other expressions may override.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Procedure {
    /// Closing of the eyelids.
    Blink,
    /// Direction of the gaze.
    LookAt,
    /// Speech.
    Mouth,
}

impl Preset {
    /// In the specification's order.
    pub const ALL: [Self; 18] = [
        Self::Happy,
        Self::Angry,
        Self::Sad,
        Self::Relaxed,
        Self::Surprised,
        Self::Aa,
        Self::Ih,
        Self::Ou,
        Self::Ee,
        Self::Oh,
        Self::Blink,
        Self::BlinkLeft,
        Self::BlinkRight,
        Self::LookUp,
        Self::LookDown,
        Self::LookLeft,
        Self::LookRight,
        Self::Neutral,
    ];

    /// Its name in VRM 1.0.
    pub fn name(self) -> &'static str {
        match self {
            Self::Happy => "happy",
            Self::Angry => "angry",
            Self::Sad => "sad",
            Self::Relaxed => "relaxed",
            Self::Surprised => "surprised",
            Self::Aa => "aa",
            Self::Ih => "ih",
            Self::Ou => "ou",
            Self::Ee => "ee",
            Self::Oh => "oh",
            Self::Blink => "blink",
            Self::BlinkLeft => "blinkLeft",
            Self::BlinkRight => "blinkRight",
            Self::LookUp => "lookUp",
            Self::LookDown => "lookDown",
            Self::LookLeft => "lookLeft",
            Self::LookRight => "lookRight",
            Self::Neutral => "neutral",
        }
    }

    /// The preset of that name in VRM 1.0.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// The kind of override that applies to it.
    pub fn procedure(self) -> Option<Procedure> {
        match self {
            Self::Aa | Self::Ih | Self::Ou | Self::Ee | Self::Oh => Some(Procedure::Mouth),
            Self::Blink | Self::BlinkLeft | Self::BlinkRight => Some(Procedure::Blink),
            Self::LookUp | Self::LookDown | Self::LookLeft | Self::LookRight => Some(Procedure::LookAt),
            Self::Happy | Self::Angry | Self::Sad | Self::Relaxed | Self::Surprised | Self::Neutral => None,
        }
    }
}
