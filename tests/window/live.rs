//! Live capture in the real window: packets in, the face moves, a take is recorded, saved and played again with the same numbers;
//! nothing is lost while the window is hidden, or when it is killed.

mod microphone;

use std::io::Write;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::json;
use smirk_editor::document::Project;
use smirk_editor::session::Session;
use smirk_face::motion::Take;
use smirk_files::live::{Protocol, Transport};
use smirk_graphics::blend::BlendMode;
use smirk_picture::scene::Look;
use smirk_support::live_packets::{LIVE_LINK_VALUES, live_link, packet_with_jaw_open};
use tungstenite::Message;

use crate::display::{Display, SIZE, Smirk, mean_difference, settled_face, wait_until};
use crate::large::resident;
use crate::{BUTTON, RESTORE, wait_for_window};

const FRAME: Duration = Duration::from_micros(16_667);
/// A sender that is silent for longer gives way to another.
const SILENCE: Duration = Duration::from_millis(2300);
/// The place of the jaw among the values of Live Link Face.
const JAW: usize = 17;

/// A window that listens at ports of its own.
struct LiveWindow {
    smirk: Smirk,
    ports: Vec<(Protocol, u16)>,
}

impl LiveWindow {
    fn start(display: &Display) -> Self {
        Self::start_hearing(display, &json!("none"), &[])
    }

    /// The same with this choice of a microphone, and other variables of the environment.
    fn start_hearing(display: &Display, microphone: &serde_json::Value, environment: &[(&str, &str)]) -> Self {
        let ports: Vec<(Protocol, u16)> = Protocol::ALL.map(|protocol| (protocol, free_port())).into();
        let port = |&(protocol, port): &(Protocol, u16)| {
            protocol.ports().iter().map(move |&(transport, _)| {
                json!({"protocol": protocol, "transport": transport, "port": port, "is_on": true})
            })
        };
        let config = Rc::new(tempfile::tempdir().unwrap());
        let live = json!({"ports": ports.iter().flat_map(port).collect::<Vec<_>>(), "microphone": microphone});
        let settings = json!({"window_size": SIZE, "live": live});
        std::fs::write(config.path().join("settings.json"), settings.to_string()).unwrap();
        let smirk = Smirk::start_in(display, config, [], environment);
        wait_for_window(display);
        display.xdotool(&["mousemove", "640", "360"]);
        for key in ["space", "Home", "shift+t"] {
            display.xdotool(&["key", key]);
        }
        Self { smirk, ports }
    }

    fn port(&self, protocol: Protocol) -> u16 {
        self.ports.iter().find(|(other, _)| *other == protocol).unwrap().1
    }

    /// The files in the folders of takes with this ending.
    fn takes(&self, ending: &str) -> Vec<PathBuf> {
        takes_in(self.smirk.config.path(), ending)
    }
}

