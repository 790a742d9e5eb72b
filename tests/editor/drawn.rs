//! Thumbnails and contact sheets are drawn one picture per step. The tests use the software adapter.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::sync::Arc;
use std::time::Duration;

use glam::Vec3;
use image::RgbaImage;
use smirk_base::progress::Progress;
use smirk_export::{
    DrawnWork, ExportError, ExportKind, ExportRequest, ExportWork, Labels, OutputPath, PictureDrawing, PictureSettings,
    Renderers, SheetContent, SheetSettings, SheetWork, ThumbnailQueue,
};
use smirk_face::head::Head;
use smirk_graphics::blend::{Layout, Precision};
use smirk_graphics::gpu::{Gpu, Prefer};
use smirk_picture::render::{HeadOnGpu, Pixels, Renderer};
use smirk_scene::{BlendMode, Camera, Light, Look, Quality, Scene, View};
use smirk_session::{HeadSource, Session};
use smirk_support::synthetic::{self, Recipe};

const SIZE: [u32; 2] = [48, 60];

fn small_head(seed: u32) -> Arc<Head> {
    let recipe = Recipe { offset: Vec3::Y, ..Recipe::new(600, 5) };
    Arc::new(synthetic::head(seed, &[recipe]))
}

fn renderer_with(head: &Arc<Head>) -> Renderer {
    renderer_on(&smirk_support::software_gpu(), head)
}

fn renderer_on(gpu: &Gpu, head: &Arc<Head>) -> Renderer {
    let mut renderer = Renderer::new(gpu);
    renderer.set_head(HeadOnGpu::new(gpu, head.clone(), Arc::new(Layout::new(head, Precision::Exact))).unwrap());
    renderer
}

fn scene(head: &Arc<Head>, target: usize, weight: f32) -> Scene {
    let mut weights = head.default_weights();
    weights[target] = weight;
    let camera = Camera::close_up(head, View::Front, 0.8);
    Scene { weights: weights.into(), mode: BlendMode::Cpu, ..Scene::at_rest(head, &camera, &Look::default(), SIZE) }
}

fn session_of(head: &Arc<Head>) -> Session {
    Session::new(head.clone(), HeadSource::Embedded, Look::default(), BlendMode::Cpu)
}

fn work(head: &Arc<Head>) -> SheetWork {
    let settings = SheetSettings { cell_px: SIZE[0], mode: BlendMode::Cpu, ..SheetSettings::default() };
    SheetWork::start(head.clone(), SheetContent::expressions(&session_of(head), 1.0), &settings).unwrap()
}

#[test]
fn a_step_draws_one_thumbnail_and_the_newest_request_of_a_key_wins() {
    let head = small_head(1);
    let (mut renderer, mut queue) = (renderer_with(&head), ThumbnailQueue::default());
    let [first, stale, newest] = [scene(&head, 0, 3.0), scene(&head, 1, 3.0), scene(&head, 3, 3.0)];
    let expected = [&first, &newest].map(|scene| renderer.picture(scene).unwrap());
    assert!(expected[0] != expected[1] && renderer.picture(&stale).unwrap() != expected[1], "the scenes must differ");
    queue.request(7, first);
    queue.request(9, stale);
    queue.request(9, newest);
    let mut made = Vec::new();
    while queue.is_busy() {
        queue.step_for(&mut renderer, Duration::MAX);
        let finished = queue.take_finished();
        assert_eq!(finished.len(), 1, "one picture per step");
        made.extend(finished);
    }
    let [a, b] = expected;
    assert!(made == [(7, a), (9, b)]);
}

#[test]
fn a_sheet_is_drawn_one_picture_per_step_and_is_saved() {
    let head = small_head(2);
    let (mut renderer, folder) = (renderer_with(&head), tempfile::tempdir().unwrap());
    let path = folder.path().join("sheet.png");
    let mut sheet = DrawnWork::Sheet(Box::new(work(&head)), OutputPath::new(&path));
    for done in 1..=6 {
        assert_eq!(sheet.step_for(&mut (&mut renderer).into(), Duration::MAX).unwrap(), done < 6);
        assert_eq!((sheet.done(), sheet.total(), sheet.stage()), (done, 6, format!("picture {done} of 6")));
        assert!(!path.exists());
    }
    sheet.finish(Progress::NONE).unwrap();
    let mut direct = work(&head);
    while direct.step(&mut renderer).unwrap() {}
    assert!(
        image::open(&path).unwrap().into_rgba8() == direct.finish().image,
        "not the sheet that the command line draws"
    );
}

#[test]
fn the_error_of_a_sheet_that_cannot_be_written_names_the_file() {
    let head = small_head(4);
    let mut renderer = renderer_with(&head);
    let mut sheet = DrawnWork::Sheet(Box::new(work(&head)), OutputPath::new("no/such/folder/sheet.png"));
    while sheet.step_for(&mut (&mut renderer).into(), Duration::MAX).unwrap() {}
    let failure = sheet.finish(Progress::NONE).unwrap_err();
    assert!(
        matches!(failure, ExportError::NotWritten(_)) && failure.to_string().contains("no/such/folder"),
        "{failure}"
    );
}

#[test]
fn each_of_two_heads_is_drawn_by_the_renderer_that_has_it() {
    let heads = [8, 9, 10].map(small_head);
    let [mut own, mut other] = [0, 1].map(|at| renderer_with(&heads[at]));
    let mut both = Renderers { head: &mut own, version: Some(&mut other) };
    for head in &heads[..2] {
        let drawn_by = both.renderer_for(head).unwrap();
        assert!(Arc::ptr_eq(drawn_by.head().unwrap(), head));
    }
    assert!(both.renderer_for(&heads[2]).is_err(), "neither has it");
}

