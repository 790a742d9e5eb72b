//! A PulseAudio server of a test's own, with a device that plays nowhere and whose monitor can be recorded.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::HANGS_AFTER;
use crate::programs::isolated;

/// Where it is set, tests that need a sound server are left out.
const LEAVE_OUT: &str = "SMIRK_WITHOUT_PULSEAUDIO";

/// A server with a sink that plays nowhere.
pub struct Server {
    process: Child,
    /// Plays silence. Without a stream, this kind of sink renders 2 s of silence ahead, and no sound can begin before they have passed;
    /// a sound card does not.
    silence: Child,
    pub folder: tempfile::TempDir,
}

impl Server {
    /// Starts a server; `None` if that is left out.
    pub fn start() -> Option<Self> {
        if std::env::var_os(LEAVE_OUT).is_some() {
            println!("NOT CHECKED: {LEAVE_OUT} is set");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("native");
        let native = format!("module-native-protocol-unix auth-anonymous=1 socket={}", socket.display());
        let process = isolated("pulseaudio", folder.path())
            .args(["-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes"])
            .args(["-L", "module-null-sink sink_name=test rate=48000", "-L", &native])
            .env("PULSE_RUNTIME_PATH", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while !socket.exists() {
            assert!(start.elapsed() < HANGS_AFTER, "pulseaudio opens no socket");
            std::thread::sleep(Duration::from_millis(20));
        }
        let options = ["--playback", "--device=test", "--latency-msec=20", "--raw"];
        let zeros = std::fs::File::open("/dev/zero").unwrap();
        let silence = client("pacat", &folder, &options).stdin(zeros).spawn().unwrap();
        // The last block that was rendered ahead ends.
        std::thread::sleep(Duration::from_millis(2500));
        Some(Self { process, silence, folder })
    }

    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("native")
    }

    /// Ends it, as when it crashes.
    pub fn end(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        let _ = std::fs::remove_file(self.socket());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for process in [&mut self.process, &mut self.silence] {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// A client of the server in this folder.
pub fn client(program: &str, folder: &tempfile::TempDir, arguments: &[&str]) -> Command {
    let mut command = isolated(program, folder.path());
    command
        .args(arguments)
        .env("PULSE_SERVER", format!("unix:{}", folder.path().join("native").display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}
