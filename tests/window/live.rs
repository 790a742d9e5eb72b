//! Live capture in the real window: packets in, the face moves, a take is recorded, saved and played again with the same numbers;
//! nothing is lost while the window is hidden, or when it is killed.

mod microphone;

use std::io::Write;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use smirk_editor::document::Project;
use smirk_face::motion::Take;
use smirk_files::live::{Protocol, Transport};
use smirk_scene::{BlendMode, Look};
use smirk_session::Session;
use smirk_support::HANGS_AFTER;
use smirk_support::live_packets::{LIVE_LINK_VALUES, live_link, packet_with_jaw_open};
use smirk_support::small_head;
use tungstenite::Message;

use crate::display::{Display, SMALL, mean_difference};
use crate::home::Home;
use crate::smirk::{Smirk, face};
use crate::state::State;

/// Frames a second that the senders send.
const RATE: u64 = 60;
const FRAME: Duration = Duration::from_micros(16_667);
/// The place of the jaw among the values of Live Link Face.
const JAW: usize = 17;

/// A window that listens at ports of its own.
struct LiveWindow {
    smirk: Smirk,
    home: Rc<Home>,
    ports: Vec<(Protocol, u16)>,
}

impl LiveWindow {
    fn open(display: &Rc<Display>) -> Self {
        Self::open_hearing(display, &json!("none"), &[])
    }

    /// The same with this choice of a microphone, and other variables of the environment.
    fn open_hearing(display: &Rc<Display>, microphone: &Value, environment: &[(&str, &str)]) -> Self {
        let ports: Vec<(Protocol, u16)> = Protocol::ALL.iter().map(|&protocol| (protocol, free_port())).collect();
        let port = |&(protocol, port): &(Protocol, u16)| {
            protocol.ports().iter().map(move |&(transport, _)| {
                json!({"protocol": protocol, "transport": transport, "port": port, "is_on": true})
            })
        };
        let live = json!({"ports": ports.iter().flat_map(port).collect::<Vec<_>>(), "microphone": microphone});
        let home = Rc::new(Home::new(&json!({"live": live, "panels": {"page": "motion"}})));
        let smirk = Smirk::open_in(display, &home, [&small_head::write(home.path())], environment);
        smirk.wait_for_title("small_head — Smirk");
        // The clip of the head would move the face too.
        smirk.stop_at_start();
        let window = Self { smirk, home, ports };
        window.listen();
        window
    }

    /// Begins to listen.
    fn listen(&self) {
        self.smirk.press(&["shift+t"]);
        self.smirk.wait_for("the window to listen", |state| state.says("Listening at "));
    }

    /// Stops to listen.
    fn be_deaf(&self) {
        self.smirk.press(&["shift+t"]);
        self.smirk.wait_for("the window to be deaf", |state| !state.says("Listening at "));
    }

    fn port(&self, protocol: Protocol) -> u16 {
        self.ports.iter().find(|(other, _)| *other == protocol).unwrap().1
    }

    /// The takes that were recorded.
    fn takes(&self) -> Vec<PathBuf> {
        self.home.files("", ".csv")
    }

    /// The number of frames of the recording that is under way; `None` before it has a file.
    fn recorded_rows(&self) -> Option<usize> {
        let files = self.home.files("", ".csv.part");
        let text = std::fs::read_to_string(files.first()?).ok()?;
        Some(text.lines().count().saturating_sub(1))
    }

    /// Waits until a live face is on the screen.
    fn wait_for_face(&self, of: &str) {
        self.smirk.wait_for(of, |state| state.value("jawOpen") > 0.4);
    }

    fn begin_recording(&self) {
        self.smirk.press(&["t"]);
        self.smirk.wait_until("the recording to begin", || self.recorded_rows().is_some());
    }

    /// Ends the recording, which becomes a take beside so many others.
    fn end_recording(&self, others: usize) {
        self.smirk.press(&["t"]);
        self.smirk.wait_until("the recording to end", || self.takes().len() == others + 1);
        self.smirk.wait_for("the take to be read", |state| !state.shows("Stop recording"));
    }

    /// Records until there are so many frames.
    fn record(&self, frames: usize, others: usize) {
        self.begin_recording();
        self.smirk.wait_until("the frames to be recorded", || self.recorded_rows() > Some(frames));
        self.end_recording(others);
    }

    /// Saves the project in the folder of the user.
    fn save(&self) -> PathBuf {
        self.smirk.press(&["ctrl+s"]);
        let projects = || self.home.files("", ".smirk");
        self.smirk.wait_until("the project to be saved", || projects().len() == 1);
        projects().remove(0)
    }
}

