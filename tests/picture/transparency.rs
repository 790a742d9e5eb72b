//! Blended surfaces are drawn in an order that looks right: hair, lashes, glass.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};
use image::RgbaImage;
use smirk_face::head::{
    AlphaMode, Asset, Encoding, Head, Image, Material, Mesh, Part, Sampler, Target, Texture, TextureRef, Vertices,
};
use smirk_scene::{BlendMode, Camera, Look, Quality, Scene, View};
use smirk_support::TestRenderer;

/// A card of side 1 at z, facing +z or -z.
struct Card {
    z: f32,
    faces_viewer: bool,
    color: [f32; 4],
}

/// Cards as one part, in this order.
fn mesh_of(cards: &[Card]) -> Mesh {
    let mut vertices = Vertices::default();
    let mut indices = Vec::new();
    for card in cards {
        let first = vertices.positions.len() as u32;
        let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
        vertices.positions.extend(corners.map(|(x, y)| Vec3::new(x, y, card.z)));
        vertices.uvs.extend(corners.map(|(x, y)| Vec2::new(x + 0.5, 0.5 - y)));
        vertices.normals.extend([if card.faces_viewer { Vec3::Z } else { Vec3::NEG_Z }; 4]);
        vertices.colors.extend([card.color; 4]);
        let turns = if card.faces_viewer { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
        indices.extend(turns.map(|corner| first + corner));
    }
    let index_count = indices.len() as u32;
    let parts = vec![Part { first_index: 0, index_count, material: 0, flat_shaded: false }];
    Mesh { name: "cards".into(), world_from_mesh: Mat4::IDENTITY, vertices, indices, parts, ..Mesh::default() }
}

fn blended() -> Material {
    Material { base_color: [1.0; 4], alpha: AlphaMode::Blend, double_sided: true, unlit: true, ..Material::default() }
}

fn head_of(meshes: Vec<Mesh>, material: Material, textures: Vec<Texture>) -> Arc<Head> {
    Arc::new(Head::new(Asset { meshes, materials: vec![material], textures, ..Asset::default() }))
}

fn picture(head: &Arc<Head>, weights: &[f32], look: &Look, quality: Quality) -> RgbaImage {
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let mut renderer = TestRenderer::shared();
    let mode = BlendMode::Compute;
    let (world_from_nodes, camera) = (&[][..], &camera);
    renderer.draw(&Scene {
        weights: weights.into(),
        world_from_nodes: world_from_nodes.into(),
        mode,
        quality,
        ..Scene::at_rest(head, camera, look, [64, 64])
    });
    renderer.read_pixels()
}

/// The middle of a picture on black, in linear light.
fn middle(head: &Arc<Head>, weights: &[f32]) -> [f32; 3] {
    let look = Look { background: [0.0; 3], ..Look::default() };
    let [r, g, b, _] = picture(head, weights, &look, Quality::FULL).get_pixel(35, 30).0;
    [r, g, b].map(|byte| (f32::from(byte) / 255.0).powf(2.2))
}

#[track_caller]
fn assert_close(actual: [f32; 3], expected: [f32; 3]) {
    assert!(actual.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.03), "{actual:?} is not {expected:?}");
}

fn red(z: f32, alpha: f32) -> Card {
    Card { z, faces_viewer: true, color: [1.0, 0.0, 0.0, alpha] }
}

fn green(z: f32, alpha: f32) -> Card {
    Card { z, faces_viewer: true, color: [0.0, 1.0, 0.0, alpha] }
}

#[test]
fn nearly_opaque_hair_hides_what_is_behind_it_in_any_order() {
    for cards in [[red(0.1, 0.95), green(-0.1, 0.95)], [green(-0.1, 0.95), red(0.1, 0.95)]] {
        let [r, g, _] = middle(&head_of(vec![mesh_of(&cards)], blended(), Vec::new()), &[]);
        assert!(r > 0.9 && g < 0.1, "{r} {g}");
    }
}

#[test]
fn thin_edges_are_blended_over_the_hair_behind_them() {
    let cards = [red(0.1, 0.5), green(-0.1, 0.95)];
    assert_close(middle(&head_of(vec![mesh_of(&cards)], blended(), Vec::new()), &[]), [0.5, 0.475, 0.0]);
}

#[test]
fn the_far_side_of_a_double_sided_surface_is_drawn_first() {
    let far = Card { faces_viewer: false, ..green(-0.1, 0.5) };
    let shell = mesh_of(&[red(0.1, 0.5), far]);
    assert_close(middle(&head_of(vec![shell.clone()], blended(), Vec::new()), &[]), [0.5, 0.25, 0.0]);
    let one_sided = Material { double_sided: false, ..blended() };
    assert_close(middle(&head_of(vec![shell], one_sided, Vec::new()), &[]), [0.5, 0.0, 0.0]);
}

