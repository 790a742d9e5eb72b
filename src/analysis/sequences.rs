//! How far two recordings of one face are apart, vertex by vertex, as papers on talking heads measure it.
//!
//! - **Lip vertex error**: the largest distance of the lips' vertices at a frame, squared or plain, as the mean over
//!   the frames (Richard et al., *MeshTalk*, 2021; squared as in `torchmetrics`).
//! - **Upper-face dynamics deviation**: the mean over the vertices of brows, lids and forehead of how much more the
//!   distance from rest varies over time (its standard deviation) in the recording that is true (Xing et al.,
//!   *CodeTalker*, 2023).
//! - **Jitter**: the mean length of the second difference of a vertex from frame to frame.

use std::ops::Range;

use glam::Vec3;
use rayon::prelude::*;

use crate::moved::{BOTH_LIPS, LEAST_OF_LIPS, LOWER_LIP, UPPER_LIP, moved_by};
use crate::solve::Frames;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{Head, Points, Region};

/// The points that are looked at apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaceRegions {
    pub lips: Vec<u32>,
    /// Points of the upper and of the lower lip that touch at rest.
    pub lip_pairs: Vec<[u32; 2]>,
    pub upper_face: Vec<u32>,
    /// Where all points are at rest; without it, the first frame of the true recording takes its place.
    pub at_rest: Option<Vec<Vec3>>,
}

/// How far the first recording is from the second, which is the true one, at a frame. In the unit of the recordings.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameError {
    pub mean: f32,
    pub largest: f32,
    /// The point that is farthest apart.
    pub vertex: u32,
    /// The largest distance of a point of the lips; `None` without lips.
    pub lips: Option<f32>,
    /// How much wider than at rest the lips are open in both; `None` where no points of them touch at rest.
    pub gaps: Option<[f32; 2]>,
}

/// The same over all frames that both have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SequenceError {
    pub frames: Vec<FrameError>,
    /// Over all points and frames.
    pub mean: f64,
    /// The root of the mean of the squares.
    pub rms: f64,
    /// The largest, and the frame and the point that have it.
    pub largest: (f32, usize, u32),
    /// Mean over the frames of the largest distance of the lips; `None` without lips.
    pub lip_vertex_error: Option<f64>,
    /// The same of the squares.
    pub lip_vertex_error_squared: Option<f64>,
    /// Positive where the first recording moves the upper face less than the true one. `None` without an upper face.
    pub upper_face_deviation: Option<f64>,
    /// The times that the lips close in the true recording, and how many of them the first misses.
    pub closures: Option<[usize; 2]>,
    /// The jitter of both.
    pub jitter: [f64; 2],
}

/// Lips that are open by less, in millimetres of a human head, are closed; lips that stay open by twice as much are
/// not.
pub const CLOSED_MM: f32 = 1.0;

/// Frames that are read and compared at a time by one thread.
const CHUNK: usize = 32;
/// The chunks between two looks at whether it is cancelled.
const CHUNKS_AT_A_TIME: usize = 32;

/// What the frames of a chunk add up to.
struct Sums {
    frames: Vec<FrameError>,
    distances: f64,
    squares: f64,
    points: u64,
    /// Per point of the upper face, the sums of the distances from rest and of their squares, and their number.
    dynamics: Vec<[[f64; 2]; 2]>,
    dynamics_frames: u64,
    jitter: [f64; 2],
    jitter_points: [u64; 2],
}

