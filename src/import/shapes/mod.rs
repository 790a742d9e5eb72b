//! Sets of separate meshes: one file at rest and one file per shape, as sculptors keep them. Each shape becomes a target: what
//! leads from the head at rest to it.
//!
//! ```text
//! head, shape file ─ pairs of meshes ─ points ─ partners (order │ uv │ position, spread along triangles) ─ deltas ─► Target
//! ```

mod deltas;
mod kd_tree;
mod matching;
mod mesh_pairs;
mod names;
mod partners;
mod points;
mod report;
mod spread;

use std::path::{Path, PathBuf};

use glam::{Mat4, Vec3};
pub use matching::Matching;
pub use names::{neutral_by_name, shape_names, shortest_name};
pub use report::{AddedShape, RefusedShape, ShapesReport};

use self::mesh_pairs::pairs_of_meshes;
use self::partners::{Pair, Partners};
use self::points::Points;
use super::error::ImportError;
use super::file::names_of;
use super::open_with;
use super::progress::{Progress, report as tell};
use super::unique_names::UniqueNames;
use crate::head::{Head, Level, Mesh, Note, Target};

/// A file whose shape was added to a head, and how it was matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeFile {
    /// Where it is.
    pub path: PathBuf,
    /// How it was asked to be matched.
    pub matching: Matching,
}

/// Adds the shapes of `files` to a head: one target per file on each mesh that the file is a shape of. A target that has the
/// name already is replaced. A file that cannot be used is left out, and the report says why.
pub fn add_shapes(
    head: &Head,
    files: &[ShapeFile],
    progress: &Progress<'_>,
) -> Result<(Head, ShapesReport), ImportError> {
    let mut report = ShapesReport::default();
    let mut targets = Vec::new();
    let mut notes = Vec::new();
    let paths: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
    // Files of one name may be in several folders.
    let mut free = UniqueNames::default();
    let names: Vec<String> = shape_names(&head.name, &paths).into_iter().map(|name| free.take(name)).collect();
    for (number, (file, name)) in files.iter().zip(&names).enumerate() {
        let (file_name, _) = names_of(&file.path);
        let share = |part: f32| (number as f32 + part) / files.len() as f32;
        let read = |_: &str, part: f32| progress(&format!("reading {file_name}"), share(part * 0.7));
        let shape = match open_with(&file.path, &read) {
            Ok(shape) => {
                notes.extend(
                    shape
                        .notes
                        .iter()
                        .filter(|note| is_of_shape(note))
                        .map(|note| Note::warning(format!("{file_name}: {}", note.object), note.message.clone())),
                );
                shape
            }
            Err(ImportError::Cancelled) => return Err(ImportError::Cancelled),
            Err(error) => {
                report.refused.push(refused(&file_name, error.to_string()));
                continue;
            }
        };
        tell(progress, &format!("matching {file_name}"), share(0.7))
            .map_err(|fault| ImportError::in_file(&file_name, fault))?;
        match add(head, &shape, file, name, &mut notes) {
            Ok(added) => {
                for (mesh, target, shape) in added {
                    report.added.push(AddedShape { file: file_name.clone(), ..shape });
                    targets.push((mesh, target));
                }
            }
            Err(problem) => report.refused.push(refused(&file_name, format!("{file_name}: {problem}"))),
        }
    }
    notes.extend(report.added.iter().filter(|shape| !shape.is_plain()).map(note_of));
    Ok((head.with_targets(targets, notes), report))
}

/// Whether a model file could be a shape of the head by its number of vertices.
pub fn fits(head: &Head, path: &Path) -> bool {
    let count =
        |mesh: &Mesh| mesh.vertices.control_points.iter().max().map_or(mesh.vertices.len(), |&last| last as usize + 1);
    let Ok(shape) = super::open(path) else { return false };
    head.meshes.iter().any(|mesh| shape.meshes.iter().any(|other| count(mesh) == count(other)))
}

fn refused(file: &str, problem: String) -> RefusedShape {
    RefusedShape { file: file.to_owned(), problem }
}

fn note_of(shape: &AddedShape) -> Note {
    let object = format!("shape {}", super::error::quoted(&shape.name));
    // Why another way was found is no warning once it led to everyone.
    let is_odd = !shape.remark.is_empty() && (shape.by_order > 0 || shape.remark.contains(GUESS));
    if shape.unmatched > 0 || shape.moved == 0 || is_odd {
        Note::warning(object, shape.text())
    } else {
        Note::info(object, shape.text())
    }
}

/// Whether a note on a shape's file is about the shape, and worth a warning: what it looks like is the head's affair.
fn is_of_shape(note: &Note) -> bool {
    const SURFACE_AND_MOTION: [&str; 9] =
        ["material", "mtllib", "usemtl", "texture", "animation", "skin", "light", "camera", "expression"];
    let is_beside = SURFACE_AND_MOTION.iter().any(|object| note.object.starts_with(object));
    note.level == Level::Warning && !is_beside
}

