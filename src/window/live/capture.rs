//! The receiver that listens as the artist has set it up, and the recordings. Two locks are between a socket and the
//! session: that of the receiver's queue, and that of [`Incoming`], which the thread of the socket fills and the window
//! reads.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::microphone::{Microphones, RecordedSound, SoundRecorder};
use smirk_base::job::{Job, OnDrop};
use smirk_editor::document::Recording;
use smirk_face::motion::{LiveFace, Smoothing, Take};
use smirk_files::audio::Microphone;
use smirk_files::import;
use smirk_files::live::{
    Calibration, CalibrationKind, LatencyReading, ListenError, ListenSettings, LiveStatus, LiveStream, ReceivedFrame,
    Receiver, SenderChoice, SenderId, SocketSettings,
};
use smirk_session::{LivePort, LiveSetup, MicrophoneChoice};
use smirk_ui::RecordingView;

/// What a recording has become: a take with its sound; none if it has no frame; or why it cannot be read.
pub(super) type Recorded = anyhow::Result<Option<(Take, RecordedSound)>>;

pub(crate) struct LiveCapture {
    incoming: Arc<Mutex<Incoming>>,
    sockets: Option<Sockets>,
    failed: Option<(ListenSettings, String)>,
    /// Closes the sockets that were open before: their threads end within some tenths of a second, for which the window
    /// does not wait.
    closing: Option<Job<()>>,
    notify: Arc<dyn Fn() + Send + Sync>,
    /// Whether the window was notified and has not read what has arrived yet.
    is_notified: Arc<AtomicBool>,
    reading: Vec<(PathBuf, Job<Recorded>)>,
    microphones: Microphones,
    /// Why the last recording has no sound, or lacks its end.
    sound_problem: Option<String>,
}

struct Sockets {
    settings: ListenSettings,
    receiver: Receiver,
}

