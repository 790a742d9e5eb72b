//! Opens the file argument of a command as a head or as a session.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use smirk_base::file_kind::Content;
use smirk_base::names::printable_path;
use smirk_base::progress::Progress;
use smirk_base::watch::before_reading;
use smirk_editor::document::Project;
use smirk_face::head::{Axis, ChosenAxes, Head};
use smirk_face::motion::{Take, TakeMap};
use smirk_files::import::{self, ImportError};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

/// Opens a head file, or the bundled head if no file is given. The error for another kind of file names that kind.
pub(super) fn open_head(file: Option<&PathBuf>) -> anyhow::Result<Head> {
    let Some(file) = file else { return Ok(import::embedded()?) };
    let content = import::content_of(file);
    // The content is often told by the file name alone; a file that does not exist is reported as missing.
    if content != Content::Head {
        std::fs::metadata(file).with_context(|| printable_path(file))?;
    }
    // What is wrong with the file comes first: a table may be one of anything.
    match content {
        Content::Head => return named(file, import::open(file)),
        Content::Takes => drop(open_takes(file)?),
        Content::Poses => drop(named(file, import::open_poses(file))?),
        Content::Mapping => drop(open_mapping(file)?),
        Content::Markers => drop(named(file, import::open_markers(file))?),
        _ => {}
    }
    let words = content.words();
    bail!("{}: is {}, not a head; {}", printable_path(file), words.noun, words.advice)
}

pub(super) fn open_takes(file: &Path) -> anyhow::Result<Vec<Take>> {
    named(file, import::open_takes(file))
}

/// Opens a mapping.
pub(super) fn open_mapping(file: &Path) -> anyhow::Result<TakeMap> {
    named(file, import::open_mapping(file))
}

/// The same with an error that names the file with its folder, as the command line does: several may have one name.
fn named<T>(file: &Path, read: Result<T, ImportError>) -> anyhow::Result<T> {
    read.map_err(|error| match error {
        ImportError::File { fault, .. } => anyhow!("{}: {fault}", printable_path(file)),
        error => error.into(),
    })
}

#[derive(Debug, Args)]
pub(super) struct AxesArgs {
    /// Which axis of the head's file is up [default: as the project says, else as found]
    #[arg(long, value_name = "+x|+y|+z|-x|-y|-z", allow_hyphen_values = true)]
    up: Option<Axis>,
    /// Which axis of the head's file the face looks along [default: as the project says, else as found]
    #[arg(long, value_name = "+x|+y|+z|-x|-y|-z", allow_hyphen_values = true)]
    front: Option<Axis>,
}

impl AxesArgs {
    /// Turns the head of a session.
    pub(super) fn apply(&self, session: &mut Session) -> anyhow::Result<()> {
        let asked = ChosenAxes { up: self.up, front: self.front };
        if asked != asked.within_reason() {
            usage!("--up and --front are one axis: a face looks across what is up");
        }
        let of_project = session.edits.axes;
        let up = asked.up.or_else(|| of_project.up.filter(|up| asked.front.is_none_or(|front| front.is_across(*up))));
        let axes = ChosenAxes { up, front: asked.front.or(of_project.front) }.within_reason();
        let standing = session.head.standing_as(axes);
        session.edits.axes = axes;
        if standing != session.head.rig.stands {
            session.reload(Arc::new(session.head.turned_to(standing)));
        }
        Ok(())
    }
}

pub(super) struct Opened {
    pub session: Session,
    pub files: Vec<PathBuf>,
}

fn at_rest(head: Head, source: HeadSource) -> Session {
    let mut session = Session::new(Arc::new(head), source, Look::default(), BlendMode::Cpu);
    session.clips_mut().select(None);
    session
}

/// Opens a head at rest, or a project as it was saved. Its timeline is paused at the start.
pub(super) fn open_session(file: Option<&PathBuf>) -> anyhow::Result<Opened> {
    let mut files: Vec<PathBuf> = file.into_iter().cloned().collect();
    let mut session = match file {
        Some(file) if import::content_of(file) == Content::Project => {
            let project = Project::read(file)?;
            project.files().iter().for_each(|file| before_reading(file));
            let (head, missing_shapes) = project.open_head(Progress::NONE)?;
            let mut session = at_rest(head, project.head.source());
            let takes = project.read_takes(&session.head);
            let notes = project.apply(&mut session, &takes);
            session.mend();
            for note in missing_shapes.into_iter().chain(notes) {
                log::warn!("{note}");
            }
            files.extend(project.files());
            session
        }
        Some(file) => at_rest(open_head(Some(file))?, HeadSource::File(file.clone())),
        None => at_rest(open_head(None)?, HeadSource::Embedded),
    };
    session.clock.timeline.playing = false;
    session.seek(0.0);
    files.extend(session.head.side_files.iter().cloned());
    if let HeadSource::File(path) = &session.source {
        // They may be written later.
        files.extend(import::files_beside(path));
    }
    Ok(Opened { session, files })
}
