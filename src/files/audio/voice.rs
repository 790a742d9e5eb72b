//! A part of a sound that is being played, faded in and out so that neither clicks.

use std::sync::Arc;

use super::Sound;

/// Seconds in which a voice fades in or out.
const FADE_SECS: f64 = 0.008;

/// A part of a sound that is being played.
#[derive(Clone, Debug)]
pub(super) struct Voice {
    sound: Arc<Sound>,
    /// In frames of the sound.
    position: f64,
    /// Frames of the sound per frame of the device.
    step: f64,
    /// Frames of the device in which it fades.
    fade: u32,
    /// Frames that were played so far.
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

    /// Fades it out.
    pub(super) fn release(&mut self) {
        self.left = Some(self.left.map_or(self.fade, |left| left.min(self.fade)));
    }

    /// How many frames it has played.
    pub(super) fn age(&self) -> u32 {
        self.age
    }

    /// Whether it has ended.
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
