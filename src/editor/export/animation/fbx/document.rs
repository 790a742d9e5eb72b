//! The outermost nodes of a file: header, settings, definitions, objects, connections and takes.

use super::animation::ticks;
use super::node::{Node, property};
use super::objects::Objects;
use crate::export::animation::recording::Recording;
use crate::export::animation::scene::printable;
use crate::export::generator::generator;

/// The identification of the file and its creation time. Readers compare the two with the footer, so that both are always those of the
/// start of 1970, as Blender writes them.
const FILE_ID: [u8; 16] =
    [0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2, 0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1];
const CREATION_TIME: &str = "1970-01-01 10:00:00:000";
/// Centimetres in the unit of the file, the metre.
const UNIT_CENTIMETRES: f64 = 100.0;

/// All nodes of a file.
pub(super) fn nodes(recordings: &[Recording], objects: Objects) -> Vec<Node> {
    let creator = generator();
    let header = Node::new("FBXHeaderExtension")
        .with(Node::new("FBXHeaderVersion").int(1003))
        .with(Node::new("FBXVersion").int(7400))
        .with(Node::new("EncryptionType").int(0))
        .with(Node::new("Creator").text(&creator));
    let document = Node::new("Document").long(999_999).text("Scene").text("Scene").with(Node::new("RootNode").long(0));
    vec![
        header,
        Node::new("FileId").raw(&FILE_ID),
        Node::new("CreationTime").text(CREATION_TIME),
        Node::new("Creator").text(&creator),
        settings(recordings),
        Node::new("Documents").with(Node::new("Count").int(1)).with(document),
        Node::new("References"),
        definitions(&objects),
        Node::new("Objects").with_all(objects.nodes),
        Node::new("Connections").with_all(objects.connections),
        takes(recordings),
    ]
}

fn settings(recordings: &[Recording]) -> Node {
    let int = |name: &str, value: i32| property(name, "int", "Integer", "").int(value);
    let axes = [
        ("UpAxis", 1),
        ("UpAxisSign", 1),
        ("FrontAxis", 2),
        ("FrontAxisSign", 1),
        ("CoordAxis", 0),
        ("CoordAxisSign", 1),
        ("OriginalUpAxis", 1),
        ("OriginalUpAxisSign", 1),
    ];
    let end = recordings.iter().map(|recording| ticks(recording, recording.frame_count() - 1)).max().unwrap_or(0);
    let rate = recordings.first().map_or(30.0, |recording| recording.performance.span.rate.frames_per_sec());
    let double = |name: &str, value: f64| property(name, "double", "Number", "").double(value);
    let properties = Node::new("Properties70")
        .with_all(axes.map(|(name, value)| int(name, value)))
        .with(double("UnitScaleFactor", UNIT_CENTIMETRES))
        .with(double("OriginalUnitScaleFactor", UNIT_CENTIMETRES))
        .with(property("TimeMode", "enum", "", "").int(time_mode(rate)))
        .with(property("TimeSpanStart", "KTime", "Time", "").long(0))
        .with(property("TimeSpanStop", "KTime", "Time", "").long(end))
        .with(double("CustomFrameRate", rate));
    Node::new("GlobalSettings").with(Node::new("Version").int(1000)).with(properties)
}

/// The number by which FBX knows a frame rate (`FbxTime::EMode`); 14 for one that is given by itself.
fn time_mode(frames_per_sec: f64) -> i32 {
    const MODES: [(f64, i32); 10] = [
        (24.0, 11),
        (25.0, 10),
        (30_000.0 / 1001.0, 9),
        (30.0, 6),
        (48.0, 5),
        (50.0, 4),
        (60_000.0 / 1001.0, 17),
        (60.0, 3),
        (100.0, 2),
        (120.0, 1),
    ];
    MODES.iter().find(|(rate, _)| (rate - frames_per_sec).abs() < 1e-6).map_or(14, |(_, mode)| *mode)
}

/// How many objects of each kind there are.
fn definitions(objects: &Objects) -> Node {
    let mut kinds: Vec<(&'static str, i32)> = vec![("GlobalSettings", 1)];
    for kind in &objects.kinds {
        match kinds.iter_mut().find(|(known, _)| known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let total = kinds.iter().map(|(_, count)| count).sum();
    let kinds =
        kinds.into_iter().map(|(kind, count)| Node::new("ObjectType").text(kind).with(Node::new("Count").int(count)));
    Node::new("Definitions").with(Node::new("Version").int(100)).with(Node::new("Count").int(total)).with_all(kinds)
}

/// The list of clips, for readers that look for it.
fn takes(recordings: &[Recording]) -> Node {
    let take = |recording: &Recording| {
        let (name, end) = (printable(&recording.name), ticks(recording, recording.frame_count() - 1));
        Node::new("Take")
            .text(&name)
            .with(Node::new("FileName").text(&format!("{name}.tak")))
            .with(Node::new("LocalTime").long(0).long(end))
            .with(Node::new("ReferenceTime").long(0).long(end))
    };
    Node::new("Takes").with(Node::new("Current").text("")).with_all(recordings.iter().map(take))
}
