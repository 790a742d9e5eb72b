//! The take whose weights show the same face as frames of meshes.

use std::collections::BTreeMap;
use std::path::Path;

use glam::Vec3;

use super::{MeshFrames, in_file, open_frames};
use crate::import::error::{Fault, ImportError};
use smirk_analysis::solve::{DependentChannel, FrameFault, Solution, SolveError, SolveSettings, Solver, channel_names};
use smirk_base::progress::Progress;
use smirk_face::head::{Curve, Head, Interpolation, Kind, Matching, Mesh, Note, Subject, Target, listed};
use smirk_face::motion::{ANGLE_COLUMNS, Take, TakeColumn, angle_values};

#[derive(Clone, Debug)]
pub struct SolvedFrames {
    /// The weights, as a take of the head's own channels.
    pub take: Take,
    pub solution: Solution,
    /// The number of points that are vertices of the head.
    pub matched_points: usize,
    pub unmoved: Vec<usize>,
    pub dependent: Vec<DependentChannel>,
    pub is_pose: bool,
}

impl SolvedFrames {
    /// The take with one more column, which drives nothing: what the head cannot show of each frame, as the root of the
    /// mean square in millimetres; 0 for a frame without a face.
    pub fn take_with_residual(&self) -> Take {
        let mut take = self.take.clone();
        // That of very distant points may not be finite.
        let of_frame =
            self.solution.residuals.iter().map(|residual| residual.map_or(0.0, |it| it.rms_mm.min(f32::MAX)));
        let times = take.tracks[0].shared_times().clone();
        match Curve::sharing(Interpolation::Linear, times, of_frame.collect(), 1) {
            Ok(curve) => {
                take.columns.push(TakeColumn { name: RESIDUAL.into(), track: take.tracks.len(), element: 0 });
                take.tracks.push(curve);
            }
            Err(error) => unreachable!("every frame has a number: {error}"),
        }
        take
    }

    /// The root of the mean square of what the head cannot show of all frames, in millimetres.
    pub fn rms_mm(&self) -> f64 {
        let squares = self.solution.residuals.iter().flatten().map(|it| f64::from(it.rms_mm).powi(2));
        let (count, sum) = squares.fold((0.0, 0.0), |(count, sum), square| (count + 1.0, sum + square));
        (sum / f64::max(count, 1.0)).sqrt()
    }

    /// What the head cannot show of the frames, in words.
    pub fn left_in_words(&self) -> String {
        let largest = self.solution.residuals.iter().flatten().map(|it| it.largest_mm).fold(0.0, f32::max);
        format!("{:.3} mm left on average, at most {largest:.2} mm", self.rms_mm())
    }

    /// The head at rest with the movement that its channels lack most, as its only shape; none if they lack none.
    pub fn head_with_lacking(&self, head: &Head) -> Option<Head> {
        let lacking = self.solution.lacking.as_ref()?;
        let shapes = head
            .meshes
            .iter()
            .zip(&lacking.displacements)
            .map(|(mesh, displacements): (&Mesh, &Vec<Vec3>)| -> Vec<Target> {
                let deltas: Vec<Vec3> = displacements
                    .iter()
                    .enumerate()
                    .map(|(vertex, displacement)| {
                        head.rest_pose.world_from_vertex(mesh, vertex).inverse().transform_vector3(*displacement)
                    })
                    .collect();
                if deltas.iter().all(|delta| *delta == Vec3::ZERO) {
                    return Vec::new();
                }
                vec![Target::from_dense(LACKING.into(), 1.0, &deltas, &[], &[])]
            })
            .collect();
        Some(head.with_targets_alone(shapes))
    }

    /// The weights of a frame that are not 0, by the full names of the channels.
    pub fn weights(&self, head: &Head, frame: usize) -> BTreeMap<String, f32> {
        let values = self.solution.channels.iter().zip(self.solution.frame(frame));
        values
            .filter(|(_, value)| **value != 0.0)
            .map(|(&channel, &value)| (head.channels[channel].full_name.clone(), value))
            .collect()
    }
}

const RESIDUAL: &str = "residual in mm";

const LACKING: &str = "lacking";

/// What is left of a frame that counts as out of reach, in millimetres.
pub(super) const OUT_OF_REACH_MM: f32 = 1.0;

/// Opens frames and solves them for a head. Without a rate, the frames have their own times, or those of the usual
/// rate.
pub fn solve_frames(
    head: &Head,
    path: &Path,
    matching: Matching,
    frames_per_sec: Option<f32>,
    settings: &SolveSettings,
    progress: Progress<'_>,
) -> Result<SolvedFrames, ImportError> {
    let frames = open_frames(path, progress.part(0.0..0.1))?;
    progress.report("matching vertices", 0.1)?;
    let matched = frames.match_with(head, matching)?;
    let solver = Solver::new(head, &matched.points, settings, progress.part(0.15..0.25))
        .map_err(|error| refused_by(path, error))?;
    let solution = solver.solve(&frames, progress.part(0.25..1.0))?;
    let mut notes = [frames.notes.clone(), matched.notes].concat();
    let is_rate_assumed = frames_per_sec.or(frames.frames_per_sec).is_none() && frames.times_secs.is_empty();
    notes.extend(notes_on(head, &frames, &solver, &solution, is_rate_assumed));
    let take = take_of(head, &frames, &solution, frames_per_sec, notes).map_err(|fault| in_file(path, fault))?;
    Ok(SolvedFrames {
        take,
        matched_points: solver.matched_points(),
        unmoved: solver.unmoved.clone(),
        dependent: solver.dependent.clone(),
        is_pose: frames.is_still(),
        solution,
    })
}