/// A port that is free for datagrams and for connections.
fn free_port() -> u16 {
    let mut ports = std::iter::repeat_with(|| UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port());
    ports.find(|&port| TcpListener::bind(("127.0.0.1", port)).is_ok()).unwrap()
}

/// Sends a packet as a message of its own.
type SendPacket = Box<dyn FnMut(&[u8]) + Send>;

/// A way to send packets to a port.
fn way_to(transport: Transport, port: u16) -> SendPacket {
    let to = ("127.0.0.1", port);
    match transport {
        Transport::Udp => {
            let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
            Box::new(move |packet| drop(socket.send_to(packet, to)))
        }
        Transport::Tcp => {
            let mut stream = TcpStream::connect(to).unwrap();
            stream.set_nodelay(true).unwrap();
            Box::new(move |packet| stream.write_all(&[packet, b"___iFacialMocap"].concat()).unwrap())
        }
        Transport::WebSocket => {
            let (mut socket, _) = tungstenite::connect(format!("ws://127.0.0.1:{port}")).unwrap();
            Box::new(move |packet| socket.send(Message::text(std::str::from_utf8(packet).unwrap())).unwrap())
        }
    }
}

/// A program that sends [`RATE`] packets a second until it is stopped.
struct App {
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    sent: Arc<Mutex<Vec<f32>>>,
}

impl App {
    /// Sends the jaw as a curve; `packet` is made of the number of the frame and the value.
    fn start(port: u16, packet: impl Fn(u32, f32) -> Vec<u8> + Send + 'static) -> Self {
        Self::start_over(Transport::Udp, port, packet)
    }

