//! Losses of the graphics device: a driver that restarts takes all of the program's buffers and textures with it, but no work.

use std::time::{Duration, Instant};

use anyhow::bail;

use smirk_graphics::gpu::DeviceError;

/// A device that is lost again within this time is not replaced again: it would be lost over and over.
const MIN_INTERVAL: Duration = Duration::from_secs(10);

/// The last sentence of every message that the program must end.
pub(super) const WORK_IS_SAFE: &str = "Your work is saved and will be offered at the next start";

/// The losses of the graphics device.
#[derive(Debug, Default)]
pub(crate) struct DeviceLoss {
    pending: Option<DeviceError>,
    last: Option<Instant>,
}

impl DeviceLoss {
    /// Records a loss.
    pub(crate) fn report(&mut self, error: DeviceError) {
        self.pending = Some(error);
    }

    /// The loss to recover from, if there is one. An error if the one before was only a moment ago.
    pub(crate) fn take(&mut self, now: Instant) -> anyhow::Result<Option<DeviceError>> {
        let Some(error) = self.pending.take() else { return Ok(None) };
        if self.last.replace(now).is_some_and(|last| now - last < MIN_INTERVAL) {
            bail!("{error}, and again as soon as it was back. {WORK_IS_SAFE}");
        }
        Ok(Some(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_loss_is_recovered_from_once_and_a_second_one_at_once_is_an_error() {
        let (mut losses, start) = (DeviceLoss::default(), Instant::now());
        let error = DeviceError::Lost { adapter: "a card".into(), reason: "taken out".into() };
        assert_eq!(losses.take(start).unwrap(), None);
        losses.report(error.clone());
        assert_eq!(losses.take(start).unwrap(), Some(error.clone()));
        assert_eq!(losses.take(start).unwrap(), None);
        losses.report(error.clone());
        assert_eq!(losses.take(start + MIN_INTERVAL).unwrap(), Some(error.clone()), "a second loss, much later");
        losses.report(error);
        let text = losses.take(start + MIN_INTERVAL * 3 / 2).unwrap_err().to_string();
        assert!(text.contains("a card") && text.contains("taken out") && text.contains("saved"), "{text}");
    }
}
