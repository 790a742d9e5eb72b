//! Live capture: the face of a performer, sent over the network by an app, as frames of named values.
//!
//! ```text
//! packet ─ protocol::Decoder ─► LiveFrame ─ Receiver ─► whoever records it
//!                                               └────► LiveStream ─► the face that is shown
//! face ─ sender::Encoder ─► packets ─ Sender ─► another program
//! ```

mod osc;
mod protocol;
mod receiver;
mod sender;
mod stream;
mod table;

use std::sync::Arc;

pub use protocol::{
    Decoded, Decoder, FaceMotionHeader, FaceMotionKind, FaceMotionSchema, LiveLinkPacket, OpenSeeFace, PacketError,
    Protocol, TextStream, Transport,
};
pub use receiver::{
    ListenError, ListenSettings, Listening, LiveStatus, ReceivedFrame, Receiver, SenderChoice, SenderId, SenderStatus,
    SocketSettings,
};
pub use sender::{Encoder, SendFormat, SendSettings, Sender, SentFace};
pub use stream::{Calibration, CalibrationKind, LatencyReading, LiveStream, SenderClock};
pub use table::FrameTable;

/// What a sender says about one face at one moment. Its columns are those of a [`smirk_face::motion::Take`] of the same
/// performance, so that a recording of frames is a take, and what maps the columns of takes maps these.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveFrame {
    /// The name of the performer or the device, as the sender gives it; empty if the protocol has none.
    pub subject: Arc<str>,
    /// The sender's own time, if it sends one. Only differences of it mean something.
    pub time_secs: Option<f64>,
    /// Whether a face is in the sender's view. If not, the values are the last ones, or there are none.
    pub is_tracked: bool,
    /// The names of the values, in the sender's dialect; angles of the head and the eyes are columns as in takes.
    /// Frames of one sender share the list while it stays the same.
    pub columns: Arc<[String]>,
    /// One finite value per column: weights, of which 1 is the whole shape, and angles in the unit that
    /// [`smirk_face::motion::Take`] has for columns of their name.
    pub values: Vec<f32>,
}
