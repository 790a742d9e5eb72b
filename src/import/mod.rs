//! Files to heads, recorded performances to takes, JSON to poses.
//!
//! Owns everything that reads a model from disk or memory. Strict: what comes out is whole and finite, and what was
//! converted, repaired or left out is in [`Head::notes`](crate::head::Head::notes). Knows no GPU, no window and no
//! session. `gltf/` is the only place that names the `gltf` crate.

mod beside;
mod budget;
mod capture;
mod content;
mod error;
mod free_names;
mod gltf;
mod ktx2;
mod normals;
mod obj;
mod odd_size;
mod picture;
mod poses;
mod shapes;

use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

pub use content::{Content, content_of};
pub use error::{Fault, ImportError, Undecodable};
pub use gltf::{MeshoptFilter, MeshoptLayout, MeshoptMode, decode_meshopt};
pub use picture::{Pixels, decode_picture};
pub use poses::{NamedWeights, POSES_VERSION};
pub use shapes::{
    AddedShape, Matching, RefusedShape, ShapeFile, ShapesReport, add_shapes, fits, neutral_by_name, shape_names,
    shortest_name,
};

use crate::head::Head;
use crate::motion::Take;

/// Is told what the importer is at, and how far (0..1); `Break` cancels.
pub type Progress<'a> = dyn Fn(&str, f32) -> ControlFlow<()> + 'a;

/// GLB states its length in 32 bits, and nothing bigger is a head.
const MAX_FILE_BYTES: u64 = u32::MAX as u64;

/// Opens a `.glb`, `.gltf`, `.vrm` or `.obj` file.
pub fn open(path: &Path) -> Result<Head, ImportError> {
    open_with(path, &|_, _| ControlFlow::Continue(()))
}

/// Opens a file, telling how far it is and asking whether to go on.
pub fn open_with(path: &Path, progress: &Progress<'_>) -> Result<Head, ImportError> {
    let (file_name, head_name) = names_of(path);
    let read = || {
        report(progress, "reading the file", 0.0)?;
        let bytes = read_file(path, MAX_FILE_BYTES, "a .glb, .gltf or .obj file")?;
        read_head(&bytes, path, Some(folder_of(path)), head_name, progress)
    };
    read().map_err(|fault| ImportError::in_file(&file_name, fault))
}

/// Opens a head that is in memory. `file_name` says by its ending what it is, and stands in errors. Buffers and images have to
/// be within: there are no files beside it, and nothing is read from the disk.
pub fn open_bytes(bytes: &[u8], file_name: &str) -> Result<Head, ImportError> {
    let path = Path::new(file_name);
    let (file_name, head_name) = names_of(path);
    let read = read_head(bytes, path, None, head_name, &|_, _| ControlFlow::Continue(()));
    read.map_err(|fault| ImportError::in_file(&file_name, fault))
}

/// Opens a recorded performance: a Live Link Face or Audio2Face table (`.csv`), Audio2Face or MediaPipe `.json`, or the
/// weight animations of a `.glb`, `.gltf` or `.vrm`. What it is shows in its content, not in its name.
pub fn open_takes(path: &Path) -> Result<Vec<Take>, ImportError> {
    let (file_name, name) = names_of(path);
    let read = || {
        let bytes = read_file(path, capture::MAX_FILE_BYTES, "a capture, e.g. a .csv or .json file")?;
        capture::read(&capture::File { bytes: &bytes, name: &name, path })
    };
    read().map_err(|fault| ImportError::in_file(&file_name, fault))
}

/// Opens a file of poses. One pose alone is called what the file is called.
pub fn open_poses(path: &Path) -> Result<Vec<NamedWeights>, ImportError> {
    const MAX_POSES_FILE_BYTES: u64 = 1 << 26;
    let (file_name, name) = names_of(path);
    let bytes = read_file(path, MAX_POSES_FILE_BYTES, "a .json file of poses");
    bytes.and_then(|bytes| poses::read(&bytes, &name)).map_err(|fault| ImportError::in_file(&file_name, fault))
}

/// The head inside the program.
pub fn embedded() -> Result<Head, ImportError> {
    let bytes = include_bytes!("../../assets/head.glb");
    let source = gltf::Source { bytes, is_text: false, folder: None };
    gltf::read(&source, "Bundled head".into(), &|_, _| ControlFlow::Continue(()))
        .map_err(|fault| ImportError::in_file("the embedded head", fault))
}

/// Reads a head from a file's bytes; its buffers and images are looked for in `folder`.
fn read_head(
    bytes: &[u8],
    path: &Path,
    folder: Option<&Path>,
    name: String,
    progress: &Progress<'_>,
) -> Result<Head, Fault> {
    let has_ending = |ending: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending));
    if has_ending("obj") {
        return obj::read(&obj::Source { bytes, folder }, name, progress);
    }
    let is_text = has_ending("gltf");
    gltf::read(&gltf::Source { bytes, is_text, folder }, name, progress)
}

/// Tells progress; an error if somebody wants to stop.
fn report(progress: &Progress<'_>, stage: &str, fraction: f32) -> Result<(), Fault> {
    match progress(stage, fraction) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Fault::Cancelled),
    }
}

/// A text without the mark that some programs put in front of UTF-8.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The folder a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file's name, and what to call what is in it: the name without its extension.
fn names_of(path: &Path) -> (String, String) {
    let file_name =
        path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    let name = path.file_stem().map_or_else(|| file_name.clone(), |stem| stem.to_string_lossy().into_owned());
    (file_name, name)
}

/// Reads a regular file of at most `max_bytes`. Devices and pipes never end, so they are refused before opening.
/// `wanted` says what to choose instead.
fn read_file(path: &Path, max_bytes: u64, wanted: &str) -> Result<Vec<u8>, Fault> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(Fault::Unfit(format!("is a folder; choose {wanted} in it")));
    }
    if !metadata.is_file() {
        return Err(Fault::Unfit(format!("is not a regular file; choose {wanted}")));
    }
    if metadata.len() > max_bytes {
        return Err(Fault::Unfit(format!(
            "has {} bytes, more than the {max_bytes} Smirk reads; export a smaller file",
            metadata.len()
        )));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    // The file may grow between the look and the read.
    File::open(path)?.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}
