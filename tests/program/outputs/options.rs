//! Every option that names an input, of every command that writes: what it names is not replaced.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory};
use smirk::cli::Cli;
use smirk_support::{small_head, sounds};

use crate::process::{names, smirk, stderr};

/// The arguments that name outputs. All others of the type of a path are inputs.
const OUTPUTS: [&str; 8] = ["output", "report", "lacking", "record", "screenshot", "protocol", "save_rules", "csv"];

/// Commands with all that they read, the option for what they write, and the extension of that. A name in braces is an input.
const CASES: [[&str; 3]; 32] = [
    ["{head} --compare {other}", "--screenshot", "png"],
    [
        "render {head} --take {take} --map {map} --voice {labels} --compare {other} --reference {image} --size 16x16",
        "-o",
        "png",
    ],
    ["render {head} --take {take} --source-head {other} --size 16x16", "-o", "png"],
    ["render {head} --reference {images} --size 16x16", "-o", "png"],
    ["sheet {head} --take {take} --map {map} --voice {labels} --cell 48", "-o", "png"],
    ["sheet {head} --take {take} --source-head {other} --cell 48", "-o", "pdf"],
    ["sheet {head} --aus -o {unused_sheet} --cell 48", "--protocol", "json"],
    ["mend {head} --rules {mends}", "-o", "glb"],
    ["mend {head} --rules {mends} --all-safe -o {unused_head}", "--save-rules", "toml"],
    ["thumbnail {head}", "-o", "png"],
    ["check {head} --rules {rules} --combinations", "-o", "png"],
    ["diff {head} {other}", "-o", "png"],
    ["convert {head} {shape}", "-o", "glb"],
    ["transfer {other} {head} --points {points}", "-o", "glb"],
    ["export head {head}", "-o", "glb"],
    ["export animation {head} --take {take} --map {map} --voice {labels}", "-o", "json"],
    ["export animation {head} --take {take} --source-head {other}", "-o", "glb"],
    ["export mesh {head} --take {take} --map {map} --voice {labels}", "-o", "obj"],
    ["export mesh {head} --take {take} --source-head {other}", "-o", "glb"],
    [
        "export pictures {head} --take {take} --map {map} --voice {labels} --compare {other} --reference {image} --frames 7 --size 16x16",
        "-o",
        "####.png",
    ],
    ["export pictures {head} --take {take} --source-head {other} --frames 7 --size 16x16", "-o", "####.exr"],
    [
        "export film {head} --take {take} --map {map} --voice {labels} --compare {other} --reference {image} --sound {sound} --size 16x16",
        "-o",
        "mp4",
    ],
    ["export film {head} --take {take} --source-head {other} --size 16x16", "-o", "gif"],
    ["solve {head} {frames}", "-o", "csv"],
    ["solve {head} {frames} -o {unused}", "--report", "json"],
    ["solve {head} {frames} -o {unused}", "--lacking", "obj"],
    ["solve {head} {pattern} -o {unused}", "--lacking", "obj"],
    ["measure {frames} {take} --head {head}", "--csv", "csv"],
    ["measure {frames} {frames} --lips {vertices} --upper-face {vertices}", "--csv", "csv"],
    ["notes {project}", "-o", "html"],
    ["notes {project} --merge {notes}", "-o", "smirk"],
    ["listen --protocol vmc --seconds 0 --map {map}", "--record", "csv"],
];

