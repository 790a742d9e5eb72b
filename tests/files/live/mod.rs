//! Live capture: what packets mean, and the receiver with real sockets on this machine.

#![allow(clippy::unwrap_used, reason = "a test")]

mod packets;
mod phones;
mod receiver;
mod samples;
mod sending;
mod soak;
mod streams;

use std::time::Instant;

use smirk_files::live::{Decoder, LiveFrame, PacketError, Protocol};

/// The frames of packets that one sender sends in turn. Panics if one is refused.
fn frames(protocol: Protocol, packets: &[&[u8]]) -> Vec<LiveFrame> {
    let (mut decoder, now) = (Decoder::new(protocol), Instant::now());
    packets.iter().flat_map(|packet| decoder.decode(packet, now).unwrap().frames).collect()
}

/// The only frame of one packet.
fn frame(protocol: Protocol, packet: &[u8]) -> LiveFrame {
    let mut frames = frames(protocol, &[packet]);
    assert_eq!(frames.len(), 1);
    frames.remove(0)
}

/// Why a packet is refused.
fn refusal(protocol: Protocol, packet: &[u8]) -> PacketError {
    Decoder::new(protocol).decode(packet, Instant::now()).unwrap_err()
}

/// The value of a column.
fn value(frame: &LiveFrame, column: &str) -> f32 {
    let at = frame.columns.iter().position(|name| name == column);
    frame.values[at.unwrap_or_else(|| panic!("no {column} in {:?}", frame.columns))]
}
