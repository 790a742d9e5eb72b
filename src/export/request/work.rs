//! The work of an export: on a thread of its own, or one picture at a time between the frames of the window.

use std::convert::Infallible;
use std::path::PathBuf;

use super::{ExistingFiles, ExportError, ExportKind, ExportRequest, with_number};
use crate::export::{
    AnimationClip, AnimationError, AnimationExport, AnimationKeys, AnimationSettings, ExportProgress, FilmWork, HeadExport,
    MeshError, MeshExport, OutputPath, SequencePlan, SequenceWork,
};
use crate::render::Renderer;
use crate::session::{Session, SheetOf, TakeId};

/// The work of an export. The session is copied, so that editing goes on and does not change it.
pub enum ExportWork {
    /// It needs no graphics device, and runs on a thread of its own.
    File(Box<FileExport>),
    /// Its pictures are drawn one at a time.
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
    Mesh(MeshExport),
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportReport {
    /// The size of all files; 0 if it was not counted.
    pub bytes: u64,
    /// Channels that move, and that the format has no place for.
    pub unmapped_channels: Vec<String>,
    /// The number of clips whose turns of the head, the eyes or other nodes the format leaves out.
    pub clips_without_turns: usize,
}

impl FileExport {
    /// Writes the files.
    pub fn run(self, progress: &ExportProgress<'_>) -> Result<ExportReport, ExportError> {
        let of = |bytes| ExportReport { bytes, ..ExportReport::default() };
        match self {
            Self::Animation(export) => {
                let report = export.run(progress)?;
                Ok(ExportReport {
                    bytes: report.bytes as u64,
                    unmapped_channels: report.unmapped_channels,
                    clips_without_turns: report.clips_without_turns,
                })
            }
            Self::Head(export) => Ok(of(export.run(progress)?)),
            Self::Mesh(export) => Ok(of(export.run(progress)?)),
        }
    }
}

/// An export whose pictures are drawn one at a time. Dropped before it is complete, it leaves only pictures that are whole.
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

    /// Draws the next picture. Returns whether there are more; after the last, all files are in their places.
    pub fn step(&mut self, renderer: &mut Renderer) -> Result<bool, ExportError> {
        Ok(match self {
            Self::Pictures(work) => work.step(renderer)?,
            Self::Film(work) => work.step(renderer)?,
        })
    }
}

impl ExportRequest {
    /// Begins the export of a session. Nothing is written before this returns, but for the unfinished file of a film.
    pub fn start(&self, session: &Session, output: OutputPath) -> Result<ExportWork, ExportError> {
        if !self.is_still(session) && session.timeline_secs() == 0.0 {
            return Err(ExportError::NothingMoves);
        }
        let is_sequence = self.is_sequence(session);
        let output = if is_sequence { output.with_path(with_number(output.path())) } else { output };
        Ok(match self.kind {
            ExportKind::Animation => {
                ExportWork::File(Box::new(FileExport::Animation(self.animation_export(session, output)?)))
            }
            ExportKind::Head => {
                ExportWork::File(Box::new(FileExport::Head(HeadExport::new(session.head.clone(), output))))
            }
            ExportKind::Mesh => {
                let export = self.mesh_export(session, output)?;
                if is_sequence && self.existing != ExistingFiles::Replace {
                    refuse_existing(export.files())?;
                }
                ExportWork::File(Box::new(FileExport::Mesh(export)))
            }
            ExportKind::Pictures => {
                let settings = self.sequence(session);
                if is_sequence && self.existing == ExistingFiles::Stop {
                    let plan = SequencePlan::new(session, &output, &settings)?;
                    refuse_existing(plan.files.into_iter().map(|(_, path)| path))?;
                }
                let work = SequenceWork::start(session, &output, settings)?;
                ExportWork::Drawn(Box::new(DrawnExport::Pictures(work)))
            }
            ExportKind::Film => {
                let work = FilmWork::start(session, &output, self.film(session))?;
                ExportWork::Drawn(Box::new(DrawnExport::Film(work)))
            }
            ExportKind::Sheet => ExportWork::Sheet(self.sheet),
        })
    }

    pub(super) fn animation_export(
        &self,
        session: &Session,
        output: OutputPath,
    ) -> Result<AnimationExport, AnimationError> {
        let keys = if self.is_sampled { AnimationKeys::Sampled } else { AnimationKeys::Within(self.tolerance) };
        let settings = AnimationSettings { format: self.animation, keys, with_head: self.with_head };
        AnimationExport::new(self.clips(session), settings, output)
    }

    pub(super) fn mesh_export(&self, session: &Session, output: OutputPath) -> Result<MeshExport, MeshError> {
        MeshExport::new(session, self.baked(session), output)
    }

    /// The clips of an animation: every take, or what plays.
    fn clips(&self, session: &Session) -> Vec<AnimationClip> {
        let takes: Vec<TakeId> = session.edits.takes.iter().map(|entry| entry.id).collect();
        if self.all_takes && self.animation.can_hold_clips() && !takes.is_empty() {
            let Ok(clips) =
                AnimationClip::of_takes(session, &takes, |session| Ok::<_, Infallible>(self.span(session)));
            return clips;
        }
        vec![AnimationClip::of_session(session, self.span(session))]
    }
}

fn refuse_existing(mut files: impl Iterator<Item = PathBuf>) -> Result<(), ExportError> {
    files.find(|path| path.exists()).map_or(Ok(()), |path| Err(ExportError::Exists { path }))
}
