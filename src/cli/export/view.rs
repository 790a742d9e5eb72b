//! The options for what the pictures of an export show.

use clap::Args;

use crate::cli::draw::picture::{AskedPicture, PictureArgs};
use crate::cli::values::{ABOVE_ZERO, Parsed, number, or_expected};
use smirk_export::{FrameSpan, PictureSettings};
use smirk_face::motion::FrameRate;
use smirk_scene::BlendMode;
use smirk_session::Session;

#[derive(Debug, Args)]
pub(super) struct ViewArgs {
    #[command(flatten)]
    pub picture: PictureArgs,
    /// Make the camera go around the head once in so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = number(ABOVE_ZERO, "a number of seconds above 0"))]
    turntable: Option<f32>,
}

impl ViewArgs {
    /// The pictures of a session. `is_project` says whether it has a view of its own.
    pub(super) fn settings(&self, session: &mut Session, is_project: bool) -> anyhow::Result<PictureSettings> {
        let usual = is_project.then_some(session.camera);
        let AskedPicture { settings, .. } = self.picture.apply(session, usual, BlendMode::Compute)?;
        let settings = PictureSettings { turn_secs: self.turntable, ..settings };
        settings.check(session)?;
        Ok(settings)
    }
}

#[derive(Clone, Copy, Debug, Default, Args)]
pub(in crate::cli) struct SpanArgs {
    /// First and last frame, both included; frame 0 is at the start of the timeline [default: from in to out, or all of
    /// it]
    #[arg(long, value_name = "A-B", value_parser = frames)]
    frames: Option<[i64; 2]>,
    /// Frames per second, such as 24, 29.97 or 30000/1001 [default: those of the project or the take]
    #[arg(long, value_name = "RATE", value_parser = rate)]
    fps: Option<FrameRate>,
}

impl SpanArgs {
    /// The frames of a session's timeline.
    pub(in crate::cli) fn of_session(&self, session: &Session) -> anyhow::Result<FrameSpan> {
        let rate = self.fps.unwrap_or(session.edits.timeline.rate);
        Ok(match self.frames {
            Some([first, last]) => FrameSpan::new(rate, first, last)?,
            None => FrameSpan::of_session(session, rate)?,
        })
    }

    pub(in crate::cli) fn frames(&self) -> Option<[i64; 2]> {
        self.frames
    }

    pub(in crate::cli) fn rate(&self) -> Option<FrameRate> {
        self.fps
    }

    /// Whether the frames are given, so that also a session without a timeline has some.
    pub(in crate::cli) fn names_frames(&self) -> bool {
        self.frames.is_some()
    }
}

fn frames(text: &str) -> Parsed<[i64; 2]> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let frames = match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 0 <= first && first <= last => Some([first, last]),
        _ => None,
    };
    or_expected(frames, "the first and the last frame, such as 0-120, or one frame")
}

fn rate(text: &str) -> Parsed<FrameRate> {
    let (frames, secs) = text.split_once('/').unwrap_or((text, "1"));
    let [least, most] = FrameRate::LIMITS;
    let rate = match (frames.trim().parse::<f64>(), secs.trim().parse::<f64>()) {
        (Ok(frames), Ok(secs)) => Some(frames / secs).filter(|rate| (least..=most).contains(rate)),
        _ => None,
    };
    let expected = format!("frames per second from {least} to {most}, such as 24, 29.97 or 30000/1001");
    or_expected(rate.map(FrameRate::nearest), expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_and_rates_are_read() {
        assert_eq!((frames("0-120"), frames("7")), (Ok([0, 120]), Ok([7, 7])));
        for wrong in ["", "-", "-3", "5-4", "1-", "a-b", "0-99999999999999999999"] {
            assert!(frames(wrong).is_err(), "{wrong}");
        }
        assert_eq!((rate("29.97"), rate("30000/1001")), (Ok(FrameRate::NTSC), Ok(FrameRate::NTSC)));
        assert_eq!(rate("12.5").map(FrameRate::frames_per_sec), Ok(12.5));
        for wrong in ["", "0", "-24", "nan", "1/0", "0/0", "1e9"] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
    }
}