impl FaceRegions {
    /// Finds the lips and the upper face by the channels that move them.
    pub fn find(head: &Head, points: &Points) -> Self {
        let mm = head.mm_per_unit();
        let mut at_rest = Vec::new();
        head.add_positions(points, &vec![0.0; head.default_weights().len()], &head.rest_pose, &mut at_rest);
        let moved_mm = |target: usize| {
            let Some(mesh) = head.mesh_of_target(target) else { return Vec::new() };
            let (of_mesh, of_vertices) = (&head.meshes[mesh], &points.of_vertices[mesh]);
            let target = &of_mesh.targets[target - of_mesh.first_target];
            let moved = target.rows.iter().zip(&target.positions).map(|(&row, &delta)| {
                let world_from_vertex = head.rest_pose.world_from_vertex(of_mesh, row as usize);
                (of_vertices[row as usize], world_from_vertex.transform_vector3(delta).length() * mm)
            });
            moved.filter(|(_, length)| length.is_finite()).collect()
        };
        let parts_of = |channels: &[usize]| moved_by(head, channels, at_rest.len(), &moved_mm);
        let named = |names: &[&str]| -> Vec<usize> { names.iter().flat_map(|name| head.channel_alike(name)).collect() };
        let upper = parts_of(&named(&UPPER_LIP));
        let lower = parts_of(&named(&LOWER_LIP));
        let both = parts_of(&named(&BOTH_LIPS));
        let in_regions: Vec<usize> = (0..head.channels.len())
            .filter(|&channel| matches!(head.channels[channel].region, Region::Brows | Region::Eyes))
            .collect();
        let upper_face = parts_of(&in_regions);
        let is_lip = |point: usize| upper[point].max(lower[point]).max(both[point]) > LEAST_OF_LIPS;
        let all = 0..at_rest.len();
        let lips: Vec<u32> = all.clone().filter(|&point| is_lip(point)).map(|point| point as u32).collect();
        let is_above = |point: u32| upper[point as usize] > lower[point as usize];
        let (above, below): (Vec<u32>, Vec<u32>) = lips.iter().copied().partition(|&point| is_above(point));
        let touching = above.iter().filter_map(|&point| {
            let distance = |other: u32| at_rest[point as usize].distance(at_rest[other as usize]) * mm;
            let nearest = below.iter().copied().min_by(|a, b| distance(*a).total_cmp(&distance(*b)))?;
            (distance(nearest) < TOUCHING_MM).then_some([point, nearest])
        });
        let lip_pairs = touching.collect();
        let upper_face = all.filter(|&point| upper_face[point] > LEAST_OF_UPPER_FACE && !is_lip(point));
        Self { lips, lip_pairs, upper_face: upper_face.map(|point| point as u32).collect(), at_rest: Some(at_rest) }
    }

    fn is_within(&self, points: usize) -> bool {
        let pairs = self.lip_pairs.iter().flatten();
        self.lips.iter().chain(&self.upper_face).chain(pairs).all(|&point| (point as usize) < points)
            && self.at_rest.as_ref().is_none_or(|at_rest| at_rest.len() == points)
    }
}

/// A point belongs to the upper face that its channels move by so much of what they move most.
const LEAST_OF_UPPER_FACE: f32 = 0.2;
/// Lips that are so close at rest touch there.
const TOUCHING_MM: f32 = 4.0;

/// Compares two recordings of the same points, frame by frame, as far as both go. `mm_per_unit` is that of their unit,
/// for closures; without it, none are counted. Points that are missing in one of them are left out.
///
/// # Panics
///
/// If a region has a point that the recordings lack.
pub fn compare(
    recordings: [&dyn Frames; 2],
    points: usize,
    regions: &FaceRegions,
    mm_per_unit: Option<f32>,
    progress: Progress<'_>,
) -> Result<SequenceError, Cancelled> {
    assert!(regions.is_within(points), "a region has points that the recordings lack");
    let count = recordings[0].count().min(recordings[1].count());
    let first = || {
        let mut positions = Vec::new();
        _ = recordings[1].read(0, &mut positions);
        positions
    };
    let at_rest = regions.at_rest.clone().unwrap_or_else(first);
    let chunks: Vec<Range<usize>> = (0..count).step_by(CHUNK).map(|start| start..(start + CHUNK).min(count)).collect();
    let mut sums: Vec<Sums> = Vec::new();
    for chunks in chunks.chunks(CHUNKS_AT_A_TIME) {
        let done = chunks.first().map_or(0, |frames| frames.start);
        progress.report("comparing", done as f32 / count as f32)?;
        sums.par_extend(chunks.par_iter().map(|frames| sums_of(recordings, frames.clone(), points, regions, &at_rest)));
    }
    Ok(SequenceError::from_sums(sums, regions, mm_per_unit))
}

fn read(recording: &dyn Frames, frame: usize, points: usize) -> Vec<Vec3> {
    let mut positions = Vec::with_capacity(points);
    if recording.read(frame, &mut positions).is_err() {
        positions.clear();
    }
    // A frame that cannot be read, or has other points, has none that can be compared.
    if positions.len() != points {
        positions = vec![Vec3::NAN; points];
    }
    positions
}

fn sums_of(
    recordings: [&dyn Frames; 2],
    frames: Range<usize>,
    points: usize,
    regions: &FaceRegions,
    at_rest: &[Vec3],
) -> Sums {
    let mut sums = Sums {
        frames: Vec::with_capacity(frames.len()),
        distances: 0.0,
        squares: 0.0,
        points: 0,
        dynamics: vec![[[0.0; 2]; 2]; regions.upper_face.len()],
        dynamics_frames: 0,
        jitter: [0.0; 2],
        jitter_points: [0; 2],
    };
    let mut before: Vec<[Vec<Vec3>; 2]> = (frames.start.saturating_sub(2)..frames.start)
        .map(|frame| recordings.map(|it| read(it, frame, points)))
        .collect();
    for frame in frames {
        let now = recordings.map(|it| read(it, frame, points));
        sums.add(&now, regions, at_rest);
        if let [.., last_but_one, last] = &before[..] {
            for of in 0..2 {
                let differences = now[of].iter().zip(&last[of]).zip(&last_but_one[of]);
                for ((now, last), before) in differences {
                    let length = (*now - 2.0 * *last + *before).length();
                    if length.is_finite() {
                        sums.jitter[of] += f64::from(length);
                        sums.jitter_points[of] += 1;
                    }
                }
            }
            before.remove(0);
        }
        before.push(now);
    }
    sums
}

