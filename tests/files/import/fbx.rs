//! FBX, as text and binary.

use glam::{Quat, Vec2, Vec3};
use smirk_face::head::{AlphaMode, Encoding, Head, Interpolation, Level, LocalTransform, NodePath, Target};
use smirk_files::import::{open, open_bytes, open_takes_bytes};
use smirk_support::fbx_builder::{FbxBuilder, FbxNode, Key, Property, node, png};

use smirk_support::head_checks::says;

fn read(file: &FbxBuilder) -> Head {
    open_bytes(file.text().as_bytes(), "face.fbx").unwrap_or_else(|error| panic!("{error}"))
}

fn target<'a>(head: &'a Head, name: &str) -> &'a Target {
    head.meshes.iter().flat_map(|mesh| &mesh.targets).find(|target| target.name == name).unwrap()
}

fn full_weights(target: &Target) -> Vec<f32> {
    target.in_betweens.iter().map(|in_between| in_between.full_weight).collect()
}

/// A row of the settings with another value.
fn set(file: &mut FbxBuilder, name: &str, value: Property) {
    let is_named = |row: &&mut FbxNode| matches!(&row.properties[0], Property::Text(text) if text == name);
    *file.settings.iter_mut().find(is_named).unwrap().properties.last_mut().unwrap() = value;
}

/// Adds a row of numbers to the properties of a model.
fn add_row(file: &mut FbxBuilder, model: i64, name: &str, numbers: &[f64]) {
    let is_model = |object: &&mut FbxNode| matches!(object.properties[0], Property::Int(id) if id == model);
    let object = file.objects.iter_mut().find(is_model).unwrap();
    let texts = [name, name, "", "A"].map(|text| Property::Text(text.into()));
    let values = texts.into_iter().chain(numbers.iter().map(|number| Property::Real(*number)));
    object.children[1].children.push(node("P", values.collect(), vec![]));
}

#[test]
fn text_and_binary_of_both_layouts_hold_the_same_head() {
    let mut file = FbxBuilder::everything();
    let text = read(&file);
    assert!(text.notes.iter().all(|note| note.level == Level::Info), "{:?}", text.notes);
    for version in [7400, 7500] {
        file.version = version;
        let binary = open_bytes(&file.binary(), "face.fbx").unwrap();
        assert_eq!(binary.meshes[0].vertices.positions, text.meshes[0].vertices.positions, "{version}");
        assert_eq!(binary.meshes[0].indices, text.meshes[0].indices);
        assert_eq!(binary.rig, text.rig);
        assert_eq!(binary.clips, text.clips);
        assert_eq!(binary.materials, text.materials);
        assert!(binary.textures == text.textures && binary.textures.len() == 1);
        let weights = |head: &Head| head.meshes[0].targets.iter().map(full_weights).collect::<Vec<_>>();
        assert_eq!(weights(&binary), weights(&text));
    }
}

#[test]
fn vertices_are_split_where_corners_differ_and_keep_their_control_points() {
    let head = read(&FbxBuilder::everything());
    let mesh = &head.meshes[0];
    assert_eq!((mesh.name.as_str(), mesh.vertices.len(), mesh.indices.len()), ("face", 24, 36));
    for (vertex, &point) in mesh.vertices.control_points.iter().enumerate() {
        let sign = |axis: u32| if point >> axis & 1 == 1 { 1.0 } else { -1.0 };
        assert_eq!(mesh.vertices.positions[vertex], Vec3::new(sign(0), sign(1), sign(2)));
    }
    for triangle in mesh.indices.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|corner| mesh.vertices.positions[triangle[corner] as usize]);
        let normal = mesh.vertices.normals[triangle[0] as usize];
        assert!((b - a).cross(c - a).dot(normal) > 0.0, "the front is where the normal points");
    }
    assert_eq!(mesh.vertices.uvs[..4], [Vec2::new(0.0, 1.0), Vec2::ONE, Vec2::X, Vec2::ZERO], "v points down");
}

#[test]
fn clips_have_the_frame_rate_of_the_file() {
    // 24, 30, 60, 25 and 29.97 frames a second.
    for (mode, rate) in [(11, 24.0), (6, 30.0), (3, 60.0), (10, 25.0), (9, 30_000.0 / 1001.0)] {
        let mut file = FbxBuilder::everything();
        set(&mut file, "TimeMode", Property::Int(mode));
        let found = read(&file).clips[0].frames_per_sec().unwrap();
        assert!((found / rate - 1.0).abs() < 1e-3, "{mode}: {found}");
        let takes = open_takes_bytes(file.text().as_bytes(), "face.fbx".as_ref()).unwrap();
        assert!((takes[0].frames_per_sec.unwrap() / rate - 1.0).abs() < 1e-3, "{mode}");
    }
}

