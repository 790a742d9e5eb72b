//! Packets of real senders, in the folder that `SMIRK_LIVE_SAMPLES` names, against its `expect.json`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::Value;
use smirk_files::live::{
    Decoder, FaceMotionHeader, FaceMotionKind, FaceMotionSchema, LiveFrame, LiveLinkPacket, OpenSeeFace, PacketError,
    Protocol, TextStream,
};
use smirk_support::test_files;

use crate::live::{frame, frames, refusal, value};

/// The folder, and what is expected of its files.
struct Samples {
    folder: PathBuf,
    expect: Value,
}

impl Samples {
    /// None if the variable is not set; then the same rules are tested with packets made in code.
    fn open() -> Option<Self> {
        let folder = test_files::live_samples()?;
        let expect = std::fs::read(folder.join("expect.json")).unwrap();
        Some(Self { expect: serde_json::from_slice(&expect).unwrap(), folder })
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// The protocol of a file.
fn protocol(name: &str) -> Protocol {
    let name = name.trim_start_matches("bad_");
    let of = [
        ("llf_", Protocol::LiveLinkFace),
        ("ifm_", Protocol::IFacialMocap),
        ("fmv3_", Protocol::IFacialMocap),
        ("vts_", Protocol::VTubeStudio),
        ("meowface", Protocol::VTubeStudio),
        ("openseeface", Protocol::OpenSeeFace),
        ("mediapipe", Protocol::MediaPipe),
    ];
    of.into_iter().find(|(begin, _)| name.starts_with(begin)).map_or(Protocol::Vmc, |(_, protocol)| protocol)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

fn near(is: f32, should: f64, what: &str) {
    // The expected values have six decimals.
    assert!((f64::from(is) - should).abs() < 6e-7, "{what}: {is}, not {should}");
}

/// Checks named values. With `others_are_zero`, all shapes that are not named are 0.
fn check_values(found: &LiveFrame, expected: &Value, others_are_zero: bool, what: &str) {
    let expected = expected.as_object().unwrap();
    for (name, should) in expected {
        near(value(found, name), number(should), &format!("{what}, {name}"));
    }
    if others_are_zero {
        for (name, value) in found.columns.iter().zip(&found.values) {
            let is_angle = ["Yaw", "Pitch", "Roll"].iter().any(|ending| name.ends_with(ending));
            assert!(is_angle || *value == 0.0 || expected.contains_key(name), "{what}: {name} is {value}");
        }
    }
}

/// Checks angles in degrees: x is the pitch, y the yaw, z the roll, with the signs of ARKit. Takes have other signs.
fn check_angles(found: &LiveFrame, part: &str, expected: &Value, what: &str) {
    let signs = if part == "Head" { [-1.0, 1.0, 1.0] } else { [1.0, -1.0, -1.0] };
    for (axis, (at, sign)) in ["Pitch", "Yaw", "Roll"].into_iter().zip(signs.into_iter().enumerate()) {
        let is = value(found, &format!("{part}{axis}")).to_degrees() * sign;
        assert!((f64::from(is) - number(&expected[at])).abs() < 1e-4, "{what}, {part}{axis}: {is}");
    }
}

#[test]
fn every_sample_has_the_outcome_that_is_expected() {
    let Some(samples) = Samples::open() else { return };
    let mut checked = 0;
    let mut files: Vec<String> = std::fs::read_dir(&samples.folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name != "README.md" && name != "expect.json")
        .collect();
    files.sort();
    for name in &files {
        let bytes = samples.bytes(name);
        check_sample(&samples, name, &bytes);
        checked += 1;
    }
    assert_eq!(checked, 68, "{files:?}");
    // What `expect.json` says of a file that is not there.
    for name in samples.expect.as_object().unwrap().keys() {
        let stem = name.replace("partNN", "part00").replace("partN.", "part0.");
        assert!(Path::new(&samples.folder.join(&stem)).exists(), "{name}");
    }
}

fn check_sample(samples: &Samples, name: &str, bytes: &[u8]) {
    let expect = &samples.expect[name];
    let of_protocol = protocol(name);
    match name {
        _ if name.starts_with("bad_") => check_refused(name, bytes),
        _ if name.starts_with("llf_") => check_live_link(name, bytes, expect),
        "ifm_v1_tcp_two_frames.txt" => {
            let mut jaws = Vec::new();
            let mut decoder = Decoder::new(of_protocol);
            // The stream may be cut anywhere.
            let mut stream = TextStream::default();
            for piece in bytes.chunks(7) {
                stream.push(piece, |text| {
                    let decoded = decoder.decode(text, Instant::now()).unwrap();
                    jaws.extend(decoded.frames.iter().map(|frame| value(frame, "jawOpen")));
                });
            }
            assert_eq!(jaws, [0.12, 0.6]);
        }
        "ifm_v1_tracking_status.txt" => {
            let found = frame(of_protocol, bytes);
            let shapes = ["eyeLookIn_R", "eyeLookUp_R", "mouthSmile_L", "eyeLookOut_L"];
            assert_eq!(found.columns[..4], shapes.map(str::to_owned));
            assert!(found.is_tracked && found.columns.len() == 4 + 9);
        }
        // What the computer sends: see the tests of the receiver.
        _ if name.contains("hello") && name.ends_with(".txt") => {}
        _ if name.starts_with("ifm_") => {
            let found = frame(of_protocol, bytes);
            assert_eq!(found.columns.len() as u64, expect["count"].as_u64().unwrap() + 9, "{name}");
            check_values(&found, &expect["nonzero"], true, name);
            check_angles(&found, "Head", &expect["head"], name);
            check_angles(&found, "LeftEye", &expect["leftEye"], name);
            check_angles(&found, "RightEye", &expect["rightEye"], name);
        }
        _ if name.starts_with("fmv3_") => check_face_motion(samples, name, bytes, expect),
        _ if name.ends_with(".osc") => check_osc(samples, name, bytes, expect),
        "vts_request.json" => {}
        _ if name.starts_with("vts_") => {
            let found = frame(of_protocol, bytes);
            assert_eq!(found.is_tracked, name == "vts_ios.json");
            check_values(&found, &samples.expect["vts_ios.json"]["values"], true, name);
            assert_eq!(found.time_secs, Some(1_660_000_000.123));
        }
        "meowface.json" => {
            let found = frame(of_protocol, bytes);
            assert_eq!(found.columns.len() as u64, expect["count"].as_u64().unwrap() + 9);
            assert_eq!((value(&found, "jawOpen"), value(&found, "browInnerUp")), (0.02, 0.98));
            assert!(found.columns.contains(&"headRollLeft".to_owned()) && found.is_tracked);
        }
        "openseeface_one_face.bin" => {
            let face = &OpenSeeFace::read(bytes).unwrap()[0];
            assert_eq!(bytes.len() as u64, expect["bytes"].as_u64().unwrap());
            assert_eq!((face.id, face.size), (0, [640.0, 480.0]));
            near(face.eyes_open[0], number(&expect["right_eye_open"]), name);
            near(face.eyes_open[1], number(&expect["left_eye_open"]), name);
            let features = expect["features"].as_object().unwrap();
            assert_eq!(features.len(), face.features.len());
            // The names in the order of the packet; JSON objects have none.
            let order = "eye_l eye_r eyebrow_steepness_l eyebrow_updown_l eyebrow_quirk_l eyebrow_steepness_r \
                         eyebrow_updown_r eyebrow_quirk_r mouth_corner_updown_l mouth_corner_inout_l \
                         mouth_corner_updown_r mouth_corner_inout_r mouth_open mouth_wide";
            for (feature, name) in face.features.iter().zip(order.split_whitespace()) {
                near(*feature, number(&features[name]), name);
            }
            assert_eq!(value(&frame(of_protocol, bytes), "jawOpen"), 0.5);
        }
        "openseeface_two_faces.bin" => {
            let faces = frames(of_protocol, &[bytes]);
            assert_eq!(faces.len(), 2);
            assert_ne!(faces[0].subject, faces[1].subject);
        }
        "mediapipe_no_face.json" => {
            let before = samples.bytes("mediapipe_map.json");
            let both = frames(of_protocol, &[&before, bytes]);
            assert_eq!((both[1].is_tracked, &both[1].values), (false, &both[0].values));
        }
        _ if name.starts_with("mediapipe_") => {
            let found = frame(of_protocol, bytes);
            let map: Value = serde_json::from_slice(&samples.bytes("mediapipe_map.json")).unwrap();
            assert_eq!(found.columns.len(), map.as_object().unwrap().len());
            check_values(&found, &map, true, name);
        }
        _ => panic!("nothing is known about {name}"),
    }
}

fn check_refused(name: &str, bytes: &[u8]) {
    if name == "bad_fmv3_total_4g.bin" {
        let limit = PacketError::Limit { field: "the length of the message", found: 0xFFFF_FFFF, most: 16_432 };
        assert_eq!(refusal(Protocol::IFacialMocap, bytes), limit);
        return;
    }
    let error = refusal(protocol(name), bytes);
    let is_expected = match name {
        "bad_llf_truncated.bin" => matches!(error, PacketError::Short { needed: 244, .. }),
        "bad_llf_id_length_2g.bin" => matches!(error, PacketError::Limit { .. }),
        "bad_llf_nan.bin" => error == PacketError::NotFinite { column: "RightEyeRoll".into() },
        "bad_llf_version_5.bin" => matches!(error, PacketError::Version { found: 5, .. }),
        "bad_openseeface_1784.bin" => matches!(error, PacketError::Length { found: 1784, unit: 1785 }),
        "bad_osc_bundle_length.osc" => matches!(error, PacketError::Short { needed: 0x7FFF_FFFF, .. }),
        "bad_osc_string_without_end.osc" => matches!(error, PacketError::NotOsc { at: 0 }),
        "bad_osc_val_is_int.osc" => matches!(error, PacketError::OscArguments { .. }),
        _ => false,
    };
    assert!(is_expected, "{name}: {error:?}");
}

fn check_live_link(name: &str, bytes: &[u8], expect: &Value) {
    if name.ends_with(".lenpfx") {
        return check_recording(bytes, expect);
    }
    let packet = LiveLinkPacket::read(bytes).unwrap();
    let found = frame(Protocol::LiveLinkFace, bytes);
    if expect["values"].is_null() {
        assert!(packet.values.is_none() && !found.is_tracked && found.values.is_empty());
        return;
    }
    assert_eq!(u64::from(packet.version), expect["version"].as_u64().unwrap());
    assert_eq!(
        (packet.device, packet.subject),
        (expect["device"].as_str().unwrap(), expect["subject"].as_str().unwrap())
    );
    assert_eq!(i64::from(packet.frame), expect["frame"].as_i64().unwrap());
    assert!((f64::from(packet.sub_frame) - number(&expect["sub_frame"])).abs() < 1e-12);
    assert_eq!(packet.rate.map(i64::from), [0, 1].map(|at| expect["rate"][at].as_i64().unwrap()));
    assert_eq!(found.columns.len() as u64, expect["count"].as_u64().unwrap());
    let expected = expect["values"].as_object().unwrap();
    for (column, is) in found.columns.iter().zip(&found.values) {
        near(*is, expected.get(column).map_or(0.0, number), &format!("{name}, {column}"));
    }
    assert_eq!(packet.to_bytes(), bytes);
}

fn check_recording(mut bytes: &[u8], expect: &Value) {
    let mut packets = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let (packet, rest) = rest.split_at(u32::from_be_bytes(*length) as usize);
        packets.push(packet);
        bytes = rest;
    }
    let found = frames(Protocol::LiveLinkFace, &packets);
    assert_eq!(found.len() as u64, expect["frames"].as_u64().unwrap());
    let moment = |at: usize| LiveLinkPacket::read(packets[at]).map(|packet| (packet.frame, packet.sub_frame)).unwrap();
    for (at, key) in [(0, "first"), (found.len() - 1, "last")] {
        let (frame, sub_frame) = moment(at);
        assert_eq!(f64::from(frame), number(&expect[key][0]));
        assert!((f64::from(sub_frame) - number(&expect[key][1])).abs() < 1e-12);
    }
    let steps: Vec<f64> =
        found.windows(2).map(|pair| (pair[1].time_secs.unwrap() - pair[0].time_secs.unwrap()) * 60.0).collect();
    let gaps: Vec<f64> = steps.iter().copied().filter(|step| *step > 1.5).collect();
    assert!(gaps.len() == 1 && (gaps[0] - number(&expect["gaps"][0])).abs() < 1e-3, "{gaps:?}");
    let jaws = found.iter().map(|frame| value(frame, "JawOpen")).enumerate();
    let (at, most) = jaws.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert_eq!(at as u64, expect["jawOpen_max_at"].as_u64().unwrap());
    near(most, number(&expect["jawOpen_max"]), "the widest jaw");
}

fn check_osc(samples: &Samples, name: &str, bytes: &[u8], expect: &Value) {
    let apply = samples.bytes("vmc_blend_apply.osc");
    match name {
        "vmc_bundle_perfect_sync.osc" => {
            let found = frame(Protocol::Vmc, bytes);
            assert_eq!(found.columns.len(), 52);
            check_values(&found, &expect["values"], true, name);
        }
        "vmc_blend_val_single.osc" => {
            assert!(frames(Protocol::Vmc, &[bytes]).is_empty());
            let shown = frames(Protocol::Vmc, &[bytes, &apply]);
            assert_eq!(value(&shown[0], "Joy"), 0.5);
        }
        "vmc_blend_apply.osc" => assert_eq!(frame(Protocol::Vmc, bytes).columns.len(), 0),
        "vmc_bundle_vrm0.osc" => assert_eq!(value(&frame(Protocol::Vmc, bytes), "Joy"), 0.3),
        "vmc_bundle_vrm1.osc" => {
            // Presets that the second packet names have the values of the first; the others are 0 there.
            let (old, new) = (frame(Protocol::Vmc, &samples.bytes("vmc_bundle_vrm0.osc")), frame(Protocol::Vmc, bytes));
            let preset = |name: &str| smirk_face::head::Preset::named_in_vrm0(name).unwrap().name();
            for (name, is) in old.columns.iter().zip(&old.values) {
                let there = new.columns.iter().position(|other| other == preset(name));
                assert_eq!(there.map_or(0.0, |at| new.values[at]), *is, "{name}");
            }
        }
        "vmc_bundle_two_parts_1.osc" => assert!(frames(Protocol::Vmc, &[bytes]).is_empty()),
        "vmc_bundle_two_parts_2.osc" => {
            let first = samples.bytes("vmc_bundle_two_parts_1.osc");
            let found = frames(Protocol::Vmc, &[&first, bytes]);
            assert_eq!((found.len(), found[0].columns.len()), (1, 52));
        }
        "vmc_head_bone.osc" => {
            let found = frames(Protocol::Vmc, &[bytes, &apply]);
            let yaw = value(&found[0], "HeadYaw").to_degrees();
            assert!((yaw + 15.0).abs() < 1e-3, "{yaw}");
        }
        "vmc_nested_bundle.osc" => assert_eq!(value(&frame(Protocol::Vmc, bytes), "Joy"), 0.25),
        "mpmocap_blendshapes.osc" => {
            let found = frame(Protocol::Vmc, bytes);
            assert_eq!((value(&found, "browInnerUp"), value(&found, "browDownLeft")), (0.0, 0.01));
            assert_eq!(value(&found, "tongueOut"), 0.51);
        }
        // Other addresses: messages that do not carry a whole face.
        "facecap_w.osc" | "vrcft_jawopen.osc" => assert!(frames(Protocol::Vmc, &[bytes]).is_empty()),
        _ => panic!("nothing is known about {name}"),
    }
}

fn check_face_motion(samples: &Samples, name: &str, bytes: &[u8], expect: &Value) {
    let protocol = Protocol::IFacialMocap;
    if name.starts_with("fmv3_r4_schema") {
        assert_eq!(refusal(protocol, bytes), PacketError::Beta { revision: 4 });
        return;
    }
    let (header, payload) = FaceMotionHeader::read(bytes).unwrap();
    assert_eq!(header.packet(payload), bytes, "{name}");
    let kind = |kind| assert_eq!(header.kind, kind, "{name}");
    match name {
        "fmv3_r5_schema.bin" => {
            let schema = FaceMotionSchema::read(payload).unwrap();
            assert_eq!(u64::from(header.schema_id), expect["schema_id"].as_u64().unwrap());
            assert_eq!(serde_json::json!(schema.names), expect["names"]);
            assert_eq!((schema.value_bytes, u64::from(schema.frames_per_sec)), (2, expect["fps"].as_u64().unwrap()));
            let acknowledged = Decoder::new(protocol).decode(bytes, Instant::now()).unwrap().replies;
            assert_eq!(acknowledged, [samples.bytes("fmv3_r5_schema_ack.bin")]);
        }
        "fmv3_r5_frame.bin" | "fmv3_r5_frame_lost.bin" => {
            let expect = &samples.expect["fmv3_r5_frame.bin"];
            let names = samples.bytes("fmv3_r5_schema.bin");
            assert_eq!(refusal(protocol, bytes), PacketError::NoNames { schema: 1 });
            let found = frames(protocol, &[&names, bytes]);
            check_values(&found[0], &expect["values"], true, name);
            check_angles(&found[0], "Head", &expect["head_deg"], name);
            check_angles(&found[0], "LeftEye", &expect["left_eye_deg"], name);
            check_angles(&found[0], "RightEye", &expect["right_eye_deg"], name);
            assert_eq!(found[0].is_tracked, name == "fmv3_r5_frame.bin");
            assert_eq!(header.sequence, if found[0].is_tracked { 1 } else { 2 });
        }
        _ if name.contains("300_part") => {
            // Backwards, and each twice.
            let mut parts: Vec<Vec<u8>> =
                (0..9).map(|part| samples.bytes(&format!("fmv3_r5_schema300_part{part:02}.bin"))).collect();
            parts.reverse();
            let expect = &samples.expect["fmv3_r5_schema300_partNN.bin"];
            assert_eq!(parts.len() as u64, expect["parts"].as_u64().unwrap());
            let (first, _) = FaceMotionHeader::read(&parts[0]).unwrap();
            assert_eq!(u64::from(first.total_bytes), expect["total"].as_u64().unwrap());
            let frame = [1, 0].map(|part| samples.bytes(&format!("fmv3_r5_frame300_part{part}.bin")));
            let packets: Vec<&[u8]> =
                parts.iter().flat_map(|part| [&part[..], part]).chain(frame.iter().map(Vec::as_slice)).collect();
            // A list that is complete is a new message when a part of it comes again.
            let found = frames(protocol, &packets);
            assert_eq!((found.len(), found[0].values.len()), (1, 300 + 9));
            for (at, value) in found[0].values[..300].iter().enumerate() {
                near(*value, f64::from((at % 100) as i32 - 50) / 100.0, name);
            }
        }
        "fmv3_r5_error_busy.bin" => {
            assert_eq!(refusal(protocol, bytes), PacketError::App { text: "BUSY".into() });
        }
        "fmv3_r5_hello.bin" | "fmv3_r4_hello.bin" => kind(FaceMotionKind::Hello),
        "fmv3_r5_schema_ack.bin" => kind(FaceMotionKind::SchemaAck),
        "fmv3_r5_ping_7.bin" => {
            kind(FaceMotionKind::Ping);
            assert!(matches!(refusal(protocol, bytes), PacketError::Direction { kind: 6 }));
        }
        "fmv3_r5_pong_7.bin" => {
            assert!(frames(protocol, &[bytes]).is_empty());
            assert_eq!((header.kind, header.sequence), (FaceMotionKind::Pong, 7));
        }
        "fmv3_r5_stop.bin" => kind(FaceMotionKind::Stop),
        _ => panic!("nothing is known about {name}"),
    }
}
