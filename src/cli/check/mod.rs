//! `smirk check`: what is wrong with heads, as an exit code for a build.

mod combinations;
mod report;
mod sarif;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::exit::CHECK_FAILED;
use super::input::open_head;
use super::text::{self, channel_names};
use super::values::optional_output;
use report::{CheckedFile, Problem};
use smirk_analysis::lint::{Rule, Settings, Severity, lint};
use smirk_base::file_kind::Content;
use smirk_base::progress::Progress;
use smirk_base::{file_kind, logging};
use smirk_editor::document::Project;
use smirk_export::OutputPath;
use smirk_face::head::{Head, Level};
use smirk_files::import;

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Heads to check; without one, the bundled head
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File of rules for all heads, instead of smirk-check.toml in the folder of each
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Also look for combinations of shapes whose surfaces go through each other, which takes some seconds a head
    #[arg(long)]
    combinations: bool,
    /// Also fail because of review notes that are open; then a FILE may be a project
    #[arg(long)]
    open_notes: bool,
    /// Draw the worst combinations of one head side by side on this PNG or PDF
    #[arg(short, long, value_name = "PNG|PDF", requires = "combinations")]
    output: Option<PathBuf>,
    /// Fail also because of warnings
    #[arg(long, value_name = "warnings")]
    deny: Option<Denied>,
    /// Write JSON instead of lines
    #[arg(long, conflicts_with = "sarif")]
    json: bool,
    /// Write SARIF 2.1.0, the format that code hosts show beside a change
    #[arg(long)]
    sarif: bool,
}

/// What fails a check besides errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Denied {
    Warnings,
}

/// Checks the heads and writes what was found to standard output.
pub(super) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let given = args.rules.as_deref().map(Settings::read).transpose()?;
    let files: Vec<Option<&PathBuf>> =
        if args.files.is_empty() { vec![None] } else { args.files.iter().map(Some).collect() };
    if args.output.is_some() && files.len() > 1 {
        usage!("--output draws the combinations of one head; {} are given", files.len());
    }
    let output = optional_output(args.output.as_ref(), &[&file_kind::PNG, &file_kind::PDF])?;
    let (tries_combinations, counts_notes) = (args.combinations, args.open_notes);
    let check = Check { given, tries_combinations, counts_notes, output };
    let checked: Vec<CheckedFile> = files.into_iter().map(|file| check.file(file)).collect();
    for problem in checked.iter().filter_map(|file| file.error.as_ref()) {
        logging::print(problem);
    }
    match (args.json, args.sarif) {
        (true, _) => text::print_json(&report::json(&checked))?,
        (false, true) => text::print_json(&sarif::log(&checked))?,
        (false, false) => text::print(&report::lines(&checked))?,
    }
    let least = if args.deny == Some(Denied::Warnings) { Severity::Warning } else { Severity::Error };
    Ok(if checked.iter().any(|file| file.error.is_some()) {
        ExitCode::FAILURE
    } else if checked.iter().flat_map(|file| &file.problems).any(|problem| problem.level >= least) {
        ExitCode::from(CHECK_FAILED)
    } else {
        ExitCode::SUCCESS
    })
}

struct Check {
    /// The rules for all heads; without them, those beside each.
    given: Option<Settings>,
    tries_combinations: bool,
    /// Whether projects are checked too, with their notes.
    counts_notes: bool,
    output: Option<OutputPath>,
}

impl Check {
    fn file(&self, file: Option<&PathBuf>) -> CheckedFile {
        let (error, problems) = match self.problems(file) {
            Ok(problems) => (None, problems),
            Err(error) => (Some(format!("{error:#}")), Vec::new()),
        };
        CheckedFile { path: file.cloned(), error, problems }
    }

    /// Opens a head and applies the rules.
    fn problems(&self, file: Option<&PathBuf>) -> anyhow::Result<Vec<Problem>> {
        let beside = match (&self.given, file) {
            (None, Some(file)) => Settings::beside(file)?,
            _ => Settings::default(),
        };
        let settings = self.given.as_ref().unwrap_or(&beside);
        let project = file.filter(|file| self.counts_notes && import::content_of(file) == Content::Project);
        let project = project.map(|file| Project::read(file)).transpose()?;
        let head = Arc::new(match &project {
            Some(project) => project.open_head(Progress::NONE)?.0,
            None => open_head(file)?,
        });
        self.output.iter().try_for_each(OutputPath::check)?;
        let mut problems = problems_of(&head, settings);
        if let Some(project) = project.filter(|_| settings.is_on(Rule::OpenNote)) {
            problems.extend(open_notes(&project, settings));
        }
        if self.tries_combinations && settings.is_on(Rule::Combination) {
            let judged = combinations::judged(&head, settings);
            problems.extend(combinations::problems_of(&head, settings, &judged));
            if let Some(output) = &self.output {
                combinations::draw(&head, &judged, output)?;
            }
        }
        Ok(problems)
    }
}

/// The review notes of a project that are not done.
fn open_notes(project: &Project, settings: &Settings) -> Vec<Problem> {
    let notes = project.edits.notes.iter().filter(|note| note.is_open());
    let problems = notes.map(|note| Problem {
        rule: Rule::OpenNote,
        level: settings.severity(Rule::OpenNote),
        object: format!("note {} of {}", note.number, note.author),
        channels: note.pinned_to.channels.clone(),
        message: note.title().to_owned(),
    });
    problems.collect()
}

/// What is wrong with a head: first what was said when it was opened, then what the lint finds.
fn problems_of(head: &Head, settings: &Settings) -> Vec<Problem> {
    let mut problems = Vec::new();
    for note in &head.notes {
        let object = note.subject.to_string();
        if note.level == Level::Warning && settings.is_on(Rule::Import) && !settings.allows(Rule::Import, &object) {
            let (rule, message) = (Rule::Import, note.message.clone());
            problems.push(Problem { rule, level: settings.severity(rule), object, channels: Vec::new(), message });
        }
    }
    for finding in lint(head, settings).into_iter().filter(|finding| finding.is_fault()) {
        problems.push(Problem {
            rule: finding.rule,
            level: settings.severity(finding.rule),
            object: finding.object(head),
            channels: channel_names(head, &finding.channels),
            message: finding.message,
        });
    }
    problems
}
