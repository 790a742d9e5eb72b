//! How long a head takes from its file to the first picture of the window, and how much memory: `cargo bench -p smirk-benches --bench load -- FILE…`;
//! without files, the bundled head. Each step is compared with reading the file and copying its bytes once, which is the least that any
//! program does. *Ready* is what the first picture waits for, *deltas* what the window does after it.

use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use image::RgbaImage;
use smirk_base::progress::Progress;
use smirk_face::head::Head;
use smirk_files::import;
use smirk_graphics::blend::{Precision, VertexOrder};
use smirk_graphics::gpu::{Gpu, Prefer};
use smirk_picture::render::{HeadOnGpu, Renderer, UsualSurfaces};
use smirk_scene::{Camera, Look, Quality, Scene, View};

/// Every step is done so many times; the least time counts.
const ROUNDS: usize = 5;

fn main() {
    let is_file = |argument: &String| !argument.starts_with("--");
    let mut files: Vec<PathBuf> = std::env::args().skip(1).filter(is_file).map(PathBuf::from).collect();
    if files.is_empty() {
        files.push(smirk_support::bundled_head());
    }
    let gpu = Gpu::headless(Prefer::Hardware).expect("a graphics adapter");
    println!(
        "{:<28}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}",
        "ms, least of 5", "copy", "import", "order", "upload", "ready", "shown", "deltas", "peak MiB"
    );
    let bundled = Arc::new(import::embedded().expect("the bundled head"));
    let bundled_order = Arc::new(VertexOrder::new(&bundled));
    for file in files {
        let open = || Arc::new(import::open(&file).expect("a head"));
        let copy = least_ms(|| (), |_| std::fs::read(&file).expect("the file").as_slice().to_vec());
        let import = least_ms(|| (), |_| open());
        let ordered = least_ms(open, |head| VertexOrder::new(head));
        let order = Arc::new(VertexOrder::new(&open()));
        // Each round has a head of its own, because an upload frees the texels of its images.
        let upload = least_ms(open, |head| uploaded(&gpu, head, &order));
        let deltas = least_ms(|| uploaded(&gpu, &open(), &order), |head| head.work_ahead().map(|work| work()));
        // The window has drawn the bundled head before, and has built what many heads need.
        let _usual_surfaces = UsualSurfaces::new(&gpu);
        let with_renderer = || {
            let mut renderer = Renderer::new(&gpu);
            shown(&gpu, &mut renderer, &bundled, &bundled_order);
            (open(), renderer)
        };
        let shown = least_ms(with_renderer, |(head, renderer)| shown(&gpu, renderer, head, &order));
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let peak = peak_mib().map_or("-".into(), |peak| format!("{peak:.0}"));
        let opened = import + ordered;
        let steps = [import, ordered, upload, opened + upload, opened + shown, deltas];
        let row = |before: String, steps: [String; 6], after: &str| {
            println!("{before:<38}{}{after:>10}", steps.map(|step| format!("{step:>10}")).concat());
        };
        row(format!("{name:<28}{copy:>10.1}"), steps.map(|step| format!("{step:.1}")), &peak);
        row(String::new(), steps.map(|step| format!("{:.1}x", step / copy)), "");
    }
}

/// Uploads a head as the window does, with the pipelines of its first picture.
fn uploaded(gpu: &Gpu, head: &Arc<Head>, order: &Arc<VertexOrder>) -> HeadOnGpu {
    let uploaded = HeadOnGpu::for_window(gpu, head.clone(), order.clone(), Precision::Packed, Progress::NONE);
    uploaded.expect("memory for the head")
}

/// Uploads a head and draws it.
fn shown(gpu: &Gpu, renderer: &mut Renderer, head: &Arc<Head>, order: &Arc<VertexOrder>) -> RgbaImage {
    renderer.set_head(uploaded(gpu, head, order));
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1280.0 / 720.0);
    let look = Look::default();
    let scene = Scene {
        weights: head.default_weights().into(),
        quality: Quality { msaa: 1, scale: 1.0, samples: 0 },
        ..Scene::at_rest(head, &camera, &look, [1280, 720])
    };
    renderer.picture(&scene).expect("the head is uploaded")
}

/// The least time of `work`, which is done with what `prepare` returns.
fn least_ms<P, T>(prepare: impl Fn() -> P, work: impl Fn(&mut P) -> T) -> f64 {
    let round = || {
        let mut prepared = prepare();
        let began = Instant::now();
        let done = black_box(work(&mut prepared));
        let ms = began.elapsed().as_secs_f64() * 1e3;
        drop(done);
        ms
    };
    (0..ROUNDS).map(|_| round()).fold(f64::INFINITY, f64::min)
}

/// The largest resident memory of the process so far, on Linux.
fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?;
    Some(kib.parse::<f64>().ok()? / 1024.0)
}
