//! Which channels of a head the columns of takes and of live frames drive, by their names.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::take_map::column_key;
use super::{Angle, ColumnMap, DrivenChannel, TakeMap};
use crate::head::{Head, Opposites, is_compound_in_name, is_part_in_name, side_in_name};
use smirk_base::names::printable;

/// How columns find their channels: by their names, and by what the artist has chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnMatching {
    /// The channels that the artist has chosen for names of columns.
    pub aliases: Aliases,
    /// Whether a column whose movement the head lacks drives those that are most like it.
    pub uses_nearest: bool,
}

impl Default for ColumnMatching {
    fn default() -> Self {
        Self { aliases: Aliases::default(), uses_nearest: true }
    }
}

impl ColumnMatching {
    /// Maps columns to channels by name: to those of the aliases that the head has, else to [`Head::channel_alike`],
    /// else to [`Head::channel_nearest`]. The column `_neutral` (a likelihood, not a shape) and the rotations of the
    /// head and the eyes (angles) drive nothing unless an alias maps them. Several columns may reach one channel: see
    /// [`MatchKind`] for which of them drives it. Of two columns or two channels that are opposite directions of one
    /// movement, the one that the other's name means is used.
    pub fn map_of<'n>(&self, names: impl Iterator<Item = &'n str>, head: &Head) -> TakeMap {
        let names: Vec<&str> = names.collect();
        let mut claims: Vec<Vec<Claim>> = names.iter().map(|name| self.claims(name, head)).collect();
        leave_out_opposites(&names, &mut claims, head);
        let won = winning(&names, &claims);
        // Several columns of one movement, such as those of its sides, are one movement in a sum.
        let mut sides: HashMap<(usize, String), usize> = HashMap::new();
        for (name, won) in names.iter().zip(&won) {
            for claim in won.iter().filter(|claim| claim.weight.is_some() && claim.kind != MatchKind::Chosen) {
                *sides.entry((claim.channel, without_side(name))).or_default() += 1;
            }
        }
        let mut columns = Vec::with_capacity(names.len());
        for (column, name) in names.into_iter().enumerate() {
            let mut channels: Vec<DrivenChannel> = Vec::new();
            for claim in &won[column] {
                let sides = sides.get(&(claim.channel, without_side(name))).copied().unwrap_or(1);
                let channel = head.channels[claim.channel].full_name.clone();
                channels.push(DrivenChannel { channel, weight: claim.weight.map(|weight| weight / sides as f32) });
            }
            // A target has the name of an expression that another column drives: it gets the column of its name.
            if channels.is_empty() && !claims[column].is_empty() {
                let own = head.channels.iter().position(|channel| channel.full_name == name);
                let own = own.filter(|own| claims.iter().flatten().all(|claim| claim.channel != *own));
                channels.extend(own.map(|_| DrivenChannel::new(name)));
            }
            columns.push(ColumnMap { column: name.to_owned(), channels, ..ColumnMap::default() });
        }
        TakeMap { columns }
    }

    /// The channels of a head that match the name of a column.
    fn claims(&self, column: &str, head: &Head) -> Vec<Claim> {
        if let Some(chosen) = self.aliases.find(column) {
            let mut claims: Vec<Claim> = Vec::new();
            for drive in chosen {
                for channel in head.channel_alike(&drive.channel) {
                    if claims.iter().all(|claim| claim.channel != channel) {
                        claims.push(Claim { channel, kind: MatchKind::Chosen, weight: drive.weight });
                    }
                }
            }
            claims.sort_by_key(|claim| claim.channel);
            if chosen.is_empty() || !claims.is_empty() {
                return claims;
            }
        }
        let claims = by_name(column, head);
        if self.uses_nearest { claims } else { claims.into_iter().filter(|claim| claim.weight.is_none()).collect() }
    }
}

/// The claims by which each column drives channels: of those to one channel, those for the strongest reason, and of
/// these the first, unless they drive it together.
fn winning<'c>(names: &[&str], claims: &'c [Vec<Claim>]) -> Vec<Vec<&'c Claim>> {
    let mut strongest: HashMap<usize, (MatchKind, usize)> = HashMap::new();
    for (column, claims) in claims.iter().enumerate() {
        for claim in claims {
            let best = strongest.entry(claim.channel).or_insert((claim.kind, column));
            *best = (*best).min((claim.kind, column));
        }
    }
    let mut spelled = HashSet::new();
    let mut won = Vec::with_capacity(claims.len());
    for (column, claims) in claims.iter().enumerate() {
        let is_first_spelling = spelled.insert(column_key(names[column]));
        let winning = claims.iter().filter(|claim| {
            let (kind, first) = strongest[&claim.channel];
            claim.kind == MatchKind::Compound
                || claim.kind == kind
                    && match kind {
                        MatchKind::Chosen => first == column || is_first_spelling,
                        MatchKind::FullName | MatchKind::Alike => first == column,
                        MatchKind::Side | MatchKind::Nearest | MatchKind::Compound => true,
                    }
        });
        won.push(winning.collect());
    }
    won
}

