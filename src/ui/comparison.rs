//! A and B: what the face is compared with is shown while B is held, beside A, over it, or as a heat map of the
//! difference.

use egui::containers::menu::MenuButton;
use egui::{Align2, Button, Key, Rect, Role, ScrollArea, Sense, Slider, Stroke, WidgetInfo, vec2};

use smirk_scene::{HeatAgainst, ViewMode};
use smirk_session::{ComparedWith, Session, TakeEntry};

use crate::command::{Command, OpenAs};
use crate::context::PanelContext;
use crate::state::{ShownB, UiState};
use crate::theme;
use crate::widgets::text::{self, short_b_name, short_take_name, whole_b_name};
use crate::widgets::{checkbox_ui, keys_are_taken, radio_ui};

const MENU_WIDTH: f32 = 240.0;

/// Notices whether B is held down. Keys that are typed into a field or a list do not count.
pub(crate) fn follow_key(ctx: &egui::Context, cx: &mut PanelContext<'_>) {
    let is_held = ctx.input(|input| input.key_down(Key::B) && input.modifiers.is_none());
    let (is_covered, has_b) = (cx.is_covered(), cx.session.b().exists());
    let state = &mut *cx.state;
    state.holds_b = is_held && !is_covered && !keys_are_taken(ctx);
    state.shows_b = state.holds_b && state.comparison.shown != ShownB::Beside && has_b;
    // Over a heat map of their difference, B would change its colours.
    let is_over =
        state.comparison.shown == ShownB::Over && !state.shows_b && has_b && !cx.session.edits.look.shows_comparison();
    state.b_opacity = is_over.then_some(state.comparison.opacity.clamp(0.0, 1.0));
}

/// A button of the transport bar that chooses what B is, and how it is shown.
pub(crate) fn comparison_menu_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let button = Button::new("A/B").min_size(vec2(44.0, theme::BAR_HEIGHT));
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        ui.set_width(MENU_WIDTH);
        ui.weak("B is");
        for &with in ComparedWith::ALL {
            let version = cx.session.open_version.as_ref().filter(|_| with == ComparedWith::Version);
            let label = version.map_or(with.label().to_owned(), |open| text::shown(&open.source.name()).into_owned());
            if radio_ui(ui, cx.session.compared_with == with, label).clicked() {
                if with == ComparedWith::Version && version.is_none() {
                    cx.commands.push(Command::Choose(OpenAs::Version));
                } else {
                    cx.session.compared_with = with;
                }
                ui.close();
            }
            if with == ComparedWith::Take {
                takes_ui(ui, cx.session);
            }
        }
        ui.separator();
        ui.weak("Shown");
        shown_ui(ui, cx);
    });
    response.accessible_name("Compared with").on_hover_ui(|ui| {
        if cx.session.b().exists() {
            ui.label(format!("Hold B to see {} in the picture", text::shown(&whole_b_name(cx.session))));
        } else {
            ui.label(cx.session.compared_with.why_none());
        }
    });
}

pub(crate) fn shown_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let comparison = &mut cx.state.comparison;
    ui.horizontal(|ui| {
        for &shown in ShownB::ALL {
            let choice = ui.selectable_label(comparison.shown == shown, shown.label());
            if choice.on_hover_text(shown.purpose()).clicked() {
                comparison.shown = shown;
            }
        }
    });
    // It has its place also while it does nothing, so that what is below does not move.
    let slider = Slider::new(&mut comparison.opacity, 0.0..=1.0).fixed_decimals(2).text("opacity of B");
    let slider = ui.add_enabled(comparison.shown == ShownB::Over, slider).accessible_name("Opacity of B");
    slider.on_disabled_hover_text("B is half transparent as an onion skin only");
    let mut is_difference = cx.session.edits.look.shows_comparison();
    let tip = "A heat map of how far A is from B now, in millimetres of the head";
    if checkbox_ui(ui, &mut is_difference, "Difference").on_hover_text(tip).changed() {
        show_difference(cx.session, is_difference);
    }
    let tip =
        "How far A is from B at each frame, as a curve under the timeline: the mean of all vertices, and the lips";
    let errors = checkbox_ui(ui, &mut cx.state.comparison.errors, "Error over time");
    let why = if cx.session.timeline_secs() > 0.0 { cx.session.compared_with.why_none() } else { "Nothing plays" };
    errors.on_hover_ui(|ui| {
        ui.label(tip);
        if !cx.session.b().exists() || cx.session.timeline_secs() <= 0.0 {
            ui.weak(why);
        }
    });
}

