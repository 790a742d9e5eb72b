//! The command line: its arguments, and one file for each command that opens no window.

/// Ends a function with [`exit::WrongUsage`] in words.
macro_rules! usage {
    ($($words:tt)*) => {
        return Err($crate::cli::exit::WrongUsage(format!($($words)*)).into())
    };
}

mod bench;
mod check;
mod convert;
mod diff;
mod draw;
pub mod exit;
mod export;
mod input;
pub mod inspect;
mod live;
mod measure;
mod mend;
mod motion;
mod notes;
mod solve;
mod text;
mod transfer;
mod values;
mod voice;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use draw::{render, sheet, thumbnail};
use live::{listen, send};
use smirk_base::file_kind::{self, Content};
pub(crate) use values::check_output;
use values::seconds;

/// Smirk: preview and judge blend shapes on a head.
#[derive(Debug, Parser)]
#[command(name = "smirk", version, about, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// A command that opens no window; without one, the window opens.
    #[command(subcommand)]
    pub command: Option<CliCommand>,
    #[command(flatten)]
    pub viewer: ViewerArgs,
}

#[derive(Clone, Debug, Default, Args)]
pub struct ViewerArgs {
    /// The files to open, one after the other.
    #[arg(value_name = "FILE", help = files_help())]
    pub files: Vec<PathBuf>,
    /// Another version of the head, or recorded frames of it (.pc2, .mdd, .npy, a folder of .obj), to compare it with
    /// once it is open
    #[arg(long, value_name = "HEAD")]
    pub compare: Option<PathBuf>,
    /// Write a picture of the whole window to this PNG, then exit
    #[arg(long, value_name = "PNG")]
    pub screenshot: Option<PathBuf>,
    /// Seconds to wait, once the head is on screen, before the screenshot
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, requires = "screenshot", value_parser = seconds())]
    pub after: f32,
    /// Store deltas as 32-bit floats, as in the file, instead of packing them into half the bits
    #[arg(long)]
    pub exact: bool,
    /// Number of samples of a picture that rests, for soft shadows and smooth edges; with 0, it is drawn as while it
    /// moves. Without it, 64 on a graphics card, and 16 where the processor draws
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=4096))]
    pub samples: Option<u32>,
}

fn files_help() -> String {
    let by_name = Content::ALL.iter().filter(|content| !matches!(content, Content::Frames | Content::Shapes));
    let kinds: Vec<String> = by_name
        .map(|content| format!("{} ({})", content.words().in_list, file_kind::in_words(&content.extensions())))
        .collect();
    format!(
        "What to open, one after the other: {}, meshes over time ({}); without it, the bundled head",
        kinds.join(", "),
        file_kind::in_words(&file_kind::point_caches())
    )
}

/// A command that opens no window.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Draw a head to a PNG, as the window draws it
    Render(render::RenderArgs),
    /// Draw every expression of a head side by side on one PNG, each with its name
    Sheet(sheet::SheetArgs),
    /// Draw the small picture of a head or project that file managers show
    Thumbnail(thumbnail::ThumbnailArgs),
    /// List what a file holds: meshes, targets, channels, pairs, clips, and what was converted or repaired
    Inspect(inspect::InspectArgs),
    /// Look for faults in heads: empty, cracked, asymmetric shapes and more; fails where there are some, for use in a
    /// build
    Check(check::CheckArgs),
    /// Repair the shapes of a head: remove noise, close cracks, mirror, split and more, and save it as .glb
    Mend(mend::MendArgs),
    /// Join a neutral head and its shapes, one file each, into one .glb with morph targets
    Convert(convert::ConvertArgs),
    /// Write what plays, pictures of it or meshes as files that other programs open
    #[command(subcommand)]
    Export(export::ExportCommand),
    /// Write the review notes of a project as HTML, Markdown, CSV or JSON, or merge those of others into it
    Notes(notes::NotesArgs),
    /// Find the weights that show a face of which the vertices are known: a take from a point cache, a pose from a mesh
    Solve(solve::SolveArgs),
    /// Say how far two recordings of one face are apart: vertices, lips, upper face, closures, jitter
    Measure(measure::MeasureArgs),
    /// Carry the shapes of one head over to another that lacks them
    Transfer(transfer::TransferArgs),
    /// Say what face-capture apps send to this machine, and record it
    Listen(listen::ListenArgs),
    /// Play a take, a clip or a project in real time, as packets of a face-capture app
    Send(send::SendArgs),
    /// List what has changed between two versions of a head
    Diff(diff::DiffArgs),
    /// Measure the time of blending on this machine, in every mode and for several numbers of active channels
    Bench(bench::BenchArgs),
}

impl CliCommand {
    /// Runs the command. The exit code, unless there is an error.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Check(args) => return check::run(args),
            Self::Render(args) => render::run(args),
            Self::Sheet(args) => sheet::run(args),
            Self::Thumbnail(args) => thumbnail::run(args),
            Self::Inspect(args) => inspect::run(args),
            Self::Mend(args) => mend::run(args),
            Self::Convert(args) => convert::run(args),
            Self::Export(command) => command.run(),
            Self::Notes(args) => notes::run(args),
            Self::Solve(args) => solve::run(args),
            Self::Measure(args) => measure::run(args),
            Self::Transfer(args) => transfer::run(args),
            Self::Listen(args) => listen::run(args),
            Self::Send(args) => send::run(args),
            Self::Diff(args) => diff::run(args),
            Self::Bench(args) => bench::run(args),
        }?;
        Ok(ExitCode::SUCCESS)
    }
}
