//! Commands that draw one picture of a head, with a graphics adapter on which the head is ready.

mod compare;
pub(super) mod render;
pub(super) mod sheet;
mod surface;
pub(super) mod thumbnail;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;

use super::input::{Opened, open_session};
use crate::blend::{Layout, Precision};
use crate::export::OutputPath;
use crate::gpu::{Gpu, Prefer};
use crate::head::Head;
use crate::openness::Openness;
use crate::render::{HeadOnGpu, Renderer};
use crate::session::Session;

/// Opens what a command draws, and the place of its picture, which is none of the files that were read. Adds these to `read`.
fn open_for(
    output: OutputPath,
    file: Option<&PathBuf>,
    read: &mut Vec<PathBuf>,
) -> anyhow::Result<(Session, OutputPath)> {
    let Opened { session, files } = open_session(file)?;
    read.extend(files.iter().cloned());
    let output = output.protecting(files);
    output.check()?;
    Ok((session, output))
}

/// A graphics adapter with a head that is ready to be drawn.
pub(in crate::cli) fn renderer_of(head: &Arc<Head>, precision: Precision) -> anyhow::Result<(Gpu, Renderer)> {
    let gpu = Gpu::headless(Prefer::Hardware)?;
    let mut renderer = Renderer::new(&gpu);
    let layout = Layout::new(head, precision);
    renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), Arc::new(layout))?);
    renderer.set_openness(&Openness::of(head));
    Ok((gpu, renderer))
}
