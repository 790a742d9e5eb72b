//! `smirk mend`: repairs the shapes of a head, by a list of mends or as far as it is safe.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::input::{Opened, open_session};
use super::text::{self, ProgressLine, counted};
use super::values::{ExpressionArgs, head_output, optional_output};
use smirk_analysis::lint::{Finding, Settings, lint};
use smirk_analysis::mend::{Change, Mend, Mends, apply, safe_mends};
use smirk_base::atomic_file::OutputPath;
use smirk_base::file_kind;
use smirk_base::names::{printable_message, printable_path};
use smirk_base::progress::Progress;
use smirk_export::{HeadExport, bytes_in_words};
use smirk_face::head::Head;

#[derive(Debug, Args)]
pub struct MendArgs {
    /// Head or project whose head is mended
    head: PathBuf,
    /// File of mends, which are done in its order
    #[arg(long, value_name = "TOML", required_unless_present = "all_safe")]
    rules: Option<PathBuf>,
    /// Also do what cannot change what is seen: remove noise, empty shapes and exact duplicates
    #[arg(long)]
    all_safe: bool,
    /// GLB or VRM file to write; without it, only what would change is said
    #[arg(short, long, value_name = "GLB|VRM")]
    output: Option<PathBuf>,
    #[command(flatten)]
    expressions: ExpressionArgs,
    /// Write the mends that are done to a file of mends
    #[arg(long, value_name = "TOML")]
    save_rules: Option<PathBuf>,
    /// Write JSON instead of lines
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    output: Option<PathBuf>,
    bytes: Option<u64>,
    mends: Vec<DoneMend>,
    /// What a check finds in the shapes before and after.
    findings: [Vec<FoundProblem>; 2],
}

#[derive(Serialize)]
struct DoneMend {
    #[serde(flatten)]
    mend: Mend,
    /// None for one that is switched off.
    change: Option<Change>,
}

#[derive(Serialize)]
struct FoundProblem {
    rule: &'static str,
    object: String,
    message: String,
}

pub(super) fn run(args: &MendArgs) -> anyhow::Result<()> {
    let output = args.output.as_deref().map(head_output).transpose()?;
    let saved_rules = optional_output(args.save_rules.as_ref(), &[&file_kind::MENDS])?;
    let mut mends = args.rules.as_deref().map(Mends::read).transpose()?.unwrap_or_default();
    let Opened { session, .. } = open_session(Some(&args.head))?;
    [&output, &saved_rules].into_iter().flatten().try_for_each(OutputPath::check)?;
    // The mends of a project come before those of the list.
    let (head, settings) = (session.head.clone(), Settings::beside(&args.head)?);
    let line = ProgressLine::new();
    line.show("checking the shapes");
    let before = lint(&head, &settings);
    let found_before = problems(&head, &before);
    let mut mended = apply(&head, &mends.list);
    if args.all_safe {
        line.show("mending what is safe");
        // What the rules have mended needs nothing more.
        let now = mended.head.as_ref().unwrap_or(&head);
        let left = if mended.head.is_some() { lint(now, &settings) } else { before };
        let safe = safe_mends(now, &left);
        let rest = apply(now, &safe);
        mends.list.extend(safe);
        mended.changes.extend(rest.changes);
        mended.head = rest.head.or(mended.head);
    }
    let after = match &mended.head {
        Some(mended) => problems(mended, &lint(mended, &settings)),
        None => problems(&head, &lint(&head, &settings)),
    };
    let head = mended.head.map_or(head, Into::into);
    let bytes = match &output {
        None => None,
        Some(output) => {
            let export = HeadExport::new(args.expressions.written(head), output.clone());
            let bytes = export.run(Progress::new(&|stage, _| line.show_stage(stage)))?.bytes;
            export.left_out().iter().for_each(|left_out| log::warn!("{left_out}"));
            Some(bytes)
        }
    };
    line.clear();
    if let Some(saved) = &saved_rules {
        saved.write(mends.to_toml().as_bytes())?;
    }
    if [&output, &saved_rules].into_iter().flatten().any(|output| output.is_standard_output()) {
        // The file is there, and a report after it would damage it.
        return Ok(());
    }
    let done = mends.list.into_iter().zip(mended.changes);
    let mends = done.map(|(mend, change)| DoneMend { mend, change }).collect();
    let report = Report { output: args.output.clone(), bytes, mends, findings: [found_before, after] };
    if args.json { text::print_json(&report) } else { text::print(&lines(&report)) }
}

fn problems(head: &Head, findings: &[Finding]) -> Vec<FoundProblem> {
    let faults = findings.iter().filter(|finding| finding.is_fault());
    let problems = faults.map(|finding| FoundProblem {
        rule: finding.rule.keyword(),
        object: finding.object(head),
        message: finding.message.clone(),
    });
    problems.collect()
}

fn lines(report: &Report) -> String {
    let mut lines = Vec::new();
    for (number, DoneMend { mend, change }) in (1..).zip(&report.mends) {
        let words = change.as_ref().map_or_else(|| "switched off".into(), Change::in_words);
        lines.push(format!("{number}. {}: {words}", mend.kind.label()));
        let refusals = change.iter().flat_map(Change::refusals);
        lines.extend(refusals.map(|refusal| format!("   {}", printable_message(&refusal))));
    }
    if report.mends.is_empty() {
        lines.push("there is nothing to mend".into());
    }
    let [before, after] = report.findings.each_ref().map(Vec::len);
    let found = format!("{} before, {after} after", counted(before, "finding"));
    lines.push(match (&report.output, report.bytes) {
        (Some(output), Some(bytes)) => format!("{}: {}; {found}", printable_path(output), bytes_in_words(bytes)),
        _ => found,
    });
    lines.join("\n")
}
