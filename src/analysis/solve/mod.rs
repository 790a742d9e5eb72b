//! Meshes over time to weights: which values of a head's channels show the face that each frame of a recording has.
//!
//! For every frame, the values `u` of the channels are those that minimise
//!
//! ```text
//! mean over places of m · |p(u) − x|²  +  ridge · |u|²  +  temporal · |u − u before|²  +  sparse · |u|₁       (mm²)
//! ```
//!
//! within the bounds of each channel. `x` is where a place of the head is found in the frame, without the motion of the
//! whole head; `p(u)` is where the head has it, by the program's own evaluation of expressions, correctives and
//! in-betweens; `m` is how much the place counts. `p` is a sum of sparse columns, of which the products are computed
//! once, in 64 bits. A frame then needs one product with each column, and the rest is as small as the number of
//! channels. See `docs/solving.md`.
//!
//! ```text
//! frames ─ basis (products) ─► block of frames ─ rigid (motion) ─ model (tangent) ─ bounded ─► values, residuals
//! ```

mod basis;
mod bounded;
mod fitted;
mod frame;
mod model;
mod residual;
mod rigid;
mod settings;
#[cfg(test)]
mod tests;

use glam::{DMat3, DQuat, Mat4, Vec3};
use rayon::prelude::*;
use thiserror::Error;

pub use fitted::{FittedMapping, fit_mapping};
pub use residual::{Lacking, Residual};
pub use rigid::RigidMotion;
pub use settings::{SolveSettings, SolvedChannels};

use self::basis::{Basis, Block, FRAMES_AT_ONCE, MotionOf};
use self::frame::{FrameSums, Rigid};
use self::model::{Model, Unknown};
use self::rigid::PointPairs;
use smirk_base::names::printable;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{FaceTurns, Head, Turn, listed};

/// Which points of frames the vertices of a head are.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchedPoints {
    /// Per mesh of the head and vertex, its point; none for a vertex that the frames lack.
    pub of_vertices: Vec<Vec<Option<u32>>>,
    /// From the unit and the axes of the frames to the world of the head.
    pub head_from_frames: Mat4,
}

impl MatchedPoints {
    fn point_of(&self, mesh: usize, vertex: usize) -> Option<u32> {
        self.of_vertices.get(mesh)?.get(vertex).copied().flatten()
    }

    /// One more than the largest point.
    fn point_count(&self) -> usize {
        self.of_vertices.iter().flatten().flatten().max().map_or(0, |&last| last as usize + 1)
    }
}

/// Positions of the points of a face over time. They are read as they are needed, by several threads.
pub trait Frames: Sync {
    /// The number of frames.
    fn count(&self) -> usize;

    /// Fills `positions` with those of all points at a frame; points that are missing there are NaN.
    fn read(&self, frame: usize, positions: &mut Vec<Vec3>) -> Result<(), FrameFault>;
}

/// Why a frame has no face that could be solved.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FrameFault {
    /// Its file cannot be read: why, in words.
    #[error("{0}")]
    Unreadable(String),
    #[error("has {found} vertices, and the first frame {first}")]
    OtherPoints { found: usize, first: usize },
    #[error("{missing} of {all} points are not numbers")]
    NotNumbers { missing: usize, all: usize },
}

impl FrameFault {
    /// Whether both are of one kind, whatever their numbers and words.
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// Why frames cannot be solved.
#[derive(Debug, Error)]
pub enum SolveError {
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error("{0} has no channel that could be solved for: none of its shapes moves a vertex that the frames have")]
    NothingMoves(String),
    #[error("only {matched} of the {all} vertices of {head} are in the frames; at least {least} are needed")]
    TooFewPoints { head: String, matched: usize, all: usize, least: usize },
}

/// A channel whose movement is a sum of those of others on the matched vertices, so that many values show the same
/// face.
#[derive(Clone, Debug, PartialEq)]
pub struct DependentChannel {
    /// Its index in the head.
    pub channel: usize,
    /// The others, with the weight of each in the sum.
    pub sum_of: Vec<(usize, f32)>,
}

