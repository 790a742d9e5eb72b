//! The face as it is at one moment, or over a range of frames, as meshes without targets and skins: OBJ, GLB and point caches.

mod baked;
mod baked_head;
mod error;
mod obj;
mod point_cache;
mod points;
mod settings;

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub use self::error::MeshError;
pub use self::settings::{MeshFormat, MeshSettings};

use self::baked::{Moment, bake, chosen_meshes};
use self::point_cache::CacheFormat;
use self::points::Points;
use super::glb::glb_while;
use super::{ExportPlan, ExportProgress};
use crate::atomic_file::OutputPath;
use crate::blend::Normals;
use crate::head::Head;
use crate::session::Session;

/// An export of baked meshes.
#[derive(Debug)]
pub struct MeshExport {
    session: Session,
    settings: MeshSettings,
    output: OutputPath,
    meshes: Vec<usize>,
    points: Points,
}

impl MeshExport {
    /// Prepares an export of what a session shows. With several frames of OBJ, the last run of `#` in the name of the output is
    /// the number of the frame.
    pub fn new(session: &Session, settings: MeshSettings, output: OutputPath) -> Result<Self, MeshError> {
        let frames = settings.span.map_or(1, |span| span.count());
        let head = &session.head;
        match settings.format {
            MeshFormat::Glb if frames > 1 => return Err(MeshError::OneMoment(frames)),
            MeshFormat::Obj if frames > 1 && !is_numbered(output.path()) => {
                return Err(MeshError::NoNumber { path: output.path().to_owned(), frames });
            }
            MeshFormat::Glb | MeshFormat::Obj | MeshFormat::Pc2 | MeshFormat::Mdd => {}
        }
        let meshes = chosen_meshes(head, settings.only_visible);
        if meshes.is_empty() {
            return Err(MeshError::NoMesh { head: head.name.clone() });
        }
        let points = Points::of(head, &meshes);
        if i32::try_from(points.len()).is_err() {
            return Err(MeshError::TooManyPoints(points.len()));
        }
        Ok(Self { session: session.clone(), settings, output, meshes, points })
    }

    /// The files that are written.
    pub(in crate::export) fn files(&self) -> impl Iterator<Item = PathBuf> {
        let is_sequence = self.settings.format == MeshFormat::Obj;
        let span = self.settings.span.filter(|_| is_sequence);
        let frames = span.map_or(0..=0, |span| span.frames());
        frames.map(move |frame| match span {
            Some(_) => numbered(self.output.path(), frame),
            None => self.output.path().to_owned(),
        })
    }

    /// What will be written.
    pub fn plan(&self) -> ExportPlan {
        let span = self.settings.span;
        let frames = span.map_or(1, |span| span.count());
        let files = if self.settings.format == MeshFormat::Obj { frames } else { 1 };
        let path = |frame: Option<i64>| match (self.settings.format, frame) {
            (MeshFormat::Obj, Some(frame)) => numbered(self.output.path(), frame),
            _ => self.output.path().to_owned(),
        };
        ExportPlan {
            first: path(span.map(|span| span.first)),
            last: path(span.map(|span| span.last)),
            files,
            frames,
            bytes: self.size(frames),
        }
    }

    /// The estimated size of all files.
    fn size(&self, frames: usize) -> u64 {
        let head = &self.session.head;
        let of = |count: fn(&crate::head::Mesh) -> usize| -> u64 {
            self.meshes.iter().map(|&mesh| count(&head.meshes[mesh]) as u64).sum()
        };
        let (points, frames) = (self.points.len() as u64, frames as u64);
        let (vertices, indices) = (of(|mesh| mesh.vertices.len()), of(|mesh| mesh.indices.len()));
        let uvs = of(|mesh| mesh.vertices.uvs.len());
        match self.settings.format {
            // Lines of numbers take about ten characters each.
            MeshFormat::Obj => frames * (points * 36 + vertices * 36 + uvs * 26 + indices * 14),
            MeshFormat::Glb => vertices * 24 + uvs * 8 + indices * 4 + super::head::texture_bytes(head),
            MeshFormat::Pc2 => 32 + frames * points * 12,
            MeshFormat::Mdd => 8 + frames * (4 + points * 12),
        }
    }

