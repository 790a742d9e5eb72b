//! Heads of very many primitives, and many heads one after the other.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::test_files::real_heads;

use super::display::{Display, SIZE, Smirk, mean_difference, settled_screen, wait_until};

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
    let display = Display::start(SIZE);
    let smirk = Smirk::start(&display, SIZE, [head.as_os_str()]);
    display.focus();
    // The title changes when the head has taken the bundled one's place: from here on it is drawn.
    display.xdotool(&["search", "--sync", "--onlyvisible", "--name", "divided"]);
    display.xdotool(&["mousemove", "640", "690"]);
    // The title may come before the frame with the panels of the head is on the screen.
    let mut last = display.picture();
    display.wait_until("the panels of the head", || {
        std::thread::sleep(std::time::Duration::from_millis(500));
        let next = display.picture();
        mean_difference(&next, &std::mem::replace(&mut last, next.clone())) < 0.5
    });
    for _ in 0..4 {
        let before = display.picture();
        display.xdotool(&["key", "F1"]);
        // The list of keys covers the middle of the window, and comes and goes gradually. A picture of this head alone takes longer than
        // the wait.
        let is_listed = || mean_difference(&display.picture(), &before) > 2.0;
        display.wait_until("the list of keys", is_listed);
        display.xdotool(&["key", "Escape"]);
        display.wait_until("the list of keys to go", || !is_listed());
    }
    let (said, _) = smirk.quit(&display);
    assert!(!said.contains("panicked"), "{said}");
}

/// Memory of the window after it has opened a file so many times, in bytes.
fn memory_after(display: &Display, head: &Path, times: usize) -> u64 {
    let smirk = Smirk::start(display, SIZE, vec![head.as_os_str(); times]);
    display.focus();
    let log = smirk.config.path().join("smirk.log");
    let opened = || std::fs::read_to_string(&log).map_or(0, |log| log.matches(" opened\n").count());
    let mut last = 0;
    while last < times {
        // One minute for each head, not for all.
        wait_until("the next head", || opened() > last);
        last = opened();
    }
    display.xdotool(&["mousemove", "640", "360"]);
    std::thread::sleep(std::time::Duration::from_secs(2));
    display.xdotool(&["key", "space"]);
    settled_screen(display);
    let bytes = resident(smirk.process.id());
    smirk.quit(display);
    bytes
}

/// The main memory that a process takes, in bytes.
pub fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

#[test]
fn forty_eight_heads_one_after_the_other_take_little_more_memory_than_one() {
    let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/head.glb");
    let ict = real_heads().map(|heads| heads.join("ict/ict_facekit.glb")).filter(|path| path.exists());
    let display = Display::start(SIZE);
    for head in [Some(bundled), ict].into_iter().flatten() {
        let [one, all] = [1, 48].map(|times| memory_after(&display, &head, times));
        let ratio = all as f64 / one as f64;
        println!("{}: {} MB after one, {} MB after 48", head.display(), one >> 20, all >> 20);
        assert!(ratio < 1.3, "{}: {} MB after one, {} MB after 48", head.display(), one >> 20, all >> 20);
    }
}

#[test]
fn a_clip_that_plays_takes_no_more_memory() {
    let display = Display::start(SIZE);
    let smirk = Smirk::start(&display, SIZE, []);
    display.focus();
    let resident_after = |seconds| {
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        resident(smirk.process.id())
    };
    // The picture that rests is drawn first, because its pipelines take memory too.
    display.xdotool(&["mousemove", "640", "360"]);
    std::thread::sleep(std::time::Duration::from_secs(2));
    display.xdotool(&["key", "space"]);
    settled_screen(&display);
    display.xdotool(&["key", "space"]);
    let [before, after] = [5, 20].map(resident_after);
    println!("{} MB, then {} MB", before >> 20, after >> 20);
    assert!(after < before + (100 << 20), "{} MB, then {} MB", before >> 20, after >> 20);
    smirk.quit(&display);
}