#[test]
fn units_and_axes_become_metres_and_y_up() {
    let size = |file: &FbxBuilder| read(file).bounds.size();
    let mut file = FbxBuilder::empty();
    let (_, model) = file.cube("a");
    add_row(&mut file, model, "Lcl Scaling", &[1.0, 2.0, 3.0]);
    assert!(size(&file).distance(Vec3::new(0.02, 0.04, 0.06)) < 1e-6, "{}", size(&file));
    set(&mut file, "UnitScaleFactor", Property::Real(100.0));
    assert!(size(&file).distance(Vec3::new(2.0, 4.0, 6.0)) < 1e-4, "{}", size(&file));
    // Z up, and the front towards −y, as in Blender and 3ds Max.
    set(&mut file, "UpAxis", Property::Int(2));
    set(&mut file, "FrontAxis", Property::Int(1));
    set(&mut file, "FrontAxisSign", Property::Int(-1));
    assert!(size(&file).distance(Vec3::new(2.0, 6.0, 4.0)) < 1e-4, "{}", size(&file));
}

#[test]
fn a_transform_of_the_geometry_alone_moves_the_mesh_and_nothing_below_it() {
    let mut file = FbxBuilder::empty();
    let (_, model) = file.cube("a");
    file.model("below", "Null", model, [0.0; 3]);
    add_row(&mut file, model, "GeometricTranslation", &[100.0, 0.0, 0.0]);
    let head = read(&file);
    assert!(head.bounds.center().distance(Vec3::X) < 1e-6, "{:?}", head.bounds);
    let worlds = head.rig.world_from_nodes_at_rest();
    let below = head.rig.nodes.iter().position(|node| node.name == "below").unwrap();
    assert!(worlds[below].transform_point3(Vec3::ZERO).length() < 1e-6);
}

#[test]
fn hidden_meshes_are_left_out_unless_all_are_hidden() {
    let mut file = FbxBuilder::empty();
    let (_, first) = file.cube("first");
    file.cube("second");
    add_row(&mut file, first, "Visibility", &[0.0]);
    let head = read(&file);
    assert_eq!(head.meshes.iter().map(|mesh| mesh.name.as_str()).collect::<Vec<_>>(), ["second"]);
    assert!(says(&head, Level::Info, "1 hidden meshes are left out"));
    let mut file = FbxBuilder::empty();
    let (_, only) = file.cube("only");
    add_row(&mut file, only, "Visibility", &[0.0]);
    assert_eq!(read(&file).meshes.len(), 1);
}

#[test]
fn a_mesh_that_two_nodes_show_is_there_twice_and_clips_move_both() {
    let mut file = FbxBuilder::everything();
    let other = file.model("other", "Mesh", 0, [5.0, 0.0, 0.0]);
    let is_mesh = |object: &&FbxNode| {
        object.name == "Geometry" && matches!(&object.properties[2], Property::Text(kind) if kind == "Mesh")
    };
    let Property::Int(geometry) = file.objects.iter().find(is_mesh).unwrap().properties[0] else { panic!("no number") };
    file.connect(geometry, other);
    let head = read(&file);
    assert_eq!(head.meshes.iter().map(|mesh| mesh.name.as_str()).collect::<Vec<_>>(), ["face", "other"]);
    assert_eq!(head.channels[0].targets, [0, 2]);
    let mut moved: Vec<_> = head.clips[0].tracks.iter().map(|track| track.first_target).collect();
    moved.sort_unstable();
    assert_eq!(moved, [0, 1, 2, 3]);
}

#[test]
fn each_node_that_shows_a_mesh_has_the_shapes_of_its_own_vertices() {
    for is_first_mapped in [true, false] {
        let mut file = FbxBuilder::empty();
        let (geometry, first) = file.cube("first");
        let deformer = file.deformer(geometry, "d");
        file.channel(deformer, "c", 0.0, &[(100.0, [0.0, 1.0, 0.0])]);
        let second = file.model("second", "Mesh", 0, [5.0, 0.0, 0.0]);
        file.connect(geometry, second);
        // The sides share their corners, and the texture is mirrored on one of those at control point 7: only for a
        // material with a normal map, tangents split the vertex there.
        let of_cube = self::geometry(&mut file);
        *list(of_cube, &["LayerElementNormal", "Normals"]) = Property::Reals(vec![1.0; 72]);
        let Property::Ints(uvs) = list(of_cube, &["LayerElementUV", "UVIndex"]) else { panic!() };
        uvs[12..16].copy_from_slice(&[0, 3, 2, 1]);
        let (mapped, plain) = if is_first_mapped { (first, second) } else { (second, first) };
        let material = file.material(mapped, "bumpy", [1.0; 3]);
        file.texture(material, "NormalMap", "n.png", Some(png()));
        file.material(plain, "plain", [1.0; 3]);
        let head = read(&file);
        let [mapped, plain] = if is_first_mapped { [0, 1] } else { [1, 0] }.map(|mesh: usize| &head.meshes[mesh]);
        assert!(mapped.vertices.len() > plain.vertices.len());
        for mesh in [mapped, plain] {
            let at_seven = (0..).zip(&mesh.vertices.control_points).filter(|(_, point)| **point == 7);
            assert_eq!(mesh.targets[0].rows, at_seven.map(|(vertex, _)| vertex).collect::<Vec<u32>>());
        }
    }
}

