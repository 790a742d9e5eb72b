//! VMC: bundles of OSC messages.

use rosc::{OscBundle, OscMessage, OscPacket, OscTime, OscType, encoder};

use super::format::SendFormat;
use super::names::{Named, Names};
use crate::live::sender::{SentFace, finite};
use smirk_face::head::{Preset, Turn};

/// The largest bundle: what Ethernet carries in one piece.
const MAX_BUNDLE_BYTES: usize = 1400;
/// The bytes of a bundle without elements.
const BUNDLE_BYTES: usize = 16;

/// The bundles of a face; the last one shows it.
pub(super) fn packets(format: SendFormat, names: &Names, face: &SentFace<'_>) -> Vec<Vec<u8>> {
    let mut messages = vec![
        message("/VMC/Ext/OK", vec![OscType::Int(1)]),
        message("/VMC/Ext/T", vec![OscType::Float(finite(face.time_secs as f32))]),
    ];
    if let Some(turns) = face.turns {
        let [left, right] = turns.eyes;
        for (bone, turn) in [("Head", turns.head), ("LeftEye", left), ("RightEye", right)] {
            messages.push(bone_message(bone, turn));
        }
    }
    for (name, value) in names.named(face.values) {
        let args = vec![OscType::String(name_in(format, name)), OscType::Float(value)];
        messages.push(message("/VMC/Ext/Blend/Val", args));
    }
    messages.push(message("/VMC/Ext/Blend/Apply", Vec::new()));
    bundles(messages)
}

/// The name of a value: ARKit's have a capital first letter, the presets of VRM the names of a version of VRM.
fn name_in(format: SendFormat, name: Named<'_>) -> String {
    let name = match name {
        Named::Shape(shape) => return shape.to_owned(),
        Named::Other(name) => name,
    };
    let preset = Preset::named(name).or_else(|| Preset::named_in_vrm0(name));
    let old = preset.filter(|_| format == SendFormat::Vmc0).and_then(Preset::vrm0_name);
    match (old, preset) {
        (Some(old), _) => capitalised(old),
        (None, Some(preset)) => preset.name().to_owned(),
        (None, None) => name.to_owned(),
    }
}

/// The name of a preset as programs write it in VMC: `A`, `Blink_L`, `LookUp`.
fn capitalised(name: &str) -> String {
    match name {
        "lookup" => "LookUp".into(),
        "lookdown" => "LookDown".into(),
        "lookleft" => "LookLeft".into(),
        "lookright" => "LookRight".into(),
        "blink_l" => "Blink_L".into(),
        "blink_r" => "Blink_R".into(),
        name => name[..1].to_uppercase() + &name[1..],
    }
}

fn message(address: &str, args: Vec<OscType>) -> OscMessage {
    OscMessage { addr: address.to_owned(), args }
}

/// A bone at its parent's origin, turned. Unity's x axis points to the avatar's right.
fn bone_message(bone: &str, turn: Turn) -> OscMessage {
    let rotation = turn.rotation();
    let floats = [0.0, 0.0, 0.0, rotation.x, -rotation.y, -rotation.z, rotation.w];
    let args = std::iter::once(OscType::String(bone.to_owned())).chain(floats.map(OscType::Float)).collect();
    message("/VMC/Ext/Bone/Pos", args)
}

/// The messages in as many bundles as their size needs.
fn bundles(messages: Vec<OscMessage>) -> Vec<Vec<u8>> {
    let mut bundles: Vec<Vec<u8>> = Vec::new();
    let (mut content, mut bytes) = (Vec::new(), BUNDLE_BYTES);
    let mut end = |content: &mut Vec<OscPacket>| {
        let timetag = OscTime { seconds: 0, fractional: 1 };
        let bundle = OscPacket::Bundle(OscBundle { timetag, content: std::mem::take(content) });
        // Encoding fails on types of arguments that are not used here.
        bundles.extend(encoder::encode(&bundle));
    };
    for message in messages {
        let message = OscPacket::Message(message);
        let length = encoder::encode(&message).map_or(0, |bytes| bytes.len()) + 4;
        if bytes + length > MAX_BUNDLE_BYTES {
            end(&mut content);
            bytes = BUNDLE_BYTES;
        }
        bytes += length;
        content.push(message);
    }
    end(&mut content);
    bundles
}
