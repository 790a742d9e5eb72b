//! Images: KTX2, WebP and older formats, and the fallback images of textures.

use std::io::Cursor;
use std::sync::Arc;

use image::{ImageFormat, Rgba, RgbaImage};
use serde_json::json;
use smirk_face::head::{BlockFormat, Image, Level};
use smirk_files::import::decode_image;

use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::head_checks;
use smirk_support::head_checks::says;
use smirk_support::ktx2::{self, Ktx2};

/// One colour in a file format that `image` writes.
fn plain(color: [u8; 4], format: ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    RgbaImage::from_pixel(2, 2, Rgba(color)).write_to(&mut Cursor::new(&mut bytes), format).unwrap();
    bytes
}

/// One colour as a DDS image of 2 × 2 texels of 32 bits.
fn dds(color: [u8; 4]) -> Vec<u8> {
    let mut words = [0_u32; 32];
    (words[0], words[1]) = (u32::from_le_bytes(*b"DDS "), 124);
    (words[3], words[4]) = (2, 2);
    words[19..27].copy_from_slice(&[32, 0x41, 0, 32, 0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]);
    words.iter().flat_map(|word| word.to_le_bytes()).chain(color.repeat(4)).collect()
}

fn image(file: &mut GltfBuilder, bytes: &[u8]) -> usize {
    let view = file.view(bytes);
    file.push("images", json!({"bufferView": view}))
}

/// A triangle whose material shows texture 0.
fn textured() -> GltfBuilder {
    let mut file = GltfBuilder::triangle();
    file.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    file
}

#[test]
fn the_image_of_an_extension_is_used_before_the_fallback_image() {
    let (red, blue) = ([200, 0, 0, 255], [0, 0, 200, 255]);
    for (extension, packed) in [
        ("EXT_texture_webp", plain(red, ImageFormat::WebP)),
        ("KHR_texture_basisu", Ktx2::rgba8(2, 2, &red.repeat(4)).bytes()),
        ("MSFT_texture_dds", dds(red)),
    ] {
        let mut file = textured();
        let (packed, fallback) = (image(&mut file, &packed), image(&mut file, &plain(blue, ImageFormat::Png)));
        file.json["extensionsRequired"] = json!([extension]);
        file.json["textures"] = json!([{"extensions": {extension: {"source": packed}}}]);
        let head = file.open().unwrap();
        assert_eq!(head.textures[0].image.rgba()[..4], red, "{extension}");
        assert!(head.notes.iter().all(|note| note.level == Level::Info), "{:?}", head.notes);

        file.json["textures"][0]["source"] = json!(fallback);
        assert_eq!(file.open().unwrap().textures[0].image.rgba()[..4], red, "{extension} first");
        file.json["textures"][0]["extensions"][extension]["source"] = json!(9);
        let head = file.open().unwrap();
        assert_eq!(head.textures[0].image.rgba()[..4], blue);
        assert!(says(&head, Level::Info, "shows its fallback image"), "{:?}", head.notes);
    }
    let mut file = textured();
    file.json["textures"] = json!([{"extensions": {"ACME_texture": {"source": 0}}}]);
    assert!(says(&file.open().unwrap(), Level::Warning, "has an image by ACME_texture only"));
}

#[test]
fn plain_and_compressed_ktx2_have_the_same_texels() {
    let rgba: Vec<u8> = (0..5 * 3 * 4).collect();
    let valid = Ktx2::rgba8(5, 3, &rgba);
    assert_eq!(decode_image(&valid.bytes()).unwrap().rgba, rgba);
    let pixels = decode_image(&valid.clone().zstandard().bytes()).unwrap();
    assert_eq!((pixels.width, pixels.height, &pixels.rgba), (5, 3, &rgba));
    let grey = Ktx2 { format: 9, level: vec![7, 8], ..Ktx2::rgba8(2, 1, &[]) };
    assert_eq!(decode_image(&grey.bytes()).unwrap().rgba, [7, 0, 0, 255, 8, 0, 0, 255]);
}

