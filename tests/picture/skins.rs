//! Heads with moved nodes and joints look like heads whose vertices were moved beforehand: in every mode, with shadow
//! and normal map, mirrored or not.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::sync::Arc;

use glam::{Mat4, Vec3};
use image::RgbaImage;
use smirk_face::head::{
    AlphaMode, Asset, Encoding, Head, Image, LocalTransform, Material, Mesh, Node, Rig, Role, Sampler, Texture, Trs,
};
use smirk_scene::{BlendMode, Camera, Light, Look, Quality, Scene, View};
use smirk_support::arm::{arm, baked, bent, points, rig_pose};
use smirk_support::{TestRenderer, synthetic};

const SIZE: [u32; 2] = [256, 256];

/// Without the key light, whose shadow map depends on the bounds of the head at rest.
fn shadowless() -> Look {
    Look { key: Light { intensity: 0.0, ..Light::default() }, ..Look::default() }
}

struct Studio {
    renderer: TestRenderer,
    camera: Camera,
    look: Look,
}

impl Studio {
    fn new(head: &Head, view: View, look: Look) -> Self {
        let mut camera = Camera::framing(head.bounds, head.bounds, view, 1.0);
        camera.distance *= 1.3;
        Self { renderer: TestRenderer::shared(), camera, look }
    }

    fn picture(&mut self, head: &Arc<Head>, nodes: &[Mat4], weight: f32, mode: BlendMode) -> RgbaImage {
        let (camera, look, quality) = (&self.camera, &self.look, Quality::FULL);
        let (weights, world_from_nodes, size) = ([weight], nodes, SIZE);
        // Skin is shaded by its position at rest, which is another one on a baked head.
        let roles = vec![Role::Other; head.materials.len()];
        self.renderer.draw(&Scene {
            weights: weights.into(),
            world_from_nodes: world_from_nodes.into(),
            mode,
            roles: roles.into(),
            quality,
            ..Scene::at_rest(head, camera, look, size)
        });
        self.renderer.read_pixels()
    }
}

/// Share of pixels that differ visibly.
fn difference(a: &RgbaImage, b: &RgbaImage) -> f64 {
    let differs = |(a, b): &(&image::Rgba<u8>, &image::Rgba<u8>)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 6);
    a.pixels().zip(b.pixels()).filter(differs).count() as f64 / f64::from(a.width() * a.height())
}

/// The share of pixels that rounding may change at edges.
const SAME: f64 = 0.002;
/// The same where a normal map has highlights: 0.4 % were measured, all on the part of the arm that a joint scales unevenly.
const SAME_WITH_HIGHLIGHTS: f64 = 0.005;

fn skin() -> Material {
    Material { base_color: [0.7, 0.5, 0.4, 1.0], double_sided: false, ..Material::default() }
}

/// A normal map of stripes.
fn normal_mapped() -> (Material, Vec<Texture>) {
    let slope = |at: u32| if at % 16 < 8 { [190, 128, 230, 255] } else { [128, 180, 230, 255] };
    let texture = Texture {
        name: "slopes".into(),
        image: Arc::new(Image::new(16, 16, (0..256).flat_map(slope).collect())),
        encoding: Encoding::Linear,
        sampler: Sampler::default(),
    };
    (Material { normal_texture: Some(0.into()), roughness: 0.4, ..skin() }, vec![texture])
}

#[test]
fn joints_move_a_head_in_every_mode_like_vertices_moved_beforehand() {
    let (material, textures) = normal_mapped();
    for (head, same) in [(arm(skin(), vec![]), SAME), (arm(material, textures), SAME_WITH_HIGHLIGHTS)] {
        let head = Arc::new(head);
        let mut studio = Studio::new(&head, View::ThreeQuarter, shadowless());
        let (bent, further) = (bent(&head, 0.9), bent(&head, 0.96));
        let at_rest = studio.picture(&head, &[], 0.0, BlendMode::Cpu);
        for (nodes, weight) in [(head.rest_pose.world_from_node(), 0.0), (&bent, 0.0), (&bent, 1.0)] {
            let made = Arc::new(baked(&head, nodes));
            let expected = studio.picture(&made, &[], weight, BlendMode::Cpu);
            for &mode in BlendMode::ALL {
                let drawn = studio.picture(&head, nodes, weight, mode);
                let apart = difference(&drawn, &expected);
                assert!(apart < same, "{}, weight {weight}: {apart} of the pixels differ", mode.label());
            }
        }
        // Planted errors are noticed.
        let (rest, made) = (Vec::new(), Arc::new(baked(&head, &bent)));
        let expected = studio.picture(&made, &[], 1.0, BlendMode::Cpu);
        for (nodes, weight) in [(&rest, 1.0), (&further, 1.0), (&bent, 0.0)] {
            assert!(difference(&studio.picture(&head, nodes, weight, BlendMode::Vertex), &expected) > same * 3.0);
        }
        assert!(difference(&at_rest, &studio.picture(&head, &[], 0.0, BlendMode::Compute)) < same, "back at rest");
    }
}

