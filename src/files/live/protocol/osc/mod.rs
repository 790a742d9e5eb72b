//! Faces as OSC messages: VMC, and MPMoCap.
//!
//! Only messages of known addresses are read. Bundles within each other are read to a small depth, so that a packet
//! cannot exhaust the stack of the thread.

mod mp_mocap;
mod vmc;

pub(super) use self::vmc::turn_of_unity;

use self::mp_mocap::{MpMocap, MpMocapDecoder};
use self::vmc::{Vmc, VmcDecoder};
use super::PacketError;
use crate::live::LiveFrame;
use crate::live::osc::{Argument, BUNDLE, Message, TIME_BYTES};

const MAX_DEPTH: usize = 8;

pub(super) fn is_osc(packet: &[u8]) -> bool {
    packet.starts_with(b"/") || packet.starts_with(BUNDLE)
}

#[derive(Debug, Default)]
pub(super) struct OscDecoder {
    vmc: VmcDecoder,
    mp_mocap: MpMocapDecoder,
}

/// A message that means something for a face.
enum Known {
    Vmc(Vmc),
    MpMocap(MpMocap),
}

impl OscDecoder {
    /// The frames of a packet. Messages of other addresses are ignored; the whole packet is refused if any known one is
    /// wrong.
    pub(super) fn decode(&mut self, packet: &[u8]) -> Result<Vec<LiveFrame>, PacketError> {
        let mut messages = Vec::new();
        split(packet, 0, 0, &mut messages)?;
        let mut known = Vec::with_capacity(messages.len());
        for (at, message) in messages {
            known.extend(read(message, at)?);
        }
        self.vmc.check(known.iter().filter_map(|message| match message {
            Known::Vmc(message) => Some(message),
            Known::MpMocap(_) => None,
        }))?;
        let frames = known.into_iter().filter_map(|message| match message {
            Known::Vmc(message) => self.vmc.take(message),
            Known::MpMocap(message) => self.mp_mocap.take(message),
        });
        Ok(frames.collect())
    }
}

/// Adds the messages of a packet or of an element of a bundle, each with its place in the packet.
fn split<'a>(
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    messages: &mut Vec<(usize, &'a [u8])>,
) -> Result<(), PacketError> {
    let Some(mut elements) = bytes.strip_prefix(BUNDLE) else {
        messages.push((at, bytes));
        return Ok(());
    };
    if depth == MAX_DEPTH {
        let (found, most) = (depth as u64 + 1, MAX_DEPTH as u64);
        return Err(PacketError::Limit { field: "the depth of bundles", found, most });
    }
    elements = elements.get(TIME_BYTES..).ok_or(short(TIME_BYTES, elements.len()))?;
    while !elements.is_empty() {
        let (length, rest) = elements.split_first_chunk().ok_or(short(4, elements.len()))?;
        let length = u32::from_be_bytes(*length) as usize;
        let (element, rest) = rest.split_at_checked(length).ok_or(short(length, rest.len()))?;
        split(element, at + bytes.len() - rest.len() - length, depth + 1, messages)?;
        elements = rest;
    }
    Ok(())
}

fn short(needed: usize, left: usize) -> PacketError {
    PacketError::Short { field: "a bundle", needed: needed as u64, left }
}

/// A message, or none if its address means nothing for a face. `at` is its place in the packet.
fn read(bytes: &[u8], at: usize) -> Result<Option<Known>, PacketError> {
    let not_osc = PacketError::NotOsc { at };
    let end = bytes.iter().position(|byte| *byte == 0);
    let Some(address) = end.and_then(|end| std::str::from_utf8(&bytes[..end]).ok()) else { return Err(not_osc) };
    if !address.starts_with('/') || !bytes.len().is_multiple_of(4) {
        return Err(not_osc);
    }
    if !Vmc::is_address(address) && !MpMocap::is_address(address) {
        return Ok(None);
    }
    // None of the known messages has an array.
    let tags = bytes[address.len()..].iter().skip_while(|byte| **byte == 0).take_while(|byte| **byte != 0);
    if tags.into_iter().any(|tag| *tag == b'[') {
        return Err(PacketError::OscArguments { address: address.to_owned(), expected: "numbers and texts" });
    }
    let message = match Message::read(bytes) {
        Some((message, [])) => message,
        Some((_, left)) => return Err(PacketError::Leftover { bytes: left.len() }),
        None => return Err(not_osc),
    };
    let known = if Vmc::is_address(address) {
        Known::Vmc(Vmc::from_message(&message)?)
    } else {
        Known::MpMocap(MpMocap::from_message(&message)?)
    };
    Ok(Some(known))
}

/// The first arguments of a message that are numbers, from `first` on. An error if there are fewer than `N`, or if one
/// of them is not finite. Surplus arguments are ignored.
fn floats<const N: usize>(message: &Message, first: usize, expected: &'static str) -> Result<[f32; N], PacketError> {
    let mut numbers = [0.0; N];
    for (at, number) in numbers.iter_mut().enumerate() {
        *number = match message.arguments.get(first + at) {
            Some(Argument::Float(value)) => *value,
            _ => return Err(PacketError::OscArguments { address: message.address.clone(), expected }),
        };
        if !number.is_finite() {
            return Err(PacketError::NotFinite { column: message.address.clone() });
        }
    }
    Ok(numbers)
}
