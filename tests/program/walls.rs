//! Which rooms of a crate use each other, read from the syntax trees of its files: `crate::` and `super::` alike, in `use` items, in paths
//! and in the arguments of macros. What a name of the crate's root stands for is looked up among the `use` items there.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Expr, ExprLit, File, Item, ItemMod, ItemUse, Lit, Macro, Meta, UseTree, VisRestricted};

/// For each room of a crate the rooms that it uses.
pub(crate) type Uses = BTreeMap<String, BTreeSet<String>>;

/// The modules that the root of a crate declares, which are its rooms, and what each of them uses of the others.
pub(crate) fn uses(root: &Path) -> Uses {
    let file = parsed(root);
    let rooms: BTreeSet<String> = modules(&file.items).map(|module| module.ident.to_string()).collect();
    let names = names_of_rooms(&file.items, &rooms);
    let mut uses: Uses = rooms.iter().map(|room| (room.clone(), BTreeSet::new())).collect();
    for module in modules(&file.items) {
        let room = module.ident.to_string();
        let mut reader = Reader {
            module: vec![room.clone()],
            file: root.to_owned(),
            folder: folder_of(root),
            used: BTreeSet::new(),
        };
        reader.read_module(module);
        let used: BTreeSet<String> = match reader.used.contains("*") {
            true => rooms.clone(),
            false => reader.used.iter().filter_map(|name| names.get(name)).cloned().collect(),
        };
        uses.insert(room.clone(), used.into_iter().filter(|used| *used != room).collect());
    }
    uses
}

/// The file of a syntax tree.
fn parsed(path: &Path) -> File {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folder in which the modules are that a file declares.
fn folder_of(file: &Path) -> PathBuf {
    let name = file.file_stem().unwrap_or_default();
    if ["lib", "main", "mod"].iter().any(|root| name == *root) {
        file.with_file_name("")
    } else {
        file.with_extension("")
    }
}

/// The file that `#[path = "…"]` names.
fn path_attribute(module: &ItemMod) -> Option<String> {
    let attribute = module.attrs.iter().find(|attribute| attribute.path().is_ident("path"))?;
    let Meta::NameValue(value) = &attribute.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) = &value.value else { return None };
    Some(path.value())
}

fn modules(items: &[Item]) -> impl Iterator<Item = &ItemMod> {
    items.iter().filter_map(|item| if let Item::Mod(module) = item { Some(module) } else { None })
}

/// The rooms by every name that they have at the root of the crate: their own, and those of their items that the root uses.
fn names_of_rooms(items: &[Item], rooms: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut names: BTreeMap<String, String> = rooms.iter().map(|room| (room.clone(), room.clone())).collect();
    for item in items {
        let Item::Use(item) = item else { continue };
        for (path, name) in paths_of(&item.tree) {
            let path: Vec<&String> =
                path.iter().skip_while(|segment| *segment == "crate" || *segment == "self").collect();
            if let Some(room) = path.first().filter(|first| rooms.contains(**first)) {
                assert_ne!(name, "*", "the root of a crate names what it uses of a room");
                names.insert(name, (*room).clone());
            }
        }
    }
    names
}

/// The paths of a `use` item, each with the name under which it is used.
fn paths_of(tree: &UseTree) -> Vec<(Vec<String>, String)> {
    match tree {
        UseTree::Path(path) => {
            let first = path.ident.to_string();
            let below = paths_of(&path.tree).into_iter();
            below.map(|(rest, name)| (std::iter::once(first.clone()).chain(rest).collect(), name)).collect()
        }
        UseTree::Name(name) => vec![(vec![name.ident.to_string()], name.ident.to_string())],
        UseTree::Rename(rename) => vec![(vec![rename.ident.to_string()], rename.rename.to_string())],
        UseTree::Glob(_) => vec![(Vec::new(), "*".to_owned())],
        UseTree::Group(group) => group.items.iter().flat_map(paths_of).collect(),
    }
}

/// Reads a module and all that are below it.
struct Reader {
    /// The names of the modules from the root of the crate to that which is read.
    module: Vec<String>,
    /// The file that is read.
    file: PathBuf,
    /// The folder of the modules that the module declares.
    folder: PathBuf,
    /// The names of the crate's root that are used.
    used: BTreeSet<String>,
}

