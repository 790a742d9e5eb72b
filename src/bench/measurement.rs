//! The measurement: on whatever thread it is called, telling how far it is, until it is done or given up.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::draw::Draw;
use super::on_cpu::OnCpu;
use super::passes::Passes;
use super::report::{HeadFacts, LayoutFacts, Report, Row, keyword};
use super::sampler::{self, Times};
use super::{BenchError, Case, NORMALS, copy};
use crate::blend::{Active, BlendMode, Layout, MorphedVertex, Precision, compare};
use crate::gpu::Gpu;
use crate::head::Head;
use crate::readout::Clock;
use crate::render::{HeadOnGpu, Renderer};

/// Is told what is being measured, and how far (0..1) it is; `Break` gives it up.
pub type Progress<'a> = dyn FnMut(&str, f32) -> ControlFlow<()> + 'a;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Weights, by rising numbers of active channels.
    pub cases: Vec<Case>,
    /// Who blends.
    pub modes: Vec<BlendMode>,
    /// How deltas are kept.
    pub precisions: Vec<Precision>,
    /// How long each number is measured.
    pub budget_secs: f64,
}

impl Plan {
    /// Every mode and layout.
    pub fn new(cases: Vec<Case>) -> Self {
        let (modes, precisions) = (BlendMode::ALL.to_vec(), vec![Precision::Packed, Precision::Exact]);
        Self { cases, modes, precisions, budget_secs: 0.3 }
    }
}

/// Measures a head. Without an adapter, what the processor does.
pub fn measure(
    head: &Arc<Head>,
    gpu: Option<&Gpu>,
    plan: &Plan,
    progress: &mut Progress<'_>,
) -> Result<Report, BenchError> {
    if plan.cases.is_empty() || head.channels.is_empty() {
        return Err(BenchError::NothingMorphs { head: head.name.clone() });
    }
    let mut measurement = Measurement::new(head, gpu, plan, progress)?;
    for &precision in &plan.precisions {
        measurement.measure_layout(precision)?;
    }
    let mut report = measurement.report;
    if let Some(first) = report.head.layouts.first() {
        (report.head.bytes_cpu, report.head.bytes_gpu) = (first.bytes_cpu, first.bytes_gpu);
    }
    report.compare_with_paper();
    Ok(report)
}

/// A report in the making.
struct Measurement<'a, 'b> {
    head: &'a Arc<Head>,
    gpu: Option<&'a Gpu>,
    plan: &'a Plan,
    pools: Vec<ThreadPool>,
    progress: &'a mut Progress<'b>,
    steps_done: usize,
    report: Report,
}

/// What a row says besides its times.
#[derive(Clone, Copy)]
struct Subject {
    mode: BlendMode,
    precision: Precision,
    threads: Option<usize>,
    clock: Clock,
}

