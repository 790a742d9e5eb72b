//! `smirk mend`: the list, the report and the file that is written.

use std::path::Path;
use std::process::Output;

use glam::Vec3;
use serde_json::Value;
use smirk_export::glb;
use smirk_face::head::{Asset, ExpressionForm, Head, Mesh, Part, Target, Vertices};
use smirk_files::import;

use crate::process::{SMIRK, isolated, stderr};

fn mend(folder: &Path, arguments: &[&str]) -> Output {
    isolated(SMIRK).current_dir(folder).arg("mend").args(arguments).output().unwrap()
}

/// A folder with `head.glb`: a square with a shape, its duplicate and one that moves nothing.
fn folder() -> tempfile::TempDir {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::ONE - Vec3::Z, Vec3::Y].map(|corner| corner - Vec3::X * 0.5);
    let up = [0.0, 0.1, 0.2, 0.1].map(|up| Vec3::Z * up);
    let target = |name: &str, deltas: &[Vec3]| Target::from_dense(name.into(), 0.0, deltas, &[], &[]);
    let mesh = Mesh {
        name: "face".into(),
        vertices: Vertices { normals: vec![Vec3::Z; 4], positions: corners.into(), ..Vertices::default() },
        indices: vec![0, 1, 2, 0, 2, 3],
        parts: vec![Part { first_index: 0, index_count: 6, material: 0, flat_shaded: false }],
        targets: vec![target("grin", &up), target("grin again", &up), target("puff", &[])],
        ..Mesh::default()
    };
    let head = Head::new(Asset { name: "head".into(), meshes: vec![mesh], ..Asset::default() });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("head.glb"), glb(&head).unwrap()).unwrap();
    folder
}

fn names(file: &Path) -> Vec<String> {
    import::open(file).unwrap().channels.into_iter().map(|channel| channel.name).collect()
}

#[test]
fn what_is_safe_is_mended_said_saved_and_can_be_done_again_from_the_list() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let before = std::fs::read(at("head.glb")).unwrap();
    let said = mend(folder.path(), &["head.glb", "--all-safe"]);
    assert!(said.status.success(), "{}", stderr(&said));
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(
        text.starts_with("1. Remove empty shapes: removes puff\n2. Remove duplicates: removes grin again;"),
        "{text}"
    );
    assert!(text.ends_with(" findings before, 1 finding after\n") || text.contains(" before, "), "{text}");
    let output = mend(folder.path(), &["head.glb", "--all-safe", "-o", "a.glb", "--save-rules", "list.toml", "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["mends"][0]["change"]["removed"][0], "puff");
    let [found, left] = [0, 1].map(|at| report["findings"][at].as_array().unwrap().len());
    assert!(left + 2 <= found, "{report:#}");
    assert_eq!(report["bytes"], std::fs::metadata(at("a.glb")).unwrap().len());
    assert_eq!(names(&at("a.glb")), ["grin"]);
    let again = mend(folder.path(), &["head.glb", "--rules", "list.toml", "-o", "b.glb"]);
    assert!(again.status.success(), "{}", stderr(&again));
    assert_eq!(
        std::fs::read(at("a.glb")).unwrap(),
        std::fs::read(at("b.glb")).unwrap(),
        "the same list, the same file"
    );
    assert_eq!(std::fs::read(at("head.glb")).unwrap(), before, "the head stays as it is");
    let onto_itself = mend(folder.path(), &["head.glb", "--all-safe", "-o", "head.glb"]);
    assert!(!onto_itself.status.success() && std::fs::read(at("head.glb")).unwrap() == before);
}

#[test]
fn a_shape_that_is_not_there_is_said_and_the_rest_is_done() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let list = "[[mend]]\nkind.split = { falloff_mm = 0 }\nshapes = [\"grin\", \"smirk\"]\n\
                [[mend]]\nkind.tidy = {}\nenabled = false\n";
    std::fs::write(at("list.toml"), list).unwrap();
    let output = mend(folder.path(), &["head.glb", "--rules", "list.toml", "-o", "a.glb"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "1. Split left and right: adds 2 shapes; removes grin");
    assert_eq!(lines[1..3], ["   smirk: the head has no shape of that name", "2. Tidy numbers: switched off"]);
    assert_eq!(names(&at("a.glb")), ["grinLeft", "grinRight", "grin again", "puff"]);
}

#[test]
fn a_list_that_cannot_be_read_is_an_error_of_one_line_and_nothing_is_written() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    for (list, problem) in [
        ("[[mend]]\nkind.noise = { below_mm = \"much\" }", "list.toml: line 2, column 27: invalid type"),
        ("[[mend]]\nkind.heal = {}", "list.toml: line 2, column 6: unknown variant `heal`"),
        ("\0", "list.toml: line 1, column "),
        ("[[mend]]\nkind.noise = { below_mm = 1e400 }", "list.toml: line 2, column 27: "),
        (&"[".repeat(100_000), "list.toml: line 1, column "),
    ] {
        std::fs::write(at("list.toml"), list).unwrap();
        let output = mend(folder.path(), &["head.glb", "--rules", "list.toml", "-o", "a.glb"]);
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.lines().count() == 1 && error.contains(problem), "{error}");
        assert!(!at("a.glb").exists());
    }
    let neither = mend(folder.path(), &["head.glb", "-o", "a.glb"]);
    assert_eq!(neither.status.code(), Some(2));
    let obj = mend(folder.path(), &["head.glb", "--all-safe", "-o", "a.obj"]);
    assert!(obj.status.code() == Some(2) && stderr(&obj).contains(".glb"), "{}", stderr(&obj));
}

