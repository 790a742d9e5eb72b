//! A Rust source file as far as its imports go: what it defines, what it brings into scope, which paths it names.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A module's path inside the crate, for example `["blend", "layout", "column"]`.
pub type Module = Vec<String>;

/// One name that a `use` declaration brings into scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// Whether it is exported again (`pub use`).
    pub is_public: bool,
    /// As written: `["crate", "head", "Head"]`. A glob ends in `"*"`.
    pub path: Vec<String>,
    /// What it is called in the file.
    pub name: String,
}

/// What a file defines and names. Unit tests (`#[cfg(test)]`) do not count.
#[derive(Clone, Debug, Default)]
pub struct Source {
    pub imports: Vec<Import>,
    /// Items at the top level of the file.
    pub defined: BTreeSet<String>,
    /// Modules in files of their own that are unit tests: `#[cfg(test)] mod tests;`.
    pub test_modules: BTreeSet<String>,
    /// Paths of at least two segments outside of `use` declarations.
    pub paths: Vec<Vec<String>>,
}

impl Source {
    /// Reads a file's text. Comments and strings are left out by the tokenizer.
    pub fn parse(text: &str) -> Self {
        let tokens: TokenStream = text.parse().unwrap();
        let mut source = Self::default();
        source.read(tokens, true);
        source
    }

    fn read(&mut self, tokens: TokenStream, is_top_level: bool) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        let mut is_public = false;
        while at < trees.len() {
            if is_test_attribute(&trees[at..]) {
                if let [TokenTree::Ident(word), TokenTree::Ident(name), semicolon, ..] = &trees[at + 2..]
                    && word == "mod"
                    && is_semicolon(semicolon)
                {
                    self.test_modules.insert(name.to_string());
                }
                at = end_of_item(&trees, at + 2);
                continue;
            }
            match &trees[at] {
                TokenTree::Group(group) => self.read(group.stream(), false),
                TokenTree::Ident(word) if word == "pub" => {
                    is_public = true;
                    at += 1;
                    // The scope of `pub(crate)` is no path of its own.
                    if matches!(trees.get(at), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
                    {
                        at += 1;
                    }
                    continue;
                }
                TokenTree::Ident(word) if word == "use" => {
                    let end = end_of_item(&trees, at);
                    import_tree(&trees[at + 1..end - 1], &[], is_public, &mut self.imports);
                    at = end;
                    is_public = false;
                    continue;
                }
                TokenTree::Ident(word) if word == "mod" && is_block(trees.get(at + 2)) => {
                    self.read_module(&trees[at + 1], &trees[at + 2]);
                    at += 3;
                    is_public = false;
                    continue;
                }
                TokenTree::Ident(word) => {
                    let defines =
                        ["struct", "enum", "trait", "fn", "const", "static", "type"].iter().any(|kind| word == kind);
                    if let (true, true, Some(TokenTree::Ident(name))) = (is_top_level, defines, trees.get(at + 1)) {
                        self.defined.insert(name.to_string());
                    }
                    let (path, end) = path_at(&trees, at);
                    if path.len() > 1 {
                        self.paths.push(path);
                    }
                    at = end;
                    is_public = false;
                    continue;
                }
                _ => {}
            }
            is_public = false;
            at += 1;
        }
    }

    /// Reads a module inside the file. Its `super` is the file, which does not depend on itself.
    fn read_module(&mut self, name: &TokenTree, block: &TokenTree) {
        let TokenTree::Group(block) = block else { return };
        self.defined.insert(name.to_string());
        let mut module = Self::default();
        module.read(block.stream(), false);
        let is_outer = |path: &[String]| path[0] != "super" || path.get(1).is_some_and(|next| next == "super");
        let outer = |mut path: Vec<String>| {
            if path[0] == "super" {
                path.remove(0);
            }
            path
        };
        let imports = module.imports.into_iter().filter(|import| is_outer(&import.path));
        self.imports.extend(imports.map(|import| Import { path: outer(import.path), is_public: false, ..import }));
        self.paths.extend(module.paths.into_iter().filter(|path| is_outer(path)).map(outer));
    }
}

/// Whether it is a block in braces.
fn is_block(tree: Option<&TokenTree>) -> bool {
    matches!(tree, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
}

/// Whether `#[cfg(test)]` comes next.
fn is_test_attribute(trees: &[TokenTree]) -> bool {
    match trees {
        [TokenTree::Punct(hash), TokenTree::Group(group), ..] if hash.as_char() == '#' => {
            group.stream().to_string().replace(' ', "") == "cfg(test)"
        }
        _ => false,
    }
}

/// Behind the item that begins at `at`: it ends with a block or a semicolon.
fn end_of_item(trees: &[TokenTree], at: usize) -> usize {
    let is_use = |tree: &TokenTree| matches!(tree, TokenTree::Ident(word) if word == "use");
    // The braces of `use a::{b, c};` are no block.
    let ends_with_block = !trees[at..].iter().take_while(|tree| !is_semicolon(tree)).any(is_use);
    let length = trees[at..].iter().position(|tree| is_semicolon(tree) || ends_with_block && is_block(Some(tree)));
    length.map_or(trees.len(), |length| at + length + 1)
}

fn is_semicolon(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ';')
}

fn is_colons(trees: &[TokenTree], at: usize) -> bool {
    let is_colon = |at: usize| matches!(trees.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
    is_colon(at) && is_colon(at + 1)
}

/// The path that begins at `at`, and where it ends. A segment behind a leading `::` or a generic argument begins a new one.
fn path_at(trees: &[TokenTree], at: usize) -> (Vec<String>, usize) {
    let mut path = Vec::new();
    let mut next = at;
    while let Some(TokenTree::Ident(segment)) = trees.get(next) {
        path.push(segment.to_string());
        next += 1;
        if !is_colons(trees, next) {
            break;
        }
        next += 2;
    }
    (path, next.max(at + 1))
}

fn import_tree(trees: &[TokenTree], prefix: &[String], is_public: bool, imports: &mut Vec<Import>) {
    for branch in trees.split(|tree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ',')) {
        let mut path = prefix.to_vec();
        let mut name = None;
        let mut is_leaf = true;
        let mut words = branch.iter();
        while let Some(tree) = words.next() {
            match tree {
                TokenTree::Ident(word) if word == "as" => name = words.next().map(ToString::to_string),
                TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Punct(mark) if mark.as_char() == '*' => path.push("*".into()),
                TokenTree::Group(group) => {
                    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                    import_tree(&inside, &path, is_public, imports);
                    is_leaf = false;
                }
                _ => {}
            }
        }
        if let (true, Some(last)) = (is_leaf, path.last()) {
            imports.push(Import { is_public, name: name.unwrap_or_else(|| last.clone()), path });
        }
    }
}
