//! The player on a simulated device: the clock of the sound, and what happens when the device does not play.

use super::*;
use crate::audio::heard::Reading;
use smirk_face::motion::{Clock, Sequence};

const RATE: f64 = 48_000.0;

/// A device that renders blocks of 10 ms, and is read every 25 ms; what it renders is heard after its latency.
struct Device {
    start: Instant,
    drift: f64,
    latency_secs: f64,
    now_secs: f64,
    /// When it began to play, by its own clock.
    began_secs: Option<f64>,
    rendered_secs: f64,
    is_dead: bool,
}

impl Device {
    fn new(drift: f64, latency_secs: f64) -> Self {
        let start = Instant::now();
        Self { start, drift, latency_secs, now_secs: 0.0, began_secs: None, rendered_secs: 0.0, is_dead: false }
    }

    fn now(&self) -> Instant {
        self.start + Duration::from_secs_f64(self.now_secs)
    }

    /// How much of what was rendered is heard.
    fn heard_secs(&self) -> f64 {
        let device_secs = self.now_secs * (1.0 + self.drift);
        self.began_secs.map_or(0.0, |began_secs| device_secs - began_secs - self.latency_secs)
    }

    /// The wall clock goes on; the device renders and is read.
    fn pass(&mut self, player: &Player, secs: f64) {
        let until = self.now_secs + secs;
        while self.now_secs < until {
            self.now_secs += 0.001;
            let Some(output) = player.output.as_ref().filter(|_| !self.is_dead) else { continue };
            let device_secs = self.now_secs * (1.0 + self.drift);
            while self.began_secs.is_none_or(|began_secs| began_secs + self.rendered_secs < device_secs) {
                let mut block = [[0.0; 2]; 480];
                if !output.link.render(&mut block, None) {
                    break;
                }
                self.began_secs.get_or_insert(device_secs);
                self.rendered_secs += 480.0 / RATE;
            }
            if ((self.now_secs * 1000.0).round() as u64).is_multiple_of(25) {
                let is_running = self.began_secs.is_some();
                output.link.read(Reading { at: self.now(), frame: self.heard_secs() * RATE, is_running });
            }
        }
    }
}

fn playback() -> Playback {
    let sound = Arc::new(Sound::new(8_000, 1, vec![1000; 8_000 * 60]));
    Playback {
        sound: Some((sound, 0.0)),
        time_secs: 0.0,
        is_playing: true,
        speed: 1.0,
        range_secs: [0.0, 60.0],
        looping: true,
        loudness: Loudness::default(),
    }
}

struct Stage {
    device: Device,
    player: Player,
    clock: Clock,
    playback: Playback,
}

impl Stage {
    fn new(drift: f64, latency_secs: f64) -> Self {
        let player = Player { output: Some(Output::by_hand()), ..Player::default() };
        Self { device: Device::new(drift, latency_secs), player, clock: Clock::new(true), playback: playback() }
    }

    /// A frame of the window. Returns whether the sound was the clock.
    fn frame(&mut self, secs: f64) -> bool {
        self.device.pass(&self.player, secs);
        let (now, elapsed) = (self.device.now(), Duration::from_secs_f64(secs));
        let heard = self.player.step(now, elapsed, self.clock.timeline.time_secs);
        let is_heard = heard.is_some();
        self.clock.advance(
            heard.unwrap_or(TimeStep::of_frame(elapsed)),
            self.playback.range_secs,
            &Sequence::default(),
        );
        self.playback.time_secs = self.clock.timeline.time_secs;
        self.playback.is_playing = self.clock.timeline.playing;
        self.playback.speed = self.clock.timeline.speed;
        self.player.follow(&self.playback, now, || {});
        is_heard
    }

    /// Frames of 16 ms.
    fn frames(&mut self, count: usize) {
        (0..count).for_each(|_| {
            self.frame(0.016);
        });
    }

    fn time_secs(&self) -> f64 {
        self.clock.timeline.time_secs.into()
    }
}

