//! iFacialMocap and Facemotion3d: a line of text per frame.
//!
//! `jawOpen-12|…|=head#rx,ry,rz,px,py,pz|rightEye#rx,ry,rz|leftEye#rx,ry,rz|`. Version 2 has `&` before the values,
//! which may then be negative. Values are percent. Rotations are degrees about the axes of ARKit's face anchor, which
//! are those of [`Turn`]: x is the pitch, y the yaw and z the roll. Their signs follow from recorded lines: the eyes' x
//! rises with `eyeLookDown`; the right eye's y with `eyeLookIn`, the left eye's y with `eyeLookOut`. Parts come in any
//! order, and not all apps send all of them.

use super::PacketError;
use super::columns::{NamedValues, SharedColumns, turn_of_degrees};
use crate::live::LiveFrame;
use smirk_face::head::Turn;

/// What the computer sends to the phone to ask for data in version 2.
pub(super) const HELLO_V2: &str = "iFacialMocap_sahuasouryya9218sauhuiayeta91555dy3719|sendDataVersion=v2";

#[derive(Debug, Default)]
struct Line<'a> {
    values: NamedValues<'a>,
    head: Option<Turn>,
    eyes: [Option<Turn>; 2],
    is_lost: bool,
}

impl<'a> Line<'a> {
    fn read(packet: &'a [u8]) -> Result<Self, PacketError> {
        let text = std::str::from_utf8(packet).map_err(|_| PacketError::NotText { field: "the text" })?;
        let mut line = Self::default();
        for (index, part) in text.split('|').enumerate() {
            let part = part.trim().trim_start_matches('=');
            if !part.is_empty() {
                line.part(part, index)?;
            }
        }
        if line.head.is_none() && line.values.is_empty() {
            return Err(PacketError::Foreign { protocol: "iFacialMocap" });
        }
        Ok(line)
    }

    fn part(&mut self, part: &'a str, index: usize) -> Result<(), PacketError> {
        let unread = || PacketError::TextPart { index };
        if let Some((name, numbers)) = part.split_once('#') {
            let mut angles = numbers.split(',').map(|number| number.trim().parse::<f32>());
            let mut angle = || angles.next().and_then(Result::ok).ok_or_else(unread);
            let turn = turn_of_degrees(angle()?, angle()?, angle()?)?;
            match name {
                "head" => self.head = Some(turn),
                "leftEye" => self.eyes[0] = Some(turn),
                "rightEye" => self.eyes[1] = Some(turn),
                // Turns of other parts, such as the neck.
                _ => {}
            }
            return Ok(());
        }
        let (name, percent) = part.split_once('&').or_else(|| part.rsplit_once('-')).ok_or_else(unread)?;
        let percent: f32 = percent.parse().map_err(|_| unread())?;
        match name {
            "" => Err(unread()),
            "trackingStatus" => {
                self.is_lost = percent == 0.0;
                Ok(())
            }
            // Something that the app itself shows.
            "hapihapi" => Ok(()),
            name => self.values.push(name, percent / 100.0),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct FacialMocapDecoder {
    columns: SharedColumns,
}

impl FacialMocapDecoder {
    pub(super) fn decode(&mut self, packet: &[u8]) -> Result<LiveFrame, PacketError> {
        let Line { mut values, head, eyes, is_lost } = Line::read(packet)?;
        if let Some(head) = head {
            values.push_head(head)?;
        }
        if eyes.iter().any(Option::is_some) {
            values.push_eyes(eyes.map(Option::unwrap_or_default))?;
        }
        let (columns, values) = self.columns.share(&values);
        Ok(LiveFrame { subject: "".into(), time_secs: None, is_tracked: !is_lost, columns, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> Result<LiveFrame, PacketError> {
        FacialMocapDecoder::default().decode(text.as_bytes())
    }

    #[test]
    fn values_are_percent_in_both_versions() {
        let first = frame("eyeBlink_L-12|trackingStatus-1|hapihapi-0|=head#10,0,0,0,0,0|").unwrap();
        assert_eq!(first.columns[..2], ["eyeBlink_L".to_owned(), "HeadYaw".into()]);
        assert_eq!((first.values[0], first.is_tracked), (0.12, true));
        let second = frame("eyeBlinkLeft&-12|my-shape&150|trackingStatus&0|").unwrap();
        assert_eq!((&second.values[..], second.is_tracked), (&[-0.12, 1.5][..], false));
    }

    #[test]
    fn what_is_no_name_with_values_is_refused_with_its_place() {
        assert_eq!(frame("jawOpen-1|jawOpen"), Err(PacketError::TextPart { index: 1 }));
        assert_eq!(frame("jawOpen-x"), Err(PacketError::TextPart { index: 0 }));
        assert_eq!(frame("jawOpen-1|=head#1,2|"), Err(PacketError::TextPart { index: 1 }));
        assert_eq!(frame("jawOpen&inf"), Err(PacketError::NotFinite { column: "jawOpen".into() }));
        assert!(frame("").is_err() && frame("|||").is_err() && frame("=head#nan,0,0").is_err());
    }
}
