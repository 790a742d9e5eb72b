//! The file of correctives beside a head: what is read, what is left out with a note, and damaged files, which never keep a head from
//! being opened.

use std::path::Path;

use serde_json::{Value, json};
use smirk_face::head::{Head, HeadChanges, Level};
use smirk_files::import::open;
use smirk_support::gltf_builder::GltfBuilder;
use smirk_support::random::Random;
use smirk_support::strange::{places, strange_value};

use smirk_support::head_checks::says;

const NAMES: [&str; 5] = ["jawOpen", "mouthClose", "mend", "smile", "smile_50"];

/// Writes `ada.glb`, a triangle with these targets, to a folder.
fn write_head(folder: &Path) {
    let mut file = GltfBuilder::triangle();
    let up = file.floats("VEC3", &[0., 1., 0., 0., 0., 0., 0., 0., 0.]);
    file.primitive()["targets"] = vec![json!({"POSITION": up}); NAMES.len()].into();
    file.primitive()["extras"] = json!({"targetNames": NAMES});
    std::fs::write(folder.join("ada.glb"), file.glb()).unwrap();
}

/// The head in a folder with this file of correctives beside it.
fn opened(folder: &Path, correctives: impl AsRef<[u8]>) -> Head {
    std::fs::write(folder.join("ada.correctives.json"), correctives).unwrap();
    open(&folder.join("ada.glb")).unwrap()
}

fn declared() -> Value {
    json!({
        "combinations": [{"target": "mend", "drivers": ["jawOpen", {"target": "mouthClose", "full_weight": 0.8}], "rule": "lowest"}],
        "in_betweens": [{"target": "smile_50", "of": "smile", "at": 0.5}],
    })
}

fn resolved(head: &Head, mut weights: Vec<f32>) -> Vec<f32> {
    head.resolve(&mut weights);
    weights
}

#[test]
fn the_correctives_beside_a_head_play() {
    let folder = tempfile::tempdir().unwrap();
    write_head(folder.path());
    let plain = open(&folder.path().join("ada.glb")).unwrap();
    assert!(plain.correctives.is_empty() && plain.side_files.is_empty() && plain.notes.is_empty());
    let head = opened(folder.path(), declared().to_string());
    assert_eq!(head.notes, []);
    assert_eq!(head.side_files, [folder.path().canonicalize().unwrap().join("ada.correctives.json")]);
    assert_eq!(resolved(&head, vec![0.5, 0.2, 9.0, 0.25, 9.0]), [0.5, 0.2, 0.25, 0.0, 0.5]);
    assert_eq!(resolved(&plain, vec![0.5, 0.2, 9.0, 0.25, 9.0]), [0.5, 0.2, 9.0, 0.25, 9.0]);
    assert!(HeadChanges::between(&plain, &head).has_others, "a head that is read again has changed");
}

#[test]
fn a_declaration_that_the_head_cannot_have_is_left_out_alone() {
    let folder = tempfile::tempdir().unwrap();
    write_head(folder.path());
    let mut text = declared();
    text["combinations"][0]["drivers"][0] = "jawOpn".into();
    let head = opened(folder.path(), text.to_string());
    assert!(says(
        &head,
        Level::Warning,
        r#"corrective "mend": is driven by "jawOpn", which is no target of this head"#
    ));
    assert_eq!(head.correctives.driven().collect::<Vec<_>>(), [4]);
}

#[test]
fn a_file_with_an_error_is_a_note_and_no_corrective_plays() {
    let folder = tempfile::tempdir().unwrap();
    write_head(folder.path());
    let mut misspelt = declared();
    misspelt["combinations"][0]["rul"] = "lowest".into();
    let deep = "[".repeat(100_000);
    let large = " ".repeat(2 << 20);
    for (text, said) in [
        ("", "cannot be used"),
        (r#"{"combinations": ["#, "line 1"),
        ("{}", "has no correctives"),
        (&misspelt.to_string(), "rul"),
        (&deep, "cannot be used"),
        (&large, "bytes"),
    ] {
        let head = opened(folder.path(), text);
        assert!(says(&head, Level::Warning, said) && head.correctives.is_empty(), "{said}: {:?}", head.notes);
        assert!(
            says(&head, Level::Warning, "ada.correctives.json: ") && says(&head, Level::Warning, "No corrective plays")
        );
    }
    std::fs::remove_file(folder.path().join("ada.correctives.json")).unwrap();
    std::fs::create_dir(folder.path().join("ada.correctives.json")).unwrap();
    assert!(says(&open(&folder.path().join("ada.glb")).unwrap(), Level::Warning, "is a folder"));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_of_the_folder_is_not_followed() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write_head(folder.path());
    std::fs::write(outside.path().join("a.json"), declared().to_string()).unwrap();
    let link = folder.path().join("ada.correctives.json");
    std::os::unix::fs::symlink(outside.path().join("a.json"), &link).unwrap();
    let head = open(&folder.path().join("ada.glb")).unwrap();
    assert!(says(&head, Level::Warning, "leads out") && head.correctives.is_empty(), "{:?}", head.notes);
}

/// Values replaced, deleted and copied to other places, and bytes changed: the head opens, and every weight is finite.
#[test]
fn damaged_files_leave_a_head_that_plays() {
    play_damaged_files(100);
}

#[test]
#[ignore = "long: ./dev soak"]
fn many_damaged_files_leave_a_head_that_plays() {
    play_damaged_files(20_000);
}

/// Opens so many files with random damage beside a head, and blends it.
fn play_damaged_files(count: usize) {
    let folder = tempfile::tempdir().unwrap();
    write_head(folder.path());
    let good = declared();
    let (mut random, mut played) = (Random::new(22), 0);
    for _ in 0..count {
        let mut bytes = if random.chance(0.7) {
            let mut damaged = good.clone();
            let mut all = Vec::new();
            places(&good, "", &mut all);
            let place = all[random.below(all.len())].clone();
            *damaged.pointer_mut(&place).unwrap() = match random.below(3) {
                0 => strange_value(&mut random, good.pointer(&place).unwrap()),
                1 => good.pointer(&all[random.below(all.len())]).unwrap().clone(),
                _ => NAMES[random.below(NAMES.len())].into(),
            };
            damaged.to_string().into_bytes()
        } else {
            good.to_string().into_bytes()
        };
        if random.chance(0.3) && !bytes.is_empty() {
            let at = random.below(bytes.len());
            bytes[at] = random.bits() as u8;
        }
        let head = opened(folder.path(), &bytes);
        assert!(head.notes.len() < 10);
        played += usize::from(!head.correctives.is_empty());
        for weights in [vec![0.5; 5], vec![f32::NAN; 5], vec![f32::MAX, -1.0, 1e-30, f32::INFINITY, 2.0]] {
            for (index, weight) in resolved(&head, weights.clone()).into_iter().enumerate() {
                let is_driven = head.correctives.driven().any(|channel| channel == index);
                let is_known =
                    weight.is_finite() || !weights[index].is_finite() || is_driven && !weights[3].is_finite();
                assert!(is_known, "{}: {weights:?}", String::from_utf8_lossy(&bytes));
            }
        }
    }
    assert!((count / 10..count * 19 / 20).contains(&played), "{played} of {count} played");
}
