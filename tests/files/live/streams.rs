//! Connections over TCP: iFacialMocap's stream of texts, and WebSockets.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use smirk_files::live::{ListenSettings, Protocol, ReceivedFrame, Receiver, Transport};
use smirk_support::HANGS_AFTER;
use smirk_support::live_packets as packets;
use tungstenite::Message;
use tungstenite::stream::MaybeTlsStream;

use crate::live::value;

/// Less than the five seconds after which a connection that begins nothing, or a message that does not end, is given up.
const WITHOUT_WAITING: Duration = Duration::from_secs(4);

fn listen(protocol: Protocol, transport: Transport) -> (Receiver, SocketAddr) {
    let mut settings = ListenSettings::for_protocols(&[protocol]);
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
        assert!(begin.elapsed() < HANGS_AFTER, "{} of {count} frames", frames.len());
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
        assert!(begin.elapsed() < HANGS_AFTER);
        std::thread::sleep(Duration::from_millis(1));
    }
    // A message that is too large ends the connection, and the next one is accepted.
    let _ = socket.send(Message::text("x".repeat(1 << 20)));
    let (mut again, _) = tungstenite::connect(format!("ws://{address}")).unwrap();
    again.send(Message::text(r#"{"jawOpen": 0.5}"#)).unwrap();
    let begin = Instant::now();
    while receiver.status().senders.len() < 2 {
        assert!(begin.elapsed() < HANGS_AFTER);
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn connections_have_a_limit_and_dead_ones_do_not_stop_the_receiver() {
    let (receiver, address) = listen(Protocol::MediaPipe, Transport::WebSocket);
    let silent: Vec<TcpStream> = (0..4).map(|_| TcpStream::connect(address).unwrap()).collect();
    std::thread::sleep(Duration::from_millis(400));
    let mut fifth = TcpStream::connect(address).unwrap();
    fifth.set_read_timeout(Some(HANGS_AFTER)).unwrap();
    assert_eq!(fifth.read(&mut [0; 10]).unwrap_or(0), 0, "one too many is closed at once");
    let begin = Instant::now();
    drop(receiver);
    assert!(begin.elapsed() < WITHOUT_WAITING, "{:?}", begin.elapsed());
    drop(silent);
}

/// Opens a WebSocket, sends a frame over it, and then the beginning of a message that never ends: once `first`, then `rest` again and again,
/// until the other side closes the connection. Whether it does so in time.
fn send_without_end(receiver: &Receiver, address: SocketAddr, [first, rest]: [&'static [u8]; 2]) -> JoinHandle<bool> {
    let (mut socket, _) = tungstenite::connect(format!("ws://{address}")).unwrap();
    socket.send(Message::text(r#"{"jawOpen": 0.5}"#)).unwrap();
    take(receiver, 1);
    let MaybeTlsStream::Plain(stream) = socket.get_mut() else { panic!("no encryption") };
    stream.write_all(first).unwrap();
    (0..8).for_each(|_| stream.write_all(rest).unwrap());
    std::thread::spawn(move || {
        let MaybeTlsStream::Plain(stream) = socket.get_mut() else { panic!("no encryption") };
        let begin = Instant::now();
        while begin.elapsed() < HANGS_AFTER {
            if stream.write_all(rest).is_err() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        false
    })
}

#[test]
fn a_message_that_never_ends_holds_neither_its_connection_nor_the_end_of_listening() {
    // A text of 20,000 bytes of which one comes at a time, and a text in empty parts.
    let slow = [&[0x81, 0xfe, 0x4e, 0x20, 0, 0, 0, 0][..], b"x"];
    let in_parts = [&[0x01, 0x80, 0, 0, 0, 0][..], &[0x00, 0x80, 0, 0, 0, 0]];
    for message in [slow, in_parts] {
        let (receiver, address) = listen(Protocol::MediaPipe, Transport::WebSocket);
        let sender = send_without_end(&receiver, address, message);
        let begin = Instant::now();
        drop(receiver);
        assert!(begin.elapsed() < WITHOUT_WAITING, "{:?}", begin.elapsed());
        assert!(sender.join().unwrap());
    }
    let open = [slow, in_parts].map(|message| {
        let (receiver, address) = listen(Protocol::MediaPipe, Transport::WebSocket);
        (send_without_end(&receiver, address, message), receiver)
    });
    for (sender, _receiver) in open {
        assert!(sender.join().unwrap(), "the connection is closed");
    }
}
