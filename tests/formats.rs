//! The table of formats in `docs/formats.md` is the program's own table of file kinds.

#![allow(clippy::unwrap_used, reason = "a test")]

use smirk::file_kind::{ALL, Content, FileKind, Output};

fn row(kind: &FileKind) -> String {
    let uses = kind.opens_as.iter().map(|content| match content {
        Content::Head => "head",
        Content::Project => "project",
        Content::Takes => "takes",
        Content::Poses => "poses",
    });
    let uses: Vec<&str> = uses.chain(kind.has_shapes.then_some("shapes")).collect();
    let writes = match kind.writes {
        Some(Output::Head) => "head",
        Some(Output::Project) => "project",
        Some(Output::Poses) => "poses",
        Some(Output::Picture) => "picture",
        None => "",
    };
    let extensions: Vec<String> = kind.extensions.iter().map(|extension| format!("`.{extension}`")).collect();
    let cells = [kind.name, &extensions.join(" "), &uses.join(", "), writes, kind.description];
    format!("| {} |", cells.join(" | "))
}

fn table() -> String {
    let head = ["| format | files | opens as | writes | |".to_owned(), "|---|---|---|---|---|".to_owned()];
    head.into_iter().chain(ALL.into_iter().map(row)).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_documented_table_is_the_program_s() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/formats.md")).unwrap();
    let lines = page.replace("\r\n", "\n");
    let documented: Vec<&str> = lines
        .lines()
        .skip_while(|line| !line.starts_with("| format"))
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert_eq!(documented.join("\n"), table(), "docs/formats.md should hold this table:\n{}\n", table());
}
