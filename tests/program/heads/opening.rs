//! Every head opens, or the error names what Smirk cannot read; known facts about the heads are checked.

use std::path::Path;

use serde_json::{Value, json};
use smirk_face::head::{Head, Interpolation};
use smirk_files::import::open;
use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::test_files::real_heads;
use smirk_support::{good_files, heads_below};

/// Opens every head below a folder. Returns the number of heads, and the number of those that need a feature that Smirk does not
/// read yet.
fn open_all(folder: &Path) -> (usize, usize) {
    let files = heads_below(folder);
    let mut unsupported = 0;
    for path in &files {
        let start = std::time::Instant::now();
        match open(path) {
            Ok(head) => {
                println!("{}: {} targets, {:?}", path.display(), head.target_count(), start.elapsed());
                check(&head);
            }
            Err(error) => {
                let message = error.to_string();
                println!("{message}");
                let is_feature = message.contains("which Smirk does not read yet; ");
                // Two files in `oddities` have no vertex, and one is broken on purpose, as its name says.
                let is_empty = message.contains("holds no mesh to show") && path.to_string_lossy().contains("oddities");
                let is_broken = message.starts_with("mesh-invalid-morph-target.gltf: meshes[1]: ")
                    || path.parent().is_some_and(|folder| folder.ends_with("fbx-usd-draco/bad"));
                assert!(
                    (is_feature || is_empty || is_broken) && !message.contains('\n'),
                    "{}: {message}",
                    path.display()
                );
                unsupported += usize::from(is_feature);
            }
        }
    }
    (files.len(), unsupported)
}

#[test]
fn every_head_opens_or_the_error_names_what_is_not_supported() {
    let folder = tempfile::tempdir().unwrap();
    let good = good_files::all_bytes();
    for (name, bytes) in &good {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let mut compressed = GltfBuilder::triangle();
    compressed.json["extensionsRequired"] = json!(["ACME_compression"]);
    std::fs::create_dir(folder.path().join("packed")).unwrap();
    std::fs::write(folder.path().join("packed/unknown.glb"), compressed.glb()).unwrap();
    assert_eq!(open_all(folder.path()), (good.len() + 1, 1));

    if let Some(folder) = real_heads() {
        let (count, _) = open_all(&folder);
        assert!(count > 20, "{count} model files in {}", folder.display());
    }
}

/// Checks how many expressions an avatar has, and which of them move a target.
fn check_expressions(path: &Path, count: usize, moving: &str) {
    let head = open(path).unwrap();
    let channels: Vec<usize> = (head.target_channels().len()..head.channels.len()).collect();
    assert_eq!(channels.len(), count, "{}", path.display());
    let moves = |channel: &&usize| {
        let mut weights = head.default_weights();
        head.channels[**channel].targets.iter().for_each(|&place| weights[place] = 1.0);
        head.resolve(&mut weights);
        weights.iter().any(|weight| *weight > 0.4)
    };
    let mut found: Vec<&str> =
        channels.iter().filter(moves).map(|&channel| head.channels[channel].name.as_str()).collect();
    let mut moving: Vec<&str> = moving.split_whitespace().collect();
    found.sort_unstable();
    moving.sort_unstable();
    assert_eq!(found, moving, "{}", path.display());
}

#[test]
fn expressions_of_avatars_move_the_targets_they_are_bound_to() {
    let mut avatar = good_files::all().swap_remove(0).1;
    avatar.json["extensions"] = json!({"VRMC_vrm": {"specVersion": "1.0", "expressions": {
        "preset": {
            "happy": {"morphTargetBinds": [{"node": 0, "index": 1, "weight": 1.0}]},
            "aa": {"morphTargetBinds": [{"node": 0, "index": 0, "weight": 0.5}]},
            "blink": {},
        },
        "custom": {"grin": {"morphTargetBinds": [{"node": 0, "index": 1, "weight": 0.1}]}},
    }}});
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("avatar.vrm"), avatar.glb()).unwrap();
    check_expressions(&folder.path().join("avatar.vrm"), 4, "happy aa");

    let Some(folder) = real_heads() else { return };
    for (name, count, moving) in [
        ("custom_normal.vrm", 17, "LookRight Blink_L"),
        ("expression_migration.vrm", 24, "happy angry custom_a custom_e custom_f"),
        ("modifier_shapekey_vrm1.vrm", 18, "aa"),
        ("pose_rotation_scale_shape_key_skinned.vrm", 17, "A"),
        ("simple_morph.vrm", 17, "A"),
        ("VRMC_vrm_expressions_isBinary_Overridden.vrm", 2, ""),
        ("VRMC_vrm_expressions_isBinary_Overrides.vrm", 2, ""),
    ] {
        check_expressions(&folder.join("vrm").join(name), count, moving);
    }
}