#[test]
fn a_head_with_a_body_is_saved_as_an_avatar_and_what_others_would_refuse_is_not_written() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let run = |arguments: &[&str]| isolated(SMIRK).current_dir(folder.path()).args(arguments).output().unwrap();
    let refused = |arguments: &[&str], reason: &str| {
        let output = run(arguments);
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.lines().count() == 1 && error.contains(reason), "{error}");
        assert!(!at("a.vrm").exists());
    };
    let bones = "cannot be a VRM avatar: it has no bones hips, spine, head,";
    for command in [&["export", "head", "head.glb", "-o", "a.vrm"][..], &["convert", "head.glb", "-o", "a.vrm"]] {
        refused(command, bones);
    }
    let facts = ["--name", "Ada", "--author", "Eve", "--author", "Zoe", "--licence", "https://vrm.dev/licenses/1.0/"];
    refused(&[&["export", "head", "head.glb", "-o", "a.vrm"][..], &facts].concat(), "the head has no bones hips,");
    let head = import::open(&at("head.glb")).unwrap();
    let body = Head::new(Asset { rig: smirk_support::body::rig(), ..head.into_asset() });
    std::fs::write(at("body.glb"), glb(&body).unwrap()).unwrap();
    refused(&["export", "head", "body.glb", "-o", "a.vrm"], "it does not say its name, author and licence");
    let only_name = ["export", "head", "body.glb", "-o", "a.vrm", "--name", "Ada"];
    refused(&only_name, "it does not say an author and the address of a licence, which VRM requires");
    let saved = run(&[&["export", "head", "body.glb", "-o", "a.vrm"][..], &facts].concat());
    assert!(saved.status.success(), "{}", stderr(&saved));
    let avatar = import::open(&at("a.vrm")).unwrap().avatar.clone().unwrap();
    assert_eq!((avatar.lacks(), avatar.meta["authors"].as_array().unwrap().len()), (None, 2));
    let list = "[[mend]]\nkind.avatar = { name = \"Ada\", authors = [\"Eve\"], licence_url = \"x\" }\n\
                [[mend]]\nkind.expressions = { set = \"vrm\" }\n\
                [[mend]]\nkind.expression = { name = \"grinning\", binds = { grin = 0.5 }, override_blink = \"blend\" }\n";
    std::fs::write(at("list.toml"), list).unwrap();
    let mended = mend(folder.path(), &["body.glb", "--rules", "list.toml", "-o", "b.vrm"]);
    assert!(mended.status.success(), "{}", stderr(&mended));
    let lines = String::from_utf8(mended.stdout).unwrap();
    assert!(lines.contains("\n3. Expression: makes the expression grinning\n"), "{lines}");
    let written = import::open(&at("b.vrm")).unwrap();
    let grinning = written.expressions.iter().find(|expression| expression.name == "grinning").unwrap();
    assert_eq!((grinning.binds.len(), grinning.binds[0].weight), (1, 0.5));
    assert_eq!(written.avatar.as_ref().unwrap().meta["name"], "Ada");
    // As .glb, expressions alone are no avatar, and that is said.
    std::fs::write(at("list.toml"), list.split_once("\n[[mend]]").unwrap().1.replacen("kind", "[[mend]]\nkind", 1))
        .unwrap();
    let glb = mend(folder.path(), &["body.glb", "--rules", "list.toml", "-o", "b.glb"]);
    assert!(glb.status.success() && stderr(&glb).contains("those of an incomplete VRM"), "{}", stderr(&glb));
    // Each command that saves a head writes expressions in either form.
    let khr = mend(folder.path(), &["body.glb", "--rules", "list.toml", "-o", "khr.glb", "--expressions", "khr"]);
    assert!(khr.status.success() && stderr(&khr).contains("KHR_character_expression is a draft"), "{}", stderr(&khr));
    let form = |name: &str| import::open(&at(name)).unwrap().expression_form;
    for (arguments, name, wanted) in [
        (&["export", "head", "khr.glb", "-o", "kept.glb"][..], "kept.glb", ExpressionForm::Khr),
        (&["export", "head", "khr.glb", "-o", "vrm.glb", "--expressions", "vrm"], "vrm.glb", ExpressionForm::Vrm),
        (&["convert", "vrm.glb", "-o", "again.glb", "--expressions", "khr"], "again.glb", ExpressionForm::Khr),
    ] {
        let output = run(arguments);
        assert!(output.status.success() && form(name) == wanted, "{arguments:?}: {}", stderr(&output));
        assert_eq!(
            import::open(&at(name)).unwrap().expressions.len(),
            import::open(&at("b.glb")).unwrap().expressions.len()
        );
    }
    let unknown = run(&["export", "head", "khr.glb", "-o", "x.glb", "--expressions", "gltf"]);
    assert!(stderr(&unknown).contains("one of vrm, khr") && !at("x.glb").exists(), "{}", stderr(&unknown));
}
