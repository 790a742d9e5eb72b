//! The rooms of the crate (the folders and single files of `src`): which room may use which, and that no imports run in a
//! circle, neither between rooms nor between files. `docs/architecture.md` shows the same table.

#![allow(clippy::unwrap_used, reason = "a test")]

mod graph;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use graph::{Sources, Uses, circles};
use source::Module;

/// A room, the rooms that it may use, and which of [`GUARDED_CRATES`], with spaces between the names. A room inside a room has a line of its own where it may
/// use fewer or more crates than the one around it; a file belongs to the innermost room of its folder.
struct Room {
    name: &'static str,
    rooms: &'static str,
    crates: &'static str,
}

impl Room {
    fn rooms(&self) -> impl Iterator<Item = &'static str> {
        self.rooms.split_whitespace()
    }

    fn crates(&self) -> impl Iterator<Item = &'static str> {
        self.crates.split_whitespace()
    }
}

/// Crates that only some rooms may name.
const GUARDED_CRATES: &[&str] =
    &["wgpu", "winit", "egui", "egui_wgpu", "egui_winit", "rfd", "gltf", "ufbx", "symphonia", "pulseaudio", "cpal"];

const fn room(name: &'static str, rooms: &'static str, crates: &'static str) -> Room {
    Room { name, rooms, crates }
}

const ROOMS: &[Room] = &[
    room("atomic_file", "", ""),
    room("date", "", ""),
    room("file_kind", "", ""),
    room("folders", "", ""),
    room("fonts", "", "egui"),
    room("json", "", ""),
    room("interrupt", "atomic_file logging", ""),
    room("job", "", ""),
    room("logging", "date folders names", ""),
    room("names", "", ""),
    room("counting_sort", "", ""),
    room("random", "", ""),
    room("reference", "import job names regular_file", ""),
    room("regular_file", "", ""),
    room("watch", "", ""),
    room("gpu", "", "wgpu"),
    room("head", "names random", ""),
    room("judge", "head random job", ""),
    room("lint", "head names random regular_file", ""),
    room("motion", "head random", ""),
    room("audio", "job motion regular_file", "symphonia pulseaudio cpal"),
    room("measure", "head blend", ""),
    room("scene", "head blend measure judge", ""),
    room("import", "head motion file_kind json names", ""),
    room("import/gltf", "head names", "gltf"),
    room("import/fbx", "head names", "ufbx"),
    room("live", "import head motion job names", ""),
    room("blend", "head gpu counting_sort random", ""),
    room("blend/gpu", "head gpu", "wgpu"),
    room("openness", "head", ""),
    room("render", "head scene blend measure openness judge gpu counting_sort", "wgpu"),
    room("pick", "head scene measure", ""),
    room("session", "head motion scene blend live", ""),
    room(
        "export",
        "head motion scene blend judge render session reference atomic_file file_kind fonts names job",
        "egui",
    ),
    room(
        "document",
        "session import audio head motion scene blend live render gpu atomic_file regular_file file_kind folders job json names date",
        "",
    ),
    room("bench", "head scene blend render gpu import job json random", "wgpu"),
    room(
        "ui",
        "session document export bench audio lint judge head motion scene blend measure pick live render job date names",
        "egui",
    ),
    room(
        "cli",
        "document session export reference bench import lint judge live head motion scene blend measure openness render gpu file_kind names atomic_file interrupt logging watch",
        "",
    ),
    room(
        "window",
        "ui cli reference document session export bench audio import lint judge head motion scene blend live openness render gpu file_kind folders atomic_file regular_file fonts names interrupt job json logging date watch",
        "wgpu winit egui egui_wgpu egui_winit rfd",
    ),
];

/// The most files that a folder holds. `mod.rs`, which only declares them, is not counted.
const LARGEST_FOLDER: usize = 12;

fn crate_sources() -> Sources {
    let sources = Sources::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(sources.modules().count() > 200, "only {} sources found", sources.modules().count());
    sources
}

/// The innermost room that a module belongs to.
fn room_of(module: &Module) -> Option<&'static Room> {
    ROOMS.iter().filter(|room| is_in(module, room)).max_by_key(|room| room.name.len())
}

/// Whether a module is in a room or in a room inside it.
fn is_in(module: &Module, room: &Room) -> bool {
    let path = module.join("/");
    path == room.name || path.strip_prefix(room.name).is_some_and(|rest| rest.starts_with('/'))
}

/// The outermost room, the one that other rooms are allowed or not allowed to use.
fn top_room(module: &Module) -> &str {
    module.first().map_or("lib", String::as_str)
}

fn file(module: &Module) -> String {
    format!("src/{}", module.join("/"))
}

