//! Live capture: the face of a performer, sent over the network by an app, as frames of named values.
//!
//! ```text
//! packet ─ protocol::Decoder ─► LiveFrame ─ Receiver ─► queue ─► whoever records or shows it
//! ```

mod frame;
mod protocol;
mod receiver;

pub use frame::LiveFrame;
pub use protocol::{Decoded, Decoder, LiveLinkPacket, OpenSeeFace, PacketError, Protocol, TextStream, Transport};
pub use receiver::{
    ListenError, ListenSettings, Listening, LiveStatus, ReceivedFrame, Receiver, SenderChoice, SenderId, SenderStatus,
    SocketSettings,
};
