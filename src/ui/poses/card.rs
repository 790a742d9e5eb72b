//! The card of one pose: thumbnail, name and a slider for its amount.

use egui::{Align2, Id, Key, Modifiers, PointerButton, Rect, Response, Role, Sense, Vec2, WidgetInfo, vec2};

use smirk_face::motion::{Layer, Pose, PoseGroup, PoseId};
use smirk_session::{Edits, Session};

use super::PosesPage;
use crate::context::PanelContext;
use crate::shortcuts::{Action, keys_of};
use crate::state::PointedAt;
use crate::theme;
use crate::thumbnails::thumbnail_ui;
use crate::widgets::{Bar, BarState, EntryOutcome, EntryStyle, Icon, TextEntry, context_menu_ui, has_keys, text};

pub(super) const FOOTER_HEIGHT: f32 = NAME_HEIGHT + theme::BAR_HEIGHT_THIN + 2.0;
const NAME_HEIGHT: f32 = 20.0;
const KEY_WIDTH: f32 = 14.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PoseAction {
    Apply,
    Rename,
    Duplicate,
    Replace,
    Mirror,
    MoveEarlier,
    MoveLater,
    Key,
    KeyOnly,
    SetNumber(Option<u8>),
    AddToSequence,
    SaveAsExpression,
    Delete,
    StartDrag,
}

impl PosesPage {
    /// Shows the card at `rect`, with the key that applies its pose. Returns the action that the user chose.
    pub(super) fn card_ui(
        &mut self,
        ui: &mut egui::Ui,
        rect: Rect,
        pose: &Pose,
        cx: &mut PanelContext<'_>,
    ) -> Option<PoseAction> {
        let texture =
            cx.state.thumbnail_textures.texture(ui.ctx(), pose.id, cx.readings.thumbnails_of(&cx.session.head));
        let picture = Rect::from_min_size(rect.min, Vec2::splat(rect.width()));
        let name = Rect::from_min_size(picture.left_bottom(), vec2(rect.width(), NAME_HEIGHT));
        let bar = name.translate(vec2(0.0, NAME_HEIGHT)).with_max_y(name.bottom() + theme::BAR_HEIGHT_THIN);
        let response = ui.interact(picture.union(name), Id::unique(("pose", pose.id)), Sense::click_and_drag());
        let amount = cx.session.edits.pose_amount(pose.id);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, amount != 0.0, format!("Pose {}", pose.name)));

        if response.hovered() {
            cx.marks.pointed_at = Some(PointedAt::Pose(pose.id));
        }
        let unknown = pose.unknown_names(&cx.session.head);
        let is_dragged = cx.marks.dragged_pose.is_some_and(|dragged| dragged.id == pose.id);
        let applied = (amount != 0.0).then_some(theme::layer_tint(Layer::Pose).bright);
        thumbnail_ui(ui, &response, picture, texture, applied, is_dragged);
        if !unknown.is_empty() {
            let corner =
                Rect::from_center_size(picture.right_top() + vec2(-11.0, 11.0), Vec2::splat(theme::ICON_BUTTON_SIZE));
            ui.painter().circle_filled(corner.center(), 10.0, theme::OVERLAY);
            Icon::Warning.paint(ui.painter(), corner, theme::WARNING);
        }
        let fits = self.name_ui(ui, name, pose, response.has_focus(), cx.session);
        let key = cx.session.edits.key_of_pose(pose.id).map_or("", |digit| keys_of(Action::ApplyPose(digit)));
        let at = name.left_center() + vec2(4.0, 0.0);
        ui.painter().text(at, Align2::LEFT_CENTER, key, theme::small_font(), theme::TEXT_WEAK);
        amount_ui(ui, bar, pose, cx.session);
        let had_focus = self.focused == Some(pose.id);
        let action = action_of(ui, &response, name, had_focus);
        if response.has_focus() {
            self.focused = Some(pose.id);
        } else if had_focus {
            self.focused = None;
        }
        let chosen = menu_ui(&response, pose.id, &cx.session.edits);
        if !is_dragged {
            response.on_hover_ui(|ui| tooltip_ui(ui, pose, fits, &unknown));
        }
        chosen.or(action)
    }

    /// Shows the name, or the field that edits it. Returns whether the name fits without being shortened.
    fn name_ui(&mut self, ui: &mut egui::Ui, rect: Rect, pose: &Pose, has_focus: bool, session: &mut Session) -> bool {
        if let Some(renaming) = self.renaming.as_mut().filter(|renaming| renaming.id == pose.id) {
            if !renaming.field_ui(ui, rect, session) {
                self.renaming = None;
            }
            return true;
        }
        // The outline of the thumbnail shows that the pose is active, so the keyboard focus is shown on the name.
        if has_focus {
            ui.painter().rect_filled(rect.shrink2(vec2(0.0, 1.0)), theme::ROUNDING, theme::WELL_HOVERED);
        }
        let text = text::elide_middle(ui.painter(), &pose.name, &theme::small_font(), rect.width() - 2.0 * KEY_WIDTH);
        let fits = text == text::shown(&pose.name);
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, text, theme::small_font(), theme::TEXT);
        fits
    }
}

