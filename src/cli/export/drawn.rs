//! The renderer of an export.

use std::sync::Arc;

use crate::blend::{Layout, Precision};
use crate::gpu::{Gpu, Prefer};
use crate::head::Head;
use crate::openness::Openness;
use crate::render::{HeadOnGpu, Renderer};

/// A graphics adapter with a head that is ready to be drawn.
pub(super) fn renderer_of(head: &Arc<Head>) -> anyhow::Result<(Gpu, Renderer)> {
    let gpu = Gpu::headless(Prefer::Hardware)?;
    let mut renderer = Renderer::new(&gpu);
    let layout = Layout::new(head, Precision::default());
    renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), Arc::new(layout))?);
    renderer.set_openness(&Openness::of(head));
    Ok((gpu, renderer))
}
