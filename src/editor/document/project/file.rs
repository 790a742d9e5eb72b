//! Reading and writing project files.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;
use thiserror::Error;

use super::format::{HeadRef, Project};
use crate::document::on_disk::{Fingerprint, Found};
use smirk_base::atomic_file::{self, OutputPath, WriteError, backup_path};
use smirk_base::json::{JsonError, LostValue, LostValues, Text};
use smirk_base::regular_file::{self, folder_of};
use smirk_face::head::{Note, Subject};
use smirk_session::FileRef;

/// A larger file is not a project.
const MAX_FILE_BYTES: u64 = 1 << 28;

/// What tells a project from other files, and its version from others.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Header {
    smirk: Option<String>,
    version: Option<u64>,
    head: Option<IgnoredAny>,
    sliders: Option<IgnoredAny>,
}

impl Header {
    /// The version of the format, if it is later than [`Project::VERSION`].
    fn later_version(&self) -> Option<u64> {
        self.version.filter(|&found| found > u64::from(Project::VERSION))
    }

    /// Whether it is a project, even if what says so is damaged.
    fn is_project(&self) -> bool {
        match &self.smirk {
            Some(kind) => kind == Project::KIND,
            None => self.head.is_some() && self.sliders.is_some(),
        }
    }
}

impl Project {
    /// Reads a project file, and finds the files it names where they are now.
    pub fn read(path: &Path) -> Result<Self, ProjectError> {
        Self::read_known(path).map(|(project, _)| project)
    }

    /// Reads a project file. The second value is the content that was read.
    pub(super) fn read_known(path: &Path) -> Result<(Self, Fingerprint), ProjectError> {
        let bytes = regular_file::read(path, MAX_FILE_BYTES)
            .map_err(|source| ProjectError::Unreadable { file: path.to_owned(), source })?;
        let mut project = Self::from_bytes(&bytes, path)?;
        project.map_files(|file| file.resolved_from(folder_of(path)));
        Ok((project, Fingerprint::of(&bytes)))
    }

    /// Reads the content of a project file. Errors name the file at `path`.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, ProjectError> {
        let file = path.to_owned();
        let broken = |error| match error {
            JsonError::Broken(problem) => ProjectError::Broken { file: path.to_owned(), problem, advice: advice(path) },
            error => ProjectError::Unfit { file: path.to_owned(), problem: error.to_string() },
        };
        let text = Text::of(bytes).map_err(broken)?;
        // The version is read first, since a later format may look damaged to this version.
        let header = text.read::<Header>().map_or_else(|_| Header::default(), |(header, _)| header);
        if !header.is_project() {
            let problem = r#"it does not say "smirk": "project""#.into();
            return Err(ProjectError::Unfit { file, problem });
        }
        if let Some(found) = header.later_version() {
            return Err(ProjectError::Newer { file, found, known: Self::VERSION });
        }
        let (mut project, lost) = Self::from_text(&text).map_err(broken)?;
        if !lost.is_empty() {
            let kept = damaged_path(path);
            let kept = kept.file_name().unwrap_or_default().to_string_lossy().into_owned();
            project.notes_on_lost(&lost, &format!("when you save, the file as it was is kept as {kept}"));
        }
        Ok(project)
    }

    /// Stores notes on what could not be read. `fate` says where it still is.
    pub(in crate::document) fn notes_on_lost(&mut self, lost: &LostValues, fate: &str) {
        let note = |value: &LostValue| Note::warning(Subject::field(value.place.clone()), value.message());
        self.lost = lost.listed.iter().map(note).collect();
        let more = match lost.unlisted() {
            0 => String::new(),
            more => format!("{more} more values could not be read; "),
        };
        self.lost.push(Note::warning(Subject::File, format!("{more}{fate}")));
    }

    /// Replaces a project file in one step, and keeps its previous content in a `.bak` file beside it.
    pub fn write(&self, path: &Path) -> Result<(), ProjectError> {
        self.write_over(OutputPath::new(path), |_| true).map(|_| ())
    }

    /// The same, unless `may_replace` says no to what is found there; text that equals the project's own may always be replaced.
    /// The files that the project names are never replaced. Returns what the file holds now.
    pub(in crate::document) fn write_over(
        &self,
        output: OutputPath,
        may_replace: impl Fn(Found) -> bool,
    ) -> Result<Fingerprint, ProjectError> {
        let output = output.protecting(self.files());
        let path = output.path();
        let text = self.to_text(path);
        let text = text.map_err(|error| ProjectError::Unwritable(WriteError::of_content(path, error)))?;
        let content = Fingerprint::of(text.as_bytes());
        let mut refused = None;
        let mut is_kept = false;
        let written = output.write_with_backup(text.as_bytes(), || {
            let found = Found::at(path);
            if may_replace(found) || found == Found::Content(content) {
                if !std::mem::replace(&mut is_kept, true) {
                    keep_damaged(path)?;
                }
                return Ok(());
            }
            refused = Some(found);
            Err(ErrorKind::AlreadyExists.into())
        });
        match (written, refused) {
            (_, Some(found)) => Err(ProjectError::Changed { file: path.to_owned(), found }),
            (written, None) => written.map(|()| content).map_err(ProjectError::Unwritable),
        }
    }

    /// The content of the project file at `path`.
    pub fn to_text(&self, path: &Path) -> serde_json::Result<String> {
        let mut project = self.clone();
        project.map_files(|file| file.relative_to(folder_of(path)));
        serde_json::to_string_pretty(&project)
    }

    /// The files that the project names: its head, shapes, captures, sounds and reference.
    pub fn files(&self) -> Vec<PathBuf> {
        self.clone().file_refs().map(|file| file.to_path_buf()).collect()
    }
}

