//! Exports beside the window, as frames of the window drive them.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::*;
use smirk_editor::export::{
    Dither, ExistingFiles, Ffmpeg, FilmFormat, FilmSettings, FilmWork, FrameSpan, Labels, PictureFormat,
    PictureSettings,
};
use smirk_editor::session::{HeadSource, Session};
use smirk_face::head::{Asset, Head, Mesh};
use smirk_face::motion::FrameRate;
use smirk_graphics::blend::{BlendMode, Layout, Precision};
use smirk_graphics::gpu::{Gpu, Prefer};
use smirk_picture::render::{HeadOnGpu, Renderer};
use smirk_picture::scene::{Camera, Look, View};

/// The bundled head, on a software adapter.
fn drawn() -> (Session, Renderer) {
    let (head, gpu) = (Arc::new(smirk_files::import::embedded().unwrap()), Gpu::headless(Prefer::Software).unwrap());
    let mut renderer = Renderer::new(&gpu);
    let layout = Arc::new(Layout::new(&head, Precision::Packed));
    renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), layout).unwrap());
    (Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu), renderer)
}

/// A picture of the bundled head with so many samples.
fn one_picture(samples: u32) -> ExportRequest {
    ExportRequest {
        kind: ExportKind::Pictures,
        picture: PictureFormat::Png,
        existing: ExistingFiles::Replace,
        is_one_moment: true,
        size: [64, 48],
        samples,
        ..ExportRequest::default()
    }
}

#[test]
fn a_picture_with_many_samples_gives_the_window_frames_in_between() {
    const SAMPLES: u32 = 24;
    let folder = tempfile::tempdir().unwrap();
    let ((session, mut renderer), mut exports) = (drawn(), Exports::default());
    let (request, path) = (one_picture(SAMPLES), folder.path().join("a.png"));
    let output = OutputPath::new(&path);
    let (send, notified) = channel();
    let work = request.start(&session, output.clone()).unwrap();
    exports.start(&request, work, output, move || _ = send.send(())).unwrap();
    let mut frames = 0;
    while exports.is_drawing() {
        exports.draw_next((&mut renderer).into(), Duration::ZERO);
        frames += 1;
        assert!(frames < 100_000, "it is never drawn");
    }
    assert!(frames > SAMPLES, "{frames} frames");
    let ended = loop {
        match exports.take_ended() {
            Some(ended) => break ended,
            None => notified.recv_timeout(Duration::from_secs(20)).unwrap(),
        }
    };
    assert!(ended.outcome == Ok(Vec::new()) && exports.status().is_none());
    assert_eq!(image::open(&path).unwrap().into_rgba8().dimensions(), (64, 48));
}

#[test]
fn cancelling_between_two_pieces_of_a_picture_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let ((session, mut renderer), mut exports) = (drawn(), Exports::default());
    let (request, output) = (one_picture(4096), OutputPath::new(folder.path().join("a.png")));
    let work = request.start(&session, output.clone()).unwrap();
    exports.start(&request, work, output, || {}).unwrap();
    for _ in 0..30 {
        exports.draw_next((&mut renderer).into(), Duration::ZERO);
        assert!(exports.is_drawing() && exports.status().is_some());
    }
    exports.cancel();
    assert!(!exports.is_drawing() && exports.status().is_none() && exports.take_ended().is_none());
    drop(exports);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_head_is_exported_beside_the_window_and_the_end_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let head = Arc::new(Head::new(Asset { meshes: vec![Mesh::default()], ..Asset::default() }));
    let session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    let request = ExportRequest { kind: ExportKind::Head, ..ExportRequest::default() };
    let (mut exports, (send, ended)) = (Exports::default(), channel());
    let mut save = |path: PathBuf| {
        let (send, output) = (send.clone(), OutputPath::new(path));
        let work = request.start(&session, output.clone()).unwrap();
        exports.start(&request, work, output, move || _ = send.send(())).unwrap();
        let mut result = None;
        while result.is_none() {
            ended.recv_timeout(Duration::from_secs(20)).unwrap();
            result = exports.take_ended();
        }
        assert!(exports.take_ended().is_none() && exports.status().is_none());
        result.unwrap()
    };
    let path = folder.path().join("a.glb");
    assert_eq!(save(path.clone()), Ended { kind: ExportKind::Head, path: path.clone(), outcome: Ok(Vec::new()) });
    assert!(std::fs::read(&path).unwrap().starts_with(b"glTF"));
    let refused = save(folder.path().join("no/a.glb")).outcome.unwrap_err();
    assert!(refused.contains("there is no folder"), "{refused}");
}

