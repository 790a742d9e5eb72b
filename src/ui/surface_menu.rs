//! The menu of what the picture shows of the surface.

use egui::containers::menu::SubMenuButton;

use smirk_scene::{Look, Matcap, ViewMode};

use crate::context::PanelContext;
use crate::shortcuts::{Action, keys_of};

const WIDTH: f32 = 200.0;

pub(crate) fn surface_menu_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    ui.set_min_width(WIDTH);
    let look = &mut cx.session.edits.look;
    for &view in ViewMode::ALL {
        if view == ViewMode::Matcap {
            matcaps_ui(ui, look);
            continue;
        }
        let action = Action::SetViewMode(view);
        let button = egui::Button::selectable(look.view == view, view.label()).shortcut_text(keys_of(action));
        if ui.add(button).accessible_name(view.label()).on_hover_text(view.about()).clicked() {
            cx.actions.push(action);
        }
    }
    ui.separator();
    let button = egui::Button::selectable(look.isolates_face, "Without hair and lashes");
    let button = button.shortcut_text(keys_of(Action::IsolateFace));
    if ui.add(button).accessible_name("Without hair and lashes").clicked() {
        cx.actions.push(Action::IsolateFace);
    }
}

fn matcaps_ui(ui: &mut egui::Ui, look: &mut Look) {
    let (menu, _) = SubMenuButton::new(ViewMode::Matcap.label()).ui(ui, |ui| {
        for &matcap in Matcap::ALL {
            let is_shown = look.view == ViewMode::Matcap && look.matcap == matcap;
            if ui.selectable_label(is_shown, matcap.label()).on_hover_text(looks_like(matcap)).clicked() {
                (look.view, look.matcap) = (ViewMode::Matcap, matcap);
                ui.close();
            }
        }
    });
    menu.on_hover_text(ViewMode::Matcap.about());
}

fn looks_like(matcap: Matcap) -> &'static str {
    match matcap {
        Matcap::Porcelain => "Soft grey",
        Matcap::RedWax => "Dark red and glossy: dents and bumps stand out",
        Matcap::Chrome => "Polished metal",
        Matcap::Zebra => "Stripes, which break where the surface is not smooth",
    }
}
