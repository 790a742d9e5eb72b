//! `smirk notes`: writes the review notes of a project, or merges those of others into it.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;

use super::values::one_of;
use smirk_base::file_kind::{self, Content};
use smirk_base::logging;
use smirk_base::names::printable_path;
use smirk_editor::document::Project;
use smirk_export::{NotesFormat, OutputPath, notes_text, read_notes};
use smirk_files::import;
use smirk_session::MergedNotes;

#[derive(Debug, Args)]
pub struct NotesArgs {
    /// The project with the notes
    project: PathBuf,
    /// How they are written; without it, as the name of the output says, else as HTML
    #[arg(long, value_name = "html|md|csv|json", conflicts_with = "merge", value_parser = one_of(NotesFormat::ALL, NotesFormat::keyword))]
    format: Option<NotesFormat>,
    /// A table of notes (.csv) whose new notes, replies and states are taken over; the output is a project then
    #[arg(long, value_name = "CSV", requires = "output")]
    merge: Vec<PathBuf>,
    /// The file to write; without it, standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &NotesArgs) -> anyhow::Result<()> {
    let file = &args.project;
    let content = import::content_of(file);
    if file.is_file() && content != Content::Project {
        bail!("{}: is {}, and only a project has notes", printable_path(file), content.words().noun);
    }
    let project = Project::read(file)?;
    if !args.merge.is_empty() {
        return merge(args, project);
    }
    let of_name = args.output.as_deref().and_then(NotesFormat::of_path);
    let format = args.format.or(of_name).unwrap_or_default();
    let title = file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy();
    let text = notes_text(&project.edits, &title, format)?;
    match &args.output {
        Some(output) => OutputPath::new(output).or_stream().protecting([file.clone()]).write(text.as_bytes())?,
        None => match std::io::stdout().lock().write_all(text.as_bytes()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => return Err(error.into()),
            _ => {}
        },
    }
    Ok(())
}

/// Merges the tables into the project, and writes that.
fn merge(args: &NotesArgs, mut project: Project) -> anyhow::Result<()> {
    let Some(output) = &args.output else { unreachable!("clap asks for an output") };
    if !file_kind::PROJECT.matches(output) {
        usage!("-o {}: the name must end in .smirk, since a project is written", printable_path(output));
    }
    let inputs = args.merge.iter().chain([&args.project]).cloned();
    OutputPath::new(output).protecting(inputs).check()?;
    let mut changed = MergedNotes::default();
    for table in &args.merge {
        changed += project.edits.merge_notes(read_notes(table)?).with_context(|| printable_path(table).to_string())?;
    }
    project.write(output)?;
    logging::print(&format!("{}: {changed}", printable_path(output)));
    Ok(())
}
