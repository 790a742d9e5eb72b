//! The way of one packet from a socket to the queue.

use std::io;
use std::time::{Duration, Instant};

use super::Shared;
use super::status::SenderId;
use crate::live::protocol::Decoder;

/// The largest packet, in bytes: that of UDP, and more than any frame over a stream.
pub(super) const MAX_PACKET_BYTES: usize = 1 << 16;

/// How long a socket is waited for at a time: a receiver that is dropped ends within this time, and phones are asked in time.
pub(super) const PATIENCE: Duration = Duration::from_millis(100);

/// Decodes a packet of a sender, and queues its frames. Returns what is to be sent back.
pub(super) fn take_packet(
    decoder: &mut Decoder,
    from: &SenderId,
    packet: &[u8],
    received: Instant,
    shared: &Shared,
) -> Vec<Vec<u8>> {
    let (wakes, replies) = match decoder.decode(packet, received) {
        Ok(mut decoded) => {
            let replies = std::mem::take(&mut decoded.replies);
            (shared.senders().accept(from, decoded, received), replies)
        }
        Err(error) => (shared.senders().refuse(from, error, received), Vec::new()),
    };
    if wakes {
        shared.wake();
    }
    replies
}

/// Whether a socket had nothing to read in time.
pub(super) fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}
