//! What mends did to a head, in numbers and in words.

use serde::{Serialize, Serializer};
use thiserror::Error;

use smirk_base::names::{printable, quoted};

/// What one mend did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Change {
    /// The shapes that differ now, by the names that they had.
    pub changed: Vec<String>,
    pub added: Vec<String>,
    pub removed: Vec<String>,
    /// Whether the face at rest is another one: then the lengths are those between the two.
    pub moves_rest: bool,
    /// The number of vertices that some shape moves differently.
    pub vertices: usize,
    /// The largest difference of a vertex in a shape at weight 1, in millimetres of a human head.
    pub largest_mm: f32,
    /// The root of the mean square of these differences, over all of them.
    pub rms_mm: f32,
    /// The number of stored deltas of vertices before and after.
    pub stored: [usize; 2],
    /// The vertices that could not be mended: without a mirror image, or beside a seam that stays open.
    pub unmatched: usize,
    /// With what weight one shape was contained in another, for each shape of `changed`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f32>,
    /// What was left as it was, and why.
    pub refused: Vec<Refused>,
}

/// A shape that a mend left as it was; all of them without a name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refused {
    pub shape: Option<String>,
    pub reason: Reason,
}

/// Why a mend leaves a shape as it is.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Reason {
    #[error("the head has no shape of that name")]
    NoShape,
    #[error("it is done to shapes that are named, and none is")]
    NamesNeeded,
    #[error("it joins two shapes or more, and {0} of those named are there")]
    TooFew(usize),
    #[error("another shape has the name {}", quoted(.0))]
    NameTaken(String),
    #[error("no shape is named {}", quoted(.0))]
    NoOther(String),
    #[error("it has no shape for the other side")]
    NoOtherSide,
    #[error("the head is not symmetric: no plane was found that mirrors it")]
    NoPlane,
    #[error("its in-betweens are at other weights than those of {}", quoted(.0))]
    OtherInBetweens(String),
    #[error("it does not contain {}", quoted(.0))]
    NotContained(String),
    #[error("a clip or an expression moves it otherwise than {}", quoted(.0))]
    MovedOtherwise(String),
    #[error("it changes texture coordinates or colours")]
    Paints,
    #[error("a corrective follows it or drives it")]
    InCorrective,
    #[error("a clip moves it")]
    InClip,
    #[error("it has a weight at rest")]
    AtRest,
    #[error("captures know its name")]
    KnownName,
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Change {
    /// Whether the head is another one than before.
    pub fn is_any(&self) -> bool {
        self.moves_rest || !(self.changed.is_empty() && self.added.is_empty() && self.removed.is_empty())
    }

    /// One line, without what was refused: `3 shapes, 120 vertices by up to 0.12 mm (RMS 0.03 mm)`.
    pub fn in_words(&self) -> String {
        let counted = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let listed = |what: &str, names: &[String]| match names {
            [] => None,
            [name] => Some(format!("{what} {}", printable(name))),
            names => Some(format!("{what} {}", counted(names.len(), "shape"))),
        };
        let moved = (self.vertices > 0).then(|| {
            let (largest, rms) = (millimetres(self.largest_mm), millimetres(self.rms_mm));
            let changed =
                if self.moves_rest { "the face at rest".into() } else { counted(self.changed.len(), "shape") };
            let vertices = counted_vertices(self.vertices);
            match self.largest_mm {
                0.0 => format!("{changed}, the normals of {vertices}"),
                _ => format!("{changed}, {vertices} by up to {largest} (RMS {rms})"),
            }
        });
        let [before, after] = self.stored;
        let fewer = (before > after).then(|| format!("{} fewer stored", before - after));
        let still = (self.vertices == 0 && fewer.is_none()).then(|| listed("changes", &self.changed)).flatten();
        let weights = self.weights.first().map(|weight| format!("weight {weight:.3}"));
        let unmatched = (self.unmatched > 0).then(|| format!("{} left as they were", counted_vertices(self.unmatched)));
        let parts =
            [moved, still, weights, listed("adds", &self.added), listed("removes", &self.removed), fewer, unmatched];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { "changes nothing".into() } else { parts.join("; ") }
    }

    /// What was refused, as a line each.
    pub fn refusals(&self) -> impl Iterator<Item = String> + '_ {
        self.refused.iter().map(|refused| match &refused.shape {
            Some(shape) => format!("{}: {}", printable(shape), refused.reason),
            None => refused.reason.to_string(),
        })
    }
}

fn counted_vertices(count: usize) -> String {
    if count == 1 { "1 vertex".into() } else { format!("{count} vertices") }
}

/// A length with about two significant digits.
fn millimetres(length: f32) -> String {
    match length {
        0.0 => "0 mm".into(),
        tiny if tiny < 0.0005 => "less than 0.001 mm".into(),
        small if small < 0.1 => format!("{small:.3} mm"),
        middle if middle < 10.0 => format!("{middle:.2} mm"),
        large => format!("{large:.0} mm"),
    }
}
