//! `smirk thumbnail`, and the files that make a Linux desktop know Smirk and its files.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use crate::project::recordings::walk;
use clap::Parser;
use smirk::cli::Cli;
use smirk_base::file_kind::{self, Content};
use smirk_editor::document::Document;
use smirk_scene::{BlendMode, Camera, Look, View};
use smirk_session::{HeadSource, Session};
use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::{repository, small_head};

use crate::process::{SMIRK, isolated, smirk, stderr};

fn thumbnail(file: &Path, size: u32) -> image::RgbaImage {
    let picture = file.with_extension("thumbnail.png");
    let output =
        smirk(&["thumbnail", file.to_str().unwrap(), "-o", picture.to_str().unwrap(), "-s", &size.to_string()]);
    assert!(output.status.success(), "{}", stderr(&output));
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
    std::fs::read_to_string(repository().join("assets/linux").join(name)).unwrap()
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
    let icon = image::open(repository().join("assets/icons/smirk.png")).unwrap();
    assert_eq!((icon.width(), icon.height()), (256, 256));
    let software_centre = linux("smirk.metainfo.xml");
    for kind in &declared {
        assert!(software_centre.contains(&format!("<mediatype>{kind}</mediatype>")), "{kind}");
    }
}

/// Programs in the place of those that `./dev` calls, that install and package nothing but files.
#[cfg(target_os = "linux")]
const PROGRAMS: [(&str, &str); 4] = [
    (
        "cargo",
        r#"case $1 in
--version) echo "cargo 999.0.0" ;;
install) mkdir -p "$CARGO_HOME/bin" && : >"$CARGO_HOME/bin/smirk" ;;
uninstall) rm "$CARGO_HOME/bin/smirk" ;;
build) mkdir -p "$CARGO_TARGET_DIR/release" && : >"$CARGO_TARGET_DIR/release/smirk" ;;
*) exit 1 ;;
esac"#,
    ),
    ("dpkg", "echo amd64"),
    ("dpkg-shlibdeps", "echo 'shlibs:Depends=libc6 (>= 2.36)'"),
    ("dpkg-deb", r#"mv "$3" "$4""#),
];

/// Runs `./dev` with these programs, and with `home` and `data` below a folder as those of the user.
#[cfg(target_os = "linux")]
fn dev(folder: &Path, verb: &str) {
    use std::os::unix::fs::PermissionsExt;
    let programs = folder.join("programs");
    std::fs::create_dir_all(&programs).unwrap();
    for (name, text) in PROGRAMS {
        std::fs::write(programs.join(name), format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(programs.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(repository().join("dev"));
    command.arg(verb).env("PATH", &path).env_remove("CARGO_INSTALL_ROOT").env("CARGO_HOME", folder.join("a home"));
    command.env("XDG_DATA_HOME", folder.join("data")).env("CARGO_TARGET_DIR", folder.join("build"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_installed_is_started_by_its_path_and_can_be_removed() {
    let folder = tempfile::tempdir().unwrap();
    let [home, data] = ["a home", "data"].map(|name| folder.path().join(name));
    dev(folder.path(), "install");
    let installed = home.join("bin/smirk").display().to_string();
    for entry in ["applications/smirk.desktop", "thumbnailers/smirk.thumbnailer"] {
        let entry = std::fs::read_to_string(data.join(entry)).unwrap();
        assert!(value(&entry, "Exec").starts_with(&format!("\"{installed}\" ")), "{entry}");
        assert_eq!(value(&entry, "TryExec"), installed);
    }
    let is_ours = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("smirk"));
    let placed = || walk(folder.path()).into_iter().filter(is_ours);
    assert_eq!(placed().count(), 7);
    dev(folder.path(), "uninstall");
    assert_eq!(placed().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_package_has_all_that_is_installed_and_the_licences_and_needs_the_libraries_of_the_window() {
    let folder = tempfile::tempdir().unwrap();
    dev(folder.path(), "package");
    let package = folder.path().join("build").join(concat!("smirk_", env!("CARGO_PKG_VERSION"), "_amd64.deb"));
    let read = |name: &str| std::fs::read_to_string(package.join(name)).unwrap();
    let files = walk(&package);
    let files: BTreeSet<_> = files.iter().map(|file| file.strip_prefix(&package).unwrap().to_str().unwrap()).collect();
    let expected = [
        "DEBIAN/control",
        "usr/bin/smirk",
        "usr/share/applications/smirk.desktop",
        "usr/share/doc/smirk/changelog.gz",
        "usr/share/doc/smirk/copyright",
        "usr/share/icons/hicolor/256x256/apps/smirk.png",
        "usr/share/icons/hicolor/scalable/apps/smirk.svg",
        "usr/share/metainfo/smirk.metainfo.xml",
        "usr/share/mime/packages/smirk.xml",
        "usr/share/thumbnailers/smirk.thumbnailer",
    ];
    assert_eq!(files, BTreeSet::from(expected));
    let archive = package.with_extension("tar.gz");
    let listed = Command::new("tar").arg("-tzf").arg(&archive).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let listed: BTreeSet<_> = listed.lines().filter(|line| !line.ends_with('/')).collect();
    let unpacked: BTreeSet<String> =
        expected.iter().filter_map(|name| Some(format!("./{}", name.strip_prefix("usr/")?))).collect();
    assert!(listed.iter().eq(&unpacked), "{listed:?}");
    for name in ["applications/smirk.desktop", "thumbnailers/smirk.thumbnailer"] {
        assert!(value(&read(&format!("usr/share/{name}")), "Exec").starts_with("smirk "), "found in the PATH: {name}");
    }
    let (control, licences) = (read("DEBIAN/control"), read("usr/share/doc/smirk/copyright"));
    for needed in ["libc6 (>= 2.36), ", "libvulkan1", "libx11-6", "libxkbcommon0", "libwayland-client0"] {
        assert!(control.contains(needed), "{needed}: {control}");
    }
    for licence in
        ["MIT License", "Apache License", "Mozilla Public License", "SIL OPEN FONT LICENSE", "UBUNTU FONT LICENCE"]
    {
        assert!(licences.contains(licence), "{licence}");
    }
}

/// What the kernel says of a process while it draws a thumbnail.
#[cfg(target_os = "linux")]
#[test]
fn a_thumbnail_may_take_little_memory_and_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = small_head::write(folder.path());
    let mut command = isolated(SMIRK);
    let mut child = command.arg("thumbnail").arg(&file).arg("-o").arg(folder.path().join("x.png")).spawn().unwrap();
    let mut limits = BTreeSet::new();
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap_or_default();
        limits.extend(text.lines().map(|line| line.split_whitespace().take(4).collect::<Vec<_>>().join(" ")));
    }
    assert!(child.wait().unwrap().success());
    for limit in ["Max data size 8589934592", "Max cpu time 240", "Max core file"] {
        assert!(limits.iter().any(|line| line.starts_with(limit)), "{limit}: {limits:?}");
    }
}
