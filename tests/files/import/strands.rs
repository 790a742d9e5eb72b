//! Guides of hair in glTF files.

use glam::Vec3;
use serde_json::json;
use smirk_face::head::{GrownStrands, Level, Strands};

use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::head_checks::says;

/// A triangle, and lines between `positions` as guides.
fn with_lines(positions: &[f32], indices: Option<&[u16]>, mode: u32) -> GltfBuilder {
    let mut file = GltfBuilder::triangle();
    let mut lines = json!({"attributes": {"POSITION": file.floats("VEC3", positions)}, "mode": mode});
    if let Some(indices) = indices {
        lines["indices"] = json!(file.indices(indices));
    }
    lines["extras"] = json!({"strands": {"count": 50, "width": 0.01, "clumping": 0.25}});
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(lines);
    file
}

const TWO_GUIDES: [f32; 15] = [0., 0., 0., 0., 0., 1., 0., 0., 2., 1., 0., 0., 1., 0., 1.];

#[test]
fn lines_with_numbers_for_growth_are_guides() {
    let file = with_lines(&TWO_GUIDES, Some(&[0, 1, 1, 2, 3, 4]), 1);
    let head = file.open().unwrap();
    assert!(
        head.notes.iter().all(|note| note.level != Level::Warning || note.is_about_missing_targets),
        "{:?}",
        head.notes
    );
    let strands = &head.meshes[0].strands[0];
    assert_eq!((strands.guide_count(), strands.guide(0).len(), strands.guide(1).len()), (2, 3, 2));
    assert_eq!(strands.guide(0)[2].position, Vec3::Z * 2.0);
    assert_eq!((strands.growth.count, strands.growth.width, strands.growth.clumping), (50, 0.01, 0.25));
    assert_eq!(head.triangle_count(), 1, "guides are no surface");
    assert_eq!(GrownStrands::new(strands).count(), 50);
    let strip = with_lines(&TWO_GUIDES, None, 3).open().unwrap();
    assert_eq!(strip.meshes[0].strands[0].guide(0).len(), 5);
}

#[test]
fn other_lines_are_skipped_as_before() {
    let mut file = with_lines(&TWO_GUIDES, Some(&[0, 1, 1, 2]), 1);
    file.json["meshes"][0]["primitives"][1]["extras"] = json!({"strands": "many"});
    let head = file.open().unwrap();
    assert!(head.meshes[0].strands.is_empty() && says(&head, Level::Warning, "is drawn as Lines"));
}

#[test]
fn a_file_with_very_many_guides_is_cut_to_a_limit_with_a_note() {
    let count = 300_000;
    let positions: Vec<f32> = (0..count).flat_map(|at| [at as f32 * 1e-3, (at % 2) as f32, 0.0]).collect();
    let mut file = with_lines(&positions, None, 1);
    file.json["meshes"][0]["primitives"][1]["extras"]["strands"]["count"] = json!(4e9);
    let head = file.open().unwrap();
    let strands = &head.meshes[0].strands[0];
    assert_eq!((strands.guide_count(), strands.growth.count), (Strands::MOST_GUIDES, Strands::MOST));
    assert!(says(&head, Level::Warning, "guides of its hair are left out; at most 4096 guides"));
    let grown = GrownStrands::new(strands);
    assert!(size_of_val(grown.points.as_slice()) < 40 << 20);
}

#[test]
fn guides_with_broken_numbers_are_left_out() {
    let mut positions = TWO_GUIDES;
    positions[5] = f32::NAN;
    let head = with_lines(&positions, Some(&[0, 1, 1, 2, 3, 4]), 1).open().unwrap();
    assert_eq!(head.meshes[0].strands[0].guide_count(), 1);
    assert!(says(&head, Level::Warning, "1 guides of its hair are left out"));
    let file = with_lines(&TWO_GUIDES, Some(&[0, 1, 1, 9]), 1);
    assert!(file.refusal().contains("is vertex 9"));
}