/// What a click, a drag or a key on the card does. `had_focus`: the pose was chosen before the click.
fn action_of(ui: &egui::Ui, response: &Response, name: Rect, had_focus: bool) -> Option<PoseAction> {
    if response.drag_started_by(PointerButton::Primary) {
        return Some(PoseAction::StartDrag);
    }
    let on_name = response.interact_pointer_pos().is_some_and(|point| name.contains(point));
    if response.clicked() {
        response.request_focus();
        return Some(if on_name && had_focus { PoseAction::Rename } else { PoseAction::Apply });
    }
    if !has_keys(response) {
        return None;
    }
    let keys = [(Key::F2, PoseAction::Rename), (Key::Delete, PoseAction::Delete)];
    keys.into_iter()
        .find_map(|(key, action)| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)).then_some(action))
}

fn menu_ui(response: &Response, id: PoseId, edits: &Edits) -> Option<PoseAction> {
    let mut chosen = None;
    context_menu_ui(response, |ui| {
        ui.set_min_width(180.0);
        let groups: [&[(&str, &str, PoseAction)]; 3] = [
            &[
                ("Apply", "Enter", PoseAction::Apply),
                ("Rename", "F2", PoseAction::Rename),
                ("Duplicate", "", PoseAction::Duplicate),
            ],
            &[
                ("Update pose", "", PoseAction::Replace),
                ("Mirror pose", "", PoseAction::Mirror),
                ("Key this pose here", "K", PoseAction::Key),
                ("Key only its channels", "Ctrl+Shift+K", PoseAction::KeyOnly),
                ("Add to sequence", "", PoseAction::AddToSequence),
                ("Save as expression", "", PoseAction::SaveAsExpression),
                ("Move earlier", "", PoseAction::MoveEarlier),
                ("Move later", "", PoseAction::MoveLater),
            ],
            &[("Delete", "Del", PoseAction::Delete)],
        ];
        for (index, group) in groups.into_iter().enumerate() {
            if index > 0 {
                ui.separator();
            }
            for &(text, keys, action) in group {
                if ui.add(egui::Button::new(text).shortcut_text(keys)).clicked() {
                    chosen = Some(action);
                }
            }
            if index == 1 {
                ui.menu_button("Number key", |ui| chosen = number_ui(ui, id, edits).or(chosen));
            }
        }
    });
    chosen
}

/// The number keys, with the poses that have them.
fn number_ui(ui: &mut egui::Ui, id: PoseId, edits: &Edits) -> Option<PoseAction> {
    let mut chosen = None;
    let own = edits.key_of_pose(id);
    for digit in (1..=9).chain([0]) {
        let of = edits.pose_keys.get(&digit).and_then(|&other| edits.pose(other));
        let name = of.map_or("–".into(), |pose| text::shown(&pose.name));
        let entry = egui::Button::selectable(own == Some(digit), format!("{digit}  {name}"));
        if ui.add(entry).clicked() {
            chosen = Some(PoseAction::SetNumber(Some(digit)));
        }
    }
    ui.separator();
    if ui.add(egui::Button::selectable(own.is_none(), "No key")).clicked() {
        chosen = Some(PoseAction::SetNumber(None));
    }
    chosen
}