impl DependentChannel {
    /// As a sentence: `smile moves as 0.5 × smileLeft + 0.5 × smileRight`.
    pub fn in_words(&self, head: &Head) -> String {
        let name = |channel: usize| printable(&head.channels[channel].name).into_owned();
        let terms: Vec<String> = (self.sum_of.iter().take(4))
            .map(|&(channel, weight)| match weight {
                1.0 => name(channel),
                weight => format!("{weight} × {}", name(channel)),
            })
            .collect();
        let more = if self.sum_of.len() > 4 { " + …" } else { "" };
        format!("{} moves as {}{more}", name(self.channel), terms.join(" + "))
    }
}

/// Solves the frames of a recording of one face.
#[derive(Debug)]
pub struct Solver<'a> {
    head: &'a Head,
    matched: &'a MatchedPoints,
    settings: &'a SolveSettings,
    basis: Basis,
    unknowns: Vec<Unknown>,
    rigid: Rigid,
    /// Per eye that a joint turns: the vertices that it carries, as point and position at rest.
    eyes: [Vec<(u32, Vec3)>; 2],
    mm_per_unit: f64,
    /// Channels that move no vertex that the frames have.
    pub unmoved: Vec<usize>,
    /// Channels of which the values are not determined.
    pub dependent: Vec<DependentChannel>,
}

/// The solution of all frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The channels that were solved for, as indices into those of the head.
    pub channels: Vec<usize>,
    /// Their values, frame by frame. Frames without a face have those between the frames beside them.
    pub values: Vec<f32>,
    /// How the head and the eyes are turned; empty if they are not.
    pub turns: Vec<FaceTurns>,
    /// How far the head moves beside its turns, about the point that it turns about: the largest distance, in
    /// millimetres.
    pub largest_shift_mm: f32,
    /// Per frame, what the head cannot show of it; none for a frame without a face.
    pub residuals: Vec<Option<Residual>>,
    /// The frames without a face, and why.
    pub unread: Vec<(usize, FrameFault)>,
    /// The number of frames in which some points are missing.
    pub with_gaps: usize,
    /// The movement that the head lacks most.
    pub lacking: Option<Lacking>,
}

impl Solution {
    /// The number of frames.
    pub fn frame_count(&self) -> usize {
        self.residuals.len()
    }

    /// The values of the channels at a frame.
    pub fn frame(&self, frame: usize) -> &[f32] {
        &self.values[frame * self.channels.len()..][..self.channels.len()]
    }

    /// The frames that the head cannot show within a distance.
    pub fn beyond(&self, largest_mm: f32) -> Vec<usize> {
        let mut frames = Vec::new();
        for (frame, residual) in self.residuals.iter().enumerate() {
            if residual.is_some_and(|it| it.largest_mm > largest_mm) {
                frames.push(frame);
            }
        }
        frames
    }
}

/// What is known of a frame once it was read.
#[derive(Clone, Debug)]
struct Solved {
    sums: FrameSums,
    values: Vec<f64>,
    motion: RigidMotion,
    /// How the eyes are turned with the head; none of an eye that no joint turns.
    eyes: [Option<DMat3>; 2],
    residual: Residual,
    has_gaps: bool,
}

type Outcome = Result<Solved, FrameFault>;

/// A rotation of the head or an eye that is smaller in all frames, in radians, is rounding or noise.
const SMALLEST_TURN: f64 = 2e-4;

/// The fewest points from which a face is solved.
const FEWEST_POINTS: usize = 12;

