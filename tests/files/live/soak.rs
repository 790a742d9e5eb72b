//! Three senders at 60 packets a second: nothing is lost, and nothing grows.

use std::net::{Ipv4Addr, UdpSocket};
use std::time::{Duration, Instant};

use smirk_files::live::{ListenSettings, Protocol, Receiver, SenderChoice};
use smirk_support::HANGS_AFTER;
use smirk_support::live_packets as packets;

const FRAMES_PER_SEC: u64 = 60;
const PROTOCOLS: [Protocol; 3] = [Protocol::LiveLinkFace, Protocol::VTubeStudio, Protocol::Vmc];

/// The packet of a frame of a protocol.
fn packet(protocol: Protocol, frame: u64) -> Vec<u8> {
    let value = (frame % 100) as f32 / 100.0;
    match protocol {
        Protocol::LiveLinkFace => packets::live_link("Ada", frame as i32, 0.0, Some(&[value; 61])),
        Protocol::VTubeStudio => {
            packets::vtube_studio(frame * 1000 / FRAMES_PER_SEC, true, &[("JawOpen", value)]).to_string().into_bytes()
        }
        _ => packets::vmc(&[("JawOpen", value)]),
    }
}

/// The memory of this process in bytes; 0 where the system does not say.
fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    status.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}

#[test]
fn three_senders_lose_nothing() {
    listen_to_three_senders(3);
}

#[test]
#[ignore = "long: ./dev soak"]
fn three_senders_lose_nothing_for_ten_minutes_and_nothing_grows() {
    let grown = listen_to_three_senders(600);
    assert!(grown < 4 << 20, "{grown} bytes");
}

/// Returns the memory that was taken after the first quarter of the time, in bytes.
fn listen_to_three_senders(secs: u64) -> usize {
    let mut settings = ListenSettings::for_protocols(&PROTOCOLS);
    settings.sockets.iter_mut().for_each(|socket| socket.port = 0);
    settings.sender = SenderChoice { protocol: Some(Protocol::LiveLinkFace), ..SenderChoice::default() };
    let receiver = Receiver::listen(settings, || ()).unwrap();
    let listening = receiver.status().listening;
    let senders: Vec<_> = listening
        .iter()
        .map(|socket| (socket.protocol, socket.address, UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap()))
        .collect();
    let (begin, count) = (Instant::now(), secs * FRAMES_PER_SEC);
    let (mut heard, mut settled_bytes, mut most_waiting) = (0, 0, 0);
    for frame in 0..count {
        std::thread::sleep(Duration::from_micros(frame * 1_000_000 / FRAMES_PER_SEC).saturating_sub(begin.elapsed()));
        for (protocol, address, socket) in &senders {
            socket.send_to(&packet(*protocol, frame), address).unwrap();
        }
        // As while a window is minimised: frames are taken every ten seconds only.
        if frame % (10 * FRAMES_PER_SEC) == 10 * FRAMES_PER_SEC - 1 {
            most_waiting = most_waiting.max(receiver.status().waiting_frames);
            heard += receiver.take_frames().len() as u64;
        }
        if frame == count / 4 {
            settled_bytes = resident_bytes();
        }
    }
    let end = Instant::now();
    while receiver.status().senders.iter().map(|sender| sender.frames).sum::<u64>() < 3 * count {
        assert!(end.elapsed() < HANGS_AFTER, "{:#?}", receiver.status());
        std::thread::sleep(Duration::from_millis(1));
    }
    heard += receiver.take_frames().len() as u64;
    let status = receiver.status();
    assert_eq!((heard, status.dropped_frames), (count, 0));
    for sender in &status.senders {
        assert_eq!((sender.frames, sender.refused_packets, sender.late_frames), (count, 0, 0), "{sender:?}");
        assert_eq!(sender.lost_frames, 0, "{sender:?}");
    }
    let grown = resident_bytes().saturating_sub(settled_bytes);
    println!("{count} frames of three senders, {most_waiting} waiting at most, {} KiB more memory", grown / 1024);
    grown
}
