//! Which parts of the window have to be painted again.

use egui::Rect;
use egui::epaint::ClippedShape;

use smirk_picture::render::PixelRect;

const TILE: u32 = 32;

pub(super) struct Damage {
    size: [u32; 2],
    is_damaged: Vec<bool>,
}

/// The rectangle in points within which a shape is to be seen.
pub(super) fn bounds(shape: &ClippedShape) -> Rect {
    (shape.transform_after_tessellation * shape.shape.visual_bounding_rect()).intersect(shape.clip_rect)
}

impl Damage {
    pub(super) fn new(size: [u32; 2]) -> Self {
        let [columns, rows] = size.map(|side| side.div_ceil(TILE) as usize);
        Self { size, is_damaged: vec![false; columns * rows] }
    }

    fn columns(&self) -> usize {
        self.size[0].div_ceil(TILE) as usize
    }

    pub(super) fn add_all(&mut self) {
        self.is_damaged.fill(true);
    }

    pub(super) fn add(&mut self, rect: PixelRect) {
        let width = self.columns();
        let [columns, rows] = [0, 1].map(|axis| {
            let end = (rect.min[axis] + rect.size[axis]).min(self.size[axis]);
            (rect.min[axis] / TILE) as usize..end.div_ceil(TILE) as usize
        });
        if rect.size.contains(&0) || columns.is_empty() {
            return;
        }
        for row in rows {
            self.is_damaged[row * width..][columns.clone()].fill(true);
        }
    }

    pub(super) fn add_changes(&mut self, before: &[ClippedShape], now: &[ClippedShape], pixels_per_point: f32) {
        if before.len() == now.len() {
            for (a, b) in before.iter().zip(now).filter(|(a, b)| a != b) {
                self.add_shape(a, pixels_per_point);
                self.add_shape(b, pixels_per_point);
            }
            return;
        }
        // Shapes came or went between those that both frames begin and end with.
        let first = before.iter().zip(now).take_while(|(a, b)| a == b).count();
        let ends = before[first..].iter().rev().zip(now[first..].iter().rev());
        let last = ends.take_while(|(a, b)| a == b).count();
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
        let rects = found.into_iter().map(|(columns, rows)| {
            let min = [columns.start, rows.start].map(|tile| tile as u32 * TILE);
            let max = [(columns.end, 0), (rows.end, 1)].map(|(tile, axis)| (tile as u32 * TILE).min(self.size[axis]));
            PixelRect { min, size: [max[0] - min[0], max[1] - min[1]] }
        });
        rects.collect()
    }
}