impl LiveCapture {
    /// Not listening. `notify` is called on another thread when something has arrived.
    pub(crate) fn new(notify: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            incoming: Arc::new(Mutex::new(Incoming::new())),
            sockets: None,
            failed: None,
            closing: None,
            notify: Arc::new(notify),
            is_notified: Arc::default(),
            reading: Vec::new(),
            microphones: Microphones::default(),
            sound_problem: None,
        }
    }

    /// Listens with this setup, or not at all. Returns whether ports were opened or closed, or could not be opened.
    pub(crate) fn follow(&mut self, setup: Option<&LiveSetup>, smoothing: Smoothing) -> bool {
        let Some(setup) = setup else {
            let was_open = self.close();
            if was_open {
                self.incoming().forget_sender();
            }
            return self.failed.take().is_some() || was_open;
        };
        {
            let mut incoming = self.incoming();
            incoming.stream.smoothing = smoothing;
            incoming.stream.buffer_frames = setup.buffer_frames;
            incoming.stream.hold_secs = setup.hold_secs;
        }
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
        self.closing = Some(Job::spawn("end of listening", OnDrop::Join, self.notifier(), move |_| drop(sockets)));
        true
    }

    fn notifier(&self) -> impl Fn() + Send + 'static {
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

    /// Opens the sockets. The frames are taken on their threads when they arrive, so that nothing is lost while the
    /// window is minimised or busy.
    fn listen(&self, settings: &ListenSettings) -> Result<Sockets, ListenError> {
        let (incoming, notify, is_notified) = (self.incoming.clone(), self.notify.clone(), self.is_notified.clone());
        let receiver = Receiver::listen(settings.clone(), move |arrivals| {
            {
                // Taken under the lock, so that frames of two sockets stay in order.
                let mut incoming = lock(&incoming);
                arrivals.take_frames().iter().for_each(|frame| incoming.arrive(frame));
            }
            if !is_notified.swap(true, Ordering::AcqRel) {
                notify();
            }
        })?;
        Ok(Sockets { settings: settings.clone(), receiver })
    }

    fn incoming(&self) -> MutexGuard<'_, Incoming> {
        lock(&self.incoming)
    }

    /// The window is reading what has arrived, and is to be notified of what arrives from now on.
    pub(crate) fn look(&mut self) {
        self.is_notified.store(false, Ordering::Release);
        self.microphones.follow();
        let sound_problem = self.incoming().recorder.as_mut().and_then(|recorder| recorder.sound.as_mut()?.problem());
        self.note_sound_problem(sound_problem);
    }

    /// The face to show; `None` while not listening and before the first frame.
    pub(crate) fn face(&self, now: Instant) -> Option<LiveFace> {
        self.sockets.as_ref()?;
        let mut incoming = self.incoming();
        let now_secs = incoming.secs_at(now);
        incoming.stream.face(now_secs)
    }

    /// The state of the stream; `None` while not listening.
    pub(crate) fn status(&self) -> Option<LiveStatus> {
        self.sockets.as_ref().map(|sockets| sockets.receiver.status())
    }

    pub(crate) fn problem(&self) -> Option<&str> {
        self.failed.as_ref().map(|(_, problem)| problem.as_str())
    }

    pub(crate) fn latency(&self) -> LatencyReading {
        self.incoming().stream.latency()
    }

    /// How long until a frame of the window is due although nothing arrives.
    pub(crate) fn due_in(&self, now: Instant) -> Option<Duration> {
        let sockets = self.sockets.as_ref()?;
        let silence = sockets.receiver.status().senders.into_iter().filter_map(|sender| sender.last_frame).max();
        let silence = silence.map(|last| (last + smirk_ui::SILENT_AFTER).saturating_duration_since(now));
        [silence.filter(|left| !left.is_zero()), self.incoming().due_in(now)].into_iter().flatten().min()
    }

    /// Begins to collect faces for a calibration, or stops.
    pub(crate) fn calibrate(&self, kind: Option<CalibrationKind>) {
        self.incoming().stream.set_calibration(kind.map(Calibration::new));
    }

    /// The kind of the calibration under way, and how much of it is done, from 0 to 1.
    pub(crate) fn calibrating(&self) -> Option<(CalibrationKind, f32)> {
        let incoming = self.incoming();
        let calibration = incoming.stream.calibration()?;
        Some((calibration.kind, (calibration.collected_secs() / calibration.secs()).min(1.0)))
    }

    pub(crate) fn take_calibration(&self) -> Option<Calibration> {
        let mut incoming = self.incoming();
        let calibration = incoming.stream.calibration().filter(|it| it.collected_secs() >= it.secs()).cloned()?;
        incoming.stream.set_calibration(None);
        Some(calibration)
    }

    /// Begins a recording after a countdown. The microphone is opened at once, since that takes time.
    pub(crate) fn record(&mut self, recording: Recording, countdown: Duration, microphone: &MicrophoneChoice) {
        self.sound_problem = None;
        let sound = SoundRecorder::start(microphone, recording.path(), self.notifier());
        self.incoming().recorder =
            Some(Recorder { recording, starts: Instant::now() + countdown, problem: None, sound });
    }

    /// Why the recording under way, or the last one, has no sound or lacks its end.
    pub(crate) fn sound_problem(&self) -> Option<&str> {
        self.sound_problem.as_deref()
    }

    fn note_sound_problem(&mut self, problem: Option<String>) {
        if let Some(problem) = problem.filter(|_| self.sound_problem.is_none()) {
            log::warn!("no sound is recorded: {problem}");
            self.sound_problem = Some(problem);
        }
    }

    pub(crate) fn find_microphones(&mut self) {
        self.microphones.look(self.notifier());
    }

    pub(crate) fn microphones(&self) -> &[Microphone] {
        self.microphones.found()
    }

    /// Whether a recording is under way, or its countdown.
    pub(crate) fn is_recording(&self) -> bool {
        self.incoming().recorder.is_some()
    }

    pub(crate) fn recording(&self, now: Instant) -> RecordingView {
        let incoming = self.incoming();
        let Some(Recorder { recording, starts, .. }) = &incoming.recorder else {
            return if self.reading.is_empty() { RecordingView::Idle } else { RecordingView::Reading };
        };
        let countdown = starts.saturating_duration_since(now);
        if !countdown.is_zero() {
            return RecordingView::Countdown { secs: countdown.as_secs_f32() };
        }
        let name = recording.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
        RecordingView::Running { name, secs: recording.duration_secs() as f32, frames: recording.frames() }
    }

    /// Why the recording under way is not written any more.
    pub(crate) fn recording_failed(&self) -> bool {
        self.incoming().recorder.as_ref().is_some_and(|recorder| recorder.problem.is_some())
    }

    /// Ends the recording, and begins to read it. Returns what went wrong while it was written; the frames until then
    /// are kept.
    pub(crate) fn stop_recording(&mut self) -> Option<io::Error> {
        let Recorder { recording, problem, sound, .. } = self.incoming().recorder.take()?;
        let path = recording.path().to_owned();
        // A recording that has ended must get its name, whatever happens to the window.
        let job = Job::spawn("recording", OnDrop::Join, self.notifier(), move |_| {
            let sound = sound.map_or_else(RecordedSound::default, SoundRecorder::finish);
            let Some(path) = recording.finish()? else { return Ok(None) };
            let take = import::open_takes(&path)?.into_iter().next().context("it holds no frame")?;
            Ok(Some((take, sound)))
        });
        self.reading.push((path, job));
        problem
    }

    /// A recording that was read, and its take; none if it has no frame.
    pub(crate) fn take_recorded(&mut self) -> Option<(PathBuf, Recorded)> {
        let polled = self.reading.iter_mut().enumerate();
        let (index, result) = { polled }.find_map(|(index, (_, job))| Some((index, job.poll()?)))?;
        let (path, _) = self.reading.remove(index);
        let recorded = result.map_err(anyhow::Error::from).flatten();
        if let Ok(Some((_, sound))) = &recorded {
            self.note_sound_problem(sound.problem.clone());
        }
        Some((path, recorded))
    }
}

