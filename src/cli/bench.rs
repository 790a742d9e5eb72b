//! `smirk bench`: measures the time of blending on this machine, in every mode.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;

use super::input::open_head;
use super::text::{ProgressLine, print, print_json};
use super::values::{one_of, seconds};
use smirk_base::progress::Progress;
use smirk_editor::bench::{self, Amount, Plan};
use smirk_graphics::blend::Precision;
use smirk_graphics::gpu::{Gpu, Prefer};
use smirk_scene::BlendMode;

/// The number of weight vectors for each number of active channels, unless a file gives them.
const SETS: usize = 5;

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Head to blend; without it, the bundled head
    file: Option<PathBuf>,
    /// Write JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Numbers of active channels; those that exceed the head's are left out [default: 1,6,12,25,50,all]
    #[arg(long, value_name = "K,K,…|all", value_delimiter = ',', value_parser = str::parse::<Amount>)]
    targets: Vec<Amount>,
    /// Blend modes [default: all]
    #[arg(long, value_name = "cpu,vertex,compute,multipass", value_delimiter = ',', value_parser = one_of(BlendMode::ALL, BlendMode::keyword))]
    mode: Vec<BlendMode>,
    /// Only the exact layout of 32-bit floats
    #[arg(long)]
    exact: bool,
    /// Blend only positions, as if the file had no normals and no tangents
    #[arg(long)]
    positions: bool,
    /// Weights to set instead of random ones: {"6": [[one weight per target, …], …], "all": …}
    #[arg(long, value_name = "JSON", conflicts_with_all = ["tiles", "synthetic_targets"])]
    weights: Option<PathBuf>,
    /// Number of copies of the head, side by side, for a larger mesh
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    tiles: u32,
    /// Number of channels: first those of the head, then made-up ones of the same extent
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=5000))]
    synthetic_targets: Option<u32>,
    /// Seconds of measurement per number
    #[arg(long, value_name = "SECONDS", default_value_t = 0.3, value_parser = seconds())]
    budget: f32,
}

/// Runs the measurement and writes the report to standard output.
pub(super) fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let head = head(args)?;
    let amounts = if args.targets.is_empty() { &Amount::DEFAULT[..] } else { &args.targets[..] };
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
    let line = ProgressLine::new();
    let measured = bench::measure(
        &head,
        gpu.as_ref(),
        &plan,
        Progress::new(&|stage, fraction| line.show_stage(&bar(stage, fraction))),
    );
    line.clear();
    let report = measured?;
    if args.json { print_json(&report) } else { print(&bench::text(&report)) }
}

fn head(args: &BenchArgs) -> anyhow::Result<Arc<smirk_face::head::Head>> {
    let mut head = open_head(args.file.as_ref())?;
    if args.positions {
        head = bench::positions_only(head);
    }
    if args.tiles > 1 || args.synthetic_targets.is_some() {
        let channel_count = args.synthetic_targets.map_or(head.channels.len(), |count| count as usize);
        head = bench::enlarge(head, args.tiles as usize, channel_count)?;
    }
    Ok(Arc::new(head))
}

/// The graphics adapter, or `None` if no mode needs one. If the machine has none, the CPU mode can still be measured.
fn adapter(modes: &[BlendMode]) -> Option<Gpu> {
    if !modes.iter().any(|mode| mode.needs_adapter()) {
        return None;
    }
    let gpu = Gpu::headless(Prefer::Hardware);
    gpu.inspect_err(|error| log::warn!("only the CPU mode is measured: {error}")).ok()
}

/// A progress bar as text, followed by the current step.
fn bar(stage: &str, fraction: f32) -> String {
    const LENGTH: usize = 24;
    let done = ((fraction * LENGTH as f32) as usize).min(LENGTH);
    let bar = "█".repeat(done) + &"░".repeat(LENGTH - done);
    format!("{bar} {:3.0} %  {stage}", fraction * 100.0)
}
