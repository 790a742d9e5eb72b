//! What shortcuts, menu items and buttons do.

use crate::widgets::text;
use crate::{Page, PointedAt, UiState, WindowView, curves};
use smirk_editor::session::{Command, LiveCommand, Session};
use smirk_face::motion::Layer;

use super::table::Action;

/// Performs an action.
pub(crate) fn act(
    action: Action,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    match action {
        Action::Open => commands.push(Command::OpenDialog),
        Action::SaveProject => commands.push(Command::SaveProject),
        Action::SaveProjectAs => commands.push(Command::SaveProjectAs),
        Action::Export => state.open_page(Page::Export),
        Action::Quit => commands.push(Command::Quit),
        Action::Undo => {
            session.undo();
        }
        Action::Redo => {
            session.redo();
        }
        Action::ResetAll => {
            session.reset_all();
            commands.push(Command::ShowStatus(reset_text(session)));
        }
        Action::SavePose => {
            state.open_page(Page::Poses);
            state.save_pose(session);
        }
        Action::MirrorFace => session.mirror_mix(),
        Action::KeyChannel => match state.pointed_at {
            Some(PointedAt::Region(region)) => session.key_region(region),
            Some(PointedAt::Pose(pose)) => session.key_pose(pose),
            Some(PointedAt::Channel(_) | PointedAt::Pair(_)) | None => {
                edit_channel(session, state, Session::key_channel)
            }
        },
        Action::KeyMoved => {
            let text = match session.key_moved() {
                0 => "No slider or pose has moved a channel, so no key was set".to_owned(),
                count => format!("Keys set on {}", text::counted(count, "channel")),
            };
            commands.push(Command::ShowStatus(text));
        }
        Action::AutoKeys => session.edits.timeline.auto_keys ^= true,
        Action::MuteChannel => edit_channel(session, state, Session::toggle_mute),
        Action::SoloChannel => edit_channel(session, state, Session::toggle_solo),
        Action::Search => {
            state.panels.left_open = true;
            state.search_focus_requested = true;
        }
        Action::SetMode(mode) => {
            if view.readout.why_unavailable(mode).is_none() {
                session.mode = mode;
            }
        }
        Action::PlayPause => session.toggle_playing(),
        Action::Listen => {
            state.live.is_on = !state.live.is_on;
            state.open_page(Page::Motion);
        }
        Action::Record => commands.push(Command::Live(LiveCommand::Record)),
        Action::Loop => session.clock.timeline.looping = !session.clock.timeline.looping,
        Action::Step(millis) => session.step(millis as f32 / 1000.0),
        Action::StepFrames(count) => session.step_frames(count),
        Action::AddMarker => add_marker(session, state, commands),
        Action::GoToMarker { is_next } => {
            if !session.go_to_marker(is_next) {
                commands.push(Command::ShowStatus("No more markers that way".into()));
            }
        }
        Action::SetIn(is_set) => session.set_in(is_set),
        Action::SetOut(is_set) => session.set_out(is_set),
        Action::Curves(action) => curves::act(action, session, &mut state.curves),
        Action::Rewind => session.seek(session.range_secs()[0]),
        Action::SetView(preset) => session.camera.turn_to(preset, session.head.focus, state.aspect()),
        Action::SetViewMode(view) => session.edits.look.view = view,
        Action::NextViewMode(is_forward) => {
            let view = session.edits.look.view.step(if is_forward { 1 } else { -1 });
            session.edits.look.view = view;
            commands.push(Command::ShowStatus(view.label().to_owned()));
        }
        Action::NextShownB => {
            state.comparison.shown = state.comparison.shown.next();
            commands
                .push(Command::ShowStatus(format!("B is shown: {}", state.comparison.shown.label().to_lowercase())));
        }
        Action::ReferencePlace => match &mut session.edits.reference {
            Some(reference) => reference.toggle_place(),
            None => commands.push(Command::OpenReferenceDialog),
        },
        Action::IsolateFace => session.edits.look.isolates_face ^= true,
        Action::Frame => session.camera.frame(session.head.focus, state.aspect()),
        Action::TogglePanels => {
            let open = !(state.panels.left_open || state.panels.right_open);
            (state.panels.left_open, state.panels.right_open) = (open, open);
        }
        // Without a timeline there is nothing to show, and the panel stays closed.
        Action::ToggleCurves => state.panels.curves_open ^= session.timeline_secs() > 0.0,
        Action::Shortcuts => state.shortcuts_open = !state.shortcuts_open,
    }
}

/// Adds a marker at the play head, and shows the curves, where it can be renamed.
fn add_marker(session: &mut Session, state: &mut UiState, commands: &mut Vec<Command>) {
    if session.timeline_secs() == 0.0 {
        commands.push(Command::ShowStatus("No marker: choose a clip, a take or a sound first".into()));
        return;
    }
    match session.add_marker() {
        Some(_) => state.panels.curves_open = true,
        None => commands.push(Command::ShowStatus("No marker: there are as many as possible".into())),
    }
}

/// What is left to move the face after all sliders were reset.
fn reset_text(session: &Session) -> String {
    let mix = session.mix();
    let count = |layer: Layer| mix.below_manual.iter().filter(|&&below| below == layer).count();
    let driving = Layer::DRIVING.map(|layer| (layer, count(layer))).into_iter().filter(|(_, count)| *count > 0);
    let driving = driving.map(|(layer, count)| {
        format!("{} still drives {}", text::shown(&session.layer_name(layer)), text::counted(count, "channel"))
    });
    let driving: Vec<String> = driving.collect();
    if driving.is_empty() { "All sliders reset".into() } else { format!("All sliders reset. {}", driving.join(". ")) }
}

/// Edits the channel or the pair under the pointer, else the channel with keyboard focus, if there is one.
fn edit_channel(session: &mut Session, state: &UiState, edit: impl Fn(&mut Session, usize)) {
    match state.pointed_at {
        Some(PointedAt::Channel(channel)) if channel < session.head.channels.len() => edit(session, channel),
        Some(PointedAt::Pair(pair)) if pair < session.head.pairs.len() => session.edit_pair(pair, edit),
        _ => {}
    }
}
