//! The forms in which faces are sent.

use serde::{Deserialize, Serialize};

/// The form of the packets that are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SendFormat {
    /// Live Link Face, version 6: 61 values.
    LiveLinkFace,
    /// VMC, in which the presets of VRM have the names of VRM 0 (`A`, `Joy`), which most programs know.
    Vmc0,
    /// VMC, in which the presets of VRM have the names of VRM 1 (`aa`, `happy`).
    Vmc1,
    /// The first version of iFacialMocap's text: whole percents, none negative.
    IFacialMocap1,
    /// The second version of iFacialMocap's text: whole percents.
    IFacialMocap2,
}

impl SendFormat {
    /// All forms, in the order in which they are listed.
    pub const ALL: [Self; 5] = [Self::LiveLinkFace, Self::Vmc0, Self::Vmc1, Self::IFacialMocap2, Self::IFacialMocap1];

    /// Its name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::LiveLinkFace => "Live Link Face",
            Self::Vmc0 => "VMC",
            Self::Vmc1 => "VMC with names of VRM 1",
            Self::IFacialMocap1 => "iFacialMocap, version 1",
            Self::IFacialMocap2 => "iFacialMocap",
        }
    }

    /// Its name on the command line.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::LiveLinkFace => "live-link",
            Self::Vmc0 => "vmc",
            Self::Vmc1 => "vmc-vrm1",
            Self::IFacialMocap1 => "ifacialmocap-v1",
            Self::IFacialMocap2 => "ifacialmocap",
        }
    }

    /// The port where programs receive it by default.
    pub fn port(self) -> u16 {
        match self {
            Self::LiveLinkFace => 11111,
            Self::Vmc0 | Self::Vmc1 => 39539,
            Self::IFacialMocap1 | Self::IFacialMocap2 => 49983,
        }
    }
}
