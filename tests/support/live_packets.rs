//! Packets as face-capture apps send them, made from the layouts of their protocols.

use serde_json::{Value, json};
use smirk_files::live::Protocol;

/// The number of values of Live Link Face.
pub const LIVE_LINK_VALUES: usize = 61;

/// A packet of Live Link Face in version 6, at 60 frames per second; without values if there is no face.
pub fn live_link(subject: &str, frame: i32, sub_frame: f32, values: Option<&[f32]>) -> Vec<u8> {
    let mut packet = live_link_head(6, subject);
    packet.extend(frame.to_be_bytes());
    packet.extend(sub_frame.to_be_bytes());
    packet.extend(60_i32.to_be_bytes());
    packet.extend(1_i32.to_be_bytes());
    live_link_values(packet, values)
}

/// A packet of Live Link Face in version 5, with a timecode of hours, minutes, seconds and frames.
pub fn live_link_5(subject: &str, timecode: [i32; 4], rate: u32, values: Option<&[f32]>) -> Vec<u8> {
    let mut packet = live_link_head(5, subject);
    timecode.iter().for_each(|number| packet.extend(number.to_be_bytes()));
    packet.push(0);
    packet.extend(rate.to_be_bytes());
    live_link_values(packet, values)
}

fn live_link_head(version: u8, subject: &str) -> Vec<u8> {
    let mut packet = vec![version];
    for text in ["5f2f1a3c-6c1f-11ee-9d2f-0242ac120002", subject] {
        packet.extend((text.len() as i32).to_be_bytes());
        packet.extend(text.as_bytes());
    }
    packet
}

fn live_link_values(mut packet: Vec<u8>, values: Option<&[f32]>) -> Vec<u8> {
    if let Some(values) = values {
        packet.push(values.len() as u8);
        values.iter().for_each(|value| packet.extend(value.to_be_bytes()));
    }
    packet
}

/// An OSC message with a text and floats.
pub fn osc(address: &str, text: Option<&str>, floats: &[f32]) -> Vec<u8> {
    let padded = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(bytes.len() / 4 * 4 + 4, 0);
        bytes
    };
    let tags = format!(",{}{}", text.map_or("", |_| "s"), "f".repeat(floats.len()));
    let mut message = [padded(address), padded(&tags)].concat();
    message.extend(text.map(padded).unwrap_or_default());
    floats.iter().for_each(|float| message.extend(float.to_be_bytes()));
    message
}

/// An OSC bundle of messages or bundles.
pub fn osc_bundle(elements: &[Vec<u8>]) -> Vec<u8> {
    let mut bundle = b"#bundle\0\0\0\0\0\0\0\0\x01".to_vec();
    for element in elements {
        bundle.extend((element.len() as u32).to_be_bytes());
        bundle.extend(element);
    }
    bundle
}

/// The messages of VMC that set one value.
pub fn vmc_value(name: &str, value: f32) -> Vec<u8> {
    osc("/VMC/Ext/Blend/Val", Some(name), &[value])
}

/// The message of VMC that shows what was set.
pub fn vmc_apply() -> Vec<u8> {
    osc("/VMC/Ext/Blend/Apply", None, &[])
}

/// A frame of VMC in one bundle.
pub fn vmc(values: &[(&str, f32)]) -> Vec<u8> {
    let mut messages: Vec<_> = values.iter().map(|(name, value)| vmc_value(name, *value)).collect();
    messages.push(vmc_apply());
    osc_bundle(&messages)
}

/// A message of VTube Studio.
pub fn vtube_studio(millis: u64, is_found: bool, values: &[(&str, f32)]) -> Value {
    let shapes: Vec<Value> = values.iter().map(|(k, v)| json!({"k": k, "v": v})).collect();
    json!({"Timestamp": millis, "Hotkey": -1, "FaceFound": is_found,
        "Rotation": {"x": 10.0, "y": -5.0, "z": 2.0}, "Position": {"x": 0.0, "y": 0.0, "z": 0.0},
        "EyeLeft": {"x": 1.0, "y": 2.0, "z": 0.0}, "EyeRight": {"x": 1.0, "y": 3.0, "z": 0.0},
        "BlendShapes": shapes, "Future": [1, 2]})
}

/// A face of OpenSeeFace. `features` are in its order.
pub fn open_see_face(time_secs: f64, id: i32, eyes_open: [f32; 2], features: [f32; 14]) -> Vec<u8> {
    let mut record = time_secs.to_le_bytes().to_vec();
    record.extend(id.to_le_bytes());
    [640.0_f32, 480.0].iter().chain(&eyes_open).for_each(|number| record.extend(number.to_le_bytes()));
    record.push(1);
    // Error, quaternion, angles, translation, confidences, points and points in space.
    (0..425).for_each(|at| record.extend((at as f32 / 100.0).to_le_bytes()));
    features.iter().for_each(|feature| record.extend(feature.to_le_bytes()));
    record
}

