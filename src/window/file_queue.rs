//! Files that were dropped on the window or named on the command line, and are opened one after the other.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use smirk_base::file_kind::{self, Content};
use smirk_files::reference::Footage;

#[derive(Debug, Default)]
pub(crate) struct FileQueue(VecDeque<PathBuf>);

impl FileQueue {
    pub(crate) fn new(files: &[PathBuf]) -> Self {
        Self(files.iter().cloned().collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, file: PathBuf) {
        self.0.push_back(file);
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes the files to open next: one, or several that hold separate meshes of one head. Of several images, which
    /// are the frames of a sequence, the first one finds the others.
    pub(crate) fn take_next(&mut self) -> Option<Vec<PathBuf>> {
        // A take that comes before its head belongs to it, not to the head that is open.
        let first = self.0.iter().position(|file| is_model(file)).unwrap_or(0);
        let file = self.0.remove(first)?;
        if Footage::is_image(&file) {
            self.0.retain(|other| !Footage::is_image(other));
        }
        if !is_separate_mesh(&file) {
            return Some(vec![file]);
        }
        let (others, rest): (Vec<_>, Vec<_>) = self.0.drain(..).partition(|other| is_separate_mesh(other));
        self.0 = rest.into();
        Some([vec![file], others].concat())
    }
}

/// Whether a file is a project or a head of several meshes.
fn is_model(file: &Path) -> bool {
    let opens_as = file_kind::kinds_of(file).next().and_then(|kind| kind.opens_as.first());
    matches!(opens_as, Some(Content::Head | Content::Project)) && !is_separate_mesh(file)
}

/// An OBJ file holds one mesh and none of its shapes.
fn is_separate_mesh(file: &Path) -> bool {
    file_kind::OBJ.matches(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separate_meshes_and_the_frames_of_a_sequence_are_opened_together() {
        let mut queue = FileQueue::new(&["a.obj".into(), "poses.json".into(), "b.OBJ".into()]);
        let next = [(); 3].map(|()| queue.take_next());
        assert_eq!(next, [Some(vec!["a.obj".into(), "b.OBJ".into()]), Some(vec!["poses.json".into()]), None]);
        let mut frames = FileQueue::new(&["f_2.png".into(), "a.obj".into(), "f_1.PNG".into()]);
        let next = [(); 3].map(|()| frames.take_next());
        assert_eq!(next, [Some(vec!["f_2.png".into()]), Some(vec!["a.obj".into()]), None]);
        assert_eq!(FileQueue::new(&["a.obj".into()]).take_next(), Some(vec!["a.obj".into()]));
        let mut of_head = FileQueue::new(&["walk.csv".into(), "ada.glb".into()]);
        assert_eq!(of_head.take_next(), Some(vec!["ada.glb".into()]), "the take is for the head");
    }
}
