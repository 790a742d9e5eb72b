//! What the README and the pages under `docs` say of keys, command line, pictures and the bundled head agrees with the program.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::project::recordings::walk;
use clap::error::ErrorKind;
use clap::{Command, CommandFactory, Parser};
use smirk::cli::Cli;
use smirk_analysis::lint::{Rule, Settings};
use smirk_base::file_kind::{ALL, Content, FileKind, Output};
use smirk_support::repository;
use smirk_ui::shortcuts::{MOUSE, SHORTCUTS};

fn page(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap()
}

/// The README, the changelog and all pages under `docs`, with their paths.
fn pages() -> Vec<(String, String)> {
    let docs = std::fs::read_dir(repository().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let names = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let names = names.map(|path| format!("docs/{}", path.file_name().unwrap().to_string_lossy()));
    let pages: Vec<_> =
        names.chain(["README.md".into(), "CHANGELOG.md".into()]).map(|name| (name.clone(), page(&name))).collect();
    assert!(pages.len() >= 9, "{} pages", pages.len());
    pages
}

/// The rows of the first table of a page with that heading.
fn table(page: &str, heading: &str) -> Vec<String> {
    let rows = page.lines().skip_while(|line| *line != heading).skip(2);
    rows.take_while(|line| line.starts_with('|')).map(str::to_owned).collect()
}

#[test]
fn the_documentation_is_short() {
    let words = |text: &str| text.split_whitespace().count();
    let readme = words(&page("README.md"));
    assert!(readme <= 900, "the README has {readme} words");
    let pages = pages().into_iter().filter(|(name, _)| name != "CHANGELOG.md");
    let total: usize = pages.map(|(_, page)| words(&page)).sum();
    assert!(total <= 20_000, "{total} words: leave out what the program says itself, and what stands elsewhere");
}

#[test]
fn keys_and_mouse_are_those_of_the_program() {
    let keys: String = SHORTCUTS.iter().map(|shortcut| format!("{:<38}{}\n", shortcut.keys, shortcut.text)).collect();
    let mouse: String = MOUSE.iter().map(|(_, gesture, text)| format!("{gesture:<38}{text}\n")).collect();
    let page = page("docs/keys.md");
    let lists: Vec<_> = page.split("```text\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(lists, [mouse, keys]);
}

/// Whether a text is the name of keys, such as `K`, `Alt` or `Ctrl+Left`. A digit alone is a number.
fn is_keys(text: &str) -> bool {
    const MODIFIERS: [&str; 3] = ["Ctrl", "Shift", "Alt"];
    const NAMED: &str = "Esc Escape Tab Space Home End Delete Backspace Enter Menu Left Right Up Down";
    let (modifiers, key) = text.rsplit_once('+').map_or((None, text), |(modifiers, key)| (Some(modifiers), key));
    let is_named = NAMED.split(' ').any(|name| name == key) || MODIFIERS.contains(&key);
    let is_function = key.strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok());
    let is_sign = key.len() == 1 && key.chars().all(|sign| sign.is_ascii_uppercase() || ",.?".contains(sign));
    let is_digit = modifiers.is_some() && key.len() == 1 && key.chars().all(|sign| sign.is_ascii_digit());
    (is_named || is_function || is_sign || is_digit)
        && modifiers.is_none_or(|modifiers| modifiers.split('+').all(|name| MODIFIERS.contains(&name)))
}

/// Words of at least four letters, of which the first four count: `muted` is the word `mute`.
fn stems(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| word.len() >= 4);
    words.map(|word| word[..4].to_lowercase()).collect()
}

