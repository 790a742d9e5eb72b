//! Faces that are sent arrive as they were, within what each format can hold.

use std::time::{Duration, Instant};

use smirk_face::head::{FaceTurns, Turn};
use smirk_files::live::{
    Decoder, Encoder, ListenSettings, LiveFrame, Protocol, Receiver, SendFormat, SendSettings, Sender, SentFace,
};
use smirk_support::HANGS_AFTER;

use crate::live::value;

const TURNS: FaceTurns = FaceTurns {
    head: Turn { yaw: 0.3, pitch: -0.2, roll: 0.1 },
    eyes: [Turn { yaw: 0.1, pitch: 0.2, roll: 0.0 }, Turn { yaw: -0.1, pitch: 0.15, roll: 0.05 }],
};

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn protocol(format: SendFormat) -> Protocol {
    match format {
        SendFormat::LiveLinkFace => Protocol::LiveLinkFace,
        SendFormat::Vmc0 | SendFormat::Vmc1 => Protocol::Vmc,
        SendFormat::IFacialMocap1 | SendFormat::IFacialMocap2 => Protocol::IFacialMocap,
    }
}

/// The frame that a receiver makes of a face.
fn round_trip(format: SendFormat, names: &[String], values: &[f32], time_secs: f64) -> LiveFrame {
    let packets = Encoder::new(format, "Ada", names).packets(&SentFace { values, turns: Some(TURNS), time_secs });
    assert!(packets.iter().all(|packet| packet.len() <= 1472), "{format:?}: {:?}", packets.iter().map(Vec::len));
    let (mut decoder, now) = (Decoder::new(protocol(format)), Instant::now());
    let mut frames: Vec<LiveFrame> =
        packets.iter().flat_map(|packet| decoder.decode(packet, now).unwrap().frames).collect();
    assert_eq!(frames.len(), 1, "{format:?}");
    frames.remove(0)
}

#[test]
fn every_format_keeps_the_shapes_of_arkit_and_the_angles() {
    let sent = names(&["eyeBlink_L", "eyeBlinkRight", "jaw_open", "mouthLeft", "mouthSmile_R", "tongueOut"]);
    let values = [0.25, 0.5, 0.75, 0.12, 0.34, 1.0];
    for &format in SendFormat::ALL {
        let frame = round_trip(format, &sent, &values, 12.5);
        let short = format == SendFormat::IFacialMocap1;
        for (at, name) in ["EyeBlinkLeft", "EyeBlinkRight", "JawOpen", "MouthLeft", "MouthSmileRight", "TongueOut"]
            .into_iter()
            .enumerate()
        {
            let name = match format {
                SendFormat::IFacialMocap1 | SendFormat::IFacialMocap2 => {
                    let name = name[..1].to_lowercase() + &name[1..];
                    let is_side = short && name != "mouthLeft";
                    if is_side { name.replace("Left", "_L").replace("Right", "_R") } else { name }
                }
                _ => name.to_owned(),
            };
            assert!((value(&frame, &name) - values[at]).abs() < 1e-6, "{format:?}, {name}: {}", value(&frame, &name));
        }
        for (column, expected) in [
            ("HeadYaw", 0.3),
            ("HeadPitch", 0.2),
            ("HeadRoll", 0.1),
            ("LeftEyeYaw", -0.1),
            ("LeftEyePitch", 0.2),
            ("RightEyeYaw", 0.1),
            ("RightEyeRoll", -0.05),
        ] {
            let is = value(&frame, column);
            assert!((is - expected).abs() < 1e-5, "{format:?}, {column}: {is}");
        }
        assert!(frame.is_tracked);
    }
}

