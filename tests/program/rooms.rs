//! What crates cannot say of the folders of `src`: that those of one crate use each other in no circle, and which libraries a room
//! leaves alone; and that no crate is forgotten in the profiles. `docs/architecture.md` shows the crates and their rooms.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use syn::visit::{self, Visit};

use crate::project::recordings::walk;
use crate::walls::{self, Uses};

/// Libraries that a room does not name although its crate depends on them.
const FORBIDDEN: [(&str, &[&str]); 1] = [("editor/document", &["egui"])];

/// The crates of the program, with their folders: `assets`, `shaders`, those in `src`, and the program itself.
pub fn crates() -> Vec<(String, PathBuf)> {
    let root = smirk_support::repository();
    let below_src = std::fs::read_dir(root.join("src")).unwrap().map(|entry| entry.unwrap().path());
    let crates = below_src.filter(|folder| folder.join("Cargo.toml").exists());
    let crates: Vec<_> = crates
        .chain([root.join("assets"), root.join("shaders")])
        .map(|folder| (format!("smirk-{}", folder.file_name().unwrap().to_string_lossy()), folder))
        .chain([("smirk".to_owned(), root.clone())])
        .collect();
    assert_eq!(crates.len(), 14, "{crates:?}");
    crates
}

/// The texts of all Rust files below a folder or of one file, without comments.
fn code(path: &Path) -> String {
    if path.is_file() {
        let text = std::fs::read_to_string(path).unwrap();
        return text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .map(|line| format!("{line}\n"))
            .collect();
    }
    let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| path.is_dir() || path.extension().is_some_and(|is| is == "rs"))
        .map(|path| code(&path))
        .collect()
}

/// What is left when rooms that use no other are taken away again and again: circles, and what uses them.
fn circles(mut uses: Uses) -> Uses {
    loop {
        let done: Vec<String> = uses.iter().filter(|(_, used)| used.is_empty()).map(|(room, _)| room.clone()).collect();
        if done.is_empty() {
            return uses;
        }
        uses.retain(|room, _| !done.contains(room));
        uses.values_mut().for_each(|used| used.retain(|room| !done.contains(room)));
    }
}

#[test]
fn rooms_of_a_crate_use_each_other_in_no_circle() {
    let mut use_count = 0;
    for (name, folder) in crates() {
        let root = if name == "smirk" { folder.join("src/lib.rs") } else { folder.join("lib.rs") };
        let uses = walls::uses(&root);
        use_count += uses.values().map(BTreeSet::len).sum::<usize>();
        let circles = circles(uses);
        assert!(circles.is_empty(), "{name}: {circles:?}");
    }
    assert!(use_count > 150, "{use_count} uses are found");
}

#[test]
fn a_circle_is_found() {
    let used = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let uses = [("a", used(&["b"])), ("b", used(&["c"])), ("c", used(&["b", "d"])), ("d", used(&[]))];
    let left = circles(uses.map(|(room, used)| (room.to_owned(), used)).into());
    assert_eq!(left.keys().map(String::as_str).collect::<Vec<_>>(), ["a", "b", "c"]);
}

#[test]
fn rooms_name_no_library_that_they_leave_to_others() {
    for (room, libraries) in FORBIDDEN {
        let code = code(&smirk_support::repository().join("src").join(room));
        let words: BTreeSet<&str> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        assert!(words.contains("crate"), "{room} is not read");
        let named: Vec<_> = libraries.iter().filter(|library| words.contains(**library)).collect();
        assert!(named.is_empty(), "{room} names {named:?}");
    }
}

