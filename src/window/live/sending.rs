//! Sends on what is on the face, after all edits, so that Smirk can sit between a phone and another program.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::head::{FaceTurns, Head};
use crate::live::{SendSettings, Sender, SentFace};
use crate::session::{SendSetup, Session};

/// The program that the face is sent to, if any.
#[derive(Debug, Default)]
pub(crate) struct Sending {
    open: Option<Open>,
    /// What was asked for and does not work, and why.
    failed: Option<(SendSettings, String)>,
    began: Option<Instant>,
}

#[derive(Debug)]
struct Open {
    settings: SendSettings,
    head: Arc<Head>,
    sender: Sender,
    last: Option<(Instant, Vec<f32>, FaceTurns)>,
}

impl Sending {
    /// A face that rests is sent again after this time, since programs take a sender that is silent for lost.
    const AGAIN: Duration = Duration::from_millis(500);

    /// Sends what is on the face to where it is set up, if it has changed or was not sent for some time.
    pub(crate) fn follow(&mut self, setup: Option<&SendSetup>, session: &Session, now: Instant) {
        let Some(setup) = setup else { return *self = Self::default() };
        let settings = match setup.to.trim().parse::<SocketAddr>() {
            Ok(to) => SendSettings { format: setup.format, to, subject: "Smirk".into() },
            Err(_) => {
                self.open = None;
                return;
            }
        };
        let is_same = |open: &Open| open.settings == settings && Arc::ptr_eq(&open.head, &session.head);
        if !self.open.as_ref().is_some_and(is_same) {
            if self.failed.as_ref().is_some_and(|(failed, _)| *failed == settings) {
                return;
            }
            let names: Vec<String> = session.head.channels.iter().map(|channel| channel.name.clone()).collect();
            let head = session.head.clone();
            match Sender::open(&settings, &names) {
                Ok(sender) => (self.open, self.failed) = (Some(Open { settings, head, sender, last: None }), None),
                Err(error) => (self.open, self.failed) = (None, Some((settings, error.to_string()))),
            }
        }
        let began = *self.began.get_or_insert(now);
        let Some(open) = &mut self.open else { return };
        let (values, turns) = shown(session);
        let is_sent = |(at, sent, with): &(Instant, Vec<f32>, FaceTurns)| {
            *sent == values && *with == turns && now.saturating_duration_since(*at) < Self::AGAIN
        };
        if open.last.as_ref().is_some_and(is_sent) {
            return;
        }
        let time_secs = now.saturating_duration_since(began).as_secs_f64();
        let face = SentFace { values: &values, turns: Some(turns), time_secs };
        if let Err(error) = open.sender.send(&face) {
            self.failed = Some((open.settings.clone(), error.to_string()));
            self.open = None;
            return;
        }
        open.last = Some((now, values, turns));
    }

    /// Why nothing is sent, although it should be.
    pub(crate) fn problem(&self) -> Option<&str> {
        self.failed.as_ref().map(|(_, problem)| problem.as_str())
    }

    /// How long until a face that rests is sent again.
    pub(crate) fn due_in(&self, now: Instant) -> Option<Duration> {
        let (at, ..) = self.open.as_ref()?.last.as_ref()?;
        Some((*at + Self::AGAIN).saturating_duration_since(now))
    }
}

/// A value per channel, and the turns of the head and the eyes.
fn shown(session: &Session) -> (Vec<f32>, FaceTurns) {
    let (mix, head) = (session.mix(), &session.head);
    let divisor = session.edits.rule.divisor(head, &mix.weights);
    let scaled = |channel: usize| (f64::from(session.channel_value(channel, &mix.weights)) / divisor) as f32;
    let values = (0..head.channels.len()).map(scaled).collect();
    (values, session.edits.head_and_eyes.of(mix.turns))
}
