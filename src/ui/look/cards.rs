//! The looks that can be chosen: the light set-ups of Smirk and the artist's own looks, each on a card with the face in
//! it.

use egui::{Align2, Button, FontId, Id, Key, Modifiers, Rect, Role, Sense, Vec2, WidgetInfo, vec2};

use smirk_scene::{LightSetup, Look, NamedLook};

use crate::context::PanelContext;
use crate::theme;
use crate::thumbnails::{LookId, thumbnail_ui};
use crate::widgets::{EntryOutcome, EntryStyle, TextEntry, context_menu_ui, has_keys, text};

const LEAST_CARD_WIDTH: f32 = 68.0;
const NAME_HEIGHT: f32 = 20.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LookAction {
    Apply,
    Rename,
    Update,
    Delete,
}

pub(super) fn looks_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    cx.state.thumbnail_textures.remove_outdated(cx.readings.thumbnails_of(&cx.session.head));
    let setups = LightSetup::ALL.iter().map(|&setup| (LookId::Setup(setup), setup.label().to_owned()));
    let own = cx.state.looks.iter().enumerate().map(|(index, named)| (LookId::Own(index), named.name.clone()));
    let cards: Vec<(LookId, String)> = setups.chain(own).collect();
    let columns = (((ui.available_width() + theme::GAP) / (LEAST_CARD_WIDTH + theme::GAP)) as usize).max(1);
    let side = ((ui.available_width() - theme::GAP * (columns - 1) as f32) / columns as f32).floor();
    let card = vec2(side, side + NAME_HEIGHT);
    let rows = (cards.len() + 1).div_ceil(columns);
    let (_, area) = ui.allocate_space(vec2(ui.available_width(), rows as f32 * (card.y + theme::GAP)));
    let mut places = (0..=cards.len()).map(|nth| {
        let at = vec2((nth % columns) as f32, (nth / columns) as f32) * (card + Vec2::splat(theme::GAP));
        Rect::from_min_size(area.min + at, card)
    });
    let mut requested = None;
    for ((id, name), place) in cards.iter().zip(&mut places) {
        let action = card_ui(ui, place, *id, name, cx);
        requested = action.map(|action| (*id, action)).or(requested);
    }
    if places.next().is_some_and(|place| save_ui(ui, place)) {
        let mut names = (1..).map(|number| format!("Look {number}"));
        let Some(name) = names.find(|new| cards.iter().all(|(_, name)| name != new)) else {
            unreachable!("there are more numbers than looks")
        };
        open_entry(ui, cx.state.looks.len(), &name);
        cx.state.looks.push(NamedLook { name, look: shown(cx) });
    }
    if let Some((id, action)) = requested {
        perform(ui, id, action, cx);
    }
}

/// The look that is shown, as far as it suits any head.
fn shown(cx: &PanelContext<'_>) -> Look {
    cx.session.edits.look.of_any_head().of_materials()
}

fn look_of(id: LookId, cx: &PanelContext<'_>) -> Look {
    let look = cx.session.edits.look;
    match id {
        LookId::Setup(setup) => setup.applied_to(look),
        LookId::Own(index) => cx.state.looks.get(index).map_or(look, |named| look.styled_as(named.look)),
    }
}

fn card_ui(ui: &mut egui::Ui, rect: Rect, id: LookId, name: &str, cx: &mut PanelContext<'_>) -> Option<LookAction> {
    let look = look_of(id, cx);
    cx.visible_pictures().looks.push((id, look));
    let texture = cx.state.thumbnail_textures.texture(ui.ctx(), id, cx.readings.thumbnails_of(&cx.session.head));
    let picture = Rect::from_min_size(rect.min, Vec2::splat(rect.width()));
    let footer = rect.with_min_y(picture.bottom());
    let response = ui.interact(rect, Id::unique(("look", id)), Sense::click());
    let is_shown =
        look == cx.session.edits.look && (!cx.session.edits.lit_by_file || cx.session.head.lights.is_empty());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_shown, format!("Look {name}")));
    thumbnail_ui(ui, &response, picture, texture, is_shown.then_some(theme::ACCENT_BRIGHT), false);
    let chosen = if let LookId::Own(index) = id { own_ui(ui, &response, footer, index, cx) } else { None };
    if !is_renamed(ui, id) {
        let shortened = text::elide_middle(ui.painter(), name, &theme::small_font(), rect.width() - 4.0);
        ui.painter().text(footer.center(), Align2::CENTER_CENTER, shortened, theme::small_font(), theme::TEXT);
    }
    let purpose = match id {
        LookId::Setup(setup) => purpose(setup).to_owned(),
        LookId::Own(_) => format!("{}: lights, shading and background of your own", text::shown(name)),
    };
    if response.on_hover_text(purpose).clicked() { Some(LookAction::Apply) } else { chosen }
}