/// Said where a mesh was chosen for want of a better one.
const GUESS: &str = "no mesh of the head has its name or size: taken for the largest";

/// The targets of one shape file, by mesh of the head.
fn add(
    head: &Head,
    shape: &Head,
    file: &ShapeFile,
    name: &str,
    notes: &mut Vec<Note>,
) -> Result<Vec<(usize, Target, AddedShape)>, String> {
    let pairs = pairs_of_meshes(head, shape);
    let size = head.bounds.size().max_element().max(f32::MIN_POSITIVE);
    let mut added = Vec::new();
    let mut problems = Vec::new();
    let strays = shape.meshes.len() - pairs.len();
    for (mesh_index, shape_index, is_guess) in pairs {
        let (mesh, other) = (&head.meshes[mesh_index], &shape.meshes[shape_index]);
        let sizes = [head.rest_pose.bounds_in_world(mesh), shape.rest_pose.bounds_in_world(other)];
        let [head_size, shape_size] = sizes.map(|bounds| bounds.size().max_element());
        let unit = unit_of(shape_size / head_size);
        // A skinned mesh is where its joints have it, not its node; at rest they have a head nearly always in one place.
        let worlds = [head.rest_pose.world_from_vertex(mesh, 0), shape.rest_pose.world_from_vertex(other, 0)];
        let mesh_from_shape = if worlds[0] == worlds[1] && unit == 1.0 {
            Mat4::IDENTITY
        } else {
            worlds[0].inverse() * Mat4::from_scale(Vec3::splat(1.0 / unit)) * worlds[1]
        };
        if !mesh_from_shape.is_finite() {
            let name = super::error::quoted(&mesh.name);
            problems.push(format!(
                "the head's mesh {name} is flattened by its node (scale 0): no shape leads back into it"
            ));
            continue;
        }
        let pair =
            Pair { neutral: Points::joined(mesh, Mat4::IDENTITY), shape: Points::joined(other, mesh_from_shape) };
        let partners = match Partners::find(&pair, file.matching) {
            Ok(partners) => partners,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let scale = pair.neutral.size() / head_size.max(f32::MIN_POSITIVE);
        // Six digits of a text are not those of another unit's.
        let rounding = if mesh_from_shape == Mat4::IDENTITY { 1e-7 } else { 2e-6 };
        let still = size * scale * rounding;
        let deltas = deltas::between(mesh, other, mesh_from_shape, &partners.of_vertex, name.to_owned(), still);
        let mut remarks = vec![partners.remark];
        if is_guess {
            remarks.push(GUESS.to_owned());
        }
        if unit != 1.0 {
            remarks.push(format!("{unit} times as large as the head, so taken for another unit"));
        }
        remarks.retain(|remark| !remark.is_empty());
        let percent = |distance: f32| distance / (size * scale) * 100.0;
        let shape = AddedShape {
            name: name.to_owned(),
            file: String::new(),
            mesh: mesh.name.clone(),
            by_order: partners.by_order,
            by_uv: partners.by_uv,
            by_position: partners.by_position,
            unmatched: partners.unmatched,
            unused: partners.unused,
            moved: deltas.moved,
            max_percent: percent(deltas.max_distance),
            mean_percent: percent(deltas.mean_distance),
            remark: remarks.join("; "),
        };
        if mesh.targets.iter().any(|target| target.name == name) {
            let object = format!("shape {}", super::error::quoted(name));
            notes.push(Note::info(object, format!("takes the place of the target of that name on {}", mesh.name)));
        }
        added.push((mesh_index, deltas.target, shape));
    }
    if added.is_empty() {
        let nothing = || "none of its meshes has a counterpart in the head".to_owned();
        return Err(problems.into_iter().next().unwrap_or_else(nothing));
    }
    let (file_name, _) = names_of(&file.path);
    notes.extend(problems.into_iter().map(|problem| Note::warning(&*file_name, problem + "; left out")));
    if strays > 0 {
        let message =
            format!("{strays} of its {} meshes have no counterpart in the head; left out", shape.meshes.len());
        notes.push(Note::warning(file_name, message));
    }
    Ok(added)
}

/// How many of the shape's units make one of the head's: a head in metres may have shapes in centimetres. 1 unless a power of
/// ten brings both to one size.
fn unit_of(ratio: f32) -> f32 {
    /// A shape is larger or smaller than its neutral: a mouth that opens makes a head longer.
    const ALIKE: std::ops::RangeInclusive<f32> = 0.8..=1.25;
    let units = [0.001, 0.01, 0.1, 10.0, 100.0, 1000.0];
    units.into_iter().find(|unit| ALIKE.contains(&(ratio / unit))).unwrap_or(1.0)
}
