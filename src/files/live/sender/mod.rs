//! Sends faces on to other programs, in the protocols of the apps that send them.

mod format;
mod names;
mod vmc;

pub use format::SendFormat;

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use self::names::Names;
use smirk_face::head::FaceTurns;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendSettings {
    pub format: SendFormat,
    pub to: SocketAddr,
    pub subject: String,
}

#[derive(Debug)]
pub struct Encoder {
    format: SendFormat,
    subject: String,
    names: Names,
}

impl Encoder {
    /// For values with these names, in any dialect.
    pub fn new(format: SendFormat, subject: &str, names: &[String]) -> Self {
        Self { format, subject: subject.to_owned(), names: Names::new(names) }
    }

    /// The packets of a face. Values that are not finite are sent as 0.
    pub fn packets(&self, face: &SentFace<'_>) -> Vec<Vec<u8>> {
        match self.format {
            SendFormat::LiveLinkFace => vec![format::packet(&self.subject, &self.names, face)],
            SendFormat::Vmc0 | SendFormat::Vmc1 => vmc::packets(self.format, &self.names, face),
            SendFormat::IFacialMocap1 => vec![format::text(1, &self.names, face)],
            SendFormat::IFacialMocap2 => vec![format::text(2, &self.names, face)],
        }
    }
}

#[derive(Debug)]
pub struct Sender {
    socket: UdpSocket,
    to: SocketAddr,
    encoder: Encoder,
}

impl Sender {
    /// A sender of values with these names, in any dialect. An error if the system opens no socket.
    pub fn open(settings: &SendSettings, names: &[String]) -> io::Result<Self> {
        let any: SocketAddr = match settings.to {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let socket = UdpSocket::bind(any)?;
        // What cannot be sent at once is late anyway.
        socket.set_nonblocking(true)?;
        Ok(Self { socket, to: settings.to, encoder: Encoder::new(settings.format, &settings.subject, names) })
    }

    /// Sends a face. An error if the system refuses, such as where no network is. Packets are sent whether or
    /// not a program receives them.
    pub fn send(&self, face: &SentFace<'_>) -> io::Result<()> {
        for packet in self.encoder.packets(face) {
            match self.socket.send_to(&packet, self.to) {
                Err(error) if !is_passing(error.kind()) => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether an error of one packet says nothing about the next.
fn is_passing(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::WouldBlock
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::Interrupted
    )
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SentFace<'a> {
    /// A value per name that the sender was made with, of which 1 is the whole shape.
    pub values: &'a [f32],
    /// The turns of the head and of the eyes, if they are known.
    pub turns: Option<FaceTurns>,
    /// The time of the moment in seconds, from any origin.
    pub time_secs: f64,
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
