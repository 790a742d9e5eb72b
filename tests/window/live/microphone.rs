//! A microphone in the real window: what it hears becomes the sound of the recording.

use std::fs::File;
use std::io::Write;
use std::process::{Child, Stdio};

use smirk_base::progress::Progress;
use smirk_editor::document::Document;
use smirk_files::audio::{self, Sound};
use smirk_support::random::Random;
use smirk_support::sound_server::{Server, client};

use super::*;

const RATE: usize = 48_000;
/// How far a sample may be from the one that was played, of 1 for the loudest: 16 bits are written several times on the way.
const MOST_ERROR: f32 = 0.002;

#[test]
fn a_microphone_that_is_not_there_stops_no_recording_and_is_said() {
    let microphone = json!({"named": {"id": "nothing", "name": "Gone"}});
    let window = LiveWindow::open_hearing(&Rc::new(Display::start(SMALL)), &microphone, &[]);
    let app = App::start(window.port(Protocol::LiveLinkFace), live_link_packet);
    window.wait_for_face("the live face");
    window.record(30, 0);
    assert!(app.stop().len() > 30);
    assert!(window.home.files("", ".wav").is_empty() && window.home.files("", ".part").is_empty());
    assert!(jaw_of(&take_in(&window.takes()[0])).len() > 20);
    let (said, _) = window.smirk.quit();
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

/// Records what the server plays into a file, until the program is ended.
fn record_monitor(server: &Server, folder: &Path) -> (Child, PathBuf) {
    let file = folder.join("monitor.raw");
    let options = ["--device=test.monitor", "--format=s16le", "--channels=1", "--rate=48000", "--raw"];
    let recorder = client("parec", &server.folder, &options).stdout(File::create(&file).unwrap()).spawn().unwrap();
    (recorder, file)
}

/// What is played in the room is in the sound file of the recording, and is heard again when the recording is played.
#[test]
fn what_a_microphone_hears_is_recorded_saved_and_heard_again() {
    let Some(server) = Server::start() else { return };
    let address = format!("unix:{}", server.socket().display());
    let environment = [("PULSE_SERVER", address.as_str())];
    let display = Rc::new(Display::start(SMALL));
    let microphone = json!({"named": {"id": "test.monitor", "name": "Monitor"}});
    let window = LiveWindow::open_hearing(&display, &microphone, &environment);
    let home = window.home.clone();
    let played = noise(60);
    let options = ["--playback", "--device=test", "--format=s16le", "--channels=1", "--rate=48000", "--raw"];
    let mut player = client("pacat", &server.folder, &options).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = player.stdin.take().unwrap();
    let bytes: Vec<u8> = played.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    // It ends when the player does.
    std::thread::spawn(move || input.write_all(&bytes));
    let (mut recorder, monitor) = record_monitor(&server, home.path());
    let is_loud = || std::fs::read(&monitor).unwrap().iter().any(|byte| *byte != 0);
    window.smirk.wait_until("the noise to be heard", is_loud);
    recorder.kill().unwrap();
    recorder.wait().unwrap();
    let app = App::start(window.port(Protocol::LiveLinkFace), live_link_packet);
    window.wait_for_face("the live face");
    window.begin_recording();
    let secs_of_sound = || {
        let files = home.files("", ".wav.part");
        let bytes = files.first().and_then(|file| std::fs::metadata(file).ok()).map_or(0, |file| file.len());
        bytes as usize / 2 / RATE
    };
    window.smirk.wait_until("three seconds of sound", || secs_of_sound() >= 3);
    window.end_recording(0);
    window.smirk.wait_until("the sound to be complete", || home.files("", ".wav").len() == 1);
    player.kill().unwrap();
    player.wait().unwrap();
    app.stop();
    let project = window.save();
    let (said, _) = window.smirk.quit();
    assert_eq!(said, "", "Smirk complained");

    let mut session = reopened(&project);
    let entry = session.edits.takes[0].clone();
    session.takes_mut().select(Some(entry.id));
    let track = session.sound().cloned().unwrap();
    assert_eq!(track.file.with_extension("csv"), **entry.take.source.as_ref().unwrap(), "it lies beside the table");
    let face_secs = jaw_of(&entry.take).last().unwrap().0;
    assert!((track.duration_secs - face_secs).abs() < 0.2, "{} s of sound, {face_secs} s", track.duration_secs);
    assert_eq!(track.offset_secs, 0.0);
    let recorded = samples_of(&audio::open(&track.file, Progress::NONE).unwrap());
    // Where the microphone was opened after the first frame, there is silence.
    let begin = recorded.iter().position(|sample| sample.abs() > 0.01).unwrap();
    assert!(begin < RATE, "the first second is silent");
    let recorded = &recorded[begin..];
    let played = decoded(played);
    let place =
        place_of(&recorded[RATE / 100..RATE / 50], &played).expect("a hundredth of a second of what was played");
    let place = place - RATE / 100;
    assert!(are_alike(recorded, &played[place..place + recorded.len()]), "not every sample is the one that was played");

    let project = home.at("played.smirk");
    Document::new(session, None).save(&project).unwrap();
    let (mut recorder, monitor) = record_monitor(&server, home.path());
    let smirk = Smirk::open_in(&display, &home, [&project], &environment);
    smirk.wait_for_title("played — Smirk");
    smirk.stop_at_start();
    smirk.press(&["space"]);
    let piece = &recorded[RATE..RATE + RATE / 10];
    let is_heard = || {
        let bytes = std::fs::read(&monitor).unwrap();
        let heard = decoded(bytes.as_chunks::<2>().0.iter().map(|sample| i16::from_le_bytes(*sample)));
        place_of(piece, &heard).is_some()
    };
    smirk.wait_until("a tenth of a second of the recording to be heard", is_heard);
    recorder.kill().unwrap();
    recorder.wait().unwrap();
    let (said, _) = smirk.quit();
    assert_eq!(said, "", "Smirk complained");
}
