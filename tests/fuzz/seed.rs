//! Writes what fuzzing starts from into `tests/fuzz/corpus`: every kind of good file, small.

#[path = "../support/good_files.rs"]
mod good_files;
#[path = "../support/gltf_builder.rs"]
mod gltf_builder;

use std::path::Path;

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
    // Five accessors of three floats and bytes each, four views of 64 bytes, triangles; see `fuzzing::accessors`.
    let floats = [0, 5, 2, 3, 0, 0];
    let mut bytes = [floats, floats, [0, 1, 0, 3, 0, 0], [0, 5, 1, 3, 0, 0], [0, 5, 3, 3, 0, 0]].concat();
    (0..4).for_each(|_| bytes.extend([0, 64, 0]));
    bytes.push(4);
    bytes.extend((0..64_u8).map(|at| at % 3));
    write("accessors", "floats", &bytes)
}
