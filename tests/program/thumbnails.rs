//! `smirk thumbnail`, and the files that make a Linux desktop know Smirk and its files.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use crate::project::recordings::walk;
use clap::Parser;
use smirk::cli::Cli;
use smirk_base::file_kind::{self, Content};
use smirk_editor::document::Document;
use smirk_editor::session::{HeadSource, Session};
use smirk_graphics::blend::BlendMode;
use smirk_picture::scene::{Camera, Look, View};
use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::small_head;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn smirk(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_smirk")).args(arguments).output().unwrap()
}

fn thumbnail(file: &Path, size: u32) -> image::RgbaImage {
    let picture = file.with_extension("thumbnail.png");
    let output =
        smirk(&["thumbnail", file.to_str().unwrap(), "-o", picture.to_str().unwrap(), "-s", &size.to_string()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "it says nothing");
    image::open(&picture).unwrap().into_rgba8()
}

/// How much two pictures differ: the mean difference of a channel, 0..255.
fn difference(a: &image::RgbaImage, b: &image::RgbaImage) -> f32 {
    assert_eq!(a.dimensions(), b.dimensions());
    let total: u64 = a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    total as f32 / a.as_raw().len() as f32
}

#[test]
fn a_head_is_drawn_as_large_as_asked_and_a_project_as_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = small_head::write(folder.path());
    let head = thumbnail(&file, 96);
    assert_eq!(head.dimensions(), (96, 96));
    let middle = head.get_pixel(48, 40).0;
    assert!(middle[0] > middle[2] + 20, "the upper half of the head is red: {middle:?}");

    let opened = Arc::new(smirk_files::import::open(&file).unwrap());
    let mut session = Session::new(opened.clone(), HeadSource::File(file.clone()), Look::default(), BlendMode::Cpu);
    let mut save = |name: &str, view: View| {
        session.camera = Camera::framing(opened.focus, opened.bounds, view, 1.0);
        let project = folder.path().join(name);
        Document::new(session.clone(), None).save(&project).unwrap();
        thumbnail(&project, 96)
    };
    let (same, left) = (save("same.smirk", View::ThreeQuarter), save("left.smirk", View::Left));
    assert!(difference(&head, &same) < 4.0, "{}", difference(&head, &same));
    assert!(difference(&head, &left) > 8.0, "{}", difference(&head, &left));
}

#[test]
fn a_file_that_is_no_head_is_an_error_in_one_line_and_leaves_no_picture() {
    let folder = tempfile::tempdir().unwrap();
    let take = folder.path().join("take.csv");
    std::fs::write(&take, "Timecode,JawOpen\n00:00:00:00,1\n").unwrap();
    let head = folder.path().join("head.glb");
    std::fs::write(&head, &GltfBuilder::triangle().glb()[..100]).unwrap();
    for (file, words) in [(take, "a capture, not a head"), (head, "cut off")] {
        let picture = folder.path().join("picture.png");
        let output = smirk(&["thumbnail", file.to_str().unwrap(), "-o", picture.to_str().unwrap()]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(text.contains(words) && text.lines().count() == 1, "{text}");
        assert!(!picture.exists());
    }
}

fn linux(name: &str) -> String {
    std::fs::read_to_string(PathBuf::from(ROOT).join("assets/linux").join(name)).unwrap()
}

/// The value of a key of an entry.
fn value<'a>(entry: &'a str, key: &str) -> &'a str {
    let line = entry.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    line.unwrap_or_else(|| panic!("no {key}"))
}

#[test]
fn the_entries_of_the_desktop_name_commands_of_the_program_and_all_files_that_it_draws() {
    let (menu, thumbnailer, types) = (linux("smirk.desktop"), linux("smirk.thumbnailer"), linux("smirk.xml"));
    let words = |entry: &str| -> Vec<String> {
        let with_files = value(entry, "Exec").replace("%F", "a.glb b.csv").replace("%i", "a.glb");
        with_files.replace("%o", "a.png").replace("%s", "128").split(' ').map(str::to_owned).collect()
    };
    for entry in [&menu, &thumbnailer] {
        let words = words(entry);
        if let Err(error) = Cli::try_parse_from(&words) {
            panic!("{words:?}: {error}");
        }
    }
    assert_eq!(value(&menu, "MimeType"), value(&thumbnailer, "MimeType"));
    let named: BTreeSet<&str> = value(&menu, "MimeType").split(';').filter(|name| !name.is_empty()).collect();
    let between = |before: &str| -> BTreeSet<String> {
        types.split(before).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let declared = between("<mime-type type=\"");
    assert_eq!(declared, named.into_iter().map(str::to_owned).collect());
    let drawn = |kind: &file_kind::FileKind| kind.opens(Content::Head) || kind.opens(Content::Project);
    let extensions: BTreeSet<String> =
        file_kind::extensions(drawn).iter().map(|extension| format!("*.{extension}")).collect();
    assert_eq!(between("<glob pattern=\""), extensions);
    let icon = image::open(PathBuf::from(ROOT).join("assets/linux/smirk.png")).unwrap();
    assert_eq!((icon.width(), icon.height()), (256, 256));
}

/// A program in the place of cargo, that installs nothing but a file.
const CARGO: &str = r#"#!/bin/sh
case $1 in
--version) echo "cargo 999.0.0" ;;
install) mkdir -p "$CARGO_HOME/bin" && : >"$CARGO_HOME/bin/smirk" ;;
uninstall) rm "$CARGO_HOME/bin/smirk" ;;
*) exit 1 ;;
esac
"#;

#[cfg(target_os = "linux")]
#[test]
fn what_is_installed_is_started_by_its_path_and_can_be_removed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let [programs, home, data] = ["programs", "a home", "data"].map(|name| folder.path().join(name));
    std::fs::create_dir(&programs).unwrap();
    std::fs::write(programs.join("cargo"), CARGO).unwrap();
    std::fs::set_permissions(programs.join("cargo"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let dev = |verb: &str| {
        let mut command = Command::new(Path::new(ROOT).join("dev"));
        command.arg(verb).env("PATH", &path).env("CARGO_HOME", &home).env("XDG_DATA_HOME", &data);
        let output = command.env_remove("CARGO_INSTALL_ROOT").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    dev("install");
    let installed = home.join("bin/smirk").display().to_string();
    for entry in ["applications/smirk.desktop", "thumbnailers/smirk.thumbnailer"] {
        let entry = std::fs::read_to_string(data.join(entry)).unwrap();
        assert!(value(&entry, "Exec").starts_with(&format!("\"{installed}\" ")), "{entry}");
        assert_eq!(value(&entry, "TryExec"), installed);
    }
    let placed = || walk(folder.path()).into_iter().filter(|path| path.file_stem().is_some_and(|stem| stem == "smirk"));
    assert_eq!(placed().count(), 6);
    dev("uninstall");
    assert_eq!(placed().count(), 0);
}
