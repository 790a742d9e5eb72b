//! The measurement of all modes. It runs on the calling thread, and reports its progress until it is done or cancelled.

mod on_cpu;
mod passes;
mod sampler;

use std::collections::BTreeMap;
use std::sync::Arc;

use on_cpu::OnCpu;
use passes::{Draw, Passes};
use rayon::{ThreadPool, ThreadPoolBuilder};
use sampler::{CaseTimes, Times};

use super::{Amount, BenchError, Case, HeadFacts, LayoutFacts, NORMALS, Report, Row, random_cases};
use smirk_base::progress::Progress;
use smirk_face::head::{Head, Mesh, Target};
use smirk_graphics::blend::{ActiveTargets, Blender, Layout, MorphedVertex, Precision, compare};
use smirk_graphics::gpu::{DeviceError, Gpu};
use smirk_picture::render::{HeadOnGpu, Renderer, TimingClock};
use smirk_scene::BlendMode;

#[derive(Clone, Debug)]
pub struct Plan {
    /// The weights, by increasing numbers of active channels.
    pub cases: Vec<Case>,
    pub modes: Vec<BlendMode>,
    pub precisions: Vec<Precision>,
    /// The time in seconds that the measurement of one number takes.
    pub budget_secs: f64,
}

impl Plan {
    pub fn new(cases: Vec<Case>) -> Self {
        let (modes, precisions) = (BlendMode::ALL.to_vec(), vec![Precision::Packed, Precision::Exact]);
        Self { cases, modes, precisions, budget_secs: 0.3 }
    }
}

/// Measures a head. Without an adapter, only CPU mode is measured.
pub fn measure(head: &Arc<Head>, gpu: Option<&Gpu>, plan: &Plan, progress: Progress<'_>) -> Result<Report, BenchError> {
    if plan.cases.is_empty() || head.target_channels().is_empty() {
        return Err(BenchError::NothingMorphs { head: head.name.clone() });
    }
    match gpu {
        Some(gpu) => gpu.attempt(|| measure_all(head, Some(gpu), plan, progress))?,
        None => measure_all(head, None, plan, progress),
    }
}

/// Measures every mode on another device of the adapter of `gpu`, so that waiting for the measurement does not slow
/// down the window's device. The times are shorter than those of the command line, so that the artist gets the result
/// in seconds instead of a minute.
pub fn measure_for_window(
    head: &Arc<Head>,
    gpu: &Gpu,
    precision: Precision,
    progress: Progress<'_>,
) -> Result<Report, BenchError> {
    progress.report("opening the adapter", 0.0)?;
    let gpu = gpu.another_device().ok();
    let cases = random_cases(head, &Amount::DEFAULT, 2);
    measure(head, gpu.as_ref(), &Plan { budget_secs: 0.08, precisions: vec![precision], ..Plan::new(cases) }, progress)
}

fn measure_all(head: &Arc<Head>, gpu: Option<&Gpu>, plan: &Plan, progress: Progress<'_>) -> Result<Report, BenchError> {
    let mut measurement = Measurement::new(head, gpu, plan, progress)?;
    for &precision in &plan.precisions {
        measurement.measure_layout(precision)?;
    }
    let mut report = measurement.report;
    if let Some(first) = report.head.layouts.first() {
        (report.head.bytes_cpu, report.head.bytes_gpu) = (first.bytes_cpu, first.bytes_gpu);
    }
    report.notes.extend(report.note_of_noise());
    report.compare_with_paper();
    Ok(report)
}

struct Measurement<'a> {
    head: &'a Arc<Head>,
    gpu: Option<&'a Gpu>,
    plan: &'a Plan,
    pools: Vec<ThreadPool>,
    progress: Progress<'a>,
    steps_done: usize,
    /// An empty submit.
    submit: Times,
    report: Report,
}

