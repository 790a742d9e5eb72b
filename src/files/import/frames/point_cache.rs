//! Point caches: the positions of the points of a mesh at every frame, and nothing else.
//!
//! - **PC2** (3ds Max Point Cache 2), little-endian: the text `POINTCACHE2` with a zero, version 1, the number of
//!   points, the first frame and the frames per sample as floats, the number of samples; then three floats per point,
//!   sample by sample.
//! - **MDD** (LightWave), big-endian: the number of frames and of points, the time of each frame in seconds; then three
//!   floats per point, frame by frame.

use std::fs::File;
use std::path::Path;

use glam::Vec3;

use super::MOST_FRAMES;
use crate::import::file::read_piece;
use crate::import::{Fault, Import, Problem};
use smirk_analysis::solve::FrameFault;
use smirk_base::file_kind;
use smirk_base::regular_file;
use smirk_base::watch::before_reading;
use smirk_face::head::Subject;

/// An open cache, of which frames are read as they are needed.
#[derive(Debug)]
pub(super) struct PointCache {
    file: File,
    is_big_endian: bool,
    /// Where the first frame begins, in bytes.
    start: u64,
    pub points: usize,
    pub frames: usize,
    /// The time of each frame in seconds; empty for a cache that does not have them.
    pub times: Vec<f32>,
    /// The frames of the film from one frame of the cache to the next.
    pub frames_per_sample: f32,
}

/// The frames per sample that are taken as they are: up to some ten samples of simulations in a frame, and some seconds
/// between samples.
const FRAMES_PER_SAMPLE: std::ops::RangeInclusive<f32> = 0.01..=100.0;

const POSITION_BYTES: u64 = 12;

/// The most points of a frame, which is read into memory whole: 192 MiB. A file may have holes that take no room on the
/// disk, so that its size justifies nothing.
const MOST_POINTS: usize = 1 << 24;

fn check_frames(frames: usize) -> Result<(), Fault> {
    if frames > MOST_FRAMES {
        let text = format!("has {frames} frames, more than the {MOST_FRAMES} that are read; export it in parts");
        return Err(Fault::Unfit(text));
    }
    Ok(())
}

impl PointCache {
    pub(super) fn open(path: &Path, import: &mut Import<'_>) -> Result<Self, Fault> {
        before_reading(path);
        let size = regular_file::check(path)?.len();
        let file = regular_file::open(path)?;
        if file_kind::PC2.matches(path) { Self::pc2(file, size, import) } else { Self::mdd(file, size, import) }
    }

    fn pc2(file: File, size: u64, import: &mut Import<'_>) -> Result<Self, Fault> {
        const HEADER: usize = 32;
        const SIGNATURE: &[u8] = b"POINTCACHE2\0";
        let header = read_exactly(&file, 0, HEADER)?.ok_or_else(|| cut_off("its header", size))?;
        if !header.starts_with(SIGNATURE) {
            return Err(Fault::Unfit(
                "is no Point Cache 2: it does not begin with POINTCACHE2; export it again".into(),
            ));
        }
        let numbers: Vec<i32> = header.as_chunks::<4>().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect();
        let (version, points, frames) = (numbers[3], numbers[4], numbers[7]);
        if version != 1 {
            let text = format!("has version {version} of Point Cache 2, and Smirk reads version 1; export it again");
            return Err(Fault::Unfit(text));
        }
        let stated = f32::from_bits(numbers[6] as u32);
        let frames_per_sample = if FRAMES_PER_SAMPLE.contains(&stated) { stated } else { 1.0 };
        if frames_per_sample != stated {
            let message = format!("says that it has a sample every {stated} frames; taken as one for each frame");
            import.notes.warn(Subject::File, message);
        } else if frames_per_sample != 1.0 {
            import.notes.inform(Subject::File, format!("has a sample every {frames_per_sample} frames"));
        }
        let (start, times) = (HEADER as u64, Vec::new());
        Self { file, is_big_endian: false, start, points: 0, frames: 0, times, frames_per_sample }
            .checked(points, frames, size, import)
    }

