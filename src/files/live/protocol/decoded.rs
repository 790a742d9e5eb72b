//! What a packet gives.

use crate::live::LiveFrame;

/// What a packet gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decoded {
    /// The frames, in the order in which they are to be shown.
    pub frames: Vec<LiveFrame>,
    /// Packets that the protocol asks to send back to the sender.
    pub replies: Vec<Vec<u8>>,
    /// The frames that did not arrive since the last packet, if the protocol counts frames.
    pub missed_frames: u64,
}

impl Decoded {
    /// One frame.
    pub(super) fn of(frame: LiveFrame) -> Self {
        Self::of_all(vec![frame])
    }

    /// Frames.
    pub(super) fn of_all(frames: Vec<LiveFrame>) -> Self {
        Self { frames, ..Self::default() }
    }
}
