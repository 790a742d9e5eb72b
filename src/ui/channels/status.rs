//! The button next to a channel's slider. Its icon shows what drives the channel; a click takes the channel over or
//! gives it back.

use egui::{Color32, Grid, Rect, Vec2};

use smirk_face::motion::{Layer, Mix};
use smirk_session::Session;

use super::id_of;
use crate::theme;
use crate::widgets::{Icon, icon_button_ui, text};

/// Width and height of a mark in a row of text.
const MARK_SIZE: f32 = 14.0;

pub(super) const MUTED: &str = "Muted, or other channels are soloed. Click the icon to change that.";
pub(super) const LOCKED: &str = "It follows other channels. Click the icon to show them.";

/// What drives a channel, other than its slider alone.
#[derive(Clone, Copy, Debug)]
pub(super) enum ChannelStatus {
    /// A layer below the slider drives the channel.
    Driven(Layer),
    Follows,
    /// The slider overrides the layer that would drive the channel.
    TakenOver(Layer),
    Muted,
    Soloed,
    /// Other channels are soloed, so this one is kept at rest.
    NotSoloed,
}

impl ChannelStatus {
    fn mark(self) -> (Icon, Color32) {
        match self {
            Self::Driven(layer) => (Icon::of_layer(layer), theme::layer_tint(layer).bright),
            Self::Follows => Self::Driven(Layer::Corrective).mark(),
            // The hue of what would drive the channel again.
            Self::TakenOver(layer) => (Icon::GiveBack, theme::layer_tint(layer).bright),
            Self::Muted => (Icon::Mute, theme::WARNING),
            Self::Soloed => (Icon::Solo, theme::ACCENT_BRIGHT),
            Self::NotSoloed => (Icon::Solo, theme::ICON_FAINT),
        }
    }
}

/// The status of a channel; `None` if only its slider sets it.
pub(super) fn status_of(session: &Session, channel: usize, mix: &Mix) -> Option<ChannelStatus> {
    let below = mix.below_manual[channel];
    match mix.layers[channel] {
        Layer::Muted => Some(ChannelStatus::Muted),
        Layer::NotSoloed => Some(ChannelStatus::NotSoloed),
        Layer::Corrective if !session.bound().sliders.soloed[channel] => Some(ChannelStatus::Follows),
        _ if session.bound().sliders.soloed[channel] => Some(ChannelStatus::Soloed),
        _ if session.is_taken(channel, mix) => Some(ChannelStatus::TakenOver(below)),
        _ if session.is_driven(channel, mix) => Some(ChannelStatus::Driven(below)),
        _ => None,
    }
}

/// Shows the button and handles a click. Returns whether the user asks for the channels that drive this one.
pub(super) fn status_button_ui(
    ui: &mut egui::Ui,
    rect: Rect,
    session: &mut Session,
    channel: usize,
    status: ChannelStatus,
) -> bool {
    let name = session.head.channels[channel].name.clone();
    let source = |layer| text::shown(&session.layer_name(layer)).into_owned();
    let (label, tip) = match status {
        ChannelStatus::Driven(layer) => {
            (format!("Take over {name}"), format!("{}. Click, or drag the slider, to take over.", source(layer)))
        }
        ChannelStatus::Follows => {
            let Some(corrective) = session.head.correctives.of_channel(channel) else {
                unreachable!("a channel follows others by its corrective")
            };
            (
                format!("Show what drives {name}"),
                format!("Follows {}. Click to show what drives it.", text::shown(&corrective.drive_in_words())),
            )
        }
        ChannelStatus::TakenOver(layer) => {
            (format!("Give back {name}"), format!("Taken over. Click to give back to {}.", source(layer)))
        }
        ChannelStatus::Muted => (format!("Unmute {name}"), "Muted. Click to unmute.".to_owned()),
        ChannelStatus::Soloed => (format!("Unsolo {name}"), "Soloed. Click to unsolo.".to_owned()),
        ChannelStatus::NotSoloed => {
            (format!("Solo {name}"), "Other channels are soloed. Click to solo this one too.".to_owned())
        }
    };
    let id = id_of("status", &session.head, channel);
    if icon_button_ui(ui, (rect, id), status.mark(), &label, &tip).clicked() {
        match status {
            ChannelStatus::Follows => return true,
            ChannelStatus::Driven(_) => session.channel_mut(channel).take_over(),
            ChannelStatus::TakenOver(_) => session.channel_mut(channel).give_back(),
            ChannelStatus::Muted => session.channel_mut(channel).toggle_mute(),
            ChannelStatus::Soloed | ChannelStatus::NotSoloed => session.channel_mut(channel).toggle_solo(),
        }
    }
    false
}

/// The mark of a layer in a row of text, or its empty place if the layer has none.
pub(super) fn layer_mark_ui(ui: &mut egui::Ui, layer: Layer) {
    let status = match layer {
        Layer::Rest | Layer::Manual => None,
        Layer::NotSoloed => Some(ChannelStatus::NotSoloed),
        Layer::Muted => Some(ChannelStatus::Muted),
        layer => Some(ChannelStatus::Driven(layer)),
    };
    let (_, rect) = ui.allocate_space(Vec2::splat(MARK_SIZE));
    if let Some((icon, color)) = status.map(ChannelStatus::mark) {
        icon.paint(ui.painter(), rect, color);
    }
}

/// Explains the marks on the sliders, for the list of keys: one hue and one icon for each source of motion, in all of
/// the window.
pub(crate) fn legend_ui(ui: &mut egui::Ui) {
    let sources = Layer::DRIVING.into_iter().chain([Layer::Manual, Layer::Corrective]);
    let sources =
        sources.map(|layer| ((Icon::of_layer(layer), theme::layer_tint(layer).bright), layer.label(), layer.about()));
    let others = [
        (ChannelStatus::TakenOver(Layer::Manual), "Taken over", "The slider overrides it; click to give it back"),
        (ChannelStatus::Muted, "Muted", "Kept at rest; click to unmute"),
        (ChannelStatus::Soloed, "Soloed", "All others are kept at rest"),
    ];
    let others = others.map(|(status, name, text)| (status.mark(), name, text));
    Grid::new("legend").num_columns(2).spacing([theme::GAP_LARGE, theme::GAP_SMALL]).show(ui, |ui| {
        for ((icon, color), name, text) in sources.chain(others) {
            ui.horizontal(|ui| {
                let (_, rect) = ui.allocate_space(Vec2::splat(MARK_SIZE));
                icon.paint(ui.painter(), rect, color);
                ui.colored_label(color, name);
            });
            ui.label(text);
            ui.end_row();
        }
    });
}
