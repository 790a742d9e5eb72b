//! What the window does with separate meshes: asks how they are matched, adds them to the head, and says how it went.

use std::path::PathBuf;

use super::Viewer;
use crate::import::{ShapeFile, ShapesReport};
use crate::readout::Loading;
use crate::render::HeadOnGpu;
use crate::session::Source;

impl Viewer {
    /// Asks how the shapes of these files are to be matched.
    pub(super) fn offer_shapes(&mut self, files: Vec<PathBuf>) {
        if !files.is_empty() {
            self.notice = Some(Loading::Shapes { files });
            self.request_frame();
        }
    }

    /// The head on screen has grown.
    pub(super) fn show_shapes(&mut self, loaded: HeadOnGpu, shapes: Vec<ShapeFile>, report: &ShapesReport) {
        self.session.grow_head(loaded.head().clone(), shapes);
        self.renderer.set_head(loaded);
        self.error = None;
        self.choose_mode(self.kept_mode);
        self.say_of_shapes(report, None);
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
            self.desk.shape_head(&mut self.session, shapes);
            self.say_of_shapes(report, Some(&neutral));
        }
    }

    /// Says what is not plain about it. `neutral`: which of several files was taken for the face at rest.
    fn say_of_shapes(&mut self, report: &ShapesReport, neutral: Option<&str>) {
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
        lines.extend(report.refused.iter().map(|refused| format!("Left out: {}.", refused.problem)));
        if lines.is_empty() {
            return;
        }
        let title = format!("{count} added to {}", self.session.head.name);
        if report.refused.is_empty() {
            self.queue.mention(title, lines.join("\n"));
        } else {
            self.queue.tell(title, lines.join("\n"));
        }
    }
}