impl<'a> Measurement<'a> {
    fn new(
        head: &'a Arc<Head>,
        gpu: Option<&'a Gpu>,
        plan: &'a Plan,
        progress: Progress<'a>,
    ) -> Result<Self, BenchError> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut counts = vec![1, threads];
        counts.dedup();
        let pools = counts.into_iter().map(|count| ThreadPoolBuilder::new().num_threads(count).build());
        let pools = pools.collect::<Result<Vec<_>, _>>()?;
        progress.report("memory bandwidth", 0.0)?;
        let deltas =
            |mesh: &Mesh| mesh.targets.iter().flat_map(Target::shapes).map(|shape| shape.rows.len()).sum::<usize>();
        let head_facts = HeadFacts {
            name: head.name.clone(),
            vertices: head.vertex_count(),
            targets: head.target_count(),
            channels: head.target_channels().len(),
            deltas: head.meshes.iter().map(deltas).sum(),
            bytes_cpu: 0,
            bytes_gpu: None,
            layouts: Vec::new(),
        };
        let submit = gpu.map(passes::submit_time);
        let report = Report {
            adapter: gpu.map(|gpu| format!("{}, {}", gpu.info.name, gpu.info.backend)),
            head: head_facts,
            threads,
            copy_gb_per_s: passes::gb_per_sec(),
            copy_gb_per_s_gpu: gpu.and_then(passes::gb_per_sec_on),
            submit_ms: submit.map(|submit| submit.ms_median),
            draw_ms: None,
            rows: Vec::new(),
            paper: BTreeMap::new(),
            notes: Vec::new(),
        };
        Ok(Self { head, gpu, plan, pools, progress, steps_done: 0, submit: submit.unwrap_or_default(), report })
    }

    fn measure_layout(&mut self, precision: Precision) -> Result<(), BenchError> {
        self.report_progress(&format!("building the {} layout", precision.keyword()))?;
        let layout = Arc::new(Layout::new(self.head, precision));
        let mut renderer = None;
        if let Some(gpu) = self.gpu {
            let head = HeadOnGpu::new(gpu, self.head.clone(), layout.clone())?;
            renderer.insert(Renderer::new(gpu)).set_head(head);
        }
        let bytes_gpu = renderer.as_ref().map(|renderer| renderer.memory().gpu_bytes);
        let bytes_cpu = layout.bytes();
        self.report.head.layouts.push(LayoutFacts { layout: precision, bytes_cpu, bytes_gpu });
        for &mode in &self.plan.modes {
            match mode {
                BlendMode::Cpu => self.measure_cpu(precision, &layout)?,
                BlendMode::Vertex | BlendMode::Compute | BlendMode::Multipass => {
                    self.measure_on_gpu(mode, precision, &layout, renderer.as_mut())?;
                }
            }
        }
        Ok(())
    }

    /// Measures a mode that needs an adapter, or notes why it cannot be measured.
    fn measure_on_gpu(
        &mut self,
        mode: BlendMode,
        precision: Precision,
        layout: &Layout,
        renderer: Option<&mut Renderer>,
    ) -> Result<(), BenchError> {
        let (Some(renderer), Some(gpu)) = (renderer, self.gpu) else {
            self.note(format!("{} mode needs a graphics adapter, and there is none", mode.label()));
            return Ok(());
        };
        if let Some(reason) = renderer.unavailable(mode) {
            self.note(format!("{} mode is not available: {reason}", mode.label()));
            Ok(())
        } else if mode.blends_while_drawing() {
            self.measure_draw(precision, layout, renderer, gpu)
        } else {
            self.measure_passes(mode, precision, layout, renderer, gpu)
        }
    }

    fn measure_cpu(&mut self, precision: Precision, layout: &Arc<Layout>) -> Result<(), BenchError> {
        for pool in 0..self.pools.len() {
            let threads = Some(self.pools[pool].current_num_threads());
            let subject = Subject { mode: BlendMode::Cpu, precision, threads, clock: TimingClock::Cpu };
            let mut on_cpu = OnCpu::new(layout.clone());
            for case in &self.plan.cases {
                self.step(subject, case)?;
                let (head, budget_secs) = (self.head, self.plan.budget_secs);
                let times = self.pools[pool]
                    .install(|| sampler::evaluations(budget_secs, head, case, |weights| on_cpu.evaluate(weights)));
                let error = self.largest_error(case, |weights| Ok(on_cpu.vertices(weights)))?;
                self.add(subject, layout, case, times, error);
            }
        }
        Ok(())
    }

    fn measure_passes(
        &mut self,
        mode: BlendMode,
        precision: Precision,
        layout: &Layout,
        renderer: &mut Renderer,
        gpu: &Gpu,
    ) -> Result<(), BenchError> {
        let passes = Passes::new(gpu);
        let clock = if passes.has_gpu_timestamps() { TimingClock::Gpu } else { TimingClock::Cpu };
        let subject = Subject { mode, precision, threads: None, clock };
        for case in &self.plan.cases {
            self.step(subject, case)?;
            let blender = blender_of(renderer);
            let mut failure = None;
            let times = sampler::evaluations(self.plan.budget_secs, self.head, case, |weights| {
                or_zero(passes.evaluate(&mut *blender, mode, weights), &mut failure)
            });
            if let Some(error) = failure {
                return Err(error.into());
            }
            // Timestamps of the adapter are of the passes alone.
            let times = if passes.has_gpu_timestamps() { times } else { times.without(self.submit) };
            let error = self.largest_error(case, |weights| blender.read_back(gpu, weights, mode, NORMALS))?;
            self.add(subject, layout, case, times, error);
        }
        Ok(())
    }

    fn measure_draw(
        &mut self,
        precision: Precision,
        layout: &Layout,
        renderer: &mut Renderer,
        gpu: &Gpu,
    ) -> Result<(), BenchError> {
        let clock = if gpu.has_timestamps && !gpu.is_software() { TimingClock::Gpu } else { TimingClock::Cpu };
        let subject = Subject { mode: BlendMode::Vertex, precision, threads: None, clock };
        let mut draw = Draw::new(gpu, self.head);
        for case in &self.plan.cases {
            self.step(subject, case)?;
            let mut failure = None;
            let (at_rest, all) = sampler::draws(self.plan.budget_secs, case, |weights| {
                or_zero(draw.evaluate(renderer, weights), &mut failure)
            });
            if let Some(error) = failure {
                return Err(error.into());
            }
            self.report.draw_ms = Some(self.report.draw_ms.map_or(at_rest.ms_min, |ms| ms.min(at_rest.ms_min)));
            let blender = blender_of(renderer);
            let error =
                self.largest_error(case, |weights| blender.read_back(gpu, weights, BlendMode::Vertex, NORMALS))?;
            self.add(subject, layout, case, CaseTimes { all, one: None }, error);
        }
        Ok(())
    }

    fn add(&mut self, subject: Subject, layout: &Layout, case: &Case, times: CaseTimes, error: Option<f64>) {
        let mut all = all_changed(subject, layout, case, times.all);
        all.max_error_relative = error;
        let one = times.one.map(|times| one_changed(subject, layout, self.head, case, times));
        for row in std::iter::once(all).chain(one) {
            let row = row.compared_with_copy(&self.report);
            self.report.rows.push(row);
        }
    }

    /// The largest error of the case's sets, as a fraction of the head's size.
    fn largest_error(
        &self,
        case: &Case,
        mut blend: impl FnMut(&[f32]) -> Result<Vec<MorphedVertex>, DeviceError>,
    ) -> Result<Option<f64>, DeviceError> {
        let mut largest = None;
        for set in &case.sets {
            let deviation = compare(self.head, set, NORMALS, &blend(set)?);
            let error = deviation.max_distance / deviation.head_size.max(f64::MIN_POSITIVE);
            largest = Some(error.max(largest.unwrap_or(0.0)));
        }
        Ok(largest)
    }

    /// Adds a note to the report, unless it is there already from another layout.
    fn note(&mut self, note: String) {
        if !self.report.notes.contains(&note) {
            self.report.notes.push(note);
        }
    }

    fn step(&mut self, subject: Subject, case: &Case) -> Result<(), BenchError> {
        self.report_progress(&format!("{}, {} active", subject.name(), case.active))?;
        self.steps_done += 1;
        Ok(())
    }

    fn report_progress(&self, stage: &str) -> Result<(), BenchError> {
        let modes = self.plan.modes.iter();
        let subjects: usize = modes.map(|mode| if mode.needs_adapter() { 1 } else { self.pools.len() }).sum();
        let per_layout = subjects * self.plan.cases.len();
        let steps = (per_layout * self.plan.precisions.len()).max(1);
        Ok(self.progress.report(stage, self.steps_done as f32 / steps as f32)?)
    }
}

