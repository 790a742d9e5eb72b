//! The importer, rule by rule.

use std::time::Instant;

#[test]
fn the_embedded_head_opens_whole() {
    let start = Instant::now();
    let head = smirk::import::embedded().unwrap();
    println!("embedded: {:?}", start.elapsed());
    assert_eq!(head.meshes.len(), 9);
    assert_eq!(head.target_count(), 6 * 54);
    assert_eq!(head.clips.len(), 1);
    assert!(head.notes.is_empty(), "{:?}", head.notes);
}
