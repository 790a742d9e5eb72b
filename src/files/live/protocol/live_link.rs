//! Live Link Face: datagrams of Epic's app for the iPhone, and of programs that pretend to be it.
//!
//! All numbers are big-endian, as Unreal's `FNboSerializeToBuffer` writes them. A packet is a version, the device's id,
//! the subject's name, a time, and 61 values; these are absent when no face is in view. Versions 5 and 6 differ in the
//! time alone:
//!
//! | version | time |
//! |---|---|
//! | 5 | hours, minutes, seconds and frames (`i32`), whether it is drop-frame, frames per second (`u32`) |
//! | 6 | frame (`i32`) and part of a frame (`f32`), numerator and denominator of the frame rate (`i32`) |
//!
//! Programs that read the version as four little-endian bytes and the id as `$` and 36 characters read the same
//! packets, but only those of ids of 36 bytes: `$` is the length.

use std::sync::Arc;

use super::columns::SharedText;
use super::{Bytes, PacketError};
use crate::live::LiveFrame;
use smirk_face::head::ARKIT_SHAPES;
use smirk_face::motion::ANGLE_COLUMNS;

const VALUES: usize = ARKIT_SHAPES.len() + ANGLE_COLUMNS.len();
/// The longest id and name, in bytes: Unreal's are at most 255 characters.
const MAX_TEXT_BYTES: usize = 1024;

#[derive(Clone, Debug, PartialEq)]
pub struct LiveLinkPacket<'a> {
    pub version: u8,
    pub device: &'a str,
    /// The name that the performer gave to the device or to the face.
    pub subject: &'a str,
    /// The frame, counted from midnight or from when the device was started.
    pub frame: i32,
    /// The part of a frame that has passed since, from 0 to 1.
    pub sub_frame: f32,
    /// The numerator and denominator of the frames per second.
    pub rate: [i32; 2],
    /// The values in the order of [`LiveLinkPacket::columns`]; none if no face is in view.
    pub values: Option<[f32; VALUES]>,
}

impl<'a> LiveLinkPacket<'a> {
    pub fn columns() -> Vec<String> {
        let mut names: Vec<&str> = ARKIT_SHAPES.into_iter().chain(ANGLE_COLUMNS).collect();
        // The table of shapes has the order of the app's files, which begin these two pairs with the right side.
        for pair in ["JawRight", "MouthRight"] {
            if let Some(at) = names.iter().position(|name| *name == pair) {
                names.swap(at, at + 1);
            }
        }
        names.into_iter().map(str::to_owned).collect()
    }

    pub fn read(packet: &'a [u8]) -> Result<Self, PacketError> {
        let mut bytes = Bytes(packet);
        let version = bytes.byte("the version")?;
        if !matches!(version, 5 | 6) {
            return Err(PacketError::Version { found: version.into(), readable: "versions 5 and 6" });
        }
        let device = text(&mut bytes, "the device's id")?;
        let subject = text(&mut bytes, "the subject's name")?;
        let (frame, sub_frame, rate) = if version == 6 { time(&mut bytes)? } else { timecode(&mut bytes)? };
        let values = if bytes.0.is_empty() { None } else { Some(values(&mut bytes)?) };
        bytes.end()?;
        Ok(Self { version, device, subject, frame, sub_frame, rate, values })
    }

    pub fn time_secs(&self) -> f64 {
        let frame = f64::from(self.frame) + f64::from(self.sub_frame);
        frame * f64::from(self.rate[1]) / f64::from(self.rate[0])
    }

