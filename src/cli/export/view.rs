//! The options for what the pictures of an export show.

use std::path::PathBuf;

use clap::Args;

use crate::cli::draw::compare::CompareArgs;
use crate::cli::draw::reference::ReferenceArgs;
use crate::cli::draw::surface::SurfaceArgs;
use crate::cli::values::{by_name_or_number, labels, size, view};
use smirk_editor::export::{FrameSpan, Labels, PictureSettings};
use smirk_editor::session::Session;
use smirk_face::motion::FrameRate;
use smirk_graphics::blend::BlendMode;
use smirk_picture::scene::{Camera, View};

/// The options for what the pictures of an export show.
#[derive(Debug, Args)]
pub(super) struct ViewArgs {
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1024x1024", value_parser = size)]
    pub size: [u32; 2],
    /// Number of samples that are accumulated for soft shadows and smooth edges; with 0, pictures are drawn as while the head moves
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=4096))]
    samples: u32,
    /// front, threequarter, left, right, or yaw,pitch in degrees [default: the view of the project, else front]
    #[arg(long, value_parser = view, allow_hyphen_values = true)]
    view: Option<View>,
    /// Camera of the head's file to look through, by number from 0 or by name
    #[arg(long, value_name = "N|NAME", conflicts_with = "view")]
    camera: Option<String>,
    /// Make the camera go around the head once in so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = turn_secs)]
    turntable: Option<f32>,
    /// Leave out the background
    #[arg(long)]
    transparent: bool,
    /// Write on the pictures: the names of the head and of what plays, timecode and frame, channels that are not at rest
    #[arg(long, value_name = "name,time,rows", num_args = 0..=1, require_equals = true, default_missing_value = "name,time,rows", value_parser = labels)]
    labels: Option<Labels>,
    /// What is shown of the surface.
    #[command(flatten)]
    surface: SurfaceArgs,
    /// What is compared with what plays.
    #[command(flatten)]
    pub compare: CompareArgs,
    /// The reference.
    #[command(flatten)]
    reference: ReferenceArgs,
}

impl ViewArgs {
    /// The pictures of a session, and the files that were read for them. `is_project` says whether it has a view of its own.
    pub(super) fn settings(
        &self,
        session: &mut Session,
        is_project: bool,
    ) -> anyhow::Result<(PictureSettings, Vec<PathBuf>)> {
        let head = session.head.clone();
        self.surface.apply(session)?;
        let files = self.compare.apply(session)?;
        // Whether an image of the reference would be replaced is seen where the names of the pictures are known.
        self.reference.apply(session)?;
        let (compared, with_reference) = (self.compare.faces(), self.reference.is_some());
        let aspect = PictureSettings::aspect(self.size, PictureSettings::parts(session, compared, with_reference));
        let framed = |view| Camera::framing(head.focus, head.bounds, view, aspect);
        let camera = match (&self.camera, self.view) {
            (Some(wanted), _) => {
                let names: Vec<&str> = head.cameras.iter().map(|camera| camera.name.as_str()).collect();
                let index = by_name_or_number("--camera", wanted, &head.name, "cameras", &names)?;
                let mut camera = framed(View::Front);
                camera.look_through(&head.cameras[index]);
                camera
            }
            (None, Some(view)) => framed(view),
            (None, None) if is_project => session.camera,
            (None, None) => framed(View::Front),
        };
        let settings = PictureSettings {
            size: self.size,
            samples: self.samples,
            camera,
            turn_secs: self.turntable,
            mode: BlendMode::Compute,
            is_transparent: self.transparent,
            labels: self.labels.unwrap_or_default(),
            compared,
            with_reference,
        };
        settings.check(session)?;
        Ok((settings, files))
    }
}

fn turn_secs(text: &str) -> Result<f32, String> {
    let secs = text.parse().ok().filter(|secs: &f32| secs.is_finite() && *secs > 0.0);
    secs.ok_or_else(|| "a number of seconds above 0".into())
}

/// The frames that an export covers.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(in crate::cli) struct SpanArgs {
    /// First and last frame, both included; frame 0 is at the start of the timeline [default: from in to out, or all of it]
    #[arg(long, value_name = "A-B", value_parser = frames)]
    frames: Option<[i64; 2]>,
    /// Frames per second, such as 24, 29.97 or 30000/1001 [default: those of the project or the take]
    #[arg(long, value_name = "RATE", value_parser = rate)]
    fps: Option<FrameRate>,
}

impl SpanArgs {
    /// The frames of a session's timeline.
    pub(in crate::cli) fn of(&self, session: &Session) -> anyhow::Result<FrameSpan> {
        let rate = self.fps.unwrap_or(session.edits.timeline.rate);
        Ok(match self.frames {
            Some([first, last]) => FrameSpan::new(rate, first, last)?,
            None => FrameSpan::of_session(session, rate)?,
        })
    }

    /// The first and the last frame, if they are given.
    pub(in crate::cli) fn frames(&self) -> Option<[i64; 2]> {
        self.frames
    }

    /// The frames per second, if they are given.
    pub(in crate::cli) fn rate(&self) -> Option<FrameRate> {
        self.fps
    }

    /// Whether the frames are given, so that also a session without a timeline has some.
    pub(in crate::cli) fn names_frames(&self) -> bool {
        self.frames.is_some()
    }
}

fn frames(text: &str) -> Result<[i64; 2], String> {
    let number = |text: &str| text.trim().parse::<i64>().ok().filter(|frame| *frame >= 0);
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    number(first)
        .zip(number(last))
        .map(<[i64; 2]>::from)
        .filter(|[first, last]| first <= last)
        .ok_or_else(|| "the first and the last frame, such as 0-120, or one frame".into())
}

fn rate(text: &str) -> Result<FrameRate, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let (frames, secs) = text.split_once('/').unwrap_or((text, "1"));
    let [least, most] = FrameRate::LIMITS;
    number(frames)
        .zip(number(secs))
        .map(|(frames, secs)| frames / secs)
        .filter(|rate| (least..=most).contains(rate))
        .map(FrameRate::nearest)
        .ok_or_else(|| format!("frames per second from {least} to {most}, such as 24, 29.97 or 30000/1001"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_take_some_time() {
        assert!(turn_secs("4").is_ok() && turn_secs("0").is_err() && turn_secs("inf").is_err());
    }

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
