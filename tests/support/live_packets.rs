//! Packets as face-capture apps send them, made from the layouts of their protocols.

use serde_json::{Value, json};
use smirk::live::Protocol;

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
