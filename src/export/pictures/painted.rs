//! What the processor paints onto a picture that the adapter has drawn: text, and the reference beside the face or over
//! it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use egui::epaint::text::{FontDefinitions, Fonts, LayoutJob, TextOptions, ViewportKey};
use egui::{Align, Color32, FontId};
use image::{Rgba, RgbaImage, imageops};

use crate::fonts::searching_provider;
use crate::pictures::parts::Parts;
use crate::pictures::settings::PictureSettings;
use crate::pictures::style;
use crate::{ExportError, what_plays};
use smirk_base::names::{elide_middle_until, in_drawing_order, printable};
use smirk_face::motion::FrameRate;
use smirk_files::reference::{Footage, Frames};
use smirk_session::{Placement, Reference, ReferencePlace, Session};

#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::pictures) struct LabelText {
    names: Vec<String>,
    time: Option<String>,
    rows: Vec<(String, f32)>,
}

impl LabelText {
    const MOST_ROWS: usize = 12;
    /// A channel that is nearer to rest than this is not listed, since it would be shown as 0.00.
    const LEAST: f32 = 0.005;

    pub(in crate::pictures) fn from_session(
        session: &Session,
        settings: &PictureSettings,
        rate: FrameRate,
        secs: f64,
    ) -> Self {
        let labels = settings.labels;
        let plays = Some(what_plays(session)).filter(|name| !name.is_empty());
        let names = match (settings.compared.is_some(), plays) {
            (true, plays) => vec![
                format!("A  {}", plays.unwrap_or_else(|| session.head.name.clone())),
                format!("B  {}", session.b().name(|entry| entry.take.name.clone())),
            ],
            (false, Some(plays)) => vec![format!("{}  ·  {plays}", session.head.name)],
            (false, None) => vec![session.head.name.clone()],
        };
        Self {
            names: if labels.name { names } else { Vec::new() },
            time: labels
                .time
                .then(|| format!("{}  ·  {}", rate.timecode(secs as f32), (secs * rate.frames_per_sec()).round())),
            rows: if labels.rows { rows(session) } else { Vec::new() },
        }
    }

    /// Paints the text: rows at the top left, names at the bottom left (that of B in the right half), time at the
    /// bottom right. What is left of the column `left` is free of text: it is the reference.
    pub(in crate::pictures) fn paint(&self, picture: &mut RgbaImage, left: u32, lettering: &mut Lettering) {
        let from = left as f32;
        let [width, height] = [picture.width() as f32 - from, picture.height() as f32];
        let size_px = (width.min(height) / 36.0).clamp(9.0, 96.0).round();
        let margin = size_px;
        let line_height = lettering.height_px(size_px);
        let bottom = height - margin - line_height;
        let of_time = self.time.as_ref().map_or(0.0, |time| lettering.width_px(time, size_px) + margin);
        let halves = self.names.len().max(1) as f32;
        // Each with its place, its largest width and its alignment.
        let mut lines: Vec<(String, [f32; 2], f32, Align)> = Vec::new();
        for (index, name) in self.names.iter().enumerate() {
            let is_last = index + 1 == self.names.len();
            let left = from + width / halves * index as f32 + margin;
            let most = width / halves - 2.0 * margin - if is_last { of_time } else { 0.0 };
            lines.push((name.clone(), [left, bottom], most, Align::LEFT));
        }
        if let Some(time) = &self.time {
            lines.push((time.clone(), [from + width - margin, bottom], width - 2.0 * margin, Align::RIGHT));
        }
        let fitting = ((bottom - 2.0 * margin) / line_height).max(0.0) as usize;
        let name_width = size_px * 11.0;
        for (index, (name, value)) in self.rows.iter().take(fitting).enumerate() {
            let top = margin + index as f32 * line_height;
            lines.push((name.clone(), [from + margin, top], name_width, Align::LEFT));
            let right = from + margin + name_width + size_px * 2.6;
            lines.push((format!("{value:.2}"), [right, top], size_px * 4.0, Align::RIGHT));
        }
        for (text, at, most, align) in lines {
            let line = lettering.fit(&text, size_px, size_px, most.max(1.0));
            // A dark copy below it keeps the text legible on a bright picture.
            let shift = (size_px / 16.0).max(1.0);
            lettering.paint(picture, &line, [at[0] + shift, at[1] + shift], align, style::TEXT_SHADE);
            lettering.paint(picture, &line, at, align, style::TEXT);
        }
    }
}

