//! Textures that go to the adapter as blocks look like the same textures as texels.

use serde_json::json;
use smirk_face::head::BlockFormat;
use smirk_graphics::gpu::Gpu;
use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::ktx2::Ktx2;
use smirk_support::random::Random;
use smirk_support::software_gpu_with_features;
use wgpu::Features;

use crate::pictures::*;

/// The features of an adapter that reads BC7, and of one that does not.
const FEATURES: [Features; 2] = [Features::TEXTURE_COMPRESSION_BC, Features::empty()];

/// The image of a KTX2 file.
fn image_of(file: &Ktx2) -> Arc<Image> {
    let mut model = GltfBuilder::textured_triangle();
    let view = model.view(&file.bytes());
    model.push("images", json!({"bufferView": view, "mimeType": "image/ktx2"}));
    model.open().unwrap().textures[0].image.clone()
}

/// The same image without its file.
fn texels_of(image: &Image) -> Arc<Image> {
    Arc::new(Image::new(image.width(), image.height(), image.rgba().to_vec()))
}

/// A square that shows a whole image, with `material`, whose textures are that image.
fn head_with(image: Arc<Image>, material: Material) -> Arc<Head> {
    let mut mesh = square(Mat4::IDENTITY, 0);
    mesh.vertices.uvs = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)].map(|(u, v)| Vec2::new(u, v)).to_vec();
    mesh.vertices.tangents = vec![glam::Vec4::new(1.0, 0.0, 0.0, 1.0); 4];
    let encoding = if material.normal_texture.is_some() { Encoding::Linear } else { Encoding::Srgb };
    let texture = Texture { name: "map".into(), image, encoding, sampler: Sampler::default() };
    head_of(vec![mesh], vec![material], vec![texture])
}

fn painted() -> Material {
    Material { base_color_texture: Some(0.into()), ..unlit([1.0; 4]) }
}

/// A picture of so many pixels to each side.
fn picture_on(gpu: &Gpu, head: &Arc<Head>, side: u32) -> RgbaImage {
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let look = Look::default();
    let scene = Scene { mode: BlendMode::Cpu, ..Scene::at_rest(head, &camera, &look, [side, side]) };
    TestRenderer::new(gpu).picture(&scene)
}

/// 64 × 64 texels whose blocks have random gradients, in those modes of UASTC that can have them in one piece.
fn gradients() -> Ktx2 {
    /// The codes of modes 0, 1, 5 and 18, and their bits.
    const CODES: [(u8, u32); 4] = [(0x01, 4), (0x35, 6), (0x0b, 5), (0x09, 4)];
    let mut random = Random::new(7);
    let mut byte = || random.below(256) as u8;
    let blocks: Vec<u128> = (0..16 * 16)
        .map(|at| {
            let (code, bits) = CODES[at % CODES.len()];
            let noise = u128::from_le_bytes(std::array::from_fn(|_| byte()));
            noise >> bits << bits | u128::from(code)
        })
        .collect();
    let mipmaps = [[128, 128, 128, 255]; 6];
    Ktx2::uastc_of(64, 64, &blocks, false).with_mipmaps(&mipmaps)
}

/// The same file with two blocks of the middle in each other's place.
fn with_swapped_blocks(file: &Ktx2) -> Ktx2 {
    let mut wrong = file.clone();
    let (before, from) = wrong.level.split_at_mut((8 * 16 + 9) * 16);
    before[(8 * 16 + 7) * 16..][..16].swap_with_slice(&mut from[..16]);
    wrong
}

#[test]
fn blocks_look_like_texels() {
    let gpus = FEATURES.map(software_gpu_with_features);
    let draw = |gpu: &Gpu, image: &Arc<Image>, material: &Material| {
        picture_on(gpu, &head_with(image.clone(), material.clone()), 256)
    };
    let bumps = Material { normal_texture: Some(0.into()), ..Material::default() };
    let tilted = |red| Ktx2::uastc(64, 64, [red, 128, 220, 255]).with_mipmaps(&[[red, 128, 220, 255]; 6]);
    let gradients = gradients();
    let swapped = with_swapped_blocks(&gradients);
    for (material, file, wrong, steps) in [(painted(), &gradients, &swapped, 8), (bumps, &tilted(190), &tilted(160), 1)]
    {
        let [image, wrong] = [file, wrong].map(image_of);
        assert!(image.blocks(BlockFormat::Bc7, 0).is_some());
        let texels = draw(&gpus[1], &texels_of(&image), &material);
        let blocks = draw(&gpus[0], &image, &material);
        assert_eq!(share_that_differs(&blocks, &texels, steps), 0.0, "{material:?}");
        assert_eq!(draw(&gpus[1], &image, &material), texels, "without blocks");
        let differs = share_that_differs(&draw(&gpus[0], &wrong, &material), &texels, steps);
        assert!(differs > 0.005, "{differs} differ if the picture is wrong");
    }
    // The blocks of random gradients are not exact; those of texels are.
    let image = image_of(&gradients);
    assert_ne!(draw(&gpus[0], &image, &painted()), draw(&gpus[1], &image, &painted()), "there were no blocks");
}

/// The red of a level, by which it is recognised.
fn red_of(level: u32) -> u8 {
    20 + 25 * level as u8
}

#[test]
fn distant_textures_show_the_mipmaps_of_their_file() {
    let color = |level| [red_of(level), 90, 120, 255];
    let mipmaps: Vec<_> = (1..=8).map(color).collect();
    let head = head_with(image_of(&Ktx2::uastc(256, 256, color(0)).with_mipmaps(&mipmaps)), painted());
    for features in FEATURES {
        let gpu = software_gpu_with_features(features);
        for (side, finest, coarsest) in [(768, 0, 0), (128, 1, 3), (32, 3, 5), (12, 4, 6)] {
            let red = picture_on(&gpu, &head, side).get_pixel(side / 2, side / 2).0[0];
            // The mipmaps that are made of the texels have the colour of the largest level.
            let expected = if features.is_empty() { 20..=20 } else { red_of(finest)..=red_of(coarsest) };
            assert!(expected.contains(&red), "{red} in {side} pixels with {features:?}");
        }
    }
}
