//! Output on Windows and macOS, through `cpal`.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{Device, Error, ErrorKind, FromSample, OutputCallbackInfo, SampleFormat, SizedSample, Stream, StreamConfig};

use super::link::{CLOSE_AFTER, Link, REST_AFTER, Wanted};
use crate::audio::device::{DeviceError, first_failure};
use crate::audio::heard::Reading;

/// How often a stream that plays is looked at for errors.
const LOOK_INTERVAL: std::time::Duration = std::time::Duration::from_millis(200);

/// Plays what the link renders until it ends, or until nothing was heard for a while. There are no servers to choose from.
pub(super) fn run(link: &Arc<Link>, _: Option<&Path>) -> Result<(), DeviceError> {
    let (failed, failures) = channel();
    let stream =
        open(link, failed).map_err(|error| DeviceError::NoDevice(format!("no sound device plays: {error}")))?;
    let lost = |error: Error| DeviceError::Lost(error.to_string());
    stream.play().map_err(lost)?;
    let (mut wanted, mut is_resting) = (Wanted::Frames, false);
    loop {
        if let Some(error) = first_failure(&failures) {
            return Err(lost(error));
        }
        wanted = match wanted {
            Wanted::End => return Ok(()),
            Wanted::Frames => {
                if std::mem::take(&mut is_resting) {
                    stream.play().map_err(lost)?;
                }
                link.wanted(Wanted::Frames, LOOK_INTERVAL)
            }
            Wanted::Silence if is_resting => match link.wanted(Wanted::Silence, CLOSE_AFTER) {
                Wanted::Silence => return Ok(()),
                other => other,
            },
            Wanted::Silence => {
                link.rest(Instant::now());
                let next = link.wanted(Wanted::Silence, REST_AFTER);
                if next == Wanted::Silence {
                    stream.pause().map_err(lost)?;
                    is_resting = true;
                }
                next
            }
        };
    }
}

fn open(link: &Arc<Link>, failed: Sender<Error>) -> Result<Stream, Error> {
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
) -> Result<Stream, Error> {
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
            let sample = |index: usize| match (channels, index) {
                (1, _) => (left + right) * 0.5,
                (_, 0) => *left,
                (_, 1) => *right,
                _ => 0.0,
            };
            samples.iter_mut().enumerate().for_each(|(index, out)| *out = T::from_sample(sample(index)));
        }
    };
    device.build_output_stream(config, fill, move |error| drop(failed.send(error)), None)
}
