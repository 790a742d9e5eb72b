//! Parts of a picture: the tiles in which a large one is drawn; the part that is refined, which is where the head is,
//! since what the background shows alone needs no samples; and the part in which a picture differs from the one before.

use glam::{Mat4, Vec2, Vec4Swizzles, vec2};

use smirk_face::head::Bounds;

/// A rectangle of a picture or of the window, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PixelRect {
    /// The left edge and the top edge.
    pub min: [u32; 2],
    /// Width and height.
    pub size: [u32; 2],
}

impl PixelRect {
    /// The largest number of pixels that are refined at once. Each takes some 70 bytes.
    pub(super) const MOST_REFINED: u32 = 1 << 22;
    /// The largest number of pixels that are drawn at once. Each takes some 40 bytes with four samples.
    pub(super) const MOST_DRAWN: u32 = 1 << 23;
    /// Pixels around the bounds, which are approximate on the screen.
    const MARGIN: f32 = 3.0;

    pub(super) fn whole(picture: [u32; 2]) -> Self {
        Self { min: [0; 2], size: picture }
    }

    /// The part of a picture that shows `bounds`; `None` if they are outside.
    pub(super) fn showing(bounds: Bounds, projection_from_world: Mat4, size: [u32; 2]) -> Option<Self> {
        let whole = vec2(size[0] as f32, size[1] as f32);
        let (mut least, mut most) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for corner in bounds.corners() {
            let clip = projection_from_world * corner.extend(1.0);
            // A corner behind the eye may be seen anywhere.
            if clip.w <= 1e-6 || !clip.is_finite() {
                return Self::whole(size).non_empty();
            }
            let at = (clip.xy() / clip.w * vec2(0.5, -0.5) + 0.5) * whole;
            (least, most) = (least.min(at), most.max(at));
        }
        let [min, end] = [(least - Self::MARGIN).floor(), (most + Self::MARGIN).ceil()]
            .map(|edge| edge.clamp(Vec2::ZERO, whole).to_array().map(|edge| edge as u32));
        Self { min, size: [end[0].saturating_sub(min[0]), end[1].saturating_sub(min[1])] }.non_empty()
    }

    fn non_empty(self) -> Option<Self> {
        (self.size[0] > 0 && self.size[1] > 0).then_some(self)
    }

    /// The pixels after the last one, along each axis.
    fn end(self) -> [u32; 2] {
        [0, 1].map(|axis| self.min[axis] + self.size[axis])
    }

    /// The part of this region that is in another one; `None` if there is none.
    pub(super) fn within(self, other: Self) -> Option<Self> {
        let min = [0, 1].map(|axis| self.min[axis].max(other.min[axis]));
        let (end, other) = (self.end(), other.end());
        Self { min, size: [0, 1].map(|axis| end[axis].min(other[axis]).saturating_sub(min[axis])) }.non_empty()
    }

    /// The smallest region around others; none around nothing.
    pub(super) fn around(regions: impl IntoIterator<Item = Option<Self>>) -> Option<Self> {
        regions.into_iter().flatten().reduce(|a, b| {
            let min = [0, 1].map(|axis| a.min[axis].min(b.min[axis]));
            let (end, other) = (a.end(), b.end());
            Self { min, size: [0, 1].map(|axis| end[axis].max(other[axis]) - min[axis]) }
        })
    }

    /// The pixels that show this region of a picture, if the picture is shown in a rectangle of `shown` pixels.
    pub(super) fn enlarged(self, picture: [u32; 2], shown: [u32; 2]) -> PixelRect {
        let [min, end] = [self.min, self.end()].map(|edge| {
            [0, 1].map(|axis| f64::from(edge[axis]) * f64::from(shown[axis]) / f64::from(picture[axis].max(1)))
        });
        let min = min.map(|edge| edge.floor() as u32);
        let size = [0, 1].map(|axis| (end[axis].ceil() as u32).min(shown[axis]).saturating_sub(min[axis]));
        Self { min, size }
    }

    /// The parts of this region that are worked on one after the other, so that memory is limited: each has at most so
    /// many pixels in all, and along each side.
    pub(super) fn tiles(self, most_pixels: u32, most_side: u32) -> Vec<Self> {
        let [mut columns, mut rows] = [1_u32, 1];
        let steps = loop {
            let steps = [self.size[0].div_ceil(columns), self.size[1].div_ceil(rows)];
            let pixels = u64::from(steps[0]) * u64::from(steps[1]);
            if steps[0].max(steps[1]) <= most_side.max(1) && pixels <= u64::from(most_pixels.max(1)) {
                break steps;
            }
            if steps[0] > steps[1] { columns += 1 } else { rows += 1 }
        };
        let [columns, rows] = [0, 1].map(|axis| {
            let offsets = (0..self.size[axis]).step_by(steps[axis] as usize);
            offsets.map(move |offset| (self.min[axis] + offset, steps[axis].min(self.size[axis] - offset)))
        });
        rows.flat_map(|(y, height)| columns.clone().map(move |(x, width)| Self { min: [x, y], size: [width, height] }))
            .collect()
    }

