//! What exports of pictures and films have in common: what plays, its frames and what is shown of them.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;

use super::view::{SpanArgs, ViewArgs};
use crate::cli::input::{AxesArgs, Opened, open_session};
use crate::cli::motion::MotionArgs;
use smirk_base::file_kind::Content;
use smirk_export::{FrameSpan, PictureSettings};
use smirk_files::import;
use smirk_session::Session;

#[derive(Debug, Args)]
pub(super) struct DrawnArgs {
    /// Head or project that plays; without it, the bundled head
    file: Option<PathBuf>,
    #[command(flatten)]
    motion: MotionArgs,
    #[command(flatten)]
    span: SpanArgs,
    #[command(flatten)]
    axes: AxesArgs,
    #[command(flatten)]
    view: ViewArgs,
}

pub(super) struct Drawn {
    pub session: Session,
    pub pictures: PictureSettings,
    pub span: FrameSpan,
}

impl DrawnArgs {
    /// Opens what is drawn. `sound` is the sound file that it is drawn with, if one is named.
    pub(super) fn open(&self, sound: Option<&Path>) -> anyhow::Result<Drawn> {
        let Opened { mut session, .. } = open_session(self.file.as_ref())?;
        self.axes.apply(&mut session)?;
        self.motion.apply_with_sound(&mut session, sound)?;
        if session.timeline_secs() == 0.0 && !self.span.names_frames() {
            bail!("nothing is animated: give --take FILE or --clip N|NAME, or the frames to draw with --frames A-B");
        }
        let is_project = self.file.as_ref().is_some_and(|file| import::content_of(file) == Content::Project);
        let pictures = self.view.settings(&mut session, is_project)?;
        Ok(Drawn { pictures, span: self.span.of_session(&session)?, session })
    }
}

/// The frames of an export in words.
pub(super) fn span_words(span: FrameSpan) -> String {
    match span.count() {
        1 => format!("frame {}", span.first),
        count => format!("frames {} to {} ({count}) at {} a second", span.first, span.last, span.rate.label()),
    }
}
