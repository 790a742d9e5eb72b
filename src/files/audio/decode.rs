//! Files to samples, by `symphonia`.

use std::io::{self, BufReader, Cursor, ErrorKind, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use symphonia::core::codecs::audio::AudioDecoderOptions;
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, TrackType};
use symphonia::core::io::{MediaSource, MediaSourceStream};
use symphonia::core::meta::MetadataOptions;
use symphonia::core::units::{TimeBase, Timestamp};

use super::{Sound, mp4_edit};
use smirk_base::progress::{Cancelled, Progress};
use smirk_base::regular_file;

/// The least that a WAV states of its samples' bytes if its length was not known when it was written.
const STREAMED_BYTES: u64 = 0x7fff_0000;

/// Decodes a `.wav`, `.flac`, `.mp3`, `.ogg`, `.m4a` or `.aac` file. The content decides about the format, not the
/// extension.
pub fn open(path: &Path, progress: Progress<'_>) -> Result<Sound, SoundError> {
    decoded(regular_file::open(path)?, path, progress)
}

/// Like [`open`], from memory; `path` is where the bytes came from.
pub fn open_bytes(bytes: Vec<u8>, path: &Path) -> Result<Sound, SoundError> {
    decoded(Cursor::new(bytes), path, Progress::NONE)
}

fn decoded(file: impl MediaSource + 'static, path: &Path, progress: Progress<'_>) -> Result<Sound, SoundError> {
    // The decoders are safe code, but damaged files have made them stop before.
    catch_unwind(AssertUnwindSafe(|| decode(file, path, progress))).unwrap_or(Err(SoundError::Panicked))
}

fn decode(file: impl MediaSource + 'static, path: &Path, progress: Progress<'_>) -> Result<Sound, SoundError> {
    // Each packet takes bytes of the file; a reader that gives more than there can be has lost its way.
    let most_packets = file.byte_len().unwrap_or(0) + 1;
    let mut file = BufReader::new(file);
    let skipped_secs = mp4_edit::skipped_secs(&mut file);
    file.rewind()?;
    let mut hint = Hint::new();
    if let Some(extension) = path.extension().and_then(|extension| extension.to_str()) {
        hint.with_extension(extension);
    }
    let stream = MediaSourceStream::new(Box::new(file.into_inner()), Default::default());
    let (format, metadata) = (FormatOptions::default(), MetadataOptions::default());
    let mut format = symphonia::default::get_probe().probe(&hint, stream, format, metadata).map_err(unknown)?;
    let track = format.default_track(TrackType::Audio).ok_or_else(no_sound)?;
    let (id, time_base) = (track.id, track.time_base);
    let parameters = track.codec_params.as_ref().and_then(|parameters| parameters.audio()).ok_or_else(no_sound)?;
    // Some programs write nearly 2 GiB where a WAV that they stream states how many bytes it has, such as sox.
    let frame_bytes = u64::from(parameters.bits_per_sample.unwrap_or(0)) / 8
        * parameters.channels.as_ref().map_or(0, |channels| channels.count() as u64);
    let frames = track.num_frames.filter(|frames| frames.saturating_mul(frame_bytes) < STREAMED_BYTES);
    let codecs = symphonia::default::get_codecs();
    let mut decoder = codecs.make_audio_decoder(parameters, &AudioDecoderOptions::default()).map_err(unknown)?;
    let mut samples = Samples { skipped_secs, ..Samples::default() };
    let (mut first_problem, mut cut_off) = (None, None);
    for _ in 0..most_packets {
        let packet = match format.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break,
            Err(Error::ResetRequired) => return Err(SoundError::Changes { secs: samples.secs() }),
            Err(error) => {
                // What was read before a file was cut off is a sound still. One that was written as a stream states no
                // length: its end is where its bytes end. That of an MP3 is an estimate.
                first_problem.get_or_insert(in_words(&error));
                let is_short = frames.is_some_and(|frames| (samples.frames() as u64) < frames - frames / 100);
                cut_off = Some(in_words(&error)).filter(|_| is_short || !is_end(&error));
                break;
            }
        };
        if packet.track_id != id {
            continue;
        }
        match decoder.decode(&packet) {
            Ok(decoded) => {
                let spec = decoded.spec();
                samples.set_format(spec.rate(), spec.channels().count())?;
                let mut interleaved = Vec::new();
                decoded.copy_to_vec_interleaved::<i16>(&mut interleaved);
                samples.add(&interleaved)?;
            }
            Err(Error::ResetRequired) => return Err(SoundError::Changes { secs: samples.secs() }),
            Err(error) => {
                first_problem.get_or_insert(in_words(&error));
                let length = Timestamp::new(i64::try_from(packet.dur.get()).unwrap_or(0));
                samples.add_silence(secs_of(time_base, length))?;
            }
        }
        let part = frames.map_or(0.5, |frames| samples.frames() as f32 / frames.max(1) as f32);
        progress.report("decoding the sound", part.min(1.0))?;
    }
    let mut sound = samples.into_sound(first_problem)?;
    sound.cut_off = cut_off;
    Ok(sound)
}

fn no_sound() -> SoundError {
    SoundError::NoSound
}

