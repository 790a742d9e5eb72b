//! Why a file was not loaded.

use crate::document::ProjectError;
use smirk_files::import::ImportError;
use smirk_picture::render::UploadError;

#[derive(Debug)]
pub(super) enum LoadError {
    Import(ImportError),
    /// Any other reason, in words.
    Other(String),
}

impl LoadError {
    /// In words, under a title that names `title_file`: a message does not repeat the name.
    pub(super) fn message_under(&self, title_file: &str) -> String {
        match self {
            Self::Import(ImportError::File { file, fault }) if file == title_file => fault.to_string(),
            Self::Import(error) => error.to_string(),
            Self::Other(problem) => problem.clone(),
        }
    }
}

impl From<ImportError> for LoadError {
    fn from(error: ImportError) -> Self {
        Self::Import(error)
    }
}

impl From<UploadError> for LoadError {
    fn from(error: UploadError) -> Self {
        Self::Other(error.to_string())
    }
}

impl From<ProjectError> for LoadError {
    fn from(error: ProjectError) -> Self {
        Self::Other(error.to_string())
    }
}
