//! `smirk listen` and `smirk send`, as processes.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, UdpSocket};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use smirk_editor::document::growing_path;
use smirk_face::motion::Take;
use smirk_files::import::open_takes;
use smirk_support::HANGS_AFTER;

use crate::process::{SMIRK, isolated, smirk, stderr};

/// A port that nobody listens on.
fn free_port() -> u16 {
    UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// `smirk listen`, once it listens.
struct Listener {
    process: Child,
    lines: BufReader<ChildStdout>,
}

impl Listener {
    fn start(arguments: &[&str]) -> Self {
        let mut process = isolated(SMIRK).arg("listen").args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap());
        let mut first = String::new();
        lines.read_line(&mut first).unwrap();
        assert!(first.contains("UDP 127.0.0.1:"), "{first}");
        Self { process, lines }
    }

    /// Interrupts it, and returns what it wrote since.
    fn interrupt(mut self) -> String {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.lines, &mut rest).unwrap();
        let status = self.process.wait().unwrap();
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(2), "it ends by the signal: {rest}");
        rest
    }
}

#[test]
fn a_protocol_that_is_named_twice_is_listened_for_once() {
    let port = free_port().to_string();
    let output = smirk(&["listen", "--protocol", "live-link,live-link", "--port", &port, "--seconds", "0"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.lines().count() == 2 && !said.contains("another program"), "{output:?}");
}

/// A capture of Live Link Face's columns at 60 frames per second.
fn write_capture(path: &Path) -> Take {
    let mut text = "Time,JawOpen,MouthSmileLeft,HeadYaw,LeftEyePitch\n".to_owned();
    for frame in 0..60 {
        let phase = f64::from(frame) / 60.0;
        text += &format!("{phase},{},{},{},{}\n", phase * 0.5, 0.25 - phase * 0.1, phase * 0.3, -phase * 0.2);
    }
    std::fs::write(path, text).unwrap();
    open_takes(path).unwrap().remove(0)
}

fn column(take: &Take, name: &str) -> usize {
    take.columns.iter().position(|column| column.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Waits until a recording that grows has so many rows on disk.
fn wait_for_rows(recorded: &Path, rows: usize) {
    let growing = growing_path(recorded);
    let began = std::time::Instant::now();
    let lines = || std::fs::read_to_string(&growing).unwrap_or_default().lines().count();
    while lines() < 1 + rows {
        assert!(began.elapsed() < HANGS_AFTER, "{} of {rows} rows", lines());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn what_is_sent_is_recorded_with_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let (source, recorded) = (folder.path().join("take.csv"), folder.path().join("recorded.csv"));
    let take = write_capture(&source);
    for (protocol, listened, smallest) in
        [("live-link", "live-link", 1e-6), ("vmc", "vmc", 1e-6), ("ifacialmocap", "ifacialmocap", 0.0051)]
    {
        let port = free_port().to_string();
        let recording = ["--protocol", listened, "--port", &port, "--record", recorded.to_str().unwrap()];
        let listener = Listener::start(&recording);
        let to = format!("127.0.0.1:{port}");
        let sent = smirk(&["send", source.to_str().unwrap(), "--to", &to, "--protocol", protocol, "--subject", "Ada"]);
        assert!(sent.status.success(), "{}", stderr(&sent));
        wait_for_rows(&recorded, 60);
        let words = listener.interrupt();
        assert!(words.contains("60 frames heard") && words.contains("60 rows") && words.contains("0 lost"), "{words}");
        assert!(protocol != "live-link" || words.contains("\"Ada\""), "{words}");
        let again = open_takes(&recorded).unwrap().remove(0);
        assert!((again.duration_secs - take.duration_secs).abs() < 0.1, "{}", again.duration_secs);
        for name in ["JawOpen", "MouthSmileLeft", "HeadYaw", "LeftEyePitch"] {
            let of_protocol = if protocol == "ifacialmocap" && !name.contains("Yaw") && !name.contains("Pitch") {
                name[..1].to_lowercase() + &name[1..]
            } else {
                name.to_owned()
            };
            let (was, is) =
                (take.curve_of(column(&take, name)).unwrap(), again.curve_of(column(&again, &of_protocol)).unwrap());
            for frame in 0..60 {
                let (was, is) = (was.0.key_value(frame, was.1), is.0.key_value(frame, is.1));
                assert!((was - is).abs() <= smallest, "{protocol}, {name}, frame {frame}: {is}, not {was}");
            }
        }
    }
}

#[test]
fn a_recording_with_a_mapping_has_the_channels_that_columns_drive() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let (source, recorded, map) = (file("take.csv"), file("recorded.csv"), file("map.json"));
    let take = write_capture(&source);
    let mapping = r#"{"smirk": "mapping", "version": 1, "columns": [
        {"column": "jawOpen", "channels": [{"channel": "aa", "weight": 0.8}]},
        {"column": "mouthSmile_L", "channels": [{"channel": "aa", "weight": -0.4}, "happy"], "gain": 2.0}]}"#;
    std::fs::write(&map, mapping).unwrap();
    let port = free_port().to_string();
    let [table, map] = [&recorded, &map].map(|path| path.to_str().unwrap());
    let listener = Listener::start(&["--protocol", "vmc", "--port", &port, "--record", table, "--map", map]);
    let to = format!("127.0.0.1:{port}");
    let sent = smirk(&["send", source.to_str().unwrap(), "--to", &to, "--protocol", "vmc"]);
    assert!(sent.status.success(), "{}", stderr(&sent));
    wait_for_rows(&recorded, 60);
    listener.interrupt();
    let again = open_takes(&recorded).unwrap().remove(0);
    let names: Vec<&str> = again.column_names().collect();
    assert!(names.starts_with(&["aa", "happy"]) && !names.contains(&"JawOpen"), "{names:?}");
    assert!(names.contains(&"HeadYaw"), "what the mapping does not list stays: {names:?}");
    let at = |take: &Take, name: &str, frame: usize| {
        let (curve, element) = take.curve_of(column(take, name)).unwrap();
        curve.key_value(frame, element)
    };
    for frame in 0..60 {
        let [jaw, smile] = ["JawOpen", "MouthSmileLeft"].map(|name| at(&take, name, frame));
        let expected = [("aa", (0.8 * jaw - 0.8 * smile).clamp(0.0, 1.0)), ("happy", 2.0 * smile)];
        for (name, expected) in expected {
            assert!((at(&again, name, frame) - expected).abs() < 1e-5, "{name} at {frame}");
        }
    }
}

/// A message of OSC, with one argument of the type that `tag` names.
fn osc(address: &str, tags: &str, arguments: &[u8]) -> Vec<u8> {
    let padded = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(bytes.len() / 4 * 4 + 4, 0);
        bytes
    };
    [padded(address), padded(tags), arguments.to_vec()].concat()
}

