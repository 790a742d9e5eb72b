//! Films that ffmpeg makes. The tests need ffmpeg: where it shall not be installed, `SMIRK_WITHOUT_FFMPEG=1` leaves them out.

use std::path::Path;
use std::process::Command;

use image::RgbaImage;
use serde_json::json;

use crate::drawn_exports::{SMALL_HEAD, difference, moving, pictures, run, take};
use crate::process::{command, names, stderr};

fn is_left_out() -> bool {
    let is_left_out = std::env::var_os("SMIRK_WITHOUT_FFMPEG").is_some();
    if is_left_out {
        println!("NOT CHECKED: SMIRK_WITHOUT_FFMPEG is set");
    } else {
        let found = Command::new("ffmpeg").arg("-version").output();
        assert!(found.is_ok(), "install ffmpeg (`apt install ffmpeg`), or set SMIRK_WITHOUT_FFMPEG=1");
    }
    is_left_out
}

#[test]
fn films_of_ffmpeg_show_the_pictures() {
    if is_left_out() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    for (name, options, most) in [
        ("a.mp4", &[][..], 4.0),
        ("a.mov", &[], 3.0),
        ("b.mov", &["--transparent"], 3.0),
        ("a.webm", &["--fps", "29.97", "--frames", "0-6"], 5.0),
    ] {
        let expected = pictures(folder.path(), &take, options);
        let output = folder.path().join(name);
        run(&moving("film", &take, &output, options));
        let decoded = Command::new("ffmpeg")
            .args(["-loglevel", "error", "-i"])
            .arg(&output)
            .args(["-vf", "scale=in_color_matrix=bt709:in_range=tv", "-f", "rawvideo", "-pix_fmt", "rgba", "-"])
            .output()
            .unwrap();
        let frames: Vec<RgbaImage> = decoded
            .stdout
            .chunks_exact(96 * 80 * 4)
            .map(|bytes| RgbaImage::from_raw(96, 80, bytes.to_vec()).unwrap())
            .collect();
        assert_eq!(frames.len(), 7, "{name}: {}", stderr(&decoded));
        for (frame, expected) in frames.iter().zip(&expected) {
            if options.contains(&"--transparent") {
                let apart = frame.pixels().zip(expected.pixels()).map(|(a, b)| f64::from(a.0[3].abs_diff(b.0[3])));
                assert!(apart.sum::<f64>() / f64::from(96 * 80) < 3.0, "alpha of {name}");
            } else {
                let apart = difference(frame, expected);
                assert!(apart < most, "{name}: {apart}");
            }
        }
    }
}

#[test]
fn a_film_of_lower_quality_is_smaller_and_other_formats_have_none() {
    if is_left_out() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    for extension in ["mp4", "mov", "webm"] {
        let sizes = ["low", "medium", "high", "highest"].map(|quality| {
            let output = folder.path().join(format!("{quality}.{extension}"));
            run(&moving("film", &take, &output, &["--quality", quality]));
            std::fs::metadata(output).unwrap().len()
        });
        assert!(sizes.is_sorted_by(|a, b| a < b), "{extension}: {sizes:?}");
        let output = folder.path().join(format!("any.{extension}"));
        run(&moving("film", &take, &output, &[]));
        assert_eq!(std::fs::metadata(output).unwrap().len(), sizes[2], "without the option, {extension} is high");
    }
    let output = folder.path().join("a.webp");
    let refused = command(&moving("film", &take, &output, &["--quality", "low"])).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("WebP has no --quality: choose .mp4, .mov or .webm"), "{}", stderr(&refused));
}

/// A WAV file of a second: silent until a quarter of a second, then a tone.
fn wav() -> Vec<u8> {
    const RATE: u32 = 8000;
    let sample = |at: u32| if at < RATE / 4 { 0 } else { (12_000.0 * (at as f32 * 0.35).sin()) as i16 };
    let samples: Vec<u8> = (0..RATE).flat_map(|at| sample(at).to_le_bytes()).collect();
    let length = samples.len() as u32;
    let mut bytes = [b"RIFF".as_slice(), &(36 + length).to_le_bytes(), b"WAVEfmt ", &16_u32.to_le_bytes()].concat();
    // Uncompressed, one channel, 16 bits.
    bytes.extend([1_u16, 1].map(u16::to_le_bytes).concat());
    bytes.extend([RATE, 2 * RATE].map(u32::to_le_bytes).concat());
    bytes.extend([2_u16, 16].map(u16::to_le_bytes).concat());
    [bytes, b"data".to_vec(), length.to_le_bytes().to_vec(), samples].concat()
}

