//! The texts of a stream, each of which ends with a mark: iFacialMocap over TCP.

const MARK: &[u8] = b"___iFacialMocap";
/// The longest text, in bytes. A frame has about 2,000.
const MAX_TEXT_BYTES: usize = 1 << 16;

#[derive(Debug, Default)]
pub struct TextStream {
    /// The bytes since the last mark.
    unread: Vec<u8>,
    /// Whether the text was too long, so that it is skipped up to its mark.
    is_skipping: bool,
}

impl TextStream {
    /// Adds bytes, and calls `found` for every text that is complete with them.
    pub fn push(&mut self, bytes: &[u8], mut found: impl FnMut(&[u8])) {
        // A mark may have begun in the bytes before; all others were searched already.
        let mut searched = self.unread.len().saturating_sub(MARK.len() - 1);
        self.unread.extend_from_slice(bytes);
        let mut begins = 0;
        while let Some(at) = position(&self.unread[searched..]) {
            if !self.is_skipping {
                found(&self.unread[begins..searched + at]);
            }
            self.is_skipping = false;
            begins = searched + at + MARK.len();
            searched = begins;
        }
        self.unread.drain(..begins);
        if self.unread.len() > MAX_TEXT_BYTES {
            self.is_skipping = true;
            // The mark may have begun.
            self.unread.drain(..self.unread.len() - MARK.len());
        }
    }
}

fn position(bytes: &[u8]) -> Option<usize> {
    bytes.windows(MARK.len()).position(|window| window == MARK)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pieces: &[&[u8]]) -> Vec<String> {
        let (mut stream, mut texts) = (TextStream::default(), Vec::new());
        for piece in pieces {
            stream.push(piece, |text| texts.push(String::from_utf8(text.to_vec()).unwrap()));
        }
        texts
    }

    #[test]
    fn texts_are_found_however_the_stream_is_cut() {
        let whole = b"a-1|___iFacialMocapb-2|___iFacialMocapc";
        for at in 0..whole.len() {
            let (first, rest) = whole.split_at(at);
            assert_eq!(texts(&[first, rest]), ["a-1|", "b-2|"]);
        }
        let bytes: Vec<&[u8]> = whole.chunks(1).collect();
        assert_eq!(texts(&bytes), ["a-1|", "b-2|"]);
    }

    #[test]
    fn a_text_without_end_is_skipped_and_takes_no_memory() {
        let mut stream = TextStream::default();
        let mut found = Vec::new();
        for _ in 0..100 {
            stream.push(&[b'x'; 10_000], |text| found.push(text.to_vec()));
            assert!(stream.unread.len() <= MAX_TEXT_BYTES);
        }
        stream.push(b"___iFacialMocapjawOpen-1|___iFacialMocap", |text| found.push(text.to_vec()));
        assert_eq!(found, [b"jawOpen-1|".to_vec()]);
    }
}
