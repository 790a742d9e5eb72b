//! The work of an export: on a thread of its own, or in pieces of pictures between the frames of the window.

use std::path::PathBuf;
use std::time::Duration;

use super::{ExistingFiles, ExportError, ExportKind, ExportRequest};
use crate::export::{
    AnimationClip, AnimationExport, AnimationKeys, AnimationSettings, Ffmpeg, FilmWork, FlattenedInBetweens,
    HeadExport, LostMotion, MeshExport, NumberedPath, OutputPath, Renderers, SequencePlan, SequenceWork, SpanError,
};
use crate::session::{Session, SheetOf, TakeId};
use smirk_base::progress::Progress;

/// The work of an export. The session is copied, so that editing goes on and does not change it.
pub enum ExportWork {
    /// It needs no graphics device, and runs on a thread of its own.
    File(FileExport),
    /// Its pictures are drawn in pieces.
    Drawn(Box<DrawnExport>),
    /// A contact sheet, which has a queue of its own.
    Sheet(SheetOf),
}

/// An export that needs no graphics device.
#[derive(Debug)]
pub enum FileExport {
    /// What plays, as weights over time.
    Animation(AnimationExport),
    /// The head.
    Head(HeadExport),
    /// Deformed meshes.
    Mesh(Box<MeshExport>),
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportReport {
    /// The size of all files; 0 if it was not counted.
    pub bytes: u64,
    /// Channels that move, and that the format has no place for.
    pub unmapped_channels: Vec<String>,
    /// The motion of nodes that the file leaves out.
    pub lost_motion: Option<LostMotion>,
    /// In-betweens that the file has as targets.
    pub flattened: Option<FlattenedInBetweens>,
    /// What the file does not have of correctives, as a sentence.
    pub left_out_correctives: Option<String>,
}

impl FileExport {
    /// Writes the files.
    pub fn run(self, progress: Progress<'_>) -> Result<ExportReport, ExportError> {
        let of = |bytes| ExportReport { bytes, ..ExportReport::default() };
        match self {
            Self::Animation(export) => {
                let report = export.run(progress)?;
                Ok(ExportReport {
                    bytes: report.bytes as u64,
                    unmapped_channels: report.unmapped_channels,
                    lost_motion: report.lost_motion,
                    flattened: report.flattened,
                    left_out_correctives: None,
                })
            }
            Self::Head(export) => Ok(ExportReport {
                flattened: export.flattened(),
                left_out_correctives: export.left_out_correctives(),
                ..of(export.run(progress)?)
            }),
            Self::Mesh(export) => Ok(of(export.run(progress)?)),
        }
    }
}

/// An export whose pictures are drawn in pieces. Dropped before it is complete, it leaves only pictures that are whole.
pub enum DrawnExport {
    /// Numbered pictures, or a single one.
    Pictures(SequenceWork),
    /// A film.
    Film(FilmWork),
}

impl DrawnExport {
    /// The number of pictures that are done.
    pub fn done(&self) -> usize {
        match self {
            Self::Pictures(work) => work.done(),
            Self::Film(work) => work.done(),
        }
    }

    /// The number of pictures to draw.
    pub fn total(&self) -> usize {
        match self {
            Self::Pictures(work) => work.total(),
            Self::Film(work) => work.total(),
        }
    }

    /// What has been done, in words.
    pub fn stage(&self) -> String {
        match self {
            Self::Pictures(work) => format!("picture {} of {}", work.done(), work.total()),
            Self::Film(work) => work.stage(),
        }
    }

    /// Draws for about so long, at least one piece of a picture, and waits for nothing else. Returns whether there are more pictures;
    /// after the last, [`Self::finish`] is due.
    pub fn step_for(&mut self, renderers: &mut Renderers<'_>, most: Duration) -> Result<bool, ExportError> {
        Ok(match self {
            Self::Pictures(work) => work.step_for(renderers, most)?,
            Self::Film(work) => work.step_for(renderers, most)?,
        })
    }