fn takes_in(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let files = entries.flat_map(|path| if path.is_dir() { takes_in(&path, ending) } else { vec![path] });
    let mut found: Vec<PathBuf> = files.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    found.sort();
    found
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

/// A program that sends 60 packets a second until it is stopped.
struct App {
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    sent: Receiver<f32>,
}

impl App {
    /// Sends the jaw as a curve; `packet` is made of the number of the frame and the value.
    fn start(port: u16, packet: impl Fn(u32, f32) -> Vec<u8> + Send + 'static) -> Self {
        Self::start_over(Transport::Udp, port, packet)
    }

    fn start_over(transport: Transport, port: u16, packet: impl Fn(u32, f32) -> Vec<u8> + Send + 'static) -> Self {
        let (is_stopped, (send, sent)) = (Arc::new(AtomicBool::new(false)), channel());
        let stop = is_stopped.clone();
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
                let _ = send.send(value);
                std::thread::sleep((began + FRAME * (index + 1)).saturating_duration_since(Instant::now()));
            }
        });
        Self { is_stopped, thread: Some(thread), sent }
    }

    /// Ends it. The values that it has sent.
    fn stop(mut self) -> Vec<f32> {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
        self.sent.try_iter().collect()
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

/// The project that was saved, opened as the program opens it.
fn reopened(file: &Path) -> Session {
    let project = Project::read(file).unwrap();
    let head = Arc::new(smirk_files::import::embedded().unwrap());
    let mut session = Session::new(head, project.head.source(), Look::default(), BlendMode::Cpu);
    let (_, notes) = project.apply(&mut session, &project.read_takes());
    assert!(notes.is_empty(), "{notes:?}");
    session.select_clips([]);
    session
}

fn save(display: &Display, window: &LiveWindow) -> PathBuf {
    display.xdotool(&["key", "ctrl+s"]);
    let projects = || window.takes(".smirk");
    wait_until("the project to be saved", || projects().len() == 1);
    projects().remove(0)
}

#[test]
fn every_protocol_over_every_transport_moves_the_face_and_is_recorded_saved_and_played_with_the_same_numbers() {
    let display = Display::start(SIZE);
    let window = LiveWindow::start(&display);
    let neutral = settled_face(&display);
    let transports = |protocol: Protocol| protocol.ports().iter().map(move |&(transport, _)| (protocol, transport));
    let ways: Vec<(Protocol, Transport)> = Protocol::ALL.into_iter().flat_map(transports).collect();
    assert!(ways.contains(&(Protocol::IFacialMocap, Transport::Tcp)));
    assert!(ways.contains(&(Protocol::MediaPipe, Transport::WebSocket)));
    let mut sent = Vec::new();
    for (number, &(protocol, transport)) in ways.iter().enumerate() {
        let app = App::start_over(transport, window.port(protocol), move |index, jaw| match protocol {
            Protocol::LiveLinkFace => live_link_packet(index, jaw),
            protocol => packet_with_jaw_open(protocol, jaw),
        });
        let name = format!("{} over {}", protocol.name(), transport.name());
        wait_until(&name, || mean_difference(&display.face(), &neutral) > 0.2);
        display.xdotool(&["key", "t"]);
        wait_until("the recording to begin", || window.takes(".csv.part").len() == 1);
        std::thread::sleep(Duration::from_secs(1));
        display.xdotool(&["key", "t"]);
        wait_until("the recording to end", || window.takes(".csv").len() == number + 1);
        sent.push(app.stop());
        std::thread::sleep(SILENCE);
    }
    // Of a face that was lost, nothing is left. The window has refined its picture since the start, so it is compared with one of now.
    let lost = settled_face(&display);
    display.xdotool(&["key", "shift+t"]);
    let left = mean_difference(&settled_face(&display), &lost);
    assert!(left < 0.05, "{left}");
    let project = save(&display, &window);
    let config = window.smirk.config.clone();
    let (said, _) = window.smirk.quit(&display);
    assert_eq!(said, "", "Smirk complained");

    let mut session = reopened(&project);
    assert_eq!(session.edits.takes.len(), ways.len());
    for ((protocol, transport), (index, sent)) in ways.into_iter().zip(sent.iter().enumerate()) {
        let way = format!("{} over {}", protocol.name(), transport.name());
        let entry = session.edits.takes[index].clone();
        assert_eq!(entry.take.name, format!("Take {}", index + 1));
        let folder = entry.take.source.as_ref().unwrap();
        assert!(folder.starts_with(config.path()) && folder.to_string_lossy().contains(" takes/"), "{folder:?}");
        let recorded = jaw_of(&entry.take);
        assert!(recorded.len() > 20, "{way}: {} frames", recorded.len());
        // A recording is a piece of what was sent, without a gap.
        let is_same = |(a, b): (&f32, &(f32, f32))| (a - b.1).abs() < 1e-6;
        let is_piece = sent.windows(recorded.len()).any(|piece| piece.iter().zip(&recorded).all(is_same));
        assert!(is_piece, "{way}: {recorded:?}");
        session.select_take(Some(entry.id));
        let jaw = session.head.channel_named("jawOpen").unwrap();
        for &(secs, value) in &recorded {
            session.seek(secs);
            let played = session.channel_value(jaw, &session.mix().weights);
            assert!((played - value).abs() < 1e-5, "{way}: {played}, not {value}, at {secs} s");
        }
    }
}

#[test]
fn a_recording_survives_a_kill_and_comes_back_with_the_unsaved_work() {
    let display = Display::start(SIZE);
    let mut window = LiveWindow::start(&display);
    let app = App::start(window.port(Protocol::LiveLinkFace), live_link_packet);
    let config = window.smirk.config.clone();
    let before = display.face();
    wait_until("the face to move", || mean_difference(&display.face(), &before) > 0.02);
    display.xdotool(&["key", "t"]);
    let rows = |path: &Path| std::fs::read_to_string(path).map_or(0, |text| text.lines().count());
    let takes = config.path().join("takes");
    let growing = || takes_in(&takes, ".csv.part").first().map_or(0, |path| rows(path));
    wait_until("two seconds of a recording", || growing() > 120);
    let works = || takes_in(&config.path().join("recovery"), ".json").len();
    wait_until("the work to be kept", || works() == 1);
    let before = growing();
    // On Unix, this is kill -9.
    window.smirk.process.kill().unwrap();
    window.smirk.process.wait().unwrap();
    let _ = app.stop();
    assert!(growing() >= before, "what was on disk stays there");

    drop(display);
    let display = Display::start(SIZE);
    let smirk = Smirk::start_again(&display, config.clone(), []);
    wait_for_window(&display);
    wait_until("the notice of unsaved work", || display.row(RESTORE[1], RESTORE[0]..RESTORE[0] + 4) == [BUTTON; 4]);
    let [x, y] = RESTORE.map(|position| position.to_string());
    display.xdotool(&["mousemove", &x, &y, "click", "1"]);
    wait_until("the recording to be completed", || takes_in(&config.path().join("takes"), ".csv").len() == 1);
    display.xdotool(&["mousemove", "640", "360"]);
    let next = LiveWindow { smirk, ports: window.ports.clone() };
    let project = save(&display, &next);
    let (said, _) = next.smirk.quit(&display);
    assert_eq!(said, "", "Smirk complained");
    let session = reopened(&project);
    let recorded = jaw_of(&session.edits.takes[0].take);
    assert!(recorded.len() + 2 >= before, "{} of {before} rows came back", recorded.len());
    let steps = recorded.windows(2).map(|pair| pair[1].0 - pair[0].0);
    assert!(steps.fold(0.0, f32::max) < 0.02, "no frame is missing in between");
}

/// Three senders at 60 packets a second, for as long as `SMIRK_LIVE_SOAK` says in seconds: the memory stays, and a recording in a
/// hidden window has every frame of the sender that is heard.
#[test]
fn three_senders_for_a_long_time_take_no_more_memory_and_a_hidden_window_records_every_frame() {
    let secs = std::env::var("SMIRK_LIVE_SOAK").ok().and_then(|value| value.parse().ok()).unwrap_or(12);
    let display = Display::start(SIZE);
    let window = LiveWindow::start(&display);
    let neutral = settled_face(&display);
    let heard = App::start(window.port(Protocol::LiveLinkFace), live_link_packet);
    wait_until("the face to move", || mean_difference(&display.face(), &neutral) > 0.2);
    let others = [Protocol::Vmc, Protocol::MediaPipe]
        .map(|protocol| App::start(window.port(protocol), move |_, jaw| packet_with_jaw_open(protocol, jaw)));
    display.xdotool(&["key", "t"]);
    wait_until("the recording to begin", || window.takes(".csv.part").len() == 1);
    let id = display.window_of(&window.smirk.process);
    display.xdotool(&["windowunmap", "--sync", &id]);
    let (began, mut measured) = (Instant::now(), Vec::new());
    while began.elapsed() < Duration::from_secs(secs) {
        std::thread::sleep(Duration::from_secs(1));
        measured.push(resident(window.smirk.process.id()) >> 10);
    }
    display.xdotool(&["windowmap", "--sync", &id]);
    display.focus();
    std::thread::sleep(Duration::from_secs(1));
    display.xdotool(&["key", "t"]);
    wait_until("the recording to end", || window.takes(".csv").len() == 1);
    let sent = heard.stop().len();
    for app in others {
        assert!(app.stop().len() > 60);
    }
    let take = smirk_files::import::open_takes(&window.takes(".csv")[0]).unwrap().remove(0);
    let recorded = jaw_of(&take);
    println!("{sent} frames sent, {} recorded in {secs} s; memory in kB: {measured:?}", recorded.len());
    assert!(recorded.len() as f64 > 60.0 * secs as f64 * 0.97, "{} frames in {secs} s", recorded.len());
    let longest = recorded.windows(2).map(|pair| pair[1].0 - pair[0].0).fold(0.0, f32::max);
    assert!(longest < 1.5 / 60.0, "a frame was lost: {longest} s from one to the next");
    let quarter = measured.len() / 4;
    let most = |part: &[u64]| part.iter().copied().max().unwrap_or(0);
    let [early, late] = [most(&measured[quarter..2 * quarter + 1]), most(&measured[measured.len() - quarter - 1..])];
    assert!(late <= early + early / 20, "memory grows from {early} to {late} kB: {measured:?}");
    let (said, _) = window.smirk.quit(&display);
    assert_eq!(said, "", "Smirk complained");
}

/// The time from a packet to the first pixel that it changes on the screen, in a window that rests before.
#[test]
fn a_packet_is_on_the_screen_soon() {
    /// A row through the mouth of the bundled head, and the columns of the face.
    const MOUTH_Y: usize = 400;
    let display = Display::start(SIZE);
    let window = LiveWindow::start(&display);
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = window.port(Protocol::LiveLinkFace);
    settled_face(&display);
    let rows = || -> Vec<[u8; 3]> { (0..8).flat_map(|row| display.row(MOUTH_Y + 10 * row, 560..720)).collect() };
    let mut latencies = Vec::new();
    for index in 0..21 {
        let before = rows();
        let packet = live_link_packet(1 + 60 * index, if index % 2 == 0 { 0.9 } else { 0.0 });
        let sent = Instant::now();
        socket.send_to(&packet, ("127.0.0.1", port)).unwrap();
        while rows() == before {
            assert!(sent.elapsed() < Duration::from_secs(20), "{}", display.keep_picture());
            std::thread::sleep(Duration::from_micros(500));
        }
        latencies.push(sent.elapsed());
        std::thread::sleep(Duration::from_millis(300));
    }
    // The first packet of a sender makes the Live section longer.
    latencies.remove(0);
    latencies.sort();
    println!("from packet to screen: median {:?}, longest {:?}", latencies[10], latencies[19]);
    assert!(latencies[10] < Duration::from_secs(1), "{latencies:?}");
}