/// Uses of rooms and crates that the table does not allow, one line each.
fn breaches(sources: &Sources) -> Vec<String> {
    let mut found = Vec::new();
    for (user, targets) in &sources.uses() {
        let Some(room) = room_of(user) else { continue };
        for (target, names) in
            targets.iter().filter(|(target, _)| !target.is_empty() && top_room(target) != top_room(user))
        {
            if !room.rooms().any(|name| name == top_room(target)) {
                let names = names.iter().cloned().collect::<Vec<_>>().join(", ");
                found.push(format!("{} uses {names} of {}", file(user), file(target)));
            }
        }
    }
    for module in sources.modules() {
        let Some(room) = room_of(module) else {
            if !module.is_empty() {
                found.push(format!("{} is in no room of the table", file(module)));
            }
            continue;
        };
        let named = sources.crates_of(module);
        let forbidden = named
            .iter()
            .filter(|name| GUARDED_CRATES.contains(name) && !room.crates().any(|allowed| allowed == **name));
        found.extend(forbidden.map(|name| format!("{} names the crate {name}", file(module))));
    }
    found
}

/// Circles between files and between rooms, one line for each.
fn circles_of(uses: &Uses) -> Vec<String> {
    let files: BTreeMap<String, BTreeSet<String>> =
        uses.iter().map(|(user, targets)| (file(user), targets.keys().map(file).collect())).collect();
    let mut rooms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (user, targets) in uses {
        let others = targets.keys().map(top_room).filter(|target| *target != top_room(user));
        rooms.entry(top_room(user).to_owned()).or_default().extend(others.map(str::to_owned));
    }
    let lines = |kind: &str, circles: Vec<Vec<String>>| -> Vec<String> {
        circles.iter().map(|circle| format!("{kind} in a circle: {}", circle.join(", "))).collect()
    };
    [lines("files", circles(&files)), lines("rooms", circles(&rooms))].concat()
}

#[test]
fn every_room_uses_only_what_the_table_allows() {
    let found = breaches(&crate_sources());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_table_allows_no_more_than_is_used() {
    let sources = crate_sources();
    let uses = sources.uses();
    let mut unused = Vec::new();
    for room in ROOMS {
        let modules: Vec<&Module> = sources.modules().filter(|module| is_in(module, room)).collect();
        let used: BTreeSet<&str> =
            modules.iter().filter_map(|module| uses.get(*module)).flat_map(BTreeMap::keys).map(top_room).collect();
        let named: BTreeSet<&str> = modules.iter().flat_map(|module| sources.crates_of(module)).collect();
        unused.extend(room.rooms().filter(|name| !used.contains(*name)).map(|name| format!("{}: {name}", room.name)));
        unused.extend(room.crates().filter(|name| !named.contains(*name)).map(|name| format!("{}: {name}", room.name)));
    }
    assert!(unused.is_empty(), "allowed and not used: {}", unused.join(", "));
}

#[test]
fn no_imports_run_in_a_circle() {
    let found = circles_of(&crate_sources().uses());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_table_itself_has_no_circle_and_names_only_what_is_there() {
    let sources = crate_sources();
    let allowed: BTreeMap<&str, BTreeSet<&str>> =
        ROOMS.iter().map(|room| (room.name, room.rooms().collect())).collect();
    assert!(circles(&allowed).is_empty(), "{:?}", circles(&allowed));
    for room in ROOMS {
        let is_there = |name: &str| sources.modules().any(|module| module.join("/") == name);
        assert!(is_there(room.name), "there is no src/{}", room.name);
        assert!(room.rooms().all(is_there), "{} may use a room that is not there", room.name);
        assert!(room.crates().all(|name| GUARDED_CRATES.contains(&name)), "{}: {}", room.name, room.crates);
    }
}

#[test]
fn no_folder_is_too_large() {
    let mut files: BTreeMap<Module, usize> = BTreeMap::new();
    let sources = crate_sources();
    for module in sources.modules().filter(|module| !module.is_empty()) {
        let is_folder = sources.modules().any(|other| other.len() > module.len() && other.starts_with(module));
        if !is_folder {
            *files.entry(module[..module.len() - 1].to_vec()).or_default() += 1;
        }
    }
    let large: Vec<_> = files.iter().filter(|(_, count)| **count > LARGEST_FOLDER).collect();
    assert!(large.is_empty(), "{large:?}");
}

#[test]
fn the_documentation_shows_the_same_table() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/architecture.md")).unwrap();
    let cell = |names: &str| match names {
        "" => "–".to_owned(),
        names => names.split_whitespace().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    };
    let rows = ROOMS.iter().map(|room| format!("| `{}` | {} | {} |", room.name, cell(room.rooms), cell(room.crates)));
    let section = text.split("\n## ").find(|section| section.starts_with("What each room may use")).unwrap();
    let shown = section.lines().filter(|line| line.starts_with("| `")).collect::<Vec<_>>().join("\n");
    let expected = rows.collect::<Vec<_>>().join("\n");
    assert!(shown == expected, "docs/architecture.md has to show these lines:\n{expected}");
}

#[test]
fn only_the_gpu_room_asks_for_an_adapter_and_only_the_theme_makes_colours() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let sources = crate_sources();
    for module in sources.modules() {
        let path = src.join(module.join("/"));
        let text = std::fs::read_to_string(path.with_extension("rs"))
            .or_else(|_| std::fs::read_to_string(path.join("mod.rs")));
        let Ok(text) = text else { continue };
        if top_room(module) != "gpu" {
            let asks = [".request_adapter(", ".request_device("].iter().any(|call| text.contains(call));
            assert!(!asks, "{} asks for an adapter or a device", file(module));
        }
        if top_room(module) == "ui" && module.get(1).is_none_or(|folder| folder != "theme") {
            let makes = ["Color32::from_rgb(", "Color32::from_gray(", "Color32::from_rgba_unmultiplied("];
            assert!(!makes.iter().any(|call| text.contains(call)), "{} makes a colour", file(module));
        }
    }
}

