//! Connections over TCP: iFacialMocap's stream of texts, and WebSockets.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use smirk_files::live::{ListenSettings, Protocol, ReceivedFrame, Receiver, Transport};
use smirk_support::live_packets as packets;
use tungstenite::Message;

use crate::live::value;

const LONG: Duration = Duration::from_secs(20);

fn listen(protocol: Protocol, transport: Transport) -> (Receiver, SocketAddr) {
    let mut settings = ListenSettings::of(&[protocol]);
    settings.sockets.retain(|socket| socket.transport == transport);
    settings.sockets[0].port = 0;
    let receiver = Receiver::listen(settings, || ()).unwrap();
    let address = receiver.status().listening[0].address;
    (receiver, address)
}

fn take(receiver: &Receiver, count: usize) -> Vec<ReceivedFrame> {
    let (mut frames, begin) = (Vec::new(), Instant::now());
    while frames.len() < count {
        frames.extend(receiver.take_frames());
        assert!(begin.elapsed() < LONG, "{} of {count} frames", frames.len());
        std::thread::sleep(Duration::from_millis(1));
    }
    frames
}

#[test]
fn texts_over_tcp_are_frames_however_the_stream_is_cut() {
    let (receiver, address) = listen(Protocol::IFacialMocap, Transport::Tcp);
    let mut stream = TcpStream::connect(address).unwrap();
    for piece in b"jawOpen-12|___iFacialMocapjawOpen-60|___iFacialMocap".chunks(9) {
        stream.write_all(piece).unwrap();
        std::thread::sleep(Duration::from_millis(2));
    }
    let frames = take(&receiver, 2);
    assert_eq!(frames.iter().map(|frame| value(&frame.frame, "jawOpen")).collect::<Vec<_>>(), [0.12, 0.6]);
    assert_eq!(frames[0].sender.transport, Transport::Tcp);
}

#[test]
fn web_sockets_carry_json_as_text_and_osc_as_bytes() {
    let (receiver, address) = listen(Protocol::MediaPipe, Transport::WebSocket);
    let (mut socket, _) = tungstenite::connect(format!("ws://{address}/any/path")).unwrap();
    let [form, ..] = &packets::media_pipe_forms(&[("jawOpen", 0.25)])[..] else { panic!("no forms") };
    socket.send(Message::text(form.to_string())).unwrap();
    assert_eq!(value(&take(&receiver, 1)[0].frame, "jawOpen"), 0.25);
    let floats: Vec<f32> = (0..52).map(|at| at as f32 / 100.0).collect();
    socket.send(Message::binary(packets::osc("/mpmocap/blendshapes", None, &floats))).unwrap();
    assert_eq!(value(&take(&receiver, 1)[0].frame, "jawOpen"), 0.47);
    socket.send(Message::text("{")).unwrap();
    let begin = Instant::now();
    while receiver.status().senders[0].refused_packets == 0 {
        assert!(begin.elapsed() < LONG);
        std::thread::sleep(Duration::from_millis(1));
    }
    // A message that is too large ends the connection, and the next one is accepted.
    let _ = socket.send(Message::text("x".repeat(1 << 20)));
    let (mut again, _) = tungstenite::connect(format!("ws://{address}")).unwrap();
    again.send(Message::text(r#"{"jawOpen": 0.5}"#)).unwrap();
    let begin = Instant::now();
    while receiver.status().senders.len() < 2 {
        assert!(begin.elapsed() < LONG);
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn connections_have_a_limit_and_dead_ones_do_not_stop_the_receiver() {
    let (receiver, address) = listen(Protocol::MediaPipe, Transport::WebSocket);
    let silent: Vec<TcpStream> = (0..4).map(|_| TcpStream::connect(address).unwrap()).collect();
    std::thread::sleep(Duration::from_millis(400));
    let mut fifth = TcpStream::connect(address).unwrap();
    fifth.set_read_timeout(Some(LONG)).unwrap();
    assert_eq!(fifth.read(&mut [0; 10]).unwrap_or(0), 0, "one too many is closed at once");
    let begin = Instant::now();
    drop(receiver);
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    drop(silent);
}
