//! Live capture: the face of a performer, sent over the network by an app, as frames of named values.
//!
//! ```text
//! packet ─ protocol::Decoder ─► LiveFrame ─ Receiver ─► queue ─► whoever records or shows it
//! face ─ sender::Encoder ─► packets ─ Sender ─► another program
//! ```

mod frame;
mod protocol;
mod receiver;
mod sender;
mod table;

pub use frame::LiveFrame;
pub use protocol::{
    Decoded, Decoder, FaceMotionHeader, FaceMotionKind, FaceMotionSchema, LiveLinkPacket, OpenSeeFace, PacketError,
    Protocol, TextStream, Transport,
};
pub use receiver::{
    ListenError, ListenSettings, Listening, LiveStatus, ReceivedFrame, Receiver, SenderChoice, SenderId, SenderStatus,
    SocketSettings,
};
pub use sender::{Encoder, SendFormat, SendSettings, Sender, SentFace};
pub use table::FrameTable;
pub use table::{table_header, table_row};
