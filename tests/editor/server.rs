//! What is heard on a PulseAudio server of the test's own is where the play head is.

use std::io::Read;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use smirk_face::motion::{Clock, Sequence, TimeStep};
use smirk_files::audio::{Loudness, Playback, Player, Sound};
use smirk_support::HANGS_AFTER;
use smirk_support::sound_server::{Server, client};

pub(crate) const RATE: u32 = 48_000;
/// How often the sound clicks.
pub(crate) const CLICK_SECS: f64 = 0.5;

/// How long a click is, in frames.
pub(crate) const CLICK_FRAMES: u32 = 96;

/// A sound with a click of 2 ms at every half second.
fn clicks(secs: usize) -> Arc<Sound> {
    let every = (CLICK_SECS * f64::from(RATE)) as usize;
    let sample = |frame: usize| if frame % every < CLICK_FRAMES as usize { 20_000 } else { 0 };
    Arc::new(Sound::new(RATE, 1, (0..secs * RATE as usize).map(sample).collect()))
}

/// A session that plays, as far as its time goes.
struct Stage {
    player: Player,
    clock: Clock,
    playback: Playback,
    last_frame: Instant,
}

impl Stage {
    fn new(server: &Server, secs: usize) -> Self {
        let playback = Playback {
            sound: Some((clicks(secs), 0.0)),
            time_secs: 0.0,
            is_playing: true,
            speed: 1.0,
            range_secs: [0.0, secs as f32],
            looping: true,
            loudness: Loudness::default(),
        };
        let player = Player::at_server(server.socket());
        Self { player, clock: Clock::new(true), playback, last_frame: Instant::now() }
    }

    /// A frame of the window. Returns the play head, and whether the sound moved it.
    fn frame(&mut self) -> (f64, bool) {
        let now = Instant::now();
        let elapsed = now - std::mem::replace(&mut self.last_frame, now);
        let heard = self.player.step(now, elapsed, self.clock.timeline.time_secs);
        let step = heard.unwrap_or(TimeStep::of_frame(elapsed));
        self.clock.advance(step, self.playback.range_secs, &Sequence::default());
        self.playback.time_secs = self.clock.timeline.time_secs;
        self.player.follow(&self.playback, now, || {});
        (self.playback.time_secs.into(), heard.is_some())
    }
}

/// When each sample of the server's monitor arrived, and where it was loud.
pub(crate) fn recorder(server: &Server) -> (Child, std::sync::mpsc::Receiver<(Instant, Vec<u8>)>) {
    let options =
        ["--device=test.monitor", "--format=s16le", "--channels=1", "--rate=48000", "--latency-msec=5", "--raw"];
    let mut process = client("parec", &server.folder, &options).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = process.stdout.take().unwrap();
    let (send, received) = channel();
    std::thread::spawn(move || {
        let mut bytes = vec![0; 4096];
        while let Ok(count) = output.read(&mut bytes)
            && count > 0
            && send.send((Instant::now(), bytes[..count].to_vec())).is_ok()
        {}
    });
    (process, received)
}

/// The moments at which clicks were recorded. The clock of the recording is the one of the chunk that came soonest: all others were
/// delayed on their way.
pub(crate) fn recorded_clicks(chunks: &[(Instant, Vec<u8>)]) -> Vec<Instant> {
    let first = chunks[0].0;
    let secs_of = |frame: usize| frame as f64 / f64::from(RATE);
    let mut end = 0;
    let mut delay = f64::INFINITY;
    for (at, bytes) in chunks {
        end += bytes.len() / 2;
        delay = delay.min((*at - first).as_secs_f64() - secs_of(end));
    }
    let samples: Vec<i16> = chunks
        .iter()
        .flat_map(|(_, bytes)| bytes.chunks_exact(2))
        .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    let mut clicks = Vec::new();
    let mut frame = 0;
    while frame < samples.len() {
        if samples[frame].unsigned_abs() < 6000 {
            frame += 1;
            continue;
        }
        let secs = secs_of(frame) + delay;
        clicks.push(if secs < 0.0 { first } else { first + Duration::from_secs_f64(secs) });
        frame += RATE as usize / 10;
    }
    clicks
}

