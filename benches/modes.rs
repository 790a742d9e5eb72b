//! What one frame costs in each blend mode, against the number of active targets.
//!
//! `cargo bench --bench modes -- [FILE]`: the head inside the program unless a file is named. Positions and normals. Blend
//! and draw are the GPU's own clock (the processor's for the CPU mode, upload included, and for blends of software adapters);
//! frame is the clock around submit and wait. The least of many frames in which every active weight changes.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use smirk::blend::{BlendMode, Layout, Precision};
use smirk::gpu::{Gpu, Prefer};
use smirk::head::Head;
use smirk::import;
use smirk::render::{HeadOnGpu, Renderer};
use smirk::scene::{Camera, Look, Quality, Scene, View};

/// Small, so that vertices and not pixels are what is timed.
const SIZE: [u32; 2] = [64, 64];
const FRAMES: u32 = 150;

fn main() -> anyhow::Result<()> {
    let file = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let head = Arc::new(match &file {
        Some(file) => import::open(Path::new(file))?,
        None => import::embedded()?,
    });
    let gpu = Gpu::headless(Prefer::Hardware)?;
    let mut renderer = Renderer::new(&gpu);
    renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), Arc::new(Layout::new(&head, Precision::Packed))));
    let (vertices, channels) = (head.vertex_count(), head.channels.len());
    println!("{}: {vertices} vertices, {channels} channels, on {}; ms", head.name, gpu.info.name);
    println!("{:14} {:>6} {:>8} {:>8} {:>8}", "mode", "active", "blend", "draw", "frame");
    for mode in BlendMode::ALL {
        for active in [0, 1, 6, 25, channels].into_iter().filter(|&active| active <= channels) {
            let [blend, draw, frame] = least_ms(&gpu, &mut renderer, &head, mode, active);
            let blend = if blend.is_finite() { format!("{blend:.3}") } else { "in draw".into() };
            println!("{:14} {active:>6} {blend:>8} {draw:>8.3} {frame:>8.3}", mode.label());
        }
    }
    Ok(())
}

/// Blend, draw and frame.
fn least_ms(gpu: &Gpu, renderer: &mut Renderer, head: &Arc<Head>, mode: BlendMode, active: usize) -> [f32; 3] {
    let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    let mut least = [f32::INFINITY; 3];
    for frame in 0..FRAMES {
        let mut weights = vec![0.0; head.target_count()];
        for channel in &head.channels[..active] {
            channel.targets.iter().for_each(|&target| weights[target] = 0.4 + 0.003 * frame as f32);
        }
        // Something has to differ for a frame to be drawn at all.
        let look = Look { exposure: frame as f32 * 1e-3, ..Look::default() };
        let began = Instant::now();
        renderer.draw(&Scene {
            head,
            weights: &weights,
            mode,
            camera: &camera,
            look: &look,
            size: SIZE,
            quality: Quality { samples: 1, scale: 1.0 },
        });
        gpu.wait();
        let frame_ms = began.elapsed().as_secs_f32() * 1000.0;
        let timing = renderer.timing();
        // The first frames of a mode still carry the switch.
        if frame >= 5 {
            let now = [timing.blend.map_or(f32::NAN, |(ms, _)| ms), timing.draw_ms.unwrap_or(f32::NAN), frame_ms];
            for (least, now) in least.iter_mut().zip(now) {
                *least = least.min(now);
            }
        }
    }
    least
}