/// The channels that differ most from rest, in the order of the head, so that rows do not change places from frame to
/// frame.
fn rows(session: &Session) -> Vec<(String, f32)> {
    let (mix, head) = (session.mix(), &session.head);
    let bound = session.bound();
    let mut moved: Vec<(usize, f32, f32)> = (0..head.channels.len())
        .map(|channel| {
            let value = session.head.channel_value(channel, &mix.weights);
            (channel, value, (value - session.head.channel_value(channel, &bound.sliders.rest)).abs())
        })
        .filter(|(.., apart)| *apart >= LabelText::LEAST)
        .collect();
    moved.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
    moved.truncate(LabelText::MOST_ROWS);
    moved.sort_by_key(|(channel, ..)| *channel);
    moved.into_iter().map(|(channel, value, _)| (head.channels[channel].name.clone(), value)).collect()
}

pub(crate) struct Lettering {
    fonts: Fonts,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextLine {
    pub text: String,
    pub size_px: f32,
}

impl Default for Lettering {
    fn default() -> Self {
        let fonts = Fonts::new(TextOptions::default(), FontDefinitions::default());
        Self { fonts: fonts.with_font_providers(vec![searching_provider()]) }
    }
}

impl Lettering {
    /// The largest font size between `size_px` and `least_px`, in whole pixels, at which `text` is at most `width_px`
    /// wide. If the text is too wide even at `least_px`, its middle is left out.
    pub(crate) fn fit(&mut self, text: &str, size_px: f32, least_px: f32, width_px: f32) -> TextLine {
        let text = printable(text);
        let mut size_px = size_px.round();
        while size_px > least_px && self.width_px(&text, size_px) > width_px {
            size_px -= 1.0;
        }
        let text = elide_middle_until(&text, |text| self.width_px(text, size_px) <= width_px);
        TextLine { text, size_px }
    }

    pub(crate) fn width_px(&mut self, text: &str, size_px: f32) -> f32 {
        self.galley(text, size_px).rect.width()
    }

    pub(crate) fn height_px(&mut self, size_px: f32) -> f32 {
        self.fonts.with_pixels_per_point(1.0).row_height(&FontId::proportional(size_px)).ceil()
    }

    /// Paints a line. `at` is its top edge and, depending on `align`, its left end, middle or right end. Text beyond
    /// the edges of the picture is clipped.
    pub(crate) fn paint(
        &mut self,
        picture: &mut RgbaImage,
        line: &TextLine,
        at: [f32; 2],
        align: Align,
        color: Color32,
    ) {
        let galley = self.galley(&line.text, line.size_px);
        let left = at[0] - galley.rect.width() * align.to_factor();
        let atlas = self.fonts.texture_atlas().image();
        for row in &galley.rows {
            for glyph in &row.glyphs {
                let corner = row.pos + glyph.pos.to_vec2() + glyph.uv_rect.offset;
                let [x, y] = [(left.round() + corner.x).round() as i64, (at[1].round() + corner.y).round() as i64];
                let (min, max) = (glyph.uv_rect.min.map(usize::from), glyph.uv_rect.max.map(usize::from));
                for (down, texel_y) in (min[1]..max[1]).enumerate() {
                    for (across, texel_x) in (min[0]..max[0]).enumerate() {
                        let ink = atlas[(texel_x, texel_y)];
                        let ink = if glyph.is_color { ink } else { color.gamma_multiply_u8(ink.a()) };
                        cover(picture, [x + across as i64, y + down as i64], ink);
                    }
                }
            }
        }
    }

    fn galley(&mut self, text: &str, size_px: f32) -> egui::epaint::Galley {
        // Empties the atlas once it is almost full. Without it, new glyphs would be drawn over those that are in use.
        self.fonts.begin_pass(TextOptions::default(), ViewportKey::default());
        let job = LayoutJob::simple_singleline(
            in_drawing_order(text).into_owned(),
            FontId::proportional(size_px),
            Color32::WHITE,
        );
        self.fonts.layout_uncached(1.0, job.into())
    }
}

/// Blends as egui does, on sRGB-encoded bytes: `ink` is premultiplied. The alpha of the picture is straight.
pub(crate) fn cover(picture: &mut RgbaImage, [x, y]: [i64; 2], ink: Color32) {
    let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return };
    let Some(pixel) = picture.get_pixel_mut_checked(x, y) else { return };
    let Rgba([r, g, b, a]) = *pixel;
    // How much of the pixel is left, and how much of the result is covered.
    let left = (u32::from(a) * (255 - u32::from(ink.a())) + 127) / 255;
    let covered = u32::from(ink.a()) + left;
    if covered == 0 {
        return;
    }
    let [r, g, b] = [(ink.r(), r), (ink.g(), g), (ink.b(), b)].map(|(over, under)| {
        let sum = u32::from(over) * 255 + u32::from(under) * left;
        ((sum + covered / 2) / covered).min(255) as u8
    });
    *pixel = Rgba([r, g, b, covered as u8]);
}

