//! Which lines there are: for every channel its clip, its take, the take beside it and its keys; for every column of
//! the take what its route makes of it.

use std::collections::BTreeSet;

use crate::head::canonical_name;
use crate::motion::Key;
use crate::session::Session;

use super::recipe::Recipe;

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// Index into the head's channels.
    Channel(usize),
    /// Index into the columns of the take that plays.
    Column(usize),
}

impl Item {
    /// Its place in its list: gives its colour.
    pub fn index(self) -> usize {
        match self {
            Self::Channel(index) | Self::Column(index) => index,
        }
    }

    /// Whether it is a column.
    pub fn is_column(self) -> bool {
        matches!(self, Self::Column(_))
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// It decides its channel.
    Whole,
    /// Something above it does.
    Faint,
    /// It is there to compare with.
    Dashed,
}

/// A line to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Whose.
    pub item: Item,
    /// How.
    pub style: Style,
    /// From what.
    pub recipe: Recipe,
}

/// What moves one channel over time.
#[derive(Clone, Debug, Default)]
struct OfChannel {
    clip: bool,
    take: Vec<usize>,
    compared: Vec<usize>,
    /// The name they were set under.
    keys: Option<String>,
}

/// What moves the channels over time.
#[derive(Clone, Debug)]
pub struct Sources {
    channels: Vec<OfChannel>,
    /// Where the last of all ends, in seconds.
    pub end_secs: f32,
}

/// Looks up what moves what.
pub fn sources(session: &Session) -> Sources {
    let head = &session.head;
    let mut channels = vec![OfChannel::default(); head.channels.len()];
    if let Some(clip) = session.clip() {
        clip.driven_channels().for_each(|channel| channels[channel].clip = true);
    }
    if let Some(entry) = session.take() {
        entry.map.driven(head).into_iter().for_each(|(channel, columns)| channels[channel].take = columns);
    }
    let compared = session.edits.compared_take.and_then(|id| session.edits.take_entry(id));
    if let Some(entry) = compared {
        entry.map.driven(head).into_iter().for_each(|(channel, columns)| channels[channel].compared = columns);
    }
    for name in session.edits.keys.channels() {
        for channel in head.channel_alike(name) {
            channels[channel].keys = Some(name.to_owned());
        }
    }
    let compared_secs = compared.map_or(0.0, |entry| entry.take.duration_secs);
    Sources { channels, end_secs: session.timeline_secs().max(compared_secs) }
}

impl Sources {
    /// Columns of the take that drive a channel.
    pub fn take_columns(&self, channel: usize) -> &[usize] {
        self.channels.get(channel).map_or(&[], |of| &of.take)
    }

    /// The keys set by hand on a channel.
    pub fn keys<'a>(&self, session: &'a Session, channel: usize) -> &'a [Key] {
        let name = self.channels.get(channel).and_then(|of| of.keys.as_deref());
        name.map_or(&[], |name| session.edits.keys.of(name))
    }

    /// The name that a channel's keys were set under, if it has any.
    pub fn key_name(&self, channel: usize) -> Option<&str> {
        self.channels.get(channel)?.keys.as_deref()
    }

    /// Everything the list on show can have: channels that something moves, or all columns of the take.
    pub fn items(&self, session: &Session, columns: bool) -> Vec<Item> {
        if columns {
            let count = session.take().map_or(0, |entry| entry.take.columns.len());
            return (0..count).map(Item::Column).collect();
        }
        let moves = |of: &OfChannel| of.clip || of.keys.is_some() || !of.take.is_empty() || !of.compared.is_empty();
        (0..self.channels.len()).filter(|&channel| moves(&self.channels[channel])).map(Item::Channel).collect()
    }

    /// The lines of what is chosen, or of everything; those that decide come last, over the others.
    pub fn lines(&self, session: &Session, lists_columns: bool, chosen: &BTreeSet<Item>) -> Vec<Line> {
        let items = self.items(session, lists_columns);
        let any_chosen = items.iter().any(|item| chosen.contains(item));
        let shown = items.into_iter().filter(|item| !any_chosen || chosen.contains(item));
        let mut lines: Vec<Line> = shown.flat_map(|item| self.lines_of(session, item)).collect();
        // Among all lines, those that decide nothing would only be in the way.
        lines.retain(|line| any_chosen || line.style != Style::Faint);
        lines.sort_by_key(|line| line.style == Style::Whole);
        lines
    }

    fn lines_of(&self, session: &Session, item: Item) -> Vec<Line> {
        let end_secs = self.end_secs;
        let playing = session.take();
        let compared = session.edits.compared_take.and_then(|id| session.edits.take_entry(id));
        let mut lines = Vec::new();
        let mut add = |style, recipe| lines.push(Line { item, style, recipe });
        match item {
            Item::Column(column) => {
                let Some(entry) = playing else { return lines };
                let name = entry.take.columns.get(column).map(|column| canonical_name(&column.name));
                let alike = compared.and_then(|other| {
                    let same = |column: &crate::motion::Column| Some(canonical_name(&column.name)) == name;
                    Some((other, other.take.columns.iter().position(same)?))
                });
                if let Some((other, column)) = alike {
                    add(Style::Dashed, Recipe::of_take(other, &[column], end_secs));
                }
                add(Style::Whole, Recipe::of_take(entry, &[column], end_secs));
            }
            Item::Channel(channel) => {
                let of = &self.channels[channel];
                let style = |decides| if decides { Style::Whole } else { Style::Faint };
                if let (Some(entry), false) = (compared, of.compared.is_empty()) {
                    add(Style::Dashed, Recipe::of_take(entry, &of.compared, end_secs));
                }
                if let (Some(clip), true) = (session.playback.clip, of.clip) {
                    let recipe = Recipe::of_clip(&session.head, clip, channel, end_secs);
                    add(style(of.take.is_empty() && of.keys.is_none()), recipe);
                }
                if let (Some(entry), false) = (playing, of.take.is_empty()) {
                    add(style(of.keys.is_none()), Recipe::of_take(entry, &of.take, end_secs));
                }
                if of.keys.is_some() {
                    add(Style::Whole, Recipe::of_keys(self.keys(session, channel), end_secs));
                }
            }
        }
        lines
    }
}
