//! `KHR_character_expression`: expressions that are animations, as they are read, shown and saved.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3};
use serde_json::{Value, json};
use smirk_analysis::mend::{Kind as MendKind, Mend, SetExpression, apply};
use smirk_base::atomic_file::OutputPath;
use smirk_export::{HeadExport, glb};
use smirk_face::head::{ExpressionForm, Head, Level, MaskKind, Override, Points, RigPose, Wrap};
use smirk_files::import::{self, open_bytes};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

use smirk_support::fbx_builder::png;
use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::head_checks::says;

/// A sampler: interpolation, times, type of the values, values.
type Keys<'a> = (&'a str, &'a [f32], &'a str, &'a [f32]);

fn add_animation(file: &mut GltfBuilder, name: &str, channels: &[(Value, Keys<'_>)]) {
    let (mut samplers, mut list) = (Vec::new(), Vec::new());
    for (at, (target, (interpolation, times, kind, values))) in channels.iter().enumerate() {
        let (input, output) = (file.floats("SCALAR", times), file.floats(kind, values));
        let bounds = [times[0], times[times.len() - 1]];
        (file.json["accessors"][input]["min"], file.json["accessors"][input]["max"]) =
            (json!([bounds[0]]), json!([bounds[1]]));
        samplers.push(json!({"input": input, "output": output, "interpolation": interpolation}));
        list.push(json!({"sampler": at, "target": target}));
    }
    file.push("animations", json!({"name": name, "channels": list, "samplers": samplers}));
}

/// What a .glb of a head does not have.
fn left_out(head: &Head) -> Vec<String> {
    HeadExport::new(Arc::new(Head::new(head.to_asset())), OutputPath::new("head.glb")).left_out()
}

fn pointer(pointer: &str) -> Value {
    json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}})
}

const TURNED: [f32; 4] = [0.0, 0.0, 0.382_683_43, 0.923_879_5];
const OPEN: [f32; 4] = [0.382_683_43, 0.0, 0.0, 0.923_879_5];

