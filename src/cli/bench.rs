//! `smirk bench`: what blending costs here, in every mode.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;

use crate::bench::{self, Amount, Plan};
use crate::blend::{BlendMode, Precision};
use crate::gpu::{Gpu, Prefer};

/// Weight vectors per number of active channels, if none are given.
const SETS: usize = 5;

/// Arguments of `smirk bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Head to blend; without it, the head inside the program
    file: Option<PathBuf>,
    /// Write JSON instead of tables
    #[arg(long)]
    json: bool,
    /// How many channels are active; numbers beyond the head's are left out [default: 1,6,12,25,50,all]
    #[arg(long, value_name = "K,K,…|all", value_delimiter = ',', value_parser = str::parse::<Amount>)]
    targets: Vec<Amount>,
    /// Who blends [default: all four]
    #[arg(long, value_name = "cpu,vertex,compute,multipass", value_delimiter = ',', value_parser = super::mode::mode)]
    mode: Vec<BlendMode>,
    /// Only the exact layout of 32-bit floats
    #[arg(long)]
    exact: bool,
    /// Only positions, as if the file had no normals and no tangents
    #[arg(long)]
    positions: bool,
    /// Weights to set instead of random ones: {"6": [[one weight per target, …], …], "all": …}
    #[arg(long, value_name = "JSON", conflicts_with_all = ["tiles", "synthetic_targets"])]
    weights: Option<PathBuf>,
    /// A larger head: so many copies of it side by side
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    tiles: u32,
    /// A head with so many channels: its own, then some made up that reach as far
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=5000))]
    synthetic_targets: Option<u32>,
    /// Seconds each number is measured for
    #[arg(long, value_name = "SECONDS", default_value_t = 0.3, value_parser = super::seconds)]
    budget: f32,
}

/// Measures and writes the report to standard output.
pub fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let head = head(args)?;
    let amounts = if args.targets.is_empty() { &Amount::USUAL[..] } else { &args.targets[..] };
    let cases = match &args.weights {
        Some(file) => bench::read_cases(file, &head, (!args.targets.is_empty()).then_some(amounts))?,
        None => bench::random_cases(&head, amounts, SETS),
    };
    if cases.is_empty() && !head.channels.is_empty() {
        bail!(
            "--targets asks for more than the {} channels of {}; `all` is as many as it has",
            head.channels.len(),
            head.name
        );
    }
    let mut plan = Plan { budget_secs: args.budget.into(), ..Plan::new(cases) };
    if !args.mode.is_empty() {
        plan.modes.retain(|mode| args.mode.contains(mode));
    }
    if args.exact {
        plan.precisions = vec![Precision::Exact];
    }
    let gpu = adapter(&plan.modes);
    let mut line = ProgressLine::new();
    let measured = bench::measure(&head, gpu.as_ref(), &plan, &mut |stage, fraction| line.show(stage, fraction));
    line.clear();
    let report = measured?;
    super::print(&if args.json { serde_json::to_string_pretty(&report)? + "\n" } else { bench::text(&report) })
}

fn head(args: &BenchArgs) -> anyhow::Result<Arc<crate::head::Head>> {
    let mut head = super::open_head(args.file.as_ref())?;
    if args.positions {
        head = bench::positions_only(head);
    }
    if args.tiles > 1 || args.synthetic_targets.is_some() {
        let channel_count = args.synthetic_targets.map_or(head.channels.len(), |count| count as usize);
        head = bench::enlarge(head, args.tiles as usize, channel_count)?;
    }
    Ok(Arc::new(head))
}

/// The adapter, if anything needs one. Without one the processor can still be measured.
fn adapter(modes: &[BlendMode]) -> Option<Gpu> {
    if modes.iter().all(|&mode| mode == BlendMode::Cpu) {
        return None;
    }
    let gpu = Gpu::headless(Prefer::Hardware);
    gpu.inspect_err(|error| log::warn!("only the CPU mode is measured: {error}")).ok()
}

/// A line that rewrites itself, for someone who watches; a script sees nothing of it.
struct ProgressLine {
    is_watched: bool,
}

impl ProgressLine {
    const BAR: usize = 24;

    fn new() -> Self {
        Self { is_watched: std::io::stderr().is_terminal() }
    }

    fn show(&mut self, stage: &str, fraction: f32) -> ControlFlow<()> {
        if self.is_watched {
            let done = ((fraction * Self::BAR as f32) as usize).min(Self::BAR);
            let bar = "█".repeat(done) + &"░".repeat(Self::BAR - done);
            self.write(&format!("\r\x1b[K{bar} {:3.0} %  {stage}", fraction * 100.0));
        }
        ControlFlow::Continue(())
    }

    fn clear(&mut self) {
        if self.is_watched {
            self.write("\r\x1b[K");
        }
    }

    fn write(&self, text: &str) {
        let mut stderr = std::io::stderr().lock();
        // A terminal that is gone is no reason to stop.
        let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
    }
}