    fn mdd(file: File, size: u64, import: &mut Import<'_>) -> Result<Self, Fault> {
        const HEADER: usize = 8;
        let header = read_exactly(&file, 0, HEADER)?.ok_or_else(|| cut_off("its header", size))?;
        let numbers: Vec<i32> = header.as_chunks::<4>().0.iter().map(|bytes| i32::from_be_bytes(*bytes)).collect();
        let (frames, points) = (numbers[0], numbers[1]);
        let times_size = u64::try_from(frames).unwrap_or(0).saturating_mul(4);
        if size < (HEADER as u64).saturating_add(times_size) {
            return Err(cut_off(&format!("the times of its {frames} frames"), size));
        }
        check_frames(usize::try_from(frames).unwrap_or(0))?;
        import.budget.spend(times_size, &Subject::File)?;
        let times = read_exactly(&file, HEADER as u64, times_size as usize)?.unwrap_or_default();
        let times = times.as_chunks::<4>().0.iter().map(|bytes| f32::from_be_bytes(*bytes)).collect();
        let (start, frames_per_sample) = (HEADER as u64 + times_size, 1.0);
        Self { file, is_big_endian: true, start, points: 0, frames: 0, times, frames_per_sample }
            .checked(points, frames, size, import)
    }

    fn checked(mut self, points: i32, frames: i32, size: u64, import: &mut Import<'_>) -> Result<Self, Fault> {
        let (Ok(points @ 1..), Ok(frames @ 0..)) = (usize::try_from(points), usize::try_from(frames)) else {
            return Err(problem(format!("says that it has {points} points and {frames} frames")));
        };
        if frames == 0 {
            return Err(problem("has no frames".into()));
        }
        let frame_bytes = points as u64 * POSITION_BYTES;
        let there = usize::try_from(size.saturating_sub(self.start) / frame_bytes).unwrap_or(usize::MAX).min(frames);
        if there == 0 {
            return Err(cut_off(&format!("its first frame of {points} points"), size));
        }
        if points > MOST_POINTS {
            let text = format!("has {points} points, more than the {MOST_POINTS} that are read; export the face alone");
            return Err(Fault::Unfit(text));
        }
        check_frames(there)?;
        if there < frames {
            import.notes.warn(Subject::File, format!("was cut off: {there} of its {frames} frames are there"));
        }
        // A frame is read into memory whole.
        import.budget.spend(frame_bytes, &Subject::File)?;
        self.times.truncate(there);
        (self.points, self.frames) = (points, there);
        Ok(self)
    }

    pub(super) fn read(&self, frame: usize, positions: &mut Vec<Vec3>) -> Result<(), FrameFault> {
        let bytes = self.points * POSITION_BYTES as usize;
        let at = self.start + frame as u64 * bytes as u64;
        let read = read_exactly(&self.file, at, bytes).map_err(|fault| FrameFault::Unreadable(fault.to_string()))?;
        let read =
            read.ok_or_else(|| FrameFault::Unreadable("is no longer there: the file has become shorter".into()))?;
        let float = if self.is_big_endian { f32::from_be_bytes } else { f32::from_le_bytes };
        let numbers: Vec<f32> = read.as_chunks::<4>().0.iter().map(|bytes| float(*bytes)).collect();
        positions.extend(numbers.as_chunks::<3>().0.iter().map(|position| Vec3::from_array(*position)));
        Ok(())
    }
}

fn problem(text: String) -> Fault {
    Fault::Unfit(format!("{text}; export it again"))
}

/// So many bytes of a file; none if it ends before.
fn read_exactly(file: &File, at: u64, count: usize) -> Result<Option<Vec<u8>>, Fault> {
    let mut bytes = vec![0; count];
    let read = read_piece(file, &mut bytes, at)?;
    Ok((read == count).then_some(bytes))
}

fn cut_off(before: &str, size: u64) -> Fault {
    let problem = Problem::new(format!("ends within {before}, after {size} bytes"));
    Fault::invalid(Subject::File, problem.advise("it was cut off: export it again"))
}