impl<'a> Solver<'a> {
    /// A solver of frames of which some points are vertices of `head`.
    pub fn new(
        head: &'a Head,
        matched: &'a MatchedPoints,
        settings: &'a SolveSettings,
        progress: Progress<'_>,
    ) -> Result<Self, SolveError> {
        progress.report("multiplying shapes", 0.0)?;
        let joints = head.face_joints;
        let carried =
            |joint: usize, mesh: usize, vertex: usize| head.rig.carried_part(joint, &head.meshes[mesh], vertex);
        let is_of_eye =
            |mesh: usize, vertex: usize| joints.eyes.iter().flatten().any(|&joint| carried(joint, mesh, vertex) > 0.0);
        // What the head turns only in part moves otherwise than the whole head.
        let is_solved = |mesh: usize, vertex: usize| {
            let is_of_head = joints.head.is_none_or(|joint| carried(joint, mesh, vertex) > 0.999);
            !settings.finds_motion || (is_of_head && !is_of_eye(mesh, vertex))
        };
        let basis = Basis::new(head, matched, is_solved, &settings.region_weights);
        if basis.places.len() < FEWEST_POINTS {
            return Err(SolveError::TooFewPoints {
                head: head.name.clone(),
                matched: basis.places.len(),
                all: head.vertex_count(),
                least: FEWEST_POINTS,
            });
        }
        progress.report("multiplying shapes", 0.5)?;
        let eye = |side: usize| -> Vec<(u32, Vec3)> {
            let Some(joint) = joints.eyes[side].filter(|_| settings.finds_motion) else { return Vec::new() };
            let vertices =
                head.meshes.iter().enumerate().flat_map(|(at, mesh)| (0..mesh.vertices.len()).map(move |it| (at, it)));
            let of_eye = vertices.filter(|&(mesh, vertex)| carried(joint, mesh, vertex) > 0.999);
            let position = |(mesh, vertex): (usize, usize)| {
                let (of, point) = (&head.meshes[mesh], matched.point_of(mesh, vertex)?);
                let world = head.rest_pose.world_from_vertex(of, vertex);
                Some((point, world.transform_point3(of.vertices.positions[vertex])))
            };
            of_eye.filter_map(position).collect()
        };
        let eyes = [eye(0), eye(1)];
        let (unknowns, unmoved) = settings.unknowns(head, &basis);
        if unknowns.is_empty() {
            return Err(SolveError::NothingMoves(head.name.clone()));
        }
        let rigid = match settings.finds_motion {
            true => Rigid::find(&basis),
            false => Rigid::None,
        };
        let mut solver = Self {
            head,
            matched,
            settings,
            basis,
            unknowns,
            rigid,
            eyes,
            mm_per_unit: f64::from(head.mm_per_unit()),
            unmoved,
            dependent: Vec::new(),
        };
        solver.dependent = solver.find_dependent();
        Ok(solver)
    }

    /// The number of points of the frames that are places of the head.
    pub fn matched_points(&self) -> usize {
        self.basis.places.len()
    }

    /// The channels that are solved for, in the order of the head.
    pub fn channels(&self) -> Vec<usize> {
        let mut channels: Vec<usize> = self.unknowns.iter().flat_map(|unknown| unknown.channels.clone()).collect();
        channels.sort_unstable();
        channels
    }

    fn find_dependent(&self) -> Vec<DependentChannel> {
        /// A channel of whose movement no more than this part is its own is a sum of others.
        const OWN: f64 = 1e-3;
        /// A smaller part of a sum is rounding.
        const SMALLEST_WEIGHT: f64 = 1e-3;
        let model = self.model();
        let products = model.chord().products(&self.basis.products);
        let channel = |unknown: usize| self.unknowns[unknown].channels[0];
        let mut dependent = Vec::new();
        for (unknown, sum) in bounded::dependent(&products, OWN) {
            let sum_of = (sum.into_iter().filter(|(_, weight)| weight.abs() > SMALLEST_WEIGHT))
                .map(|(other, weight)| (channel(other), ((weight * 1000.0).round() / 1000.0) as f32))
                .collect();
            dependent.push(DependentChannel { channel: channel(unknown), sum_of });
        }
        dependent
    }

