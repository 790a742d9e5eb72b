//! The command line: what can be asked for, and one file per command that needs no window.

pub mod inspect;
pub mod render;

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};

use crate::head::Head;
use crate::import;

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
    /// Head to open (.glb, .gltf, .vrm); without it, the head inside the program
    pub file: Option<PathBuf>,
    /// Write a picture of the whole window to this PNG, then exit
    #[arg(long, value_name = "PNG")]
    pub screenshot: Option<PathBuf>,
    /// Seconds to wait, once the head is on screen, before the screenshot
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, requires = "screenshot", value_parser = seconds)]
    pub after: f32,
}

/// What needs no window.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Draw a head into a PNG, with the renderer of the window
    Render(render::RenderArgs),
    /// Say what a file holds: meshes, targets, channels, pairs, clips, and what was converted or repaired
    Inspect(inspect::InspectArgs),
}

/// Opens a head file, or the head inside the program when none is named.
pub fn open_head(file: Option<&PathBuf>) -> anyhow::Result<Head> {
    match file {
        Some(file) => Ok(import::open(file)?),
        None => import::embedded().context("the head inside the program"),
    }
}

/// A finite time of at least zero.
fn seconds(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(secs) if secs.is_finite() && secs >= 0.0 => Ok(secs),
        _ => Err("a number of seconds, 0 or more".into()),
    }
}
