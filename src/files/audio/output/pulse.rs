//! Output on Linux, through the protocol of PulseAudio, which PipeWire speaks too.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use pulseaudio::protocol::{
    ChannelMap, PlaybackStreamParams, Prop, Props, SampleFormat, SampleSpec,
    stream::{BufferAttr, StreamFlags},
};
use pulseaudio::{PlaybackSource, PlaybackStream};

use super::link::Link;
use crate::audio::device::{DeviceError, USUAL_FRAMES_PER_SEC, answer, connect, opened};
use crate::audio::heard::Reading;

const FRAME_BYTES: usize = 8;
/// How much the server keeps ready: short enough that a jump of the play head is heard at once.
const BUFFER_SECS: f64 = 0.06;
/// How often the server is asked what is heard.
pub(super) const LOOK_INTERVAL: Duration = Duration::from_millis(25);

pub(super) struct OutputStream {
    stream: PlaybackStream,
    link: Arc<Link>,
}

impl OutputStream {
    /// Asks the server what is heard. What it has read of the stream is still on its way through the device.
    pub(super) fn look(&self) -> Result<(), DeviceError> {
        let asked = Instant::now();
        let timing = answer(self.stream.timing_info())?;
        let read = timing.read_offset as f64 / FRAME_BYTES as f64;
        let frame = read - timing.sink_usec as f64 * 1e-6 * f64::from(USUAL_FRAMES_PER_SEC);
        self.link.read(Reading { at: asked + asked.elapsed() / 2, frame, is_running: timing.playing });
        Ok(())
    }

    /// Tells the server that nothing will come for a while.
    pub(super) fn pause(&self) -> Result<(), DeviceError> {
        answer(self.stream.cork())
    }

    pub(super) fn resume(&self) -> Result<(), DeviceError> {
        answer(self.stream.uncork())
    }
}

pub(super) fn open(link: &Arc<Link>, server: Option<&Path>) -> Result<OutputStream, DeviceError> {
    let client = connect(server)?;
    let mut props = Props::new();
    props.set(Prop::MediaName, c"Sound of the take");
    props.set(Prop::MediaRole, c"video");
    let params = PlaybackStreamParams {
        sample_spec: SampleSpec { format: SampleFormat::Float32Le, channels: 2, sample_rate: USUAL_FRAMES_PER_SEC },
        channel_map: ChannelMap::stereo(),
        buffer_attr: BufferAttr {
            target_length: bytes_of(BUFFER_SECS),
            minimum_request_length: bytes_of(BUFFER_SECS / 4.0),
            ..BufferAttr::default()
        },
        flags: StreamFlags { adjust_latency: true, ..StreamFlags::default() },
        props,
        ..PlaybackStreamParams::default()
    };
    let stream = opened(client.create_playback_stream(params, Source(link.clone())))?;
    Ok(OutputStream { stream, link: link.clone() })
}

fn bytes_of(secs: f64) -> u32 {
    (secs * f64::from(USUAL_FRAMES_PER_SEC)) as u32 * FRAME_BYTES as u32
}

/// What the server gets when it asks for more.
struct Source(Arc<Link>);

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
