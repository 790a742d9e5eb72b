//! The options for a reference on pictures.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;

use crate::cli::values::{Parsed, Parser, number, or_expected, part};
use smirk_base::watch::before_reading;
use smirk_files::reference::Footage;
use smirk_session::{Reference, ReferencePlace, Session};

#[derive(Debug, Args)]
pub(in crate::cli) struct ReferenceArgs {
    /// Image, folder with numbered images, or video (read by ffmpeg) that is shown with the face; or project, for the
    /// reference of the project
    #[arg(long, value_name = "IMAGE|FOLDER|VIDEO|project")]
    reference: Option<PathBuf>,
    /// Where it is shown: beside the face, or over it [default: as in the project, else beside]
    #[arg(long, value_name = "beside|over", requires = "reference", value_parser = place)]
    reference_as: Option<ReferencePlace>,
    /// Opacity of a reference over the face, from 0 to 1 [default: as in the project, else 0.5]
    #[arg(long, value_name = "PART", requires = "reference", value_parser = part())]
    reference_opacity: Option<f32>,
    /// Frames per second of the images that are numbered like it [default: as in the project, that of a video, else 30]
    #[arg(long, value_name = "RATE", requires = "reference", value_parser = rate())]
    reference_fps: Option<f32>,
    /// Frame of the reference, counted from 0, that is shown at the start of the timeline [default: as in the project,
    /// else 0]
    #[arg(long, value_name = "FRAME", requires = "reference", value_parser = offset(), allow_hyphen_values = true)]
    reference_offset: Option<i32>,
}

impl ReferenceArgs {
    pub(in crate::cli) fn is_some(&self) -> bool {
        self.reference.is_some()
    }

    /// Gives a session the reference. Returns the files that it may read.
    pub(in crate::cli) fn apply(&self, session: &mut Session) -> anyhow::Result<Vec<PathBuf>> {
        let Some(named) = &self.reference else { return Ok(Vec::new()) };
        let (before, is_named) = (session.edits.reference.take(), named != Path::new("project"));
        let reference = match before {
            Some(of_project) if !is_named => of_project,
            None if !is_named => bail!("--reference project: the project has no reference"),
            _ => Reference::new(named),
        };
        let footage = Footage::open(&reference.file)?;
        let own_rate = footage.video().filter(|_| is_named).map(|video| video.frames_per_sec as f32);
        footage.files().iter().for_each(|file| before_reading(file));
        session.edits.reference = Some(Reference {
            place: self.reference_as.unwrap_or(reference.place),
            opacity: self.reference_opacity.unwrap_or(reference.opacity),
            frames_per_sec: self.reference_fps.or(own_rate).unwrap_or(reference.frames_per_sec),
            offset_frames: self.reference_offset.unwrap_or(reference.offset_frames),
            ..reference
        });
        Ok(footage.files().to_vec())
    }
}

fn place(text: &str) -> Parsed<ReferencePlace> {
    let found = match text {
        "beside" => Some(ReferencePlace::Beside),
        "over" => Some(ReferencePlace::Over),
        _ => None,
    };
    or_expected(found, "beside or over")
}

fn rate() -> impl Parser<f32> {
    let [least, most] = [Reference::RATES.start(), Reference::RATES.end()];
    number(Reference::RATES, format!("frames per second from {least} to {most}, such as 30 or 29.97"))
}

fn offset() -> impl Parser<i32> {
    let most = Reference::MOST_OFFSET;
    number(-most..=most, format!("a whole number from {} to {most}", -most))
}