#[test]
fn a_recording_has_times_of_arrival_where_the_clock_of_the_sender_cannot_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = folder.path().join("recorded.csv");
    type Clock = fn(f32) -> f32;
    let clocks: [(&str, Clock); 5] = [
        ("stands still", |_| 0.0),
        ("is as coarse as seconds since 1970 in 32 bits", |secs| 1.79e9 + secs),
        ("runs backwards", |secs| 50.0 - secs),
        ("is set back", |secs| if secs < 0.3 { 1000.0 + secs } else { 10.0 + secs }),
        ("is set forward", |secs| if secs < 0.3 { secs } else { 5000.0 + secs }),
    ];
    for (what, clock) in clocks {
        let port = free_port();
        let number = port.to_string();
        let listener =
            Listener::start(&["--protocol", "vmc", "--port", &number, "--record", recorded.to_str().unwrap()]);
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let began = std::time::Instant::now();
        for frame in 0..60 {
            let secs = frame as f32 / 60.0;
            let value = [b"JawOpen\0".as_slice(), &(frame as f32).to_be_bytes()].concat();
            for message in [
                osc("/VMC/Ext/T", ",f", &clock(secs).to_be_bytes()),
                osc("/VMC/Ext/Blend/Val", ",sf", &value),
                osc("/VMC/Ext/Blend/Apply", ",", &[]),
            ] {
                socket.send_to(&message, (Ipv4Addr::LOCALHOST, port)).unwrap();
            }
            std::thread::sleep(std::time::Duration::from_millis(16));
        }
        let took = began.elapsed().as_secs_f32();
        // One frame that is earlier than the one before may have been overtaken on its way.
        wait_for_rows(&recorded, 59);
        let words = listener.interrupt();
        let take = open_takes(&recorded).unwrap().remove(0);
        let rows = take.tracks[0].times().len();
        assert!(rows >= 59, "a clock that {what}: {rows} rows: {words}");
        // A time by such a clock would be none at all, or hours.
        assert!((0.5..took + 60.0).contains(&take.duration_secs), "a clock that {what}: {} s", take.duration_secs);
    }
}

