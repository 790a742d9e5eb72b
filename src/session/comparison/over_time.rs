//! How far A is from B over the timeline, frame by frame.

use std::sync::{Arc, Weak};

use glam::Vec3;

use super::{B, ComparedWith, MadeFrom};
use crate::Session;
use smirk_analysis::sequences::{FaceRegions, SequenceError, compare};
use smirk_analysis::solve::{FrameFault, Frames};
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{Head, Points, RigPose, Version};

/// The most frames that are compared; of longer timelines, every second, third and so on.
const MOST_FRAMES: usize = 1800;

/// A head at the frames of a session that plays on it.
pub struct PlayedFrames {
    head: Arc<Head>,
    points: Arc<Points>,
    /// Per frame, the weights and the pose of the rig; none where that is at rest.
    frames: Vec<(Arc<[f32]>, Option<RigPose>)>,
    scale: f32,
    /// Per point of another head, that of this one; none if both are one.
    of_points: Option<Vec<Option<u32>>>,
}

impl PlayedFrames {
    /// The frames of a session at these times, in world space, `scale` times as large.
    pub fn of_session(
        session: &mut Session,
        points: &Arc<Points>,
        times_secs: &[f32],
        scale: f32,
        progress: Progress<'_>,
    ) -> Result<Self, Cancelled> {
        let head = session.head.clone();
        let mut frames = Vec::with_capacity(times_secs.len());
        for &time_secs in times_secs {
            progress.report("playing", frames.len() as f32 / times_secs.len() as f32)?;
            session.seek(time_secs);
            let nodes = session.world_from_nodes();
            frames.push((session.weights(), (!nodes.is_empty()).then(|| RigPose::new(&head.rig, nodes))));
        }
        Ok(Self { head, points: points.clone(), frames, scale, of_points: None })
    }

    /// The frames of another version of the head of a session, as the points of that head.
    fn of_version(
        session: &mut Session,
        (version, points): (&Arc<Version>, &Points),
        times_secs: &[f32],
        scale: f32,
        progress: Progress<'_>,
    ) -> Result<Self, Cancelled> {
        let head = version.head.clone();
        let all = |head: &Head| (0..head.meshes.len()).collect::<Vec<usize>>();
        let own = Points::new(&head, &all(&head));
        let of_points = points.places.iter().map(|&(mesh, vertex)| {
            let (mesh, vertex) = version.counterpart(mesh, vertex as usize)?;
            own.of_vertices[mesh].get(vertex).copied()
        });
        let of_points = Some(of_points.collect());
        let mut frames = Vec::with_capacity(times_secs.len());
        for &time_secs in times_secs {
            progress.report("playing", frames.len() as f32 / times_secs.len() as f32)?;
            session.seek(time_secs);
            let Some(scene) = session.b().scene([1, 1]) else { break };
            let nodes = scene.world_from_nodes.to_vec();
            frames.push((scene.weights, (!nodes.is_empty()).then(|| RigPose::new(&head.rig, nodes))));
        }
        Ok(Self { head, points: Arc::new(own), frames, scale: scale * version.unit(), of_points })
    }
}

impl Frames for PlayedFrames {
    fn count(&self) -> usize {
        self.frames.len()
    }

    fn read(&self, frame: usize, positions: &mut Vec<Vec3>) -> Result<(), FrameFault> {
        let (weights, pose) = &self.frames[frame];
        let mut own = Vec::with_capacity(self.points.len());
        self.head.add_positions(&self.points, weights, pose.as_ref().unwrap_or(&self.head.rest_pose), &mut own);
        own.iter_mut().for_each(|position| *position *= self.scale);
        match &self.of_points {
            None => positions.append(&mut own),
            Some(of_points) => {
                let found = |point: &Option<u32>| point.and_then(|point| own.get(point as usize).copied());
                positions.extend(of_points.iter().map(|point| found(point).unwrap_or(Vec3::NAN)));
            }
        }
        Ok(())
    }
}

/// What the errors of A against B depend on: two that are equal give the same errors.
#[derive(Clone, Debug)]
pub struct ErrorsFrom {
    made: MadeFrom,
    /// The other version. Its allocation lives as long as this, so that no other one can have its address.
    version: Weak<Version>,
}

impl PartialEq for ErrorsFrom {
    fn eq(&self, other: &Self) -> bool {
        self.made == other.made && self.version.ptr_eq(&other.version)
    }
}

/// The errors of A against B in millimetres of the head.
#[derive(Clone, Debug)]
pub struct ErrorsOverTime {
    pub times_secs: Vec<f32>,
    pub error: SequenceError,
}

impl ErrorsOverTime {
    /// The compared frame that is nearest to a time.
    pub fn frame_at(&self, time_secs: f32) -> usize {
        let next = self.times_secs.partition_point(|time| *time < time_secs);
        let nearest = [next.saturating_sub(1), next].into_iter().filter(|&frame| frame < self.error.frames.len());
        let distance = |frame: &usize| (self.times_secs[*frame] - time_secs).abs();
        nearest.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
    }
}