    /// Waits until all files are in their places. It may be called on any thread.
    pub fn finish(&mut self, progress: Progress<'_>) -> Result<(), ExportError> {
        match self {
            Self::Pictures(work) => work.finish(progress)?,
            Self::Film(work) => work.finish(progress)?,
        }
        Ok(())
    }
}

impl ExportRequest {
    /// Begins the export of a session. Nothing is written before this returns, but for the unfinished file of a film.
    pub fn start(&self, session: &Session, output: OutputPath) -> Result<ExportWork, ExportError> {
        if !self.is_still(session) && !self.moves(session) {
            return Err(ExportError::NothingMoves);
        }
        let is_sequence = self.is_sequence(session);
        let output = if is_sequence { output.with_path(NumberedPath::with_place(output.path())) } else { output };
        Ok(match self.kind {
            ExportKind::Animation => ExportWork::File(FileExport::Animation(self.animation_export(session, output)?)),
            ExportKind::Head => ExportWork::File(FileExport::Head(HeadExport::new(session.head.clone(), output))),
            ExportKind::Mesh => {
                let export = self.mesh_export(session, output)?;
                if is_sequence && self.existing != ExistingFiles::Replace {
                    refuse_existing(export.files())?;
                }
                ExportWork::File(FileExport::Mesh(Box::new(export)))
            }
            ExportKind::Pictures => {
                let name = output.path().file_name().unwrap_or_default();
                if !is_sequence && name.as_encoded_bytes().contains(&b'#') {
                    return Err(ExportError::NumberSign { path: output.path().to_owned() });
                }
                let settings = self.sequence(session)?;
                let plan = SequencePlan::new(session, &output, &settings)?;
                if is_sequence && self.existing == ExistingFiles::Stop {
                    refuse_existing(plan.files.iter().map(|(_, path)| path.clone()))?;
                }
                let work = SequenceWork::of_plan(plan, session, &output, settings)?;
                ExportWork::Drawn(Box::new(DrawnExport::Pictures(work)))
            }
            ExportKind::Film => {
                let work = FilmWork::start(session, &output, self.film(session)?, Ffmpeg::find)?;
                ExportWork::Drawn(Box::new(DrawnExport::Film(work)))
            }
            ExportKind::Sheet => ExportWork::Sheet(self.sheet),
        })
    }

    pub(super) fn animation_export(
        &self,
        session: &Session,
        output: OutputPath,
    ) -> Result<AnimationExport, ExportError> {
        let keys = if self.is_sampled { AnimationKeys::Sampled } else { AnimationKeys::Within(self.tolerance) };
        let settings = AnimationSettings { format: self.animation, keys, with_head: self.with_head };
        Ok(AnimationExport::new(self.clips(session)?, settings, output)?)
    }

    pub(super) fn mesh_export(&self, session: &Session, output: OutputPath) -> Result<MeshExport, ExportError> {
        Ok(MeshExport::new(session, self.baked(session)?, output)?)
    }

