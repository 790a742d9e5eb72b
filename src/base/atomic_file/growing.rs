//! A file that grows while it is made, such as a film, and is put in place when it is whole.

use std::fmt::Display;
use std::fs::Metadata;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::destination::Destination;
use super::error::{Problem, WriteError};
use super::output_path::{OutputPath, empty};
use super::replace::replace;
use super::temporary::Temporary;

/// A temporary file beside its final place. Dropped before [`Self::finish`], it is deleted, and what was in its place
/// is unchanged.
#[derive(Debug)]
pub struct GrowingFile {
    temporary: Temporary,
    /// The place of the final file, with links followed.
    path: PathBuf,
    existing: Option<Metadata>,
    output: OutputPath,
}

impl OutputPath {
    /// Begins a file that is written bit by bit. What is there stays until the new file is whole.
    pub fn begin(&self) -> Result<GrowingFile, WriteError> {
        let begun = self.destination().and_then(|destination| match destination {
            Destination::File { path, existing } => Ok((empty(&path, existing.as_ref())?, path, existing)),
            Destination::InPlace(_) => Err(Problem::is_no_file()),
        });
        let (temporary, path, existing) = begun.map_err(|problem| self.error(problem))?;
        Ok(GrowingFile { temporary, path, existing, output: self.clone() })
    }
}

impl GrowingFile {
    /// The path of the temporary file, for a program that writes it.
    pub fn temporary_path(&self) -> &Path {
        self.temporary.path()
    }

    pub fn append(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.temporary.file.write_all(bytes).map_err(|error| self.error(error.into()))
    }

    pub fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<(), WriteError> {
        let file = &mut self.temporary.file;
        let patched = file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(bytes));
        patched.and_then(|()| file.seek(SeekFrom::End(0))).map(drop).map_err(|error| self.error(error.into()))
    }

    /// Puts the file in its place, unless an input is there: some inputs are opened only while the file grows.
    pub fn finish(self) -> Result<(), WriteError> {
        let Self { temporary, path, existing, output } = self;
        output.check_place()?;
        replace(temporary, &path, existing.as_ref()).map_err(|problem| output.error(problem))
    }

    /// The error of a content that cannot be written; `problem` says why and what to do.
    pub fn error_of(&self, problem: impl Display) -> WriteError {
        WriteError::of_content(self.output.path(), problem)
    }

    fn error(&self, problem: Problem) -> WriteError {
        self.output.error(problem)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_there_when_it_is_whole_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.gif");
        let count = || fs::read_dir(folder.path()).unwrap().count();
        let mut file = OutputPath::new(&path).begin().unwrap();
        file.append(b"abcdef").unwrap();
        assert!(!path.exists() && count() == 1);
        drop(file);
        assert_eq!(count(), 0, "the temporary file stays");
        fs::write(&path, b"old").unwrap();
        let mut file = OutputPath::new(&path).begin().unwrap();
        file.append(b"abcdef").unwrap();
        file.patch(1, b"XY").unwrap();
        file.append(b"g").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.finish().unwrap();
        assert_eq!((fs::read(&path).unwrap(), count()), (b"aXYdefg".to_vec(), 1));
        assert!(OutputPath::new(&path).protecting([path.clone()]).begin().is_err(), "an input");
    }
}
