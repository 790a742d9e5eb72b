//! The sockets that are opened, and the sender that is heard.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use thiserror::Error;

use crate::live::protocol::{Protocol, Transport};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenSettings {
    pub sockets: Vec<SocketSettings>,
    /// Whether programs on other machines are heard, or only those on this one.
    pub is_open_to_network: bool,
    pub sender: SenderChoice,
    /// Phones that are asked for data, by the address that the artist typed, with the protocol to ask in. Nothing is
    /// sent to any other address.
    pub phones: Vec<(Protocol, SocketAddr)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SocketSettings {
    pub protocol: Protocol,
    pub transport: Transport,
    /// The port; with 0, the system chooses one.
    pub port: u16,
}

/// The sender that is heard. Without any field, it is the first one whose frames arrive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SenderChoice {
    pub protocol: Option<Protocol>,
    pub address: Option<IpAddr>,
    /// Only the performer or device of this name.
    pub subject: Option<String>,
}

impl ListenSettings {
    /// Listens on this machine only, for these protocols at the ports where the apps send by default.
    pub fn for_protocols(protocols: &[Protocol]) -> Self {
        let sockets = protocols.iter().flat_map(|&protocol| {
            protocol.ports().iter().map(move |&(transport, port)| SocketSettings { protocol, transport, port })
        });
        Self {
            sockets: sockets.collect(),
            is_open_to_network: false,
            sender: SenderChoice::default(),
            phones: Vec::new(),
        }
    }

    pub(super) fn bind_address(&self) -> IpAddr {
        if self.is_open_to_network { Ipv4Addr::UNSPECIFIED.into() } else { Ipv4Addr::LOCALHOST.into() }
    }

    pub(super) fn phone(&self, protocol: Protocol) -> Option<SocketAddr> {
        self.phones.iter().find(|(other, _)| *other == protocol).map(|(_, address)| *address)
    }

    pub(super) fn check(&self) -> Result<(), ListenError> {
        if self.sockets.is_empty() {
            return Err(ListenError::NoProtocol);
        }
        if let Some((_, phone)) = self.phones.iter().find(|(_, phone)| !phone.is_ipv4()) {
            return Err(ListenError::PhoneNeedsIpv4 { phone: *phone });
        }
        let is_beyond_reach =
            |(_, phone): &&(Protocol, SocketAddr)| !self.is_open_to_network && !phone.ip().is_loopback();
        match self.phones.iter().find(is_beyond_reach) {
            Some((_, phone)) => Err(ListenError::PhoneNeedsNetwork { phone: *phone }),
            None => Ok(()),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ListenError {
    #[error("no protocol is chosen; choose what to listen for")]
    NoProtocol,
    #[error(
        "{} port {port}, where {} apps send, is used by another program, perhaps {}; close it, or choose another port here and in the app",
        transport.name(), protocol.name(), users(*protocol)
    )]
    PortTaken { protocol: Protocol, transport: Transport, port: u16 },
    #[error("{} port {} for {}: {reason}", transport.name(), address.port(), protocol.name())]
    System { protocol: Protocol, transport: Transport, address: SocketAddr, reason: io::ErrorKind },
    #[error(
        "the phone at {phone} cannot be asked: Smirk listens at IPv4 addresses; give the phone's own, such as 192.168.1.20"
    )]
    PhoneNeedsIpv4 { phone: SocketAddr },
    #[error("the phone at {phone} cannot answer while Smirk listens on this machine only; allow the network first")]
    PhoneNeedsNetwork { phone: SocketAddr },
}

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
    pub(super) fn new(error: &io::Error, protocol: Protocol, transport: Transport, address: SocketAddr) -> Self {
        match error.kind() {
            io::ErrorKind::AddrInUse => Self::PortTaken { protocol, transport, port: address.port() },
            reason => Self::System { protocol, transport, address, reason },
        }
    }
}
