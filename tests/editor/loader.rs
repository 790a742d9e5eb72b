//! The loader: the newest request replaces the one before, a failure is reported with the file's name, a cancelled load has no result.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use smirk_analysis::transfer::TransferError;
use smirk_base::file_kind::Content;
use smirk_base::progress::Progress;
use smirk_editor::document::{LoadRequest, LoadStatus, Loaded, Loader};
use smirk_face::head::{Asset, Head, Matching, ShapeFile};
use smirk_files::import::{add_shapes, open};
use smirk_picture::render::{HeadOnGpu, Renderer};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session, TakeId};
use smirk_support::{HANGS_AFTER, software_gpu, software_gpu_with};

/// Polls as the window does, until the load ends.
fn finish(loader: &mut Loader) -> Option<Loaded> {
    let began = Instant::now();
    while loader.is_busy() {
        assert!(began.elapsed() < HANGS_AFTER, "the load never ends");
        if let Some(loaded) = loader.take() {
            return Some(loaded);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    None
}

/// The head that a load results in.
fn finish_head(loader: &mut Loader) -> Option<(Box<HeadOnGpu>, HeadSource)> {
    match finish(loader)? {
        Loaded::Head(head, source) => Some((head, source)),
        _ => panic!("not a head"),
    }
}

/// The head that is open, where nothing depends on it.
fn none() -> Arc<Head> {
    Arc::new(Head::new(Asset::default()))
}

fn bundled() -> HeadSource {
    HeadSource::File(smirk_support::bundled_head())
}

#[test]
fn a_loaded_head_has_its_source_and_the_window_is_notified() {
    let mut loader = Loader::default();
    let (send, notified) = std::sync::mpsc::channel();
    loader.start(LoadRequest::Head(bundled()), &none(), &software_gpu(), move || {
        let _ = send.send(());
    });
    assert!(matches!(loader.status(), LoadStatus::Loading { name, .. } if name == "head.glb"));
    let (head, source) = finish_head(&mut loader).unwrap();
    assert_eq!((head.head().channels.len(), source), (54, bundled()));
    assert_eq!(notified.try_iter().count(), 1, "the window looks at the progress by itself");
    assert_eq!(loader.status(), LoadStatus::Idle);
}

#[test]
fn deltas_follow_only_where_a_head_is_expected_at_rest_and_does_not_move_itself() {
    let (gpu, folder) = (software_gpu(), tempfile::tempdir().unwrap());
    let file = folder.path().join("face.obj");
    std::fs::write(&file, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let still = || HeadSource::File(file.clone());
    for (source, at_rest, expected) in
        [(still(), false, false), (still(), true, true), (bundled(), true, false), (bundled(), false, false)]
    {
        let mut loader = Loader::default();
        loader.start_for(LoadRequest::Head(source.clone()), [&none(), &none()], at_rest, &gpu, || {});
        let (head, _) = finish_head(&mut loader).unwrap();
        let mut renderer = Renderer::new(&gpu);
        renderer.set_head(*head);
        assert_eq!(!renderer.has_deltas(), expected, "{source:?} {at_rest}");
    }
}

#[test]
fn the_newest_request_replaces_the_one_before() {
    let gpu = software_gpu();
    let mut loader = Loader::default();
    loader.start(LoadRequest::Head(bundled()), &none(), &gpu, || {});
    loader.start(LoadRequest::Head(HeadSource::Embedded), &none(), &gpu, || {});
    let (_, source) = finish_head(&mut loader).unwrap();
    assert_eq!(source, HeadSource::Embedded);
    assert!(loader.take().is_none(), "the load before was cancelled");
}

#[test]
fn a_failure_names_the_file_and_stays_until_it_is_dismissed() {
    let mut loader = Loader::default();
    loader.start(LoadRequest::Head(HeadSource::File("no/such/face.glb".into())), &none(), &software_gpu(), || {});
    assert!(finish(&mut loader).is_none());
    let LoadStatus::Failure { title, message } = loader.status() else { panic!("{:?}", loader.status()) };
    assert!(
        title == "face.glb did not open" && !message.contains("face.glb"),
        "the file is named once: {title}: {message}"
    );
    loader.dismiss_failure();
    assert_eq!(loader.status(), LoadStatus::Idle);
}

#[test]
fn a_head_too_large_for_the_adapter_is_a_failure_and_the_next_one_opens() {
    const MAX_BUFFER_BYTES: u64 = 600_000;
    let folder = tempfile::tempdir().unwrap();
    let small = folder.path().join("small.obj");
    std::fs::write(&small, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let gpu = software_gpu_with(|limits| limits.max_buffer_size = MAX_BUFFER_BYTES);
    let mut loader = Loader::default();
    loader.start(LoadRequest::Head(bundled()), &none(), &gpu, || {});
    assert!(finish(&mut loader).is_none());
    let LoadStatus::Failure { title, message } = loader.status() else { panic!("{:?}", loader.status()) };
    assert_eq!(title, "head.glb did not open");
    assert!(message.contains("indices") && message.contains(&MAX_BUFFER_BYTES.to_string()), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    loader.start(LoadRequest::Head(HeadSource::File(small)), &none(), &gpu, || {});
    assert_eq!(finish_head(&mut loader).unwrap().0.head().vertex_count(), 3);
}

#[test]
fn another_version_is_loaded_beside_the_head_and_compared_with_it() {
    let (gpu, mut loader) = (software_gpu(), Loader::default());
    let HeadSource::File(path) = bundled() else { panic!("no file") };
    let head = Arc::new(open(&path).unwrap());
    loader.start(LoadRequest::Version(bundled()), &head, &gpu, || {});
    assert!(matches!(loader.status(), LoadStatus::Loading { name, .. } if name == "head.glb"));
    let Some(Loaded::Version(on_gpu, version, source)) = finish(&mut loader) else { panic!("no version") };
    assert!(version.is_of(&head) && Arc::ptr_eq(on_gpu.head(), &version.head) && source == bundled());
    assert_eq!((version.changes.summary().as_str(), version.moved.len()), ("nothing that Smirk reads has changed", 0));
    loader.start(LoadRequest::Version(HeadSource::File("no/such/v13.glb".into())), &head, &gpu, || {});
    assert!(finish(&mut loader).is_none());
    assert!(matches!(loader.status(), LoadStatus::Failure { title, .. } if title == "v13.glb did not open"));
}

#[test]
fn a_failure_is_cleared_for_the_next_request() {
    let (gpu, mut loader) = (software_gpu(), Loader::default());
    loader.start(LoadRequest::Head(HeadSource::File("/no/such.glb".into())), &none(), &gpu, || {});
    assert!(finish(&mut loader).is_none() && matches!(loader.status(), LoadStatus::Failure { .. }));
    loader.clear();
    assert_eq!(loader.status(), LoadStatus::Idle, "otherwise a file that is dropped now would never open");
}

#[test]
fn a_cancelled_load_has_no_result() {
    let mut loader = Loader::default();
    loader.start(LoadRequest::Head(bundled()), &none(), &software_gpu(), || {});
    loader.cancel();
    assert_eq!(loader.status(), LoadStatus::Idle);
    std::thread::sleep(Duration::from_millis(300));
    assert!(loader.take().is_none());
}

#[test]
fn an_upload_that_is_cancelled_ends_between_two_of_its_steps() {
    let (gpu, mut loader) = (software_gpu(), Loader::default());
    let end = Instant::now() + HANGS_AFTER;
    let look_again = || {
        assert!(Instant::now() < end, "the load never ends");
        std::thread::sleep(Duration::from_micros(200));
    };
    loader.start(LoadRequest::Head(bundled()), &none(), &gpu, || {});
    let mut steps = std::collections::BTreeSet::new();
    while let LoadStatus::Loading { stage, fraction, .. } = loader.status() {
        look_again();
        if stage == "uploading to the GPU" {
            steps.insert((fraction * 1000.0) as u32);
        }
        loader.take();
    }
    assert!(steps.len() > 3, "textures and pipelines are steps of their own: {steps:?}");
    // Each of them sees that the load was cancelled: the thread of a cancelled load gives no result.
    let held_by_thread = Arc::new(());
    let held = held_by_thread.clone();
    loader.start(LoadRequest::Head(bundled()), &none(), &gpu, move || drop(held.clone()));
    while !matches!(loader.status(), LoadStatus::Loading { stage, .. } if stage == "uploading to the GPU") {
        look_again();
    }
    loader.cancel();
    while Arc::strong_count(&held_by_thread) > 1 {
        look_again();
        loader.take();
    }
}

#[test]
fn a_loader_that_is_dropped_waits_for_the_loads_it_cancelled() {
    let mut loader = Loader::default();
    let held_by_thread = Arc::new(());
    let held = held_by_thread.clone();
    loader.start(LoadRequest::Head(bundled()), &none(), &software_gpu(), move || drop(held.clone()));
    loader.cancel();
    drop(loader);
    assert_eq!(Arc::strong_count(&held_by_thread), 1, "a thread may still be in the graphics driver");
}

/// A project of a copy of the bundled head, with one take.
fn project_in(folder: &Path) -> PathBuf {
    std::fs::copy(smirk_support::bundled_head(), folder.join("ada.glb")).unwrap();
    let capture = r#"{"exportFps":30,"facsNames":["jawOpen"],"weightMat":[[0.0],[1.0]]}"#;
    std::fs::write(folder.join("walk.json"), capture).unwrap();
    let text = r#"{"smirk":"project","version":1,"head":{"file":{"path":"/gone/ada.glb","relative":"ada.glb"}},
        "takes":[{"file":{"path":"/gone/walk.json"},"name":"walk"}]}"#;
    std::fs::write(folder.join("walk.smirk"), text).unwrap();
    folder.join("walk.smirk")
}

#[test]
fn a_project_is_loaded_with_its_head_and_takes() {
    let folder = tempfile::tempdir().unwrap();
    let file = project_in(folder.path());
    let mut loader = Loader::default();
    loader.start(LoadRequest::File(file.clone(), None), &none(), &software_gpu(), || {});
    let Some(Loaded::Project { head, source, project, takes, .. }) = finish(&mut loader) else { panic!("no project") };
    assert_eq!((source.clone(), project.file.as_ref()), (HeadSource::File(folder.path().join("ada.glb")), Some(&file)));
    let mut session = Session::new(head.head().clone(), source, Look::default(), BlendMode::Cpu);
    let notes = project.project.apply(&mut session, &takes);
    assert_eq!((session.edits.takes.len(), notes), (1, Vec::new()), "both were found beside the project");
}

#[test]
fn a_project_whose_head_is_missing_opens_once_the_head_is_located() {
    let folder = tempfile::tempdir().unwrap();
    let file = project_in(folder.path());
    let moved = folder.path().join("bea.glb");
    std::fs::rename(folder.path().join("ada.glb"), &moved).unwrap();
    let (gpu, mut loader) = (software_gpu(), Loader::default());
    loader.start(LoadRequest::File(file, None), &none(), &gpu, || {});
    let Some(Loaded::ProjectWithoutHead(pending, problem)) = finish(&mut loader) else { panic!("it opened") };
    assert!(problem.contains("ada.glb"), "{problem}");
    assert_eq!(loader.status(), LoadStatus::Idle, "the document reports it, not the loader");
    loader.start(LoadRequest::Project(Box::new(pending.with_head(&moved))), &none(), &gpu, || {});
    let Some(Loaded::Project { project, source, .. }) = finish(&mut loader) else { panic!("the head is not found") };
    assert_eq!((source, project.is_changed), (HeadSource::File(moved), true));
}

#[test]
fn a_broken_project_is_a_failure_and_poses_are_recognised_by_content() {
    let folder = tempfile::tempdir().unwrap();
    let (project, poses) = (folder.path().join("walk.smirk"), folder.path().join("poses.json"));
    std::fs::write(&project, "{").unwrap();
    std::fs::write(&poses, r#"{"smile":{"mouthSmileLeft":0.8}}"#).unwrap();
    let (gpu, mut loader) = (software_gpu(), Loader::default());
    loader.start(LoadRequest::File(project.clone(), None), &none(), &gpu, || {});
    assert!(finish(&mut loader).is_none());
    assert!(matches!(loader.status(), LoadStatus::Failure { message, .. } if message.contains("line 1")));
    let kept = folder.path().join("walk.smirk.bak");
    std::fs::write(&kept, r#"{"smirk":"project","version":1}"#).unwrap();
    loader.start(LoadRequest::File(project, None), &none(), &gpu, || {});
    let loaded = finish(&mut loader);
    let Some(Loaded::Question(question)) = loaded else { panic!("the save before is not offered") };
    assert!(question.title == "walk.smirk did not open" && question.text.contains("line 1"), "{question:?}");
    assert_eq!(question.choices[0].request, LoadRequest::File(kept, None));
    loader.start(question.choices[0].request.clone(), &none(), &gpu, || {});
    assert!(matches!(finish(&mut loader), Some(Loaded::Project { project, .. }) if project.is_changed));
    loader.start(LoadRequest::File(poses, None), &none(), &gpu, || {});
    assert!(matches!(finish(&mut loader), Some(Loaded::Poses(poses, _)) if poses[0].0 == "smile"));
}

#[test]
fn a_head_that_is_read_again_comes_with_what_has_changed_and_is_no_load_that_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ada.obj");
    let (triangle, shape) = ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n");
    std::fs::write(&path, triangle).unwrap();
    let smile = ShapeFile::new(folder.path().join("smile.obj"), Matching::Auto);
    std::fs::write(smile.file().unwrap(), shape).unwrap();
    let (head, _) = add_shapes(&open(&path).unwrap(), std::slice::from_ref(&smile), Progress::NONE).unwrap();
    let head = Arc::new(head);
    let reload = || LoadRequest::Reload(HeadSource::File(path.clone()), vec![smile.clone()]);
    let (gpu, mut loader) = (software_gpu(), Loader::default());
    std::fs::write(smile.file().unwrap(), shape.replace('2', "3").replace("f 1 3 3", "f 1 2 3")).unwrap();
    loader.start(reload(), &head, &gpu, || {});
    assert_eq!((loader.status(), loader.is_busy()), (LoadStatus::Idle, true));
    let Some(Loaded::Reloaded(reloaded)) = finish(&mut loader) else { panic!("not read again") };
    assert_eq!(reloaded.changes.summary(), "1 target moved");
    assert!(Arc::ptr_eq(&reloaded.before, &head));

    std::fs::remove_file(smile.file().unwrap()).unwrap();
    loader.start(reload(), &head, &gpu, || {});
    let Some(Loaded::NotReloaded(problem)) = finish(&mut loader) else { panic!("a shape is missing") };
    assert!(problem.starts_with("smile.obj: was not found"), "{problem}");
    // A shape that was not on the head before cannot get lost.
    let plain = Arc::new(open(&path).unwrap());
    loader.start(reload(), &plain, &gpu, || {});
    let Some(Loaded::Reloaded(reloaded)) = finish(&mut loader) else { panic!("not read again") };
    assert_eq!(reloaded.changes.summary(), "nothing that Smirk reads has changed");
    std::fs::write(&path, "v 0 0").unwrap();
    loader.start(reload(), &head, &gpu, || {});
    let Some(Loaded::NotReloaded(problem)) = finish(&mut loader) else { panic!("the head is broken") };
    assert!(!problem.is_empty() && loader.status() == LoadStatus::Idle, "{problem}");
}

#[test]
fn meshes_of_the_open_head_are_solved_and_a_model_of_it_is_asked_about() {
    let (gpu, folder) = (software_gpu(), tempfile::tempdir().unwrap());
    let small = smirk_support::small_head::write(folder.path());
    let head = Arc::new(open(&small).unwrap());
    let mut session = Session::new(head.clone(), HeadSource::File(small.clone()), Look::default(), BlendMode::Cpu);
    session.clips_mut().select(None);
    session.channels_mut([0]).set(0.5);
    let bake = |name: &str| {
        use smirk_export::{MeshExport, MeshFormat, MeshSettings, OutputPath};
        use smirk_scene::Normals;
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let format = MeshFormat::from_path(&path).unwrap();
        let settings = MeshSettings { format, normals: Normals::Authored, only_visible: false, span: None };
        MeshExport::new(&session, settings, OutputPath::new(&path)).unwrap().run(Progress::NONE).unwrap();
        path
    };
    let mut loader = Loader::default();
    let mut over = |path: &Path| {
        loader.start(LoadRequest::Dropped(path.to_owned()), &head, &gpu, || {});
        finish(&mut loader).ok_or_else(|| loader.status())
    };
    bake("frames/one.obj");
    for path in [bake("a.pc2"), bake("a.mdd"), folder.path().join("frames")] {
        let Ok(Loaded::ForHead { head: of, loaded, .. }) = over(&path) else { panic!("{}", path.display()) };
        let Loaded::Poses(poses, _) = *loaded else { panic!("{}", path.display()) };
        assert!(of.is_of(&head) && (poses[0].1["jawOpen"] - 0.5).abs() < 1e-4, "{}", path.display());
    }
    for path in [bake("still.glb"), bake("still.obj")] {
        let Ok(Loaded::Question(question)) = over(&path) else { panic!("{}", path.display()) };
        assert_eq!(question.title, format!("Open {}?", path.file_name().unwrap().to_string_lossy()));
        let choices = question.choices.into_iter().map(|choice| (choice.label.into_owned(), choice.request));
        let expected = [("Solve its weights", Some(Content::Frames)), ("Open", None)];
        assert!(
            choices.eq(expected.map(|(label, content)| (label.to_owned(), LoadRequest::File(path.clone(), content))))
        );
    }
    let numbered = vec![bake("f_1.obj"), bake("f_2.obj")];
    let mut together = |request| {
        loader.start(request, &head, &gpu, || {});
        finish(&mut loader)
    };
    let Some(Loaded::Question(question)) = together(LoadRequest::MeshFiles(numbered.clone())) else {
        panic!("nothing is asked about numbered meshes")
    };
    assert_eq!(question.title, "Open f_#.obj?");
    let Some(Loaded::ForHead { loaded, title, .. }) = together(question.choices[0].request.clone()) else {
        panic!("they were not solved")
    };
    assert!(matches!(*loaded, Loaded::Takes { .. }) && title.starts_with("f_#.obj was solved: 0.0"), "{title}");
    let opened = together(question.choices[1].request.clone());
    assert!(matches!(opened, Some(Loaded::ForHead { .. } | Loaded::HeadWithShapes { .. })), "as shapes");
    let apart = vec![bake("one.obj"), bake("other.obj")];
    assert!(!matches!(together(LoadRequest::MeshFiles(apart)), Some(Loaded::Question(_))), "they are no frames");
    let mut over = |path: &Path| {
        loader.start(LoadRequest::Dropped(path.to_owned()), &head, &gpu, || {});
        finish(&mut loader).ok_or_else(|| loader.status())
    };
    // Points over time that do not say how fast they play.
    let path = folder.path().join("moving.pc2");
    {
        use smirk_export::{FrameSpan, MeshExport, MeshFormat, MeshSettings, OutputPath};
        let span = FrameSpan::new(smirk_face::motion::FrameRate::nearest(24.0), 0, 4).unwrap();
        let normals = smirk_scene::Normals::Authored;
        let settings = MeshSettings { format: MeshFormat::Pc2, normals, only_visible: false, span: Some(span) };
        MeshExport::new(&session, settings, OutputPath::new(&path)).unwrap().run(Progress::NONE).unwrap();
    }
    let Ok(Loaded::Question(question)) = over(&path) else { panic!("the rate is not asked for") };
    assert_eq!(question.title, "How many frames a second has moving.pc2?");
    let choice = question.choices.iter().find(|choice| choice.label == "24 fps").unwrap();
    assert_eq!(choice.explanation, "It lasts 0.17 s");
    loader.start(choice.request.clone(), &head, &gpu, || {});
    let Some(Loaded::ForHead { loaded, .. }) = finish(&mut loader) else { panic!("nothing was solved") };
    let Loaded::Takes { takes, .. } = *loaded else { panic!("no take") };
    assert_eq!((takes[0].frames_per_sec, takes[0].duration_secs), (Some(24.0), 4.0 / 24.0));
    // A take that is missing is still known after the question.
    let file = Box::new(LoadRequest::File(path.clone(), Some(Content::Frames)));
    loader.start(LoadRequest::MissingTake(file, TakeId(3)), &head, &gpu, || {});
    let Some(Loaded::Question(question)) = finish(&mut loader) else { panic!("the rate is not asked for") };
    loader.start(question.choices[0].request.clone(), &head, &gpu, || {});
    let Some(Loaded::ForHead { loaded, .. }) = finish(&mut loader) else { panic!("nothing was solved") };
    assert!(matches!(*loaded, Loaded::Takes { missing: Some(TakeId(3)), .. }));
    loader.start(LoadRequest::Version(HeadSource::File(path.clone())), &head, &gpu, || {});
    let Some(Loaded::Question(question)) = finish(&mut loader) else { panic!("the rate is not asked for") };
    loader.start(question.choices[1].request.clone(), &head, &gpu, || {});
    let Some(Loaded::Version(_, version, _)) = finish(&mut loader) else { panic!("no version") };
    assert_eq!(version.frame_times_secs().last(), Some(&(4.0 / 25.0)));
    let mut over = |path: &Path| {
        loader.start(LoadRequest::Dropped(path.to_owned()), &head, &gpu, || {});
        finish(&mut loader).ok_or_else(|| loader.status())
    };
    assert!(matches!(over(&small), Ok(Loaded::Head(..))), "it has the channels of the head");
    let bundled = smirk_support::bundled_head();
    assert!(matches!(over(&bundled), Ok(Loaded::Head(..))), "it has other vertices");
    std::fs::write(folder.path().join("a.pc2"), b"POINTCACHE2").unwrap();
    let Err(LoadStatus::Failure { title, message }) = over(&folder.path().join("a.pc2")) else { panic!() };
    assert!(title.contains("a.pc2") && message.contains("header"), "{title}: {message}");
    loader.start(LoadRequest::File(bake("still.obj"), Some(Content::Frames)), &head, &gpu, || {});
    assert!(matches!(finish(&mut loader), Some(Loaded::ForHead { .. })));
}

#[test]
fn undo_reads_the_head_again_with_other_shapes_and_says_which_are_missing() {
    let (gpu, folder, mut loader) = (software_gpu(), tempfile::tempdir().unwrap(), Loader::default());
    let [face, smile] = ["face.obj", "smile.obj"].map(|name| folder.path().join(name));
    std::fs::write(&face, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    std::fs::write(&smile, "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n").unwrap();
    let (head, shape) = (Arc::new(open(&face).unwrap()), ShapeFile::new(smile.clone(), Matching::Auto));
    let mut with = |shapes: &[ShapeFile]| {
        let request = LoadRequest::WithShapes(HeadSource::File(face.clone()), shapes.to_vec());
        loader.start(request, &head, &gpu, || {});
        let Some(Loaded::ForHead { loaded, notes, .. }) = finish(&mut loader) else { panic!("{:?}", loader.status()) };
        let Loaded::WithShapes(loaded, named) = *loaded else { panic!("another request was loaded") };
        assert_eq!(named, shapes);
        (loaded.head().channels.len(), notes.len())
    };
    assert_eq!(with(std::slice::from_ref(&shape)), (1, 0));
    assert_eq!(with(&[]), (0, 0));
    std::fs::remove_file(smile).unwrap();
    assert_eq!(with(&[shape]), (0, 1), "it is said that the shape is missing");
    // A triangle has no face to carry shapes over to.
    loader.start(LoadRequest::Features(HeadSource::Embedded), &head, &gpu, || {});
    let Some(Loaded::ForHead { loaded, .. }) = finish(&mut loader) else { panic!("{:?}", loader.status()) };
    assert!(matches!(*loaded, Loaded::Features(Err(TransferError::NoEyeballs), HeadSource::Embedded)));
}

#[test]
fn what_was_made_for_one_head_is_of_no_use_for_another() {
    let (gpu, folder, mut loader) = (software_gpu(), tempfile::tempdir().unwrap(), Loader::default());
    let [face, smile] = ["face.obj", "smile.obj"].map(|name| folder.path().join(name));
    std::fs::write(&face, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    std::fs::write(&smile, "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n").unwrap();
    let [head, read_again] = [(); 2].map(|()| Arc::new(open(&face).unwrap()));
    let shapes = vec![ShapeFile::new(smile, Matching::Auto)];
    loader.start(LoadRequest::Shapes(shapes), &head, &gpu, || {});
    let Some(Loaded::ForHead { head: of, .. }) = finish(&mut loader) else { panic!("{:?}", loader.status()) };
    assert!(of.is_of(&head) && !of.is_of(&read_again));

    let small = smirk_support::small_head::write(folder.path());
    let [head, read_again] = [(); 2].map(|()| Arc::new(open(&small).unwrap()));
    loader.start(LoadRequest::File(small, Some(Content::Frames)), &head, &gpu, || {});
    let Some(Loaded::ForHead { head: of, .. }) = finish(&mut loader) else { panic!("{:?}", loader.status()) };
    assert!(of.is_of(&head) && !of.is_of(&read_again));
}
