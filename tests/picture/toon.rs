//! Toon shading and outlines (MToon), as they are drawn.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};
use image::RgbaImage;
use smirk_face::head::{
    AlphaMode, Asset, Bounds, Encoding, Head, Image, Material, Mesh, Outline, OutlineWidth, Part, Sampler, Texture,
    Toon, UvAnimation, Vertices,
};
use smirk_scene::{BlendMode, Camera, LightSetup, Look, Quality, Scene, View};
use smirk_support::TestRenderer;
use smirk_support::arm::{arm, baked, bent};

fn avatar_light() -> Look {
    LightSetup::Avatar.applied_to(Look::default())
}

fn material(toon: Toon) -> Material {
    Material {
        base_color: [0.5, 0.25, 0.75, 1.0],
        toon: Some(Box::new(toon)),
        double_sided: false,
        ..Material::default()
    }
}

/// A square that faces +z, one unit wide, for each material, the later ones in front of the earlier ones.
fn squares(materials: Vec<Material>) -> Arc<Head> {
    squares_in_steps(materials, 0.01)
}

/// The same, each so far in front of the one before.
fn squares_in_steps(materials: Vec<Material>, step: f32) -> Arc<Head> {
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec2::new(x, y));
    let meshes = (0..materials.len()).map(|material| Mesh {
        vertices: Vertices {
            normals: vec![Vec3::Z; 4],
            positions: corners.map(|at| (at - 0.5).extend(step * material as f32)).to_vec(),
            uvs: corners.to_vec(),
            ..Vertices::default()
        },
        indices: vec![0, 1, 2, 0, 2, 3],
        parts: vec![Part { first_index: 0, index_count: 6, material, flat_shaded: false }],
        ..Mesh::default()
    });
    let (green, blue) = ([40, 200, 40, 255], [40, 40, 200, 255]);
    let texels = (0..64).flat_map(|texel| if texel % 8 < 4 { green } else { blue }).collect();
    let halves = Texture {
        name: "halves".into(),
        image: Arc::new(Image::new(8, 8, texels)),
        encoding: Encoding::Srgb,
        sampler: Sampler { nearest: true, ..Sampler::default() },
    };
    let meshes = meshes.collect();
    Arc::new(Head::new(Asset { meshes, materials, textures: vec![halves], ..Asset::default() }))
}

fn scene(head: &Arc<Head>, distance: f32) -> Scene {
    let mut camera = Camera::framing(head.bounds, head.bounds, View::Front, 1.0);
    camera.distance *= distance;
    Scene { mode: BlendMode::Cpu, ..Scene::at_rest(head, &camera, &avatar_light(), [128; 2]) }
}

/// The colour in the middle of a picture, as it is shown and with samples.
fn color(head: &Arc<Head>, seconds: f32) -> [i32; 3] {
    let mut renderer = TestRenderer::shared();
    let mut of = |quality| {
        let picture = renderer.picture(&Scene { quality, seconds, ..scene(head, 1.0) });
        let [red, green, blue, _] = picture.get_pixel(70, 64).0;
        [red, green, blue].map(i32::from)
    };
    let (preview, refined) = (of(Quality::FULL), of(Quality::refined(4)));
    assert!(preview.iter().zip(&refined).all(|(a, b)| a.abs_diff(*b) <= 1), "{preview:?}, refined {refined:?}");
    refined
}

fn srgb(linear: [f32; 3]) -> [i32; 3] {
    linear.map(|part| ((1.055 * part.powf(1.0 / 2.4) - 0.055) * 255.0).round() as i32)
}

fn near(found: [i32; 3], linear: [f32; 3]) {
    let expected = srgb(linear);
    assert!(found.iter().zip(&expected).all(|(a, b)| a.abs_diff(*b) <= 1), "{found:?} is not {expected:?}");
}

#[test]
fn light_and_shade_have_the_colours_of_the_material() {
    let shade = [0.2, 0.3, 0.1];
    let of = |toon: Toon| color(&squares(vec![material(toon)]), 0.0);
    let plain = Toon { shade_color: shade, ..Toon::default() };
    near(of(plain.clone()), [0.5, 0.25, 0.75]);
    // The light from everywhere, a tenth of all, is reflected with the lit colour.
    let shaded = [0, 1, 2].map(|part| 0.9 * shade[part] + 0.1 * [0.5, 0.25, 0.75][part]);
    near(of(Toon { shading_shift: -2.0, ..plain.clone() }), shaded);
    let half = Toon { shading_toony: 0.0, shading_shift: -LIGHT_ON_FRONT, ..plain.clone() };
    near(
        of(half),
        [0, 1, 2].map(|part| 0.5 * (0.9 * [0.5, 0.25, 0.75][part] + 0.9 * shade[part]) + 0.1 * [0.5, 0.25, 0.75][part]),
    );
    let rim = Toon { rim_color: [0.1, 0.2, 0.05], rim_lift: 1.0, rim_fresnel_power: 0.0, ..plain };
    near(of(rim), [0.6, 0.45, 0.8]);
}

