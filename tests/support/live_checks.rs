//! Checks of what decoders of live capture give, whatever the bytes are: valid frames or a good error.

use std::collections::HashSet;
use std::time::Instant;

use crate::live_packets;
use smirk_files::live::{Decoded, Decoder, PacketError, Protocol};

/// Panics if frames are not valid, or if an error is not one good line.
pub fn check_outcome(outcome: &Result<Decoded, PacketError>) {
    let decoded = match outcome {
        Ok(decoded) => decoded,
        Err(error) => {
            let line = error.to_string();
            assert!(!line.is_empty() && line.len() < 2000 && !line.contains('\n'), "{line:?}");
            return;
        }
    };
    for frame in &decoded.frames {
        assert_eq!(frame.columns.len(), frame.values.len());
        assert!(frame.values.iter().all(|value| value.is_finite()));
        assert!(frame.time_secs.is_none_or(f64::is_finite));
        assert!(frame.columns.len() <= 4096 + 9);
        let names: HashSet<&String> = frame.columns.iter().collect();
        assert_eq!(names.len(), frame.columns.len(), "{:?}", frame.columns);
    }
}

/// The first byte chooses the protocol. Then come packets of one sender, each after its length in two bytes.
pub fn packets(bytes: &[u8]) {
    let Some((&first, mut rest)) = bytes.split_first() else { return };
    let mut decoder = Decoder::new(Protocol::ALL[usize::from(first) % Protocol::ALL.len()]);
    let now = Instant::now();
    while let Some((length, after)) = rest.split_first_chunk() {
        let (packet, after) = after.split_at(usize::from(u16::from_le_bytes(*length)).min(after.len()));
        check_outcome(&decoder.decode(packet, now));
        rest = after;
    }
}

/// Good inputs of [`packets`], one per protocol, with names.
pub fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let seed = |(number, protocol): (usize, Protocol)| {
        let mut bytes = vec![number as u8];
        for packet in live_packets::all(protocol) {
            bytes.extend((packet.len() as u16).to_le_bytes());
            bytes.extend(packet);
        }
        (protocol.keyword(), bytes)
    };
    Protocol::ALL.iter().copied().enumerate().map(seed).collect()
}
