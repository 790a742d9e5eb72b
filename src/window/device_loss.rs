//! The graphics adapter is lost, and opened again: a driver that starts anew takes no work with it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use winit::event_loop::EventLoopProxy;

use super::event::Event;
use super::governor::Governor;
use super::viewer::Viewer;
use crate::blend::Layout;
use crate::gpu::{Gpu, Trouble};
use crate::render::{HeadOnGpu, Renderer};

/// An adapter lost again so soon would be lost for ever.
const TOO_SOON: Duration = Duration::from_secs(10);

const WORK_IS_SAFE: &str = "Your work is saved and will be offered at the next start";

/// Losses of the adapter.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// Not yet made up for.
    pub(super) now: Option<Trouble>,
    last: Option<Instant>,
}

impl Losses {
    /// Whether there is one to make up for, and none was a moment ago.
    fn take(&mut self, now: Instant) -> anyhow::Result<Option<Trouble>> {
        let Some(trouble) = self.now.take() else { return Ok(None) };
        if self.last.replace(now).is_some_and(|last| now - last < TOO_SOON) {
            bail!("{trouble}, and again as soon as it was back. {WORK_IS_SAFE}");
        }
        Ok(Some(trouble))
    }
}

impl Viewer {
    /// Has whatever goes wrong on the adapter told to the window.
    pub(super) fn watch(gpu: &Gpu, proxy: &EventLoopProxy<Event>) {
        let proxy = proxy.clone();
        gpu.report_errors(move |trouble| {
            // The window may be gone.
            let _ = proxy.send_event(Event::Graphics(trouble));
        });
    }

    /// Goes on with another device, if the one before is lost. Fails if there is none to go on with.
    pub(super) fn revive(&mut self, now: Instant) -> anyhow::Result<()> {
        // A head on its way to the adapter may be what it has no memory for. It will not arrive, says so, and makes room.
        if self.loader.is_busy() {
            return Ok(());
        }
        let Some(trouble) = self.losses.take(now)? else { return Ok(()) };
        let precision = self.renderer.memory().precision;
        let proxy = self.proxy.clone();
        let revived = self.shell.revive(|gpu| Self::watch(gpu, &proxy));
        self.gpu = revived.with_context(|| format!("{trouble}. {WORK_IS_SAFE}"))?;
        self.governor = Governor::new(self.gpu.is_software());
        self.renderer = Renderer::new(&self.gpu);
        let layout = Layout::new(&self.document.session.head, precision);
        let head =
            HeadOnGpu::new(&self.gpu, self.document.session.head.clone(), Arc::new(layout)).context(WORK_IS_SAFE)?;
        self.renderer.set_head(head);
        self.choose_mode(self.kept_mode);
        let mut message = format!("The device was opened again and your work is unchanged. Cause: {trouble}.");
        if self.pictures.start_over() {
            message += " The contact sheet was cancelled; please save it again.";
        }
        self.tell("The graphics device was lost and restored", message);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_made_up_for_once_and_not_over_and_over() {
        let (mut losses, start) = (Losses::default(), Instant::now());
        let trouble = Trouble::Lost { adapter: "a card".into(), reason: "taken out".into() };
        assert_eq!(losses.take(start).unwrap(), None);
        losses.now = Some(trouble.clone());
        assert_eq!(losses.take(start).unwrap(), Some(trouble.clone()));
        assert_eq!(losses.take(start).unwrap(), None);
        losses.now = Some(trouble.clone());
        assert_eq!(losses.take(start + TOO_SOON).unwrap(), Some(trouble.clone()), "a day with two losses");
        losses.now = Some(trouble);
        let words = losses.take(start + TOO_SOON * 3 / 2).unwrap_err().to_string();
        assert!(words.contains("a card") && words.contains("taken out") && words.contains("kept"), "{words}");
    }
}
