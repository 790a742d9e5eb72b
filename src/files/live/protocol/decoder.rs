//! The decoder of one sender.

use std::time::Instant;

use super::asking::Asking;
use super::face_motion::{FaceMotionDecoder, is_face_motion};
use super::facial_mocap::FacialMocapDecoder;
use super::live_link::LiveLinkDecoder;
use super::media_pipe::MediaPipeDecoder;
use super::open_see_face::OpenSeeFaceDecoder;
use super::osc::{OscDecoder, is_osc};
use super::vtube_studio::VTubeStudioDecoder;
use super::{Decoded, PacketError, Protocol};

/// Reads the packets of one sender, and keeps what the protocol needs from one to the next.
#[derive(Debug)]
pub struct Decoder {
    kind: Kind,
    asking: Option<Asking>,
}

#[derive(Debug)]
enum Kind {
    LiveLink(LiveLinkDecoder),
    FacialMocap(FacialMocapDecoder, FaceMotionDecoder),
    Vmc(OscDecoder),
    VTubeStudio(VTubeStudioDecoder),
    OpenSeeFace(OpenSeeFaceDecoder),
    MediaPipe(MediaPipeDecoder, OscDecoder),
}

impl Decoder {
    pub fn new(protocol: Protocol) -> Self {
        let kind = match protocol {
            Protocol::LiveLinkFace => Kind::LiveLink(LiveLinkDecoder::default()),
            Protocol::IFacialMocap => Kind::FacialMocap(FacialMocapDecoder::default(), FaceMotionDecoder::default()),
            Protocol::Vmc => Kind::Vmc(OscDecoder::default()),
            Protocol::VTubeStudio => Kind::VTubeStudio(VTubeStudioDecoder::default()),
            Protocol::OpenSeeFace => Kind::OpenSeeFace(OpenSeeFaceDecoder::default()),
            Protocol::MediaPipe => Kind::MediaPipe(MediaPipeDecoder::default(), OscDecoder::default()),
        };
        Self { kind, asking: None }
    }

    /// A decoder for the packets of a phone that waits at `phone_port` to be asked for data, and sends it to
    /// `own_port`.
    pub(in crate::live) fn asking(protocol: Protocol, phone_port: u16, own_port: u16) -> Self {
        let mut decoder = Self::new(protocol);
        decoder.asking = Asking::new(protocol, phone_port, own_port);
        if let Kind::FacialMocap(_, face_motion) = &mut decoder.kind {
            *face_motion = FaceMotionDecoder::greeting();
        }
        decoder
    }

    /// The packets that are to be sent to the phone now. iFacialMocap is greeted in its newest form first.
    pub(in crate::live) fn due(&mut self, now: Instant) -> Vec<Vec<u8>> {
        let Some(asking) = &mut self.asking else { return Vec::new() };
        match &mut self.kind {
            Kind::FacialMocap(_, face_motion) if !face_motion.is_ignored() => face_motion.due(now),
            _ => asking.due(now).into_iter().collect(),
        }
    }

    /// The packet that is to be sent to the phone when its data is no longer wanted.
    pub(in crate::live) fn goodbye(&self) -> Option<Vec<u8>> {
        match &self.kind {
            Kind::FacialMocap(_, face_motion) => face_motion.goodbye(),
            _ => None,
        }
    }

    /// Reads a packet that was received at a moment. An error if it is refused; then it has no effect.
    pub fn decode(&mut self, packet: &[u8], received: Instant) -> Result<Decoded, PacketError> {
        let decoded = match &mut self.kind {
            Kind::LiveLink(decoder) => Decoded::one(decoder.decode(packet)?),
            Kind::FacialMocap(_, decoder) if is_face_motion(packet) => decoder.decode(packet, received)?,
            Kind::FacialMocap(decoder, _) => Decoded::one(decoder.decode(packet)?),
            Kind::VTubeStudio(decoder) => Decoded::one(decoder.decode(packet)?),
            Kind::OpenSeeFace(decoder) => Decoded::of_all(decoder.decode(packet)?),
            Kind::Vmc(decoder) => Decoded::of_all(decoder.decode(packet)?),
            Kind::MediaPipe(_, decoder) if is_osc(packet) => Decoded::of_all(decoder.decode(packet)?),
            Kind::MediaPipe(decoder, _) => Decoded::one(decoder.decode(packet)?),
        };
        if let Some(asking) = &mut self.asking
            && !decoded.frames.is_empty()
        {
            asking.frame(received);
        }
        Ok(decoded)
    }
}
