//! What a voice costs: listening to a minute of sound, and the source in a frame. Run it with
//! `cargo bench -p smirk-benches --bench voice`.

use std::sync::Arc;

use divan::Bencher;
use smirk_analysis::voice::{Heard, Speech, Voice};
use smirk_face::motion::{Marker, Markers};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

fn main() {
    divan::main();
}

/// A minute of a humming voice, which stops twice a second.
fn minute(frames_per_sec: u32) -> Vec<f32> {
    let sample = |index: u32| {
        let secs = f64::from(index) / f64::from(frames_per_sec);
        let pulse = (secs * 120.0).fract() as f32;
        if (secs * 2.0).fract() < 0.8 { 0.3 * (1.0 - pulse) * (pulse * 40.0).sin() } else { 0.0 }
    };
    (0..60 * frames_per_sec).map(sample).collect()
}

/// A minute of twelve phones a second.
fn labels() -> Vec<Marker> {
    let phones = ["M", "AA1", "S", "IY0", "B", "OW1", "T", "EH1", "F", "UW1", "N", "AY1"];
    let marker = |index: usize| Marker {
        time_secs: index as f32 / 12.0,
        text: phones[index % phones.len()].into(),
        lasts_secs: 1.0 / 12.0,
    };
    (0..720).map(marker).collect()
}

#[divan::bench(args = [8_000, 48_000])]
fn a_minute_of_sound(bencher: Bencher, frames_per_sec: u32) {
    let samples = minute(frames_per_sec);
    bencher.bench_local(|| Heard::new(&samples, frames_per_sec));
}

#[divan::bench]
fn a_minute_of_labels(bencher: Bencher) {
    let labels = labels();
    bencher.bench_local(|| Speech::of_labels(&labels, None, 0.06).map(|(speech, _)| speech.take(&Voice::default())));
}

/// The mix of the bundled head in a frame, without the voice and with it: the difference is what the source costs.
#[divan::bench(args = ["alone", "with a voice"])]
fn mix(bencher: Bencher, name: &str) {
    let head = smirk_files::import::embedded().expect("the head inside the program");
    let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.clips_mut().select(None);
    session.edits.markers = Markers::new(labels());
    session.edits.voice.enabled = name != "alone";
    session.commit();
    bencher.bench_local(|| {
        session.advance(1.0 / 60.0);
        session.mix().weights[0]
    });
}
