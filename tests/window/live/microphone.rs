//! A microphone in the real window: what it hears becomes the sound of the recording.

use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::process::Stdio;

use smirk_editor::document::Document;
use smirk_files::audio::{self, Sound};
use smirk_support::random::Random;
use smirk_support::sound_server::{Server, client, spawn};

use super::*;

const RATE: usize = 48_000;
/// How far a sample may be from the one that was played, of 1 for the loudest: 16 bits are written several times on the way.
const MOST_ERROR: f32 = 0.002;

#[test]
fn a_microphone_that_is_not_there_stops_no_recording_and_is_said() {
    let display = Display::start(SIZE);
    let window = LiveWindow::start_hearing(&display, &json!({"named": {"id": "nothing", "name": "Gone"}}), &[]);
    let neutral = settled_face(&display);
    let app = App::start(window.port(Protocol::LiveLinkFace), live_link_packet);
    wait_until("the face to move", || mean_difference(&display.face(), &neutral) > 0.2);
    display.xdotool(&["key", "t"]);
    wait_until("the recording to begin", || window.takes(".csv.part").len() == 1);
    std::thread::sleep(Duration::from_secs(1));
    display.xdotool(&["key", "t"]);
    wait_until("the recording to end", || window.takes(".csv").len() == 1);
    assert!(app.stop().len() > 60);
    assert!(window.takes(".wav").is_empty() && window.takes(".part").is_empty());
    let take = smirk_files::import::open_takes(&window.takes(".csv")[0]).unwrap().remove(0);
    assert!(jaw_of(&take).len() > 20);
    let (said, _) = window.smirk.quit(&display);
    assert!(said.contains("no sound is recorded") && said.lines().count() == 1, "{said}");
}

/// A noise without any piece that is like another: straight lines to random values.
fn noise(secs: usize) -> Vec<i16> {
    const LINE: usize = 16;
    let mut random = Random::new(21);
    let corners: Vec<i32> = (0..=secs * RATE / LINE).map(|_| random.below(16_000) as i32 - 8_000).collect();
    let line = |corner: &[i32]| {
        let (from, to) = (corner[0], corner[1]);
        (0..LINE as i32).map(move |step| (from + (to - from) * step / LINE as i32) as i16)
    };
    corners.windows(2).flat_map(line).collect()
}

/// The samples of a sound in which something is heard.
fn samples_of(sound: &Sound) -> Vec<f32> {
    let at = |frame: usize| {
        let secs = (frame as f64 + 0.5) / RATE as f64;
        sound.extremes(secs, secs).map_or(0.0, |[low, _]| low)
    };
    (0..sound.frames()).map(at).collect()
}

fn are_alike(a: &[f32], b: &[f32]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < MOST_ERROR)
}

/// Where a piece is found in a sound.
fn place_of(piece: &[f32], sound: &[f32]) -> Option<usize> {
    sound.windows(piece.len()).position(|place| are_alike(place, piece))
}

/// Samples of 16 bits as they are decoded.
fn decoded(samples: impl IntoIterator<Item = i16>) -> Vec<f32> {
    samples.into_iter().map(|sample| f32::from(sample) / 32_768.0).collect()
}

/// What is played in the room is in the sound file of the recording, and is heard again when the recording is played.
#[test]
fn what_a_microphone_hears_is_recorded_saved_and_heard_again() {
    let Some(server) = Server::start() else { return };
    let address = format!("unix:{}", server.socket().display());
    let environment = [("PULSE_SERVER", address.as_str())];
    let display = Display::start(SIZE);
    let microphone = json!({"named": {"id": "test.monitor", "name": "Monitor"}});
    let window = LiveWindow::start_hearing(&display, &microphone, &environment);
    let neutral = settled_face(&display);
    let app = App::start(window.port(Protocol::LiveLinkFace), live_link_packet);
    wait_until("the face to move", || mean_difference(&display.face(), &neutral) > 0.2);
    let played = noise(60);
    let options = ["--playback", "--device=test", "--format=s16le", "--channels=1", "--rate=48000", "--raw"];
    let mut player = spawn(client("pacat", &server.folder, &options).stdin(Stdio::piped()));
    let mut input = player.stdin.take().unwrap();
    let bytes: Vec<u8> = played.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    // It ends when the player does.
    std::thread::spawn(move || input.write_all(&bytes));
    std::thread::sleep(Duration::from_secs(1));
    display.xdotool(&["key", "t"]);
    wait_until("the sound to begin", || window.takes(".wav.part").len() == 1);
    std::thread::sleep(Duration::from_secs(3));
    display.xdotool(&["key", "t"]);
    wait_until("the recording to end", || window.takes(".csv").len() == 1 && window.takes(".wav").len() == 1);
    player.kill().unwrap();
    player.wait().unwrap();
    app.stop();
    std::thread::sleep(SILENCE);
    let project = save(&display, &window);
    let config = window.smirk.config.clone();
    let (said, _) = window.smirk.quit(&display);
    assert_eq!(said, "", "Smirk complained");

    let mut session = reopened(&project);
    let entry = session.edits.takes[0].clone();
    session.select_take(Some(entry.id));
    let track = session.sound().cloned().unwrap();
    assert_eq!(track.file.with_extension("csv"), **entry.take.source.as_ref().unwrap(), "it lies beside the table");
    let face_secs = jaw_of(&entry.take).last().unwrap().0;
    assert!((track.duration_secs - face_secs).abs() < 0.2, "{} s of sound, {face_secs} s", track.duration_secs);
    assert_eq!(track.offset_secs, 0.0);
    let recorded = samples_of(&audio::open(&track.file, &|_| ControlFlow::Continue(())).unwrap());
    // Where the microphone was opened after the first frame, there is silence.
    let begin = recorded.iter().position(|sample| sample.abs() > 0.01).unwrap();
    assert!(begin < RATE, "the first second is silent");
    let recorded = &recorded[begin..];
    let played = decoded(played);
    let place =
        place_of(&recorded[RATE / 100..RATE / 50], &played).expect("a hundredth of a second of what was played");
    let place = place - RATE / 100;
    assert!(are_alike(recorded, &played[place..place + recorded.len()]), "not every sample is the one that was played");

    let project = config.path().join("played.smirk");
    Document::new(session, None).save(&project).unwrap();
    let monitor = config.path().join("monitor.raw");
    let options = ["--device=test.monitor", "--format=s16le", "--channels=1", "--rate=48000", "--raw"];
    let mut recorder = spawn(client("parec", &server.folder, &options).stdout(File::create(&monitor).unwrap()));
    let smirk = Smirk::start_in(&display, config, [project.as_os_str()], &environment);
    display.focus();
    // The title changes once the project is open.
    display.xdotool(&["search", "--sync", "--onlyvisible", "--name", "played"]);
    display.xdotool(&["mousemove", "640", "360"]);
    display.xdotool(&["key", "space"]);
    let piece = &recorded[RATE..RATE + RATE / 10];
    let is_heard = || {
        let bytes = std::fs::read(&monitor).unwrap();
        let heard = decoded(bytes.as_chunks::<2>().0.iter().map(|sample| i16::from_le_bytes(*sample)));
        place_of(piece, &heard).is_some()
    };
    wait_until("a tenth of a second of the recording to be heard", is_heard);
    recorder.kill().unwrap();
    recorder.wait().unwrap();
    let (said, _) = smirk.quit(&display);
    assert_eq!(said, "", "Smirk complained");
}