#[test]
fn known_facts_about_heads_are_read_correctly() {
    let open_made = |wanted: &str| -> Head {
        let (_, file) = good_files::all().into_iter().find(|(name, _)| *name == wanted).unwrap();
        file.open().unwrap()
    };
    let plain = open_made("plain");
    assert_eq!((plain.target_count(), plain.vertex_count(), plain.triangle_count()), (2, 3, 2));
    assert!(!plain.meshes[0].targets[0].tangents.is_empty());
    assert_eq!(open_made("compressed").target_count(), 1, "compressed by meshopt, quantised");
    let sparse = open_made("sparse");
    assert_eq!(sparse.meshes[0].targets.iter().map(|target| target.rows.len()).collect::<Vec<_>>(), [1, 0]);
    let skinned = open_made("skinned");
    assert_eq!((skinned.rig.nodes.len(), skinned.rig.skins.len(), skinned.rig.skins[0].joints.len()), (3, 1, 2));
    assert!(skinned.meshes[0].vertices.influences.most() <= 4);
    let textured = open_made("textured");
    assert_eq!((textured.textures[0].image.width(), textured.textures[0].image.height()), (4, 4));
    let animated = open_made("animated");
    let interpolations: Vec<_> =
        animated.clips.iter().flat_map(|clip| &clip.tracks).map(|track| track.curve.interpolation()).collect();
    assert_eq!(interpolations, [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline]);

    let Some(folder) = real_heads() else { return };
    let open = |name: &str| open(&folder.join(name));

    let ict = open("ict/ict_facekit.glb").unwrap();
    assert_eq!((ict.target_count(), ict.vertex_count(), ict.triangle_count()), (53, 29_077, 52_220));
    assert_eq!((ict.pairs.len(), ict.clips.len()), (27, 1));
    let mocap = open("ict/ict_facekit_mocap.glb").unwrap();
    assert_eq!(mocap.clips.iter().map(|clip| clip.tracks[0].curve.times().len()).max(), Some(1852));

    // Compressed by meshopt and quantised; its only texture is KTX2.
    let face = open("threejs/facecap.glb").unwrap();
    assert_eq!((face.target_count(), face.channels.len(), face.vertex_count()), (52, 52, 4368));
    assert!(face.meshes.iter().flat_map(|mesh| &mesh.targets).all(|target| !target.name.starts_with("target ")));
    assert_eq!((face.textures[0].image.width(), face.textures[0].image.height()), (1024, 1024));

    let avatar = open("avatars/rpm_brunette-t.glb").unwrap();
    assert_eq!((avatar.channels.len(), avatar.target_count()), (67, 4 * 67));
    assert!(avatar.channels.iter().all(|channel| channel.targets.len() == 4));
    // The avatar is a standing person: its skinned vertices must not all be at the origin.
    assert!(avatar.bounds.size().y > 1.5 && avatar.bounds.size().y < 2.0, "{:?}", avatar.bounds);
    assert_eq!((avatar.rig.nodes.len(), avatar.rig.skins.len(), avatar.rig.skins[0].joints.len()), (78, 1, 67));
    assert!(avatar.meshes.iter().all(|mesh| mesh.skin == Some(0) && mesh.vertices.influences.most() <= 4));

    let pointers = open("blender_io/24_animation_pointer/24_animation_pointer.gltf").unwrap();
    let [clip] = pointers.clips.as_slice() else { panic!("{} clips", pointers.clips.len()) };
    // One pointer to the weights of a node, one to those of a mesh on two nodes, and 22 to transforms of nodes.
    assert_eq!((clip.tracks.len(), clip.node_tracks.len()), (3, 22));
    let note = pointers.notes.iter().find(|note| note.message.contains("KHR_animation_pointer")).unwrap();
    assert!(note.message.contains("/cameras/1/perspective/yfov") && note.message.contains("more"), "{note:?}");

    for packaging in
        ["MorphStressTest/MorphStressTest.gltf", "bevy_embedded/MorphStressTest.gltf", "morph-stress-test.glb"]
    {
        let stress = open(&format!("khronos/{packaging}")).unwrap();
        assert_eq!((stress.target_count(), stress.clips.len(), stress.vertex_count()), (8, 3, 1528));
    }
    let cube = open("blender_io/01_morphed_cube/01_morphed_cube.gltf").unwrap();
    assert!(!cube.meshes[0].targets[0].tangents.is_empty());
    assert_eq!(cube.clips[0].tracks[0].curve.interpolation(), Interpolation::CubicSpline);
    let sparse = open("oddities/box_sparse.glb").unwrap();
    assert!(!sparse.meshes[0].targets[0].rows.is_empty());
}

