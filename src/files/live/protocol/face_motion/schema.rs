//! The list of names that the numbers of frames belong to.

use std::collections::HashSet;

use serde::Deserialize;

use super::super::columns::{MAX_COLUMNS, MAX_NAME_BYTES};
use super::super::{Bytes, PacketError};

pub(super) const REVISION: u32 = 5;
/// The order of the 12 floats after the values.
const POSE_LAYOUT: &str = "head_rxyz_pxyz_rightEye_rxyz_leftEye_rxyz";

/// The list of names, and how the numbers are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaceMotionSchema {
    /// The number of the greeting that it answers; 0 if the stream was started at the phone.
    pub nonce: u64,
    pub frames_per_sec: u16,
    pub max_packet_bytes: u16,
    /// How long the phone goes on without a packet from here, in milliseconds.
    pub lease_millis: u32,
    pub names: Vec<String>,
    pub value_bytes: usize,
}

#[derive(Deserialize)]
struct Json {
    schema_version: u32,
    blend_names: Vec<String>,
    blend_encoding: String,
    blend_unit: String,
    pose_layout: String,
    rotation_unit: String,
    position_unit: String,
}

impl FaceMotionSchema {
    pub fn read(payload: &[u8]) -> Result<Self, PacketError> {
        let mut bytes = Bytes(payload);
        let nonce = u64::from_le_bytes(bytes.array("the list of names")?);
        let frames_per_sec = u16::from_le_bytes(bytes.array("the list of names")?);
        let max_packet_bytes = u16::from_le_bytes(bytes.array("the list of names")?);
        let lease_millis = u32::from_le_bytes(bytes.array("the list of names")?);
        let revision = u32::from_le_bytes(bytes.array("the list of names")?);
        match revision {
            REVISION => {}
            4 => return Err(PacketError::Beta { revision }),
            found => return Err(PacketError::Version { found, readable: "revision 5" }),
        }
        let json: Json = serde_json::from_slice(bytes.0)?;
        if json.schema_version != 1 {
            return Err(PacketError::Version {
                found: json.schema_version,
                readable: "version 1 of the list of names",
            });
        }
        let value_bytes = match json.blend_encoding.as_str() {
            "i16" => 2,
            "i32" => 4,
            _ => return Err(PacketError::Word { field: "blend_encoding", expected: "i16 or i32" }),
        };
        for (field, word, expected) in [
            ("blend_unit", &json.blend_unit, "percent"),
            ("pose_layout", &json.pose_layout, POSE_LAYOUT),
            ("rotation_unit", &json.rotation_unit, "degree"),
            ("position_unit", &json.position_unit, "meter"),
        ] {
            if word != expected {
                return Err(PacketError::Word { field, expected });
            }
        }
        let names = json.blend_names;
        if names.len() > MAX_COLUMNS {
            let (found, most) = (names.len() as u64, MAX_COLUMNS as u64);
            return Err(PacketError::Limit { field: "the number of values", found, most });
        }
        let mut known = HashSet::new();
        for (index, name) in names.iter().enumerate() {
            let is_good =
                (1..=MAX_NAME_BYTES).contains(&name.len()) && !name.contains(|letter: char| letter <= '\u{1F}');
            if !is_good || !known.insert(name) {
                return Err(PacketError::Name { index });
            }
        }
        Ok(Self { nonce, frames_per_sec, max_packet_bytes, lease_millis, names, value_bytes })
    }
}
