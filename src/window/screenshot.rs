//! The image of the whole window that the command line requests.

use std::time::{Duration, Instant};

use super::settings::Settings;
use crate::cli::ViewerArgs;
use smirk_export::OutputPath;

#[derive(Clone, Debug)]
pub(super) struct Screenshot {
    /// The PNG file to write. It replaces neither the settings nor a file that the command line opens.
    pub output: OutputPath,
    /// The time from the first frame of the head to the screenshot, and the moment of its clip that is shown.
    pub after: Duration,
    loaded_at: Option<Instant>,
}

impl Screenshot {
    /// The longest time between two checks whether loading has ended.
    const POLL_INTERVAL: Duration = Duration::from_millis(50);

    pub(super) fn requested(args: &ViewerArgs) -> Option<Self> {
        let inputs = args.files.iter().chain(&args.compare).cloned().chain(Settings::default_path());
        let output = OutputPath::new(args.screenshot.clone()?).or_stream().protecting(inputs);
        Some(Self { output, after: Duration::from_secs_f32(args.after), loaded_at: None })
    }

    /// Whether it is due. Its time starts when loading has ended.
    pub(super) fn is_due(&mut self, is_loading: bool) -> bool {
        !is_loading && self.loaded_at.get_or_insert_with(Instant::now).elapsed() >= self.after
    }

    pub(super) fn due_in(&self) -> Duration {
        let waited = self.loaded_at.map_or(Duration::ZERO, |loaded_at| loaded_at.elapsed());
        self.after.saturating_sub(waited).min(Self::POLL_INTERVAL)
    }
}