/// The loudest sample of the first and of the last eighth of a second of a film, and its length in seconds.
fn heard(film: &Path) -> ([u16; 2], f32) {
    let mut command = Command::new("ffmpeg");
    command
        .args(["-loglevel", "error", "-i"])
        .arg(film)
        .args(["-map", "0:a", "-ac", "1", "-ar", "8000", "-f", "s16le", "-"]);
    let decoded = command.output().unwrap();
    assert!(decoded.status.success(), "{}", stderr(&decoded));
    let samples: Vec<u16> =
        decoded.stdout.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]).unsigned_abs()).collect();
    let loudest = |part: &[u16]| part.iter().copied().max().unwrap_or(0);
    let ends = [&samples[..1000], &samples[samples.len() - 1000..]].map(loudest);
    (ends, samples.len() as f32 / 8000.0)
}

#[test]
fn films_have_the_sound_of_their_frames() {
    if is_left_out() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (take, sound) = (take(folder.path()), folder.path().join("a voice.wav"));
    std::fs::write(&sound, wav()).unwrap();
    let sound = sound.to_str().unwrap();
    for (name, frames, secs, starts_loud) in
        [("a.mp4", "0-6", 7.0 / 12.0, false), ("a.mov", "4-6", 3.0 / 12.0, true), ("a.webm", "0-5", 0.5, false)]
    {
        let output = folder.path().join(name);
        run(&moving("film", &take, &output, &["--frames", frames, "--sound", sound]));
        let ([first, last], length) = heard(&output);
        assert_eq!((first > 6000, last > 6000), (starts_loud, true), "{name}: {first}, {last}");
        // Sound is stored in blocks, of up to 1024 samples in MP4.
        assert!((length - secs).abs() < 0.15, "{name}: {length} s of sound, {secs} s of pictures");
    }
}

#[test]
fn films_of_a_project_have_the_sound_of_its_take_at_its_offset() {
    if is_left_out() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    take(folder.path());
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("voice.wav"), wav()).unwrap();
    let quiet: Vec<u8> = { 0.. }.zip(wav()).map(|(at, byte)| if at < 44 { byte } else { 0 }).collect();
    std::fs::write(at("quiet.wav"), quiet).unwrap();
    // The tone begins a quarter of a second into the file, which begins a quarter of a second before the take.
    let sound = json!({"file": {"path": "voice.wav"}, "offset_secs": -0.25, "duration_secs": 1.0});
    let record = json!({"file": {"path": "take.csv"}, "name": "take", "sound": sound});
    let head = json!({"file": {"path": SMALL_HEAD.as_str()}});
    let project = json!({"smirk": "project", "version": 1, "head": head, "takes": [record], "take": 0});
    std::fs::write(at("walk.smirk"), project.to_string()).unwrap();
    let film = |name: &str, options: &[&str]| {
        let (project, output) = (at("walk.smirk"), at(name));
        let usual = ["export", "film", project.to_str().unwrap(), "-o", output.to_str().unwrap()];
        let size = ["--size", "96x80", "--samples", "1", "--fps", "12", "--frames", "0-6"];
        run(&[&usual[..], &size, options].concat());
        output
    };
    assert!(heard(&film("a.mp4", &[])).0[0] > 6000, "the take's sound is loud from the start");
    let quiet = at("quiet.wav");
    let ([first, last], _) = heard(&film("b.mp4", &["--sound", quiet.to_str().unwrap()]));
    assert!(first < 1000 && last < 1000, "another sound takes its place: {first}, {last}");
    let streams = |film: &Path| {
        let output = Command::new("ffmpeg").arg("-i").arg(film).output().unwrap();
        stderr(&output).matches("Audio:").count()
    };
    assert_eq!((streams(&at("a.mp4")), streams(&film("c.mp4", &["--sound", "none"]))), (1, 0));
    film("d.gif", &[]);
}

