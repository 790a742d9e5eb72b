//! Heads that Smirk writes as GLB and reads again.

use std::io::Cursor;
use std::sync::Arc;

use glam::{Affine2, Mat4, Quat, Vec2, Vec3, Vec4};
use image::ImageFormat;
use serde_json::json;
use smirk_base::progress::Progress;
use smirk_export::{StoredDeltas, glb, glb_with};
use smirk_face::head::{
    AlphaMode, Asset, Clip, Curve, Encoding, Head, Image, Interpolation, Material, Mesh, Part, Sampler, Target,
    Texture, TextureRef, Track, UvSet, Vertices, Wrap,
};
use smirk_files::import::{embedded, open_bytes};
use smirk_graphics::blend::reference;
use smirk_scene::Normals;
use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::in_betweens;

fn read_again(head: &Head) -> Head {
    open_bytes(&glb(head).unwrap(), "again.glb").unwrap()
}

fn check_equal(a: &Head, b: &Head) {
    assert_eq!(a.meshes.len(), b.meshes.len());
    for (a, b) in a.meshes.iter().zip(&b.meshes) {
        assert_eq!((&a.name, a.world_from_mesh), (&b.name, b.world_from_mesh));
        let (own, read) = (&a.vertices, &b.vertices);
        assert_eq!((&own.positions, &own.normals), (&read.positions, &read.normals));
        assert_eq!((&own.tangents, &own.uvs, &own.colors), (&read.tangents, &read.uvs, &read.colors));
        assert_eq!(own.second_uvs, read.second_uvs);
        assert_eq!((&a.indices, &a.parts), (&b.indices, &b.parts));
        assert_eq!(a.strands, b.strands);
        assert_eq!(a.targets.len(), b.targets.len());
        for (a, b) in a.targets.iter().zip(&b.targets) {
            assert_eq!((&a.name, a.default_weight, &a.rows), (&b.name, b.default_weight, &b.rows));
            assert_eq!((&a.positions, &a.normals, &a.tangents), (&b.positions, &b.normals, &b.tangents));
        }
    }
    assert_eq!((&a.materials, &a.textures, &a.clips), (&b.materials, &b.textures, &b.clips));
    assert_eq!((&a.channels, &a.pairs, &a.notes), (&b.channels, &b.pairs, &b.notes));
}

#[test]
fn the_bundled_head_is_unchanged_by_writing_and_reading() {
    let head = embedded().unwrap();
    check_equal(&head, &read_again(&head));
}