impl B<'_> {
    /// What [`Session::errors_over_time`] depends on; none if there is nothing to compare with.
    pub fn errors_from(self) -> Option<ErrorsFrom> {
        let version = self.0.version().map_or_else(Weak::new, |open| Arc::downgrade(&open.version));
        self.exists().then(|| ErrorsFrom { made: self.made_from(), version })
    }
}

impl Session {
    /// Plays the timeline of a copy of a session, and measures how far A is from B at its frames. None if there is
    /// nothing to compare with.
    pub fn errors_over_time(mut self, progress: Progress<'_>) -> Result<Option<ErrorsOverTime>, Cancelled> {
        let rate = self.edits.timeline.rate.frames_per_sec();
        let count = (f64::from(self.timeline_secs()) * rate + 1e-3).floor() as usize + 1;
        let step = count.div_ceil(MOST_FRAMES).max(1);
        let times_secs: Vec<f32> = (0..count).step_by(step).map(|frame| (frame as f64 / rate) as f32).collect();
        self.clock.timeline.playing = false;
        let head = self.head.clone();
        let points = Arc::new(Points::new(&head, &(0..head.meshes.len()).collect::<Vec<_>>()));
        let mm = head.mm_per_unit();
        let version = self.version().map(|open| open.version.clone());
        let truth = match version.filter(|_| self.compared_with == ComparedWith::Version) {
            Some(version) => {
                let of_version = (&version, &*points);
                PlayedFrames::of_version(&mut self, of_version, &times_secs, mm, progress.part(0.2..0.4))?
            }
            None => {
                let Some(mut b) = self.b().with(Self::clone) else { return Ok(None) };
                PlayedFrames::of_session(&mut b, &points, &times_secs, mm, progress.part(0.2..0.4))?
            }
        };
        let played = PlayedFrames::of_session(&mut self, &points, &times_secs, mm, progress.part(0.0..0.2))?;
        let mut regions = FaceRegions::find(&head, &points);
        regions.at_rest.iter_mut().flatten().for_each(|position| *position *= mm);
        let error = compare([&played, &truth], points.len(), &regions, Some(1.0), progress.part(0.4..1.0))?;
        Ok(Some(ErrorsOverTime { times_secs, error }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeadSource;
    use smirk_face::head::{Asset, Curve, Interpolation, Mesh, Target, Vertices};
    use smirk_face::motion::Take;
    use smirk_scene::{BlendMode, Look};

    /// A take of a second at 30 frames, in which the jaw opens by `weight` at its end.
    fn take(name: &str, weight: f32) -> Take {
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, weight], 1).unwrap();
        Take { name: name.into(), ..Take::of_curve(["jawOpen"], curve) }
    }

    /// A head of two points, of which `jawOpen` moves the lower one down by a unit.
    fn session() -> Session {
        let target = Target::from_dense("jawOpen".into(), 0.0, &[Vec3::ZERO, Vec3::NEG_Y, Vec3::ZERO], &[], &[]);
        let positions = vec![Vec3::Y, Vec3::NEG_Y, Vec3::X];
        let vertices = Vertices { positions, normals: vec![Vec3::Z; 3], ..Vertices::default() };
        let mesh = Mesh { vertices, indices: vec![0, 1, 2], targets: vec![target], ..Mesh::default() };
        let head = Head::new(Asset { meshes: vec![mesh], ..Asset::default() });
        Session::new(head.into(), HeadSource::Embedded, Look::default(), BlendMode::Cpu)
    }

    #[test]
    fn the_errors_of_two_takes_are_those_of_their_frames() {
        let mut session = session();
        assert!(session.clone().errors_over_time(Progress::NONE).unwrap().is_none());
        assert!(session.b().errors_from().is_none());
        let ids = session.takes_mut().add(vec![take("a", 1.0), take("b", 0.5)]);
        (session.edits.take, session.edits.compared_take) = (Some(ids[0]), Some(ids[1]));
        let from = session.b().errors_from().unwrap();
        assert_eq!(session.b().errors_from(), Some(from.clone()));
        let mm = session.head.mm_per_unit();
        let errors = session.clone().errors_over_time(Progress::NONE).unwrap().unwrap();
        let (frames, last) = (&errors.error.frames, errors.times_secs.len() - 1);
        assert_eq!((frames.len(), errors.times_secs[0], frames[0].largest), (last + 1, 0.0, 0.0));
        for (frame, secs) in frames.iter().zip(&errors.times_secs) {
            assert!((frame.largest - 0.5 * secs * mm).abs() < 1e-3 * mm, "{frame:?} at {secs}");
            assert!((frame.mean - frame.largest / 3.0).abs() < 1e-3 * mm, "{frame:?} at {secs}");
        }
        assert_eq!(errors.error.largest.1, last);
        assert_eq!(
            [0.0, 0.49, 9.0].map(|secs| errors.frame_at(secs)),
            [0, (0.49_f32 * (last as f32)).round() as usize, last]
        );
        session.edits.compared_take = Some(ids[0]);
        assert_ne!(session.b().errors_from(), Some(from));
        let same = session.errors_over_time(Progress::NONE).unwrap().unwrap();
        assert_eq!(same.error.largest.0, 0.0);
    }
}
