//! The receiver with real sockets on this machine.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use smirk_files::live::{
    ListenError, ListenSettings, PacketError, Protocol, ReceivedFrame, Receiver, SenderChoice, SocketSettings,
    Transport,
};
use smirk_support::HANGS_AFTER;
use smirk_support::live_packets as packets;

/// Settings for ports that the system chooses.
fn settings(protocols: &[Protocol]) -> ListenSettings {
    let mut settings = ListenSettings::for_protocols(protocols);
    settings.sockets.iter_mut().for_each(|socket| socket.port = 0);
    settings
}

/// A receiver on ports that the system chose, and the number of its wakes.
fn listen(settings: ListenSettings) -> (Receiver, Arc<AtomicUsize>) {
    let wakes = Arc::new(AtomicUsize::new(0));
    let counter = wakes.clone();
    let wake = move || {
        counter.fetch_add(1, Ordering::Relaxed);
    };
    let receiver = Receiver::listen(settings, wake).unwrap();
    (receiver, wakes)
}

fn address(receiver: &Receiver, protocol: Protocol, transport: Transport) -> SocketAddr {
    let listening = receiver.status().listening;
    let socket = listening.iter().find(|socket| (socket.protocol, socket.transport) == (protocol, transport));
    socket.unwrap().address
}

fn socket() -> UdpSocket {
    UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap()
}