#[test]
fn channels_are_targets_with_their_own_names_and_weights_from_percent() {
    let head = read(&FbxBuilder::everything());
    let names: Vec<_> = head.channels.iter().map(|channel| channel.full_name.as_str()).collect();
    assert_eq!(names, ["jawOpen", "smile"]);
    assert_eq!(head.default_weights(), [0.35, 0.0]);
    let smile = target(&head, "smile");
    assert_eq!(smile.rows.len(), 3, "control point 7 is a corner of three sides");
    assert!(smile.rows.iter().all(|&row| head.meshes[0].vertices.control_points[row as usize] == 7));
    assert_eq!(smile.positions, [Vec3::X; 3]);
    assert!(smile.normals.is_empty(), "normals that are all zero are none");
}

#[test]
fn names_without_the_deformer_stay_different_on_one_mesh_and_join_meshes() {
    let mut file = FbxBuilder::empty();
    let offset = [(100.0, [0.0, 1.0, 0.0])];
    for (mesh, deformers) in [("face", &["a", "b"][..]), ("teeth", &["c"])] {
        let (geometry, _) = file.cube(mesh);
        for deformer in deformers {
            let id = file.deformer(geometry, deformer);
            file.channel(id, &format!("{deformer}.jawOpen"), 0.0, &offset);
            file.channel(id, &format!("{deformer}.only_{deformer}"), 0.0, &offset);
        }
    }
    let names = |head: &Head, mesh: usize| {
        head.meshes[mesh].targets.iter().map(|target| target.name.clone()).collect::<Vec<_>>()
    };
    let head = read(&file);
    assert_eq!(names(&head, 0), ["a.jawOpen", "only_a", "b.jawOpen", "only_b"]);
    assert_eq!(names(&head, 1), ["jawOpen", "only_c"]);
    let mut file = FbxBuilder::empty();
    for mesh in ["face", "teeth"] {
        let (geometry, _) = file.cube(mesh);
        let deformer = file.deformer(geometry, &format!("shapes of {mesh}"));
        file.channel(deformer, &format!("shapes of {mesh}.jawOpen"), 0.0, &offset);
    }
    assert_eq!(read(&file).channels[0].targets, [0, 1], "one control of both meshes");
}

/// The offset of the first row of a target at a weight, in the way that FBX means it.
fn offset_at(shapes: &[(f64, [f64; 3])], weight: f64) -> Vec3 {
    let mut corners = shapes.to_vec();
    corners.push((0.0, [0.0; 3]));
    corners.sort_by(|a, b| a.0.total_cmp(&b.0));
    let next = corners.iter().position(|(full, _)| *full > weight * 100.0).unwrap_or(corners.len() - 1).max(1);
    let ((from, a), (to, b)) = (corners[next - 1], corners[next]);
    let share = (weight * 100.0 - from) / (to - from);
    Vec3::from_array([0, 1, 2].map(|axis| (a[axis] + (b[axis] - a[axis]) * share) as f32))
}

#[test]
fn shapes_at_other_full_weights_are_in_betweens_of_the_shape_at_one() {
    for shapes in [
        &[(100.0, [1.0, 2.0, 3.0])][..],
        &[(50.0, [1.0, 2.0, 3.0])],
        &[(-100.0, [1.0, 2.0, 3.0])],
        &[(-50.0, [0.0, -1.0, 0.0]), (50.0, [0.0, 0.0, 1.0]), (100.0, [0.0, 2.0, 0.0])],
        &[(-49.9, [0.0, -1.0, 0.0]), (-24.9, [0.0, 0.0, 1.0]), (100.0, [0.0, 2.0, 0.0])],
        &[(25.0, [0.0, -1.0, 0.0]), (75.0, [0.0, 0.0, 1.0])],
        &[(50.0, [0.0, -1.0, 0.0]), (200.0, [0.0, 0.0, 1.0])],
        &[(-100.0, [1.0, 0.0, 0.0]), (-50.0, [0.0, 0.0, 1.0])],
    ] {
        let mut file = FbxBuilder::empty();
        let (geometry, _) = file.cube("a");
        let deformer = file.deformer(geometry, "d");
        file.channel(deformer, "c", 0.0, shapes);
        let head = read(&file);
        let target = target(&head, "c");
        let own = target.positions.first().copied().unwrap_or_default();
        assert!(own.distance(offset_at(shapes, 1.0)) < 1e-5, "{shapes:?}: {own}");
        let expected: Vec<f32> = match shapes {
            [_] => Vec::new(),
            shapes => shapes.iter().map(|(full, _)| (full / 100.0) as f32).filter(|full| *full != 1.0).collect(),
        };
        assert_eq!(full_weights(target), expected);
        for weight in [-1.5, -1.0, -0.7, -0.3, 0.0, 0.2, 0.5, 0.6, 0.9, 1.0, 1.7, 2.0, 2.5] {
            let shown = target.shapes_at(weight);
            let offset: Vec3 = shown.filter_map(|(deltas, share)| Some(*deltas.positions.first()? * share)).sum();
            let expected = offset_at(shapes, f64::from(weight));
            assert!(offset.distance(expected) < 1e-4, "{shapes:?} at {weight}: {offset}, not {expected}");
        }
    }
}

