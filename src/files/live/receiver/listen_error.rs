//! Why a socket cannot be listened on.

use std::io;
use std::net::SocketAddr;

use thiserror::Error;

use crate::live::protocol::{Protocol, Transport};

/// Why a socket cannot be listened on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ListenError {
    /// No protocol is chosen.
    #[error("no protocol is chosen; choose what to listen for")]
    NoProtocol,
    /// Another program listens on the port.
    #[error(
        "{} port {port}, where {} apps send, is used by another program, perhaps {}; close it, or choose another port here and in the app",
        transport.name(), protocol.name(), users(*protocol)
    )]
    PortTaken {
        /// The protocol.
        protocol: Protocol,
        /// The transport.
        transport: Transport,
        /// The port.
        port: u16,
    },
    /// The system refuses for another reason.
    #[error("{} port {} for {}: {reason}", transport.name(), address.port(), protocol.name())]
    System {
        /// The protocol.
        protocol: Protocol,
        /// The transport.
        transport: Transport,
        /// The address.
        address: SocketAddr,
        /// What the system says.
        reason: io::ErrorKind,
    },
    /// A phone is to be asked for data at an address that no socket of Smirk reaches.
    #[error(
        "the phone at {phone} cannot be asked: Smirk listens at IPv4 addresses; give the phone's own, such as 192.168.1.20"
    )]
    PhoneNeedsIpv4 {
        /// The phone.
        phone: SocketAddr,
    },
    /// A phone is to be asked for data, and its answer could not arrive.
    #[error("the phone at {phone} cannot answer while Smirk listens on this machine only; allow the network first")]
    PhoneNeedsNetwork {
        /// The phone.
        phone: SocketAddr,
    },
}

/// Programs that listen on the port of a protocol.
fn users(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::LiveLinkFace => "Unreal Editor or a second Smirk",
        Protocol::IFacialMocap => "the iFacialMocap program for the computer, VSeeFace, Warudo or a second Smirk",
        Protocol::Vmc => "VSeeFace, Warudo, VNyan, Blender or a second Smirk",
        Protocol::VTubeStudio => "VBridger or a second Smirk",
        Protocol::OpenSeeFace => "VSeeFace or a second Smirk",
        Protocol::MediaPipe => "a web server or a second Smirk",
    }
}

impl ListenError {
    /// The error of a socket that the system did not open.
    pub(super) fn of(error: &io::Error, protocol: Protocol, transport: Transport, address: SocketAddr) -> Self {
        match error.kind() {
            io::ErrorKind::AddrInUse => Self::PortTaken { protocol, transport, port: address.port() },
            reason => Self::System { protocol, transport, address, reason },
        }
    }
}
