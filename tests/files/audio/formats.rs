//! Every format gives the same sound at the same time.

use std::path::Path;

use smirk_base::progress::{Cancelled, Progress};
use smirk_files::audio::{self, Sound};
use smirk_support::sounds::{self, RATE, TONE_SECS};

fn decoded(name: &str, bytes: Vec<u8>) -> Sound {
    audio::open_bytes(bytes, Path::new(name)).unwrap_or_else(|error| panic!("{name} {error}"))
}

fn loudest(sound: &Sound, from_secs: f64, to_secs: f64) -> f32 {
    sound.extremes(from_secs, to_secs).map_or(0.0, |[low, high]| high.max(-low))
}

#[test]
fn a_tone_is_heard_at_its_time_in_every_format() {
    for (name, bytes) in sounds::all() {
        let sound = decoded(name, bytes);
        assert_eq!((sound.frames_per_sec(), sound.damage()), (RATE, None), "{name}");
        // A stream of AAC without a container does not say how much of its start only fills the filter of the decoder.
        let late = if name.ends_with(".aac") { 0.07 } else { 0.0 };
        let [start, end] = TONE_SECS.map(|secs| secs + late);
        let is_loud = |secs: f64| loudest(&sound, secs - 0.002, secs + 0.002) > 0.2;
        let first = (0..600).map(|millis| f64::from(millis) * 1e-3).find(|&secs| is_loud(secs)).unwrap();
        let last = (0..700).rev().map(|millis| f64::from(millis) * 1e-3).find(|&secs| is_loud(secs)).unwrap();
        let tolerance = if late > 0.0 { 0.07 } else { 0.005 };
        assert!((first - start).abs() < tolerance, "{name} begins at {first}, not {start}");
        assert!((last - end).abs() < tolerance + 0.003, "{name} ends at {last}, not {end}");
        assert!((loudest(&sound, start + 0.02, end - 0.02) - 0.488).abs() < 0.06, "{name}");
        assert!(loudest(&sound, 0.0, 0.2) < 0.02, "{name} is silent before");
    }
}

#[test]
fn the_content_decides_about_the_format_and_not_the_extension() {
    for (name, bytes) in sounds::all() {
        let sound = decoded("voice.wav", bytes);
        assert!(loudest(&sound, 0.26, 0.34) > 0.3, "{name}");
    }
}

#[test]
fn two_channels_stay_apart_and_more_are_heard_together() {
    let stereo = decoded("a.wav", sounds::wav(8000, 2, &[8192, -8192].repeat(100)));
    assert_eq!((stereo.frames(), stereo.extremes(0.0, 1.0)), (100, Some([-0.25, 0.25])));
    let four = decoded("a.wav", sounds::wav(8000, 4, &[8192, 8192, 0, 0].repeat(100)));
    assert_eq!((four.frames(), four.extremes(0.0, 1.0)), (100, Some([0.125, 0.125])));
}

#[test]
fn a_file_that_is_cut_off_plays_up_to_the_cut() {
    let is_stream = |name: &str| ["burst.wav", "burst.mp3"].contains(&name);
    for (name, bytes) in sounds::all().into_iter().filter(|(name, _)| is_stream(name)) {
        let half = bytes[..bytes.len() * 3 / 4].to_vec();
        let sound = decoded(name, half);
        assert!((0.2..0.6).contains(&sound.duration_secs()), "{name}: {}", sound.duration_secs());
    }
}

#[test]
fn a_sound_that_breaks_off_is_said_to_unless_it_is_a_stream() {
    let whole = sounds::burst();
    let mut cut = whole[..whole.len() / 2].to_vec();
    assert_eq!(
        decoded("a.wav", cut.clone()).damage().unwrap(),
        "Only its first 0.3 s could be read: its end is missing."
    );
    // A program that writes a stream does not know its length: ffmpeg, sox and arecord write these.
    for [riff, data] in [[u32::MAX; 2], [0x7fff_f024, 0x7fff_f000], [0x8000_0024, 0x8000_0000]] {
        cut[4..8].copy_from_slice(&riff.to_le_bytes());
        cut[40..44].copy_from_slice(&data.to_le_bytes());
        assert_eq!(decoded("a.wav", cut.clone()).damage(), None, "{data:x}");
    }
}

#[test]
fn opening_can_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.flac");
    std::fs::write(&path, &sounds::all()[1].1).unwrap();
    let cancelled = audio::open(&path, Progress::new(&|_, _| Err(Cancelled)));
    assert!(matches!(cancelled, Err(audio::SoundError::Cancelled(_))));
    let part = std::cell::Cell::new(0.0_f32);
    let grows = |_: &str, now: f32| {
        assert!(now >= part.replace(now));
        Ok(())
    };
    audio::open(&path, Progress::new(&grows)).unwrap();
    assert!(part.get() > 0.9, "{}", part.get());
}
