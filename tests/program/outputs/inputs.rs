//! No command replaces a file that it reads, whatever name the file is given by.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use smirk_editor::document::Document;
use smirk_files::import;
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

use crate::outputs::case::{Case, commands, screenshot};
use crate::process::{names, stderr};

#[test]
fn no_command_replaces_a_file_that_it_reads() {
    let folder = tempfile::tempdir().unwrap();
    let cases = commands(folder.path()).into_iter().chain([screenshot(folder.path())]);
    let before: Vec<_> = names(folder.path()).into_iter().map(|name| folder.path().join(name)).collect();
    let content: Vec<_> = before.iter().map(|path| fs::read(path).unwrap()).collect();
    let mut count = 0;
    for case in cases {
        for input in &case.inputs {
            count += check_input(&case, input, folder.path());
            for (path, content) in before.iter().zip(&content) {
                let is_same = fs::read(path).is_ok_and(|now| now == *content);
                assert!(is_same, "{} -o {} changed {}", case.name, input.display(), path.display());
            }
            assert_eq!(names(folder.path()).len(), before.len(), "{} left a file", case.name);
        }
    }
    assert!(count > 80, "only {count} outputs were tried");
}

/// Gives an input as the output, under all its names. Returns how many that are.
fn check_input(case: &Case, input: &Path, folder: &Path) -> usize {
    let links = tempfile::tempdir_in(folder).unwrap();
    let link = |name: &str| links.path().join(format!("{name}.{}", case.extension));
    let (soft, hard, chain) = (link("soft"), link("hard"), link("chain"));
    symlink(input, &soft).unwrap();
    symlink(&soft, &chain).unwrap();
    fs::hard_link(input, &hard).unwrap();
    let detour = folder.join(links.path().file_name().unwrap()).join("..").join(input.file_name().unwrap());
    let outputs = [input, &detour, &soft, &chain, &hard];
    for output in outputs {
        let run = case.run(output);
        let message = stderr(&run);
        assert_eq!(message.lines().count(), 1, "{message}");
        // Names that end with what a command does not write are wrong usage.
        let is_misnamed = message.contains("the name must end in ");
        let code = if is_misnamed { 2 } else { 1 };
        assert_eq!(run.status.code(), Some(code), "{} -o {}: {message}", case.name, output.display());
        let is_clear = is_misnamed || message.contains("it is an input (");
        assert!(is_clear && message.contains(output.to_str().unwrap()), "{message}");
        assert!(run.stdout.is_empty());
    }
    assert!(fs::symlink_metadata(&soft).unwrap().is_symlink());
    outputs.len()
}

#[test]
fn a_project_is_not_saved_over_what_it_is_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let render = &commands(folder.path())[0];
    let [head, buffer, image, take] = &render.inputs[..] else { panic!() };
    let opened = std::sync::Arc::new(import::open(head).unwrap());
    let mut session = Session::new(opened, HeadSource::File(head.clone()), Look::default(), BlendMode::Cpu);
    session.takes_mut().add(import::open_takes(take).unwrap());
    let mut document = Document::new(session, None);
    let link = folder.path().join("link.smirk");
    fs::hard_link(take, &link).unwrap();
    for path in [head, buffer, image, take, &link] {
        let content = fs::read(path).unwrap();
        for error in [document.save(path).unwrap_err(), document.save_as(path).unwrap_err()] {
            assert!(error.to_string().contains("it is an input"), "{error}");
        }
        assert_eq!(fs::read(path).unwrap(), content);
    }
    // The backup is a second output, which must not replace an input either.
    let own = folder.path().join("own.smirk");
    document.save(&own).unwrap();
    document.save(&own).unwrap();
    let backup = folder.path().join("own.smirk.bak");
    fs::remove_file(&backup).unwrap();
    symlink(take, &backup).unwrap();
    let (saved, captured) = (fs::read(&own).unwrap(), fs::read(take).unwrap());
    let error = document.save(&own).unwrap_err().to_string();
    assert!(error.contains("own.smirk.bak") && error.contains("it is an input"), "{error}");
    assert_eq!((fs::read(&own).unwrap(), fs::read(take).unwrap()), (saved, captured));
}
