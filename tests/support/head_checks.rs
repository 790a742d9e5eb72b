//! Checks of the properties that every imported head has, whatever the file contains.

use glam::Vec3;
use smirk_analysis::lint::{Settings, lint};
use smirk_face::head::{BlockFormat, Bounds, Head, Image, Level, Mesh};
use smirk_files::import::ImportError;
use smirk_graphics::blend::{Layout, Precision};
use smirk_scene::{Camera, View};

/// Panics if a head that opened is invalid, or if an error is too short, too long or has several lines.
pub fn check_outcome(outcome: &Result<Head, ImportError>) {
    match outcome {
        Ok(head) => check(head),
        Err(error) => {
            let message = error.to_string();
            assert!(!message.contains(char::is_control), "more than one line: {message:?}");
            assert!((12..1000).contains(&message.chars().count()), "{message:?}");
        }
    }
}

/// Panics if a head is invalid.
pub fn check(head: &Head) {
    let mut first_target = 0;
    for mesh in &head.meshes {
        assert_eq!(mesh.first_target, first_target);
        first_target += mesh.targets.len();
        check_mesh(mesh, head.materials.len());
    }
    assert_eq!(head.target_count(), first_target);
    for bounds in [head.bounds, head.focus] {
        assert!(is_sound(bounds), "{bounds:?}");
    }
    for material in &head.materials {
        let numbers = [material.metallic, material.roughness, material.normal_scale, material.occlusion_strength];
        assert!(numbers.iter().chain(&material.base_color).all(|number| number.is_finite()), "{material:?}");
        let textures = material.textures();
        assert!(textures.iter().flatten().all(|it| it.texture < head.textures.len()), "{material:?}");
        assert!(textures.iter().flatten().all(|it| it.texture_from_uv.is_finite()), "{material:?}");
    }
    for texture in &head.textures {
        let image = &texture.image;
        assert_eq!(image.rgba().len(), (image.width() * image.height() * 4) as usize, "{texture:?}");
        check_blocks(image);
    }
    let driven = head.channels.iter().flat_map(|channel| &channel.targets);
    let place_count = first_target + head.expressions.len();
    assert!(driven.into_iter().all(|&place| place < place_count));
    let paired: usize = head.pairs.iter().map(|pair| 1 + usize::from(pair.second.is_some())).sum();
    assert_eq!(paired, head.channels.len());
    for clip in &head.clips {
        assert!(clip.duration_secs.is_finite() && clip.duration_secs >= 0.0, "{}", clip.duration_secs);
        for track in &clip.tracks {
            assert!(track.first_target + track.curve.width() <= place_count);
            for secs in [0.0, clip.duration_secs * 0.37, clip.duration_secs] {
                let values = (0..track.curve.width()).map(|element| track.curve.sample(secs, element));
                assert!(values.clone().all(f32::is_finite), "{:?}", values.collect::<Vec<_>>());
            }
        }
    }
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let can_see = camera.projection_from_view(1.0).is_finite() && camera.view_from_world().is_finite();
    let is_noted = head.notes.iter().any(|note| note.message.contains("too far to be drawn"));
    assert!(can_see || is_noted, "{camera:?}");
    let targets = head.meshes.iter().flat_map(|mesh| &mesh.targets);
    let in_betweens: usize = targets.map(|target| target.in_betweens.len()).sum();
    assert_eq!(Layout::new(head, Precision::default()).shape_count(), first_target + in_betweens);
    for finding in lint(head, &Settings::default()) {
        assert!(finding.channels.iter().all(|&channel| channel < head.channels.len()), "{finding:?}");
        assert!(!finding.message.contains("NaN") && !finding.message.contains("inf"), "{finding:?}");
    }
    for note in &head.notes {
        let text = format!("{}{}", note.subject, note.message);
        assert!(!text.contains(char::is_control) && !note.message.is_empty(), "{text:?}");
    }
}

/// Panics if an image has blocks in one format only, or other levels than adapters take.
fn check_blocks(image: &Image) {
    let lengths = [BlockFormat::Bc7, BlockFormat::Astc].map(|format| {
        let levels = image.blocks(format, 0)?;
        Some(levels.iter().map(Vec::len).collect::<Vec<_>>())
    });
    assert_eq!(lengths[0], lengths[1], "{image:?}");
    let Some(found) = &lengths[0] else { return };
    let (width, height) = (image.width(), image.height());
    assert!(width.is_multiple_of(4) && height.is_multiple_of(4), "{image:?}");
    let blocks = |side: u32, level: u32| (side >> level).max(1).div_ceil(4) as usize;
    let expected = (0..=width.max(height).ilog2()).map(|level| blocks(width, level) * blocks(height, level) * 16);
    assert_eq!(*found, expected.collect::<Vec<_>>(), "{image:?}");
}

fn check_mesh(mesh: &Mesh, material_count: usize) {
    let (count, vertices) = (mesh.vertices.len(), &mesh.vertices);
    assert!(mesh.world_from_mesh.is_finite());
    assert_eq!(vertices.normals.len(), count);
    for length in [vertices.tangents.len(), vertices.uvs.len(), vertices.second_uvs.len(), vertices.colors.len()] {
        assert!(length == 0 || length == count, "{length} of {count}");
    }
    assert!(are_finite(&vertices.positions) && are_finite(&vertices.normals));
    assert!(vertices.tangents.iter().all(|tangent| tangent.is_finite()));
    assert!(vertices.uvs.iter().chain(&vertices.second_uvs).all(|uv| uv.is_finite()));
    assert!(vertices.colors.iter().flatten().all(|channel| channel.is_finite()));
    assert!(vertices.normals.iter().all(|normal| normal.length() < 1.1), "a normal is longer than 1");
    assert!(mesh.indices.iter().all(|&index| (index as usize) < count));
    for part in &mesh.parts {
        assert!(part.material < material_count && part.index_count % 3 == 0 && part.index_count > 0, "{part:?}");
        assert!((part.first_index + part.index_count) as usize <= mesh.indices.len(), "{part:?}");
    }
    for target in &mesh.targets {
        assert!(target.default_weight.is_finite());
        assert!(target.in_betweens.is_sorted_by(|a, b| a.full_weight < b.full_weight));
        assert!(target.clone().set_in_betweens(target.in_betweens.clone()).is_empty(), "impossible in-betweens");
        for shape in target.shapes() {
            assert!(shape.rows.is_sorted_by(|a, b| a < b) && shape.rows.iter().all(|&row| (row as usize) < count));
            for column in [shape.positions, shape.normals, shape.tangents] {
                assert!(column.is_empty() || column.len() == shape.rows.len());
                assert!(are_finite(column));
            }
        }
    }
}

fn are_finite(vectors: &[Vec3]) -> bool {
    vectors.iter().all(|vector| vector.is_finite())
}

fn is_sound(bounds: Bounds) -> bool {
    bounds.is_empty() || (bounds.min.is_finite() && bounds.max.is_finite())
}

/// Whether the head has a note of this level that contains the text.
pub fn says(head: &Head, level: Level, text: &str) -> bool {
    head.notes.iter().any(|note| note.level == level && note.to_string().contains(text))
}