/// A key that a page names between backquotes or asterisks is one of the program, and what it does there is said around
/// it: the paragraph has a word of the line of the list of keys.
#[test]
fn every_key_that_a_page_names_does_what_the_page_says() {
    assert!(is_keys("Ctrl+Shift+S") && is_keys("F10") && !is_keys("Ctrl+X11") && !is_keys("1") && !is_keys("N|NAME"));
    let mut count = 0;
    for (name, page) in pages() {
        // The changelog tells of keys that were.
        for text in page.split("```").step_by(2).filter(|_| name != "CHANGELOG.md") {
            for paragraph in text.split("\n\n").flat_map(|text| text.split("\n- ")).flat_map(|text| text.split("\n|")) {
                let said = stems(paragraph);
                let marked = ['`', '*'].into_iter().flat_map(|mark| paragraph.split(mark).skip(1).step_by(2));
                for keys in marked.filter(|text| is_keys(text)) {
                    let gestures = MOUSE.iter().filter(|(_, gesture, _)| {
                        gesture.split([' ', ',']).any(|word| word.split('-').next() == Some(keys))
                    });
                    let shortcuts = SHORTCUTS
                        .iter()
                        .filter(|shortcut| shortcut.keys == keys || shortcut.keys.split('+').next() == Some(keys));
                    let does: Vec<String> = shortcuts
                        .map(|shortcut| shortcut.text.to_owned())
                        .chain(gestures.map(|(_, gesture, text)| format!("{gesture} {text}")))
                        .collect();
                    let is_said = does.iter().any(|text| !stems(text).is_disjoint(&said));
                    assert!(is_said, "{name} names {keys}, which does {does:?}: {paragraph}");
                    count += 1;
                }
            }
        }
    }
    assert!(count > 25, "{count} keys");
}

/// Words that begin with two dashes.
fn options(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !(letter.is_ascii_lowercase() || letter == '-'));
    words.filter_map(|word| word.strip_prefix("--")).map(str::to_owned).collect()
}

/// The usage with the options of a group in the place of its name in brackets. A line that begins with a name begins its group.
fn with_groups(usage: &str, groups: &str) -> String {
    let mut usage = usage.to_owned();
    // Groups that name others stand after them.
    for group in groups.replace("\n ", " ").lines().rev() {
        if let Some((name, options)) = group.split_once(' ') {
            usage = usage.replace(&format!("[{name}]"), options);
        }
    }
    usage
}

/// `./dev run` decides by this answer whether a display is needed.
#[test]
fn help_knows_the_commands_and_takes_no_file_for_one() {
    let kind = |name: &str| Cli::try_parse_from(["smirk", "help", name]).expect_err("help, or an error").kind();
    let commands: Vec<_> = Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    assert!(commands.len() > 5, "{commands:?}");
    for name in commands {
        assert_eq!(kind(&name), ErrorKind::DisplayHelp, "{name}");
    }
    assert_eq!(kind("head.glb"), ErrorKind::InvalidSubcommand);
}

/// The part of the usage that is about a command: from the lines that begin with its name until the next command begins.
fn usage_of(usage: &str, begins: impl Fn(&str) -> bool) -> String {
    let mut is_inside = false;
    let section = usage.lines().filter(|line| {
        is_inside = if line.starts_with("smirk ") { begins(line) } else { is_inside };
        is_inside
    });
    section.collect::<Vec<_>>().join("\n")
}

/// The options of a command itself, without those of its kinds. `-o` is how the output is written everywhere.
fn own_options(command: &Command) -> BTreeSet<String> {
    let long = command.get_arguments().filter(|argument| argument.get_short().is_none());
    long.filter_map(|argument| argument.get_long()).map(str::to_owned).collect()
}

#[test]
fn the_options_of_every_command_are_those_of_the_program() {
    let page = page("docs/command-line.md");
    let mut blocks = page.split("```").skip(1).step_by(2).map(|block| block.strip_prefix("text").unwrap_or(block));
    let usage = with_groups(blocks.next().unwrap(), blocks.next().unwrap());
    let program = Cli::command();
    let window = usage_of(&usage, |line| line.starts_with("smirk ["));
    assert_eq!(options(&window), own_options(&program), "the window");
    for command in program.get_subcommands() {
        let name = command.get_name();
        let kinds: Vec<_> = command.get_subcommands().collect();
        if kinds.is_empty() {
            let section = usage_of(&usage, |line| line.split(' ').nth(1) == Some(name));
            assert_eq!(options(&section), own_options(command), "{name}");
        }
        for (kind, before) in kinds.iter().zip([None].into_iter().chain(kinds.iter().map(Some))) {
            let section = usage_of(&usage, |line| line.starts_with(&format!("smirk {name} {} ", kind.get_name())));
            let (said, taken) = (options(&section), own_options(kind));
            let name = format!("{name} {}", kind.get_name());
            // A line that ends with an ellipsis goes on with what is said of the kind before and holds for this one too.
            match before {
                Some(before) if section.lines().any(|line| line.ends_with(" …")) => {
                    assert!(said.is_subset(&taken), "{name}: {said:?}, not {taken:?}");
                    let rest: BTreeSet<_> = taken.difference(&said).cloned().collect();
                    assert!(rest.is_subset(&own_options(before)), "{name}: {rest:?}");
                }
                _ => assert_eq!(said, taken, "{name}"),
            }
        }
    }
}