    /// This region with so many more pixels on each side, as far as the picture has them.
    pub(super) fn grown(self, by: u32, picture: [u32; 2]) -> Self {
        let min = self.min.map(|edge| edge.saturating_sub(by));
        let end = self.end();
        Self { min, size: [0, 1].map(|axis| (end[axis] + by).min(picture[axis]) - min[axis]) }
    }

    /// The transform of the clip space of the whole picture to that of this region, moved by `offset` pixels, with y
    /// down.
    pub(super) fn clip_from_picture(self, picture: [u32; 2], offset: Vec2) -> Mat4 {
        let [width, height] = self.size.map(|side| side as f32);
        let whole = vec2(picture[0] as f32, picture[1] as f32);
        let scale = whole / vec2(width, height);
        let middle = vec2(self.min[0] as f32 + width * 0.5, self.min[1] as f32 + height * 0.5) - offset;
        let in_clip = (middle / whole - 0.5) * vec2(2.0, -2.0);
        Mat4::from_scale(scale.extend(1.0)) * Mat4::from_translation((-in_clip).extend(0.0))
    }
}

/// The part of a picture that is drawn into one image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    /// Width and height of the whole picture.
    pub picture: [u32; 2],
    /// The part that is drawn.
    pub region: PixelRect,
}

impl Tile {
    /// A picture that is drawn at once.
    pub(super) fn whole(picture: [u32; 2]) -> Self {
        Self { picture, region: PixelRect::whole(picture) }
    }

    /// The tiles of a picture, of which an adapter draws at most so many pixels along a side.
    pub(super) fn of_picture(picture: [u32; 2], most_side: u32) -> Vec<Self> {
        let regions = PixelRect::whole(picture).tiles(PixelRect::MOST_DRAWN, most_side);
        regions.into_iter().map(|region| Self { picture, region }).collect()
    }

    /// The transform of the clip space of the whole picture to that of this tile.
    pub(super) fn clip_from_picture(self) -> Mat4 {
        if self == Self::whole(self.picture) {
            return Mat4::IDENTITY;
        }
        self.region.clip_from_picture(self.picture, Vec2::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn tiles_cover_a_region_once() {
        for size in [[1, 1], [640, 480], [8192, 8192], [9000, 3], [8191, 4097]] {
            let region = PixelRect { min: [5, 7], size };
            let tiles = region.tiles(PixelRect::MOST_REFINED, 4096);
            let area = |region: &PixelRect| u64::from(region.size[0]) * u64::from(region.size[1]);
            assert_eq!(tiles.iter().map(area).sum::<u64>(), area(&region), "{size:?}");
            assert!(tiles.iter().all(|tile| area(tile) <= u64::from(PixelRect::MOST_REFINED)));
            assert!(tiles.iter().all(|tile| tile.size.iter().all(|&side| side <= 4096)));
            let ends =
                |tile: &PixelRect| (0..2).all(|axis| tile.min[axis] + tile.size[axis] <= [5, 7][axis] + size[axis]);
            assert!(tiles.iter().all(ends));
        }
    }

    #[test]
    fn a_point_is_at_the_same_pixel_in_the_picture_and_in_a_region() {
        let (picture, region) = ([800, 600], PixelRect { min: [100, 50], size: [300, 400] });
        let pixel = |clip: Vec3, size: [u32; 2]| {
            (clip.truncate() * vec2(0.5, -0.5) + 0.5) * vec2(size[0] as f32, size[1] as f32)
        };
        for point in [Vec3::new(0.1, 0.2, 0.5), Vec3::new(-0.7, 0.9, 0.1)] {
            let in_region = region.clip_from_picture(picture, vec2(0.25, -0.5)).project_point3(point);
            let found = pixel(in_region, region.size) + vec2(100.0, 50.0);
            assert!(found.distance(pixel(point, picture) + vec2(0.25, -0.5)) < 1e-3, "{found}");
        }
    }

    #[test]
    fn a_region_holds_the_bounds_and_nothing_else_counts() {
        let bounds = Bounds { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) };
        let region = PixelRect::showing(bounds, Mat4::IDENTITY, [100, 200]).unwrap();
        assert_eq!(region, PixelRect { min: [22, 47], size: [56, 106] });
        let far = Bounds { min: Vec3::splat(3.0), max: Vec3::splat(4.0) };
        assert_eq!(PixelRect::showing(far, Mat4::IDENTITY, [100, 200]), None);
    }

    #[test]
    fn the_part_of_a_region_in_another_is_in_both() {
        let (one, other) = (PixelRect { min: [2, 3], size: [10, 10] }, PixelRect { min: [8, 0], size: [20, 5] });
        let both = Some(PixelRect { min: [8, 3], size: [4, 2] });
        assert_eq!((one.within(other), other.within(one)), (both, both));
        assert_eq!(one.within(PixelRect { min: [12, 0], size: [5, 50] }), None, "it only touches");
    }
}
