//! What undo brings back: plain data, compared and copied whole.

use crate::head::Head;
use crate::scene::Look;

/// Everything an artist sets by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Edits {
    /// What the artist set, one per target of the head. A channel the clip drives shows the clip's value instead.
    pub weights: Vec<f32>,
    /// Per channel: the artist took the row over from the clip.
    pub taken: Vec<bool>,
    /// Per pair: both sliders move together.
    pub linked: Vec<bool>,
    /// Light and surface.
    pub look: Look,
}

impl Edits {
    /// Nothing set by hand but the look.
    pub fn at_rest(head: &Head, look: Look) -> Self {
        Self {
            weights: head.default_weights(),
            taken: vec![false; head.channels.len()],
            linked: vec![false; head.pairs.len()],
            look,
        }
    }
}
