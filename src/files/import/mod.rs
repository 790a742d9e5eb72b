//! Importers: model files to heads, captures to takes, meshes over time to takes, JSON files to poses, label files to
//! markers.
//!
//! Everything that reads a model from disk or memory is here. The result is always complete and finite; what was
//! converted, repaired or left out is in [`Asset::notes`](smirk_face::head::Asset::notes). Depends on no GPU, no window
//! and no session. Only `gltf/` uses the `gltf` crate, and only `fbx/` the `ufbx` crate.

mod budget;
mod capture;
mod content;
mod correctives;
mod error;
mod expressions;
mod fbx;
mod file;
mod foreign;
mod frames;
mod gltf;
mod image;
mod json_tree;
mod mapping;
mod markers;
mod mesh;
mod obj;
mod poses;
mod shapes;
mod sidecar;
mod tiles;
mod unique_names;

use std::path::{Path, PathBuf};

pub use self::image::decode_image;
pub use capture::{MediaPipeFrame, unit_by_name, unit_by_step};
pub use content::content_of;
pub use correctives::{correctives_beside, correctives_text, declares_correctives};
pub use error::{Fault, ImportError, Problem};
pub use frames::{
    MatchedFrames, MeshFrames, RecordedFrames, SolvedFrames, USUAL_RATE, arrays_in, frames_without_times,
    may_be_frames, open_frames, recorded_frames, sequence_of, solve_frames,
};
pub use gltf::{MeshoptFilter, MeshoptLayout, MeshoptMode, decode_meshopt};
pub use markers::ImportedMarkers;
pub use poses::NamedWeights;
pub use shapes::{
    AddedShape, CarriedShapes, RefusedShape, Remark, ShapesReport, add_shapes, fits, match_heads, neutral_by_name,
    shortest_name, version_of, version_of_with,
};
pub use unique_names::UniqueNames;

use self::budget::Budget;
use self::file::{MAX_FILE_BYTES, names_of, read_opened, without_byte_order_mark};
use self::sidecar::ModelFolder;
use smirk_analysis::solve::SolveSettings;
use smirk_base::file_kind::{self, Content};
use smirk_base::names::quoted;
use smirk_base::progress::{Cancelled, Progress, Ticks};
use smirk_face::head::{Asset, Head, Kind, Matching, Note, Notes, Standing, Subject, listed};
use smirk_face::motion::{Angle, Take, TakeMap};

/// What every importer is given: the notes on the file, the memory that it may claim, and the progress.
struct Import<'a> {
    notes: Notes,
    /// What vertices and deltas may take.
    budget: Budget,
    /// What lists of objects may take that are typed from JSON, and what these refer to.
    lists: Budget,
    progress: Progress<'a>,
    ticks: Ticks<'a>,
}

impl<'a> Import<'a> {
    fn new(budget: Budget, progress: Progress<'a>) -> Self {
        let ticks = Ticks::new(progress, "reading the file", 0.0);
        Self { notes: Notes::default(), budget, lists: Budget::for_lists(0), progress, ticks }
    }

    fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes).into_list()
    }

    /// Reports a step, and the part of the import that is done (0..1).
    fn report(&self, stage: &str, fraction: f32) -> Result<(), Cancelled> {
        self.progress.report(stage, fraction)
    }

    /// Begins a step of many parts, for each of which [`Self::tick`] is called.
    fn begin(&mut self, stage: &'static str, fraction: f32) {
        self.ticks = Ticks::new(self.progress, stage, fraction);
    }

    /// Reports the step now and then.
    fn tick(&mut self) -> Result<(), Cancelled> {
        self.ticks.tick()
    }

    /// Like [`Self::tick`], when another part of the import is done.
    fn tick_at(&mut self, fraction: f32) -> Result<(), Cancelled> {
        self.ticks.tick_at(fraction)
    }
}

/// Opens a `.glb`, `.gltf`, `.vrm`, `.obj` or `.fbx` file.
pub fn open(path: &Path) -> Result<Head, ImportError> {
    open_with(path, Progress::NONE)
}

pub fn open_with(path: &Path, progress: Progress<'_>) -> Result<Head, ImportError> {
    Ok(expressions::with_expressions_beside(path, open_unturned(path, progress)?.turned_as_found()))
}

/// The files that a head may have beside it, whether or not they are there: its correctives and its expressions.
pub fn files_beside(head: &Path) -> [PathBuf; 2] {
    [correctives_beside(head), expressions::expressions_beside(head)]
}

/// Like [`open_with`], as the head is in its file, even if it lies or looks along -z: for meshes that are compared with
/// those of another head.
fn open_unturned(path: &Path, progress: Progress<'_>) -> Result<Head, ImportError> {
    read_with_side_files(path, names_of(path).1, progress).map_err(|fault| in_file(path, fault))
}

fn read_with_side_files(path: &Path, name: String, progress: Progress<'_>) -> Result<Head, Fault> {
    progress.report("reading the file", 0.0)?;
    let wanted = format!("a {} file", file_kind::in_words(&file_kind::extensions(|kind| kind.opens(Content::Head))));
    let bytes = read_opened(path, MAX_FILE_BYTES, &wanted, progress)?;
    let folder = ModelFolder::containing(path);
    let mut asset = read_asset(&bytes, path, Some(&folder), name, progress)?;
    correctives::read_beside(path, &folder, &mut asset);
    asset.side_files = folder.into_files();
    Ok(Head::new(asset))
}

