//! The head that is embedded in the program.

use smirk::cli::inspect;
use smirk_face::head::{PairKind, Region};
use smirk_files::import::embedded;

#[test]
fn the_embedded_head_opens_completely() {
    let head = embedded().unwrap();
    assert_eq!((head.meshes.len(), head.target_count(), head.channels.len()), (10, 7 * 54, 54));
    assert!(head.notes.is_empty(), "{:?}", head.notes);
    assert!(head.meshes.iter().all(|mesh| mesh.vertices.normals.iter().all(|n| (n.length() - 1.0).abs() < 0.02)));
    // The face's two primitives share their vertices.
    assert_eq!(head.meshes[0].parts.len(), 2);
    assert_eq!(head.clips.len(), 1);
    assert!((head.clips[0].duration_secs - 12.0).abs() < 0.1, "{}", head.clips[0].duration_secs);
    assert!(head.clips[0].driven_channels().count() > 0);
}

#[test]
fn the_embedded_head_has_its_27_pairs() {
    let head = embedded().unwrap();
    let count = |kind| head.pairs.iter().filter(|pair| pair.kind == kind).count();
    assert_eq!(head.pairs.len(), 27);
    assert!(head.pairs.iter().all(|pair| pair.second.is_some()));
    let kinds = [PairKind::Sides, PairKind::Opposites, PairKind::Neighbours].map(count);
    assert_eq!(kinds, [20, 2, 5]);
    // The generator of the file writes the intended pairs into it.
    let bytes = smirk_assets::HEAD;
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let mut meant: Vec<Vec<String>> = serde_json::from_value(json["asset"]["extras"]["pairs"].clone()).unwrap();
    let mut found = inspect::report(&head).pairs;
    meant.sort();
    found.sort();
    assert_eq!(found, meant);
    assert!(head.pairs.is_sorted_by_key(|pair| pair.region));
    assert!(head.channels.iter().all(|channel| channel.region < Region::Other));
}

#[test]
fn inspection_has_the_promised_keys() {
    let inspection = inspect::report(&embedded().unwrap());
    let json = serde_json::to_value(&inspection).unwrap();
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&json), "channels clips correctives expressions lint meshes notes pairs toon");
    assert_eq!(keys(&json["meshes"][0]), "in_betweens name rest_weights targets triangles vertices");
    assert_eq!(keys(&json["clips"][0]), "channels duration_secs name nodes");
    assert_eq!(json["pairs"][0], serde_json::json!(["browDownLeft", "browDownRight"]));
    let text = inspect::table(&inspection);
    assert!(text.contains("54 channels in 27 pairs") && text.contains("browDownLeft"), "{text}");
}
