//! The reference on pictures and films.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::codecs::png::PngDecoder;
use image::{AnimationDecoder, Frame, Rgba, RgbaImage, imageops};

use crate::drawn_exports::{SMALL_HEAD, difference, moving, pictures, run, take};
use crate::process::{command, stderr};

/// The colour of a frame of the sequence.
fn color(frame: usize) -> Rgba<u8> {
    Rgba([40 + 20 * frame as u8, 200 - 10 * frame as u8, 90, 255])
}

/// Eight images, twice as wide as high, each of one colour.
fn sequence(folder: &Path) -> PathBuf {
    let folder = folder.join("video");
    std::fs::create_dir(&folder).unwrap();
    for frame in 0..8 {
        RgbaImage::from_pixel(40, 20, color(frame)).save(folder.join(format!("frame_{frame:03}.png"))).unwrap();
    }
    folder
}

#[test]
fn a_sequence_beside_the_face_follows_the_play_head_and_fits_its_part() {
    let folder = tempfile::tempdir().unwrap();
    let (take, video) = (take(folder.path()), sequence(folder.path()));
    let video = video.to_str().unwrap();
    let options = ["--reference", video, "--reference-fps", "24", "--reference-offset", "-2", "--size", "192x80"];
    let with = pictures(folder.path(), &take, &options);
    let alone = pictures(folder.path(), &take, &[]);
    for (frame, picture) in with.iter().enumerate() {
        // Two images for each frame, two frames late, until the sequence ends.
        let expected = color((frame * 2).saturating_sub(2).min(7));
        // The image is 96 by 48 pixels, in the middle of 96 by 80.
        let inside = [[1, 17], [48, 40], [94, 63]].map(|[x, y]| *picture.get_pixel(x, y));
        assert_eq!(inside, [expected; 3], "frame {frame}");
        let outside = [[48, 8], [1, 15], [94, 65]].map(|[x, y]| picture.get_pixel(x, y).0);
        assert_eq!(outside, [[20, 20, 21, 255]; 3], "frame {frame}");
        let [face, whole] = [(picture, 97), (&alone[frame], 1)]
            .map(|(picture, left)| imageops::crop_imm(picture, left, 0, 95, 80).to_image());
        assert!(difference(&face, &whole) < 0.01, "frame {frame}: the face is as without a reference");
    }
    // A film holds the same pictures, and one picture is the same.
    let output = folder.path().join("a.apng");
    run(&moving("film", &take, &output, &options));
    let decoder = PngDecoder::new(Cursor::new(std::fs::read(&output).unwrap())).unwrap();
    let frames = decoder.apng().unwrap().into_frames().collect_frames().unwrap();
    assert!(frames.into_iter().map(Frame::into_buffer).collect::<Vec<_>>() == with);
    let still = folder.path().join("still.png");
    let (take, still) = (take.to_str().unwrap(), still.to_str().unwrap());
    let moment = ["render", SMALL_HEAD.as_str(), "-o", still, "--take", take, "--time", "0.25", "--samples", "2"];
    run(&[&moment[..], &options].concat());
    assert!(image::open(still).unwrap().into_rgba8() == with[3]);
}

#[test]
fn an_image_over_the_face_is_as_opaque_as_asked_on_both_faces() {
    let folder = tempfile::tempdir().unwrap();
    let (take, video) = (take(folder.path()), sequence(folder.path()));
    // An image that is alone in its folder stays, whatever the play head.
    let image = folder.path().join("photo.png");
    std::fs::copy(video.join("frame_005.png"), &image).unwrap();
    let over = ["--reference", image.to_str().unwrap(), "--reference-as", "over", "--reference-opacity", "0.25"];
    let beside = ["--compare", "recording", "--size", "192x80"];
    for (options, lefts) in [(&[][..], &[0][..]), (&beside, &[0, 96])] {
        let plain = pictures(folder.path(), &take, options);
        let with = pictures(folder.path(), &take, &[options, &over].concat());
        for (frame, (plain, with)) in plain.iter().zip(&with).enumerate() {
            for &left in lefts {
                for [x, y] in [[20, 20], [48, 40], [70, 60]] {
                    let under = plain.get_pixel(left + x, y).0;
                    let mixed = [0, 1, 2]
                        .map(|channel| f32::from(under[channel]) * 0.75 + f32::from(color(5).0[channel]) * 0.25);
                    let shown = with.get_pixel(left + x, y).0;
                    let apart = (0..3).map(|channel| (f32::from(shown[channel]) - mixed[channel]).abs());
                    assert!(apart.fold(0.0, f32::max) <= 2.0, "frame {frame}, {x} {y}: {shown:?}, not {mixed:?}");
                }
                assert_eq!(with.get_pixel(left + 48, 8), plain.get_pixel(left + 48, 8), "above the image");
            }
        }
    }
}

#[test]
fn a_reference_that_cannot_be_shown_is_refused_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let (take, video) = (take(folder.path()), sequence(folder.path()));
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    std::fs::write(video.join("frame_005.png"), b"\x89PNG but no more").unwrap();
    let names = [&video, &empty].map(|path| path.to_str().unwrap());
    let output = folder.path().join("a.##.png");
    for (options, code, words) in [
        (&["--reference", names[1]][..], 1, "holds no PNG, JPEG or WebP images"),
        (&["--reference", "gone/a_1.png"], 1, "the folder cannot be read"),
        (&["--reference", "project"], 1, "the project has no reference"),
        (&["--reference", names[0], "--size", "1x80"], 2, "a width of one more for each picture beside it"),
        (&["--reference", names[0], "--reference-as", "under"], 2, "beside or over"),
        (&["--reference", names[0], "--reference-fps", "0"], 2, "frames per second from 1 to 240"),
        (&["--reference-opacity", "0.5"], 2, "--reference"),
        // That image is shown at a sixth of a second.
        (&["--reference", names[0]], 1, "frame_005.png"),
    ] {
        let run = command(&moving("pictures", &take, &output, options)).output().unwrap();
        assert_eq!(run.status.code(), Some(code), "{options:?}: {}", stderr(&run));
        assert!(stderr(&run).contains(words), "{options:?}: {}", stderr(&run));
        let film = folder.path().join("a.webp");
        let run = command(&moving("film", &take, &film, options)).output().unwrap();
        assert!(run.status.code() == Some(code) && !film.exists(), "{options:?}: {}", stderr(&run));
    }
    // The pictures would replace the images that they show.
    let over = video.join("frame_###.png");
    let run = command(&moving("pictures", &take, &over, &["--reference", names[0]])).output().unwrap();
    assert!(stderr(&run).contains("this is an image of the reference"), "{}", stderr(&run));
    let still = video.join("frame_000.png");
    let run = command(&["render", "-o", still.to_str().unwrap(), "--reference", names[0]]).output().unwrap();
    assert!(stderr(&run).contains("it is an input"), "{}", stderr(&run));
}
