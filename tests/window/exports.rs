//! The Export page in a real window: a picture, an animation and a contact sheet become files.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::json;
use smirk_support::small_head;

use crate::display::Display;
use crate::home::Home;
use crate::smirk::Smirk;

/// High enough for the whole page.
const HIGH: [usize; 2] = [960, 900];

/// Chooses what is exported, and exports it to a file.
fn export(smirk: &Smirk, kind: &str, file: &Path) -> Vec<u8> {
    smirk.home.answer_dialogs(file);
    smirk.click_role("ComboBox", "Export");
    smirk.click(kind);
    smirk.wait_for(kind, |state| !state.shows(kind));
    smirk.click("Export…");
    smirk.wait_until(kind, || file.exists());
    std::fs::read(file).unwrap()
}

/// Exports a picture, an animation and a sheet of what is opened.
fn export_all(files: &[PathBuf]) {
    let display = Rc::new(Display::start(HIGH));
    let folder = tempfile::tempdir().unwrap();
    let request = json!({
        "kind": "head", "is_one_moment": true, "size": [96, 64], "samples": 1,
        "animation": "livelink", "sheet": "expressions", "is_pdf": true,
    });
    let panels = json!({"page": "export", "left_width": 320.0, "right_width": 480.0});
    let home = Rc::new(Home::of_size(HIGH, &json!({"export": request, "panels": panels})));
    let smirk = Smirk::open(&display, &home, files);
    smirk.wait_until("the files to be opened", || home.log().matches(" opened\n").count() == files.len());
    // What plays would take most of a slow machine's time from what is exported.
    smirk.stop_at_start();

    let bytes = export(&smirk, "Pictures", &folder.path().join("face.png"));
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "face.png begins otherwise");
    assert_eq!(image::load_from_memory(&bytes).unwrap().into_rgb8().dimensions(), (96, 64));

    let bytes = export(&smirk, "Animation", &folder.path().join("face.csv"));
    assert!(bytes.starts_with(b"Timecode,BlendshapeCount,EyeBlinkLeft"), "face.csv begins otherwise");
    assert!(bytes.iter().filter(|&&byte| byte == b'\n').count() > 100);

    let bytes = export(&smirk, "Contact sheet", &folder.path().join("sheet.pdf"));
    assert!(bytes.starts_with(b"%PDF-1.7\n") && bytes.ends_with(b"%%EOF\n"), "sheet.pdf is no PDF");

    let (said, settings) = smirk.quit();
    assert!(!said.contains("error"), "{said}");
    assert_eq!(settings["export"]["kind"], "sheet");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "and no other file");
}

#[test]
fn the_page_writes_a_picture_an_animation_and_a_contact_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let head = small_head::write(folder.path());
    let take = folder.path().join("take.json");
    let weights: Vec<[f32; 1]> = (0..120).map(|frame| [(frame % 30) as f32 / 30.0]).collect();
    let text = json!({"exportFps": 30, "facsNames": ["jawOpen"], "weightMat": weights}).to_string();
    std::fs::write(&take, text).unwrap();
    export_all(&[head, take]);
}

#[test]
#[ignore = "long: ./dev soak"]
fn the_page_writes_a_picture_an_animation_and_a_contact_sheet_of_the_bundled_head() {
    export_all(&[]);
}
