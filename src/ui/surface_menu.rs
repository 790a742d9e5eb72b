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
        if ui.add(button).accessible_name(view.label()).on_hover_text(purpose(view)).clicked() {
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
    menu.on_hover_text(purpose(ViewMode::Matcap));
}

pub(crate) fn purpose(view: ViewMode) -> &'static str {
    match view {
        ViewMode::Shaded => "The materials of the head, in its light",
        ViewMode::Clay => "One grey material in the same light, without textures",
        ViewMode::Matcap => "A material that does not depend on the lights and turns with the camera",
        ViewMode::Wireframe => "The edges of the triangles over the materials",
        ViewMode::Normals => {
            "The directions of the normals as colours: red to the left of the face, green up, blue to the front"
        }
        ViewMode::UvChecker => {
            "A pattern of squares in the texture coordinates: stretched squares are stretched textures"
        }
        ViewMode::Curvature => "How the surface is bent: ridges bright, hollows dark",
        ViewMode::Backfaces => "Red where the back of a triangle is seen",
        ViewMode::Intersections => {
            "In colour where lips, lids, eyes, teeth or tongue go through each other, and do not at rest"
        }
        ViewMode::Heat => "How far the vertices have moved, how the surface stretches, turns or is bent, as colours",
    }
}

fn looks_like(matcap: Matcap) -> &'static str {
    match matcap {
        Matcap::Porcelain => "Soft grey",
        Matcap::RedWax => "Dark red and glossy: dents and bumps stand out",
        Matcap::Chrome => "Polished metal",
        Matcap::Zebra => "Stripes, which break where the surface is not smooth",
    }
}