/// What arrives from the sender that is heard, and the recording of it.
#[derive(Debug)]
struct Incoming {
    stream: LiveStream,
    recorder: Option<Recorder>,
    sender: Option<Arc<SenderId>>,
    began: Instant,
}

#[derive(Debug)]
struct Recorder {
    recording: Recording,
    starts: Instant,
    /// Why nothing is written any more.
    problem: Option<io::Error>,
    sound: Option<SoundRecorder>,
}

impl Incoming {
    fn new() -> Self {
        let (stream, began) = (LiveStream::default(), Instant::now());
        Self { stream, recorder: None, sender: None, began }
    }

    /// Begins again without a sender. A recording stays until it is ended.
    fn forget_sender(&mut self) {
        *self = Self { recorder: self.recorder.take(), ..Self::new() };
    }

    /// Takes a frame, on the thread of its socket.
    fn arrive(&mut self, received: &ReceivedFrame) {
        if self.sender.as_ref().is_some_and(|sender| *sender != received.sender) {
            self.stream.change_sender();
        }
        self.sender = Some(received.sender.clone());
        let now_secs = self.secs_at(received.received);
        let Some(secs) = self.stream.arrive(&received.frame, now_secs) else { return };
        if let Some(recorder) = &mut self.recorder
            && recorder.problem.is_none()
            && received.received >= recorder.starts
        {
            if let Some(sound) = &recorder.sound {
                // It stays that of the first frame.
                sound.first_frame.get_or_init(|| received.received);
            }
            recorder.problem = recorder.recording.push(secs, &received.frame).err();
        }
    }

    /// A time of this machine as the stream counts it.
    fn secs_at(&self, time: Instant) -> f64 {
        time.saturating_duration_since(self.began).as_secs_f64()
    }

    /// How long until the face changes without a new frame.
    fn due_in(&self, now: Instant) -> Option<Duration> {
        const COUNTDOWN_STEP: Duration = Duration::from_millis(100);
        let stream = self.stream.due_in_secs(self.secs_at(now)).map(Duration::from_secs_f64);
        let countdown = self.recorder.as_ref().map(|recorder| recorder.starts.saturating_duration_since(now));
        let countdown = countdown.filter(|left| !left.is_zero()).map(|left| left.min(COUNTDOWN_STEP));
        [stream, countdown].into_iter().flatten().min()
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

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
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
