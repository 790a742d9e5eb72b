//! Which file uses which: every import, followed through re-exports to the file that defines the name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::source::{Module, Source};

/// All modules of the crate.
#[derive(Clone, Debug, Default)]
pub struct Sources(BTreeMap<Module, Source>);

/// For every module the modules it uses, with the names it takes from each.
pub type Uses = BTreeMap<Module, BTreeMap<Module, BTreeSet<String>>>;

impl Sources {
    /// Reads every file under `src`, but for the binary's `main.rs`.
    pub fn read(src: &Path) -> Self {
        let mut sources = Self::default();
        sources.read_folder(src, &[]);
        let in_module = |(module, source): (&Module, &Source)| {
            let inner = |name: &String| module.iter().chain([name]).cloned().collect::<Module>();
            source.test_modules.iter().map(inner).collect::<Vec<_>>()
        };
        let tests: Vec<Module> = sources.0.iter().flat_map(in_module).collect();
        sources.0.retain(|module, _| !tests.contains(module));
        sources
    }

    fn read_folder(&mut self, folder: &Path, module: &[String]) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            let inner = || module.iter().cloned().chain([stem.clone()]).collect::<Module>();
            if path.is_dir() {
                self.read_folder(&path, &inner());
            } else if path.extension().is_some_and(|extension| extension == "rs") && stem != "main" {
                let is_folder_itself = stem == "mod" || stem == "lib";
                self.add(
                    if is_folder_itself { module.to_vec() } else { inner() },
                    &std::fs::read_to_string(&path).unwrap(),
                );
            }
        }
    }

    /// Adds a module, or replaces the one there was.
    pub fn add(&mut self, module: Module, text: &str) {
        self.0.insert(module, Source::parse(text));
    }

    /// The modules.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        self.0.keys()
    }

    /// The other crates that a module names.
    pub fn crates_of(&self, module: &Module) -> BTreeSet<&str> {
        let source = &self.0[module];
        let in_scope = |path: &[String]| source.imports.iter().any(|import| import.name == path[0]);
        let imported = source.imports.iter().map(|import| &import.path);
        let named = imported.chain(source.paths.iter().filter(|path| !in_scope(path)));
        named.filter(|path| self.absolute(module, path).is_none()).map(|path| path[0].as_str()).collect()
    }

    /// Which module uses which.
    pub fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        for (module, source) in &self.0 {
            // Modules brought into scope by name: `use crate::bench;` makes `bench::Report` a path of the crate.
            let mut modules_in_scope: BTreeMap<&str, Module> = BTreeMap::new();
            let mut add = |user: &Module, target: Module, name: String| {
                if target != *user {
                    uses.entry(user.clone()).or_default().entry(target).or_default().insert(name);
                }
            };
            for import in &source.imports {
                let Some(path) = self.absolute(module, &import.path) else { continue };
                if self.0.contains_key(&path) {
                    modules_in_scope.insert(&import.name, path);
                    continue;
                }
                let Some(target) = self.defining(&path) else { continue };
                let exports_own_child = import.is_public && target.starts_with(module);
                if !exports_own_child {
                    add(module, target, import.name.clone());
                }
            }
            for path in &source.paths {
                let absolute = match modules_in_scope.get(path[0].as_str()) {
                    Some(scope) => Some(scope.iter().chain(&path[1..]).cloned().collect()),
                    None => self.absolute(module, path),
                };
                let Some(absolute) = absolute.filter(|absolute| !self.0.contains_key(absolute)) else { continue };
                if let Some(target) = self.defining(&absolute) {
                    add(module, target, path[path.len() - 1].clone());
                }
            }
        }
        uses
    }

    /// A path as written in `module`, from the root of the crate; none if it is of another crate.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Module> {
        match path[0].as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some(module.iter().chain(&path[1..]).cloned().collect()),
            "super" => {
                let ups = path.iter().take_while(|segment| *segment == "super").count();
                let base = &module[..module.len().checked_sub(ups)?];
                Some(base.iter().chain(&path[ups..]).cloned().collect())
            }
            first => {
                let child: Module = module.iter().cloned().chain([first.to_owned()]).collect();
                self.0.contains_key(&child).then(|| module.iter().chain(path).cloned().collect())
            }
        }
    }

    /// The module that defines what a path from the root names.
    fn defining(&self, path: &[String]) -> Option<Module> {
        let depth = (0..=path.len()).rev().find(|&depth| self.0.contains_key(&path[..depth]))?;
        let (module, rest) = path.split_at(depth);
        let module = module.to_vec();
        let Some(name) = rest.first().filter(|name| *name != "*") else { return Some(module) };
        let source = &self.0[&module];
        if source.defined.contains(name) {
            return Some(module);
        }
        for import in &source.imports {
            let Some(target) = self.absolute(&module, &import.path) else { continue };
            if import.name == *name {
                let further = target.iter().chain(&rest[1..]).cloned().collect::<Vec<_>>();
                return self.defining(&further);
            }
            if let Some(("*", scope)) = target.split_last().map(|(last, scope)| (last.as_str(), scope)) {
                let further = scope.iter().chain(rest).cloned().collect::<Vec<_>>();
                let found = self.defining(&further).filter(|found| self.0[found].defined.contains(name));
                if found.is_some() {
                    return found;
                }
            }
        }
        Some(module)
    }
}

/// Groups of nodes each of which reaches every other one of its group.
pub fn circles<Node: Ord + Clone>(edges: &BTreeMap<Node, BTreeSet<Node>>) -> Vec<Vec<Node>> {
    let reached: BTreeMap<&Node, BTreeSet<&Node>> = edges.keys().map(|node| (node, reach(edges, node))).collect();
    let mut circles: BTreeSet<Vec<Node>> = BTreeSet::new();
    for (node, others) in &reached {
        let circle = others.iter().filter(|other| reached.get(**other).is_some_and(|back| back.contains(*node)));
        let circle: Vec<Node> = circle.map(|other| (*other).clone()).collect();
        if !circle.is_empty() {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

/// Everything that can be reached from a node in at least one step.
fn reach<'a, Node: Ord>(edges: &'a BTreeMap<Node, BTreeSet<Node>>, start: &Node) -> BTreeSet<&'a Node> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Node> = edges.get(start).into_iter().flatten().collect();
    while let Some(node) = open.pop() {
        if found.insert(node) {
            open.extend(edges.get(node).into_iter().flatten());
        }
    }
    found
}
