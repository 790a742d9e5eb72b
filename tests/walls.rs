//! The walls of the house, checked by reading what each room names.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};

/// Rooms (path prefixes under `src/`), files let off, and the names they must not know.
const WALLS: &[(&[&str], &[&str], &[&str])] = &[
    (&["head/", "lint/", "motion/", "scene/", "session/"], &[], &["wgpu", "egui", "winit", "rfd", "gltf"]),
    (&["document/", "json.rs", "atomic_file.rs"], &[], &["wgpu", "egui", "winit", "rfd", "gltf", "crate::ui"]),
    (
        &[
            "blend/active.rs",
            "blend/bounds.rs",
            "blend/hold.rs",
            "blend/column.rs",
            "blend/cpu.rs",
            "blend/deltas.rs",
            "blend/kernel.rs",
            "blend/laying.rs",
            "blend/layout.rs",
            "blend/memory.rs",
            "blend/morphed.rs",
            "blend/normals.rs",
            "blend/order.rs",
            "blend/pages.rs",
            "blend/precision.rs",
            "blend/recompute.rs",
            "blend/recompute_on_cpu.rs",
            "blend/reference.rs",
            "blend/smoothing.rs",
            "blend/tolerance.rs",
            "blend/word.rs",
        ],
        &[],
        &["wgpu", "egui", "winit", "rfd", "gltf"],
    ),
    (&["bench/"], &[], &["egui", "winit", "gltf", "rfd", "crate::session", "crate::ui"]),
    (&["bench/"], &["bench/clock.rs", "bench/copy.rs", "bench/passes.rs"], &["wgpu"]),
    (&["ui/"], &["ui/shell.rs"], &["wgpu", "winit", "egui_wgpu", "egui_winit", "gltf", "rfd"]),
    (&["render/", "blend/"], &[], &["egui", "winit", "gltf", "rfd", "crate::session", "crate::ui"]),
    (&["import/"], &[], &["wgpu", "egui", "winit", "rfd", "crate::session", "crate::ui", "crate::render"]),
    (&[""], &["import/mod.rs", "import/gltf/"], &["gltf"]),
    (&[""], &["gpu/mod.rs"], &["request_adapter", "request_device"]),
    (&["window/event_loop.rs"], &[], &["wgpu", "egui"]),
    (
        &["ui/"],
        &["ui/theme.rs", "export/contact_sheet/style.rs"],
        &["Color32::from_rgb", "Color32::from_gray", "Color32::from_rgba_unmultiplied"],
    ),
];

#[test]
fn no_room_names_what_it_must_not_know() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut broken = Vec::new();
    let files = sources(&src);
    assert!(files.len() > 30, "only {} sources found under {}", files.len(), src.display());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let room = file.strip_prefix(&src).unwrap().to_string_lossy().replace('\\', "/");
        broken.extend(breaches(&room, &text));
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_wall_stands_around_something() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (rooms, spared, _) in WALLS {
        for place in rooms.iter().chain(*spared) {
            assert!(src.join(place).exists(), "src/{place} is walled but does not exist");
        }
    }
}

#[test]
fn a_breach_is_seen_and_a_comment_is_not() {
    assert_eq!(breaches("head/mesh.rs", "use wgpu::Buffer;").len(), 1);
    assert_eq!(breaches("session/mod.rs", "fn f(x: egui::Id) {}").len(), 1);
    assert_eq!(breaches("render/mod.rs", "use crate::session::Session;").len(), 1);
    assert_eq!(breaches("head/mesh.rs", "/// Not wgpu::Buffer.\n// nor egui::Id").len(), 0);
    assert_eq!(breaches("ui/shell.rs", "use wgpu::Surface;").len(), 0);
}

fn breaches(room: &str, text: &str) -> Vec<String> {
    let code: String = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for (rooms, spared, names) in WALLS {
        if !rooms.iter().any(|start| room.starts_with(start)) || spared.iter().any(|start| room.starts_with(start)) {
            continue;
        }
        found.extend(names.iter().filter(|name| names_it(&code, name)).map(|name| format!("src/{room} names {name}")));
    }
    found
}

/// Whether `name` stands in the code as a path of its own (`wgpu::…`, `use wgpu;`), not as part of another word.
fn names_it(code: &str, name: &str) -> bool {
    let is_word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    code.match_indices(name).any(|(at, _)| {
        let rest = &code[at + name.len()..];
        let before = &code[..at];
        let is_crate = !name.contains("::") && !name.starts_with("request_");
        let stands_alone = !is_word(before.chars().next_back()) && !is_word(rest.chars().next());
        let is_root = !before.ends_with("::") && rest.starts_with([':', ';']);
        stands_alone && (is_root || !is_crate)
    })
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}
