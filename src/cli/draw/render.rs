//! `smirk render`: draws one picture of a head, as the window draws it.

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;

use super::Heads;
use super::picture::{AskedPicture, PictureArgs};
use super::watch::draw_once_or_watch;
use crate::cli::input::{AxesArgs, Opened, open_session};
use crate::cli::motion::MixArgs;
use crate::cli::values::{by_name_or_number, one_of, output};
use smirk_base::file_kind;
use smirk_base::names::printable_path;
use smirk_export::{OutputPath, PictureDrawing, save_picture};
use smirk_graphics::blend::Precision;
use smirk_graphics::gpu::{DeviceError, Gpu};
use smirk_picture::render::{Pixels, largest_picture};
use smirk_scene::BlendMode;

#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Head or project to draw; without it, the bundled head
    file: Option<PathBuf>,
    /// PNG file to write
    #[arg(short, long, value_name = "PNG")]
    output: PathBuf,
    /// Blend mode
    #[arg(long, value_name = "cpu|vertex|compute|multipass", default_value = "compute", value_parser = one_of(BlendMode::ALL, BlendMode::keyword))]
    mode: BlendMode,
    /// Store deltas as 32-bit floats, as in the file, instead of packing them into half the bits
    #[arg(long)]
    exact: bool,
    #[command(flatten)]
    mix: MixArgs,
    /// Variant of the head's materials, by number from 0 or by name
    #[arg(long, value_name = "N|NAME")]
    variant: Option<String>,
    /// Light the head with the lights of its file, if it has some
    #[arg(long)]
    file_lights: bool,
    #[command(flatten)]
    axes: AxesArgs,
    #[command(flatten)]
    picture: PictureArgs,
    /// Draw the picture again whenever a file changes that it is made of, until the command is interrupted
    #[arg(long, requires = "file")]
    watch: bool,
}

pub(in crate::cli) fn run(args: &RenderArgs) -> anyhow::Result<()> {
    let named: Vec<PathBuf> =
        args.file.iter().chain(args.mix.files()).chain(args.picture.compare.file()).cloned().collect();
    let output = output(&args.output, &[&file_kind::PNG])?;
    draw_once_or_watch(args.watch, named, |read| draw(args, &output, read))
}

/// Draws and writes once. Adds the files that are read to `read`, and returns a line about the picture.
fn draw(args: &RenderArgs, output: &OutputPath, read: &mut Vec<PathBuf>) -> anyhow::Result<String> {
    let Opened { mut session, files } = open_session(args.file.as_ref())?;
    read.extend(files);
    args.axes.apply(&mut session)?;
    args.mix.apply(&mut session)?;
    let AskedPicture { settings, files } = args.picture.apply(&mut session, None, args.mode)?;
    read.extend(files);
    output.check()?;
    let head = session.head.clone();
    if let Some(wanted) = &args.variant {
        let names: Vec<&str> = head.variants.iter().map(|variant| variant.name.as_str()).collect();
        let index = by_name_or_number("--variant", wanted, &head.name, "variants", &names)?;
        session.edits.choose_variant(&head, Some(index));
    }
    if args.file_lights {
        session.edits.lit_by_file = true;
    }
    let (size, compared) = (settings.size, settings.compared);
    let drawing = PictureDrawing::new(&session, settings, Pixels::Screen)?;
    let mut heads = Heads::new(&session, compared, Precision::exact_if(args.exact))?;
    for renderer in std::iter::once(&heads.head).chain(&heads.version) {
        if let Some(reason) = renderer.unavailable(args.mode) {
            bail!("mode {} is not available: {reason}", args.mode.keyword());
        }
    }
    let gpu = heads.gpu.clone();
    let (picture, unseen) = match gpu.attempt(|| drawing.picture(heads.renderers(), &session)) {
        Err(DeviceError::MemoryFull { adapter }) => {
            // The heads are on the adapter, so that it is the picture that lacks memory.
            drop(heads);
            return Err(no_memory_for(size, &gpu, &adapter));
        }
        drawn => drawn??,
    };
    save_picture(output, &picture, true)?;
    if let Some(unseen) = unseen.in_words(1) {
        log::warn!("{}: {unseen}", printable_path(&args.output));
    }
    let [width, height] = size;
    Ok(format!("{}, {width}×{height} pixels", printable_path(&args.output)))
}

/// The error for a picture that the adapter has no memory for, with a size that it has memory for.
fn no_memory_for([width, height]: [u32; 2], gpu: &Gpu, adapter: &str) -> anyhow::Error {
    let advice = match largest_picture(gpu, [width, height]) {
        Some([width, height]) => format!("there is enough for about --size {width}x{height}"),
        None => "close other programs that draw".into(),
    };
    anyhow!("--size {width}x{height}: the graphics adapter {adapter} has not enough memory for this picture; {advice}")
}
