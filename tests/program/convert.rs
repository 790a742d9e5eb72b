//! `smirk convert` of a project, and with dense targets.

use std::process::Command;
use std::sync::Arc;

use smirk_export::glb;
use smirk_face::head::HeadChanges;
use smirk_files::import;
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};
use smirk_support::small_head;

use crate::process::{SMIRK, stderr};

#[test]
fn a_project_is_converted_with_what_it_plays() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("take.csv"), "time,jawOpen\n0,0\n1,0.25\n2,1\n").unwrap();
    let take = at("take.csv");
    let project = format!(
        r#"{{"smirk":"project","version":1,"head":"embedded","takes":[{{"file":{{"path":{take:?}}},"name":"take"}}],"take":0}}"#
    );
    std::fs::write(at("a.smirk"), project).unwrap();
    let smirk = |arguments: &[&str]| {
        let mut command = Command::new(SMIRK);
        command.env("SMIRK_CONFIG_DIR", env!("CARGO_TARGET_TMPDIR")).current_dir(folder.path()).args(arguments);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    };
    smirk(&["convert", "a.smirk", "-o", "a.glb"]);
    let head = import::open(&at("a.glb")).unwrap();
    let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    let last = session.head.clips.len() - 1;
    assert_eq!(session.head.clips[last].name, "take");
    session.select_clip(Some(last));
    let jaw = session.head.channel_named("jawOpen").unwrap();
    for (secs, weight) in [(0.0, 0.0), (0.5, 0.125), (1.0, 0.25), (2.0, 1.0)] {
        session.seek(secs);
        assert!((session.channel_value(jaw, &session.mix().weights) - weight).abs() < 1e-5, "{secs} s");
    }
    smirk(&["export", "animation", "a.smirk", "-o", "b.csv", "--fps", "10", "--frames", "5-10"]);
    let text = std::fs::read_to_string(at("b.csv")).unwrap();
    assert_eq!(text.lines().count(), 7, "{text}");
}

#[test]
fn dense_targets_are_those_of_the_head() {
    let folder = tempfile::tempdir().unwrap();
    let [head, sparse, dense] = ["head.glb", "sparse.glb", "dense.glb"].map(|name| folder.path().join(name));
    std::fs::write(&head, glb(&import::open(&small_head::write(folder.path())).unwrap()).unwrap()).unwrap();
    for (options, output) in [(&[][..], &sparse), (&["--dense"][..], &dense)] {
        let mut command = Command::new(SMIRK);
        command.arg("convert").arg(&head).arg("-o").arg(output).args(options);
        assert!(command.output().unwrap().status.success());
    }
    let [of_sparse, of_dense] = [&sparse, &dense].map(|path| import::open(path).unwrap());
    assert_eq!(HeadChanges::between(&of_sparse, &of_dense), HeadChanges::default());
    let [sparse, dense] = [sparse, dense].map(|path| std::fs::read(path).unwrap());
    let has_sparse = |bytes: &[u8]| bytes.windows(8).any(|part| part == b"\"sparse\"");
    assert!(has_sparse(&sparse) && !has_sparse(&dense) && dense.len() > sparse.len());
}
