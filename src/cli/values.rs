//! Parsers for values on the command line, with their error messages.

use std::borrow::Cow;
use std::ops::{Bound, RangeBounds};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use thiserror::Error;

use smirk_base::atomic_file::OutputPath;
use smirk_base::file_kind::{self, FileKind};
use smirk_base::names::{printable, printable_path, quoted};
use smirk_export::{HeadExport, Labels};
use smirk_face::head::{ExpressionForm, Head};
use smirk_scene::View;

/// What a value has to be, or what is wrong with it. Clap prints it after the option and the value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub(super) struct Expected(pub Cow<'static, str>);

pub(super) type Parsed<T> = Result<T, Expected>;

pub(super) trait Parser<T>: Fn(&str) -> Parsed<T> + Clone + Send + Sync + 'static {}

impl<T, F: Fn(&str) -> Parsed<T> + Clone + Send + Sync + 'static> Parser<T> for F {}

pub(super) fn or_expected<T>(value: Option<T>, expected: impl Into<Cow<'static, str>>) -> Parsed<T> {
    value.ok_or_else(|| Expected(expected.into()))
}

pub(super) const ABOVE_ZERO: (Bound<f32>, Bound<f32>) = (Bound::Excluded(0.0), Bound::Included(f32::MAX));

pub(super) fn number<T: FromStr + PartialOrd + 'static>(
    range: impl RangeBounds<T> + Clone + Send + Sync + 'static,
    expected: impl Into<Cow<'static, str>>,
) -> impl Parser<T> {
    let expected = expected.into();
    move |text: &str| or_expected(text.parse().ok().filter(|number| range.contains(number)), expected.clone())
}

pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    keyword: fn(T) -> &'static str,
) -> impl Parser<T> {
    move |text: &str| {
        let named = all.iter().copied().find(|&value| keyword(value) == text);
        or_expected(named, format!("one of {}", keywords(all, keyword)))
    }
}

/// How the expressions of a head are written.
#[derive(Debug, Args)]
pub(super) struct ExpressionArgs {
    /// Write expressions as those of VRM or as KHR_character_expression, a draft that few programs read yet; without
    /// it, as they were read
    #[arg(long, value_name = "khr|vrm", value_parser = one_of(ExpressionForm::ALL, ExpressionForm::keyword))]
    expressions: Option<ExpressionForm>,
}

impl ExpressionArgs {
    /// The head as it is written.
    pub(super) fn written(&self, head: Arc<Head>) -> Arc<Head> {
        let form = self.expressions.filter(|form| *form != head.expression_form && !head.expressions.is_empty());
        form.map_or_else(|| head.clone(), |form| head.with_expression_form(form).into())
    }
}

/// How small a head is written.
#[derive(Debug, Args)]
pub(super) struct SizeArgs {
    /// Write the head as small as it can be while no vertex of a shape, at any weight from 0 to 1, is further off than
    /// so many millimetres
    #[arg(long, value_name = "MM", value_parser = number(ABOVE_ZERO, "a number of millimetres above 0, such as 0.05"))]
    max_error: Option<f32>,
    /// Compress it too, with vertices in another order, by EXT_meshopt_compression; a .vrm never is
    #[arg(long, requires = "max_error")]
    meshopt: bool,
}

impl SizeArgs {
    pub(super) fn apply(&self, export: HeadExport) -> HeadExport {
        match self.max_error {
            Some(max_error) => export.within(max_error, self.meshopt),
            None => export,
        }
    }
}

/// All keywords, for help and errors.
pub(super) fn keywords<T: Copy>(all: &[T], keyword: fn(T) -> &'static str) -> String {
    let keywords: Vec<&str> = all.iter().map(|&value| keyword(value)).collect();
    keywords.join(", ")
}

pub(super) fn seconds() -> impl Parser<f32> {
    number(0.0..=f32::MAX, "a number of seconds, 0 or more")
}

