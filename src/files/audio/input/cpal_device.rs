//! Input on Windows and macOS, through `cpal`.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{Device, Error, ErrorKind, FromSample, InputCallbackInfo, SampleFormat, SizedSample, StreamConfig};

use super::{Microphone, Piece};
use crate::audio::device::{DeviceError, first_failure};

pub(super) struct InputStream {
    _stream: cpal::Stream,
    failures: Receiver<Error>,
}

impl InputStream {
    /// How long a sample takes from the microphone to a piece, besides what its time says.
    pub(super) fn latency(&self) -> Result<Duration, DeviceError> {
        self.check().map(|()| Duration::ZERO)
    }

    pub(super) fn check(&self) -> Result<(), DeviceError> {
        first_failure(&self.failures).map_or(Ok(()), |error| Err(DeviceError::Lost(error.to_string())))
    }
}

pub(super) fn microphones(_: Option<&Path>) -> Result<Vec<Microphone>, DeviceError> {
    let devices = cpal::default_host().input_devices().map_err(|error| no_device(&error))?;
    Ok(devices
        .filter_map(|device| Some(Microphone { id: device.id().ok()?.to_string(), name: device.to_string() }))
        .collect())
}

/// Opens a microphone, which sends what it hears to `pieces`.
pub(super) fn open(
    microphone: Option<&str>,
    _: Option<&Path>,
    pieces: Sender<Piece>,
) -> Result<InputStream, DeviceError> {
    let (failed, failures) = channel();
    let stream = stream(microphone, pieces, failed).map_err(|error| no_device(&error))?;
    Ok(InputStream { _stream: stream, failures })
}

fn no_device(error: &Error) -> DeviceError {
    DeviceError::NoDevice(format!("no microphone can be heard: {error}"))
}

fn stream(id: Option<&str>, pieces: Sender<Piece>, failed: Sender<Error>) -> Result<cpal::Stream, Error> {
    let host = cpal::default_host();
    let device = match id {
        Some(id) => host.device_by_id(&id.parse()?),
        None => host.default_input_device(),
    };
    let device = device.ok_or(ErrorKind::DeviceNotAvailable)?;
    let supported = device.default_input_config()?;
    let (format, config) = (supported.sample_format(), supported.config());
    let stream = match format {
        SampleFormat::F32 => stream_of::<f32>(&device, config, pieces, failed),
        SampleFormat::I16 => stream_of::<i16>(&device, config, pieces, failed),
        SampleFormat::I32 => stream_of::<i32>(&device, config, pieces, failed),
        SampleFormat::U16 => stream_of::<u16>(&device, config, pieces, failed),
        _ => Err(ErrorKind::UnsupportedConfig.into()),
    }?;
    stream.play()?;
    Ok(stream)
}

fn stream_of<T: SizedSample>(
    device: &Device,
    config: StreamConfig,
    pieces: Sender<Piece>,
    failed: Sender<Error>,
) -> Result<cpal::Stream, Error>
where
    f32: FromSample<T>,
{
    let (channels, frames_per_sec) = (usize::from(config.channels).max(1), config.sample_rate);
    device.build_input_stream(
        config,
        move |samples: &[T], info: &InputCallbackInfo| {
            let time = info.timestamp();
            let arrived = Instant::now();
            let end = arrived.checked_sub(time.callback.saturating_duration_since(time.capture)).unwrap_or(arrived);
            // All channels are heard in one; a cast of more than fits saturates.
            let mean =
                |frame: &[T]| frame.iter().map(|sample| sample.to_sample::<f32>()).sum::<f32>() / channels as f32;
            let samples = samples.chunks_exact(channels).map(|frame| (mean(frame) * 32768.0) as i16).collect();
            // Whoever listened may have ended.
            drop(pieces.send(Piece { samples, frames_per_sec, end }));
        },
        move |error| drop(failed.send(error)),
        None,
    )
}
