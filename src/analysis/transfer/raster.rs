//! Orthographic pictures of triangles: which triangle is seen at each pixel, and how near it is.

use std::ops::Range;

use glam::{DMat3, DVec3};

use super::sheet::Triangle;

/// What a picture shows: a window of the plane across the direction of view.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// Turns the world so that the eye looks along −z.
    pub rotation: DMat3,
    pub x: Range<f64>,
    pub y: Range<f64>,
    /// The side of a pixel.
    pub pixel: f64,
}

impl View {
    /// The view of an eye that looks at the head from its left (`yaw`) and from above (`pitch`), in degrees.
    pub(super) fn rotation(yaw: f64, pitch: f64) -> DMat3 {
        DMat3::from_rotation_x(pitch.to_radians()) * DMat3::from_rotation_y(-yaw.to_radians())
    }
}

/// A picture; its first row is the lowest.
pub(super) struct Raster {
    pub view: View,
    pub width: usize,
    pub height: usize,
    /// Per pixel, the triangle that is seen.
    pub triangles: Vec<Option<u32>>,
    /// Per pixel, how near it is: z of the turned world; −∞ where nothing is.
    pub depths: Vec<f64>,
}

impl Raster {
    pub(super) fn new(points: &[DVec3], triangles: &[Triangle], view: View) -> Self {
        let size = |range: &Range<f64>| ((range.end - range.start) / view.pixel) as usize;
        let (width, height) = (size(&view.x), size(&view.y));
        let mut raster = Self {
            triangles: vec![None; width * height],
            depths: vec![f64::NEG_INFINITY; width * height],
            view,
            width,
            height,
        };
        let turned: Vec<DVec3> = points.iter().map(|&point| raster.view.rotation * point).collect();
        for (index, triangle) in triangles.iter().enumerate() {
            raster.draw(index as u32, triangle.map(|corner| turned[corner as usize]));
        }
        raster
    }

    /// Triangles that are seen from behind are left out.
    fn draw(&mut self, index: u32, [a, b, c]: [DVec3; 3]) {
        let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        if area.is_nan() || area <= 1e-14 * self.view.pixel * self.view.pixel {
            return;
        }
        let (least, most) = (a.min(b).min(c), a.max(b).max(c));
        let pixels = |least: f64, most: f64, start: f64, count: usize| {
            let first = ((least - start) / self.view.pixel - 0.5).ceil().clamp(0.0, count as f64);
            let end = (((most - start) / self.view.pixel - 0.5).floor() + 1.0).clamp(0.0, count as f64);
            first as usize..end as usize
        };
        let columns = pixels(least.x, most.x, self.view.x.start, self.width);
        for row in pixels(least.y, most.y, self.view.y.start, self.height) {
            for column in columns.clone() {
                let (x, y) = (self.x_of(column), self.y_of(row));
                let to_b = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / area;
                let to_c = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / area;
                let depth = a.z + to_b * (b.z - a.z) + to_c * (c.z - a.z);
                let at = row * self.width + column;
                if to_b >= -1e-9 && to_c >= -1e-9 && to_b + to_c <= 1.0 + 1e-9 && depth > self.depths[at] {
                    (self.triangles[at], self.depths[at]) = (Some(index), depth);
                }
            }
        }
    }

    pub(super) fn x_of(&self, column: usize) -> f64 {
        self.view.x.start + (column as f64 + 0.5) * self.view.pixel
    }

    pub(super) fn y_of(&self, row: usize) -> f64 {
        self.view.y.start + (row as f64 + 0.5) * self.view.pixel
    }

    pub(super) fn column(&self, x: f64) -> usize {
        (((x - self.view.x.start) / self.view.pixel) as usize).min(self.width.saturating_sub(1))
    }

    pub(super) fn row(&self, y: f64) -> usize {
        (((y - self.view.y.start) / self.view.pixel) as usize).min(self.height.saturating_sub(1))
    }

    pub(super) fn triangle(&self, row: usize, column: usize) -> Option<u32> {
        if row < self.height && column < self.width { self.triangles[row * self.width + column] } else { None }
    }

    pub(super) fn depth(&self, row: usize, column: usize) -> Option<f64> {
        self.triangle(row, column).map(|_| self.depths[row * self.width + column])
    }

    /// The point that is seen at a pixel, in the turned world.
    pub(super) fn point(&self, row: usize, column: usize) -> Option<DVec3> {
        self.depth(row, column).map(|depth| DVec3::new(self.x_of(column), self.y_of(row), depth))
    }
}
