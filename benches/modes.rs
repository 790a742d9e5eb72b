//! Time of one evaluation per blend mode, against the number of active targets.
//!
//! `cargo bench --bench modes -- [FILE]`: the head inside the program unless a file is named. GPU modes are timed by
//! the clock around submit and wait, so that all rows include the same overhead; the least of many is printed.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use smirk::blend::{BlendMode, Blender, Layout};
use smirk::gpu::{Gpu, Prefer};
use smirk::import;

fn main() -> anyhow::Result<()> {
    let file = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let head = match &file {
        Some(file) => import::open(Path::new(file))?,
        None => import::embedded()?,
    };
    let gpu = Gpu::headless(Prefer::Hardware)?;
    let layout = Arc::new(Layout::new(&head));
    let targets = head.channels.len();
    println!("{} · {} vertices · {targets} channels · {}", head.name, head.vertex_count(), gpu.info.name);
    let mut blender = Blender::new(&gpu, layout);
    println!("{:>7} {}", "active", BlendMode::ALL.map(|mode| format!("{:>14}", mode.label())).concat());
    for active in [1, 6, 25, targets].into_iter().filter(|&active| active <= targets) {
        let times = BlendMode::ALL.map(|mode| format!("{:>11.3} ms", least_ms(&gpu, &mut blender, &head, mode, active)));
        println!("{active:>7} {}", times.concat());
    }
    Ok(())
}

/// The vertex mode blends while drawing: what is timed is drawing its points.
fn least_ms(gpu: &Gpu, blender: &mut Blender, head: &smirk::head::Head, mode: BlendMode, active: usize) -> f64 {
    let mut least = Duration::MAX;
    for round in 0..40 {
        let mut weights = vec![0.0; head.target_count()];
        for channel in &head.channels[..active] {
            channel.targets.iter().for_each(|&target| weights[target] = 0.5 + 0.01 * round as f32);
        }
        let began = Instant::now();
        blender.evaluate(gpu, &weights, mode);
        least = least.min(began.elapsed());
    }
    least.as_secs_f64() * 1000.0
}
