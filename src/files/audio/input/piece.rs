//! What a microphone hears, piece by piece.

use std::time::Instant;

/// What a microphone heard, in one channel.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The samples.
    pub samples: Vec<i16>,
    /// Samples per second.
    pub frames_per_sec: u32,
    /// When the last sample was heard, or later: pieces are delayed on their way.
    pub end: Instant,
}
