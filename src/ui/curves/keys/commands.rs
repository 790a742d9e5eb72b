//! What shortcuts, menus and buttons do to keys and to the graph.

use crate::curves::drawing::{self, CurveItem};
use crate::curves::state::CurvesState;
use smirk_editor::session::Session;
use smirk_face::motion::{CopiedKeys, Key, KeySelection, Tangents};

/// What a shortcut, a menu item or a button of the curves panel does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CurvesAction {
    /// Delete the selected keys.
    Delete,
    /// Copy the selected keys.
    Copy,
    /// Copy the selected keys and delete them.
    Cut,
    /// Paste the copied keys at the play head.
    Paste,
    /// Select all keys of the curves that are drawn.
    SelectAll,
    /// Set the selected keys on the other side of the face.
    Mirror,
    /// Show only the curves of the selected keys, or all curves again.
    Isolate,
    /// Show the selected keys.
    FitSelection,
    /// Show the whole timeline and all values.
    FitAll,
    /// Draw each curve with its own range of values, or all with one.
    Normalise,
    /// Show the dope sheet or the graph.
    DopeSheet,
    /// Insert as much time as is between in and out, at the in point, into everything on the timeline.
    InsertTime,
    /// Delete the time between in and out.
    DeleteTime,
}

/// Performs an action.
pub(crate) fn act(action: CurvesAction, session: &mut Session, curves: &mut CurvesState) {
    curves.keys.update_selection(session);
    let selection = &mut curves.keys.selection;
    match action {
        CurvesAction::Delete => delete(session, selection),
        CurvesAction::Copy | CurvesAction::Cut => {
            if selection.is_empty() {
                return;
            }
            curves.keys.copied = CopiedKeys::of(&session.edits.keys, selection);
            curves.keys.clipboard_text = Some(format!("{} keys", curves.keys.copied.len()));
            if action == CurvesAction::Cut {
                delete(session, selection);
            }
        }
        CurvesAction::Paste => {
            let at_secs = session.clock.timeline.time_secs;
            let name = |channel: usize| session.head.channels[channel].full_name.clone();
            let onto: Vec<String> = curves.selected_channels().map(name).collect();
            let copied = &curves.keys.copied;
            session.edit_keys(|keys| curves.keys.selection = copied.paste(keys, at_secs, &onto));
        }
        CurvesAction::SelectAll => select_all(session, curves),
        CurvesAction::Mirror => {
            let (keys, mirrored) = session.edits.keys.mirrored(selection, |name| session.mirrored_name(name));
            session.edit_keys(|all| *all = keys);
            *selection = mirrored;
        }
        CurvesAction::Isolate => {
            let channels = selection.channels().filter_map(|(name, _)| session.head.channel_named(name));
            let items: std::collections::BTreeSet<_> = channels.map(CurveItem::Channel).collect();
            curves.selected = if curves.selected == items { Default::default() } else { items };
        }
        CurvesAction::FitSelection => fit_selection(session, curves),
        CurvesAction::FitAll => (curves.visible_secs, curves.visible_values) = (None, None),
        CurvesAction::Normalise => {
            curves.is_normalised = !curves.is_normalised;
            curves.visible_values = None;
        }
        CurvesAction::DopeSheet => curves.shows_dope_sheet = !curves.shows_dope_sheet,
        CurvesAction::InsertTime | CurvesAction::DeleteTime => {
            *selection = KeySelection::default();
            curves.told = Some(change_time(session, action == CurvesAction::InsertTime));
        }
    }
}

/// Inserts or deletes time, and says what was done.
fn change_time(session: &mut Session, inserts: bool) -> String {
    let (done, result) = if inserts { ("inserted", session.insert_time()) } else { ("deleted", session.delete_time()) };
    let secs = match result {
        Ok(secs) => secs,
        Err(error) => return error.to_string(),
    };
    let clips = session.clips().count();
    let unchanged = match clips {
        0 => String::new(),
        1 => ". 1 clip of the head stays as it is".to_owned(),
        _ => format!(". {clips} clips of the head stay as they are"),
    };
    format!("{} {done} in all curves{unchanged}", session.edits.timeline.length_text(secs))
}

fn delete(session: &mut Session, selection: &mut KeySelection) {
    let selection = std::mem::take(selection);
    session.edit_keys(|keys| *keys = keys.without(&selection));
}

fn select_all(session: &Session, curves: &mut CurvesState) {
    let sources = drawing::sources(session);
    let mut all = KeySelection::default();
    for channel in (0..session.head.channels.len()).filter(|&channel| curves.is_shown(CurveItem::Channel(channel))) {
        if let Some(name) = sources.key_name(channel) {
            all.add(name, session.edits.keys.of(name).iter().map(|key| key.time_secs));
        }
    }
    curves.keys.selection = all;
}

/// Shows the selected keys with a margin, but not less than half a second and a tenth of a weight.
fn fit_selection(session: &Session, curves: &mut CurvesState) {
    let Some([first, last]) = curves.keys.selection.range_secs() else {
        (curves.visible_secs, curves.visible_values) = (None, None);
        return;
    };
    let margin = ((last - first) * 0.1).max(0.25);
    curves.visible_secs = Some([first - margin, last + margin]);
    if let Some(bounds) = curves.keys.markers.bounds().filter(|_| !session.edits.keys.is_empty()) {
        let [low, high] = bounds.values;
        let margin = ((high - low) * 0.2).max(0.05);
        curves.visible_values = Some([low - margin, high + margin]);
    }
}

/// Gives the selected keys tangents. Free and broken ones start with the slopes that the curves have.
pub(in crate::curves) fn set_tangents(session: &mut Session, selection: &KeySelection, tangents: Tangents) {
    let keys = &session.edits.keys;
    let (keys, _) = keys.changed(selection, |name, key| {
        let curve = keys.curve(name);
        let index = keys.of(name).partition_point(|other| other.time_secs < key.time_secs);
        let [incoming, outgoing] = curve.map_or([0.0; 2], |curve| curve.slopes_at(index));
        let tangents = match tangents {
            Tangents::Free(_) => Tangents::Free(if incoming == 0.0 { outgoing } else { incoming }),
            Tangents::Broken { .. } => Tangents::Broken { incoming, outgoing },
            Tangents::Auto | Tangents::Linear | Tangents::Step => tangents,
        };
        Key { tangents, ..key }
    });
    session.edit_keys(|all| *all = keys);
}
