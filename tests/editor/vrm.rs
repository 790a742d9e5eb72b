//! VRM: the expressions of both versions.

use glam::{Vec3, Vec4};
use serde_json::{Value, json};
use smirk_base::progress::Progress;
use smirk_export::{FrameSpan, Performance};
use smirk_face::head::{Curve, Interpolation};
use smirk_face::head::{Head, Level, MaterialValue, Override, Preset, Region};
use smirk_face::motion::{EditKind, FrameRate, Layer, Take, TakeColumn, TakeEdit};
use smirk_files::import;
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::head_checks::says;
use smirk_support::test_files::real_heads;

/// A triangle, shown by node 0 and again by node 1, with targets `one` (its first vertex up by 1) and `two`.
fn avatar() -> GltfBuilder {
    let mut file = GltfBuilder::triangle();
    let up = file.floats("VEC3", &[0., 1., 0., 0., 0., 0., 0., 0., 0.]);
    file.primitive()["targets"] = json!([{"POSITION": up}, {"POSITION": up}]);
    file.primitive()["extras"] = json!({"targetNames": ["one", "two"]});
    file.push("nodes", json!({"mesh": 0}));
    file
}

fn vrm1(expressions: Value) -> GltfBuilder {
    let mut file = avatar();
    file.json["extensions"] = json!({"VRMC_vrm": {
        "specVersion": "1.0",
        "meta": {"name": "Ada", "authors": ["B. C.", "D. E."], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
        "expressions": expressions,
    }});
    file.json["extensionsRequired"] = json!(["VRMC_vrm"]);
    file
}

fn vrm0(groups: Value) -> GltfBuilder {
    let mut file = avatar();
    file.json["extensions"] = json!({"VRM": {"meta": {"title": "Ada", "author": "B. C.", "licenseName": "CC0"}, "blendShapeMaster": {"blendShapeGroups": groups}}});
    file
}

fn listed(head: &Head) -> Vec<&str> {
    head.channels.iter().filter(|channel| channel.region == Region::Expressions).map(|it| it.name.as_str()).collect()
}

/// The weights of targets with these values of sliders.
fn blended(head: Head, sliders: &[(&str, f32)]) -> Vec<f32> {
    let mut session = Session::new(head.into(), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    for (name, value) in sliders {
        let channel = session.head.channel_named(name).unwrap();
        session.channel_mut(channel).set(*value);
    }
    session.weights().to_vec()
}

#[test]
fn expressions_of_version_1_add_to_the_targets_own_sliders() {
    let file = vrm1(json!({
        "preset": {
            "blink": {"morphTargetBinds": [{"node": 0, "index": 1, "weight": 1.0}]},
            "happy": {"overrideBlink": "blend", "morphTargetBinds": [{"node": 0, "index": 0, "weight": 0.5}]},
            "aa": {},
        },
        "custom": {"grin": {"isBinary": true, "overrideMouth": "block", "morphTargetBinds": [{"node": 1, "index": 0}]}},
    }));
    let head = file.open().unwrap();
    assert_eq!(listed(&head), ["happy", "aa", "blink", "grin"], "in the specification's order");
    assert_eq!(head.pairs[0].region, Region::Expressions);
    assert_eq!((head.target_count(), head.default_weights().len()), (4, 8));
    assert_eq!(head.expressions[3].override_mouth, Override::Block);
    assert!(
        says(&head, Level::Info, "\"Ada\"; by \"B. C.\", \"D. E.\"; licence \"https://vrm.dev"),
        "{:?}",
        head.notes
    );
    assert!(says(&head, Level::Info, "\"aa\" change nothing"), "{:?}", head.notes);
    assert!(!head.notes.iter().any(|note| note.level == Level::Warning), "{:?}", head.notes);
    assert_eq!(head.meshes[0].world_from_mesh.transform_point3(Vec3::Z), Vec3::Z, "it faces the front");
    assert_eq!(
        blended(head, &[("happy", 0.5), ("blink", 1.0), ("one", 0.25), ("grin", 0.6)]),
        [0.25 + 0.25, 0.5, 0.25 + 1.0, 0.0]
    );
}

#[test]
fn groups_of_version_0_keep_their_names_and_move_every_instance() {
    let mut file = vrm0(json!([
        {"name": "Fun", "presetName": "fun", "binds": [{"mesh": 0, "index": 1, "weight": 50}]},
        {"name": "Special", "presetName": "unknown", "isBinary": true, "binds": [{"mesh": 0, "index": 0}]},
        {"name": "Joy", "presetName": "joy", "binds": [{"mesh": 0, "index": 0, "weight": 100}]},
        {"name": "Joy", "presetName": "a", "materialValues": [{"materialName": "m"}, {"materialName": "skin", "propertyName": "_RimColor", "targetValue": [1, 0, 0, 1]}]},
        {"presetName": "Blink_L"},
    ]));
    file.push("materials", json!({"name": "skin"}));
    let head = file.open().unwrap();
    assert_eq!(listed(&head), ["Joy", "Fun", "Joy (2)", "blinkLeft", "Special"]);
    assert_eq!(head.expressions[0].preset, Some(Preset::Happy));
    assert!(says(&head, Level::Info, "title \"Ada\"; by \"B. C.\"; licence \"CC0\""), "{:?}", head.notes);
    assert!(
        says(&head, Level::Warning, "1 of its 2 binds have no material (no material is called \"m\")"),
        "{:?}",
        head.notes
    );
    assert!(says(&head, Level::Warning, "\"Joy (2)\" also change the colours of toon shading"), "{:?}", head.notes);
    let turned = head.meshes[0].world_from_mesh.transform_vector3(Vec3::NEG_Z);
    assert!(turned.distance(Vec3::Z) < 1e-6 && says(&head, Level::Info, "turned to the front"), "{turned}");
    assert_eq!(head.channel_alike("happy"), head.channel_alike("Joy"), "a channel is also found by its preset");
    assert_eq!(blended(head, &[("Joy", 0.5), ("Fun", 1.0), ("Special", 0.4)]), [0.5, 0.5, 0.5, 0.5]);
}

#[test]
fn binds_without_a_target_are_left_out_with_a_note() {
    let one = vrm1(json!({"preset": {"happy": {"morphTargetBinds": [
        {"node": 9, "index": 0}, {"node": 0, "index": 7}, {"index": 0}, 5, {"node": 0, "index": 1}]}, "sad": 3}}));
    let head = one.open().unwrap();
    assert!(says(
        &head,
        Level::Warning,
        "expression \"happy\": 4 of its 5 binds have no target (node 9 shows no mesh)"
    ));
    assert_eq!((listed(&head), head.expressions[0].binds.len()), (vec!["happy"], 1));
    let zero = vrm0(json!([{"name": "Joy", "binds": [{"mesh": 4, "index": 0}, {"mesh": 0, "index": -1}]}, []]));
    let head = zero.open().unwrap();
    assert!(says(&head, Level::Warning, "2 of its 2 binds have no target (mesh 4 is not shown)"), "{:?}", head.notes);
    for nonsense in [json!(null), json!([]), json!({"expressions": {"preset": [], "custom": 5}, "meta": 7})] {
        let mut file = avatar();
        file.json["extensions"] = json!({"VRMC_vrm": nonsense, "VRM": {"blendShapeMaster": []}});
        assert!(file.open().unwrap().expressions.is_empty());
    }
}

/// What an expression does to each material.
fn materials_of(head: &Head, expression: &str) -> Vec<(usize, MaterialValue)> {
    let found = head.expressions.iter().find(|found| found.name == expression).unwrap();
    found.materials.iter().map(|bind| (bind.material, bind.value)).collect()
}

#[test]
fn expressions_change_colours_light_and_texture_coordinates_of_materials() {
    let transform = |scale: [f32; 2], offset: [f32; 2]| MaterialValue::TextureTransform {
        scale: scale.into(),
        offset: offset.into(),
    };
    let lamp = json!({"name": "eyes", "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4}}});
    let mut one = vrm1(json!({
        "preset": {"happy": {
            "materialColorBinds": [
                {"material": 1, "type": "color", "targetValue": [1, 0.5, 0.25, 0.5]},
                {"material": 0, "type": "emissionColor", "targetValue": [0.5, 0, 0, 1]},
                {"material": 1, "type": "shadeColor", "targetValue": [1, 1, 1, 1]},
                {"material": 9, "type": "color", "targetValue": [1, 1, 1, 1]},
                {"material": 0, "type": "color", "targetValue": [1, 1]},
            ],
            "textureTransformBinds": [{"material": 0, "offset": [0.5, 0]}, {"scale": [1, 1]}],
        }},
    }));
    one.push("materials", lamp.clone());
    one.push("materials", json!({"name": "cheeks"}));
    let head = one.open().unwrap();
    assert_eq!(
        materials_of(&head, "happy"),
        [
            (1, MaterialValue::BaseColor(Vec4::new(1.0, 0.5, 0.25, 0.5))),
            (0, MaterialValue::Emissive(Vec3::new(2.0, 0.0, 0.0))),
            (0, transform([1.0, 1.0], [0.5, 0.0])),
        ]
    );
    assert!(says(&head, Level::Warning, "2 of its 5 binds have no material (material 9 of 2)"), "{:?}", head.notes);
    assert!(says(&head, Level::Warning, "1 of its 2 binds have no material (names no material)"), "{:?}", head.notes);
    assert!(says(&head, Level::Warning, "\"happy\" also change the colours of toon shading"), "{:?}", head.notes);

    let value = |name: &str, property: &str, target: Value| json!({"materialName": name, "propertyName": property, "targetValue": target});
    let mut zero = vrm0(json!([{"name": "Joy", "presetName": "joy", "materialValues": [
        value("cheeks", "_Color", json!([1, 0.5, 0.25, 0.5])),
        value("eyes", "_EmissionColor", json!([0.5, 0, 0, 1])),
        value("eyes", "_MainTex_ST", json!([0.5, 0.25, 0.125, 0.5])),
        value("cheeks", "_MainTex_ST_S", json!([0.5, 0, 0.25, 0])),
        value("cheeks", "_MainTex_ST_T", json!([0, 0.5, 0, 0.25])),
    ]}]));
    zero.push("materials", lamp);
    zero.push("materials", json!({"name": "cheeks"}));
    let head = zero.open().unwrap();
    assert_eq!(
        materials_of(&head, "Joy"),
        [
            (1, MaterialValue::BaseColor(Vec4::new(1.0, 0.5, 0.25, 0.5))),
            (0, MaterialValue::Emissive(Vec3::new(2.0, 0.0, 0.0))),
            (0, transform([0.5, 0.25], [0.125, 0.25])),
            (1, transform([0.5, 1.0], [0.25, 0.0])),
            (1, transform([1.0, 0.5], [0.0, 0.25])),
        ],
        "in Unity, v begins at the bottom"
    );
    let mut session = Session::new(head.into(), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    let joy = session.head.channel_named("Joy").unwrap();
    session.channel_mut(joy).set(0.5);
    assert_eq!(*session.scene([64; 2]).expression_outputs, [0.5]);
}

#[test]
fn an_avatar_whose_expressions_change_materials_alone_is_not_said_to_stand_still() {
    let open = |binds: Value| {
        let mut file = GltfBuilder::triangle();
        file.push("materials", json!({"name": "cheeks"}));
        file.json["extensions"] =
            json!({"VRMC_vrm": {"specVersion": "1.0", "expressions": {"preset": {"happy": binds}}}});
        file.open().unwrap()
    };
    assert!(says(&open(json!({})), Level::Info, "has no morph targets"));
    let moved = open(json!({"textureTransformBinds": [{"material": 0, "offset": [0.5, 0]}]}));
    assert!(!says(&moved, Level::Info, "has no morph targets"), "{:?}", moved.notes);
    assert_eq!(materials_of(&moved, "happy").len(), 1);
}

#[test]
fn poses_keys_undo_and_projects_include_expressions() {
    let file = vrm1(json!({"preset": {"happy": {"morphTargetBinds": [{"node": 0, "index": 0}]}}}));
    let head = std::sync::Arc::new(file.open().unwrap());
    let happy = head.channel_named("happy").unwrap();
    let open = || Session::new(head.clone(), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    let mut session = open();
    session.channel_mut(happy).set(0.75);
    session.commit();
    let pose = session.poses_mut().store("glad");
    session.keys_mut().key(happy);
    let project = smirk_editor::document::Project::from_session(&session);
    let mut other = open();
    let takes = project.read_takes(&other.head);
    let notes = project.apply(&mut other, &takes);
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(*other.weights(), [0.75, 0.0, 0.0, 0.0]);
    other.reset_all();
    assert_eq!(other.weights()[0], 0.75, "its key");
    other.keys_mut().edit_channel(happy, |keys, name| keys.clear(name));
    assert_eq!(other.weights()[0], 0.0);
    other.poses_mut().set_amount(pose, 0.5);
    assert_eq!(other.weights()[0], 0.375);
    let mut undone = open();
    undone.channel_mut(happy).set(1.0);
    undone.commit();
    assert!(undone.undo() && undone.weights()[0] == 0.0);
}

#[test]
fn the_number_of_binds_times_instances_is_limited() {
    let mut file = vrm0(json!([{"name": "Joy", "binds": vec![json!({"mesh": 0, "index": 0}); 20_000]}]));
    for _ in 0..2000 {
        file.push("nodes", json!({"mesh": 0}));
    }
    let head = file.open().unwrap();
    assert!(head.expressions[0].binds.len() < 10_000_000, "{} binds", head.expressions[0].binds.len());
    assert!(says(&head, Level::Warning, "more than the"), "{:?}", head.notes);
}

#[test]
fn the_number_of_values_times_materials_of_a_name_is_limited() {
    let value = json!({"materialName": "m", "propertyName": "_Color", "targetValue": [1, 0, 0, 1]});
    let mut file = vrm0(json!([{"name": "Joy", "materialValues": vec![value; 20_000]}]));
    for _ in 0..2000 {
        file.push("materials", json!({"name": "m"}));
    }
    let head = file.open().unwrap();
    assert!(head.expressions[0].materials.len() < 10_000_000, "{} binds", head.expressions[0].materials.len());
    assert!(says(&head, Level::Warning, "more than the"), "{:?}", head.notes);
}

/// A rig whose names are of no help: node 2 is the neck, 3 the head, 4 and 5 the left and the right eye. Node 6 is called `Head`.
fn boned(mut file: GltfBuilder) -> GltfBuilder {
    file.push("nodes", json!({"name": "a", "children": [3], "translation": [0.0, 1.4, 0.0]}));
    file.push("nodes", json!({"name": "b", "children": [4, 5], "translation": [0.0, 0.1, 0.0]}));
    file.push("nodes", json!({"name": "c", "translation": [0.03, 0.05, 0.1]}));
    file.push("nodes", json!({"name": "d", "translation": [-0.03, 0.05, 0.1]}));
    file.push("nodes", json!({"name": "Head"}));
    let joints = json!([2, 3, 4, 5, 6]);
    file.push("skins", json!({"joints": joints}));
    file
}

/// The names of the nodes that turn the head, the left and the right eye, and the point that the whole head turns about.
fn turned_by(head: &Head) -> ([Option<&str>; 3], Vec3) {
    let name = |node: Option<usize>| node.map(|node| head.rig.nodes[node].name.as_str());
    let joints = head.face_joints;
    ([name(joints.head), name(joints.eyes[0]), name(joints.eyes[1])], head.neck)
}

#[test]
fn bones_of_both_versions_turn_the_head_and_the_eyes() {
    let map = |degrees: f32| json!({"inputMaxValue": 90.0, "outputScale": degrees});
    let mut one = boned(vrm1(json!({})));
    one.json["extensions"]["VRMC_vrm"]["humanoid"] = json!({"humanBones": {
        "head": {"node": 3}, "neck": {"node": 2}, "leftEye": {"node": 4}, "rightEye": {"node": 5}}});
    one.json["extensions"]["VRMC_vrm"]["lookAt"] = json!({"type": "bone", "rangeMapHorizontalInner": map(8.0),
        "rangeMapHorizontalOuter": map(12.0), "rangeMapVerticalDown": map(10.0), "rangeMapVerticalUp": map(9.0)});
    let mut zero = boned(vrm0(json!([])));
    zero.json["extensions"]["VRM"]["humanoid"] = json!({"humanBones": [
        {"bone": "rightEye", "node": 5}, {"bone": "leftEye", "node": 4}, {"bone": "head", "node": 3},
        {"bone": "neck", "node": 2}, {"bone": "jaw", "node": -1}]});
    let map = |degrees: f32| json!({"xRange": 90.0, "yRange": degrees});
    zero.json["extensions"]["VRM"]["firstPerson"] = json!({"lookAtTypeName": "Bone", "lookAtHorizontalInner": map(8.0),
        "lookAtHorizontalOuter": map(12.0), "lookAtVerticalDown": map(10.0), "lookAtVerticalUp": map(9.0)});
    for file in [one, zero] {
        let head = file.open().unwrap();
        let (names, neck) = turned_by(&head);
        assert_eq!(names, [Some("b"), Some("c"), Some("d")]);
        assert!(neck.distance(Vec3::Y * 1.4) < 1e-6, "{neck}");
        let range = head.rig.humanoid.eye_range.unwrap();
        let degrees = [range.inwards, range.outwards, range.down, range.up].map(|angle| angle.to_degrees().round());
        assert_eq!(degrees, [8.0, 12.0, 10.0, 9.0]);
        assert!(!head.notes.iter().any(|note| note.level == Level::Warning), "{:?}", head.notes);
    }
}

#[test]
fn bones_that_do_not_exist_are_left_out_with_a_note() {
    let mut file = boned(vrm1(json!({})));
    file.json["extensions"]["VRMC_vrm"]["humanoid"] =
        json!({"humanBones": {"head": {"node": 99}, "neck": 7, "leftEye": {"node": "x"}}});
    file.json["extensions"]["VRMC_vrm"]["lookAt"] =
        json!({"type": "bone", "rangeMapHorizontalInner": {"outputScale": -8}});
    let head = file.open().unwrap();
    assert_eq!((turned_by(&head).0, head.rig.humanoid.neck), ([None; 3], None), "node 6 carries nothing");
    assert_eq!(head.rig.humanoid.eye_range, None);
    assert!(says(&head, Level::Warning, "the bone head is node 99, which does not exist"), "{:?}", head.notes);
    assert!(says(&head, Level::Warning, "the bone leftEye is node"), "{:?}", head.notes);
    for nonsense in [json!(null), json!([]), json!({"humanBones": 3}), json!({"humanBones": [1, {"bone": 2}]})] {
        for version in ["VRM", "VRMC_vrm"] {
            let mut file = avatar();
            file.json["extensions"] = json!({version: {"humanoid": nonsense, "lookAt": 5, "firstPerson": []}});
            assert_eq!(file.open().unwrap().rig.humanoid, Default::default());
        }
    }
}

#[test]
fn a_real_avatar_names_its_bones() {
    let Some(path) = real_heads().map(|heads| heads.join("vrm/custom_normal.vrm")).filter(|path| path.exists()) else {
        return;
    };
    let head = import::open(&path).unwrap();
    assert_eq!(turned_by(&head).0, [Some("head"), Some("eye.L"), Some("eye.R")]);
    let range = head.rig.humanoid.eye_range.unwrap();
    assert_eq!([range.inwards, range.outwards].map(|angle| angle.to_degrees().round()), [8.0, 12.0]);
}

/// A take with angles of the eyes, in radians: of each of these columns, the value at 0 and at 1 s.
fn take_of(columns: &[(&str, [f32; 2])]) -> Take {
    let named = columns.iter().enumerate();
    let named = named.map(|(element, (name, _))| TakeColumn { name: (*name).into(), track: 0, element }).collect();
    let values = (0..2).flat_map(|key| columns.iter().map(move |(_, values)| values[key])).collect();
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], values, columns.len()).unwrap();
    Take { name: "look".into(), columns: named, tracks: vec![curve], duration_secs: 1.0, ..Take::default() }
}

fn playing(head: Head, take: Take) -> Session {
    let mut session = Session::new(head.into(), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.takes_mut().add(vec![take]);
    let first = session.edits.takes[0].id;
    session.takes_mut().select(Some(first));
    session.clock.timeline.playing = false;
    session
}

#[test]
fn the_gaze_of_an_avatar_without_bones_in_its_eyes_is_shown_by_expressions() {
    let looks = ["lookUp", "lookDown", "lookLeft", "lookRight"];
    let expressions: serde_json::Map<String, Value> =
        looks.iter().map(|name| ((*name).to_owned(), json!({"morphTargetBinds": [{"node": 0, "index": 0}]}))).collect();
    let mut one = vrm1(json!({"preset": expressions}));
    let map = |degrees: f32, scale: f32| json!({"inputMaxValue": degrees, "outputScale": scale});
    one.json["extensions"]["VRMC_vrm"]["lookAt"] = json!({
        "type": "expression", "rangeMapHorizontalInner": map(1.0, 1.0), "rangeMapHorizontalOuter": map(40.0, 0.8),
        "rangeMapVerticalDown": map(20.0, 1.0), "rangeMapVerticalUp": map(10.0, 0.5),
    });
    let mut zero = vrm0(json!(
        looks.iter().map(|name| json!({"name": name, "presetName": name.to_lowercase()})).collect::<Vec<_>>()
    ));
    let curve =
        |degrees: f32, scale: f32| json!({"curve": [0, 0, 0, 1, 1, 1, 1, 0], "xRange": degrees, "yRange": scale});
    zero.json["extensions"]["VRM"]["firstPerson"] = json!({
        "lookAtTypeName": "BlendShape", "lookAtHorizontalInner": curve(1.0, 1.0),
        "lookAtHorizontalOuter": curve(40.0, 0.8), "lookAtVerticalDown": curve(20.0, 1.0), "lookAtVerticalUp": curve(10.0, 0.5),
    });
    for file in [one, zero] {
        // Positive yaws of the columns are to the own right, and positive pitches down; the left eye looks 10 degrees further.
        let [yaw, pitch] = [[15.0_f32, 5.0], [-8.0, -8.0]].map(|angles| angles.map(f32::to_radians));
        let columns =
            [("LeftEyeYaw", yaw[0]), ("RightEyeYaw", yaw[1]), ("LeftEyePitch", pitch[0]), ("RightEyePitch", pitch[1])];
        let head = file.open().unwrap();
        let mut session = playing(head, take_of(&columns.map(|(name, angle)| (name, [0.0, angle]))));
        let value = |session: &Session, name: &str| {
            let channel = session.head.channel_named(name).unwrap();
            (session.head.channel_value(channel, &session.mix().weights), session.mix().layers[channel])
        };
        session.seek(1.0);
        for (name, wanted) in [("lookRight", 0.2), ("lookLeft", 0.0), ("lookUp", 0.4), ("lookDown", 0.0)] {
            let (found, layer) = value(&session, name);
            assert!((found - wanted).abs() < 1e-5 && layer == Layer::Take, "{name} is {found} by {layer:?}");
        }
        assert!(session.world_from_nodes().is_empty(), "no bone turns an eye");
        session.edits.head_and_eyes.eyes = false;
        assert_eq!(value(&session, "lookRight").0, 0.0, "the eyes are not turned");
        // A column of the expression itself comes before the angles.
        let own = take_of(&[("lookRight", [1.0, 0.75]), ("LeftEyeYaw", [0.2, 0.2])]);
        let mut session = playing(file.open().unwrap(), own);
        session.seek(1.0);
        assert_eq!(value(&session, "lookRight").0, 0.75);
        assert_eq!(value(&session, "lookLeft").0, 0.0);
    }
}

#[test]
fn a_take_of_a_body_moves_the_bones_of_an_avatar_in_the_time_of_the_edited_take() {
    let mut file = vrm1(json!({}));
    let (hips, arm) = (file.push("nodes", json!({"translation": [0, 1, 0], "children": [3]})), 3);
    file.push("nodes", json!({"translation": [0.5, 0, 0]}));
    assert_eq!(hips, 2);
    file.json["scenes"] = json!([{"nodes": [0, 1, 2]}]);
    file.json["extensions"]["VRMC_vrm"]["humanoid"] =
        json!({"humanBones": {"hips": {"node": hips}, "leftUpperArm": {"node": arm}}});
    let mut animation = GltfBuilder::empty();
    animation.push("nodes", json!({"name": "arm"}));
    let turned = glam::Quat::from_rotation_z(1.0).to_array();
    let times = animation.floats("SCALAR", &[0.0, 1.0]);
    let values = animation.floats("VEC4", &[[0.0, 0.0, 0.0, 1.0], turned].concat());
    animation.push(
        "animations",
        json!({
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
            "samplers": [{"input": times, "output": values}],
        }),
    );
    animation.json["extensions"] = json!({"VRMC_vrm_animation": {"specVersion": "1.0", "humanoid": {"humanBones": {"leftUpperArm": {"node": 0}}}}});
    let take = || import::open_takes_bytes(&animation.glb(), "wave.vrma".as_ref()).unwrap().remove(0);
    let head = file.open().unwrap();
    let node = head.avatar.as_ref().unwrap().bones.iter().find(|(name, _)| name == "leftUpperArm").unwrap().1;
    let mut session = playing(head, take());
    let angle = |session: &Session, secs: f32| {
        let mut session = session.clone();
        session.seek(secs);
        let world =
            session.world_from_nodes().get(node).copied().unwrap_or(session.head.rest_pose.world_from_node()[node]);
        world.to_scale_rotation_translation().1.to_axis_angle().1
    };
    assert!((angle(&session, 0.5) - 0.5).abs() < 1e-5 && angle(&session, 0.0) < 1e-5);
    session.edits.head_and_eyes.body = false;
    assert!(angle(&session, 0.5) < 1e-5, "it is switched off");
    session.edits.head_and_eyes.body = true;
    // Half as quick, and held for a second at the end of its first half.
    let on = |kind, from: f32, to: f32| TakeEdit { kind, span: Some([from, to]), ..TakeEdit::default() };
    session.edits.takes[0].edits = vec![on(EditKind::Stretch(2.0), 0.0, 1.0), on(EditKind::InsertTime(1.0), 1.0, 1.0)];
    for (secs, wanted) in [(0.5, 0.25), (1.0, 0.5), (1.5, 0.5), (2.0, 0.5), (2.5, 0.75), (3.0, 1.0)] {
        let found = angle(&session, secs);
        assert!((found - wanted).abs() < 2e-3, "{found} at {secs} s");
    }
    let span = FrameSpan::new(FrameRate::nearest(30.0), 0, 90).unwrap();
    let performance = Performance::evaluate(&session, span, Progress::NONE).unwrap();
    assert!(performance.has_other_motion, "an export of weights says that it leaves out the body");
    assert_eq!(performance.nodes.iter().map(|motion| motion.node).collect::<Vec<_>>(), [node]);
    let other = playing(vrm1(json!({})).open().unwrap(), take());
    assert!(other.world_from_nodes().is_empty(), "a head without bones");
}