pub(super) fn refused_by(path: &Path, error: SolveError) -> ImportError {
    let fault = match error {
        SolveError::Cancelled(cancelled) => cancelled.into(),
        problem => Fault::Unfit(problem.to_string()),
    };
    in_file(path, fault)
}

fn notes_on(
    head: &Head,
    frames: &MeshFrames,
    solver: &Solver<'_>,
    solution: &Solution,
    is_rate_assumed: bool,
) -> Vec<Note> {
    let mut notes = Vec::new();
    if is_rate_assumed && solution.frame_count() > 1 {
        let message = format!("has no frame rate: {} frames per second are assumed", super::USUAL_RATE);
        notes.push(Note::info(Subject::File, message));
    }
    if !solver.unmoved.is_empty() {
        let names = channel_names(head, &solver.unmoved);
        let message = format!("move no vertex of the frames, and stay at 0: {names}");
        notes.push(Note::info(Subject::All(Kind::Channel), message));
    }
    if !solver.dependent.is_empty() {
        let sums: Vec<String> = solver.dependent.iter().map(|it| it.in_words(head)).collect();
        let message = format!(
            "some cannot be told apart on this head, and of all their weights the smallest are taken: {}",
            listed(&sums, 6)
        );
        notes.push(Note::warning(Subject::All(Kind::Channel), message));
    }
    notes.extend(notes_on_unread(frames, solution, "the weights between the frames beside are used"));
    if solution.with_gaps > 0 {
        let message = format!(
            "{} have points that are not numbers, or are far away from all others; these are passed over",
            solution.with_gaps
        );
        notes.push(Note::warning(Subject::All(Kind::Frame), message));
    }
    let beyond = solution.beyond(OUT_OF_REACH_MM);
    if !beyond.is_empty() {
        let largest = beyond.iter().filter_map(|&frame| solution.residuals[frame]).map(|it| it.largest_mm);
        let largest = largest.fold(0.0, f32::max);
        let message = format!(
            "{} of {} are out of reach of the shapes: more than {OUT_OF_REACH_MM} mm are left, at most {largest:.1} mm",
            beyond.len(),
            solution.frame_count()
        );
        notes.push(Note::warning(subject_of(frames, &beyond), message));
    }
    if solution.largest_shift_mm > OUT_OF_REACH_MM {
        let message =
            format!("the head also moves by up to {:.0} mm, for which a take has no column", solution.largest_shift_mm);
        notes.push(Note::info(Subject::File, message));
    }
    notes
}

/// One note for each kind of fault, with the frames that have it. `done` is what is done about them.
pub(super) fn notes_on_unread(frames: &MeshFrames, solution: &Solution, done: &str) -> Vec<Note> {
    let mut kinds: Vec<(&FrameFault, Vec<usize>)> = Vec::new();
    for (frame, fault) in &solution.unread {
        match kinds.iter_mut().find(|(known, _)| known.is_like(fault)) {
            Some((_, others)) => others.push(*frame),
            None => kinds.push((fault, vec![*frame])),
        }
    }
    kinds
        .into_iter()
        .map(|(first, of_kind)| {
            let which = if of_kind.len() > 1 { "the first " } else { "" };
            Note::warning(subject_of(frames, &of_kind), format!("{which}{first}; {done}"))
        })
        .collect()
}

fn subject_of(frames: &MeshFrames, indices: &[usize]) -> Subject {
    let numbers: Vec<usize> = indices.iter().map(|&frame| frames.number_of(frame)).collect();
    Subject::numbered(Kind::Frame, &numbers)
}

fn take_of(
    head: &Head,
    frames: &MeshFrames,
    solution: &Solution,
    frames_per_sec: Option<f32>,
    notes: Vec<Note>,
) -> Result<Take, Fault> {
    let names = solution.channels.iter().map(|&channel| head.channels[channel].full_name.as_str());
    let angles = ANGLE_COLUMNS.into_iter().filter(|_| !solution.turns.is_empty());
    let columns: Vec<TakeColumn> = names
        .chain(angles)
        .enumerate()
        .map(|(element, name)| TakeColumn { name: name.to_owned(), track: 0, element })
        .collect();
    let values: Vec<f32> = (0..solution.frame_count())
        .flat_map(|frame| {
            let turns = solution.turns.get(frame).map(angle_values);
            solution.frame(frame).iter().copied().chain(turns.into_iter().flatten()).collect::<Vec<_>>()
        })
        .collect();
    let times = frames.times(frames_per_sec);
    let duration_secs = times.last().copied().unwrap_or(0.0);
    let track = Curve::new(Interpolation::Linear, times, values, columns.len())
        .map_err(|error| Fault::Unfit(format!("the weights of its frames make no take: {error}")))?;
    Ok(Take {
        name: frames.name.clone(),
        source: Some(frames.path.clone()),
        frames_per_sec: Some(frames.rate(frames_per_sec)),
        start_timecode: None,
        columns,
        tracks: vec![track],
        duration_secs,
        notes,
        ..Take::default()
    })
}
