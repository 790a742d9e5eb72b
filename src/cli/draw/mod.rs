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

use super::text::ProgressLine;
use smirk_export::{Renderers, SheetWork, TwoFaces};
use smirk_face::head::Head;
use smirk_graphics::blend::{Layout, Precision};
use smirk_graphics::gpu::{Gpu, Prefer};
use smirk_picture::ambient_occlusion::AmbientOcclusion;
use smirk_picture::render::{DrawError, HeadOnGpu, Renderer};
use smirk_session::Session;

/// A graphics adapter with a head that is ready to be drawn.
pub(in crate::cli) fn renderer_of(head: &Arc<Head>, precision: Precision) -> anyhow::Result<(Gpu, Renderer)> {
    let gpu = Gpu::headless(Prefer::Hardware)?;
    let renderer = renderer_on(&gpu, head, precision)?;
    Ok((gpu, renderer))
}

/// A graphics adapter with the head of a session, and with the version that it is compared with if both are on a
/// picture.
pub(in crate::cli) struct Heads {
    pub gpu: Gpu,
    pub head: Renderer,
    pub version: Option<Renderer>,
}

impl Heads {
    pub(in crate::cli) fn new(
        session: &Session,
        compared: Option<TwoFaces>,
        precision: Precision,
    ) -> anyhow::Result<Self> {
        let (gpu, head) = renderer_of(&session.head, precision)?;
        let open = session.b().version().filter(|_| compared.is_some());
        let version = open.map(|open| renderer_on(&gpu, &open.version.head, precision)).transpose()?;
        Ok(Self { gpu, head, version })
    }

    pub(in crate::cli) fn renderers(&mut self) -> Renderers<'_> {
        Renderers { head: &mut self.head, version: self.version.as_mut() }
    }
}

pub(in crate::cli) fn draw_sheet(
    work: &mut SheetWork,
    head: &Arc<Head>,
    precision: Precision,
    progress: &ProgressLine,
) -> anyhow::Result<()> {
    let (gpu, mut renderer) = renderer_of(head, precision)?;
    gpu.attempt(|| {
        while work.step(&mut renderer)? {
            progress.show(&format!("picture {} of {}", work.done(), work.total()));
        }
        Ok::<_, DrawError>(())
    })??;
    Ok(())
}

fn renderer_on(gpu: &Gpu, head: &Arc<Head>, precision: Precision) -> anyhow::Result<Renderer> {
    let mut renderer = Renderer::new(gpu);
    let layout = Layout::new(head, precision);
    renderer.set_head(HeadOnGpu::new(gpu, head.clone(), Arc::new(layout))?);
    renderer.set_ambient_occlusion(&AmbientOcclusion::measure(head));
    Ok(renderer)
}
