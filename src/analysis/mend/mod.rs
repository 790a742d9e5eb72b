//! Mends: a list of steps that repair the shapes of a head. The head and its file stay as they are: [`apply`] makes
//! another head, as the edits of a take make another take.
//!
//! Shapes are named, and a name means the targets of that name on all meshes, as a channel does. A mend of shapes that
//! a head lacks stays in the list and says so. The list is a file that travels beside a head ([`Mends`]) and a part of
//! a project. The same list and head always give the same result.
//!
//! Each kind of mend is a file of its own with its numbers and a function that plans what changes; the order of
//! [`Kind`] is that of the menu.

mod avatar;
mod change;
mod contained;
mod cracks;
mod duplicates;
mod empty;
mod expression;
mod expressions;
mod field;
mod file;
mod join;
mod mask;
mod mirror;
mod net;
mod noise;
mod normals;
mod pinch;
mod plan;
mod rebase;
mod remedy;
mod rename;
mod scale;
mod smooth;
mod split;
mod surface;
mod swap;
mod symmetrise;
mod tidy;
mod zero_rest;

#[cfg(test)]
mod tests;

pub use avatar::MakeAvatar;
pub use change::{Change, ExpressionChange, Reason, Refused};
pub use contained::Contained;
pub use cracks::{Cracks, Together};
pub use duplicates::Duplicates;
pub use empty::Empty;
pub use expression::{Effect, MaterialEffect, PresetChoice, SetExpression};
pub use expressions::{ExpressionSet, MakeExpressions};
pub use file::Mends;
pub use join::Join;
pub use mask::{Mask, MaskPoint};
pub use mirror::Mirror;
pub use noise::Noise;
pub use normals::Normals;
pub use pinch::Pinch;
pub use rebase::Rebase;
pub use remedy::{remedy, safe_mends};
pub use rename::Rename;
pub use scale::Scale;
pub use smooth::Smooth;
pub use split::{Parts, Split};
pub use surface::Surface;
pub use swap::Swap;
pub use symmetrise::Symmetrise;
pub use tidy::Tidy;
pub use zero_rest::ZeroRest;

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, de};

use plan::{Plan, Scope};
use smirk_face::head::Head;

/// One step of a list. It works on what the steps before it made of the head.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mend {
    pub kind: Kind,
    /// The shapes by their names; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shapes: Option<Vec<String>>,
    /// Where it works; `None` for everywhere. Kinds that add or remove shapes work everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mask: Option<Mask>,
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub enabled: bool,
}

fn yes() -> bool {
    true
}

fn is_yes(enabled: &bool) -> bool {
    *enabled
}

/// Reads a length, an angle or a width.
fn not_negative<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    let number = f32::deserialize(deserializer)?;
    let is_one = number.is_finite() && number >= 0.0;
    is_one.then_some(number).ok_or_else(|| de::Error::custom(format!("{number} is not a number of 0 or more")))
}

/// What a mend does, with its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Noise(Noise),
    Split(Split),
    Join(Join),
    Mirror(Mirror),
    Symmetrise(Symmetrise),
    Swap(Swap),
    Smooth(Smooth),
    Scale(Scale),
    Normals(Normals),
    Cracks(Cracks),
    Contained(Contained),
    Pinch(Pinch),
    ZeroRest(ZeroRest),
    Rebase(Rebase),
    Rename(Rename),
    Empty(Empty),
    Duplicates(Duplicates),
    Tidy(Tidy),
    Expression(SetExpression),
    Expressions(MakeExpressions),
    Avatar(MakeAvatar),
}

impl Kind {
    /// One of each kind with the numbers of a new mend, in the order of the menu.
    pub fn all() -> [Self; 21] {
        [
            Self::Noise(Noise::default()),
            Self::Split(Split::default()),
            Self::Join(Join { into: "joined".into() }),
            Self::Mirror(Mirror::default()),
            Self::Symmetrise(Symmetrise::default()),
            Self::Swap(Swap::default()),
            Self::Smooth(Smooth::default()),
            Self::Scale(Scale::default()),
            Self::Normals(Normals::default()),
            Self::Cracks(Cracks::default()),
            Self::Contained(Contained { shape: String::new(), weight: None }),
            Self::Pinch(Pinch::default()),
            Self::ZeroRest(ZeroRest::default()),
            Self::Rebase(Rebase::default()),
            Self::Rename(Rename::default()),
            Self::Empty(Empty::default()),
            Self::Duplicates(Duplicates::default()),
            Self::Tidy(Tidy::default()),
            Self::Expression(SetExpression::default()),
            Self::Expressions(MakeExpressions::default()),
            Self::Avatar(MakeAvatar::default()),
        ]
    }

