//! The speed of copying memory. It is the upper limit for a blend, which mostly reads and writes memory.

use std::time::Instant;

use rayon::prelude::*;

use super::sampler::{self, Times};
use smirk_graphics::gpu::Gpu;

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

/// The same for a copy between two buffers of the adapter. `None` on a software adapter, or if there is no memory for two buffers.
pub(super) fn gb_per_sec_on(gpu: &Gpu) -> Option<f64> {
    if gpu.is_software() { None } else { gpu.attempt(|| gb_per_sec_between_buffers(gpu)).ok() }
}

fn gb_per_sec_between_buffers(gpu: &Gpu) -> f64 {
    let buffer = |usage| gpu.buffer("bandwidth", BYTES as u64, usage);
    let (source, copy) = (buffer(wgpu::BufferUsages::COPY_SRC), buffer(wgpu::BufferUsages::COPY_DST));
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
