//! How long the last blend and the last draw took.

mod gpu_timer;
mod wait_timer;

pub(crate) use gpu_timer::GpuTimer;
pub(crate) use wait_timer::WaitTimer;

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
    /// Milliseconds; none in vertex mode, where blending is a part of drawing, and before the first answer of the GPU.
    pub blend: Option<(f32, TimingClock)>,
    /// Milliseconds, from the GPU's timestamp queries; none where the adapter has none.
    pub draw_ms: Option<f32>,
}
