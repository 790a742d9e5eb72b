//! The top row: menus, the name of the head or project, and the blend mode.

use egui::containers::menu::{MenuBar, MenuButton, SubMenuButton};
use egui::text::LayoutJob;
use egui::{
    Align, Button, Color32, ComboBox, EventFilter, FontSelection, Key, Layout, Modifiers, Popup, RichText, TextStyle,
};

use smirk_base::file_kind::Content;
use smirk_editor::document::{FileState, LoadRequest, WorkHint, WorkPlace};
use smirk_export::ExportRequest;
use smirk_scene::{BlendMode, View};
use smirk_session::{HeadSource, Session, SheetOf, TimingOf, WorkCommand};

use crate::avatar::save_as_avatar;
use crate::command::{Command, OpenAs};
use crate::context::PanelContext;
use crate::shortcuts::{self, Action, Menu};
use crate::state::Overlay;
use crate::surface_menu::surface_menu_ui;
use crate::theme;
use crate::viewport::{cameras_ui, frame_menu_ui};
use crate::widgets::{checkbox_ui, radio_ui, text};

const MENU_WIDTH: f32 = 180.0;

pub(crate) fn top_bar_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    MenuBar::new().ui(ui, |ui| {
        for &menu in Menu::ALL {
            menu_ui(ui, cx, menu);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            mode_combo_ui(ui, cx);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                name_ui(ui, cx);
                let problem = cx.readings.problem.map(|text| (text, theme::WARNING));
                let status = cx.readings.status.map(|text| (text, theme::SUCCESS)).or(problem);
                match &cx.readings.document.work_hint {
                    Some(WorkHint::SetAside(name)) if status.is_none() => set_aside_ui(ui, name, &mut cx.commands),
                    _ => status_ui(ui, status),
                }
            });
        });
    });
}

/// A menu. A key that opens it gives its button the keyboard focus, from where arrows go into it and to its neighbours.
fn menu_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, menu: Menu) {
    let (response, _) = MenuButton::new(name_with_key(ui, menu.name())).ui(ui, |ui| {
        ui.set_min_width(MENU_WIDTH);
        match menu {
            Menu::File => file_menu_ui(ui, cx),
            Menu::Edit => edit_menu_ui(ui, cx),
            Menu::View => view_menu_ui(ui, cx),
            Menu::Help => help_menu_ui(ui, cx),
        }
    });
    let (ctx, popup) = (ui.ctx(), Popup::default_response_id(&response));
    if response.has_focus() && Popup::is_id_open(ctx, popup) {
        let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
        ctx.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let count = Menu::ALL.len();
        for (key, step) in [(Key::ArrowLeft, count - 1), (Key::ArrowRight, 1)] {
            if ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
                cx.state.requested_menu = Some(Menu::ALL[(menu as usize + step) % count]);
                ctx.request_repaint();
            }
        }
    }
    if cx.state.requested_menu == Some(menu) {
        cx.state.requested_menu = None;
        Popup::open_id(ctx, popup);
        response.request_focus();
        ctx.request_repaint();
    }
}

/// The name of a menu; while Alt is held, with a line under the letter that opens it.
fn name_with_key(ui: &egui::Ui, name: &str) -> LayoutJob {
    let (letter, rest) = name.split_at(1);
    let letter = RichText::new(letter);
    let letter = if ui.input(|input| input.modifiers.alt) { letter.underline() } else { letter };
    let mut job = LayoutJob::default();
    for part in [letter, RichText::new(rest)] {
        part.append_to(&mut job, ui.style(), FontSelection::Style(TextStyle::Button), Align::Center);
    }
    job
}

fn edit_menu_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let can_undo = cx.session.can_undo() || cx.readings.document.replaced.is_some();
    let can_redo = cx.session.can_redo();
    item_ui(ui, cx, Action::Undo, can_undo);
    item_ui(ui, cx, Action::Redo, can_redo);
    ui.separator();
    item_ui(ui, cx, Action::SavePose, true);
    item_ui(ui, cx, Action::MirrorFace, true);
    item_ui(ui, cx, Action::KeyFace, true);
    item_ui(ui, cx, Action::CopyPicture, true);
    ui.separator();
    item_ui(ui, cx, Action::ResetAll, true);
    ui.separator();
    SubMenuButton::new("Keys and play range").ui(ui, |ui| timing_ui(ui, cx.session));
}

