//! The features of a face over the picture, before shapes of another head are carried over: dots that are dragged to
//! where they belong, and the lines of lids and lips as they were found.

use egui::{
    Align, Key, Label, Layout, Modifiers, Painter, Pos2, Rect, RichText, Role, Sense, Stroke, Vec2, WidgetInfo,
};
use glam::DVec3;

use smirk_face::head::{HeadSource, Landmark};
use smirk_scene::Camera;

use super::Pointing;
use super::pins::{in_heights, on_screen, surface_point, to_glam};
use crate::command::Command;
use crate::context::PanelContext;
use crate::notices::{TEXT_WIDTH, card_ui};
use crate::theme;
use crate::widgets::text;

/// What is dragged, with its name on the screen. These matter most: the others follow from the lines between them.
const DOTS: [(Landmark, &str); 6] = [
    (Landmark::EyeOuterRight, "Outer corner of the right eye"),
    (Landmark::EyeOuterLeft, "Outer corner of the left eye"),
    (Landmark::NoseTip, "Tip of the nose"),
    (Landmark::MouthRight, "Right corner of the mouth"),
    (Landmark::MouthLeft, "Left corner of the mouth"),
    (Landmark::Menton, "End of the chin"),
];

/// Shows dots and lines over the picture of A, and moves the dots.
pub(super) fn dots_ui(ui: &egui::Ui, picture: Rect, pointing: &mut Pointing, cx: &mut PanelContext<'_>) {
    let head = cx.session.head.clone();
    let Some(placing) = cx.state.placing.as_mut().and_then(|placing| placing.get_mut(&head)) else {
        cx.state.placing = None;
        return;
    };
    let painter = ui.painter().with_clip_rect(picture);
    let on_screen = OnScreen { camera: &cx.session.camera, picture };
    let found = &placing.found;
    let openings = [
        ([Landmark::EyeInnerLeft, Landmark::EyeOuterLeft], &found.lids[0]),
        ([Landmark::EyeInnerRight, Landmark::EyeOuterRight], &found.lids[1]),
        ([Landmark::MouthRight, Landmark::MouthLeft], &found.lips),
    ];
    for (corners, edges) in openings {
        placing.lines(corners, edges, &head).iter().for_each(|line| on_screen.paint_line(&painter, line));
    }
    for (landmark, name) in DOTS {
        let Some(at) = placing.place(landmark, &head).and_then(|place| on_screen.at(place)) else { continue };
        let area = Rect::from_center_size(at, Vec2::splat(22.0));
        let dot = ui.interact(area, ui.scope_id().with(("feature", name)), Sense::click_and_drag());
        dot.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
        if dot.double_clicked() {
            placing.moved.remove(&landmark);
        } else if let Some(pointer) = dot.interact_pointer_pos().filter(|_| dot.dragged()) {
            let ray = cx.session.camera.ray(to_glam(in_heights(picture, pointer)));
            if let Some(hit) = pointing.placed(cx.session).pick(&head, &ray) {
                placing.moved.insert(landmark, surface_point(&head, &hit));
            }
        }
        let is_moved = placing.moved.contains_key(&landmark);
        let color = if is_moved { theme::WARNING } else { theme::ACCENT_BRIGHT };
        let radius = if dot.hovered() || dot.dragged() { 7.0 } else { 5.0 };
        painter.circle(at, radius, color, Stroke::new(1.5, theme::BACKDROP));
        let undo = if is_moved { ". Double-click: where it was found" } else { "" };
        dot.on_hover_text(format!("{name}{undo}"));
    }
}

/// The camera's picture, in the place where it is shown.
struct OnScreen<'a> {
    camera: &'a Camera,
    picture: Rect,
}

impl OnScreen<'_> {
    fn at(&self, place: DVec3) -> Option<Pos2> {
        Some(on_screen(self.picture, self.camera.in_picture(place.as_vec3())?))
    }

    fn paint_line(&self, painter: &Painter, line: &[DVec3]) {
        let points: Vec<Pos2> = line.iter().filter_map(|&place| self.at(place)).collect();
        painter.line(points.clone(), Stroke::new(3.0, theme::OVERLAY));
        painter.line(points, Stroke::new(1.5, theme::ACCENT_BRIGHT));
    }
}

/// The card that says what to do with the dots, with the buttons that go on and that give up.
pub(crate) fn placing_ui(ui: &mut egui::Ui, free: &mut Rect, cx: &mut PanelContext<'_>) {
    let Some(placing) = cx.state.placing.as_ref().and_then(|placing| placing.get(&cx.session.head)) else { return };
    let request = placing.request();
    let title = match &placing.source {
        HeadSource::Embedded => "Shapes of the bundled head".to_owned(),
        source @ HeadSource::File(_) => format!("Shapes of {}", text::shown(&source.name())),
    };
    let mut is_left = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    // The dots stay while the shapes come: the head with them is another one, and where they are refused, the artist
    // sees which dot is in the wrong place.
    card_ui(ui, free, TEXT_WIDTH, |ui| {
        ui.add(Label::new(RichText::new(title).strong()));
        let help = "Each dot belongs on its feature, and the lines along lids and lips: drag what is elsewhere. \
                    The result is a start to sculpt from.";
        ui.add(Label::new(RichText::new(help).color(theme::TEXT_WEAK)).wrap());
        ui.add_space(theme::GAP_SMALL);
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.button("Carry the shapes over").clicked() {
                    cx.commands.push(Command::Load(Box::new(request)));
                }
                is_left |= ui.button("Cancel").clicked();
            });
        });
    });
    if is_left {
        cx.state.placing = None;
    }
}
