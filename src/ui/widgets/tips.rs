//! Where tooltips stand: beside the part of the window that they explain a control of, so that they cover neither the
//! control nor those around it. egui puts each below its control; here it is moved.

use egui::emath::TSTransform;
use egui::{Context, Id, LayerId, Order, Rect, Tooltip, Vec2, pos2};

use crate::theme;

/// The side of a part of the window on which its tooltips are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TipSide {
    Left,
    Right,
    Above,
    Below,
}

/// A wider window, such as a list that covers the panels, has its tooltips below their controls.
const WIDEST_MENU: f32 = 360.0;

fn parts_id() -> Id {
    Id::unique("parts of the window beside which tooltips are")
}

/// Has the tooltips of all controls in a part of the window beside it. For one frame.
pub(crate) fn keep_tips_off(ctx: &Context, part: Rect, side: TipSide) {
    ctx.data_mut(|data| data.get_temp_mut_or_default::<Vec<(Rect, TipSide)>>(parts_id()).push((part, side)));
}

/// Moves the tooltips of what is under the pointer. Call it once all parts were shown.
pub(crate) fn place_tips(ctx: &Context) {
    let parts = ctx.data_mut(|data| data.remove_temp::<Vec<(Rect, TipSide)>>(parts_id())).unwrap_or_default();
    let hovered: Vec<Id> = ctx.interaction_snapshot(|snapshot| snapshot.hovered.iter().copied().collect());
    for widget in hovered {
        let tip = LayerId::new(Order::Tooltip, Tooltip::tooltip_id(widget, 0));
        let shown = ctx.memory(|memory| memory.areas().is_visible(&tip).then(|| memory.area_rect(tip.id)).flatten());
        let (Some(shown), Some(response)) = (shown, ctx.read_response(widget)) else { continue };
        let part = if response.layer_id.order == Order::Background {
            // The smallest of those that it is in.
            let around = parts.iter().copied().filter(|(part, _)| part.contains(response.rect.center()));
            around.min_by(|(a, _), (b, _)| a.area().total_cmp(&b.area()))
        } else {
            let menu = ctx.memory(|memory| memory.area_rect(response.layer_id.id));
            menu.filter(|menu| menu.width() <= WIDEST_MENU).map(|menu| (menu, TipSide::Right))
        };
        let place = part.and_then(|part| {
            let place = placed(shown.size(), response.rect, part, ctx.content_rect())?;
            let is_of_bar = matches!(part.1, TipSide::Above | TipSide::Below);
            let others = parts.iter().map(|(other, _)| *other).filter(|other| *other != part.0);
            Some(match is_of_bar {
                true => beside_others(place, others, ctx.content_rect().center().x),
                false => above_bars(place, others),
            })
        });
        let moved = place.map_or(Vec2::ZERO, |place| place.min - shown.min);
        ctx.set_transform_layer(tip, TSTransform::from_translation(moved));
    }
}

/// Where a tooltip of a size is that explains a control in a part of the window: beside the part at the height of the
/// control, or above or below it. None if there is no room on either side.
fn placed(size: Vec2, control: Rect, (part, side): (Rect, TipSide), window: Rect) -> Option<Rect> {
    let gap = theme::GAP_SMALL;
    let within = |at: f32, least: f32, most: f32| at.min(most).max(least);
    let x = within(control.left(), window.left(), window.right() - size.x);
    let y = within(control.top(), window.top(), window.bottom() - size.y);
    let at = |side: TipSide| {
        let min = match side {
            TipSide::Left => pos2(part.left() - gap - size.x, y),
            TipSide::Right => pos2(part.right() + gap, y),
            TipSide::Above => pos2(x, part.top() - gap - size.y),
            TipSide::Below => pos2(x, part.bottom() + gap),
        };
        Some(Rect::from_min_size(min, size)).filter(|place| window.contains_rect(*place))
    };
    let opposite = match side {
        TipSide::Left => TipSide::Right,
        TipSide::Right => TipSide::Left,
        TipSide::Above => TipSide::Below,
        TipSide::Below => TipSide::Above,
    };
    at(side).or_else(|| at(opposite))
}

/// A tooltip of a bar, moved towards the middle of the window from the parts below or above the bar that it would
/// cover.
fn beside_others(place: Rect, others: impl Iterator<Item = Rect>, middle: f32) -> Rect {
    others.fold(place, |place, other| {
        let by = match other.intersects(place) {
            true if other.center().x > middle => other.left() - theme::GAP_SMALL - place.right(),
            true => other.right() + theme::GAP_SMALL - place.left(),
            false => 0.0,
        };
        place.translate(Vec2::new(by, 0.0))
    })
}

/// A tooltip beside a panel, moved up from the bars that it would cover.
fn above_bars(place: Rect, others: impl Iterator<Item = Rect>) -> Rect {
    let bars = others.filter(|other| other.height() < 2.0 * theme::BAR_HEIGHT && other.intersects(place));
    bars.fold(place, |place, bar| {
        place.translate(Vec2::new(0.0, (bar.top() - theme::GAP_SMALL - place.bottom()).min(0.0)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;

    #[test]
    fn a_tooltip_is_beside_the_part_and_within_the_window() {
        let window = Rect::from_min_size(pos2(0.0, 0.0), vec2(1000.0, 600.0));
        let part = Rect::from_min_max(pos2(700.0, 40.0), pos2(1000.0, 560.0));
        let control = Rect::from_min_max(pos2(900.0, 540.0), pos2(980.0, 560.0));
        let size = vec2(200.0, 90.0);
        for side in [TipSide::Left, TipSide::Right] {
            let place = placed(size, control, (part, side), window).unwrap();
            assert_eq!((place.right(), place.bottom()), (part.left() - theme::GAP_SMALL, 600.0), "{side:?}");
        }
        let bar = Rect::from_min_max(pos2(0.0, 0.0), pos2(1000.0, 32.0));
        let control = Rect::from_min_max(pos2(940.0, 4.0), pos2(996.0, 28.0));
        let place = placed(size, control, (bar, TipSide::Above), window).unwrap();
        assert_eq!((place.right(), place.top()), (1000.0, bar.bottom() + theme::GAP_SMALL));
        assert_eq!(placed(vec2(800.0, 90.0), control, (part, TipSide::Left), window), None);
        // The buttons of the view stay free, and a large part is no obstacle.
        let place = Rect::from_min_max(pos2(400.0, 500.0), pos2(600.0, 540.0));
        let buttons = Rect::from_min_max(pos2(560.0, 520.0), pos2(690.0, 548.0));
        let moved = above_bars(place, [window, buttons].into_iter());
        assert_eq!(moved, place.translate(vec2(0.0, -20.0 - theme::GAP_SMALL)));
        assert_eq!(above_bars(moved, [window, buttons].into_iter()), moved);
    }
}