/// Copies a project file that is about to be replaced if some of it cannot be read, so that no later save loses that. Its backup
/// is replaced by the second save.
fn keep_damaged(path: &Path) -> io::Result<()> {
    let Ok(bytes) = regular_file::read(path, MAX_FILE_BYTES) else { return Ok(()) };
    match Project::from_bytes(&bytes, path) {
        Ok(project) if !project.lost.is_empty() => atomic_file::write(&damaged_path(path), &bytes),
        _ => Ok(()),
    }
}

/// Where a file of which some cannot be read is kept: `face.smirk.damaged.bak`, or the next such name that is free.
fn damaged_path(path: &Path) -> PathBuf {
    let numbered = |number: usize| {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".damaged.bak".into() } else { format!(".damaged-{number}.bak") });
        PathBuf::from(name)
    };
    (1..).map(numbered).find(|path| path.symlink_metadata().is_err()).unwrap_or_else(|| numbered(1))
}

fn advice(path: &Path) -> String {
    let backup: PathBuf = backup_path(path);
    if backup.is_file() {
        format!("Mend it in a text editor, or rename {}, the save before it, and open that", backup.display())
    } else {
        "Mend it in a text editor, or open another copy of it".into()
    }
}

/// Why a project is not read or written: which file, where in it, and what to do.
#[derive(Debug, Error)]
pub enum ProjectError {
    #[error("{}: cannot be read: {source}", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    #[error("{}: is no project: {problem}", file.display())]
    Unfit { file: PathBuf, problem: String },
    #[error("{}: {problem}. {advice}", file.display())]
    Broken {
        file: PathBuf,
        /// What is wrong, with line and column.
        problem: String,
        advice: String,
    },
    #[error(
        "{}: is a project of version {found}; this Smirk reads up to version {known}. Open it with a newer Smirk",
        file.display()
    )]
    Newer { file: PathBuf, found: u64, known: u32 },
    #[error("{}: is not replaced, since another window or program has changed it", file.display())]
    Changed { file: PathBuf, found: Found },
    #[error("{0}. What was there is unchanged")]
    Unwritable(WriteError),
}

/// A project that was read, while its head is loaded or has to be located.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingProject {
    /// The project.
    pub project: Project,
    /// The file it is saved in, if it ever was.
    pub file: Option<PathBuf>,
    /// What that file held when the project was read from it or saved in it last, if that is known.
    pub known: Option<Fingerprint>,
    /// For unsaved work: the recovery file that holds it.
    pub recovery_file: Option<PathBuf>,
    /// Whether the project differs from what the file holds.
    pub is_changed: bool,
}

impl PendingProject {
    /// Reads a project file.
    pub fn read(path: &Path) -> Result<Self, ProjectError> {
        let file = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let (project, known) = Project::read_known(path)?;
        Ok(Self { project, file: Some(file), known: Some(known), recovery_file: None, is_changed: false })
    }

    /// The name of its file, else of its head's.
    pub fn name(&self) -> String {
        match &self.file {
            Some(file) => file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned(),
            None => self.project.head.source().name(),
        }
    }

    /// The same project with its head in another file.
    pub fn with_head(mut self, path: &Path) -> Self {
        self.project.head = HeadRef::File(FileRef::new(path).absolute());
        self.is_changed = true;
        self
    }
}