/// Menu, keys and name of a look of the artist.
fn own_ui(
    ui: &mut egui::Ui,
    response: &egui::Response,
    footer: Rect,
    index: usize,
    cx: &mut PanelContext<'_>,
) -> Option<LookAction> {
    let mut chosen = None;
    context_menu_ui(response, |ui| {
        for (text, keys, action) in [
            ("Apply", "Enter", LookAction::Apply),
            ("Rename", "F2", LookAction::Rename),
            ("Update to the look shown", "", LookAction::Update),
        ] {
            if ui.add(Button::new(text).shortcut_text(keys)).clicked() {
                chosen = Some(action);
            }
        }
        ui.separator();
        ui.menu_button("Delete", |ui| {
            // The list of looks belongs to no project, and has no undo.
            if ui.button("Delete for good").clicked() {
                chosen = Some(LookAction::Delete);
            }
        });
    });
    if has_keys(response) && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::F2)) {
        chosen = Some(LookAction::Rename);
    }
    let entry: Option<(usize, TextEntry)> = ui.data(|data| data.get_temp(entry_id()));
    if let Some((_, mut entry)) = entry.filter(|(of, _)| *of == index) {
        let style =
            EntryStyle { name: "Look name", font: theme::small_font(), align: Align2::CENTER_CENTER, is_number: false };
        let outcome = entry.field_ui(ui, entry_id(), footer.shrink2(vec2(0.0, 1.0)), style);
        match outcome {
            EntryOutcome::Open => {
                ui.data_mut(|data| data.insert_temp(entry_id(), (index, entry)));
            }
            EntryOutcome::Accepted(name) if !name.trim().is_empty() => {
                name.trim().clone_into(&mut cx.state.looks[index].name);
                close_entry(ui);
            }
            EntryOutcome::Accepted(_) | EntryOutcome::Kept => close_entry(ui),
        }
    }
    chosen
}

fn perform(ui: &egui::Ui, id: LookId, action: LookAction, cx: &mut PanelContext<'_>) {
    match (id, action) {
        (_, LookAction::Apply) => {
            let look = look_of(id, cx);
            (cx.session.edits.look, cx.session.edits.lit_by_file) = (look, false);
        }
        (LookId::Own(index), LookAction::Rename) => open_entry(ui, index, &cx.state.looks[index].name),
        (LookId::Own(index), LookAction::Update) => cx.state.looks[index].look = shown(cx),
        (LookId::Own(index), LookAction::Delete) => {
            let deleted = cx.state.looks.remove(index);
            close_entry(ui);
            cx.show_status(format!("The look “{}” is deleted", text::shown(&deleted.name)));
        }
        (LookId::Setup(_), _) => {}
    }
}

fn save_ui(ui: &egui::Ui, rect: Rect) -> bool {
    let response = ui.interact(rect, Id::unique("save look"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Save look"));
    let picture = Rect::from_min_size(rect.min, Vec2::splat(rect.width()));
    let fill = if response.hovered() { theme::WELL_HOVERED } else { theme::WELL };
    ui.painter().rect_filled(picture, theme::ROUNDING, fill);
    ui.painter().text(picture.center(), Align2::CENTER_CENTER, "+", FontId::proportional(24.0), theme::TEXT_WEAK);
    let footer = rect.with_min_y(picture.bottom()).center();
    ui.painter().text(footer, Align2::CENTER_CENTER, "Save look", theme::small_font(), theme::TEXT_WEAK);
    response.on_hover_text("Keep lights, shading and background under a name, for every head").clicked()
}

fn purpose(setup: LightSetup) -> &'static str {
    match setup {
        LightSetup::ShortKey => "The key is on the far side of the face, so that the near cheek and jaw have form",
        LightSetup::Beauty => "A soft, high key from the front, with few shadows",
        LightSetup::Rembrandt => "A high key from the side; the other side stays dark",
        LightSetup::FlatCheck => "Even light from everywhere, to judge shapes and textures",
        LightSetup::Avatar => "One light from the front: toon materials have the colours they were painted with",
    }
}

/// Under which the field that renames a look is stored with the place of that look.
fn entry_id() -> Id {
    Id::unique("name of a look")
}

fn open_entry(ui: &egui::Ui, index: usize, name: &str) {
    ui.data_mut(|data| data.insert_temp(entry_id(), (index, TextEntry::new(name))));
}

fn close_entry(ui: &egui::Ui) {
    ui.data_mut(|data| data.remove::<(usize, TextEntry)>(entry_id()));
}

fn is_renamed(ui: &egui::Ui, id: LookId) -> bool {
    let entry: Option<(usize, TextEntry)> = ui.data(|data| data.get_temp(entry_id()));
    entry.is_some_and(|(index, _)| id == LookId::Own(index))
}
