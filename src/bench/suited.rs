//! Which blend mode suits an adapter: a software one's vertex stage runs on one thread, so compute; of any other it is
//! measured, once, while the window already shows something.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, channel};

use serde::{Deserialize, Serialize};

use super::{Amount, Plan, Row, measure, random_cases};
use crate::blend::{BlendMode, Precision};
use crate::gpu::{Gpu, Prefer};
use crate::import;

/// What was found out about an adapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suited {
    /// Its name.
    pub adapter: String,
    /// What suits it.
    pub mode: BlendMode,
}

impl Suited {
    /// Begins to measure the bundled head on a thread and a device of its own. The answer comes once, after which `wake` is
    /// called; never where something is missing.
    pub fn find(wake: impl Fn() + Send + 'static) -> Receiver<Self> {
        let (send, answer) = channel();
        let work = move || {
            if let Some(suited) = measured() {
                let _ = send.send(suited);
                wake();
            }
        };
        // Without a thread there is no answer, and the adapter's kind decides.
        let _ = std::thread::Builder::new().name("suited mode".into()).spawn(work);
        answer
    }
}

fn measured() -> Option<Suited> {
    let head = std::sync::Arc::new(import::embedded().ok()?);
    let gpu = Gpu::headless(Prefer::Hardware).ok()?;
    gpu.report_errors();
    let plan = Plan {
        modes: vec![BlendMode::Vertex, BlendMode::Compute],
        precisions: vec![Precision::Packed],
        budget_secs: 0.1,
        ..Plan::new(random_cases(&head, &[Amount::Number(12)], 1))
    };
    let report = measure(&head, Some(&gpu), &plan, &mut |_, _| ControlFlow::Continue(())).ok()?;
    Some(Suited { adapter: gpu.info.name.clone(), mode: quicker(&report.rows) })
}

/// Compute, unless the vertex stage is quicker with all weights changed.
fn quicker(rows: &[Row]) -> BlendMode {
    let ms = |mode: BlendMode| {
        let rows = rows.iter().filter(|row| row.mode == mode && row.changed == row.active);
        rows.map(|row| row.ms_median).fold(f64::INFINITY, f64::min)
    };
    if ms(BlendMode::Vertex) < ms(BlendMode::Compute) { BlendMode::Vertex } else { BlendMode::Compute }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readout::Clock;

    fn row(mode: BlendMode, changed: usize, ms_median: f64) -> Row {
        Row {
            mode,
            layout: Precision::Packed,
            threads: None,
            active: 12,
            changed,
            ms_min: ms_median,
            ms_median,
            clock: Clock::Gpu,
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
    fn an_adapter_is_measured_under_its_name() {
        let gpu = Gpu::headless(Prefer::Hardware).unwrap();
        assert_eq!(measured().unwrap().adapter, gpu.info.name);
    }
}
