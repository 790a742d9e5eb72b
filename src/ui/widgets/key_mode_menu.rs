//! How the keys of channels act on what is below: the menu of the curves and of a channel's slider.

use egui::DragValue;

use smirk_editor::session::Session;
use smirk_face::motion::{Extrapolation, KeyMode};

/// Replace or add, and what happens before the first and after the last key.
pub(crate) fn key_mode_menu_ui(ui: &mut egui::Ui, session: &mut Session, channels: &[usize]) {
    let Some(curve) =
        channels.first().and_then(|&channel| session.keys().curve(&session.head.channels[channel].full_name).cloned())
    else {
        return;
    };
    for mode in KeyMode::ALL {
        let tip = match mode {
            KeyMode::Replace => "The keys alone set the channel",
            KeyMode::Add => "The keys are added to the clip or the take below",
        };
        if ui.radio(curve.mode == mode, mode.label()).on_hover_text(tip).clicked() {
            channels.iter().for_each(|&channel| session.set_key_mode(channel, mode));
        }
    }
    ui.separator();
    let mut ends = [curve.before, curve.after];
    for (ends, name) in ends.iter_mut().zip(["Before the first key", "After the last key"]) {
        extrapolation_ui(ui, ends, name);
    }
    if ends != [curve.before, curve.after] {
        channels.iter().for_each(|&channel| session.set_key_extrapolation(channel, ends[0], ends[1]));
    }
}

fn extrapolation_ui(ui: &mut egui::Ui, ends: &mut Extrapolation, name: &str) {
    ui.horizontal(|ui| {
        let mut fades = matches!(ends, Extrapolation::Fade(_));
        if ui.checkbox(&mut fades, format!("{name}, fade out")).clicked() {
            *ends = if fades { Extrapolation::Fade(0.5) } else { Extrapolation::Hold };
        }
        if let Extrapolation::Fade(secs) = ends {
            let field = DragValue::new(secs).range(0.01..=Extrapolation::LONGEST_SECS).speed(0.01).suffix(" s");
            ui.add(field).accessible_name(format!("{name}, seconds"));
        }
    });
}
