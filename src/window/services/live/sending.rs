//! Sends on what is on the face, after all edits, so that Smirk can sit between a phone and another program.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use smirk_face::head::{FaceTurns, Head};
use smirk_files::live::{SendSettings, Sender, SentFace};
use smirk_session::{SendSetup, Session};

/// The program that the face is sent to, if any.
#[derive(Debug, Default)]
pub(crate) struct Sending {
    open: Option<Open>,
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
    /// A face that does not change is sent again after this time, since programs treat a silent sender as lost.
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
        let mut open = self.open.iter();
        if !open.any(|open| open.settings == settings && Arc::ptr_eq(&open.head, &session.head)) {
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
        if let Some((at, sent, with)) = &open.last
            && (sent, with) == (&values, &turns)
            && now.saturating_duration_since(*at) < Self::AGAIN
        {
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

    pub(crate) fn problem(&self) -> Option<&str> {
        self.failed.as_ref().map(|(_, problem)| problem.as_str())
    }

    /// How long until a face that does not change is sent again.
    pub(crate) fn due_in(&self, now: Instant) -> Option<Duration> {
        let (at, ..) = self.open.as_ref()?.last.as_ref()?;
        Some((*at + Self::AGAIN).saturating_duration_since(now))
    }
}

/// A value per channel, and the turns of the head and the eyes.
fn shown(session: &Session) -> (Vec<f32>, FaceTurns) {
    let mix = session.mix();
    let values = session.values_after_rule(&mix);
    (values, session.edits.head_and_eyes.switched_on(mix.turns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::canonical_name;
    use smirk_face::motion::LiveFace;
    use smirk_files::import;
    use smirk_files::live::{ListenSettings, LiveFrame, Protocol, Receiver, SendFormat, SocketSettings, Transport};
    use smirk_scene::{BlendMode, Look};
    use smirk_session::HeadSource;

    const LONG: Duration = Duration::from_secs(120);

    /// A session with a live face of these values.
    fn session(values: &[(&str, f32)]) -> Session {
        let head = Arc::new(import::embedded().unwrap());
        let mut session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu);
        session.clips_mut().select_together([]);
        session.show_live(Some(LiveFace {
            columns: values.iter().map(|(name, _)| (*name).to_owned()).collect(),
            values: values.iter().map(|(_, value)| *value).collect(),
            presence: 1.0,
        }));
        session
    }

    /// A receiver of this form on this machine, and the setup that sends to it.
    fn receiver(format: SendFormat) -> (Receiver, SendSetup) {
        let protocol = match format {
            SendFormat::LiveLinkFace => Protocol::LiveLinkFace,
            SendFormat::Vmc0 | SendFormat::Vmc1 => Protocol::Vmc,
            SendFormat::IFacialMocap1 | SendFormat::IFacialMocap2 => Protocol::IFacialMocap,
        };
        let sockets = vec![SocketSettings { protocol, transport: Transport::Udp, port: 0 }];
        let receiver =
            Receiver::listen(ListenSettings { sockets, ..ListenSettings::for_protocols(&[]) }, || ()).unwrap();
        let to = receiver.status().listening[0].address.to_string();
        (receiver, SendSetup { format, to })
    }

    fn received(receiver: &Receiver) -> LiveFrame {
        let began = Instant::now();
        loop {
            if let Some(frame) = receiver.take_frames().pop() {
                return frame.frame;
            }
            assert!(began.elapsed() < LONG);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn value(frame: &LiveFrame, name: &str) -> f32 {
        let is_it = |column: &String| canonical_name(column) == canonical_name(name);
        frame.values[frame.columns.iter().position(is_it).unwrap_or_else(|| panic!("{name}: {:?}", frame.columns))]
    }

    #[test]
    fn a_live_face_is_sent_on_with_its_numbers_after_all_edits() {
        let mut session = session(&[("JawOpen", 0.5), ("mouthSmile_L", 0.75), ("EyeBlinkRight", 0.25)]);
        session.edits.live.edit("JawOpen", |column| column.gain = 0.5);
        for &format in SendFormat::ALL {
            let (receiver, setup) = receiver(format);
            let mut sending = Sending::default();
            sending.follow(Some(&setup), &session, Instant::now());
            assert_eq!(sending.problem(), None);
            let frame = received(&receiver);
            for (name, expected) in
                [("jawOpen", 0.25), ("mouthSmileLeft", 0.75), ("eyeBlinkRight", 0.25), ("tongueOut", 0.0)]
            {
                assert!((value(&frame, name) - expected).abs() < 1e-6, "{format:?}, {name}: {}", value(&frame, name));
            }
        }
    }

    #[test]
    fn a_face_that_rests_is_sent_again_after_a_while_and_one_that_moves_at_once() {
        let (receiver, setup) = receiver(SendFormat::Vmc0);
        let (mut sending, start) = (Sending::default(), Instant::now());
        let at = |millis: u64| start + Duration::from_millis(millis);
        let first = session(&[("JawOpen", 0.5)]);
        for millis in [0, 10, 400, 500, 510] {
            sending.follow(Some(&setup), &first, at(millis));
        }
        assert_eq!(sending.due_in(at(600)), Some(Duration::from_millis(400)));
        let mut second = first.clone();
        second.show_live(Some(LiveFace { columns: ["JawOpen".to_owned()].into(), values: vec![0.75], presence: 1.0 }));
        sending.follow(Some(&setup), &second, at(520));
        sending.follow(None, &second, at(2000));
        assert_eq!(sending.due_in(at(2000)), None, "nothing is sent once it is switched off");
        let (mut jaws, began) = (Vec::new(), Instant::now());
        while jaws.len() < 3 {
            jaws.extend(receiver.take_frames().iter().map(|frame| value(&frame.frame, "jawOpen")));
            assert!(began.elapsed() < LONG, "{jaws:?}");
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(jaws, [0.5, 0.5, 0.75]);
    }
}