#[test]
fn shapes_at_no_weight_are_left_out_with_a_note() {
    let mut file = FbxBuilder::empty();
    let (geometry, _) = file.cube("a");
    let deformer = file.deformer(geometry, "d");
    let up = |weight| (weight, [0.0, 1.0, 0.0]);
    file.channel(deformer, "c", f64::NAN, &[up(0.0), up(f64::NAN), up(50.0), up(50.0), up(100.0)]);
    let head = open_bytes(&file.binary(), "face.fbx").unwrap();
    assert_eq!(full_weights(target(&head, "c")), [0.5]);
    assert_eq!(head.default_weights(), [0.0]);
    assert!(says(&head, Level::Warning, "3 of its shapes have the full weight 0"), "{:?}", head.notes);
}

#[test]
fn joints_carry_their_control_points() {
    let head = read(&FbxBuilder::everything());
    let mesh = &head.meshes[0];
    let skin = &head.rig.skins[mesh.skin.unwrap()];
    let names: Vec<_> = skin.joints.iter().map(|joint| head.rig.nodes[joint.node].name.as_str()).collect();
    assert_eq!(names, ["root", "tip"]);
    for (vertex, position) in mesh.vertices.positions.iter().enumerate() {
        let [influence] = mesh.vertices.influences.of_vertex(vertex) else { panic!("one joint each") };
        assert_eq!((influence.joint, influence.weight), (u32::from(position.y > 0.0), 1.0));
    }
    assert!(
        head.bounds.size().distance(Vec3::splat(0.02)) < 1e-6,
        "at rest the skin changes nothing: {:?}",
        head.bounds
    );
    // The clip turns the tip by a quarter about x, through its origin on the upper side.
    let worlds = head.clips[0].world_from_nodes(&head.rig, 2.0).unwrap();
    let upper = (0..24).find(|&vertex| mesh.vertices.positions[vertex] == Vec3::ONE).unwrap();
    let palette: Vec<_> = skin.palette(&worlds).collect();
    let joint = mesh.vertices.influences.of_vertex(upper)[0].joint as usize;
    let moved = palette[joint].transform_point3(Vec3::ONE);
    assert!(moved.distance(Vec3::new(0.01, 0.0, 0.0)) < 1e-5, "{moved}");
}

#[test]
fn curves_keep_the_keys_of_the_file_where_a_clip_can_have_them() {
    let head = read(&FbxBuilder::everything());
    let clip = &head.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration_secs, clip.tracks.len()), ("talk", 3.0, 2));
    let [jaw, smile] = &clip.tracks[..] else { panic!("{:?}", clip.tracks) };
    assert_eq!((jaw.curve.interpolation(), jaw.curve.times()), (Interpolation::Linear, &[0.0, 1.0, 1.5][..]));
    assert_eq!(jaw.curve.values(), [0.0, 1.0, -0.5]);
    // Cubic to 1 s, held to 2 s, where it jumps, then linear.
    assert_eq!(smile.curve.interpolation(), Interpolation::CubicSpline);
    assert_eq!(smile.curve.times(), [0.0, 1.0, 2.0, 2.0, 3.0]);
    for (secs, value) in [(0.0, 0.0), (1.5, 1.0), (1.999, 1.0), (2.0, 0.5), (2.5, 0.25), (3.0, 0.0)] {
        assert!((smile.curve.sample(secs, 0) - value).abs() < 1e-3, "{secs} s: {}", smile.curve.sample(secs, 0));
    }
    // By Hermite's formula from 0 to 1 with the slopes 1 and −0.5 per second.
    assert!((smile.curve.sample(0.5, 0) - (0.5 + 0.125 + 0.0625)).abs() < 1e-3, "{}", smile.curve.sample(0.5, 0));
    let [turn] = &clip.node_tracks[..] else { panic!("{:?}", clip.node_tracks) };
    assert_eq!((turn.path, head.rig.nodes[turn.node].name.as_str()), (NodePath::Rotation, "tip"));
    let LocalTransform::Trs(mut place) = head.rig.nodes[turn.node].rest else { panic!("a matrix") };
    turn.apply(1.0, &mut place);
    assert!(place.rotation.angle_between(Quat::from_rotation_x(std::f32::consts::FRAC_PI_4)) < 1e-3);
}