#[test]
fn an_adapter_with_few_storage_buffers_also_draws_skins() {
    let head = Arc::new(arm(skin(), vec![]));
    let mut studio = Studio::new(&head, View::Front, shadowless());
    let nodes = bent(&head, 0.9);
    let expected = studio.picture(&head, &nodes, 1.0, BlendMode::Vertex);
    let poor = smirk_support::software_gpu_with(|limits| limits.max_storage_buffers_per_shader_stage = 4);
    studio.renderer = TestRenderer::new(&poor);
    let drawn = studio.picture(&head, &nodes, 1.0, BlendMode::Vertex);
    assert!(
        studio.renderer.unavailable(BlendMode::Vertex).is_some_and(|reason| reason.to_string().contains("needs 5"))
    );
    assert!(difference(&drawn, &expected) < SAME);
}

#[test]
fn the_shadow_moves_with_the_joints() {
    let mut head = arm(skin(), vec![]);
    // A wall behind the arm, without a node.
    let mut wall = synthetic::square(3.0);
    wall.vertices.positions.iter_mut().for_each(|corner| corner.z = -0.6);
    head.asset.meshes.push(wall);
    let head = Arc::new(Head::new(Asset {
        meshes: head.asset.meshes,
        rig: head.asset.rig,
        materials: head.asset.materials,
        ..Asset::default()
    }));
    let look = Look { key: Light { intensity: 2.0, yaw_degrees: 25.0, ..Light::default() }, ..Look::default() };
    let mut studio = Studio::new(&head, View::Front, look);
    let nodes = bent(&head, 0.9);
    let made = Arc::new(baked(&head, &nodes));
    let expected = studio.picture(&made, &[], 0.0, BlendMode::Cpu);
    for mode in [BlendMode::Vertex, BlendMode::Compute] {
        let drawn = studio.picture(&head, &nodes, 0.0, mode);
        let apart = difference(&drawn, &expected);
        assert!(apart < 0.01, "{}: {apart} of the pixels differ", mode.label());
    }
    // With the light from the other side most of the difference is the shadow on the wall.
    studio.look.key.yaw_degrees = -25.0;
    assert!(difference(&studio.picture(&head, &nodes, 0.0, BlendMode::Compute), &expected) > 0.03);
}

#[test]
fn a_scene_is_drawn_again_only_if_nodes_moved() {
    let head = Arc::new(arm(skin(), vec![]));
    let mut studio = Studio::new(&head, View::Front, Look::default());
    let (nodes, broken) = (bent(&head, 0.5), vec![Mat4::from_cols_array(&[f32::NAN; 16]); 5]);
    let (camera, look) = (studio.camera, studio.look);
    let mut draw = |world_from_nodes: &[Mat4]| {
        let (head, mode, quality) = (&head, BlendMode::Compute, Quality::FULL);
        let scene = Scene {
            weights: [0.0].into(),
            world_from_nodes: world_from_nodes.into(),
            mode,
            roles: vec![Role::Other; head.materials.len()].into(),
            quality,
            ..Scene::at_rest(head, &camera, &look, [64, 64])
        };
        let drew = studio.renderer.draw(&scene);
        (drew, studio.renderer.read_pixels())
    };
    let (drew, at_rest) = draw(&[]);
    assert!(drew && !draw(&[]).0);
    let (drew, moved) = draw(&nodes);
    assert!(drew && !draw(&nodes).0 && difference(&at_rest, &moved) > 0.01);
    let (drew, nowhere) = draw(&broken);
    assert!(drew && !draw(&broken).0, "a scene with NaN in its nodes is drawn again and again");
    assert_eq!(difference(&nowhere, &at_rest), 0.0, "a node without a finite matrix is in its rest pose");
}

#[test]
fn a_rig_pose_moves_vertices_as_the_definition_does() {
    let head = arm(skin(), vec![]);
    for nodes in [head.rest_pose.world_from_node().to_vec(), bent(&head, 2.0)] {
        let rig_pose = rig_pose(&head, &nodes);
        for (expected, point) in points(&head, &nodes).iter().zip(rig_pose.positions_in_world(&head.meshes[0])) {
            assert!(expected.distance(point.as_dvec3()) < 1e-6, "{point} for {expected}");
        }
    }
    assert!((head.bounds.size() - Vec3::new(0.5, 2.0, 0.5)).abs().max_element() < 1e-5, "{:?}", head.bounds);
}

