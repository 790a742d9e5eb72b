//! Light is neither lost nor made: each lobe of reflection reflects the same share of light from one direction after the other as
//! of light from everywhere, and never more than arrives. Tone mapping follows its definition.

use smirk_face::head::{Beam, FileLight, Role};
use smirk_picture::ambient_occlusion::{AmbientOcclusion, VertexOcclusion};
use smirk_scene::{Light, LitBy, Tone};

use crate::pictures::*;

/// Draws a square that faces the viewer, and returns the light of its middle. Exposure times light has to be below 0.8, up to
/// which `Tone::Neutral` can be inverted.
struct Furnace {
    renderer: TestRenderer,
    /// A dark file light, so that only ambient light shines if the look is lit by the file.
    head: Arc<Head>,
    roles: [Role; 1],
}

impl Furnace {
    fn new(material: Material, role: Role) -> Self {
        let dark = FileLight {
            name: "dark".into(),
            node: None,
            world_from_light: Mat4::IDENTITY,
            color: [1.0; 3],
            intensity: 0.0,
            range: None,
            beam: Beam::Directional,
        };
        let (meshes, materials, lights) = (vec![square(Mat4::IDENTITY, 0)], vec![material], vec![dark]);
        let head = Arc::new(Head::new(Asset { name: "test".into(), meshes, materials, lights, ..Asset::default() }));
        Self { renderer: renderer(), head, roles: [role] }
    }

    fn pixel(&mut self, look: &Look) -> [u8; 4] {
        let camera = Camera::framing(self.head.focus, self.head.bounds, View::Front, 1.0);
        let scene = Scene {
            mode: BlendMode::Cpu,
            roles: self.roles.into(),
            quality: Quality { msaa: 1, scale: 1.0, samples: 0 },
            ..Scene::at_rest(&self.head, &camera, look, [32, 32])
        };
        assert!(self.renderer.draw(&scene));
        self.renderer.read_pixels().get_pixel(16, 16).0
    }

    /// The light of the middle, grey.
    fn light(&mut self, look: &Look) -> f32 {
        let shown = srgb_to_linear(self.pixel(&Look { tone: Tone::Neutral, ..*look })[1]);
        let light = if shown < 0.04 { (shown / 6.25).sqrt() } else { shown + 0.04 };
        assert!(shown < 0.75, "too bright to be measured: {shown}");
        light / look.exposure.exp2()
    }

    /// The share that is reflected of light that is the same from everywhere.
    fn share_of_all_light(&mut self, exposure: f32) -> f32 {
        self.light(&Look { ambient: 0.5, exposure, lit_by: LitBy::File, ..Look::default() }) / 0.5
    }

    /// The same share, summed over many directions of the key light.
    fn share_of_keys(&mut self, intensity: f32, exposure: f32) -> f32 {
        const KEYS: usize = 300;
        let golden = std::f32::consts::PI * (3.0 - 5.0_f32.sqrt());
        let sum: f32 = (0..KEYS)
            .map(|index| {
                let z = (index as f32 + 0.5) / KEYS as f32;
                let (sin, cos) = (golden * index as f32).sin_cos();
                let [x, y] = [cos, sin].map(|part| part * (1.0 - z * z).sqrt());
                let key = Light {
                    intensity,
                    color: [1.0; 3],
                    yaw_degrees: x.atan2(z).to_degrees(),
                    pitch_degrees: y.asin().to_degrees(),
                };
                let dark = Light { intensity: 0.0, ..key };
                self.light(&Look {
                    key,
                    fill: dark,
                    rim: dark,
                    ambient: 0.0,
                    softness: 0.0,
                    exposure,
                    ..Look::default()
                })
            })
            .sum();
        // Directions evenly over the hemisphere of 2 pi steradians; light is measured over pi.
        sum * 2.0 / KEYS as f32 / intensity
    }
}

