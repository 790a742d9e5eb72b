//! The player: follows what the session plays, once a frame, and tells the time of the sound that is heard.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::Sound;
use super::device::DeviceError;
use super::mixer::Program;
use super::output::Output;
use smirk_face::motion::TimeStep;

#[derive(Clone, Debug)]
pub struct Playback {
    pub sound: Option<(Arc<Sound>, f64)>,
    pub time_secs: f32,
    pub is_playing: bool,
    /// Seconds on the timeline per second.
    pub speed: f32,
    pub range_secs: [f32; 2],
    pub looping: bool,
    pub loudness: Loudness,
}

/// Plays the sound of a session. No thread runs and no device is open before there is something to be heard.
#[derive(Debug, Default)]
pub struct Player {
    output: Option<Output>,
    /// The sound server, if it is not the user's.
    server: Option<PathBuf>,
    playing: Option<Playing>,
    problem: Option<String>,
    retry_at: Option<Instant>,
    /// The play head in the last frame, if it had a sound.
    last_time_secs: Option<f32>,
    was_playing: bool,
}

#[derive(Debug)]
struct Playing {
    program: Program,
    /// The number of the order.
    play: u64,
    /// The play head that the last step gave, or from which it was told to play.
    time_secs: f64,
    moved_at: Instant,
}

impl Playing {
    /// Whether the play head is where the sound left it. If not, it was moved otherwise, such as by a click on the
    /// timeline.
    fn is_at(&self, time_secs: f32) -> bool {
        const SAME_SECS: f64 = 1e-3;
        (self.time_secs - f64::from(time_secs)).abs() < SAME_SECS
    }
}

impl Player {
    /// A device that is silent for longer than this is not waited for: the wall clock moves the play head.
    const LONGEST_SILENCE: Duration = Duration::from_millis(600);
    /// How long after a failure the device is looked for again, while something plays.
    const RETRY_AFTER: Duration = Duration::from_secs(2);

    pub fn at_server(server: PathBuf) -> Self {
        Self { server: Some(server), ..Self::default() }
    }

    /// Why nothing is heard although a sound plays, in a few words.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    pub fn retry(&mut self) {
        self.retry_at = None;
    }

    /// The time since the last frame, if the sound that is heard is the clock. `elapsed` is that of the wall clock. A
    /// play head that is not at `time_secs` any more, where the sound was, is followed first.
    pub fn step(&mut self, now: Instant, elapsed: Duration, time_secs: f32) -> Option<TimeStep> {
        let (output, playing) = (self.output.as_ref()?, self.playing.as_mut()?);
        if !playing.is_at(time_secs) {
            return None;
        }
        if let Some(place) = output.link.heard(now)
            && place.play == playing.play
            && place.timeline_secs != playing.time_secs
        {
            (playing.time_secs, playing.moved_at) = (place.timeline_secs, now);
            self.problem = None;
        } else if now.saturating_duration_since(playing.moved_at) > Self::LONGEST_SILENCE {
            self.fail(&DeviceError::Silent, now);
            return None;
        }
        // Until the first of it is heard, the play head waits for it.
        Some(TimeStep::heard(elapsed, playing.time_secs as f32))
    }

    /// Follows what the session plays after a frame. `notify` is called when the device fails.
    pub fn follow(&mut self, playback: &Playback, now: Instant, notify: impl Fn() + Send + 'static) {
        self.look_at_output(now);
        let [start, end] = playback.range_secs;
        let sound = playback.sound.as_ref().filter(|_| playback.loudness.gain() > 0.0);
        let plays = playback.is_playing && playback.speed == 1.0 && end > start;
        if playback.is_playing && !self.was_playing {
            self.retry();
        }
        match sound {
            Some((sound, offset_secs)) if plays => {
                let program = Program {
                    sound: sound.clone(),
                    offset_secs: *offset_secs,
                    range_secs: [start.into(), end.into()],
                    looping: playback.looping,
                };
                self.play(program, playback, now, notify);
            }
            Some((sound, offset_secs)) if !playback.is_playing => {
                self.stop();
                let is_moved = self.last_time_secs.is_some_and(|last| last != playback.time_secs);
                if is_moved && self.open(now, notify) {
                    let at_secs = f64::from(playback.time_secs) - offset_secs;
                    self.change(playback, |mixer| mixer.scrub(sound.clone(), at_secs));
                }
            }
            _ => self.stop(),
        }
        if sound.is_none() {
            self.problem = None;
        }
        self.last_time_secs = sound.map(|_| playback.time_secs);
        self.was_playing = playback.is_playing;
    }

    fn play(&mut self, program: Program, playback: &Playback, now: Instant, notify: impl Fn() + Send + 'static) {
        if !self.open(now, notify) {
            return;
        }
        let time_secs = f64::from(playback.time_secs);
        if let Some(playing) = self.playing.as_ref().filter(|playing| playing.is_at(playback.time_secs)) {
            let update = (playing.program != program).then(|| program.clone());
            self.change(playback, |mixer| update.into_iter().for_each(|program| mixer.update(program)));
        } else {
            let order = program.clone();
            let play = self.change(playback, |mixer| mixer.play(order, time_secs));
            self.playing = play.map(|play| Playing { program: program.clone(), play, time_secs, moved_at: now });
        }
        if let Some(playing) = &mut self.playing {
            playing.program = program;
        }
    }

    fn stop(&mut self) {
        if self.playing.take().is_some()
            && let Some(output) = &self.output
        {
            output.link.change(|mixer| mixer.stop());
        }
    }

    fn change<R>(&self, playback: &Playback, change: impl FnOnce(&mut super::mixer::Mixer) -> R) -> Option<R> {
        let gain = playback.loudness.gain();
        let output = self.output.as_ref()?;
        Some(output.link.change(|mixer| {
            mixer.set_gain(gain);
            change(mixer)
        }))
    }

    /// Opens the output, unless it failed a moment ago. Returns whether there is one.
    fn open(&mut self, now: Instant, notify: impl Fn() + Send + 'static) -> bool {
        if self.output.is_none() && self.retry_at.is_none_or(|at| now >= at) {
            self.output = Some(Output::open(self.server.clone(), notify));
        }
        self.output.is_some()
    }

    fn look_at_output(&mut self, now: Instant) {
        match self.output.as_mut().and_then(Output::ended) {
            None => {}
            Some(Ok(())) => (self.output, self.playing) = (None, None),
            Some(Err(error)) => self.fail(&error, now),
        }
    }

    fn fail(&mut self, error: &DeviceError, now: Instant) {
        let problem = format!("No sound: {error}");
        if self.problem.as_ref() != Some(&problem) {
            log::warn!("{problem}");
        }
        (self.output, self.playing) = (None, None);
        (self.problem, self.retry_at) = (Some(problem), Some(now + Self::RETRY_AFTER));
    }
}

#[cfg(test)]
#[path = "player_tests.rs"]
mod tests;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Loudness {
    pub volume: f32,
    /// Whether nothing is heard. The volume is kept.
    pub is_muted: bool,
}

impl Default for Loudness {
    fn default() -> Self {
        Self { volume: 1.0, is_muted: false }
    }
}

impl Loudness {
    #[must_use]
    pub fn within_reason(self) -> Self {
        let volume = if self.volume.is_nan() { 1.0 } else { self.volume.clamp(0.0, 1.0) };
        Self { volume, ..self }
    }

    /// The factor of the samples. Its square follows the ear more evenly than the volume itself.
    pub(super) fn gain(self) -> f32 {
        let Self { volume, is_muted } = self.within_reason();
        if is_muted { 0.0 } else { volume * volume }
    }
}
