//! Drawing a picture of the bundled head, with more and more samples: `cargo bench --bench picture`. With 0 samples it is the picture
//! of a head that moves.

use std::sync::Arc;

use divan::Bencher;
use smirk::blend::{BlendMode, Layout, Precision};
use smirk::gpu::{Gpu, Prefer};
use smirk::render::{HeadOnGpu, Renderer};
use smirk::scene::{Camera, Look, Quality, Scene, View};

fn main() {
    divan::main();
}

#[divan::bench(args = [0, 1, 8, 16, 64], sample_count = 10)]
fn samples_at_1280_by_720(bencher: Bencher, samples: u32) {
    let head = Arc::new(smirk::import::embedded().expect("the head inside the program"));
    let gpu = Gpu::headless(Prefer::Hardware).expect("an adapter");
    let mut renderer = Renderer::new(&gpu);
    let layout = Arc::new(Layout::new(&head, Precision::Packed));
    renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), layout).expect("memory for the head"));
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1280.0 / 720.0);
    let scene = Scene {
        head: &head,
        weights: &head.default_weights(),
        world_from_nodes: &[],
        mode: BlendMode::Compute,
        camera: &camera,
        roles: &[],
        look: &Look::default(),
        size: [1280, 720],
        quality: Quality::refined(samples),
    };
    // The first picture builds pipelines.
    renderer.picture(&scene).expect("the head is uploaded");
    bencher.bench_local(|| renderer.picture(&scene));
}
