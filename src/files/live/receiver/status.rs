//! What the screen shows of a receiver.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::settings::ListenError;
use crate::live::protocol::{PacketError, Protocol, Transport};

#[derive(Clone, Debug, PartialEq)]
pub struct LiveStatus {
    pub listening: Vec<Listening>,
    pub failures: Vec<ListenError>,
    /// Everyone who has sent anything, in the order of their first packets.
    pub senders: Vec<SenderStatus>,
    pub waiting_frames: usize,
    /// The frames that waited for too long and were dropped.
    pub dropped_frames: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listening {
    pub protocol: Protocol,
    pub transport: Transport,
    /// The address that it is bound to: 127.0.0.1 or, for the whole network, 0.0.0.0.
    pub address: SocketAddr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SenderId {
    pub protocol: Protocol,
    pub transport: Transport,
    pub address: SocketAddr,
    /// The name of the performer or the device; empty if the protocol has none.
    pub subject: Arc<str>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SenderStatus {
    pub id: SenderId,
    pub is_heard: bool,
    /// Whether its last frame had a face in view.
    pub is_tracked: bool,
    pub columns: Arc<[String]>,
    pub frames: u64,
    /// The frames that arrived per second, over the last two seconds.
    pub frames_per_sec: f32,
    /// The frames that did not arrive, by the sender's count or by gaps between its times.
    pub lost_frames: u64,
    /// The frames that arrived after a later one and were left out.
    pub late_frames: u64,
    /// How irregularly frames arrive: the mean difference between the time from one to the next where they are sent and
    /// here.
    pub jitter_secs: f32,
    pub last_frame: Option<Instant>,
    pub refused_packets: u64,
    pub last_refusal: Option<PacketError>,
}

impl SenderStatus {
    pub fn age(&self, now: Instant) -> Option<Duration> {
        self.last_frame.map(|last| now.saturating_duration_since(last))
    }

    /// The part of the frames that did not arrive, from 0 to 1.
    pub fn loss(&self) -> f32 {
        self.lost_frames as f32 / (self.frames + self.lost_frames).max(1) as f32
    }
}

impl Listening {
    /// The address that an app has to send to: that of this machine in its network, if the whole network is heard and
    /// there is one.
    pub fn address_to_type(&self) -> SocketAddr {
        let ip = if self.address.ip().is_unspecified() { address_in_network() } else { Some(self.address.ip()) };
        SocketAddr::new(ip.unwrap_or(self.address.ip()), self.address.port())
    }
}

/// The address of this machine in its network. Connecting a socket for datagrams sends nothing: it asks the system
/// which of its addresses it would use. The address is reserved for documentation, so that no machine has it.
fn address_in_network() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_unspecified())
}
