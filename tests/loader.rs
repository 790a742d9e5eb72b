//! Loading beside the window: the newest request wins, a failure leaves the last word to the message, a cancel is silent.

#![allow(clippy::unwrap_used, reason = "a test")]

mod support;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use smirk::loader::{Loaded, Loader, Request};
use smirk::readout::Loading;
use smirk::render::HeadOnGpu;
use smirk::session::Source;
use support::software_gpu;

/// Polls as the window does, until the load is over.
fn finish(loader: &mut Loader) -> Option<Loaded> {
    let began = Instant::now();
    while loader.is_busy() {
        assert!(began.elapsed() < Duration::from_secs(60), "the load never ends");
        if let Some(loaded) = loader.take() {
            return Some(loaded);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    None
}

/// The head that comes of a load.
fn finish_head(loader: &mut Loader) -> Option<(Box<HeadOnGpu>, Source)> {
    match finish(loader)? {
        Loaded::Head(head, source) => Some((head, source)),
        _ => panic!("not a head"),
    }
}

fn bundled() -> Source {
    Source::File(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/head.glb"))
}

#[test]
fn a_head_arrives_whole_with_its_source_and_the_window_is_woken() {
    let mut loader = Loader::default();
    let (send, woken) = std::sync::mpsc::channel();
    loader.start(Request::Head(bundled()), &software_gpu(), move || {
        let _ = send.send(());
    });
    assert!(matches!(loader.status(), Loading::Busy { name, .. } if name == "head.glb"));
    let (head, source) = finish_head(&mut loader).unwrap();
    assert_eq!((head.head().channels.len(), source), (54, bundled()));
    assert!(woken.try_iter().count() > 2);
    assert_eq!(loader.status(), Loading::Idle);
}

#[test]
fn the_newest_request_wins() {
    let gpu = software_gpu();
    let mut loader = Loader::default();
    loader.start(Request::Head(bundled()), &gpu, || {});
    loader.start(Request::Head(Source::Embedded), &gpu, || {});
    let (_, source) = finish_head(&mut loader).unwrap();
    assert_eq!(source, Source::Embedded);
    assert!(loader.take().is_none(), "the older load came after all");
}

#[test]
fn a_failure_says_which_file_and_is_put_away_by_hand() {
    let mut loader = Loader::default();
    loader.start(Request::Head(Source::File("no/such/face.glb".into())), &software_gpu(), || {});
    assert!(finish(&mut loader).is_none());
    let Loading::Failed { title, message } = loader.status() else { panic!("{:?}", loader.status()) };
    assert!(title.contains("face.glb") && message.contains("face.glb"), "{title}: {message}");
    loader.dismiss_failure();
    assert_eq!(loader.status(), Loading::Idle);
}

#[test]
fn a_cancelled_load_leaves_nothing() {
    let mut loader = Loader::default();
    loader.start(Request::Head(bundled()), &software_gpu(), || {});
    loader.cancel();
    assert_eq!(loader.status(), Loading::Idle);
    std::thread::sleep(Duration::from_millis(300));
    assert!(loader.take().is_none());
}