#[test]
fn basis_textures_are_transcoded() {
    let color = [200, 100, 50, 255];
    for uastc in [Ktx2::uastc(6, 5, color), Ktx2::uastc(6, 5, color).zstandard()] {
        let pixels = decode_image(&uastc.bytes()).unwrap();
        assert_eq!((pixels.width, pixels.height), (6, 5));
        assert!(pixels.rgba.chunks(4).all(|texel| texel == color), "{:?}", &pixels.rgba[..4]);
    }
    let pixels = decode_image(&ktx2::ETC1S).unwrap();
    assert_eq!((pixels.width, pixels.height), (8, 8));
    let texel = |x: usize, y: usize| &pixels.rgba[(y * 8 + x) * 4..][..4];
    for (texel, expected) in [(texel(1, 1), [200, 40, 30, 255]), (texel(6, 6), [30, 60, 220, 128])] {
        assert!(texel.iter().zip(expected).all(|(a, b)| a.abs_diff(b) < 12), "{texel:?} for {expected:?}");
    }
}

/// The colours of the levels of an image of 16 × 16 texels.
const LEVELS: [[u8; 4]; 5] =
    [[200, 40, 30, 255], [40, 200, 30, 255], [40, 30, 200, 255], [250, 240, 20, 255], [9, 9, 9, 255]];

fn mipmapped() -> Ktx2 {
    Ktx2::uastc(16, 16, LEVELS[0]).with_mipmaps(&LEVELS[1..])
}

/// The image of a head with this file as its texture.
fn opened(ktx2: &[u8]) -> Arc<Image> {
    let mut file = textured();
    image(&mut file, ktx2);
    file.json["textures"] = json!([{"extensions": {"KHR_texture_basisu": {"source": 0}}}]);
    let head = file.open().unwrap();
    assert!(head.notes.iter().all(|note| note.level == Level::Info), "{:?}", head.notes);
    head.textures[0].image.clone()
}

/// The lengths of the levels that an image has as blocks.
fn lengths(image: &Image, first: u32) -> Option<Vec<usize>> {
    let [bc7, astc] = [BlockFormat::Bc7, BlockFormat::Astc].map(|format| image.blocks(format, first));
    let lengths = |levels: &[Vec<u8>]| levels.iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(bc7.as_deref().map(lengths), astc.as_deref().map(lengths));
    assert!(bc7.is_none() || bc7 != astc);
    bc7.as_deref().map(lengths)
}

#[test]
fn basis_textures_with_all_mipmaps_are_there_as_blocks() {
    for file in [mipmapped(), mipmapped().zstandard()] {
        let image = opened(&file.bytes());
        assert_eq!((image.width(), image.height(), image.alphas()), (16, 16, [255, 255]));
        assert_eq!(lengths(&image, 0), Some(vec![256, 64, 16, 16, 16]));
        assert_eq!(lengths(&image, 3), Some(vec![16, 16]));
        let levels = image.blocks(BlockFormat::Bc7, 0).unwrap();
        assert!(levels.iter().zip(&levels[1..]).all(|(a, b)| a[..16] != b[..16]), "levels that are other colours");
        assert!(image.rgba().chunks(4).all(|texel| texel == LEVELS[0]), "the texels are those of the largest level");
    }
    let oblong = Ktx2::uastc(8, 4, [7, 7, 7, 255]).with_mipmaps(&[[1; 4]; 3]);
    assert_eq!(lengths(&opened(&oblong.bytes()), 0), Some(vec![32, 16, 16, 16]));
    for (has_alpha, least) in [(false, 255..=255), (true, 117..=139)] {
        let image = opened(&ktx2::etc1s_with_mipmaps(has_alpha));
        assert_eq!(lengths(&image, 0), Some(vec![64, 16, 16, 16]), "alpha {has_alpha}");
        assert!(least.contains(&image.alphas()[0]) && image.alphas()[1] == 255, "{:?}", image.alphas());
        let red = image.rgba()[..4].to_vec();
        assert!(red.iter().zip([200, 40, 30, 255]).all(|(a, b)| a.abs_diff(b) < 12), "{red:?}");
    }
}

