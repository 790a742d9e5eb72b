//! The bundled head: its expressions, its anatomy, and that the code in `assets/sculpt` makes exactly this file.

#![allow(clippy::unwrap_used, reason = "a test")]

#[path = "bundled_head/eyes.rs"]
mod eyes;
#[path = "bundled_head/gaze.rs"]
mod gaze;
#[path = "bundled_head/hair.rs"]
mod hair;
#[path = "bundled_head/mouth.rs"]
mod mouth;
#[path = "bundled_head/proportions.rs"]
mod proportions;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use glam::Vec3;
use smirk_assets::HEAD as FILE;
use smirk_base::random;
use smirk_face::head::{Head, Mesh};
use smirk_graphics::blend::reference;
use smirk_scene::Normals;
use smirk_sculpt as sculpt;

static HEAD: LazyLock<Head> = LazyLock::new(|| smirk_files::import::embedded().unwrap());

static SKIN: LazyLock<sculpt::skin::Skin> = LazyLock::new(sculpt::skin::build);

/// Metres.
const MILLIMETRE: f32 = 0.001;

fn mesh(name: &str) -> &'static Mesh {
    HEAD.meshes.iter().find(|mesh| mesh.name == name).unwrap_or_else(|| panic!("no mesh {name}"))
}

/// A target's deltas for every vertex: position, normal.
fn dense(mesh: &Mesh, name: &str) -> Vec<(Vec3, Vec3)> {
    let target = mesh.targets.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("no target {name}"));
    let mut deltas = vec![(Vec3::ZERO, Vec3::ZERO); mesh.vertices.len()];
    for (i, &row) in target.rows.iter().enumerate() {
        let at = |values: &[Vec3]| values.get(i).copied().unwrap_or(Vec3::ZERO);
        deltas[row as usize] = (at(&target.positions), at(&target.normals));
    }
    deltas
}

/// Positions with some expressions at some weights.
fn posed(mesh: &Mesh, weights: &[(&str, f32)]) -> Vec<Vec3> {
    let mut positions = mesh.vertices.positions.clone();
    for (name, weight) in weights {
        for (position, (delta, _)) in positions.iter_mut().zip(dense(mesh, name)) {
            *position += *weight * delta;
        }
    }
    positions
}

fn triangles(mesh: &Mesh) -> impl Iterator<Item = [usize; 3]> {
    mesh.indices.chunks_exact(3).map(|corners| [0, 1, 2].map(|i| corners[i] as usize))
}

fn bits(v: Vec3) -> [u32; 3] {
    // Adding zero makes -0 and 0 the same.
    (v + Vec3::ZERO).to_array().map(f32::to_bits)
}

#[test]
#[ignore = "long: ./dev soak"]
fn the_sculpt_makes_the_committed_file() {
    assert_is_committed(&sculpt::build().unwrap());
}

/// A prime number, so that the texels that are compared lie in all columns.
const TEXELS_APART: usize = 97;

/// All but the textures is compared byte by byte, and of those one texel in [`TEXELS_APART`].
#[test]
fn the_sculpt_makes_the_committed_shapes_and_nearly_the_committed_textures() {
    let committed = gltf::Gltf::from_slice_without_validation(FILE).unwrap();
    let bytes = committed.blob.as_ref().unwrap();
    let mut images = Vec::new();
    for (picture, image) in sculpt::pictures(&SKIN).iter().zip(committed.images()) {
        let gltf::image::Source::View { view, .. } = image.source() else { panic!("an image of its own") };
        let encoded = bytes[view.offset()..][..view.length()].to_vec();
        let decoded = image::load_from_memory(&encoded).unwrap().to_rgba8();
        let [width, height] = picture.size;
        assert_eq!((decoded.width(), decoded.height()), (width as u32, height as u32), "{}", picture.name);
        let differences: Vec<f64> = (0..width * height)
            .step_by(TEXELS_APART)
            .map(|at| (at % width, at / width))
            .map(|(x, y)| {
                let (made, stored) = ((picture.texel)(x, y), decoded.get_pixel(x as u32, y as u32).0);
                (0..4).map(|i| f64::from(made[i].abs_diff(stored[i]))).sum::<f64>() / 4.0
            })
            .collect();
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        let largest = differences.iter().copied().fold(0.0, f64::max);
        // What JPEG loses, and not more.
        let (most_mean, most) =
            if picture.encoding == sculpt::picture::Encoding::Png { (0.0, 0.0) } else { (0.8, 8.0) };
        assert!(mean <= most_mean && largest <= most, "{}: {mean} in the mean, {largest} at most", picture.name);
        let mime_type = picture.encoding.mime_type();
        images.push(sculpt::glb::Image { name: picture.name, mime_type, bytes: encoded });
    }
    assert_is_committed(&sculpt::file(&SKIN, &images));
}

