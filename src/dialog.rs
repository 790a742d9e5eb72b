//! The system's file dialogs. They answer on a thread of their own, so that the window goes on living.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rfd::{AsyncFileDialog, FileHandle};
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

/// What a file to be saved holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A picture.
    Png,
    /// Poses, a project.
    Json,
}

impl FileKind {
    fn label(self) -> &'static str {
        match self {
            Self::Png => "PNG pictures",
            Self::Json => "JSON files",
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Json => "json",
        }
    }

    /// `path` as it should be called: a name typed without an extension gets one. The system has asked about the file of the
    /// name that was typed, not about the one with the extension: if that is there, it stays, and the new one gets a number.
    fn complete(self, path: PathBuf) -> PathBuf {
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(self.extension())) {
            return path;
        }
        // What follows the last dot may be part of the name, as in `head v1.2`: it stays.
        let numbered = |number: u32| {
            let mut name = path.clone().into_os_string();
            if number > 1 {
                name.push(format!(" {number}"));
            }
            name.push(".");
            name.push(self.extension());
            PathBuf::from(name)
        };
        (1..=u32::MAX).map(numbered).find(|path| !path.exists()).unwrap_or_else(|| numbered(1))
    }
}

/// Asks for a head to open, beginning where the one on screen came from; `answer` is called from another thread.
pub fn pick_head(parent: &Window, source: &Source, answer: impl FnOnce(Picked) + Send + 'static) {
    let mut dialog = AsyncFileDialog::new()
        .set_title("Open a head")
        .set_parent(parent)
        .add_filter("Heads", &["glb", "gltf", "vrm"])
        .add_filter("All files", &["*"]);
    if let Source::File(path) = source
        && let Some(folder) = path.parent()
    {
        dialog = dialog.set_directory(folder);
    }
    answer_later(dialog.pick_file(), answer);
}

/// Asks where to save a file, suggesting a folder and a name; `answer` is called from another thread, with a path that ends as
/// the kind of file does. A file that is already there may be replaced: the system has asked.
pub fn pick_place(
    parent: &Window,
    title: &str,
    kind: FileKind,
    suggestion: &Path,
    answer: impl FnOnce(Picked) + Send + 'static,
) {
    let mut dialog =
        AsyncFileDialog::new().set_title(title).set_parent(parent).add_filter(kind.label(), &[kind.extension()]);
    if let Some(name) = suggestion.file_name() {
        dialog = dialog.set_file_name(name.to_string_lossy());
    }
    if let Some(folder) = suggestion.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        dialog = dialog.set_directory(folder);
    }
    answer_later(dialog.save_file(), move |picked| {
        answer(match picked {
            Picked::File(path) => Picked::File(kind.complete(path)),
            other => other,
        });
    });
}

fn answer_later(
    file: impl Future<Output = Option<FileHandle>> + Send + 'static,
    answer: impl FnOnce(Picked) + Send + 'static,
) {
    let asked = Instant::now();
    std::thread::spawn(move || {
        answer(match pollster::block_on(file) {
            Some(file) => Picked::File(file.path().to_owned()),
            // No hand closes a dialog this fast: there was none.
            None if asked.elapsed() < Duration::from_millis(150) => Picked::NoDialog,
            None => Picked::Cancelled,
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_its_extension_gets_it_and_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let complete = |kind: FileKind, typed: &str| {
            let path = kind.complete(folder.path().join(typed));
            path.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned()
        };
        for (typed, completed) in [
            ("face", "face.png"),
            ("face.png", "face.png"),
            ("face.PNG", "face.PNG"),
            ("head v1.2", "head v1.2.png"),
            ("face.json", "face.json.png"),
        ] {
            assert_eq!(complete(FileKind::Png, typed), completed);
        }
        assert_eq!(complete(FileKind::Json, "poses"), "poses.json");
        std::fs::write(folder.path().join("face.png"), "there before").unwrap();
        assert_eq!(complete(FileKind::Png, "face"), "face 2.png");
        assert_eq!(complete(FileKind::Png, "face.png"), "face.png", "the system has asked about this one");
    }
}
