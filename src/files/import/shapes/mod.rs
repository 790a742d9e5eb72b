//! Heads of separate meshes: one file at rest and one file per shape, as sculptors export them. Each shape becomes a
//! morph target: the difference between it and the head at rest.
//!
//! ```text
//! head, shape file ─ mesh_match ─ control_points ─ correspondence (order │ uv │ position, propagated) ─ target ─► Target
//! ```

mod carried;
mod control_points;
mod correspondence;
mod kd_tree;
mod names;
mod report;
mod sculpted;
mod target;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use carried::NotCarried;
use correspondence::{Correspondence, MeshMatch, MeshPair, match_meshes};
use glam::{Mat4, Vec3};
use sculpted::Posed;
use target::shape_target;

use super::error::{ImportError, Problem};
use super::file::names_of;
use super::open_unturned;
use super::unique_names::UniqueNames;
use smirk_analysis::transfer::{Counterparts, TransferError, completed, counterparts};
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{
    Asset, Head, Kind, Level, MatchedMesh, MatchedVertices, Matching, Mesh, Note, Notes, ShapeFile, Subject, Target,
    Version, Vertices, change_of_unit, paired_meshes,
};

pub(crate) use correspondence::{is_no_more_strained, strain};
pub(crate) use kd_tree::KdTree;
pub(crate) use names::shape_names;
pub use names::{neutral_by_name, shortest_name};
pub(crate) use report::Mismatch;
pub use report::{AddedShape, CarriedShapes, RefusedShape, Remark, ShapesReport};

/// Adds the shapes of `files` to a head: one target per file on each mesh that the file is a shape of. A target of the
/// same name is replaced. A file that cannot be used is left out, and the report says why.
pub fn add_shapes(
    head: &Head,
    files: &[ShapeFile],
    progress: Progress<'_>,
) -> Result<(Head, ShapesReport), ImportError> {
    let mut report = ShapesReport::default();
    let (mut targets, mut correctives) = (Vec::new(), Vec::new());
    let mut notes = Notes::default();
    let mut side_files = Vec::new();
    let paths: Vec<PathBuf> = files.iter().map(|file| file.file().unwrap_or(Path::new("")).to_owned()).collect();
    // Files in different folders may have the same name.
    let mut unique = UniqueNames::default();
    let names: Vec<String> = shape_names(&head.name, &paths).into_iter().map(|name| unique.make(name)).collect();
    for (number, (file, name)) in files.iter().zip(&names).enumerate() {
        let progress = progress.part_of(number, files.len());
        if file.matching == Matching::Face {
            match carried::carry(head, file, progress) {
                Ok(carried) => {
                    report.added.extend(carried.added);
                    notes.extend(carried.notes);
                    report.carried.push(carried.shapes);
                    targets.extend(carried.targets);
                    correctives.extend(carried.correctives);
                }
                Err(NotCarried::Refused(refused)) => report.refused.push(refused),
                Err(NotCarried::Cancelled(cancelled)) => return Err(cancelled.into()),
            }
            continue;
        }
        let path = &paths[number];
        let (file_name, _) = names_of(path);
        let shape = match open_unturned(path, progress.part(0.0..0.7).named(&format!("reading {file_name}"))) {
            // It is where the head was in its file.
            Ok(shape) if head.rig.is_turned() => shape.turned_to(head.rig.stands),
            Ok(shape) => shape,
            Err(ImportError::Cancelled(cancelled)) => return Err(cancelled.into()),
            Err(error) => {
                report.refused.push(RefusedShape { file: file_name, problem: error.to_string() });
                continue;
            }
        };
        side_files.extend(shape.side_files.iter().cloned());
        let of_shape = shape.notes.iter().filter(|note| is_about_shape(note));
        notes.extend(of_shape.map(|note| Note { subject: note.subject.clone().in_file(&file_name), ..note.clone() }));
        progress.report(&format!("matching {file_name}"), 0.7)?;
        let added = if file.sculpted_on.is_empty() {
            add(head, &shape, path, file.matching, name, &mut notes).map_err(Problem::from)
        } else {
            // The shapes before it may be in the face that it was sculpted on.
            let now = head.with_targets(targets.clone(), Vec::new());
            Posed::new(&now, file, name).and_then(|posed| {
                let added = add(&posed.head, &shape, path, file.matching, name, &mut notes);
                let added = added?.into_iter();
                correctives.push(posed.declared(name));
                let of_head = added
                    .map(|(mesh, target, mut shape)| (mesh, posed.corrective(&now, mesh, target, &mut shape), shape));
                Ok(of_head.collect())
            })
        };
        match added {
            Ok(added) => {
                for (mesh, target, shape) in added {
                    report.added.push(shape);
                    targets.push((mesh, target));
                }
            }
            Err(problem) => {
                report.refused.push(RefusedShape { problem: format!("{file_name}: {problem}"), file: file_name });
            }
        }
    }
    notes.extend(report.added.iter().filter(|shape| !shape.is_plain()).map(note_of));
    let mut asset = head.to_asset();
    asset.add_targets(targets);
    asset.notes.extend(notes.into_list().into_iter().filter(|note| !head.notes.contains(note)));
    asset.declared_correctives.retain(|before| correctives.iter().all(|new| new.target != before.target));
    asset.declared_correctives.extend(correctives);
    asset.side_files.extend(side_files);
    let mut head = Head::new(asset);
    if !report.carried.is_empty() {
        let carried = report.added.iter().filter(|shape| shape.matched() == 0);
        head = completed(head, Vec::new(), carried.map(|shape| shape.name.as_str()));
    }
    Ok((head, report))
}

