//! The senders of one receiver. One of them is heard: its frames wait in a queue until they are taken; those of the
//! others are counted only.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::meter::Meter;
use super::settings::SenderChoice;
use super::status::{SenderId, SenderStatus};
use crate::live::LiveFrame;
use crate::live::protocol::{Decoded, PacketError};

const MAX_SENDERS: usize = 32;
/// The most frames that wait to be taken: more than a minute at 60 per second.
const MAX_WAITING: usize = 4096;
/// The least time between two notifications of refused packets.
const REFUSAL_INTERVAL: Duration = Duration::from_millis(250);
/// Another sender is heard once the last one has been silent for so long.
const SILENCE: Duration = Duration::from_secs(2);

#[derive(Clone, Debug, PartialEq)]
pub struct ReceivedFrame {
    pub frame: LiveFrame,
    pub received: Instant,
    /// Who sent it. Frames of one sender share it.
    pub sender: Arc<SenderId>,
}

#[derive(Debug)]
struct Sender {
    id: Arc<SenderId>,
    meter: Meter,
    is_tracked: bool,
    columns: Arc<[String]>,
    refused: u64,
    last_refusal: Option<PacketError>,
    /// When its last packet arrived, good or refused.
    last_packet: Instant,
}

#[derive(Debug)]
pub(super) struct Senders {
    choice: SenderChoice,
    list: Vec<Sender>,
    heard: Option<Arc<SenderId>>,
    waiting: VecDeque<ReceivedFrame>,
    /// Gets a copy of each frame that comes to wait.
    recorder: Option<mpsc::SyncSender<ReceivedFrame>>,
    dropped: u64,
    /// When the reader of the queue was last notified of a refused packet.
    told_of_refusal: Option<Instant>,
}

impl Senders {
    pub(super) fn new(choice: SenderChoice) -> Self {
        Self {
            choice,
            list: Vec::new(),
            heard: None,
            waiting: VecDeque::new(),
            recorder: None,
            dropped: 0,
            told_of_refusal: None,
        }
    }

    /// Adds the frames of a packet. The subject of `from` is empty: frames name their own. Returns whether the reader
    /// of the queue has to be notified: there are frames where none waited, or a new sender.
    pub(super) fn accept(&mut self, from: &SenderId, decoded: Decoded, received: Instant) -> bool {
        let mut wakes = false;
        let mut missed = decoded.missed_frames;
        for frame in decoded.frames {
            let Some((at, is_new)) = self.place_of(from, &frame.subject, received) else { continue };
            let sender = &mut self.list[at];
            sender.last_packet = received;
            let is_in_time = sender.meter.count(received, frame.time_secs, std::mem::take(&mut missed));
            wakes |= is_new;
            if !is_in_time {
                continue;
            }
            sender.is_tracked = frame.is_tracked;
            sender.columns = frame.columns.clone();
            let id = sender.id.clone();
            if self.hears(&id, received) {
                wakes |= self.waiting.is_empty();
                if self.waiting.len() == MAX_WAITING {
                    self.waiting.pop_front();
                    self.dropped += 1;
                }
                let frame = ReceivedFrame { frame, received, sender: id };
                if let Some(recorder) = &self.recorder {
                    // A recorder that has ended needs no more frames.
                    let _ = recorder.send(frame.clone());
                }
                self.waiting.push_back(frame);
            }
        }
        wakes
    }

    /// Counts a packet that was refused. Returns whether the reader of the queue has to be notified, to show it.
    pub(super) fn refuse(&mut self, from: &SenderId, error: PacketError, received: Instant) -> bool {
        let known = self.list.iter().position(|sender| is_at(&sender.id, from));
        let place = known.map(|at| (at, false)).or_else(|| self.place_of(from, &from.subject, received));
        let Some((at, _)) = place else { return false };
        let sender = &mut self.list[at];
        sender.last_packet = received;
        sender.refused += 1;
        sender.last_refusal = Some(error);
        if self.told_of_refusal.is_some_and(|told| received.saturating_duration_since(told) < REFUSAL_INTERVAL) {
            return false;
        }
        self.told_of_refusal = Some(received);
        true
    }