#[test]
fn the_play_head_is_where_the_device_is_and_not_where_the_wall_clock_is() {
    for (drift, latency_secs) in [(0.0, 0.05), (0.004, 0.02), (-0.004, 0.2)] {
        let mut stage = Stage::new(drift, latency_secs);
        stage.frame(0.016);
        let from_secs = stage.time_secs();
        for frame in 0..1900 {
            assert!(stage.frame(0.016), "{frame}");
            let heard_secs = stage.device.heard_secs();
            if heard_secs > 0.5 {
                let error = stage.time_secs() - from_secs - heard_secs;
                assert!(error.abs() < 0.006, "{error} s after {heard_secs} s with a drift of {drift}");
            }
        }
        assert!(stage.time_secs() > 29.0, "{}", stage.time_secs());
    }
}

#[test]
fn until_the_first_of_it_is_heard_the_play_head_waits() {
    let mut stage = Stage::new(0.0, 0.2);
    stage.frames(10);
    assert!(stage.time_secs() < 0.02, "{}", stage.time_secs());
    stage.frames(20);
    assert!(stage.time_secs() > 0.1);
}

#[test]
fn a_jump_of_the_play_head_is_followed_by_the_sound() {
    let mut stage = Stage::new(0.0, 0.05);
    stage.frames(60);
    stage.clock.timeline.time_secs = 20.0;
    stage.frames(60);
    assert!((20.7..21.0).contains(&stage.time_secs()), "{}", stage.time_secs());
}

#[test]
fn a_loop_and_an_end_are_those_of_the_sound() {
    let mut stage = Stage::new(0.0, 0.05);
    stage.playback.range_secs = [1.0, 2.0];
    stage.frames(2);
    for _ in 0..400 {
        assert!(stage.frame(0.016));
        assert!((0.0..=2.0).contains(&stage.time_secs()));
    }
    assert!(stage.clock.timeline.playing);
    stage.clock.timeline.looping = false;
    stage.playback.looping = false;
    stage.frames(100);
    assert_eq!((stage.time_secs(), stage.clock.timeline.playing), (2.0, false));
}

#[test]
fn at_other_speeds_and_muted_the_wall_clock_moves_the_play_head() {
    let mut stage = Stage::new(0.0, 0.05);
    stage.frames(60);
    stage.clock.timeline.speed = 0.5;
    stage.frame(0.016);
    assert!(!stage.frame(0.016));
    stage.clock.timeline.speed = 1.0;
    stage.frame(0.016);
    assert!(stage.frame(0.016));
    stage.playback.loudness.is_muted = true;
    stage.frame(0.016);
    assert!(!stage.frame(0.016));
}

#[test]
fn a_device_that_stops_is_said_and_the_picture_goes_on() {
    let mut stage = Stage::new(0.0, 0.05);
    stage.frames(60);
    assert_eq!(stage.player.problem(), None);
    stage.device.is_dead = true;
    let before = stage.time_secs();
    stage.frames(120);
    assert!(stage.player.problem().unwrap().contains("does not play"), "{:?}", stage.player.problem());
    assert!(stage.time_secs() > before + 1.0, "the wall clock moves the play head");
}

#[test]
fn without_a_server_one_line_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::at_server(folder.path().join("native"));
    let start = Instant::now();
    while player.problem().is_none() && start.elapsed() < Duration::from_secs(120) {
        player.follow(&playback(), Instant::now(), || {});
        player.step(Instant::now(), Duration::from_millis(1), 0.0);
        std::thread::sleep(Duration::from_millis(5));
    }
    let problem = player.problem().unwrap();
    assert!(problem.starts_with("No sound: ") && !problem.contains('\n'), "{problem}");
    assert!(player.step(Instant::now(), Duration::from_millis(16), 0.0).is_none());
}

#[test]
fn nothing_is_opened_before_something_is_to_be_heard() {
    let mut player = Player::default();
    player.follow(&Playback { sound: None, ..playback() }, Instant::now(), || {});
    player.follow(&Playback { is_playing: false, ..playback() }, Instant::now(), || {});
    let muted = Loudness { is_muted: true, ..Loudness::default() };
    player.follow(&Playback { loudness: muted, ..playback() }, Instant::now(), || {});
    assert!(player.output.is_none());
}