pub(super) fn point_count(mesh: &Mesh) -> usize {
    mesh.vertices.control_points.iter().max().map_or(mesh.vertices.len(), |&last| last as usize + 1)
}

/// Whether a model file could be a shape of the head, by its number of vertices.
pub fn fits(head: &Head, path: &Path) -> bool {
    let Ok(shape) = super::open(path) else { return false };
    head.meshes.iter().any(|mesh| shape.meshes.iter().any(|other| point_count(mesh) == point_count(other)))
}

fn note_of(shape: &AddedShape) -> Note {
    let subject = Subject::named(Kind::Shape, &shape.name);
    if shape.is_doubtful() { Note::warning(subject, shape.text()) } else { Note::info(subject, shape.text()) }
}

/// Whether a note on a shape's file is a warning about its geometry. Its materials, skins and animations are not used:
/// the head has its own.
fn is_about_shape(note: &Note) -> bool {
    let is_unused = matches!(
        note.subject.kind(),
        Some(
            Kind::Material
                | Kind::ObjMaterialLibrary
                | Kind::ObjMaterialUse
                | Kind::Texture
                | Kind::Animation
                | Kind::Skin
                | Kind::Light
                | Kind::Camera
                | Kind::Expression
        )
    );
    note.level == Level::Warning && !is_unused
}

fn add(
    head: &Head,
    shape: &Head,
    path: &Path,
    matching: Matching,
    name: &str,
    notes: &mut Notes,
) -> Result<Vec<(usize, Target, AddedShape)>, Mismatch> {
    let (file_name, _) = names_of(path);
    let meshes = match_meshes(head, shape);
    let without_counterpart = shape.meshes.len() - meshes.len();
    let mut added = Vec::new();
    let mut mismatches = Vec::new();
    for of in meshes {
        match add_mesh(head, shape, &of, matching, name) {
            Ok((target, shape)) => {
                let mesh = &head.meshes[of.of_head];
                if let Some(old) = mesh.targets.iter().find(|target| target.name == name) {
                    let in_betweens = if old.in_betweens.is_empty() { "" } else { " and of its in-betweens" };
                    let message = format!("takes the place of the target of that name on {}{in_betweens}", mesh.name);
                    notes.inform(Subject::named(Kind::Shape, name), message);
                }
                added.push((
                    of.of_head,
                    target,
                    AddedShape { path: Some(path.to_owned()), file: file_name.clone(), ..shape },
                ));
            }
            Err(mismatch) => mismatches.push(mismatch),
        }
    }
    if added.is_empty() {
        return Err(mismatches.into_iter().next().unwrap_or(Mismatch::NoCounterpart));
    }
    let subject = Subject::NamedFile(file_name);
    notes.extend(mismatches.iter().map(|mismatch| Note::warning(&subject, format!("{mismatch}; left out"))));
    if without_counterpart > 0 {
        let mesh_count = shape.meshes.len();
        let message =
            format!("{without_counterpart} of its {mesh_count} meshes have no counterpart in the head; left out");
        notes.warn(subject, message);
    }
    Ok(added)
}

