//! `smirk render`: draws one picture of a head, as the window draws it.

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;

use super::compare::CompareArgs;
use super::reference::ReferenceArgs;
use super::surface::SurfaceArgs;
use super::watch::draw_once_or_watch;
use super::{open_for, renderer_of, version_renderer};
use crate::cli::motion::MixArgs;
use crate::cli::values::{by_name_or_number, check_output, labels, mode, size, view};
use smirk_base::file_kind;
use smirk_base::names::printable_path;
use smirk_editor::export::{Labels, OutputPath, PictureDrawing, PictureSettings, Renderers, save_picture};
use smirk_graphics::blend::{BlendMode, Precision};
use smirk_graphics::gpu::{DeviceError, Gpu};
use smirk_picture::render::{Pixels, largest_picture};
use smirk_picture::scene::{Camera, View};

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
    /// What is compared with the face.
    #[command(flatten)]
    compare: CompareArgs,
    /// The reference.
    #[command(flatten)]
    reference: ReferenceArgs,
    /// front, threequarter, left, right, or yaw,pitch in degrees
    #[arg(long, default_value = "front", value_parser = view, allow_hyphen_values = true)]
    view: View,
    /// Draw the picture again whenever a file changes that it is made of, until the command is interrupted
    #[arg(long, requires = "file")]
    watch: bool,
}

/// Draws the picture and writes it.
pub(in crate::cli) fn run(args: &RenderArgs) -> anyhow::Result<()> {
    let named: Vec<PathBuf> = args.file.iter().chain(args.mix.file()).chain(args.compare.file()).cloned().collect();
    let output = OutputPath::new(&args.output).or_stream().protecting(named.iter().cloned());
    check_output(&output, &[&file_kind::PNG])?;
    draw_once_or_watch(args.watch, named, |read| draw(args, output.clone(), read))
}

/// Draws and writes once. Adds the files that are read to `read`, and returns a line about the picture.
fn draw(args: &RenderArgs, output: OutputPath, read: &mut Vec<PathBuf>) -> anyhow::Result<String> {
    let (mut session, mut output) = open_for(output, args.file.as_ref(), read)?;
    args.mix.apply(&mut session)?;
    args.surface.apply(&mut session)?;
    let mut files = args.compare.apply(&mut session)?;
    files.extend(args.reference.apply(&mut session)?);
    read.extend(files.iter().cloned());
    output = output.protecting(files);
    output.check()?;
    let head = session.head.clone();
    let (compared, with_reference) = (args.compare.faces(), args.reference.is_some());
    let aspect = PictureSettings::aspect(args.size, PictureSettings::parts(&session, compared, with_reference));
    let mut camera = Camera::framing(head.focus, head.bounds, args.view, aspect);
    if let Some(wanted) = &args.camera {
        let names: Vec<&str> = head.cameras.iter().map(|camera| camera.name.as_str()).collect();
        let index = by_name_or_number("--camera", wanted, &head.name, "cameras", &names)?;
        camera.look_through(&head.cameras[index]);
    }
    if let Some(wanted) = &args.variant {
        let names: Vec<&str> = head.variants.iter().map(|variant| variant.name.as_str()).collect();
        let index = by_name_or_number("--variant", wanted, &head.name, "variants", &names)?;
        session.edits.choose_variant(&head, Some(index));
    }
    if args.file_lights {
        session.edits.lit_by_file = true;
    }
    let settings = PictureSettings {
        size: args.size,
        samples: args.samples,
        camera,
        turn_secs: None,
        mode: args.mode,
        is_transparent: args.transparent,
        labels: args.labels.unwrap_or_default(),
        compared,
        with_reference,
    };
    let drawing = PictureDrawing::new(&session, settings, Pixels::Screen)?;
    let precision = Precision::exact_if(args.exact);
    let (gpu, mut renderer) = renderer_of(&head, precision)?;
    let mut version = version_renderer(&gpu, &session, compared, precision)?;
    for renderer in std::iter::once(&renderer).chain(&version) {
        if let Some(reason) = renderer.unavailable(args.mode) {
            bail!("mode {} is not available: {reason}", args.mode.keyword());
        }
    }
    let renderers = Renderers { head: &mut renderer, version: version.as_mut() };
    let picture = match gpu.attempt(|| drawing.picture(renderers, &session)) {
        Err(DeviceError::MemoryFull { adapter }) => {
            // The heads are on the adapter, so that it is the picture that lacks memory.
            drop((renderer, version));
            return Err(no_memory_for(args.size, &gpu, &adapter));
        }
        drawn => drawn???,
    };
    save_picture(&output, &picture, true)?;
    let [width, height] = args.size;
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
