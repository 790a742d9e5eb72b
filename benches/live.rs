//! Live capture: frames per second of every decoder, and the time from a packet on this machine to its frame.
//! `cargo bench -p smirk-benches --bench live`.

use std::net::{Ipv4Addr, UdpSocket};
use std::sync::mpsc::{Receiver as Woken, sync_channel};
use std::time::Instant;

use divan::Bencher;
use divan::counter::ItemsCount;
use smirk_files::live::{Decoder, ListenSettings, Protocol, Receiver};
use smirk_support::live_packets as packets;

fn main() {
    divan::main();
}

/// A frame of 52 shapes.
fn packets_of(name: &str) -> (Protocol, Vec<Vec<u8>>) {
    let names: Vec<String> = (0..52).map(|at| format!("aShapeOfAFace{at:02}")).collect();
    let values: Vec<(&str, f32)> = names.iter().map(|name| (name.as_str(), 0.25)).collect();
    let text = |separator: char| {
        let shapes: String = names.iter().map(|name| format!("{name}{separator}25|")).collect();
        format!("{shapes}=head#-21.48,-6.03,-6.6,-0.03,-0.1,-0.65|rightEye#6.02,2.44,0.25|leftEye#6.03,-1.66,-0.17|")
    };
    match name {
        "live_link" => (Protocol::LiveLinkFace, vec![packets::live_link("Ada", 1, 0.0, Some(&[0.25; 61]))]),
        "ifacialmocap_text" => (Protocol::IFacialMocap, vec![text('&').into_bytes()]),
        "fmv3" => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let mut all = packets::face_motion_schema(0, 1, &names, "i16");
            all.push(packets::face_motion_frame(1, 1, true, &[25; 52]));
            (Protocol::IFacialMocap, all)
        }
        "vmc" => (Protocol::Vmc, vec![packets::vmc(&values)]),
        "vtube_studio" => {
            (Protocol::VTubeStudio, vec![packets::vtube_studio(1, true, &values).to_string().into_bytes()])
        }
        "openseeface" => (Protocol::OpenSeeFace, vec![packets::open_see_face(1.0, 0, [0.9; 2], [0.1; 14])]),
        _ => {
            let form = packets::media_pipe_forms(&values)[0].to_string();
            (Protocol::MediaPipe, vec![form.into_bytes()])
        }
    }
}

#[divan::bench(args = ["live_link", "ifacialmocap_text", "fmv3", "vmc", "vtube_studio", "openseeface", "mediapipe"])]
fn decode(bencher: Bencher<'_, '_>, name: &str) {
    let (protocol, packets) = packets_of(name);
    let (mut decoder, now) = (Decoder::new(protocol), Instant::now());
    let (frame, before) = packets.split_last().expect("a packet");
    for packet in before {
        decoder.decode(packet, now).expect("a good packet");
    }
    let (mut frame, mut sequence) = (frame.clone(), 1_u32);
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| {
        if name == "fmv3" {
            // A frame of a number that was there is left out.
            sequence += 1;
            frame[20..24].copy_from_slice(&sequence.to_le_bytes());
        }
        let decoded = decoder.decode(&frame, now).expect("a good packet");
        assert_eq!(decoded.frames.len(), 1);
        decoded
    });
}

/// From `send_to` to the frame in the hands of the thread that was woken.
#[divan::bench(args = ["live_link", "ifacialmocap_text", "vmc", "vtube_studio"])]
fn packet_to_frame(bencher: Bencher<'_, '_>, name: &str) {
    let (protocol, packets) = packets_of(name);
    let mut settings = ListenSettings::for_protocols(&[protocol]);
    settings.sockets.truncate(1);
    settings.sockets[0].port = 0;
    let (wake, woken): (_, Woken<()>) = sync_channel(1);
    let wake = move || {
        let _ = wake.try_send(());
    };
    let receiver = Receiver::listen(settings, wake).expect("a socket");
    let to = receiver.status().listening[0].address;
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a socket");
    bencher.bench_local(|| {
        socket.send_to(&packets[0], to).expect("a packet that is sent");
        loop {
            let frames = receiver.take_frames();
            if !frames.is_empty() {
                break frames;
            }
            woken.recv().expect("a receiver");
        }
    });
}
