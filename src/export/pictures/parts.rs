//! Where the parts of a picture are: the reference, the face, and what it is compared with.

use image::{Rgba, RgbaImage};

use super::settings::{PictureSettings, TwoFaces};
use super::style;

/// The columns of pixels of each part: the first one, and how many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    /// The reference, if it is beside the face.
    pub reference: Option<[u32; 2]>,
    /// The face and B. Both are the same if B is over the face.
    pub faces: Vec<[u32; 2]>,
}

impl Parts {
    /// The parts of a picture, which has so many side by side ([`PictureSettings::parts`]).
    pub(super) fn new(settings: &PictureSettings, count: u32) -> Self {
        let width = settings.size[0];
        let part = |index: u32| {
            let edges = [index, index + 1].map(|edge| u64::from(width) * u64::from(edge) / u64::from(count));
            [edges[0] as u32, (edges[1] - edges[0]) as u32]
        };
        let is_beside = settings.compared == Some(TwoFaces::Beside);
        let first = count - 1 - u32::from(is_beside);
        let second = settings.compared.map(|_| part(first + u32::from(is_beside)));
        Self {
            reference: (first > 0).then(|| part(0)),
            faces: [Some(part(first)), second].into_iter().flatten().collect(),
        }
    }

    pub(super) fn left(&self) -> u32 {
        self.faces.first().map_or(0, |[left, _]| *left)
    }

    pub(super) fn draw_dividers(&self, image: &mut RgbaImage) {
        let lefts = self.faces.iter().map(|[left, _]| *left);
        let mut edges: Vec<u32> = lefts.filter(|left| *left > 0).collect();
        edges.dedup();
        edges.into_iter().for_each(|at| draw_divider(image, at));
    }
}

fn draw_divider(image: &mut RgbaImage, at: u32) {
    let color = Rgba(style::LINE.to_array());
    for x in at.saturating_sub(1)..(at + 1).min(image.width()) {
        (0..image.height()).for_each(|y| image.put_pixel(x, y, color));
    }
}

/// Draws a picture over another from a column on, with an opacity from 0 to 1. The alpha of both is straight.
pub(super) fn mix(image: &mut RgbaImage, left: u32, over: &RgbaImage, opacity: f32) {
    for (x, y, above) in over.enumerate_pixels() {
        let Some(below) = image.get_pixel_mut_checked(left + x, y) else { continue };
        let [under, on_top] = [f32::from(below.0[3]) * (1.0 - opacity), f32::from(above.0[3]) * opacity];
        let alpha = under + on_top;
        for channel in 0..3 {
            let sum = f32::from(below.0[channel]) * under + f32::from(above.0[channel]) * on_top;
            below.0[channel] = (sum / alpha.max(1e-3) + 0.5) as u8;
        }
        below.0[3] = (alpha + 0.5) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divider_is_between_the_halves() {
        let mut image = RgbaImage::new(10, 2);
        draw_divider(&mut image, 5);
        let drawn: Vec<u32> = (0..10).filter(|&x| image.get_pixel(x, 1).0[3] > 0).collect();
        assert_eq!(drawn, [4, 5]);
    }

    #[test]
    fn a_half_transparent_picture_shows_both() {
        let picture = |value: u8| RgbaImage::from_pixel(2, 1, Rgba([value, 0, 255 - value, 255]));
        let mut image = RgbaImage::new(2, 1);
        mix(&mut image, 0, &picture(200), 1.0);
        assert_eq!(image, picture(200));
        mix(&mut image, 1, &picture(100), 0.25);
        assert_eq!([0, 1].map(|x| image.get_pixel(x, 0).0), [[200, 0, 55, 255], [175, 0, 80, 255]]);
        mix(&mut image, 1, &RgbaImage::new(1, 1), 0.5);
        assert_eq!(image.get_pixel(1, 0).0, [175, 0, 80, 128], "what is transparent darkens nothing");
    }
}