#[test]
fn layers_that_add_up_are_sampled() {
    let mut file = FbxBuilder::empty();
    let (geometry, _) = file.cube("a");
    let deformer = file.deformer(geometry, "d");
    let channel = file.channel(deformer, "c", 0.0, &[(100.0, [0.0, 1.0, 0.0])]);
    let key = |secs, value| Key { secs, value, kind: Key::LINEAR, slopes: [0.0; 2] };
    let layer = file.stack("sum");
    file.curves(layer, channel, "DeformPercent", &["d|DeformPercent"], &[key(0.0, 0.0), key(2.0, 100.0)]);
    let stack = layer - 1;
    let second = file.object("AnimationLayer", "more", "", vec![]);
    file.connect(second, stack);
    file.curves(second, channel, "DeformPercent", &["d|DeformPercent"], &[key(0.0, 20.0), key(2.0, 40.0)]);
    let head = read(&file);
    assert!(says(&head, Level::Info, "1 of its curves were sampled at 24 frames per second"), "{:?}", head.notes);
    let curve = &head.clips[0].tracks[0].curve;
    assert_eq!(curve.times().len(), 49);
    for (secs, value) in [(0.0, 0.2), (1.0, 0.8), (2.0, 1.4)] {
        assert!((curve.sample(secs, 0) - value).abs() < 1e-4, "{secs} s: {}", curve.sample(secs, 0));
    }
}

#[test]
fn materials_have_their_colour_and_the_embedded_texture() {
    let head = read(&FbxBuilder::everything());
    let [material] = &head.materials[..] else { panic!("{:?}", head.materials) };
    assert_eq!((material.name.as_str(), material.base_color), ("skin", [1.0; 4]));
    assert_eq!((material.metallic, material.alpha), (0.0, AlphaMode::Opaque));
    let texture = &head.textures[material.base_color_texture.unwrap().texture];
    assert_eq!((texture.name.as_str(), texture.image.width(), texture.encoding), ("skin.png", 2, Encoding::Srgb));
    assert!(head.meshes[0].vertices.tangents.is_empty());
    let mut plain = FbxBuilder::empty();
    let (_, model) = plain.cube("a");
    let id = plain.material(model, "skin", [0.5, 0.25, 0.125]);
    let head = read(&plain);
    assert_eq!(head.materials[head.meshes[0].parts[0].material].base_color, [0.5, 0.25, 0.125, 1.0]);
    plain.texture(id, "NormalMap", "n.png", Some(png()));
    let head = read(&plain);
    assert_eq!(head.textures[head.materials[0].normal_texture.unwrap().texture].encoding, Encoding::Linear);
    assert_eq!(head.meshes[0].vertices.tangents.len(), head.meshes[0].vertices.len());
    assert!(says(&head, Level::Info, "tangents were generated"));
}

#[test]
fn textures_are_found_below_the_folder_of_the_file_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model");
    std::fs::create_dir_all(model.join("maps")).unwrap();
    std::fs::write(model.join("maps/Skin.PNG"), png()).unwrap();
    std::fs::write(folder.path().join("secret.png"), png()).unwrap();
    let open = |path: &str| {
        let mut file = FbxBuilder::empty();
        let (_, node) = file.cube("a");
        let material = file.material(node, "skin", [1.0; 3]);
        file.texture(material, "DiffuseColor", path, None);
        std::fs::write(model.join("a.fbx"), file.binary()).unwrap();
        open(&model.join("a.fbx")).unwrap()
    };
    let absolute = folder.path().join("secret.png").display().to_string();
    for path in ["maps/Skin.PNG", "maps\\skin.png", "C:\\work\\MAPS\\skin.png", "../../maps/skin.png"] {
        let head = open(path);
        assert_eq!(head.textures.len(), 1, "{path}: {:?}", head.notes);
        assert_eq!(head.side_files.len(), 1);
    }
    for path in ["../secret.png", "secret.png", &absolute, "maps/../../secret.png"] {
        let head = open(path);
        assert!(head.textures.is_empty(), "{path}");
        assert!(says(&head, Level::Warning, "shown without its colour texture"), "{:?}", head.notes);
    }
}

#[test]
fn clips_open_as_takes() {
    let file = FbxBuilder::everything();
    for bytes in [file.binary(), file.text().into_bytes()] {
        let takes = open_takes_bytes(&bytes, "talk.fbx".as_ref()).unwrap();
        let [take] = &takes[..] else { panic!("{} takes", takes.len()) };
        let names: Vec<_> = take.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!((take.name.as_str(), &names[..]), ("talk", &["jawOpen", "smile"][..]));
    }
}

