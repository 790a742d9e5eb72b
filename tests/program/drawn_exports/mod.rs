//! Pictures and films of what plays, as files.
#![allow(clippy::unwrap_used, reason = "a test")]

mod compared;
mod farm;
mod faults;
mod film;
mod reference;
mod sequence;
mod tiles;
mod with_ffmpeg;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use image::RgbaImage;
use smirk_support::small_head;

use crate::process::{command, stderr};

/// Runs a command that succeeds without a word.
fn run(arguments: &[&str]) {
    let output = command(arguments).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {}", stderr(&output));
}

/// A capture of half a second in which the mouth opens and the head turns.
fn take(folder: &Path) -> PathBuf {
    let path = folder.join("take.csv");
    std::fs::write(&path, "Time,JawOpen,HeadYaw,EyeBlinkLeft\n0,0,0,0\n0.5,1,0.4,1\n").unwrap();
    path
}

/// A head that is opened and drawn quickly.
static SMALL_HEAD: LazyLock<String> = LazyLock::new(|| {
    let path = small_head::write(Path::new(env!("CARGO_TARGET_TMPDIR")));
    path.into_os_string().into_string().unwrap()
});

/// The arguments of an export of the small head with that capture, unless the options name a head: small and quick, unless
/// they say otherwise.
fn moving<'a>(kind: &'a str, take: &'a Path, output: &'a Path, options: &[&'a str]) -> Vec<&'a str> {
    let names_head =
        |(at, option): (usize, &&str)| option.ends_with(".glb") && (at == 0 || options[at - 1] != "--compare");
    let has_head = options.iter().enumerate().any(names_head);
    let head = if has_head { &[][..] } else { &[SMALL_HEAD.as_str()] };
    let options = [head, options].concat();
    moving_of(kind, take, output, &options)
}

/// The same of the bundled head, unless the options name another.
fn moving_of<'a>(kind: &'a str, take: &'a Path, output: &'a Path, options: &[&'a str]) -> Vec<&'a str> {
    let (take, output) = (take.to_str().unwrap(), output.to_str().unwrap());
    let usual = [["--size", "96x80"], ["--samples", "2"], ["--fps", "12"]];
    let usual = usual.iter().filter(|[name, _]| !options.contains(name)).flatten();
    ["export", kind, "-o", output, "--take", take].iter().chain(usual).chain(options).copied().collect()
}

/// The pictures of frames 0 to 6, as PNG files of the same settings.
fn pictures(folder: &Path, take: &Path, options: &[&str]) -> Vec<RgbaImage> {
    let output = folder.join("reference.##.png");
    run(&moving("pictures", take, &output, options));
    let of = |frame: i32| image::open(folder.join(format!("reference.{frame:02}.png"))).unwrap().into_rgba8();
    (0..=6).map(of).collect()
}

/// The mean difference of colours, in steps of a channel.
fn difference(a: &RgbaImage, b: &RgbaImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let apart = a.pixels().zip(b.pixels()).flat_map(|(a, b)| (0..3).map(|channel| a.0[channel].abs_diff(b.0[channel])));
    apart.map(f64::from).sum::<f64>() / f64::from(a.width() * a.height() * 3)
}
