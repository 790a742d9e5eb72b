//! The channel list as rows of equal height, so that only visible rows need to be laid out, and the columns of a row: a
//! name, then one wide slider, or one for the left and one for the right.

use std::borrow::Cow;

use egui::{Rect, pos2};

use smirk_base::names::Search;
use smirk_face::head::{Head, Pair};
use smirk_face::motion::Mix;
use smirk_session::Session;

use super::{ChannelList, Group, PairGroups};
use crate::theme;
use crate::widgets::text;

pub(super) const TRIANGLE_WIDTH: f32 = 17.0;
/// Width between the sliders of left and right, for the link button.
const LINK_WIDTH: f32 = 22.0;
/// A slider that is narrower cannot be dragged precisely.
const LEAST_BAR_WIDTH: f32 = 72.0;
/// Longer names are shortened in their middle.
const MOST_NAME_WIDTH: f32 = 240.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListRow {
    Group {
        group: Group,
        count: usize,
        active: usize,
    },
    /// The name that a left and a right channel have in common, with a slider for each.
    Sides {
        pair: usize,
        channels: [usize; 2],
    },
    Single {
        pair: usize,
        channel: usize,
    },
    /// The name of a mesh, with a slider for each of its targets that the row above moves.
    Mesh {
        /// The channel on the left, or the only one, with its target on the mesh; `None` if it has none or is not
        /// expanded.
        first: Option<[usize; 2]>,
        /// The channel on the right with its target.
        second: Option<[usize; 2]>,
        /// Whether the row above has a left and a right channel.
        is_sided: bool,
    },
}

impl ListRow {
    pub(super) fn has_slider_of(&self, channel: usize) -> bool {
        match self {
            Self::Sides { channels, .. } => channels.contains(&channel),
            Self::Single { channel: of, .. } => *of == channel,
            Self::Group { .. } | Self::Mesh { .. } => false,
        }
    }
}

/// The rows of a pair's channels, without those of single meshes. Left and right share a row; all others have their
/// own.
fn rows_of(index: usize, pair: &Pair) -> Vec<ListRow> {
    match pair.second {
        Some(second) if pair.is_left_and_right => vec![ListRow::Sides { pair: index, channels: [pair.first, second] }],
        second => {
            let channels = [Some(pair.first), second].into_iter().flatten();
            channels.map(|channel| ListRow::Single { pair: index, channel }).collect()
        }
    }
}

impl ChannelList {
    /// The rows that remain after search, filter and collapsed groups.
    pub(super) fn visible_rows(&mut self, session: &Session, mix: &Mix, by_units: bool) -> Vec<ListRow> {
        let search = Search::new(&self.search);
        let folded = self.folded_groups().clone();
        let groups = self.groups.get_or_insert_with(|| PairGroups::new(&session.head)).clone();
        let mut rows: Vec<ListRow> = Vec::new();
        let mut header = None;
        let is_listed = |channel: usize| {
            matches(session, channel, &search, &groups)
                && (!self.only_active || passes_active_filter(session, channel, mix))
        };
        for (index, group) in groups.in_order(&session.head, by_units) {
            let pair = &session.head.pairs[index];
            let any_listed = [Some(pair.first), pair.second].into_iter().flatten().any(is_listed);
            let lists_both = session.bound().linked[index] && any_listed;
            for row in rows_of(index, pair) {
                let channels = match row {
                    ListRow::Sides { channels: [left, right], .. } => [Some(left), Some(right)],
                    ListRow::Single { channel, .. } => [Some(channel), None],
                    ListRow::Group { .. } | ListRow::Mesh { .. } => continue,
                };
                let listed = channels.into_iter().flatten();
                let is_edited = self.edited_channel.is_some_and(|channel| row.has_slider_of(channel));
                if !lists_both && !is_edited && !listed.clone().any(is_listed) {
                    continue;
                }
                let header_row = match header {
                    Some((of, row)) if of == group => row,
                    _ => {
                        rows.push(ListRow::Group { group, count: 0, active: 0 });
                        header = Some((group, rows.len() - 1));
                        rows.len() - 1
                    }
                };
                if let ListRow::Group { count, active, .. } = &mut rows[header_row] {
                    *count += listed.clone().count();
                    *active += listed.filter(|&channel| session.head.is_active(channel, &mix.weights)).count();
                }
                if folded.contains(&group) {
                    continue;
                }
                rows.push(row);
                rows.extend(self.mesh_rows(&session.head, channels));
            }
        }
        rows
    }