#[test]
fn images_without_all_levels_or_with_odd_sides_have_texels_only() {
    let image = opened(&Ktx2::uastc(16, 16, LEVELS[0]).bytes());
    assert_eq!((lengths(&image, 0), &image.rgba()[..4]), (None, &LEVELS[0][..]), "it has no mipmaps");
    assert_eq!(lengths(&opened(&Ktx2::uastc(16, 16, LEVELS[0]).with_mipmaps(&LEVELS[1..4]).bytes()), 0), None);
    assert_eq!(lengths(&opened(&Ktx2::uastc(6, 4, LEVELS[0]).with_mipmaps(&LEVELS[1..3]).bytes()), 0), None);
    assert_eq!(lengths(&opened(&Ktx2::rgba8(4, 4, &[9; 64]).bytes()), 0), None);
    let mut too_short = mipmapped();
    too_short.mipmaps[1].0.truncate(8);
    too_short.mipmaps[1].1 = 8;
    assert_eq!(lengths(&opened(&too_short.bytes()), 0), None, "level 2 has half a block");
    let mut huge = mipmapped().zstandard();
    huge.mipmaps[3].1 = u64::MAX;
    let image = opened(&huge.bytes());
    assert_eq!((lengths(&image, 0), &image.rgba()[..4]), (None, &LEVELS[0][..]), "level 4 claims to be huge");
}

#[test]
fn alpha_is_what_the_file_says_it_is() {
    let glass = Ktx2::uastc(4, 4, [9, 9, 9, 100]).with_mipmaps(&[[9, 9, 9, 100]; 2]);
    assert_eq!(opened(&glass.bytes()).alphas(), [100, 100]);
    let colors_only = opened(&Ktx2 { has_alpha: false, ..glass }.bytes());
    assert_eq!((colors_only.alphas(), &colors_only.rgba()[..4]), ([255, 255], &[9, 9, 9, 255][..]));
}

#[test]
fn broken_blocks_are_whole_or_there_are_none() {
    let valid = [
        mipmapped().bytes(),
        mipmapped().zstandard().bytes(),
        ktx2::etc1s_with_mipmaps(false),
        ktx2::etc1s_with_mipmaps(true),
    ];
    let (mut in_blocks, mut in_texels, mut errors) = (0, 0, 0);
    for (number, bytes) in valid.iter().enumerate() {
        for at in 0..bytes.len() {
            for flip in [0x01, 0xff] {
                let mut broken = bytes.clone();
                broken[at] ^= flip;
                let mut file = textured();
                image(&mut file, &broken);
                file.push("textures", json!({"source": 0}));
                let head = file.open().unwrap();
                head_checks::check(&head);
                match head.textures.first().map(|texture| texture.image.blocks(BlockFormat::Bc7, 0)) {
                    Some(Some(_)) => in_blocks += 1,
                    Some(None) => in_texels += 1,
                    None => errors += 1,
                }
            }
        }
        assert!(lengths(&opened(bytes), 0).is_some(), "file {number} is not valid");
    }
    println!("{in_blocks} in blocks, {in_texels} in texels, {errors} errors");
    assert!(in_blocks > 500 && in_texels > 100 && errors > 500, "{in_blocks}, {in_texels}, {errors}");
}