#[test]
fn live_link_and_vmc_keep_every_bit_of_a_weight() {
    let sent = names(&["jawOpen", "browInnerUp_L", "browInnerUp_R", "aa", "my|shape"]);
    let values = [0.123_456_79, -0.25, 1.75, 0.333_333_34, 1e-7];
    let link = round_trip(SendFormat::LiveLinkFace, &sent, &values, 3600.25);
    assert_eq!((value(&link, "JawOpen"), value(&link, "BrowInnerUp")), (values[0], 0.75), "the mean of two sides");
    assert_eq!((&*link.subject, link.columns.len(), value(&link, "TongueOut")), ("Ada", 61, 0.0));
    assert!((link.time_secs.unwrap() - 3600.25).abs() < 1e-6);
    let old = round_trip(SendFormat::Vmc0, &sent, &values, 1.0);
    assert_eq!((value(&old, "JawOpen"), value(&old, "A"), value(&old, "my|shape")), (values[0], values[3], values[4]));
    let new = round_trip(SendFormat::Vmc1, &names(&["A", "Joy", "Blink_L"]), &[0.1, 0.2, 0.3], 1.0);
    assert_eq!((value(&new, "aa"), value(&new, "happy"), value(&new, "blinkLeft")), (0.1, 0.2, 0.3));
    let old = round_trip(SendFormat::Vmc0, &names(&["aa", "happy", "blinkLeft", "lookUp"]), &[0.1, 0.2, 0.3, 0.4], 1.0);
    assert_eq!((value(&old, "Joy"), value(&old, "Blink_L"), value(&old, "LookUp")), (0.2, 0.3, 0.4));
}

#[test]
fn facial_mocap_has_whole_percents() {
    let sent = names(&["jawOpen", "mouthPucker", "my|shape", "独自の笑顔"]);
    let values = [0.126, -0.25, 1.0, 1.5];
    let first = round_trip(SendFormat::IFacialMocap1, &sent, &values, 0.0);
    assert_eq!((value(&first, "jawOpen"), value(&first, "mouthPucker"), value(&first, "独自の笑顔")), (0.13, 0.0, 1.5));
    let second = round_trip(SendFormat::IFacialMocap2, &sent, &values, 0.0);
    assert_eq!((value(&second, "jawOpen"), value(&second, "mouthPucker")), (0.13, -0.25));
    assert!(!second.columns.iter().any(|name| name.contains("shape")), "a name that would end a part is left out");
}

#[test]
fn values_that_are_no_numbers_are_sent_as_rest() {
    for &format in SendFormat::ALL {
        let frame = round_trip(format, &names(&["jawOpen"]), &[f32::NAN], f64::NAN);
        let jaw = frame.columns.iter().position(|name| name.eq_ignore_ascii_case("jawOpen")).unwrap();
        assert_eq!(frame.values[jaw], 0.0, "{format:?}");
    }
}

#[test]
fn many_channels_go_in_several_packets_and_are_shown_together() {
    let sent: Vec<String> = (0..500).map(|number| format!("channel_with_a_long_name_{number}")).collect();
    let values: Vec<f32> = (0..500).map(|number| number as f32 / 500.0).collect();
    let frame = round_trip(SendFormat::Vmc0, &sent, &values, 0.0);
    assert_eq!(value(&frame, "channel_with_a_long_name_499"), 0.998);
    assert_eq!(frame.columns.len(), 500 + 9);
}

#[test]
fn a_sender_reaches_a_receiver_and_needs_none() {
    let mut listen = ListenSettings::for_protocols(&[Protocol::Vmc]);
    listen.sockets[0].port = 0;
    let receiver = Receiver::listen(listen, || ()).unwrap();
    let to = receiver.status().listening[0].address;
    let settings = SendSettings { format: SendFormat::Vmc0, to, subject: "Ada".into() };
    let sender = Sender::open(&settings, &names(&["jawOpen"])).unwrap();
    let face = |value: &'static [f32]| SentFace { values: value, turns: None, time_secs: 1.0 };
    sender.send(&face(&[0.5])).unwrap();
    let begin = Instant::now();
    let frame = loop {
        if let Some(frame) = receiver.take_frames().pop() {
            break frame;
        }
        assert!(begin.elapsed() < HANGS_AFTER);
        std::thread::sleep(Duration::from_millis(1));
    };
    assert_eq!((value(&frame.frame, "JawOpen"), frame.frame.columns.len()), (0.5, 1));
    drop(receiver);
    for _ in 0..10 {
        sender.send(&face(&[0.5])).unwrap();
        std::thread::sleep(Duration::from_millis(5));
    }
}
