//! What goes on beside the frames of the window: sound, and live capture. Each does what the state of the panels asks
//! for, and shows in that state what has come of it.

mod live;
mod sound;

use std::time::{Duration, Instant};

use super::event::EventSender;
use super::notices::Notices;
use live::Live;
use smirk_editor::document::Document;
use smirk_face::motion::TimeStep;
use smirk_session::Session;
use smirk_ui::UiState;
use sound::WindowSound;

/// What a service reads and edits.
pub(super) struct ServiceContext<'a> {
    pub document: &'a mut Document,
    pub ui: &'a mut UiState,
    pub notices: &'a mut Notices,
    pub events: &'a EventSender,
    pub now: Instant,
    /// Whether the window is to have another frame.
    pub wants_frame: bool,
}

pub(super) trait Service {
    /// The time since the last frame, if the service is the clock.
    fn step(&mut self, _now: Instant, _elapsed: Duration, _: &Session) -> Option<TimeStep> {
        None
    }

    /// Takes what has arrived and shows it: before the panels of every frame, and when something arrives while the
    /// window is hidden and has no frames.
    fn follow(&mut self, cx: &mut ServiceContext<'_>);

    /// Does what the panels of this frame ask for.
    fn obey(&mut self, cx: &mut ServiceContext<'_>);

    /// How long until [`Self::follow`] is due although nothing arrives.
    fn due_in(&self, _now: Instant) -> Option<Duration> {
        None
    }

    /// What is wrong, for the top row.
    fn problem(&self) -> Option<&str> {
        None
    }

    /// Completes what is under way before the window closes.
    fn end(&mut self, _: &mut ServiceContext<'_>) {}
}

pub(super) fn all(events: &EventSender) -> Vec<Box<dyn Service>> {
    vec![Box::new(WindowSound::default()), Box::new(Live::new(events))]
}
