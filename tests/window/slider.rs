//! A slider that is dragged, and its value as the screen shows it and as the files hold it.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use smirk_editor::document::Document;
use smirk_editor::session::{HeadSource, Session};
use smirk_graphics::blend::BlendMode;
use smirk_picture::scene::Look;

use crate::SLIDER_Y;
use crate::display::{Display, SIZE, Smirk, wait_until};

/// The channel that the search leaves in the first row, which no clip moves.
const CHANNEL: &str = "mouthFrownLeft";
/// Columns of its slider.
const LEFT: usize = 147;
const WIDTH: usize = 128;
/// The values that the screen and the file show for one state differ by less: one and a half columns of the slider.
pub const TOLERANCE: f32 = 1.5 / WIDTH as f32;

/// A window on a project, with that slider in its first row.
pub struct SliderWindow {
    pub smirk: Smirk,
    pub project: PathBuf,
}

impl SliderWindow {
    /// Saves a project in a folder of its own and opens it.
    pub fn open(display: &Display) -> Self {
        let config = Rc::new(tempfile::tempdir().unwrap());
        let settings = format!(r#"{{"window_size":[{},{}]}}"#, SIZE[0], SIZE[1]);
        std::fs::write(config.path().join("settings.json"), settings).unwrap();
        let project = config.path().join("project/walk.smirk");
        std::fs::create_dir(project.parent().unwrap()).unwrap();
        let head = Arc::new(smirk_files::import::embedded().unwrap());
        let session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu);
        Document::new(session, None).save(&project).unwrap();

        let smirk = Smirk::start_again(display, config, [project.as_os_str()]);
        display.focus();
        // The title changes once the project is open.
        display.xdotool(&["search", "--sync", "--onlyvisible", "--name", "walk"]);
        display.xdotool(&["mousemove", "640", "360"]);
        // The first letters of the name may be typed before the search has the keyboard, on a busy machine.
        wait_until("the slider", || {
            display.xdotool(&["key", "Escape"]);
            display.xdotool(&["key", "ctrl+f"]);
            std::thread::sleep(Duration::from_millis(300));
            display.xdotool(&["key", "ctrl+a"]);
            display.xdotool(&["type", "--delay", "20", "mouthFrown"]);
            std::thread::sleep(Duration::from_millis(300));
            is_only_row(display)
        });
        Self { smirk, project }
    }

    /// The folder of unsaved work.
    pub fn recovery(&self) -> PathBuf {
        self.smirk.config.path().join("recovery")
    }

    /// The values in the recovery files, the newest first.
    pub fn recovered(&self) -> Vec<f32> {
        let entries = std::fs::read_dir(self.recovery()).into_iter().flatten().flatten();
        let files = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|is| is == "json"));
        let mut records: Vec<serde_json::Value> =
            files.map(|path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()).collect();
        records.sort_by_key(|record| std::cmp::Reverse(record["sequence"].as_u64()));
        records.iter().map(|record| value_in(&record["project"])).collect()
    }

    /// The value in the project file.
    pub fn saved(&self) -> f32 {
        value_in(&serde_json::from_slice(&std::fs::read(&self.project).unwrap()).expect("the project file is whole"))
    }

    /// The temporary files that were left beside the project and the unsaved work.
    pub fn temporaries(&self) -> Vec<PathBuf> {
        let folders = [self.recovery(), self.project.parent().unwrap().to_owned(), self.smirk.config.path().to_owned()];
        let entries = folders.iter().flat_map(std::fs::read_dir).flatten().flatten().map(|entry| entry.path());
        entries.filter(|path| name(path).starts_with(".smirk-")).collect()
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn value_in(project: &serde_json::Value) -> f32 {
    project["sliders"][CHANNEL]["value"].as_f64().unwrap_or(0.0) as f32
}

/// The slider without its first and last columns, which a highlight covers, at a height that no letters reach.
fn row(display: &Display) -> Vec<[u8; 3]> {
    display.row(SLIDER_Y - 4, LEFT + 2..LEFT + WIDTH - 3)
}

fn is_blue([red, _, blue]: &[u8; 3]) -> bool {
    *blue > red.saturating_add(40)
}

fn is_grey([red, _, blue]: &[u8; 3]) -> bool {
    blue.abs_diff(*red) < 16 && *red > 36
}

fn is_only_row(display: &Display) -> bool {
    let is_background = |pixels: Vec<[u8; 3]>| pixels.iter().all(|pixel| pixel[0] < 36);
    row(display).iter().all(|pixel| is_blue(pixel) || is_grey(pixel))
        && is_background(display.row(SLIDER_Y + 40, LEFT..LEFT + WIDTH))
}

/// The value that the slider shows. `None` if something covers it.
pub fn shown(display: &Display) -> Option<f32> {
    let row = row(display);
    let filled = row.iter().take_while(|pixel| is_blue(pixel)).count();
    let is_slider = row[filled..].iter().all(is_grey);
    is_slider.then_some(if filled == 0 { 0.0 } else { (filled + 2) as f32 / WIDTH as f32 })
}

/// The column in which the mouse sets a value.
pub fn column(value: f32) -> usize {
    LEFT + (value * WIDTH as f32).round() as usize
}
