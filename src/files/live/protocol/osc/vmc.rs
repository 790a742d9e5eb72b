//! Virtual Motion Capture: `/VMC/Ext/Blend/Val` fills a buffer of values, and `/VMC/Ext/Blend/Apply` shows all of it.
//! The messages of a frame come one by one, in bundles, or in several packets.
//!
//! Names are those of VRM 0 or 1, or, as "Perfect Sync", ARKit's with a capital first letter. A name that a frame
//! leaves out keeps its value. Bones are rotations from the avatar's parent bone in Unity's axes: x to the avatar's
//! right, y up, z forward, left-handed.

use std::collections::HashMap;
use std::sync::Arc;

use glam::Quat;

use super::super::PacketError;
use super::super::columns::{MAX_COLUMNS, MAX_NAME_BYTES};
use super::floats;
use crate::live::LiveFrame;
use crate::live::osc::{Argument, Message};
use smirk_face::head::{FaceTurns, Turn};
use smirk_face::motion::{ANGLE_COLUMNS, angle_values};

const VALUE: &str = "/VMC/Ext/Blend/Val";
const APPLY: &str = "/VMC/Ext/Blend/Apply";
const BONE: &str = "/VMC/Ext/Bone/Pos";
const STATE: &str = "/VMC/Ext/OK";
const TIME: &str = "/VMC/Ext/T";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bone {
    Head,
    /// 0 for the avatar's own left eye, 1 for the right one.
    Eye(usize),
}

#[derive(Debug, PartialEq)]
pub(super) enum Vmc {
    Value(String, f32),
    Apply,
    Bone(Bone, Turn),
    Tracking(bool),
    TimeSecs(f64),
    Other,
}

impl Vmc {
    pub(super) fn is_address(address: &str) -> bool {
        [VALUE, APPLY, BONE, STATE, TIME].contains(&address)
    }

    /// The message with its arguments. Surplus arguments are ignored.
    pub(super) fn from_message(message: &Message) -> Result<Self, PacketError> {
        let name = |expected| match message.arguments.first() {
            Some(Argument::Text(name)) if name.len() <= MAX_NAME_BYTES => Ok(name.as_str()),
            Some(Argument::Text(name)) => {
                let (found, most) = (name.len() as u64, MAX_NAME_BYTES as u64);
                Err(PacketError::Limit { field: "the length of a name", found, most })
            }
            _ => Err(PacketError::OscArguments { address: message.address.clone(), expected }),
        };
        Ok(match message.address.as_str() {
            VALUE => {
                const EXPECTED: &str = "a name and a float";
                let name = name(EXPECTED)?;
                let [value] = floats(message, 1, EXPECTED)?;
                Self::Value(name.to_owned(), value)
            }
            APPLY => Self::Apply,
            BONE => {
                const EXPECTED: &str = "a name and seven floats";
                let bone = match name(EXPECTED)? {
                    "Head" => Bone::Head,
                    "LeftEye" => Bone::Eye(0),
                    "RightEye" => Bone::Eye(1),
                    _ => return Ok(Self::Other),
                };
                let [_, _, _, x, y, z, w] = floats(message, 1, EXPECTED)?;
                Self::Bone(bone, turn_of_unity(Quat::from_xyzw(x, y, z, w)))
            }
            // Loaded, state and mode of the calibration, tracking; old senders leave out all but the first.
            STATE => match message.arguments.get(3) {
                Some(Argument::Int(tracking)) => Self::Tracking(*tracking != 0),
                _ => Self::Other,
            },
            TIME => {
                let [time] = floats(message, 0, "a float")?;
                Self::TimeSecs(time.into())
            }
            _ => Self::Other,
        })
    }
}

/// A rotation in Unity's axes as a turn, whose x axis points to the other side; none if it is no rotation.
pub(in crate::live::protocol) fn turn_of_unity(rotation: Quat) -> Turn {
    let length = rotation.length();
    if !(length.is_finite() && length > 0.0) {
        return Turn::NONE;
    }
    let rotation = rotation.normalize();
    Turn::of_rotation(Quat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w))
}

#[derive(Debug, Default)]
pub(super) struct VmcDecoder {
    /// The names that were received, in the order of their first message, and their places in `values`.
    places: HashMap<String, usize>,
    names: Vec<String>,
    values: Vec<f32>,
    turns: FaceTurns,
    has_head: bool,
    has_eyes: bool,
    is_lost: bool,
    time_secs: Option<f64>,
    columns: Arc<[String]>,
}

