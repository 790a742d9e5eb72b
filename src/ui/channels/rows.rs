//! The channel list as rows of equal height, so that only visible rows need to be laid out.

use crate::UiState;
use smirk_base::names::Search;
use smirk_editor::session::Session;
use smirk_face::head::{Head, Pair, Region};
use smirk_face::motion::Mix;

/// One row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListRow {
    /// The header of a region.
    Region {
        /// The region.
        region: Region,
        /// Number of listed channels.
        count: usize,
        /// Number of listed channels that are active.
        active: usize,
    },
    /// The name that a left and a right channel have in common, with a slider for each.
    Sides {
        /// The pair.
        pair: usize,
        /// The left and the right channel.
        channels: [usize; 2],
    },
    /// The name of a channel and its slider.
    Single {
        /// The pair that the channel belongs to.
        pair: usize,
        /// The channel.
        channel: usize,
    },
    /// The name of a mesh, with a slider for each of its targets that the row above moves.
    Mesh {
        /// The pair.
        pair: usize,
        /// The channel on the left, or the only one, with its target on the mesh; `None` if it has none or is not expanded.
        first: Option<[usize; 2]>,
        /// The channel on the right with its target.
        second: Option<[usize; 2]>,
        /// Whether the row above has a left and a right channel.
        is_sided: bool,
    },
}

impl ListRow {
    /// Whether this is the row with the slider of a channel.
    pub(super) fn has_slider_of(&self, channel: usize) -> bool {
        match self {
            Self::Sides { channels, .. } => channels.contains(&channel),
            Self::Single { channel: of, .. } => *of == channel,
            Self::Region { .. } | Self::Mesh { .. } => false,
        }
    }
}

/// The rows of a pair's channels, without those of single meshes. Left and right share a row; all others have their own.
fn rows_of(index: usize, pair: &Pair) -> Vec<ListRow> {
    match pair.second {
        Some(second) if pair.is_left_and_right => vec![ListRow::Sides { pair: index, channels: [pair.first, second] }],
        second => {
            let channels = [Some(pair.first), second].into_iter().flatten();
            channels.map(|channel| ListRow::Single { pair: index, channel }).collect()
        }
    }
}

/// The rows that remain after search, filter and collapsed regions.
pub(super) fn visible_rows(session: &Session, state: &mut UiState, mix: &Mix) -> Vec<ListRow> {
    let search = Search::new(&state.search);
    let folded = state.folded_regions().clone();
    let mut rows: Vec<ListRow> = Vec::new();
    let mut header = None;
    let is_listed = |channel: usize| {
        matches(session, channel, &search) && (!state.only_active || passes_active_filter(session, channel, mix))
    };
    for (index, pair) in session.head.pairs.iter().enumerate() {
        let any_listed = [Some(pair.first), pair.second].into_iter().flatten().any(is_listed);
        let lists_all = state.edited_pair == Some(index) || (session.edits.linked[index] && any_listed);
        for row in rows_of(index, pair) {
            let channels = match row {
                ListRow::Sides { channels: [left, right], .. } => [Some(left), Some(right)],
                ListRow::Single { channel, .. } => [Some(channel), None],
                ListRow::Region { .. } | ListRow::Mesh { .. } => continue,
            };
            let listed = || channels.into_iter().flatten();
            if !lists_all && !listed().any(is_listed) {
                continue;
            }
            let header_row = match header {
                Some((region, row)) if region == pair.region => row,
                _ => {
                    rows.push(ListRow::Region { region: pair.region, count: 0, active: 0 });
                    header = Some((pair.region, rows.len() - 1));
                    rows.len() - 1
                }
            };
            if let ListRow::Region { count, active, .. } = &mut rows[header_row] {
                *count += listed().count();
                *active += listed().filter(|&channel| session.is_active(channel, &mix.weights)).count();
            }
            if folded.contains(&pair.region) {
                continue;
            }
            rows.push(row);
            rows.extend(mesh_rows(&session.head, state, index, channels));
        }
    }
    rows
}

/// One row for each mesh that the expanded ones of a row's channels move.
fn mesh_rows(head: &Head, state: &UiState, pair: usize, channels: [Option<usize>; 2]) -> Vec<ListRow> {
    let targets = channels.map(|channel| {
        let expanded = channel.filter(|channel| state.expanded_channels.contains(channel));
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
    rows.into_iter().map(|(_, first, second)| ListRow::Mesh { pair, first, second, is_sided }).collect()
}

fn matches(session: &Session, channel: usize, search: &Search) -> bool {
    if search.is_empty() {
        return true;
    }
    let channel = &session.head.channels[channel];
    search.finds(&format!("{} {} {}", channel.name, channel.full_name, channel.region))
}

/// Whether the Active filter lists a channel. Animated channels count even at zero, so that they do not flicker in and
/// out of the list. Muted and soloed channels count too, so that the user finds them again.
fn passes_active_filter(session: &Session, channel: usize, mix: &Mix) -> bool {
    session.is_active(channel, &mix.weights)
        || mix.below_manual[channel].is_motion()
        || session.edits.muted[channel]
        || session.edits.soloed[channel]
}
