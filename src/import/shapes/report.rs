//! What came of adding shapes to a head.

use serde::Serialize;

/// All of it, in the order of the files.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ShapesReport {
    /// Shapes that are in.
    pub added: Vec<AddedShape>,
    /// Files that are not.
    pub refused: Vec<RefusedShape>,
}

/// A shape on one mesh of the head. Vertices are counted as the files do, before any are split.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AddedShape {
    /// What it is called now.
    pub name: String,
    /// The file's name.
    pub file: String,
    /// The mesh it is on.
    pub mesh: String,
    /// Matched by their number.
    pub by_order: usize,
    /// Matched by texture coordinates.
    pub by_uv: usize,
    /// Matched by where they are, and what hangs together with that.
    pub by_position: usize,
    /// Vertices of the head that nothing in the file is for: they do not move.
    pub unmatched: usize,
    /// Vertices of the file that are for nothing on the head.
    pub unused: usize,
    /// Vertices of the mesh that move, split ones each.
    pub moved: usize,
    /// The farthest a vertex goes, in hundredths of the head's size.
    pub max_percent: f32,
    /// How far matched vertices go in the mean, likewise.
    pub mean_percent: f32,
    /// What is odd about it; empty if nothing is.
    pub remark: String,
}

/// A file that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedShape {
    /// The file's name.
    pub file: String,
    /// Why, and what to do.
    pub problem: String,
}

impl AddedShape {
    /// Whether everything went by number, and nothing is odd.
    pub fn is_plain(&self) -> bool {
        self.by_uv + self.by_position + self.unmatched + self.unused == 0 && self.remark.is_empty() && self.moved > 0
    }

    /// In a sentence, without its name.
    pub fn text(&self) -> String {
        let ways = [(self.by_order, "by order"), (self.by_uv, "by uv"), (self.by_position, "by position")];
        let matched: Vec<String> =
            ways.into_iter().filter(|(count, _)| *count > 0).map(|(count, way)| format!("{count} {way}")).collect();
        let mut text = format!("matched on {}: {}", self.mesh, matched.join(", "));
        if self.unmatched > 0 {
            text += &format!(", {} without a partner stay", self.unmatched);
        }
        if self.unused > 0 {
            text += &format!(", {} of the file left over", self.unused);
        }
        match self.moved {
            0 => text += "; moves nothing",
            _ => {
                text += &format!(
                    "; moved by {:.2} % of the head at most, {:.3} % in the mean",
                    self.max_percent, self.mean_percent
                )
            }
        }
        if !self.remark.is_empty() {
            text += &format!(" ({})", self.remark);
        }
        text
    }
}