/// A textured triangle with three targets, skinned to the joints `head` and `jaw`, and expressions with all parts of the
/// draft. Animation 1 is a clip.
fn character() -> GltfBuilder {
    let mut file = GltfBuilder::textured_triangle();
    let view = file.view(&png());
    file.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
    let transform = json!({"KHR_texture_transform": {"offset": [0.125, 0.25], "scale": [0.5, 0.5], "rotation": 0.25}});
    file.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["extensions"] = transform;
    file.json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = json!([0.5, 0.25, 1.0, 1.0]);
    let [up, out, side] = [[0.0, 1.0, 0.0], [0.0, 0.0, 0.5], [0.25, 0.0, 0.0]].map(|delta: [f32; 3]| {
        let deltas: Vec<f32> = [delta, [0.0; 3], [0.0, 0.125, 0.0]].concat();
        json!({"POSITION": file.floats("VEC3", &deltas)})
    });
    file.primitive()["targets"] = json!([up, out, side]);
    file.json["meshes"][0]["weights"] = json!([0.25, 0.0, 0.0]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["up", "out", "side"]});
    let joints: Vec<u8> = [[0, 1, 0, 0]; 3].concat();
    let joints = file.accessor("VEC4", smirk_support::gltf_builder::UNSIGNED_BYTE, 3, &joints);
    let weights = file.floats("VEC4", &[1.0, 0.0, 0.0, 0.0, 0.25, 0.75, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let attributes = &mut file.primitive()["attributes"];
    (attributes["JOINTS_0"], attributes["WEIGHTS_0"]) = (json!(joints), json!(weights));
    let head_from_mesh = Mat4::from_translation(Vec3::NEG_Y);
    let jaw_from_mesh =
        (Mat4::from_translation(Vec3::new(0.0, 1.5, 0.25)) * Mat4::from_quat(Quat::from_array(TURNED))).inverse();
    let matrices = [head_from_mesh.to_cols_array(), jaw_from_mesh.to_cols_array()].concat();
    let inverse = file.floats("MAT4", &matrices);
    file.push("skins", json!({"joints": [1, 2], "inverseBindMatrices": inverse}));
    file.json["nodes"] = json!([
        {"name": "face", "mesh": 0, "skin": 0},
        {"name": "head", "translation": [0.0, 1.0, 0.0], "children": [2]},
        {"name": "jaw", "translation": [0.0, 0.5, 0.25], "rotation": TURNED},
        {"name": "all", "children": [0, 1]}
    ]);
    (file.json["scene"], file.json["scenes"]) = (json!(0), json!([{"nodes": [3]}]));
    let weights = json!({"node": 0, "path": "weights"});
    let smile: &[f32] = &[0.25, 0.0, 0.0, 1.0, 0.0, 0.5];
    add_animation(&mut file, "smile", &[(weights.clone(), ("LINEAR", &[0.0, 1.0], "SCALAR", smile))]);
    let nod = json!({"node": 1, "path": "translation"});
    add_animation(&mut file, "nod", &[(nod, ("LINEAR", &[0.0, 1.0], "VEC3", &[0.0, 1.0, 0.0, 0.0, 2.0, 0.0]))]);
    let wink = (pointer("/nodes/0/weights/1"), ("STEP", &[0.0, 0.5, 2.0][..], "SCALAR", &[0.0, 0.75, 1.0][..]));
    add_animation(&mut file, "wink", &[wink]);
    let spline: Vec<f32> = [
        [[0.0; 3], [0.25, 0.0, 0.0], [0.0, 1.0, 0.0]].concat(),
        [[0.0, 0.5, 0.0], [0.25, 0.5, 0.25], [0.0; 3]].concat(),
    ]
    .concat();
    let open: Vec<f32> = [TURNED, OPEN, [0.0, 0.382_683_43, 0.0, 0.923_879_5]].concat();
    let path = |path: &str| json!({"node": 2, "path": path});
    add_animation(
        &mut file,
        "aa",
        &[
            (weights, ("CUBICSPLINE", &[0.0, 1.5], "SCALAR", &spline)),
            (path("rotation"), ("LINEAR", &[0.0, 0.5, 1.0], "VEC4", &open)),
            (path("translation"), ("LINEAR", &[0.0, 2.0], "VEC3", &[0.0, 0.5, 0.25, 0.0, 0.25, 0.5])),
        ],
    );
    let drop: Vec<f32> = [TURNED, OPEN].concat();
    add_animation(
        &mut file,
        "drop",
        &[
            (path("rotation"), ("LINEAR", &[0.0, 1.0], "VEC4", &drop)),
            (pointer("/nodes/2/scale"), ("LINEAR", &[0.0, 1.0], "VEC3", &[1.0, 1.0, 1.0, 1.5, 1.0, 0.5])),
        ],
    );
    let of_color = "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform";
    let color: &[f32] = &[0.5, 0.25, 1.0, 1.0, 1.0, 0.0, 0.5, 0.25];
    add_animation(
        &mut file,
        "blush",
        &[
            (pointer(&format!("{of_color}/offset")), ("LINEAR", &[0.0, 1.0], "VEC2", &[0.125, 0.25, 0.5, 0.75])),
            (
                pointer(&format!("{of_color}/scale")),
                ("STEP", &[0.0, 0.5, 1.0], "VEC2", &[0.5, 0.5, 1.0, 2.0, 1.0, 3.0]),
            ),
            (pointer(&format!("{of_color}/rotation")), ("LINEAR", &[0.0, 1.0], "SCALAR", &[0.25, 0.75])),
            (pointer("/materials/0/pbrMetallicRoughness/baseColorFactor"), ("LINEAR", &[0.0, 1.0], "VEC4", color)),
        ],
    );
    let typed =
        |kind: &str, channels: &[usize]| (format!("KHR_character_expression_{kind}"), json!({"channels": channels}));
    let entry = |label: &str, animation: usize, extensions: Vec<(String, Value)>| json!({"expression": label, "animation": animation, "extensions": Value::Object(extensions.into_iter().collect())});
    let masks = |masks: Value| ("KHR_character_expression_mask".to_owned(), json!({"masks": masks}));
    let on_aa = json!({"target": 2, "type": "blend", "amount": 0.5});
    let own = json!({"target": 0, "type": "of an application", "strength": [1, 2]});
    let on_smile = json!({"target": 0, "type": "block", "threshold": 0.25, "amount": 0.75});
    file.json["extensions"] = json!({
        "KHR_character": {"rootNode": 3},
        "KHR_character_expression": {"expressions": [
            entry("smile", 0, vec![typed("morphtarget", &[0]), masks(json!([on_aa, own]))]),
            entry("wink", 2, vec![typed("morphtarget", &[0]), masks(json!([on_smile]))]),
            entry("aa", 3, vec![typed("morphtarget", &[0]), typed("joint", &[2, 1])]),
            entry("drop", 4, vec![typed("joint", &[0, 1])]),
            entry("blush", 5, vec![typed("texture", &[0, 1, 2])]),
            entry("smile", 0, vec![typed("morphtarget", &[0])]),
        ], "extras": null},
        "KHR_character_expression_mapping": {"expressionSetMappings": {"arkit": {
            "jawOpen": [{"source": "aa", "weight": 0.75}, {"source": "drop", "weight": 0.5}],
            "eyeBlinkLeft": [{"source": "wink", "weight": 1}],
        }}},
    });
    file.json["extensions"]["KHR_character_expression"].as_object_mut().unwrap().remove("extras");
    file
}

fn session(head: Head) -> Session {
    Session::new(head.into(), HeadSource::Embedded, Look::default(), BlendMode::Cpu)
}

fn set(session: &mut Session, values: &[(&str, f32)]) {
    for (name, value) in values {
        let channel = session.head.channel_named(name).unwrap();
        session.channel_mut(channel).set(*value);
    }
}

fn written(head: &Head) -> Value {
    let bytes = glb(head).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

fn near(found: &[f32], wanted: &[f32]) {
    let off = found.iter().zip(wanted).map(|(found, wanted)| (found - wanted).abs()).fold(0.0, f32::max);
    assert!(found.len() == wanted.len() && off < 1e-5, "{found:?} is not {wanted:?}");
}

#[test]
fn an_expression_is_a_channel_that_samples_its_animation_and_no_clip() {
    let head = character().open().unwrap();
    assert_eq!(head.clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["nod"]);
    let names: Vec<&str> = head.expressions.iter().map(|expression| expression.name.as_str()).collect();
    assert_eq!(names, ["smile", "wink", "aa", "drop", "blush", "smile (2)"]);
    assert_eq!(head.expression_form, ExpressionForm::Khr);
    assert!(!head.notes.iter().any(|note| note.level == Level::Warning), "{:?}", head.notes);
    let weights = |values: &[(&str, f32)]| {
        let mut session = session(character().open().unwrap());
        set(&mut session, values);
        session.weights().to_vec()
    };
    near(&weights(&[]), &[0.25, 0.0, 0.0]);
    near(&weights(&[("smile", 0.5)]), &[0.625, 0.0, 0.25]);
    // Its last key is at 2 s, and 0.24 of that is before the step.
    near(&weights(&[("wink", 0.24)]), &[0.25, 0.0, 0.0]);
    near(&weights(&[("wink", 0.25)]), &[0.25, 0.75, 0.0]);
    near(&weights(&[("wink", 7.0)]), &[0.25, 1.0, 0.0]);
    // A spline that ends at 1.5 of 2 s: at 0.375, the middle, with an out tangent of 1 and an in tangent of 0.5.
    near(&weights(&[("aa", 0.375)]), &[0.25, 0.25 + 0.125 * 1.5 - 0.125 * 0.75, 0.125]);
    near(&weights(&[("aa", 0.9)]), &[0.25, 0.5, 0.25]);
}

#[test]
fn masks_reduce_by_the_values_before_they_are_reduced() {
    let mut session = session(character().open().unwrap());
    let outputs = |session: &mut Session, values: &[(&str, f32)]| {
        set(session, values);
        session.expression_outputs().to_vec()
    };
    near(&outputs(&mut session, &[("smile", 0.5), ("aa", 1.0)]), &[0.5, 0.0, 0.75, 0.0, 0.0, 0.0]);
    // The smile is blocked, and fades aa out as before.
    near(&outputs(&mut session, &[("wink", 0.3)]), &[0.125, 0.3, 0.75, 0.0, 0.0, 0.0]);
    near(&outputs(&mut session, &[("wink", 0.25)]), &[0.5, 0.25, 0.75, 0.0, 0.0, 0.0]);
}

#[test]
fn joints_and_materials_follow_an_expression() {
    let mut session = session(character().open().unwrap());
    set(&mut session, &[("drop", 0.5)]);
    let jaw = session.head.rig.nodes.iter().position(|node| node.name == "jaw").unwrap();
    let local = |session: &Session| {
        let nodes = session.world_from_nodes();
        let parent = session.head.rig.nodes[jaw].parent.unwrap();
        (nodes[parent].inverse() * nodes[jaw]).to_scale_rotation_translation()
    };
    let half = Quat::from_array(TURNED).slerp(Quat::from_array(OPEN), 0.5);
    let (scale, rotation, _) = local(&session);
    assert!(scale.distance(Vec3::new(1.25, 1.0, 0.75)) < 1e-5, "{scale}");
    assert!(rotation.angle_between(half) < 1e-3, "{rotation}");
    // Two expressions that turn a joint: each adds its own turn.
    set(&mut session, &[("aa", 0.25)]);
    let (_, rotation, translation) = local(&session);
    let rest = Quat::from_array(TURNED);
    let wanted = rest * (rest.inverse() * Quat::from_array(OPEN)) * (rest.inverse() * half);
    assert!(rotation.angle_between(wanted) < 1e-3, "{rotation} {wanted}");
    assert!(translation.distance(Vec3::new(0.0, 0.4375, 0.3125)) < 1e-5, "{translation}");
    set(&mut session, &[("blush", 0.5)]);
    let material = &session.head.materials_under(&session.expression_outputs())[&0];
    near(&material.base_color, &[0.75, 0.125, 0.75, 0.625]);
    let map = material.base_color_texture.unwrap().texture_from_uv;
    let (scale, angle, offset) = map.to_scale_angle_translation();
    assert!(scale.distance(Vec2::new(1.0, 2.0)) < 1e-5 && (angle + 0.5).abs() < 1e-5, "{scale} {angle}");
    assert!(offset.distance(Vec2::new(0.3125, 0.5)) < 1e-5, "{offset}");
}

#[test]
fn a_head_is_saved_with_the_extensions_and_animations_that_it_was_read_with() {
    let file = character();
    let head = file.open().unwrap();
    let saved = written(&head);
    for name in ["KHR_character", "KHR_character_expression", "KHR_character_expression_mapping"] {
        assert_eq!(saved["extensions"][name], file.json["extensions"][name], "{name}");
    }
    for (own, other) in saved["animations"].as_array().unwrap().iter().zip(file.json["animations"].as_array().unwrap())
    {
        assert_eq!((&own["name"], &own["channels"]), (&other["name"], &other["channels"]));
    }
    let used: Vec<&str> = saved["extensionsUsed"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for kind in ["joint", "morphtarget", "texture", "mask", "mapping"] {
        assert!(used.contains(&&*format!("KHR_character_expression_{kind}")), "{kind}: {used:?}");
    }
    for name in ["KHR_character", "KHR_character_expression", "KHR_animation_pointer", "KHR_xmp_json_ld"] {
        assert!(used.contains(&name), "{name}: {used:?}");
    }
    let again = open_bytes(&glb(&head).unwrap(), "again.glb").unwrap();
    assert_eq!(again.expressions, head.expressions);
    assert!(left_out(&head).iter().any(|line| line.contains("is a draft")), "{:?}", left_out(&head));
}

#[test]
fn a_reference_pose_is_kept_and_not_played() {
    let mut file = character();
    let head = json!({"node": 1, "path": "translation"});
    add_animation(&mut file, "walk", &[(head, ("LINEAR", &[0.0, 1.0], "VEC3", &[0.0, 1.0, 0.0, 0.0, 2.0, 0.0]))]);
    let pose = json!({"KHR_character_reference_pose": {"poseType": "TPose"}});
    let animations = &mut file.json["animations"];
    animations[0]["extensions"] = json!({"EXT_says": {"mood": "kind"}});
    animations[1]["extensions"] = pose.clone();
    animations[1]["extensions"]["EXT_counts"] = json!({"frames": 3});
    file.json["extensionsUsed"] = json!(["KHR_character_reference_pose", "EXT_counts", "EXT_says", "EXT_of_skins"]);
    let head = file.open().unwrap();
    let clips: Vec<(&str, bool)> =
        head.clips.iter().map(|clip| (clip.name.as_str(), clip.is_reference_pose())).collect();
    assert_eq!(clips, [("nod", true), ("walk", false)]);
    assert!(says(&head, Level::Info, "left out when the head is saved: \"EXT_counts\", \"EXT_of_skins\""));
    let saved = written(&head);
    assert_eq!(saved["animations"][0]["extensions"], file.json["animations"][0]["extensions"]);
    assert_eq!(saved["animations"][1]["extensions"], pose);
    let used = saved["extensionsUsed"].as_array().unwrap();
    assert!(used.contains(&json!("KHR_character_reference_pose")) && used.contains(&json!("EXT_says")), "{used:?}");
    assert_eq!(session(head).clips().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["walk"]);
    file.json["animations"].as_array_mut().unwrap().pop();
    let session = session(file.open().unwrap());
    assert!(session.clips().next().is_none() && session.clip_names().is_empty(), "only the reference pose is left");
}

/// A channel of something that is not shown stays, with its length.
#[test]
fn what_is_not_shown_is_kept_with_what_is() {
    let mut file = character();
    let (input, output) = (file.floats("SCALAR", &[0.0, 3.0]), file.floats("SCALAR", &[1.0, 0.25]));
    let animation = &mut file.json["animations"][0];
    animation["samplers"]
        .as_array_mut()
        .unwrap()
        .push(json!({"input": input, "output": output, "interpolation": "LINEAR"}));
    let target = pointer("/materials/0/pbrMetallicRoughness/metallicFactor");
    animation["channels"].as_array_mut().unwrap().push(json!({"sampler": 1, "target": target}));
    let head = file.open().unwrap();
    assert!(says(&head, Level::Warning, "not played"), "{:?}", head.notes);
    let saved = written(&head);
    assert_eq!(saved["animations"][0]["channels"], file.json["animations"][0]["channels"]);
    assert_eq!(saved["extensions"]["KHR_character_expression"], file.json["extensions"]["KHR_character_expression"]);
    let mut session = session(head);
    // Its last key is at 3 s: a third of the way is the end of the smile.
    set(&mut session, &[("smile", 1.0 / 6.0)]);
    near(&session.weights(), &[0.625, 0.0, 0.25]);
}

#[test]
fn an_expression_that_was_changed_is_written_anew() {
    let head = character().open().unwrap();
    let binds = [("out".to_owned(), 0.5)].into();
    let renamed = SetExpression { rename: Some("yawn".into()), binds: Some(binds), ..SetExpression::default() };
    let mend: Mend = MendKind::Expression(SetExpression { name: "aa".into(), ..renamed }).into();
    let mended = apply(&head, &[mend]).head.unwrap();
    let again = open_bytes(&glb(&mended).unwrap(), "again.glb").unwrap();
    let place = again.expressions.iter().position(|expression| expression.name == "yawn").unwrap();
    let smile = again.expressions.iter().find(|expression| expression.name == "smile").unwrap();
    assert_eq!(smile.masks[0].target, "yawn");
    let mut session = session(again);
    set(&mut session, &[("yawn", 0.5)]);
    near(&session.weights(), &[0.25, 0.25, 0.0]);
    assert!(!session.world_from_nodes().is_empty(), "its joints stay: {place}");
}

#[test]
fn the_other_vocabularies_of_a_file_reach_its_expressions() {
    let head = character().open().unwrap();
    let place = |name: &str| head.channel_named(name).unwrap();
    assert_eq!(head.channels_showing("jawOpen"), [(place("aa"), 0.75), (place("drop"), 0.5)]);
    assert_eq!(head.channels_showing("Jaw_Open"), [(place("aa"), 0.75), (place("drop"), 0.5)]);
    assert_eq!(head.channel_alike("EyeBlink_L"), [place("wink")]);
    assert_eq!(head.channel_alike("smile"), [place("smile")]);
}

#[test]
fn a_mapping_by_indices_moves_what_its_input_says_and_follows_its_expressions() {
    let mut file = character();
    let set = "https://example.com/expressions/v1";
    file.json["extensions"]["KHR_character_expression_mapping"] = json!({
        "expressionSetMappings": {
            set: {"jawOpen": [{"source": 3, "weight": 0.25}], "eyeBlinkLeft": [{"source": 3, "weight": 1}]},
            "https://example.com/of/others": {"mouthPucker": [{"source": 0, "name": "smile", "weight": 0.5}]},
        },
        "expressionSetInputMappings": {set: {
            "jawOpen": [{"target": 2, "name": "aa", "weight": 0.75}, {"target": 3, "weight": 0.5}],
        }},
    });
    expressions(&mut file.json)[0]["extensions"]["KHR_character_expression_mask"]["masks"][0]["name"] = json!("aa");
    let head = file.open().unwrap();
    let place = |name: &str| head.channel_named(name).unwrap();
    assert_eq!(head.channels_showing("jawOpen"), [(place("aa"), 0.75), (place("drop"), 0.5)]);
    assert_eq!(head.channels_showing("mouthPucker"), [(place("smile"), 0.5)]);
    assert!(head.channels_showing("eyeBlinkLeft").is_empty(), "its vocabulary has an input of its own");
    let saved = written(&head);
    for name in ["KHR_character_expression", "KHR_character_expression_mapping"] {
        assert_eq!(saved["extensions"][name], file.json["extensions"][name], "{name}");
    }
    let of = |name: &str| SetExpression { name: name.into(), ..SetExpression::default() };
    let renamed = SetExpression { rename: Some("yawn".into()), ..of("aa") };
    let mends = [SetExpression { delete: true, ..of("drop") }, SetExpression { delete: true, ..of("wink") }, renamed]
        .map(|each| Mend::from(MendKind::Expression(each)));
    let mended = written(&apply(&head, &mends).head.unwrap());
    let labels: Vec<&Value> =
        mended["extensions"]["KHR_character_expression"]["expressions"].as_array().unwrap().iter().collect();
    let at = labels.iter().position(|entry| entry["expression"] == "yawn").unwrap();
    let mask = &labels[0]["extensions"]["KHR_character_expression_mask"]["masks"][0];
    assert_eq!((&mask["name"], &mask["target"]), (&json!("yawn"), &json!(at)));
    let mapping = &mended["extensions"]["KHR_character_expression_mapping"];
    let inputs = &mapping["expressionSetInputMappings"][set]["jawOpen"];
    assert_eq!(inputs, &json!([{"target": at, "name": "yawn", "weight": 0.75}]));
    assert_eq!(mapping["expressionSetMappings"][set]["jawOpen"], json!([]));
}

/// The expressions of VRM that the made character may have too.
fn add_vrm(file: &mut GltfBuilder) {
    let happy = json!({"morphTargetBinds": [{"node": 0, "index": 0, "weight": 0.5}]});
    let expressions = json!({"preset": {"happy": happy}, "custom": {}});
    file.json["extensions"]["VRMC_vrm"] = json!({"specVersion": "1.0", "expressions": expressions});
}

#[test]
fn a_file_that_has_expressions_of_vrm_too_keeps_those_of_the_draft() {
    let mut file = character();
    add_vrm(&mut file);
    file.json["extensions"]["KHR_character_skeleton_mapping"] =
        json!({"skeletalRigMappings": {"unityHumanoid": {"head": 1}}});
    file.json["extensions"]["KHR_virtual_transforms"] =
        json!({"virtualTransforms": [{"name": "look", "parent": 1, "translation": [0, 0.25, 0]}]});
    file.json["extensions"]["KHR_xmp_json_ld"] = json!({"packets": [{"@id": "", "dc:rating": 5}]});
    // Two channels that move one weight, as two binds of one shape have been converted.
    let animation = &mut file.json["animations"][2];
    let (mut twice, sampler) = (animation["channels"][0].clone(), animation["samplers"][0].clone());
    twice["sampler"] = json!(1);
    animation["channels"].as_array_mut().unwrap().push(twice);
    animation["samplers"].as_array_mut().unwrap().push(sampler);
    let head = file.open().unwrap();
    let (names, clips): (Vec<&str>, Vec<&str>) =
        (head.expressions.iter().map(|each| each.name.as_str()).collect(), head.clip_names().collect());
    assert_eq!((names, clips, head.expression_form), (vec!["happy"], vec!["nod"], ExpressionForm::Vrm));
    assert!(says(&head, Level::Info, "are kept for saving"), "{:?}", head.notes);
    let saved = written(&head);
    for (name, value) in file.json["extensions"].as_object().unwrap().iter().filter(|(name, _)| *name != "VRMC_vrm") {
        assert_eq!(&saved["extensions"][name], value, "{name}");
    }
    assert!(saved["extensions"]["VRMC_vrm"]["expressions"]["preset"]["happy"].is_object());
    for (own, other) in saved["animations"].as_array().unwrap().iter().zip(file.json["animations"].as_array().unwrap())
    {
        assert_eq!((&own["name"], &own["channels"]), (&other["name"], &other["channels"]));
    }
    let again = open_bytes(&glb(&head).unwrap(), "again.glb").unwrap();
    assert_eq!(again.unshown_expressions, head.unshown_expressions);
    // In another unit they still move what they moved.
    let scaled = |head: &Head| open_bytes(&glb(&head.rescaled(2.0)).unwrap(), "scaled.glb").unwrap();
    let kept = scaled(&head).unshown_expressions.clone();
    let of_file = scaled(&character().open().unwrap()).expressions.clone();
    let tracks = |expressions: &[smirk_face::head::Expression]| -> Vec<_> {
        expressions.iter().map(|each| each.response.clone().unwrap().clip.tracks).collect()
    };
    assert_eq!(tracks(&kept), tracks(&of_file));
    // Presets that do nothing hide no expressions of the draft.
    file.json["extensions"]["VRMC_vrm"]["expressions"]["preset"] = json!({"happy": {"isBinary": true}, "blink": {}});
    let head = file.open().unwrap();
    assert_eq!((head.expressions.len(), head.expression_form), (6, ExpressionForm::Khr));
    let saved = written(&head);
    let presets = saved["extensions"]["VRMC_vrm"]["expressions"]["preset"].as_object().unwrap();
    assert_eq!((presets.len(), &presets["happy"]["isBinary"]), (2, &json!(true)));
    assert_eq!(saved["extensions"]["KHR_character_expression"], file.json["extensions"]["KHR_character_expression"]);
}

#[test]
fn expressions_of_vrm_are_saved_as_either() {
    let mut file = character();
    file.json.as_object_mut().unwrap().remove("animations");
    let morph = |index: usize| json!([{"node": 0, "index": index, "weight": 0.5}]);
    let color = json!([{"material": 0, "type": "color", "targetValue": [1.0, 0.0, 0.0, 1.0]}]);
    let moved = json!([{"material": 0, "scale": [1.0, 1.0], "offset": [0.5, 0.0]}]);
    file.json["extensions"] = json!({"VRMC_vrm": {"specVersion": "1.0", "expressions": {"preset": {
        "happy": {"overrideMouth": "blend", "morphTargetBinds": morph(0), "materialColorBinds": color, "textureTransformBinds": moved},
        "angry": {"isBinary": true, "overrideMouth": "block", "morphTargetBinds": morph(2)},
        "aa": {"morphTargetBinds": morph(1)}, "oh": {"morphTargetBinds": morph(1)},
    }, "custom": {"idle": {}}}}});
    let vrm = file.open().unwrap();
    let khr = open_bytes(&glb(&vrm.with_expression_form(ExpressionForm::Khr)).unwrap(), "khr.glb").unwrap();
    assert_eq!(khr.expression_form, ExpressionForm::Khr);
    let json = written(&khr);
    assert_eq!(json["extensions"]["VRMC_vrm"]["expressions"], json!({"preset": {}, "custom": {}}));
    assert!(json["extensions"]["KHR_character"]["rootNode"].is_u64());
    let masks = &khr.expressions[0].masks;
    assert_eq!(
        masks.iter().map(|mask| (mask.target.as_str(), mask.kind)).collect::<Vec<_>>(),
        [("aa", MaskKind::Blend), ("oh", MaskKind::Blend)]
    );
    let values = [("happy", 0.25), ("aa", 0.5), ("angry", 0.5), ("oh", 0.1)];
    for binary in [0.4, 0.5, 0.6] {
        let [mut own, mut other] =
            [session(file.open().unwrap()), session(open_bytes(&glb(&khr).unwrap(), "k.glb").unwrap())];
        for session in [&mut own, &mut other] {
            set(session, &values);
            set(session, &[("angry", binary)]);
        }
        near(&own.weights(), &other.weights());
        let color = |session: &Session| session.head.materials_under(&session.expression_outputs())[&0].clone();
        near(&color(&own).base_color, &color(&other).base_color);
        let map = |session: &Session| color(session).base_color_texture.unwrap().texture_from_uv.to_cols_array();
        near(&map(&own), &map(&other));
    }
    let back = open_bytes(&glb(&khr.with_expression_form(ExpressionForm::Vrm)).unwrap(), "vrm.glb").unwrap();
    let happy = back.expressions.iter().find(|expression| expression.name == "happy").unwrap();
    assert_eq!((happy.override_mouth, happy.binds[0].weight), (Override::Blend, 0.5));
    assert_eq!(happy.materials.len(), 2);
    let as_vrm = written(&character().open().unwrap().with_expression_form(ExpressionForm::Vrm));
    let root = as_vrm["extensions"].as_object().unwrap();
    assert!(root.contains_key("VRMC_vrm"), "{root:?}");
    assert!(!root.keys().any(|name| name.starts_with("KHR_character_expression")), "{root:?}");
    assert!(left_out(&vrm.with_expression_form(ExpressionForm::Khr))[0].contains("\"idle\""));
    let joints = character().open().unwrap().with_expression_form(ExpressionForm::Vrm);
    let said = left_out(&joints).join(" ");
    assert!(said.contains("\"drop\"") && said.contains("--expressions khr keeps them"), "{said}");
}

/// A broken file: what is wrong with it, and the words of the note or of the refusal.
type Broken = (&'static str, fn(&mut Value), &'static str);

#[test]
fn broken_files_are_said_in_one_line_and_lose_nothing_else() {
    let broken: [Broken; 13] = [
        ("no such animation", |json| expressions(json)[0]["animation"] = json!(99), "names none of the 6 animations"),
        ("no animation", |json| expressions(json)[0]["animation"] = json!(-1), "names none of the 6 animations"),
        ("no entry", |json| expressions(json)[0] = json!("smile"), "names none of the 6 animations"),
        ("no such node", |json| channel(json, 0)["target"]["node"] = json!(77), "node 77"),
        ("no mesh", |json| channel(json, 0)["target"]["node"] = json!(1), "shows no mesh"),
        ("no such sampler", |json| channel(json, 0)["sampler"] = json!(5), "sampler 5"),
        ("no channels", |json| json["animations"][0]["channels"] = json!([]), "nothing that can be sampled"),
        ("no such accessor", |json| json["animations"][0]["samplers"][0]["input"] = json!(999), "999"),
        ("other width", |json| json["animations"][0]["samplers"][0]["output"] = json!(0), "accessor"),
        ("no such target", |json| pointer_of(json, 2, "/nodes/0/weights/9"), "moves weight 9 of node 0, which has 3"),
        (
            "no such material",
            |json| pointer_of(json, 5, "/materials/8/pbrMetallicRoughness/baseColorFactor"),
            "material 8",
        ),
        ("unknown pointer", |json| pointer_of(json, 5, "/materials/0/alphaCutoff"), "not played"),
        (
            "masks nothing",
            |json| {
                expressions(json)[1]["extensions"]["KHR_character_expression_mask"]["masks"][0]["target"] = json!(60)
            },
            "masks of no expression",
        ),
    ];
    for (what, break_it, words) in broken {
        let mut file = character();
        break_it(&mut file.json);
        let head = match file.open() {
            Ok(head) => head,
            // What is wrong with any animation refuses a file.
            Err(_) => {
                assert!(file.refusal().contains(words), "{what}");
                continue;
            }
        };
        assert!(says(&head, Level::Warning, words), "{what}: {:?}", head.notes);
        assert!(head.notes.iter().all(|note| !note.to_string().contains('\n')), "{what}");
        assert!(head.expressions.len() >= 4, "{what}");
        glb(&head).unwrap();
    }
    let with_keys = |times: &[f32], values: &[f32]| {
        let mut file = character();
        let (input, output) = (file.floats("SCALAR", times), file.floats("SCALAR", values));
        file.json["animations"][2]["samplers"][0] =
            json!({"input": input, "output": output, "interpolation": "LINEAR"});
        file.open().unwrap()
    };
    for (times, values, words) in [
        (&[0.0, f32::NAN][..], &[0.0, 1.0][..], "not a finite number"),
        (&[0.0, 1.0], &[0.0, f32::INFINITY], "not a finite number"),
        (&[1.0, 0.5], &[0.0, 1.0], "before that of the key ahead"),
        (&[0.0], &[0.0], "has one key"),
        (&[0.0], &[0.0], "nothing that can be sampled"),
        (&[0.0, 0.0], &[0.0, 1.0], "nothing that can be sampled"),
    ] {
        let head = with_keys(times, values);
        assert!(says(&head, Level::Warning, words), "{times:?}: {:?}", head.notes);
        assert_eq!(head.expressions.len(), 5, "{times:?}");
    }
    // One constant channel of several, as UnityGLTF writes some, is kept.
    let mut file = character();
    let (input, output) = (file.floats("SCALAR", &[0.0]), file.floats("VEC4", &OPEN));
    file.json["animations"][3]["samplers"][1] = json!({"input": input, "output": output, "interpolation": "STEP"});
    let head = file.open().unwrap();
    assert!(says(&head, Level::Warning, "has one key") && head.expressions.len() == 6, "{:?}", head.notes);
    assert_eq!(written(&head)["animations"][3]["channels"], file.json["animations"][3]["channels"]);
    let off = with_keys(&[0.0, 1.0], &[0.5, 1.0]);
    assert!(says(&off, Level::Info, "1 weights do not begin at rest"), "{:?}", off.notes);
    for nonsense in [json!(null), json!([]), json!(7), json!({"expressions": {}}), json!({"expressions": [[], 5, {}]})]
    {
        let mut file = character();
        file.json["extensions"]["KHR_character_expression"] = nonsense;
        assert!(file.open().unwrap().expressions.is_empty());
    }
    // Masks in a circle go by the values that were given.
    let mut file = character();
    let mask = |target: usize| json!({"KHR_character_expression_mask": {"masks": [{"target": target, "amount": 1e9}]}});
    (expressions(&mut file.json)[3]["extensions"], expressions(&mut file.json)[4]["extensions"]) = (mask(4), mask(3));
    let mut session = session(file.open().unwrap());
    set(&mut session, &[("drop", 0.5), ("blush", 0.5)]);
    near(&session.expression_outputs()[3..5], &[0.25, 0.25]);
}

fn expressions(json: &mut Value) -> &mut Value {
    &mut json["extensions"]["KHR_character_expression"]["expressions"]
}

fn channel(json: &mut Value, animation: usize) -> &mut Value {
    &mut json["animations"][animation]["channels"][0]
}

fn pointer_of(json: &mut Value, animation: usize, to: &str) {
    channel(json, animation)["target"] = pointer(to);
}

#[test]
fn a_file_beside_a_head_adds_expressions_that_turn_joints() {
    let mut file = character();
    file.json["extensions"] = json!({});
    file.json.as_object_mut().unwrap().remove("animations");
    let folder = tempfile::tempdir().unwrap();
    let (path, beside) = (folder.path().join("cc.glb"), folder.path().join("cc.expressions.json"));
    std::fs::write(&path, file.glb()).unwrap();
    let open = |text: &str| {
        std::fs::write(&beside, text).unwrap();
        import::open(&path).unwrap()
    };
    let jaw = r#"{"expressions": [{"expression": "jawOpen", "shapes": {"out": 0.5}, "joints": [{"node": "jaw", "turn": {"pitch": 20}}],
        "masks": [{"target": "grin"}]}, {"expression": "grin", "shapes": {"up": 1}}]}"#;
    let head = open(jaw);
    assert_eq!(head.channel_named("jawOpen"), Some(3));
    assert_eq!(head.side_files.iter().filter(|file| file.ends_with("cc.expressions.json")).count(), 1);
    let mut session = session(head);
    set(&mut session, &[("jawOpen", 0.5), ("grin", 0.5)]);
    near(&session.weights(), &[0.5, 0.25, 0.0]);
    let nodes = session.world_from_nodes();
    let node = session.head.rig.nodes.iter().position(|node| node.name == "jaw").unwrap();
    let rest = session.head.rest_pose.world_from_node()[node];
    // It turns about the axis of the face and not about that of the joint, which lies on its side.
    let turned = nodes[node] * rest.inverse();
    let wanted = Quat::from_rotation_x(10.0_f32.to_radians());
    assert!(turned.to_scale_rotation_translation().1.angle_between(wanted) < 1e-3, "{turned}");
    assert!(written(&session.head)["extensions"]["KHR_character_expression"].is_object());
    for (text, words) in [
        ("{", "line 1"),
        ("{}", "expressions"),
        (r#"{"expressions": []}"#, "has no expressions"),
        (r#"{"expressions": [{"expression": "a", "shapes": {"nose": 1}}]}"#, "no shape \"nose\""),
        (
            r#"{"expressions": [{"expression": "a", "joints": [{"node": "tail", "turn": {"yaw": 1}}]}]}"#,
            "no joint \"tail\"",
        ),
        (r#"{"expressions": [{"expression": "a"}]}"#, "neither shapes nor joints"),
        (
            r#"{"expressions": [{"expression": "a", "shapes": {"up": 1}}, {"expression": "a", "shapes": {"up": 1}}]}"#,
            "no name of one",
        ),
        (r#"{"expressions": [{"expression": "a", "shapes": {"up": 1e999}}]}"#, "cannot be used"),
        (r#"{"expressions": [{"expression": "a", "shapes": {"up": 1}, "masks": [{"target": "b"}]}]}"#, "masks \"b\""),
    ] {
        let head = open(text);
        let note = head.notes.iter().find(|note| note.to_string().contains("cc.expressions.json"));
        let note = note.unwrap_or_else(|| panic!("{text}: {:?}", head.notes)).to_string();
        assert!(note.contains(words) && !note.contains('\n') && head.expressions.is_empty(), "{text}: {note}");
    }
}

/// Writes the made files and what Smirk shows of them for `tests/judges/three_character.mjs` into the folder that
/// `SMIRK_JUDGE` names.
#[test]
fn files_for_the_judge_are_written_where_it_is_asked_for() {
    let Some(folder) = std::env::var_os("SMIRK_JUDGE").map(std::path::PathBuf::from) else { return };
    let mut session = session(character().open().unwrap());
    std::fs::write(folder.join("character.glb"), character().glb()).unwrap();
    std::fs::write(folder.join("saved.glb"), glb(&session.head).unwrap()).unwrap();
    let names = ["smile", "wink", "aa", "drop", "blush"];
    let mut moments = Vec::new();
    for step in 0..60_u32 {
        let at =
            |channel: u32| (((step * (channel + 3) * 7) % 23) as f32 / 22.0) * f32::from(step % (channel + 2) != 0);
        let values: Vec<(&str, f32)> = names.iter().zip(0..).map(|(name, channel)| (*name, at(channel))).collect();
        set(&mut session, &values);
        let (head, nodes) = (&session.head, session.world_from_nodes());
        let nodes = if nodes.is_empty() { head.rest_pose.world_from_node().to_vec() } else { nodes };
        let pose = RigPose::new(&head.rig, nodes.clone());
        let mut positions = Vec::new();
        head.add_positions(&Points::new(head, &[0]), &session.weights(), &pose, &mut positions);
        let material = head.materials_under(&session.expression_outputs())[&0].clone();
        let map = material.base_color_texture.unwrap();
        assert_eq!(head.textures[map.texture].sampler.wrap_u, Wrap::Repeat);
        let (scale, angle, offset) = map.texture_from_uv.to_scale_angle_translation();
        let of_nodes: serde_json::Map<String, Value> = head
            .rig
            .nodes
            .iter()
            .zip(&nodes)
            .map(|(node, world)| (node.name.clone(), json!(world.to_cols_array())))
            .collect();
        moments.push(json!({
            "drivers": values.iter().map(|(name, value)| (name.to_string(), json!(value))).collect::<serde_json::Map<_, _>>(),
            "weights": session.weights().to_vec(),
            "nodes": of_nodes,
            "positions": positions.iter().map(|point| point.to_array()).collect::<Vec<_>>(),
            "color": material.base_color,
            "texture": {"offset": offset.to_array(), "scale": scale.to_array(), "rotation": -angle},
        }));
    }
    std::fs::write(folder.join("smirk.json"), json!(moments).to_string()).unwrap();
}
