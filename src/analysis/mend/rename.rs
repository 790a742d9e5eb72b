//! Shapes under other names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::plan::{Plan, Scope};
use super::{Reason, Refused};
use smirk_face::head::{ARKIT_NAMES, Asset, Dialect, Drive, Head, Target};

/// Shapes get other names, and those that `order` has come first, in its order. Clips, expressions and correctives
/// follow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rename {
    /// New names by old ones.
    pub names: BTreeMap<String, String>,
    /// New names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
}

impl Rename {
    /// The names of a dialect, in its order, for the shapes that alone mean one of its movements.
    pub fn to(dialect: Dialect, head: &Head) -> Self {
        if dialect == Dialect::Arkit {
            return Self::to_arkit(head);
        }
        let names = head.target_channels().iter().map(|channel| &channel.full_name);
        let mut named: Vec<(usize, String, &String)> =
            names.filter_map(|old| dialect.name_of(old).map(|(place, new)| (place, new, old))).collect();
        named.sort();
        let own = named.chunk_by(|(_, a, _), (_, b, _)| a == b).filter(|same| same.len() == 1).flatten();
        let renamed =
            own.clone().filter(|(_, new, old)| new != *old).map(|(_, new, old)| ((*old).clone(), new.clone()));
        Self { names: renamed.collect(), order: own.map(|(_, new, _)| new.clone()).collect() }
    }

    /// The names of ARKit, in its order, for the shapes that mean one of its movements and no other.
    fn to_arkit(head: &Head) -> Self {
        let alike = ARKIT_NAMES.map(|name| {
            let channels = head.channel_alike(name);
            let is_one = channels.len() == 1 && channels[0] < head.target_channels().len();
            (name, channels.first().copied().filter(|_| is_one))
        });
        let is_shared = |channel| alike.iter().filter(|(_, other)| *other == Some(channel)).count() > 1;
        let own = alike.iter().filter_map(|(name, channel)| Some((*name, (*channel)?)));
        let own: Vec<(&str, usize)> = own.filter(|(_, channel)| !is_shared(*channel)).collect();
        let renamed = own.iter().map(|&(name, channel)| (&head.channels[channel].full_name, name));
        let names = renamed.filter(|(old, new)| old != new).map(|(old, new)| (old.clone(), new.to_owned())).collect();
        Self { names, order: own.into_iter().map(|(name, _)| name.to_owned()).collect() }
    }

    pub(super) fn plan(&self, scope: &Scope<'_>) -> Plan {
        let mut plan = Plan { order: self.order.clone(), ..Plan::default() };
        let mut renamed: BTreeMap<usize, &str> = BTreeMap::new();
        for (old, new) in &self.names {
            match scope.shape_named(old) {
                Some(channel) if scope.shapes.contains(&channel) => _ = renamed.insert(channel, new),
                Some(_) => {}
                None => plan.refused.push(Refused { shape: Some(old.clone()), reason: Reason::NoShape }),
            }
        }
        // A name is free if nothing has it, or what has it gets another one.
        let name_after = |channel: usize| renamed.get(&channel).copied().unwrap_or(scope.name(channel));
        let all = 0..scope.head.target_channels().len();
        let taken: Vec<usize> = renamed
            .keys()
            .copied()
            .filter(|&channel| all.clone().any(|it| it != channel && name_after(it) == name_after(channel)))
            .collect();
        for channel in taken {
            if let Some(name) = renamed.remove(&channel) {
                plan.refuse(scope, channel, Reason::NameTaken(name.to_owned()));
            }
        }
        Plan { refused: plan.refused, order: plan.order, ..self::renamed(scope, &renamed) }
    }
}

/// A plan that gives shapes these names, which no other shapes have afterwards.
pub(super) fn renamed(scope: &Scope<'_>, new_names: &BTreeMap<usize, &str>) -> Plan {
    let mut plan = Plan::default();
    for (&channel, &name) in new_names {
        for (place, target) in scope.targets(channel) {
            plan.change(place, target, Target { name: name.to_owned(), ..target.clone() });
        }
    }
    let names: BTreeMap<String, String> = new_names
        .iter()
        .flat_map(|(&channel, &new)| {
            let of_head = &scope.head.channels[channel];
            [&of_head.name, &of_head.full_name].map(|old| (old.clone(), new.to_owned()))
        })
        .collect();
    plan.first = Some(Box::new(move |asset: &mut Asset| {
        asset.former_names.extend(names.clone());
        let rename = |name: &mut String| {
            if let Some(new) = names.get(name) {
                name.clone_from(new);
            }
        };
        for corrective in &mut asset.declared_correctives {
            rename(&mut corrective.target);
            match &mut corrective.drive {
                Drive::Combination(_, drivers) => drivers.iter_mut().for_each(|driver| rename(&mut driver.name)),
                Drive::InBetween { of, .. } => rename(of),
            }
        }
    }));
    plan
}