/// The names of a crate and of all that it is compiled and tested with on this system.
fn dependencies(name: &str) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p}", "--package", name]);
    let output = cargo.current_dir(smirk_support::repository()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// What an artist edits is tested without a window, panels and a graphics driver.
#[test]
fn the_session_is_built_and_tested_without_graphics_panels_and_windows() {
    const ABSENT: [&str; 6] = ["wgpu", "egui", "winit", "smirk-graphics", "smirk-picture", "smirk-support"];
    for name in ["smirk-session", "smirk-scene", "smirk-analysis", "smirk-face"] {
        let dependencies = dependencies(name);
        assert!(dependencies.contains("glam"), "{name}: {dependencies:?}");
        let named: Vec<_> = ABSENT.into_iter().filter(|&absent| dependencies.contains(absent)).collect();
        assert!(named.is_empty(), "{name} depends on {named:?}");
    }
    assert!(["wgpu", "smirk-graphics"].iter().all(|&name| dependencies("smirk-picture").contains(name)));
}

/// A crate without settings of its own would be compiled like a dependency: without checks of overflow and assertions.
#[test]
fn every_crate_has_its_settings_in_both_profiles() {
    let manifest = std::fs::read_to_string(smirk_support::repository().join("Cargo.toml")).unwrap();
    let (dev, release) = manifest.split_once("[profile.release]").unwrap();
    assert!(release.starts_with("\nstrip = \"symbols\"\n"));
    for (name, _) in crates() {
        let (_, settings) = dev.split_once(&format!("[profile.dev.package.{name}]\n")).expect(&name);
        let settings = settings.split('[').next().unwrap();
        assert!(settings.contains("debug-assertions = true\noverflow-checks = true"), "{name}: {settings}");
        // Cargo forgets `strip` for a package with settings of its own: the crate of the binary has none.
        let is_set = release.contains(&format!("[profile.release.package.{name}]\n"));
        assert_eq!(is_set, name != "smirk", "{name}");
    }
}

/// Large data is in `assets`, and shaders are in `shaders`.
#[test]
fn src_holds_no_large_data_and_no_shaders() {
    const MAX_DATA_BYTES: u64 = 100_000;
    let files = walk(&smirk_support::repository().join("src"));
    let (code, data): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|path| path.extension().is_some_and(|is| is == "rs"));
    assert!(code.len() > 600 && data.len() > 5, "{} files of code, {data:?}", code.len());
    for path in data {
        let bytes = std::fs::metadata(&path).unwrap().len();
        assert!(bytes <= MAX_DATA_BYTES, "{}: {bytes} bytes", path.display());
        assert!(path.extension().is_none_or(|extension| extension != "wgsl"), "{}", path.display());
    }
}

/// What opens files to read them, besides `base/regular_file.rs`, and why a pipe or a device cannot stand there.
const READERS: [(&str, &str); 9] = [
    ("base/atomic_file/output_path.rs", "what is written was looked at before"),
    ("base/atomic_file/replace.rs", "what is written was looked at before"),
    ("base/interrupt.rs", "facts about the program, under /proc"),
    ("base/regular_file.rs", "looks before it opens"),
    ("base/watch/folders.rs", "facts about the machine, under /proc"),
    ("cli/live/listen.rs", "a file that the command has made"),
    ("editor/document/recording/grow.rs", "looks before it opens"),
    ("editor/document/recovery/locked_file.rs", "looks before it opens"),
    ("graphics/gpu/mod.rs", "facts about the program, under /proc"),
];

/// The Rust files below a folder that open files to read them, apart from their tests.
fn readers(folder: &Path, root: &Path, found: &mut BTreeSet<String>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            readers(&path, root, found);
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.extension().is_none_or(|is| is != "rs") || name == "tests.rs" || name.ends_with("_tests.rs") {
            continue;
        }
        let code = code(&path);
        let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let calls = ["fs::read(", "fs::read_to_string(", "File::open(", "read(true)"];
        let opens = calls.iter().any(|call| code.contains(call));
        if opens {
            found.insert(path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"));
        }
    }
}

/// A device that a command reads as if it were a file takes all memory, and a pipe stops a window.
#[test]
fn files_are_opened_where_pipes_and_devices_are_refused() {
    let (root, mut found) = (smirk_support::repository().join("src"), BTreeSet::new());
    readers(&root, &root, &mut found);
    let known: BTreeSet<String> = READERS.map(|(file, _)| file.to_owned()).into();
    assert_eq!(found, known, "call regular_file::open or ::read, or add a line with the reason");
}

/// What is found out about a head and holds indices of it.
const FOUND_OF_A_HEAD: [&str; 8] =
    ["Finding", "Judged", "Combination", "Hit", "Mover", "MovedChannel", "CurveItem", "PointedAt"];

/// Beginnings of words in the name or the description of a field by which its numbers are indices into parts of a head. A field that
/// counts them is described as a number of them.
const PARTS_OF_A_HEAD: [&str; 8] = ["channel", "target", "mesh", "vertex", "vertices", "material", "joint", "pair"];