    fn model(&self) -> Model<'_> {
        Model::new(self.head, &self.unknowns, &self.basis.columns_of)
    }

    /// Solves all frames.
    pub fn solve(&self, frames: &dyn Frames, progress: Progress<'_>) -> Result<Solution, Cancelled> {
        let count = frames.count();
        let is_in_passes = self.settings.temporal_mm2 > 0.0 && count > 1;
        let model = self.model();
        let context =
            frame::Context::new(&self.basis, &model, &self.unknowns, &self.rigid, self.settings, self.mm_per_unit);
        let starts: Vec<usize> = (0..count).step_by(FRAMES_AT_ONCE).collect();
        let solve_block = |block: &mut Block, &start: &usize| {
            let mut solved = self.read_block(frames, start..(start + FRAMES_AT_ONCE).min(count), None, block);
            context.solve_block(block, &mut solved);
            if !is_in_passes {
                self.find_residuals(&model, block, &mut solved);
                // A frame with gaps has products of its own, which only passes need again.
                solved.iter_mut().flatten().for_each(|of_frame| of_frame.sums = FrameSums::default());
            }
            solved
        };
        let first_part = ("solving frames", progress.part(0.0..if is_in_passes { 0.6 } else { 0.9 }));
        let mut solved: Vec<Outcome> = in_order(&starts, first_part, solve_block)?.into_iter().flatten().collect();
        if is_in_passes {
            context.pass(&mut solved, progress.part(0.6..0.7))?;
            self.find_all_residuals(frames, &model, &mut solved, progress.part(0.7..0.9))?;
        }
        progress.report("looking at what is left", 0.9)?;
        let lacking = self.find_lacking(frames, &model, &solved);
        Ok(self.solution(solved, lacking))
    }

    /// Reads the frames of a block, and finds how the head and the eyes are turned, or takes that from what is known.
    fn read_block(
        &self,
        frames: &dyn Frames,
        range: std::ops::Range<usize>,
        known: Option<&[RigidMotion]>,
        block: &mut Block,
    ) -> Vec<Outcome> {
        block.clear(&self.basis);
        let (mut positions, mut places) = (Vec::new(), Vec::with_capacity(self.basis.places.len()));
        let to_head = self.matched.head_from_frames;
        let at = |positions: &[Vec3], point: u32| {
            let position = positions.get(point as usize).copied().unwrap_or(Vec3::NAN);
            if to_head == Mat4::IDENTITY { position } else { to_head.transform_point3(position) }
        };
        let mut read = Vec::with_capacity(range.len());
        for (lane, frame) in range.enumerate() {
            positions.clear();
            if let Err(fault) = frames.read(frame, &mut positions) {
                read.push(Err(fault));
                continue;
            }
            places.clear();
            places.extend(self.basis.places.iter().map(|place| at(&positions, place.point)));
            let missing = places.iter().filter(|position| !position.is_finite()).count();
            if missing * 2 > places.len() {
                read.push(Err(FrameFault::NotNumbers { missing, all: places.len() }));
                continue;
            }
            let motion = match known {
                Some(known) => MotionOf::Known(known[lane]),
                None => self.rigid.motion_of(),
            };
            block.set(&self.basis, lane, &places, motion);
            let eyes = [0, 1].map(|side| {
                let mut pairs = PointPairs::default();
                for &(point, rest) in &self.eyes[side] {
                    let found = at(&positions, point).as_dvec3();
                    if found.is_finite() {
                        pairs.add(1.0, rest.as_dvec3(), found);
                    }
                }
                (pairs.weight > 0.0).then(|| pairs.motion().rotation)
            });
            read.push(Ok(Solved {
                sums: FrameSums::default(),
                values: vec![0.0; self.unknowns.len()],
                motion: block.motions[lane],
                eyes,
                residual: Residual::default(),
                has_gaps: missing > 0,
            }));
        }
        read
    }

    fn solution(&self, solved: Vec<Outcome>, lacking: Option<Lacking>) -> Solution {
        let channels = self.channels();
        let count = solved.len();
        let mut values = vec![f32::NAN; count * channels.len()];
        let mut unread = Vec::new();
        let (mut turns, mut residuals) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut largest_shift, mut is_turned, mut with_gaps) = (0.0_f64, false, 0);
        let pivot = self.head.face_joints.head.and_then(|joint| self.head.rest_pose.world_from_node().get(joint));
        let pivot = pivot.map_or(self.head.neck, |joint| joint.w_axis.truncate()).as_dvec3();
        for (frame, outcome) in solved.into_iter().enumerate() {
            match outcome {
                Ok(of_frame) => {
                    let own = &mut values[frame * channels.len()..][..channels.len()];
                    for (unknown, &value) in self.unknowns.iter().zip(&of_frame.values) {
                        for channel in &unknown.channels {
                            if let Ok(at) = channels.binary_search(channel) {
                                own[at] = value as f32;
                            }
                        }
                    }
                    let is_large = |turn: &Turn| {
                        [turn.yaw, turn.pitch, turn.roll].iter().any(|it| f64::from(it.abs()) > SMALLEST_TURN)
                    };
                    let head = of_frame.motion.rotation;
                    // Eyes turn in the head.
                    let in_head = of_frame.eyes.map(|eye| eye.map(|eye| turn_of(head.transpose() * eye)));
                    let of_face = FaceTurns { head: turn_of(head), eyes: in_head.map(|eye| eye.unwrap_or(Turn::NONE)) };
                    is_turned |= is_large(&of_face.head) || of_face.eyes.iter().any(is_large);
                    largest_shift = largest_shift.max(of_frame.motion.movement(pivot).length());
                    with_gaps += usize::from(of_frame.has_gaps);
                    turns.push(of_face);
                    residuals.push(Some(of_frame.residual));
                }
                Err(fault) => {
                    unread.push((frame, fault));
                    turns.push(FaceTurns::NONE);
                    residuals.push(None);
                }
            }
        }
        let is_read = |frame: usize| residuals[frame].is_some();
        fill_gaps(&mut values, channels.len(), &is_read);
        for frame in (1..count).filter(|&frame| !is_read(frame)) {
            turns[frame] = turns[frame - 1];
        }
        if !is_turned {
            turns.clear();
        }
        Solution {
            channels,
            values,
            turns,
            largest_shift_mm: (largest_shift * self.mm_per_unit) as f32,
            residuals,
            unread,
            with_gaps,
            lacking,
        }
    }
}

