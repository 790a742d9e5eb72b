//! Which parts of the window have to be painted again.

use egui::Rect;
use egui::epaint::ClippedShape;

use smirk_picture::render::PixelRect;

/// The width and the height of a tile in pixels.
const TILE: u32 = 32;

/// The tiles of a window whose contents have changed.
pub(super) struct Damage {
    /// The size of the window in pixels.
    size: [u32; 2],
    /// Row by row.
    is_damaged: Vec<bool>,
}

/// The rectangle in points within which a shape is to be seen.
pub(super) fn bounds(shape: &ClippedShape) -> Rect {
    (shape.transform_after_tessellation * shape.shape.visual_bounding_rect()).intersect(shape.clip_rect)
}

impl Damage {
    /// None of a window.
    pub(super) fn new(size: [u32; 2]) -> Self {
        let [columns, rows] = size.map(|side| side.div_ceil(TILE) as usize);
        Self { size, is_damaged: vec![false; columns * rows] }
    }

    fn columns(&self) -> usize {
        self.size[0].div_ceil(TILE) as usize
    }

    /// Adds the whole window.
    pub(super) fn add_all(&mut self) {
        self.is_damaged.fill(true);
    }

    /// Adds a rectangle.
    pub(super) fn add(&mut self, rect: PixelRect) {
        let last = |axis: usize| (rect.min[axis] + rect.size[axis]).min(self.size[axis]);
        let tiles = |axis: usize| (rect.min[axis] / TILE) as usize..last(axis).div_ceil(TILE) as usize;
        let (columns, rows, width) = (tiles(0), tiles(1), self.columns());
        if rect.size.contains(&0) || columns.is_empty() {
            return;
        }
        for row in rows {
            self.is_damaged[row * width..][columns.clone()].fill(true);
        }
    }

    /// Adds what differs between the shapes of two frames.
    pub(super) fn add_changes(&mut self, before: &[ClippedShape], now: &[ClippedShape], pixels_per_point: f32) {
        let is_same = |(a, b): &(&ClippedShape, &ClippedShape)| a == b;
        if before.len() == now.len() {
            let changed = before.iter().zip(now).filter(|pair| !is_same(pair));
            changed.for_each(|(a, b)| [a, b].into_iter().for_each(|shape| self.add_shape(shape, pixels_per_point)));
            return;
        }
        // Shapes came or went between those that both frames begin and end with.
        let first = before.iter().zip(now).take_while(is_same).count();
        let last = before[first..].iter().rev().zip(now[first..].iter().rev()).take_while(is_same).count();
        for shapes in [before, now] {
            shapes[first..shapes.len() - last].iter().for_each(|shape| self.add_shape(shape, pixels_per_point));
        }
    }

    fn add_shape(&mut self, shape: &ClippedShape, pixels_per_point: f32) {
        let rect = bounds(shape);
        if !rect.is_positive() {
            return;
        }
        // Edges are smoothed over a pixel, and letters may leave their boxes.
        let min = [rect.min.x, rect.min.y].map(|at| (at * pixels_per_point - 3.0).max(0.0) as u32);
        let max = [rect.max.x, rect.max.y].map(|at| (at * pixels_per_point + 3.0).max(0.0).ceil() as u32);
        self.add(PixelRect { min, size: [max[0].saturating_sub(min[0]), max[1].saturating_sub(min[1])] });
    }

    /// Rectangles that cover all tiles and do not overlap. Nothing is damaged afterwards.
    pub(super) fn take(&mut self) -> Vec<PixelRect> {
        let mut found: Vec<(std::ops::Range<usize>, std::ops::Range<usize>)> = Vec::new();
        for (row, tiles) in self.is_damaged.chunks(self.columns().max(1)).enumerate() {
            let mut first = 0;
            for run in tiles.chunk_by(|a, b| a == b) {
                let columns = first..first + run.len();
                first = columns.end;
                if !run[0] {
                    continue;
                }
                // A run below one of the same width makes that rectangle higher.
                match found.iter_mut().find(|(known, rows)| *known == columns && rows.end == row) {
                    Some((_, rows)) => rows.end += 1,
                    None => found.push((columns, row..row + 1)),
                }
            }
        }
        self.is_damaged.fill(false);
        let pixels = |tiles: &std::ops::Range<usize>, axis: usize| {
            let [first, last] = [tiles.start, tiles.end].map(|tile| (tile as u32 * TILE).min(self.size[axis]));
            (first, last - first)
        };
        let rect = |(columns, rows): &(_, _)| {
            let ((left, width), (top, height)) = (pixels(columns, 0), pixels(rows, 1));
            PixelRect { min: [left, top], size: [width, height] }
        };
        found.iter().map(rect).collect()
    }
}