/// Where it may be stored bare: in what is itself stored in an `OfHead`, as the panels of a head are.
const IN_AN_OF_HEAD: [&str; 8] = [
    "src/ui/channels/",
    "src/ui/curves/",
    "src/ui/report/mod.rs ReportPage",
    "src/ui/viewport/",
    "src/ui/curve_selection.rs CurveSelection",
    "src/ui/state.rs HeadMarks",
    "src/ui/thumbnails.rs PictureOf",
    "src/ui/thumbnails.rs VisiblePictures",
];

/// The types with a field that stores what is found of a head without its head.
struct Bare {
    owner: String,
    /// Whether the numbers of the field are indices into parts of a head.
    has_indices: bool,
    found: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Bare {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.owner = item.ident.to_string();
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.owner = item.ident.to_string();
        visit::visit_item_enum(self, item);
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        for field in &variant.fields {
            self.has_indices =
                are_indices(&variant.attrs, Some(&variant.ident)) || are_indices(&field.attrs, field.ident.as_ref());
            self.visit_type(&field.ty);
        }
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.has_indices = are_indices(&field.attrs, field.ident.as_ref());
        self.visit_type(&field.ty);
    }

    fn visit_path_segment(&mut self, segment: &'ast syn::PathSegment) {
        // What is itself found of a head is looked for where it is stored.
        let is_named = FOUND_OF_A_HEAD.contains(&self.owner.as_str());
        let is_index = self.has_indices && !is_named && (segment.ident == "usize" || segment.ident == "u32");
        if is_index || FOUND_OF_A_HEAD.iter().any(|name| segment.ident == name) {
            self.found.insert(self.owner.clone());
        }
        if segment.ident != "OfHead" {
            visit::visit_path_segment(self, segment);
        }
    }

    /// Functions store nothing.
    fn visit_item_fn(&mut self, _: &'ast syn::ItemFn) {}

    fn visit_item_impl(&mut self, _: &'ast syn::ItemImpl) {}

    fn visit_item_use(&mut self, _: &'ast syn::ItemUse) {}

    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
}

/// Whether numbers with this description and this name are indices into parts of a head.
fn are_indices(attributes: &[syn::Attribute], name: Option<&syn::Ident>) -> bool {
    let docs = attributes.iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(syn::MetaNameValue { path, value: syn::Expr::Lit(value), .. }) if path.is_ident("doc") => {
            Some(&value.lit)
        }
        _ => None,
    });
    let mut text: String = docs
        .map(|lit| match lit {
            syn::Lit::Str(line) => line.value() + " ",
            _ => String::new(),
        })
        .collect();
    let is_count = text.to_lowercase().contains("number of");
    text.extend(name.map(ToString::to_string));
    let mut words = text.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase);
    !is_count && words.any(|word| PARTS_OF_A_HEAD.iter().any(|part| word.starts_with(part)))
}

/// The types of a file that store what is found of a head without its head.
fn bare(text: &str) -> BTreeSet<String> {
    let mut bare = Bare { owner: String::new(), has_indices: false, found: BTreeSet::new() };
    bare.visit_file(&syn::parse_file(text).unwrap());
    bare.found
}

#[test]
fn what_is_found_of_a_head_is_stored_with_it() {
    let planted = "
        struct A { findings: Vec<Finding> } struct B { findings: OfHead<Vec<Finding>> } enum C { D(Option<Hit>) }
        struct E { marked_channels: BTreeSet<usize> } struct F { marked_channels: OfHead<BTreeSet<usize>> }
        struct G { /// The vertex under the pointer.
            at: Option<[usize; 2]> }
        struct H { /// The number of channels.
            count: usize, page: usize }
        enum I { Mesh(u32), Page(usize) } enum PointedAt { Channel(usize) }";
    assert_eq!(bare(planted), ["A", "C", "E", "G", "I"].map(str::to_owned).into());
    let root = smirk_support::repository();
    let mut found = BTreeSet::new();
    for path in ["src/ui", "src/window"].into_iter().flat_map(|folder| walk(&root.join(folder))) {
        if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(&root).unwrap().display().to_string();
            let types = bare(&std::fs::read_to_string(&path).unwrap());
            found.extend(types.into_iter().map(|owner| format!("{name} {owner}")));
        }
    }
    found.retain(|place| !IN_AN_OF_HEAD.iter().any(|allowed| place.starts_with(allowed)));
    assert!(found.is_empty(), "store these in an OfHead, with the head that they are of: {found:?}");
}