fn turn_of(rotation: DMat3) -> Turn {
    Turn::of_rotation(DQuat::from_mat3(&rotation).as_quat())
}

/// Gives the frames without a face the values between those beside them. All are 0 if no frame has a face.
fn fill_gaps(values: &mut [f32], width: usize, is_read: &impl Fn(usize) -> bool) {
    let count = values.len().checked_div(width).unwrap_or(0);
    let mut frame = 0;
    while frame < count {
        if is_read(frame) {
            frame += 1;
            continue;
        }
        let end = (frame..count).find(|&at| is_read(at)).unwrap_or(count);
        for at in frame..end {
            for column in 0..width {
                let before = frame.checked_sub(1).map(|it| values[it * width + column]);
                let after = (end < count).then(|| values[end * width + column]);
                let part = (at + 1 - frame) as f32 / (end + 1 - frame) as f32;
                values[at * width + column] = match (before, after) {
                    (Some(before), Some(after)) => before + (after - before) * part,
                    (Some(only), None) | (None, Some(only)) => only,
                    (None, None) => 0.0,
                };
            }
        }
        frame = end;
    }
}

/// Does something with every block of frames, on all cores, and gives the results in the order of the blocks.
fn in_order<T: Sync, R: Send>(
    items: &[T],
    (stage, progress): (&str, Progress<'_>),
    work: impl Fn(&mut Block, &T) -> R + Sync,
) -> Result<Vec<R>, Cancelled> {
    /// So many blocks are begun before the next report, for each core.
    const AT_ONCE: usize = 4;
    let mut results = Vec::with_capacity(items.len());
    for part in items.chunks(AT_ONCE * rayon::current_num_threads()) {
        progress.report(stage, results.len() as f32 / items.len() as f32)?;
        results.par_extend(part.par_iter().map_init(Block::default, |block, item| work(block, item)));
    }
    Ok(results)
}

/// The names of channels, for a note.
pub fn channel_names(head: &Head, channels: &[usize]) -> String {
    let names: Vec<_> = channels.iter().map(|&channel| printable(&head.channels[channel].name)).collect();
    listed(&names, 12)
}
