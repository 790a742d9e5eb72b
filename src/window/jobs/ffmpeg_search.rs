//! The search for an ffmpeg that can make a film: it asks the program, which no frame can wait for.

use smirk_base::job::{Job, OnDrop};
use smirk_editor::export::{Ffmpeg, FfmpegError, FilmFormat};

/// The ffmpeg for the format that the Export page shows.
#[derive(Default)]
pub(crate) struct FfmpegSearch {
    format: Option<FilmFormat>,
    job: Option<Job<Result<Ffmpeg, FfmpegError>>>,
    found: Option<Result<String, String>>,
}

impl FfmpegSearch {
    /// Looks for the ffmpeg of a format, unless that was done last: whoever installs it chooses the format again. `notify` is called
    /// on another thread when it is known.
    pub(crate) fn follow(&mut self, format: Option<FilmFormat>, notify: impl Fn() + Send + 'static) {
        if self.format != format {
            (self.format, self.found) = (format, None);
            self.job =
                format.map(|format| Job::spawn("ffmpeg search", OnDrop::Detach, notify, move |_| Ffmpeg::find(format)));
        }
        if let Some(result) = self.job.as_mut().and_then(Job::poll) {
            self.job = None;
            self.found = Some(match result {
                Ok(Ok(ffmpeg)) => Ok(ffmpeg.version),
                Ok(Err(error)) => Err(error.to_string()),
                Err(error) => Err(error.to_string()),
            });
        }
    }

    /// Its version, or why there is none; `None` while it is not known.
    pub(crate) fn found(&self) -> Option<Result<String, String>> {
        self.found.clone()
    }
}
