//! The top row: menus, the name of the head or project, and the blend mode.

use egui::containers::menu::{MenuBar, MenuButton, SubMenuButton};
use egui::{Align, Button, Color32, ComboBox, Layout, RichText};

use smirk_editor::document::FileState;
use smirk_editor::session::{Command, HeadSource, Session, SheetOf, WorkCommand};
use smirk_graphics::blend::BlendMode;
use smirk_picture::scene::View;

use super::shortcuts::{self, Action};
use super::surface_menu::surface_menu_ui;
use super::viewport::cameras_ui;
use super::widgets::text;
use super::{UiState, WindowView, theme};

const MENU_WIDTH: f32 = 180.0;

/// Shows the row.
pub(super) fn top_bar_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    MenuBar::new().ui(ui, |ui| {
        let mut chosen = None;
        file_menu_ui(ui, session, state, view, &mut chosen, commands);
        MenuButton::new("Edit").ui(ui, |ui| {
            ui.set_min_width(MENU_WIDTH);
            item_ui(ui, Action::Undo, session.can_undo(), &mut chosen);
            item_ui(ui, Action::Redo, session.can_redo(), &mut chosen);
            ui.separator();
            item_ui(ui, Action::SavePose, true, &mut chosen);
            item_ui(ui, Action::MirrorFace, true, &mut chosen);
            ui.separator();
            item_ui(ui, Action::ResetAll, true, &mut chosen);
        });
        MenuButton::new("View").ui(ui, |ui| {
            ui.set_min_width(MENU_WIDTH);
            for preset in [View::Front, View::ThreeQuarter, View::Left, View::Right] {
                item_ui(ui, Action::SetView(preset), true, &mut chosen);
            }
            if !session.head.cameras.is_empty() {
                SubMenuButton::new("File cameras").ui(ui, |ui| cameras_ui(ui, session));
            }
            item_ui(ui, Action::Frame, true, &mut chosen);
            let look = &mut session.edits.look;
            let (_, surface) = SubMenuButton::new("Surface").ui(ui, |ui| surface_menu_ui(ui, look));
            chosen = chosen.or(surface.and_then(|surface| surface.inner));
            ui.separator();
            item_ui(ui, Action::ToggleCurves, session.timeline_secs() > 0.0, &mut chosen);
            item_ui(ui, Action::TogglePanels, true, &mut chosen);
            ui.checkbox(&mut state.panels.left_open, "Channels");
            ui.checkbox(&mut state.panels.right_open, "Poses, motion, look");
            ui.separator();
            let tip = "White text on black, with edges around all controls";
            ui.checkbox(&mut state.panels.high_contrast, "High contrast").on_hover_text(tip);
        });
        MenuButton::new("Help").ui(ui, |ui| {
            item_ui(ui, Action::Shortcuts, true, &mut chosen);
            if ui.button("Show log file").on_hover_text("To attach to a bug report").clicked() {
                commands.push(Command::ShowLogFile);
            }
        });
        if let Some(action) = chosen {
            shortcuts::act(action, session, state, view, commands);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            mode_combo_ui(ui, session, view);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                name_ui(ui, session, view, commands);
                let problem = view.problem.map(|text| (text, theme::WARNING));
                let status = view.status.map(|text| (text, theme::SUCCESS)).or(problem);
                status_ui(ui, status);
            });
        });
    });
}

fn name_ui(ui: &mut egui::Ui, session: &Session, view: &WindowView<'_>, commands: &mut Vec<Command>) {
    ui.add_space(theme::GAP);
    if view.document.is_unsaved {
        let (_, rect) = ui.allocate_space(egui::vec2(6.0, theme::BAR_HEIGHT));
        ui.painter().circle_filled(rect.center(), 3.0, theme::ACCENT_BRIGHT);
        let response = ui.interact(rect, ui.scope_id().with("unsaved"), egui::Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, "Unsaved changes"));
        response.on_hover_text("Unsaved changes. Ctrl+S saves the project");
    }
    let head = &session.head.name;
    let text = match &view.document.project {
        Some(project) if project != head => format!("{} · {}", text::shown(project), text::shown(head)),
        _ => text::shown(head).into_owned(),
    };
    let response = ui.add(egui::Label::new(RichText::new(text).strong()).truncate());
    match &session.source {
        HeadSource::Embedded => response.on_hover_text("The head that comes with Smirk"),
        HeadSource::File(path) => response.on_hover_text(text::shown_message(&path.display().to_string())),
    };
    let (state, tip) = match view.document.file_state {
        FileState::Same => return,
        FileState::Changed => {
            let tip = "Another window or program has changed the project file. Click to load it or to keep yours";
            ("changed on disk", tip)
        }
        FileState::Missing => ("deleted on disk", "The project file is gone. Click to save it again"),
    };
    let button = Button::new(RichText::new(state).color(theme::WARNING));
    if ui.add(button).on_hover_text(tip).clicked() {
        commands.push(Command::ResolveFileChange);
    }
}

