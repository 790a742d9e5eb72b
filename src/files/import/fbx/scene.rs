//! Loads a file with `ufbx`: within a limit of memory, in metres and with y up, and with errors in the words of Smirk.

use std::fmt::Display;

use ufbx::{
    AllocatorOpts, CoordinateAxes, ErrorType, FileFormat, GeometryTransformHandling, IndexErrorHandling,
    InheritModeHandling, LoadOpts, ProgressCb, ProgressResult, SceneRoot, SpaceConversion, WarningType,
};

use crate::import::{Fault, Import, Problem, file};
use smirk_base::names::quoted;
use smirk_base::progress::Cancelled;
use smirk_face::head::{Note, Subject};

/// `ufbx` takes older files, whose layout it does not know, for damaged ones.
const OLDEST_VERSION: u32 = 3000;

/// The memory that the scene of a file may take, in bytes. Lists of a file are compressed: offsets of shapes, most of
/// which are 0, may become dozens of times their size. Scenes of whole heads took seven times the size of their files.
fn scene_limit(file_bytes: usize) -> usize {
    const BASE_BYTES: usize = 16 << 20;
    const TIMES_SMALL_FILE: usize = 48;
    const MOST_FOR_SMALL_FILES: usize = 1 << 30;
    const TIMES_LARGE_FILE: usize = 16;
    let small = BASE_BYTES.saturating_add(file_bytes.saturating_mul(TIMES_SMALL_FILE));
    small.min(MOST_FOR_SMALL_FILES.saturating_add(file_bytes.saturating_mul(TIMES_LARGE_FILE)))
}

/// The memory that `ufbx` may take in addition while it reads a file, in bytes: a list that is unpacked, and the table
/// of objects. Files of whole heads needed less than their size, small ones up to 200 KiB.
fn reading_limit(file_bytes: usize) -> usize {
    const BASE_BYTES: usize = 16 << 20;
    const TIMES_FILE: usize = 16;
    BASE_BYTES.saturating_add(file_bytes.saturating_mul(TIMES_FILE))
}

pub(super) fn limited(bytes: usize) -> AllocatorOpts {
    AllocatorOpts { memory_limit: bytes, ..AllocatorOpts::default() }
}

pub(super) fn load(bytes: &[u8], import: &mut Import<'_>) -> Result<SceneRoot, Fault> {
    if bytes.is_empty() {
        return Err(Fault::Unfit("is empty (0 bytes); export it again".into()));
    }
    if let Some(version) = version_of_binary(bytes).filter(|version| *version < OLDEST_VERSION) {
        return Err(unsupported(version));
    }
    import.report("reading the structure", 0.02)?;
    let progress = import.progress;
    let read = |at: &ufbx::Progress| {
        let share = at.bytes_read as f32 / at.bytes_total.max(1) as f32;
        match progress.report("reading the structure", 0.02 + 0.28 * share.clamp(0.0, 1.0)) {
            Ok(()) => ProgressResult::Continue,
            Err(_) => ProgressResult::Cancel,
        }
    };
    let options = LoadOpts {
        temp_allocator: limited(reading_limit(bytes.len())),
        result_allocator: limited(scene_limit(bytes.len())),
        progress_cb: ProgressCb::Ref(&read),
        target_axes: CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        // Vertices keep the numbers that they have in the modelling program; the outermost nodes scale and turn them.
        space_conversion: SpaceConversion::AdjustTransforms,
        // A node becomes a translation, a rotation and a scale. What does not fit goes to a node of its own.
        geometry_transform_handling: GeometryTransformHandling::HelperNodes,
        inherit_mode_handling: InheritModeHandling::Compensate,
        geometry_transform_helper_name: "geometry".into(),
        scale_helper_name: "scale".into(),
        generate_missing_normals: true,
        // Modelling programs write −1 for corners without texture coordinates; most are in further sets, which are not
        // read.
        index_error_handling: IndexErrorHandling::NoIndex,
        use_blender_pbr_material: true,
        ..LoadOpts::default()
    };
    let scene = ufbx::load_memory(bytes, options).map_err(|error| fault_of(&error, bytes))?;
    if scene.metadata.file_format != FileFormat::Fbx {
        return Err(not_fbx(bytes));
    }
    for warning in &scene.metadata.warnings {
        let message = format!("{} ({} such in the file)", quoted(&warning.description), warning.count.max(1));
        import.notes.push(match warning.type_ {
            WarningType::TruncatedArray
            | WarningType::MissingGeometryData
            | WarningType::BadBase64Content
            | WarningType::MissingPolygonMapping
            | WarningType::UnsupportedVersion => {
                Note::warning(Subject::File, format!("is damaged or unusual: {message}"))
            }
            _ => Note::info(Subject::File, format!("was repaired: {message}")),
        });
    }
    Ok(scene)
}

fn not_fbx(bytes: &[u8]) -> Fault {
    if file::is_fbx(bytes) {
        let problem = "is damaged: it begins like an FBX file, and its header is another one; export it again";
        return Fault::Unfit(problem.into());
    }
    let what =
        file::kind_of(bytes).unwrap_or_else(|| "begins with neither \"Kaydara FBX Binary\" nor \"; FBX\"".into());
    Fault::Unfit(format!("is not an FBX file: it {what}; export it as .fbx"))
}

/// The version that a binary file says it has; none for other files.
fn version_of_binary(bytes: &[u8]) -> Option<u32> {
    let rest = bytes.strip_prefix(b"Kaydara FBX Binary  \0\x1a\0")?;
    rest.first_chunk().map(|version| u32::from_le_bytes(*version))
}

fn unsupported(version: impl Display) -> Fault {
    Fault::Unfit(format!(
        "is FBX of version {version}, Smirk reads {OLDEST_VERSION} to 7700; export it as FBX 2014/2015 (7.4) or newer"
    ))
}

fn fault_of(error: &ufbx::Error, bytes: &[u8]) -> Fault {
    match error.type_ {
        ErrorType::Cancelled => Fault::Cancelled(Cancelled),
        ErrorType::UnrecognizedFileFormat => not_fbx(bytes),
        ErrorType::UnsupportedVersion => unsupported(error.info()),
        ErrorType::TruncatedFile | ErrorType::EmptyFile => {
            let text = format!("ends too early, after {} bytes", bytes.len());
            Fault::invalid(Subject::File, Problem::new(text).advise("it was cut off, copy or export it again"))
        }
        ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
            let limit = scene_limit(bytes.len()) >> 20;
            Fault::invalid(Subject::File, format!("needs more than the {limit} MiB of memory that its size justifies"))
        }
        _ => Fault::invalid(Subject::File, format!("cannot be read: {}", quoted(&error.description))),
    }
}
