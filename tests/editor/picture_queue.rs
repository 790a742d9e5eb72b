//! The picture queue draws thumbnails and contact sheets one picture per step. The tests use the software adapter.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use glam::Vec3;
use image::RgbaImage;
use smirk_editor::export::SheetError;
use smirk_editor::export::{
    OutputPath, OwnedScene, PictureQueue, SheetContent, SheetFailure, SheetProgress, SheetSettings, SheetWork,
};
use smirk_face::head::Head;
use smirk_face::motion::BlendRule;
use smirk_graphics::blend::{BlendMode, Layout, Precision};
use smirk_picture::render::{HeadOnGpu, Renderer};
use smirk_picture::scene::{Camera, Light, Look, Quality, View};
use smirk_support::synthetic::{self, Recipe};

const SIZE: [u32; 2] = [48, 60];

fn small_head(seed: u32) -> Arc<Head> {
    let recipe = Recipe { offset: Vec3::Y, ..Recipe::new(600, 5) };
    Arc::new(synthetic::head(seed, &[recipe]))
}

fn renderer_with(head: &Arc<Head>) -> Renderer {
    let gpu = smirk_support::software_gpu();
    let mut renderer = Renderer::new(&gpu);
    renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), Arc::new(Layout::new(head, Precision::Exact))).unwrap());
    renderer
}

fn scene(head: &Arc<Head>, target: usize, weight: f32) -> OwnedScene {
    let mut weights = head.default_weights();
    weights[target] = weight;
    let camera = Camera::close_up(head, View::Front, 0.8);
    OwnedScene {
        head: head.clone(),
        weights,
        world_from_nodes: vec![],
        mode: BlendMode::Cpu,
        camera,
        roles: Vec::new(),
        look: Look::default(),
        intersections: None,
        compared: None,
        size: SIZE,
        quality: Quality::FULL,
    }
}

fn work(head: &Arc<Head>) -> SheetWork {
    let settings = SheetSettings { cell_px: SIZE[0], mode: BlendMode::Cpu, ..SheetSettings::default() };
    SheetWork::start(head.clone(), SheetContent::expressions(head, 1.0, BlendRule::Additive, &[]), &settings).unwrap()
}

#[test]
fn a_step_draws_one_thumbnail_and_the_newest_request_of_a_key_wins() {
    let head = small_head(1);
    let (mut renderer, mut queue) = (renderer_with(&head), PictureQueue::default());
    let [first, stale, newest] = [scene(&head, 0, 3.0), scene(&head, 1, 3.0), scene(&head, 3, 3.0)];
    let expected = [&first, &newest].map(|scene| renderer.picture(&scene.scene()).unwrap());
    assert!(
        expected[0] != expected[1] && renderer.picture(&stale.scene()).unwrap() != expected[1],
        "the scenes must differ"
    );
    queue.request(7, first);
    queue.request(9, stale);
    queue.request(9, newest);
    let mut made = Vec::new();
    while queue.is_busy() {
        queue.step(&mut renderer);
        let finished = queue.take_finished();
        assert_eq!(finished.len(), 1, "one picture per step");
        made.extend(finished);
    }
    let [a, b] = expected;
    assert!(made == [(7, a), (9, b)]);
}

#[test]
fn a_sheet_is_drawn_after_the_thumbnails_one_picture_per_step_and_is_saved() {
    let head = small_head(2);
    let (mut renderer, mut queue) = (renderer_with(&head), PictureQueue::default());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheet.png");
    let (send, notified) = channel();
    queue.start_sheet(work(&head), OutputPath::new(&path), move || send.send(()).unwrap()).unwrap();
    queue.request(1, scene(&head, 0, 1.0));
    queue.step(&mut renderer);
    let drawing = |done| Some(SheetProgress::Drawing { done, total: 6 });
    assert_eq!((queue.take_finished().len(), queue.sheet_progress()), (1, drawing(0)));
    for done in 1..6 {
        queue.step(&mut renderer);
        assert_eq!(queue.sheet_progress(), drawing(done));
        assert!(queue.take_sheet().is_none() && !path.exists());
    }
    queue.step(&mut renderer);
    assert!(!queue.is_busy() && queue.sheet_progress() == Some(SheetProgress::Saving));
    queue.cancel_sheet();
    assert!(!queue.cancel_all_sheets(), "a sheet that is being written was cancelled");
    notified.recv_timeout(Duration::from_secs(60)).expect("the job notifies the window");
    assert_eq!(queue.take_sheet().unwrap().unwrap(), path);
    assert!(queue.take_sheet().is_none() && queue.sheet_progress().is_none());

    let mut direct = work(&head);
    while direct.step(&mut renderer).unwrap() {}
    assert!(
        image::open(&path).unwrap().into_rgba8() == direct.finish().image,
        "not the sheet that the command line draws"
    );
}