/// One frame of MediaPipe in each of the forms that programs send.
pub fn media_pipe_forms(values: &[(&str, f32)]) -> Vec<Value> {
    let of = |name: &str, value: &str| -> Vec<Value> {
        values.iter().map(|(shape, score)| json!({name: shape, value: score})).collect()
    };
    let categories = of("categoryName", "score");
    let map: serde_json::Map<String, Value> =
        values.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    vec![
        json!({"faceLandmarks": [], "faceBlendshapes": [{"categories": categories, "headIndex": -1}]}),
        json!(categories),
        json!(map),
        json!({"type": "blendshapes", "timestamp": 123_456.7, "blendshapes": map}),
        json!({"blendShapes": of("Key", "Value")}),
    ]
}

/// A packet of every protocol that can be sent by itself and gives a frame in which `jawOpen` has that value.
pub fn packet_with_jaw_open(protocol: Protocol, value: f32) -> Vec<u8> {
    match protocol {
        Protocol::LiveLinkFace => {
            let mut values = [0.0; LIVE_LINK_VALUES];
            values[17] = value;
            live_link("test", 1, 0.0, Some(&values))
        }
        Protocol::IFacialMocap => format!("jawOpen&{}|trackingStatus&1|", value * 100.0).into_bytes(),
        Protocol::Vmc => vmc(&[("JawOpen", value)]),
        Protocol::VTubeStudio => vtube_studio(1, true, &[("JawOpen", value)]).to_string().into_bytes(),
        Protocol::OpenSeeFace => {
            let mut features = [0.0; 14];
            features[12] = value;
            open_see_face(1.0, 0, [1.0; 2], features)
        }
        Protocol::MediaPipe => json!({"jawOpen": value}).to_string().into_bytes(),
    }
}

/// Packets of a protocol of many kinds, good ones all.
pub fn all(protocol: Protocol) -> Vec<Vec<u8>> {
    let ramp: Vec<f32> = (0..LIVE_LINK_VALUES).map(|at| at as f32 / 100.0).collect();
    let names = ["jawOpen", "EyeBlinkLeft", "mouthSmile_R", "独自の笑顔"];
    let values: Vec<(&str, f32)> = names.into_iter().zip(ramp.iter().copied()).collect();
    match protocol {
        Protocol::LiveLinkFace => vec![
            live_link("Ada", 5_375_735, 0.25, Some(&ramp)),
            live_link("", 1, 0.0, None),
            live_link_5("Ada", [1, 2, 3, 4], 60, Some(&ramp)),
        ],
        Protocol::IFacialMocap => [facial_mocap_texts(), face_motion_packets()].concat(),
        Protocol::Vmc => vec![
            vmc(&values),
            osc_bundle(&[vmc(&values[..2]), vmc_value("Joy", 0.5)]),
            vmc_value("Fun", 0.25),
            vmc_apply(),
            osc("/VMC/Ext/Bone/Pos", Some("Head"), &[0.0, 1.4, 0.0, 0.0, 0.1, 0.0, 0.995]),
            osc("/VMC/Ext/Bone/Pos", Some("LeftEye"), &[0.0, 0.0, 0.0, 0.1, 0.1, 0.0, 0.99]),
            osc("/VMC/Ext/T", None, &[1.5]),
            osc("/mpmocap/blendshapes", None, &ramp[..52]),
            osc("/mpmocap/headRotation", None, &[0.0, 0.1, 0.0, 0.995]),
            osc("/other/address", Some("text"), &[1.0]),
        ],
        Protocol::VTubeStudio => {
            let messages = [vtube_studio(1, true, &values), vtube_studio(17, false, &[])];
            messages.iter().map(|message| message.to_string().into_bytes()).collect()
        }
        Protocol::OpenSeeFace => {
            let one = open_see_face(1.0, 0, [0.9, 0.8], [0.1; 14]);
            vec![one.clone(), [one, open_see_face(1.0, 1, [0.0; 2], [-0.1; 14])].concat()]
        }
        Protocol::MediaPipe => {
            let forms = media_pipe_forms(&values);
            let none = json!({"faceLandmarks": [], "faceBlendshapes": []});
            forms.iter().chain([&none]).map(|form| form.to_string().into_bytes()).collect()
        }
    }
}

/// Lines of iFacialMocap's text in both versions.
pub fn facial_mocap_texts() -> Vec<Vec<u8>> {
    let pose = "=head#-21.488958,-6.03,-6.6,-0.03,-0.1,-0.65|rightEye#6.02,2.44,0.25|leftEye#6.03,-1.66,-0.17|";
    [
        format!("mouthSmile_R-0|eyeBlink_L-12|trackingStatus-1|hapihapi-0|jawOpen-40|{pose}"),
        format!("mouthSmileRight&-3|eyeBlinkLeft&12|独自の笑顔&7|jawOpen&150|{pose}"),
        "jawOpen-1|".to_owned(),
        pose.to_owned(),
    ]
    .map(String::into_bytes)
    .to_vec()
}

