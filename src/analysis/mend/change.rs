//! What mends did to a head, in numbers and in words.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use thiserror::Error;

use smirk_base::names::{printable, quoted};
use smirk_face::head::{Expression, listed_bones};

/// What one mend did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Change {
    /// The shapes that differ now, by the names that they had.
    pub changed: Vec<String>,
    pub added: Vec<String>,
    pub removed: Vec<String>,
    /// Whether shapes are in another order.
    pub reorders: bool,
    pub expressions: ExpressionChange,
    /// Whether it is another avatar than before, or was none.
    pub changes_avatar: bool,
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
    /// The length of the lines along which surfaces cross in a combination, before and after, in millimetres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossed_mm: Option<[f32; 2]>,
    /// With what weight one shape was contained in others, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, f32>,
    /// What was left as it was, and why.
    pub refused: Vec<Refused>,
}

/// The expressions that a mend changed, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExpressionChange {
    pub changed: Vec<String>,
    pub added: Vec<String>,
    pub removed: Vec<String>,
}

impl ExpressionChange {
    pub(super) fn between(before: &[Expression], after: &[Expression]) -> Self {
        let named = |name: &str, list: &[Expression]| list.iter().position(|other| other.name == name);
        let mut change = Self::default();
        for new in after {
            match named(&new.name, before) {
                None => change.added.push(new.name.clone()),
                Some(old) if before[old] != *new => change.changed.push(new.name.clone()),
                Some(_) => {}
            }
        }
        let removed = before.iter().filter(|old| named(&old.name, after).is_none());
        change.removed = removed.map(|old| old.name.clone()).collect();
        change
    }

    fn is_any(&self) -> bool {
        !(self.changed.is_empty() && self.added.is_empty() && self.removed.is_empty())
    }
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
    #[error("it is done by a mask, and there is none")]
    NoMask,
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
    #[error("the animation of an expression moves it")]
    InResponse,
    #[error("it has a weight at rest")]
    AtRest,
    #[error("captures know its name")]
    KnownName,
    #[error("the head has no expression {}", quoted(.0))]
    NoExpression(String),
    #[error("an expression needs a name")]
    NoName,
    #[error("{} is the name of a preset, and the expression is none", quoted(.0))]
    NameOfPreset(String),
    #[error("the expression {} is this preset", quoted(.0))]
    PresetTaken(String),
    #[error("another expression has the name {}", quoted(.0))]
    ExpressionNamed(String),
    #[error("no material is named {}", quoted(.0))]
    NoMaterial(String),
    #[error("no shape of the head shows it")]
    NoShapeShows,
    #[error("the head has no {}, which a VRM avatar must have", listed_bones(.0))]
    MissingBones(Vec<&'static str>),
    #[error("{0}")]
    Lacks(String),
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Change {
    /// Whether the head is another one than before.
    pub fn is_any(&self) -> bool {
        self.moves_rest
            || self.reorders
            || self.changes_avatar
            || self.expressions.is_any()
            || !(self.changed.is_empty() && self.added.is_empty() && self.removed.is_empty())
    }

    /// One line, without what was refused: `3 shapes, 120 vertices by up to 0.12 mm (RMS 0.03 mm)`.
    pub fn in_words(&self) -> String {
        let counted = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let listed_as = |what: &str, noun: &str, names: &[String]| match names {
            [] => None,
            [name] => Some(format!("{what} {}", printable(name))),
            names => Some(format!("{what} {}", counted(names.len(), noun))),
        };
        let listed = |what: &str, names: &[String]| listed_as(what, "shape", names);
        let of_expressions = &self.expressions;
        let [made, set, deleted] = [
            ("makes", &of_expressions.added),
            ("changes", &of_expressions.changed),
            ("deletes", &of_expressions.removed),
        ]
        .map(|(what, names)| match names.len() {
            1 => listed_as(&format!("{what} the expression"), "expression", names),
            _ => listed_as(what, "expression", names),
        });
        let avatar = self.changes_avatar.then(|| "sets what the avatar says of itself".to_owned());
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
        let order = self.reorders.then(|| "puts shapes in another order".to_owned());
        let mut weights: Vec<f32> = self.weights.values().copied().collect();
        weights.sort_by(f32::total_cmp);
        let weights = match weights[..] {
            [] => None,
            [weight] => Some(format!("weight {weight:.3}")),
            [least, .., most] => Some(format!("weights {least:.3} to {most:.3}")),
        };
        let crossed = self.crossed_mm.map(|[before, after]| match (before, after) {
            (0.0, _) => "nothing crosses".into(),
            (_, 0.0) => format!("nothing crosses any more, instead of along {before:.1} mm"),
            _ if after == before => format!("crosses along {before:.1} mm, which no small push makes less"),
            _ => format!("crosses along {after:.1} mm instead of {before:.1}"),
        });
        let unmatched = (self.unmatched > 0).then(|| format!("{} left as they were", counted_vertices(self.unmatched)));
        let shapes = [
            moved,
            still,
            order,
            weights,
            crossed,
            listed("adds", &self.added),
            listed("removes", &self.removed),
            fewer,
            unmatched,
        ];
        let parts: Vec<String> = shapes.into_iter().chain([made, set, deleted, avatar]).flatten().collect();
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
