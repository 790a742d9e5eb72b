//! The outcome of adding shapes to a head, and its text.

use std::path::PathBuf;

use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::import::Problem;
use smirk_base::names::quoted;
use smirk_face::head::{Kind, Note, Subject};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ShapesReport {
    pub added: Vec<AddedShape>,
    pub refused: Vec<RefusedShape>,
    /// The heads of which all shapes were carried over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub carried: Vec<CarriedShapes>,
}

impl ShapesReport {
    /// A warning on each file whose shapes are not on the head.
    pub fn missing(&self) -> Vec<Note> {
        let refused = self.refused.iter();
        refused.map(|it| Note::warning(Subject::named(Kind::Shape, &it.file), it.problem.clone())).collect()
    }
}

/// The shapes of another head that were carried over.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CarriedShapes {
    pub file: String,
    pub count: usize,
    /// What may be wrong, each in a sentence.
    pub warnings: Vec<String>,
}

/// A shape that became a target of one mesh of the head. Vertices are counted as in the files, before any are split at
/// seams of normals or texture coordinates.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AddedShape {
    pub name: String,
    /// Where the file is, if it is not the bundled head. Two files may have the same name.
    #[serde(skip)]
    pub path: Option<PathBuf>,
    pub file: String,
    pub mesh: String,
    pub by_order: usize,
    pub by_uv: usize,
    pub by_position: usize,
    /// Vertices of the head without a match: they do not move.
    pub unmatched: usize,
    /// Vertices of the file that no vertex of the head was matched with.
    pub unused: usize,
    /// Vertices of the mesh that move; split ones count several times.
    pub moved: usize,
    /// The longest displacement of a vertex, in per cent of the head's size.
    pub max_percent: f32,
    /// The mean displacement of the matched vertices, in per cent of the head's size.
    pub mean_percent: f32,
    #[serde(rename = "remark", serialize_with = "serialize_remarks")]
    pub remarks: Vec<Remark>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedShape {
    pub file: String,
    pub problem: String,
}

#[derive(Clone, Debug, Error, PartialEq)]
pub enum Remark {
    /// Why the vertices were not matched by their numbers.
    #[error(transparent)]
    NotByOrder(Mismatch),
    /// Matched by their numbers, although this part of the edges differs.
    #[error("{:.0} % of its edges are not the head's: is it the same mesh?", share * 100.0)]
    OtherEdges { share: f32 },
    /// Matched by their numbers, although this much of the head's size is the mean movement.
    #[error(
        "{mean_percent:.0} % of the head is far for a shape: is the mesh in the place of the neutral, and numbered as it is?"
    )]
    Far { mean_percent: f32 },
    #[error("no mesh of the head has its name or size: taken for the largest")]
    LargestMesh,
    /// It was converted. `ratio` is the shape's size over the head's.
    #[error("{ratio} times as large as the head, so taken for another unit")]
    OtherUnit { ratio: f32 },
}

/// Why two meshes cannot be matched, or cannot be matched by one of the methods.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Mismatch {
    #[error("one of the files numbers its vertices, the other has them split")]
    Numbering,
    #[error(
        "it has {shape} vertices, {} {} than the head's {head}",
        shape.abs_diff(*head),
        if shape > head { "more" } else { "fewer" }
    )]
    VertexCount { shape: usize, head: usize },
    /// `shared_edges` is the part of the edges that both meshes have.
    #[error("it has as many vertices as the head, in another order ({:.0} % of edges agree)", shared_edges * 100.0)]
    Order { shared_edges: f32 },
    /// As many vertices and the same edges, with the vertices in the places of others. Parts of all vertices, which
    /// would be moved exactly to where another one is, of all edges, and of the size of the head's mesh.
    #[error(
        "its vertices are numbered in another order than the head's: by number they would move by {:.1} % of the mesh in \
         the mean, {:.0} % of them into the places of others{}",
        mean * 100.0,
        exchanged * 100.0,
        torn_in_words(*torn_edges)
    )]
    Renumbered { exchanged: f32, torn_edges: f32, mean: f32 },
    /// The sizes differ so much that the files must be in different units. `ratio` is the shape's size over the head's.
    #[error(
        "it is {:.0} times the head's {}: export both in one unit",
        ratio.max(ratio.recip()),
        if *ratio > 1.0 { "size" } else { "smallness" }
    )]
    Size { ratio: f32 },
    #[error("it has no texture coordinates to match by; match by position")]
    ShapeWithoutUvs,
    #[error("the head has no texture coordinates to match by; match by position")]
    HeadWithoutUvs,
    /// `not_by_order` says why the vertices were not matched by their numbers either, if that was tried.
    #[error(
        "{}only {matched} of its {shape} vertices have a partner among the head's {head}: it is another mesh",
        not_by_order.as_ref().map(|mismatch| format!("{mismatch}; ")).unwrap_or_default()
    )]
    OtherMesh { not_by_order: Option<Box<Mismatch>>, matched: usize, shape: usize, head: usize },
    #[error("the head's mesh {} is flattened by its node (scale 0): no shape leads back into it", quoted(mesh))]
    Flattened { mesh: String },
    #[error("none of its meshes has a counterpart in the head")]
    NoCounterpart,
}

impl From<Mismatch> for Problem {
    fn from(mismatch: Mismatch) -> Self {
        mismatch.to_string().into()
    }
}

fn torn_in_words(torn_edges: f32) -> String {
    let percent = torn_edges * 100.0;
    if percent >= 0.5 { format!(", and {percent:.0} % of the edges would cross it") } else { String::new() }
}

impl AddedShape {
    /// Whether all vertices were matched by their numbers, some move, and nothing is unusual.
    pub fn is_plain(&self) -> bool {
        self.by_uv + self.by_position + self.unmatched + self.unused == 0 && self.remarks.is_empty() && self.moved > 0
    }

    pub fn matched(&self) -> usize {
        self.by_order + self.by_uv + self.by_position
    }

    /// Whether most vertices of the head and most of the file have no match: then the file is hardly a shape of this
    /// mesh. A file with a part of the head alone has a match for each of its own.
    pub fn is_mostly_unmatched(&self) -> bool {
        self.unmatched.min(self.unused) > self.matched()
    }

    pub(super) fn is_doubtful(&self) -> bool {
        // If all vertices were matched by another method than by order, the reason why is no warning.
        self.unmatched > 0
            || self.moved == 0
            || self.remarks.iter().any(|remark| self.by_order > 0 || *remark == Remark::LargestMesh)
    }

    /// The match in a sentence, without the name of the shape.
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
        if self.moved == 0 {
            text += "; moves nothing";
        } else {
            let [max, mean] = [self.max_percent, self.mean_percent];
            text += &format!("; moved by {max:.2} % of the head at most, {mean:.3} % in the mean");
        }
        if !self.remarks.is_empty() {
            text += &format!(" ({})", joined(&self.remarks));
        }
        text
    }
}

fn joined(remarks: &[Remark]) -> String {
    remarks.iter().map(Remark::to_string).collect::<Vec<_>>().join("; ")
}

fn serialize_remarks<S: Serializer>(remarks: &[Remark], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&joined(remarks))
}