#[test]
fn light_that_is_brighter_than_white_does_not_burn_colours_out() {
    let shade_color = [0.2, 0.125, 0.1];
    let lit = squares(vec![material(Toon { shade_color, ..Toon::default() })]);
    let shaded = squares(vec![material(Toon { shade_color, shading_shift: -2.0, ..Toon::default() })]);
    let mut look = avatar_light();
    look.key.intensity = 9.9;
    let of = |head: &Arc<Head>| {
        let picture = TestRenderer::shared().picture(&Scene { look, ..scene(head, 1.0) });
        let [red, green, blue, _] = picture.get_pixel(70, 64).0;
        [red, green, blue].map(i32::from)
    };
    near(of(&lit), [0.5, 0.25, 0.75]);
    // A hundredth of the light comes from everywhere.
    near(of(&shaded), [0, 1, 2].map(|part| 0.99 * shade_color[part] + 0.01 * [0.5, 0.25, 0.75][part]));
}

#[test]
fn plain_gltf_beside_toon_is_lit_as_gltf_says_by_the_same_light() {
    let base = [0.5, 0.25, 0.75];
    let cloth = Material { toon: None, metallic: 0.0, roughness: 1.0, ..material(Toon::default()) };
    // Both lie in front of a toon surface.
    let of = |plain: Material| color(&squares(vec![material(Toon::default()), plain]), 0.0);
    // The roughest surfaces (glTF 2.0, appendix B): D and V are 1 and 1 / (2 (n.l + n.v)), times pi. The part of the
    // light that is lost is 2.28 times the part that is kept, if nothing is absorbed.
    let highlight = |f0: f32| f0 * (1.0 + 2.28 * f0) * 0.9 * LIGHT_ON_FRONT * 0.5 / (LIGHT_ON_FRONT + 1.0);
    let diffuse = 0.9 * LIGHT_ON_FRONT * 0.96 + 0.1;
    near(of(cloth.clone()), base.map(|part| part * diffuse + highlight(0.04)));
    // Without a reflection at its surface, and emitting light.
    let glowing = Material { specular: 0.0, emissive: [0.1, 0.0, 0.0], ..cloth.clone() };
    let unspecular = base.map(|part| part * (0.9 * LIGHT_ON_FRONT + 0.1));
    near(of(glowing), [unspecular[0] + 0.1, unspecular[1], unspecular[2]]);
    let metal = Material { metallic: 1.0, ..cloth };
    near(of(metal), base.map(highlight));
}

/// The cosine between the light of avatars and a surface that faces +z.
const LIGHT_ON_FRONT: f32 = 0.813_798;

#[test]
fn a_matcap_is_read_by_the_normal_and_texture_coordinates_move_with_time() {
    let black = Material { base_color: [0.0, 0.0, 0.0, 1.0], ..material(Toon::default()) };
    let toon = |toon| Material { toon: Some(Box::new(toon)), ..black.clone() };
    // Right of the middle, the eye is on the left of the normal.
    let matcap = color(&squares(vec![toon(Toon { matcap_texture: Some(0.into()), ..Toon::default() })]), 0.0);
    assert!(matcap[2] > 150 && matcap[1] < 80, "{matcap:?}");
    let uv_animation = UvAnimation { scroll: [0.25, 0.0], ..UvAnimation::default() };
    let sliding = Material {
        base_color_texture: Some(0.into()),
        base_color: [1.0; 4],
        ..toon(Toon { uv_animation, ..Toon::default() })
    };
    let head = squares(vec![sliding]);
    assert!(head.animates_uvs);
    let [first, second, third] = [0.0, 2.0, 4.0].map(|seconds| color(&head, seconds));
    assert!(first[2] > first[1] && second[1] > second[2], "{first:?}, {second:?}");
    assert_eq!(first, third, "after a whole length it is as before");
}

#[test]
fn blended_surfaces_come_in_the_order_of_their_queue_and_hide_what_comes_later_if_they_write_depth() {
    let glass = |color: [f32; 3], queue_offset, writes_depth| Material {
        alpha: AlphaMode::Blend,
        base_color: [color[0], color[1], color[2], 0.5],
        ..material(Toon { shade_color: color, queue_offset, writes_depth, ..Toon::default() })
    };
    let (red, blue) = ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    let of = |back, front| color(&squares(vec![back, front]), 0.0);
    let over = of(glass(red, 0, false), glass(blue, 0, false));
    assert!(over[2] > over[0] + 30, "the one before covers more: {over:?}");
    let later = of(glass(red, 0, false), glass(blue, -1, false));
    assert!(later[0] > later[2] + 30, "the one behind is drawn later: {later:?}");
    let hidden = of(glass(red, 1, true), glass(blue, 0, true));
    assert!(hidden[0] < hidden[2] - 30, "what is hidden is not drawn: {hidden:?}");
    // Of one queue, the nearer one is drawn later, also if it comes first in the file.
    for writes_depth in [false, true] {
        let pair = vec![glass(red, 0, writes_depth), glass(blue, 0, writes_depth)];
        let nearer_first = color(&squares_in_steps(pair, -0.01), 0.0);
        assert!(nearer_first[0] > nearer_first[2] + 30 && nearer_first[2] > 100, "{writes_depth}: {nearer_first:?}");
    }
}

