//! The button next to a channel's slider. Its icon shows what drives the channel; a click takes the channel over or
//! gives it back.

use egui::{Id, Rect};

use crate::motion::{Layer, Mix};
use crate::session::Session;
use crate::ui::theme;
use crate::ui::widgets::{Icon, icon_button_ui};

/// Why a read-only slider does not move.
pub(super) fn refusal(mix: &Mix, channel: usize) -> String {
    if matches!(mix.layers[channel], Layer::Muted | Layer::NotSoloed) {
        return "Muted, or other channels are soloed. Click the icon to change that.".into();
    }
    format!("Driven by {}. Click the icon to take it over.", mix.below_manual[channel].label().to_lowercase())
}

/// What drives a channel, other than its slider alone.
#[derive(Clone, Copy, Debug)]
pub(super) enum ChannelStatus {
    /// Animation drives the channel.
    Driven(Layer),
    /// The slider overrides the layer that would drive the channel.
    TakenOver(Layer),
    /// A pose drives the channel.
    Posed,
    /// The channel is muted.
    Muted,
    /// The channel is soloed.
    Soloed,
    /// Other channels are soloed, so this one is kept at rest.
    NotSoloed,
}

/// The status of a channel; `None` if only its slider sets it.
pub(super) fn status_of(session: &Session, channel: usize, mix: &Mix) -> Option<ChannelStatus> {
    let below = mix.below_manual[channel];
    match mix.layers[channel] {
        Layer::Muted => Some(ChannelStatus::Muted),
        Layer::NotSoloed => Some(ChannelStatus::NotSoloed),
        _ if session.edits.soloed[channel] => Some(ChannelStatus::Soloed),
        _ if session.is_taken(channel, mix) => Some(ChannelStatus::TakenOver(below)),
        _ if session.is_locked(channel, mix) => Some(ChannelStatus::Driven(below)),
        Layer::Pose => Some(ChannelStatus::Posed),
        _ => None,
    }
}

/// Shows the button and handles a click. `is_highlighted`: the user has just tried to drag the read-only slider, so the
/// button is highlighted as the way to edit it.
pub(super) fn status_button_ui(
    ui: &mut egui::Ui,
    rect: Rect,
    session: &mut Session,
    channel: usize,
    status: ChannelStatus,
    is_highlighted: bool,
) {
    if is_highlighted {
        ui.painter().rect_filled(rect, theme::ROUNDING, theme::DRIVEN);
    }
    let name = session.head.channels[channel].name.clone();
    let (icon, color, label, tip) = match status {
        ChannelStatus::Driven(layer) => (
            Icon::of_layer(layer),
            theme::DRIVEN_BRIGHT,
            format!("Take over {name}"),
            format!("Driven by {}. Click to take over.", layer.label().to_lowercase()),
        ),
        ChannelStatus::TakenOver(layer) => (
            Icon::GiveBack,
            theme::TEXT_WEAK,
            format!("Give back {name}"),
            format!("Taken over. Click to give back to {}.", layer.label().to_lowercase()),
        ),
        ChannelStatus::Posed => (
            Icon::Face,
            theme::POSED_BRIGHT,
            format!("Take over {name}"),
            "Driven by a pose. Click to take over.".to_owned(),
        ),
        ChannelStatus::Muted => {
            (Icon::Mute, theme::WARNING, format!("Unmute {name}"), "Muted. Click to unmute.".into())
        }
        ChannelStatus::Soloed => {
            (Icon::Solo, theme::ACCENT_BRIGHT, format!("Unsolo {name}"), "Soloed. Click to unsolo.".to_owned())
        }
        ChannelStatus::NotSoloed => (
            Icon::Solo,
            theme::ICON_FAINT,
            format!("Solo {name}"),
            "Other channels are soloed. Click to solo this one too.".into(),
        ),
    };
    if icon_button_ui(ui, rect, Id::unique(("status", channel)), (icon, color), &label, &tip).clicked() {
        match status {
            ChannelStatus::Driven(_) => session.take_over(channel),
            ChannelStatus::TakenOver(_) => session.give_back(channel),
            ChannelStatus::Posed => session.make_manual(channel),
            ChannelStatus::Muted => session.toggle_mute(channel),
            ChannelStatus::Soloed | ChannelStatus::NotSoloed => session.toggle_solo(channel),
        }
    }
}
