//! `smirk thumbnail`: draws the picture of a head or project that a file manager shows for its file.

use std::path::PathBuf;

use clap::Args;

use super::renderer_of;
use crate::cli::input::{Opened, open_session};
use smirk_base::file_kind::Content;
use smirk_base::names::printable_path;
use smirk_export::{Labels, OutputPath, PictureDrawing, PictureSettings, save_picture};
use smirk_files::import;
use smirk_graphics::blend::Precision;
use smirk_picture::render::Pixels;
use smirk_scene::{BlendMode, Camera, View};

#[derive(Debug, Args)]
pub struct ThumbnailArgs {
    /// Head or project to draw
    file: PathBuf,
    /// PNG file to write
    #[arg(short, long, value_name = "PNG")]
    output: PathBuf,
    /// Width and height in pixels
    #[arg(short, long, value_name = "PIXELS", default_value_t = 256, value_parser = clap::value_parser!(u32).range(16..=4096))]
    size: u32,
}

/// Samples of a picture: enough for smooth edges at the size of an icon.
const SAMPLES: u32 = 8;

/// Limits what the process may take: a file manager asks for pictures of files that the user has not chosen to open.
/// Scanned faces took 1.3 GB, of which the allocator reserves one, and 1.5 s; what needs more than the limits ends
/// without a core file. A driver may reserve as many addresses as it likes: what is counted is memory that can be
/// written.
#[cfg(target_os = "linux")]
fn limit_process() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    for (resource, most) in [(Resource::Data, 8 << 30), (Resource::Cpu, 240), (Resource::Core, 0)] {
        let before = getrlimit(resource);
        let current = Some(before.current.map_or(most, |limit| limit.min(most)));
        if let Err(error) = setrlimit(resource, Rlimit { current, ..before }) {
            log::debug!("the picture is drawn without a limit of {resource:?}: {error}");
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn limit_process() {}

pub(in crate::cli) fn run(args: &ThumbnailArgs) -> anyhow::Result<()> {
    limit_process();
    let output = OutputPath::new(&args.output).or_stream();
    output.check()?;
    let Opened { session, .. } = open_session(Some(&args.file))?;
    output.check()?;
    let head = &session.head;
    let camera = match import::content_of(&args.file) {
        Content::Project => session.camera,
        _ => Camera::framing(head.focus, head.character, View::ThreeQuarter, 1.0),
    };
    let settings = PictureSettings {
        size: [args.size; 2],
        samples: SAMPLES,
        camera,
        turn_secs: None,
        mode: BlendMode::Cpu,
        is_transparent: false,
        labels: Labels::default(),
        compared: None,
        with_reference: false,
    };
    let drawing = PictureDrawing::new(&session, settings, Pixels::Screen)?;
    let (gpu, mut renderer) = renderer_of(head, Precision::default())?;
    let (picture, unseen) = gpu.attempt(|| drawing.picture(&mut renderer, &session))??;
    save_picture(&output, &picture, true)?;
    if let Some(unseen) = unseen.in_words(1) {
        log::warn!("{}: {unseen}", printable_path(&args.output));
    }
    Ok(())
}
