//! What the device plays: the sound along the timeline, or short grains of it while the play head is dragged.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Sound;

/// Seconds of a grain: long enough to hear which sound it is, short enough to follow a scrub.
const GRAIN_SECS: f64 = 0.09;
/// A grain is not replaced before this part of it was heard.
const LEAST_GRAIN_PART: f64 = 0.45;
/// The factor by which the gain approaches the one that was set, per frame: a change takes some milliseconds.
const GAIN_STEP: f32 = 0.005;

#[derive(Clone, Debug)]
pub(super) struct Program {
    pub sound: Arc<Sound>,
    pub offset_secs: f64,
    pub range_secs: [f64; 2],
    pub looping: bool,
}

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.sound, &other.sound)
            && self.offset_secs == other.offset_secs
            && self.range_secs == other.range_secs
            && self.looping == other.looping
    }
}

/// A place of the timeline that was heard, or will be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub play: u64,
    pub timeline_secs: f64,
}

/// Frames of the device that play a part of the timeline.
#[derive(Clone, Copy, Debug)]
struct Segment {
    first_frame: u64,
    play: u64,
    timeline_secs: f64,
    /// False at the end of what plays, where the play head stands.
    is_moving: bool,
}

/// Renders what is played, and keeps which frame of the device is which time of the timeline.
#[derive(Debug)]
pub(super) struct Mixer {
    frames_per_sec: f64,
    rendered: u64,
    gain: f32,
    wanted_gain: f32,
    program: Option<Program>,
    /// The voice of the program or of the last grain comes last; those before it fade out.
    voices: Vec<Voice>,
    next_grain: Option<(Arc<Sound>, f64)>,
    segments: VecDeque<Segment>,
    plays: u64,
}

impl Mixer {
    pub(super) fn new(frames_per_sec: f64) -> Self {
        Self {
            frames_per_sec,
            rendered: 0,
            gain: 0.0,
            wanted_gain: 1.0,
            program: None,
            voices: Vec::new(),
            next_grain: None,
            segments: VecDeque::new(),
            plays: 0,
        }
    }