impl VmcDecoder {
    /// An error if there would be too many names with these messages.
    pub(super) fn check<'a>(&self, messages: impl Iterator<Item = &'a Vmc>) -> Result<(), PacketError> {
        let found = self.names.len()
            + messages
                .filter(|message| matches!(message, Vmc::Value(name, _) if !self.places.contains_key(name)))
                .count();
        if found > MAX_COLUMNS {
            let (found, most) = (found as u64, MAX_COLUMNS as u64);
            return Err(PacketError::Limit { field: "the number of values", found, most });
        }
        Ok(())
    }

    /// Takes a message in. A frame, if it is an `Apply`.
    pub(super) fn take(&mut self, message: Vmc) -> Option<LiveFrame> {
        match message {
            Vmc::Value(name, value) => {
                if let Some(&at) = self.places.get(&name) {
                    self.values[at] = value;
                } else {
                    self.places.insert(name.clone(), self.names.len());
                    self.names.push(name);
                    self.values.push(value);
                }
            }
            Vmc::Bone(Bone::Head, turn) => (self.turns.head, self.has_head) = (turn, true),
            Vmc::Bone(Bone::Eye(side), turn) => (self.turns.eyes[side], self.has_eyes) = (turn, true),
            Vmc::Tracking(is_tracking) => self.is_lost = !is_tracking,
            Vmc::TimeSecs(time) => self.time_secs = Some(time),
            Vmc::Other => {}
            Vmc::Apply => return Some(self.frame()),
        }
        None
    }

    fn frame(&mut self) -> LiveFrame {
        let angles = angle_values(&self.turns);
        let angles = ANGLE_COLUMNS.into_iter().zip(angles).enumerate();
        let angles: Vec<(&str, f32)> = angles
            .filter(|(at, _)| if *at < 3 { self.has_head } else { self.has_eyes })
            .map(|(_, angle)| angle)
            // A value of the same name comes first.
            .filter(|(name, _)| !self.places.contains_key(*name))
            .collect();
        // A value may take the place of an angle of its name, so that as many columns need not be the same ones.
        let names = self.names.iter().map(String::as_str).chain(angles.iter().map(|(name, _)| *name));
        if !self.columns.iter().map(String::as_str).eq(names.clone()) {
            self.columns = names.map(str::to_owned).collect();
        }
        let values = self.values.iter().copied().chain(angles.iter().map(|(_, angle)| *angle)).collect();
        LiveFrame {
            subject: "".into(),
            time_secs: self.time_secs,
            is_tracked: !self.is_lost,
            columns: self.columns.clone(),
            values,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::columns::HEAD_ANGLES;
    use super::*;

    #[test]
    fn a_value_with_the_name_of_an_angle_takes_the_place_of_that_angle() {
        let mut decoder = VmcDecoder::default();
        let turn = Turn { yaw: 0.2, pitch: 0.3, roll: 0.4 };
        let mut show = |messages: Vec<Vmc>| -> Vec<(String, f32)> {
            let shown = messages.into_iter().chain([Vmc::Apply]).filter_map(|message| decoder.take(message)).last();
            let LiveFrame { columns, values, .. } = shown.unwrap();
            assert_eq!(columns.len(), values.len());
            columns.iter().cloned().zip(values).collect()
        };
        let value = |name: &str, value: f32| Vmc::Value(name.into(), value);
        let of = |columns: &[(String, f32)], name: &str| columns.iter().find(|(it, _)| it == name).map(|it| it.1);
        let before = show(vec![Vmc::Bone(Bone::Head, turn), value("A", 0.25)]);
        let [yaw, pitch, roll] = HEAD_ANGLES.map(|name| of(&before, name).unwrap());
        assert_eq!((before.len(), of(&before, "A")), (4, Some(0.25)));
        // As many columns as before: one comes, and the angle of its name goes.
        let after = show(vec![value(HEAD_ANGLES[2], 0.9)]);
        assert_eq!((after.len(), of(&after, "A")), (4, Some(0.25)));
        assert_eq!(HEAD_ANGLES.map(|name| of(&after, name)), [Some(yaw), Some(pitch), Some(0.9)]);
        assert!(roll != 0.9);
    }

    #[test]
    fn bones_turn_to_the_side_that_the_avatar_turns_to() {
        // In Unity, a positive rotation about y turns an avatar that faces z towards x, which is its own right.
        let turn = turn_of_unity(Quat::from_rotation_y(15_f32.to_radians()));
        assert!((turn.yaw.to_degrees() + 15.0).abs() < 1e-3, "{turn:?}");
        let down = turn_of_unity(Quat::from_rotation_x(0.2));
        assert!((down.pitch - 0.2).abs() < 1e-6);
        assert_eq!(turn_of_unity(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), Turn::NONE);
    }
}
