//! The channel list as rows of equal height, so that only visible rows need to be laid out.

use crate::head::Region;
use crate::motion::Mix;
use crate::names::Search;
use crate::session::Session;
use crate::ui::UiState;

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
    /// The sliders of a pair of channels, or of a single channel.
    Pair(usize),
    /// The sliders of the n-th target of each expanded channel of a pair.
    Targets {
        /// The pair.
        pair: usize,
        /// Index into [`crate::head::Head::moving_targets`].
        nth: usize,
    },
}

/// The rows that remain after search, filter and collapsed regions.
pub(super) fn visible_rows(session: &Session, state: &mut UiState, mix: &Mix) -> Vec<ListRow> {
    let search = Search::new(&state.search);
    let folded = state.folded_regions().clone();
    let mut rows: Vec<ListRow> = Vec::new();
    let mut header = None;
    for (index, pair) in session.head.pairs.iter().enumerate() {
        let channels = [Some(pair.first), pair.second].into_iter().flatten();
        let is_listed = |channel: usize| {
            matches(session, channel, &search) && (!state.only_active || passes_active_filter(session, channel, mix))
        };
        if state.edited_pair != Some(index) && !channels.clone().any(is_listed) {
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
            *count += channels.clone().count();
            *active += channels.clone().filter(|&channel| session.is_active(channel, &mix.weights)).count();
        }
        if folded.contains(&pair.region) {
            continue;
        }
        rows.push(ListRow::Pair(index));
        let expanded = channels.filter(|channel| state.expanded_channels.contains(channel));
        let targets = expanded.map(|channel| session.head.moving_targets(channel).len()).max().unwrap_or(0);
        rows.extend((0..targets).map(|nth| ListRow::Targets { pair: index, nth }));
    }
    rows
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
