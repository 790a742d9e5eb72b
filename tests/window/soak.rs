//! A soak: an artist who does anything, for as long as `SMIRK_SOAK` says in seconds. `SMIRK_SOAK_SEED` repeats the actions of an
//! earlier run.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use smirk_support::random::Random;
use smirk_support::test_files::real_heads;

use super::display::{Display, Smirk, mean_difference, wait_until};
use super::large::resident;

const SCREEN: [usize; 2] = [1600, 1000];
const SIZES: [[&str; 2]; 4] = [["1600", "1000"], ["1280", "720"], ["900", "600"], ["1100", "900"]];
/// A program that rfd opens as the dialog: it answers with the file that the test has chosen.
const DIALOG: &str = "#!/bin/sh\ncase \"$*\" in *--save*) echo \"$HOME/soak.smirk\";; *) cat \"$HOME/answer\";; esac\n";
const KEYS: [&str; 24] = [
    "1",
    "2",
    "3",
    "4",
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
    let mut files = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/head.glb"), take];
    let ict = real_heads().map(|heads| heads.join("ict/ict_facekit.glb"));
    files.extend(ict.filter(|path| path.exists()));
    files
}

fn text([x, y]: [usize; 2]) -> [String; 2] {
    [x.to_string(), y.to_string()]
}

#[test]
fn a_window_that_is_used_at_random_stays_alive_and_takes_no_more_memory() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let duration = Duration::from_secs(number("SMIRK_SOAK").unwrap_or(20));
    let seed = number("SMIRK_SOAK_SEED").unwrap_or_else(|| u64::from(std::process::id())) as u32;
    println!("SMIRK_SOAK_SEED={seed}");
    let mut random = Random::new(seed);
    let display = Display::start(SCREEN);
    let config = Rc::new(tempfile::tempdir().unwrap());
    let folder = config.path();
    std::fs::create_dir(folder.join("bin")).unwrap();
    std::fs::write(folder.join("bin/zenity"), DIALOG).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.join("bin/zenity"), executable).unwrap();
    std::fs::write(folder.join("settings.json"), r#"{"window_size":[1280,720]}"#).unwrap();
    let files = files(folder);
    let mut smirk = Smirk::start_again(&display, config.clone(), []);
    display.focus();
    let began = Instant::now();
    let mut measured: Vec<u64> = Vec::new();
    let mut actions = 0;
    while began.elapsed() < duration {
        let end = smirk.process.try_wait().unwrap();
        assert!(end.is_none(), "seed {seed}: it ended after {actions} actions: {end:?}");
        let mut spot =
            |x: [usize; 2], y: [usize; 2]| [x[0] + random.below(x[1] - x[0]), y[0] + random.below(y[1] - y[0])];
        let (slider, end) = (spot([40, 270], [150, 560]), spot([40, 270], [150, 560]));
        let (face, other) = (spot([320, 600], [120, 480]), spot([320, 600], [120, 480]));
        // Not the bar at the top, whose menu ends the program.
        let anywhere = spot([0, 1280], [60, 700]);
        match random.below(20) {
            0..5 => display.drag(slider, [end[0], slider[1]]),
            5..8 => display.drag(face, other),
            8..14 => display.xdotool(&["key", KEYS[random.below(KEYS.len())]]),
            14..17 => {
                let [x, y] = text(anywhere);
                display.xdotool(&["mousemove", &x, &y, "click", "1"]);
            }
            17 => {
                let [x, y] = text(face);
                let button = if random.chance(0.5) { "4" } else { "5" };
                display.xdotool(&["mousemove", &x, &y, "click", "--repeat", "3", button]);
            }
            18 => {
                let [width, height] = SIZES[random.below(SIZES.len())];
                let resize = ["search", "--onlyvisible", "--name", "Smirk", "windowsize", width, height];
                assert!(display.does(&resize), "no window to resize");
            }
            _ => {
                std::fs::write(folder.join("answer"), files[random.below(files.len())].to_str().unwrap()).unwrap();
                display.xdotool(&["key", "Escape", "ctrl+o"]);
                std::thread::sleep(Duration::from_millis(1500));
            }
        }
        actions += 1;
        if actions % 25 == 0 {
            // Whatever is open is closed first: the list of keys itself may be.
            display.xdotool(&["key", "Escape", "Escape"]);
            std::thread::sleep(Duration::from_secs(1));
            let before = display.picture();
            display.xdotool(&["key", "F1"]);
            wait_until("the list of keys", || mean_difference(&display.picture(), &before) > 1.0);
            display.xdotool(&["key", "Escape"]);
            measured.push(resident(smirk.process.id()));
        }
    }
    println!("{actions} actions; memory in MB: {:?}", measured.iter().map(|bytes| bytes >> 20).collect::<Vec<_>>());
    let (_, settings) = smirk.quit(&display);
    assert!(settings.is_object());
    let log = std::fs::read_to_string(folder.join("smirk.log")).unwrap();
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