pub(in crate::pictures) struct ReferenceDrawing {
    reference: Reference,
    footage: Footage,
    /// The frames of a video, several of which are decoded at once.
    video: Option<Mutex<Frames>>,
    /// The frame that was drawn last: an image that stays is read once.
    last: Mutex<Option<(usize, Arc<ReferenceFrame>)>>,
}

struct ReferenceFrame {
    /// Width and height of the file's image in pixels, of which at most 2048 a side are kept.
    size: [f32; 2],
    /// The image, not larger than it is drawn; multiplied by its alpha.
    image: RgbaImage,
}

impl ReferenceDrawing {
    pub(in crate::pictures) fn new(reference: Reference, footage: Footage) -> Self {
        let video = footage.video().map(|_| Mutex::new(Frames::new(footage.clone())));
        Self { reference, footage, video, last: Mutex::default() }
    }

    pub(in crate::pictures) fn reads(&self, path: &Path) -> bool {
        self.footage.holds(path)
    }

    pub(in crate::pictures) fn frame_of(&self, session: &Session) -> usize {
        let time_secs = session.clock.timeline.time_secs;
        self.reference.frame_at(time_secs, self.footage.opened(), self.footage.len())
    }

    pub(in crate::pictures) fn paint(
        &self,
        frame: usize,
        picture: &mut RgbaImage,
        parts: &Parts,
        is_transparent: bool,
    ) -> Result<(), ExportError> {
        if let (ReferencePlace::Beside, Some(part)) = (self.reference.place, parts.reference) {
            if !is_transparent {
                let columns = part[0]..part[0] + part[1];
                let backdrop = Rgba(style::BACKDROP.to_array());
                columns.for_each(|x| (0..picture.height()).for_each(|y| picture.put_pixel(x, y, backdrop)));
            }
            return self.paint_in(part, frame, picture, Placement::default(), 1.0);
        }
        let mut faces = parts.faces.clone();
        faces.dedup();
        let (placement, opacity) = (self.reference.placement, self.reference.opacity);
        faces.into_iter().try_for_each(|part| self.paint_in(part, frame, picture, placement, opacity))
    }

    fn paint_in(
        &self,
        [left, width]: [u32; 2],
        frame: usize,
        picture: &mut RgbaImage,
        placement: Placement,
        opacity: f32,
    ) -> Result<(), ExportError> {
        let within = [[left as f32, 0.0], [(left + width) as f32, picture.height() as f32]];
        let fitted = self.frame(frame, |size| placement.corners_in(within, size))?;
        let [min, max] = placement.corners_in(within, fitted.size);
        let columns = pixels(min[0], max[0], left, left + width);
        for y in pixels(min[1], max[1], 0, picture.height()) {
            let down = (y as f32 + 0.5 - min[1]) / (max[1] - min[1]);
            for x in columns.clone() {
                let across = (x as f32 + 0.5 - min[0]) / (max[0] - min[0]);
                let ink = sampled(&fitted.image, [across, down]);
                cover(picture, [i64::from(x), i64::from(y)], ink.gamma_multiply(opacity));
            }
        }
        Ok(())
    }

    /// A frame, made smaller if it is drawn smaller. `corners` has the corners between which an image of a size is
    /// drawn.
    fn frame(
        &self,
        frame: usize,
        corners: impl Fn([f32; 2]) -> [[f32; 2]; 2],
    ) -> Result<Arc<ReferenceFrame>, ExportError> {
        if let Some((at, kept)) = &*self.last.lock().unwrap_or_else(PoisonError::into_inner)
            && *at == frame
        {
            return Ok(kept.clone());
        }
        let decoded = match &self.video {
            Some(video) => video.lock().unwrap_or_else(PoisonError::into_inner).wait_for(frame),
            None => self.footage.decode(frame),
        };
        let image = decoded.map_err(ExportError::Failed)?;
        let size = [image.width() as f32, image.height() as f32];
        let [min, max] = corners(size);
        let multiplied = multiplied(&image);
        let side = [0, 1].map(|axis: usize| ((max[axis] - min[axis]).ceil().clamp(1.0, size[axis].max(1.0))) as u32);
        let smaller = [side[0], side[1]];
        let image = match [multiplied.width(), multiplied.height()] {
            own if own == smaller => multiplied,
            _ => imageops::resize(&multiplied, smaller[0], smaller[1], imageops::FilterType::Triangle),
        };
        let kept = Arc::new(ReferenceFrame { size, image });
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((frame, kept.clone()));
        Ok(kept)
    }
}

