//! What packets of each protocol mean, and which are refused. The packets are made in `tests/support/live_packets.rs`.

use std::time::Instant;

use smirk_files::live::{Decoder, LiveLinkPacket, PacketError, Protocol};
use smirk_support::live_packets as packets;

use crate::live::{frame, frames, refusal, value};

fn ramp() -> Vec<f32> {
    (0..packets::LIVE_LINK_VALUES).map(|at| at as f32 / 100.0).collect()
}

#[test]
fn every_protocol_gives_the_jaw() {
    for &protocol in Protocol::ALL {
        let frame = frame(protocol, &packets::packet_with_jaw_open(protocol, 0.4));
        let jaw = frame.columns.iter().position(|name| name.eq_ignore_ascii_case("jawOpen")).unwrap();
        assert!((frame.values[jaw] - 0.4).abs() < 1e-6, "{protocol:?}");
        assert!(frame.is_tracked && frame.columns.len() == frame.values.len(), "{protocol:?}");
        let other = match protocol {
            Protocol::OpenSeeFace => &b"jawOpen-1|"[..],
            _ => &[0xFF; 40],
        };
        refusal(protocol, other);
        refusal(protocol, b"");
    }
}

#[test]
fn live_link_face_has_61_values_in_the_order_of_unreal() {
    let packet = packets::live_link("Ada", 7200, 0.5, Some(&ramp()));
    let ada = frame(Protocol::LiveLinkFace, &packet);
    assert_eq!((&*ada.subject, ada.time_secs, ada.values.len()), ("Ada", Some(7200.5 / 60.0), 61));
    for (column, expected) in [
        ("EyeBlinkLeft", 0.0),
        ("JawLeft", 0.15),
        ("JawRight", 0.16),
        ("JawOpen", 0.17),
        ("MouthLeft", 0.21),
        ("MouthRight", 0.22),
        ("TongueOut", 0.51),
        ("HeadYaw", 0.52),
        ("RightEyeRoll", 0.6),
    ] {
        assert_eq!(value(&ada, column), expected, "{column}");
    }
    assert_eq!(LiveLinkPacket::read(&packet).unwrap().to_bytes(), packet);
}

#[test]
fn live_link_face_5_has_a_timecode() {
    let ada = frame(Protocol::LiveLinkFace, &packets::live_link_5("Ada", [1, 2, 3, 30], 60, Some(&ramp())));
    assert_eq!(ada.time_secs, Some(3723.5));
    assert_eq!(value(&ada, "JawOpen"), 0.17);
    let without = frame(Protocol::LiveLinkFace, &packets::live_link_5("Ada", [0, 0, 1, 0], 30, None));
    assert!(!without.is_tracked);
}

#[test]
fn live_link_face_without_a_face_keeps_the_last_values() {
    let with = packets::live_link("Ada", 1, 0.0, Some(&ramp()));
    let without = packets::live_link("Ada", 2, 0.0, None);
    let both = frames(Protocol::LiveLinkFace, &[&without, &with, &without]);
    assert_eq!((both[0].values.len(), both[0].is_tracked), (0, false));
    assert_eq!((&both[2].values, both[2].is_tracked), (&both[1].values, false));
}

#[test]
fn live_link_face_is_refused_with_the_numbers_that_disagree() {
    let refused = |packet: &[u8]| refusal(Protocol::LiveLinkFace, packet);
    let packet = packets::live_link("Ada", 1, 0.0, Some(&ramp()));
    assert!(matches!(refused(&packet[..200]), PacketError::Short { needed: 244, .. }));
    assert_eq!(refused(&[&packet[..], b"1234"].concat()), PacketError::Leftover { bytes: 4 });
    let mut version = packet.clone();
    version[0] = 7;
    assert!(matches!(refused(&version), PacketError::Version { found: 7, .. }));
    let mut endless = packet.clone();
    endless[1] = 0x70;
    assert!(matches!(refused(&endless), PacketError::Limit { most: 1024, .. }));
    let mut values = ramp();
    values[60] = f32::NAN;
    let column = "RightEyeRoll".to_owned();
    assert_eq!(refused(&packets::live_link("Ada", 1, 0.0, Some(&values))), PacketError::NotFinite { column });
    let few = packets::live_link("Ada", 1, 0.0, Some(&ramp()[..52]));
    assert!(matches!(refused(&few), PacketError::Number { found: 52, expected: 61, .. }));
    assert!(refused(&few).to_string().contains("52"));
}

