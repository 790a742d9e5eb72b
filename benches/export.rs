//! How busy an export keeps the adapter: frames a second of pictures and films beside those of drawing alone, `cargo bench --bench
//! export`. Each is measured twice in turn, and the best time counts.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use smirk::blend::{BlendMode, Layout, Precision};
use smirk::export::{
    Dither, Ffmpeg, FilmFormat, FilmSettings, FilmWork, FrameSpan, Labels, OutputPath, PictureSettings, SequenceSettings,
    SequenceWork,
};
use smirk::gpu::{Gpu, Prefer};
use smirk::openness::Openness;
use smirk::render::{HeadOnGpu, PendingPicture, Pixels, Renderer};
use smirk::scene::{Camera, Look, Quality, Scene, View};
use smirk::session::{HeadSource, Session};

/// Width and height, samples, and the number of frames: a few seconds each on a software adapter.
const CASES: [([u32; 2], u32, i64); 3] = [([640, 480], 1, 40), ([1024, 1024], 4, 12), ([1920, 1080], 16, 6)];
const KINDS: [&str; 6] = ["drawing alone", "png", "exr", "apng", "gif", "webp"];
const ROUNDS: usize = 2;

fn main() {
    let head = Arc::new(smirk::import::embedded().expect("the head inside the program"));
    let gpu = Gpu::headless(Prefer::Hardware).expect("an adapter");
    let mut renderer = Renderer::new(&gpu);
    let layout = Arc::new(Layout::new(&head, Precision::Packed));
    renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), layout).expect("memory for the head"));
    renderer.set_openness(&Openness::of(&head));
    let session = Session::new(head.clone(), HeadSource::Embedded, Look::default(), BlendMode::Compute);
    println!("{}, frames of the clip of the bundled head with all labels; frames a second", gpu.info.name);
    for (size, samples, frames) in CASES {
        let span = FrameSpan::new(session.edits.timeline.rate, 0, frames - 1).expect("frames");
        let aspect = size[0] as f32 / size[1] as f32;
        let pictures = PictureSettings {
            size,
            samples,
            camera: Camera::framing(head.focus, head.bounds, View::ThreeQuarter, aspect),
            turn_secs: None,
            mode: BlendMode::Compute,
            is_transparent: false,
            labels: Labels::ALL,
            is_compared: false,
        };
        let folder = tempfile::tempdir().expect("a folder");
        let mut best = [f64::INFINITY; KINDS.len()];
        for _ in 0..ROUNDS {
            for (kind, best) in KINDS.iter().zip(&mut best) {
                let began = Instant::now();
                let drawn = run(kind, &mut renderer, &session, &pictures, span, folder.path());
                *best = best.min(began.elapsed().as_secs_f64() / drawn as f64);
            }
        }
        println!("{}x{}, samples: {samples}, frames: {frames}", size[0], size[1]);
        for (kind, secs) in KINDS.iter().zip(&best) {
            println!("  {kind:14} {:7.2}   {:3.0} %", 1.0 / secs, 100.0 * best[0] / secs);
        }
    }
}

/// Runs an export, and returns the number of pictures that it has drawn.
fn run(
    kind: &str,
    renderer: &mut Renderer,
    session: &Session,
    pictures: &PictureSettings,
    span: FrameSpan,
    folder: &Path,
) -> usize {
    let pictures = pictures.clone();
    match (kind, FilmFormat::of(Path::new(&format!("a.{kind}")))) {
        ("drawing alone", _) => draw(renderer, session, &pictures, span),
        (_, Some(format)) => {
            let output = OutputPath::new(folder.join(format!("film.{kind}")));
            let settings = FilmSettings { pictures, span, format, dither: Dither::Pattern };
            let mut work = FilmWork::start(session, &output, settings, Ffmpeg::find).expect("a film");
            while work.step(renderer).expect("a frame") {}
            work.done()
        }
        (_, None) => {
            let output = OutputPath::new(folder.join(format!("a.####.{kind}")));
            let settings = SequenceSettings { pictures, span, is_missing_only: false };
            let mut work = SequenceWork::start(session, &output, settings).expect("pictures");
            while work.step(renderer).expect("a picture") {}
            work.done()
        }
    }
}

/// Draws the pictures one after the other, and reads none of them.
fn draw(renderer: &mut Renderer, session: &Session, pictures: &PictureSettings, span: FrameSpan) -> usize {
    let mut session = session.clone();
    let mut before = None;
    for frame in span.frames() {
        span.show(&mut session, frame);
        let scene = Scene {
            head: &session.head,
            weights: &session.weights(),
            world_from_nodes: &session.world_from_nodes(),
            mode: pictures.mode,
            camera: &pictures.camera,
            look: &session.edits.look,
            roles: &session.roles(),
            size: pictures.size,
            quality: Quality::refined(pictures.samples),
        };
        let begun = renderer.begin_picture(&scene, Pixels::Screen).expect("the head is uploaded");
        before.replace(begun).iter().for_each(PendingPicture::wait);
    }
    before.iter().for_each(PendingPicture::wait);
    span.count()
}
