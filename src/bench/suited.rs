//! Which blend mode suits an adapter: a software one's vertex stage runs on one thread, so compute; of any other it is
//! measured, once, while the window already shows something.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;

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

/// A measurement under way, on a thread and a device of its own.
#[derive(Debug)]
pub struct Finding {
    answer: Receiver<Suited>,
    given_up: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Finding {
    /// Waits for the step under way: a program must not end while a thread of it is with the graphics driver.
    fn drop(&mut self) {
        self.given_up.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It has said what it had to say.
            let _ = thread.join();
        }
    }
}

impl Finding {
    /// Begins to measure the bundled head on the `adapter` of that name; `wake` is called when the answer is there.
    pub fn start(adapter: String, wake: impl Fn() + Send + 'static) -> Self {
        let (send, answer) = channel();
        let given_up = Arc::new(AtomicBool::new(false));
        let is_given_up = given_up.clone();
        let work = move || {
            let mode = measured_on(&adapter, &is_given_up).unwrap_or(BlendMode::Compute);
            // Nobody listens any more when the window is closing.
            let _ = send.send(Suited { mode, adapter });
            wake();
        };
        // Without a thread there is no answer, and compute stays.
        let thread = std::thread::Builder::new().name("suited mode".into()).spawn(work).ok();
        Self { answer, given_up, thread }
    }

    /// The answer, once.
    pub fn answer(&self) -> Option<Suited> {
        self.answer.try_recv().ok()
    }
}

/// None where a device without a window is not of that adapter, something is missing, or nobody wants to know any more.
fn measured_on(adapter: &str, is_given_up: &AtomicBool) -> Option<BlendMode> {
    let head = Arc::new(import::embedded().ok()?);
    let gpu = Gpu::headless(Prefer::Hardware).ok().filter(|gpu| gpu.info.name == adapter)?;
    let plan = Plan {
        modes: vec![BlendMode::Vertex, BlendMode::Compute],
        precisions: vec![Precision::Packed],
        budget_secs: 0.1,
        ..Plan::new(random_cases(&head, &[Amount::Number(12)], 1))
    };
    let mut go_on = |_: &str, _: f32| {
        if is_given_up.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let report = measure(&head, Some(&gpu), &plan, &mut go_on).ok()?;
    Some(quicker(&report.rows))
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
    use crate::render::TimingClock;

    fn row(mode: BlendMode, changed: usize, ms_median: f64) -> Row {
        Row {
            mode,
            layout: Precision::Packed,
            threads: None,
            active: 12,
            changed,
            ms_min: ms_median,
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
    fn an_adapter_is_measured_under_its_name() {
        let gpu = Gpu::headless(Prefer::Hardware).unwrap();
        let wanted = AtomicBool::new(false);
        assert!(measured_on(&gpu.info.name, &wanted).is_some());
        assert_eq!(measured_on("another adapter", &wanted), None);
        assert_eq!(measured_on(&gpu.info.name, &AtomicBool::new(true)), None, "nobody waits for it");
    }
}