/// Which clip or take has the keys, the in and the out point: the one that plays, or all of them.
fn timing_ui(ui: &mut egui::Ui, session: &mut Session) {
    let is_for_all = session.edits.timing_for_all.is_some();
    let playing = timing_name(ui, session, &session.playing());
    let current = session.timing_of();
    let others = session.edits.timed().into_iter().filter(|of| *of != current);
    let others: Vec<(TimingOf, String)> = others.map(|of| (of.clone(), timing_name(ui, session, &of))).collect();
    if radio_ui(ui, !is_for_all, format!("For {playing} alone")).clicked() {
        session.timeline_mut().time_all_alike(false);
    }
    let tip =
        "Those that apply now apply to every clip and take; each gets its own back if you switch to its own again";
    if radio_ui(ui, is_for_all, "Shared by all clips and takes").on_hover_text(tip).clicked() {
        session.timeline_mut().time_all_alike(true);
    }
    ui.add_enabled_ui(!others.is_empty(), |ui| {
        let menu = ui.menu_button("Copy from", |ui| {
            for (of, name) in others {
                if ui.button(format!("{name}: {}", session.edits.timing(&of).words())).clicked() {
                    session.timeline_mut().copy_timing(&of);
                    ui.close();
                }
            }
        });
        menu.response.on_disabled_hover_text("No other clip or take has keys, an in point or an out point");
    });
}

fn timing_name(ui: &egui::Ui, session: &Session, of: &TimingOf) -> String {
    text::elide_middle(ui.painter(), &session.timing_name(of), &theme::body_font(), 140.0)
}

fn help_menu_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    item_ui(ui, cx, Action::Shortcuts, true);
    if ui.button("Show log file").on_hover_text("To attach to a bug report").clicked() {
        cx.commands.push(Command::ShowLogFile);
    }
    if ui.button("Licences").on_hover_text("Of Smirk, and of the libraries and fonts in it").clicked() {
        cx.state.overlay = Some(Overlay::Licences);
    }
}

fn view_menu_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    for preset in [View::Front, View::ThreeQuarter, View::Left, View::Right] {
        item_ui(ui, cx, Action::SetView(preset), true);
    }
    if !cx.session.head.cameras.is_empty() {
        SubMenuButton::new("File cameras").ui(ui, |ui| cameras_ui(ui, cx));
    }
    SubMenuButton::new("Frame").ui(ui, |ui| frame_menu_ui(ui, cx));
    SubMenuButton::new("Surface").ui(ui, |ui| surface_menu_ui(ui, cx));
    ui.separator();
    let has_timeline = cx.session.timeline_secs() > 0.0;
    item_ui(ui, cx, Action::ToggleCurves, has_timeline);
    item_ui(ui, cx, Action::TogglePanels, true);
    checkbox_ui(ui, &mut cx.state.panels.left_open, "Channels");
    checkbox_ui(ui, &mut cx.state.panels.right_open, "Poses, motion, look");
    ui.separator();
    let tip = "White text on black, with edges around all controls";
    checkbox_ui(ui, &mut cx.state.panels.high_contrast, "High contrast").on_hover_text(tip);
}