/// The commands of a page: lines of its code that begin with the name of the program, and such text between lines.
fn commands(page: &str) -> Vec<String> {
    let is_command = |text: &&str| text.starts_with("smirk ");
    let of_blocks = page.split("```").skip(1).step_by(2).flat_map(str::lines);
    let of_lines = page.split("```").step_by(2).flat_map(|text| text.split('`').skip(1).step_by(2));
    let with_options = of_lines.filter(|text| text.contains(" -"));
    of_blocks.chain(with_options).filter(is_command).map(|text| text.replace('\n', " ")).collect()
}

#[test]
fn the_commands_of_the_page_about_exports_are_understood() {
    let commands = commands(&page("docs/exporting.md"));
    assert!(commands.len() >= 8, "{commands:?}");
    for command in commands {
        // What a shell computes is a number.
        let words = command.replace("$((first + 9))", "9").replace("$first", "0");
        if let Err(error) = Cli::try_parse_from(words.split_whitespace()) {
            panic!("{command}: {error}");
        }
    }
}

/// The number between two pieces of text.
fn number(page: &str, before: &str, after: &str) -> usize {
    let page = page.replace('\n', " ");
    let found = page.split(before).nth(1).unwrap_or_else(|| panic!("the page has no {before:?}"));
    found.split(after).next().unwrap().replace(',', "").parse().unwrap()
}

#[test]
fn the_bundled_head_has_as_much_as_the_benchmarks_say() {
    let head = smirk_files::import::embedded().unwrap();
    let page = page("docs/benchmarks.md");
    assert_eq!(number(&page, "the bundled head (", " vertices)"), head.vertex_count());
}

/// What the headings of a page are called in links.
fn anchors(page: &str) -> impl Iterator<Item = String> {
    let headings = page
        .lines()
        .filter_map(|line| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
    headings.map(|heading| {
        let kept = heading.to_lowercase().replace(' ', "-");
        kept.chars().filter(|letter| letter.is_alphanumeric() || *letter == '-' || *letter == '_').collect()
    })
}

#[test]
fn every_link_leads_to_a_place_and_every_picture_is_shown() {
    let mut shown = BTreeSet::new();
    for (name, page) in pages() {
        let folder = repository().join(&name).parent().unwrap().to_owned();
        let links = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
            let file = if file.is_empty() { repository().join(&name) } else { folder.join(file) };
            assert!(file.exists(), "{name} links to {link}");
            if let Some(anchor) = anchor {
                let target = std::fs::read_to_string(&file).unwrap();
                assert!(anchors(&target).any(|heading| heading == anchor), "{name} links to {link}");
            }
            shown.insert(file.file_name().unwrap().to_owned());
        }
    }
    let pictures = std::fs::read_dir(repository().join("docs/pictures")).unwrap();
    let names: Vec<_> = pictures.map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.len() >= 6, "{names:?}");
    for name in names {
        assert!(shown.contains(&name), "no page shows {name:?}");
    }
}