#[test]
fn a_film_of_labels_lasts_as_long_as_its_sound_and_until_the_mouth_is_at_rest() {
    if is_left_out() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [output, sound, labels] = ["a.mp4", "voice.wav", "labels.txt"].map(|name| folder.path().join(name));
    std::fs::write(&sound, wav()).unwrap();
    let [output, sound, labels_path] = [&output, &sound, &labels].map(|path| path.to_str().unwrap());
    for (end, secs) in [(0.4, 1.0..1.2), (1.1, 1.35..1.6)] {
        std::fs::write(&labels, format!("0.1\t0.2\tM\n0.2\t{end}\tAA1\n")).unwrap();
        let arguments =
            ["export", "film", "-o", output, "--voice", labels_path, "--sound", sound, "--fps", "12", "--dry-run"];
        let planned = String::from_utf8(command(&arguments).output().unwrap().stdout).unwrap();
        let lasts = planned.split(", ").find_map(|part| part.strip_suffix(" s")?.parse::<f32>().ok());
        assert!(lasts.is_some_and(|lasts| secs.contains(&lasts)), "{planned}");
    }
}

#[test]
fn sound_that_a_film_cannot_have_is_refused_and_its_file_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    let refused = |name: &str, sound: &str| {
        let output = folder.path().join(name);
        let sound = folder.path().join(sound);
        let output = command(&moving("film", &take, &output, &["--sound", sound.to_str().unwrap()])).output().unwrap();
        assert!(!output.status.success());
        stderr(&output)
    };
    std::fs::write(folder.path().join("voice.mp4"), wav()).unwrap();
    assert!(refused("a.gif", "voice.mp4").contains("has no sound: choose .mp4"));
    assert!(refused("a.mp4", "gone.wav").contains("gone.wav"));
    assert!(refused("voice.mp4", "voice.mp4").contains("voice.mp4"));
    assert_eq!(std::fs::read(folder.path().join("voice.mp4")).unwrap(), wav());
}

#[test]
fn the_command_is_shown_and_logged() {
    if is_left_out() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    let output = folder.path().join("a.mp4");
    let arguments = moving("film", &take, &output, &[]);
    let dry = command(&[&arguments[..], &["--dry-run"]].concat()).output().unwrap();
    let said = String::from_utf8_lossy(&dry.stdout).into_owned();
    assert!(said.contains("frames 0 to 6 (7) at 12 a second") && said.contains("-c:v libx264"), "{said}");
    assert!(!output.exists());
    let logged = command(&arguments).env("SMIRK_LOG", "info").output().unwrap();
    assert!(logged.status.success() && stderr(&logged).contains("-framerate 12/1 -i -"), "{}", stderr(&logged));
}

#[test]
fn without_ffmpeg_it_is_said_and_the_other_formats_are_offered() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    let output = folder.path().join("a.mp4");
    let run = command(&moving("film", &take, &output, &[])).env("PATH", folder.path()).output().unwrap();
    let said = stderr(&run);
    assert_eq!((run.status.code(), said.lines().count()), (Some(1), 1), "{said}");
    for words in ["ffmpeg", "not in the PATH", "apt install ffmpeg", "export pictures", ".webp"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_eq!(names(folder.path()), ["take.csv"]);
}

#[cfg(unix)]
#[test]
fn an_ffmpeg_that_gives_up_is_an_error_with_its_words_and_leaves_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let programs = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    let program = programs.path().join("ffmpeg");
    let script = "#!/bin/sh\ncase $2 in\n-version) echo ffmpeg version 9.9;;\n-encoders) echo ' V..... libx264 H.264';;\n\
                  *) echo 'the muxer is on strike' >&2; exit 3;;\nesac\n";
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = folder.path().join("a.mp4");
    let run = command(&moving("film", &take, &output, &[])).env("PATH", programs.path()).output().unwrap();
    let said = stderr(&run);
    assert_eq!((run.status.code(), said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains("the muxer is on strike") && said.contains("libx264"), "{said}");
    assert_eq!(names(folder.path()), ["take.csv"]);
}