impl<'a, 'b> Measurement<'a, 'b> {
    fn new(
        head: &'a Arc<Head>,
        gpu: Option<&'a Gpu>,
        plan: &'a Plan,
        progress: &'a mut Progress<'b>,
    ) -> Result<Self, BenchError> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut counts = vec![1, threads];
        counts.dedup();
        let pool = |count: usize| ThreadPoolBuilder::new().num_threads(count).build();
        let pools = counts.into_iter().map(pool).collect::<Result<Vec<_>, _>>()?;
        if progress("memory bandwidth", 0.0).is_break() {
            return Err(BenchError::Cancelled);
        }
        let deltas = |mesh: &crate::head::Mesh| mesh.targets.iter().map(|target| target.rows.len()).sum::<usize>();
        let head_facts = HeadFacts {
            name: head.name.clone(),
            vertices: head.vertex_count(),
            targets: head.target_count(),
            channels: head.channels.len(),
            deltas: head.meshes.iter().map(deltas).sum(),
            bytes_cpu: 0,
            bytes_gpu: None,
            layouts: Vec::new(),
        };
        let report = Report {
            adapter: gpu.map(|gpu| format!("{}, {}", gpu.info.name, gpu.info.backend)),
            head: head_facts,
            threads,
            copy_gb_per_s: copy::gb_per_sec(),
            copy_gb_per_s_gpu: gpu.and_then(copy::gb_per_sec_on),
            submit_ms: gpu.map(|gpu| copy::submit_time(gpu).ms_median),
            draw_ms: None,
            rows: Vec::new(),
            paper: BTreeMap::new(),
            notes: Vec::new(),
        };
        Ok(Self { head, gpu, plan, pools, progress, steps_done: 0, report })
    }

    fn measure_layout(&mut self, precision: Precision) -> Result<(), BenchError> {
        self.tell(&format!("laying out {}", keyword(precision)))?;
        let layout = Arc::new(Layout::new(self.head, precision));
        let mut renderer = self.gpu.map(|gpu| {
            let mut renderer = Renderer::new(gpu);
            renderer.set_head(HeadOnGpu::new(gpu, self.head.clone(), layout.clone()));
            renderer
        });
        let bytes_gpu = renderer.as_ref().map(|renderer| renderer.memory().gpu_bytes);
        let bytes_cpu = layout.bytes();
        self.report.head.layouts.push(LayoutFacts { layout: precision, bytes_cpu, bytes_gpu });
        for &mode in &self.plan.modes {
            match (mode, &mut renderer, self.gpu) {
                (BlendMode::Cpu, renderer, _) => self.measure_cpu(precision, &layout, renderer.as_mut())?,
                (_, Some(renderer), Some(gpu)) => match renderer.unavailable(mode) {
                    Some(reason) => self.note(format!("{} mode is not available: {reason}", mode.label())),
                    None if mode == BlendMode::Vertex => self.measure_draw(precision, &layout, renderer, gpu)?,
                    None => self.measure_passes(mode, precision, &layout, renderer, gpu)?,
                },
                _ => self.note(format!("{} mode needs a graphics adapter, and there is none", mode.label())),
            }
        }
        Ok(())
    }

    fn measure_cpu(
        &mut self,
        precision: Precision,
        layout: &Arc<Layout>,
        mut renderer: Option<&mut Renderer>,
    ) -> Result<(), BenchError> {
        for pool in 0..self.pools.len() {
            let threads = Some(self.pools[pool].current_num_threads());
            let subject = Subject { mode: BlendMode::Cpu, precision, threads, clock: Clock::Cpu };
            let mut on_cpu = OnCpu::new(layout.clone());
            for case in &self.plan.cases {
                self.step(subject, case)?;
                let budget_secs = self.plan.budget_secs / case.sets.len() as f64;
                let head = self.head;
                let (all, one) = self.pools[pool].install(|| {
                    let mut evaluate = |weights: &[f32]| on_cpu.evaluate(weights);
                    let all: Vec<Times> =
                        case.sets.iter().map(|set| sampler::all_changing(budget_secs, set, &mut evaluate)).collect();
                    let one: Vec<Times> = case
                        .sets
                        .iter()
                        .map(|set| sampler::one_changing(budget_secs, head, set, &mut evaluate))
                        .collect();
                    (all, one)
                });
                let error = renderer.as_mut().and_then(|renderer| self.largest_error(case, renderer, BlendMode::Cpu));
                self.add(subject, layout, case, &all, error);
                self.add_one_moved(subject, layout, case, &one);
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
        let passes = Passes::new(gpu, self.report.submit_ms.unwrap_or(0.0));
        let clock = if passes.is_on_gpu_clock() { Clock::Gpu } else { Clock::Cpu };
        let subject = Subject { mode, precision, threads: None, clock };
        for case in &self.plan.cases {
            self.step(subject, case)?;
            let budget_secs = self.plan.budget_secs / case.sets.len() as f64;
            let Some(blender) = renderer.blender_mut() else { return Ok(()) };
            let mut evaluate = |weights: &[f32]| passes.evaluate(blender, mode, weights);
            let all: Vec<Times> =
                case.sets.iter().map(|set| sampler::all_changing(budget_secs, set, &mut evaluate)).collect();
            let one: Vec<Times> =
                case.sets.iter().map(|set| sampler::one_changing(budget_secs, self.head, set, &mut evaluate)).collect();
            let error = self.largest_error(case, renderer, mode);
            self.add(subject, layout, case, &all, error);
            self.add_one_moved(subject, layout, case, &one);
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
        let clock = if gpu.has_timestamps && !gpu.is_software() { Clock::Gpu } else { Clock::Cpu };
        let subject = Subject { mode: BlendMode::Vertex, precision, threads: None, clock };
        let mut draw = Draw::new(gpu, self.head);
        for case in &self.plan.cases {
            self.step(subject, case)?;
            let budget_secs = self.plan.budget_secs / case.sets.len() as f64;
            let mut evaluate = |weights: &[f32]| draw.evaluate(renderer, weights);
            let (at_rest, all): (Vec<Times>, Vec<Times>) =
                case.sets.iter().map(|set| sampler::beside_rest(budget_secs, set, &mut evaluate)).unzip();
            let least = at_rest.iter().map(|times| times.ms_min).fold(f64::INFINITY, f64::min);
            self.report.draw_ms = Some(self.report.draw_ms.map_or(least, |ms| ms.min(least)));
            let error = self.largest_error(case, renderer, BlendMode::Vertex);
            self.add(subject, layout, case, &all, error);
        }
        Ok(())
    }

    /// The worst of the case's sets, as part of the head's size.
    fn largest_error(&self, case: &Case, renderer: &mut Renderer, mode: BlendMode) -> Option<f64> {
        let (gpu, blender) = (self.gpu?, renderer.blender_mut()?);
        let errors = case.sets.iter().map(|set| {
            let morphed: Vec<MorphedVertex> = blender.read_back(gpu, set, mode, NORMALS);
            let deviation = compare(self.head, set, NORMALS, &morphed);
            deviation.max_distance / deviation.head_size.max(deviation.blended_size).max(f64::MIN_POSITIVE)
        });
        errors.reduce(f64::max)
    }

    fn add(
        &mut self,
        subject: Subject,
        layout: &Layout,
        case: &Case,
        times: &[Times],
        max_error_relative: Option<f64>,
    ) {
        let bytes = case.sets.iter().map(|set| {
            let mut active = Active::new(layout);
            active.update(layout, set);
            active.bytes(layout)
        });
        let bytes = bytes.sum::<u64>() / case.sets.len() as u64;
        self.push(subject, case.active, case.active, Times::mean(times), bytes, max_error_relative);
    }

    fn add_one_moved(&mut self, subject: Subject, layout: &Layout, case: &Case, times: &[Times]) {
        if case.active < 2 {
            return;
        }
        let mut active = Active::new(layout);
        let (mut bytes, mut moves) = (0, 0);
        for set in &case.sets {
            for channel in sampler::moved_channels(self.head, set) {
                active.update(layout, set);
                active.update(layout, &sampler::with_moved(self.head, set, channel));
                bytes += active.bytes(layout);
                moves += 1;
            }
        }
        self.push(subject, case.active, 1, Times::mean(times), bytes / moves.max(1), None);
    }

    fn push(
        &mut self,
        subject: Subject,
        active: usize,
        changed: usize,
        times: Times,
        bytes: u64,
        max_error_relative: Option<f64>,
    ) {
        let Subject { mode, precision: layout, threads, clock } = subject;
        let of_gpu = self.report.copy_gb_per_s_gpu.filter(|_| mode != BlendMode::Cpu);
        let copy = of_gpu.unwrap_or(self.report.copy_gb_per_s);
        let fraction = bytes as f64 * 1e-6 / times.ms_min / copy;
        self.report.rows.push(Row {
            mode,
            layout,
            threads,
            active,
            changed,
            ms_min: times.ms_min,
            ms_median: times.ms_median,
            clock,
            bytes,
            bandwidth_fraction: Some(fraction).filter(|fraction| fraction.is_finite()),
            max_error_relative,
        });
    }

    /// Once, however many layouts it is true of.
    fn note(&mut self, note: String) {
        if !self.report.notes.contains(&note) {
            self.report.notes.push(note);
        }
    }

    fn step(&mut self, subject: Subject, case: &Case) -> Result<(), BenchError> {
        let threads = match subject.threads {
            None => String::new(),
            Some(1) => ", 1 thread".into(),
            Some(threads) => format!(", {threads} threads"),
        };
        let (mode, layout) = (subject.mode.label(), keyword(subject.precision));
        self.tell(&format!("{mode}, {layout}{threads}, {} active", case.active))?;
        self.steps_done += 1;
        Ok(())
    }

    fn tell(&mut self, stage: &str) -> Result<(), BenchError> {
        let subjects = |mode: &BlendMode| if *mode == BlendMode::Cpu { self.pools.len() } else { 1 };
        let per_layout = self.plan.modes.iter().map(subjects).sum::<usize>() * self.plan.cases.len();
        let steps = (per_layout * self.plan.precisions.len()).max(1);
        match (self.progress)(stage, self.steps_done as f32 / steps as f32) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(BenchError::Cancelled),
        }
    }
}
