//! The header of FMV3's messages.

use strum::FromRepr;

use super::super::{Bytes, PacketError};

pub(super) const MAGIC: &[u8; 4] = b"FMV3";
const HEADER_BYTES: usize = 40;
const MAX_PARTS: u16 = 512;
const MAX_SCHEMA_BYTES: u32 = 262_144;
/// The largest frame: 4096 values of four bytes, and 12 floats.
const MAX_FRAME_BYTES: u32 = 16_432;
const MAX_ERROR_BYTES: u32 = 512;

/// The kind of a message, by its number in revision 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRepr)]
#[repr(u8)]
pub enum FaceMotionKind {
    Hello = 1,
    Schema = 2,
    SchemaAck = 3,
    Frame = 4,
    GetSchema = 5,
    Ping = 6,
    Pong = 7,
    Stop = 8,
    Error = 9,
}

impl FaceMotionKind {
    fn most_bytes(self) -> u32 {
        match self {
            Self::Hello => 8,
            Self::Schema => MAX_SCHEMA_BYTES,
            Self::Frame => MAX_FRAME_BYTES,
            Self::Error => MAX_ERROR_BYTES,
            Self::SchemaAck | Self::GetSchema | Self::Ping | Self::Pong | Self::Stop => 0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceMotionHeader {
    pub kind: FaceMotionKind,
    /// Of a frame: bit 0 if a face is in view, bit 1 if a recording is played.
    pub flags: u8,
    /// The number of the stream; in a greeting, that of the greeting.
    pub session: u64,
    pub schema_id: u32,
    /// The number of the frame, or of a ping and its answer.
    pub sequence: u32,
    /// Of a frame: a number of the app's own.
    pub source_token: u32,
    pub total_bytes: u32,
    pub part: u16,
    pub parts: u16,
}

impl FaceMotionHeader {
    pub fn new(kind: FaceMotionKind, session: u64) -> Self {
        Self { kind, flags: 0, session, schema_id: 0, sequence: 0, source_token: 0, total_bytes: 0, part: 0, parts: 1 }
    }

    pub fn read(packet: &[u8]) -> Result<(Self, &[u8]), PacketError> {
        let mut bytes = Bytes(packet);
        if bytes.take("the header", MAGIC.len())? != MAGIC {
            return Err(PacketError::Foreign { protocol: "FMV3" });
        }
        let number = bytes.byte("the kind")?;
        let flags = bytes.byte("the flags")?;
        let header_bytes = u16::from_le_bytes(bytes.array("the header")?);
        let session = u64::from_le_bytes(bytes.array("the header")?);
        let [schema_id, sequence, source_token, total_bytes] = bytes.words("the header")?.map(u32::from_le_bytes);
        let part = u16::from_le_bytes(bytes.array("the header")?);
        let parts = u16::from_le_bytes(bytes.array("the header")?);
        let chunk_bytes = u32::from_le_bytes(bytes.array("the header")?);
        check("the length of the header", header_bytes.into(), HEADER_BYTES as u64)?;
        check("the length of the part", chunk_bytes.into(), bytes.0.len() as u64)?;
        // The numbers were others in revision 4, in which a message of kind 3 is the list of names.
        if number == FaceMotionKind::SchemaAck as u8 && total_bytes > 0 || number == 10 {
            return Err(PacketError::Beta { revision: 4 });
        }
        let kind = FaceMotionKind::from_repr(number).ok_or(PacketError::Limit {
            field: "the kind",
            found: number.into(),
            most: 9,
        })?;
        if session == 0 {
            return Err(PacketError::NotPositive { field: "the number of the stream", found: 0 });
        }
        at_most("the length of the message", total_bytes.into(), kind.most_bytes().into())?;
        at_most("the number of parts", parts.into(), MAX_PARTS.into())?;
        at_most("the index of the part", u64::from(part) + 1, parts.into())?;
        at_most("the length of the part", chunk_bytes.into(), total_bytes.into())?;
        if parts == 1 {
            check("the length of the part", chunk_bytes.into(), total_bytes.into())?;
        }
        let header = Self { kind, flags, session, schema_id, sequence, source_token, total_bytes, part, parts };
        Ok((header, bytes.0))
    }

    pub fn packet(&self, payload: &[u8]) -> Vec<u8> {
        let total_bytes = if self.parts == 1 { payload.len() as u32 } else { self.total_bytes };
        let mut packet = MAGIC.to_vec();
        packet.extend([self.kind as u8, self.flags]);
        packet.extend((HEADER_BYTES as u16).to_le_bytes());
        packet.extend(self.session.to_le_bytes());
        for word in [self.schema_id, self.sequence, self.source_token, total_bytes] {
            packet.extend(word.to_le_bytes());
        }
        packet.extend(self.part.to_le_bytes());
        packet.extend(self.parts.to_le_bytes());
        packet.extend((payload.len() as u32).to_le_bytes());
        packet.extend(payload);
        packet
    }
}

fn check(field: &'static str, found: u64, expected: u64) -> Result<(), PacketError> {
    if found == expected { Ok(()) } else { Err(PacketError::Number { field, found, expected }) }
}

fn at_most(field: &'static str, found: u64, most: u64) -> Result<(), PacketError> {
    if found <= most { Ok(()) } else { Err(PacketError::Limit { field, found, most }) }
}