fn name_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let (session, document) = (&*cx.session, cx.readings.document);
    ui.add_space(theme::GAP);
    if document.is_unsaved {
        let (_, rect) = ui.allocate_space(egui::vec2(6.0, theme::BAR_HEIGHT));
        ui.painter().circle_filled(rect.center(), 3.0, theme::ACCENT_BRIGHT);
        let response = ui.interact(rect, ui.scope_id().with("unsaved"), egui::Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, "Unsaved changes"));
        response.on_hover_text("Unsaved changes. Ctrl+S saves the project");
    }
    let head = &session.head.name;
    let text = match &document.project {
        Some(project) if project != head => format!("{} · {}", text::shown(project), text::shown(head)),
        _ => text::shown(head).into_owned(),
    };
    let label = egui::Label::new(RichText::new(text).strong()).truncate().show_tooltip_when_elided(false);
    let response = ui.add(label);
    match &session.source {
        HeadSource::Embedded => response.on_hover_text("The head that comes with Smirk"),
        HeadSource::File(path) => response.on_hover_text(text::shown_message(&path.display().to_string())),
    };
    let (state, tip) = match document.file_state {
        FileState::Same => return,
        FileState::Changed => {
            let tip = "Another window or program has changed the project file. Click to load it or to keep yours";
            ("changed on disk", tip)
        }
        FileState::Missing => ("deleted on disk", "The project file is gone. Click to save it again"),
    };
    let button = Button::new(RichText::new(state).color(theme::WARNING));
    if ui.add(button).on_hover_text(tip).clicked() {
        cx.commands.push(Command::ResolveFileChange);
    }
}

/// What was done last, or what is wrong. It is beside the name of the head, so that it never covers the face. Its first
/// line is shown, without its middle where it does not fit, because what to do is at its end; and all of it while the
/// pointer is over it.
fn status_ui(ui: &mut egui::Ui, status: Option<(&str, Color32)>) {
    let Some((status, color)) = status else { return };
    ui.add_space(theme::GAP_LARGE);
    let text = text::shown_message(status);
    let line = text.lines().next().unwrap_or_default();
    let shown = text::elide_middle(ui.painter(), line, &theme::body_font(), ui.available_width());
    let response = ui.add(egui::Label::new(RichText::new(&shown).font(theme::body_font()).color(color)).extend());
    if shown != text {
        response.on_hover_text(&text);
    }
}

/// A quiet line about unsaved work that what was opened last has replaced, until its list has been opened once.
fn set_aside_ui(ui: &mut egui::Ui, name: &str, commands: &mut Vec<Command>) {
    let line = format!("Your unsaved work on {} was set aside", text::shown(name));
    ui.add_space(theme::GAP_LARGE);
    let button = Button::new(RichText::new(line).color(theme::TEXT_WEAK)).frame(false).truncate();
    if ui.add(button).on_hover_text("Click to list it, as File › Recover work… does").clicked() {
        commands.push(Command::Work(WorkCommand::List));
    }
}

/// An item of a menu that does the same as a key.
fn item_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, action: Action, enabled: bool) {
    let Some(shortcut) = shortcuts::find(action) else { return };
    let button = Button::new(shortcut.text).shortcut_text(shortcut.keys);
    if ui.add_enabled(enabled, button).clicked() {
        cx.actions.push(action);
    }
}

fn file_menu_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    item_ui(ui, cx, Action::New, true);
    item_ui(ui, cx, Action::Open, true);
    if ui.button("Open project…").clicked() {
        cx.commands.push(Command::Choose(OpenAs::File(Some(Content::Project))));
    }
    ui.add_enabled_ui(!cx.readings.recent.is_empty(), |ui| {
        SubMenuButton::new("Open recent").ui(ui, |ui| {
            for path in cx.readings.recent {
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                let tip = text::shown_message(&path.display().to_string());
                if ui.button(text::shown(&name)).on_hover_text(tip).clicked() {
                    cx.commands.push(Command::Open(OpenAs::File(None), path.clone()));
                }
            }
            ui.separator();
            if ui.button("Clear list").clicked() {
                cx.commands.push(Command::ClearRecent);
            }
        });
    });
    let works = cx.readings.document.works.iter().filter(|work| work.place == WorkPlace::Offered).count();
    let recover = if works == 0 { "Recover work…".to_owned() } else { format!("Recover work… ({works})") };
    if ui.button(recover).on_hover_text("Work that was not saved, and the trash").clicked() {
        cx.commands.push(Command::Work(WorkCommand::List));
    }
    if ui.button("Bundled head").clicked() {
        cx.commands.push(Command::Load(Box::new(LoadRequest::Head(HeadSource::Embedded))));
    }
    let tip = "When Blender or Maya has written the file of the head, it is read again. Sliders, poses, takes, keys, camera and undo stay";
    checkbox_ui(ui, &mut cx.state.reloads_head, "Reload the head when its file changes").on_hover_text(tip);
    item_ui(ui, cx, Action::Close, true);
    ui.separator();
    item_ui(ui, cx, Action::SaveProject, true);
    item_ui(ui, cx, Action::SaveProjectAs, true);
    ui.separator();
    SubMenuButton::new("Import").ui(ui, |ui| import_menu_ui(ui, cx));
    SubMenuButton::new("Export").ui(ui, |ui| export_menu_ui(ui, cx));
    ui.separator();
    command_ui(ui, cx, true, "Open reference…", Command::Choose(OpenAs::Reference));
    command_ui(ui, cx, true, "Compare with…", Command::Choose(OpenAs::Version));
    let is_compared = cx.session.open_version.is_some();
    command_ui(ui, cx, is_compared, "Close the comparison", Command::CloseVersion);
    ui.separator();
    item_ui(ui, cx, Action::Quit, true);
}