    /// The clips of an animation: every take, or what plays.
    fn clips(&self, session: &Session) -> Result<Vec<AnimationClip>, SpanError> {
        let takes: Vec<TakeId> = session.edits.playable_takes().map(|entry| entry.id).collect();
        if self.all_takes && self.animation.can_hold_clips() && !takes.is_empty() {
            return AnimationClip::of_takes(session, &takes, |session| self.span(session));
        }
        Ok(vec![AnimationClip::of_session(session, self.span(session)?)])
    }
}

fn refuse_existing(mut files: impl Iterator<Item = PathBuf>) -> Result<(), ExportError> {
    files.find(|path| path.exists()).map_or(Ok(()), |path| Err(ExportError::Exists { path }))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::export::{AnimationFormat, ExportForecast, FrameChoice};
    use crate::session::HeadSource;
    use smirk_base::progress::Cancelled;
    use smirk_face::head::{Asset, Clip, Curve, Head, Interpolation, Mesh, Part, Target, Track, Vertices};
    use smirk_graphics::blend::BlendMode;
    use smirk_picture::scene::Look;

    fn session() -> Session {
        let corners = [glam::Vec3::ZERO, glam::Vec3::X, glam::Vec3::Y];
        let mesh = Mesh {
            vertices: Vertices { positions: corners.to_vec(), normals: vec![glam::Vec3::Z; 3], ..Vertices::default() },
            indices: vec![0, 1, 2],
            parts: vec![Part { first_index: 0, index_count: 3, material: 0, flat_shaded: false }],
            targets: vec![Target::from_dense("jawOpen".into(), 0.0, &[glam::Vec3::Y; 3], &[], &[])],
            ..Mesh::default()
        };
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 2.0], vec![0.0, 1.0], 1).unwrap();
        let clip = Clip::new("open".into(), vec![Track { first_target: 0, curve }]);
        let head = Head::new(Asset { name: "a".into(), meshes: vec![mesh], clips: vec![clip], ..Asset::default() });
        let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
        session.clock.timeline.time_secs = 1.0;
        session
    }

    /// Runs an export that needs no graphics device.
    fn run(request: &ExportRequest, session: &Session, path: PathBuf) -> Result<ExportReport, ExportError> {
        match request.start(session, OutputPath::new(path))? {
            ExportWork::File(export) => export.run(Progress::NONE),
            ExportWork::Drawn(_) | ExportWork::Sheet(_) => panic!("it needs a graphics device"),
        }
    }

    fn files(folder: &std::path::Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn every_file_that_was_foretold_is_written_and_nothing_is_replaced_unasked() {
        let (folder, session) = (tempfile::tempdir().unwrap(), session());
        let obj = ExportRequest { kind: ExportKind::Mesh, ..ExportRequest::default() };
        let forecast = ExportForecast::of(&session, &obj).unwrap();
        assert_eq!((forecast.files, forecast.frames), (61, 61));
        let path = folder.path().join("face.obj");
        let report = run(&obj, &session, path.clone()).unwrap();
        assert!(report.bytes > 0 && folder.path().join("face.0060.obj").exists());
        assert_eq!(files(folder.path()), forecast.files);
        std::fs::remove_file(folder.path().join("face.0000.obj")).unwrap();
        let refused = run(&obj, &session, path.clone()).unwrap_err();
        assert!(refused.to_string().contains("face.0001.obj is there already"), "{refused}");
        assert_eq!(files(folder.path()), forecast.files - 1, "nothing was written");
        run(&ExportRequest { existing: ExistingFiles::Replace, ..obj }, &session, path.clone()).unwrap();
        assert_eq!(files(folder.path()), forecast.files);
        let one = ExportRequest { is_one_moment: true, ..obj };
        assert_eq!(ExportForecast::of(&session, &one).unwrap().files, 1);
        run(&one, &session, path.clone()).unwrap();
        assert!(path.exists(), "a single file has the name that was chosen");
    }

    #[test]
    fn animations_of_every_format_are_about_as_large_as_foretold() {
        let (folder, mut session) = (tempfile::tempdir().unwrap(), session());
        session.edits.timeline.set_in(Some(0.5));
        for animation in AnimationFormat::ALL {
            let request = ExportRequest { animation, is_sampled: true, ..ExportRequest::default() };
            let forecast = ExportForecast::of(&session, &request).unwrap();
            assert_eq!(forecast.frames, 46, "{animation:?}");
            let all = ExportRequest { frames: FrameChoice::All, ..request };
            assert_eq!(ExportForecast::of(&session, &all).unwrap().frames, 61);
            let path = folder.path().join(format!("{}.{}", animation.keyword(), request.file_kind().extension()));
            let bytes = run(&request, &session, path.clone()).unwrap().bytes;
            assert_eq!(bytes, std::fs::metadata(&path).unwrap().len());
        }
    }

    #[test]
    fn an_animation_of_any_format_can_be_cancelled_while_it_is_written() {
        let (folder, session) = (tempfile::tempdir().unwrap(), session());
        for animation in AnimationFormat::ALL {
            // A table of keys is written channel by channel, the others frame by frame or target by target.
            let request = ExportRequest { animation, is_sampled: true, ..ExportRequest::default() };
            let output = OutputPath::new(folder.path().join(animation.keyword()));
            let Ok(ExportWork::File(export)) = request.start(&session, output) else { panic!("{animation:?}") };
            let begun = std::cell::Cell::new(false);
            let cancelled = export.run(Progress::new(&|stage, _| {
                begun.set(!stage.starts_with("frame "));
                if begun.get() { Err(Cancelled) } else { Ok(()) }
            }));
            assert!(cancelled.is_err_and(|error| error.is_cancelled()) && begun.get(), "{animation:?}");
        }
        assert_eq!(files(folder.path()), 0);
    }

    #[test]
    fn a_head_at_rest_has_a_turntable_and_no_animation() {
        let mut session = session();
        session.select_clip(None);
        let of = |kind, is_turning| {
            let request = ExportRequest { kind, is_turning, turn_secs: 2.0, ..ExportRequest::default() };
            ExportForecast::of(&session, &request).map(|forecast| forecast.frames).map_err(|error| error.to_string())
        };
        assert_eq!(of(ExportKind::Film, true), Ok(60));
        assert_eq!((of(ExportKind::Pictures, false), of(ExportKind::Pictures, true)), (Ok(1), Ok(60)));
        for kind in [ExportKind::Film, ExportKind::Animation] {
            assert!(of(kind, false).unwrap_err().contains("nothing moves"));
        }
        assert!(of(ExportKind::Animation, true).is_err());
    }
}
