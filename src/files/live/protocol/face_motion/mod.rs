//! Face Motion v3 ("FMV3"), revision 5: the binary form of iFacialMocap and Facemotion3d, little-endian.
//!
//! The phone sends a list of names once, in messages that may have several parts, then frames with numbers in that
//! order. A list that was asked for is acknowledged; the phone sends no frames before. A ping every three seconds keeps
//! it sending. Values are percent, rotations degrees about the axes of the text form.

mod greeting;
mod header;
mod parts;
mod schema;

pub use header::{FaceMotionHeader, FaceMotionKind};
pub use schema::FaceMotionSchema;

use std::sync::Arc;
use std::time::{Duration, Instant};

use self::greeting::Greeting;
use self::header::MAGIC;
use self::parts::Parts;
use super::columns::{NamedValues, SharedColumns, turn_of_degrees};
use super::{Bytes, Decoded, PacketError};
use crate::live::LiveFrame;

/// While frames of one stream arrive, no other stream takes its place.
const STREAMING: Duration = Duration::from_secs(3);
const POSE_FLOATS: usize = 12;

pub(super) fn is_face_motion(packet: &[u8]) -> bool {
    packet.starts_with(MAGIC)
}

#[derive(Debug, Default)]
pub(super) struct FaceMotionDecoder {
    parts: Parts,
    stream: Option<FaceMotionStream>,
    greeting: Option<Greeting>,
    columns: SharedColumns,
}

/// A stream whose list of names is known.
#[derive(Debug)]
struct FaceMotionStream {
    session: u64,
    schema_id: u32,
    schema: FaceMotionSchema,
    last_sequence: Option<u32>,
    /// When the list of names or the last frame arrived.
    last: Instant,
}

impl FaceMotionDecoder {
    pub(super) fn greeting() -> Self {
        Self { greeting: Some(Greeting::default()), ..Self::default() }
    }

    pub(super) fn decode(&mut self, packet: &[u8], now: Instant) -> Result<Decoded, PacketError> {
        let (header, chunk) = FaceMotionHeader::read(packet)?;
        match header.kind {
            FaceMotionKind::Schema | FaceMotionKind::Frame | FaceMotionKind::Error => {}
            FaceMotionKind::Pong => return Ok(Decoded::default()),
            // What a phone is sent, and never sends.
            kind => return Err(PacketError::Direction { kind: kind as u8 }),
        }
        let Some(payload) = self.parts.add(&header, chunk, now)? else { return Ok(Decoded::default()) };
        match header.kind {
            FaceMotionKind::Schema => self.schema(&header, &payload, now),
            FaceMotionKind::Frame => self.frame(&header, &payload, now),
            _ => {
                let text = std::str::from_utf8(&payload).map_err(|_| PacketError::NotText { field: "the error" })?;
                Err(PacketError::App { text: text.to_owned() })
            }
        }
    }

    fn schema(&mut self, header: &FaceMotionHeader, payload: &[u8], now: Instant) -> Result<Decoded, PacketError> {
        let schema = FaceMotionSchema::read(payload)?;
        match self.stream.as_ref() {
            Some(stream) if stream.session == header.session && stream.schema_id == header.schema_id => {
                // A number of a list always means the same list.
                if stream.schema.names != schema.names || stream.schema.value_bytes != schema.value_bytes {
                    return Err(PacketError::Parts { part: 0, parts: header.parts });
                }
            }
            Some(stream) if stream.session == header.session => {
                let stream = FaceMotionStream {
                    session: header.session,
                    schema_id: header.schema_id,
                    schema,
                    last_sequence: stream.last_sequence,
                    last: now,
                };
                self.stream = Some(stream);
            }
            // Nobody takes over a stream that is running.
            other
                if other.as_ref().is_some_and(|stream| {
                    stream.last_sequence.is_some() && now.saturating_duration_since(stream.last) < STREAMING
                }) =>
            {
                return Ok(Decoded::default());
            }
            _ => {
                if let Some(greeting) = &self.greeting
                    && ![0, greeting.nonce].contains(&schema.nonce)
                {
                    return Err(PacketError::Greeting);
                }
                let (session, schema_id) = (header.session, header.schema_id);
                self.stream = Some(FaceMotionStream { session, schema_id, schema, last_sequence: None, last: now });
            }
        }
        let acknowledged = FaceMotionHeader {
            schema_id: header.schema_id,
            ..FaceMotionHeader::new(FaceMotionKind::SchemaAck, header.session)
        };
        if let Some(greeting) = &mut self.greeting {
            greeting.answered(acknowledged, now);
        }
        Ok(Decoded { replies: vec![acknowledged.packet(&[])], ..Decoded::default() })
    }