/// A square that faces +z, one-sided and white, on the one node there is.
fn square(parent_scale: Vec3, alpha: AlphaMode) -> Head {
    let mesh = Mesh { node: Some(0), ..synthetic::square(1.0) };
    let rest = LocalTransform::Trs(Trs { scale: parent_scale, ..Trs::IDENTITY });
    let rig = Rig { nodes: vec![Node { name: "node".into(), parent: None, rest }], ..Rig::default() };
    let material = Material { base_color: [1.0; 4], unlit: true, double_sided: false, alpha, ..Material::default() };
    Head::new(Asset { meshes: vec![mesh], rig, materials: vec![material], ..Asset::default() })
}

#[test]
fn front_faces_stay_front_faces_when_a_node_begins_to_mirror() {
    let mirror = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let back = View::Angles { yaw_degrees: 180.0, pitch_degrees: 0.0 };
    for rest in [Vec3::ONE, Vec3::new(-1.0, 1.0, 1.0)] {
        let head = Arc::new(square(rest, AlphaMode::Opaque));
        for (view, is_seen) in [(View::Front, true), (back, false)] {
            let mut studio = Studio::new(&head, view, Look::default());
            for nodes in [vec![], vec![mirror], vec![Mat4::IDENTITY], vec![mirror], vec![Mat4::from_scale(Vec3::ZERO)]]
            {
                let is_there = nodes.first().is_none_or(|node| node.determinant() != 0.0);
                let picture = studio.picture(&head, &nodes, 0.0, BlendMode::Compute);
                let middle = picture.get_pixel(SIZE[0] / 2 + 5, SIZE[1] / 2 + 9).0;
                assert_eq!(middle[0] == 255, is_seen && is_there, "{rest}, {nodes:?}: {middle:?}");
            }
        }
    }
}

#[test]
fn a_mirrored_skin_keeps_its_front_faces_and_its_shading() {
    let (material, textures) = normal_mapped();
    let head = Arc::new(arm(material, textures));
    let mut studio = Studio::new(&head, View::ThreeQuarter, shadowless());
    let nodes: Vec<Mat4> =
        bent(&head, 0.7).iter().map(|world| Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0)) * *world).collect();
    let expected = studio.picture(&Arc::new(baked(&head, &nodes)), &[], 0.0, BlendMode::Cpu);
    for &mode in BlendMode::ALL {
        let apart = difference(&studio.picture(&head, &nodes, 0.0, mode), &expected);
        assert!(apart < SAME_WITH_HIGHLIGHTS, "{}: {apart} of the pixels differ", mode.label());
    }
}

#[test]
fn blended_meshes_are_sorted_by_where_their_nodes_moved_them() {
    let glass = |color: [f32; 3]| Material {
        base_color: [color[0], color[1], color[2], 0.5],
        unlit: true,
        alpha: AlphaMode::Blend,
        ..Material::default()
    };
    let mut parts = [
        square(Vec3::ONE, AlphaMode::Blend).asset.meshes.remove(0),
        square(Vec3::ONE, AlphaMode::Blend).asset.meshes.remove(0),
    ];
    (parts[1].node, parts[1].parts[0].material) = (Some(1), 1);
    let node = |z| Node {
        name: String::new(),
        parent: None,
        rest: LocalTransform::Trs(Trs { translation: Vec3::Z * z, ..Trs::IDENTITY }),
    };
    let head = Arc::new(Head::new(Asset {
        meshes: parts.into(),
        rig: Rig { nodes: vec![node(0.0), node(-0.2)], ..Rig::default() },
        materials: vec![glass([1.0, 0.0, 0.0]), glass([0.0, 1.0, 0.0])],
        ..Asset::default()
    }));
    let mut studio = Studio::new(&head, View::Front, Look::default());
    let mut middle = |z: f32| {
        let nodes = [Mat4::IDENTITY, Mat4::from_translation(Vec3::Z * z)];
        studio.picture(&head, &nodes, 0.0, BlendMode::Cpu).get_pixel(SIZE[0] / 2 + 3, SIZE[1] / 2).0
    };
    let (behind, before) = (middle(-0.2), middle(0.2));
    assert!(behind[0] > behind[1] + 20 && before[1] > before[0] + 20, "{behind:?} {before:?}");
}