/// Small files of every kind, by their names in [`CASES`]: what is written on the command line.
fn write_files(folder: &Path) -> BTreeMap<&'static str, PathBuf> {
    let at = |name: &str| folder.join(name);
    let files = BTreeMap::from([
        ("head", at("head.glb")),
        ("other", at("other.glb")),
        ("shape", at("head_smile.glb")),
        ("take", at("take.csv")),
        ("map", at("map.json")),
        ("rules", at("rules.toml")),
        ("sound", at("sound.wav")),
        ("labels", at("labels.txt")),
        ("image", at("skin.png")),
        ("images", at("images")),
        ("frames", at("frames")),
        ("pattern", at("frames/f.####.obj")),
        ("unused", at("unused.csv")),
        ("unused_sheet", at("unused.png")),
        ("unused_head", at("unused.glb")),
        ("mends", at("mends.toml")),
        ("vertices", at("vertices.txt")),
        ("points", at("points.json")),
        ("project", at("project.smirk")),
        ("notes", at("notes.csv")),
    ]);
    let written = small_head::write(folder);
    for name in ["head", "other", "shape"] {
        fs::copy(&written, &files[name]).unwrap();
    }
    fs::write(&files["take"], "Time,jawOpen\n0,0\n1,1\n").unwrap();
    fs::write(&files["labels"], "0.5\t1.0\tma\n").unwrap();
    fs::write(&files["vertices"], "0, 1\n2").unwrap();
    fs::write(&files["points"], r#"{"mouthLeft": [0, 0, 0]}"#).unwrap();
    let column = r#"{"column":"jawOpen","channels":[{"channel":"mouthSmileLeft","weight":1.0}]}"#;
    fs::write(&files["map"], format!(r#"{{"smirk":"mapping","version":1,"columns":[{column}]}}"#)).unwrap();
    for rules in ["rules", "mends"] {
        fs::write(&files[rules], "").unwrap();
    }
    fs::write(&files["sound"], sounds::wav(8000, 1, &[0; 8000])).unwrap();
    let image = image::RgbaImage::from_pixel(4, 4, image::Rgba([90, 90, 90, 255]));
    for folder in ["images", "frames"] {
        fs::create_dir(&files[folder]).unwrap();
    }
    for path in [files["image"].clone(), files["images"].join("a.001.png"), files["images"].join("a.002.png")] {
        image.save(path).unwrap();
    }
    let (head, pattern) = (files["head"].to_str().unwrap(), files["pattern"].to_str().unwrap());
    let frames = smirk(&["export", "mesh", head, "-o", pattern, "--clip", "0", "--frames", "0-2"]);
    assert!(frames.status.success(), "{}", stderr(&frames));
    fs::write(&files["project"], include_str!("../project/formats/first.smirk")).unwrap();
    let table = smirk(&["notes", files["project"].to_str().unwrap(), "-o", files["notes"].to_str().unwrap()]);
    assert!(table.status.success(), "{}", stderr(&table));
    files
}

/// The regular files below a folder, with what is in them.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.append(&mut contents(&path));
        } else {
            found.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    found
}

/// The arguments of a case, and the files that it reads.
fn parse(arguments: &str, files: &BTreeMap<&'static str, PathBuf>) -> (Vec<String>, Vec<PathBuf>) {
    let mut read = Vec::new();
    let word = |word: &str| {
        let Some(name) = word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else { return word.to_owned() };
        let path = &files[name];
        match name {
            _ if name.starts_with("unused") => {}
            "pattern" => read.extend(contents(path.parent().unwrap()).into_keys()),
            _ if path.is_dir() => read.extend(contents(path).into_keys()),
            _ => read.push(path.clone()),
        }
        path.to_str().unwrap().to_owned()
    };
    (arguments.split(' ').map(word).collect(), read)
}

#[test]
fn no_option_names_an_input_that_an_output_replaces() {
    let folder = tempfile::tempdir().unwrap();
    let files = write_files(folder.path());
    let before = contents(folder.path());
    for [arguments, option, extension] in CASES {
        let (words, inputs) = parse(arguments, &files);
        for input in inputs {
            let links = tempfile::tempdir_in(folder.path()).unwrap();
            let link = links.path().join(format!("link.{}", extension.replace("####", "0007")));
            symlink(&input, &link).unwrap();
            let output = links.path().join(format!("link.{extension}"));
            let words: Vec<&str> = words.iter().map(String::as_str).chain([option, output.to_str().unwrap()]).collect();
            let (run, case) = (smirk(&words), format!("{arguments} {option} = {}", input.display()));
            let (said, now) = (stderr(&run), contents(folder.path()));
            assert!(before.iter().all(|(path, content)| now.get(path) == Some(content)), "{case}: replaced\n{said}");
            assert_eq!(now.len(), before.len() + 1, "{case}: leaves {:?}", names(folder.path()));
            let last = said.lines().last().unwrap_or_default();
            // An image of the reference has a line of its own.
            let is_named = last.contains("it is an input (") || last.contains("this is an image of the reference");
            assert!(is_named && run.status.code() == Some(1), "{case}: {said}");
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        }
    }
}

/// The names of the arguments of a command that were given, for the command and those below it.
fn given(command: &clap::Command, matches: &ArgMatches, found: &mut BTreeSet<(String, String)>) {
    for argument in command.get_arguments() {
        if matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine) {
            found.insert((command.get_name().to_owned(), argument.get_id().to_string()));
        }
    }
    if let Some((name, matches)) = matches.subcommand() {
        given(command.find_subcommand(name).unwrap(), matches, found);
    }
}

/// The arguments that are paths, of each command that writes one.
fn paths(command: &clap::Command, found: &mut BTreeSet<(String, String)>) {
    let is_path = |argument: &&clap::Arg| argument.get_value_parser().type_id() == TypeId::of::<PathBuf>();
    let own: Vec<&str> = command.get_arguments().filter(is_path).map(|it| it.get_id().as_str()).collect();
    if own.iter().any(|name| OUTPUTS.contains(name)) {
        found.extend(own.iter().map(|&name| (command.get_name().to_owned(), name.to_owned())));
    }
    command.get_subcommands().for_each(|command| paths(command, found));
}

/// An option that is added to a command has to be added to [`CASES`].
#[test]
fn the_cases_give_every_path_of_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let files = write_files(folder.path());
    let (mut all, mut covered) = (BTreeSet::new(), BTreeSet::new());
    paths(&Cli::command(), &mut all);
    for [arguments, option, extension] in CASES {
        let (words, _) = parse(arguments, &files);
        let output = format!("a.{extension}");
        let words = ["smirk"].into_iter().chain(words.iter().map(String::as_str)).chain([option, &output]);
        let matches = Cli::command().try_get_matches_from(words).unwrap_or_else(|error| panic!("{arguments}: {error}"));
        given(&Cli::command(), &matches, &mut covered);
    }
    assert!(all.len() > 30, "{all:?}");
    let missing: Vec<_> = all.difference(&covered).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn two_outputs_of_one_command_are_two_files() {
    let folder = tempfile::tempdir().unwrap();
    let files = write_files(folder.path());
    let [head, frames] = ["head", "frames"].map(|name| files[name].to_str().unwrap());
    let both = folder.path().join("both.json");
    let both = both.to_str().unwrap();
    let run = smirk(&["solve", head, frames, "-o", both, "--report", both]);
    assert!(run.status.code() == Some(2) && stderr(&run).contains("two outputs"), "{}", stderr(&run));
    assert!(!Path::new(both).exists());
}