    /// Sets the rate of the device, before anything is rendered.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn set_rate(&mut self, frames_per_sec: f64) {
        self.frames_per_sec = frames_per_sec;
    }

    pub(super) fn rendered(&self) -> u64 {
        self.rendered
    }

    pub(super) fn set_gain(&mut self, gain: f32) {
        self.wanted_gain = gain;
    }

    /// Plays from a time of the timeline on. Returns the number of this call.
    pub(super) fn play(&mut self, program: Program, at_secs: f64) -> u64 {
        self.plays += 1;
        self.next_grain = None;
        self.begin(&program, at_secs);
        self.program = Some(program);
        self.plays
    }

    /// Goes on with another program from where it is: other ends, or the sound at another place.
    pub(super) fn update(&mut self, program: Program) {
        match self.program.take() {
            Some(old) if Arc::ptr_eq(&old.sound, &program.sound) && old.offset_secs == program.offset_secs => {}
            Some(_) => self.begin(&program, self.now_secs()),
            // It has just ended, and is to go on after all.
            None => self.begin(&program, program.range_secs[0]),
        }
        self.program = Some(program);
    }

    pub(super) fn stop(&mut self) {
        (self.program, self.next_grain) = (None, None);
        self.voices.iter_mut().for_each(Voice::release);
    }

    /// Plays a grain of a sound, as soon as the one before it was heard long enough.
    pub(super) fn scrub(&mut self, sound: Arc<Sound>, at_secs: f64) {
        self.program = None;
        self.next_grain = Some((sound, at_secs));
    }

    pub(super) fn is_silent(&self) -> bool {
        self.program.is_none() && self.voices.is_empty() && self.next_grain.is_none()
    }

    /// Renders frames of a left and a right sample.
    pub(super) fn render(&mut self, frames: &mut [[f32; 2]]) {
        for frame in frames {
            self.follow_program();
            self.follow_grains();
            self.gain += (self.wanted_gain - self.gain) * GAIN_STEP;
            let voices = self.voices.iter_mut().map(Voice::next);
            let [left, right] = voices.fold([0.0; 2], |sum, voice| [sum[0] + voice[0], sum[1] + voice[1]]);
            *frame = [left, right].map(|sample| (sample * self.gain).clamp(-1.0, 1.0));
            self.voices.retain(|voice| !voice.is_over());
            self.rendered += 1;
        }
    }

    /// The place on the timeline of a frame; `None` before the first. What is before it is forgotten.
    pub(super) fn place_at(&mut self, frame: f64) -> Option<Place> {
        while self.segments.get(1).is_some_and(|next| next.first_frame as f64 <= frame) {
            self.segments.pop_front();
        }
        let segment = self.segments.front().filter(|segment| segment.first_frame as f64 <= frame)?;
        let end = self.segments.get(1).map_or(f64::INFINITY, |next| next.first_frame as f64);
        let frames = if segment.is_moving { frame.min(end) - segment.first_frame as f64 } else { 0.0 };
        let timeline_secs = segment.timeline_secs + frames / self.frames_per_sec;
        Some(Place { play: segment.play, timeline_secs })
    }

    fn begin(&mut self, program: &Program, timeline_secs: f64) {
        self.voices.iter_mut().for_each(Voice::release);
        let at_secs = timeline_secs - program.offset_secs;
        self.voices.push(Voice::new(program.sound.clone(), at_secs, self.frames_per_sec));
        self.mark(timeline_secs, true);
    }

    fn now_secs(&self) -> f64 {
        self.segments
            .back()
            .map_or(0.0, |last| last.timeline_secs + (self.rendered - last.first_frame) as f64 / self.frames_per_sec)
    }

    fn mark(&mut self, timeline_secs: f64, is_moving: bool) {
        // Of two places for one frame, the later counts.
        if self.segments.back().is_some_and(|last| last.first_frame == self.rendered) {
            self.segments.pop_back();
        }
        self.segments.push_back(Segment { first_frame: self.rendered, play: self.plays, timeline_secs, is_moving });
    }

    /// Goes back to the start at the end of what plays, or stops there.
    fn follow_program(&mut self) {
        let Some([start, end]) = self.program.as_ref().map(|program| program.range_secs) else { return };
        if self.now_secs() < end {
            return;
        }
        match self.program.take().filter(|program| program.looping && end > start) {
            Some(program) => {
                self.begin(&program, start);
                self.program = Some(program);
            }
            None => {
                self.voices.iter_mut().for_each(Voice::release);
                self.mark(end, false);
            }
        }
    }

    fn follow_grains(&mut self) {
        let least = LEAST_GRAIN_PART * GRAIN_SECS * self.frames_per_sec;
        if self.voices.last().is_some_and(|voice| f64::from(voice.age()) < least) {
            return;
        }
        if let Some((sound, at_secs)) = self.next_grain.take() {
            self.voices.iter_mut().for_each(Voice::release);
            let voice = Voice::new(sound, at_secs, self.frames_per_sec);
            self.voices.push(voice.for_secs(GRAIN_SECS, self.frames_per_sec));
        }
    }
}

const FADE_SECS: f64 = 0.008;

#[derive(Clone, Debug)]
pub(super) struct Voice {
    sound: Arc<Sound>,
    /// In frames of the sound.
    position: f64,
    /// Frames of the sound per frame of the device.
    step: f64,
    /// Frames of the device in which it fades.
    fade: u32,
    age: u32,
    /// Frames that are still played, if it is to end.
    left: Option<u32>,
}