    /// Writes the files. Returns their size in bytes.
    pub fn run(mut self, progress: &ExportProgress<'_>) -> Result<u64, MeshError> {
        let head = self.session.head.clone();
        match self.settings.format {
            MeshFormat::Glb => {
                if let Some(span) = self.settings.span {
                    span.show(&mut self.session, span.first);
                }
                let moment = Moment::of(&self.session);
                let baked = bake(&head, &self.meshes, &moment, self.settings.normals);
                let bytes = glb_while(&baked_head::baked_head(&head, baked, &moment), progress)?;
                self.output.write(&bytes)?;
                Ok(bytes.len() as u64)
            }
            MeshFormat::Obj => self.write_objs(&head, progress),
            MeshFormat::Pc2 => self.write_cache(&head, CacheFormat::Pc2, progress),
            MeshFormat::Mdd => self.write_cache(&head, CacheFormat::Mdd, progress),
        }
    }

    fn write_objs(&mut self, head: &Head, progress: &ExportProgress<'_>) -> Result<u64, MeshError> {
        let mut written = 0;
        for (done, frame) in self.frames().into_iter().enumerate() {
            let moment = self.moment(frame, done, progress)?;
            let baked = bake(head, &self.meshes, &moment, self.settings.normals);
            let text = obj::obj(head, &baked, &self.points);
            let output = match frame {
                Some(frame) => self.output.with_path(numbered(self.output.path(), frame)),
                None => self.output.clone(),
            };
            output.write(text.as_bytes())?;
            written += text.len() as u64;
        }
        Ok(written)
    }

    fn write_cache(
        &mut self,
        head: &Head,
        format: CacheFormat,
        progress: &ExportProgress<'_>,
    ) -> Result<u64, MeshError> {
        let (frames, span) = (self.frames(), self.settings.span);
        let first = span.map_or(0, |span| span.first);
        let secs_of = |sample: i32| span.map_or(0.0, |span| span.secs_of(first + i64::from(sample)));
        // A span has at most a million frames, and points were counted before.
        let header = format.header(self.points.len() as i32, frames.len() as i32, first, secs_of);
        let mut file = self.output.begin()?;
        let mut written = header.len() as u64;
        file.append(&header)?;
        for (done, frame) in frames.into_iter().enumerate() {
            let moment = self.moment(frame, done, progress)?;
            // A cache has no normals, so that none are recomputed.
            let baked = bake(head, &self.meshes, &moment, Normals::Authored);
            let sample = format.sample(self.points.positions(&baked));
            file.append(&sample)?;
            written += sample.len() as u64;
        }
        file.finish()?;
        Ok(written)
    }

    /// The frames, or what the session shows now.
    fn frames(&self) -> Vec<Option<i64>> {
        self.settings.span.map_or_else(|| vec![None], |span| span.frames().map(Some).collect())
    }

    /// What is shown at a frame, after `done` others.
    fn moment(&mut self, frame: Option<i64>, done: usize, progress: &ExportProgress<'_>) -> Result<Moment, MeshError> {
        if let Some((span, frame)) = self.settings.span.zip(frame) {
            let stage = format!("frame {frame} of {} to {}", span.first, span.last);
            if progress(&stage, done as f32 / span.count() as f32) == ControlFlow::Break(()) {
                return Err(MeshError::Cancelled);
            }
            span.show(&mut self.session, frame);
        }
        Ok(Moment::of(&self.session))
    }
}

/// Whether a name has a place for the number of a frame.
fn is_numbered(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains('#'))
}

/// The file of a frame: the last run of `#` in the name is replaced by its number, with as many digits at least. A name without
/// any is that of a single frame.
fn numbered(path: &Path, frame: i64) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let Some(end) = name.rfind('#') else { return path.to_owned() };
    let before = name[..=end].trim_end_matches('#');
    let digits = end + 1 - before.len();
    path.with_file_name(OsString::from(format!("{before}{frame:0digits$}{}", &name[end + 1..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_sequence_are_numbered() {
        let of = |path: &str, frame| numbered(Path::new(path), frame).display().to_string();
        assert_eq!(of("out#/face.####.obj", 7), "out#/face.0007.obj");
        assert_eq!(of("a#_##.obj", 123), "a#_123.obj");
        assert_eq!(of("face.obj", 3), "face.obj");
        assert!(is_numbered(Path::new("a/#.obj")) && !is_numbered(Path::new("#/a.obj")));
    }
}
