//! Vertices that a view of the surface shows in colour, and that have to be searched first.

use std::fmt::Debug;
use std::sync::Arc;

use smirk_face::head::Head;

/// What was found on a face with some weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marked {
    /// For each mesh of the head, the vertices in colour, ascending.
    pub vertices: Vec<Vec<u32>>,
    /// What a legend says of them.
    pub lines: Vec<String>,
}

/// Searches the faces of one head. A search may take longer than a frame.
pub trait FaceSearch: Debug + Send + Sync {
    /// What is found with these weights, one per target of the head.
    fn marked(&self, head: &Head, weights: &[f32]) -> Arc<Marked>;
}