/// Removes the tangents from a file that has tangents made by MikkTSpace, adds a normal map, and compares the generated tangents
/// with those that were removed.
fn check_generated_tangents(path: &Path) {
    let given = open(path).unwrap();
    let mut json: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let primitive = &mut json["meshes"][0]["primitives"][0];
    let targets = primitive["targets"].as_array().unwrap().len();
    for place in std::iter::once("/attributes".to_owned()).chain((0..targets).map(|at| format!("/targets/{at}"))) {
        assert!(primitive.pointer_mut(&place).unwrap().as_object_mut().unwrap().remove("TANGENT").is_some());
    }
    json["images"] = json!([{"uri": "flat.png"}]);
    json["textures"] = json!([{"source": 0}]);
    json["materials"][0]["normalTexture"] = json!({"index": 0});
    let copy = tempfile::tempdir().unwrap();
    let buffer = path.with_extension("bin");
    if buffer.exists() {
        std::fs::copy(&buffer, copy.path().join(buffer.file_name().unwrap())).unwrap();
    }
    image::RgbaImage::from_pixel(1, 1, image::Rgba([128, 128, 255, 255])).save(copy.path().join("flat.png")).unwrap();
    std::fs::write(copy.path().join("bare.gltf"), json.to_string()).unwrap();
    let made = open(&copy.path().join("bare.gltf")).unwrap();

    let (given, made) = (&given.meshes[0], &made.meshes[0]);
    assert_eq!(given.indices.len(), made.indices.len());
    for (&own, &new) in given.indices.iter().zip(&made.indices) {
        let (own, new) = (given.vertices.tangents[own as usize], made.vertices.tangents[new as usize]);
        assert!(own.truncate().dot(new.truncate()) > 0.999 && own.w == new.w, "{new} for {own}");
    }
}

/// Two triangles in the xy plane whose texture is rotated by 30°, and mirrored on one of them. On a plane, tangents need no
/// averaging: they point in the direction of increasing u. w is -1 where v increases to the left of that direction, because v
/// points downwards in glTF.
fn rotated_textures() -> GltfBuilder {
    let mut file = GltfBuilder::empty();
    let turn = glam::Vec2::from_angle(30_f32.to_radians());
    let corners = [[0., 0.], [1., 0.], [0., 1.], [5., 0.], [6., 0.], [5., 1.]].map(glam::Vec2::from);
    let uvs = corners.iter().enumerate().map(|(vertex, corner)| {
        let [u, v] = [corner.dot(turn), corner.dot(turn.perp())];
        if vertex < 3 { [u, v] } else { [u, -v] }
    });
    let tangents = (0..6).map(|vertex| [turn.x, turn.y, 0.0, if vertex < 3 { -1.0 } else { 1.0 }]);
    let tangents: Vec<f32> = tangents.flatten().collect();
    let positions: Vec<f32> = corners.iter().flat_map(|corner| [corner.x, corner.y, 0.0]).collect();
    let attributes = json!({
        "POSITION": file.floats("VEC3", &positions),
        "NORMAL": file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(6)),
        "TANGENT": file.floats("VEC4", &tangents),
        "TEXCOORD_0": file.floats("VEC2", &uvs.flatten().collect::<Vec<_>>()),
    });
    let still = file.floats("VEC3", &[0.0; 18]);
    let target = json!({"POSITION": still, "TANGENT": still});
    file.push("materials", json!({}));
    file.push("meshes", json!({"primitives": [{"attributes": attributes, "targets": [target], "material": 0}]}));
    file.push("nodes", json!({"mesh": 0}));
    file
}

#[test]
fn generated_tangents_equal_those_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turned.gltf");
    std::fs::write(&path, rotated_textures().gltf()).unwrap();
    check_generated_tangents(&path);

    // This file was written by Blender.
    if let Some(folder) = real_heads() {
        check_generated_tangents(&folder.join("blender_io/01_morphed_cube/01_morphed_cube.gltf"));
    }
}

/// Checks the invariants of a head that the rest of the program relies on.
fn check(head: &Head) {
    for mesh in &head.meshes {
        let count = mesh.vertices.len();
        let lengths = [mesh.vertices.tangents.len(), mesh.vertices.uvs.len(), mesh.vertices.colors.len()];
        assert!(lengths.iter().all(|&length| length == 0 || length == count));
        assert_eq!(mesh.vertices.normals.len(), count);
        assert!(mesh.node.is_none_or(|node| node < head.rig.nodes.len()));
        assert_eq!(mesh.vertices.influences.len(), if mesh.skin.is_some() { count } else { 0 });
        let joints = mesh.skin.map_or(0, |skin| head.rig.skins[skin].joints.len());
        let influences = |vertex| mesh.vertices.influences.of_vertex(vertex).iter();
        assert!(
            (0..count)
                .flat_map(influences)
                .all(|influence| (influence.joint as usize) < joints && influence.weight > 0.0)
        );
        assert!(mesh.vertices.positions.iter().all(|position| position.is_finite()));
        assert!(mesh.indices.iter().all(|&index| (index as usize) < count));
        assert!(mesh.parts.iter().all(|part| part.material < head.materials.len() && part.index_count % 3 == 0));
        for target in &mesh.targets {
            assert!(target.rows.is_sorted_by(|a, b| a < b) && target.rows.iter().all(|&row| (row as usize) < count));
            let columns = [&target.positions, &target.normals, &target.tangents];
            assert!(columns.iter().all(|column| column.is_empty() || column.len() == target.rows.len()));
            assert!(columns.iter().all(|column| column.iter().all(|delta| delta.is_finite())));
        }
    }
    let paired: usize = head.pairs.iter().map(|pair| 1 + usize::from(pair.second.is_some())).sum();
    assert_eq!(paired, head.channels.len());
}
