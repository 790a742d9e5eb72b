//! A grid of pose cards. Only visible cards are laid out; dragging a card moves its pose in the list.

use egui::style::ScrollAnimation;
use egui::{Id, Key, LayerId, Modifiers, Order, Pos2, Rect, ScrollArea, Stroke, Vec2, vec2};

use crate::session::Session;
use crate::ui::Thumbnails;

use crate::ui::{UiState, theme};

use super::card::{FOOTER_HEIGHT, PoseAction, apply_action, card_ui, paint_picture};
use super::name::Renaming;

const LEAST_CARD_WIDTH: f32 = 78.0;

/// The positions of the cards.
#[derive(Clone, Copy, Debug)]
struct Grid {
    /// Top left corner of the first card, which may be scrolled out of view.
    min: Pos2,
    card: Vec2,
    columns: usize,
    count: usize,
}

impl Grid {
    fn new(width: f32, count: usize) -> Self {
        let columns = (((width + theme::GAP) / (LEAST_CARD_WIDTH + theme::GAP)) as usize).max(2);
        let side = ((width - theme::GAP * (columns - 1) as f32) / columns as f32).floor();
        Self { min: Pos2::ZERO, card: vec2(side, side + FOOTER_HEIGHT), columns, count }
    }

    fn rows(&self) -> usize {
        self.count.div_ceil(self.columns)
    }

    fn rect(&self, index: usize) -> Rect {
        let step = self.card + Vec2::splat(theme::GAP);
        let cell = vec2((index % self.columns) as f32, (index / self.columns) as f32);
        Rect::from_min_size(self.min + cell * step, self.card)
    }

    /// The gap between cards that is nearest to a point, in the row of the point: the index of the card after it, and
    /// the rectangle of the insertion mark.
    fn gap_at(&self, point: Pos2) -> (usize, Rect) {
        let step = self.card + Vec2::splat(theme::GAP);
        let at = (point - self.min) / step;
        let row = (at.y.max(0.0) as usize).min(self.rows().saturating_sub(1));
        let column = (at.x.max(0.0).round() as usize).min(self.columns);
        let gap = (row * self.columns + column).min(self.count);
        let x = if gap > row * self.columns {
            self.rect(gap - 1).right() + theme::GAP / 2.0
        } else {
            self.rect(gap).left() - 3.0
        };
        let y = self.rect(row * self.columns).y_range();
        (gap, Rect::from_x_y_ranges(x - 1.5..=x + 1.5, y))
    }
}

/// Shows all cards.
pub(super) fn grid_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState, thumbnails: &Thumbnails) {
    state.pose_pictures.remove_outdated(thumbnails);
    ui.spacing_mut().item_spacing.y = theme::GAP;
    let mut grid =
        Grid::new(ui.available_width() - ui.spacing().scroll.floating_allocated_width, session.edits.poses.len());
    ScrollArea::vertical().id_salt("poses").auto_shrink(false).show_rows(ui, grid.card.y, grid.rows(), |ui, rows| {
        let row_height = grid.card.y + theme::GAP;
        grid.min = ui.max_rect().min - vec2(0.0, rows.start as f32 * row_height);
        scroll_to_new_pose(ui, &grid, session, state);
        cards_ui(ui, &grid, session, state, thumbnails, rows);
        drag_ui(ui, &grid, session, state, thumbnails);
    });
}

fn cards_ui(
    ui: &mut egui::Ui,
    grid: &Grid,
    session: &mut Session,
    state: &mut UiState,
    thumbnails: &Thumbnails,
    rows: std::ops::Range<usize>,
) {
    let indices = rows.start * grid.columns..(rows.end * grid.columns).min(grid.count);
    // This is a copy, because an action of one card must not change the list while the others are shown.
    let poses = session.edits.poses[indices.clone()].to_vec();
    let mut requested = None;
    for (index, pose) in indices.zip(poses) {
        state.visible_poses.push(pose.id);
        let texture = state.pose_pictures.texture(ui.ctx(), pose.id, thumbnails);
        let action = card_ui(ui, grid.rect(index), session, state, &pose, texture);
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
fn scroll_to_new_pose(ui: &egui::Ui, grid: &Grid, session: &Session, state: &mut UiState) {
    let Some(id) = state.scroll_to_pose.take() else { return };
    if let Some(index) = session.edits.poses.iter().position(|pose| pose.id == id) {
        ui.scroll_to_rect_animation(grid.rect(index), None, ScrollAnimation::none());
    }
}

/// Shows the dragged card and the gap it would be dropped into.
fn drag_ui(ui: &egui::Ui, grid: &Grid, session: &mut Session, state: &mut UiState, thumbnails: &Thumbnails) {
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
    let (gap, insertion_mark) = grid.gap_at(pointer);
    // A drop into one of the gaps next to the card itself does not move the pose.
    let moves = gap != from && gap != from + 1 && visible.expand(theme::GAP_LARGE).contains(pointer);
    if !is_held {
        state.dragged_pose = None;
        if moves {
            session.move_pose(id, if gap > from { gap - 1 } else { gap });
        }
        ui.request_repaint();
        return;
    }
    if moves {
        ui.painter().rect_filled(insertion_mark, 1.5, theme::POSED_BRIGHT);
    }
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, Id::unique("dragged pose")));
    // The dragged card is below the pointer, so that it does not cover the insertion mark.
    let dragged_rect = Rect::from_min_size(pointer + vec2(6.0, 10.0), Vec2::splat(grid.card.x * 0.7));
    match state.pose_pictures.texture(ui.ctx(), id, thumbnails) {
        Some(texture) => paint_picture(&painter, dragged_rect, texture, 0.85),
        None => {
            painter.rect_filled(dragged_rect, theme::ROUNDING, theme::RAISED);
        }
    }
    painter.rect_stroke(dragged_rect, theme::ROUNDING, Stroke::new(1.0, theme::POSED_BRIGHT), egui::StrokeKind::Inside);
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

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn cards_fill_the_width_and_the_nearest_gap_is_found() {
        let grid = Grid::new(262.0, 7);
        assert_eq!((grid.columns, grid.rows()), (3, 3));
        assert!(grid.rect(2).right() <= 262.0 && grid.rect(2).right() > 258.0);
        let gap = |index: usize, x: f32| grid.gap_at(pos2(grid.rect(index).left() + x, grid.rect(index).center().y));
        assert_eq!((gap(0, 2.0).0, gap(0, 70.0).0, gap(2, 70.0).0, gap(3, 2.0).0), (0, 1, 3, 3));
        assert!(gap(2, 70.0).1.top() < gap(3, 2.0).1.top(), "the mark stays in the row of the pointer");
        assert_eq!(gap(6, 70.0).0, 7);
        assert_eq!(grid.gap_at(pos2(250.0, 9000.0)).0, 7, "after the last card of an incomplete row");
    }
}
