//! The kill loop: windows that are killed at random moments of editing and saving. What the screen showed until then is compared
//! with what comes back.
//!
//! `SMIRK_KILLS=200 ./dev test --test window kills` counts that many kills, in several windows at once, and prints what it found.

use std::os::unix::process::ExitStatusExt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use smirk_support::random::Random;

use crate::SLIDER_Y;
use crate::display::{Display, SIZE};
use crate::slider::{SliderWindow, TOLERANCE, column, shown};

/// The longest time of continuous editing before unsaved work is written: what a kill may lose.
const AUTOSAVED_WITHIN: Duration = Duration::from_secs(3);
/// For frames and files of a machine that is busy with other windows.
const SLACK: Duration = Duration::from_secs(3);

/// A part of the slider that is longer than the mouse may move within a click.
const CLEARLY_MOVED: f32 = 0.06;

const DEFAULT_COUNT: u32 = 4;
/// Windows at once while kills are counted.
const WINDOWS: u32 = 4;

#[derive(Clone, Copy, Debug)]
enum Signal {
    Kill,
    Term,
}

/// What a kill found.
#[derive(Debug)]
struct Killed {
    signal: Signal,
    /// How long before the kill the screen showed the first value that did not come back.
    loss: Duration,
    saves: u32,
}

#[test]
fn work_comes_back_after_kills_at_random_moments_of_editing_and_saving() {
    let wanted = std::env::var("SMIRK_KILLS").ok().map(|count| count.parse().expect("SMIRK_KILLS is a number"));
    let (count, windows) = wanted.map_or((DEFAULT_COUNT, 1), |count| (count, WINDOWS));
    let next = AtomicU32::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..windows {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    // A display of its own for each: the screen would still show the window that was killed before.
                    let display = if windows == 1 { Display::start(SIZE) } else { Display::start_beside(SIZE, None) };
                    let signal = if index.is_multiple_of(2) { Signal::Kill } else { Signal::Term };
                    let killed = kill(&display, signal, index);
                    if wanted.is_some() {
                        println!("{index}: {killed:?}");
                    }
                    found.lock().unwrap().push(killed);
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    assert_eq!(found.len(), count as usize);
    let of = |wanted: Signal| found.iter().filter(move |killed| killed.signal as u8 == wanted as u8);
    let worst = |signal: Signal| of(signal).map(|killed| killed.loss).max().unwrap_or_default().as_secs_f32();
    println!(
        "{} kills, {} saves: {} by SIGKILL lost {:.2} s at most, {} by SIGTERM lost {:.2} s at most",
        found.len(),
        found.iter().map(|killed| killed.saves).sum::<u32>(),
        of(Signal::Kill).count(),
        worst(Signal::Kill),
        of(Signal::Term).count(),
        worst(Signal::Term),
    );
}

/// Opens a project, drags its slider further and further, saves now and then, and kills the window meanwhile.
fn kill(display: &Display, signal: Signal, seed: u32) -> Killed {
    let mut random = Random::new(seed);
    let mut window = SliderWindow::open(display);
    let edit_for = Duration::from_secs_f32(random.between(0.2, 7.0));
    // Half of the windows are killed before anything is saved.
    let is_saving = random.chance(0.5);
    let began = Instant::now();
    // The values on the screen, and when each was seen first.
    let mut seen: Vec<(Instant, f32)> = Vec::new();
    let mut saves = 0;
    let drag_to = |value: f32| {
        let (x, y) = (column(value).to_string(), SLIDER_Y.to_string());
        assert!(display.does(&["mousemove", &x, &y]));
    };
    let mut value = 0.03;
    drag_to(value);
    assert!(display.does(&["mousedown", "1"]));
    while began.elapsed() < edit_for || seen.is_empty() {
        let is_late = began.elapsed() > Duration::from_secs(60);
        assert!(!is_late, "the slider of kill {seed} does not move; the screen is in {}", display.keep_picture());
        value = (value + 0.006_f32).min(0.97);
        drag_to(value);
        if random.chance(0.04) {
            // A press and a release at nearly the same place are a click, and two of them reset the slider.
            value = (value + CLEARLY_MOVED).min(0.97);
            drag_to(value);
            assert!(display.does(&["mouseup", "1"]));
            if is_saving && random.chance(0.7) {
                assert!(display.does(&["key", "ctrl+s"]));
                saves += 1;
            } else {
                std::thread::sleep(Duration::from_secs_f32(random.between(0.0, 1.5)));
            }
            assert!(display.does(&["mousedown", "1"]));
        }
        std::thread::sleep(Duration::from_millis(20));
        if let Some(value) = shown(display).filter(|&value| seen.last().is_none_or(|&(_, last)| value > last)) {
            seen.push((Instant::now(), value));
        }
    }
    assert!(window.smirk.process.try_wait().unwrap().is_none(), "it ended by itself");
    match signal {
        Signal::Kill => window.smirk.process.kill().unwrap(),
        Signal::Term => window.smirk.signal("TERM"),
    }
    let killed_at = Instant::now();
    let (status, said) = window.smirk.wait_for_end();

    // Unsaved work, if there is any, is newer than what was saved. Reading either fails if it is not whole.
    let saved = window.saved();
    let back = window.recovered().first().copied().unwrap_or(saved);
    let lost_at = seen.iter().find(|(_, value)| *value > back + TOLERANCE).map(|&(at, _)| at);
    let loss = lost_at.map(|at| killed_at - at).unwrap_or_default();
    let (_, last) = *seen.last().expect("the slider moved");
    match signal {
        Signal::Kill => {
            assert_eq!(status.signal(), Some(9), "{said}");
            assert!(loss < AUTOSAVED_WITHIN + SLACK, "kill {seed} lost {loss:?}: {last} was shown, {back} came back");
        }
        Signal::Term => {
            assert_eq!(status.signal(), Some(15), "{said}");
            assert_eq!(loss, Duration::ZERO, "kill {seed} lost work: {last} was shown, {back} came back: {said}");
            assert!(window.temporaries().is_empty(), "{:?}", window.temporaries());
        }
    }
    Killed { signal, loss, saves }
}
