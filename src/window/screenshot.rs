//! A picture of the whole window, asked for on the command line.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::cli::ViewerArgs;

/// Where the picture goes, and when it is due.
#[derive(Clone, Debug)]
pub struct Screenshot {
    /// The PNG to write.
    pub path: PathBuf,
    /// Time from the head's first frame, and into its clip.
    pub after: Duration,
    /// When nothing was left to load.
    settled: Option<Instant>,
}

impl Screenshot {
    /// What the command line asks for, if anything.
    pub fn wanted(args: &ViewerArgs) -> Option<Self> {
        let path = args.screenshot.clone()?;
        Some(Self { path, after: Duration::from_secs_f32(args.after), settled: None })
    }

    /// Whether it is time; the clock starts once nothing `is_loading`.
    pub fn is_due(&mut self, is_loading: bool) -> bool {
        !is_loading && self.settled.get_or_insert_with(Instant::now).elapsed() >= self.after
    }

    /// How long to sleep at most until it may be due.
    pub fn alarm(&self) -> Duration {
        let waited = self.settled.map_or(Duration::ZERO, |settled| settled.elapsed());
        self.after.saturating_sub(waited).min(Duration::from_millis(50))
    }
}
