//! What a microphone hears on a PulseAudio server of the test's own is recorded at its times. The microphone is the monitor of a device
//! that plays nowhere.

use std::cell::Cell;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use smirk_analysis::voice::{LiveVoice, Voice};
use smirk_base::progress::Progress;
use smirk_editor::document::SoundRecording;
use smirk_files::audio::{DeviceError, listen, microphones, open};
use smirk_support::HANGS_AFTER;
use smirk_support::sound_server::{Server, client};

use crate::server::{CLICK_FRAMES, CLICK_SECS, RATE, recorded_clicks, recorder};

const MICROPHONE: &str = "test.monitor";

/// A recording of the microphone that goes on until it is stopped.
struct Recorder {
    first_frame: Arc<OnceLock<Instant>>,
    is_ended: Arc<AtomicBool>,
    thread: JoinHandle<(SoundRecording, Result<(), DeviceError>)>,
}

impl Recorder {
    fn start(server: &Path, microphone: Option<&'static str>, folder: &Path) -> Self {
        let (first_frame, is_ended) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let mut recording = SoundRecording::new(&folder.join("Take 1.csv"), Arc::clone(&first_frame));
        let (server, ended) = (server.to_owned(), is_ended.clone());
        let thread = std::thread::spawn(move || {
            let is_ended = || ended.load(Ordering::Relaxed);
            let listened = listen(microphone, Some(&server), &is_ended, &mut |piece| recording.push(piece));
            (recording, listened)
        });
        Self { first_frame, is_ended, thread }
    }

    /// Waits for the end of a microphone that fails.
    fn failed(self) -> (SoundRecording, DeviceError) {
        let (recording, result) = self.thread.join().unwrap();
        (recording, result.unwrap_err())
    }

    fn stop(self) -> SoundRecording {
        self.is_ended.store(true, Ordering::Relaxed);
        let (recording, result) = self.thread.join().unwrap();
        result.unwrap();
        recording
    }
}

/// A program that plays a click of 2 ms every half second.
fn clicking(server: &Server, secs: usize) -> Child {
    let every = (CLICK_SECS * f64::from(RATE)) as usize;
    playing(
        server,
        (0..secs * RATE as usize).map(|frame| if frame % every < CLICK_FRAMES as usize { 20_000 } else { 0 }),
    )
}

/// A program that plays samples.
fn playing(server: &Server, samples: impl Iterator<Item = i16>) -> Child {
    let options = ["--playback", "--device=test", "--format=s16le", "--channels=1", "--rate=48000", "--raw"];
    let mut player = client("pacat", &server.folder, &options).stdin(Stdio::piped()).spawn().unwrap();
    let bytes: Vec<u8> = samples.flat_map(i16::to_le_bytes).collect();
    let mut input = player.stdin.take().unwrap();
    std::thread::spawn(move || input.write_all(&bytes));
    player
}

/// The times of the clicks in a sound file, in seconds.
fn clicks_in(path: &Path) -> Vec<f64> {
    let sound = open(path, Progress::NONE).unwrap();
    assert_eq!((sound.frames_per_sec(), sound.damaged_secs), (RATE, 0.0));
    let secs = |frame: usize| frame as f64 / f64::from(RATE);
    let is_loud = |frame: usize| {
        let at_secs = secs(frame) + 1e-6;
        sound.extremes(at_secs, at_secs + 1e-6).is_some_and(|[_, high]| high > 0.2)
    };
    let (mut clicks, mut frame) = (Vec::new(), 0);
    while frame < sound.frames() {
        if is_loud(frame) {
            clicks.push(secs(frame));
            frame += RATE as usize / 10;
        }
        frame += 1;
    }
    clicks
}

