//! The columns of the channel list: a name, then one wide slider, or one for the left and one for the right.

use egui::{Rect, pos2};

use crate::theme;
use crate::widgets::text;
use smirk_face::head::Head;

/// Width of the triangle before a name.
pub(super) const TRIANGLE_WIDTH: f32 = 17.0;
/// Width between the sliders of left and right, for the link button.
const LINK_WIDTH: f32 = 22.0;
/// A slider that is narrower cannot be dragged precisely.
const LEAST_BAR_WIDTH: f32 = 72.0;
/// Longer names are shortened in their middle.
const MOST_NAME_WIDTH: f32 = 240.0;

/// The places of one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// The name, with the triangle before it.
    pub name: Rect,
    /// The sliders of left and right.
    pub sides: [Rect; 2],
    /// The link button between them.
    pub link: Rect,
    /// The slider of a channel that has no other side.
    pub wide: Rect,
}

impl Columns {
    /// Divides a row. `name_width` is that of the longest name.
    pub(super) fn new(row: Rect, name_width: f32) -> Self {
        let most = row.width() - 2.0 * LEAST_BAR_WIDTH - LINK_WIDTH - theme::GAP_SMALL;
        let name = row.with_max_x(row.left() + name_width.min(most).max(0.0).floor());
        let wide = row.with_min_x(name.right() + theme::GAP_SMALL);
        let side_width = ((wide.width() - LINK_WIDTH) / 2.0).floor();
        let left = wide.with_max_x(wide.left() + side_width);
        let right = Rect::from_min_max(pos2(wide.right() - side_width, wide.top()), wide.max);
        let link = Rect::from_x_y_ranges(left.right()..=right.left(), row.y_range());
        Self { name, sides: [left, right], link, wide }
    }
}

/// The width of the longest name in the list, with its triangle.
pub(super) fn name_width(ui: &egui::Ui, head: &Head) -> f32 {
    let names = head.pairs.iter().flat_map(|pair| match pair.second {
        Some(_) if pair.is_left_and_right => [Some(&pair.label), None],
        second => [Some(pair.first), second].map(|channel| channel.map(|channel| &head.channels[channel].name)),
    });
    let width = |name: &String| {
        let name = text::elide_middle(ui.painter(), name, &theme::body_font(), MOST_NAME_WIDTH);
        ui.painter().layout_no_wrap(name, theme::body_font(), theme::TEXT).size().x
    };
    TRIANGLE_WIDTH + names.flatten().map(width).fold(0.0, f32::max).ceil() + theme::GAP_SMALL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_leaves_room_for_both_sliders() {
        let row = Rect::from_min_size(pos2(8.0, 100.0), egui::vec2(294.0, 24.0));
        for name_width in [0.0, 124.0, 500.0] {
            let columns = Columns::new(row, name_width);
            let [left, right] = columns.sides;
            assert!(left.width() >= LEAST_BAR_WIDTH && left.width() == right.width(), "{name_width}");
            assert!(columns.name.right() < left.left() && left.right() <= columns.link.left());
            assert_eq!((columns.wide.left(), columns.wide.right()), (left.left(), right.right()));
            assert_eq!(right.right(), row.right());
        }
    }
}
