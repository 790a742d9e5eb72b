//! What is written on a picture: names, time, and the channels that are not at rest.

use egui::{Align, Color32};
use image::RgbaImage;

use super::lettering::Lettering;
use super::style;
use crate::export::pictures::settings::PictureSettings;
use crate::session::Session;
use smirk_face::motion::FrameRate;

/// The text on a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::export::pictures) struct LabelText {
    /// One name, or those of A and B.
    names: Vec<String>,
    time: Option<String>,
    rows: Vec<(String, f32)>,
}

impl LabelText {
    /// The most channels that are listed.
    const MOST_ROWS: usize = 12;
    /// A channel that is nearer to rest than this is not listed, since it would be shown as 0.00.
    const LEAST: f32 = 0.005;

    /// The text of a session as it is now, at a time of the timeline.
    pub(in crate::export::pictures) fn of(
        session: &Session,
        settings: &PictureSettings,
        rate: FrameRate,
        secs: f64,
    ) -> Self {
        let labels = settings.labels;
        let take = session.take().map(|entry| entry.take.name.clone());
        let clips = || session.clips().map(|clip| clip.name.as_str()).collect::<Vec<_>>().join(" + ");
        let plays = Some(take.unwrap_or_else(clips)).filter(|name| !name.is_empty());
        let names = match (settings.compared.is_some(), plays) {
            (true, plays) => vec![
                format!("A  {}", plays.unwrap_or_else(|| session.head.name.clone())),
                format!("B  {}", session.b_name(|entry| entry.take.name.clone())),
            ],
            (false, Some(plays)) => vec![format!("{}  ·  {plays}", session.head.name)],
            (false, None) => vec![session.head.name.clone()],
        };
        let time = || format!("{}  ·  {}", rate.timecode(secs as f32), (secs * rate.frames_per_sec()).round());
        Self {
            names: if labels.name { names } else { Vec::new() },
            time: labels.time.then(time),
            rows: if labels.rows { rows(session) } else { Vec::new() },
        }
    }

    /// Paints the text: rows at the top left, names at the bottom left (that of B in the right half), time at the bottom right.
    /// What is left of the column `left` is free of text: it is the reference.
    pub(in crate::export::pictures) fn paint(&self, picture: &mut RgbaImage, left: u32, lettering: &mut Lettering) {
        let from = left as f32;
        let [width, height] = [picture.width() as f32 - from, picture.height() as f32];
        let size_px = (width.min(height) / 36.0).clamp(9.0, 96.0).round();
        let margin = size_px;
        let line_height = lettering.height_px(size_px);
        let bottom = height - margin - line_height;
        let of_time = self.time.as_ref().map_or(0.0, |time| lettering.width_px(time, size_px) + margin);
        let halves = self.names.len().max(1) as f32;
        let mut write = |text: &str, at: [f32; 2], most: f32, align: Align, color: Color32| {
            let line = lettering.fit(text, size_px, size_px, most.max(1.0));
            // A dark copy below it keeps the text legible on a bright picture.
            let shift = (size_px / 16.0).max(1.0);
            lettering.paint(picture, &line, [at[0] + shift, at[1] + shift], align, style::TEXT_SHADE);
            lettering.paint(picture, &line, at, align, color);
        };
        for (index, name) in self.names.iter().enumerate() {
            let is_last = index + 1 == self.names.len();
            let left = from + width / halves * index as f32 + margin;
            let most = width / halves - 2.0 * margin - if is_last { of_time } else { 0.0 };
            write(name, [left, bottom], most, Align::LEFT, style::TEXT);
        }
        if let Some(time) = &self.time {
            write(time, [from + width - margin, bottom], width - 2.0 * margin, Align::RIGHT, style::TEXT);
        }
        let fitting = ((bottom - 2.0 * margin) / line_height).max(0.0) as usize;
        let name_width = size_px * 11.0;
        for (index, (name, value)) in self.rows.iter().take(fitting).enumerate() {
            let top = margin + index as f32 * line_height;
            write(name, [from + margin, top], name_width, Align::LEFT, style::TEXT);
            write(
                &format!("{value:.2}"),
                [from + margin + name_width + size_px * 2.6, top],
                size_px * 4.0,
                Align::RIGHT,
                style::TEXT,
            );
        }
    }
}

/// The channels that differ most from rest, in the order of the head, so that rows do not change places from frame to frame.
fn rows(session: &Session) -> Vec<(String, f32)> {
    let (mix, head) = (session.mix(), &session.head);
    let rest = head.default_weights();
    let mut moved: Vec<(usize, f32, f32)> = (0..head.channels.len())
        .map(|channel| {
            let value = session.channel_value(channel, &mix.weights);
            (channel, value, (value - session.channel_value(channel, &rest)).abs())
        })
        .filter(|(.., apart)| *apart >= LabelText::LEAST)
        .collect();
    moved.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
    moved.truncate(LabelText::MOST_ROWS);
    moved.sort_by_key(|(channel, ..)| *channel);
    moved.into_iter().map(|(channel, value, _)| (head.channels[channel].name.clone(), value)).collect()
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
}
