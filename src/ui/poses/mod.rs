//! The Poses page: save poses, apply them with a transition, mix them.

mod card;
mod layout;

use egui::style::ScrollAnimation;
use egui::{
    Align, Align2, Button, Id, Key, LayerId, Layout, Modifiers, Order, Pos2, Rect, ScrollArea, Stroke, Vec2, vec2,
};

use smirk_base::file_kind::Content;
use smirk_face::motion::{Ease, Layer, PoseGroup, PoseId};
use smirk_session::Transition;

use crate::command::{Command, OpenAs};
use crate::context::PanelContext;
use crate::keyboard::key_pose;
use crate::report::{expression_of_face, expression_of_pose};
use crate::shortcuts::{Action, keys_of};
use crate::state::{DraggedPose, Page};
use crate::theme;
use crate::thumbnails::paint_thumbnail;
use crate::widgets::{Bar, Choice, close_row_ui, scroll_to_focus, text};

use card::{PoseAction, Renaming, apply_action};
use layout::CardLayout;

#[derive(Debug, Default)]
pub(crate) struct PosesPage {
    renaming: Option<Renaming>,
    /// The pose whose card had the keyboard focus in the last frame.
    focused: Option<PoseId>,
    scroll_to: Option<PoseId>,
}

impl PosesPage {
    pub(crate) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        if let Some(id) = cx.marks.saved_pose.take() {
            (self.renaming, self.scroll_to) = (Renaming::new(cx.session, id), Some(id));
        }
        face_ui(ui, cx);
        transition_ui(ui, &mut cx.session.edits.transition);
        files_ui(ui, cx);
        ui.add_space(theme::GAP_SMALL);
        if cx.session.edits.poses.is_empty() {
            empty_ui(ui);
        } else {
            self.grid_ui(ui, cx);
        }
    }

    /// Shows all cards. Only visible ones are laid out; dragging a card moves its pose in the list.
    fn grid_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        cx.state.thumbnail_textures.remove_outdated(cx.readings.thumbnails_of(&cx.session.head));
        let width = ui.available_width() - ui.spacing().scroll.floating_allocated_width;
        let mut layout = CardLayout::new(width, cx.session.edits.poses.iter().map(|pose| &**pose));
        ScrollArea::vertical().id_salt("poses").auto_shrink(false).show_viewport(ui, |ui, viewport| {
            ui.set_height(layout.height());
            layout.min = ui.max_rect().min;
            for (group, rect) in layout.headings() {
                let at = rect.left_center() - vec2(0.0, 2.0);
                ui.painter().text(at, Align2::LEFT_CENTER, group.label(), theme::body_font(), theme::TEXT_WEAK);
            }
            self.scroll_to_saved_pose(ui, &layout, cx);
            // One row more above and below is where the Tab key goes from the first and the last card on the screen.
            let heights = layout.min.y + viewport.min.y - layout.row_height()
                ..layout.min.y + viewport.max.y + layout.row_height();
            self.cards_ui(ui, layout.cards(heights), cx);
            self.drag_ui(ui, &layout, cx);
            scroll_to_focus(ui);
        });
    }

    fn cards_ui(&mut self, ui: &mut egui::Ui, cards: Vec<(usize, Rect)>, cx: &mut PanelContext<'_>) {
        // These are copies, because an action of one card must not change the list while the others are shown.
        let cards: Vec<_> =
            cards.into_iter().map(|(index, rect)| (cx.session.edits.poses[index].clone(), rect)).collect();
        let mut requested = None;
        for (pose, rect) in cards {
            cx.visible_pictures().poses.push(pose.id);
            let action = self.card_ui(ui, rect, &pose, cx);
            requested = action.map(|action| (pose.id, action)).or(requested);
        }
        match requested {
            Some((id, PoseAction::StartDrag)) => cx.marks.dragged_pose = Some(DraggedPose { id, time_secs: None }),
            Some((id, PoseAction::Rename)) => self.renaming = Renaming::new(cx.session, id),
            Some((id, PoseAction::Key)) => key_pose(cx, id, false),
            Some((id, PoseAction::KeyOnly)) => key_pose(cx, id, true),
            Some((id, PoseAction::SaveAsExpression)) => {
                cx.marks.new_mend = cx.session.edits.pose(id).map(|pose| expression_of_pose(cx.session, pose));
                cx.state.open_page(Page::Report);
            }
            Some((id, action)) => {
                let deleted = cx.session.edits.pose(id).filter(|_| action == PoseAction::Delete).cloned();
                apply_action(cx.session, id, action);
                if let Some(pose) = deleted {
                    cx.show_status(format!("Pose “{}” is deleted. Ctrl+Z brings it back", text::shown(&pose.name)));
                }
            }
            None => {}
        }
    }

    fn scroll_to_saved_pose(&mut self, ui: &egui::Ui, layout: &CardLayout, cx: &PanelContext<'_>) {
        let Some(id) = self.scroll_to.take() else { return };
        let index = cx.session.edits.poses.iter().position(|pose| pose.id == id);
        if let Some(rect) = index.and_then(|index| layout.card_of(index)) {
            ui.scroll_to_rect_animation(rect, None, ScrollAnimation::none());
        }
    }

    /// Shows the dragged card and the gap it is dropped into, among the poses of its group.
    fn drag_ui(&mut self, ui: &egui::Ui, layout: &CardLayout, cx: &mut PanelContext<'_>) {
        let Some(DraggedPose { id, time_secs }) = cx.marks.dragged_pose else { return };
        let (pointer, is_held, is_cancelled) = ui.input_mut(|input| {
            let is_cancelled = input.consume_key(Modifiers::NONE, Key::Escape);
            (input.pointer.latest_pos(), input.pointer.primary_down(), is_cancelled)
        });
        let from = cx.session.edits.poses.iter().position(|pose| pose.id == id);
        let (Some(pointer), Some(from), false) = (pointer, from, is_cancelled) else {
            cx.marks.dragged_pose = None;
            return;
        };
        let visible = ui.clip_rect();
        // A drop into one of the gaps next to the card itself does not move the pose.
        let is_near = visible.expand(theme::GAP_LARGE).contains(pointer);
        let gap = layout.gap_at(pointer, PoseGroup::of_pose(id));
        let gap = gap.filter(|gap| is_near && !gap.between.contains(&Some(from)));
        if !is_held {
            // The pose is taken out of the list before it is put back, so that later ones come one place earlier.
            let place = gap.filter(|_| time_secs.is_none()).and_then(|gap| match gap.between {
                [_, Some(next)] => Some(if next > from { next - 1 } else { next }),
                [Some(last), None] => Some(if last > from { last } else { last + 1 }),
                [None, None] => None,
            });
            if let Some(place) = place {
                cx.session.poses_mut().move_to(id, place);
            }
            ui.request_repaint();
            return;
        }
        if let Some(gap) = gap {
            ui.painter().rect_filled(gap.mark, 1.5, theme::layer_tint(Layer::Pose).bright);
        }
        let painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, Id::unique("dragged pose")));
        // The dragged card is below the pointer, so that it does not cover the insertion mark; over a time scale,
        // above.
        let size = layout.card.x * 0.7;
        let below = if time_secs.is_some() { -size - 30.0 } else { 10.0 };
        let dragged_rect = Rect::from_min_size(pointer + vec2(6.0, below), Vec2::splat(size));
        match cx.state.thumbnail_textures.texture(ui.ctx(), id, cx.readings.thumbnails_of(&cx.session.head)) {
            Some(texture) => paint_thumbnail(&painter, dragged_rect, texture, 0.85),
            None => {
                painter.rect_filled(dragged_rect, theme::ROUNDING, theme::RAISED);
            }
        }
        let stroke = Stroke::new(1.0, theme::layer_tint(Layer::Pose).bright);
        painter.rect_stroke(dragged_rect, theme::ROUNDING, stroke, egui::StrokeKind::Inside);
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
        if is_near {
            scroll_at_edges(ui, visible, pointer);
        }
    }
}

