//! What the apps send: one file a protocol, from bytes to frames.
//!
//! Nothing here opens a socket. A [`Decoder`] reads the packets of one sender in turn and keeps what the protocol needs from one to
//! the next. Every packet is untrusted: it gives frames of finite values, or an error with numbers, and changes nothing if it is
//! refused. What a decoder remembers has an upper limit.

mod asking;
mod columns;
mod decoder;
mod error;
mod face_motion;
mod facial_mocap;
mod live_link;
mod media_pipe;
mod open_see_face;
mod osc;
mod text_stream;
mod vtube_studio;

pub use decoder::Decoder;
pub use error::PacketError;
pub use face_motion::{FaceMotionHeader, FaceMotionKind, FaceMotionSchema};
pub use live_link::LiveLinkPacket;
pub use open_see_face::OpenSeeFace;
pub use text_stream::TextStream;

use serde::{Deserialize, Serialize};

use super::LiveFrame;

/// A form in which apps send a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The packets of Epic's Live Link Face, which other programs send too.
    LiveLinkFace,
    /// The text of iFacialMocap and Facemotion3d in both versions, and their binary form FMV3.
    IFacialMocap,
    /// Virtual Motion Capture over OSC, and other OSC messages that carry whole faces.
    Vmc,
    /// The JSON of VTube Studio on iOS and of MeowFace on Android.
    VTubeStudio,
    /// The landmarks and features of OpenSeeFace.
    OpenSeeFace,
    /// The JSON of programs that use MediaPipe Face Landmarker, of which there are several forms.
    MediaPipe,
}

/// What a packet gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decoded {
    /// The frames, in the order in which they are to be shown.
    pub frames: Vec<LiveFrame>,
    /// Packets that the protocol asks to send back to the sender.
    pub replies: Vec<Vec<u8>>,
    /// The frames that did not arrive since the last packet, if the protocol counts frames.
    pub missed_frames: u64,
}

impl Decoded {
    pub(super) fn of(frame: LiveFrame) -> Self {
        Self::of_all(vec![frame])
    }

    pub(super) fn of_all(frames: Vec<LiveFrame>) -> Self {
        Self { frames, ..Self::default() }
    }
}

/// How packets travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    /// Datagrams.
    Udp,
    /// A stream of texts, each of which ends with a mark.
    Tcp,
    /// Messages of a WebSocket without encryption.
    WebSocket,
}

impl Protocol {
    /// All protocols, in the order in which they are listed.
    pub const ALL: [Self; 6] =
        [Self::LiveLinkFace, Self::IFacialMocap, Self::Vmc, Self::VTubeStudio, Self::OpenSeeFace, Self::MediaPipe];

    /// Its name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::LiveLinkFace => "Live Link Face",
            Self::IFacialMocap => "iFacialMocap",
            Self::Vmc => "VMC",
            Self::VTubeStudio => "VTube Studio",
            Self::OpenSeeFace => "OpenSeeFace",
            Self::MediaPipe => "MediaPipe",
        }
    }

    /// Its name on the command line.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::LiveLinkFace => "live-link",
            Self::IFacialMocap => "ifacialmocap",
            Self::Vmc => "vmc",
            Self::VTubeStudio => "vtube-studio",
            Self::OpenSeeFace => "openseeface",
            Self::MediaPipe => "mediapipe",
        }
    }

    /// Where the apps send by default. MediaPipe has no default: the port is the one of most examples of WebSockets.
    pub fn ports(self) -> &'static [(Transport, u16)] {
        match self {
            Self::LiveLinkFace => &[(Transport::Udp, 11111)],
            Self::IFacialMocap => &[(Transport::Udp, 49983), (Transport::Tcp, 49986)],
            Self::Vmc => &[(Transport::Udp, 39539)],
            Self::VTubeStudio => &[(Transport::Udp, 11125)],
            Self::OpenSeeFace => &[(Transport::Udp, 11573)],
            Self::MediaPipe => &[(Transport::Udp, 8765), (Transport::WebSocket, 8765)],
        }
    }

    /// The port at which the phone waits to be asked for data; none if the app sends without being asked.
    pub fn phone_port(self) -> Option<u16> {
        match self {
            Self::IFacialMocap => Some(49983),
            Self::VTubeStudio => Some(21412),
            Self::LiveLinkFace | Self::Vmc | Self::OpenSeeFace | Self::MediaPipe => None,
        }
    }
}

impl Transport {
    /// Its name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Udp => "UDP",
            Self::Tcp => "TCP",
            Self::WebSocket => "WebSocket",
        }
    }
}

/// The bytes of a packet that were not read yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next `count` bytes.
    pub(super) fn take(&mut self, field: &'static str, count: usize) -> Result<&'a [u8], PacketError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(PacketError::Short {
            field,
            needed: count as u64,
            left: self.0.len(),
        })?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next bytes of a number.
    pub(super) fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], PacketError> {
        let (taken, rest) =
            self.0.split_first_chunk().ok_or(PacketError::Short { field, needed: N as u64, left: self.0.len() })?;
        self.0 = rest;
        Ok(*taken)
    }

    /// The next byte.
    pub(super) fn byte(&mut self, field: &'static str) -> Result<u8, PacketError> {
        self.array(field).map(|[byte]| byte)
    }

    /// An error if anything is left.
    pub(super) fn end(self) -> Result<(), PacketError> {
        match self.0.len() {
            0 => Ok(()),
            bytes => Err(PacketError::Leftover { bytes }),
        }
    }
}
