//! The programs that send packets to one socket, each with its decoder.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::Arrivals;
use super::status::SenderId;
use crate::live::protocol::{Decoder, Protocol, Transport};

/// The most programs that are heard at one socket.
const MAX_PEERS: usize = 16;
/// A program that was silent for so long may be forgotten for another one.
const SILENCE: Duration = Duration::from_secs(2);

pub(super) struct Peers {
    protocol: Protocol,
    arrivals: Arrivals,
    list: Vec<Peer>,
    /// The phone that is asked for data. It may answer from any port.
    phone: Option<Peer>,
}

struct Peer {
    address: SocketAddr,
    decoder: Decoder,
    last_packet: Instant,
}

impl Peers {
    /// A socket at which nothing has arrived. `phone` is an address that the artist typed; it is asked to send to
    /// `own_port`.
    pub(super) fn new(protocol: Protocol, phone: Option<SocketAddr>, own_port: u16, arrivals: Arrivals) -> Self {
        let now = Instant::now();
        Self {
            protocol,
            arrivals,
            list: Vec::new(),
            phone: phone.map(|address| Peer {
                address,
                decoder: Decoder::asking(protocol, address.port(), own_port),
                last_packet: now,
            }),
        }
    }

    pub(super) fn packet(&mut self, from: SocketAddr, packet: &[u8], received: Instant) -> Vec<Vec<u8>> {
        let id = SenderId { protocol: self.protocol, transport: Transport::Udp, address: from, subject: "".into() };
        let arrivals = self.arrivals.clone();
        let is_phone = self.phone.as_ref().is_some_and(|phone| phone.address.ip() == from.ip());
        let Some(peer) = self.peer(from, received) else { return Vec::new() };
        let replies = take_packet(&mut peer.decoder, &id, packet, received, &arrivals);
        // Nothing is sent to anyone whose address was not typed.
        if is_phone { replies } else { Vec::new() }
    }

    pub(super) fn due(&mut self, now: Instant) -> Option<(SocketAddr, Vec<Vec<u8>>)> {
        self.phone.as_mut().map(|phone| (phone.address, phone.decoder.due(now)))
    }

    /// The packet that tells the phone to stop sending.
    pub(super) fn goodbye(&mut self) -> Option<(SocketAddr, Vec<u8>)> {
        let phone = self.phone.as_mut()?;
        Some((phone.address, phone.decoder.goodbye()?))
    }

    fn peer(&mut self, from: SocketAddr, now: Instant) -> Option<&mut Peer> {
        if self.phone.as_ref().is_some_and(|phone| phone.address.ip() == from.ip()) {
            return self.phone.as_mut();
        }
        let at = match self.list.iter().position(|peer| peer.address == from) {
            Some(at) => at,
            None => {
                if self.list.len() == MAX_PEERS {
                    let oldest = self.list.iter().enumerate().min_by_key(|(_, peer)| peer.last_packet)?.0;
                    if now.saturating_duration_since(self.list[oldest].last_packet) < SILENCE {
                        return None;
                    }
                    self.list.swap_remove(oldest);
                }
                self.list.push(Peer { address: from, decoder: Decoder::new(self.protocol), last_packet: now });
                self.list.len() - 1
            }
        };
        let peer = self.list.get_mut(at)?;
        peer.last_packet = now;
        Some(peer)
    }
}

/// The largest packet, in bytes: that of UDP, and more than any frame over a stream.
pub(super) const MAX_PACKET_BYTES: usize = 1 << 16;

/// How long a socket is waited for at a time: a receiver that is dropped ends within this time, and phones are asked in
/// time.
pub(super) const PATIENCE: Duration = Duration::from_millis(100);

/// Decodes a packet of a sender, and queues its frames. Returns what is to be sent back.
pub(super) fn take_packet(
    decoder: &mut Decoder,
    from: &SenderId,
    packet: &[u8],
    received: Instant,
    arrivals: &Arrivals,
) -> Vec<Vec<u8>> {
    let (wakes, replies) = match decoder.decode(packet, received) {
        Ok(mut decoded) => {
            let replies = std::mem::take(&mut decoded.replies);
            (arrivals.senders().accept(from, decoded, received), replies)
        }
        Err(error) => (arrivals.senders().refuse(from, error, received), Vec::new()),
    };
    if wakes {
        arrivals.wake();
    }
    replies
}

/// Whether a socket had nothing to read in time.
pub(super) fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::super::settings::SenderChoice;
    use super::*;

    #[test]
    fn more_programs_than_are_heard_take_no_memory_and_disturb_nobody() {
        let arrivals = Arrivals::new(SenderChoice::default(), || ());
        let mut peers = Peers::new(Protocol::IFacialMocap, None, 1, arrivals.clone());
        let now = Instant::now();
        for port in 1..1000 {
            peers.packet(SocketAddr::from(([10, 0, 0, 1], port)), b"jawOpen-1|", now);
        }
        assert_eq!(peers.list.len(), MAX_PEERS);
        assert_eq!(arrivals.senders().status(now).0.len(), MAX_PEERS);
        assert!(arrivals.senders().take_frames().iter().all(|frame| frame.sender.address.port() == 1));
        let later = now + SILENCE;
        peers.packet(SocketAddr::from(([10, 0, 0, 2], 1)), b"jawOpen-1|", later);
        assert!(peers.list.iter().any(|peer| peer.address.ip().to_string() == "10.0.0.2"));
    }
}
