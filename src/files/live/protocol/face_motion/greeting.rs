//! The side of the computer in FMV3's conversation: it greets, acknowledges, and lets the phone know that it still
//! listens.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

use super::header::{FaceMotionHeader, FaceMotionKind};
use super::schema::REVISION;

/// A phone that does not answer is greeted so often.
const GREETINGS: u8 = 5;
const GREETING_INTERVAL: Duration = Duration::from_secs(1);
const PING_INTERVAL: Duration = Duration::from_secs(3);
/// After this time without a frame, the phone is reminded of the list that it sent, and asked for it again.
const REMIND_AFTER: Duration = Duration::from_secs(3);
const REMIND_INTERVAL: Duration = Duration::from_secs(1);
/// After this time without a frame, the phone has stopped, and nothing is sent to it until it sends again.
const STOPPED_AFTER: Duration = Duration::from_secs(12);
const FRAMES_PER_SEC: u16 = 60;
const PACKET_BYTES: u16 = 1200;

#[derive(Debug)]
pub(super) struct Greeting {
    pub nonce: u64,
    greetings: u8,
    /// The acknowledgement of the list that the phone sent last.
    acknowledged: Option<FaceMotionHeader>,
    pings: u32,
    /// When the last greeting or reminder, and the last ping were sent.
    last_sent: Option<Instant>,
    last_ping: Option<Instant>,
    last_heard: Option<Instant>,
}

impl Default for Greeting {
    fn default() -> Self {
        Self {
            // The keys of a hasher are the random numbers that the standard library has.
            nonce: RandomState::new().hash_one(0_u8).max(1),
            greetings: 0,
            acknowledged: None,
            pings: 0,
            last_sent: None,
            last_ping: None,
            last_heard: None,
        }
    }
}

impl Greeting {
    /// Remembers the list of names that the phone has sent.
    pub(super) fn answered(&mut self, acknowledged: FaceMotionHeader, now: Instant) {
        self.acknowledged = Some(acknowledged);
        self.last_heard = Some(now);
    }

    pub(super) fn frame(&mut self, now: Instant) {
        self.last_heard = Some(now);
    }

    pub(super) fn is_ignored(&self) -> bool {
        self.greetings == GREETINGS && self.acknowledged.is_none()
    }

    pub(super) fn due(&mut self, now: Instant) -> Vec<Vec<u8>> {
        let is_due = |moment, interval| since(moment, now).is_none_or(|since| since >= interval);
        let Some(acknowledged) = self.acknowledged else {
            if self.greetings == GREETINGS || !is_due(self.last_sent, GREETING_INTERVAL) {
                return Vec::new();
            }
            self.greetings += 1;
            self.last_sent = Some(now);
            return vec![self.hello()];
        };
        let silence = since(self.last_heard, now).unwrap_or_default();
        let mut packets = Vec::new();
        if silence >= STOPPED_AFTER {
            return packets;
        }
        if silence >= REMIND_AFTER && is_due(self.last_sent, REMIND_INTERVAL) {
            self.last_sent = Some(now);
            let again = FaceMotionHeader::new(FaceMotionKind::GetSchema, acknowledged.session);
            packets.extend([acknowledged.packet(&[]), again.packet(&[])]);
        }
        if is_due(self.last_ping, PING_INTERVAL) {
            self.last_ping = Some(now);
            self.pings = self.pings.wrapping_add(1);
            let ping = FaceMotionHeader::new(FaceMotionKind::Ping, acknowledged.session);
            packets.push(FaceMotionHeader { sequence: self.pings, ..ping }.packet(&[]));
        }
        packets
    }

    fn hello(&self) -> Vec<u8> {
        let mut payload = FRAMES_PER_SEC.to_le_bytes().to_vec();
        payload.extend(PACKET_BYTES.to_le_bytes());
        payload.extend(REVISION.to_le_bytes());
        FaceMotionHeader::new(FaceMotionKind::Hello, self.nonce).packet(&payload)
    }
}

fn since(moment: Option<Instant>, now: Instant) -> Option<Duration> {
    moment.map(|moment| now.saturating_duration_since(moment))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_is_greeted_five_times_and_kept_awake_while_it_sends() {
        let (mut greeting, start) = (Greeting::default(), Instant::now());
        let at = |millis: u64| start + Duration::from_millis(millis);
        let kinds = |packets: Vec<Vec<u8>>| packets.iter().map(|packet| packet[4]).collect::<Vec<u8>>();
        let greetings: usize = (0..100).map(|step| greeting.due(at(step * 100)).len()).sum();
        assert!(greetings == 5 && greeting.is_ignored());
        greeting.answered(FaceMotionHeader::new(FaceMotionKind::SchemaAck, 9), at(10_000));
        assert_eq!(kinds(greeting.due(at(10_000))), [6], "a ping");
        greeting.frame(at(12_000));
        assert_eq!(kinds(greeting.due(at(12_900))), [0; 0]);
        assert_eq!(kinds(greeting.due(at(13_000))), [6]);
        assert_eq!(kinds(greeting.due(at(15_000))), [3, 5], "three seconds without a frame");
        assert_eq!(kinds(greeting.due(at(16_000))), [3, 5, 6]);
        assert_eq!(kinds(greeting.due(at(24_000))), [0; 0], "it has stopped");
        greeting.frame(at(30_000));
        assert_eq!(kinds(greeting.due(at(30_000))), [6]);
    }
}
