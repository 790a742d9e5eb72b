//! Expressions of a set, made of the shapes that a head has.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::expression::{binds_of, in_order};
use super::plan::{Plan, Scope};
use super::{Reason, Refused};
use smirk_face::head::{ARKIT_NAMES, Bind, ChannelNames, Expression, Head, Preset};

/// The expressions of a set that a head lacks, or that move nothing, are made of its shapes, as the names of shapes in
/// the table of dialects tell; where it has none of that meaning, of the nearest ones. Those that it has stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MakeExpressions {
    pub set: ExpressionSet,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
pub enum ExpressionSet {
    /// The presets of VRM that move shapes.
    #[default]
    #[strum(serialize = "Presets of VRM")]
    Vrm,
    /// The 52 of ARKit.
    #[strum(serialize = "52 of ARKit (jawOpen)")]
    Arkit,
    /// The same with capitals, as programs for VRM avatars know them.
    #[strum(serialize = "52 of ARKit (JawOpen)")]
    PerfectSync,
}

impl ExpressionSet {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        self.into()
    }

    fn names(self) -> Vec<String> {
        match self {
            // A neutral face moves nothing.
            Self::Vrm => {
                Preset::ALL.iter().filter(|it| **it != Preset::Neutral).map(|it| it.name().to_owned()).collect()
            }
            Self::Arkit => ARKIT_NAMES.map(str::to_owned).into(),
            Self::PerfectSync => ARKIT_NAMES.map(|name| name[..1].to_uppercase() + &name[1..]).into(),
        }
    }
}

impl MakeExpressions {
    pub(super) fn plan(self, scope: &Scope<'_>) -> Plan {
        let head = scope.head;
        let shapes = ChannelNames::new(head.target_channels(), |_| None);
        let mut expressions = head.expressions.clone();
        let mut plan = Plan::default();
        for name in self.set.names() {
            let preset = if self.set == ExpressionSet::Vrm { Preset::named(&name) } else { None };
            let there = expressions.iter().position(|other| match preset {
                Some(_) => other.preset == preset,
                None => other.name.eq_ignore_ascii_case(&name),
            });
            if there.is_some_and(|there| !expressions[there].is_idle()) {
                continue;
            }
            let binds = binds(head, &shapes, &name);
            if binds.is_empty() {
                plan.refused.push(Refused { shape: Some(name), reason: Reason::NoShapeShows });
                continue;
            }
            match there {
                Some(there) => expressions[there].set_binds(binds),
                None => expressions.push(Expression { name, preset, binds, ..Expression::default() }),
            }
        }
        plan.expressions = Some(in_order(expressions));
        plan
    }
}

/// The binds of the shapes that show what a name means. Where both sides are one shape, each side moves it half.
fn binds(head: &Head, shapes: &ChannelNames, name: &str) -> Vec<Bind> {
    let showing = |name: &str| {
        let alike = shapes.alike(name);
        if alike.is_empty() { shapes.nearest(name) } else { alike.into_iter().map(|channel| (channel, 1.0)).collect() }
    };
    let own = showing(name);
    let other_side = [("Left", "Right"), ("Right", "Left")].into_iter().find_map(|(own, other)| {
        // The side of `jawLeft` is a direction, and its other side has a shape of its own.
        name.strip_suffix(own).map(|stem| format!("{stem}{other}"))
    });
    let share = if other_side.is_some_and(|other| showing(&other) == own) { 0.5 } else { 1.0 };
    own.into_iter().flat_map(|(channel, weight)| binds_of(head, channel, weight * share)).collect()
}