    /// The bytes of the packet, in version 6 whatever its version is.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![6];
        for text in [self.device, self.subject] {
            bytes.extend_from_slice(&(text.len() as i32).to_be_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        bytes.extend_from_slice(&self.frame.to_be_bytes());
        bytes.extend_from_slice(&self.sub_frame.to_be_bytes());
        self.rate.iter().for_each(|number| bytes.extend_from_slice(&number.to_be_bytes()));
        if let Some(values) = &self.values {
            bytes.push(VALUES as u8);
            values.iter().for_each(|value| bytes.extend_from_slice(&value.to_be_bytes()));
        }
        bytes
    }
}

fn text<'a>(bytes: &mut Bytes<'a>, field: &'static str) -> Result<&'a str, PacketError> {
    let length = u32::from_be_bytes(bytes.array(field)?);
    let limit = PacketError::Limit { field, found: length.into(), most: MAX_TEXT_BYTES as u64 };
    let length = usize::try_from(length).ok().filter(|length| *length <= MAX_TEXT_BYTES).ok_or(limit)?;
    std::str::from_utf8(bytes.take(field, length)?).map_err(|_| PacketError::NotText { field })
}

/// The time of version 6: frame, part of a frame and rate.
fn time(bytes: &mut Bytes<'_>) -> Result<(i32, f32, [i32; 2]), PacketError> {
    let frame = i32::from_be_bytes(bytes.array("the frame")?);
    let sub_frame = f32::from_be_bytes(bytes.array("the part of a frame")?);
    if !sub_frame.is_finite() {
        return Err(PacketError::NotFinite { column: "part of a frame".into() });
    }
    let rate = bytes.words("the frame rate")?.map(i32::from_be_bytes);
    Ok((frame, sub_frame, checked_rate(rate)?))
}

/// The time of version 5, a timecode, as frames since midnight. Unreal writes the flag for drop-frame as a byte; since
/// no recorded packet is known, one of four bytes is read too, which the length of the packet tells.
fn timecode(bytes: &mut Bytes<'_>) -> Result<(i32, f32, [i32; 2]), PacketError> {
    let [hours, minutes, seconds, frames] = bytes.words("the timecode")?.map(i32::from_be_bytes);
    let (without_values, with_values) = (4, 4 + 1 + 4 * VALUES);
    let flag =
        [1, 4].into_iter().find(|flag| [without_values, with_values].contains(&(bytes.0.len().wrapping_sub(*flag))));
    let flag =
        flag.ok_or(PacketError::Version { found: 5, readable: "version 6, and version 5 if it has a timecode" })?;
    bytes.take("the timecode", flag)?;
    let rate = u32::from_be_bytes(bytes.array("the frame rate")?);
    let rate = checked_rate([i32::try_from(rate).unwrap_or(0), 1])?;
    let secs = i64::from(hours) * 3600 + i64::from(minutes) * 60 + i64::from(seconds);
    let frame = secs.saturating_mul(rate[0].into()).saturating_add(frames.into());
    let limit = PacketError::Limit { field: "the timecode", found: frame.unsigned_abs(), most: i32::MAX as u64 };
    Ok((i32::try_from(frame).map_err(|_| limit)?, 0.0, rate))
}

fn checked_rate(rate: [i32; 2]) -> Result<[i32; 2], PacketError> {
    match rate.iter().find(|number| **number < 1) {
        None => Ok(rate),
        Some(&number) => Err(PacketError::NotPositive { field: "the frame rate", found: number.into() }),
    }
}

fn values(bytes: &mut Bytes<'_>) -> Result<[f32; VALUES], PacketError> {
    let count = bytes.byte("the number of values")?;
    if usize::from(count) != VALUES {
        let (found, expected) = (count.into(), VALUES as u64);
        return Err(PacketError::Number { field: "the number of values", found, expected });
    }
    let values = bytes.take("the values", 4 * VALUES)?;
    let mut read = [0.0; VALUES];
    for (value, bytes) in read.iter_mut().zip(values.as_chunks().0) {
        *value = f32::from_be_bytes(*bytes);
    }
    Ok(read)
}

#[derive(Debug)]
pub(super) struct LiveLinkDecoder {
    columns: Arc<[String]>,
    subject: SharedText,
    last: Option<[f32; VALUES]>,
}

impl Default for LiveLinkDecoder {
    fn default() -> Self {
        Self { columns: LiveLinkPacket::columns().into(), subject: SharedText::default(), last: None }
    }
}

impl LiveLinkDecoder {
    pub(super) fn decode(&mut self, packet: &[u8]) -> Result<LiveFrame, PacketError> {
        let packet = LiveLinkPacket::read(packet)?;
        if let Some(values) = &packet.values {
            if let Some(at) = values.iter().position(|value| !value.is_finite()) {
                return Err(PacketError::NotFinite { column: self.columns[at].clone() });
            }
            self.last = Some(*values);
        }
        let (columns, values) = match &self.last {
            Some(values) => (self.columns.clone(), values.to_vec()),
            None => (Arc::default(), Vec::new()),
        };
        Ok(LiveFrame {
            subject: self.subject.share(packet.subject),
            time_secs: Some(packet.time_secs()),
            is_tracked: packet.values.is_some(),
            columns,
            values,
        })
    }
}
