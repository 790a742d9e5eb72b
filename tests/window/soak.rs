//! A soak: an artist who does anything. The long form goes on for as many seconds as `SMIRK_SOAK` says, and `SMIRK_SOAK_SEED` repeats the
//! actions of an earlier run.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::json;
use smirk_support::random::Random;
use smirk_support::test_files::real_heads;

use crate::display::Display;
use crate::home::Home;
use crate::smirk::Smirk;

const SCREEN: [usize; 2] = [1600, 1000];
const SIZES: [[&str; 2]; 4] = [["1600", "1000"], ["1280", "720"], ["900", "600"], ["1100", "900"]];
/// The part of the window, in pixels, that is used at every size, without the bar at the top, whose menu ends the program.
const USED: [[usize; 2]; 2] = [[2, 890], [60, 590]];
/// What rfd opens as the dialog: it answers with the file that the test has chosen.
const DIALOG: &str = "case \"$*\" in *--save*) echo \"$HOME/soak.smirk\";; *) cat \"$HOME/answer\";; esac\n";
/// The window answers, and its memory is measured, each time after so many actions.
const ROUND: usize = 10;
const KEYS: [&str; 24] = [
    "ctrl+1",
    "ctrl+2",
    "ctrl+3",
    "ctrl+4",
    "space",
    "Home",
    "l",
    "c",
    "p",
    "q",
    "w",
    "e",
    "r",
    "f",
    "ctrl+z",
    "ctrl+z",
    "ctrl+shift+z",
    "ctrl+r",
    "ctrl+k",
    "ctrl+m",
    "ctrl+s",
    "Right",
    "shift+Left",
    "Escape",
];

/// The files that are opened: heads and a take.
fn files(folder: &Path) -> Vec<PathBuf> {
    let take = folder.join("walk.json");
    let weights: Vec<String> = (0..90).map(|frame| format!("[{}]", (frame % 30) as f32 / 30.0)).collect();
    let text = format!(r#"{{"exportFps":30,"facsNames":["jawOpen"],"weightMat":[{}]}}"#, weights.join(","));
    std::fs::write(&take, text).unwrap();
    let mut files = vec![smirk_support::bundled_head(), take];
    let ict = real_heads().map(|heads| heads.join("ict/ict_facekit.glb"));
    files.extend(ict.filter(|path| path.exists()));
    files
}

/// A place in the part of the window that is used.
fn anywhere(random: &mut Random) -> [i32; 2] {
    USED.map(|[from, to]| (from + random.below(to - from)) as i32)
}

/// A place on a widget with this role, or anywhere if there is none.
fn on_a(role: &str, smirk: &Smirk, random: &mut Random) -> [i32; 2] {
    let state = smirk.current();
    let is_used = |[x, y]: [i32; 2]| {
        [(x, USED[0]), (y, USED[1])].iter().all(|&(at, [from, to])| (from as i32..to as i32).contains(&at))
    };
    let places: Vec<[i32; 2]> = state
        .widgets
        .iter()
        .filter(|widget| widget.role == role)
        .map(|widget| widget.at([random.between(0.0, 1.0), random.between(0.0, 1.0)]))
        .filter(|&place| is_used(place))
        .collect();
    if places.is_empty() { anywhere(random) } else { places[random.below(places.len())] }
}

/// Uses a window at random until `is_over`, which is told the number of actions.
fn use_at_random(seed: u32, is_over: impl Fn(usize) -> bool) {
    println!("SMIRK_SOAK_SEED={seed}");
    let mut random = Random::new(seed);
    let display = Rc::new(Display::start(SCREEN));
    let home = Rc::new(Home::of_size([1280, 720], &json!({})));
    home.set_dialog(DIALOG);
    let files = files(home.path());
    let smirk = Smirk::open(&display, &home, None::<&str>);
    let window = smirk.window();
    let mut measured: Vec<u64> = Vec::new();
    let mut actions = 0;
    while !is_over(actions) {
        let random = &mut random;
        match random.below(20) {
            0..5 => {
                let from = on_a("Slider", &smirk, random);
                smirk.drag(from, [anywhere(random)[0], from[1]]);
            }
            5..8 => {
                let from = on_a("Image", &smirk, random);
                smirk.drag(from, anywhere(random));
            }
            8..14 => smirk.press(&[KEYS[random.below(KEYS.len())]]),
            14..17 => {
                let [x, y] = anywhere(random).map(|position| position.to_string());
                smirk.act(&["mousemove", &x, &y, "click", "1"]);
            }
            17 => {
                let [x, y] = on_a("Image", &smirk, random).map(|position| position.to_string());
                let button = if random.chance(0.5) { "4" } else { "5" };
                smirk.act(&["mousemove", &x, &y, "click", "--repeat", "3", button]);
            }
            18 => {
                let [width, height] = SIZES[random.below(SIZES.len())];
                smirk.act(&["windowsize", &window, width, height]);
            }
            _ => {
                std::fs::write(home.at("answer"), files[random.below(files.len())].to_str().unwrap()).unwrap();
                smirk.press(&["Escape", "ctrl+o"]);
            }
        }
        actions += 1;
        if actions % ROUND == 0 {
            // Whatever is open is closed first: the list of keys itself may be.
            smirk.press(&["Escape"]);
            smirk.press(&["Escape"]);
            smirk.wait_for("what was open to be closed", |state| !state.shows("Keys and mouse"));
            smirk.press(&["F1"]);
            smirk.wait_for("the list of keys", |state| state.shows("Keys and mouse"));
            smirk.press(&["Escape"]);
            measured.push(smirk.memory());
        }
    }
    println!("{actions} actions; memory in MB: {:?}", measured.iter().map(|bytes| bytes >> 20).collect::<Vec<_>>());
    let (_, settings) = smirk.quit();
    assert!(settings.is_object());
    let log = home.log();
    let faults = log.lines().filter(|line| line.contains(" ERROR ") || line.contains("panicked"));
    let faults: Vec<&str> = faults.filter(|line| !line.contains("rfd::")).collect();
    assert!(faults.is_empty(), "seed {seed}: {faults:?}");
    let half = measured.len() / 2;
    let most = |part: &[u64]| part.iter().copied().max().unwrap_or(0);
    if measured.len() >= 8 {
        let [first, second] = [most(&measured[..half]), most(&measured[half..])];
        assert!(second <= first * 3 / 2, "seed {seed}: memory grows: {measured:?}");
    }
}

#[test]
fn a_window_that_is_used_at_random_stays_alive() {
    use_at_random(1, |actions| actions == 20);
}

#[test]
#[ignore = "long: ./dev soak"]
fn a_window_that_is_used_at_random_for_long_stays_alive_and_takes_no_more_memory() {
    let number = |name: &str| std::env::var(name).ok().map(|value| value.parse::<u64>().expect("a number"));
    let duration = Duration::from_secs(number("SMIRK_SOAK").unwrap_or(600));
    let seed = number("SMIRK_SOAK_SEED").unwrap_or_else(|| u64::from(std::process::id())) as u32;
    let began = Instant::now();
    use_at_random(seed, |_| began.elapsed() > duration);
}