impl Reader {
    fn read_module(&mut self, module: &ItemMod) {
        let name = module.ident.to_string();
        let outer = (self.file.clone(), self.folder.clone());
        if let Some((_, items)) = &module.content {
            self.folder.push(name);
            items.iter().for_each(|item| self.visit_item(item));
        } else {
            let beside = self.folder.join(format!("{name}.rs"));
            self.file = match path_attribute(module) {
                Some(path) => self.file.with_file_name(path),
                None if beside.exists() => beside,
                None => self.folder.join(name).join("mod.rs"),
            };
            self.folder = folder_of(&self.file);
            self.visit_file(&parsed(&self.file.clone()));
        }
        (self.file, self.folder) = outer;
    }

    /// Notes which name of the crate's root a path begins with, if it leads there.
    fn note(&mut self, path: &[String]) {
        let path = if path.first().is_some_and(|first| first == "self") { &path[1..] } else { path };
        let ups = path.iter().take_while(|segment| *segment == "super").count();
        let below_root = match path.first() {
            Some(first) if first == "crate" => &path[1..],
            Some(_) if ups == self.module.len() => &path[ups..],
            _ => return,
        };
        // A path that ends at the root may use all of its names.
        self.used.insert(below_root.first().map_or_else(|| "*".to_owned(), Clone::clone));
    }

    /// Notes the paths in the arguments of a macro, which have no syntax tree.
    fn note_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if path.is_empty() || colons == 2 => path.push(ident.to_string()),
                TokenTree::Ident(ident) => {
                    self.note(&path);
                    path = vec![ident.to_string()];
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Group(group) => {
                    self.note(&std::mem::take(&mut path));
                    self.note_tokens(group.stream());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => self.note(&std::mem::take(&mut path)),
            }
            colons = 0;
        }
        self.note(&path);
    }
}

impl<'a> Visit<'a> for Reader {
    fn visit_item_mod(&mut self, module: &'a ItemMod) {
        self.module.push(module.ident.to_string());
        self.read_module(module);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        for (path, _) in paths_of(&item.tree) {
            self.note(&path);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.note(&names);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'a Macro) {
        self.visit_path(&call.path);
        self.note_tokens(call.tokens.clone());
    }

    /// `pub(in crate::room)` uses nothing.
    fn visit_vis_restricted(&mut self, _: &'a VisRestricted) {}
}

/// What the rooms of a crate with these files use.
fn uses_of(files: &[(&str, &str)]) -> Vec<(String, Vec<String>)> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let uses = uses(&folder.path().join("lib.rs"));
    uses.into_iter().map(|(room, used)| (room, used.into_iter().collect())).collect()
}

#[test]
fn uses_by_every_kind_of_path_are_found() {
    let root = "mod a; mod b; mod c; mod d; pub use a::Thing; use c::{self, Other as Renamed};";
    for (text, used) in [
        ("use crate::a::Thing;", "a"),
        ("use super::{a::x, c};", "a c"),
        ("use super::Thing;", "a"),
        ("fn f() -> crate::Renamed { todo!() }", "c"),
        ("fn f() { super::a::f::<super::c::T>() }", "a c"),
        ("fn f() { println!(\"{}\", [crate::a::X, 1][0]); }", "a"),
        ("mod e { mod f { use super::super::super::c; } }", "c"),
        ("#[cfg(test)] mod tests { use super::super::c::*; }", "c"),
        ("fn f() { use crate::c as z; }", "c"),
        ("use super::*;", "a c d"),
        (
            "pub(in crate::b) fn f() {} mod e { use super::a; pub(super) fn a() {} } use self::e::a; use other::c; // crate::c",
            "",
        ),
    ] {
        let found = uses_of(&[("lib.rs", root), ("a.rs", ""), ("b/mod.rs", text), ("c.rs", ""), ("d.rs", "")]);
        assert_eq!(found[1].1.join(" "), used, "{text}");
    }
}

#[test]
fn files_of_modules_are_found() {
    let found = uses_of(&[
        ("lib.rs", "mod a; mod b { mod c; } mod z;"),
        ("a.rs", "mod inner; #[path = \"beside.rs\"] mod other;"),
        ("a/inner/mod.rs", "mod deep;"),
        ("a/inner/deep.rs", "use crate::b::c;"),
        ("beside.rs", "use super::super::z;"),
        ("b/c.rs", "use super::super::z;"),
        ("z.rs", ""),
    ]);
    let words: Vec<String> = found.iter().map(|(room, used)| format!("{room}: {}", used.join(" "))).collect();
    assert_eq!(words, ["a: b z", "b: z", "z: "]);
}