#[test]
fn clicks_are_recorded_at_their_times() {
    /// How far a click may be from where it was heard.
    const MOST_SECS: f64 = 0.02;
    let Some(server) = Server::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (mut reference, received) = recorder(&server);
    let mut player = clicking(&server, 12);
    let recorder = Recorder::start(&server.socket(), Some(MICROPHONE), folder.path());
    std::thread::sleep(Duration::from_secs(2));
    let first_frame = Instant::now();
    recorder.first_frame.set(first_frame).unwrap();
    std::thread::sleep(Duration::from_secs(6));
    let least_secs = first_frame.elapsed().as_secs_f64();
    let recording = recorder.stop();
    let most_secs = first_frame.elapsed().as_secs_f64();
    // A busy machine hands over late what the other program heard.
    let mut chunks = vec![received.recv().unwrap()];
    let mut until = chunks[0].0;
    while until < first_frame + Duration::from_secs_f64(most_secs + 1.0) {
        let chunk = received.recv_timeout(HANGS_AFTER).unwrap();
        until += Duration::from_secs_f64(chunk.1.len() as f64 / 2.0 / f64::from(RATE));
        chunks.push(chunk);
    }
    let (path, secs) = recording.finish().unwrap().unwrap();
    for process in [&mut reference, &mut player] {
        process.kill().unwrap();
        process.wait().unwrap();
    }
    assert_eq!(path, folder.path().join("Take 1.wav"));
    assert!((least_secs - 0.2..most_secs + 0.2).contains(&secs), "{secs} s of {least_secs} s to {most_secs} s");
    let clicks = clicks_in(&path);
    // At its ends the recording may have parts of clicks.
    let longest_secs = secs + f64::from(CLICK_FRAMES) / f64::from(RATE);
    let counts = secs / CLICK_SECS - 1.0..=longest_secs / CLICK_SECS + 1.0;
    assert!(counts.contains(&(clicks.len() as f64)), "{secs} s: {clicks:?}");
    for pair in clicks.windows(2) {
        assert!((pair[1] - pair[0] - CLICK_SECS).abs() < 0.002, "{clicks:?}");
    }
    let heard = recorded_clicks(&chunks);
    let since =
        |at: &Instant| at.duration_since(first_frame).as_secs_f64() - first_frame.duration_since(*at).as_secs_f64();
    let heard: Vec<f64> = heard.iter().map(since).collect();
    let error = |click: &f64| heard.iter().map(|at| click - at).min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap();
    let errors: Vec<f64> = clicks.iter().map(error).collect();
    let (low, high) = errors.iter().fold((f64::MAX, f64::MIN), |(low, high), &error| (low.min(error), high.max(error)));
    eprintln!(
        "{} clicks; the recording has them {:+.1} to {:+.1} ms from where they were heard",
        clicks.len(),
        low * 1e3,
        high * 1e3
    );
    assert!(low > -MOST_SECS && high < MOST_SECS, "{errors:?}");
}

#[test]
fn what_is_heard_while_a_disk_does_not_answer_is_kept() {
    let Some(server) = Server::start() else { return };
    // Another program that asks for short pieces makes all pieces short.
    let (mut reference, _received) = recorder(&server);
    let (samples, mut has_waited) = (Cell::new(0), false);
    let is_ended = || samples.get() > 6 * RATE as usize;
    listen(Some(MICROPHONE), Some(&server.socket()), &is_ended, &mut |piece| {
        samples.set(samples.get() + piece.samples.len());
        if !std::mem::replace(&mut has_waited, true) {
            std::thread::sleep(Duration::from_secs(7));
        }
        Ok(())
    })
    .unwrap();
    reference.kill().unwrap();
    reference.wait().unwrap();
}