    fn frame(&mut self, header: &FaceMotionHeader, payload: &[u8], now: Instant) -> Result<Decoded, PacketError> {
        let known = self.stream.as_mut().filter(|stream| stream.session == header.session);
        let Some(stream) = known.filter(|stream| stream.schema_id >= header.schema_id) else {
            return Err(PacketError::NoNames { schema: header.schema_id });
        };
        if stream.schema_id > header.schema_id {
            // It was on its way while the list changed.
            return Ok(Decoded::default());
        }
        let step = stream.last_sequence.map_or(1, |last| header.sequence.wrapping_sub(last));
        if step == 0 || step > u32::MAX / 2 {
            return Ok(Decoded::default());
        }
        let (values, is_tracked) = (values(&stream.schema, payload)?, header.flags & 1 != 0);
        let (columns, values) = self.columns.share(&values);
        stream.last_sequence = Some(header.sequence);
        stream.last = now;
        if let Some(greeting) = &mut self.greeting {
            greeting.frame(now);
        }
        let frame = LiveFrame { subject: Arc::default(), time_secs: None, is_tracked, columns, values };
        Ok(Decoded { frames: vec![frame], missed_frames: u64::from(step - 1), ..Decoded::default() })
    }

    pub(super) fn due(&mut self, now: Instant) -> Vec<Vec<u8>> {
        self.greeting.as_mut().map(|greeting| greeting.due(now)).unwrap_or_default()
    }

    /// Whether the phone was greeted in vain, so that it has to be asked in the text form. Never again once it
    /// answered: that would end its stream.
    pub(super) fn is_ignored(&self) -> bool {
        self.greeting.as_ref().is_none_or(Greeting::is_ignored)
    }

    /// What is to be sent to the phone when its frames are no longer wanted.
    pub(super) fn goodbye(&self) -> Option<Vec<u8>> {
        let stream = self.stream.as_ref().filter(|_| self.greeting.is_some())?;
        Some(FaceMotionHeader::new(FaceMotionKind::Stop, stream.session).packet(&[]))
    }
}

fn values<'a>(schema: &'a FaceMotionSchema, payload: &[u8]) -> Result<NamedValues<'a>, PacketError> {
    let mut bytes = Bytes(payload);
    let numbers = bytes.take("the values", schema.names.len() * schema.value_bytes)?;
    let mut values = NamedValues::default();
    for (name, number) in schema.names.iter().zip(numbers.chunks_exact(schema.value_bytes)) {
        let percent = match *number {
            [low, high] => i32::from(i16::from_le_bytes([low, high])),
            [a, b, c, d] => i32::from_le_bytes([a, b, c, d]),
            _ => 0,
        };
        values.push(name, (f64::from(percent) / 100.0) as f32)?;
    }
    let pose: [f32; POSE_FLOATS] = bytes.words("the head and the eyes")?.map(f32::from_le_bytes);
    bytes.end()?;
    if pose.iter().any(|float| !float.is_finite()) {
        return Err(PacketError::NotFinite { column: "the head and the eyes".into() });
    }
    let [head, right, left] = [0, 6, 9].map(|at: usize| turn_of_degrees(pose[at], pose[at + 1], pose[at + 2]));
    values.push_head(head?)?;
    values.push_eyes([left?, right?])?;
    Ok(values)
}