/// Ends the drag of a card when the button is released, which keys the pose over a time scale, or by Esc. Call it after
/// all panels: the page may be hidden meanwhile.
pub(crate) fn end_drag(ctx: &egui::Context, cx: &mut PanelContext<'_>) {
    let (is_held, is_cancelled) = ctx.input(|input| (input.pointer.primary_down(), input.key_pressed(Key::Escape)));
    let Some(DraggedPose { id, time_secs }) = cx.marks.dragged_pose.take_if(|_| !is_held || is_cancelled) else {
        return;
    };
    if let Some(secs) = time_secs.filter(|_| !is_cancelled && cx.session.edits.pose(id).is_some()) {
        cx.session.clock.timeline.playing = false;
        cx.session.seek(secs);
        key_pose(cx, id, false);
    }
    ctx.request_repaint();
}

/// Scrolls while a card is held near the upper or lower edge.
fn scroll_at_edges(ui: &egui::Ui, visible: Rect, pointer: Pos2) {
    const EDGE: f32 = 28.0;
    const POINTS_PER_SEC: f32 = 480.0;
    let above = (visible.top() + EDGE - pointer.y).clamp(0.0, EDGE);
    let below = (pointer.y - visible.bottom() + EDGE).clamp(0.0, EDGE);
    let speed = (above - below) / EDGE * POINTS_PER_SEC;
    if speed != 0.0 {
        let step = speed * ui.input(|input| input.stable_dt.min(0.1));
        ui.scroll_with_delta_animation(vec2(0.0, step), ScrollAnimation::none());
        ui.request_repaint();
    }
}

