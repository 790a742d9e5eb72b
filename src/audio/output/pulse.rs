//! Output on Linux, through the protocol of PulseAudio, which PipeWire speaks too.

use std::env;
use std::ffi::CStr;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use pulseaudio::protocol::{
    ChannelMap, PlaybackStreamParams, Prop, Props, SampleFormat, SampleSpec,
    stream::{BufferAttr, StreamFlags},
};
use pulseaudio::{Client, ClientError, PlaybackSource, PlaybackStream, cookie_path_from_env};

use super::error::OutputError;
use super::link::{CLOSE_AFTER, Link, REST_AFTER, USUAL_FRAMES_PER_SEC, Wanted};
use super::wait::wait;
use crate::audio::heard::Reading;

const NAME: &CStr = c"Smirk";
const FRAME_BYTES: usize = 8;
const COOKIE_BYTES: usize = 256;
/// How much the server keeps ready: short enough that a jump of the play head is heard at once.
const BUFFER_SECS: f64 = 0.06;
/// How often the server is asked what is heard.
const READING_INTERVAL: Duration = Duration::from_millis(25);
/// The longest time in which a server answers.
const LONGEST_ANSWER: Duration = Duration::from_secs(2);

/// Plays what the link renders until it ends, or until nothing was heard for a while.
pub(super) fn run(link: &std::sync::Arc<Link>, server: Option<&Path>) -> Result<(), OutputError> {
    let stream = open(link, server)?;
    let mut wanted = Wanted::Frames;
    let mut is_resting = false;
    loop {
        wanted = match wanted {
            Wanted::End => return Ok(()),
            Wanted::Frames => {
                if std::mem::take(&mut is_resting) {
                    answer(stream.uncork())?;
                }
                read(link, &stream)?;
                link.wanted(Wanted::Frames, READING_INTERVAL)
            }
            Wanted::Silence if is_resting => match link.wanted(Wanted::Silence, CLOSE_AFTER) {
                Wanted::Silence => return Ok(()),
                other => other,
            },
            Wanted::Silence => {
                link.rest(Instant::now());
                let next = link.wanted(Wanted::Silence, REST_AFTER);
                if next == Wanted::Silence {
                    // Otherwise the sound card would stay awake.
                    answer(stream.cork())?;
                    is_resting = true;
                }
                next
            }
        };
    }
}

fn open(link: &std::sync::Arc<Link>, server: Option<&Path>) -> Result<PlaybackStream, OutputError> {
    let no_device = |problem: String| OutputError::NoDevice(problem);
    let place = server.map(Path::to_owned).or_else(server_of_user);
    let place = place.ok_or_else(|| no_device("no sound server runs (PulseAudio or PipeWire)".into()))?;
    let refused = |error: &dyn std::fmt::Display| no_device(format!("the sound server refuses: {error}"));
    let socket = UnixStream::connect(&place).map_err(|error| {
        no_device(format!("no sound server answers at {} (PulseAudio or PipeWire): {error}", place.display()))
    })?;
    for limit in [socket.set_read_timeout(Some(LONGEST_ANSWER)), socket.set_write_timeout(Some(LONGEST_ANSWER))] {
        limit.map_err(|error| refused(&error))?;
    }
    // A server that asks for no cookie still expects one of this length.
    let cookie = cookie_path_from_env().and_then(|path| std::fs::read(path).ok());
    let cookie = cookie.filter(|cookie| cookie.len() == COOKIE_BYTES).unwrap_or_else(|| vec![0; COOKIE_BYTES]);
    let client = Client::new_unix(NAME, socket, Some(cookie)).map_err(|error| refused(&error))?;
    let mut props = Props::new();
    props.set(Prop::MediaName, c"Sound of the take");
    props.set(Prop::MediaRole, c"video");
    let bytes = |secs: f64| (secs * USUAL_FRAMES_PER_SEC) as u32 * FRAME_BYTES as u32;
    let params = PlaybackStreamParams {
        sample_spec: SampleSpec {
            format: SampleFormat::Float32Le,
            channels: 2,
            sample_rate: USUAL_FRAMES_PER_SEC as u32,
        },
        channel_map: ChannelMap::stereo(),
        buffer_attr: BufferAttr {
            target_length: bytes(BUFFER_SECS),
            minimum_request_length: bytes(BUFFER_SECS / 4.0),
            ..BufferAttr::default()
        },
        flags: StreamFlags { adjust_latency: true, ..StreamFlags::default() },
        props,
        ..PlaybackStreamParams::default()
    };
    let stream = wait(client.create_playback_stream(params, Source(link.clone())), LONGEST_ANSWER);
    match stream {
        Some(Ok(stream)) => Ok(stream),
        Some(Err(ClientError::ServerError(error))) => {
            Err(no_device(format!("the sound server has no device ({error})")))
        }
        Some(Err(error)) => Err(refused(&error)),
        None => Err(no_device("the sound server does not answer".into())),
    }
}

/// Where the server of the user listens.
fn server_of_user() -> Option<PathBuf> {
    let named = env::var("PULSE_SERVER").ok().and_then(|text| {
        // The variable may hold the name of a machine, and several addresses.
        let first = text.split_whitespace().next()?.to_owned();
        let address = first.split_once('}').map_or(first.as_str(), |(_, address)| address);
        let path = address.strip_prefix("unix:").unwrap_or(address);
        path.starts_with('/').then(|| PathBuf::from(path))
    });
    let in_folder = |variable: &str, name: &str| Some(PathBuf::from(env::var_os(variable)?).join(name));
    let places = [named, in_folder("PULSE_RUNTIME_PATH", "native"), in_folder("XDG_RUNTIME_DIR", "pulse/native")];
    places.into_iter().flatten().find(|place| place.exists())
}

/// The answer to a command, or why there is none.
fn answer<T>(command: impl Future<Output = Result<T, ClientError>>) -> Result<T, OutputError> {
    match wait(command, LONGEST_ANSWER) {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) => Err(OutputError::Lost(error.to_string())),
        None => Err(OutputError::Silent),
    }
}

/// Asks the server what is heard. What it has read of the stream is still on its way through the device.
fn read(link: &Link, stream: &PlaybackStream) -> Result<(), OutputError> {
    let asked = Instant::now();
    let timing = answer(stream.timing_info())?;
    let read = timing.read_offset as f64 / FRAME_BYTES as f64;
    let frame = read - timing.sink_usec as f64 * 1e-6 * USUAL_FRAMES_PER_SEC;
    link.read(Reading { at: asked + asked.elapsed() / 2, frame, is_running: timing.playing });
    Ok(())
}

/// What the server gets when it asks for more.
struct Source(std::sync::Arc<Link>);

impl PlaybackSource for Source {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &mut [u8]) -> Poll<usize> {
        let mut frames = vec![[0.0; 2]; bytes.len() / FRAME_BYTES];
        if frames.is_empty() || !self.0.render(&mut frames, Some(context.waker())) {
            return Poll::Pending;
        }
        for (bytes, sample) in bytes.chunks_exact_mut(4).zip(frames.iter().flatten()) {
            bytes.copy_from_slice(&sample.to_le_bytes());
        }
        Poll::Ready(frames.len() * FRAME_BYTES)
    }
}
