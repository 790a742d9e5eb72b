//! The bounds contain the blended head at any weights, so that drawing neither clips it nor loses its shadow.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::sync::Arc;

use glam::{Vec2, Vec3};
use image::RgbaImage;
use smirk_face::head::{Bounds, Head, Mesh, Part, Target, Vertices};
use smirk_graphics::blend::{DeformedBounds, Layout, Precision, reference};
use smirk_scene::{BlendMode, Camera, Light, Look, Normals, Scene, View};
use smirk_support::TestRenderer;
use smirk_support::in_betweens;
use smirk_support::random::Random;
use smirk_support::synthetic::{self, Recipe};

const SIZE: [u32; 2] = [128, 128];

fn first_outside(head: &Head, weights: &[f32], bounds: Bounds) -> Option<usize> {
    let world_of =
        head.meshes.iter().flat_map(|mesh| std::iter::repeat_n(mesh.world_from_mesh.as_dmat4(), mesh.vertices.len()));
    let places = reference(head, weights, Normals::Authored).into_iter().zip(world_of);
    places
        .map(|(vertex, world_from_mesh)| world_from_mesh.transform_point3(vertex.position))
        .position(|place| place.cmplt(bounds.min.as_dvec3()).any() || place.cmpgt(bounds.max.as_dvec3()).any())
}

#[test]
fn no_vertex_is_outside_at_random_weights() {
    let bundled = smirk_files::import::embedded().unwrap();
    let far_off = Recipe { offset: Vec3::new(3.0, 0.0, 0.0), ..Recipe::new(500, 40) };
    let heads =
        [synthetic::head(3, &[Recipe::new(1000, 12), far_off, Recipe::new(70, 0)]), bundled, in_betweens::head(8)];
    for head in heads {
        let mut bounds = DeformedBounds::new(&head, &Layout::new(&head, Precision::Exact));
        let mut random = Random::new(5);
        let mut weights = vec![0.0; head.target_count()];
        let mut was_beyond_rest = false;
        for share in [0.02, 0.1, 0.1, 1.0, 0.1, 0.0] {
            weights.fill_with(|| if random.chance(share) { random.between(-2.0, 3.0) } else { 0.0 });
            assert_eq!(first_outside(&head, &weights, bounds.under(&weights)), None, "{share} of the targets");
            was_beyond_rest |= first_outside(&head, &weights, head.bounds).is_some();
        }
        assert!(was_beyond_rest, "bounds at rest would not have done");
    }
}

#[test]
fn a_target_is_bounded_on_its_whole_path() {
    let head = in_betweens::head(8);
    let mut bounds = DeformedBounds::new(&head, &Layout::new(&head, Precision::Packed));
    for weights in in_betweens::weight_vectors(head.target_count()) {
        assert_eq!(first_outside(&head, &weights, bounds.under(&weights)), None, "{weights:?}");
    }
}

/// A plate in front of the camera, and a smaller one behind it, which a target moves in `direction`.
fn plates(direction: Vec3) -> Arc<Head> {
    let square = |half: f32, z: f32| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| Vec3::new(x * half, y * half, z))
    };
    let plate = |positions: [Vec3; 4], targets| Mesh {
        vertices: Vertices { positions: positions.to_vec(), normals: vec![Vec3::Z; 4], ..Default::default() },
        indices: vec![0, 1, 2, 0, 2, 3],
        parts: vec![Part { first_index: 0, index_count: 6, material: 0, flat_shaded: false }],
        targets,
        ..Mesh::default()
    };
    let lift = Target::from_dense("lift".into(), 0.0, &[direction; 4], &[], &[]);
    Arc::new(synthetic::head_of(vec![plate(square(1.0, 0.0), vec![]), plate(square(0.4, -0.5), vec![lift])]))
}

/// A picture whose only light comes from the front.
fn picture(head: &Arc<Head>, camera: &Camera, weight: f32) -> RgbaImage {
    let dark = Light { intensity: 0.0, ..Light::default() };
    let look = Look { key: Light::default(), fill: dark, rim: dark, ..Look::default() };
    let mut renderer = TestRenderer::shared();
    renderer.draw(&Scene {
        weights: [weight].into(),
        mode: BlendMode::Cpu,
        ..Scene::at_rest(head, camera, &look, SIZE)
    });
    renderer.read_pixels()
}

fn brightness_at(picture: &RgbaImage, camera: &Camera, point: Vec3) -> f32 {
    let seen = (camera.projection_from_view(1.0) * camera.view_from_world()).project_point3(point).truncate();
    let pixel = (seen * Vec2::new(0.5, -0.5) + 0.5) * Vec2::new(SIZE[0] as f32, SIZE[1] as f32);
    let [red, green, blue, _] = picture.get_pixel(pixel.x as u32, pixel.y as u32).0.map(f32::from);
    red + green + blue
}

#[test]
fn vertices_moved_many_heads_away_are_drawn() {
    let away = Vec3::new(1.0, 0.0, -5.0);
    let head = plates(away);
    let mut camera = Camera::framing(head.bounds, head.bounds, View::Front, 1.0);
    camera.distance *= 3.0;
    let place = away * 8.0 + Vec3::NEG_Z * 0.5;
    let (without, with) = (picture(&head, &camera, 0.0), picture(&head, &camera, 8.0));
    let (without, with) = (brightness_at(&without, &camera, place), brightness_at(&with, &camera, place));
    assert!(with > without + 60.0, "{with} where it is, {without} without it");
}

#[test]
fn vertices_moved_towards_the_light_cast_a_shadow() {
    let head = plates(Vec3::Z);
    // From the side, past the small plate.
    let view = View::Angles { yaw_degrees: 50.0, pitch_degrees: 0.0 };
    let camera = Camera::framing(head.bounds, head.bounds, view, 1.0);
    let (without, with) = (picture(&head, &camera, 0.0), picture(&head, &camera, 8.0));
    let [without, with] = [without, with].map(|picture| brightness_at(&picture, &camera, Vec3::ZERO));
    assert!(with < without * 0.8, "{with} in the shadow, {without} without it");
}