/// Calls `done` until it is true.
fn wait(what: &str, mut done: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !done() {
        assert!(begin.elapsed() < HANGS_AFTER, "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The next frames, at least `count`.
fn take(receiver: &Receiver, count: usize) -> Vec<ReceivedFrame> {
    let mut frames = Vec::new();
    wait("no frames", || {
        frames.extend(receiver.take_frames());
        frames.len() >= count
    });
    frames
}

#[test]
fn every_protocol_arrives_with_its_sender() {
    let (receiver, wakes) = listen(settings(Protocol::ALL));
    for &protocol in Protocol::ALL {
        receiver.choose(SenderChoice { protocol: Some(protocol), ..SenderChoice::default() });
        let (sender, before) = (socket(), Instant::now());
        let to = address(&receiver, protocol, Transport::Udp);
        assert!(to.ip().is_loopback());
        sender.send_to(&packets::packet_with_jaw_open(protocol, 0.3), to).unwrap();
        let frames = take(&receiver, 1);
        assert_eq!(frames[0].sender.protocol, protocol);
        assert_eq!(frames[0].sender.address, sender.local_addr().unwrap());
        assert!(frames[0].received >= before && frames[0].received <= Instant::now());
    }
    assert!(wakes.load(Ordering::Relaxed) >= Protocol::ALL.len());
    assert!(receiver.status().senders.iter().all(|sender| sender.frames == 1 && sender.refused_packets == 0));
}

#[test]
fn a_port_that_is_taken_is_named_and_the_others_are_listened_on() {
    let taken = socket();
    let port = taken.local_addr().unwrap().port();
    let mut settings = settings(&[Protocol::Vmc]);
    let live_link = SocketSettings { protocol: Protocol::LiveLinkFace, transport: Transport::Udp, port };
    settings.sockets.push(live_link);
    let (receiver, _) = listen(settings);
    let status = receiver.status();
    assert_eq!((status.listening.len(), status.failures.len()), (1, 1));
    let message = status.failures[0].to_string();
    assert!(message.contains(&port.to_string()) && message.contains("Unreal"), "{message}");
    let alone = ListenSettings { sockets: vec![live_link], ..ListenSettings::for_protocols(&[]) };
    let error = Receiver::listen(alone, || ()).unwrap_err();
    assert!(matches!(error, ListenError::PortTaken { .. }), "{error}");
    assert_eq!(Receiver::listen(ListenSettings::for_protocols(&[]), || ()).unwrap_err(), ListenError::NoProtocol);
}

#[test]
fn the_first_sender_is_heard_until_it_is_silent_and_a_choice_changes_it() {
    let (receiver, _) = listen(settings(&[Protocol::LiveLinkFace]));
    let to = address(&receiver, Protocol::LiveLinkFace, Transport::Udp);
    let (ada, bob) = (socket(), socket());
    let send = |from: &UdpSocket, subject: &str, frame: i32| {
        from.send_to(&packets::live_link(subject, frame, 0.0, Some(&[0.5; 61])), to).unwrap();
    };
    send(&ada, "Ada", 1);
    assert_eq!(&*take(&receiver, 1)[0].frame.subject, "Ada");
    send(&bob, "Bob", 1);
    wait("Bob is listed", || receiver.status().senders.len() == 2);
    assert!(receiver.take_frames().is_empty(), "Bob is not heard");
    let status = receiver.status();
    assert!(status.senders[0].is_heard && !status.senders[1].is_heard);
    assert_eq!(&*status.senders[1].id.subject, "Bob");
    receiver.choose(SenderChoice { subject: Some("Bob".into()), ..SenderChoice::default() });
    send(&ada, "Ada", 2);
    send(&bob, "Bob", 2);
    assert_eq!(&*take(&receiver, 1)[0].frame.subject, "Bob");
    receiver.choose(SenderChoice::default());
    std::thread::sleep(Duration::from_millis(2100));
    send(&ada, "Ada", 200);
    assert_eq!(&*take(&receiver, 1)[0].frame.subject, "Ada", "Bob was silent for two seconds");
}

#[test]
fn refused_packets_are_counted_with_the_reason_and_move_nothing() {
    let (receiver, wakes) = listen(settings(&[Protocol::LiveLinkFace]));
    let to = address(&receiver, Protocol::LiveLinkFace, Transport::Udp);
    let sender = socket();
    for _ in 0..10 {
        sender.send_to(b"\x07garbage", to).unwrap();
    }
    wait("refusals", || receiver.status().senders.first().is_some_and(|sender| sender.refused_packets == 10));
    let status = receiver.status();
    assert!(matches!(status.senders[0].last_refusal, Some(PacketError::Version { found: 7, .. })));
    assert_eq!(status.senders[0].frames, 0);
    assert!(wakes.load(Ordering::Relaxed) < 10, "a flood of garbage does not keep the window awake");
    sender.send_to(&packets::packet_with_jaw_open(Protocol::LiveLinkFace, 0.5), to).unwrap();
    take(&receiver, 1);
    let status = receiver.status();
    assert_eq!(
        (status.senders.len(), status.senders[0].refused_packets, &*status.senders[0].id.subject),
        (1, 10, "test")
    );
}

#[test]
fn frames_that_nobody_takes_do_not_grow() {
    let (receiver, wakes) = listen(settings(&[Protocol::Vmc]));
    let (sender, to) = (socket(), address(&receiver, Protocol::Vmc, Transport::Udp));
    let packet = packets::vmc(&[("A", 0.5)]);
    let frames = |receiver: &Receiver| receiver.status().senders.first().map_or(0, |sender| sender.frames);
    for sent in 1..=5000 {
        sender.send_to(&packet, to).unwrap();
        // The system's own buffer is small.
        if sent % 100 == 0 {
            wait("frames", || frames(&receiver) == sent);
        }
    }
    let status = receiver.status();
    assert_eq!((status.waiting_frames, status.dropped_frames), (4096, 904));
    assert_eq!(wakes.load(Ordering::Relaxed), 1, "one wake until the frames are taken");
    assert_eq!(receiver.take_frames().len(), 4096);
}

#[test]
fn a_recorder_gets_every_frame_also_while_nothing_takes_them() {
    let receiver = Receiver::listen(settings(&[Protocol::Vmc]), || ()).unwrap();
    let (sender, to) = (socket(), address(&receiver, Protocol::Vmc, Transport::Udp));
    let (send, recorded) = std::sync::mpsc::sync_channel(1000);
    receiver.record_to(Some(send));
    let value = |count: u8| f32::from(count) / 10.0;
    for count in 1..=9 {
        sender.send_to(&packets::vmc(&[("A", value(count))]), to).unwrap();
        assert_eq!(recorded.recv_timeout(HANGS_AFTER).unwrap().frame.values[0], value(count));
    }
    receiver.record_to(None);
    assert!(recorded.recv().is_err(), "the recorder is let go");
    assert_eq!(take(&receiver, 9).len(), 9);
}

#[test]
fn a_receiver_that_is_dropped_ends_and_frees_its_ports() {
    let (receiver, _) = listen(settings(Protocol::ALL));
    let listening = receiver.status().listening;
    drop(receiver);
    for socket in listening.iter().filter(|socket| socket.transport == Transport::Udp) {
        UdpSocket::bind(socket.address).unwrap();
    }
}

#[test]
fn a_phone_is_asked_only_if_its_address_was_typed_and_can_answer() {
    let phone = socket();
    phone.set_read_timeout(Some(HANGS_AFTER)).unwrap();
    let mut asked = settings(&[Protocol::VTubeStudio]);
    asked.phones = vec![(Protocol::VTubeStudio, phone.local_addr().unwrap())];
    let (receiver, _) = listen(asked);
    let mut buffer = [0; 1000];
    let (length, from) = phone.recv_from(&mut buffer).unwrap();
    let request: serde_json::Value = serde_json::from_slice(&buffer[..length]).unwrap();
    let to = address(&receiver, Protocol::VTubeStudio, Transport::Udp);
    assert_eq!((&request["messageType"], &request["ports"][0]), (&"iOSTrackingDataRequest".into(), &to.port().into()));
    assert_eq!(from, to);
    // It answers from another port.
    socket().send_to(&packets::packet_with_jaw_open(Protocol::VTubeStudio, 0.5), to).unwrap();
    take(&receiver, 1);

    let mut beyond = settings(&[Protocol::VTubeStudio]);
    beyond.phones = vec![(Protocol::VTubeStudio, "192.168.1.20:21412".parse().unwrap())];
    let error = Receiver::listen(beyond, || ()).unwrap_err();
    assert!(error.to_string().contains("192.168.1.20") && error.to_string().contains("allow the network"), "{error}");
}
