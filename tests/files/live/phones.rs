//! Phones that have to be asked: the greeting of FMV3, and the text form for apps that do not know it.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use smirk_files::live::{FaceMotionHeader, FaceMotionKind, ListenSettings, PacketError, Protocol, Receiver};
use smirk_support::HANGS_AFTER;
use smirk_support::live_packets as packets;

use crate::live::{frames, refusal, value};

/// A phone at a port of this machine, and a receiver that asks it.
fn phone() -> (UdpSocket, Receiver, SocketAddr) {
    let phone = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    phone.set_read_timeout(Some(HANGS_AFTER)).unwrap();
    let mut settings = ListenSettings::for_protocols(&[Protocol::IFacialMocap]);
    settings.sockets.iter_mut().for_each(|socket| socket.port = 0);
    settings.phones = vec![(Protocol::IFacialMocap, phone.local_addr().unwrap())];
    let receiver = Receiver::listen(settings, || ()).unwrap();
    let to = receiver.status().listening[0].address;
    (phone, receiver, to)
}

fn send_all(phone: &UdpSocket, packets: &[Vec<u8>], to: SocketAddr) {
    for packet in packets {
        phone.send_to(packet, to).unwrap();
    }
}

/// The next packet that the phone gets.
fn next(phone: &UdpSocket) -> Vec<u8> {
    let mut buffer = [0; 2000];
    let (length, _) = phone.recv_from(&mut buffer).unwrap();
    buffer[..length].to_vec()
}

/// The next message of a kind.
fn next_of(phone: &UdpSocket, kind: FaceMotionKind) -> FaceMotionHeader {
    let begin = Instant::now();
    loop {
        let packet = next(phone);
        if let Ok((header, _)) = FaceMotionHeader::read(&packet)
            && header.kind == kind
        {
            return header;
        }
        assert!(begin.elapsed() < HANGS_AFTER, "no {kind:?}");
    }
}

