//! How long the last blend and the last draw took.
//!
//! Passes are measured by the GPU's timestamp queries. The results are read back a few frames late, so that nothing has
//! to wait.
//!
//! A software adapter (lavapipe, Mesa 22.3) writes a timestamp when the triangles of a neighbouring draw are drawn, and
//! not when the compute pass before them has run, so that compute passes seem to take no time. Blends are therefore
//! measured there by waiting for them, which costs little, since the same processor does the work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use smirk_graphics::gpu::Gpu;

/// The clock that a duration was measured with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimingClock {
    /// The GPU's timestamp queries.
    Gpu,
    /// The processor's clock: in CPU mode, and where the timestamps of a software adapter cannot be trusted.
    Cpu,
}

/// How long the last blend and the last draw took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing {
    /// The duration of the blend in milliseconds, and the clock. `None` in vertex mode, in which blending is a part of
    /// drawing, and before the first result of the GPU has arrived.
    pub blend: Option<(f32, TimingClock)>,
    /// The duration of the draw in milliseconds, measured with timestamp queries. `None` if the adapter has none.
    pub draw_ms: Option<f32>,
}

/// The number of queries: start and end of the blend, start and end of the draw.
const QUERIES: u32 = 4;

const BYTES: u64 = QUERIES as u64 * wgpu::QUERY_SIZE as u64;

/// The number of buffers for results that are being read back. A frame for which no buffer is free is not timed.
const SLOTS: usize = 3;

const FREE: u8 = 0;

const UNDER_WAY: u8 = 1;

const READY: u8 = 2;

const FAILED: u8 = 3;

#[derive(Debug)]
struct Slot {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
    /// The number of [`GpuTimer::forget_blend`] calls before the measured blend; `None` if no blend is measured.
    blend: Option<u32>,
}

/// The queries, and the buffers that their results are read back into.
#[derive(Debug)]
pub(crate) struct GpuTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    slots: Vec<Slot>,
    ms_per_tick: f32,
    blend_ms: Option<f32>,
    draw_ms: Option<f32>,
    last_blend_began: u64,
    forgotten: u32,
}

impl GpuTimer {
    /// Returns `None` if the adapter has no timestamp queries.
    pub(crate) fn new(gpu: &Gpu) -> Option<Self> {
        if !gpu.has_timestamps {
            return None;
        }
        let buffer = |label, usage| gpu.buffer(label, BYTES, usage);
        let slots = (0..SLOTS).map(|_| Slot {
            buffer: buffer("timestamps read back", wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
            state: Arc::new(AtomicU8::new(FREE)),
            blend: None,
        });
        let slots = slots.collect();
        Some(Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: QUERIES,
            }),
            resolved: buffer("timestamps", wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            slots,
            ms_per_tick: gpu.queue.get_timestamp_period() * 1e-6,
            blend_ms: None,
            draw_ms: None,
            last_blend_began: 0,
            forgotten: 0,
        })
    }

    /// Forgets how long the last picture took, which says nothing about the next one.
    pub(crate) fn forget_draw(&mut self) {
        self.draw_ms = None;
    }

    /// The timestamps of the blender's passes: the start of the first and the end of the last.
    pub(crate) fn blend_writes(&self) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    pub(crate) fn draw_writes(&self, is_first: bool, is_last: bool) -> wgpu::RenderPassTimestampWrites<'_> {
        wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: is_first.then_some(2),
            end_of_pass_write_index: is_last.then_some(3),
        }
    }

    /// Copies the results into a slot, after the last pass. Returns the slot for [`Self::read_back`].
    pub(crate) fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder, has_blend: bool) -> Option<usize> {
        let index = self.slots.iter().position(|slot| slot.state.load(Ordering::Acquire) == FREE)?;
        let slot = &mut self.slots[index];
        slot.blend = has_blend.then_some(self.forgotten);
        // Queries that no pass has written must not be resolved.
        let first = if has_blend { 0 } else { 2 };
        // Resolved to the start of the buffer, because offsets must be multiples of 256.
        encoder.resolve_query_set(&self.queries, first..QUERIES, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &slot.buffer, 0, BYTES);
        Some(index)
    }

    /// Starts reading a slot, after the commands are submitted.
    pub(crate) fn read_back(&mut self, index: usize) {
        let slot = &self.slots[index];
        slot.state.store(UNDER_WAY, Ordering::Release);
        let state = slot.state.clone();
        slot.buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            state.store(if result.is_ok() { READY } else { FAILED }, Ordering::Release);
        });
    }

    /// Reads the results that have arrived.
    pub(crate) fn collect(&mut self) {
        for slot in &self.slots {
            match slot.state.load(Ordering::Acquire) {
                READY => {
                    let mut ticks = [0_u64; QUERIES as usize];
                    if let Ok(view) = slot.buffer.slice(..).get_mapped_range() {
                        bytemuck::bytes_of_mut(&mut ticks).copy_from_slice(&view);
                    }
                    slot.buffer.unmap();
                    slot.state.store(FREE, Ordering::Release);
                    let ms = |begin: u64, end: u64| (end > begin).then(|| (end - begin) as f32 * self.ms_per_tick);
                    let (blend, draw) =
                        if slot.blend.is_some() { (&ticks[..2], &ticks[2..]) } else { (&ticks[..0], &ticks[..2]) };
                    // A blend without a pass does not write its timestamps, which are then those of an earlier blend.
                    if let &[begin, end] = blend
                        && slot.blend == Some(self.forgotten)
                        && begin != self.last_blend_began
                    {
                        self.last_blend_began = begin;
                        self.blend_ms = ms(begin, end).or(self.blend_ms);
                    }
                    if let &[begin, end] = draw {
                        self.draw_ms = ms(begin, end).or(self.draw_ms);
                    }
                }
                FAILED => slot.state.store(FREE, Ordering::Release),
                _ => {}
            }
        }
    }

    /// The duration in milliseconds of the last blend whose result has arrived.
    pub(crate) fn blend_ms(&self) -> Option<f32> {
        self.blend_ms
    }

    /// Discards the duration of the last blend and ignores results that have not arrived yet, because they belong to
    /// another mode or another head.
    pub(crate) fn forget_blend(&mut self) {
        self.blend_ms = None;
        self.forgotten = self.forgotten.wrapping_add(1);
    }

    /// The duration in milliseconds of the last draw whose result has arrived.
    pub(crate) fn draw_ms(&self) -> Option<f32> {
        self.draw_ms
    }
}