    fn mesh_rows(&self, head: &Head, channels: [Option<usize>; 2]) -> Vec<ListRow> {
        let targets = channels.map(|channel| {
            let expanded = channel.filter(|channel| self.expanded_channels.contains(channel));
            let targets = expanded.map(|channel| (channel, head.moving_targets(channel)));
            targets.into_iter().flat_map(|(channel, targets)| {
                targets.into_iter().map(move |(target, mesh)| (std::ptr::from_ref(mesh), [channel, target]))
            })
        });
        let is_sided = channels[1].is_some();
        let [first, second] = targets;
        let mut rows: Vec<_> = first.map(|(mesh, of)| (mesh, Some(of), None)).collect();
        for (mesh, of) in second {
            match rows.iter_mut().find(|(other, _, right)| *other == mesh && right.is_none()) {
                Some((_, _, right)) => *right = Some(of),
                None => rows.push((mesh, None, Some(of))),
            }
        }
        rows.into_iter().map(|(_, first, second)| ListRow::Mesh { first, second, is_sided }).collect()
    }
}

fn matches(session: &Session, channel: usize, search: &Search, groups: &PairGroups) -> bool {
    if search.is_empty() {
        return true;
    }
    let index = channel;
    let channel = &session.head.channels[index];
    let units = groups.words_of(index);
    search.finds(&format!("{} {} {} {units}", channel.name, channel.full_name, channel.region))
}

/// Whether the Active filter lists a channel. Animated channels count even at zero, so that they do not flicker in and
/// out of the list. Muted and soloed channels count too, so that the user finds them again.
fn passes_active_filter(session: &Session, channel: usize, mix: &Mix) -> bool {
    session.head.is_active(channel, &mix.weights)
        || mix.below_manual[channel].is_motion()
        || session.bound().sliders.muted[channel]
        || session.bound().sliders.soloed[channel]
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub name: Rect,
    pub sides: [Rect; 2],
    pub link: Rect,
    pub wide: Rect,
}

impl Columns {
    pub(super) fn new(row: Rect, name_width: f32) -> Self {
        let most = row.width() - 2.0 * LEAST_BAR_WIDTH - LINK_WIDTH - theme::GAP_SMALL;
        let name = row.with_max_x(row.left() + name_width.min(most).max(0.0).floor());
        let wide = row.with_min_x(name.right() + theme::GAP_SMALL);
        let side_width = ((wide.width() - LINK_WIDTH) / 2.0).floor();
        let left = wide.with_max_x(wide.left() + side_width);
        let right = Rect::from_min_max(pos2(wide.right() - side_width, wide.top()), wide.max);
        let link = Rect::from_x_y_ranges(left.right()..=right.left(), row.y_range());
        Self { name, sides: [left, right], link, wide }
    }
}

pub(super) fn name_width(ui: &egui::Ui, head: &Head) -> f32 {
    let names = head.pairs.iter().flat_map(|pair| match pair.second {
        Some(_) if pair.is_left_and_right => [Some(Cow::Borrowed(pair.label.as_str())), None],
        second => [Some(pair.first), second].map(|channel| channel.map(|channel| head.shown_name(channel))),
    });
    let widths = names.flatten().map(|name| {
        let name = text::elide_middle(ui.painter(), &name, &theme::body_font(), MOST_NAME_WIDTH);
        ui.painter().layout_no_wrap(name, theme::body_font(), theme::TEXT).size().x
    });
    TRIANGLE_WIDTH + widths.fold(0.0, f32::max).ceil() + theme::GAP_SMALL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_leaves_room_for_both_sliders() {
        let row = Rect::from_min_size(pos2(8.0, 100.0), egui::vec2(294.0, 24.0));
        for name_width in [0.0, 124.0, 500.0] {
            let columns = Columns::new(row, name_width);
            let [left, right] = columns.sides;
            assert!(left.width() >= LEAST_BAR_WIDTH && left.width() == right.width(), "{name_width}");
            assert!(columns.name.right() < left.left() && left.right() <= columns.link.left());
            assert_eq!((columns.wide.left(), columns.wide.right()), (left.left(), right.right()));
            assert_eq!(right.right(), row.right());
        }
    }
}