fn show_difference(session: &mut Session, is_shown: bool) {
    let edits = &mut *session.edits;
    edits.look.view = if is_shown { ViewMode::Heat } else { ViewMode::Shaded };
    if is_shown {
        (edits.heat_channel, edits.look.heat.against) = (None, HeatAgainst::Compared);
    }
}

fn takes_ui(ui: &mut egui::Ui, session: &mut Session) {
    let others = session.edits.playable_takes().filter(|entry| session.edits.take != Some(entry.id));
    let others: Vec<TakeEntry> = others.cloned().collect();
    if others.is_empty() {
        return;
    }
    ui.indent("takes", |ui| {
        ScrollArea::vertical().max_height(8.0 * theme::ROW_HEIGHT).show(ui, |ui| {
            for entry in others {
                let width = MENU_WIDTH - ui.spacing().indent - 2.0 * theme::GAP;
                let short = short_take_name(session, &entry);
                let shown = text::elide_middle(ui.painter(), &short, &theme::body_font(), width);
                let is_b = session.b().take().is_some_and(|b| b.id == entry.id);
                let row = ui.selectable_label(is_b, shown).accessible_name(format!("Compare with {}", entry.take.name));
                if row.on_hover_text(text::shown(&entry.take.name)).clicked() {
                    session.compared_with = ComparedWith::Take;
                    session.edits.compared_take = Some(entry.id);
                    ui.close();
                }
            }
        });
    });
}

/// The label of A while B is shown; if B is another version, with the name of A's file.
fn a_name(session: &Session) -> String {
    match session.b().version() {
        Some(_) => format!("A: {}", text::shown(&session.source.name())),
        None => "A".into(),
    }
}

fn b_name(session: &Session) -> String {
    format!("B: {}", text::shown(&short_b_name(session)))
}

/// The left and the right half of a viewport, or twice the whole viewport while one picture fills it.
pub(crate) fn halves(viewport: Rect, state: &UiState) -> [Rect; 2] {
    if state.beside_min_px.is_none() {
        return [viewport; 2];
    }
    let middle = viewport.center().x;
    [viewport.with_max_x(middle), viewport.with_min_x(middle)]
}

pub(crate) fn badges_ui(ui: &mut egui::Ui, viewport: Rect, cx: &PanelContext<'_>) {
    let (session, state) = (&*cx.session, &*cx.state);
    if state.beside_min_px.is_some() {
        let [left, right] = halves(viewport, state);
        ui.painter().vline(viewport.center().x, viewport.y_range(), Stroke::new(1.0, theme::TEXT_WEAK));
        badge_ui(ui, left, &a_name(session));
        badge_ui(ui, right, &b_name(session));
    } else if state.shows_b {
        badge_ui(ui, viewport, &b_name(session));
    } else if state.b_opacity.is_some() {
        badge_ui(ui, viewport, &format!("{} over {}", b_name(session), a_name(session)));
    } else if session.compared_with == ComparedWith::Version && session.open_version.is_some() {
        if session.version().is_none() {
            badge_ui(ui, viewport, "Comparing the versions again…");
        }
    } else if state.holds_b || state.comparison.shown != ShownB::Held {
        badge_ui(ui, viewport, session.compared_with.why_none());
    }
}

fn badge_ui(ui: &mut egui::Ui, picture: Rect, text: &str) {
    let font = theme::body_font();
    let shown = text::elide_middle(ui.painter(), text, &font, picture.width() - 48.0);
    let galley = ui.painter().layout_no_wrap(shown, font, theme::TEXT);
    let size = galley.size() + vec2(2.0 * theme::GAP, theme::GAP);
    let rect = Align2::CENTER_TOP.anchor_size(picture.center_top() + vec2(0.0, 12.0), size);
    ui.painter().rect_filled(rect, theme::ROUNDING_LARGE, theme::OVERLAY);
    ui.painter().galley(rect.center() - galley.size() * 0.5, galley, theme::TEXT);
    let id = ui.scope_id().with(text);
    ui.interact(rect, id, Sense::hover()).widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
}
