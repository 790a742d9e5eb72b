//! VMC: bundles of OSC messages.

use super::format::SendFormat;
use super::names::{Named, Names};
use crate::live::osc::{Argument, BUNDLE, message};
use crate::live::sender::{SentFace, finite};
use smirk_face::head::{Preset, Turn};

/// The largest bundle: what Ethernet carries in one piece.
const MAX_BUNDLE_BYTES: usize = 1400;
/// The time of a bundle whose elements count at once.
const AT_ONCE: u64 = 1;

/// The bundles of a face; the last one shows it.
pub(super) fn packets(format: SendFormat, names: &Names, face: &SentFace<'_>) -> Vec<Vec<u8>> {
    let mut messages = vec![
        message("/VMC/Ext/OK", &[Argument::Int(1)]),
        message("/VMC/Ext/T", &[Argument::Float(finite(face.time_secs as f32))]),
    ];
    if let Some(turns) = face.turns {
        let [left, right] = turns.eyes;
        for (bone, turn) in [("Head", turns.head), ("LeftEye", left), ("RightEye", right)] {
            messages.push(bone_message(bone, turn));
        }
    }
    for (name, value) in names.named(face.values) {
        let arguments = [Argument::Text(name_in(format, name)), Argument::Float(value)];
        messages.push(message("/VMC/Ext/Blend/Val", &arguments));
    }
    messages.push(message("/VMC/Ext/Blend/Apply", &[]));
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

/// A bone at its parent's origin, turned. Unity's x axis points to the avatar's right.
fn bone_message(bone: &str, turn: Turn) -> Vec<u8> {
    let rotation = turn.rotation();
    let floats = [0.0, 0.0, 0.0, rotation.x, -rotation.y, -rotation.z, rotation.w];
    let name = Argument::Text(bone.to_owned());
    let arguments: Vec<_> = std::iter::once(name).chain(floats.map(Argument::Float)).collect();
    message("/VMC/Ext/Bone/Pos", &arguments)
}

/// The messages in as many bundles as their size needs.
fn bundles(messages: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let (mut bundles, mut bundle) = (Vec::new(), empty_bundle());
    for message in messages {
        let length = message.len() as u32;
        if bundle.len() + 4 + message.len() > MAX_BUNDLE_BYTES {
            bundles.push(std::mem::replace(&mut bundle, empty_bundle()));
        }
        bundle.extend(length.to_be_bytes());
        bundle.extend(message);
    }
    bundles.push(bundle);
    bundles
}

fn empty_bundle() -> Vec<u8> {
    [BUNDLE, &AT_ONCE.to_be_bytes()].concat()
}
