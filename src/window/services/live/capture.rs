//! The receiver that listens as the artist has set it up, and the recordings. Two threads and one lock are between a
//! socket and the session: the thread of the socket puts frames into the receiver's queue, and that of the window takes
//! them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::recorder::{Recorded, Recorder};
use smirk_base::job::{Job, OnDrop};
use smirk_editor::document::Recording;
use smirk_face::motion::{LiveFace, Smoothing};
use smirk_files::live::{
    ListenError, ListenSettings, LiveStatus, LiveStream, ReceivedFrame, Receiver, SenderChoice, SenderId,
    SocketSettings,
};
use smirk_session::{LivePort, LiveSetup};
use smirk_ui::RecordingView;

pub(super) struct LiveCapture {
    pub stream: LiveStream,
    /// Whose frames the stream has.
    sender: Option<Arc<SenderId>>,
    /// When the time of the stream began.
    began: Instant,
    sockets: Option<Sockets>,
    /// The settings with which nothing could be opened, and why.
    pub failed: Option<(ListenSettings, String)>,
    /// Closes the sockets that were open before: their threads end within some tenths of a second, for which the window
    /// does not wait.
    closing: Option<Job<()>>,
    notify: Arc<dyn Fn() + Send + Sync>,
    /// The recording under way, or its countdown.
    pub recorder: Option<Recorder>,
    reading: Vec<(PathBuf, Job<anyhow::Result<Recorded>>)>,
}

struct Sockets {
    settings: ListenSettings,
    receiver: Receiver,
}

impl LiveCapture {
    /// Not listening. `notify` is called on another thread when something has arrived.
    pub(super) fn new(notify: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            stream: LiveStream::default(),
            sender: None,
            began: Instant::now(),
            sockets: None,
            failed: None,
            closing: None,
            notify: Arc::new(notify),
            recorder: None,
            reading: Vec::new(),
        }
    }

    /// Listens with this setup, or not at all. Returns whether ports were opened or closed, or could not be opened.
    pub(super) fn follow(&mut self, setup: Option<&LiveSetup>, smoothing: Smoothing) -> bool {
        let Some(setup) = setup else {
            let was_open = self.close();
            if was_open {
                (self.stream, self.sender) = (LiveStream::default(), None);
            }
            return self.failed.take().is_some() || was_open;
        };
        let LiveSetup { buffer_frames, hold_secs, .. } = *setup;
        (self.stream.smoothing, self.stream.buffer_frames, self.stream.hold_secs) =
            (smoothing, buffer_frames, hold_secs);
        let settings = settings_of(setup);
        if let Some(Sockets { settings: open, receiver }) = &mut self.sockets
            && settings == (ListenSettings { sender: settings.sender.clone(), ..open.clone() })
        {
            if open.sender != settings.sender {
                receiver.choose(settings.sender.clone());
                open.sender = settings.sender;
            }
            return false;
        }
        if self.failed.as_ref().is_some_and(|(failed, _)| *failed == settings) {
            return false;
        }
        let was_open = self.close();
        // The ports must be free before they are opened again.
        if self.is_closing() {
            return was_open;
        }
        match self.listen(&settings) {
            Ok(sockets) => (self.sockets, self.failed) = (Some(sockets), None),
            Err(problem) => self.failed = Some((settings, problem.to_string())),
        }
        true
    }

    /// Begins to close the sockets. Returns whether any were open.
    fn close(&mut self) -> bool {
        let Some(sockets) = self.sockets.take() else { return false };
        sockets.receiver.record_to(None);
        self.closing = Some(Job::spawn("end of listening", OnDrop::Join, self.notifier(), move |_| drop(sockets)));
        true
    }

    pub(super) fn notifier(&self) -> impl Fn() + Clone + Send + Sync + 'static {
        let notify = self.notify.clone();
        move || notify()
    }

    fn is_closing(&mut self) -> bool {
        let is_closing = self.closing.as_mut().is_some_and(|job| job.poll().is_none());
        if !is_closing {
            self.closing = None;
        }
        is_closing
    }

    fn listen(&self, settings: &ListenSettings) -> Result<Sockets, ListenError> {
        let receiver = Receiver::listen(settings.clone(), self.notifier())?;
        receiver.record_to(self.recorder.as_ref().map(|recorder| recorder.frames.clone()));
        Ok(Sockets { settings: settings.clone(), receiver })
    }

    /// Takes what has arrived.
    pub(super) fn look(&mut self) {
        let frames = self.sockets.as_ref().map_or_else(Vec::new, |sockets| sockets.receiver.take_frames());
        for ReceivedFrame { frame, received, sender } in frames {
            if self.sender.replace(sender.clone()).is_some_and(|before| before != sender) {
                self.stream.change_sender();
            }
            self.stream.arrive(&frame, self.secs_at(received));
        }
    }

    /// A time of this machine as the stream counts it.
    fn secs_at(&self, time: Instant) -> f64 {
        time.saturating_duration_since(self.began).as_secs_f64()
    }

    /// The face to show; `None` while not listening and before the first frame.
    pub(super) fn face(&mut self, now: Instant) -> Option<LiveFace> {
        self.sockets.as_ref()?;
        self.stream.face(self.secs_at(now))
    }

    /// The state of the stream; `None` while not listening.
    pub(super) fn status(&self) -> Option<LiveStatus> {
        self.sockets.as_ref().map(|sockets| sockets.receiver.status())
    }

    /// How long until a frame of the window is due although nothing arrives.
    pub(super) fn due_in(&self, now: Instant) -> Option<Duration> {
        const COUNTDOWN_STEP: Duration = Duration::from_millis(100);
        let sockets = self.sockets.as_ref()?;
        let silence = sockets.receiver.status().senders.into_iter().filter_map(|sender| sender.last_frame).max();
        let silence = silence.map(|last| (last + smirk_ui::SILENT_AFTER).saturating_duration_since(now));
        let stream = self.stream.due_in_secs(self.secs_at(now)).map(Duration::from_secs_f64);
        let countdown = self.recorder.as_ref().map(|recorder| recorder.countdown(now));
        let countdown = countdown.filter(|left| !left.is_zero()).map(|left| left.min(COUNTDOWN_STEP));
        [silence.filter(|left| !left.is_zero()), stream, countdown].into_iter().flatten().min()
    }

    /// Begins a recording, after the countdown of the setup.
    pub(super) fn record(&mut self, recording: Recording, setup: &LiveSetup) {
        let recorder = Recorder::start(recording, setup, self.notifier());
        if let Some(Sockets { receiver, .. }) = &self.sockets {
            receiver.record_to(Some(recorder.frames.clone()));
        }
        self.recorder = Some(recorder);
    }

    pub(super) fn recording(&self, now: Instant) -> RecordingView {
        match &self.recorder {
            Some(recorder) => recorder.view(now),
            None if self.reading.is_empty() => RecordingView::Idle,
            None => RecordingView::Reading,
        }
    }

    /// Ends the recording, and begins to read it.
    pub(super) fn stop_recording(&mut self) {
        let Some(recorder) = self.recorder.take() else { return };
        if let Some(Sockets { receiver, .. }) = &self.sockets {
            receiver.record_to(None);
        }
        self.reading.push((recorder.path().to_owned(), recorder.stop(self.notifier())));
    }

    /// A recording that was read, or why it cannot be.
    pub(super) fn take_recorded(&mut self) -> Option<(PathBuf, anyhow::Result<Recorded>)> {
        let polled = self.reading.iter_mut().enumerate();
        let (index, result) = { polled }.find_map(|(index, (_, job))| Some((index, job.poll()?)))?;
        let (path, _) = self.reading.remove(index);
        Some((path, result.map_err(anyhow::Error::from).flatten()))
    }
}