fn import_menu_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let has_channels = !cx.session.head.channels.is_empty();
    for &content in Content::ALL {
        if let Some(text) = content.words().menu {
            let enabled = has_channels || !content.needs_channels();
            command_ui(ui, cx, enabled, text, Command::Choose(OpenAs::File(Some(content))));
        }
        if content == Content::Shapes {
            let bundled = LoadRequest::Features(HeadSource::Embedded);
            command_ui(ui, cx, true, "Shapes of the bundled head…", Command::Load(Box::new(bundled)));
            if let Some(version) = &cx.session.open_version {
                let of_version = LoadRequest::Features(version.source.clone());
                command_ui(ui, cx, true, "Shapes of the head that is compared…", Command::Load(Box::new(of_version)));
            }
        }
    }
}

fn export_menu_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let session = &*cx.session;
    let (has_channels, has_poses) = (!session.head.channels.is_empty(), !session.edits.poses.is_empty());
    let has_timeline = session.timeline_secs() > 0.0;
    item_ui(ui, cx, Action::Export, true);
    ui.separator();
    command_ui(ui, cx, true, "Head as .glb…", Command::Export(ExportRequest::of_head()));
    if ui.button("Head as .vrm…").clicked() {
        save_as_avatar(cx);
    }
    command_ui(ui, cx, has_poses, "Poses…", Command::ExportPoses);
    ui.separator();
    for (text, of, enabled) in [
        ("Contact sheet of expressions…", SheetOf::Expressions, has_channels),
        ("Contact sheet of poses…", SheetOf::Poses, has_poses),
        ("Contact sheet over time…", SheetOf::Moments, has_timeline),
    ] {
        command_ui(ui, cx, enabled, text, Command::Export(ExportRequest::of_sheet(of)));
    }
}

/// An item of a menu that asks the window for something.
fn command_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, enabled: bool, text: &str, command: Command) {
    if ui.add_enabled(enabled, Button::new(text)).clicked() {
        cx.commands.push(command);
    }
}

/// The blend mode as quiet text without a frame, one click away from the others. Its time is on the Readout page.
fn mode_combo_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let (session, readout) = (&*cx.session, cx.readings.readout);
    let time = readout.blend_text(session.mode);
    let shown = RichText::new(format!("Blending: {}", session.mode.label())).small().color(theme::TEXT_WEAK);
    let combo = ComboBox::from_id_salt("blend mode").width(0.0).selected_text(shown).show_ui(ui, |ui| {
        for &mode in BlendMode::ALL {
            let unavailable = readout.why_unavailable(mode);
            let keys = shortcuts::keys_of(Action::SetMode(mode));
            let item = Button::selectable(session.mode == mode, mode.label()).shortcut_text(keys);
            let response = ui.add_enabled(unavailable.is_none(), item);
            if response.clicked() {
                cx.actions.push(Action::SetMode(mode));
            }
            if let Some(reason) = unavailable {
                response.on_disabled_hover_text(reason);
            }
        }
    });
    let tip = format!("How the shapes are blended. Last blend: {time}. More on the Readout page");
    combo.response.accessible_name("Blend mode").on_hover_text(tip);
}