#[test]
fn the_polygons_of_a_file_without_normals_are_smooth_or_hard_as_it_says() {
    let mut file = FbxBuilder::empty();
    file.cube("a");
    file.objects[0].children.retain(|child| child.name != "LayerElementNormal");
    let head = read(&file);
    assert!(says(&head, Level::Info, "has no normals; they were made from its polygons"), "{:?}", head.notes);
    assert!(head.meshes[0].vertices.normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-5));
}

#[test]
fn what_cannot_be_read_is_said_with_what_it_is() {
    let refusal = |bytes: &[u8]| {
        let message = open_bytes(bytes, "face.fbx").unwrap_err().to_string();
        assert!(message.starts_with("face.fbx: ") && !message.contains('\n'), "{message}");
        message
    };
    let good = FbxBuilder::everything().binary();
    assert!(refusal(b"").contains("is empty (0 bytes)"));
    assert!(refusal(b"\x89PNG\r\n\x1a\n").contains("is not an FBX file: it is a PNG image; export it as .fbx"));
    assert!(refusal(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").contains("is not an FBX file"));
    assert!(refusal(&good[..good.len() / 2]).contains("it was cut off, copy or export it again"));
    let mut old = good.clone();
    old[23..27].copy_from_slice(&2500_u32.to_le_bytes());
    old.truncate(4000);
    assert!(refusal(&old).contains("is FBX of version 2500, Smirk reads 3000 to 7700"), "{}", refusal(&old));
    let empty = refusal(FbxBuilder::empty().text().as_bytes());
    assert!(empty.contains("holds no mesh to show (meshes in the file: 0)"), "{empty}");
}

/// The geometry of the cube, to be changed.
fn geometry(file: &mut FbxBuilder) -> &mut FbxNode {
    file.objects.iter_mut().find(|object| object.name == "Geometry").unwrap()
}

/// The list of a name inside a node.
fn list<'a>(inside: &'a mut FbxNode, names: &[&str]) -> &'a mut Property {
    let node = names.iter().fold(inside, |node, name| {
        node.children.iter_mut().find(|child| child.name == *name).unwrap_or_else(|| panic!("{name}"))
    });
    &mut node.properties[0]
}

#[test]
fn an_index_of_minus_one_is_a_corner_without_a_value() {
    let whole = read(&FbxBuilder::everything());
    // In a second set of texture coordinates, which is not read.
    let mut file = FbxBuilder::everything();
    let of_cube = geometry(&mut file);
    let mut second = of_cube.children.iter().find(|child| child.name == "LayerElementUV").unwrap().clone();
    second.properties[0] = Property::Int(1);
    *list(&mut second, &["UVIndex"]) = Property::Ints(vec![-1; 24]);
    let element = vec![
        node("Type", vec![Property::Text("LayerElementUV".into())], vec![]),
        node("TypedIndex", vec![Property::Int(1)], vec![]),
    ];
    let layer = node("Layer", vec![Property::Int(1)], vec![node("LayerElement", vec![], element)]);
    of_cube.children.extend([second, layer]);
    let head = read(&file);
    assert_eq!((&head.notes, &head.meshes[0].vertices.uvs), (&whole.notes, &whole.meshes[0].vertices.uvs));
    // In the set that is read.
    let mut file = FbxBuilder::everything();
    let Property::Ints(indices) = list(geometry(&mut file), &["LayerElementUV", "UVIndex"]) else { panic!() };
    indices[..2].fill(-1);
    let head = read(&file);
    assert!(says(&head, Level::Info, "2 of 24 corners have no texture coordinates"), "{:?}", head.notes);
    assert!(head.notes.iter().all(|note| note.level == Level::Info), "{:?}", head.notes);
    assert_eq!(head.meshes[0].vertices.uvs[..3], [Vec2::ZERO, Vec2::ZERO, Vec2::X]);
    // In normals: the corner has that of the polygons around its control point.
    let mut file = FbxBuilder::everything();
    let normals = geometry(&mut file).children.iter_mut().find(|child| child.name == "LayerElementNormal").unwrap();
    *list(normals, &["ReferenceInformationType"]) = Property::Text("IndexToDirect".into());
    let indices = [-1].into_iter().chain(1..24).collect();
    normals.children.push(node("NormalsIndex", vec![Property::Ints(indices)], vec![]));
    let head = read(&file);
    assert!(says(&head, Level::Info, "1 of 24 corners have no normal"), "{:?}", head.notes);
    assert!(head.meshes[0].vertices.normals[0].distance(Vec3::splat(-1.0 / 3.0_f32.sqrt())) < 1e-6);
}

