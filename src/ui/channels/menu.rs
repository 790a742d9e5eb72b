//! The menu of a channel's slider: what drives it, its keys, solo and mute, its pair.

use egui::Button;

use smirk_analysis::mend::{Kind, SetExpression};
use smirk_face::head::{Pair, PairKind};
use smirk_face::motion::{KeyMode, Layer};
use smirk_session::Session;

use super::ChannelList;
use crate::context::PanelContext;
use crate::curve_selection::CurveItem;
use crate::notes;
use crate::report::{explained, mends_of_shape};
use crate::state::Page;
use crate::widgets::{checkbox_ui, key_mode_menu_ui, text};

impl ChannelList {
    pub(super) fn menu_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, pair: usize, channel: usize) {
        let (session, mix) = (&mut *cx.session, &*cx.mix);
        let below = mix.below_manual[channel];
        if session.is_driven(channel, mix) {
            if ui.button(format!("Take over from {}", below.label().to_lowercase())).clicked() {
                session.channel_mut(channel).take_over();
            }
        } else if session.is_taken(channel, mix)
            && ui.button(format!("Give back to {}", below.label().to_lowercase())).clicked()
        {
            session.channel_mut(channel).give_back();
        }
        if session.head.correctives.of_channel(channel).is_some() {
            checkbox_ui(ui, &mut session.edits.plays_correctives, "Play correctives");
        }
        if !session.follows_others(channel) {
            keys_ui(ui, session, channel);
        }
        ui.separator();
        if ui.add(item(if session.bound().sliders.soloed[channel] { "Unsolo" } else { "Solo" }, "S")).clicked() {
            session.channel_mut(channel).toggle_solo();
        }
        if ui.add(item(if session.bound().sliders.muted[channel] { "Unmute" } else { "Mute" }, "M")).clicked() {
            session.channel_mut(channel).toggle_mute();
        }
        ui.separator();
        if ui.button("Heat map of this").clicked() {
            session.edits.show_heat_of(&session.head, channel);
        }
        let mends = mends_of_shape(&session.head, channel);
        if !mends.is_empty() {
            ui.menu_button("Mend", |ui| {
                for mend in mends {
                    if ui.button(mend.kind.label()).on_hover_text(explained(&mend.kind)).clicked() {
                        cx.marks.new_mend = Some(mend);
                        cx.state.open_page(Page::Report);
                    }
                }
            });
        }
        if let Some(expression) = session.head.expression_of(channel) {
            for (text, delete) in [("Edit expression…", false), ("Delete expression", true)] {
                if ui.button(text).clicked() {
                    let set = SetExpression { name: expression.name.clone(), delete, ..SetExpression::default() };
                    cx.marks.new_mend = Some(Kind::Expression(set).into());
                    cx.state.open_page(Page::Report);
                }
            }
        }
        curves_item_ui(ui, cx, &[channel]);
        if ui.add(item("Add note", "Shift+N")).clicked() {
            notes::add_on(cx, &[channel]);
        }
        let session = &mut *cx.session;
        ui.separator();
        if ui.button("Reset").clicked() {
            session.channel_mut(channel).reset();
        }
        let other = session.head.mirror_of(channel);
        if other != channel && ui.button("Mirror to the other side").clicked() {
            session.channel_mut(channel).mirror();
        }
        // Channels that only share a row are no pair until the user links them.
        let Pair { first, second, kind, .. } = session.head.pairs[pair].clone();
        if let Some(second) = second {
            let is_linked = session.bound().linked[pair];
            let is_pair = kind != PairKind::Neighbours || is_linked;
            if is_pair && ui.button("Reset pair").clicked() {
                session.channels_mut([first, second]).reset();
            }
            let other = &session.head.channels[if channel == first { second } else { first }].name;
            let label = match (is_linked, is_pair) {
                (true, _) => "Unlink pair".to_owned(),
                (false, true) => "Link pair".to_owned(),
                (false, false) => format!("Link with {}", text::shown(other)),
            };
            if ui.button(label).clicked() {
                session.edits.link_pair(&session.head, pair, !is_linked);
            }
        }
        let has_several = session.head.moving_targets(channel).len() > 1;
        if has_several && !self.expanded_channels.contains(&channel) && ui.button("One slider per mesh").clicked() {
            self.expanded_channels.insert(channel);
        }
    }
}