impl Voice {
    /// A voice from a time of the sound on, which may be before its start.
    pub(super) fn new(sound: Arc<Sound>, at_secs: f64, frames_per_sec: f64) -> Self {
        let rate = f64::from(sound.frames_per_sec());
        let fade = (FADE_SECS * frames_per_sec).ceil().max(1.0) as u32;
        Self { position: at_secs * rate, step: rate / frames_per_sec, fade, sound, age: 0, left: None }
    }

    /// The same, which ends by itself after some seconds.
    pub(super) fn for_secs(self, secs: f64, frames_per_sec: f64) -> Self {
        Self { left: Some(((secs * frames_per_sec) as u32).max(2 * self.fade)), ..self }
    }

    pub(super) fn release(&mut self) {
        self.left = Some(self.left.map_or(self.fade, |left| left.min(self.fade)));
    }

    pub(super) fn age(&self) -> u32 {
        self.age
    }

    pub(super) fn is_over(&self) -> bool {
        self.left == Some(0)
    }

    /// The next frame: left and right.
    pub(super) fn next(&mut self) -> [f32; 2] {
        let rise = (self.age as f32 / self.fade as f32).min(1.0);
        let fall = self.left.map_or(1.0, |left| (left as f32 / self.fade as f32).min(1.0));
        let heard = self.frame().map(|sample| sample * rise * fall);
        self.position += self.step;
        self.age = self.age.saturating_add(1);
        self.left = self.left.map(|left| left.saturating_sub(1));
        heard
    }

    /// The frame at the position, on a cubic curve through the four around it.
    fn frame(&self) -> [f32; 2] {
        let whole = self.position.floor();
        let (index, part) = (whole as i64, (self.position - whole) as f32);
        if part == 0.0 {
            return self.sound.frame(index);
        }
        let around = [-1, 0, 1, 2].map(|by| self.sound.frame(index.saturating_add(by)));
        [0, 1].map(|side| {
            let [a, b, c, d] = around.map(|frame| frame[side]);
            let (slope, next_slope) = ((c - a) * 0.5, (d - b) * 0.5);
            let (square, cube) = (part * part, part * part * part);
            (2.0 * cube - 3.0 * square + 1.0) * b
                + (cube - 2.0 * square + part) * slope
                + (3.0 * square - 2.0 * cube) * c
                + (cube - square) * next_slope
        })
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    const RATE: f64 = 48_000.0;

    /// Ten seconds of a tone; its phase at the ends of a loop is different.
    fn tone() -> Arc<Sound> {
        let sample = |frame: usize| (12_000.0 * (TAU * 317.3 * frame as f64 / 44_100.0).sin()) as i16;
        Arc::new(Sound::new(44_100, 1, (0..441_000).map(sample).collect()))
    }

    fn program(range_secs: [f64; 2], looping: bool) -> Program {
        Program { sound: tone(), offset_secs: 0.0, range_secs, looping }
    }

    fn rendered(mixer: &mut Mixer, secs: f64) -> Vec<f32> {
        let mut frames = vec![[0.0; 2]; (secs * RATE) as usize];
        mixer.render(&mut frames);
        frames.into_iter().map(|[left, _]| left).collect()
    }

    fn steepest(samples: &[f32]) -> f32 {
        samples.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max)
    }

    #[test]
    fn the_timeline_of_every_frame_is_known_across_loops() {
        let mut mixer = Mixer::new(RATE);
        assert_eq!(mixer.place_at(0.0), None);
        let play = mixer.play(program([1.0, 1.5], true), 1.25);
        rendered(&mut mixer, 2.0);
        for (frame, secs) in [(0.0, 1.25), (6_000.0, 1.375), (12_000.0, 1.0), (35_999.0, 1.5), (48_000.0, 1.25)] {
            let place = mixer.place_at(frame).unwrap();
            assert!(place.play == play && (place.timeline_secs - secs).abs() < 1e-4, "{frame}: {place:?}");
        }
        let again = mixer.play(program([0.0, 9.0], false), 4.0);
        rendered(&mut mixer, 0.5);
        assert_eq!(mixer.place_at(95_999.0).unwrap().play, play, "what was rendered before is heard first");
        assert_eq!(mixer.place_at(96_000.0), Some(Place { play: again, timeline_secs: 4.0 }));
    }

