//! Small sound files. All hold the same: 0.6 s at 16,000 frames per second, silent but for a tone of 1000 Hz from 0.25 s to 0.35 s. The
//! compressed ones were made of [`burst`] by encoders.

use std::f64::consts::TAU;

/// Frames per second of the files.
pub const RATE: u32 = 16_000;
/// Where the tone begins and ends.
pub const TONE_SECS: [f64; 2] = [0.25, 0.35];

/// A WAV file of 16-bit samples, frame after frame.
pub fn wav(frames_per_sec: u32, channels: u16, samples: &[i16]) -> Vec<u8> {
    let data: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    let frame_bytes = channels * 2;
    let format = [
        &1_u16.to_le_bytes()[..],
        &channels.to_le_bytes(),
        &frames_per_sec.to_le_bytes(),
        &(frames_per_sec * u32::from(frame_bytes)).to_le_bytes(),
        &frame_bytes.to_le_bytes(),
        &16_u16.to_le_bytes(),
    ]
    .concat();
    let chunk = |name: &[u8; 4], content: &[u8]| [name, &(content.len() as u32).to_le_bytes()[..], content].concat();
    let chunks = [b"WAVE".to_vec(), chunk(b"fmt ", &format), chunk(b"data", &data)].concat();
    chunk(b"RIFF", &chunks)
}

/// The tone as a WAV file.
pub fn burst() -> Vec<u8> {
    let [start, end] = TONE_SECS.map(|secs| (secs * f64::from(RATE)) as usize);
    let sample = |frame: usize| {
        let phase = TAU * 1000.0 * (frame as f64 - start as f64) / f64::from(RATE);
        if (start..end).contains(&frame) { (16_000.0 * phase.sin()) as i16 } else { 0 }
    };
    wav(RATE, 1, &(0..9600).map(sample).collect::<Vec<_>>())
}

/// A file of every format, with its name.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("burst.wav", burst()),
        ("burst.flac", include_bytes!("sounds/burst.flac").to_vec()),
        ("burst.mp3", include_bytes!("sounds/burst.mp3").to_vec()),
        ("burst.ogg", include_bytes!("sounds/burst.ogg").to_vec()),
        ("burst.m4a", include_bytes!("sounds/burst.m4a").to_vec()),
        ("burst_alac.m4a", include_bytes!("sounds/burst_alac.m4a").to_vec()),
        ("burst.mov", include_bytes!("sounds/burst.mov").to_vec()),
        ("burst.aac", include_bytes!("sounds/burst.aac").to_vec()),
    ]
}