/// Files and folders of the repository that the pages name in backquotes; a table of rooms leaves out `src/`.
#[test]
fn every_path_that_a_page_names_exists() {
    const TOP: [&str; 6] = ["src/", "tests/", "assets/", "shaders/", "benches/", "docs/"];
    let mut count = 0;
    for (name, page) in pages() {
        for (line, text) in page.lines().enumerate() {
            let is_path = |word: &str| TOP.iter().any(|top| word.starts_with(top)) && !word.contains(['*', ' ']);
            let words = text.split('`').skip(1).step_by(2).map(|word| word.split("::").next().unwrap());
            let room = text.strip_prefix("| `").and_then(|rest| rest.split('`').next());
            let room = room.filter(|room| name.ends_with("architecture.md") && room.contains('/') && !is_path(room));
            let rooms = room.map(|room| format!("src/{room}"));
            for path in words.filter(|word| is_path(word)).map(str::to_owned).chain(rooms) {
                assert!(repository().join(&path).exists(), "{name}:{}: {path}", line + 1);
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count} paths");
}

/// Files of code that comments name, by the end of their path.
#[test]
fn every_file_that_a_comment_names_exists() {
    let is_code = |path: &Path| path.extension().is_some_and(|extension| extension == "rs" || extension == "wgsl");
    let folders = ["src", "shaders", "tests", "benches", "assets"].map(|top| repository().join(top));
    let files: Vec<PathBuf> = folders.iter().flat_map(|folder| walk(folder)).filter(|path| is_code(path)).collect();
    let mut count = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        for (number, line) in text.lines().enumerate() {
            let Some((_, comment)) = line.split_once("//") else { continue };
            let words = comment.split(|c: char| !(c.is_ascii_alphanumeric() || "_/.".contains(c)));
            for name in words.map(|word| Path::new(word.trim_end_matches('.'))).filter(|name| is_code(name)) {
                let is_there = files.iter().any(|other| other.ends_with(name));
                assert!(is_there, "{}:{}: {}", file.display(), number + 1, name.display());
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count} names");
}

fn format_row(kind: &FileKind) -> String {
    let uses = kind.opens_as.iter().map(|content| match content {
        Content::Head => "head",
        Content::Project => "project",
        Content::Takes => "takes",
        Content::Poses => "poses",
        Content::Mapping => "mapping",
        Content::Sound => "sound",
        Content::Markers => "markers",
        Content::Frames => "meshes over time",
        Content::Shapes => "shapes",
    });
    let uses: Vec<&str> = uses.collect();
    let writes = match kind.writes {
        Some(Output::Head) => "head",
        Some(Output::Project) => "project",
        Some(Output::Poses) => "poses",
        Some(Output::Mapping) => "mapping",
        Some(Output::Picture) => "picture",
        Some(Output::Animation) => "animation",
        Some(Output::Mesh) => "mesh",
        Some(Output::Film) => "film",
        None => "",
    };
    let extensions: Vec<String> = kind.extensions.iter().map(|extension| format!("`.{extension}`")).collect();
    let cells = [kind.name, &extensions.join(" "), &uses.join(", "), writes];
    format!("| {} |", cells.join(" | "))
}

fn format_table() -> String {
    let head = ["| format | files | opens as | writes |".to_owned(), "|---|---|---|---|".to_owned()];
    head.into_iter().chain(ALL.into_iter().map(format_row)).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_table_of_formats_is_the_program_s() {
    let page = page("docs/formats.md");
    let lines = page.lines().skip_while(|line| !line.starts_with("| format")).take_while(|line| line.starts_with('|'));
    let shown = lines.collect::<Vec<_>>().join("\n");
    assert!(shown == format_table(), "docs/formats.md has to show this table:\n{}\n", format_table());
}

#[test]
fn the_rules_of_checks_are_those_of_the_program() {
    let row = |rule: Rule| {
        let limit = rule.limit().map(|limit| format!("{} {}", limit.value, limit.unit)).unwrap_or_default();
        format!("| `{}` | {} | {limit} | {} |", rule.keyword(), rule.severity().keyword(), rule.about())
    };
    let page = page("docs/checks.md");
    assert_eq!(
        table(&page, "| rule | by itself | limit | finds |"),
        Rule::ALL.iter().copied().map(row).collect::<Vec<_>>()
    );
    let example = page.split("```toml").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let settings = Settings::parse(example).unwrap();
    assert!(!settings.is_on(Rule::Asymmetry) && settings.allows(Rule::Coverage, "tongueOut"));
}

/// Whether a file has a test of that name.
fn has_test(file: &str, name: &str) -> bool {
    let Ok(text) = std::fs::read_to_string(repository().join(file)) else { return false };
    let mut above_is_test = false;
    for line in text.lines().map(str::trim) {
        if above_is_test && line.strip_prefix("fn ").and_then(|rest| rest.split('(').next()) == Some(name) {
            return true;
        }
        // Other attributes may stand between `#[test]` and the function.
        above_is_test = line == "#[test]" || (above_is_test && line.starts_with("#["));
    }
    false
}

#[test]
fn every_promise_names_tests_that_exist() {
    assert!(!has_test("tests/docs.rs", "has_test") && !has_test("tests/no_such_file.rs", "any"));
    let page = page("docs/promises.md");
    let promises: Vec<_> = page.split("\n- ").skip(1).collect();
    assert!(promises.len() >= 40, "{} promises", promises.len());
    for promise in promises {
        let tests: Vec<_> = promise.split('`').filter_map(|code| code.split_once("::")).collect();
        assert!(!tests.is_empty(), "names no test: {promise}");
        for (file, name) in tests {
            assert!(has_test(file, name), "{file} has no test {name}, which this names: {promise}");
        }
    }
}
