//! Films that Smirk makes itself, decoded by other libraries.

use std::fs::{self, File};
use std::io::{BufReader, Cursor};
use std::path::Path;

use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, Frame, RgbaImage};

use crate::drawn_exports::{SMALL_HEAD, difference, moving, pictures, run, take};
use crate::process::{command, names, stderr};

fn film(folder: &Path, take: &Path, name: &str, options: &[&str]) -> Vec<u8> {
    let output = folder.join(name);
    run(&moving("film", take, &output, options));
    fs::read(output).unwrap()
}

/// The shown pictures of a GIF, and the time of each in hundredths of a second.
fn decoded_gif(bytes: &[u8]) -> (Vec<RgbaImage>, Vec<u16>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let (width, height) = (u32::from(decoder.width()), u32::from(decoder.height()));
    let mut canvas = RgbaImage::new(width, height);
    let (mut shown, mut delays) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let part = RgbaImage::from_raw(frame.width.into(), frame.height.into(), frame.buffer.to_vec()).unwrap();
        for (x, y, pixel) in part.enumerate_pixels().filter(|(_, _, pixel)| pixel.0[3] > 0) {
            canvas.put_pixel(x + u32::from(frame.left), y + u32::from(frame.top), *pixel);
        }
        shown.push(canvas.clone());
        delays.push(frame.delay);
        if frame.dispose == gif::DisposalMethod::Background {
            canvas = RgbaImage::new(width, height);
        }
    }
    (shown, delays)
}

/// Frames, and the seconds that all of them take.
fn frames_of(frames: Vec<Frame>) -> (Vec<RgbaImage>, f64) {
    let delay = |frame: &Frame| {
        let (millis, of) = frame.delay().numer_denom_ms();
        f64::from(millis) / f64::from(of) / 1000.0
    };
    let secs = frames.iter().map(delay).sum();
    (frames.into_iter().map(Frame::into_buffer).collect(), secs)
}

#[test]
fn apng_and_webp_hold_exactly_the_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    for options in [&[][..], &["--transparent", "--labels"], &["--fps", "29.97", "--frames", "0-6"]] {
        let expected = pictures(folder.path(), &take, options);
        let rate = if options.contains(&"--fps") { 30_000.0 / 1001.0 } else { 12.0 };
        let apng = film(folder.path(), &take, "a.apng", options);
        let decoder = PngDecoder::new(Cursor::new(&apng)).unwrap();
        assert!(decoder.is_apng().unwrap());
        let (frames, secs) = frames_of(decoder.apng().unwrap().into_frames().collect_frames().unwrap());
        assert!(frames == expected, "APNG {options:?}");
        assert!((secs - 7.0 / rate).abs() < 0.01, "{secs}");
        let webp = film(folder.path(), &take, "a.webp", options);
        assert_eq!(u32::from_le_bytes(webp[4..8].try_into().unwrap()) as usize, webp.len() - 8);
        let decoder = WebPDecoder::new(Cursor::new(&webp)).unwrap();
        assert!(decoder.has_animation());
        let (frames, secs) = frames_of(decoder.into_frames().collect_frames().unwrap());
        assert!(frames.len() == expected.len(), "{} frames", frames.len());
        for (index, (frame, expected)) in frames.iter().zip(&expected).enumerate() {
            // The colour of a pixel that is not there is of no interest.
            let same = frame.pixels().zip(expected.pixels()).all(|(a, b)| a == b || (a.0[3] == 0 && b.0[3] == 0));
            assert!(same, "WebP {options:?}, frame {index}: {}", difference(frame, expected));
        }
        assert!((secs - 7.0 / rate).abs() < 0.002, "{secs}");
    }
}

#[test]
fn a_gif_is_near_the_pictures_whatever_its_dithering() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    let expected = pictures(folder.path(), &take, &[]);
    for (dither, most) in [("none", 2.0), ("pattern", 3.0), ("diffusion", 3.0)] {
        let bytes = film(folder.path(), &take, "a.gif", &["--dither", dither]);
        let (frames, delays) = decoded_gif(&bytes);
        assert_eq!((frames.len(), delays.iter().sum::<u16>()), (7, 58), "{delays:?}");
        for (frame, expected) in frames.iter().zip(&expected) {
            let apart = difference(frame, expected);
            assert!(apart > 0.05 && apart < most, "{dither}: {apart}");
            assert!(frame.pixels().all(|pixel| pixel.0[3] == 255));
        }
    }
}

#[test]
fn a_transparent_gif_leaves_nothing_of_the_frame_before() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    let options = ["--transparent", "--turntable", "1"];
    let expected = pictures(folder.path(), &take, &options);
    let (frames, _) = decoded_gif(&film(folder.path(), &take, "a.gif", &options));
    for (frame, expected) in frames.iter().zip(&expected) {
        for (shown, wanted) in frame.pixels().zip(expected.pixels()) {
            assert_eq!(shown.0[3] == 255, wanted.0[3] >= 128);
        }
    }
    assert!(expected[0] != expected[6]);
}

#[test]
fn a_still_film_and_a_film_of_one_frame_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    for (frames, count) in [("0-2", 3), ("5", 1)] {
        for extension in ["gif", "apng", "webp"] {
            let output = folder.path().join(format!("still.{extension}"));
            run(&[
                "export",
                "film",
                &SMALL_HEAD,
                "-o",
                output.to_str().unwrap(),
                "--frames",
                frames,
                "--size",
                "33x17",
                "--samples",
                "1",
            ]);
            let reader = || BufReader::new(File::open(&output).unwrap());
            let found = match extension {
                "gif" => decoded_gif(&fs::read(&output).unwrap()).0,
                "apng" => {
                    frames_of(
                        PngDecoder::new(reader()).unwrap().apng().unwrap().into_frames().collect_frames().unwrap(),
                    )
                    .0
                }
                _ => frames_of(WebPDecoder::new(reader()).unwrap().into_frames().collect_frames().unwrap()).0,
            };
            assert_eq!(found.len(), count, "{extension}");
            assert!(found.iter().all(|frame| *frame == found[0] && frame.dimensions() == (33, 17)), "{extension}");
        }
    }
}

#[test]
fn what_a_format_cannot_hold_is_refused_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    for (output, options, words) in [
        ("a.avi", &[][..], "must end in .apng, .gif or .webp"),
        ("a.gif", &["--fps", "60"], "at most 50 frames a second"),
        ("a.gif", &["--size", "9000x10"], "8192 pixels a side"),
        ("a.mp4", &["--transparent"], "cannot be transparent"),
        ("a.mp4", &["--size", "101x80"], "102×80 is"),
        ("a.webp", &["--frames", "0-1", "--size", "0x3"], "two numbers"),
    ] {
        let output = folder.path().join(output);
        let run = command(&moving("film", &take, &output, options)).output().unwrap();
        assert!(!run.status.success() && stderr(&run).contains(words), "{}", stderr(&run));
        assert_eq!(stderr(&run).lines().count(), 1, "{}", stderr(&run));
    }
    let run = command(&["export", "film", "-o", folder.path().join("a.gif").to_str().unwrap()]).output().unwrap();
    // The bundled head has a clip, but a command plays none unless it is asked to.
    assert!(stderr(&run).contains("nothing is animated"), "{}", stderr(&run));
    assert_eq!(names(folder.path()), ["take.csv"]);
}