    /// Whether it needs to be told the shapes that it is done to.
    pub fn needs_shapes(&self) -> bool {
        matches!(self, Self::Split(_) | Self::Join(_) | Self::Mirror(_) | Self::Contained(_) | Self::Pinch(_))
    }

    /// Whether a mask limits it.
    pub fn uses_mask(&self) -> bool {
        match self {
            Self::Split(split) => split.by == Parts::Mask,
            Self::Noise(_) | Self::Mirror(_) | Self::Symmetrise(_) | Self::Smooth(_) | Self::Scale(_) => true,
            Self::Normals(_) | Self::Cracks(_) | Self::Contained(_) => true,
            Self::Join(_) | Self::Swap(_) | Self::Pinch(_) | Self::ZeroRest(_) | Self::Rebase(_) => false,
            Self::Rename(_) | Self::Empty(_) | Self::Duplicates(_) | Self::Tidy(_) => false,
            Self::Expression(_) | Self::Expressions(_) | Self::Avatar(_) => false,
        }
    }

    /// Whether it is done to shapes.
    pub fn is_of_shapes(&self) -> bool {
        !matches!(self, Self::Expression(_) | Self::Expressions(_) | Self::Avatar(_))
    }

    pub fn label(&self) -> &'static str {
        match self {
            Self::Noise(_) => "Remove noise",
            Self::Split(split) => match split.by {
                Parts::Sides => "Split left and right",
                Parts::Mask => "Split by a mask",
            },
            Self::Join(_) => "Join shapes",
            Self::Mirror(_) => "Mirror shapes",
            Self::Symmetrise(_) => "Symmetrise shapes",
            Self::Swap(_) => "Swap left and right",
            Self::Smooth(_) => "Smooth shapes",
            Self::Scale(_) => "Scale shapes",
            Self::Normals(_) => "Recompute normals",
            Self::Cracks(_) => "Close cracks",
            Self::Contained(_) => "Subtract a shape",
            Self::Pinch(_) => "Push apart",
            Self::ZeroRest(_) => "Rest at zero",
            Self::Rebase(_) => "Rest in this face",
            Self::Rename(_) => "Rename shapes",
            Self::Empty(_) => "Remove empty shapes",
            Self::Duplicates(_) => "Remove duplicates",
            Self::Tidy(_) => "Tidy numbers",
            Self::Expression(SetExpression { delete: true, .. }) => "Delete an expression",
            Self::Expression(_) => "Expression",
            Self::Expressions(_) => "Make expressions",
            Self::Avatar(_) => "VRM avatar",
        }
    }

    fn plan(&self, scope: &Scope<'_>) -> Plan {
        if self.needs_shapes() && !scope.names_shapes {
            return Plan::refusing(Reason::NamesNeeded);
        }
        match self {
            Self::Noise(kind) => kind.plan(scope),
            Self::Split(kind) => kind.plan(scope),
            Self::Join(kind) => kind.plan(scope),
            Self::Mirror(kind) => kind.plan(scope),
            Self::Symmetrise(kind) => kind.plan(scope),
            Self::Swap(kind) => kind.plan(scope),
            Self::Smooth(kind) => kind.plan(scope),
            Self::Scale(kind) => kind.plan(scope),
            Self::Normals(kind) => kind.plan(scope),
            Self::Cracks(kind) => kind.plan(scope),
            Self::Contained(kind) => kind.plan(scope),
            Self::Pinch(kind) => kind.plan(scope),
            Self::ZeroRest(kind) => kind.plan(scope),
            Self::Rebase(kind) => kind.plan(scope),
            Self::Rename(kind) => kind.plan(scope),
            Self::Empty(kind) => kind.plan(scope),
            Self::Duplicates(kind) => kind.plan(scope),
            Self::Tidy(kind) => kind.plan(scope),
            Self::Expression(kind) => kind.plan(scope),
            Self::Expressions(kind) => kind.plan(scope),
            Self::Avatar(kind) => kind.plan(scope),
        }
    }
}

impl From<Kind> for Mend {
    fn from(kind: Kind) -> Self {
        Self { kind, shapes: None, mask: None, enabled: true }
    }
}