#[test]
fn a_second_sheet_waits_for_the_first_and_both_are_saved() {
    let head = small_head(8);
    let (mut renderer, mut queue) = (renderer_with(&head), PictureQueue::default());
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (send, notified) = channel();
    let start = |queue: &mut PictureQueue, name: &str| {
        let send = send.clone();
        queue.start_sheet(work(&head), OutputPath::new(at(name)), move || send.send(()).unwrap())
    };
    start(&mut queue, "a.png").unwrap();
    queue.step(&mut renderer);
    start(&mut queue, "b.png").unwrap();
    start(&mut queue, "c.png").unwrap();
    let again = start(&mut queue, "./b.png").unwrap_err();
    assert!(matches!(again, SheetFailure::SameFile { .. }) && again.to_string().contains("b.png"), "{again}");
    assert_eq!(
        (queue.waiting_sheets(), queue.sheet_progress()),
        (2, Some(SheetProgress::Drawing { done: 1, total: 6 }))
    );
    let mut saved = Vec::new();
    while saved.len() < 2 {
        while queue.is_busy() {
            queue.step(&mut renderer);
        }
        notified.recv_timeout(Duration::from_secs(60)).expect("the job notifies the window");
        saved.push(queue.take_sheet().unwrap().unwrap());
    }
    assert_eq!(saved, [at("a.png"), at("b.png")]);
    queue.step(&mut renderer);
    queue.cancel_sheet();
    assert!(queue.sheet_progress().is_none() && queue.take_sheet().is_none());
    let mut names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a.png", "b.png"], "the third was cancelled");
}

#[test]
fn a_cancelled_sheet_leaves_no_file() {
    let head = small_head(3);
    let (mut renderer, mut queue) = (renderer_with(&head), PictureQueue::default());
    let folder = tempfile::tempdir().unwrap();
    let output = OutputPath::new(folder.path().join("sheet.png"));
    queue.start_sheet(work(&head), output, || panic!("nothing was saved")).unwrap();
    queue.step(&mut renderer);
    queue.cancel_sheet();
    assert!(!queue.is_busy() && queue.sheet_progress().is_none() && queue.take_sheet().is_none());
    queue.step(&mut renderer);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_error_of_a_sheet_that_cannot_be_written_names_the_file() {
    let head = small_head(4);
    let (mut renderer, mut queue) = (renderer_with(&head), PictureQueue::default());
    let (send, notified) = channel();
    let output = OutputPath::new("no/such/folder/sheet.png");
    queue.start_sheet(work(&head), output, move || send.send(()).unwrap()).unwrap();
    while queue.is_busy() {
        queue.step(&mut renderer);
    }
    notified.recv_timeout(Duration::from_secs(60)).expect("a failure notifies the window too");
    let failure = queue.take_sheet().unwrap().unwrap_err();
    assert!(
        matches!(failure, SheetFailure::NotSaved(_)) && failure.to_string().contains("no/such/folder"),
        "{failure}"
    );
}

#[test]
fn pictures_of_a_head_that_is_no_longer_on_the_gpu_are_dropped() {
    let (old, new) = (small_head(5), small_head(6));
    let (mut renderer, mut queue) = (renderer_with(&new), PictureQueue::default());
    queue.request(1, scene(&old, 0, 1.0));
    queue.request(2, scene(&new, 0, 1.0));
    queue.start_sheet(work(&old), OutputPath::new("sheet.png"), || {}).unwrap();
    queue.step(&mut renderer);
    assert_eq!(queue.take_finished().iter().map(|(key, _)| *key).collect::<Vec<_>>(), [2]);
    queue.step(&mut renderer);
    assert!(!queue.is_busy() && matches!(queue.take_sheet(), Some(Err(SheetFailure::HeadGone { .. }))));
    assert!(renderer.head().is_some_and(|on_gpu| Arc::ptr_eq(on_gpu, &new)), "the head on screen was replaced");
}

#[test]
fn every_expression_differs_from_rest_on_its_sheet() {
    let head = Arc::new(smirk_files::import::embedded().unwrap());
    let mut renderer = renderer_with(&head);
    let content = SheetContent::expressions(&head, 1.0, BlendRule::Additive, &[]);
    let camera = Camera::close_up(&head, View::Front, 0.8);
    let pictures: Vec<(String, RgbaImage)> = content
        .cells()
        .map(|cell| {
            let (weights, size) = (cell.weights.clone(), [96, 120]);
            // Without the key light, whose shadow would be that of an earlier expression.
            let look = Look { key: Light { intensity: 0.0, ..Light::default() }, ..Look::default() };
            let scene = OwnedScene {
                head: head.clone(),
                weights,
                world_from_nodes: vec![],
                mode: BlendMode::Compute,
                camera,
                roles: Vec::new(),
                look,
                intersections: None,
                compared: None,
                size,
                quality: Quality { samples: 1, ..Quality::FULL },
            };
            (cell.label.clone(), renderer.picture(&scene.scene()).unwrap())
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
fn a_sheet_that_is_too_large_is_refused_before_anything_is_drawn() {
    let head = small_head(7);
    let settings = SheetSettings { cell_px: 4096, columns: Some(6), ..SheetSettings::default() };
    let refused =
        SheetWork::start(head.clone(), SheetContent::expressions(&head, 1.0, BlendRule::Additive, &[]), &settings);
    assert!(matches!(refused, Err(SheetError::TooLarge { cell_width: 4096, columns: 6, .. })));
}
