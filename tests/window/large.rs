//! Heads of very many primitives, and many heads one after the other.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::{Value, json};
use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::small_head;
use smirk_support::test_files::real_heads;

use crate::display::{Display, SMALL};
use crate::home::Home;
use crate::smirk::Smirk;

/// A head of so many primitives in one place, each with a material of its own: a software adapter takes minutes to draw it.
fn very_divided(folder: &Path, primitives: usize) -> PathBuf {
    let mut file = GltfBuilder::triangle();
    let primitive = file.primitive().clone();
    let material =
        |index: usize| json!({"pbrMetallicRoughness": {"baseColorFactor": [1.0, index as f64 / 1e6, 0.5, 1.0]}});
    file.json["materials"] = (0..primitives).map(material).collect();
    let with_material = |index: usize| {
        let mut primitive = primitive.clone();
        primitive["material"] = json!(index);
        primitive
    };
    file.json["meshes"][0]["primitives"] = (0..primitives).map(with_material).collect::<Vec<Value>>().into();
    let path = folder.join("divided.glb");
    std::fs::write(&path, file.glb()).unwrap();
    path
}

#[test]
fn the_window_answers_while_a_head_of_very_many_primitives_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let head = very_divided(folder.path(), 30_000);
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let smirk = Smirk::open(&display, &home, [&head]);
    // The title changes when the head has taken the bundled one's place: from here on it is drawn.
    smirk.wait_for_title("divided — Smirk");
    for _ in 0..4 {
        smirk.press(&["F1"]);
        let state = smirk.wait_for("the list of keys", |state| state.shows("Keys and mouse"));
        assert!(!state.is_at_rest, "the head is drawn already, so that nothing is proved");
        smirk.press(&["Escape"]);
        smirk.wait_for("the list of keys to go", |state| !state.shows("Keys and mouse"));
    }
    let (said, _) = smirk.quit();
    assert!(!said.contains("panicked"), "{said}");
}

/// Memory of the window after it has opened a file so many times, in bytes.
fn memory_after(display: &Rc<Display>, head: &Path, times: usize) -> u64 {
    let home = Rc::new(Home::new(&json!({})));
    let smirk = Smirk::open(display, &home, vec![head; times]);
    let opened = || home.log().matches(" opened\n").count();
    let mut last = 0;
    while last < times {
        smirk.wait_until("the next head", || opened() > last);
        last = opened();
    }
    smirk.stop_at_start();
    smirk.wait_until_at_rest();
    let bytes = smirk.memory();
    smirk.quit();
    bytes
}

fn bundled_head() -> PathBuf {
    smirk_support::bundled_head()
}

/// Opens each head so many times, which takes little more memory than once.
fn open_often(heads: &[PathBuf], times: usize) {
    let display = Rc::new(Display::start(SMALL));
    for head in heads {
        let [one, all] = [1, times].map(|times| memory_after(&display, head, times));
        let ratio = all as f64 / one as f64;
        println!("{}: {} MB after one, {} MB after {times}", head.display(), one >> 20, all >> 20);
        assert!(ratio < 1.3, "{}: {} MB after one, {} MB after {times}", head.display(), one >> 20, all >> 20);
    }
}

#[test]
fn three_heads_one_after_the_other_take_little_more_memory_than_one() {
    open_often(&[bundled_head()], 3);
}

#[test]
#[ignore = "long: ./dev soak"]
fn forty_eight_heads_one_after_the_other_take_little_more_memory_than_one() {
    let ict = real_heads().map(|heads| heads.join("ict/ict_facekit.glb")).filter(|path| path.exists());
    open_often(&[Some(bundled_head()), ict].into_iter().flatten().collect::<Vec<_>>(), 48);
}

/// Lets the clip of a head play, and compares the memory after so many frames.
fn play(head: &Path, frames: [u64; 2]) {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let smirk = Smirk::open(&display, &home, [head]);
    smirk.wait_until("the head to be opened", || home.log().contains(" opened\n"));
    // The picture that rests is drawn first, because its pipelines take memory too.
    smirk.stop_at_start();
    smirk.wait_until_at_rest();
    smirk.press(&["space"]);
    let first = smirk.wait_for("the clip to play", |state| state.is_playing).frame;
    let [before, after] = frames.map(|count| {
        // A busy machine draws few of them in the time of one wait.
        for done in (0..=count).step_by(10) {
            smirk.wait_for("the next frames", |state| state.frame > first + done);
        }
        smirk.memory()
    });
    println!("{} MB after {} frames, {} MB after {}", before >> 20, frames[0], after >> 20, frames[1]);
    assert!(after < before + (100 << 20), "{} MB, then {} MB", before >> 20, after >> 20);
    smirk.quit();
}

#[test]
fn a_clip_that_plays_takes_no_more_memory() {
    let folder = tempfile::tempdir().unwrap();
    play(&small_head::write(folder.path()), [30, 150]);
}

#[test]
#[ignore = "long: ./dev soak"]
fn a_clip_that_plays_for_long_takes_no_more_memory() {
    play(&bundled_head(), [100, 2000]);
}
