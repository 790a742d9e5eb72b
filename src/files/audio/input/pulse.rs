//! Input on Linux, through the protocol of PulseAudio, which PipeWire speaks too.

use std::ffi::CString;
use std::path::Path;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use pulseaudio::protocol::{
    ChannelMap, Prop, Props, RecordStreamParams, SampleFormat, SampleSpec,
    stream::{BufferAttr, StreamFlags},
};
use pulseaudio::{Client, RecordStream};

use super::{Microphone, Piece};
use crate::audio::device::{DeviceError, USUAL_FRAMES_PER_SEC, answer, connect, opened};

const SAMPLE_BYTES: u32 = 2;
/// How much the server sends at once: 10 ms.
const PIECE_BYTES: u32 = USUAL_FRAMES_PER_SEC / 100 * SAMPLE_BYTES;

pub(super) struct InputStream(RecordStream);

impl InputStream {
    /// How long a sample takes from the microphone to the server.
    pub(super) fn latency(&self) -> Result<Duration, DeviceError> {
        answer(self.0.timing_info()).map(|timing| Duration::from_micros(timing.source_usec))
    }

    pub(super) fn check(&self) -> Result<(), DeviceError> {
        self.latency().map(drop)
    }
}

pub(super) fn microphones(server: Option<&Path>) -> Result<Vec<Microphone>, DeviceError> {
    let sources = opened(connect(server)?.list_sources())?;
    Ok(sources
        .into_iter()
        .map(|source| {
            let id = source.name.to_string_lossy().into_owned();
            let name = source.description.map(|name| name.to_string_lossy().into_owned());
            Microphone { name: name.unwrap_or_else(|| id.clone()), id }
        })
        .collect())
}

/// Opens a microphone, which sends what it hears to `pieces`.
pub(super) fn open(
    microphone: Option<&str>,
    server: Option<&Path>,
    pieces: Sender<Piece>,
) -> Result<InputStream, DeviceError> {
    let client = connect(server)?;
    let source = match microphone {
        Some(id) => CString::new(id).ok(),
        None => Some(default_source(&client)?),
    };
    let mut props = Props::new();
    props.set(Prop::MediaName, c"Sound of the recording");
    let params = RecordStreamParams {
        sample_spec: SampleSpec { format: SampleFormat::S16Le, channels: 1, sample_rate: USUAL_FRAMES_PER_SEC },
        channel_map: ChannelMap::mono(),
        source_name: source,
        buffer_attr: BufferAttr { fragment_size: PIECE_BYTES, ..BufferAttr::default() },
        // A microphone that is unplugged ends the sound: another one might hear something that is not meant to be
        // recorded.
        flags: StreamFlags { adjust_latency: true, no_move: true, ..StreamFlags::default() },
        props,
        ..RecordStreamParams::default()
    };
    opened(client.create_record_stream(params, move |bytes: &[u8]| {
        let samples = bytes.as_chunks::<2>().0.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect();
        let piece = Piece { samples, frames_per_sec: USUAL_FRAMES_PER_SEC, end: Instant::now() };
        // Whoever listened may have ended.
        drop(pieces.send(piece));
    }))
    .map(InputStream)
}

/// The default microphone. A server without any names what it plays itself.
fn default_source(client: &Client) -> Result<CString, DeviceError> {
    let name = opened(client.server_info())?.default_source_name.ok_or_else(no_microphone)?;
    let sources = opened(client.list_sources())?;
    let source = sources.into_iter().find(|source| source.name == name).ok_or_else(no_microphone)?;
    if source.monitor_of_sink_index.is_some() { Err(no_microphone()) } else { Ok(name) }
}

fn no_microphone() -> DeviceError {
    DeviceError::NoDevice("this machine has no microphone".into())
}
