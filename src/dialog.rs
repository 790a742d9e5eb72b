//! The system's file dialog. It answers on a thread of its own, so that the window goes on living.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use winit::window::Window;

use crate::session::Source;

/// How a file dialog ended.
#[derive(Clone, Debug)]
pub enum Picked {
    /// With a file.
    File(PathBuf),
    /// With nothing.
    Cancelled,
    /// There is none on this system.
    NoDialog,
}

/// Asks for a head to open, beginning where the one on screen came from; `answer` is called from another thread.
pub fn pick_head(parent: &Window, source: &Source, answer: impl FnOnce(Picked) + Send + 'static) {
    let mut dialog = rfd::AsyncFileDialog::new()
        .set_title("Open a head")
        .set_parent(parent)
        .add_filter("Heads", &["glb", "gltf", "vrm"])
        .add_filter("All files", &["*"]);
    if let Source::File(path) = source
        && let Some(folder) = path.parent()
    {
        dialog = dialog.set_directory(folder);
    }
    let asked = Instant::now();
    let file = dialog.pick_file();
    std::thread::spawn(move || {
        answer(match pollster::block_on(file) {
            Some(file) => Picked::File(file.path().to_owned()),
            // No hand closes a dialog this fast: there was none.
            None if asked.elapsed() < Duration::from_millis(150) => Picked::NoDialog,
            None => Picked::Cancelled,
        });
    });
}