/// Reads an opacity, or another part of a whole.
pub(super) fn part() -> impl Parser<f32> {
    number(0.0..=1.0, "a number from 0 to 1")
}

/// Reads width and height in pixels.
pub(super) fn size(text: &str) -> Parsed<[u32; 2]> {
    let sides = text.split_once(['x', 'X', '×']).and_then(|(width, height)| {
        Some([width.parse().ok()?, height.parse().ok()?]).filter(|size: &[u32; 2]| !size.contains(&0))
    });
    or_expected(sides, "two numbers, such as 1280x720")
}

/// Reads what is written on a picture.
pub(super) fn labels(text: &str) -> Parsed<Labels> {
    let mut labels = Labels::default();
    for word in text.split(',') {
        match word {
            "name" => labels.name = true,
            "time" => labels.time = true,
            "rows" => labels.rows = true,
            _ => return or_expected(None, "name, time, rows, or several of them, such as name,time"),
        }
    }
    Ok(labels)
}

/// Reads the direction of the camera: the name of a preset, or yaw and pitch in degrees.
pub(super) fn view(text: &str) -> Parsed<View> {
    let view = match text {
        "front" => Some(View::Front),
        "threequarter" => Some(View::ThreeQuarter),
        "left" => Some(View::Left),
        "right" => Some(View::Right),
        _ => pair_of_numbers(text, ',').map(|[yaw_degrees, pitch_degrees]| View::Angles { yaw_degrees, pitch_degrees }),
    };
    or_expected(view, "front, threequarter, left, right, or two angles in degrees such as 30,-10")
}

pub(super) fn pair_of_numbers(text: &str, between: char) -> Option<[f32; 2]> {
    let (first, second) = text.split_once(between)?;
    let numbers = [first.trim().parse().ok()?, second.trim().parse().ok()?];
    numbers.iter().all(|number: &f32| number.is_finite()).then_some(numbers)
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
    let by_number = requested.parse().ok().filter(|&index: &usize| index < names.len());
    match by_name.or(by_number) {
        Some(index) => Ok(index),
        None => bail!("{option} {}: {}", printable(requested), all_names(head, kind, names)),
    }
}

/// What a head has of a kind of things, for an error about one that it lacks.
pub(super) fn all_names(head: &str, kind: &str, names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| quoted(name)).collect();
    format!("{head} has {} {kind}: {}", names.len(), quoted.join(", "))
}

/// Returns an error if nothing may be written there, or if the name ends as none of the kinds of files that are
/// written. A name without an ending is that of a pipe or a device, or of a file of the first kind.
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

/// Where a file of one of these kinds is written, which may be a stream.
pub(super) fn output(path: &Path, kinds: &[&FileKind]) -> anyhow::Result<OutputPath> {
    let output = OutputPath::new(path).or_stream();
    check_output(&output, kinds)?;
    Ok(output)
}

/// The same for an output that need not be asked for.
pub(super) fn optional_output(path: Option<&PathBuf>, kinds: &[&FileKind]) -> anyhow::Result<Option<OutputPath>> {
    path.map(|path| output(path, kinds)).transpose()
}

/// Where a head is written. The name has to end like that of a GLB or of a VRM.
pub(super) fn head_output(path: &Path) -> anyhow::Result<OutputPath> {
    let output = OutputPath::new(path).or_stream();
    if ![&file_kind::GLB, &file_kind::VRM].iter().any(|kind| kind.matches(path)) && !output.is_stream() {
        usage!("-o {}: the name must end in .glb or .vrm, which is what is written", printable_path(path));
    }
    output.check()?;
    Ok(output)
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
    fn numbers_above_zero_are_finite() {
        let above_zero = number(ABOVE_ZERO, "a number above 0");
        assert!(above_zero("4").is_ok() && ["0", "-1", "inf", "nan", ""].iter().all(|text| above_zero(text).is_err()));
        assert!(part()("0.4").is_ok() && part()("1.1").is_err() && part()("nan").is_err());
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
