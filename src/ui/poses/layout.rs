//! The places of the pose cards: a heading for each group that has poses, and below it rows of cards.

use std::ops::Range;

use egui::{Pos2, Rect, Vec2, vec2};

use crate::theme;
use smirk_face::motion::{Pose, PoseGroup};

use super::card::FOOTER_HEIGHT;

const LEAST_CARD_WIDTH: f32 = 104.0;
const HEADING_HEIGHT: f32 = 24.0;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    group: PoseGroup,
    poses: Vec<usize>,
    rows_above: usize,
    headings_above: usize,
}

/// The gap between two cards into which a dragged card would be dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gap {
    /// The index of the pose in the list after which the dragged one would be, and of the one before which it would be;
    /// `None` at the ends of the group.
    pub between: [Option<usize>; 2],
    pub mark: Rect,
}

#[derive(Clone, Debug)]
pub(super) struct CardLayout {
    /// Top left corner of the first heading, which may be scrolled out of view.
    pub min: Pos2,
    pub card: Vec2,
    columns: usize,
    sections: Vec<Section>,
}

impl CardLayout {
    pub(super) fn new<'p>(width: f32, poses: impl Iterator<Item = &'p Pose> + Clone) -> Self {
        let columns = (((width + theme::GAP) / (LEAST_CARD_WIDTH + theme::GAP)) as usize).max(2);
        let side = ((width - theme::GAP * (columns - 1) as f32) / columns as f32).floor();
        let mut sections: Vec<Section> = Vec::new();
        for &group in PoseGroup::ALL {
            let of_group = poses.clone().enumerate().filter(|(_, pose)| PoseGroup::of_pose(pose.id) == group);
            let poses: Vec<usize> = of_group.map(|(index, _)| index).collect();
            if !poses.is_empty() {
                let rows_above = sections.last().map_or(0, |last| last.rows_above + last.poses.len().div_ceil(columns));
                sections.push(Section { group, poses, rows_above, headings_above: sections.len() });
            }
        }
        Self { min: Pos2::ZERO, card: vec2(side, side + FOOTER_HEIGHT), columns, sections }
    }

    pub(super) fn height(&self) -> f32 {
        let rows: usize = self.sections.iter().map(|section| section.poses.len().div_ceil(self.columns)).sum();
        rows as f32 * self.row_height() + self.sections.len() as f32 * HEADING_HEIGHT
    }

    pub(super) fn row_height(&self) -> f32 {
        self.card.y + theme::GAP
    }

    pub(super) fn headings(&self) -> impl Iterator<Item = (PoseGroup, Rect)> {
        self.sections.iter().map(|section| {
            let min = self.min + vec2(0.0, self.top(section) - HEADING_HEIGHT);
            let width = self.columns as f32 * (self.card.x + theme::GAP) - theme::GAP;
            (section.group, Rect::from_min_size(min, vec2(width, HEADING_HEIGHT)))
        })
    }

    pub(super) fn cards(&self, heights: Range<f32>) -> Vec<(usize, Rect)> {
        let all = self
            .sections
            .iter()
            .flat_map(|section| section.poses.iter().enumerate().map(|(nth, &pose)| (pose, self.rect(section, nth))));
        all.filter(|(_, rect)| rect.bottom() >= heights.start && rect.top() <= heights.end).collect()
    }

    pub(super) fn card_of(&self, pose: usize) -> Option<Rect> {
        self.sections.iter().find_map(|section| {
            let nth = section.poses.iter().position(|&other| other == pose)?;
            Some(self.rect(section, nth))
        })
    }

    pub(super) fn gap_at(&self, point: Pos2, group: PoseGroup) -> Option<Gap> {
        let section = self.sections.iter().find(|section| section.group == group)?;
        let at = (point - self.min - vec2(0.0, self.top(section))) / (self.card + Vec2::splat(theme::GAP));
        let rows = section.poses.len().div_ceil(self.columns);
        let row = (at.y.max(0.0) as usize).min(rows.saturating_sub(1));
        let column = (at.x.max(0.0).round() as usize).min(self.columns);
        let gap = (row * self.columns + column).min(section.poses.len());
        let x = if gap > row * self.columns {
            self.rect(section, gap - 1).right() + theme::GAP / 2.0
        } else {
            self.rect(section, gap).left() - 3.0
        };
        let y = self.rect(section, row * self.columns).y_range();
        let between = [gap.checked_sub(1), Some(gap)].map(|nth| section.poses.get(nth?).copied());
        Some(Gap { between, mark: Rect::from_x_y_ranges(x - 1.5..=x + 1.5, y) })
    }

    fn top(&self, section: &Section) -> f32 {
        section.rows_above as f32 * self.row_height() + (section.headings_above + 1) as f32 * HEADING_HEIGHT
    }

    fn rect(&self, section: &Section, nth: usize) -> Rect {
        let cell = vec2((nth % self.columns) as f32, (nth / self.columns) as f32);
        let top = vec2(0.0, self.top(section));
        Rect::from_min_size(self.min + top + cell * (self.card + Vec2::splat(theme::GAP)), self.card)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;
    use smirk_face::motion::{FIRST_OWN_POSE, PoseId};

    fn layout(width: f32, ids: impl IntoIterator<Item = u32>) -> CardLayout {
        let named = |id| Pose { id: PoseId(id), name: id.to_string(), weights: Default::default() };
        let poses: Vec<Pose> = ids.into_iter().map(named).collect();
        CardLayout::new(width, poses.iter())
    }

    #[test]
    fn cards_fill_the_width_and_the_nearest_gap_of_their_group_is_found() {
        let grid = layout(358.0, 0..7);
        let rect = |index: usize| grid.card_of(index).unwrap();
        assert!(rect(2).right() <= 358.0 && rect(2).right() > 354.0 && rect(3).left() == 0.0);
        let gap = |index: usize, x: f32| {
            let point = pos2(rect(index).left() + x, rect(index).center().y);
            grid.gap_at(point, PoseGroup::Emotions).unwrap()
        };
        let between = |index: usize, x: f32| gap(index, x).between;
        assert_eq!(between(0, 2.0), [None, Some(0)]);
        assert_eq!(between(0, 100.0), [Some(0), Some(1)]);
        assert_eq!((between(2, 100.0), between(3, 2.0)), ([Some(2), Some(3)], [Some(2), Some(3)]));
        assert!(gap(2, 100.0).mark.top() < gap(3, 2.0).mark.top(), "the mark stays in the row of the pointer");
        assert_eq!(between(6, 100.0), [Some(6), None]);
        let below = grid.gap_at(pos2(350.0, 9000.0), PoseGroup::Emotions).unwrap();
        assert_eq!(below.between, [Some(6), None], "after the last card of an incomplete row");
        assert_eq!(grid.gap_at(pos2(0.0, 0.0), PoseGroup::Mine), None);
    }

    #[test]
    fn each_group_has_a_heading_and_rows_of_its_own() {
        let (own, mouth) = (FIRST_OWN_POSE, 8);
        let grid = layout(262.0, [own, 0, 1, 2, mouth, own + 1]);
        let headings: Vec<_> = grid.headings().collect();
        assert_eq!(headings.iter().map(|(group, _)| *group).collect::<Vec<_>>(), PoseGroup::ALL);
        let top = |index: usize| grid.card_of(index).unwrap().top();
        assert_eq!((top(0), top(5)), (HEADING_HEIGHT, HEADING_HEIGHT), "own poses are beside each other, and first");
        assert!(top(1) > top(0) && top(1) == top(2) && top(3) > top(2) && top(4) > top(3));
        assert_eq!(headings[2].1.bottom(), top(4));
        assert_eq!(grid.height(), top(4) + grid.row_height());
        let mine = grid.gap_at(grid.card_of(0).unwrap().right_center(), PoseGroup::Mine).unwrap();
        assert_eq!(mine.between, [Some(0), Some(5)]);
    }
}
