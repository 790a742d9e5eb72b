//! Files that are no sounds, and sounds with random damage.

use std::path::Path;

use smirk_base::progress::Progress;
use smirk_files::audio;
use smirk_support::random::Random;
use smirk_support::{sounds, watch};

fn refused(bytes: &[u8]) -> String {
    audio::open_bytes(bytes.to_vec(), Path::new("voice.wav")).expect_err("it opened").to_string()
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let no_samples = sounds::wav(8000, 1, &[]);
    let mut no_rate = sounds::burst();
    no_rate[24..28].fill(0);
    let mut odd = sounds::burst();
    odd[20..22].copy_from_slice(&0x7777_u16.to_le_bytes());
    for (bytes, words) in [
        (&b""[..], "is no sound that Smirk reads"),
        (b"hello", "WAV, FLAC, MP3"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is no sound"),
        (&no_samples, "holds nothing"),
        (&no_rate, ""),
        (&odd, "is no sound"),
    ] {
        let message = refused(bytes);
        assert!(message.contains(words) && !message.contains('\n'), "{message} should contain {words}");
    }
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &Path| audio::open(path, Progress::NONE).unwrap_err().to_string();
    assert!(open(folder.path()).contains("folder"));
    assert!(open(&folder.path().join("gone.wav")).contains("cannot be read"));
}

/// Bytes changed, cut and repeated.
fn damaged(good: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..=random.below(3) {
        // Half of the damage is in the headers.
        let most = if random.chance(0.5) { bytes.len().min(200) } else { bytes.len() };
        if most == 0 {
            break;
        }
        let at = random.below(most);
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => {
                let end = (at + random.below(64)).min(bytes.len());
                bytes.drain(at..end);
            }
            2 => {
                let end = (at + random.below(256)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            3 => {
                let number = [0, 1, u32::MAX, 1 << 31, 0xFFFF, 0x7FFF_FFFF][random.below(6)];
                let end = (at + 4).min(bytes.len());
                bytes[at..end].copy_from_slice(&number.to_be_bytes()[..end - at]);
            }
            _ => bytes[at] ^= 1 << random.below(8),
        }
    }
    bytes
}

#[test]
fn damaged_sounds_open_or_give_an_error() {
    open_damaged_sounds(200);
}

#[test]
#[ignore = "long: ./dev soak"]
fn many_damaged_sounds_open_or_give_an_error() {
    open_damaged_sounds(10_000);
}

fn open_damaged_sounds(cases: usize) {
    smirk_fuzz_checks::print_panics_only();
    let mut random = Random::new(21);
    let (mut opened, mut total) = (0, 0);
    for (name, good) in sounds::all() {
        for case in 0..cases {
            let broken = damaged(&good, &mut random);
            // What a file claims is not believed: a few bytes of silence may claim seconds, but not minutes.
            let most_bytes = watch::justified_bytes(broken.len()) + (64 << 20);
            opened += usize::from(watch::watch(&format!("{name}, case {case}"), most_bytes, move || {
                audio::open_bytes(broken, Path::new("voice")).is_ok()
            }));
            total += 1;
        }
    }
    assert!(total >= 7 * cases && (total / 10..total * 9 / 10).contains(&opened), "{opened} of {total} opened");
}

#[test]
fn damaged_markers_open_or_give_an_error() {
    open_damaged_markers(300);
}

#[test]
#[ignore = "long: ./dev soak"]
fn many_damaged_markers_open_or_give_an_error() {
    open_damaged_markers(50_000);
}

fn open_damaged_markers(cases: usize) {
    let mut random = Random::new(22);
    let grid = b"File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n0\n2\n<exists>\n1\n\"IntervalTier\"\n\"w\"\n0\n2\n2\n0\n1\n\"a\"\n1\n2\n\"b\"\n";
    let cues =
        br#"{"metadata":{},"mouthCues":[{"start":0.0,"end":0.5,"value":"X"},{"start":0.5,"end":0.9,"value":"B"}]}"#;
    let marks =
        b"{\"time\":6,\"type\":\"viseme\",\"value\":\"p\"}\n{\"time\":73,\"type\":\"viseme\",\"value\":\"E\"}\n";
    for good in [&grid[..], b"0.5\t1.0\tma\n1.5\t2.0\tpa\n", b"MorphSwitch\n1 rest\n5 MBP\n", cues, marks] {
        for case in 0..cases {
            let broken = damaged(good, &mut random);
            let most_bytes = watch::justified_bytes(broken.len());
            watch::watch(&format!("case {case}"), most_bytes, move || smirk_fuzz_checks::markers(&broken));
        }
    }
}