/// The session of the messages of FMV3 here.
pub const FACE_MOTION_SESSION: u64 = 0x0102_0304_0506_0708;

/// A message of FMV3 in parts of at most `part_bytes`.
fn face_motion(kind: u8, flags: u8, schema: u32, sequence: u32, payload: &[u8], part_bytes: usize) -> Vec<Vec<u8>> {
    let parts: Vec<&[u8]> = if payload.is_empty() { vec![payload] } else { payload.chunks(part_bytes).collect() };
    let packet = |(part, chunk): (usize, &&[u8])| {
        let numbers = [schema, sequence, 0, payload.len() as u32];
        face_motion_packet(kind, flags, FACE_MOTION_SESSION, numbers, [part as u16, parts.len() as u16], chunk)
    };
    parts.iter().enumerate().map(packet).collect()
}

/// `numbers` are the list of names, the sequence, the token and the bytes of the whole message; `part` the index and the count.
fn face_motion_packet(kind: u8, flags: u8, session: u64, numbers: [u32; 4], part: [u16; 2], chunk: &[u8]) -> Vec<u8> {
    let mut packet = b"FMV3".to_vec();
    packet.extend([kind, flags, 40, 0]);
    packet.extend(session.to_le_bytes());
    numbers.iter().for_each(|number| packet.extend(number.to_le_bytes()));
    part.iter().for_each(|number| packet.extend(number.to_le_bytes()));
    packet.extend((chunk.len() as u32).to_le_bytes());
    packet.extend(chunk);
    packet
}

/// The list of names of an FMV3 stream, which answers the greeting with that nonce, in packets of 576 bytes.
pub fn face_motion_schema(nonce: u64, schema: u32, names: &[&str], encoding: &str) -> Vec<Vec<u8>> {
    let json = json!({"schema_version": 1, "app": "test", "profile": "test", "blend_names": names,
        "blend_encoding": encoding, "blend_unit": "percent",
        "pose_layout": "head_rxyz_pxyz_rightEye_rxyz_leftEye_rxyz", "rotation_unit": "degree",
        "position_unit": "meter", "future": true});
    let mut payload = nonce.to_le_bytes().to_vec();
    payload.extend(60_u16.to_le_bytes());
    payload.extend(1200_u16.to_le_bytes());
    payload.extend(10_000_u32.to_le_bytes());
    payload.extend(5_u32.to_le_bytes());
    payload.extend(json.to_string().into_bytes());
    face_motion(2, 0, schema, 0, &payload, 536)
}

/// A frame of an FMV3 stream with values of two bytes, in percent. Head and eyes are turned by 1, 2 and 3, and 4 to 9 degrees.
pub fn face_motion_frame(schema: u32, sequence: u32, is_tracked: bool, percent: &[i16]) -> Vec<u8> {
    let mut payload: Vec<u8> = percent.iter().flat_map(|value| value.to_le_bytes()).collect();
    for float in [1.0_f32, 2.0, 3.0, 0.1, 0.2, 0.3, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] {
        payload.extend(float.to_le_bytes());
    }
    face_motion(4, u8::from(is_tracked), schema, sequence, &payload, 1160).remove(0)
}

/// A message of FMV3 without names and values: 7 answers a ping, 9 is an error with a text.
pub fn face_motion_other(kind: u8, sequence: u32, payload: &[u8]) -> Vec<u8> {
    face_motion(kind, 0, 0, sequence, payload, 536).remove(0)
}

/// One part of a list of names of a session of its own, all parts of which have the same length.
pub fn face_motion_schema_part(session: u64, part: u16, parts: u16, chunk: &[u8]) -> Vec<u8> {
    let total = chunk.len() as u32 * u32::from(parts);
    face_motion_packet(2, 0, session, [1, 0, 0, total.min(262_144)], [part, parts], chunk)
}

/// The packets of an FMV3 stream from its list of names on.
pub fn face_motion_packets() -> Vec<Vec<u8>> {
    let many: Vec<String> = (0..60).map(|number| format!("a_long_name_of_a_shape_{number:03}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let mut packets = face_motion_schema(0, 1, &["eyeBlinkLeft", "jawOpen", "独自の笑顔"], "i16");
    packets.extend((1..8).map(|sequence| face_motion_frame(1, sequence * 1000, sequence != 3, &[12, -25, 150])));
    packets.extend(face_motion_schema(0, 2, &many, "i16"));
    packets.push(face_motion_frame(2, 9000, true, &[50; 60]));
    packets.push(face_motion_other(7, 3, b""));
    packets.push(face_motion_other(9, 0, b"BUSY"));
    packets
}
