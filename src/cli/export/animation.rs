//! `smirk export animation`: writes what plays as weights over time.

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::span::SpanArgs;
use crate::cli::input::{Opened, open_session};
use crate::cli::motion::MotionArgs;
use crate::cli::progress_line::ProgressLine;
use crate::export::{OutputPath, Performance};

/// Arguments of `smirk export animation`.
#[derive(Debug, Args)]
pub struct AnimationArgs {
    /// Head or project that plays; without it, the bundled head
    file: Option<PathBuf>,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What plays.
    #[command(flatten)]
    motion: MotionArgs,
    /// Which frames are written.
    #[command(flatten)]
    span: SpanArgs,
}

/// Writes the animation.
pub(super) fn run(args: &AnimationArgs) -> anyhow::Result<()> {
    let output =
        OutputPath::new(&args.output).or_stream().protecting(args.file.iter().chain(args.motion.file()).cloned());
    output.check()?;
    let Opened { mut session, files } = open_session(args.file.as_ref())?;
    let output = output.protecting(files);
    output.check()?;
    args.motion.apply(&mut session)?;
    if session.timeline_secs() == 0.0 && !args.span.names_frames() {
        bail!("nothing is animated: give --take FILE or --clip N|NAME, or the frames to write with --frames A-B");
    }
    let span = args.span.of(&session)?;
    let (progress, total) = (ProgressLine::new(), span.count());
    let performance = Performance::evaluate(&session, span, &mut |done| {
        progress.show(&format!("frame {done} of {total}"));
        ControlFlow::Continue(())
    })?;
    let mut text = format!("time,{}\n", performance.channels.join(","));
    for index in 0..performance.frame_count() {
        let weights = performance.frame(index).iter().map(|weight| format!(",{weight}"));
        text += &format!("{}{}\n", performance.secs_of(index), weights.collect::<String>());
    }
    output.write(text.as_bytes())?;
    progress.end(&format!("{}: {total} frames", args.output.display()));
    Ok(())
}
