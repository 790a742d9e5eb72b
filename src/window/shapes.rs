//! What the window does with separate meshes: asks how they are matched, adds them to the head, and says how it went.

use std::path::PathBuf;

use super::viewer::Viewer;
use crate::document::Notice;
use crate::import::{ShapeFile, ShapesReport};
use crate::render::HeadOnGpu;
use crate::session::Source;

impl Viewer {
    /// Asks how the shapes of these files are to be matched.
    pub(super) fn offer_shapes(&mut self, files: Vec<PathBuf>) {
        if !files.is_empty() {
            self.notice = Some(Notice::Shapes { files });
            self.request_frame();
        }
    }

    /// The head on screen has grown.
    pub(super) fn show_shapes(&mut self, loaded: HeadOnGpu, shapes: Vec<ShapeFile>, report: &ShapesReport) {
        self.document.session.grow_head(loaded.head().clone(), shapes);
        self.renderer.set_head(loaded);
        self.error = None;
        self.choose_mode(self.kept_mode);
        of_shapes(report, &self.document.session.head.name, None).into_iter().for_each(|said| self.queue.say(said));
    }

    /// A head of separate meshes takes the place of the one on screen.
    pub(super) fn show_set(
        &mut self,
        loaded: HeadOnGpu,
        source: Source,
        shapes: Vec<ShapeFile>,
        report: &ShapesReport,
    ) {
        let neutral = source.name();
        if self.show_head(loaded, source) {
            self.document.set_shapes(shapes);
            let said = of_shapes(report, &self.document.session.head.name, Some(&neutral));
            said.into_iter().for_each(|said| self.queue.say(said));
        }
    }
}

/// What is not plain about it. `neutral`: which of several files was taken for the face at rest.
fn of_shapes(report: &ShapesReport, head: &str, neutral: Option<&str>) -> Option<Notice> {
    let mut files: Vec<&str> = report.added.iter().map(|shape| shape.file.as_str()).collect();
    files.dedup();
    let count = match files.len() {
        1 => "1 shape".to_owned(),
        count => format!("{count} shapes"),
    };
    let mut lines = Vec::new();
    if let Some(neutral) = neutral {
        lines.push(format!("{neutral} is the face at rest, by its name; the other files are shapes of it."));
    }
    let odd = report.added.iter().filter(|shape| !shape.is_plain());
    lines.extend(odd.map(|shape| format!("{}: {}.", shape.name, shape.text())));
    lines.extend(report.refused.iter().map(|refused| format!("Skipped: {}.", refused.problem)));
    let (title, message) = (format!("{count} added to {head}"), lines.join("\n"));
    match (lines.is_empty(), report.added.is_empty()) {
        (true, _) => None,
        // A bad file among good ones is a line of the message; the headline is what was done.
        (false, false) => Some(Notice::Told { title, message }),
        (false, true) => Some(Notice::Failed { title, message }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{AddedShape, RefusedShape};

    #[test]
    fn a_bad_file_among_good_ones_is_no_failure_of_them_all() {
        let added = AddedShape { name: "smile".into(), file: "smile.obj".into(), moved: 3, ..AddedShape::default() };
        let refused = RefusedShape { file: "bad.obj".into(), problem: "bad.obj: it is empty".into() };
        let both = ShapesReport { added: vec![added.clone()], refused: vec![refused.clone()] };
        let message = "Skipped: bad.obj: it is empty.".to_owned();
        let told = Notice::Told { title: "1 shape added to ada".into(), message: message.clone() };
        assert_eq!(of_shapes(&both, "ada", None), Some(told));
        let none = ShapesReport { added: Vec::new(), refused: vec![refused] };
        assert!(matches!(of_shapes(&none, "ada", None), Some(Notice::Failed { .. })));
        assert_eq!(of_shapes(&ShapesReport { added: vec![added], refused: Vec::new() }, "ada", None), None);
    }
}
