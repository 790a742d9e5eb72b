//! The cards of all poses, by group. Only visible cards are laid out; dragging a card moves its pose in the list.

use egui::style::ScrollAnimation;
use egui::{Align2, Id, Key, LayerId, Modifiers, Order, Pos2, Rect, ScrollArea, Stroke, Vec2, vec2};

use crate::Thumbnails;
use crate::widgets::scroll_to_focus;
use crate::{UiState, theme};
use smirk_editor::session::Session;
use smirk_face::motion::{Layer, PoseGroup};

use super::card::{PoseAction, apply_action, card_ui};
use super::layout::CardLayout;
use super::name::Renaming;
use super::pictures::paint_picture;

/// Shows all cards.
pub(super) fn grid_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState, thumbnails: &Thumbnails) {
    state.picture_textures.remove_outdated(thumbnails);
    let width = ui.available_width() - ui.spacing().scroll.floating_allocated_width;
    let mut layout = CardLayout::new(width, session.edits.poses.iter().map(|pose| &**pose));
    ScrollArea::vertical().id_salt("poses").auto_shrink(false).show_viewport(ui, |ui, viewport| {
        ui.set_height(layout.height());
        layout.min = ui.max_rect().min;
        for (group, rect) in layout.headings() {
            let at = rect.left_center() - vec2(0.0, 2.0);
            ui.painter().text(at, Align2::LEFT_CENTER, group.label(), theme::body_font(), theme::TEXT_WEAK);
        }
        scroll_to_new_pose(ui, &layout, session, state);
        // One row more above and below is where the Tab key goes from the first and the last card on the screen.
        let heights =
            layout.min.y + viewport.min.y - layout.row_height()..layout.min.y + viewport.max.y + layout.row_height();
        cards_ui(ui, layout.cards(heights), session, state, thumbnails);
        drag_ui(ui, &layout, session, state, thumbnails);
        scroll_to_focus(ui);
    });
}

fn cards_ui(
    ui: &mut egui::Ui,
    cards: Vec<(usize, Rect)>,
    session: &mut Session,
    state: &mut UiState,
    thumbnails: &Thumbnails,
) {
    // These are copies, because an action of one card must not change the list while the others are shown.
    let cards: Vec<_> = cards.into_iter().map(|(index, rect)| (session.edits.poses[index].clone(), rect)).collect();
    let mut requested = None;
    for (pose, rect) in cards {
        state.visible_poses.push(pose.id);
        let texture = state.picture_textures.texture(ui.ctx(), pose.id, thumbnails);
        let action = card_ui(ui, rect, session, state, &pose, texture);
        requested = action.map(|action| (pose.id, action)).or(requested);
    }
    match requested {
        Some((id, PoseAction::StartDrag)) => state.dragged_pose = Some(id),
        Some((id, PoseAction::Rename)) => state.renaming = Renaming::new(session, id),
        Some((id, action)) => apply_action(session, id, action),
        None => {}
    }
}

/// Scrolls to a pose that was just saved.
fn scroll_to_new_pose(ui: &egui::Ui, layout: &CardLayout, session: &Session, state: &mut UiState) {
    let Some(id) = state.scroll_to_pose.take() else { return };
    let index = session.edits.poses.iter().position(|pose| pose.id == id);
    if let Some(rect) = index.and_then(|index| layout.card_of(index)) {
        ui.scroll_to_rect_animation(rect, None, ScrollAnimation::none());
    }
}

/// Shows the dragged card and the gap it would be dropped into, among the poses of its group.
fn drag_ui(ui: &egui::Ui, layout: &CardLayout, session: &mut Session, state: &mut UiState, thumbnails: &Thumbnails) {
    let Some(id) = state.dragged_pose else { return };
    let (pointer, is_held, is_cancelled) = ui.input_mut(|input| {
        let is_cancelled = input.consume_key(Modifiers::NONE, Key::Escape);
        (input.pointer.latest_pos(), input.pointer.primary_down(), is_cancelled)
    });
    let from = session.edits.poses.iter().position(|pose| pose.id == id);
    let (Some(pointer), Some(from), false) = (pointer, from, is_cancelled) else {
        state.dragged_pose = None;
        return;
    };
    let visible = ui.clip_rect();
    // A drop into one of the gaps next to the card itself does not move the pose.
    let is_near = visible.expand(theme::GAP_LARGE).contains(pointer);
    let gap = layout.gap_at(pointer, PoseGroup::of(id));
    let gap = gap.filter(|gap| is_near && !gap.between.contains(&Some(from)));
    if !is_held {
        state.dragged_pose = None;
        // The pose is taken out of the list before it is put back, so that later ones come one place earlier.
        let place = gap.and_then(|gap| match gap.between {
            [_, Some(next)] => Some(if next > from { next - 1 } else { next }),
            [Some(last), None] => Some(if last > from { last } else { last + 1 }),
            [None, None] => None,
        });
        if let Some(place) = place {
            session.move_pose(id, place);
        }
        ui.request_repaint();
        return;
    }
    if let Some(gap) = gap {
        ui.painter().rect_filled(gap.mark, 1.5, theme::layer_tint(Layer::Pose).bright);
    }
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, Id::unique("dragged pose")));
    // The dragged card is below the pointer, so that it does not cover the insertion mark.
    let dragged_rect = Rect::from_min_size(pointer + vec2(6.0, 10.0), Vec2::splat(layout.card.x * 0.7));
    match state.picture_textures.texture(ui.ctx(), id, thumbnails) {
        Some(texture) => paint_picture(&painter, dragged_rect, texture, 0.85),
        None => {
            painter.rect_filled(dragged_rect, theme::ROUNDING, theme::RAISED);
        }
    }
    let stroke = Stroke::new(1.0, theme::layer_tint(Layer::Pose).bright);
    painter.rect_stroke(dragged_rect, theme::ROUNDING, stroke, egui::StrokeKind::Inside);
    ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    scroll_at_edges(ui, visible, pointer);
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