/// Two meshes that together use everything Smirk can write into a file.
fn rich() -> Head {
    let moved = |name: &str, rows: Vec<u32>, normals: bool| {
        let deltas: Vec<Vec3> = rows.iter().map(|&row| Vec3::new(0.5, row as f32, -1.0)).collect();
        let normals = if normals { deltas.clone() } else { Vec::new() };
        Target {
            name: name.into(),
            default_weight: 0.25,
            positions: deltas,
            tangents: normals.clone(),
            normals,
            rows,
            ..Target::default()
        }
    };
    let count = 40;
    let vertices = Vertices {
        positions: (0..count).map(|at| Vec3::new(at as f32, (at % 7) as f32, (at % 3) as f32)).collect(),
        normals: vec![Vec3::Z; count],
        tangents: vec![Vec4::new(0.0, 1.0, 0.0, -1.0); count],
        uvs: (0..count).map(|at| Vec2::new(at as f32 / 40.0, 0.5)).collect(),
        second_uvs: vec![Vec2::new(0.125, 0.75); count],
        colors: vec![[0.25, 0.5, 0.75, 1.0]; count],
        ..Vertices::default()
    };
    let part = |first_index, material| Part { first_index, index_count: 6, material, flat_shaded: false };
    let all: Vec<u32> = (0..count as u32).collect();
    let face = Mesh {
        name: "face".into(),
        world_from_mesh: Mat4::from_scale_rotation_translation(Vec3::splat(0.5), Quat::from_rotation_y(0.5), Vec3::X),
        vertices,
        indices: (0..12).collect(),
        parts: vec![part(0, 1), part(6, 0)],
        targets: vec![moved("smile", vec![3, 9], true), moved("still", vec![], true), moved("all", all, true)],
        ..Mesh::default()
    };
    let flat =
        Vertices { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], normals: vec![Vec3::ZERO; 3], ..Vertices::default() };
    let teeth = Mesh {
        name: "teeth".into(),
        vertices: flat,
        indices: vec![0, 1, 2],
        parts: vec![Part { first_index: 0, index_count: 3, material: 1, flat_shaded: true }],
        targets: vec![moved("smile", vec![1], false)],
        ..Mesh::default()
    };
    let image = Arc::new(Image::new(2, 1, vec![9, 8, 7, 255, 1, 2, 3, 0]));
    let filters_in_file = [Some(9728), Some(9729)];
    let sampler = Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Mirror, nearest: true, filters_in_file };
    let texture = |encoding| Texture { name: "skin".into(), image: image.clone(), encoding, sampler };
    let moved_map = TextureRef { texture_from_uv: Affine2::from_translation(Vec2::new(0.5, 0.25)), ..1.into() };
    let skin = Material {
        name: "skin".into(),
        base_color: [0.5, 0.25, 1.0, 0.75],
        base_color_texture: Some(0.into()),
        normal_texture: Some(TextureRef { uv_set: UvSet::Second, ..moved_map }),
        normal_scale: 0.5,
        occlusion_texture: Some(1.into()),
        occlusion_strength: 0.25,
        metallic_roughness_texture: Some(1.into()),
        alpha: AlphaMode::Mask { cutoff: 0.25 },
        double_sided: false,
        emissive: [4.0, 2.0, 0.0],
        emissive_texture: Some(0.into()),
        specular: 0.5,
        specular_color: [1.0, 2.0, 0.25],
        specular_texture: Some(1.into()),
        coat: 0.5,
        coat_roughness: 0.25,
        sheen_color: [0.0, 0.5, 1.0],
        sheen_roughness: 0.75,
        transmission: 0.25,
        ..Material::default()
    };
    let plain = Material { name: "plain".into(), alpha: AlphaMode::Blend, unlit: true, ..Material::default() };
    let spline: Vec<f32> = (0..18).map(|at| at as f32 * 0.1).collect();
    let curve = Curve::new(Interpolation::CubicSpline, vec![0.5, 2.0], spline, 3).unwrap();
    let steps = Curve::new(Interpolation::Step, vec![0.0, 1.0], vec![0.25, 1.0], 1).unwrap();
    let tracks = vec![Track { first_target: 0, curve }, Track { first_target: 3, curve: steps }];
    Head::new(Asset {
        name: "again".into(),
        meshes: vec![face, teeth],
        materials: vec![skin, plain],
        textures: vec![texture(Encoding::Srgb), texture(Encoding::Linear)],
        clips: vec![Clip::new("talk".into(), tracks)],
        ..Asset::default()
    })
}

#[test]
fn everything_that_is_written_is_read_again() {
    let head = rich();
    let again = read_again(&head);
    check_equal(&head, &again);
    assert!(Arc::ptr_eq(&again.textures[0].image, &again.textures[1].image), "one picture is written once");
}

#[test]
fn photographs_are_written_as_they_were_read() {
    let picture = image::RgbImage::from_fn(16, 16, |x, y| image::Rgb([x as u8 * 9, y as u8 * 7, 40]));
    for (format, mime_type) in [(ImageFormat::Jpeg, "image/jpeg"), (ImageFormat::Png, "image/png")] {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        let bytes = bytes.into_inner();
        let mut file = GltfBuilder::textured_triangle();
        let view = file.view(&bytes);
        file.push("images", json!({"bufferView": view, "mimeType": mime_type}));
        let head = file.open().unwrap();
        let written = glb(&head).unwrap();
        let again = open_bytes(&written, "again.glb").unwrap();
        assert_eq!(again.textures[0].image.file(), Some(&*bytes), "{mime_type}");
        assert_eq!(again.textures, head.textures);
        assert!(String::from_utf8_lossy(&written).contains(mime_type));
    }
    // WebP needs an extension that not every program reads.
    let mut webp = Cursor::new(Vec::new());
    picture.write_to(&mut webp, ImageFormat::WebP).unwrap();
    let mut file = GltfBuilder::textured_triangle();
    let view = file.view(webp.get_ref());
    file.push("images", json!({"bufferView": view, "mimeType": "image/webp"}));
    let head = file.open().unwrap();
    let again = read_again(&head);
    assert!(again.textures[0].image.file().unwrap().starts_with(b"\x89PNG"));
    assert_eq!(again.textures, head.textures);
}

#[test]
fn targets_added_later_keep_their_default_weight_in_clips() {
    let with_added = rich().with_targets(vec![(0, Target { name: "late".into(), ..Target::default() })], Vec::new());
    let again = read_again(&with_added);
    for time in [0.5, 1.0, 2.0] {
        for (target, at_rest) in [(0, None), (2, None), (3, Some(0.0)), (4, None)] {
            let wanted = with_added.clips[0].sample(time, target).or(at_rest);
            assert_eq!(again.clips[0].sample(time, target), wanted, "target {target} at {time} s");
        }
    }
}