#[test]
fn a_server_that_ends_ends_the_sound_and_keeps_what_was_heard() {
    let Some(mut server) = Server::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let found = microphones(Some(&server.socket())).unwrap();
    assert!(found.iter().any(|microphone| microphone.id == MICROPHONE), "{found:?}");
    let socket = server.socket();
    let refused = |microphone: Option<&'static str>| {
        let (recording, error) = Recorder::start(&socket, microphone, folder.path()).failed();
        assert_eq!(recording.finish().unwrap(), None);
        error.to_string()
    };
    assert_eq!(refused(None), "this machine has no microphone", "what it plays itself is none");
    assert!(refused(Some("nothing")).contains("no device"), "{}", refused(Some("nothing")));
    let recorder = Recorder::start(&socket, Some(MICROPHONE), folder.path());
    let first_frame = Instant::now();
    recorder.first_frame.set(first_frame).unwrap();
    std::thread::sleep(Duration::from_secs(3));
    server.end();
    let most_secs = first_frame.elapsed().as_secs_f64();
    let (recording, error) = recorder.failed();
    assert!(error.to_string().contains("gone"), "{error}");
    let (path, secs) = recording.finish().unwrap().unwrap();
    assert!((2.5..most_secs + 0.5).contains(&secs) && path.exists(), "{secs} s of {most_secs} s");
    assert!(refused(None).contains("no sound server answers"), "{}", refused(None));
}

/// A vowel of a quarter of a second in every half: pulses of 120 Hz, filtered by formants.
fn vowels(secs: usize) -> Vec<i16> {
    let rate = f64::from(RATE);
    let mut samples: Vec<f64> = (0..secs * RATE as usize)
        .map(|frame| if (frame / (RATE as usize / 4)).is_multiple_of(2) || frame % 400 > 0 { 0.0 } else { 1.0 })
        .collect();
    for (hz, width) in [(780.0, 70.0), (1250.0, 100.0), (2800.0, 150.0)] {
        let radius = (-std::f64::consts::PI * width / rate).exp();
        let [first, second] = [2.0 * radius * (std::f64::consts::TAU * hz / rate).cos(), -radius * radius];
        let (mut before, mut earlier) = (0.0, 0.0);
        for sample in &mut samples {
            let now = *sample + first * before + second * earlier;
            (earlier, before) = (before, now);
            *sample = now;
        }
    }
    let most = samples.iter().fold(0.0_f64, |most, sample| most.max(sample.abs()));
    samples.into_iter().map(|sample| (10_000.0 * sample / most) as i16).collect()
}

/// From a sample to the weight that it moves, counted in samples, so that a busy machine delays nothing. What the clock
/// says, with the way through the sound server, is printed.
#[test]
fn a_voice_moves_the_mouth_within_80_ms_of_the_microphone() {
    const MOST: Duration = Duration::from_millis(80);
    let Some(server) = Server::start() else { return };
    let mut player = playing(&server, vowels(8).into_iter());
    let mut voice = LiveVoice::new(RATE);
    let (mut quiet_frames, mut heard, mut onset) = (0_u32, 0, None);
    let (mut delays, mut by_clock) = (Vec::new(), Vec::new());
    let start = Instant::now();
    let is_ended = || start.elapsed() > Duration::from_secs(7);
    listen(Some(MICROPHONE), Some(&server.socket()), &is_ended, &mut |piece| {
        for (at, sample) in piece.samples.iter().enumerate() {
            if sample.unsigned_abs() < 300 {
                quiet_frames += 1;
                continue;
            }
            if quiet_frames > RATE / 10 {
                let later = Duration::from_secs_f64((piece.samples.len() - at) as f64 / f64::from(RATE));
                onset = piece.end.checked_sub(later).map(|began| (heard + at, began));
            }
            quiet_frames = 0;
        }
        heard += piece.samples.len();
        voice.hear(&piece.samples.iter().map(|sample| f32::from(*sample) / 32768.0).collect::<Vec<f32>>());
        if voice.weights(&Voice::default())[0] > 0.15
            && let Some((at, began)) = onset.take()
        {
            delays.push(Duration::from_secs_f64((heard - at) as f64 / f64::from(RATE)));
            by_clock.push(began.elapsed());
        }
        Ok(())
    })
    .unwrap();
    player.kill().unwrap();
    player.wait().unwrap();
    delays.sort();
    println!("the mouth opens after {delays:?}, by the clock after {by_clock:?}");
    // A machine that is too busy to read in time gets larger pieces.
    assert!(delays.len() >= 4 && delays[delays.len() / 4] <= MOST, "{delays:?}");
}