/// A channel that a column could drive.
struct Claim {
    channel: usize,
    kind: MatchKind,
    weight: Option<f32>,
}

/// Why a column drives a channel, the strongest reason first. Of several columns that reach a channel, only those for
/// the strongest reason drive it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchKind {
    /// The artist says so. Several columns that were chosen drive the channel together, but for other spellings of one
    /// name.
    Chosen,
    /// It has the full name of the channel; the first column drives it.
    FullName,
    /// It has a similar name; the first column drives it.
    Alike,
    /// It is one side or part of a movement that the head has as a whole; all of them drive it.
    Side,
    /// The head lacks its movement, and this one is most like it; all such columns drive it.
    Nearest,
    /// Its movement is one that several show together; it adds to what other columns drive.
    Compound,
}

impl MatchKind {
    /// Why a column drives its channels; the weakest reason of several. None if it drives no channel of the head.
    pub fn for_column(map: &ColumnMap, head: &Head) -> Option<Self> {
        let claims = by_name(&map.column, head);
        let kinds = map.channels.iter().filter_map(|drive| {
            let channel = head.channel_named(&drive.channel)?;
            let claim = claims.iter().find(|claim| claim.channel == channel);
            Some(claim.map_or(Self::Chosen, |claim| claim.kind))
        });
        kinds.max()
    }

    /// Whether the channel is not quite that of the column.
    pub fn is_approximate(self) -> bool {
        matches!(self, Self::Side | Self::Nearest | Self::Compound)
    }

    /// The words for it on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::FullName => "same name",
            Self::Alike => "similar name",
            Self::Side => "a part of it",
            Self::Nearest => "nearest movement",
            Self::Compound => "one of several movements",
        }
    }
}

/// Removes the claims of columns that are the opposite of what a channel means, such as that of `jawOpen_min` to
/// `jawOpen`.
fn leave_out_opposites(names: &[&str], claims: &mut [Vec<Claim>], head: &Head) {
    let opposites = Opposites::among(names.iter().copied());
    let mut claiming: HashMap<usize, Vec<usize>> = HashMap::new();
    for (column, claims) in claims.iter().enumerate() {
        claims.iter().for_each(|claim| claiming.entry(claim.channel).or_default().push(column));
    }
    for (column, claims) in claims.iter_mut().enumerate() {
        claims.retain(|claim| {
            let channel = &head.channels[claim.channel].full_name;
            claim.kind == MatchKind::Chosen || !opposites.is_left_out(column, channel, &claiming[&claim.channel])
        });
    }
}

fn by_name(column: &str, head: &Head) -> Vec<Claim> {
    if column == "_neutral" || Angle::of_column(column).is_some() {
        return Vec::new();
    }
    let alike = head.channel_alike(column);
    if alike.is_empty() {
        let nearest = head.channel_nearest(column).into_iter();
        let kind = if is_compound_in_name(column) { MatchKind::Compound } else { MatchKind::Nearest };
        return nearest.map(|(channel, weight)| Claim { channel, kind, weight: Some(weight) }).collect();
    }
    let (side, is_part) = (side_in_name(column), is_part_in_name(column));
    let claims = alike.into_iter().map(|channel| {
        let name = &head.channels[channel].full_name;
        let kind = if name == column {
            MatchKind::FullName
        } else if is_part || (side.is_some() && side_in_name(name).is_none()) {
            MatchKind::Side
        } else {
            MatchKind::Alike
        };
        Claim { channel, kind, weight: None }
    });
    claims.collect()
}

impl TakeMap {
    /// This map adjusted to columns that may have changed, such as those of another take. Columns are found by name;
    /// new ones are matched.
    pub fn fitted<'a>(&self, names: impl Iterator<Item = &'a str>, head: &Head, matching: &ColumnMatching) -> Self {
        let mut fitted = matching.map_of(names, head);
        for column in &mut fitted.columns {
            if let Some(known) = self.columns.iter().find(|known| known.column == column.column) {
                *column = known.clone();
            }
        }
        fitted
    }

    /// The columns whose movement the head lacks, and which drive what is most like it: in words.
    pub fn approximate(&self, head: &Head) -> Vec<String> {
        let approximate =
            self.columns.iter().filter(|map| MatchKind::for_column(map, head).is_some_and(MatchKind::is_approximate));
        approximate.map(|map| format!("{} drives {}", printable(&map.column), map.channels_in_words(head))).collect()
    }
}

/// Maps canonical column names to the chosen channels. An empty list means that the column drives no channel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Aliases(BTreeMap<String, Vec<DrivenChannel>>);

impl Aliases {
    /// Sets the channels that a column drives; an empty list for none. The name is matched in every naming convention.
    pub fn set(&mut self, column: &str, channels: Vec<DrivenChannel>) {
        self.0.insert(column_key(column), channels);
    }

    pub fn find(&self, column: &str) -> Option<&[DrivenChannel]> {
        self.0.get(&column_key(column)).map(Vec::as_slice)
    }
}

fn without_side(column: &str) -> String {
    let key = column_key(column);
    key.strip_suffix("_l").or_else(|| key.strip_suffix("_r")).unwrap_or(&key).to_owned()
}
