//! `smirk sheet`: every expression of a head, every pose, or moments of a take on one picture, side by side.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use clap::Args;

use super::mix::MotionArgs;
use crate::blend::{Layout, Precision};
use crate::export::{SheetContent, SheetSettings, SheetWork, check_place, save_png};
use crate::gpu::{Gpu, Prefer};
use crate::render::{HeadNotUploaded, HeadOnGpu, Renderer};
use crate::scene::View;

/// Arguments of `smirk sheet`.
#[derive(Debug, Args)]
pub struct SheetArgs {
    /// Head or project to draw; without it, the head inside the program
    file: Option<PathBuf>,
    /// Where the sheet goes
    #[arg(short, long, value_name = "PNG")]
    output: PathBuf,
    /// Poses instead of expressions
    #[arg(long, conflicts_with_all = ["clip", "take", "frames", "weight"])]
    poses: bool,
    /// Moments of the clip or take instead of expressions, evenly from its start to its end
    #[command(flatten)]
    motion: MotionArgs,
    /// How many of them; 24 if nothing is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=2000))]
    frames: Option<u16>,
    /// Pictures side by side; without it, as many as make a sheet about as wide as a screen
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    columns: Option<u16>,
    /// Pixels across a picture, which is a quarter higher than wide
    #[arg(long, value_name = "PIXELS", default_value_t = 240, value_parser = clap::value_parser!(u32).range(48..=4096))]
    cell: u32,
    /// The weight every expression is shown at, alone
    #[arg(long, value_name = "WEIGHT", default_value_t = 1.0, value_parser = weight, allow_hyphen_values = true)]
    weight: f32,
    /// front, threequarter, left, right, or yaw,pitch in degrees
    #[arg(long, default_value = "front", value_parser = super::view::view, allow_hyphen_values = true)]
    view: View,
    /// Keep deltas as the file's 32-bit floats instead of packing them into half the bits
    #[arg(long)]
    exact: bool,
}

/// Draws the sheet and writes it.
pub fn run(args: &SheetArgs) -> anyhow::Result<()> {
    check_place(&args.output)?;
    let mut session = super::open_session(args.file.as_ref())?;
    args.motion.apply(&mut session)?;
    let head = session.head.clone();
    if head.channels.is_empty() {
        bail!("{} has no expressions to show: none of its meshes has morph targets", head.name);
    }
    let wants_moments = args.frames.is_some() || args.motion.asks_for_motion();
    let content = if args.poses {
        SheetContent::poses(&session)
    } else if wants_moments {
        SheetContent::moments(&session, args.frames.map_or(SheetContent::USUAL_MOMENTS, usize::from))
    } else {
        SheetContent::expressions(&head, args.weight, session.edits.rule)
    };
    if args.frames.is_some() && session.timeline_secs() == 0.0 {
        bail!("--frames counts moments of something that moves: it needs --take FILE or --clip N|NAME");
    }
    if content.cells().next().is_none() {
        bail!("{} has no poses to show: it does not have ARKit's expressions", head.name);
    }
    let settings = SheetSettings {
        view: args.view,
        cell_px: args.cell,
        columns: args.columns.map(usize::from),
        look: session.edits.look,
        ..SheetSettings::default()
    };
    let mut work = SheetWork::start(head.clone(), content, &settings)?;
    let gpu = Gpu::headless(Prefer::Hardware)?;
    let mut renderer = Renderer::new(&gpu);
    let layout = Layout::new(&head, Precision::exact_if(args.exact));
    renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), Arc::new(layout))?);
    let mut progress = Progress::new(work.total());
    gpu.attempt(|| {
        while work.step(&mut renderer)? {
            progress.show(work.done());
        }
        Ok::<_, HeadNotUploaded>(())
    })??;
    let sheet = work.finish();
    save_png(&args.output, &sheet)?;
    progress.end(&format!("{}, {}×{} pixels", args.output.display(), sheet.width(), sheet.height()));
    Ok(())
}

/// A line that counts, for someone who watches; a script sees nothing of it.
struct Progress {
    total: usize,
    began: Instant,
    is_watched: bool,
}

impl Progress {
    fn new(total: usize) -> Self {
        Self { total, began: Instant::now(), is_watched: std::io::stderr().is_terminal() }
    }

    fn show(&mut self, done: usize) {
        if self.is_watched {
            let mut stderr = std::io::stderr().lock();
            // A terminal that is gone is no reason to stop.
            let _ = write!(stderr, "\rpicture {done} of {}", self.total).and_then(|()| stderr.flush());
        }
    }

    fn end(&mut self, what: &str) {
        if self.is_watched {
            // \x1b[K clears the count.
            eprintln!("\r\x1b[K{what}: {} pictures in {:.1} s", self.total, self.began.elapsed().as_secs_f32());
        }
    }
}

fn weight(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|weight: &f32| weight.is_finite()).ok_or_else(|| "a number, such as 1 or 0.5".into())
}
