//! The turns of a take: whether they turn the head and the eyes, and by which nodes.

use egui::containers::menu::MenuButton;
use egui::{Align, Layout, ScrollArea, vec2};

use smirk_face::head::Head;
use smirk_face::motion::JointChoice;
use smirk_session::Session;

use crate::theme;
use crate::widgets::{arrow_button, checkbox_ui, choice_ui, paint_arrow, text, title_ui};

/// Width of the names of the parts, so that all buttons begin at one place.
const NAME_WIDTH: f32 = 72.0;

pub(super) fn head_and_eyes_ui(ui: &mut egui::Ui, session: &mut Session) {
    let has_body = session.head.has_body() && session.take().is_some_and(|entry| entry.take.body.is_some());
    let choice = &mut session.edits.head_and_eyes;
    title_ui(ui, "Head and eyes", |ui| {
        // From right to left.
        if has_body {
            let body = checkbox_ui(ui, &mut choice.body, "Body").accessible_name("Move the body");
            body.on_hover_text("Move the bones of the body as the take does");
        }
        let eyes = checkbox_ui(ui, &mut choice.eyes, "Eyes").accessible_name("Turn the eyes");
        eyes.on_hover_text("Turn the eyes by the angles of the take");
        let head = checkbox_ui(ui, &mut choice.head, "Head").accessible_name("Turn the head");
        head.on_hover_text("Turn the head by the angles of the take");
    });
    let (turns_head, turns_eyes) = (choice.head, choice.eyes);
    let head = session.head.clone();
    if turns_head {
        let joint = Joint {
            label: "Head joint",
            found: head.face_joints.head,
            none: "Whole head",
            about_none: "Without a joint, the whole head turns about its neck",
        };
        joint_ui(ui, &head, joint, &mut session.edits.head_and_eyes.head_joint);
    }
    if turns_eyes {
        for (side, label) in ["Left eye joint", "Right eye joint"].into_iter().enumerate() {
            let joint = Joint {
                label,
                found: head.face_joints.eyes[side],
                none: "No joint",
                about_none: "Without a joint, only eyeLook channels turn the eye",
            };
            joint_ui(ui, &head, joint, &mut session.edits.head_and_eyes.eye_joints[side]);
        }
    }
}

struct Joint {
    label: &'static str,
    found: Option<usize>,
    /// The consequence of having no node, in short and in a sentence.
    none: &'static str,
    about_none: &'static str,
}

/// The name of a part, and a menu of the nodes that may turn it.
fn joint_ui(ui: &mut egui::Ui, head: &Head, joint: Joint, choice: &mut JointChoice) {
    let Joint { label, found, none, about_none } = joint;
    ui.horizontal(|ui| {
        ui.allocate_ui_with_layout(vec2(NAME_WIDTH, theme::BAR_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(NAME_WIDTH);
            ui.label(label.trim_end_matches(" joint"));
        });
        let found =
            found.map_or_else(|| none.to_lowercase(), |node| text::shown(&head.rig.nodes[node].name).into_owned());
        let automatic = format!("Auto: {found}");
        let shown = match choice {
            JointChoice::Found => automatic.clone(),
            JointChoice::None => none.to_owned(),
            JointChoice::Node(name) => text::shown(name).into_owned(),
        };
        let (response, _) = MenuButton::from_button(arrow_button(ui, &shown)).ui(ui, |ui| {
            ui.set_width(260.0);
            for (text, option) in [(&*automatic, JointChoice::Found), (none, JointChoice::None)] {
                if choice_ui(ui, *choice == option, text) {
                    *choice = option;
                }
            }
            ui.separator();
            let nodes = &head.rig.nodes;
            ScrollArea::vertical().max_height(260.0).auto_shrink([false, true]).show_rows(
                ui,
                theme::BAR_HEIGHT_THIN,
                nodes.len(),
                |ui, range| {
                    for node in &nodes[range] {
                        let option = JointChoice::Node(node.name.clone());
                        if choice_ui(ui, *choice == option, text::shown(&node.name)) {
                            *choice = option;
                        }
                    }
                },
            );
        });
        paint_arrow(ui, &response);
        response.accessible_name(label).on_hover_text(format!("The node that is turned. {about_none}"));
    });
}