#[test]
fn vmc_values_are_shown_together() {
    let (mut decoder, now) = (Decoder::new(Protocol::Vmc), Instant::now());
    let mut decode = |packet: &[u8]| decoder.decode(packet, now).unwrap().frames;
    assert!(decode(&packets::vmc_value("Joy", 0.5)).is_empty(), "nothing moves before Apply");
    assert!(decode(&packets::vmc_value("Fun", 0.25)).is_empty());
    let shown = decode(&packets::vmc_apply());
    assert_eq!((&shown[0].columns[..], &shown[0].values[..]), (&["Joy".into(), "Fun".into()][..], &[0.5, 0.25][..]));
    let next = decode(&packets::vmc(&[("Fun", 1.0)]));
    assert_eq!(next[0].values, [0.5, 1.0], "what is left out keeps its value");
    let nested = packets::osc_bundle(&[packets::vmc(&[("Joy", 0.0)]), packets::osc("/other", None, &[1.0])]);
    assert_eq!(decode(&nested)[0].values, [0.0, 1.0]);
    let surplus = packets::osc("/VMC/Ext/Blend/Val", Some("Joy"), &[0.75, 3.0]);
    decode(&surplus);
    assert_eq!(decode(&packets::vmc_apply())[0].values, [0.75, 1.0]);
}

#[test]
fn a_packet_of_osc_is_taken_whole_or_not_at_all() {
    let (mut decoder, now) = (Decoder::new(Protocol::Vmc), Instant::now());
    let bad = packets::osc("/VMC/Ext/Blend/Val", Some("Joy"), &[]);
    let bundle = packets::osc_bundle(&[packets::vmc_value("Fun", 1.0), bad]);
    assert!(matches!(decoder.decode(&bundle, now), Err(PacketError::OscArguments { .. })));
    assert!(decoder.decode(&packets::vmc_apply(), now).unwrap().frames[0].columns.is_empty());
    let mut cut = packets::vmc(&[("Fun", 1.0)]);
    cut.truncate(cut.len() - 4);
    assert!(matches!(refusal(Protocol::Vmc, &cut), PacketError::Short { .. }));
    let leftover = packets::osc_bundle(&[[packets::vmc_value("Fun", 1.0), vec![0; 8]].concat()]);
    assert_eq!(refusal(Protocol::Vmc, &leftover), PacketError::Leftover { bytes: 8 });
    let nan = packets::vmc(&[("Fun", f32::NAN)]);
    assert!(matches!(refusal(Protocol::Vmc, &nan), PacketError::NotFinite { .. }));
}

/// Nothing here may use the stack or memory in proportion to what a packet of 64 KiB can nest.
#[test]
fn deeply_nested_osc_is_refused() {
    let mut bundle = packets::vmc_apply();
    while bundle.len() < 60_000 {
        bundle = packets::osc_bundle(&[bundle]);
    }
    assert!(matches!(refusal(Protocol::Vmc, &bundle), PacketError::Limit { found: 9, most: 8, .. }));
    let arrays = format!(",{}{}\0\0\0\0", "[".repeat(30_000), "]".repeat(30_000));
    let address = b"/VMC/Ext/Blend/Val\0\0";
    let mut message = [address, arrays.as_bytes()].concat();
    message.truncate(message.len() / 4 * 4);
    assert!(matches!(refusal(Protocol::Vmc, &message), PacketError::OscArguments { .. }));
}

#[test]
fn vmc_turns_the_head_by_its_bone() {
    let half = 7.5_f32.to_radians();
    let bone = packets::osc("/VMC/Ext/Bone/Pos", Some("Head"), &[0.0, 1.4, 0.0, 0.0, half.sin(), 0.0, half.cos()]);
    let turned = frames(Protocol::Vmc, &[&bone, &packets::vmc(&[("A", 0.5)])]);
    assert_eq!(turned[0].columns[..], ["A".to_owned(), "HeadYaw".into(), "HeadPitch".into(), "HeadRoll".into()]);
    assert!((turned[0].values[1].to_degrees() + 15.0).abs() < 1e-3, "{:?}", turned[0].values);
}

#[test]
fn vtube_studio_is_read_by_name_with_angles() {
    let found = packets::vtube_studio(1500, true, &[("jawOpen", 0.5), ("headUp", 0.1)]).to_string();
    let found = frame(Protocol::VTubeStudio, found.as_bytes());
    assert_eq!((found.time_secs, found.is_tracked, value(&found, "jawOpen")), (Some(1.5), true, 0.5));
    let degrees = |column| value(&found, column).to_degrees();
    for (column, expected) in [
        ("HeadYaw", 10.0),
        // Positive is up in takes, and down in the message.
        ("HeadPitch", 5.0),
        ("LeftEyePitch", 1.0),
        ("LeftEyeYaw", -2.0),
        ("RightEyeYaw", -3.0),
    ] {
        assert!((degrees(column) - expected).abs() < 1e-4, "{column}: {}", degrees(column));
    }
    let lost = packets::vtube_studio(1516, false, &[("jawOpen", 0.5)]).to_string();
    assert!(!frame(Protocol::VTubeStudio, lost.as_bytes()).is_tracked);
    assert!(matches!(refusal(Protocol::VTubeStudio, b"{\"FaceFound\": 1}"), PacketError::Json { .. }));
}

