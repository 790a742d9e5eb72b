//! How busy an export keeps the adapter: frames a second of pictures and films beside those of drawing alone,
//! `cargo bench -p smirk-benches --bench export`. Each is measured several times in turn, and the best time counts.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use smirk_export::{
    Dither, Ffmpeg, FilmFormat, FilmPlan, FilmQuality, FilmSettings, FrameSpan, Labels, OutputPath, PictureSettings,
    SequencePlan, SequenceSettings,
};
use smirk_graphics::blend::{Layout, Precision};
use smirk_graphics::gpu::{Gpu, Prefer};
use smirk_picture::ambient_occlusion::AmbientOcclusion;
use smirk_picture::render::{HeadOnGpu, PendingPicture, Pixels, Renderer};
use smirk_scene::{BlendMode, Camera, Look, Quality, Scene, View};
use smirk_session::{HeadSource, Session};

/// What is measured of a size.
struct Case {
    size: [u32; 2],
    samples: u32,
    frames: i64,
    rounds: usize,
}

/// On a software adapter, all of them together take four minutes.
const CASES: [Case; 3] = [
    Case { size: [640, 480], samples: 1, frames: 24, rounds: 2 },
    Case { size: [1024, 1024], samples: 4, frames: 6, rounds: 2 },
    Case { size: [1920, 1080], samples: 16, frames: 3, rounds: 1 },
];
/// Each is compared with the drawing of the same pixels before it.
const KINDS: [(&str, Pixels); 7] = [
    ("drawing alone", Pixels::Screen),
    ("png", Pixels::Screen),
    ("apng", Pixels::Screen),
    ("gif", Pixels::Screen),
    ("webp", Pixels::Screen),
    ("drawing alone, linear light", Pixels::Light),
    ("exr", Pixels::Light),
];

fn main() {
    let head = Arc::new(smirk_files::import::embedded().expect("the head inside the program"));
    let gpu = Gpu::headless(Prefer::Hardware).expect("an adapter");
    let mut renderer = Renderer::new(&gpu);
    let layout = Arc::new(Layout::new(&head, Precision::Packed));
    renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), layout).expect("memory for the head"));
    renderer.set_ambient_occlusion(&AmbientOcclusion::measure(&head));
    let session = Session::new(head.clone(), HeadSource::Embedded, Look::default(), BlendMode::Compute);
    println!("{}, frames of the clip of the bundled head with all labels; frames a second", gpu.info.name);
    for Case { size, samples, frames, rounds } in CASES {
        let span = FrameSpan::new(session.edits.timeline.rate, 0, frames - 1).expect("frames");
        let aspect = size[0] as f32 / size[1] as f32;
        let pictures = PictureSettings {
            size,
            samples,
            camera: Camera::framing(head.focus, head.bounds, View::ThreeQuarter, aspect),
            turn_secs: None,
            mode: BlendMode::Compute,
            is_transparent: false,
            labels: Labels { name: true, time: true, rows: true },
            compared: None,
            with_reference: false,
        };
        let folder = tempfile::tempdir().expect("a folder");
        let mut best = [f64::INFINITY; KINDS.len()];
        for _ in 0..rounds {
            for ((kind, pixels), best) in KINDS.iter().zip(&mut best) {
                let began = Instant::now();
                let drawn = run((kind, *pixels), &mut renderer, &session, &pictures, span, folder.path());
                *best = best.min(began.elapsed().as_secs_f64() / drawn as f64);
            }
        }
        println!("{}x{}, samples: {samples}, frames: {frames}", size[0], size[1]);
        let mut alone = f64::NAN;
        for ((kind, _), secs) in KINDS.iter().zip(&best) {
            if kind.starts_with("drawing") {
                alone = *secs;
            }
            println!("  {kind:27} {:7.2}   {:3.0} %", 1.0 / secs, 100.0 * alone / secs);
        }
    }
}

/// Runs an export, and returns the number of pictures that it has drawn.
fn run(
    (kind, pixels): (&str, Pixels),
    renderer: &mut Renderer,
    session: &Session,
    pictures: &PictureSettings,
    span: FrameSpan,
    folder: &Path,
) -> usize {
    let settings = pictures.clone();
    match FilmFormat::from_path(Path::new(&format!("a.{kind}"))) {
        _ if kind.starts_with("drawing") => draw(renderer, session, &settings, span, pixels),
        Some(format) => {
            let output = OutputPath::new(folder.join(format!("film.{kind}")));
            let settings = FilmSettings {
                pictures: settings,
                span,
                format,
                quality: FilmQuality::default(),
                dither: Dither::Pattern,
                sound: None,
            };
            let plan = FilmPlan::new(session, &output, settings).expect("a film");
            let mut work = plan.start(session, Ffmpeg::find).expect("a film");
            while work.step(&mut *renderer).expect("a frame") {}
            work.done()
        }
        None => {
            let output = OutputPath::new(folder.join(format!("a.####.{kind}")));
            let settings = SequenceSettings { pictures: settings, span: Some(span), is_missing_only: false };
            let plan = SequencePlan::new(session, &output, settings).expect("pictures");
            let mut work = plan.start(session);
            while work.step(&mut *renderer).expect("a picture") {}
            work.done()
        }
    }
}

/// Draws the pictures one after the other, and reads none of them.
fn draw(
    renderer: &mut Renderer,
    session: &Session,
    pictures: &PictureSettings,
    span: FrameSpan,
    pixels: Pixels,
) -> usize {
    let mut session = session.clone();
    let mut before = None;
    for frame in span.frames() {
        span.show(&mut session, frame);
        let scene = Scene {
            weights: session.weights(),
            world_from_nodes: session.world_from_nodes().into(),
            mode: pictures.mode,
            roles: session.roles(),
            quality: Quality::refined(pictures.samples),
            ..Scene::at_rest(&session.head, &pictures.camera, &session.edits.look, pictures.size)
        };
        let begun = renderer.begin_picture(&scene, pixels).expect("the head is uploaded");
        before.replace(begun).iter().for_each(PendingPicture::wait);
    }
    before.iter().for_each(PendingPicture::wait);
    span.count()
}
