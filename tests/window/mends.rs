//! Lists of mends in a real window: opened and saved by dialogs.

use std::rc::Rc;

use serde_json::json;
use smirk_support::small_head;

use crate::display::Display;
use crate::home::Home;
use crate::smirk::Smirk;

/// High enough for the list of mends.
const HIGH: [usize; 2] = [960, 900];

const LIST: &str = "[[mend]]\nkind.scale = { factor = 0.5 }\nshapes = [\"jawOpen\"]\n";

#[test]
fn a_list_of_mends_is_opened_and_saved_where_a_dialog_says() {
    let display = Rc::new(Display::start(HIGH));
    let home = Rc::new(Home::of_size(HIGH, &json!({"panels": {"page": "report", "right_width": 420.0}})));
    let [list, broken, copy] = ["list.toml", "broken.toml", "copy.toml"].map(|name| home.at(name));
    std::fs::write(&list, LIST).unwrap();
    std::fs::write(&broken, "[[mend]]\nkind.scale = { factor = \"half\" }\n").unwrap();
    let smirk = Smirk::open(&display, &home, [&small_head::write(home.path())]);
    smirk.stop_at_start();

    home.answer_dialogs(&broken);
    smirk.click("Open list…");
    let refused = smirk.wait_for("the broken list to be refused", |state| state.says("broken.toml"));
    assert!(refused.says("line 2") && !refused.shows("Save list…"), "{:?}", refused.widgets);

    home.answer_dialogs(&list);
    smirk.click("Open list…");
    smirk.wait_for("the mend", |state| state.shows("Save list…"));
    home.answer_dialogs(&copy);
    smirk.click("Save list…");
    smirk.wait_until("the list to be saved", || copy.exists());
    let saved = std::fs::read_to_string(&copy).unwrap();
    assert!(saved.contains("factor = 0.5") && saved.contains("jawOpen"), "{saved}");
    assert_eq!(saved.matches("[[mend]]").count(), 1, "{saved}");
    // The mend is part of the work, which is kept.
    smirk.press(&["ctrl+z"]);
    smirk.wait_for("undo", |state| !state.shows("Save list…"));
    smirk.press(&["ctrl+shift+z"]);
    smirk.wait_for("redo", |state| state.shows("Save list…"));
    let (said, _) = smirk.quit();
    assert!(!said.contains("panicked"), "{said}");
}
