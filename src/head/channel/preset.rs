//! The expressions that VRM names for everybody (VRM 1.0, `VRMC_vrm.expressions`, preset expressions).

/// An expression with a meaning of its own, whatever a file calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "VRM's names say it")]
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

/// A kind of expression that a program makes by itself, and that others may override.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Procedure {
    /// The lids.
    Blink,
    /// Where the eyes look.
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

    /// What VRM 1.0 calls it.
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

    /// The one that VRM 1.0 calls that.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// Which kind of override reaches it.
    pub fn procedure(self) -> Option<Procedure> {
        match self {
            Self::Aa | Self::Ih | Self::Ou | Self::Ee | Self::Oh => Some(Procedure::Mouth),
            Self::Blink | Self::BlinkLeft | Self::BlinkRight => Some(Procedure::Blink),
            Self::LookUp | Self::LookDown | Self::LookLeft | Self::LookRight => Some(Procedure::LookAt),
            Self::Happy | Self::Angry | Self::Sad | Self::Relaxed | Self::Surprised | Self::Neutral => None,
        }
    }
}
