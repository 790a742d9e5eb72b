//! The picture of the viewport on the clipboard.

use std::time::Instant;

use arboard::{Clipboard, ImageData};
use image::RgbaImage;

use super::Viewer;
use smirk_base::job::{Job, OnDrop};
use smirk_picture::render::PixelRect;

/// A picture that is to be put on the clipboard, once it is as fine as it gets, and the job that does.
#[derive(Default)]
pub(super) struct PictureCopy {
    pub is_requested: bool,
    job: Option<Job<Result<(), arboard::Error>>>,
}

impl Viewer {
    /// Puts the picture on the clipboard if that is due, and says when it is there. A moving picture is taken as it is.
    pub(super) fn copy_picture(&mut self, now: Instant) {
        if let Some(ended) = self.picture_copy.job.as_mut().and_then(Job::poll) {
            self.picture_copy.job = None;
            match ended.map_err(|error| error.to_string()).and_then(|copied| copied.map_err(|error| error.to_string()))
            {
                Ok(()) => self.notices.show_status("The picture is on the clipboard".into(), now),
                Err(problem) => self.fail("The picture was not copied", problem),
            }
            self.request_frame();
        }
        let viewport = &self.viewport;
        let is_finer_soon = viewport.is_unfinished() || viewport.is_refining() || viewport.is_full_quality_due();
        let moves = self.document.session.secs_until_motion() == Some(0.0);
        if !self.picture_copy.is_requested || (is_finer_soon && !moves) {
            return;
        }
        let (first, size) = (self.ui.viewport_min_px, self.ui.viewport_size_px);
        let last = self.ui.beside_min_px.unwrap_or(first);
        let min = [0, 1].map(|axis| first[axis].min(last[axis]));
        let size = [0, 1].map(|axis| first[axis].max(last[axis]) + size[axis] - min[axis]);
        let Some(picture) = self.egui_window.pictures_in(&viewport.gpu, PixelRect { min, size }) else { return };
        self.picture_copy.is_requested = false;
        let notify = self.jobs.events.job_notifier();
        // The system may ask for a PNG, which takes longer than a frame to make.
        self.picture_copy.job = Some(Job::spawn("clipboard", OnDrop::Detach, notify, move |_| copy(picture)));
    }
}

fn copy(picture: RgbaImage) -> Result<(), arboard::Error> {
    let (width, height) = picture.dimensions();
    let bytes = picture.into_raw().into();
    Clipboard::new()?.set_image(ImageData { width: width as usize, height: height as usize, bytes })
}
