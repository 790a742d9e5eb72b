//! How long the last blend and the last draw took.

mod gpu_timer;
mod wait_timer;

pub(super) use gpu_timer::GpuTimer;
pub(super) use wait_timer::WaitTimer;

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
    /// The duration of the blend in milliseconds, and the clock. `None` in vertex mode, in which blending is a part of drawing,
    /// and before the first result of the GPU has arrived.
    pub blend: Option<(f32, TimingClock)>,
    /// The duration of the draw in milliseconds, measured with timestamp queries. `None` if the adapter has none.
    pub draw_ms: Option<f32>,
}
