//! What is measured on the adapter: blends in compute passes, frames that are drawn, and copies.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use super::sampler::{self, Times};
use crate::bench::NORMALS;
use smirk_face::head::Head;
use smirk_graphics::blend::Blender;
use smirk_graphics::gpu::{DeviceError, Gpu};
use smirk_picture::render::{DrawError, Renderer};
use smirk_scene::{BlendMode, Camera, Look, Quality, Scene, View};

/// Measures the blends of modes that run as compute passes: submits a blend and waits for it.
#[derive(Debug)]
pub(super) struct Passes {
    gpu: Gpu,
    clock: Option<PassTimer>,
}

impl Passes {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self { gpu: gpu.clone(), clock: PassTimer::new(gpu) }
    }

    /// Whether times are measured with GPU timestamps. Then they do not include the upload of the lists of active
    /// targets.
    pub(super) fn has_gpu_timestamps(&self) -> bool {
        self.clock.is_some()
    }

    /// Blends with these weights, and returns the time in milliseconds.
    pub(super) fn evaluate(&self, blender: &mut Blender, mode: BlendMode, weights: &[f32]) -> Result<f64, DeviceError> {
        let began = Instant::now();
        let label = Some("measured blend");
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        let writes = self.clock.as_ref().map(PassTimer::writes);
        blender.blend(&mut encoder, weights, mode, NORMALS, writes);
        // Timestamps that no pass has written must not be read.
        let clock = self.clock.as_ref().filter(|_| blender.did_work());
        if let Some(clock) = clock {
            clock.resolve(&mut encoder);
        }
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.wait();
        let elapsed_ms = sampler::ms_since(began);
        clock.map_or(Ok(elapsed_ms), |clock| clock.read_ms(&self.gpu))
    }
}

const TIMESTAMPS: u64 = 2 * wgpu::QUERY_SIZE as u64;

/// The query set of two timestamps, and the buffers that read them back.
#[derive(Debug)]
pub(super) struct PassTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    ms_per_tick: f64,
}

impl PassTimer {
    /// `None` if the adapter has no timestamp queries, or if it is a software adapter, whose timestamps do not measure
    /// compute passes (see `render/timing.rs`).
    pub(super) fn new(gpu: &Gpu) -> Option<Self> {
        let is_trusted = gpu.has_timestamps && !gpu.is_software();
        is_trusted.then(|| Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("pass clock"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: gpu.buffer(
                "pass clock",
                TIMESTAMPS,
                wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            ),
            ms_per_tick: f64::from(gpu.queue.get_timestamp_period()) * 1e-6,
        })
    }

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
    pub(super) fn read_ms(&self, gpu: &Gpu) -> Result<f64, DeviceError> {
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&gpu.read_buffer(&self.resolved)?);
        let [begin, end] = ticks[..] else { unreachable!("the buffer has two timestamps, not {}", ticks.len()) };
        Ok(end.saturating_sub(begin) as f64 * self.ms_per_tick)
    }
}

const SIZE: [u32; 2] = [64, 64];

#[derive(Debug)]
pub(super) struct Draw {
    gpu: Gpu,
    head: Arc<Head>,
    camera: Camera,
    look: Look,
}

impl Draw {
    /// A scene that shows the head from the front.
    pub(super) fn new(gpu: &Gpu, head: &Arc<Head>) -> Self {
        let camera = Camera::framing(head.focus, head.character, View::Front, 1.0);
        let look = Look { normals: NORMALS, ..Look::default() };
        Self { gpu: gpu.clone(), head: head.clone(), camera, look }
    }

    /// Draws the head with these weights, and returns the time in milliseconds: by GPU timestamps, except on a software
    /// adapter.
    pub(super) fn evaluate(&mut self, renderer: &mut Renderer, weights: &[f32]) -> Result<f64, DrawError> {
        // The renderer draws nothing unless something has changed since the last draw.
        self.look.exposure = if self.look.exposure == 0.0 { 1e-3 } else { 0.0 };
        let began = Instant::now();
        renderer.draw(&Scene {
            weights: weights.into(),
            mode: BlendMode::Vertex,
            // With one sample, the shadow is not drawn again, so that the head is drawn once.
            quality: Quality { msaa: 1, scale: 1.0, samples: 0 },
            ..Scene::at_rest(&self.head, &self.camera, &self.look, SIZE)
        })?;
        self.gpu.wait();
        let elapsed_ms = sampler::ms_since(began);
        let on_gpu = renderer.timing().draw_ms.filter(|_| !self.gpu.is_software());
        Ok(on_gpu.map_or(elapsed_ms, f64::from))
    }
}

/// The size of the copy: more than fits in all but the largest caches.
const BYTES: usize = 128 << 20;
const REPETITIONS: usize = 9;
const COPIES_ON_GPU: usize = 8;

/// The bytes that a copy on all cores reads and writes, in gigabytes (10⁹ bytes) per second: the best of several runs.
pub(super) fn gb_per_sec() -> f64 {
    const CHUNK: usize = 1 << 20;
    let (source, mut copy) = (vec![1_u8; BYTES], vec![2_u8; BYTES]);
    let mut seconds = f64::INFINITY;
    for _ in 0..REPETITIONS {
        let began = Instant::now();
        let chunks = copy.par_chunks_mut(CHUNK).zip(source.par_chunks(CHUNK));
        chunks.for_each(|(copy, source)| copy.copy_from_slice(source));
        seconds = seconds.min(began.elapsed().as_secs_f64());
    }
    std::hint::black_box(&copy);
    2.0 * BYTES as f64 / seconds * 1e-9
}

/// The same for a copy between two buffers of the adapter. `None` on a software adapter, or if there is no memory for
/// two buffers.
pub(super) fn gb_per_sec_on(gpu: &Gpu) -> Option<f64> {
    if gpu.is_software() { None } else { gpu.attempt(|| gb_per_sec_between_buffers(gpu)).ok() }
}

fn gb_per_sec_between_buffers(gpu: &Gpu) -> f64 {
    let usages = [wgpu::BufferUsages::COPY_SRC, wgpu::BufferUsages::COPY_DST];
    let [source, copy] = usages.map(|usage| gpu.buffer("bandwidth", BYTES as u64, usage));
    let mut seconds = f64::INFINITY;
    for _ in 0..REPETITIONS {
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("bandwidth") });
        for _ in 0..COPIES_ON_GPU {
            encoder.copy_buffer_to_buffer(&source, 0, &copy, 0, BYTES as u64);
        }
        let began = Instant::now();
        gpu.queue.submit([encoder.finish()]);
        gpu.wait();
        seconds = seconds.min(began.elapsed().as_secs_f64());
    }
    let seconds = (seconds - submit_time(gpu).ms_min * 1e-3).max(1e-9);
    2.0 * (BYTES * COPIES_ON_GPU) as f64 / seconds * 1e-9
}

/// The time to submit nothing to an adapter and wait for it, which is part of every time that is measured on the CPU.
pub(super) fn submit_time(gpu: &Gpu) -> Times {
    const BUDGET_SECS: f64 = 0.05;
    sampler::repeat(BUDGET_SECS, |_| {
        let began = Instant::now();
        let label = Some("nothing");
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        drop(encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label, timestamp_writes: None }));
        gpu.queue.submit([encoder.finish()]);
        gpu.wait();
        sampler::ms_since(began)
    })
}