    /// The place of a subject in the list, and whether it is new there; none if the list is full of senders that are
    /// active.
    fn place_of(&mut self, from: &SenderId, subject: &Arc<str>, now: Instant) -> Option<(usize, bool)> {
        let known = self.list.iter().position(|sender| is_at(&sender.id, from) && sender.id.subject == *subject);
        if let Some(at) = known {
            return Some((at, false));
        }
        let id = Arc::new(SenderId { subject: subject.clone(), ..from.clone() });
        // A sender of which all packets were refused so far has no name yet.
        if let Some(at) = self.list.iter().position(|sender| is_at(&sender.id, from) && sender.meter.frames == 0) {
            self.list[at].id = id;
            return Some((at, true));
        }
        if self.list.len() == MAX_SENDERS {
            let idle = self
                .list
                .iter()
                .filter(|sender| now.saturating_duration_since(sender.last_packet) > SILENCE)
                .min_by_key(|sender| sender.last_packet)?
                .id
                .clone();
            self.list.retain(|sender| sender.id != idle);
        }
        self.list.push(Sender {
            id,
            meter: Meter::default(),
            is_tracked: false,
            columns: Arc::default(),
            refused: 0,
            last_refusal: None,
            last_packet: now,
        });
        Some((self.list.len() - 1, true))
    }

    /// Whether a sender is the one that is heard, after a frame of it.
    fn hears(&mut self, id: &Arc<SenderId>, now: Instant) -> bool {
        if !self.choice.allows(id) {
            return false;
        }
        if self.heard.as_ref().is_none_or(|heard| {
            let sender = self.list.iter().find(|sender| sender.id == *heard);
            let last = sender.and_then(|sender| sender.meter.last_arrival());
            last.is_none_or(|last| now.saturating_duration_since(last) > SILENCE)
        }) {
            self.heard = Some(id.clone());
        }
        self.heard.as_ref() == Some(id)
    }

    pub(super) fn choose(&mut self, choice: SenderChoice) {
        self.heard = self.heard.take().filter(|heard| choice.allows(heard));
        self.choice = choice;
    }

    pub(super) fn record_to(&mut self, recorder: Option<mpsc::SyncSender<ReceivedFrame>>) {
        self.recorder = recorder;
    }

    pub(super) fn take_frames(&mut self) -> Vec<ReceivedFrame> {
        self.waiting.drain(..).collect()
    }

    /// Every sender, the number of frames that wait, and of those that were dropped.
    pub(super) fn status(&self, now: Instant) -> (Vec<SenderStatus>, usize, u64) {
        let senders = self.list.iter().map(|sender| SenderStatus {
            id: (*sender.id).clone(),
            is_heard: self.heard.as_ref() == Some(&sender.id),
            is_tracked: sender.is_tracked,
            columns: sender.columns.clone(),
            frames: sender.meter.frames,
            frames_per_sec: sender.meter.frames_per_sec(now),
            lost_frames: sender.meter.lost,
            late_frames: sender.meter.late,
            jitter_secs: sender.meter.jitter_secs as f32,
            last_frame: sender.meter.last_arrival(),
            refused_packets: sender.refused,
            last_refusal: sender.last_refusal.clone(),
        });
        (senders.collect(), self.waiting.len(), self.dropped)
    }
}

/// Whether two senders differ in their subject at most.
fn is_at(id: &SenderId, other: &SenderId) -> bool {
    (id.protocol, id.transport, id.address) == (other.protocol, other.transport, other.address)
}

impl SenderChoice {
    fn allows(&self, id: &SenderId) -> bool {
        self.protocol.is_none_or(|protocol| protocol == id.protocol)
            && self.address.is_none_or(|address| address == id.address.ip())
            && self.subject.as_ref().is_none_or(|subject| **subject == *id.subject)
    }
}