/// A shell script that takes the place of ffmpeg.
#[cfg(unix)]
fn stand_in(programs: &Path, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let program = programs.join("ffmpeg");
    let answers = "-version) echo ffmpeg version 9.9;; -encoders) echo ' V..... libx264 H.264';;";
    std::fs::write(&program, format!("#!/bin/sh\ncase $2 in {answers} *) {script};; esac\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A film of twelve frames in a folder that begins, made by the ffmpeg in another. Each frame has more bytes than a pipe holds. What is
/// received are notifications.
fn film(folder: &Path, programs: &Path) -> (Exports, Renderer, Receiver<()>) {
    let ((session, renderer), mut exports) = (drawn(), Exports::default());
    let pictures = PictureSettings {
        size: [256, 256],
        samples: 0,
        camera: Camera::framing(session.head.focus, session.head.bounds, View::Front, 1.0),
        turn_secs: None,
        mode: BlendMode::Cpu,
        is_transparent: false,
        labels: Labels::default(),
        compared: None,
        with_reference: false,
    };
    let span = FrameSpan::new(FrameRate::nearest(24.0), 0, 11).unwrap();
    let settings = FilmSettings { pictures, span, format: FilmFormat::Mp4, dither: Dither::default(), sound: None };
    let (output, programs) = (OutputPath::new(folder.join("a.mp4")), programs.as_os_str().to_owned());
    let find = move |format| Ffmpeg::find_in(&programs, format);
    let work = DrawnExport::Film(FilmWork::start(&session, &output, settings, find).unwrap());
    let request = ExportRequest { kind: ExportKind::Film, ..ExportRequest::default() };
    let (send, notified) = channel();
    exports.start(&request, ExportWork::Drawn(Box::new(work)), output, move || _ = send.send(())).unwrap();
    (exports, renderer, notified)
}

fn files(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

#[cfg(unix)]
#[test]
fn a_film_that_is_cancelled_while_ffmpeg_ends_it_leaves_no_file() {
    let [folder, programs] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    // It takes all pictures, and never ends.
    stand_in(programs.path(), "cat >/dev/null; exec sleep 600");
    let (mut exports, mut renderer, notified) = film(folder.path(), programs.path());
    while exports.is_drawing() {
        exports.draw_next((&mut renderer).into(), Duration::ZERO);
    }
    notified.recv_timeout(Duration::from_secs(20)).unwrap();
    assert!(exports.take_ended().is_none() && exports.status().is_some_and(|status| status.fraction == 1.0));
    assert_eq!(files(folder.path()), 1, "the temporary file");
    exports.cancel();
    while exports.status().is_some() {
        notified.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!(exports.take_ended(), None, "what was cancelled is not told");
    }
    assert_eq!(files(folder.path()), 0);
}

#[cfg(unix)]
#[test]
fn no_frame_and_no_cancelling_waits_for_an_ffmpeg_that_takes_no_pictures() {
    let [folder, programs] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    stand_in(programs.path(), "exec sleep 600");
    let (mut exports, mut renderer, _notified) = film(folder.path(), programs.path());
    let mut draw = |exports: &mut Exports| {
        exports.draw_next((&mut renderer).into(), Duration::ZERO);
        exports.status().unwrap().stage
    };
    // ffmpeg is begun; one picture is passed to it, and one waits for that.
    let begun = Instant::now();
    while draw(&mut exports) != "frame 2 of 12" {
        assert!(begun.elapsed() < Duration::from_secs(120), "{}", draw(&mut exports));
    }
    for _ in 0..50 {
        assert_eq!(draw(&mut exports), "frame 2 of 12");
    }
    exports.cancel();
    assert!(exports.status().is_none() && exports.take_ended().is_none());
    drop(exports);
    assert_eq!(files(folder.path()), 0);
}

#[test]
fn a_missing_ffmpeg_is_told_and_leaves_no_file() {
    let [folder, programs] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (mut exports, mut renderer, _notified) = film(folder.path(), programs.path());
    while exports.is_drawing() {
        exports.draw_next((&mut renderer).into(), Duration::ZERO);
    }
    let told = exports.take_ended().unwrap().outcome.unwrap_err();
    assert!(told.contains("not in the PATH") && told.contains("apt install ffmpeg"), "{told}");
    drop(exports);
    assert_eq!(files(folder.path()), 0);
}