fn assert_is_committed(made: &[u8]) {
    let first_difference = made.iter().zip(FILE).position(|(a, b)| a != b);
    assert!(
        made == FILE,
        "the sculpt makes {} bytes, assets/head.glb has {}; first difference at {first_difference:?}. \
         `cargo run --release --example sculpt` writes the file anew",
        made.len(),
        FILE.len()
    );
}

#[test]
fn it_has_its_meshes_and_stays_within_its_sizes() {
    assert!(FILE.len() <= 8 << 20, "{} bytes", FILE.len());
    let face = mesh("face").vertices.len();
    assert!((15_000..=40_000).contains(&face), "{face} vertices in the face");
    assert!(HEAD.triangle_count() <= 90_000, "{} triangles", HEAD.triangle_count());
    for name in ["face", "eyes", "lid_shade", "teeth_lower", "tongue", "brows", "lashes"] {
        let names: Vec<&str> = mesh(name).targets.iter().map(|target| target.name.as_str()).collect();
        assert_eq!(names, HEAD.channels.iter().map(|channel| channel.name.as_str()).collect::<Vec<_>>(), "{name}");
    }
    for name in ["bust", "teeth_upper", "hair"] {
        assert!(mesh(name).targets.is_empty(), "{name} morphs");
    }
    let heights = |mesh: &Mesh, depth: f32| -> Vec<f32> {
        mesh.vertices.positions.iter().filter(|p| p.z > depth).map(|p| p.y).collect()
    };
    let crown = heights(mesh("hair"), f32::MIN).into_iter().fold(f32::MIN, f32::max);
    let chin = heights(mesh("face"), 0.085).into_iter().fold(f32::MAX, f32::min);
    assert!((0.21..0.25).contains(&(crown - chin)), "{} m", crown - chin);
}

#[test]
fn there_are_54_expressions_in_27_pairs() {
    assert_eq!((HEAD.channels.len(), HEAD.pairs.len()), (54, 27));
    assert!(HEAD.channels.iter().all(|channel| channel.targets.len() == 7));
    for name in ["eyeBlinkLeft", "browInnerUpRight", "cheekPuffLeft", "mouthClose", "tongueOut", "jawForward"] {
        assert!(HEAD.channel_named(name).is_some(), "{name}");
    }
    for channel in &HEAD.channels {
        let moves = channel.targets.iter().any(|&target| {
            HEAD.target(target)
                .is_some_and(|(_, target)| target.positions.iter().any(|d| d.length() > 0.3 * MILLIMETRE))
        });
        assert!(moves, "{} moves nothing", channel.name);
    }
}

#[test]
fn every_number_is_finite_and_every_triangle_has_an_area() {
    for mesh in &HEAD.meshes {
        let vertices = &mesh.vertices;
        assert!(vertices.positions.iter().chain(&vertices.normals).all(|v| v.is_finite()), "{}", mesh.name);
        for target in &mesh.targets {
            let all = target.positions.iter().chain(&target.normals);
            assert!(all.clone().all(|v| v.is_finite()), "{} {}", mesh.name, target.name);
            assert!(all.clone().all(|v| v.length() < 2.5), "{} {}", mesh.name, target.name);
        }
        for corners in triangles(mesh) {
            let [a, b, c] = corners.map(|corner| vertices.positions[corner].as_dvec3());
            let doubled = (b - a).cross(c - a).length();
            assert!(doubled > 1e-12, "{}: {corners:?} at {a} has an area of {doubled} m²", mesh.name);
        }
    }
}