#[test]
fn sizes_in_ktx2_headers_are_checked_before_memory_is_allocated() {
    let message = |ktx2: Ktx2| decode_image(&ktx2.bytes()).unwrap_err().to_string();
    let valid = || Ktx2::uastc(64, 64, [1, 2, 3, 255]);
    assert!(message(Ktx2 { width: 60_000, ..valid() }).contains("larger than 8192"));
    assert!(message(Ktx2 { width: 8192, height: 8192, ..valid() }).contains("need 67108864"));
    assert!(message(Ktx2 { width: 8192, height: 8192, ..valid() }.zstandard()).contains("need 67108864"));
    let claims_more = Ktx2 { width: 8192, height: 8192, level_bytes: 67_108_864, ..valid().zstandard() };
    assert!(message(claims_more).contains("does not decode"));
    assert!(message(Ktx2 { faces: 6, ..valid() }).contains("flat picture"));
    assert!(message(Ktx2 { levels: 90, ..valid() }).contains("90 levels"));
    assert!(message(Ktx2 { format: 145, ..valid() }).contains("vkFormat 145"));
    assert!(message(Ktx2 { supercompression: 3, ..valid() }).contains("supercompression 3"));
    let bytes = valid().bytes();
    for length in 0..bytes.len() {
        assert!(decode_image(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
}

#[test]
fn broken_images_decode_to_the_right_length_or_to_an_error() {
    let valid = [
        Ktx2::uastc(8, 8, [9, 8, 7, 255]).bytes(),
        Ktx2::uastc(8, 8, [9, 8, 7, 255]).zstandard().bytes(),
        ktx2::ETC1S.to_vec(),
        plain([1, 2, 3, 4], ImageFormat::WebP),
        plain([1, 2, 3, 4], ImageFormat::Png),
        dds([1, 2, 3, 4]),
        plain([1, 2, 3, 4], ImageFormat::Tga),
        plain([1, 2, 3, 4], ImageFormat::Tiff),
        plain([1, 2, 3, 4], ImageFormat::Bmp),
        plain([1, 2, 3, 4], ImageFormat::Gif),
    ];
    let mut errors = 0;
    for bytes in &valid {
        assert!(decode_image(bytes).is_ok());
        for at in 0..bytes.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut broken = bytes.clone();
                broken[at] ^= flip;
                match decode_image(&broken) {
                    Ok(pixels) => assert_eq!(pixels.rgba.len(), (pixels.width * pixels.height * 4) as usize),
                    Err(_) => errors += 1,
                }
            }
        }
    }
    assert!(errors > 0);
}

#[test]
fn images_of_older_formats_are_recognised_by_their_content() {
    let texels = RgbaImage::from_fn(3, 2, |x, y| Rgba([x as u8 * 100, y as u8 * 200, 9, 255]));
    for format in [ImageFormat::Tga, ImageFormat::Tiff, ImageFormat::Bmp, ImageFormat::Gif, ImageFormat::Png] {
        let mut bytes = Vec::new();
        texels.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
        let pixels = decode_image(&bytes).unwrap();
        assert_eq!((pixels.width, pixels.height, &pixels.rgba), (3, 2, texels.as_raw()), "{format:?}");
        let mut file = textured();
        let image = image(&mut file, &bytes);
        file.push("textures", json!({"source": image}));
        let head = file.open().unwrap();
        assert_eq!(head.textures.len(), 1, "{format:?}: {:?}", head.notes);
        for length in [0, 2, 17, 18, 30, bytes.len() / 2] {
            assert!(decode_image(&bytes[..length.min(bytes.len() - 1)]).is_err(), "{format:?} of {length} bytes");
        }
    }
}

#[test]
fn large_images_are_refused_by_their_headers() {
    let tga = [&[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &[0xFF, 0xFF, 0xFF, 0xFF, 32, 8]].concat();
    let mut bmp = plain([1, 2, 3, 255], ImageFormat::Bmp);
    bmp[18..26].copy_from_slice(&[60_000_u32.to_le_bytes(), 60_000_u32.to_le_bytes()].concat());
    let mut gif = plain([1, 2, 3, 255], ImageFormat::Gif);
    gif[6..10].fill(0xFF);
    for (bytes, what) in [(tga, "TGA"), (bmp, "BMP"), (gif, "GIF")] {
        let message = decode_image(&bytes).unwrap_err().to_string();
        assert!(message.contains("larger than 8192 × 8192"), "{what}: {message}");
    }
}

#[test]
fn files_that_are_no_image_are_named() {
    for (bytes, words) in [
        (&b"8BPS\0\x01"[..], "is a Photoshop document, and neither PNG"),
        (b"\x76\x2f\x31\x01", "is an OpenEXR picture"),
        (b"hello, this is text", "is no image of a kind that is read"),
        (b"", "is no image"),
    ] {
        let message = decode_image(bytes).unwrap_err().to_string();
        assert!(message.contains(words) && message.ends_with("re-export it as PNG"), "{message}");
    }
}

#[test]
fn images_that_name_the_same_bytes_are_decoded_once() {
    let mut file = GltfBuilder::triangle();
    let view = file.view(&plain([1, 2, 3, 255], ImageFormat::Png));
    for index in 0..3 {
        file.push("images", json!({"bufferView": view, "name": format!("image {index}")}));
        file.push("textures", json!({"source": index}));
        file.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": index}}}));
    }
    let head = file.open().unwrap();
    assert_eq!((head.textures.len(), head.textures[2].name.as_str()), (3, "image 2"));
    assert!(head.textures.iter().all(|texture| Arc::ptr_eq(&texture.image, &head.textures[0].image)));
}

#[test]
fn each_material_without_its_texture_has_a_note() {
    let mut file = textured();
    file.json["textures"] = json!([{"source": 9}]);
    let material = file.json["materials"][0].clone();
    file.push("materials", material);
    let head = file.open().unwrap();
    for name in ["material 0", "material 1"] {
        assert!(says(&head, Level::Warning, &format!("material \"{name}\": shown without its colour texture")));
    }
}
