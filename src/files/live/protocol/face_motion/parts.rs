//! Messages that come in several packets, which arrive in any order, twice, or not at all.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use super::super::PacketError;
use super::header::{FaceMotionHeader, FaceMotionKind};

const MAX_MESSAGES: usize = 8;
const MAX_BYTES: usize = 524_288;
const FRAME_PATIENCE: Duration = Duration::from_millis(250);
/// How long other incomplete messages are kept.
const PATIENCE: Duration = Duration::from_secs(3);

#[derive(Debug, Default)]
pub(super) struct Parts(Vec<Incomplete>);

#[derive(Debug)]
struct Incomplete {
    /// The header of its first packet, as that of part 0.
    header: FaceMotionHeader,
    chunks: Vec<Option<Vec<u8>>>,
    began: Instant,
}

impl Incomplete {
    fn bytes(&self) -> usize {
        self.chunks.iter().flatten().map(Vec::len).sum()
    }

    fn is_old(&self, now: Instant) -> bool {
        let patience = if self.header.kind == FaceMotionKind::Frame { FRAME_PATIENCE } else { PATIENCE };
        now.saturating_duration_since(self.began) > patience
    }
}

impl Parts {
    /// Adds a part. The whole payload, if it is complete now. A part that contradicts earlier ones ends its message.
    pub(super) fn add<'a>(
        &mut self,
        header: &FaceMotionHeader,
        chunk: &'a [u8],
        now: Instant,
    ) -> Result<Option<Cow<'a, [u8]>>, PacketError> {
        self.0.retain(|message| !message.is_old(now));
        if header.parts == 1 {
            return Ok(Some(Cow::Borrowed(chunk)));
        }
        let of_first = FaceMotionHeader { part: 0, ..*header };
        let at = match self.0.iter().position(|message| {
            let key =
                |header: &FaceMotionHeader| (header.kind as u8, header.session, header.schema_id, header.sequence);
            key(&message.header) == key(header)
        }) {
            Some(at) => at,
            None => {
                if self.0.len() == MAX_MESSAGES {
                    self.0.remove(0);
                }
                let chunks = vec![None; header.parts.into()];
                self.0.push(Incomplete { header: of_first, chunks, began: now });
                self.0.len() - 1
            }
        };
        let others: usize = self.0.iter().map(Incomplete::bytes).sum();
        let message = &mut self.0[at];
        let contradicts = message.header != of_first
            || message.chunks[usize::from(header.part)].as_ref().is_some_and(|other| other != chunk)
            || message.bytes() + chunk.len() > header.total_bytes as usize
                && message.chunks[usize::from(header.part)].is_none();
        if contradicts || others + chunk.len() > MAX_BYTES {
            self.0.remove(at);
            return Err(PacketError::Parts { part: header.part, parts: header.parts });
        }
        message.chunks[usize::from(header.part)] = Some(chunk.to_vec());
        if message.chunks.iter().any(Option::is_none) {
            return Ok(None);
        }
        let whole: Vec<u8> = self.0.remove(at).chunks.into_iter().flatten().flatten().collect();
        if whole.len() != header.total_bytes as usize {
            return Err(PacketError::Parts { part: header.part, parts: header.parts });
        }
        Ok(Some(Cow::Owned(whole)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(part: u16, parts: u16, total_bytes: u32) -> FaceMotionHeader {
        let header = FaceMotionHeader::new(FaceMotionKind::Schema, 7);
        FaceMotionHeader { part, parts, total_bytes, schema_id: 1, ..header }
    }

    #[test]
    fn parts_come_in_any_order_and_twice() {
        let (mut messages, now) = (Parts::default(), Instant::now());
        let mut add = |at: u16, chunk: &'static [u8]| messages.add(&part(at, 3, 5), chunk, now).unwrap();
        assert_eq!(add(2, b"e"), None);
        assert_eq!(add(0, b"ab"), None);
        assert_eq!(add(0, b"ab"), None);
        assert_eq!(&*add(1, b"cd").unwrap(), b"abcde");
        assert!(messages.0.is_empty());
    }

    #[test]
    fn parts_that_contradict_each_other_end_their_message() {
        let (mut messages, now) = (Parts::default(), Instant::now());
        for (header, chunk) in
            [(part(0, 3, 5), &b"xx"[..]), (part(1, 4, 5), b"cd"), (part(1, 3, 6), b"cd"), (part(1, 3, 5), b"cdef")]
        {
            messages.add(&part(0, 3, 5), b"ab", now).unwrap();
            assert!(matches!(messages.add(&header, chunk, now), Err(PacketError::Parts { .. })), "{header:?}");
            assert!(messages.0.is_empty());
        }
    }

    #[test]
    fn what_is_never_complete_is_forgotten() {
        let (mut messages, now) = (Parts::default(), Instant::now());
        for session in 1..100 {
            messages.add(&FaceMotionHeader { session, ..part(0, 512, 262_144) }, &[0; 1200], now).unwrap();
            assert!(messages.0.len() <= MAX_MESSAGES);
        }
        messages.add(&part(0, 2, 4), b"ab", now + PATIENCE * 2).unwrap();
        assert_eq!(messages.0.len(), 1);
    }
}