fn curves_item_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, channels: &[usize]) {
    let session = &*cx.session;
    let can_show = session.timeline_secs() > 0.0
        && channels.iter().any(|&channel| {
            matches!(cx.mix.below_manual[channel], Layer::Clip | Layer::Take | Layer::Keys)
                || !session.keys().keys_of(&session.head.channels[channel].full_name).is_empty()
        });
    let name = if channels.len() > 1 { "Show both curves" } else { "Show curve" };
    let item = ui.add_enabled(can_show, Button::new(name));
    if item
        .on_disabled_hover_text("Nothing that has a curve drives it: choose a clip or a take, or set a key")
        .clicked()
    {
        cx.state.panels.curves_open = true;
        cx.marks.curve_selection.lists_columns = false;
        cx.marks.curve_selection.items = channels.iter().copied().map(CurveItem::Channel).collect();
    }
}

/// The commands for the keys of the channel and of its linked partner: those that the menu of the curves has, too.
pub(crate) fn keys_ui(ui: &mut egui::Ui, session: &mut Session, channel: usize) {
    let time_secs = session.clock.timeline.time_secs;
    let name = session.head.channels[channel].full_name.clone();
    let curve = session.keys().curve(&name).cloned();
    let has_key_here = curve.as_ref().is_some_and(|curve| curve.key_at(time_secs).is_some());
    let when = session.edits.timeline.text(time_secs);
    if ui.add(item(&format!("Set key at {when}"), "K")).clicked() {
        session.keys_mut().key(channel);
    }
    let Some(curve) = curve else { return };
    if ui.add_enabled(has_key_here, Button::new(format!("Delete the key at {when}"))).clicked() {
        session.keys_mut().edit_channel(channel, |keys, name| _ = keys.remove(name, time_secs));
    }
    if ui.button("Delete its keys").clicked() {
        session.keys_mut().edit_channel(channel, |keys, name| keys.clear(name));
    }
    let title = match curve.mode {
        KeyMode::Replace => "Its keys override what is below",
        KeyMode::Add => "Its keys add to what is below",
    };
    ui.menu_button(title, |ui| key_mode_menu_ui(ui, session, &[channel]));
}

pub(super) fn pair_menu_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, pair: usize) {
    let session = &mut *cx.session;
    let Pair { first, second, .. } = session.head.pairs[pair].clone();
    let is_linked = session.bound().linked[pair];
    if ui.add(item("Key pair", "K")).clicked() {
        session.edit_pair(pair, |session, channel| session.keys_mut().key(channel));
    }
    ui.separator();
    if ui.add(item("Solo pair", "S")).clicked() {
        session.edit_pair(pair, |session, channel| session.channel_mut(channel).toggle_solo());
    }
    if ui.add(item("Mute pair", "M")).clicked() {
        session.edit_pair(pair, |session, channel| session.channel_mut(channel).toggle_mute());
    }
    ui.separator();
    let channels: Vec<usize> = [Some(first), second].into_iter().flatten().collect();
    curves_item_ui(ui, cx, &channels);
    if ui.add(item("Add note", "Shift+N")).clicked() {
        notes::add_on(cx, &channels);
    }
    let session = &mut *cx.session;
    ui.separator();
    if ui.button("Reset pair").clicked() {
        session.channels_mut(channels).reset();
    }
    if let Some(second) = second {
        for (from, name) in [(first, "Mirror left to right"), (second, "Mirror right to left")] {
            if ui.button(name).clicked() {
                session.channel_mut(from).mirror();
            }
        }
    }
    if ui.button(if is_linked { "Unlink pair" } else { "Link pair" }).clicked() {
        session.edits.link_pair(&session.head, pair, !is_linked);
    }
}

fn item<'a>(text: &str, keys: &'a str) -> Button<'a> {
    Button::new(text.to_owned()).shortcut_text(keys)
}