fn add_mesh(
    head: &Head,
    shape: &Head,
    of: &MeshMatch,
    matching: Matching,
    name: &str,
) -> Result<(Target, AddedShape), Mismatch> {
    let (mesh, other) = (&head.meshes[of.of_head], &shape.meshes[of.of_shape]);
    let bounds = [head.rest_pose.bounds_in_world(mesh), shape.rest_pose.bounds_in_world(other)];
    let [head_size, shape_size] = bounds.map(|bounds| bounds.size().max_element());
    let unit = unit_of(shape_size / head_size);
    let [world_from_mesh, world_from_shape] =
        [world_from_first_vertex(head, mesh), world_from_first_vertex(shape, other)];
    let mesh_from_shape = if world_from_mesh == world_from_shape && unit == 1.0 {
        Mat4::IDENTITY
    } else {
        world_from_mesh.inverse() * Mat4::from_scale(Vec3::splat(1.0 / unit)) * world_from_shape
    };
    if !mesh_from_shape.is_finite() {
        return Err(Mismatch::Flattened { mesh: mesh.name.clone() });
    }
    let pair = MeshPair::new((mesh, Mat4::IDENTITY), (other, mesh_from_shape));
    let correspondence = pair.match_by(matching)?;
    let mesh_from_world = pair.neutral.size() / head_size.max(f32::MIN_POSITIVE);
    let size = head.bounds.size().max_element().max(f32::MIN_POSITIVE) * mesh_from_world;
    // OBJ files have about six digits: after a conversion to another unit they are rounded differently.
    let rounding = size * if mesh_from_shape == Mat4::IDENTITY { 1e-7 } else { 2e-6 };
    let made = shape_target(mesh, other, mesh_from_shape, &correspondence.of_vertex, name.to_owned(), rounding);
    let mean_percent = made.mean_distance / size * 100.0;
    let remarks = [
        correspondence.remark,
        (correspondence.by_order > 0 && mean_percent > FAR_PERCENT).then_some(Remark::Far { mean_percent }),
        of.is_guess.then_some(Remark::LargestMesh),
        (unit != 1.0).then_some(Remark::OtherUnit { ratio: unit }),
    ];
    let shape = AddedShape {
        name: name.to_owned(),
        path: None,
        file: String::new(),
        mesh: mesh.name.clone(),
        by_order: correspondence.by_order,
        by_uv: correspondence.by_uv,
        by_position: correspondence.by_position,
        unmatched: correspondence.unmatched,
        unused: correspondence.unused,
        moved: made.moved,
        max_percent: (made.max_distance / size * 100.0),
        mean_percent,
        remarks: remarks.into_iter().flatten().collect(),
    };
    Ok((made.target, shape))
}

/// The transform that is used for a whole mesh: a skinned mesh is transformed by its joints, not by its node, and at
/// rest the joints of nearly every file transform all vertices in nearly the same way.
fn world_from_first_vertex(head: &Head, mesh: &Mesh) -> Mat4 {
    head.rest_pose.world_from_vertex(mesh, 0)
}

/// A mesh that a shape moves by more than this part of the head in the mean, in per cent, was moved as a whole.
const FAR_PERCENT: f32 = 10.0;

/// The number of the shape's units in one unit of the head: a head in metres may have shapes in centimetres. It is 1
/// unless a power of ten makes both equally large.
fn unit_of(ratio: f32) -> f32 {
    /// A shape may be larger or smaller than its neutral: an open mouth makes the head longer.
    const ALIKE: std::ops::RangeInclusive<f32> = 0.8..=1.25;
    let units = [0.001, 0.01, 0.1, 10.0, 100.0, 1000.0];
    units.into_iter().find(|unit| ALIKE.contains(&(ratio / unit))).unwrap_or(1.0)
}

/// The meshes that two versions of a head have, and the vertices that are the same: in order if the topology is the
/// same, else by texture coordinates and position, or as `matching` says.
pub fn match_heads(old: &Head, new: &Head, matching: Matching) -> Vec<MatchedMesh> {
    // A head in another unit would be of another size.
    let in_old_unit = Mat4::from_scale(Vec3::splat(change_of_unit(old, new).unwrap_or(1.0).recip()));
    paired_meshes(old, new)
        .into_iter()
        .map(|[a, b]| {
            let (of_old, of_new) = (&old.meshes[a], &new.meshes[b]);
            let [world_from_old, world_from_new] =
                [world_from_first_vertex(old, of_old), world_from_first_vertex(new, of_new)];
            let pair = MeshPair::new((of_new, in_old_unit * world_from_new), (of_old, world_from_old));
            let vertices = pair.match_by(matching).map_or(MatchedVertices::Unknown, found);
            MatchedMesh { old: a, new: b, vertices }
        })
        .collect()
}

/// [`version_of_with`] without progress.
pub fn version_of(this: &Arc<Head>, other: Arc<Head>) -> Version {
    version_of_with(this, other, Progress::NONE).unwrap_or_else(|_| unreachable!("nobody cancels it"))
}

/// Another version of a head, with its vertices matched by [`Matching::Auto`], or by the features of the faces where
/// that finds nothing.
pub fn version_of_with(this: &Arc<Head>, other: Arc<Head>, progress: Progress<'_>) -> Result<Version, Cancelled> {
    let meshes = match_heads(this, &other, Matching::Auto);
    if meshes.iter().all(|matched| matched.vertices == MatchedVertices::Unknown) {
        match counterparts([this, &other], progress) {
            Ok([of_this, of_other]) => {
                let (meshes, back) = (matched_by_face(&of_other), matched_by_face(&of_this));
                return Ok(Version::new(this, other, meshes, back));
            }
            Err(TransferError::Cancelled(cancelled)) => return Err(cancelled),
            Err(problem) => log::info!("{} and {} are not matched by their faces: {problem}", this.name, other.name),
        }
    }
    let back = if meshes.iter().all(|matched| matched.vertices == MatchedVertices::InOrder) {
        meshes.iter().map(|matched| MatchedMesh { old: matched.new, new: matched.old, ..matched.clone() }).collect()
    } else {
        match_heads(&other, this, Matching::Auto)
    };
    Ok(Version::new(this, other, meshes, back))
}