    fn start_over(transport: Transport, port: u16, packet: impl Fn(u32, f32) -> Vec<u8> + Send + 'static) -> Self {
        let (is_stopped, sent) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let (stop, values) = (is_stopped.clone(), sent.clone());
        let thread = std::thread::spawn(move || {
            let mut send_packet = way_to(transport, port);
            let began = Instant::now();
            for index in 0_u32.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                // Multiples of 1/256 are the same in every protocol.
                let value = 0.5 + (index % 96) as f32 / 256.0;
                send_packet(&packet(index, value));
                values.lock().unwrap_or_else(PoisonError::into_inner).push(value);
                std::thread::sleep((began + FRAME * (index + 1)).saturating_duration_since(Instant::now()));
            }
        });
        Self { is_stopped, thread: Some(thread), sent }
    }

    /// How many frames it has sent.
    fn count(&self) -> usize {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Ends it. The values that it has sent.
    fn stop(mut self) -> Vec<f32> {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
        std::mem::take(&mut *self.sent.lock().unwrap())
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

/// Live Link Face with the frame's number as its time, which tells the frames of a recording apart.
fn live_link_packet(index: u32, jaw: f32) -> Vec<u8> {
    let mut values = [0.0; LIVE_LINK_VALUES];
    values[JAW] = jaw;
    live_link("Ada", index as i32, 0.0, Some(&values))
}

/// The values of the jaw in a take, and their times.
fn jaw_of(take: &Take) -> Vec<(f32, f32)> {
    let is_jaw = |name: &str| name.eq_ignore_ascii_case("jawOpen");
    let column = take.column_names().position(is_jaw).expect("a column of the jaw");
    let (curve, element) = take.curve_of(column).unwrap();
    (0..curve.times().len()).map(|key| (curve.times()[key], curve.key_value(key, element))).collect()
}

fn take_in(file: &Path) -> Take {
    smirk_files::import::open_takes(file).unwrap().remove(0)
}

/// The project that was saved, opened as the program opens it.
fn reopened(file: &Path) -> Session {
    let project = Project::read(file).unwrap();
    let head = Arc::new(smirk_files::import::open(&file.with_file_name("small_head.glb")).unwrap());
    let mut session = Session::new(head, project.head.source(), Look::default(), BlendMode::Cpu);
    let takes = project.read_takes(&session.head);
    let notes = project.apply(&mut session, &takes);
    assert!(notes.is_empty(), "{notes:?}");
    session.clips_mut().select_together([]);
    session
}

#[test]
fn every_protocol_over_every_transport_moves_the_face_and_is_recorded_saved_and_played_with_the_same_numbers() {
    let window = LiveWindow::open(&Rc::new(Display::start(SMALL)));
    let transports = |protocol: Protocol| protocol.ports().iter().map(move |&(transport, _)| (protocol, transport));
    let ways: Vec<(Protocol, Transport)> = Protocol::ALL.iter().copied().flat_map(transports).collect();
    assert!(ways.contains(&(Protocol::IFacialMocap, Transport::Tcp)));
    assert!(ways.contains(&(Protocol::MediaPipe, Transport::WebSocket)));
    let neutral = window.smirk.face_at_rest();
    let mut sent = Vec::new();
    for (number, &(protocol, transport)) in ways.iter().enumerate() {
        let app = App::start_over(transport, window.port(protocol), move |index, jaw| match protocol {
            Protocol::LiveLinkFace => live_link_packet(index, jaw),
            protocol => packet_with_jaw_open(protocol, jaw),
        });
        window.wait_for_face(&format!("{} over {}", protocol.name(), transport.name()));
        window.record(30, number);
        sent.push(app.stop());
        // A sender that is silent gives way to another; one that is no longer heard does so at once.
        if number + 1 < ways.len() {
            window.be_deaf();
            window.listen();
        }
    }
    // Of a face that was lost, nothing is left.
    window.smirk.wait_for("the face to be lost", |state| state.value("jawOpen") == 0.0);
    let lost = window.smirk.face_at_rest();
    let left = mean_difference(&lost, &neutral);
    assert!(left < 0.05, "{left}");
    window.be_deaf();
    let left = mean_difference(&window.smirk.face_at_rest(), &lost);
    assert!(left < 0.05, "{left}");
    let project = window.save();
    let LiveWindow { smirk, home, .. } = window;
    let (said, _) = smirk.quit();
    assert_eq!(said, "", "Smirk complained");

    let mut session = reopened(&project);
    assert_eq!(session.edits.takes.len(), ways.len());
    for ((protocol, transport), (index, sent)) in ways.into_iter().zip(sent.iter().enumerate()) {
        let way = format!("{} over {}", protocol.name(), transport.name());
        let entry = session.edits.takes[index].clone();
        assert_eq!(entry.take.name, format!("Take {}", index + 1));
        let folder = entry.take.source.as_ref().unwrap();
        assert!(folder.starts_with(home.path()) && folder.to_string_lossy().contains(" takes/"), "{folder:?}");
        let recorded = jaw_of(&entry.take);
        assert!(recorded.len() > 20, "{way}: {} frames", recorded.len());
        // A recording is a piece of what was sent, without a gap.
        let is_same = |(a, b): (&f32, &(f32, f32))| (a - b.1).abs() < 1e-6;
        let is_piece = sent.windows(recorded.len()).any(|piece| piece.iter().zip(&recorded).all(is_same));
        assert!(is_piece, "{way}: {recorded:?}");
        session.takes_mut().select(Some(entry.id));
        let jaw = session.head.channel_named("jawOpen").unwrap();
        for &(secs, value) in &recorded {
            session.seek(secs);
            let played = session.head.channel_value(jaw, &session.mix().weights);
            assert!((played - value).abs() < 1e-5, "{way}: {played}, not {value}, at {secs} s");
        }
    }
}

#[test]
fn a_recording_survives_a_kill_and_comes_back_with_the_unsaved_work() {
    let window = LiveWindow::open(&Rc::new(Display::start(SMALL)));
    let app = App::start(window.port(Protocol::LiveLinkFace), live_link_packet);
    window.wait_for_face("the live face");
    window.begin_recording();
    let rows = || window.recorded_rows().unwrap_or_default();
    window.smirk.wait_until("two seconds of a recording", || rows() > 120);
    let works = || window.home.files("recovery", ".json").len();
    window.smirk.wait_until("the work to be kept", || works() == 1);
    let before = rows();
    window.smirk.kill();
    window.smirk.wait_for_end();
    let _ = app.stop();
    assert!(rows() >= before, "what was on disk stays there");

    let home = window.home.clone();
    drop(window);
    let smirk = Smirk::open(&Rc::new(Display::start(SMALL)), &home, None::<&str>);
    smirk.click("Show the list…");
    smirk.click("Restore");
    smirk.wait_until("the recording to be completed", || home.files("takes", ".csv").len() == 1);
    let next = LiveWindow { smirk, home, ports: Vec::new() };
    let project = next.save();
    let (said, _) = next.smirk.quit();
    assert_eq!(said, "", "Smirk complained");
    let session = reopened(&project);
    let recorded = jaw_of(&session.edits.takes[0].take);
    assert!(recorded.len() + 1 >= before, "{} of {before} frames came back", recorded.len());
    let steps = recorded.windows(2).map(|pair| pair[1].0 - pair[0].0);
    assert!(steps.fold(0.0, f32::max) < 0.02, "no frame is missing in between");
}

/// Three senders at once for so many seconds: the memory stays, and a recording in a hidden window has every frame of the sender that is
/// heard.
fn three_senders(secs: usize) {
    let window = LiveWindow::open(&Rc::new(Display::start(SMALL)));
    let heard = App::start(window.port(Protocol::LiveLinkFace), live_link_packet);
    window.wait_for_face("the live face");
    let others = [Protocol::Vmc, Protocol::MediaPipe]
        .map(|protocol| App::start(window.port(protocol), move |_, jaw| packet_with_jaw_open(protocol, jaw)));
    window.begin_recording();
    let first = heard.count();
    let (smirk, id) = (&window.smirk, window.smirk.window());
    smirk.display.xdotool(&["windowunmap", "--sync", &id]);
    let mut measured = Vec::new();
    for sec in 1..=secs {
        smirk.wait_until("a second of frames", || heard.count() >= first + sec * RATE as usize);
        measured.push(smirk.memory() >> 10);
    }
    let count = heard.count() - first;
    smirk.display.xdotool(&["windowmap", "--sync", &id]);
    smirk.focus();
    window.end_recording(0);
    let sent = heard.stop().len();
    for app in others {
        assert!(app.stop().len() > 60);
    }
    let recorded = jaw_of(&take_in(&window.takes()[0]));
    println!("{sent} frames sent, {} recorded in {secs} s; memory in kB: {measured:?}", recorded.len());
    assert!(recorded.len() >= count, "{} of {count} frames", recorded.len());
    let longest = recorded.windows(2).map(|pair| pair[1].0 - pair[0].0).fold(0.0, f32::max);
    assert!(longest < 1.5 / RATE as f32, "a frame was lost: {longest} s from one to the next");
    let quarter = measured.len() / 4;
    let most = |part: &[u64]| part.iter().copied().max().unwrap_or(0);
    let [early, late] = [most(&measured[quarter..2 * quarter + 1]), most(&measured[measured.len() - quarter - 1..])];
    assert!(late <= early + early / 20, "memory grows from {early} to {late} kB: {measured:?}");
    let (said, _) = window.smirk.quit();
    assert_eq!(said, "", "Smirk complained");
}

#[test]
fn three_senders_take_no_more_memory_and_a_hidden_window_records_every_frame() {
    three_senders(4);
}

#[test]
#[ignore = "long: ./dev soak"]
fn three_senders_for_a_long_time_take_no_more_memory_and_a_hidden_window_records_every_frame() {
    let secs = std::env::var("SMIRK_LIVE_SOAK").map_or(600, |secs| secs.parse().expect("SMIRK_LIVE_SOAK is a number"));
    three_senders(secs);
}

/// The median time from a packet to the first pixel that it changes on the screen, in a window that rests before.
fn send_to_screen(packets: u32) -> Duration {
    let display = Rc::new(Display::start(SMALL));
    let window = LiveWindow::open(&display);
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = window.port(Protocol::LiveLinkFace);
    let (mut latencies, mut last_frame) = (Vec::new(), 0);
    for index in 0..packets {
        // A face that is no longer sent is lost, and leaves the face of the head.
        let is_lost = |state: &State| state.is_at_rest && state.value("jawOpen") == 0.0 && state.frame > last_frame;
        let state = window.smirk.wait_for("the face to be at rest", is_lost);
        last_frame = state.frame;
        let [left, top, right, bottom] = face(&state);
        let face = || display.rows([left, right], [top, bottom]);
        let before = face();
        let packet = live_link_packet(1 + 60 * index, 0.75);
        let sent = Instant::now();
        socket.send_to(&packet, ("127.0.0.1", port)).unwrap();
        while face() == before {
            assert!(sent.elapsed() < HANGS_AFTER, "{}", window.smirk.evidence());
        }
        latencies.push(sent.elapsed());
    }
    // The first packet of a sender makes the Live section longer.
    latencies.remove(0);
    latencies.sort();
    let median = latencies[latencies.len() / 2];
    println!("from packet to screen: median {median:?}, longest {:?}", latencies[latencies.len() - 1]);
    window.smirk.quit();
    median
}

#[test]
fn a_packet_wakes_a_window_that_rests() {
    send_to_screen(6);
}

#[test]
#[ignore = "long: ./dev soak"]
fn many_packets_are_on_the_screen_soon() {
    let median = send_to_screen(21);
    assert!(median < Duration::from_secs(1), "{median:?}");
}