/// The number of pixels that are black, as outlines are.
fn black(picture: &RgbaImage) -> usize {
    picture.pixels().filter(|pixel| pixel.0[..3].iter().all(|part| *part < 12)).count()
}

fn with_outline(width: OutlineWidth) -> Toon {
    let outline = Outline { width, lighting_mix: 0.0, ..Toon::default().outline };
    Toon { outline, shade_color: [0.2, 0.1, 0.3], rim_color: [0.2; 3], ..Toon::default() }
}

/// A bent arm that is half morphed, with samples or without.
fn arm_picture(head: &Arc<Head>, nodes: &[Mat4], mode: BlendMode, quality: Quality) -> RgbaImage {
    let bounds = Bounds::around([Vec3::splat(-1.0), Vec3::ONE]);
    let camera = Camera::framing(bounds, bounds, View::ThreeQuarter, 1.0);
    let scene = Scene {
        weights: [0.5].into(),
        world_from_nodes: nodes.into(),
        mode,
        quality,
        ..Scene::at_rest(head, &camera, &avatar_light(), [192; 2])
    };
    TestRenderer::shared().picture(&scene)
}

/// The share of pixels of which a channel differs by more than one step.
fn apart(a: &RgbaImage, b: &RgbaImage) -> f64 {
    let differs = |(a, b): &(&image::Rgba<u8>, &image::Rgba<u8>)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 1);
    a.pixels().zip(b.pixels()).filter(differs).count() as f64 / f64::from(a.width() * a.height())
}

#[test]
fn every_mode_draws_the_same_picture_and_hulls_follow_the_bent_surface() {
    for width in [OutlineWidth::World(0.02), OutlineWidth::Screen(0.01)] {
        let head = Arc::new(arm(material(with_outline(width)), vec![]));
        let bare = Arc::new(arm(material(with_outline(OutlineWidth::None)), vec![]));
        let (nodes, further) = (bent(&head, 0.9), bent(&head, 1.0));
        let made = Arc::new(baked(&head, &nodes));
        for quality in [Quality::FULL, Quality::refined(4)] {
            let expected = arm_picture(&head, &nodes, BlendMode::Cpu, quality);
            for &mode in BlendMode::ALL {
                let drawn = arm_picture(&head, &nodes, mode, quality);
                assert!(apart(&drawn, &expected) < 2e-4, "{mode:?}: {}", apart(&drawn, &expected));
            }
            let moved_before = arm_picture(&made, &[], BlendMode::Cpu, quality);
            assert!(apart(&moved_before, &expected) < 0.02, "{}", apart(&moved_before, &expected));
            // Planted errors are noticed.
            let without = arm_picture(&bare, &nodes, BlendMode::Vertex, quality);
            assert!(black(&expected) > black(&without) + 100, "{} and {}", black(&expected), black(&without));
            assert!(apart(&arm_picture(&head, &further, BlendMode::Vertex, quality), &expected) > 0.03);
        }
    }
}

#[test]
fn an_outline_of_the_screen_is_as_wide_from_afar_and_one_of_the_world_is_not() {
    let mut renderer = TestRenderer::shared();
    // A hull of a single square has no thickness: the outline of a box is seen from the front.
    let mut wide = |width, distance| {
        let head = Arc::new(arm(material(with_outline(width)), vec![]));
        let bare = Arc::new(arm(material(with_outline(OutlineWidth::None)), vec![]));
        let [with, without] = [head, bare].map(|head| {
            let mut camera = Camera::framing(head.bounds, head.bounds, View::Front, 1.0);
            camera.distance *= distance;
            let scene = Scene::at_rest(&head, &camera, &avatar_light(), [256; 2]);
            let picture = renderer.picture(&Scene { quality: Quality::refined(4), ..scene });
            black(&picture)
        });
        with as f64 - without as f64
    };
    let screen = wide(OutlineWidth::Screen(0.015), 1.0) / wide(OutlineWidth::Screen(0.015), 2.0);
    let world = wide(OutlineWidth::World(0.05), 1.0) / wide(OutlineWidth::World(0.05), 2.0);
    assert!((1.6..2.6).contains(&screen), "half as long, as wide: {screen}");
    assert!((3.2..6.0).contains(&world), "half as long and half as wide: {world}");
}