/// The meshes of a head with those of another one that most of their vertices are on.
fn matched_by_face(of_new: &Counterparts) -> Vec<MatchedMesh> {
    let matched = of_new.iter().enumerate().filter_map(|(new, of_vertices)| {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        of_vertices.iter().flatten().for_each(|(mesh, _)| *counts.entry(*mesh).or_default() += 1);
        let (&old, _) = counts.iter().max_by_key(|(_, count)| **count)?;
        let on_old = of_vertices.iter().map(|found| found.filter(|(mesh, _)| *mesh == old).map(|(_, vertex)| vertex));
        let vertices = MatchedVertices::Found { old_of_new: on_old.collect(), by: Matching::Face };
        Some(MatchedMesh { old, new, vertices })
    });
    matched.collect()
}

/// The vertices of other meshes that those of a head are; none if no vertex is known. `head_from_others`
/// takes these into the world of the head.
pub(crate) fn match_surfaces(
    head: &Head,
    others: &[Mesh],
    head_from_others: Mat4,
    matching: Matching,
) -> Option<Counterparts> {
    let shape = Head::new(Asset { meshes: others.to_vec(), ..Asset::default() });
    let mut of_vertices: Counterparts = head.meshes.iter().map(|mesh| vec![None; mesh.vertices.len()]).collect();
    for of in match_meshes(head, &shape) {
        let (mesh, other) = (&head.meshes[of.of_head], &others[of.of_shape]);
        let neutral = (mesh, head.rest_pose.world_from_vertex(mesh, 0));
        let pair = MeshPair::new(neutral, (other, head_from_others));
        let Ok(correspondence) = pair.match_by(matching) else { continue };
        of_vertices[of.of_head] =
            correspondence.of_vertex.into_iter().map(|vertex| Some((of.of_shape, vertex?))).collect();
    }
    of_vertices.iter().flatten().any(Option::is_some).then_some(of_vertices)
}

/// Per point at rest, the other point that is at its position; none if too few are. `rest_from_others` takes these into
/// the space at rest.
pub(crate) fn match_points(rest: &[Vec3], others: &[Vec3], rest_from_others: Mat4) -> Option<Vec<Option<u32>>> {
    let (neutral, shape) = (cloud(rest), cloud(others));
    let pair = MeshPair::new((&neutral, Mat4::IDENTITY), (&shape, rest_from_others));
    let mut matched = pair.match_by(Matching::Position).ok()?.of_vertex;
    // Without triangles nothing tells neighbours apart: each point stays with the nearest one, if it is there.
    let near = pair.neutral.size() * NEAREST;
    let mut owner: Vec<Option<(usize, f32)>> = vec![None; others.len()];
    for (point, other) in matched.iter().enumerate().filter_map(|(point, other)| Some((point, (*other)?))) {
        let distance = rest[point].distance(pair.shape.positions[other as usize]);
        let owner = &mut owner[other as usize];
        if distance <= near && owner.is_none_or(|(_, least)| distance < least) {
            *owner = Some((point, distance));
        }
    }
    for (point, other) in matched.iter_mut().enumerate() {
        *other = other.filter(|&other| owner[other as usize].is_some_and(|(owner, _)| owner == point));
    }
    matched.iter().any(Option::is_some).then_some(matched)
}

fn cloud(positions: &[Vec3]) -> Mesh {
    Mesh {
        vertices: Vertices {
            normals: vec![Vec3::ZERO; positions.len()],
            control_points: (0..positions.len() as u32).collect(),
            positions: positions.to_vec(),
            ..Vertices::default()
        },
        ..Mesh::default()
    }
}

/// Points alone that are farther apart than this part of the head are not the same.
const NEAREST: f32 = 2e-3;

fn found(correspondence: Correspondence) -> MatchedVertices {
    let Correspondence { of_vertex, by_order, by_uv, by_position, .. } = correspondence;
    if of_vertex.iter().zip(0..).all(|(old, new)| *old == Some(new)) {
        return MatchedVertices::InOrder;
    }
    let by = match (by_order, by_uv, by_position) {
        (order, ..) if order > 0 => Matching::Order,
        (_, uv, position) if uv >= position => Matching::Uv,
        _ => Matching::Position,
    };
    MatchedVertices::Found { old_of_new: of_vertex, by }
}