fn unknown(error: Error) -> SoundError {
    SoundError::Unknown { reason: in_words(&error) }
}

fn secs_of(time_base: Option<TimeBase>, length: Timestamp) -> f64 {
    time_base.and_then(|base| base.calc_time(length)).map_or(0.0, |time| time.as_secs_f64())
}

fn is_end(error: &Error) -> bool {
    matches!(error, Error::IoError(error) if error.kind() == ErrorKind::UnexpectedEof)
}

fn in_words(error: &Error) -> String {
    if is_end(error) { "its end is missing".into() } else { error.to_string() }
}

#[derive(Debug, Default)]
struct Samples {
    /// Frames per second and channels of the file, once known.
    format: Option<(u32, usize)>,
    samples: Vec<i16>,
    /// Seconds at the start that are still to be left out.
    skipped_secs: f64,
    damaged_secs: f64,
}

impl Samples {
    fn set_format(&mut self, rate: u32, channels: usize) -> Result<(), SoundError> {
        if !(Sound::RATES[0]..=Sound::RATES[1]).contains(&rate) {
            return Err(SoundError::Rate { rate });
        }
        if channels == 0 {
            return Err(SoundError::Unknown { reason: "it has no channels".into() });
        }
        match self.format {
            Some(format) if format != (rate, channels) => Err(SoundError::Changes { secs: self.secs() }),
            _ => {
                self.format = Some((rate, channels));
                Ok(())
            }
        }
    }

    fn kept(&self) -> usize {
        self.format.map_or(1, |(_, channels)| channels.min(2))
    }

    fn frames(&self) -> usize {
        self.samples.len() / self.kept()
    }

    fn secs(&self) -> f64 {
        self.format.map_or(0.0, |(rate, _)| self.frames() as f64 / f64::from(rate))
    }

    /// Adds decoded samples. Of more than two channels, all are heard on both sides.
    fn add(&mut self, interleaved: &[i16]) -> Result<(), SoundError> {
        let Some((rate, channels)) = self.format else { return Ok(()) };
        let skipped = ((self.skipped_secs * f64::from(rate)).round() as usize).min(interleaved.len() / channels);
        self.skipped_secs -= skipped as f64 / f64::from(rate);
        let interleaved = interleaved.get(skipped * channels..).unwrap_or_default();
        self.check(interleaved.len() / channels)?;
        if channels <= 2 {
            self.samples.extend_from_slice(interleaved);
            return Ok(());
        }
        for frame in interleaved.chunks_exact(channels) {
            let sum: i32 = frame.iter().map(|&sample| i32::from(sample)).sum();
            self.samples.extend([(sum / channels as i32) as i16; 2]);
        }
        Ok(())
    }

    /// Adds silence for a part that cannot be decoded, so that what follows keeps its time.
    fn add_silence(&mut self, secs: f64) -> Result<(), SoundError> {
        let Some((rate, _)) = self.format else { return Ok(()) };
        let frames = (secs.clamp(0.0, 60.0) * f64::from(rate)).round() as usize;
        self.check(frames)?;
        self.samples.resize(self.samples.len() + frames * self.kept(), 0);
        self.damaged_secs += frames as f64 / f64::from(rate);
        Ok(())
    }

    fn check(&self, frames: usize) -> Result<(), SoundError> {
        if self.samples.len() + frames * self.kept() <= Sound::MOST_SAMPLES {
            return Ok(());
        }
        let rate = self.format.map_or(1, |(rate, _)| rate);
        Err(SoundError::TooLong { secs: (Sound::MOST_SAMPLES / self.kept()) as f64 / f64::from(rate) })
    }

    fn into_sound(mut self, problem: Option<String>) -> Result<Sound, SoundError> {
        let (Some((rate, _)), false) = (self.format, self.samples.is_empty()) else {
            return Err(SoundError::Empty { reason: problem.unwrap_or_else(|| "it has no samples".into()) });
        };
        let kept = self.kept();
        self.samples.shrink_to_fit();
        let mut sound = Sound::new(rate, kept, self.samples);
        sound.damaged_secs = self.damaged_secs;
        Ok(sound)
    }
}

/// Why a sound does not open. The words follow the name of the file.
#[derive(Debug, thiserror::Error)]
pub enum SoundError {
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("is a file without sound: open one that has sound")]
    NoSound,
    #[error("is no sound that Smirk reads ({reason}): save it as WAV, FLAC, MP3, OGG Vorbis or M4A (AAC)")]
    Unknown { reason: String },
    #[error("states {rate} samples per second; from {} to {} are possible", super::Sound::RATES[0], super::Sound::RATES[1])]
    Rate { rate: u32 },
    #[error("changes its sample rate or its channels after {secs:.1} s: save it as one WAV file")]
    Changes { secs: f64 },
    #[error("holds nothing that can be decoded ({reason}): it is damaged or empty; save it again")]
    Empty { reason: String },
    #[error("is longer than {} minutes, the most that Smirk keeps in memory: cut it", .secs / 60.0)]
    TooLong { secs: f64 },
    #[error("cannot be decoded: the decoder stopped on it. Save it as a WAV file")]
    Panicked,
}
