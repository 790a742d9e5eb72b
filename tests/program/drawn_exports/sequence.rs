//! Numbered pictures: PNG and OpenEXR.

use std::fs;

use exr::prelude::*;

use crate::drawn_exports::{difference, moving, moving_of, pictures, run, take};
use crate::process::{command, names, stderr};

#[test]
fn two_processes_on_halves_write_what_one_process_writes() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    for extension in ["png", "exr"] {
        let (whole, halves) = (folder.path().join("whole"), folder.path().join("halves"));
        [&whole, &halves].into_iter().for_each(|folder| fs::create_dir_all(folder).unwrap());
        let pattern = format!("face.####.{extension}");
        let [to_whole, to_halves] = [&whole, &halves].map(|folder| folder.join(&pattern));
        let options = ["--labels", "--turntable", "3", "--transparent"];
        run(&moving("pictures", &take, &to_whole, &options));
        // The later half first, and both at once.
        let mut half = |frames: &str| {
            command(&moving("pictures", &take, &to_halves, &[&options[..], &["--frames", frames]].concat()))
                .spawn()
                .unwrap()
        };
        let mut running = ["4-6", "0-3"].map(&mut half);
        running.iter_mut().for_each(|process| assert!(process.wait().unwrap().success()));
        let expected: Vec<String> = (0..=6).map(|frame| format!("face.{frame:04}.{extension}")).collect();
        let of = |folder: &std::path::Path| -> Vec<String> {
            names(folder).into_iter().filter(|name| name.ends_with(extension)).collect()
        };
        assert_eq!((of(&whole), of(&halves)), (expected.clone(), expected.clone()));
        for name in &expected {
            let [a, b] = [&whole, &halves].map(|folder| fs::read(folder.join(name)).unwrap());
            assert!(a == b, "{name} differs");
        }
        let [first, last] =
            ["0000", "0006"].map(|number| fs::read(whole.join(format!("face.{number}.{extension}"))).unwrap());
        assert!(first != last, "nothing moves");
    }
}

#[test]
fn only_what_is_missing_or_not_whole_is_drawn_again() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    let output = folder.path().join("a.#.png");
    run(&moving("pictures", &take, &output, &[]));
    let of = |frame: i32| folder.path().join(format!("a.{frame}.png"));
    let whole: Vec<Vec<u8>> = (0..=6).map(|frame| fs::read(of(frame)).unwrap()).collect();
    fs::remove_file(of(2)).unwrap();
    fs::write(of(5), &whole[5][..whole[5].len() / 2]).unwrap();
    // A picture of another kind that is whole is not looked at.
    let other = {
        let path = folder.path().join("other.png");
        image::RgbaImage::new(96, 80).save(&path).unwrap();
        fs::read(&path).unwrap()
    };
    fs::write(of(3), &other).unwrap();
    let missing = moving("pictures", &take, &output, &["--missing"]);
    let dry = command(&[&missing[..], &["--dry-run"]].concat()).output().unwrap();
    let said = String::from_utf8_lossy(&dry.stdout).into_owned();
    assert!(said.contains("5 there already") && said.contains("a.2.png") && said.contains("a.5.png"), "{said}");
    assert!(!said.contains("a.3.png") && !of(2).exists(), "{said}");
    run(&missing);
    for frame in [0, 1, 2, 4, 5, 6] {
        assert!(fs::read(of(frame)).unwrap() == whole[frame as usize], "{frame}");
    }
    assert!(fs::read(of(3)).unwrap() == other);
    run(&missing);
}

#[test]
fn a_transparent_picture_has_the_colours_of_an_opaque_one() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    let opaque = pictures(folder.path(), &take, &[]);
    let transparent = pictures(folder.path(), &take, &["--transparent"]);
    let (opaque, transparent) = (&opaque[6], &transparent[6]);
    assert!(opaque.pixels().all(|pixel| pixel.0[3] == 255));
    let [mut covered, mut free, mut edge] = [0; 3];
    for (opaque, transparent) in opaque.pixels().zip(transparent.pixels()) {
        match transparent.0[3] {
            0 => free += 1,
            255 => {
                covered += 1;
                let apart = (0..3).map(|channel| opaque.0[channel].abs_diff(transparent.0[channel])).max().unwrap();
                assert!(apart <= 1, "{opaque:?} {transparent:?}");
            }
            _ => edge += 1,
        }
    }
    assert!(covered > 1500 && free > 1500 && edge > 20 && edge < covered, "{covered} {free} {edge}");
    assert_eq!(transparent.get_pixel(0, 0).0[3], 0);
}

