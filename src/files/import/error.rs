//! Why a file does not open. Each error prints as one line: the object, the numbers that disagree, and what to do.

use std::borrow::Cow;

use thiserror::Error;

use smirk_base::names::one_line;
use smirk_base::progress::Cancelled;
use smirk_face::head::Subject;

#[derive(Debug, Error)]
pub enum ImportError {
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error("{file}: {fault}")]
    File { file: String, fault: Fault },
}

impl ImportError {
    pub(super) fn in_file(file: &str, fault: Fault) -> Self {
        match fault {
            Fault::Cancelled(cancelled) => Self::Cancelled(cancelled),
            fault => Self::File { file: file.to_owned(), fault },
        }
    }
}

#[derive(Debug, Error)]
pub enum Fault {
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error("{}", in_words(.0))]
    Unreadable(#[from] std::io::Error),
    /// The file as a whole is not of a kind that can be used: a folder, a device, an empty file …
    #[error("{0}")]
    Unfit(String),
    #[error("it is {feature}, which Smirk does not read yet; {advice}")]
    Unsupported { feature: String, advice: &'static str },
    #[error("{subject}: {problem}")]
    Invalid { subject: Subject, problem: Problem },
    #[error("it holds no mesh to show ({found}); {advice}")]
    NothingToShow { found: String, advice: &'static str },
}

impl Fault {
    pub(super) fn nothing_to_show(found: String) -> Self {
        Self::NothingToShow { found, advice: "export the head as triangle meshes" }
    }

    /// An object that contradicts the format or itself. A problem without advice gets that for damaged files.
    pub(super) fn invalid(subject: impl Into<Subject>, problem: impl Into<Problem>) -> Self {
        let Problem { text, advice } = problem.into();
        let advice = advice.or(Some("the file is damaged or was written wrongly: export it again".into()));
        Self::Invalid { subject: subject.into(), problem: Problem { text, advice } }
    }
}

/// The common errors of the operating system in plain words; all other errors in the words of the system.
fn in_words(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "was not found; it was moved, renamed or deleted".into(),
        std::io::ErrorKind::PermissionDenied => "may not be read: its permissions forbid it; change them".into(),
        _ => format!("cannot be read: {error}"),
    }
}

/// What is wrong with an object, in words that follow its name, and what to do about it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{text}{}", advice.as_deref().map(|advice| format!("; {advice}")).unwrap_or_default())]
pub struct Problem {
    text: String,
    advice: Option<Cow<'static, str>>,
}

impl Problem {
    /// A problem without advice, e.g. `is larger than 8192 × 8192 texels`.
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: one_line(text.into()), advice: None }
    }

    /// The same problem of a part of the object, e.g. `the vertex of corner "7"`.
    pub(super) fn of_part(self, part: &str) -> Self {
        Self { text: one_line(format!("{part} {}", self.text)), advice: self.advice }
    }

    /// The same with what to do, e.g. `re-export it smaller`.
    pub(super) fn advise(mut self, advice: impl Into<Cow<'static, str>>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        Self::new(fault.to_string())
    }
}

impl From<String> for Problem {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&str> for Problem {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}