#[test]
fn parts_are_sorted_by_where_their_targets_moved_them() {
    let mut moving = mesh_of(&[green(-0.1, 0.5)]);
    moving.targets = vec![Target::from_dense("forth".into(), 0.0, &[Vec3::Z * 0.3; 4], &[], &[])];
    let head = head_of(vec![mesh_of(&[red(0.1, 0.5)]), moving], blended(), Vec::new());
    assert_close(middle(&head, &[0.0]), [0.5, 0.25, 0.0]);
    assert_close(middle(&head, &[1.0]), [0.25, 0.5, 0.0]);
}

#[test]
fn light_goes_through_glass_and_its_highlight_stays() {
    let look = Look { background: [0.0; 3], ..Look::default() };
    let glass =
        Material { base_color: [1.0; 4], roughness: 0.3, transmission: 1.0, double_sided: true, ..Material::default() };
    let shown = |material: Material, normal: Vec3| {
        let mut mesh = mesh_of(&[red(0.1, 1.0)]);
        mesh.vertices.normals = vec![normal; 4];
        let [r, g, b, _] =
            picture(&head_of(vec![mesh], material, Vec::new()), &[], &look, Quality::FULL).get_pixel(35, 30).0;
        [r, g, b]
    };
    let to_key = look.key.direction_to_light_in_world();
    let between = (to_key + Vec3::Z).normalize_or_zero();
    let (away, shining) = (shown(glass.clone(), Vec3::Z), shown(glass.clone(), between));
    assert!(away[0] < 60, "its colour stayed: {away:?}");
    assert!(shining[1] > away[1] + 20, "{shining:?} beside {away:?}");
    assert!(shown(Material { transmission: 0.0, ..glass }, Vec3::Z)[0] > 120);
}

/// Glass with a highlight: its normals are halfway between the eye and the key light. `alpha` is that of its vertex
/// colour.
fn shining_glass(mode: AlphaMode, alpha: f32) -> Arc<Head> {
    let glass = Material { roughness: 0.3, transmission: 0.5, unlit: false, alpha: mode, ..blended() };
    let mut mesh = mesh_of(&[red(0.1, alpha)]);
    let to_key = Look::default().key.direction_to_light_in_world();
    mesh.vertices.normals = vec![(to_key + Vec3::Z).normalize_or_zero(); 4];
    head_of(vec![mesh], glass, Vec::new())
}

#[test]
fn alpha_of_transmissive_materials_follows_their_alpha_mode() {
    let mask = AlphaMode::Mask { cutoff: 0.5 };
    let [opaque, kept, whole] =
        [AlphaMode::Opaque, mask, AlphaMode::Blend].map(|mode| middle(&shining_glass(mode, 1.0), &[]));
    assert!(opaque[1] > 0.02, "there is no highlight: {opaque:?}");
    assert_close(kept, opaque);
    assert_close(whole, opaque);
    assert_close(middle(&shining_glass(AlphaMode::Opaque, 0.0), &[]), opaque);
    for mode in [mask, AlphaMode::Blend] {
        assert_eq!(middle(&shining_glass(mode, 0.0), &[]), [0.0; 3], "a surface of alpha 0 has a highlight: {mode:?}");
    }
    let half = middle(&shining_glass(AlphaMode::Blend, 0.5), &[]);
    assert!(half.iter().zip(opaque).all(|(half, whole)| *half > 0.01 && *half < whole - 0.02), "{half:?}, {opaque:?}");
}

#[test]
fn edges_of_masks_are_smooth_and_the_picture_stays_opaque() {
    // Alpha falls along the diagonal.
    let texel = |at: usize| [255, 255, 255, ((at % 8 + at / 8) * 18) as u8];
    let texture = Texture {
        name: "ramp".into(),
        image: Arc::new(Image::new(8, 8, (0..64).flat_map(texel).collect())),
        encoding: Encoding::Srgb,
        sampler: Sampler::default(),
    };
    let masked =
        Material { alpha: AlphaMode::Mask { cutoff: 0.5 }, base_color_texture: Some(TextureRef::from(0)), ..blended() };
    let white = Card { color: [1.0; 4], ..red(0.0, 1.0) };
    let head = head_of(vec![mesh_of(&[white])], masked, vec![texture]);
    let look = Look { background: [0.0; 3], ..Look::default() };
    let between = |quality| {
        let picture = picture(&head, &[], &look, quality);
        assert!(picture.pixels().all(|pixel| pixel[3] == 255), "holes in the picture");
        assert!(picture.pixels().any(|pixel| pixel[0] == 255), "nothing was drawn");
        // Inside the card, where its own outline adds no edge.
        let inside = (16..48).flat_map(|y| (16..48).map(move |x| (x, y)));
        inside.filter(|&(x, y)| (40..215).contains(&picture.get_pixel(x, y)[0])).count()
    };
    assert_eq!(between(Quality { msaa: 1, ..Quality::FULL }), 0);
    assert!(between(Quality::FULL) > 8, "{} pixels of the edge are mixed", between(Quality::FULL));
}
