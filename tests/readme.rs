//! What the README says of keys, mouse, command line and the bundled head is what the program does, and has.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;

use clap::CommandFactory;
use smirk::cli::Cli;
use smirk::ui::shortcuts::{MOUSE, SHORTCUTS};

fn readme() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap()
}

/// The rows under the first table with that heading.
fn table(heading: &str) -> Vec<String> {
    let readme = readme();
    let rows = readme.lines().skip_while(|line| *line != heading).skip(2);
    rows.take_while(|line| line.starts_with('|')).map(str::to_owned).collect()
}

#[test]
fn keys_and_mouse_are_those_of_the_program() {
    let keys: Vec<_> = SHORTCUTS.iter().map(|shortcut| format!("| {} | {} |", shortcut.keys, shortcut.text)).collect();
    let hand: Vec<_> = MOUSE.iter().map(|(hand, text)| format!("| {hand} | {text} |")).collect();
    assert_eq!(table("| key | |"), keys);
    assert_eq!(table("| hand | |"), hand);
}

/// Words that begin with two dashes.
fn options(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !(letter.is_ascii_lowercase() || letter == '-'));
    words.filter_map(|word| word.strip_prefix("--")).map(str::to_owned).collect()
}

#[test]
fn the_options_of_every_command_are_those_of_the_program() {
    let readme = readme();
    let usage = readme.split("## Command line").nth(1).unwrap().split("```").nth(1).unwrap();
    let program = Cli::command();
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        let is_program = command.get_name() == program.get_name();
        let begins = |line: &&str| match line.strip_prefix("smirk ") {
            Some(rest) if is_program => rest.starts_with('['),
            Some(rest) => rest.split(' ').next() == Some(command.get_name()),
            None => false,
        };
        // A command goes on until the next begins.
        let mut is_inside = false;
        let section: Vec<&str> = usage
            .lines()
            .filter(|line| {
                is_inside = if line.starts_with("smirk ") { begins(line) } else { is_inside };
                is_inside
            })
            .collect();
        // `-o` is how the output is written everywhere.
        let long = command.get_arguments().filter(|of| of.get_short().is_none());
        let taken: BTreeSet<String> = long.filter_map(|of| of.get_long()).map(str::to_owned).collect();
        assert_eq!(options(&section.join("\n")), taken, "{}", command.get_name());
    }
}

/// The number between two pieces of text.
fn number(before: &str, after: &str) -> usize {
    let readme = readme().replace('\n', " ");
    let found = readme.split(before).nth(1).unwrap_or_else(|| panic!("the README has no {before:?}"));
    found.split(after).next().unwrap().replace(',', "").parse().unwrap()
}

#[test]
fn the_bundled_head_has_as_much_as_it_is_said_to() {
    let head = smirk::import::embedded().unwrap();
    assert_eq!(number("the bundled head (", " vertices)"), head.vertex_count());
    assert_eq!(number("A contact sheet of its ", " expressions"), head.channels.len());
}

#[test]
fn the_pictures_and_files_it_names_are_there() {
    let readme = readme();
    let links = readme.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files: Vec<&str> = links.filter(|link| !link.contains("://")).collect();
    assert!(files.contains(&"assets/readme.png"), "{files:?}");
    for file in files {
        assert!(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file).exists(), "{file}");
    }
}