impl Sums {
    fn add(&mut self, now: &[Vec<Vec3>; 2], regions: &FaceRegions, at_rest: &[Vec3]) {
        let [first, truth] = now;
        let mut error = FrameError::default();
        let (mut distances, mut count) = (0.0, 0_u64);
        for (vertex, (a, b)) in first.iter().zip(truth).enumerate() {
            let square = a.distance_squared(*b);
            if !square.is_finite() {
                continue;
            }
            let distance = square.sqrt();
            distances += f64::from(distance);
            self.squares += f64::from(square);
            count += 1;
            if distance > error.largest {
                (error.largest, error.vertex) = (distance, vertex as u32);
            }
        }
        error.mean = (distances / count.max(1) as f64) as f32;
        (self.distances, self.points) = (self.distances + distances, self.points + count);
        let of_lips = regions.lips.iter().map(|&point| first[point as usize].distance(truth[point as usize]));
        error.lips = of_lips.filter(|distance| distance.is_finite()).reduce(f32::max);
        if !regions.lip_pairs.is_empty() {
            error.gaps = Some([first, truth].map(|positions| gap(positions, at_rest, &regions.lip_pairs)));
        }
        let from_rest =
            |positions: &[Vec3], point: u32| f64::from(positions[point as usize].distance(at_rest[point as usize]));
        let moved = regions.upper_face.iter().map(|&point| [first, truth].map(|positions| from_rest(positions, point)));
        let moved: Vec<[f64; 2]> = moved.collect();
        if moved.iter().flatten().all(|distance| distance.is_finite()) {
            self.dynamics_frames += 1;
            for (sums, distances) in self.dynamics.iter_mut().zip(moved) {
                for (sum, distance) in sums.iter_mut().zip(distances) {
                    *sum = [sum[0] + distance, sum[1] + distance * distance];
                }
            }
        }
        self.frames.push(error);
    }
}

/// How much wider than at rest the lips are open, as the mean over their pairs.
fn gap(positions: &[Vec3], at_rest: &[Vec3], pairs: &[[u32; 2]]) -> f32 {
    let width = |positions: &[Vec3]| {
        let apart = pairs.iter().map(|pair| {
            let [upper, lower] = pair.map(|point| positions[point as usize]);
            upper.distance(lower)
        });
        apart.sum::<f32>() / pairs.len() as f32
    };
    width(positions) - width(at_rest)
}

impl SequenceError {
    fn from_sums(sums: Vec<Sums>, regions: &FaceRegions, mm_per_unit: Option<f32>) -> Self {
        let points = sums.iter().map(|it| it.points).sum::<u64>().max(1) as f64;
        let total = |of: fn(&Sums) -> f64| sums.iter().map(of).sum::<f64>();
        let (mean, rms) = (total(|it| it.distances) / points, (total(|it| it.squares) / points).sqrt());
        let jitter = [0, 1].map(|of| {
            let count = sums.iter().map(|it| it.jitter_points[of]).sum::<u64>().max(1);
            sums.iter().map(|it| it.jitter[of]).sum::<f64>() / count as f64
        });
        let frames_of_dynamics = sums.iter().map(|it| it.dynamics_frames).sum::<u64>().max(1) as f64;
        let deviations = (0..regions.upper_face.len()).map(|point| {
            let deviation = |of: usize| {
                let [sum, squares] =
                    [0, 1].map(|at: usize| sums.iter().map(|it| it.dynamics[point][of][at]).sum::<f64>());
                let mean = sum / frames_of_dynamics;
                (squares / frames_of_dynamics - mean * mean).max(0.0).sqrt()
            };
            deviation(1) - deviation(0)
        });
        let deviation = deviations.sum::<f64>() / regions.upper_face.len().max(1) as f64;
        let frames: Vec<FrameError> = sums.into_iter().flat_map(|it| it.frames).collect();
        let lips: Vec<f64> = frames.iter().filter_map(|frame| frame.lips).map(f64::from).collect();
        let mean_of_lips = |of: fn(f64) -> f64| {
            (!lips.is_empty()).then(|| lips.iter().map(|&distance| of(distance)).sum::<f64>() / lips.len() as f64)
        };
        let largest = frames.iter().enumerate().max_by(|a, b| a.1.largest.total_cmp(&b.1.largest));
        Self {
            mean,
            rms,
            largest: largest.map_or((0.0, 0, 0), |(frame, error)| (error.largest, frame, error.vertex)),
            lip_vertex_error: mean_of_lips(|distance| distance),
            lip_vertex_error_squared: mean_of_lips(|distance| distance * distance),
            upper_face_deviation: (!regions.upper_face.is_empty()).then_some(deviation),
            closures: mm_per_unit.and_then(|mm| closures(&frames, CLOSED_MM / mm)),
            jitter,
            frames,
        }
    }
}

