//! `smirk render`: draws one picture of a head, as the window draws it.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::compare::{CompareAs, compare_as, compare_with, part};
use super::surface::SurfaceArgs;
use super::watch::draw_once_or_watch;
use super::{open_for, renderer_of};
use crate::blend::{BlendMode, Precision};
use crate::cli::motion::MixArgs;
use crate::cli::values::{by_name_or_number, labels, mode, size, view};
use crate::export::{Drawing, Labels, OutputPath, PictureDrawing, PictureSettings, save_picture};
use crate::gpu::{DeviceError, Gpu};
use crate::head::Head;
use crate::render::{Pixels, largest_picture};
use crate::scene::{Camera, LitBy, View};

/// Arguments of `smirk render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Head or project to draw; without it, the bundled head
    file: Option<PathBuf>,
    /// PNG file to write
    #[arg(short, long, value_name = "PNG")]
    output: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1024x1024", value_parser = size)]
    size: [u32; 2],
    /// Blend mode
    #[arg(long, value_name = "cpu|vertex|compute|multipass", default_value = "compute", value_parser = mode)]
    mode: BlendMode,
    /// Store deltas as 32-bit floats, as in the file, instead of packing them into half the bits
    #[arg(long)]
    exact: bool,
    /// What the face shows.
    #[command(flatten)]
    mix: MixArgs,
    /// Variant of the head's materials, by number from 0 or by name
    #[arg(long, value_name = "N|NAME")]
    variant: Option<String>,
    /// Camera of the head's file to look through, by number from 0 or by name
    #[arg(long, value_name = "N|NAME", conflicts_with = "view")]
    camera: Option<String>,
    /// Light the head with the lights of its file, if it has some
    #[arg(long)]
    file_lights: bool,
    /// Number of samples that are accumulated for soft shadows and smooth edges; with 0, the picture is drawn as while it moves
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=4096))]
    samples: u32,
    /// Leave out the background
    #[arg(long)]
    transparent: bool,
    /// Write on the picture: the names of the head and of what plays, timecode and frame, channels that are not at rest
    #[arg(long, value_name = "name,time,rows", num_args = 0..=1, require_equals = true, default_missing_value = "name,time,rows", value_parser = labels)]
    labels: Option<Labels>,
    /// What is shown of the surface.
    #[command(flatten)]
    surface: SurfaceArgs,
    /// Another version of the head, which is shown at the same weights
    #[arg(long, value_name = "HEAD")]
    compare: Option<PathBuf>,
    /// How it is compared: both side by side, the other half transparent over the head, or a heat map of the distance between them
    #[arg(long, value_name = "side-by-side|onion|difference", requires = "compare", default_value = "side-by-side", value_parser = compare_as)]
    compare_as: CompareAs,
    /// Opacity of the other version with --compare-as onion, from 0 to 1
    #[arg(long, value_name = "PART", requires = "compare", default_value_t = 0.5, value_parser = part)]
    opacity: f32,
    /// front, threequarter, left, right, or yaw,pitch in degrees
    #[arg(long, default_value = "front", value_parser = view, allow_hyphen_values = true)]
    view: View,
    /// Draw the picture again whenever a file changes that it is made of, until the command is interrupted
    #[arg(long, requires = "file")]
    watch: bool,
}

/// Draws the picture and writes it.
pub(in crate::cli) fn run(args: &RenderArgs) -> anyhow::Result<()> {
    let named: Vec<PathBuf> = args.file.iter().chain(args.mix.file()).chain(&args.compare).cloned().collect();
    let output = OutputPath::new(&args.output).or_stream().protecting(named.iter().cloned());
    output.check()?;
    draw_once_or_watch(args.watch, named, |read| draw(args, output.clone(), read))
}

/// Draws and writes once. Adds the files that are read to `read`, and returns a line about the picture.
fn draw(args: &RenderArgs, output: OutputPath, read: &mut Vec<PathBuf>) -> anyhow::Result<String> {
    let (mut session, mut output) = open_for(output, args.file.as_ref(), read)?;
    args.mix.apply(&mut session)?;
    args.surface.apply(&mut session)?;
    let head = session.head.clone();
    if let Some(path) = &args.compare {
        let files = compare_with(&mut session, path, args.compare_as)?;
        read.extend(files.iter().cloned());
        output = output.protecting(files);
        output.check()?;
    }
    let is_beside = args.compare.is_some() && args.compare_as == CompareAs::SideBySide;
    let aspect = PictureSettings::aspect(args.size, is_beside);
    let mut camera = Camera::framing(head.focus, head.bounds, args.view, aspect);
    if let Some(wanted) = &args.camera {
        let names: Vec<&str> = head.cameras.iter().map(|camera| camera.name.as_str()).collect();
        let index = by_name_or_number("--camera", wanted, &head.name, "cameras", &names)?;
        camera.look_through(&head.cameras[index]);
    }
    if let Some(wanted) = &args.variant {
        let names: Vec<&str> = head.variants.iter().map(|variant| variant.name.as_str()).collect();
        session.edits.look.variant = Some(by_name_or_number("--variant", wanted, &head.name, "variants", &names)?);
    }
    if args.file_lights {
        session.edits.look.lit_by = LitBy::File;
    }
    let settings = PictureSettings {
        size: args.size,
        samples: args.samples,
        camera,
        turn_secs: None,
        mode: args.mode,
        is_transparent: args.transparent,
        labels: args.labels.unwrap_or_default(),
        is_compared: false,
    };
    let drawing = PictureDrawing::new(&session, settings, Pixels::Screen)?;
    let precision = Precision::exact_if(args.exact);
    let layout = args.compare_as.layout(args.opacity).filter(|_| args.compare.is_some());
    let picture = match layout {
        Some(layout) => {
            session.camera = camera;
            drawing.two_versions(&session, layout, |head, draw| draw_with(args, head, precision, draw))?
        }
        None => {
            let mut picture = None;
            draw_with(args, &head, precision, &mut |renderer| {
                picture = Some(drawing.picture(renderer, &session)?);
                Ok(())
            })?;
            picture.context("nothing was drawn")?
        }
    };
    save_picture(&output, &picture, true)?;
    let [width, height] = args.size;
    Ok(format!("{}, {width}×{height} pixels", args.output.display()))
}

/// Does a drawing with a renderer of a head.
fn draw_with(args: &RenderArgs, head: &Arc<Head>, precision: Precision, draw: Drawing<'_>) -> anyhow::Result<()> {
    let (gpu, mut renderer) = renderer_of(head, precision)?;
    if let Some(reason) = renderer.unavailable(args.mode) {
        bail!("mode {} is not available: {reason}", args.mode.keyword());
    }
    match gpu.attempt(|| draw(&mut renderer)) {
        Err(DeviceError::MemoryFull { adapter }) => {
            // The head is on the adapter, so that it is the picture that lacks memory.
            drop(renderer);
            Err(no_memory_for(args.size, &gpu, &adapter))
        }
        drawn => Ok(drawn??),
    }
}

/// The error for a picture that the adapter has no memory for, with a size that it has memory for.
fn no_memory_for([width, height]: [u32; 2], gpu: &Gpu, adapter: &str) -> anyhow::Error {
    let advice = match largest_picture(gpu, [width, height]) {
        Some([width, height]) => format!("there is enough for about --size {width}x{height}"),
        None => "close other programs that draw".into(),
    };
    anyhow!("--size {width}x{height}: the graphics adapter {adapter} has not enough memory for this picture; {advice}")
}
