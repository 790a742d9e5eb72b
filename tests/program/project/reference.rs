//! The reference of a project.

use smirk_session::{FileRef, Placement, Reference, ReferencePlace};

use crate::project::*;

#[test]
fn a_reference_is_saved_by_its_path_and_found_again_when_the_folder_moves() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    std::fs::create_dir(&old).unwrap();
    std::fs::write(old.join("frame_0001.png"), b"not read by the project").unwrap();
    let mut before = session(head(&FACE), HeadSource::Embedded);
    let reference = Reference {
        is_sequence: false,
        placement: Placement { zoom: 1.5, pan: [0.25, -0.5] },
        frames_per_sec: 59.94,
        offset_frames: -12,
        place: ReferencePlace::Over,
        opacity: 0.25,
        ..Reference::new(&old.join("frame_0001.png"))
    };
    before.edits.reference = Some(reference.clone());
    before.commit();
    let file = saved(&before, &old);
    assert_eq!(reopened(&file, head(&FACE)).0.edits.reference, Some(reference.clone()));

    std::fs::rename(&old, &new).unwrap();
    let moved = reopened(&new.join(file.file_name().unwrap()), head(&FACE)).0;
    let expected = Reference { file: FileRef::new(&new.join("frame_0001.png")), ..reference };
    assert_eq!(moved.edits.reference, Some(expected));
}

#[test]
fn numbers_of_a_reference_that_make_no_sense_are_limited() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.smirk");
    let reference = r#"{"file":{"path":"a.png"},"frames_per_sec":1e30,"offset_frames":2000000000,"opacity":-4,"placement":{"zoom":77}}"#;
    std::fs::write(&file, format!(r#"{{"smirk":"project","reference":{reference}}}"#)).unwrap();
    let reference = reopened(&file, head(&FACE)).0.edits.reference.clone().unwrap();
    assert_eq!((reference.frames_per_sec, reference.opacity), (240.0, 0.0));
    assert_eq!(reference.offset_frames, Reference::MOST_OFFSET);
    assert_eq!(reference.placement, Placement { zoom: 6.0, pan: [0.0, 0.0] });
    assert!(reference.is_sequence, "what is not said is as in a reference that is opened");
}