#[test]
fn a_channel_without_a_name_has_that_of_its_last_shape() {
    let mut file = FbxBuilder::empty();
    let (geometry, _) = file.cube("face");
    let deformer = file.deformer(geometry, "blendShape1");
    let up = [0.0, 1.0, 0.0];
    for name in ["", "blendShape1.", "blendShape1.smile"] {
        file.channel(deformer, name, 0.0, &[(50.0, up), (100.0, up)]);
    }
    file.channel(deformer, "", 0.0, &[]);
    // The builder names shapes by their channel and number.
    let rename = |file: &mut FbxBuilder, from: &str, to: &str| {
        let is_from = |property: &&mut Property| matches!(property, Property::Text(text) if text == from);
        let object = file.objects.iter_mut().find_map(|object| object.properties.iter_mut().find(is_from));
        *object.unwrap() = Property::Text(to.into());
    };
    rename(&mut file, "Geometry:: 1", "Geometry::jawOpen");
    rename(&mut file, "Geometry::blendShape1. 1", "Geometry::blendShape1.pout");
    let head = read(&file);
    let names: Vec<&str> = head.meshes[0].targets.iter().map(|target| target.name.as_str()).collect();
    assert_eq!(names, ["jawOpen", "pout", "smile", "target 3"]);
}

#[test]
fn a_texture_beside_the_folder_of_the_model_says_where_to_put_it() {
    let folder = tempfile::tempdir().unwrap();
    for (path, file) in [
        ("..\\sourceimages\\skin.png", "\"skin.png\""),
        ("../../maps/skin.png", "\"skin.png\""),
        ("C:\\project\\sourceimages\\skin.png", "\"skin.png\""),
        ("/home/ada/skin.png", "\"skin.png\""),
    ] {
        let mut builder = FbxBuilder::empty();
        let (_, model) = builder.cube("face");
        let material = builder.material(model, "skin", [0.5; 3]);
        builder.texture(material, "DiffuseColor", path, None);
        let scene = folder.path().join("face.fbx");
        std::fs::write(&scene, builder.text()).unwrap();
        let head = open(&scene).unwrap();
        let remedy = format!("copy {file} there");
        assert!(says(&head, Level::Warning, &remedy), "{path}: {:?}", head.notes);
        // What it says helps.
        std::fs::write(folder.path().join("skin.png"), png()).unwrap();
        let head = open(&scene).unwrap();
        std::fs::remove_file(folder.path().join("skin.png")).unwrap();
        assert!(head.textures.len() == 1 && !says(&head, Level::Warning, "copy"), "{path}: {:?}", head.notes);
    }
}

#[test]
fn udim_tiles_are_textures_of_materials_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("maps")).unwrap();
    for number in [1001, 1003] {
        let color = image::Rgb([(number - 1000) as u8, 0, 0]);
        image::RgbImage::from_pixel(1, 1, color).save(folder.path().join(format!("maps/skin.{number}.tga"))).unwrap();
    }
    let mut file = FbxBuilder::empty();
    let (_, model) = file.cube_on_tiles("face", [0, 2, 0, 2, 1, 0]);
    let material = file.material(model, "skin", [1.0; 3]);
    file.texture(material, "DiffuseColor", "C:\\work\\maps\\skin.<UDIM>.tga", None);
    std::fs::write(folder.path().join("face.fbx"), file.binary()).unwrap();
    let head = open(&folder.path().join("face.fbx")).unwrap();
    let found = head.meshes[0].parts.iter().map(|part| {
        let material = &head.materials[part.material];
        let red = material.base_color_texture.map(|map| head.textures[map.texture].image.rgba()[0]);
        (material.name.as_str(), red, part.index_count / 6)
    });
    assert_eq!(
        found.collect::<Vec<_>>(),
        [("skin", Some(1), 3), ("skin 1002", None, 1), ("skin 1003", Some(3), 2)],
        "{:?}",
        head.notes
    );
    assert!(
        says(&head, Level::Warning, "material \"skin 1002\": shown without its colour texture"),
        "{:?}",
        head.notes
    );
    assert!(says(&head, Level::Warning, "skin.1002.tga"), "{:?}", head.notes);
}

#[test]
fn curves_go_on_after_their_last_key_as_the_file_says() {
    // From 0 to 1 in a second, in a stack of three.
    for (after, at, weight) in [
        ('C', 1.5, 1.0),
        ('C', 2.5, 1.0),
        ('R', 1.5, 0.5),
        ('R', 2.25, 0.25),
        ('A', 1.5, 1.5),
        ('A', 2.5, 2.5),
        ('M', 1.25, 0.75),
        ('M', 2.25, 0.25),
        ('K', 2.5, 2.5),
    ] {
        let mut file = FbxBuilder::empty();
        let (geometry, model) = file.cube("face");
        let deformer = file.deformer(geometry, "shapes");
        let jaw = file.channel(deformer, "jawOpen", 0.0, &[(100.0, [0.0, 1.0, 0.0])]);
        let layer = file.stack_between("talk", 0.0, 3.0);
        let key = |secs, value| Key { secs, value, kind: Key::LINEAR, slopes: [0.0; 2] };
        let keys = [key(0.0, 0.0), key(1.0, 100.0)];
        file.curves_that_go_on(layer, jaw, "DeformPercent", &["d|DeformPercent"], &keys, after);
        file.curves_that_go_on(layer, model, "Lcl Translation", &["d|X"], &keys, after);
        for head in [read(&file), open_bytes(&file.binary(), "face.fbx").unwrap()] {
            let clip = &head.clips[0];
            let found = clip.sample(at, 0).unwrap();
            assert!((found - weight).abs() < 0.04, "{after} at {at} s: {found}, not {weight}");
            let moved = clip.world_from_nodes(&head.rig, at).unwrap();
            let x = moved.iter().map(|world| world.w_axis.x).fold(0.0, f32::max);
            assert!((x - weight).abs() < 0.04, "{after} at {at} s: moved by {x} m, not {weight}");
            assert_eq!(clip.duration_secs > 2.9, after != 'C', "{after}: {} s", clip.duration_secs);
        }
    }
}

