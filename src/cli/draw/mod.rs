//! Commands that draw one picture of a head, with a graphics adapter on which the head is ready.

pub(super) mod compare;
pub(super) mod picture;
pub(super) mod reference;
pub(super) mod render;
pub(super) mod sheet;
pub(super) mod surface;
pub(super) mod thumbnail;
mod watch;

use std::sync::Arc;

use smirk_export::TwoFaces;
use smirk_face::head::Head;
use smirk_graphics::blend::{Layout, Precision};
use smirk_graphics::gpu::{Gpu, Prefer};
use smirk_picture::ambient_occlusion::AmbientOcclusion;
use smirk_picture::render::{HeadOnGpu, Renderer};
use smirk_session::Session;

/// A graphics adapter with a head that is ready to be drawn.
pub(in crate::cli) fn renderer_of(head: &Arc<Head>, precision: Precision) -> anyhow::Result<(Gpu, Renderer)> {
    let gpu = Gpu::headless(Prefer::Hardware)?;
    let renderer = renderer_on(&gpu, head, precision)?;
    Ok((gpu, renderer))
}

/// A renderer of the version that a session is compared with, if both are on a picture.
pub(in crate::cli) fn version_renderer(
    gpu: &Gpu,
    session: &Session,
    compared: Option<TwoFaces>,
    precision: Precision,
) -> anyhow::Result<Option<Renderer>> {
    let open = session.version_as_b().filter(|_| compared.is_some());
    open.map(|open| renderer_on(gpu, &open.version.head, precision)).transpose()
}

fn renderer_on(gpu: &Gpu, head: &Arc<Head>, precision: Precision) -> anyhow::Result<Renderer> {
    let mut renderer = Renderer::new(gpu);
    let layout = Layout::new(head, precision);
    renderer.set_head(HeadOnGpu::new(gpu, head.clone(), Arc::new(layout))?);
    renderer.set_ambient_occlusion(&AmbientOcclusion::measure(head));
    Ok(renderer)
}