#[test]
fn an_exr_picture_holds_the_light_that_a_png_shows_toned() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    let still = folder.path().join("still.0.png");
    run(&moving_of("pictures", &take, &folder.path().join("still.#.png"), &["--frames", "0"]));
    let png = image::open(still).unwrap().into_rgba8();
    let output = folder.path().join("a.#.exr");
    run(&moving_of("pictures", &take, &output, &["--frames", "0"]));
    let image = read_all_flat_layers_from_file(folder.path().join("a.0.exr")).unwrap();
    let layer = &image.layer_data[0];
    assert_eq!((layer.size.0, layer.size.1), (96, 80));
    let values = |name: &str| -> Vec<f32> {
        let channel = layer.channel_data.list.iter().find(|channel| channel.name.eq(name)).unwrap();
        channel.sample_data.values_as_f32().collect()
    };
    let [red, green, blue] = ["R", "G", "B"].map(values);
    assert!(!layer.channel_data.list.iter().any(|channel| channel.name.eq("A")), "an opaque picture has no alpha");
    let encoded = |light: f32| if light <= 0.0031308 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    // The background is not toned.
    for at in [0, 95, 96 * 79] {
        let pixel = png.get_pixel(at as u32 % 96, at as u32 / 96).0;
        for (channel, light) in [red[at], green[at], blue[at]].into_iter().enumerate() {
            let shown = encoded(light) * 255.0;
            assert!((shown - f32::from(pixel[channel])).abs() < 1.6, "{shown} {pixel:?}");
        }
    }
    // Highlights are brighter than white, which AgX compresses.
    let brightest = red.iter().copied().fold(0.0, f32::max);
    assert!(brightest > 1.2 && brightest < 64.0 && red.iter().all(|light| light.is_finite()), "{brightest}");
}

#[test]
fn labels_are_on_the_picture_and_only_where_they_belong() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    let plain = pictures(folder.path(), &take, &["--size", "320x240"]);
    let labelled = pictures(folder.path(), &take, &["--size", "320x240", "--labels"]);
    assert!(difference(&plain[6], &labelled[6]) > 0.3);
    for (x, y, pixel) in labelled[6].enumerate_pixels() {
        if x > 200 && y < 200 {
            assert_eq!(pixel, plain[6].get_pixel(x, y), "{x} {y}");
        }
    }
}

#[test]
fn side_by_side_shows_both() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    let both = pictures(folder.path(), &take, &["--compare", "recording", "--size", "192x80"]);
    let alone = pictures(folder.path(), &take, &[]);
    let left = image::imageops::crop_imm(&both[3], 0, 0, 94, 80).to_image();
    let alone = image::imageops::crop_imm(&alone[3], 0, 0, 94, 80).to_image();
    assert!(difference(&left, &alone) < 1.0, "A is not the picture alone: {}", difference(&left, &alone));
    let run = command(&["export", "pictures", "--frames", "0", "--compare", "take", "-o", "x.png"]).output().unwrap();
    assert!(!run.status.success() && stderr(&run).contains("No take to compare with"), "{}", stderr(&run));
}

#[test]
fn wrong_names_and_sizes_are_refused_before_anything_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    for (output, options, words) in [
        ("a.png", &[][..], "write # where the number of the frame goes"),
        ("a.##.jpg", &[], "must end in .png or .exr"),
        ("missing/a.##.png", &[], "there is no folder"),
        ("a.##.png", &["--size", "99999x2"], "too large"),
        ("a.##.png", &["--transparent", "--samples", "0"], "needs samples"),
        ("a.##.exr", &["--samples", "0"], "needs samples"),
    ] {
        let output = folder.path().join(output);
        let run = command(&moving("pictures", &take, &output, options)).output().unwrap();
        // Arguments that make no sense whatever is on the disk are wrong usage.
        assert_eq!(run.status.code(), Some(if words == "there is no folder" { 1 } else { 2 }), "{words}");
        assert!(stderr(&run).contains(words) && stderr(&run).lines().count() == 1, "{}", stderr(&run));
    }
    // A file of the sequence is an input.
    let link = folder.path().join("b.06.png");
    fs::hard_link(&take, &link).unwrap();
    let run = command(&moving("pictures", &take, &folder.path().join("b.##.png"), &[])).output().unwrap();
    assert!(stderr(&run).contains("it is an input"), "{}", stderr(&run));
    assert!(!folder.path().join("b.00.png").exists());
}
