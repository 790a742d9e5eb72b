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

    /// Its name in VRM 0.x; none for the one that was added in 1.0.
    pub fn vrm0_name(self) -> Option<&'static str> {
        Some(match self {
            Self::Happy => "joy",
            Self::Angry => "angry",
            Self::Sad => "sorrow",
            Self::Relaxed => "fun",
            Self::Surprised => return None,
            Self::Aa => "a",
            Self::Ih => "i",
            Self::Ou => "u",
            Self::Ee => "e",
            Self::Oh => "o",
            Self::Blink => "blink",
            Self::BlinkLeft => "blink_l",
            Self::BlinkRight => "blink_r",
            Self::LookUp => "lookup",
            Self::LookDown => "lookdown",
            Self::LookLeft => "lookleft",
            Self::LookRight => "lookright",
            Self::Neutral => "neutral",
        })
    }

    /// The preset of that name in VRM 0.x, in any case.
    pub fn named_in_vrm0(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.vrm0_name().is_some_and(|own| own.eq_ignore_ascii_case(name)))
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