fn module(path: &str) -> Module {
    path.split('/').map(str::to_owned).collect()
}

/// What was found only after something was planted.
fn new_lines(before: &[String], after: Vec<String>) -> Vec<String> {
    after.into_iter().filter(|line| !before.contains(line)).collect()
}

#[test]
fn a_planted_breach_is_seen() {
    let mut sources = crate_sources();
    let before = breaches(&sources);
    sources.add(module("head/planted"), "use crate::session::Session;\nfn f(buffer: &wgpu::Buffer) {}");
    let found = new_lines(&before, breaches(&sources));
    assert!(found.iter().any(|line| line.contains("src/head/planted uses Session of src/session")), "{found:?}");
    assert!(found.iter().any(|line| line.contains("src/head/planted names the crate wgpu")), "{found:?}");
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn a_planted_circle_is_seen() {
    let mut sources = crate_sources();
    let before = circles_of(&sources.uses());
    sources.add(module("motion/planted"), "use super::planted_too::One;\npub struct Two;");
    sources.add(module("motion/planted_too"), "pub struct One(crate::motion::planted::Two);");
    let found = new_lines(&before, circles_of(&sources.uses()));
    assert_eq!(found, ["files in a circle: src/motion/planted, src/motion/planted_too"]);
    // A circle of rooms, no two files of which use each other.
    sources.add(module("motion/planted"), "use crate::session::Session;");
    let found = circles_of(&sources.uses());
    assert!(
        found.iter().any(|line| line.starts_with("rooms in a circle: ") && line.contains("motion, session")),
        "{found:?}"
    );
}

#[test]
fn names_are_followed_through_exports_and_comments_are_not_read() {
    let mut sources = Sources::default();
    sources.add(Module::new(), "pub mod a; pub mod b;");
    sources.add(module("a"), "mod inner;\npub use inner::{Thing, Other as Renamed};");
    sources.add(module("a/inner"), "pub struct Thing; pub struct Other;");
    sources.add(
        module("b"),
        "//! crate::a::Thing\nuse crate::a;\nfn f() -> a::Renamed { \"crate::a::Thing\"; a::Renamed }\n#[cfg(test)]\nmod tests { use crate::a::Thing; }",
    );
    let uses = sources.uses();
    let names: Vec<_> = uses[&module("b")][&module("a/inner")].iter().cloned().collect();
    assert_eq!(names, ["Renamed"]);
    assert!(!uses.contains_key(&module("a")), "exporting a child is no use of it");
}

#[test]
fn a_module_inside_a_file_is_part_of_the_file() {
    let mut sources = Sources::default();
    sources.add(Module::new(), "pub mod a; pub mod b;");
    sources.add(module("a"), "mod inner;\npub use inner::words;");
    sources.add(
        module("a/inner"),
        "pub struct Own;\npub mod words { use super::*; use crate::b::Thing; pub fn f(_: Own) {} }",
    );
    sources.add(module("b"), "pub struct Thing;\nfn f() { crate::a::words::f(); }");
    let uses = sources.uses();
    let of = |path: &str| uses[&module(path)].keys().cloned().collect::<Vec<_>>();
    assert_eq!((of("a/inner"), of("b")), (vec![module("b")], vec![module("a/inner")]));
}
