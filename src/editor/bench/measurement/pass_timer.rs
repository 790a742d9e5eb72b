//! GPU timestamps around one compute pass. They are read at once, since a measurement can wait for them.

use smirk_graphics::gpu::Gpu;

const BYTES: u64 = 2 * wgpu::QUERY_SIZE as u64;

/// The query set of two timestamps, and the buffers that read them back.
#[derive(Debug)]
pub(super) struct PassTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    ms_per_tick: f64,
}

impl PassTimer {
    /// `None` if the adapter has no timestamp queries, or if it is a software adapter, whose timestamps do not measure compute passes
    /// (see `render/timing.rs`).
    pub(super) fn new(gpu: &Gpu) -> Option<Self> {
        let is_trusted = gpu.has_timestamps && !gpu.is_software();
        is_trusted.then(|| Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("pass clock"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: gpu.buffer("pass clock", BYTES, wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            ms_per_tick: f64::from(gpu.queue.get_timestamp_period()) * 1e-6,
        })
    }

    /// The timestamps that the measured pass writes.
    pub(super) fn writes(&self) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// Must be called after a pass that wrote both timestamps, before the submit.
    pub(super) fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
    }

    /// Waits for the timestamps, and returns the time between them in milliseconds.
    pub(super) fn read_ms(&self, gpu: &Gpu) -> f64 {
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&gpu.read_buffer(&self.resolved));
        match ticks[..] {
            [begin, end] => end.saturating_sub(begin) as f64 * self.ms_per_tick,
            _ => f64::NAN,
        }
    }
}