fn srgb_to_linear(byte: u8) -> f32 {
    let value = f32::from(byte) / 255.0;
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn material(color: f32, roughness: f32, metallic: f32) -> Material {
    Material { base_color: [color, color, color, 1.0], roughness, metallic, ..Material::default() }
}

#[test]
fn a_white_surface_in_even_light_is_as_bright_as_the_light() {
    for roughness in [0.3, 0.6, 1.0] {
        let share = Furnace::new(material(1.0, roughness, 0.0), Role::Other).share_of_all_light(0.0);
        assert!((share - 1.0).abs() < 0.01, "roughness {roughness}: {share}");
    }
    // Skin has a little colour of its own.
    let share = Furnace::new(material(1.0, 0.5, 0.0), Role::Skin).share_of_all_light(0.0);
    assert!(share < 1.01 && share > 0.85, "skin: {share}");
    // A rough metal loses what is reflected from facet to facet, which is not drawn.
    for (roughness, least) in [(0.2, 0.7), (0.5, 0.7), (0.8, 0.5)] {
        let share = Furnace::new(material(1.0, roughness, 1.0), Role::Other).share_of_all_light(0.0);
        assert!(share < 1.01 && share > least, "metal of roughness {roughness}: {share}");
    }
}

#[test]
fn each_lobe_reflects_as_much_of_many_lights_as_of_even_light_and_never_more_than_arrives() {
    let sheen = Material {
        sheen_color: [1.0; 3],
        sheen_roughness: 0.7,
        base_color: [0.0, 0.0, 0.0, 1.0],
        ..Material::default()
    };
    for (what, material, role, intensity, exposures, tolerance) in [
        // The fit of the mirrored studio is darker than the key on metal.
        ("metal", material(1.0, 0.5, 1.0), Role::Other, 0.15, [0.0, 0.0], 0.18),
        ("film of plastic", material(0.0, 0.5, 0.0), Role::Other, 1.0, [2.0, 4.0], 0.01),
        ("skin", material(0.0, 0.5, 0.0), Role::Skin, 1.0, [1.5, 4.0], 0.01),
        ("sheen", sheen, Role::Other, 1.0, [0.0, 0.0], 0.06),
    ] {
        let mut furnace = Furnace::new(material, role);
        let of_keys = furnace.share_of_keys(intensity, exposures[0]);
        let of_all = furnace.share_of_all_light(exposures[1]);
        assert!((of_keys - of_all).abs() < tolerance, "{what}: {of_keys} of many lights, {of_all} of even light");
        assert!(of_keys < 1.02, "{what}: {of_keys}");
    }
}

/// Sobotka's curve with slope 2 at middle grey and the exponents 3 and 3.25, to the power 1.3, sRGB-encoded.
fn agx_of_grey(light: f32) -> f32 {
    let x = ((light / 0.18).log2() + 10.0) / 16.5;
    let (pivot, slope) = ([10.0 / 16.5, 0.5], 2.0_f32);
    let curve = |from_pivot: f32, [x_range, y_range]: [f32; 2], exponent: f32| {
        let scale = ((slope * x_range).powf(-exponent) * ((slope * x_range / y_range).powf(exponent) - 1.0))
            .powf(-1.0 / exponent);
        let term = slope * from_pivot / scale;
        scale * term / (1.0 + term.powf(exponent)).powf(1.0 / exponent)
    };
    let y = if x < pivot[0] {
        0.5 - curve(pivot[0] - x, pivot, 3.0)
    } else {
        0.5 + curve(x - pivot[0], [1.0 - pivot[0], 0.5], 3.25)
    };
    y.powf(1.3)
}

#[test]
fn tone_mapping_follows_its_definition_and_leaves_unlit_colours_alone() {
    let lamp = |light: f32| Material { emissive: [light; 3], ..material(0.0, 1.0, 0.0) };
    let dark = Light { intensity: 0.0, ..Light::default() };
    let look = Look { key: dark, fill: dark, rim: dark, ambient: 0.0, exposure: 0.0, ..Look::default() };
    for (light, exposure) in [(0.18, 0.0), (0.05, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 2.0), (1.0, 4.0), (0.02, -2.0)] {
        let mut furnace = Furnace::new(lamp(light), Role::Other);
        let [agx, _, _, _] = furnace.pixel(&Look { exposure, ..look });
        let expected = agx_of_grey(light * exposure.exp2()) * 255.0;
        assert!((f32::from(agx) - expected).abs() < 3.0, "AgX of {light} at {exposure} EV: {agx} is not {expected}");
    }
    let neutral = Look { tone: Tone::Neutral, ..look };
    assert_close(Furnace::new(lamp(0.5), Role::Other).pixel(&neutral), [0.46; 3]);
    let white = Furnace::new(lamp(1.0), Role::Other).pixel(&Look { exposure: 6.0, ..neutral });
    assert!(white[0] > 250 && white[0] == white[2], "{white:?}");
    for &tone in Tone::ALL {
        let linear = [0.5, 0.02, 0.9];
        let pixel =
            Furnace::new(unlit([0.5, 0.02, 0.9, 1.0]), Role::Other).pixel(&Look { tone, exposure: 1.0, ..look });
        assert_close(pixel, linear);
    }
}

#[test]
fn profiles_have_no_white_streaks() {
    let (head, mut renderer) = (bundled_head(), renderer());
    for view in [View::Left, View::Right, View::Front, View::ThreeQuarter] {
        let picture = picture(&mut renderer, &head, &head.default_weights(), BlendMode::Cpu, view);
        let white = picture.pixels().filter(|pixel| pixel.0[..3].iter().all(|part| *part > 236)).count();
        assert!(white < 40, "{view:?}: {white} pixels are white");
    }
}

/// Two squares that face the viewer: the one in front keeps most of the light of an even sky from the smaller one behind it.
#[test]
fn what_covers_a_surface_takes_light_from_it() {
    let place = |z: f32| Mat4::from_translation(Vec3::Z * z);
    let head = |meshes: Vec<Mesh>| {
        let materials = vec![Material { base_color: [0.8, 0.8, 0.8, 1.0], ..Material::default() }];
        Head::new(Asset { name: "test".into(), meshes, materials, ..Asset::default() })
    };
    let alone = AmbientOcclusion::measure(&head(vec![square(place(0.0), 0)]));
    assert_eq!(alone.meshes, [vec![VertexOcclusion::NONE; 4]]);
    let smaller = Mat4::from_scale(Vec3::splat(0.5));
    let covered = AmbientOcclusion::measure(&head(vec![square(smaller, 0), square(place(0.1), 0)]));
    let open: Vec<u16> = covered.meshes[0].iter().map(|vertex| vertex.at_rest / (u16::MAX / 100)).collect();
    assert!(open.iter().all(|percent| (2..30).contains(percent)), "at the corners: {open:?} %");
    assert_eq!(covered.meshes[1], [VertexOcclusion::NONE; 4]);

    let mut furnace = Furnace::new(Material { base_color: [0.8, 0.8, 0.8, 1.0], ..Material::default() }, Role::Other);
    let before = furnace.share_of_all_light(0.0);
    let half = VertexOcclusion { at_rest: u16::MAX / 2, mouth_open: u16::MAX / 2 };
    furnace.renderer.set_ambient_occlusion(&AmbientOcclusion { meshes: vec![vec![half; 4]] });
    let after = furnace.share_of_all_light(0.0);
    assert!((0.45..0.75).contains(&(after / before)), "{before}, {after}");
}