#[test]
fn targets_that_move_few_vertices_take_few_bytes() {
    let target = |rows: Vec<u32>| {
        let positions = vec![Vec3::X; rows.len()];
        let target = Target { name: "t".into(), rows, positions, ..Target::default() };
        let vertices = Vertices {
            positions: (0..3000).map(|at| Vec3::splat(at as f32)).collect(),
            normals: vec![Vec3::Z; 3000],
            ..Vertices::default()
        };
        let parts = vec![Part { first_index: 0, index_count: 3, material: 0, flat_shaded: false }];
        let mesh = Mesh { vertices, indices: vec![0, 1, 2], parts, targets: vec![target], ..Mesh::default() };
        glb(&Head::new(Asset { meshes: vec![mesh], ..Asset::default() })).unwrap().len()
    };
    let (none, ten, all) = (target(vec![]), target((0..10).collect()), target((0..3000).collect()));
    assert!(ten - none < 600 && (35_000..37_000).contains(&(all - none)), "{none}, {ten}, {all}");
}

#[test]
fn equal_targets_are_written_once() {
    let target = |name: String, row: u32| {
        let (rows, positions) = (vec![row], vec![Vec3::X]);
        Target { name, rows, positions, ..Target::default() }
    };
    let with = |targets: Vec<Target>| {
        let positions = (0..300).map(|at| Vec3::splat(at as f32)).collect();
        let mesh = Mesh {
            vertices: Vertices { normals: vec![Vec3::Z; 300], positions, ..Vertices::default() },
            indices: vec![0, 1, 2],
            parts: vec![Part { first_index: 0, index_count: 3, material: 0, flat_shaded: false }],
            targets,
            ..Mesh::default()
        };
        Head::new(Asset { meshes: vec![mesh], ..Asset::default() })
    };
    let bytes = |targets| glb(&with(targets)).unwrap().len();
    let one = bytes(vec![target("t0".into(), 7)]);
    let equal = bytes((0..1000).map(|at| target(format!("t{at}"), 7)).collect());
    let different = bytes((0..100).map(|at| target(format!("t{at}"), at)).collect());
    // Each has its name, its weight at rest, and one number per attribute.
    assert!((equal - one) / 999 < 40 && (different - one) / 99 > 200, "{one}, {equal}, {different}");
    let three = with((0..3).map(|at| target(format!("t{at}"), 7)).collect());
    check_equal(&three, &read_again(&three));
}

#[test]
fn dense_targets_need_no_sparse_accessors() {
    let head = rich();
    let json = |deltas| {
        let bytes = glb_with(&head, deltas, Progress::NONE).unwrap();
        let length = u32::from_le_bytes(*bytes[12..].first_chunk().unwrap()) as usize;
        (serde_json::from_slice::<serde_json::Value>(&bytes[20..20 + length]).unwrap(), bytes)
    };
    let ((sparse, _), (dense, bytes)) = (json(StoredDeltas::Smallest), json(StoredDeltas::Dense));
    let sparse_accessors = |json: &serde_json::Value| {
        json["accessors"].as_array().unwrap().iter().filter(|accessor| accessor.get("sparse").is_some()).count()
    };
    assert!(sparse_accessors(&sparse) > 0 && sparse_accessors(&dense) == 0);
    assert!(dense["accessors"].as_array().unwrap().iter().all(|accessor| accessor.get("bufferView").is_some()));
    check_equal(&head, &open_bytes(&bytes, "again.glb").unwrap());
}

/// The rich head with these tracks, which move only the targets of its first mesh: 0, 1 and 2.
fn with_tracks(tracks: Vec<Track>) -> Head {
    let (head, clips) = (rich(), vec![Clip::new("talk".into(), tracks)]);
    let materials = vec![Material::default(); 2];
    Head::new(Asset { name: "again".into(), meshes: head.meshes.clone(), materials, clips, ..Asset::default() })
}

fn track(first_target: usize, interpolation: Interpolation, times: &[f32], values: &[f32], width: usize) -> Track {
    Track { first_target, curve: Curve::new(interpolation, times.to_vec(), values.to_vec(), width).unwrap() }
}