/// The pixels whose middles are between two edges, within limits.
fn pixels(from: f32, to: f32, least: u32, most: u32) -> std::ops::Range<u32> {
    let first = (from - 0.5).ceil().clamp(least as f32, most as f32) as u32;
    let end = (to - 0.5).ceil().clamp(least as f32, most as f32) as u32;
    first..end.max(first)
}

/// An image whose colours are multiplied by their alpha, so that what is transparent has no colour that could be mixed
/// in.
fn multiplied(image: &RgbaImage) -> RgbaImage {
    let mut multiplied = image.clone();
    for pixel in multiplied.pixels_mut() {
        let [red, green, blue, alpha] = pixel.0;
        pixel.0 = Color32::from_rgba_unmultiplied(red, green, blue, alpha).to_array();
    }
    multiplied
}

/// The colour at a place from 0 to 1 along both sides of an image, linear between its pixels.
fn sampled(image: &RgbaImage, place: [f32; 2]) -> Color32 {
    let sides = [image.width(), image.height()];
    let axis = [0, 1].map(|axis: usize| {
        let at = (place[axis] * sides[axis] as f32 - 0.5).clamp(0.0, (sides[axis] - 1) as f32);
        let first = at as u32;
        (first, (first + 1).min(sides[axis] - 1), at - first as f32)
    });
    let ((left, right, across), (top, bottom, down)) = (axis[0], axis[1]);
    let corners = [(left, top), (right, top), (left, bottom), (right, bottom)].map(|(x, y)| image.get_pixel(x, y).0);
    let between = [0, 1, 2, 3].map(|channel: usize| {
        let [a, b, c, d] = corners.map(|corner| f32::from(corner[channel]));
        let [top, bottom] = [a + (b - a) * across, c + (d - c) * across];
        (top + (bottom - top) * down + 0.5) as u8
    });
    Color32::from_rgba_premultiplied(between[0], between[1], between[2], between[3])
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    fn text() -> LabelText {
        LabelText {
            names: vec!["A  first".into(), "B  second".into()],
            time: Some("00:00:01:12  ·  42".into()),
            rows: (0..40).map(|index| (format!("channel{index}"), 0.5)).collect(),
        }
    }

    #[test]
    fn text_is_at_its_corners_and_the_middle_is_free() {
        let black = Rgba([0, 0, 0, 255]);
        let mut picture = RgbaImage::from_pixel(640, 360, black);
        text().paint(&mut picture, 0, &mut Lettering::default());
        let inked = |x: std::ops::Range<u32>, y: std::ops::Range<u32>| {
            y.flat_map(|y| x.clone().map(move |x| (x, y))).filter(|&(x, y)| *picture.get_pixel(x, y) != black).count()
        };
        assert!(inked(0..300, 330..360) > 50, "no name of A");
        assert!(inked(320..430, 330..360) > 50, "no name of B");
        assert!(inked(440..640, 330..360) > 50, "no time");
        assert!(inked(0..160, 0..300) > 500, "no rows");
        assert_eq!(inked(260..640, 0..320), 0, "text in the middle");
        assert_eq!(inked(0..640, 355..360) + inked(0..640, 0..8), 0, "text at the edge");
    }

    #[test]
    fn any_size_is_painted() {
        for (width, height) in [(1, 1), (3, 200), (200, 3), (17, 17)] {
            text().paint(&mut RgbaImage::new(width, height), 0, &mut Lettering::default());
        }
    }

    #[test]
    fn long_text_is_made_smaller_and_then_loses_its_middle() {
        let mut lettering = Lettering::default();
        let name = "mouthUpperUpLeft";
        let whole = lettering.fit(name, 20.0, 10.0, 1000.0);
        assert_eq!(whole, TextLine { text: name.into(), size_px: 20.0 });
        let shrunk = lettering.fit(name, 20.0, 10.0, 110.0);
        assert!(shrunk.text == name && shrunk.size_px < 20.0 && shrunk.size_px >= 10.0, "{shrunk:?}");
        let elided = lettering.fit(name, 20.0, 10.0, 60.0);
        assert!(
            elided.text.starts_with("mou") && elided.text.contains('…') && elided.text.ends_with("eft"),
            "{elided:?}"
        );
        for line in [&whole, &shrunk, &elided] {
            assert!(lettering.width_px(&line.text, line.size_px) <= 1000.0);
        }
        assert!(lettering.width_px(&shrunk.text, shrunk.size_px) <= 110.0);
        assert!(lettering.width_px(&elided.text, elided.size_px) <= 60.0);
        assert_eq!(lettering.fit("two\nlines", 12.0, 10.0, 1000.0).text, "two lines");
    }

    fn inked(picture: &RgbaImage) -> (Vec<u32>, Vec<u32>) {
        let inked = picture.enumerate_pixels().filter(|(_, _, pixel)| pixel.0[0] > 0);
        inked.map(|(x, y, _)| (x, y)).unzip()
    }

    #[test]
    fn text_is_painted_at_its_position_in_its_colour_and_antialiased() {
        let mut lettering = Lettering::default();
        let line = TextLine { text: "jawOpen".into(), size_px: 24.0 };
        let (width, height) = (lettering.width_px(&line.text, 24.0), lettering.height_px(24.0));
        let color = style::TEXT;
        for (align, left) in [(Align::LEFT, 100.0), (Align::Center, 100.0 - width / 2.0), (Align::RIGHT, 100.0 - width)]
        {
            let mut picture = RgbaImage::from_pixel(240, 80, Rgba([0, 0, 0, 255]));
            lettering.paint(&mut picture, &line, [100.0, 20.0], align, color);
            let (columns, rows) = inked(&picture);
            let (first, last) = (*columns.iter().min().unwrap() as f32, *columns.iter().max().unwrap() as f32);
            assert!((first - left).abs() < 4.0 && (last - left - width).abs() < 4.0, "{align:?}: {first}..{last}");
            assert!(rows.iter().all(|&row| (20.0..20.0 + height).contains(&(row as f32))));
            let brightest = picture.pixels().map(|pixel| pixel.0[0]).max().unwrap();
            assert_eq!(brightest, color.r());
            assert!(picture.pixels().any(|pixel| (40..160).contains(&pixel.0[0])), "no soft edge");
        }
    }

    #[test]
    fn text_stays_legible_after_more_glyphs_than_the_atlas_holds() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789";
        let painted = |lettering: &mut Lettering, size_px: f32| {
            let line = TextLine { text: letters.into(), size_px };
            let mut picture = RgbaImage::new(3000, 120);
            lettering.paint(&mut picture, &line, [4.0, 4.0], Align::LEFT, Color32::WHITE);
            picture
        };
        let mut lettering = Lettering::default();
        let sizes: Vec<f32> = (20..100_u8).map(f32::from).collect();
        sizes.iter().for_each(|&size_px| _ = lettering.width_px(letters, size_px));
        for size_px in sizes.into_iter().step_by(13) {
            assert!(
                painted(&mut lettering, size_px) == painted(&mut Lettering::default(), size_px),
                "{size_px} pixels"
            );
        }
    }

    #[test]
    fn ink_on_a_transparent_picture_keeps_its_colour() {
        let mut picture = RgbaImage::new(1, 1);
        cover(&mut picture, [0, 0], Color32::from_rgba_premultiplied(50, 25, 0, 100));
        assert_eq!(picture.get_pixel(0, 0).0, [128, 64, 0, 100]);
        let mut picture = RgbaImage::from_pixel(1, 1, Rgba([200, 0, 40, 255]));
        cover(&mut picture, [0, 0], Color32::from_rgba_premultiplied(50, 25, 0, 102));
        assert_eq!(picture.get_pixel(0, 0).0, [170, 25, 24, 255]);
    }

    #[test]
    fn text_beyond_the_edge_is_clipped() {
        let mut picture = RgbaImage::new(20, 10);
        let line = TextLine { text: "a long line".into(), size_px: 18.0 };
        Lettering::default().paint(&mut picture, &line, [-8.0, -6.0], Align::LEFT, Color32::WHITE);
        assert!(picture.pixels().any(|pixel| pixel.0[3] > 0));
    }
}
