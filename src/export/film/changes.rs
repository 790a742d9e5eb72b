//! What differs from frame to frame: only that is stored in the formats made here.

use image::{RgbaImage, imageops};

#[derive(Debug)]
pub(super) struct StoredFrame {
    pub rect: Rect,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub min: [u32; 2],
    pub size: [u32; 2],
}

impl Rect {
    pub(super) fn whole(picture: &RgbaImage) -> Self {
        Self { min: [0; 2], size: [picture.width(), picture.height()] }
    }

    /// The smallest rectangle that holds all pixels that differ. If none does, one pixel, as no format has a frame
    /// without any. The left and the top edge are multiples of `step`.
    pub(super) fn changed(before: &RgbaImage, after: &RgbaImage, step: u32) -> Self {
        if before.dimensions() != after.dimensions() {
            return Self::whole(after);
        }
        let row = after.width().max(1) as usize * 4;
        let rows = before.chunks_exact(row).zip(after.chunks_exact(row)).enumerate();
        let (mut min, mut end) = ([u32::MAX; 2], [0; 2]);
        for (y, (before, after)) in rows.filter(|(_, (before, after))| before != after) {
            let mut pixels = before.as_chunks::<4>().0.iter().zip(after.as_chunks::<4>().0);
            let first = pixels.clone().position(|(before, after)| before != after).unwrap_or_default() as u32;
            let last = pixels.rposition(|(before, after)| before != after).unwrap_or_default() as u32;
            min = [min[0].min(first), min[1].min(y as u32)];
            end = [end[0].max(last + 1), y as u32 + 1];
        }
        if end == [0; 2] {
            return Self { min: [0; 2], size: [1; 2] };
        }
        let min = min.map(|edge| edge / step * step);
        Self { min, size: [end[0] - min[0], end[1] - min[1]] }
    }

    pub(super) fn crop(self, picture: &RgbaImage) -> RgbaImage {
        let ([x, y], [width, height]) = (self.min, self.size);
        imageops::crop_imm(picture, x, y, width, height).to_image()
    }
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    #[test]
    fn the_rectangle_holds_all_changes_and_no_more() {
        let before = RgbaImage::new(20, 10);
        let with = |pixels: &[(u32, u32)]| {
            let mut after = before.clone();
            pixels.iter().for_each(|&(x, y)| after.put_pixel(x, y, Rgba([0, 0, 1, 0])));
            after
        };
        let changed = |pixels: &[(u32, u32)], step| {
            let Rect { min, size } = Rect::changed(&before, &with(pixels), step);
            (min, size)
        };
        assert_eq!(changed(&[], 1), ([0, 0], [1, 1]));
        assert_eq!(changed(&[(7, 3)], 1), ([7, 3], [1, 1]));
        assert_eq!(changed(&[(7, 3)], 2), ([6, 2], [2, 2]));
        assert_eq!(changed(&[(19, 9), (2, 5)], 1), ([2, 5], [18, 5]));
        assert_eq!(changed(&[(0, 0), (19, 9)], 2), ([0, 0], [20, 10]));
        assert_eq!(Rect::changed(&RgbaImage::new(3, 3), &before, 1), Rect::whole(&before));
    }
}