impl Mend {
    /// The largest number in a list; further ones are refused.
    pub const MOST: usize = 200;

    pub fn of_shapes(kind: Kind, shapes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { shapes: Some(shapes.into_iter().map(Into::into).collect()), ..Self::from(kind) }
    }
}

/// A head with mends applied.
#[derive(Debug)]
pub struct Mended {
    /// None if nothing has changed.
    pub head: Option<Head>,
    /// What each mend did, in the order of the list; none for one that is switched off.
    pub changes: Vec<Option<Change>>,
}

/// Applies the mends that are on, one after the other.
pub fn apply(head: &Head, mends: &[Mend]) -> Mended {
    apply_on(head, &Surface::new(head), mends)
}

/// The same with the surface of the head at hand, so that a list that changes again and again takes less time.
pub fn apply_on(head: &Head, surface: &Surface, mends: &[Mend]) -> Mended {
    let mut stage = Stage::default();
    stage.advance(head, surface, mends);
    Mended { head: stage.head.and_then(Arc::into_inner), changes: stage.changes }
}

/// A head after some mends of a list.
#[derive(Clone, Debug, Default)]
struct Stage {
    /// None if they have changed nothing.
    head: Option<Arc<Head>>,
    /// That of a head that rests in another face.
    surface: Option<Arc<Surface>>,
    changes: Vec<Option<Change>>,
}

impl Stage {
    /// Applies further mends to the head, which is `read` with the mends before.
    fn advance(&mut self, read: &Head, surface: &Surface, mends: &[Mend]) {
        for mend in mends {
            if !mend.enabled {
                self.changes.push(None);
                continue;
            }
            let now = self.head.as_deref().unwrap_or(read);
            let surface = self.surface.as_deref().unwrap_or(surface);
            let (scope, refused) = Scope::new(now, surface, mend);
            let mut plan = mend.kind.plan(&scope);
            plan.refused.splice(0..0, refused);
            if let Some(mask) = mend.mask.as_ref().filter(|_| mend.kind.uses_mask()) {
                plan.limit_to(mask, now, surface);
            }
            let change = plan.measured(now, surface);
            if change.is_any() {
                // A surface that rests as before is framed as before.
                let frame = Some([now.focus, now.character]).filter(|_| !change.moves_rest);
                let asset = match self.head.take() {
                    Some(own) => Arc::try_unwrap(own).map_or_else(|shared| shared.to_asset(), Head::into_asset),
                    None => read.to_asset(),
                };
                let new = Head::framed_as(plan.applied_to(asset), frame);
                if change.moves_rest {
                    self.surface = Some(Arc::new(Surface::new(&new)));
                }
                self.head = Some(Arc::new(new));
            }
            self.changes.push(Some(change));
        }
    }
}

/// What is kept of a list of mends that is applied again and again while one of them changes: the surface of the head,
/// and the head after the mends before that one.
#[derive(Debug, Default)]
pub struct MendCache {
    known: Option<Known>,
    #[cfg(test)]
    applied: usize,
}

#[derive(Debug)]
struct Known {
    read: Arc<Head>,
    surface: Surface,
    /// The list of the last time.
    mends: Vec<Mend>,
    /// How many of its mends `stage` has.
    count: usize,
    stage: Stage,
}

impl MendCache {
    /// Applies the mends to a head. The head is none if nothing has changed.
    pub fn apply(&mut self, read: &Arc<Head>, mends: &[Mend]) -> (Option<Arc<Head>>, Vec<Option<Change>>) {
        let known = self.known.take().filter(|known| Arc::ptr_eq(&known.read, read));
        let mut known = known.unwrap_or_else(|| Known {
            read: read.clone(),
            surface: Surface::new(read),
            mends: Vec::new(),
            count: 0,
            stage: Stage::default(),
        });
        let same = known.mends.iter().zip(mends).take_while(|(known, new)| known == new).count();
        if known.count > same {
            (known.count, known.stage) = (0, Stage::default());
        }
        #[cfg(test)]
        {
            self.applied += mends.len() - known.count;
        }
        known.stage.advance(read, &known.surface, &mends[known.count..same]);
        known.count = same;
        let mut stage = known.stage.clone();
        stage.advance(read, &known.surface, &mends[same..]);
        known.mends = mends.to_vec();
        self.known = Some(known);
        (stage.head, stage.changes)
    }
}
