//! A slider that is dragged, and its value as the window shows it and as the files hold it.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::{Value, json};
use smirk_support::small_head;

use crate::display::Display;
use crate::home::{Home, save_project};
use crate::smirk::Smirk;

/// The channel, which no clip moves.
pub const CHANNEL: &str = "mouthSmileLeft";
/// The values that the window and the file show for one state differ by less.
pub const TOLERANCE: f32 = 1e-4;

/// A window on a project, with the slider of the channel in its list.
pub struct SliderWindow {
    pub smirk: Smirk,
    pub home: Rc<Home>,
    pub project: PathBuf,
}

impl SliderWindow {
    /// Saves a project of a small head in a folder of its own and opens it.
    pub fn open(display: &Rc<Display>) -> Self {
        let home = Rc::new(Home::new(&json!({})));
        let project = home.at("project/walk.smirk");
        std::fs::create_dir(project.parent().unwrap()).unwrap();
        save_project(&project, small_head::write(project.parent().unwrap()));
        // One slider alone is only touched; three of them make a face that is work.
        let mut saved: Value = serde_json::from_slice(&std::fs::read(&project).unwrap()).unwrap();
        saved["sliders"] =
            json!({"jawOpen": {"value": 0.25, "held": true}, "eyeBlinkLeft": {"value": 0.25, "held": true}});
        std::fs::write(&project, saved.to_string()).unwrap();
        let smirk = Smirk::open(display, &home, [&project]);
        smirk.wait_for_title("walk — Smirk");
        Self { smirk, home, project }
    }

    /// Sets the slider; the value that the window shows then.
    pub fn edit(&self, value: f32) -> f32 {
        self.smirk.drag_slider(CHANNEL, 0.1, value);
        let state = self.smirk.wait_for("the slider to move", |state| (state.value(CHANNEL) - value).abs() < 0.03);
        state.value(CHANNEL)
    }

    /// The values in the recovery files, the newest first.
    pub fn recovered(&self) -> Vec<f32> {
        let files = self.home.files("recovery", ".json");
        let mut records: Vec<Value> =
            files.iter().map(|path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()).collect();
        records.sort_by_key(|record| std::cmp::Reverse(record["sequence"].as_u64()));
        records.iter().map(|record| value_in(&record["project"])).collect()
    }

    /// The value in the project file.
    pub fn saved(&self) -> f32 {
        value_in(&serde_json::from_slice(&std::fs::read(&self.project).unwrap()).expect("the project file is whole"))
    }

    /// The temporary files that were left beside the project and the unsaved work.
    pub fn temporaries(&self) -> Vec<PathBuf> {
        let is_temporary =
            |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".smirk-"));
        self.home.files("", "").into_iter().filter(|path| is_temporary(path)).collect()
    }
}

fn value_in(project: &Value) -> f32 {
    project["sliders"][CHANNEL]["value"].as_f64().unwrap_or(0.0) as f32
}