#[test]
fn pictures_of_a_head_that_is_no_longer_on_the_gpu_are_dropped() {
    let (old, new) = (small_head(5), small_head(6));
    let (mut renderer, mut queue) = (renderer_with(&new), ThumbnailQueue::default());
    queue.request(1, scene(&old, 0, 1.0));
    queue.request(2, scene(&new, 0, 1.0));
    queue.step_for(&mut renderer, Duration::MAX);
    assert_eq!(queue.take_finished().iter().map(|(key, _)| *key).collect::<Vec<_>>(), [2]);
    let mut sheet = DrawnWork::Sheet(Box::new(work(&old)), OutputPath::new("sheet.png"));
    let gone = sheet.step_for(&mut (&mut renderer).into(), Duration::MAX).unwrap_err();
    assert!(!queue.is_busy() && gone.to_string().contains("another head has been opened"));
    assert!(renderer.head().is_some_and(|on_gpu| Arc::ptr_eq(on_gpu, &new)), "the head on screen was replaced");
}

#[test]
fn a_lost_device_is_an_error_of_one_line_and_no_empty_picture() {
    let (gpu, head) = (Gpu::headless(Prefer::Software).unwrap(), small_head(11));
    gpu.report_errors(|_| {});
    let (mut renderer, mut queue, session) = (renderer_on(&gpu, &head), ThumbnailQueue::default(), session_of(&head));
    let mut sheet = DrawnWork::Sheet(Box::new(work(&head)), OutputPath::new("sheet.png"));
    queue.request(1, scene(&head, 0, 1.0));
    gpu.device.destroy();
    gpu.wait();
    let mut errors = vec![renderer.picture(&scene(&head, 0, 1.0)).unwrap_err().to_string()];
    errors.push(sheet.step_for(&mut (&mut renderer).into(), Duration::MAX).unwrap_err().to_string());
    for pixels in [Pixels::Screen, Pixels::Light] {
        let settings = PictureSettings {
            size: SIZE,
            samples: 1,
            camera: session.camera,
            turn_secs: None,
            mode: BlendMode::Cpu,
            is_transparent: false,
            labels: Labels::default(),
            compared: None,
            with_reference: false,
        };
        let drawing = PictureDrawing::new(&session, settings, pixels).unwrap();
        errors.push(drawing.picture(&mut renderer, &session).unwrap_err().to_string());
    }
    assert!(errors.iter().all(|error| error.contains("was lost") && error.lines().count() == 1), "{errors:?}");
    queue.step_for(&mut renderer, Duration::MAX);
    assert!(queue.take_finished().is_empty() && queue.is_busy());
    queue.step_for(&mut renderer_with(&head), Duration::MAX);
    assert_eq!(queue.take_finished().len(), 1, "the next device draws it");
}

#[test]
fn every_expression_differs_from_rest_on_its_sheet() {
    let head = Arc::new(smirk_files::import::embedded().unwrap());
    let mut renderer = renderer_with(&head);
    let content = SheetContent::expressions(&session_of(&head), 1.0);
    let camera = Camera::close_up(&head, View::Front, 0.8);
    let pictures: Vec<(String, RgbaImage)> = content
        .cells
        .iter()
        .map(|cell| {
            let (weights, size) = (cell.weights.clone(), [96, 120]);
            // Without the key light, whose shadow would be that of an earlier expression.
            let look = Look { key: Light { intensity: 0.0, ..Light::default() }, ..Look::default() };
            let scene = Scene {
                weights: weights.into(),
                quality: Quality { msaa: 1, ..Quality::FULL },
                ..Scene::at_rest(&head, &camera, &look, size)
            };
            (cell.label.clone(), renderer.picture(&scene).unwrap())
        })
        .collect();
    assert_eq!((pictures.len(), pictures[0].0.as_str()), (55, "rest"));
    let rest = &pictures[0].1;
    for (label, picture) in &pictures[1..] {
        let moved = picture.pixels().zip(rest.pixels()).filter(|(a, b)| a.0[0].abs_diff(b.0[0]) > 8).count();
        assert!(moved >= 15, "{label} is hardly visible: {moved} pixels differ from rest");
    }
}

#[test]
fn a_picture_of_the_current_frame_shows_a_transition_where_it_is() {
    let head = small_head(12);
    let (mut renderer, folder, mut session) = (renderer_with(&head), tempfile::tempdir().unwrap(), session_of(&head));
    session.glide(2.0, |session| session.channels_mut([0]).set(3.0));
    let path = folder.path().join("still.png");
    let mut drawn = |session: &Session| {
        let request = ExportRequest { kind: ExportKind::Pictures, size: SIZE, samples: 1, ..ExportRequest::default() };
        let ExportWork::Drawn(mut work) = request.start(session, OutputPath::new(&path)).unwrap() else { panic!() };
        while work.step_for(&mut (&mut renderer).into(), Duration::MAX).unwrap() {}
        work.finish(Progress::NONE).unwrap();
        image::open(&path).unwrap().into_rgba8()
    };
    let begun = drawn(&session);
    session.advance(1.0);
    let between = drawn(&session);
    session.advance(1.5);
    let ended = drawn(&session);
    assert!(begun != between && between != ended, "the picture is not that of the moment");
    session.channels_mut([0]).set(0.0);
    assert!(drawn(&session) == begun);
}

#[test]
fn a_sheet_that_is_too_large_is_refused_before_anything_is_drawn() {
    let head = small_head(7);
    let settings = SheetSettings { cell_px: 4096, columns: Some(6), ..SheetSettings::default() };
    let refused = SheetWork::start(head.clone(), SheetContent::expressions(&session_of(&head), 1.0), &settings);
    assert!(refused.is_err_and(|refusal| refusal.to_string().contains("4096×5120 in 6 columns")));
}
