//! One pose: its picture, its name and how much of it is on the face.

use egui::{Color32, Id, Key, Modifiers, PointerButton, Rect, Response, Role, Sense, Stroke, StrokeKind, WidgetInfo};
use egui::{RectAlign, TextureId, Tooltip, Vec2, pos2, vec2};

use crate::motion::{Pose, PoseId};
use crate::session::Session;
use crate::ui::widgets::{Bar, Hold, Icon};
use crate::ui::{UiState, text, theme};

/// What is below the picture: the name, the slider and the space between.
pub const FOOT: f32 = NAME_HEIGHT + theme::BAR_HEIGHT_THIN + 2.0;
const NAME_HEIGHT: f32 = 20.0;

/// What the hand wants of a card's pose beyond its own card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Go over to it.
    Apply,
    /// Type its name.
    Rename,
    /// A copy behind it.
    Duplicate,
    /// Make it what is on screen.
    Replace,
    /// Swap its left and right.
    Mirror,
    /// One place towards the beginning.
    MoveEarlier,
    /// One place towards the end.
    MoveLater,
    /// The end of the sequence.
    AddToSequence,
    /// Away with it.
    Delete,
    /// It is being dragged from here on.
    Lift,
}

/// Lays the card out at `rect`.
pub fn card_ui(
    ui: &mut egui::Ui,
    rect: Rect,
    session: &mut Session,
    state: &mut UiState,
    pose: &Pose,
    texture: Option<TextureId>,
) -> Option<Wish> {
    let picture = Rect::from_min_size(rect.min, Vec2::splat(rect.width()));
    let name = Rect::from_min_size(picture.left_bottom(), vec2(rect.width(), NAME_HEIGHT));
    let bar = name.translate(vec2(0.0, NAME_HEIGHT)).with_max_y(name.bottom() + theme::BAR_HEIGHT_THIN);
    let response = ui.interact(picture.union(name), Id::unique(("pose", pose.id)), Sense::click_and_drag());
    let amount = session.pose_amount(pose.id);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, amount != 0.0, format!("Pose {}", pose.name)));

    let unknown = pose.unknown_names(&session.head);
    let is_lifted = state.lifted_pose == Some(pose.id);
    picture_ui(ui, picture, &response, texture, amount, is_lifted);
    if !unknown.is_empty() {
        let corner = Rect::from_center_size(picture.right_top() + vec2(-11.0, 11.0), Vec2::splat(theme::MARK_SIZE));
        ui.painter().circle_filled(corner.center(), 10.0, theme::OVERLAY);
        Icon::Warning.paint(ui.painter(), corner, theme::WARNING);
    }
    let fits = name_ui(ui, name, session, state, pose, response.has_focus());
    amount_ui(ui, bar, session, state, pose, amount);
    let wish = wish_of(ui, &response, name);
    let chosen = menu_ui(&response);
    if !is_lifted {
        // Beside the page: below the pointer it would hide the next cards.
        let row = Rect::from_x_y_ranges(ui.max_rect().x_range(), rect.y_range());
        let mut tooltip = Tooltip::for_enabled(&response);
        tooltip.popup = tooltip.popup.anchor(row).align(RectAlign::LEFT_START).gap(theme::GAP_LARGE);
        tooltip.show(|ui| tooltip_ui(ui, pose, fits, &unknown));
    }
    chosen.or(wish)
}

fn wish_of(ui: &egui::Ui, response: &Response, name: Rect) -> Option<Wish> {
    if response.drag_started_by(PointerButton::Primary) {
        return Some(Wish::Lift);
    }
    // The first click of a double click on the name must leave the face alone.
    let on_name = response.interact_pointer_pos().is_some_and(|point| name.contains(point));
    if response.clicked() {
        response.request_focus();
        return match (on_name, response.double_clicked()) {
            (true, true) => Some(Wish::Rename),
            (true, false) => None,
            (false, _) => Some(Wish::Apply),
        };
    }
    if !response.has_focus() {
        return None;
    }
    let keys = [(Key::F2, Wish::Rename), (Key::Delete, Wish::Delete)];
    keys.into_iter()
        .find_map(|(key, wish)| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)).then_some(wish))
}

fn menu_ui(response: &Response) -> Option<Wish> {
    let mut chosen = None;
    response.context_menu(|ui| {
        ui.set_min_width(180.0);
        let groups: [&[(&str, &str, Wish)]; 3] = [
            &[("Apply", "Enter", Wish::Apply), ("Rename", "F2", Wish::Rename), ("Duplicate", "", Wish::Duplicate)],
            &[
                ("Replace with this face", "", Wish::Replace),
                ("Mirror this pose", "", Wish::Mirror),
                ("Add to sequence", "", Wish::AddToSequence),
                ("Move earlier", "", Wish::MoveEarlier),
                ("Move later", "", Wish::MoveLater),
            ],
            &[("Delete", "Del", Wish::Delete)],
        ];
        for (place, group) in groups.into_iter().enumerate() {
            if place > 0 {
                ui.separator();
            }
            for &(text, keys, wish) in group {
                if ui.add(egui::Button::new(text).shortcut_text(keys)).clicked() {
                    chosen = Some(wish);
                }
            }
        }
    });
    chosen
}