/// The times that the lips close in the true recording, and how many of them the other misses; `None` where no gap is
/// known.
fn closures(frames: &[FrameError], closed: f32) -> Option<[usize; 2]> {
    let gaps: Vec<[f32; 2]> = frames.iter().filter_map(|frame| frame.gaps).collect();
    let runs: Vec<&[[f32; 2]]> =
        gaps.split(|gap| gap[1].is_nan() || gap[1] > closed).filter(|run| !run.is_empty()).collect();
    let is_missed = |run: &&&[[f32; 2]]| run.iter().all(|gap| gap[0] > 2.0 * closed);
    let missed = runs.iter().filter(is_missed).count();
    (!gaps.is_empty()).then_some([runs.len(), missed])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::FrameFault;

    struct Made(Vec<Vec<Vec3>>);

    impl Frames for Made {
        fn count(&self) -> usize {
            self.0.len()
        }

        fn read(&self, frame: usize, positions: &mut Vec<Vec3>) -> Result<(), FrameFault> {
            positions.extend(&self.0[frame]);
            Ok(())
        }
    }

    fn regions() -> FaceRegions {
        FaceRegions {
            lips: vec![0, 1],
            lip_pairs: vec![[0, 1]],
            upper_face: vec![2],
            at_rest: Some(vec![Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO]),
        }
    }

    fn compared(a: Vec<Vec<Vec3>>, b: Vec<Vec<Vec3>>) -> SequenceError {
        compare([&Made(a), &Made(b)], 4, &regions(), Some(1.0), Progress::NONE).unwrap()
    }

    #[test]
    fn made_recordings_have_the_errors_that_they_were_made_with() {
        // Over more than one chunk: the lips part by 5 in every tenth frame, the others stay closed.
        let frame = |open: f32, brow: f32| vec![Vec3::Y * open, Vec3::ZERO, Vec3::X * brow, Vec3::ZERO];
        let truth: Vec<Vec<Vec3>> =
            (0..100).map(|at| frame(if at % 10 == 0 { 0.0 } else { 5.0 }, (at % 2) as f32 * 2.0)).collect();
        let first: Vec<Vec<Vec3>> =
            (0..90).map(|at| frame(if at < 50 && at % 10 == 0 { 0.0 } else { 5.0 }, 0.0)).collect();
        let found = compared(first, truth);
        assert_eq!(found.frames.len(), 90, "as far as both go");
        // Of the 90 frames, 4 have the lips open by 5 although they should be closed.
        assert_eq!(found.closures, Some([9, 4]));
        assert!((found.lip_vertex_error.unwrap() - 4.0 * 5.0 / 90.0).abs() < 1e-6);
        assert!((found.lip_vertex_error_squared.unwrap() - 4.0 * 25.0 / 90.0).abs() < 1e-6);
        assert!((found.upper_face_deviation.unwrap() - 1.0).abs() < 1e-9, "the brow goes from 0 to 2 and back");
        assert!((found.mean - (4.0 * 5.0 + 45.0 * 2.0) / 360.0).abs() < 1e-6, "{}", found.mean);
        assert_eq!((found.largest.0, found.largest.2), (5.0, 0));
        // Per frame from the third on: the brow has second differences of 4, and each of the 4 closures that are missed
        // has 5, 10 and 5.
        let more = 1.0 + 4.0 * 20.0 / (88.0 * 4.0);
        assert!((found.jitter[1] - found.jitter[0] - more).abs() < 1e-6, "{:?}", found.jitter);
    }

    #[test]
    fn missing_points_and_frames_are_left_out() {
        let whole = vec![vec![Vec3::ONE; 4]; 3];
        let mut gaps = vec![vec![Vec3::ONE * 2.0; 4]; 3];
        gaps[1][3] = Vec3::NAN;
        gaps[2].pop();
        let found = compared(gaps, whole);
        let distance = f64::from(3.0_f32.sqrt());
        assert!((found.mean - distance).abs() < 1e-6 && found.frames[2].mean == 0.0);
        assert_eq!(found.frames[2].lips, None);
        assert!(compared(Vec::new(), Vec::new()).frames.is_empty());
    }
}