fn amount_ui(ui: &mut egui::Ui, rect: Rect, pose: &Pose, session: &mut Session) {
    let (label, amount) = (format!("Amount of {}", pose.name), session.edits.pose_amount(pose.id));
    let bar = Bar { name: "", open_ended: true, state: BarState::Driven(Layer::Pose), ..Bar::new(&label, amount) };
    let output = bar.show_ui(ui, rect, Id::unique(("amount", pose.id)));
    if let Some(value) = output.value {
        session.poses_mut().set_amount(pose.id, value);
    }
    if output.reset {
        session.poses_mut().set_amount(pose.id, 0.0);
    }
}

fn tooltip_ui(ui: &mut egui::Ui, pose: &Pose, fits: bool, unknown: &[&str]) {
    const LISTED: usize = 12;
    ui.set_max_width(280.0);
    if !fits {
        ui.strong(text::shown(&pose.name));
    }
    if !unknown.is_empty() {
        let channels = text::counted(unknown.len(), "channel");
        let rest = match unknown.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let listed = unknown.iter().take(LISTED).map(|name| text::shown(name)).collect::<Vec<_>>().join(", ");
        ui.colored_label(theme::WARNING, format!("{channels} missing in this head: {listed}{rest}"));
    }
    let count = pose.weights.len() - unknown.len();
    ui.weak(format!("{}. Click to apply, drag to reorder or onto the timeline.", text::counted(count, "channel")));
}

/// Performs an action on the session. Dragging and renaming only change the state of the page, which also says what was
/// keyed and saved as an expression.
pub(super) fn apply_action(session: &mut Session, id: PoseId, action: PoseAction) {
    match action {
        PoseAction::Apply => session.poses_mut().apply(id),
        PoseAction::Duplicate => {
            session.poses_mut().duplicate(id);
        }
        PoseAction::Replace => session.poses_mut().replace(id),
        PoseAction::Mirror => session.poses_mut().mirror(id),
        PoseAction::MoveEarlier => move_within_group(session, id, |place| place.checked_sub(1)),
        PoseAction::MoveLater => move_within_group(session, id, |place| Some(place + 1)),
        PoseAction::SetNumber(digit) => session.poses_mut().set_key(id, digit),
        PoseAction::AddToSequence => session.sequence_mut().add(id),
        PoseAction::Delete => session.poses_mut().delete(id),
        PoseAction::StartDrag
        | PoseAction::Rename
        | PoseAction::Key
        | PoseAction::KeyOnly
        | PoseAction::SaveAsExpression => {}
    }
}

/// Moves a pose to another place among the poses of its group, which other poses may lie between in the list.
fn move_within_group(session: &mut Session, id: PoseId, to: impl FnOnce(usize) -> Option<usize>) {
    let poses = session.edits.poses.iter().enumerate();
    let group: Vec<usize> = poses
        .filter(|(_, pose)| PoseGroup::of_pose(pose.id) == PoseGroup::of_pose(id))
        .map(|(index, _)| index)
        .collect();
    let place = group.iter().position(|&index| session.edits.poses[index].id == id);
    if let Some(&index) = place.and_then(to).and_then(|place| group.get(place)) {
        session.poses_mut().move_to(id, index);
    }
}

#[derive(Clone, Debug)]
pub(super) struct Renaming {
    id: PoseId,
    entry: TextEntry,
}

impl Renaming {
    pub(super) fn new(session: &Session, id: PoseId) -> Option<Self> {
        Some(Self { id, entry: TextEntry::new(&session.edits.pose(id)?.name) })
    }

    fn field_ui(&mut self, ui: &mut egui::Ui, rect: Rect, session: &mut Session) -> bool {
        let id = Id::unique(("pose name", self.id));
        let style =
            EntryStyle { name: "Pose name", font: theme::small_font(), align: Align2::CENTER_CENTER, is_number: false };
        match self.entry.field_ui(ui, id, rect.shrink2(vec2(0.0, 1.0)), style) {
            EntryOutcome::Open => return true,
            EntryOutcome::Accepted(name) => session.poses_mut().rename(self.id, &name),
            EntryOutcome::Kept => {}
        }
        false
    }
}
