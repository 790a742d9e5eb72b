//! The row of buttons over the graph: graph or dope sheet, tangents, what keys do to what is below, view and time.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Button, Color32, DragValue, PopupCloseBehavior, vec2};

use smirk_face::motion::{FrameRate, KeyMode, Layer, Tangents, TimeDisplay};
use smirk_session::Session;

use super::CurvesPanel;
use super::key_commands::{TANGENTS, set_tangents};
use crate::context::PanelContext;
use crate::shortcuts::CurvesAction;
use crate::theme;
use crate::widgets::{Icon, NumberField, checkbox_ui, icon_button_inline_ui, key_mode_menu_ui, radio_ui};

pub(super) const HEIGHT: f32 = theme::BAR_HEIGHT + theme::GAP_SMALL;

/// The width of the row without the buttons of the tangents.
pub(super) const LEAST_WIDTH: f32 = 312.0;
/// A narrower row has no room for the buttons of the tangents.
const LEAST_WIDTH_WITH_TANGENTS: f32 = 466.0;

impl CurvesPanel {
    pub(super) fn toolbar_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let width = ui.available_width();
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            if toggle_ui(ui, !self.shows_dope_sheet, Icon::Curves, "Graph", "Graph (D)") {
                self.shows_dope_sheet = false;
            }
            if toggle_ui(ui, self.shows_dope_sheet, Icon::DopeSheet, "Dope sheet", "Dope sheet: keys as rows (D)") {
                self.shows_dope_sheet = true;
            }
            ui.separator();
            // The menu of the keys has the same items.
            if width >= LEAST_WIDTH_WITH_TANGENTS {
                self.tangents_ui(ui, cx.session);
            }
            self.mode_ui(ui, cx);
            let is_on = cx.session.edits.timeline.auto_keys;
            let color = if is_on { theme::layer_tint(Layer::Keys).bright } else { theme::ICON_WEAK };
            let tip = "Auto key: set keys while a slider is dragged (Alt+K)";
            if icon_button_inline_ui(ui, (Icon::Diamond, color), "Auto key", tip).clicked() {
                cx.session.edits.timeline.auto_keys = !is_on;
            }
            ui.separator();
            if toggle_ui(ui, false, Icon::Fit, "Fit", "Fit the selected keys (F), or all (A)") {
                self.act(CurvesAction::FitSelection, cx);
            }
            if !self.shows_dope_sheet {
                let tip = "Each curve with its own range (N)";
                if toggle_ui(ui, self.is_normalised, Icon::Normalise, "Normalise", tip) {
                    self.act(CurvesAction::Normalise, cx);
                }
                let tip = "Difference: A minus B, B being what the face is compared with";
                if toggle_ui(ui, self.shows_difference, Icon::Difference, "Difference", tip) {
                    self.shows_difference = !self.shows_difference;
                }
            }
            ui.separator();
            self.time_ui(ui, cx);
        });
    }

    /// One button per kind of tangents, for the selected keys. The kind that all of them have is bright.
    fn tangents_ui(&self, ui: &mut egui::Ui, session: &mut Session) {
        let selection = &self.keys.selection;
        let mut kinds = selection.keys_in(session.keys()).map(|(_, key)| std::mem::discriminant(&key.tangents));
        let first = kinds.next();
        let common = first.filter(|first| kinds.all(|kind| kind == *first));
        drop(kinds);
        ui.add_enabled_ui(!selection.is_empty(), |ui| {
            for (tangents, name) in TANGENTS {
                let icon = match tangents {
                    Tangents::Auto => Icon::TangentAuto,
                    Tangents::Linear => Icon::TangentLinear,
                    Tangents::Step => Icon::TangentStep,
                    Tangents::Free(_) => Icon::TangentFree,
                    Tangents::Broken { .. } => Icon::TangentBroken,
                };
                let is_common = common == Some(std::mem::discriminant(&tangents));
                let color: Color32 = if is_common { theme::ACCENT_BRIGHT } else { theme::TEXT_WEAK };
                let tip = format!("{name} tangents for the selected keys");
                if icon_button_inline_ui(ui, (icon, color), &format!("{name} tangents"), &tip).clicked() {
                    set_tangents(session, selection, tangents);
                }
            }
        });
    }

    fn mode_ui(&self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let channels = self.acts_on(cx);
        let session = &mut *cx.session;
        let names = channels.iter().map(|&channel| &session.head.channels[channel].full_name);
        let mut modes = names.filter_map(|name| Some(session.keys().curve(name)?.mode));
        let first = modes.next();
        let text = match first {
            Some(first) if modes.all(|mode| mode == first) => first.label(),
            Some(_) => "Mixed",
            None => KeyMode::Replace.label(),
        };
        ui.add_enabled_ui(!channels.is_empty(), |ui| {
            let response = open_menu_ui(ui, text, |ui| key_mode_menu_ui(ui, session, &channels));
            response
                .accessible_name("Keys over what is below")
                .on_hover_text("Whether keys override what is below, or are added to it");
        });
    }

    fn time_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let text = format!("{} fps", cx.session.edits.timeline.rate.label());
        let response = open_menu_ui(ui, &text, |ui| {
            ui.set_min_width(180.0);
            let session = &mut *cx.session;
            rate_ui(ui, session);
            ui.separator();
            let timeline = &mut session.edits.timeline;
            for &display in TimeDisplay::ALL {
                if radio_ui(ui, timeline.display == display, display.label()).clicked() {
                    timeline.display = display;
                }
            }
            ui.separator();
            checkbox_ui(ui, &mut timeline.snaps, "Snap to frames");
            ui.separator();
            let timeline = session.timeline();
            let (has_in, has_out) = (timeline.in_secs.is_some(), timeline.out_secs.is_some());
            if shortcut_ui(ui, true, "Set in at the play head", "I") {
                session.timeline_mut().set_in(true);
            }
            if shortcut_ui(ui, true, "Set out at the play head", "O") {
                session.timeline_mut().set_out(true);
            }
            if shortcut_ui(ui, has_in, "Clear in", "Alt+I") {
                session.timeline_mut().set_in(false);
            }
            if shortcut_ui(ui, has_out, "Clear out", "Alt+O") {
                session.timeline_mut().set_out(false);
            }
            ui.separator();
            self.time_items_ui(ui, cx);
        });
        response
            .accessible_name("Timeline settings")
            .on_hover_text("Frame rate, how times are shown, and the range that plays");
    }
}