/// What was done last, or what is wrong. It is beside the name of the head, so that it never covers the face. Its first line is shown, and all of it
/// while the pointer is over it.
fn status_ui(ui: &mut egui::Ui, status: Option<(&str, Color32)>) {
    let Some((status, color)) = status else { return };
    ui.add_space(theme::GAP_LARGE);
    let text = text::shown_message(status);
    let line = text.lines().next().unwrap_or_default();
    ui.add(egui::Label::new(RichText::new(line).color(color)).truncate()).on_hover_text(&text);
}

fn item_ui(ui: &mut egui::Ui, action: Action, enabled: bool, chosen: &mut Option<Action>) {
    let Some(shortcut) = shortcuts::find(action) else { return };
    let button = Button::new(shortcut.text).shortcut_text(shortcut.keys);
    if ui.add_enabled(enabled, button).clicked() {
        *chosen = Some(action);
    }
}

fn file_menu_ui(
    ui: &mut egui::Ui,
    session: &Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    chosen: &mut Option<Action>,
    commands: &mut Vec<Command>,
) {
    MenuButton::new("File").ui(ui, |ui| {
        ui.set_min_width(MENU_WIDTH);
        item_ui(ui, Action::Open, true, chosen);
        if ui.button("Open project…").clicked() {
            commands.push(Command::OpenProjectDialog);
        }
        ui.add_enabled_ui(!view.recent.is_empty(), |ui| {
            SubMenuButton::new("Open recent").ui(ui, |ui| {
                for path in view.recent {
                    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                    let tip = text::shown_message(&path.display().to_string());
                    if ui.button(text::shown(&name)).on_hover_text(tip).clicked() {
                        commands.push(Command::Open(path.clone()));
                    }
                }
                ui.separator();
                if ui.button("Clear list").clicked() {
                    commands.push(Command::ClearRecent);
                }
            });
        });
        if ui.button("Recover work…").on_hover_text("Work that was never saved, and the trash").clicked() {
            commands.push(Command::Work(WorkCommand::List));
        }
        if ui.button("Bundled head").clicked() {
            commands.push(Command::OpenEmbedded);
        }
        let tip = "When Blender or Maya has written the file of the head, it is read again. Sliders, poses, takes, keys, camera and undo stay";
        ui.checkbox(&mut state.reloads_head, "Reload the head when its file changes").on_hover_text(tip);
        ui.separator();
        item_ui(ui, Action::SaveProject, true, chosen);
        item_ui(ui, Action::SaveProjectAs, true, chosen);
        ui.separator();
        item_ui(ui, Action::Export, true, chosen);
        let (has_channels, has_poses) = (!session.head.channels.is_empty(), !session.edits.poses.is_empty());
        for (text, enabled, command) in [
            ("Import takes…", true, Command::ImportTakesDialog),
            ("Import poses…", true, Command::ImportPosesDialog),
            ("Import shapes…", true, Command::ImportShapesDialog),
            ("Import sound…", true, Command::ImportSoundDialog),
            ("Import markers…", true, Command::ImportMarkersDialog),
            ("Open reference…", true, Command::OpenReferenceDialog),
            ("Compare with…", true, Command::CompareDialog),
            ("Close the comparison", session.version_in_any_state().is_some(), Command::CloseVersion),
            ("Save head as .glb…", true, Command::SaveHead),
            ("Export poses…", has_poses, Command::ExportPoses),
            ("Contact sheet of expressions…", has_channels, Command::ContactSheet(SheetOf::Expressions)),
            ("Contact sheet of poses…", has_poses, Command::ContactSheet(SheetOf::Poses)),
            ("Contact sheet over time…", session.timeline_secs() > 0.0, Command::ContactSheet(SheetOf::Moments)),
        ] {
            if ui.add_enabled(enabled, Button::new(text)).clicked() {
                commands.push(command);
            }
        }
        ui.separator();
        item_ui(ui, Action::Quit, true, chosen);
    });
}

/// The blend mode as quiet text without a frame, one click away from the others. Its time is on the Readout page.
fn mode_combo_ui(ui: &mut egui::Ui, session: &mut Session, view: &WindowView<'_>) {
    let time = view.readout.blend_text(session.mode);
    let shown = RichText::new(session.mode.label()).small().color(theme::TEXT_WEAK);
    let combo = ComboBox::from_id_salt("blend mode").width(0.0).selected_text(shown).show_ui(ui, |ui| {
        for mode in BlendMode::ALL {
            let unavailable = view.readout.why_unavailable(mode);
            let keys = shortcuts::find(Action::SetMode(mode)).map_or("", |shortcut| shortcut.keys);
            let item = Button::selectable(session.mode == mode, mode.label()).shortcut_text(keys);
            let response = ui.add_enabled(unavailable.is_none(), item);
            if response.clicked() {
                session.mode = mode;
            }
            if let Some(reason) = unavailable {
                response.on_disabled_hover_text(reason);
            }
        }
    });
    let tip = format!("How the shapes are blended. Last blend: {time}. More on the Readout page");
    combo.response.accessible_name("Blend mode").on_hover_text(tip);
}
