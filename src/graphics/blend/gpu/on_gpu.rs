//! The blend modes of one head that run on the GPU, and their pipelines.

use super::{
    ComputeBlend, ComputePipeline, InShaderBlend, MorphTables, MultipassBlend, MultipassPipelines, Support,
    VertexBuffers, find_support,
};
use crate::blend::layout::Layout;
use crate::gpu::{DeviceError, Gpu};

/// The modes that run on the GPU; for an unavailable mode, the reason why. `tables` exists if any of the modes is available.
#[derive(Debug)]
pub(super) struct OnGpu {
    pub tables: Option<MorphTables>,
    pub vertex: Result<InShaderBlend, String>,
    pub compute: Result<ComputeBlend, String>,
    pub multipass: Result<MultipassBlend, String>,
}

/// What the adapter can blend of a head, with the pipelines for it. They take little memory and long to compile, so that they can be
/// compiled while the rest of the head is uploaded.
#[derive(Debug)]
pub struct BlendPipelines {
    support: Support,
    /// Those of compute mode and of multi-pass mode, if these are available.
    made: Result<Option<(ComputePipeline, MultipassPipelines)>, DeviceError>,
}

impl BlendPipelines {
    /// Compiles the pipelines for a head.
    pub fn new(gpu: &Gpu, layout: &Layout) -> Self {
        Self::with_page_limit(gpu, layout, u64::MAX)
    }

    pub(super) fn with_page_limit(gpu: &Gpu, layout: &Layout, page_limit: u64) -> Self {
        let support = find_support(&gpu.device.limits(), layout, page_limit);
        let make = || (ComputePipeline::new(gpu, layout), MultipassPipelines::new(gpu, layout));
        let made = gpu.attempt(|| support.compute.is_none().then(make));
        Self { support, made }
    }
}

impl OnGpu {
    /// Creates all modes that the adapter supports, or none if the adapter has too little memory for their buffers.
    pub(super) fn new(gpu: &Gpu, layout: &Layout, vertices: &VertexBuffers, pipelines: BlendPipelines) -> Self {
        let BlendPipelines { support, made } = pipelines;
        let made = made.and_then(|pipelines| {
            gpu.attempt(|| {
                let made = Self::with_support(gpu, layout, vertices, support, pipelines);
                made.warm_up(gpu);
                made
            })
        });
        made.unwrap_or_else(|error| Self::none(&format!("this head's deltas are not on the adapter: {error}")))
    }

    fn none(reason: &str) -> Self {
        Self {
            tables: None,
            vertex: Err(reason.to_owned()),
            compute: Err(reason.to_owned()),
            multipass: Err(reason.to_owned()),
        }
    }

    fn with_support(
        gpu: &Gpu,
        layout: &Layout,
        vertices: &VertexBuffers,
        support: Support,
        pipelines: Option<(ComputePipeline, MultipassPipelines)>,
    ) -> Self {
        let Support { pages, vertex, compute } = support;
        let tables = pages.map(|pages| MorphTables::new(gpu, layout, pages));
        let in_shader = match (&tables, vertex) {
            (Some(tables), None) => Ok(InShaderBlend::new(gpu, layout, tables)),
            (_, reason) => Err(reason.unwrap_or_default()),
        };
        let (compute, multipass) = match (&tables, pipelines) {
            (Some(tables), Some((compute, multipass))) => (
                Ok(ComputeBlend::new(gpu, layout, vertices, tables, compute)),
                Ok(MultipassBlend::new(gpu, layout, vertices, tables, multipass)),
            ),
            _ => {
                let reason = compute.unwrap_or_default();
                (Err(reason.clone()), Err(reason))
            }
        };
        Self { tables, vertex: in_shader, compute, multipass }
    }

    /// Runs every pipeline once over no blocks, so that the first switch to a mode is quick. Writes nothing.
    fn warm_up(&self, gpu: &Gpu) {
        let label = Some("warm-up");
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label, timestamp_writes: None });
        if let Ok(compute) = &self.compute {
            compute.warm_up(&mut pass);
        }
        if let Ok(multipass) = &self.multipass {
            multipass.warm_up(&mut pass);
        }
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
    }
}
