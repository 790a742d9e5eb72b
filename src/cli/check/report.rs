//! What `smirk check` found, as lines for a terminal and as JSON.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::text::counted;
use smirk_analysis::lint::{Rule, Severity};
use smirk_base::names::{printable, printable_message};

#[derive(Debug)]
pub(super) struct CheckedFile {
    /// None for the bundled head.
    pub path: Option<PathBuf>,
    /// Why it was not checked; then there are no problems.
    pub error: Option<String>,
    pub problems: Vec<Problem>,
}

#[derive(Debug, Serialize)]
pub(super) struct Problem {
    pub rule: Rule,
    pub level: Severity,
    /// What it is about, in words.
    pub object: String,
    /// The channels concerned, the worst first.
    pub channels: Vec<String>,
    pub message: String,
}

fn shown(path: Option<&Path>) -> String {
    path.map_or_else(|| "bundled head".into(), |path| path.display().to_string())
}

/// A line for each problem, as compilers write them, and how many there are.
pub(super) fn lines(checked: &[CheckedFile]) -> String {
    let mut lines = String::new();
    for file in checked {
        let path = shown(file.path.as_deref());
        for Problem { rule, level, object, message, .. } in &file.problems {
            let (path, object, message) = (printable(&path), printable_message(object), printable_message(message));
            lines += &format!("{path}: {}: {}: {object}: {message}\n", level.keyword(), rule.keyword());
        }
    }
    lines + &summary(checked) + "\n"
}

fn summary(checked: &[CheckedFile]) -> String {
    let mut counts = Vec::new();
    for level in [Severity::Error, Severity::Warning, Severity::Note] {
        let problems = checked.iter().flat_map(|file| &file.problems);
        let count = problems.filter(|problem| problem.level == level).count();
        if count > 0 {
            counts.push(counted(count, level.keyword()));
        }
    }
    let found = if counts.is_empty() { "nothing found".to_owned() } else { counts.join(", ") };
    let heads = counted(checked.len(), "head");
    match checked.iter().filter(|file| file.error.is_some()).count() {
        0 => format!("{heads}: {found}"),
        1 if checked.len() == 1 => format!("{heads}: not checked"),
        unread if unread == checked.len() => format!("{heads}: none checked"),
        unread if counts.is_empty() => format!("{heads}, {unread} not checked: {found} in the others"),
        unread => format!("{heads}, {unread} not checked: {found}"),
    }
}

#[derive(Serialize)]
struct Report<'a> {
    files: Vec<ReportedFile<'a>>,
}

#[derive(Serialize)]
struct ReportedFile<'a> {
    file: String,
    error: Option<&'a str>,
    problems: &'a [Problem],
}

/// The report as JSON: `files[{file, error, problems[{rule, level, object, channels[], message}]}]`.
pub(super) fn json(checked: &[CheckedFile]) -> impl Serialize {
    let files = checked.iter().map(|file| ReportedFile {
        file: shown(file.path.as_deref()),
        error: file.error.as_deref(),
        problems: &file.problems,
    });
    Report { files: files.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_compilers_and_end_with_the_counts() {
        let problem = |level| Problem {
            rule: Rule::Crack,
            level,
            object: "smile\u{1b}[2J".into(),
            channels: Vec::new(),
            message: "opens a seam".into(),
        };
        let file = |path: &str, error: Option<&str>, problems| CheckedFile {
            path: Some(path.into()),
            error: error.map(str::to_owned),
            problems,
        };
        let two = vec![problem(Severity::Warning), problem(Severity::Error)];
        let checked = [file("a/ada.glb", None, two), file("b.glb", Some("is no file"), Vec::new())];
        let lines = lines(&checked);
        let lines: Vec<&str> = lines.lines().collect();
        assert!(lines[0].starts_with("a/ada.glb: warning: crack: smile"), "{lines:?}");
        assert!(!lines[0].contains('\u{1b}') && lines[0].ends_with(": opens a seam"), "{lines:?}");
        assert_eq!(lines[2], "2 heads, 1 not checked: 1 error, 1 warning");
        assert_eq!(summary(&[]), "0 heads: nothing found");
        let sound = || file("c.glb", None, Vec::new());
        let unread = || file("d.glb", Some("is no file"), Vec::new());
        assert_eq!(summary(&[sound()]), "1 head: nothing found");
        assert_eq!(summary(&[unread()]), "1 head: not checked");
        assert_eq!(summary(&[unread(), unread()]), "2 heads: none checked");
        assert_eq!(summary(&[sound(), unread()]), "2 heads, 1 not checked: nothing found in the others");
    }
}