/// Measures one blend in [`Self::EVERY`]: waiting for each would keep the program from preparing the next frame
/// meanwhile.
#[derive(Debug)]
pub(crate) struct WaitTimer {
    is_needed: bool,
    blends: u32,
    /// Whether a blend was measured since the last [`Self::forget`].
    is_warm: bool,
    ms: Option<f32>,
}

impl WaitTimer {
    const EVERY: u32 = 12;

    /// A timer for the adapter of `gpu`. It is needed on software adapters only.
    pub(crate) fn new(gpu: &Gpu) -> Self {
        Self { is_needed: gpu.is_software(), blends: 0, is_warm: false, ms: None }
    }

    /// Whether the adapter's timestamp queries cannot be trusted.
    pub(crate) fn is_needed(&self) -> bool {
        self.is_needed
    }

    /// Whether the next blend is to be measured. Call it once per blend.
    pub(crate) fn is_due(&mut self) -> bool {
        self.blends = self.blends.wrapping_add(1);
        self.is_needed && (self.ms.is_none() || self.blends.is_multiple_of(Self::EVERY))
    }

    /// Records the duration of a blend. The first one is ignored: it includes setting up and takes ten times as long.
    pub(crate) fn record(&mut self, took: Duration) {
        if std::mem::replace(&mut self.is_warm, true) {
            self.ms = Some(took.as_secs_f32() * 1000.0);
        }
    }

    /// Forgets the duration, because the mode or the head has changed.
    pub(crate) fn forget(&mut self) {
        (self.is_warm, self.ms) = (false, None);
    }

    /// The duration of the last measured blend in milliseconds.
    pub(crate) fn ms(&self) -> Option<f32> {
        self.ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_blend_is_ignored_and_the_second_measured() {
        let mut timer = WaitTimer { is_needed: true, blends: 0, is_warm: false, ms: None };
        for _ in 0..2 {
            assert!(timer.is_due());
            timer.record(Duration::from_millis(90));
            assert_eq!(timer.ms(), None, "setting up");
            assert!(timer.is_due());
            timer.record(Duration::from_millis(7));
            assert_eq!(timer.ms(), Some(7.0));
            timer.forget();
            assert_eq!(timer.ms(), None);
        }
    }
}