#[test]
fn what_is_heard_is_where_the_play_head_is() {
    compare_with_sound(8);
}

#[test]
#[ignore = "long: ./dev soak"]
fn what_is_heard_stays_where_the_play_head_is() {
    compare_with_sound(30);
}

/// Plays for so many seconds, and compares when clicks are heard with where the play head was.
fn compare_with_sound(secs: u64) {
    /// How far the picture may be from the sound.
    const MOST_SECS: f64 = 0.02;
    let Some(server) = Server::start() else { return };
    let (mut recorder, received) = recorder(&server);
    // The monitor runs before the sound begins.
    std::thread::sleep(Duration::from_millis(500));
    let mut stage = Stage::new(&server, secs as usize + 5);
    let start = Instant::now();
    let mut heads: Vec<(Instant, f64)> = Vec::new();
    let (mut waited, mut frames) = (0, 0);
    while start.elapsed() < Duration::from_secs(secs) {
        let (head_secs, is_heard) = stage.frame();
        (waited, frames) = (waited + usize::from(!is_heard), frames + 1);
        heads.push((stage.last_frame, head_secs));
        std::thread::sleep(Duration::from_millis(7));
    }
    assert_eq!(stage.player.problem(), None);
    assert!(waited < frames / 50, "the wall clock moved the play head in {waited} of {frames} frames");
    std::thread::sleep(Duration::from_millis(300));
    recorder.kill().unwrap();
    recorder.wait().unwrap();
    let clicks = recorded_clicks(&received.iter().collect::<Vec<_>>());
    let mut errors = Vec::new();
    for click in clicks {
        let Some(next) = heads.iter().position(|(at, _)| *at >= click).filter(|&next| next > 0) else { continue };
        let [(before, from), (after, to)] = [heads[next - 1], heads[next]];
        let part = (click - before).as_secs_f64() / (after - before).as_secs_f64();
        let head_secs = from + part * (to - from);
        let expected = (head_secs / CLICK_SECS).round() * CLICK_SECS;
        errors.push(head_secs - expected);
    }
    // A machine that leaves this program waiting does the same to the server, whose sound is late then.
    let gaps = heads.windows(2).map(|pair| (pair[1].0 - pair[0].0).as_secs_f64());
    let most_secs = MOST_SECS + (gaps.fold(0.0, f64::max) - MOST_SECS).max(0.0);
    let (low, high) = errors.iter().fold((f64::MAX, f64::MIN), |(low, high), &error| (low.min(error), high.max(error)));
    eprintln!("{} clicks; the play head is {:+.1} to {:+.1} ms from them", errors.len(), low * 1e3, high * 1e3);
    assert!(errors.len() > 2 * (secs as usize) - 4, "{} clicks were recorded", errors.len());
    assert!(low > -most_secs && high < most_secs, "{errors:?}, with at most {most_secs} s");
}

#[test]
fn a_server_that_ends_is_said_and_one_that_comes_back_is_heard() {
    let Some(mut server) = Server::start() else { return };
    let mut stage = Stage::new(&server, 60);
    let run_until = |stage: &mut Stage, what: &str, is_done: &dyn Fn(&Stage, bool) -> bool| {
        let start = Instant::now();
        loop {
            let (_, is_heard) = stage.frame();
            if is_done(stage, is_heard) {
                return;
            }
            assert!(start.elapsed() < HANGS_AFTER, "{what}: {:?}", stage.player.problem());
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    run_until(&mut stage, "it is heard", &|stage, is_heard| {
        is_heard && stage.player.problem().is_none() && stage.playback.time_secs > 1.5
    });
    server.end();
    run_until(&mut stage, "it is gone", &|stage, _| stage.player.problem().is_some());
    let problem = stage.player.problem().unwrap().to_owned();
    assert!(problem.starts_with("No sound: "), "{problem}");
    let before = stage.playback.time_secs;
    run_until(&mut stage, "the picture goes on", &|stage, _| stage.playback.time_secs > before + 0.5);
    let Some(again) = Server::start() else { return };
    stage.player = Player::at_server(again.socket());
    run_until(&mut stage, "it is heard again", &|stage, is_heard| is_heard && stage.player.problem().is_none());
}
