//! The command line: what can be asked for, and one file per command that needs no window.

pub mod bench;
pub mod convert;
pub mod inspect;
mod lines;
pub mod mix;
mod mode;
mod pick;
pub mod render;
pub mod sheet;
mod view;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Args, Parser, Subcommand};

use crate::blend::BlendMode;
use crate::document::Project;
use crate::file_kind::{self, Content};
use crate::head::Head;
use crate::import;
use crate::scene::Look;
use crate::session::{Session, Source};

/// Smirk: preview and judge blend shapes on a head.
#[derive(Debug, Parser)]
#[command(name = "smirk", version, about, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to do without a window; with none, the viewer opens.
    #[command(subcommand)]
    pub command: Option<CliCommand>,
    /// The viewer's arguments.
    #[command(flatten)]
    pub viewer: ViewerArgs,
}

/// The viewer's arguments.
#[derive(Clone, Debug, Default, Args)]
pub struct ViewerArgs {
    /// The files to open, one after the other.
    #[arg(value_name = "FILE", help = files_help())]
    pub files: Vec<PathBuf>,
    /// Write a picture of the whole window to this PNG, then exit
    #[arg(long, value_name = "PNG")]
    pub screenshot: Option<PathBuf>,
    /// Seconds to wait, once the head is on screen, before the screenshot
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, requires = "screenshot", value_parser = seconds)]
    pub after: f32,
    /// Keep deltas as the file's 32-bit floats instead of packing them into half the bits
    #[arg(long)]
    pub exact: bool,
}

fn files_help() -> String {
    let of = |content: Content| file_kind::in_words(&file_kind::extensions(|kind| kind.opens(content)));
    format!(
        "What to open, one after the other: a head ({}), a project ({}), captures ({}), poses ({}); without it, the head \
         inside the program",
        of(Content::Head),
        of(Content::Project),
        of(Content::Takes),
        of(Content::Poses)
    )
}

/// What needs no window.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Draw a head into a PNG, with the renderer of the window
    Render(render::RenderArgs),
    /// Draw every expression of a head, named, side by side on one PNG
    Sheet(sheet::SheetArgs),
    /// Say what a file holds: meshes, targets, channels, pairs, clips, and what was converted or repaired
    Inspect(inspect::InspectArgs),
    /// Join a head at rest and its shapes, one file each, into one .glb with morph targets
    Convert(convert::ConvertArgs),
    /// Measure what blending costs here: every mode, against the number of active channels
    Bench(bench::BenchArgs),
}

/// Opens a head file, or the head inside the program when none is named. What is something else is told by its name.
pub fn open_head(file: Option<&PathBuf>) -> anyhow::Result<Head> {
    let Some(file) = file else { return Ok(import::embedded()?) };
    let (is, advice) = match import::content_of(file) {
        Content::Head => return Ok(import::open(file)?),
        Content::Project => ("a project", "`smirk FILE` opens it, `smirk render FILE` and `smirk sheet FILE` draw it"),
        Content::Takes => {
            ("a capture", "`smirk HEAD FILE` opens it on a head, `smirk render HEAD --take FILE` draws it")
        }
        Content::Poses => ("a file of poses", "`smirk HEAD FILE` opens it on a head"),
    };
    // A missing file is missing, whatever its name says.
    std::fs::metadata(file).with_context(|| file.display().to_string())?;
    bail!("{}: is {is}, not a head; {advice}", file.display())
}

/// Opens a head at rest, or a project as it was saved, standing still at the start of its timeline.
pub fn open_session(file: Option<&PathBuf>) -> anyhow::Result<Session> {
    let at_rest = |head: Head, source: Source| {
        let mut session = Session::new(Arc::new(head), source, Look::default(), BlendMode::Cpu);
        session.select_clip(None);
        session
    };
    let mut session = match file {
        Some(file) if import::content_of(file) == Content::Project => {
            let project = Project::read(file)?;
            let (head, lost_shapes) = project.open_head(&|_, _| ControlFlow::Continue(()))?;
            let mut session = at_rest(head, project.head.source());
            let (_, notes) = project.apply(&mut session, &project.read_takes());
            for note in lost_shapes.into_iter().chain(notes) {
                log::warn!("{note}");
            }
            session
        }
        Some(file) => at_rest(open_head(Some(file))?, Source::File(file.clone())),
        None => at_rest(open_head(None)?, Source::Embedded),
    };
    session.clock.timeline.playing = false;
    session.seek(0.0);
    Ok(session)
}

/// Writes to standard output. A reader that has seen enough (`smirk inspect | head`) is no error.
fn print(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// A finite time of at least zero.
fn seconds(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(secs) if secs.is_finite() && secs >= 0.0 => Ok(secs),
        _ => Err("a number of seconds, 0 or more".into()),
    }
}
