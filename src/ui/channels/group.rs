//! What the list of channels is divided by: regions of the face, or action units.

use std::fmt;

use smirk_face::head::{ACTION_UNITS, Head, Region};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    Region(Region),
    /// An index into [`ACTION_UNITS`].
    Unit(usize),
    NoUnit,
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Region(region) => region.fmt(f),
            Self::Unit(unit) => {
                let (number, name) = ACTION_UNITS[*unit];
                write!(f, "{number} {name}")
            }
            Self::NoUnit => f.write_str("No action unit"),
        }
    }
}

/// The action units of a head's channels.
#[derive(Clone, Debug)]
pub(super) struct PairGroups {
    /// By channel, the units that it shows, alone or with others.
    units: Vec<Vec<usize>>,
    /// By pair, the first unit that its channels are.
    of_pairs: Vec<Option<usize>>,
}

impl PairGroups {
    pub(super) fn new(head: &Head) -> Self {
        let mut units = vec![Vec::new(); head.channels.len()];
        let mut own = vec![None; head.channels.len()];
        for (unit, (number, _)) in ACTION_UNITS.into_iter().enumerate() {
            for channel in head.channel_alike(number) {
                own[channel] = own[channel].or(Some(unit));
            }
            for (channel, _) in head.channels_showing(number) {
                units[channel].push(unit);
            }
        }
        let of_pairs = head.pairs.iter().map(|pair| own[pair.first].or(pair.second.and_then(|second| own[second])));
        let of_pairs = of_pairs.collect();
        Self { units, of_pairs }
    }

    /// The pairs with their groups, in the order of the list.
    pub(super) fn in_order(&self, head: &Head, by_units: bool) -> Vec<(usize, Group)> {
        let pairs = head.pairs.iter().enumerate();
        if !by_units {
            return pairs.map(|(index, pair)| (index, Group::Region(pair.region))).collect();
        }
        let mut pairs: Vec<(usize, Group)> = self
            .of_pairs
            .iter()
            .enumerate()
            .map(|(pair, unit)| (pair, unit.map_or(Group::NoUnit, Group::Unit)))
            .collect();
        pairs.sort_by_key(|(_, group)| match group {
            Group::Unit(unit) => *unit,
            Group::Region(_) | Group::NoUnit => ACTION_UNITS.len(),
        });
        pairs
    }

    /// The numbers and names of the units that a channel shows, by which it is found.
    pub(super) fn words_of(&self, channel: usize) -> String {
        self.units[channel].iter().map(|unit| Group::Unit(*unit).to_string()).collect::<Vec<_>>().join(" ")
    }
}