#[test]
fn tracks_of_one_mesh_with_one_set_of_times_keep_their_keys() {
    let spline: Vec<f32> = (0..12).map(|at| at as f32).collect();
    for (interpolation, values) in [(Interpolation::Step, &spline[..4]), (Interpolation::CubicSpline, &spline[..])] {
        let (one, two) = (&values[..values.len() / 2], values);
        let head = with_tracks(vec![
            track(2, interpolation, &[0.5, 2.0], one, 1),
            track(0, interpolation, &[0.5, 2.0], two, 2),
        ]);
        let again = read_again(&head);
        let curve = &again.clips[0].tracks[0].curve;
        assert_eq!((curve.interpolation(), curve.times()), (interpolation, &[0.5, 2.0][..]));
        let rows: Vec<Vec<f32>> = two.chunks(2).zip(one).map(|(two, one)| [two, &[*one]].concat()).collect();
        assert_eq!(curve.values(), rows.concat());
    }
}

#[test]
fn tracks_of_one_mesh_with_different_keys_have_the_same_values() {
    let steps = || track(0, Interpolation::Step, &[0.0, 1.0, 2.5], &[0.0, 1.0, 0.25], 1);
    let lines = || track(1, Interpolation::Linear, &[0.25, 2.0, 2.0, 3.0], &[0.0, 1.0, 0.0, 0.5], 1);
    let spline = || track(2, Interpolation::CubicSpline, &[0.5, 1.75], &[0.0, 0.1, 2.0, -3.0, 0.9, 0.0], 1);
    let later = || track(1, Interpolation::Step, &[0.5, 1.25], &[0.75, 0.5], 1);
    for (tracks, kept) in [
        (vec![steps(), later()], Interpolation::Step),
        (vec![steps(), lines()], Interpolation::Linear),
        (vec![lines(), spline()], Interpolation::CubicSpline),
        (vec![steps(), lines(), spline()], Interpolation::CubicSpline),
    ] {
        let head = with_tracks(tracks);
        let again = read_again(&head);
        assert_eq!(again.clips[0].tracks[0].curve.interpolation(), kept);
        for target in 0..3 {
            for time in (0..400).map(|at| at as f32 * 0.01) {
                let wanted = head.clips[0].sample(time, target).unwrap_or(0.25);
                let found = again.clips[0].sample(time, target).unwrap();
                assert!((found - wanted).abs() < 1e-5, "{kept:?}, target {target} at {time} s: {found}, not {wanted}");
            }
        }
    }
}

#[test]
fn every_accessor_has_data() {
    let bytes = glb(&rich()).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let root: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let has_data = |accessor: &serde_json::Value| !accessor["bufferView"].is_null() || !accessor["sparse"].is_null();
    assert!(root["accessors"].as_array().unwrap().iter().all(has_data));
}

/// glTF has no in-betweens: they become targets, and these blend to the same vertices at the weights of the shapes.
#[test]
fn in_betweens_become_targets_that_blend_to_the_same_vertices() {
    let mut meshes = in_betweens::head(4).asset.meshes;
    meshes[0].targets[1].default_weight = 0.75;
    let curve =
        Curve::new(Interpolation::Linear, vec![0.0, 1.0, 3.0], [[-1.0, 0.2], [2.0, 0.4], [0.1, 1.0]].concat(), 2);
    let clip = Clip::new("clip".into(), vec![Track { first_target: 3, curve: curve.unwrap() }]);
    let head = Head::new(Asset { name: "in-betweens".into(), meshes, clips: vec![clip], ..Asset::default() });
    let again = read_again(&head);
    assert_eq!((head.target_count(), again.target_count()), (9, 18));
    let names: Vec<&str> = again.meshes[1].targets.iter().map(|target| target.name.as_str()).collect();
    assert_eq!(names[3..], ["target 0 in-between -0.5", "target 0 in-between 0.5"]);
    let assert_alike = |own: &[f32], flat: &[f32]| {
        let [expected, found] =
            [(&head, own), (&again, flat)].map(|(head, weights)| reference(head, weights, Normals::Authored));
        for (expected, found) in expected.iter().zip(&found) {
            assert!(expected.position.distance(found.position) < 1e-7, "{own:?}");
            assert!(expected.normal.distance(found.normal) < 1e-5, "{own:?}");
        }
    };
    for weights in in_betweens::weight_vectors(head.target_count()) {
        assert_alike(&weights, &in_betweens::shape_weights(&head, &weights));
    }
    assert_alike(&head.default_weights(), &again.default_weights());
    for secs in (0..=60).map(|frame| frame as f32 * 0.05) {
        let [own, flat] = [&head, &again].map(|head| {
            let rest = head.default_weights().into_iter().enumerate();
            rest.map(|(target, rest)| head.clips[0].sample(secs, target).unwrap_or(rest)).collect::<Vec<f32>>()
        });
        let expected = in_betweens::shape_weights(&head, &own);
        for (found, expected) in flat.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-4, "at {secs} s: {flat:?}, not {expected:?}");
        }
    }
}