fn settings_of(setup: &LiveSetup) -> ListenSettings {
    let sender = setup.sender.as_ref().map_or_else(SenderChoice::default, |sender| SenderChoice {
        protocol: Some(sender.protocol),
        address: Some(sender.address),
        subject: Some(sender.subject.clone()),
    });
    let phones = setup.phone_address().map(|phone| (setup.phone_protocol, phone));
    let sockets = setup.ports.iter().filter(|port| port.is_on);
    let sockets =
        sockets.map(|&LivePort { protocol, transport, port, .. }| SocketSettings { protocol, transport, port });
    ListenSettings {
        sockets: sockets.collect(),
        is_open_to_network: setup.allows_network,
        sender,
        phones: phones.into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::job::JobControl;
    use smirk_files::live::{Protocol, Transport};

    const LONG: Duration = Duration::from_secs(120);

    #[test]
    fn the_face_has_arrived_when_the_window_is_notified() {
        let (send, notified) = std::sync::mpsc::channel();
        let mut capture = LiveCapture::new(move || {
            let _ = send.send(());
        });
        let port = LivePort { protocol: Protocol::Vmc, transport: Transport::Udp, port: 0, is_on: true };
        let setup = LiveSetup { ports: vec![port], ..LiveSetup::default() };
        assert!(capture.follow(Some(&setup), Smoothing::default()));
        let to = capture.status().unwrap().listening[0].address;
        assert!(capture.face(Instant::now()).is_none());
        let sender = std::net::UdpSocket::bind((std::net::Ipv4Addr::LOCALHOST, 0)).unwrap();
        sender.send_to(&smirk_support::live_packets::packet_with_jaw_open(Protocol::Vmc, 0.5), to).unwrap();
        notified.recv_timeout(LONG).unwrap();
        capture.look();
        let face = capture.face(Instant::now()).unwrap();
        assert!(!face.columns.is_empty() && face.values.len() == face.columns.len(), "{face:?}");
        assert_eq!(capture.status().unwrap().waiting_frames, 0);
    }

    #[test]
    fn the_window_goes_on_while_ports_are_closed_and_opens_them_again_once_they_are_free() {
        let (send, notified) = std::sync::mpsc::channel();
        let mut capture = LiveCapture::new(move || {
            let _ = send.send(());
        });
        let port = LivePort { protocol: Protocol::Vmc, transport: Transport::Udp, port: 0, is_on: true };
        let mut setup = LiveSetup { ports: vec![port], ..LiveSetup::default() };
        assert!(capture.follow(Some(&setup), Smoothing::default()));
        let address = capture.status().unwrap().listening[0].address;
        setup.ports[0].port = address.port();
        let sockets = capture.sockets.take().unwrap();
        // Threads that end when the test says so.
        let (end, ended) = std::sync::mpsc::channel();
        let close = move |_: &JobControl| drop((ended.recv(), sockets));
        capture.closing = Some(Job::spawn("test", OnDrop::Join, capture.notifier(), close));
        for _ in 0..3 {
            assert!(!capture.follow(Some(&setup), Smoothing::default()));
            assert!(capture.status().is_none() && capture.failed.is_none(), "the port is not free yet");
        }
        end.send(()).unwrap();
        let began = Instant::now();
        while capture.status().is_none() {
            assert!(capture.failed.is_none() && began.elapsed() < LONG);
            notified.recv_timeout(LONG).unwrap();
            capture.follow(Some(&setup), Smoothing::default());
        }
        assert_eq!(capture.status().unwrap().listening[0].address, address);
        assert!(capture.follow(None, Smoothing::default()) && capture.closing.is_some() && capture.status().is_none());
    }
}
