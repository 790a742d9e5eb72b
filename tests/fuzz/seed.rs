//! Writes the seed inputs of fuzzing into `tests/fuzz/corpus`: a small valid file of every kind.

use std::path::Path;

use smirk_support::{good_files, ktx2};

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let write = |target: &str, name: &str, bytes: &[u8]| {
        std::fs::create_dir_all(corpus.join(target))?;
        std::fs::write(corpus.join(target).join(name), bytes)
    };
    for (name, file) in good_files::all() {
        write("glb", name, &file.glb())?;
        write("json", name, file.gltf().as_bytes())?;
    }
    write("obj", "pyramid", good_files::OBJ.as_bytes())?;
    let picture = |format| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let picture = image::RgbImage::from_fn(5, 3, |x, y| image::Rgb([x as u8 * 40, y as u8 * 80, 7]));
        picture.write_to(&mut bytes, format).map(|()| bytes.into_inner()).map_err(std::io::Error::other)
    };
    write("images", "png", &picture(image::ImageFormat::Png)?)?;
    write("images", "jpeg", &picture(image::ImageFormat::Jpeg)?)?;
    // The fuzz target puts the signature in front.
    let after_magic = |bytes: &[u8]| bytes[12..].to_vec();
    let uastc = ktx2::Ktx2::uastc(5, 3, [9, 80, 200, 255]);
    write("ktx2", "plain", &after_magic(&ktx2::Ktx2::rgba8(2, 1, &[1, 2, 3, 4, 5, 6, 7, 8]).bytes()))?;
    write("ktx2", "uastc", &after_magic(&uastc.bytes()))?;
    write("ktx2", "zstandard", &after_magic(&uastc.zstandard().bytes()))?;
    write("ktx2", "etc1s", &after_magic(&ktx2::ETC1S))?;
    // Mode, filter, stride, count; see `smirk_support::fuzzing::meshopt`.
    let pack = |rows: &[[i16; 4]]| meshopt::encode_vertex_buffer(rows).map_err(std::io::Error::other);
    let rows = pack(&[[0, 0, 0, 0], [100, 0, 0, 0], [0, 100, 7, 0]])?;
    let triangles = meshopt::encode_index_buffer(&[0, 1, 2, 2, 1, 3], 4).map_err(std::io::Error::other)?;
    for (name, head, packed) in [
        ("rows", [0, 0, 8, 3], &rows),
        ("octahedral", [0, 1, 8, 3], &rows),
        ("quaternion", [0, 2, 8, 3], &rows),
        ("exponential", [0, 3, 8, 3], &rows),
        ("color", [0, 4, 8, 3], &rows),
        ("triangles", [1, 0, 2, 6], &triangles),
        ("indices", [2, 0, 4, 6], &triangles),
    ] {
        write("meshopt", name, &[&head[..], packed].concat())?;
    }
    // Five accessors of three floats and bytes each, four views of 64 bytes, triangles; see
    // `smirk_support::fuzzing::accessors`.
    let floats = [0, 5, 2, 3, 0, 0];
    let mut bytes = [floats, floats, [0, 1, 0, 3, 0, 0], [0, 5, 1, 3, 0, 0], [0, 5, 3, 3, 0, 0]].concat();
    (0..4).for_each(|_| bytes.extend([0, 64, 0]));
    bytes.push(4);
    bytes.extend((0..64_u8).map(|at| at % 3));
    write("accessors", "floats", &bytes)
}