#[test]
fn a_phone_is_greeted_acknowledged_pinged_and_told_to_stop() {
    let (phone, receiver, to) = phone();
    let hello = next_of(&phone, FaceMotionKind::Hello);
    assert_eq!(hello.total_bytes, 8);
    let names = packets::face_motion_schema(hello.session, 1, &["jawOpen", "tongueOut"], "i16");
    send_all(&phone, &names, to);
    let acknowledged = next_of(&phone, FaceMotionKind::SchemaAck);
    assert_eq!((acknowledged.session, acknowledged.schema_id), (packets::FACE_MOTION_SESSION, 1));
    for sequence in [1, 2, 5] {
        phone.send_to(&packets::face_motion_frame(1, sequence, true, &[sequence as i16 * 10, 0]), to).unwrap();
    }
    let ping = next_of(&phone, FaceMotionKind::Ping);
    assert_eq!((ping.session, ping.sequence), (packets::FACE_MOTION_SESSION, 1));
    let begin = Instant::now();
    let mut found = Vec::new();
    while found.len() < 3 {
        found.extend(receiver.take_frames());
        assert!(begin.elapsed() < HANGS_AFTER);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(value(&found[2].frame, "jawOpen"), 0.5);
    let status = receiver.status();
    assert_eq!((status.senders[0].frames, status.senders[0].lost_frames), (3, 2));
    // Three seconds without a frame: the phone is asked again.
    next_of(&phone, FaceMotionKind::GetSchema);
    drop(receiver);
    next_of(&phone, FaceMotionKind::Stop);
}

#[test]
fn a_phone_that_does_not_answer_is_asked_in_the_text_form() {
    let (phone, receiver, to) = phone();
    let first = FaceMotionHeader::read(&next(&phone)).unwrap().0;
    for _ in 1..5 {
        let (again, _) = FaceMotionHeader::read(&next(&phone)).map(|(header, _)| (header, ())).unwrap();
        assert_eq!(again, first, "the same greeting");
    }
    let text = next(&phone);
    assert_eq!(text, b"iFacialMocap_sahuasouryya9218sauhuiayeta91555dy3719|sendDataVersion=v2");
    phone.send_to(b"jawOpen&40|trackingStatus&1|", to).unwrap();
    let begin = Instant::now();
    while receiver.take_frames().is_empty() {
        assert!(begin.elapsed() < HANGS_AFTER);
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn the_answer_to_another_program_and_the_words_of_the_app_are_shown() {
    let (phone, receiver, to) = phone();
    next_of(&phone, FaceMotionKind::Hello);
    let last = |receiver: &Receiver| receiver.status().senders.first().and_then(|sender| sender.last_refusal.clone());
    let wait = |expected: PacketError| {
        let begin = Instant::now();
        while last(&receiver) != Some(expected.clone()) {
            assert!(begin.elapsed() < HANGS_AFTER, "{:?}", last(&receiver));
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    send_all(&phone, &packets::face_motion_schema(7, 1, &["jawOpen"], "i16"), to);
    wait(PacketError::Greeting);
    phone.send_to(&packets::face_motion_other(9, 0, b"BUSY"), to).unwrap();
    wait(PacketError::App { text: "BUSY".into() });
}

#[test]
fn nobody_whose_address_was_not_typed_is_answered() {
    let mut settings = ListenSettings::for_protocols(&[Protocol::IFacialMocap]);
    settings.sockets.iter_mut().for_each(|socket| socket.port = 0);
    let receiver = Receiver::listen(settings, || ()).unwrap();
    let to = receiver.status().listening[0].address;
    let phone = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    phone.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    send_all(&phone, &packets::face_motion_schema(0, 1, &["jawOpen"], "i16"), to);
    assert!(phone.recv_from(&mut [0; 100]).is_err());
}

#[test]
fn frames_belong_to_the_list_of_their_number() {
    let protocol = Protocol::IFacialMocap;
    let first = packets::face_motion_schema(0, 1, &["jawOpen"], "i16");
    let second = packets::face_motion_schema(0, 2, &["tongueOut", "jawOpen"], "i16");
    let frame = |schema, sequence, values: &[i16]| packets::face_motion_frame(schema, sequence, true, values);
    let stream = [
        first[0].clone(),
        frame(1, 1, &[10]),
        frame(1, 1, &[99]),
        frame(1, 3, &[30]),
        frame(1, 2, &[20]),
        second[0].clone(),
        frame(1, 4, &[40]),
        frame(2, 5, &[50, 60]),
        frame(2, 4, &[1, 2]),
    ];
    let stream: Vec<&[u8]> = stream.iter().map(Vec::as_slice).collect();
    let found = frames(protocol, &stream);
    let jaws: Vec<f32> = found.iter().map(|frame| value(frame, "jawOpen")).collect();
    assert_eq!(jaws, [0.1, 0.3, 0.6], "twice, overtaken and of an older list");
    assert_eq!(value(&found[2], "tongueOut"), 0.5);
    assert_eq!((value(&found[0], "HeadYaw").to_degrees().round(), found[0].is_tracked), (2.0, true));
    assert_eq!(refusal(protocol, &frame(1, 1, &[10])), PacketError::NoNames { schema: 1 });
}

#[test]
fn lists_that_break_the_rules_are_refused() {
    let schema = |names: &[&str], encoding: &str| {
        let parts = packets::face_motion_schema(0, 1, names, encoding);
        refusal(Protocol::IFacialMocap, &parts[0])
    };
    assert!(matches!(schema(&["a"], "f32"), PacketError::Word { field: "blend_encoding", .. }));
    assert_eq!(schema(&["a", "b", "a"], "i16"), PacketError::Name { index: 2 });
    assert_eq!(schema(&["a", ""], "i16"), PacketError::Name { index: 1 });
    assert_eq!(schema(&["a\u{1}"], "i16"), PacketError::Name { index: 0 });
    let mut beta = packets::face_motion_schema(0, 1, &["a"], "i16").remove(0);
    beta[40 + 16] = 4;
    assert_eq!(refusal(Protocol::IFacialMocap, &beta), PacketError::Beta { revision: 4 });
    let good = packets::face_motion_schema(0, 1, &["a"], "i16").remove(0);
    let wide = packets::face_motion_schema(0, 1, &["a"], "i32").remove(0);
    let short = packets::face_motion_frame(1, 1, true, &[10]);
    let refused = |packets: [&[u8]; 2]| {
        let mut decoder = smirk_files::live::Decoder::new(Protocol::IFacialMocap);
        decoder.decode(packets[0], Instant::now()).unwrap();
        decoder.decode(packets[1], Instant::now()).unwrap_err()
    };
    assert!(matches!(refused([&wide, &short]), PacketError::Short { .. }));
    assert_eq!(
        refused([&good, &packets::face_motion_frame(1, 1, true, &[10, 20])]),
        PacketError::Leftover { bytes: 2 }
    );
}
