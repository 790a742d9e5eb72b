//! The picture of the window that the command line asks for.

use anyhow::anyhow;
use image::RgbaImage;

use super::viewer::Viewer;
use crate::document::Notice;
use crate::export::save_png;

impl Viewer {
    /// Once a screenshot is due, puts the play head where it stands after just that time: the same picture on every machine.
    pub(super) fn pose_for_screenshot(&mut self) -> bool {
        let is_loading = self.loader.is_busy() || self.renderer.image().is_none() || self.pictures.is_busy();
        let Some(screenshot) = self.screenshot.as_mut() else { return false };
        let is_due = screenshot.is_due(is_loading);
        if is_due {
            self.document.session.show_moment(screenshot.after.as_secs_f64());
        }
        is_due
    }

    /// Writes it, and says so. An error if what was to be on it did not open.
    pub(super) fn save_screenshot(&mut self, picture: &RgbaImage) -> anyhow::Result<()> {
        let Some(wanted) = self.screenshot.take() else { return Ok(()) };
        save_png(&wanted.path, picture)?;
        let (path, adapter) = (wanted.path.display(), &self.gpu.info.name);
        let (width, height) = picture.dimensions();
        let first = self.first_frame.unwrap_or_default().as_secs_f32();
        eprintln!("smirk: wrote {path}, {width}×{height}; first frame after {first:.2} s on {adapter}");
        match self.loader.status() {
            Notice::Failed { message, .. } => Err(anyhow!("{message}")),
            _ if self.document.project_without_head().is_some() => {
                Err(anyhow!("the head of the project does not open"))
            }
            Notice::Idle | Notice::Busy { .. } | Notice::Sheet { .. } | Notice::Shapes { .. } | Notice::Told { .. } => {
                Ok(())
            }
        }
    }
}
