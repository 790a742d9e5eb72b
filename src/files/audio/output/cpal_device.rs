//! Output on Windows and macOS, through `cpal`.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{Device, Error, ErrorKind, FromSample, OutputCallbackInfo, SampleFormat, SizedSample, StreamConfig};

use super::link::Link;
use crate::audio::device::{DeviceError, first_failure};
use crate::audio::heard::Reading;

/// How often a stream that plays is looked at for errors.
pub(super) const LOOK_INTERVAL: Duration = Duration::from_millis(200);

pub(super) struct OutputStream {
    stream: cpal::Stream,
    failures: Receiver<Error>,
}

impl OutputStream {
    pub(super) fn look(&self) -> Result<(), DeviceError> {
        first_failure(&self.failures).map_or(Ok(()), |error| Err(lost(&error)))
    }

    /// Tells the device that nothing will come for a while.
    pub(super) fn pause(&self) -> Result<(), DeviceError> {
        self.stream.pause().map_err(|error| lost(&error))
    }

    pub(super) fn resume(&self) -> Result<(), DeviceError> {
        self.stream.play().map_err(|error| lost(&error))
    }
}

fn lost(error: &Error) -> DeviceError {
    DeviceError::Lost(error.to_string())
}

/// Opens a stream that plays what the link renders. There are no servers to choose from.
pub(super) fn open(link: &Arc<Link>, _: Option<&Path>) -> Result<OutputStream, DeviceError> {
    let (failed, failures) = channel();
    let stream =
        stream(link, failed).map_err(|error| DeviceError::NoDevice(format!("no sound device plays: {error}")))?;
    let stream = OutputStream { stream, failures };
    stream.resume()?;
    Ok(stream)
}

fn stream(link: &Arc<Link>, failed: Sender<Error>) -> Result<cpal::Stream, Error> {
    let device = cpal::default_host().default_output_device().ok_or(ErrorKind::DeviceNotAvailable)?;
    let supported = device.default_output_config()?;
    let (format, config) = (supported.sample_format(), supported.config());
    link.set_rate(f64::from(config.sample_rate));
    match format {
        SampleFormat::F32 => stream_of::<f32>(&device, config, link, failed),
        SampleFormat::I16 => stream_of::<i16>(&device, config, link, failed),
        SampleFormat::I32 => stream_of::<i32>(&device, config, link, failed),
        SampleFormat::U16 => stream_of::<u16>(&device, config, link, failed),
        _ => Err(ErrorKind::UnsupportedConfig.into()),
    }
}

fn stream_of<T: SizedSample + FromSample<f32>>(
    device: &Device,
    config: StreamConfig,
    link: &Arc<Link>,
    failed: Sender<Error>,
) -> Result<cpal::Stream, Error> {
    let (link, channels, rate) = (link.clone(), usize::from(config.channels).max(1), f64::from(config.sample_rate));
    let mut frames = Vec::new();
    let fill = move |samples: &mut [T], info: &OutputCallbackInfo| {
        frames.clear();
        frames.resize(samples.len() / channels, [0.0_f32; 2]);
        let before = link.rendered() as f64;
        let is_running = link.render(&mut frames, None);
        // The first frame that is rendered now will be heard after the latency.
        let time = info.timestamp();
        let latency = time.playback.saturating_duration_since(time.callback).as_secs_f64();
        link.read(Reading { at: Instant::now(), frame: before - latency * rate, is_running });
        for (samples, [left, right]) in samples.chunks_mut(channels).zip(&frames) {
            for (index, out) in samples.iter_mut().enumerate() {
                *out = T::from_sample(match (channels, index) {
                    (1, _) => (left + right) * 0.5,
                    (_, 0) => *left,
                    (_, 1) => *right,
                    _ => 0.0,
                });
            }
        }
    };
    device.build_output_stream(config, fill, move |error| drop(failed.send(error)), None)
}
