//! Frames of meshes as they are, as another version of a head.

use std::path::Path;

use glam::Vec3;
use rayon::prelude::*;

use super::solved::{notes_on_unread, refused_by};
use super::{MeshFrames, in_file, open_frames};
use crate::import::error::{Fault, ImportError};
use smirk_analysis::solve::{FrameFault, Frames, MatchedPoints, SolveSettings, Solver};
use smirk_base::progress::Progress;
use smirk_face::head::{Asset, FaceTurns, Head, Kind, Matching, Note, RigPose, Subject, Target};

#[derive(Debug)]
pub struct RecordedFrames {
    /// The head with one target a frame on every mesh. Its notes say what was assumed or left out; its side files are
    /// those of the frames.
    pub head: Head,
    pub times_secs: Vec<f32>,
}

/// The most bytes of deltas. Of a longer recording, frames are left out evenly.
const MOST_BYTES: usize = 512 << 20;
/// The bytes of the delta of a vertex, with its row.
const DELTA_BYTES: usize = 16;
/// The frames that are read between two reports of progress.
const FRAMES_AT_ONCE: usize = 32;

/// Opens frames of the meshes of a head. They are turned back as the head and the eyes are turned in them, because what
/// shows them turns as the head that they are compared with.
/// Without a rate, they have their own times, or those of the usual rate.
pub fn recorded_frames(
    head: &Head,
    path: &Path,
    frames_per_sec: Option<f32>,
    progress: Progress<'_>,
) -> Result<RecordedFrames, ImportError> {
    let frames = open_frames(path, progress.part(0.0..0.1))?;
    let matched = frames.match_with(head, Matching::Auto)?;
    let settings = SolveSettings::default();
    let solver = Solver::new(head, &matched.points, &settings, progress.part(0.1..0.2))
        .map_err(|error| refused_by(path, error))?;
    let solution = solver.solve(&frames, progress.part(0.2..0.5))?;
    let unread = notes_on_unread(&frames, &solution, "left out");
    let mut notes = [frames.notes.clone(), matched.notes, unread].concat();
    let readable: Vec<usize> =
        (0..frames.count()).filter(|frame| solution.unread.iter().all(|(unread, _)| unread != frame)).collect();
    let bytes = matched.points.of_vertices.iter().flatten().flatten().count() * DELTA_BYTES;
    let step = readable.len().div_ceil((MOST_BYTES / bytes.max(1)).max(2)).max(1);
    if step > 1 {
        let message = format!("one of {step} is shown: all {} take more than {} MiB", readable.len(), MOST_BYTES >> 20);
        notes.push(Note::warning(Subject::All(Kind::Frame), message));
    }
    let kept: Vec<usize> = readable.into_iter().step_by(step).collect();
    let mut targets: Vec<Vec<Target>> = head.meshes.iter().map(|_| Vec::new()).collect();
    for (number, block) in kept.chunks(FRAMES_AT_ONCE).enumerate() {
        progress.part(0.5..1.0).part_of(number, kept.len().div_ceil(FRAMES_AT_ONCE)).report("reading frames", 0.0)?;
        let of_block: Vec<Vec<Option<Target>>> = block
            .par_iter()
            .map(|&frame| targets_of(head, &frames, &matched.points, frame, solution.turns.get(frame)))
            .collect::<Result<_, FrameFault>>()
            .map_err(|fault| {
                in_file(
                    path,
                    Fault::Unfit(format!("a frame changed while the frames were read: {fault}; open them again")),
                )
            })?;
        for (all, target) in of_block.into_iter().flat_map(|of_frame| of_frame.into_iter().enumerate()) {
            targets[all].extend(target);
        }
    }
    let times = frames.times(frames_per_sec);
    let times_secs = kept.iter().map(|&frame| times[frame]).collect();
    let asset = head.to_asset().with_targets_alone(targets);
    let head = Head::new(Asset { notes, side_files: frames.side_files().to_vec(), ..asset });
    Ok(RecordedFrames { head, times_secs })
}

/// The target of every mesh at a frame; none of a mesh that the frames lack.
fn targets_of(
    head: &Head,
    frames: &MeshFrames,
    matched: &MatchedPoints,
    frame: usize,
    turns: Option<&FaceTurns>,
) -> Result<Vec<Option<Target>>, FrameFault> {
    let mut points = Vec::new();
    frames.read(frame, &mut points)?;
    let turned = turns.and_then(|turns| head.world_from_nodes([], None, &[], turns, &head.face_joints));
    let posed = turned.map(|world_from_nodes| RigPose::new(&head.rig, world_from_nodes));
    let pose = posed.as_ref().unwrap_or(&head.rest_pose);
    let mut targets = Vec::with_capacity(head.meshes.len());
    for (mesh, of_vertices) in head.meshes.iter().zip(&matched.of_vertices) {
        if of_vertices.iter().all(Option::is_none) {
            targets.push(None);
            continue;
        }
        // All vertices of a mesh without a skin have one transform.
        let of_whole = mesh.skin.is_none().then(|| pose.world_from_vertex(mesh, 0).inverse());
        let mut deltas = vec![Vec3::ZERO; of_vertices.len()];
        for (vertex, point) in of_vertices.iter().enumerate() {
            let Some(point) = point.and_then(|point| points.get(point as usize)) else { continue };
            let mesh_from_world = of_whole.unwrap_or_else(|| pose.world_from_vertex(mesh, vertex).inverse());
            let found = mesh_from_world.transform_point3(matched.head_from_frames.transform_point3(*point));
            let delta = found - mesh.vertices.positions[vertex];
            deltas[vertex] = if delta.is_finite() { delta } else { Vec3::ZERO };
        }
        targets.push(Some(Target::from_dense(format!("frame {}", frame + 1), 0.0, &deltas, &[], &[])));
    }
    Ok(targets)
}
