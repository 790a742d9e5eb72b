//! The mark beside a channel's bar: who decides it, and a click that takes it over or gives it back.

use egui::{Id, Rect};

use crate::motion::{Layer, Mix};
use crate::session::Session;
use crate::ui::theme;
use crate::ui::widgets::{Icon, icon_button_ui};

/// Why a row does not follow the hand.
pub fn refusal(mix: &Mix, channel: usize) -> String {
    if matches!(mix.layers[channel], Layer::Muted | Layer::NotSoloed) {
        return "Kept at rest by mute or solo. Click the mark beside it to change that.".into();
    }
    let who = match mix.below_manual[channel] {
        Layer::Keys => "Its keys drive".to_owned(),
        layer => format!("The {} drives", layer.label().to_lowercase()),
    };
    format!("{who} this row. Click the mark beside it to take it over.")
}

/// The mark beside a bar and what a click on it does.
#[derive(Clone, Copy, Debug)]
pub enum Mark {
    /// Something moves the row.
    Locked(Layer),
    /// The hand holds it against that.
    Taken(Layer),
    /// A pose holds it.
    Posed,
    /// It is kept at rest: by its own mute, or because others are soloed.
    Muted,
    /// It is among the few that are heard.
    Soloed,
    /// Others are heard, and it is not.
    NotSoloed,
}

/// The one that a row has, if any.
pub fn mark_of(session: &Session, channel: usize, mix: &Mix) -> Option<Mark> {
    let below = mix.below_manual[channel];
    match mix.layers[channel] {
        Layer::Muted => Some(Mark::Muted),
        Layer::NotSoloed => Some(Mark::NotSoloed),
        _ if session.edits.soloed[channel] => Some(Mark::Soloed),
        _ if session.is_taken(channel, mix) => Some(Mark::Taken(below)),
        _ if session.is_locked(channel, mix) => Some(Mark::Locked(below)),
        Layer::Pose => Some(Mark::Posed),
        _ => None,
    }
}

/// Paints it and does what a click says. `is_lit`: the row has just refused the hand, and this is the way around.
pub fn mark_ui(ui: &mut egui::Ui, rect: Rect, session: &mut Session, channel: usize, mark: Mark, is_lit: bool) {
    if is_lit {
        ui.painter().rect_filled(rect, theme::ROUNDING, theme::DRIVEN);
    }
    let name = session.head.channels[channel].name.clone();
    let (icon, color, label, tip) = match mark {
        Mark::Locked(layer) => (
            Icon::of_layer(layer),
            theme::DRIVEN_BRIGHT,
            format!("Take over {name}"),
            format!("{}: it decides this row. Click to take it over.", layer.label()),
        ),
        Mark::Taken(layer) => (
            Icon::GiveBack,
            theme::TEXT_WEAK,
            format!("Give back {name}"),
            format!("Taken over. Click to give it back: {}.", layer.label()),
        ),
        Mark::Posed => (
            Icon::Face,
            theme::POSED_BRIGHT,
            format!("Hold {name}"),
            "A pose decides this row. Click to hold it where it is.".to_owned(),
        ),
        Mark::Muted => (
            Icon::Mute,
            theme::WARNING,
            format!("Unmute {name}"),
            "Muted: kept at rest. Click to hear it again.".into(),
        ),
        Mark::Soloed => {
            (Icon::Solo, theme::ACCENT_BRIGHT, format!("Unsolo {name}"), "Soloed: others are kept at rest.".to_owned())
        }
        Mark::NotSoloed => (
            Icon::Solo,
            theme::MARK_FAINT,
            format!("Solo {name}"),
            "Kept at rest: others are soloed. Click to add it.".into(),
        ),
    };
    if icon_button_ui(ui, rect, Id::unique(("mark", channel)), (icon, color), &label, &tip).clicked() {
        match mark {
            Mark::Locked(_) => session.take_over(channel),
            Mark::Taken(_) => session.give_back(channel),
            Mark::Posed => session.hold_here(channel),
            Mark::Muted => session.toggle_mute(channel),
            Mark::Soloed | Mark::NotSoloed => session.toggle_solo(channel),
        }
    }
}
