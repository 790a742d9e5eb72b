//! The channel list as a flat run of rows of one height, so that only those in sight need laying out.

use crate::head::Region;
use crate::motion::Mix;
use crate::session::Session;
use crate::ui::UiState;

/// One row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// A fold, with the number of its listed channels and how many of them move something.
    Region {
        /// Which.
        region: Region,
        /// Listed channels.
        count: usize,
        /// Of these, the ones that move something.
        active: usize,
    },
    /// Two sliders.
    Pair(usize),
    /// The n-th single targets of a pair's expanded channels.
    Targets {
        /// The pair above.
        pair: usize,
        /// Index into [`crate::head::Head::moving_targets`].
        nth: usize,
    },
}

/// The rows that search, filter and folds leave.
pub fn list(session: &Session, state: &UiState, mix: &Mix) -> Vec<Row> {
    let words: Vec<String> = state.search.split_whitespace().map(str::to_lowercase).collect();
    let is_filtered = !words.is_empty() || state.only_active;
    let mut rows: Vec<Row> = Vec::new();
    let mut header = None;
    for (index, pair) in session.head.pairs.iter().enumerate() {
        let channels = [Some(pair.first), pair.second].into_iter().flatten();
        let is_listed = |channel: usize| {
            matches(session, channel, &words) && (!state.only_active || is_lively(session, channel, mix))
        };
        if state.touched_pair != Some(index) && !channels.clone().any(is_listed) {
            continue;
        }
        let here = match header {
            Some((region, row)) if region == pair.region => row,
            _ => {
                rows.push(Row::Region { region: pair.region, count: 0, active: 0 });
                header = Some((pair.region, rows.len() - 1));
                rows.len() - 1
            }
        };
        if let Row::Region { count, active, .. } = &mut rows[here] {
            *count += channels.clone().count();
            *active += channels.clone().filter(|&channel| session.is_active(channel, &mix.weights)).count();
        }
        // A filter is a question about the whole face: folds would hide the answer.
        if state.folded.contains(&pair.region) && !is_filtered {
            continue;
        }
        rows.push(Row::Pair(index));
        let expanded = channels.filter(|channel| state.expanded.contains(channel));
        let targets = expanded.map(|channel| session.head.moving_targets(channel).len()).max().unwrap_or(0);
        rows.extend((0..targets).map(|nth| Row::Targets { pair: index, nth }));
    }
    rows
}

fn matches(session: &Session, channel: usize, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let channel = &session.head.channels[channel];
    let name = format!("{} {} {}", channel.name, channel.full_name, channel.region).to_lowercase();
    words.iter().all(|word| name.contains(word.as_str()))
}

/// Moves something now, or is moved by something: a driven row that crosses zero must not flicker in and out of the list.
/// What is silenced stays, so that it can be found and let go.
fn is_lively(session: &Session, channel: usize, mix: &Mix) -> bool {
    session.is_active(channel, &mix.weights)
        || mix.below_manual[channel].is_motion()
        || session.edits.muted[channel]
        || session.edits.soloed[channel]
}
