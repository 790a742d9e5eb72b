//! Good packets with random damage: whatever arrives gives valid frames or an error, in no time and with no more memory.

use std::time::{Duration, Instant};

use smirk_files::live::{Decoder, Protocol, TextStream};
use smirk_support::live_packets as packets;
use smirk_support::random::Random;
use smirk_support::{live_checks, watch};

/// Damaged packets per decoder.
const MUTANTS: usize = 300_000;
/// The longest time of the processor that one packet may take. It takes microseconds.
const TIMEOUT: Duration = Duration::from_secs(2);

fn broken(good: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut packet = good[random.below(good.len())].clone();
    for _ in 0..=random.below(3) {
        let Some(most) = packet.len().checked_sub(1) else { break };
        let at = random.below(most + 1);
        match random.below(8) {
            0 => packet[at] ^= 1 << random.below(8),
            1 => packet[at] = [0, 1, 0x7F, 0x80, 0xFF, b'9', b'-', b'"'][random.below(8)],
            2 | 3 => {
                let number = [0, 1, 61, u32::MAX, 1 << 31, 0x7F80_0000, 0x7FC0_0000, 0xFF7F_FFFF][random.below(8)];
                let end = (at + 4).min(packet.len());
                let bytes = if random.chance(0.5) { number.to_be_bytes() } else { number.to_le_bytes() };
                packet[at..end].copy_from_slice(&bytes[..end - at]);
            }
            4 => packet.truncate(at),
            5 => {
                let end = (at + random.below(64)).min(packet.len());
                packet.drain(at..end);
            }
            6 => {
                let other = &good[random.below(good.len())];
                let from = random.below(other.len());
                let end = (from + random.below(128)).min(other.len());
                packet.splice(at..at, other[from..end].iter().copied());
            }
            _ => packet.insert(at, random.below(256) as u8),
        }
    }
    packet
}

/// Decodes damaged packets. Decoders are kept for many of them, so that what they remember is damaged too.
fn survive(protocol: Protocol, good: &[Vec<u8>], seed: u32) {
    let mut random = Random::new(seed);
    let (mut accepted, mut slowest) = (0, Duration::ZERO);
    let mut decoder = Decoder::new(protocol);
    for case in 0..MUTANTS {
        if case % 1000 == 0 {
            decoder = Decoder::new(protocol);
        }
        let packet = if case % 10 == 0 { good[random.below(good.len())].clone() } else { broken(good, &mut random) };
        let began = watch::thread_time();
        let outcome = decoder.decode(&packet, Instant::now());
        slowest = slowest.max(watch::thread_time() - began);
        live_checks::check_outcome(&outcome);
        accepted += usize::from(outcome.is_ok());
    }
    assert!((MUTANTS / 20..MUTANTS * 19 / 20).contains(&accepted), "{accepted} of {MUTANTS} were accepted");
    assert!(slowest < TIMEOUT, "one packet took {slowest:?}");
}

#[test]
fn live_link_face() {
    survive(Protocol::LiveLinkFace, &packets::all(Protocol::LiveLinkFace), 1);
}

#[test]
fn facial_mocap_as_text() {
    survive(Protocol::IFacialMocap, &packets::facial_mocap_texts(), 2);
}

#[test]
fn facial_mocap_as_fmv3() {
    survive(Protocol::IFacialMocap, &packets::face_motion_packets(), 3);
}

#[test]
fn vmc() {
    survive(Protocol::Vmc, &packets::all(Protocol::Vmc), 4);
}

#[test]
fn vtube_studio() {
    survive(Protocol::VTubeStudio, &packets::all(Protocol::VTubeStudio), 5);
}

#[test]
fn open_see_face() {
    survive(Protocol::OpenSeeFace, &packets::all(Protocol::OpenSeeFace), 6);
}

#[test]
fn media_pipe() {
    survive(Protocol::MediaPipe, &packets::all(Protocol::MediaPipe), 7);
}

#[test]
fn a_stream_of_texts() {
    let good: Vec<Vec<u8>> =
        packets::facial_mocap_texts().into_iter().map(|text| [&text[..], b"___iFacialMocap"].concat()).collect();
    let (mut random, mut stream, mut texts) = (Random::new(8), TextStream::default(), 0);
    for _ in 0..MUTANTS {
        let piece = broken(&good, &mut random);
        stream.push(&piece, |_| texts += 1);
    }
    assert!(texts > MUTANTS / 10, "{texts}");
}

/// A sender that names new values for ever, and one that begins messages and never ends them.
#[test]
fn what_a_decoder_remembers_has_an_end() {
    let ((), most) = watch::peak_bytes(|| {
        let (mut vmc, now) = (Decoder::new(Protocol::Vmc), Instant::now());
        let mut refused = 0;
        for number in 0..6_000 {
            let name = format!("{number:0250}");
            let outcome = vmc.decode(&packets::vmc(&[(&name, 0.5)]), now);
            live_checks::check_outcome(&outcome);
            refused += usize::from(outcome.is_err());
        }
        assert_eq!(refused, 6_000 - 4096);
        let mut face_motion = Decoder::new(Protocol::IFacialMocap);
        for session in 1..20_000 {
            let part = packets::face_motion_schema_part(session, 1, 512, &[b'x'; 1000]);
            live_checks::check_outcome(&face_motion.decode(&part, now));
        }
    });
    assert!(most < 64 << 20, "{most} bytes");
}