#[test]
fn open_see_face_moves_the_few_shapes_that_it_measures() {
    let features = [-0.7, 0.6, 0.5, 0.4, 0.3, 0.2, -0.1, 0.0, 0.1, 0.2, -0.3, 0.4, 0.5, -0.6];
    let two =
        [packets::open_see_face(10.0, 0, [0.9, 0.8], features), packets::open_see_face(10.0, 3, [0.0; 2], [0.0; 14])]
            .concat();
    let faces = frames(Protocol::OpenSeeFace, &[&two]);
    assert_eq!((&*faces[0].subject, &*faces[1].subject, faces[0].time_secs), ("face 0", "face 3", Some(10.0)));
    for (column, expected) in [
        ("eyeBlinkLeft", 0.2),
        ("eyeBlinkRight", 0.1),
        ("eyeWideLeft", 0.0),
        ("eyeWideRight", 0.6),
        ("browOuterUpLeft", 0.4),
        ("browDownRight", 0.1),
        ("browInnerUp", 0.2),
        ("mouthSmileLeft", 0.1),
        ("mouthFrownRight", 0.3),
        ("jawOpen", 0.5),
        ("mouthPucker", 0.6),
        ("mouthStretchLeft", 0.0),
    ] {
        assert!((value(&faces[0], column) - expected).abs() < 1e-6, "{column}: {}", value(&faces[0], column));
    }
    // Unity's script turns the avatar by (-y, -x, z, w) and then back by 90 degrees about z. A turn of 20 degrees about Unity's y axis
    // is one to the avatar's own right.
    let (half, quarter) = (10_f32.to_radians(), std::f32::consts::FRAC_PI_4);
    let in_unity = [
        half.sin() * quarter.sin(),
        half.sin() * quarter.cos(),
        half.cos() * quarter.sin(),
        half.cos() * quarter.cos(),
    ];
    let raw = [-in_unity[1], -in_unity[0], in_unity[2], in_unity[3]];
    let mut turned = packets::open_see_face(10.0, 0, [1.0; 2], [0.0; 14]);
    raw.iter().enumerate().for_each(|(at, number)| turned[33 + 4 * at..][..4].copy_from_slice(&number.to_le_bytes()));
    let turned = frame(Protocol::OpenSeeFace, &turned);
    for (column, degrees) in [("HeadYaw", -20.0), ("HeadPitch", 0.0), ("HeadRoll", 0.0)] {
        assert!((value(&turned, column).to_degrees() - degrees).abs() < 1e-3, "{column}: {}", value(&turned, column));
    }
    assert_eq!(refusal(Protocol::OpenSeeFace, &two[1..]), PacketError::Length { found: 3569, unit: 1785 });
    let mut bad = two.clone();
    bad[1784] = 0x7F;
    bad[1783] = 0xC0;
    assert!(matches!(refusal(Protocol::OpenSeeFace, &bad), PacketError::NotFinite { .. }));
}

#[test]
fn media_pipe_comes_in_five_forms() {
    let forms = packets::media_pipe_forms(&[("_neutral", 0.0), ("jawOpen", 0.25), ("mouthPucker", 0.5)]);
    for form in &forms {
        let frame = frame(Protocol::MediaPipe, form.to_string().as_bytes());
        assert_eq!((value(&frame, "jawOpen"), value(&frame, "mouthPucker")), (0.25, 0.5), "{form}");
        assert_eq!((frame.columns.len(), frame.is_tracked), (3, true));
    }
    let none = r#"{"faceLandmarks": [], "faceBlendshapes": []}"#;
    let lost = frames(Protocol::MediaPipe, &[forms[0].to_string().as_bytes(), none.as_bytes()]);
    assert_eq!((lost[1].is_tracked, &lost[1].values), (false, &lost[0].values));
    assert_eq!(refusal(Protocol::MediaPipe, b"\"face\""), PacketError::NoScores);
    assert!(matches!(refusal(Protocol::MediaPipe, b"{\n \"a\": }"), PacketError::Json { line: 2, .. }));
}

#[test]
fn mp_mocap_sends_52_floats_over_the_same_socket_as_media_pipe() {
    let floats: Vec<f32> = (0..52).map(|at| at as f32 / 100.0).collect();
    let shapes = packets::osc("/mpmocap/blendshapes", None, &floats);
    let half = 10_f32.to_radians();
    let head = packets::osc("/mpmocap/headRotation", None, &[0.0, half.sin(), 0.0, half.cos()]);
    for protocol in [Protocol::MediaPipe, Protocol::Vmc] {
        let both = frames(protocol, &[&head, &shapes]);
        assert_eq!((value(&both[0], "browInnerUp"), value(&both[0], "jawOpen")), (0.0, 0.47));
        assert_eq!(value(&both[0], "tongueOut"), 0.51);
        assert!((value(&both[0], "HeadYaw").to_degrees() - 20.0).abs() < 1e-3);
    }
}
