//! Drawing a picture of the bundled head, at rest with more and more samples, and while it moves at each step of the quality
//! governor: `cargo bench -p smirk-benches --bench picture`.

use std::sync::Arc;

use divan::Bencher;
use smirk_face::head::Head;
use smirk_graphics::blend::{Layout, Precision};
use smirk_graphics::gpu::{Gpu, Prefer};
use smirk_picture::render::{HeadOnGpu, Renderer};
use smirk_scene::{Camera, Look, Quality, Scene, View};

fn main() {
    divan::main();
}

/// A renderer with the bundled head.
struct Bench {
    head: Arc<Head>,
    renderer: Renderer,
}

impl Bench {
    fn new() -> Self {
        let head = Arc::new(smirk_files::import::embedded().expect("the head inside the program"));
        let gpu = Gpu::headless(Prefer::Hardware).expect("an adapter");
        let mut renderer = Renderer::new(&gpu);
        let layout = Arc::new(Layout::new(&head, Precision::Packed));
        let on_gpu = HeadOnGpu::new(&gpu, head.clone(), layout).expect("memory for the head");
        // As in the window, previews on a software adapter have fewer triangles.
        on_gpu.work_ahead().into_iter().for_each(|work| work());
        renderer.set_head(on_gpu);
        Self { head, renderer }
    }

    /// Draws pictures of 1280 × 720 pixels of expressions that change, so that blending and shadows are part of the time.
    fn run(mut self, bencher: Bencher, quality: Quality, moves: bool) {
        let camera = Camera::framing(self.head.focus, self.head.bounds, View::ThreeQuarter, 1280.0 / 720.0);
        let (mut weights, look) = (self.head.default_weights(), Look::default());
        let mut draw = || {
            if moves {
                weights[0] = 1.0 - weights[0];
            }
            let scene = Scene {
                weights: weights.clone().into(),
                quality,
                ..Scene::at_rest(&self.head, &camera, &look, [1280, 720])
            };
            self.renderer.picture(&scene).expect("the head is uploaded")
        };
        // The first picture builds pipelines, and a software adapter simplifies the head after it.
        draw();
        bencher.bench_local(draw);
    }
}

/// A picture at rest, by the number of its samples.
#[divan::bench(args = [1, 8, 16, 64], sample_count = 10)]
fn samples_at_1280_by_720(bencher: Bencher, samples: u32) {
    Bench::new().run(bencher, Quality::refined(samples), false);
}

/// A picture of a moving head, by samples per pixel and render scale in percent: the steps of the window's quality governor.
#[divan::bench(args = [(4, 100), (1, 100), (1, 80), (1, 65), (1, 50)], sample_count = 30)]
fn moving_at_1280_by_720(bencher: Bencher, (msaa, percent): (u32, u32)) {
    Bench::new().run(bencher, Quality { msaa, scale: percent as f32 / 100.0, samples: 0 }, true);
}
