//! What the apps send: one file a protocol, from bytes to frames.
//!
//! Nothing here opens a socket. A [`Decoder`] reads the packets of one sender in turn and keeps what the protocol needs
//! from one to the next. Every packet is untrusted: it gives frames of finite values, or an error with numbers, and
//! changes nothing if it is refused. What a decoder remembers has an upper limit.

mod asking;
mod columns;
mod decoder;
mod face_motion;
mod facial_mocap;
mod live_link;
mod media_pipe;
mod open_see_face;
mod osc;
mod text_stream;
mod vtube_studio;

pub use decoder::Decoder;
pub use face_motion::{FaceMotionHeader, FaceMotionKind, FaceMotionSchema};
pub use live_link::LiveLinkPacket;
pub use open_see_face::OpenSeeFace;
pub use text_stream::TextStream;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};
use thiserror::Error;

use super::LiveFrame;
use smirk_base::names::quoted;

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, VariantArray, IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The packets of Epic's Live Link Face, which other programs send too.
    #[strum(serialize = "live-link")]
    LiveLinkFace,
    /// The text of iFacialMocap and Facemotion3d in both versions, and their binary form FMV3.
    IFacialMocap,
    /// Virtual Motion Capture over OSC, and other OSC messages that carry whole faces.
    Vmc,
    /// The JSON of VTube Studio on iOS and of MeowFace on Android.
    #[strum(serialize = "vtube-studio")]
    VTubeStudio,
    OpenSeeFace,
    /// The JSON of programs that use MediaPipe Face Landmarker, of which there are several forms.
    MediaPipe,
}

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
    pub(super) fn one(frame: LiveFrame) -> Self {
        Self::of_all(vec![frame])
    }

    pub(super) fn of_all(frames: Vec<LiveFrame>) -> Self {
        Self { frames, ..Self::default() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    Udp,
    /// A stream of texts, each of which ends with a mark.
    Tcp,
    /// Messages of a WebSocket without encryption.
    #[strum(serialize = "WebSocket")]
    WebSocket,
}

impl Protocol {
    pub const ALL: &'static [Self] = Self::VARIANTS;

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

    pub fn keyword(self) -> &'static str {
        self.into()
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
    pub fn name(self) -> &'static str {
        self.into()
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn take(&mut self, field: &'static str, count: usize) -> Result<&'a [u8], PacketError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(PacketError::Short {
            field,
            needed: count as u64,
            left: self.0.len(),
        })?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], PacketError> {
        let (taken, rest) =
            self.0.split_first_chunk().ok_or(PacketError::Short { field, needed: N as u64, left: self.0.len() })?;
        self.0 = rest;
        Ok(*taken)
    }

    /// So many words of four bytes.
    pub(super) fn words<const N: usize>(&mut self, field: &'static str) -> Result<[[u8; 4]; N], PacketError> {
        let mut words = [[0; 4]; N];
        for word in &mut words {
            *word = self.array(field)?;
        }
        Ok(words)
    }

    pub(super) fn byte(&mut self, field: &'static str) -> Result<u8, PacketError> {
        self.array(field).map(|[byte]| byte)
    }

    pub(super) fn end(self) -> Result<(), PacketError> {
        match self.0.len() {
            0 => Ok(()),
            bytes => Err(PacketError::Leftover { bytes }),
        }
    }
}

/// Why a packet is refused. A refused packet has no effect.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PacketError {
    #[error("the packet ends in {field}: {needed} bytes are needed, {left} are left")]
    Short { field: &'static str, needed: u64, left: usize },
    #[error("the packet has {bytes} bytes after its end")]
    Leftover { bytes: usize },
    #[error("the packet has {found} bytes, not a multiple of {unit}")]
    Length { found: usize, unit: usize },
    #[error("this is no packet of {protocol}")]
    Foreign { protocol: &'static str },
    #[error("version {found}; Smirk reads {readable}")]
    Version { found: u32, readable: &'static str },
    #[error("{field} is {found}, not {expected}")]
    Number { field: &'static str, found: u64, expected: u64 },
    #[error("{field} is {found}, not above 0")]
    NotPositive { field: &'static str, found: i64 },
    #[error("{field} is {found}, the most is {most}")]
    Limit { field: &'static str, found: u64, most: u64 },
    #[error("{} is not a finite number", quoted(column))]
    NotFinite { column: String },
    #[error("{field} is not UTF-8")]
    NotText { field: &'static str },
    #[error("part {index} of the text is not a name with its values")]
    TextPart { index: usize },
    #[error("the JSON cannot be read at line {line}, column {column}")]
    Json { line: usize, column: usize },
    #[error("the JSON has no blend shapes")]
    NoScores,
    #[error("byte {at} begins no OSC message or bundle")]
    NotOsc { at: usize },
    #[error("the arguments of {} are not {expected}", quoted(address))]
    OscArguments { address: String, expected: &'static str },
    #[error("{field} is not {expected}")]
    Word { field: &'static str, expected: &'static str },
    #[error("name {index} of the list is empty, too long, not the only one, or has control characters")]
    Name { index: usize },
    #[error("part {part} of {parts} contradicts what came before")]
    Parts { part: u16, parts: u16 },
    /// A frame whose list of names has not arrived. A phone sends it again if it is asked.
    #[error("list of names {schema} has not arrived; type the phone's address, so that Smirk asks it for the list")]
    NoNames { schema: u32 },
    #[error("message {kind} is one that phones receive and do not send")]
    Direction { kind: u8 },
    #[error("the phone answers another program")]
    Greeting,
    #[error("the app speaks revision {revision} of FMV3, which only test versions did; update the app")]
    Beta { revision: u32 },
    #[error("the app says {}", quoted(text))]
    App { text: String },
}

impl From<serde_json::Error> for PacketError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json { line: error.line(), column: error.column() }
    }
}
