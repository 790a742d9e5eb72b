//! The kill loop: windows that are killed at random moments of editing and saving. What the window showed until then is compared
//! with what comes back.
//!
//! `SMIRK_KILLS` is the number of kills of the long form, which several windows at once share.

use std::os::unix::process::ExitStatusExt;
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use smirk_support::HANGS_AFTER;
use smirk_support::random::Random;

use crate::display::{Display, SMALL};
use crate::slider::{CHANNEL, SliderWindow, TOLERANCE};

/// The longest time of continuous editing before unsaved work is written: what a kill may lose.
const AUTOSAVED_WITHIN: Duration = Duration::from_secs(3);
/// For frames and files of a machine that is busy with other windows.
const SLACK: Duration = Duration::from_secs(3);

/// A part of the slider that is longer than the mouse may move within a click.
const CLEARLY_MOVED: f32 = 0.06;

/// Kills in the long form, unless the environment says otherwise.
const MANY: u32 = 100;
/// Windows at once in the long form.
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
    /// How long before the kill the window showed the first value that did not come back.
    loss: Duration,
    saves: u32,
}

#[test]
fn work_comes_back_after_a_kill_at_a_random_moment_of_editing_and_saving() {
    for (signal, seed) in [(Signal::Kill, 0), (Signal::Term, 1)] {
        println!("{:?}", kill(&Rc::new(Display::start(SMALL)), signal, seed));
    }
}

#[test]
#[ignore = "long: ./dev soak"]
fn work_comes_back_after_many_kills_at_random_moments_of_editing_and_saving() {
    let count = std::env::var("SMIRK_KILLS").map_or(MANY, |count| count.parse().expect("SMIRK_KILLS is a number"));
    let next = AtomicU32::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WINDOWS {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let signal = if index.is_multiple_of(2) { Signal::Kill } else { Signal::Term };
                    // A display of its own for each: the screen would still show the window that was killed before.
                    let killed = kill(&Rc::new(Display::start_beside(SMALL)), signal, index);
                    println!("{index}: {killed:?}");
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
fn kill(display: &Rc<Display>, signal: Signal, seed: u32) -> Killed {
    let mut random = Random::new(seed);
    let window = SliderWindow::open(display);
    let slider = window.smirk.widget(CHANNEL);
    let edit_for = Duration::from_secs_f32(random.between(0.2, 7.0));
    // Half of the windows are killed before anything is saved.
    let is_saving = random.chance(0.5);
    let began = Instant::now();
    // The values on the screen, and when each was seen first.
    let mut seen: Vec<(Instant, f32)> = Vec::new();
    let mut saves = 0;
    let drag_to = |value: f32| {
        let [x, y] = slider.at([value, 0.5]).map(|position| position.to_string());
        display.xdotool(&["mousemove", &x, &y]);
    };
    let mut value = 0.03;
    drag_to(value);
    display.xdotool(&["mousedown", "1"]);
    while began.elapsed() < edit_for || seen.is_empty() {
        let hangs = began.elapsed() > HANGS_AFTER;
        assert!(!hangs, "the slider of kill {seed} does not move; {}", window.smirk.evidence());
        value = (value + 0.006_f32).min(0.97);
        drag_to(value);
        if random.chance(0.04) {
            // A press and a release at nearly the same place are a click, and two of them reset the slider.
            value = (value + CLEARLY_MOVED).min(0.97);
            drag_to(value);
            display.xdotool(&["mouseup", "1"]);
            if is_saving && random.chance(0.7) {
                display.xdotool(&["key", "ctrl+s"]);
                saves += 1;
            } else {
                // An artist who looks at the face for a moment.
                std::thread::sleep(Duration::from_secs_f32(random.between(0.0, 1.5)));
            }
            display.xdotool(&["mousedown", "1"]);
        }
        let shown = window.smirk.current().value(CHANNEL);
        if shown > 0.0 && seen.last().is_none_or(|&(_, last)| shown > last) {
            seen.push((Instant::now(), shown));
        }
    }
    assert!(window.smirk.is_running(), "it ended by itself");
    match signal {
        Signal::Kill => window.smirk.kill(),
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