#[test]
fn left_is_the_mirror_of_right() {
    let mirrored = |v: Vec3| Vec3::new(-v.x, v.y, v.z);
    for mesh in HEAD.meshes.iter().filter(|mesh| !mesh.targets.is_empty()) {
        let positions = &mesh.vertices.positions;
        let mut by_height: Vec<usize> = (0..positions.len()).collect();
        by_height.sort_by(|&a, &b| positions[a].y.total_cmp(&positions[b].y));
        // Several vertices may be at one place (lips, borders of texture charts): one of them must be the mirror image.
        let images: Vec<Vec<usize>> = positions
            .iter()
            .map(|p| {
                let from = by_height.partition_point(|&i| positions[i].y < p.y - 1e-6);
                let level = by_height[from..].iter().take_while(|&&i| positions[i].y <= p.y + 1e-6);
                level.copied().filter(|&i| positions[i].distance(mirrored(*p)) < 1e-6).collect()
            })
            .collect();
        assert!(images.iter().all(|images| !images.is_empty()), "{} is not symmetric", mesh.name);
        for channel in HEAD.channels.iter().filter(|channel| channel.name.ends_with("Left")) {
            let other = channel.name.replace("Left", "Right");
            let (left, right) = (dense(mesh, &channel.name), dense(mesh, &other));
            for (i, images) in images.iter().enumerate() {
                let gap = |&j: &usize| (mirrored(left[i].0) - right[j].0).abs().max_element();
                let best = images.iter().map(gap).fold(f32::MAX, f32::min);
                assert!(best < 1e-6, "{} {}: {best} m at {}", mesh.name, channel.name, positions[i]);
            }
        }
    }
}

/// A vertex's colour times the skin texture there; linear.
fn seen_color(mesh: &Mesh, vertex: usize) -> Vec3 {
    let picture = &HEAD.textures.iter().find(|texture| texture.name == "skin").unwrap().image;
    let uv = mesh.vertices.uvs[vertex];
    let at = |share: f32, size: u32| ((share * size as f32) as usize).min(size as usize - 1);
    let texel = (at(uv.y, picture.height()) * picture.width() as usize + at(uv.x, picture.width())) * 4;
    let rgba = picture.rgba();
    let rgb = [0, 1, 2].map(|channel| (f32::from(rgba[texel + channel]) / 255.0).powf(2.2));
    let [r, g, b, _] = mesh.vertices.colors[vertex];
    Vec3::from(rgb) * Vec3::new(r, g, b)
}

#[test]
fn no_gap_opens_between_face_and_bust() {
    let (face, bust) = (mesh("face"), mesh("bust"));
    let known: BTreeMap<[u32; 3], usize> =
        bust.vertices.positions.iter().enumerate().map(|(i, &p)| (bits(p), i)).collect();
    let seam: Vec<(usize, usize)> = (0..face.vertices.len())
        .filter_map(|i| known.get(&bits(face.vertices.positions[i])).map(|&j| (i, j)))
        .collect();
    assert!(seam.len() > 200, "{} vertices on the seam", seam.len());
    for &(i, j) in &seam {
        assert_eq!(face.vertices.normals[i], bust.vertices.normals[j]);
        // Some of the seam is coloured by the texture on one side and by vertex colours on the other.
        let (here, there) = (seen_color(face, i), seen_color(bust, j));
        assert!(here.distance(there) < 0.03, "{here} beside {there} at {}", face.vertices.positions[i]);
    }
    for seed in 0..20 {
        let weights: Vec<f32> = (0..HEAD.target_count()).map(|target| random::unit(seed, target as u64)).collect();
        let vertices = reference(&HEAD, &weights, Normals::Authored);
        let first_of = |name: &str| -> usize {
            HEAD.meshes.iter().take_while(|mesh| mesh.name != name).map(|mesh| mesh.vertices.len()).sum()
        };
        let (first_face, first_bust) = (first_of("face"), first_of("bust"));
        for &(i, j) in &seam {
            let (face, bust) = (&vertices[first_face + i], &vertices[first_bust + j]);
            let gap = face.position.distance(bust.position);
            assert!(gap < 1e-9, "{gap} m at {} under seed {seed}", bust.position);
            let bend = face.normal.angle_between(bust.normal).to_degrees();
            assert!(bend < 1e-3, "{bend}° at {} under seed {seed}", bust.position);
        }
    }
}

