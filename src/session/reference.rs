//! The image or the image sequence beside the face, as far as it is edited.

use std::ops::RangeInclusive;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::FileRef;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferencePlace {
    /// In a pane beside the picture of the head.
    #[default]
    Beside,
    Over,
}

/// How an image is magnified and moved within the rectangle that it is shown in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Placement {
    /// Steps of magnification, each of which doubles the size. At 0, the whole image just fits.
    pub zoom: f32,
    /// Shift of the middle of the image to the right and down, in heights of the rectangle.
    pub pan: [f32; 2],
}

impl Placement {
    pub const ZOOMS: RangeInclusive<f32> = -3.0..=6.0;
    const MOST_PAN: f32 = 64.0;

    /// Moves the image, by heights of the rectangle.
    pub fn move_by(&mut self, delta: [f32; 2]) {
        let [x, y] = self.pan;
        *self = Self { pan: [x + delta[0], y + delta[1]], ..*self }.within_reason();
    }

    /// Magnifies about a point, which stays where it is. It is given from the middle of the rectangle, in its heights.
    pub fn zoom_about(&mut self, steps: f32, point: [f32; 2]) {
        let zoom = (self.zoom + steps).clamp(*Self::ZOOMS.start(), *Self::ZOOMS.end());
        let factor = (zoom - self.zoom).exp2();
        let pan = [0, 1].map(|axis| point[axis] + (self.pan[axis] - point[axis]) * factor);
        *self = Self { zoom, pan }.within_reason();
    }

    /// The corners at the top left and the bottom right of an image of a size, shown in a rectangle with these corners.
    pub fn corners_in(self, [min, max]: [[f32; 2]; 2], image: [f32; 2]) -> [[f32; 2]; 2] {
        let size = [0, 1].map(|axis| max[axis] - min[axis]);
        let fitting = (size[0] / image[0].max(1.0)).min(size[1] / image[1].max(1.0)) * self.zoom.exp2();
        let middle = [0, 1].map(|axis| (min[axis] + max[axis]) * 0.5 + self.pan[axis] * size[1]);
        [-0.5, 0.5].map(|side| [0, 1].map(|axis| middle[axis] + image[axis].max(1.0) * fitting * side))
    }

    fn within_reason(self) -> Self {
        Self {
            zoom: within(self.zoom, Self::ZOOMS, 0.0),
            pan: self.pan.map(|pan| within(pan, -Self::MOST_PAN..=Self::MOST_PAN, 0.0)),
        }
    }
}

/// An image or an image sequence that is looked at together with the face.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reference {
    /// The image. Where others of its folder are numbered like it, one of a sequence.
    pub file: FileRef,
    /// Whether the images that are numbered like it follow the play head. Otherwise it alone is shown.
    pub is_sequence: bool,
    pub frames_per_sec: f32,
    /// The frame, counted from 0, that is shown at the start of the timeline. Below 0, the sequence begins so many
    /// frames later.
    pub offset_frames: i32,
    pub place: ReferencePlace,
    /// 0 to 1, for a reference over the picture.
    pub opacity: f32,
    pub placement: Placement,
}

impl Default for Reference {
    fn default() -> Self {
        Self::new(Path::new(""))
    }
}

impl Reference {
    pub const RATES: RangeInclusive<f32> = 1.0..=240.0;
    /// The opacity of one that was not made more or less opaque.
    pub const OPACITY: f32 = 0.5;
    /// The largest offset, in frames.
    pub const MOST_OFFSET: i32 = 100_000;

    /// A reference as it is opened, at the rate of most phones.
    pub fn new(file: &Path) -> Self {
        Self {
            file: FileRef::new(file),
            is_sequence: true,
            frames_per_sec: 30.0,
            offset_frames: 0,
            place: ReferencePlace::Beside,
            opacity: Self::OPACITY,
            placement: Placement::default(),
        }
    }

    /// The same with all numbers in their ranges.
    pub fn within_reason(self) -> Self {
        Self {
            frames_per_sec: within(self.frames_per_sec, Self::RATES, 30.0),
            offset_frames: self.offset_frames.clamp(-Self::MOST_OFFSET, Self::MOST_OFFSET),
            opacity: within(self.opacity, 0.0..=1.0, Self::OPACITY),
            placement: self.placement.within_reason(),
            ..self
        }
    }

    /// The index of the frame that is shown at a time of the play head, among `count`: that of the offset at time 0.
    /// The first frame waits for its time, and the last one stays. Of an image that does not follow the play head, its
    /// own index, `opened`.
    pub fn frame_at(&self, time_secs: f32, opened: usize, count: usize) -> usize {
        if !self.is_sequence {
            return opened;
        }
        // A time on the timeline is rounded to f32; the frame that begins there is shown, not the one before.
        let from_offset = (f64::from(time_secs) * f64::from(self.frames_per_sec) + 1e-3).floor();
        let frame = from_offset + f64::from(self.offset_frames);
        frame.clamp(0.0, count.saturating_sub(1) as f64) as usize
    }

    /// Shows it over the picture if it is beside it, and the other way round.
    pub fn toggle_place(&mut self) {
        self.place = match self.place {
            ReferencePlace::Beside => ReferencePlace::Over,
            ReferencePlace::Over => ReferencePlace::Beside,
        };
    }
}

/// A number in its range; `otherwise` if it is none.
fn within(value: f32, range: RangeInclusive<f32>, otherwise: f32) -> f32 {
    if value.is_finite() { value.clamp(*range.start(), *range.end()) } else { otherwise }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_follow_the_play_head_at_their_own_rate_and_stop_at_both_ends() {
        let at =
            |time_secs, offset_frames| Reference { offset_frames, ..Reference::default() }.frame_at(time_secs, 3, 4);
        assert_eq!([at(0.0, 0), at(0.034, 0), at(2.0 / 30.0, 0), at(9.0, 0)], [0, 1, 2, 3]);
        assert_eq!([at(0.0, 2), at(0.0, -5), at(6.0 / 30.0, -5)], [2, 0, 1]);
        let still = Reference { is_sequence: false, ..Reference::default() };
        assert_eq!((still.frame_at(0.0, 3, 4), still.frame_at(9.0, 1, 4)), (3, 1));
    }

    #[test]
    fn an_image_fits_its_rectangle_and_is_magnified_and_moved_in_it() {
        let within = [[10.0, 20.0], [310.0, 220.0]];
        let size = [400.0, 100.0];
        assert_eq!(Placement::default().corners_in(within, size), [[10.0, 82.5], [310.0, 157.5]]);
        let moved = Placement { zoom: 1.0, pan: [0.5, -0.25] };
        assert_eq!(moved.corners_in(within, size), [[-40.0, -5.0], [560.0, 145.0]]);
    }

    #[test]
    fn the_point_under_the_pointer_stays_while_zooming() {
        let mut placement = Placement { zoom: 0.5, pan: [0.2, -0.1] };
        let point = [0.3, 0.4];
        let in_image =
            |placement: &Placement| [0, 1].map(|axis| (point[axis] - placement.pan[axis]) / placement.zoom.exp2());
        let before = in_image(&placement);
        placement.zoom_about(1.5, point);
        let after = in_image(&placement);
        assert!((0..2).all(|axis| (after[axis] - before[axis]).abs() < 1e-5) && placement.zoom == 2.0);
        placement.zoom_about(99.0, point);
        assert_eq!(placement.zoom, 6.0);
        placement.zoom_about(f32::NAN, [f32::INFINITY, 0.0]);
        assert!(placement.zoom.is_finite() && placement.pan.iter().all(|pan| pan.is_finite()));
    }
}