fn face_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let row = vec2(ui.available_width(), theme::BAR_HEIGHT);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        let clear = ui.add_enabled(cx.session.can_clear_poses(), Button::new("Clear"));
        if clear.on_hover_text("Remove all poses and reset all sliders, over the transition time").clicked() {
            cx.session.poses_mut().clear();
        }
        let tip = format!("Swap left and right of the face ({})", keys_of(Action::MirrorFace));
        if ui.button("Mirror").on_hover_text(tip).clicked() {
            cx.actions.push(Action::MirrorFace);
        }
        let tip = format!("Save the current face as a new pose ({})", keys_of(Action::SavePose));
        let save = Button::new("Save pose").min_size(vec2(ui.available_width(), theme::BAR_HEIGHT));
        if ui.add(save.fill(theme::ACCENT)).on_hover_text(tip).clicked() {
            cx.actions.push(Action::SavePose);
        }
    });
}

fn transition_ui(ui: &mut egui::Ui, transition: &mut Transition) {
    const EASE_WIDTH: f32 = 122.0;
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), theme::BAR_HEIGHT));
    let bar_rect = row.with_max_x(row.right() - EASE_WIDTH - theme::GAP_SMALL);
    let bar =
        Bar { open_ended: true, range: 0.0..=2.0, unit: " s", ..Bar::new("Transition", transition.duration_secs) };
    let output = bar.show_ui(ui, bar_rect, Id::unique("transition"));
    if let Some(value) = output.value {
        transition.duration_secs = value.clamp(0.0, Transition::LONGEST_SECS);
    }
    if output.reset {
        transition.duration_secs = Transition::default().duration_secs;
    }
    output.response.on_hover_text("Time to blend from one pose to the next. Type or Shift-drag for more than 2 s");

    let combo_rect = Rect::from_min_max(row.right_top() - vec2(EASE_WIDTH, 0.0), row.max);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(combo_rect).id_salt("ease"));
    let choice = Choice { width: EASE_WIDTH, ..Choice::new("Ease", "") };
    choice.list_ui(&mut child, &mut transition.ease, Ease::ALL, |ease| (ease.label().into(), ""));
}

fn files_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    close_row_ui(ui, |ui| {
        let expression = Button::new("Face as expression").frame_when_inactive(false);
        let tip = "Make an expression of VRM of the current face, and show it on the Report page";
        if ui.add(expression).on_hover_text(tip).clicked() {
            cx.marks.new_mend = Some(expression_of_face(cx.session));
            cx.state.open_page(Page::Report);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let has_poses = !cx.session.edits.poses.is_empty();
            let export = ui.add_enabled(has_poses, Button::new("Export…").frame_when_inactive(false));
            if export.on_hover_text("Export all poses to a JSON file").clicked() {
                cx.commands.push(Command::ExportPoses);
            }
            let import = ui.add(Button::new("Import…").frame_when_inactive(false));
            if import.on_hover_text("Add the poses of a JSON file to the list").clicked() {
                cx.commands.push(Command::Choose(OpenAs::File(Some(Content::Poses))));
            }
        });
    });
}

fn empty_ui(ui: &mut egui::Ui) {
    ui.add_space(theme::GAP_LARGE);
    ui.label("No poses yet.");
    ui.weak("Move some sliders and click Save pose. Click a pose to apply it.");
    ui.add_space(theme::GAP);
    ui.weak("Heads with ARKit channel names start with a set of poses. The names of this head differ.");
}