    #[test]
    fn without_a_loop_it_stops_at_the_end_and_then_is_silent() {
        let mut mixer = Mixer::new(RATE);
        mixer.play(program([0.0, 0.5], false), 0.25);
        rendered(&mut mixer, 0.25);
        assert!(!mixer.is_silent());
        rendered(&mut mixer, 0.05);
        assert!(mixer.is_silent());
        assert_eq!(mixer.place_at(1e9).unwrap().timeline_secs, 0.5);
    }

    #[test]
    fn nothing_clicks_at_the_start_a_loop_a_jump_a_grain_or_the_end() {
        let mut mixer = Mixer::new(RATE);
        mixer.play(program([0.0, 0.3], true), 0.1);
        let mut samples = rendered(&mut mixer, 1.0);
        let smooth = steepest(&samples[20_000..22_000]);
        mixer.play(program([2.0, 3.0], true), 2.7137);
        samples.extend(rendered(&mut mixer, 0.5));
        mixer.set_gain(0.2);
        samples.extend(rendered(&mut mixer, 0.1));
        mixer.set_gain(1.0);
        for step in 0..20 {
            mixer.scrub(tone(), 1.0 + 0.0371 * f64::from(step));
            samples.extend(rendered(&mut mixer, 0.016));
        }
        mixer.stop();
        samples.extend(rendered(&mut mixer, 0.3));
        assert!(mixer.is_silent());
        assert!(samples.iter().any(|sample| sample.abs() > 0.3));
        // Two voices that fade into each other are twice as steep at most.
        assert!(steepest(&samples) < 2.2 * smooth, "{} against {smooth}", steepest(&samples));
    }

    #[test]
    fn other_ends_and_another_offset_take_effect_without_a_jump() {
        let mut mixer = Mixer::new(RATE);
        let play = mixer.play(program([0.0, 9.0], true), 1.0);
        let mut samples = rendered(&mut mixer, 0.5);
        let smooth = steepest(&samples[10_000..]);
        mixer.update(program([0.0, 1.75], true));
        samples.extend(rendered(&mut mixer, 0.5));
        mixer.update(Program { offset_secs: 0.1234, ..program([0.0, 1.75], true) });
        samples.extend(rendered(&mut mixer, 0.5));
        assert!(steepest(&samples) < 2.2 * smooth);
        for (frame, secs) in [(24_000.0, 1.5), (36_001.0, 0.0), (60_000.0, 0.5)] {
            let place = mixer.place_at(frame).unwrap();
            assert!(place.play == play && (place.timeline_secs - secs).abs() < 1e-4, "{frame}: {place:?}");
        }
    }

    #[test]
    fn grains_end_by_themselves_and_the_last_one_is_heard() {
        let mut mixer = Mixer::new(RATE);
        mixer.scrub(tone(), 1.0);
        rendered(&mut mixer, 0.01);
        mixer.scrub(tone(), 2.0);
        mixer.scrub(tone(), 3.0);
        assert!(!mixer.is_silent());
        assert!(rendered(&mut mixer, 0.1).iter().any(|sample| sample.abs() > 0.1));
        rendered(&mut mixer, 0.1);
        assert!(mixer.is_silent());
    }

    #[test]
    fn a_sound_is_heard_where_its_offset_says() {
        let mut mixer = Mixer::new(RATE);
        mixer.play(Program { offset_secs: 0.5, ..program([0.0, 2.0], false) }, 0.0);
        let samples = rendered(&mut mixer, 1.0);
        // The curve through the samples begins a little before the first.
        assert!(samples[..23_990].iter().all(|sample| *sample == 0.0));
        assert!(samples[24_000..26_000].iter().any(|sample| sample.abs() > 0.2));
    }
}
