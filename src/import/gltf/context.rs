//! What meshes, skins and animations are looked up in.

use super::nodes::NodeGraph;
use super::read::{Accessors, GltfDocument};
use crate::import::Progress;

/// One file's lists, its numbers and its nodes, and where progress is reported.
pub(super) struct Context<'a> {
    pub document: &'a GltfDocument,
    pub accessors: &'a Accessors<'a>,
    pub graph: &'a NodeGraph,
    pub progress: &'a Progress<'a>,
}
