//! Which blend mode suits an adapter. On a software adapter this is compute mode, because its vertex stage runs on one
//! thread. On any other adapter, vertex mode and compute mode are measured once, while the window already shows a head,
//! and the quicker one is chosen.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Amount, Plan, Row, measure, random_cases};
use smirk_base::progress::Progress;
use smirk_files::import;
use smirk_graphics::blend::Precision;
use smirk_graphics::gpu::Gpu;
use smirk_scene::BlendMode;

/// The blend mode that suits an adapter. It is saved with the settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuitedMode {
    pub adapter: String,
    /// The driver interface it was opened through, such as `vulkan`. It is empty in settings of earlier versions. Such
    /// settings are not used for any adapter, because they may have been measured on another one of the same machine.
    #[serde(default)]
    pub backend: String,
    pub mode: BlendMode,
}

impl SuitedMode {
    fn new(gpu: &Gpu, mode: BlendMode) -> Self {
        Self { adapter: gpu.info.name.clone(), backend: gpu.info.backend.to_string(), mode }
    }

    pub fn is_of(&self, gpu: &Gpu) -> bool {
        *self == Self::new(gpu, self.mode)
    }
}

/// Measures the bundled head on another device of the adapter of `gpu`. If that fails, the result is
/// compute mode.
pub fn suited_mode(gpu: &Gpu, progress: Progress<'_>) -> SuitedMode {
    SuitedMode::new(gpu, quicker_on(gpu, progress).unwrap_or(BlendMode::Compute))
}

/// `None` if the device does not open, something it needs is missing, or the measurement is cancelled.
fn quicker_on(gpu: &Gpu, progress: Progress<'_>) -> Option<BlendMode> {
    let head = Arc::new(import::embedded().ok()?);
    let gpu = gpu.another_device().ok()?;
    let plan = Plan {
        modes: vec![BlendMode::Vertex, BlendMode::Compute],
        precisions: vec![Precision::Packed],
        budget_secs: 0.1,
        ..Plan::new(random_cases(&head, &[Amount::Number(12)], 1))
    };
    let report = measure(&head, Some(&gpu), &plan, progress).ok()?;
    Some(quicker(&report.rows))
}

/// Compute, unless the vertex stage is quicker with all weights changed.
fn quicker(rows: &[Row]) -> BlendMode {
    let [vertex_ms, compute_ms] = [BlendMode::Vertex, BlendMode::Compute].map(|mode| {
        let rows = rows.iter().filter(|row| row.mode == mode && row.changed == row.active);
        rows.map(|row| row.ms_median).fold(f64::INFINITY, f64::min)
    });
    if vertex_ms < compute_ms { BlendMode::Vertex } else { BlendMode::Compute }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::progress::Cancelled;
    use smirk_graphics::gpu::Prefer;
    use smirk_picture::render::TimingClock;

    fn row(mode: BlendMode, changed: usize, ms_median: f64) -> Row {
        Row {
            mode,
            layout: Precision::Packed,
            threads: None,
            active: 12,
            changed,
            ms_min: ms_median,
            ms_noise: 0.0,
            ms_median,
            clock: TimingClock::Gpu,
            bytes: 0,
            bandwidth_fraction: None,
            max_error_relative: None,
        }
    }

    #[test]
    fn the_quicker_one_suits() {
        let compute = [row(BlendMode::Compute, 12, 0.2), row(BlendMode::Compute, 1, 0.01)];
        let with_vertex = |ms| [row(BlendMode::Vertex, 12, ms)].into_iter().chain(compute.clone()).collect::<Vec<_>>();
        assert_eq!(quicker(&with_vertex(0.1)), BlendMode::Vertex);
        assert_eq!(quicker(&with_vertex(0.3)), BlendMode::Compute);
        assert_eq!(quicker(&compute), BlendMode::Compute, "no vertex mode");
    }

    #[test]
    fn the_adapter_of_the_window_is_measured_and_named() {
        let mut gpu = Gpu::headless(Prefer::Software).unwrap();
        // The measurement must use the given adapter, and not the first one of the machine.
        gpu.info.name = "the window's adapter".into();
        let suited = suited_mode(&gpu, Progress::NONE);
        assert_eq!(suited.adapter, "the window's adapter");
        assert!(suited.is_of(&gpu));
        assert_eq!(quicker_on(&gpu, Progress::new(&|_, _| Err(Cancelled))), None, "cancelled");
    }

    #[test]
    fn what_an_earlier_version_measured_fits_no_adapter() {
        let gpu = Gpu::headless(Prefer::Software).unwrap();
        let text = format!(r#"{{"adapter":{:?},"mode":"vertex"}}"#, gpu.info.name);
        assert!(!serde_json::from_str::<SuitedMode>(&text).unwrap().is_of(&gpu));
    }
}