fn blender_of(renderer: &mut Renderer) -> &mut Blender {
    renderer.blender_mut().unwrap_or_else(|| unreachable!("a head is uploaded before it is measured"))
}

/// A time, or 0 if it could not be measured. The error is kept, to be returned when the repetitions end.
fn or_zero<E>(time: Result<f64, E>, failure: &mut Option<E>) -> f64 {
    time.unwrap_or_else(|error| {
        *failure = Some(error);
        0.0
    })
}

/// The subject of a row: a mode, a layout and a number of threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    pub mode: BlendMode,
    pub precision: Precision,
    pub threads: Option<usize>,
    pub clock: TimingClock,
}

impl Subject {
    pub(crate) fn name(self) -> String {
        let threads = match self.threads {
            None => String::new(),
            Some(1) => ", 1 thread".into(),
            Some(threads) => format!(", {threads} threads"),
        };
        format!("{}, {}{threads}", self.mode.label(), self.precision.keyword())
    }

    /// The bytes that a blend in this mode reads and writes after the last update of `active`.
    fn bytes(self, layout: &Layout, active: &ActiveTargets) -> u64 {
        if self.mode.caches_sums() { active.bytes_with_cached_sums(layout) } else { active.bytes(layout) }
    }

    fn row(self, case: &Case, changed: usize, times: Times, bytes: u64) -> Row {
        Row {
            mode: self.mode,
            layout: self.precision,
            threads: self.threads,
            active: case.active,
            changed,
            ms_min: times.ms_min,
            ms_median: times.ms_median,
            ms_noise: times.ms_noise,
            clock: self.clock,
            bytes,
            bandwidth_fraction: None,
            max_error_relative: None,
        }
    }
}