#[test]
fn a_clip_starts_where_its_stack_does() {
    // Frame 1001, and one o'clock, where a weight goes on after its last key or not.
    for (start, after) in [(1001.0 / 24.0, 'C'), (3600.0, 'C'), (3600.0, 'R'), (-2.0, 'C')] {
        let mut file = FbxBuilder::empty();
        let (geometry, model) = file.cube("face");
        let deformer = file.deformer(geometry, "shapes");
        let jaw = file.channel(deformer, "jawOpen", 0.0, &[(100.0, [0.0, 1.0, 0.0])]);
        let layer = file.stack_between("shot", start, start + 3.0);
        let key = |secs: f64, value| Key { secs: start + secs, value, kind: Key::LINEAR, slopes: [0.0; 2] };
        let keys = [key(0.0, 0.0), key(2.0, 100.0)];
        file.curves_that_go_on(layer, jaw, "DeformPercent", &["d|DeformPercent"], &keys, after);
        file.curves_that_go_on(layer, model, "Lcl Translation", &["d|X"], &keys, after);
        let head = read(&file);
        let clip = &head.clips[0];
        assert_eq!((clip.duration_secs * 10.0).round(), if after == 'C' { 20.0 } else { 30.0 }, "{start}");
        for (secs, value) in [(0.0, 0.0), (0.5, 0.25), (1.5, 0.75)] {
            let found = clip.sample(secs, 0).unwrap();
            assert!((found - value).abs() < 1e-3, "{start} + {secs} s: {found}");
            let moved = clip.world_from_nodes(&head.rig, secs).unwrap();
            let x = moved.iter().map(|world| world.w_axis.x).fold(0.0, f32::max);
            assert!((x - value).abs() < 1e-3, "{start} + {secs} s: moved by {x} m");
        }
        assert!(!says(&head, Level::Warning, "begins at"), "{start}: {:?}", head.notes);
        let takes = open_takes_bytes(file.text().as_bytes(), "shot.fbx".as_ref()).unwrap();
        assert_eq!(takes[0].duration_secs, clip.duration_secs);
        let expected = match start {
            3600.0 => Some("01:00:00:00.000"),
            -2.0 => None,
            _ => Some("00:00:41:17.000"),
        };
        assert_eq!(takes[0].start_timecode.as_deref(), expected);
    }
}

#[test]
fn keys_outside_the_range_of_a_stack_are_said_or_decide() {
    let clip_of = |range: [f64; 2], first: f64| {
        let mut file = FbxBuilder::empty();
        let (geometry, _) = file.cube("face");
        let deformer = file.deformer(geometry, "shapes");
        let jaw = file.channel(deformer, "jawOpen", 0.0, &[(100.0, [0.0, 1.0, 0.0])]);
        let layer = file.stack_between("shot", range[0], range[1]);
        let key = |secs, value| Key { secs, value, kind: Key::LINEAR, slopes: [0.0; 2] };
        let keys = [key(first, 0.0), key(first + 2.0, 100.0)];
        file.curves(layer, jaw, "DeformPercent", &["d|DeformPercent"], &keys);
        read(&file)
    };
    let counted_from_1 = clip_of([1.0 / 24.0, 3.0], 1.0 / 24.0);
    assert_eq!(counted_from_1.clips[0].tracks[0].curve.times()[0], 1.0 / 24.0, "frames have their numbers");
    let early = clip_of([41.0, 43.0], 40.0);
    assert_eq!((early.clips[0].duration_secs, early.clips[0].sample(0.0, 0)), (1.0, Some(0.5)));
    assert!(
        says(&early, Level::Warning, "begins at 40.00 s; it is played from 41.00 s, the start of its stack"),
        "{:?}",
        early.notes
    );
    // A range after all keys, and one that is none.
    for range in [[41.0, 43.0], [1.9e8, -1.9e8]] {
        let stale = clip_of(range, 0.0);
        assert_eq!((stale.clips[0].duration_secs, stale.clips[0].sample(1.0, 0)), (2.0, Some(0.5)), "{range:?}");
    }
}