fn shortcut_ui(ui: &mut egui::Ui, is_enabled: bool, text: &str, keys: &str) -> bool {
    ui.add_enabled(is_enabled, Button::new(text).shortcut_text(keys)).clicked()
}

fn toggle_ui(ui: &mut egui::Ui, is_on: bool, icon: Icon, label: &str, tip: &str) -> bool {
    let color = if is_on { theme::ACCENT_BRIGHT } else { theme::ICON_WEAK };
    icon_button_inline_ui(ui, (icon, color), label, tip).clicked()
}

/// A button with a menu that stays open while something is chosen in it.
fn open_menu_ui(ui: &mut egui::Ui, text: &str, contents: impl FnOnce(&mut egui::Ui)) -> egui::Response {
    let button = Button::new(text).min_size(vec2(60.0, theme::BAR_HEIGHT));
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    MenuButton::from_button(button).config(config).ui(ui, contents).0
}

fn rate_ui(ui: &mut egui::Ui, session: &mut Session) {
    let rate = &mut session.edits.timeline.rate;
    egui::Grid::new("rates").num_columns(5).spacing(vec2(theme::GAP, theme::GAP_SMALL)).show(ui, |ui| {
        for (index, usual) in FrameRate::USUAL.into_iter().enumerate() {
            if radio_ui(ui, *rate == usual, usual.label()).clicked() {
                *rate = usual;
            }
            if index % 5 == 4 {
                ui.end_row();
            }
        }
    });
    ui.horizontal(|ui| {
        let mut own = rate.frames_per_sec();
        let [least, most] = FrameRate::LIMITS;
        let field = DragValue::new(&mut own).range(least..=most).speed(0.1).max_decimals(3).suffix(" fps");
        let response = ui.add(NumberField(field)).accessible_name("Frames per second");
        if response.changed() {
            *rate = FrameRate::nearest(own);
        }
        ui.weak("or any other");
    });
}