/// The row for a change of every active weight.
fn all_changed(subject: Subject, layout: &Layout, case: &Case, times: Times) -> Row {
    let bytes = case.sets.iter().map(|set| {
        let mut active = ActiveTargets::new(layout);
        active.update(layout, set);
        subject.bytes(layout, &active)
    });
    subject.row(case, case.active, times, bytes.sum::<u64>() / case.sets.len().max(1) as u64)
}

/// The row for a change of one active channel.
fn one_changed(subject: Subject, layout: &Layout, head: &Head, case: &Case, times: Times) -> Row {
    let mut active = ActiveTargets::new(layout);
    let (mut bytes, mut moves) = (0, 0);
    for set in &case.sets {
        for channel in sampler::single_channels(head, set) {
            active.update(layout, set);
            active.update(layout, &sampler::with_changed(head, set, channel));
            bytes += subject.bytes(layout, &active);
            moves += 1;
        }
    }
    subject.row(case, 1, times, bytes / moves.max(1))
}

impl Row {
    /// The row with its speed as a fraction of that of a copy, in the memory that the mode uses.
    pub(super) fn compared_with_copy(self, report: &Report) -> Self {
        let of_gpu = report.copy_gb_per_s_gpu.filter(|_| self.mode.needs_adapter());
        let copy = of_gpu.unwrap_or(report.copy_gb_per_s);
        let fraction = self.bytes as f64 * 1e-6 / self.ms_min / copy;
        Self { bandwidth_fraction: Some(fraction).filter(|fraction| fraction.is_finite()), ..self }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use glam::Vec3;

    use super::super::{Amount, random_cases};
    use super::*;
    use smirk_base::progress::Cancelled;
    use smirk_face::head::{Asset, Vertices};

    fn head(target_count: usize) -> Arc<Head> {
        let deltas = vec![Vec3::X; 100];
        let target = |index| Target::from_dense(format!("t{index}"), 0.0, &deltas, &[], &[]);
        let mesh = Mesh {
            name: "mesh".into(),
            vertices: Vertices { positions: deltas.clone(), normals: vec![Vec3::Z; 100], ..Vertices::default() },
            targets: (0..target_count).map(target).collect(),
            ..Mesh::default()
        };
        Arc::new(Head::new(Asset { name: "head".into(), meshes: vec![mesh], ..Asset::default() }))
    }

    fn plan(head: &Head) -> Plan {
        Plan { budget_secs: 0.0, ..Plan::new(random_cases(head, &Amount::DEFAULT, 2)) }
    }

    #[test]
    fn without_an_adapter_cpu_mode_is_measured_and_the_others_are_noted() {
        let head = head(8);
        let fractions = RefCell::new(Vec::new());
        let progress = |_: &str, fraction: f32| {
            fractions.borrow_mut().push(fraction);
            Ok(())
        };
        let report = measure(&head, None, &plan(&head), Progress::new(&progress)).unwrap();
        let fractions = fractions.into_inner();
        assert!(report.rows.iter().all(|row| row.mode == BlendMode::Cpu && row.bytes > 0));
        assert_eq!(report.notes.len(), 3, "{:?}", report.notes);
        assert!(fractions.is_sorted() && fractions[0] == 0.0 && fractions.last() < Some(&1.0), "{fractions:?}");
    }

    #[test]
    fn a_measurement_can_be_cancelled() {
        let head = head(2);
        let calls = Cell::new(0);
        let third = |_: &str, _: f32| {
            calls.set(calls.get() + 1);
            if calls.get() == 3 { Err(Cancelled) } else { Ok(()) }
        };
        let report = measure(&head, None, &plan(&head), Progress::new(&third));
        assert!(matches!(report, Err(BenchError::Cancelled(_))) && calls.get() == 3);
    }

    #[test]
    fn a_head_without_targets_is_refused_by_name() {
        let error = measure(&head(0), None, &plan(&head(0)), Progress::NONE).unwrap_err();
        assert!(error.to_string().starts_with("head has no morph targets"), "{error}");
    }
}