fn picture_ui(
    ui: &egui::Ui,
    rect: Rect,
    response: &Response,
    texture: Option<TextureId>,
    amount: f32,
    is_lifted: bool,
) {
    let painter = ui.painter();
    let is_met = response.hovered() && !is_lifted;
    painter.rect_filled(rect, theme::ROUNDING, if is_met { theme::WELL_HOVERED } else { theme::WELL });
    match texture {
        Some(texture) => paint_picture(painter, rect, texture, if is_lifted { 0.35 } else { 1.0 }),
        None => Icon::Face.paint(painter, rect, theme::MARK_FAINT),
    }
    let (width, color) = match (amount != 0.0, is_met) {
        (true, _) => (2.0, theme::POSED_BRIGHT),
        (false, true) => (1.0, theme::MARK),
        (false, false) => return,
    };
    painter.rect_stroke(rect, theme::ROUNDING, Stroke::new(width, color), StrokeKind::Inside);
}

/// A pose's picture with the corners of a card, `opacity` of it.
pub fn paint_picture(painter: &egui::Painter, rect: Rect, texture: TextureId, opacity: f32) {
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let tint = Color32::WHITE.gamma_multiply(opacity);
    painter.add(egui::epaint::RectShape::filled(rect, theme::ROUNDING, tint).with_texture(texture, whole));
}

/// Whether the whole name can be read.
fn name_ui(
    ui: &mut egui::Ui,
    rect: Rect,
    session: &mut Session,
    state: &mut UiState,
    pose: &Pose,
    has_focus: bool,
) -> bool {
    if let Some(renaming) = state.renaming.as_mut().filter(|renaming| renaming.id == pose.id) {
        if !renaming.field_ui(ui, rect, session) {
            state.renaming = None;
        }
        return true;
    }
    // The frame around the picture says what is on the face; the name says where the keyboard is.
    if has_focus {
        ui.painter().rect_filled(rect.shrink2(vec2(0.0, 1.0)), theme::ROUNDING, theme::ACCENT);
    }
    let text = text::elide_middle(ui.painter(), &pose.name, &theme::small_font(), rect.width() - 4.0);
    let fits = text == pose.name;
    ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, text, theme::small_font(), theme::TEXT);
    fits
}

fn amount_ui(ui: &mut egui::Ui, rect: Rect, session: &mut Session, state: &mut UiState, pose: &Pose, amount: f32) {
    let label = format!("Amount of {}", pose.name);
    let bar = Bar { name: "", open_ended: true, hold: Hold::Posed, ..Bar::new(&label, amount) };
    let output = bar.show_ui(ui, rect, Id::unique(("amount", pose.id)));
    if let Some(value) = output.value {
        session.set_pose_amount(pose.id, value);
    }
    if output.reset {
        session.set_pose_amount(pose.id, 0.0);
    }
    if output.nudged {
        state.nudged_at_secs = Some(ui.input(|input| input.time));
    }
}

fn tooltip_ui(ui: &mut egui::Ui, pose: &Pose, fits: bool, unknown: &[&str]) {
    const LISTED: usize = 12;
    ui.set_max_width(280.0);
    if !fits {
        ui.strong(&pose.name);
    }
    if !unknown.is_empty() {
        let names = match unknown.len() {
            1 => "1 name is".to_owned(),
            count => format!("{count} names are"),
        };
        let rest = match unknown.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let listed = unknown.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
        ui.colored_label(theme::WARNING, format!("{names} not on this head: {listed}{rest}"));
    }
    let count = pose.weights.len() - unknown.len();
    ui.weak(format!("{count} channel{}. Click to go over to it, drag to sort.", if count == 1 { "" } else { "s" }));
}

/// Does what the hand wants of a pose; [`Wish::Lift`] and [`Wish::Rename`] are the page's own.
pub fn grant(session: &mut Session, id: PoseId, wish: Wish) {
    let place = session.edits.poses.iter().position(|pose| pose.id == id).unwrap_or(0);
    match wish {
        Wish::Apply => session.apply_pose(id),
        Wish::Duplicate => {
            session.duplicate_pose(id);
        }
        Wish::Replace => session.replace_pose(id),
        Wish::Mirror => session.mirror_pose(id),
        Wish::MoveEarlier => session.move_pose(id, place.saturating_sub(1)),
        Wish::MoveLater => session.move_pose(id, place + 1),
        Wish::AddToSequence => session.add_to_sequence(id),
        Wish::Delete => session.delete_pose(id),
        Wish::Lift | Wish::Rename => {}
    }
}