#[test]
fn a_clip_of_the_bundled_head_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = folder.path().join("recorded.csv");
    let port = free_port().to_string();
    let listener = Listener::start(&["--protocol", "vmc", "--port", &port, "--record", recorded.to_str().unwrap()]);
    let sent =
        smirk(&["send", "--clip", "0", "--frames", "0-29", "--to", &format!("127.0.0.1:{port}"), "--protocol", "vmc"]);
    assert!(sent.status.success(), "{}", stderr(&sent));
    wait_for_rows(&recorded, 30);
    assert!(listener.interrupt().contains("30 frames heard"));
}

#[test]
fn mistakes_are_one_line_that_says_what_to_do() {
    let taken = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (arguments, code, words) in [
        (&["listen", "--protocol", "live-link", "--port", &port][..], 1, "Unreal"),
        (&["listen", "--protocol", "smoke-signals"], 2, "live-link"),
        (&["listen", "--port", "5000"], 2, "one --protocol"),
        (&["listen", "--phone", "127.0.0.1", "--protocol", "vtube-studio"], 2, "--network"),
        (&["listen", "--phone", "127.0.0.1", "--network", "--protocol", "vmc"], 2, "without being asked"),
        (&["listen", "--seconds", "1", "--record", "no/such/folder/take.csv"], 1, "no/such/folder"),
        (&["send", "--to", "127.0.0.1"], 1, "nothing plays"),
        (&["send", "--to", "no.such.host.invalid", "--clip", "0"], 1, "192.168.1.20"),
        (&["send", "no/such/take.csv", "--to", "127.0.0.1"], 1, "take.csv"),
        (&["send"], 2, "--to"),
    ] {
        let output = smirk(arguments);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        assert!(message.lines().count() == 1 && message.contains(words), "{arguments:?}: {message}");
    }
}

#[test]
fn listening_ends_after_the_seconds_that_were_asked_for() {
    let port = free_port().to_string();
    let output = smirk(&["listen", "--protocol", "live-link", "--port", &port, "--seconds", "0.3"]);
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && words.contains(&port) && words.contains("0 frames heard"), "{words}");
}

#[test]
fn a_recording_replaces_what_is_there_only_once_it_has_frames() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (take, part, head) = (at("take.csv"), at("take.csv.part"), at("head.glb"));
    for file in [&take, &head] {
        std::fs::write(file, "as before").unwrap();
    }
    let is_unchanged = |file: &str| std::fs::read_to_string(file).unwrap() == "as before";
    let taken = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let (taken, free) = (taken.local_addr().unwrap().port().to_string(), free_port().to_string());
    let listen = |port: &str, file: &str| {
        smirk(&["listen", "--protocol", "live-link", "--port", port, "--seconds", "0.2", "--record", file])
    };

    for (port, file, words) in [(&taken, &take, &taken[..]), (&free, &head, ".csv")] {
        let output = listen(port, file);
        let code = if file == &head { 2 } else { 1 };
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
        assert!(is_unchanged(file), "{file}");
    }
    let output = listen(&free, &take);
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("no rows"), "{output:?}");
    assert!(is_unchanged(&take) && !Path::new(&part).exists());

    // While one program records, it has the name for itself, and a kill leaves what was there and what was heard.
    let port = free_port().to_string();
    let mut listener = Listener::start(&["--protocol", "live-link", "--port", &port, "--record", &take]);
    let output = listen(&free_port().to_string(), &take);
    assert!(output.status.code() == Some(1) && stderr(&output).contains("take.csv.part"), "{}", stderr(&output));
    let source = folder.path().join("source.csv");
    write_capture(&source);
    let to = format!("127.0.0.1:{port}");
    assert!(smirk(&["send", source.to_str().unwrap(), "--to", &to, "--protocol", "live-link"]).status.success());
    let rows = || std::fs::read_to_string(&part).unwrap().lines().count();
    while rows() < 10 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    listener.process.kill().unwrap();
    listener.process.wait().unwrap();
    assert!(is_unchanged(&take) && rows() >= 10);
    // What another program records meanwhile, and what was left behind, is never written over.
    assert_eq!(listen(&free_port().to_string(), &take).status.code(), Some(1));
    assert!(rows() >= 10);
}