/// Opens a head from memory. The extension of `file_name` determines the format; errors contain it. Buffers and images
/// must be embedded: nothing is read from the disk.
pub fn open_bytes(bytes: &[u8], file_name: &str) -> Result<Head, ImportError> {
    let path = Path::new(file_name);
    let read = read_asset(bytes, path, None, names_of(path).1, Progress::NONE);
    read.map(|asset| Head::new(asset).turned_as_found()).map_err(|fault| in_file(path, fault))
}

/// Opens a recorded performance: a Live Link Face or Audio2Face table (`.csv`), Audio2Face or MediaPipe `.json`, or the
/// weight animations of a `.glb`, `.gltf`, `.vrm` or `.fbx`. The content determines the format, not the extension.
/// Angles are in radians, whatever the unit of the file.
pub fn open_takes(path: &Path) -> Result<Vec<Take>, ImportError> {
    open_takes_with(path, Progress::NONE)
}

/// Opens the takes of a file as captures, or as meshes over time the take that is solved of them for a head.
pub fn open_takes_as(
    content: Content,
    path: &Path,
    head: &Head,
    progress: Progress<'_>,
) -> Result<Vec<Take>, ImportError> {
    if content != Content::Frames {
        return open_takes_with(path, progress);
    }
    let solved = solve_frames(head, path, Matching::Auto, None, &SolveSettings::default(), progress)?;
    Ok(vec![solved.take_with_residual()])
}

pub fn open_takes_with(path: &Path, progress: Progress<'_>) -> Result<Vec<Take>, ImportError> {
    let bytes = read_opened(path, capture::MAX_FILE_BYTES, "a capture, e.g. a .csv or .json file", progress);
    takes_of(&bytes.map_err(|fault| in_file(path, fault))?, path, progress)
}

/// Like [`open_takes`], from memory; `path` is where the bytes came from.
pub fn open_takes_bytes(bytes: &[u8], path: &Path) -> Result<Vec<Take>, ImportError> {
    takes_of(bytes, path, Progress::NONE)
}

fn takes_of(bytes: &[u8], path: &Path, progress: Progress<'_>) -> Result<Vec<Take>, ImportError> {
    let import = Import::new(Budget::for_file(bytes.len() as u64), progress);
    let read = capture::read(&capture::CaptureFile { bytes, name: &names_of(path).1, path }, import);
    let mut takes = read.map_err(|fault| in_file(path, fault))?;
    for (converted, take) in Angle::convert_to_radians(&mut takes).into_iter().zip(&mut takes) {
        if !converted.is_empty() {
            let names: Vec<String> = converted.iter().map(|name| quoted(name)).collect();
            let message = format!("{} are in degrees, and were converted to radians", listed(&names, 9));
            take.notes.push(Note::info(Subject::All(Kind::Column), message));
        }
    }
    Ok(takes)
}

/// Opens a file of poses. A single pose without a name gets the name of the file.
pub fn open_poses(path: &Path) -> Result<Vec<NamedWeights>, ImportError> {
    open_poses_bytes(&read_small(path, "a .json file of poses")?, path)
}

/// Like [`open_poses`], from memory; `path` is where the bytes came from.
pub fn open_poses_bytes(bytes: &[u8], path: &Path) -> Result<Vec<NamedWeights>, ImportError> {
    poses::read(bytes, &names_of(path).1).map_err(|fault| in_file(path, fault))
}

pub fn open_mapping(path: &Path) -> Result<TakeMap, ImportError> {
    mapping::read(&read_small(path, "a .json file of a mapping")?).map_err(|fault| in_file(path, fault))
}

/// Opens a file of markers: labels of Audacity, or a TextGrid of Praat.
pub fn open_markers(path: &Path) -> Result<ImportedMarkers, ImportError> {
    open_markers_bytes(&read_small(path, "a label file")?, path)
}

pub fn open_markers_bytes(bytes: &[u8], path: &Path) -> Result<ImportedMarkers, ImportError> {
    markers::read(bytes).map_err(|fault| in_file(path, fault))
}

/// The bytes of a file of text that an artist or a tool writes, which is at most 64 MiB long.
fn read_small(path: &Path, wanted: &str) -> Result<Vec<u8>, ImportError> {
    read_opened(path, 1 << 26, wanted, Progress::NONE).map_err(|fault| in_file(path, fault))
}

/// The median of numbers that are not NaN.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

fn in_file(path: &Path, fault: Fault) -> ImportError {
    ImportError::in_file(&names_of(path).0, fault)
}

pub fn embedded() -> Result<Head, ImportError> {
    let bytes = smirk_assets::HEAD;
    let source = gltf::GltfFile { bytes, is_text: false, folder: None };
    let import = Import::new(Budget::for_file(bytes.len() as u64), Progress::NONE);
    let read = gltf::read(&source, "Bundled head".into(), import);
    let mut asset = read.map_err(|fault| ImportError::in_file("the embedded head", fault))?;
    asset.rig.found = Some(Standing::UPRIGHT);
    Ok(Head::new(asset))
}

fn read_asset(
    bytes: &[u8],
    path: &Path,
    folder: Option<&ModelFolder>,
    name: String,
    progress: Progress<'_>,
) -> Result<Asset, Fault> {
    let import = Import::new(Budget::for_file(bytes.len() as u64), progress);
    if file_kind::OBJ.matches(path) {
        return obj::read(&obj::ObjFile { bytes, folder }, name, import);
    }
    if file_kind::FBX.matches(path) {
        return fbx::read(&fbx::FbxFile { bytes, folder }, name, import);
    }
    // For files of any other name too: its errors name the kinds of files that are often mistaken for models.
    let is_text = file_kind::GLTF.matches(path);
    gltf::read(&gltf::GltfFile { bytes, is_text, folder }, name, import)
}
