//! The roles of the materials of real heads, and of small ones.

use std::path::Path;

use glam::{Mat4, Vec3};

use smirk_face::head::Role::{self, *};
use smirk_face::head::{Asset, Head, LocalTransform, Material, Mesh, Node, Part, Rig, Target, Vertices};
use smirk_files::import;

/// For each file its materials that show something, with their roles.
const TABLE: [(&str, &[(&str, Role)]); 8] = [
    (
        "avatars/rpm_brunette-t.glb",
        &[
            ("Wolf3D_Eye", Eye),
            ("Wolf3D_Skin", Skin),
            ("Wolf3D_Teeth", Teeth),
            ("Wolf3D_Hair", Hair),
            ("Wolf3D_Body", Skin),
            ("Wolf3D_Outfit_Bottom", Cloth),
            ("Wolf3D_Outfit_Footwear", Cloth),
            ("Wolf3D_Outfit_Top", Cloth),
        ],
    ),
    ("ict/ict_facekit.glb", ICT),
    ("ict/ict_facekit_mocap.glb", ICT),
    (
        "makehuman/mh_expressions.glb",
        &[
            ("Skin", Skin),
            ("Eye_L", Eye),
            ("Eye_R", Eye),
            ("TeethUpper", Teeth),
            ("TeethLower", Teeth),
            ("Tongue", Tongue),
            ("Lashes", Lash),
            ("Lashes", Lash),
            ("Lashes", Lash),
            ("Lashes", Lash),
        ],
    ),
    // Eyes, face and teeth have one material, and most of it is the face.
    ("threejs/facecap.glb", &[("lambert5", Skin)]),
    // A cube with the expressions of a face is one.
    (
        "vrm/three-vrm-cube/cube.gltf",
        &[("Cube Material", Skin), ("Cube Material (Eyes)", Eye), ("Cube Material (Mouth)", Tongue)],
    ),
    ("khronos/MorphPrimitivesTest/MorphPrimitivesTest.gltf", &[]),
    ("khronos/morph-stress-test.glb", &[]),
];

const ICT: &[(&str, Role)] = &[
    ("M_Face", Skin),
    ("M_BackHead", Skin),
    ("M_GumsTongue", Tongue),
    ("M_Teeth", Teeth),
    ("M_ScleraLeft", Cornea),
    ("M_ScleraRight", Cornea),
    ("M_EyeballLeft", Eye),
    ("M_EyeballRight", Eye),
    ("M_IrisLeft", Eye),
    ("M_IrisRight", Eye),
    ("M_PupilLeft", Eye),
    ("M_PupilRight", Eye),
    ("M_LacrimalFluid", Cornea),
    ("M_EyeLashes", Lash),
];

/// The names and the roles of the materials that show something.
fn found(head: &Head) -> Vec<(&str, Role)> {
    let all = head.materials.iter().map(|material| material.name.as_str()).zip(head.roles.iter().copied());
    all.filter(|(_, role)| *role != Other).collect()
}

#[test]
fn the_bundled_head_has_every_role() {
    let head = import::embedded().unwrap();
    let role = |name: &str| head.materials.iter().position(|it| it.name == name).map(|index| head.roles[index]);
    for (name, expected) in [("skin", Skin), ("eye", Eye), ("teeth", Teeth), ("tongue", Tongue), ("hair", Hair)] {
        if let Some(role) = role(name) {
            assert_eq!(role, expected, "{name}");
        }
    }
    for expected in [Skin, Eye, Teeth, Tongue, Lash, Hair] {
        assert!(head.roles.contains(&expected), "{expected:?}: {:?}", found(&head));
    }
}

#[test]
fn materials_of_real_heads_have_their_roles() {
    let is_skipped = std::env::var_os("SMIRK_SKIP_HEADS").is_some();
    let Some(folder) = std::env::var_os("SMIRK_HEADS").filter(|_| !is_skipped) else { return };
    for (file, expected) in TABLE {
        let path = Path::new(&folder).join(file);
        if path.exists() {
            let head = import::open(&path).unwrap();
            assert_eq!(found(&head), expected, "{file}");
        }
    }
}

/// Three parts of four vertices each, with materials without names: one that everything moves, one that looks around, and one that
/// the jaw moves.
fn nameless() -> Asset {
    let positions: Vec<Vec3> = (0..12).map(|at| Vec3::splat(at as f32)).collect();
    let moved = |parts: &[usize]| -> Vec<Vec3> {
        (0..12).map(|vertex| if parts.contains(&(vertex / 4)) { Vec3::Y } else { Vec3::ZERO }).collect()
    };
    let target = |name: &str, parts: &[usize]| Target::from_dense(name.into(), 0.0, &moved(parts), &[], &[]);
    let part =
        |material: usize| Part { first_index: material as u32 * 6, index_count: 6, material, flat_shaded: false };
    let indices = (0..3_u32).flat_map(|part| [0, 1, 2, 0, 2, 3].map(|corner| corner + part * 4)).collect();
    let targets = [
        target("browInnerUp", &[0]),
        target("cheekPuff", &[0]),
        target("noseSneerLeft", &[0]),
        target("mouthSmileLeft", &[0]),
        target("jawOpen", &[0, 2]),
        target("eyeLookUpLeft", &[0, 1]),
    ];
    let vertices = Vertices { positions, ..Vertices::default() };
    let mesh =
        Mesh { vertices, indices, parts: (0..3).map(part).collect(), targets: targets.into(), ..Mesh::default() };
    Asset { meshes: vec![mesh], materials: vec![Material::default(); 3], ..Asset::default() }
}

#[test]
fn what_turns_with_the_gaze_is_an_eye_and_what_all_expressions_move_is_skin() {
    assert_eq!(Head::new(nameless()).roles, [Skin, Eye, Other]);
}

#[test]
fn what_hangs_on_the_node_of_an_eye_is_one() {
    let mut asset = nameless();
    asset.meshes[0].targets.clear();
    asset.meshes[0].node = Some(0);
    let rest = LocalTransform::Matrix(Mat4::IDENTITY);
    let node = Node { name: "grp_eyeLeft".into(), parent: None, rest };
    asset.rig = Rig { nodes: vec![node], ..Rig::default() };
    assert_eq!(Head::new(asset).roles, [Eye; 3]);
}

#[test]
fn the_names_of_meshes_tell_where_those_of_materials_do_not() {
    let mut asset = nameless();
    asset.meshes[0].name = "lashes".into();
    asset.materials[1].name = "tongue".into();
    assert_eq!(Head::new(asset).roles, [Lash, Tongue, Lash]);
}