#[test]
fn normals_follow_the_surface() {
    let (face, bust) = (mesh("face"), mesh("bust"));
    // Both meshes as one surface: vertices of the same position and normal are one.
    let mut welded: BTreeMap<([u32; 3], [u32; 3]), usize> = BTreeMap::new();
    let mut weld = |mesh: &Mesh| -> Vec<usize> {
        let places = mesh.vertices.positions.iter().zip(&mesh.vertices.normals);
        places
            .map(|(&p, &n)| {
                let next = welded.len();
                *welded.entry((bits(p), bits(n))).or_insert(next)
            })
            .collect()
    };
    let (face_ids, bust_ids) = (weld(face), weld(bust));
    let count = welded.len();
    let normals = |face_positions: &[Vec3]| {
        let mut sums = vec![Vec3::ZERO; count];
        let meshes = [(face, face_positions, &face_ids), (bust, &bust.vertices.positions[..], &bust_ids)];
        for (mesh, positions, ids) in meshes {
            for corners in triangles(mesh) {
                let [a, b, c] = corners.map(|corner| positions[corner] * 100.0);
                corners.iter().for_each(|&corner| sums[ids[corner]] += (b - a).cross(c - a));
            }
        }
        sums
    };
    let open = dense(face, "jawOpen");
    for target in &face.targets {
        let mut deltas = dense(face, &target.name);
        if target.name == "mouthClose" {
            // It corrects jawOpen.
            deltas.iter_mut().zip(&open).for_each(|(here, open)| *here = (here.0 + open.0, here.1 + open.1));
        }
        let moved: Vec<Vec3> = face.vertices.positions.iter().zip(&deltas).map(|(p, d)| *p + d.0).collect();
        let sums = normals(&moved);
        let mut squares = 0.0;
        let mut counted = 0;
        for (i, (movement, turn)) in deltas.iter().enumerate() {
            if movement.length() > 0.0 {
                let given = face.vertices.normals[i] + *turn;
                squares += sums[face_ids[i]].angle_between(given).to_degrees().powi(2);
                counted += 1;
            }
        }
        let rms = (squares / counted.max(1) as f32).sqrt();
        assert!(rms < 3.0, "{}: {rms}° over {counted} vertices", target.name);
    }
}

#[test]
fn its_clip_loops_and_leaves_most_sliders_free() {
    let clip = &HEAD.clips[0];
    assert!((10.0..=14.0).contains(&clip.duration_secs), "{} s", clip.duration_secs);
    let driven = clip.driven_channels().count();
    assert!((8..=54 / 3).contains(&driven), "{driven} channels");
    for target in 0..HEAD.target_count() {
        let ends = [0.0, clip.duration_secs].map(|time| clip.sample(time, target).unwrap_or(0.0));
        assert_eq!(ends, [0.0, 0.0], "target {target} jumps");
    }
}

/// The report of the Khronos validator on this file: its version, the file's checksum and the numbers of errors and
/// warnings.
#[test]
fn the_validator_found_no_error() {
    let report: serde_json::Value = serde_json::from_str(include_str!("bundled_head.validator.json")).unwrap();
    let checksum = FILE
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    assert_eq!(
        report["file_fnv1a"],
        format!("{checksum:016x}"),
        "the report is of another file: run gltf-validator (npm) on assets/head.glb and record the result"
    );
    assert_eq!((&report["num_errors"], &report["num_warnings"]), (&0.into(), &0.into()));
}
