//! Parsers for values on the command line, with their error messages.

use anyhow::bail;

use smirk_base::atomic_file::OutputPath;
use smirk_base::file_kind::FileKind;
use smirk_base::names::{printable, printable_path, quoted};
use smirk_export::Labels;
use smirk_face::head::{Frame, Matching};
use smirk_scene::{BlendMode, View};

/// Reads a time: a finite number that is at least zero.
pub(super) fn seconds(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(secs) if secs.is_finite() && secs >= 0.0 => Ok(secs),
        _ => Err("a number of seconds, 0 or more".into()),
    }
}

/// Reads an opacity, or another part of a whole.
pub(super) fn part(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|part| (0.0..=1.0).contains(part)).ok_or_else(|| "a number from 0 to 1".into())
}

/// Reads width and height in pixels.
pub(super) fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|&side: &u32| side > 0);
    text.split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| "two numbers, such as 1280x720".into())
}

/// Reads what is written on a picture.
pub(super) fn labels(text: &str) -> Result<Labels, String> {
    let mut labels = Labels::default();
    for word in text.split(',') {
        match word {
            "name" => labels.name = true,
            "time" => labels.time = true,
            "rows" => labels.rows = true,
            _ => return Err("name, time, rows, or several of them, such as name,time".into()),
        }
    }
    Ok(labels)
}

/// Reads one of several keywords.
pub(super) fn one_of<T: Copy>(all: &[T], keyword: fn(T) -> &'static str, text: &str) -> Result<T, String> {
    let named = all.iter().copied().find(|&value| keyword(value) == text);
    named.ok_or_else(|| format!("one of {}", keywords(all, keyword)))
}

/// All keywords, for help and errors.
pub(super) fn keywords<T: Copy>(all: &[T], keyword: fn(T) -> &'static str) -> String {
    let keywords: Vec<&str> = all.iter().map(|&value| keyword(value)).collect();
    keywords.join(", ")
}

/// Reads how vertices are matched.
pub(super) fn matching(text: &str) -> Result<Matching, String> {
    one_of(Matching::ALL, Matching::keyword, text)
}

/// Reads the keyword of a blend mode.
pub(super) fn mode(text: &str) -> Result<BlendMode, String> {
    one_of(BlendMode::ALL, BlendMode::keyword, text)
}

/// Reads what of the head fills a picture.
pub(super) fn frame(text: &str) -> Result<Frame, String> {
    one_of(Frame::EACH, Frame::keyword, text)
}

/// Reads the direction of the camera: the name of a preset, or yaw and pitch in degrees.
pub(super) fn view(text: &str) -> Result<View, String> {
    match text {
        "front" => return Ok(View::Front),
        "threequarter" => return Ok(View::ThreeQuarter),
        "left" => return Ok(View::Left),
        "right" => return Ok(View::Right),
        _ => {}
    }
    let angle = |text: &str| text.trim().parse::<f32>().ok().filter(|degrees| degrees.is_finite());
    text.split_once(',')
        .and_then(|(yaw, pitch)| Some(View::Angles { yaw_degrees: angle(yaw)?, pitch_degrees: angle(pitch)? }))
        .ok_or_else(|| "front, threequarter, left, right, or two angles in degrees such as 30,-10".into())
}

/// The index of `requested` in `names`: the first equal name, else the number itself, counted from 0. The error
/// contains the `option` and the `kind` of things, such as `--clip` and `clips`.
pub(super) fn by_name_or_number(
    option: &str,
    requested: &str,
    head: &str,
    kind: &str,
    names: &[&str],
) -> anyhow::Result<usize> {
    let by_name = names.iter().position(|name| *name == requested);
    let by_number = || requested.parse().ok().filter(|&index: &usize| index < names.len());
    let Some(index) = by_name.or_else(by_number) else {
        let names: Vec<_> = names.iter().map(|name| quoted(name)).collect();
        let requested = printable(requested);
        bail!("{option} {requested}: {head} has {} {kind}: {}", names.len(), names.join(", "));
    };
    Ok(index)
}

/// Returns an error if nothing may be written there, or if the name ends as none of the kinds of files that are written. A name without
/// an ending is that of a pipe or a device, or of a file of the first kind.
pub(crate) fn check_output(output: &OutputPath, kinds: &[&FileKind]) -> anyhow::Result<()> {
    output.check()?;
    let path = output.path();
    if path.extension().is_some() && !output.is_stream() && !kinds.iter().any(|kind| kind.matches(path)) {
        let endings: Vec<String> = kinds.iter().map(|kind| format!(".{}", kind.extension())).collect();
        let (path, endings) = (printable_path(path), endings.join(" or "));
        usage!("{path}: the name must end in {endings}, which is what is written");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(size("1280x720"), Ok([1280, 720]));
        assert!(size("1280").is_err() && size("0x5").is_err() && size("-1x5").is_err());
    }

    #[test]
    fn labels_are_read() {
        assert_eq!(labels("name,time,rows"), Ok(Labels { name: true, time: true, rows: true }));
        assert_eq!(labels("time"), Ok(Labels { time: true, ..Labels::default() }));
        assert!(labels("").is_err() && labels("name,times").is_err());
    }

    #[test]
    fn presets_and_angles_are_read() {
        assert_eq!(view("left"), Ok(View::Left));
        assert_eq!(view("-30,10"), Ok(View::Angles { yaw_degrees: -30.0, pitch_degrees: 10.0 }));
        assert!(view("nan,1").is_err() && view("up").is_err());
    }

    #[test]
    fn names_come_before_numbers_and_an_error_lists_all() {
        let index = |requested| by_name_or_number("--clip", requested, "Ada", "clips", &["smile", "0"]);
        assert_eq!((index("smile").unwrap(), index("0").unwrap(), index("1").unwrap()), (0, 1, 1));
        assert_eq!(index("2").unwrap_err().to_string(), r#"--clip 2: Ada has 2 clips: "smile", "0""#);
    }
}
