//! Films and pictures of two faces: two versions of a head, and a take beside its recording.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use exr::prelude::read_all_flat_layers_from_file;
use image::codecs::png::PngDecoder;
use image::{AnimationDecoder, Frame, RgbaImage, imageops};
use smirk_export::glb;
use smirk_face::head::Target;
use smirk_files::import::open;

use crate::drawn_exports::{SMALL_HEAD, difference, moving, pictures, run, take};
use crate::process::{command, stderr};

/// A capture of half a second in which the mouth smiles and opens.
fn smiling(folder: &Path) -> PathBuf {
    let path = folder.join("smile.csv");
    std::fs::write(&path, "Time,JawOpen,MouthSmileLeft\n0,0,0\n0.5,0.5,1\n").unwrap();
    path
}

/// A head, and a version of it that smiles twice as far at the left.
fn versions(folder: &Path) -> [PathBuf; 2] {
    let head = open(Path::new(SMALL_HEAD.as_str())).unwrap();
    let smile = |mesh: usize| {
        let target = head.meshes[mesh].targets.iter().find(|target| target.name == "mouthSmileLeft")?;
        let positions = target.positions.iter().map(|delta| *delta * 2.0).collect();
        Some((mesh, Target { positions, ..target.clone() }))
    };
    let stronger = head.with_targets((0..head.meshes.len()).filter_map(smile).collect(), Vec::new());
    let files = ["v12.glb", "v13.glb"].map(|name| folder.join(name));
    std::fs::write(&files[0], glb(&head).unwrap()).unwrap();
    std::fs::write(&files[1], glb(&stronger).unwrap()).unwrap();
    files
}

fn columns(picture: &RgbaImage, left: u32, width: u32) -> RgbaImage {
    imageops::crop_imm(picture, left, 0, width, picture.height()).to_image()
}

#[test]
fn both_versions_play_the_same_take_in_every_layout_and_a_film_holds_the_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let take = smiling(folder.path());
    let files = versions(folder.path());
    let [old, new] = files.each_ref().map(|file| file.to_str().unwrap());
    let usual = ["--view", "front", "--isolate"];
    let of = |options: &[&str]| pictures(folder.path(), &take, &[&usual, options].concat());
    let [a, b] = [old, new].map(|file| of(&[file]));
    let apart = [0, 6].map(|frame| difference(&a[frame], &b[frame]));
    assert!(apart[0] < 0.2 && apart[1] > 0.3, "the mouths differ once they open: {apart:?}");

    let beside = of(&[old, "--compare", new, "--size", "192x80"]);
    let onion = of(&[old, "--compare", new, "--compare-as", "onion", "--opacity", "0.25"]);
    let heat = of(&[old, "--compare", new, "--compare-as", "difference"]);
    for frame in 0..=6 {
        // The middle has the line between the two.
        let parts = [columns(&beside[frame], 0, 94), columns(&beside[frame], 97, 95)];
        let [left, right] =
            [difference(&parts[0], &columns(&a[frame], 0, 94)), difference(&parts[1], &columns(&b[frame], 1, 95))];
        assert!(left < 0.05 && right < 0.05, "frame {frame}: A is {left}, B is {right} from the picture of it alone");
        let mixed = RgbaImage::from_fn(96, 80, |x, y| {
            let [a, b] = [&a, &b].map(|pictures| pictures[frame].get_pixel(x, y).0);
            image::Rgba(
                [0, 1, 2, 3].map(|channel| (f32::from(a[channel]) * 0.75 + f32::from(b[channel]) * 0.25).round() as u8),
            )
        });
        let apart = difference(&onion[frame], &mixed);
        assert!(apart < 0.05, "frame {frame}: {apart} from a quarter of B over A");
    }
    // The heat map is of one colour at rest, and of others where the mouth is at the end.
    let vivid = |picture: &RgbaImage| picture.pixels().filter(|pixel| pixel.0[1] > 100 && pixel.0[0] < 150).count();
    assert!(vivid(&heat[0]) < 5 && vivid(&heat[6]) > 15, "{} {}", vivid(&heat[0]), vivid(&heat[6]));

    for (layout, expected) in [("side-by-side", &beside), ("onion", &onion), ("difference", &heat)] {
        let output = folder.path().join("both.apng");
        let size = if layout == "side-by-side" { "192x80" } else { "96x80" };
        let options = [old, "--compare", new, "--compare-as", layout, "--opacity", "0.25", "--size", size];
        run(&moving("film", &take, &output, &[&usual[..], &options].concat()));
        let decoder = PngDecoder::new(Cursor::new(std::fs::read(&output).unwrap())).unwrap();
        let frames = decoder.apng().unwrap().into_frames().collect_frames().unwrap();
        let frames: Vec<RgbaImage> = frames.into_iter().map(Frame::into_buffer).collect();
        assert!(frames == *expected, "{layout}: the film is not its pictures");
        // One picture is drawn by the same code.
        let still = folder.path().join("still.png");
        let (take, still) = (take.to_str().unwrap(), still.to_str().unwrap());
        let moment = ["render", "-o", still, "--take", take, "--time", "0.25", "--samples", "2"];
        run(&[&moment[..], &usual, &options].concat());
        assert!(image::open(still).unwrap().into_rgba8() == expected[3], "{layout}: the picture is not the frame");
    }
}

#[test]
fn light_of_two_faces_is_mixed_before_it_is_toned() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    let options = ["--compare", "recording", "--compare-as", "onion", "--frames", "0", "--samples", "2"];
    let of = |name: &str, options: &[&str]| {
        run(&moving("pictures", &take, &folder.path().join(name), options));
        let image = read_all_flat_layers_from_file(folder.path().join(name.replace('#', "0"))).unwrap();
        let channels = &image.layer_data[0].channel_data.list;
        channels.iter().flat_map(|channel| channel.sample_data.values_as_f32().collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    // At rest, both are the same face.
    let [alone, both] = [of("a.#.exr", &options[4..]), of("b.#.exr", &options)];
    assert!(alone.len() == both.len() && alone.len() == 3 * 96 * 80);
    let apart = alone.iter().zip(both.iter()).map(|(a, b)| (a - b).abs() / a.abs().max(1.0)).fold(0.0, f32::max);
    assert!(apart < 2e-3, "{apart}");
}

#[test]
fn what_cannot_be_compared_is_refused_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let take = take(folder.path());
    let output = folder.path().join("a.##.png");
    for (options, code, words) in [
        (&["--compare", "gone.glb"][..], 1, "gone.glb"),
        (&["--compare", "take"], 1, "No take to compare with"),
        (&["--compare", "take", "--compare-as", "difference"], 1, "No take to compare with"),
        (&["--compare-as", "onion"], 2, "--compare"),
        (&["--compare", "recording", "--opacity", "2"], 2, "a number from 0 to 1"),
        (&["--compare", "recording", "--size", "1x80"], 2, "a width of one more for each picture beside it"),
    ] {
        let run = command(&moving("pictures", &take, &output, options)).output().unwrap();
        assert_eq!(run.status.code(), Some(code), "{options:?}: {}", stderr(&run));
        assert!(stderr(&run).contains(words), "{options:?}: {}", stderr(&run));
    }
}
