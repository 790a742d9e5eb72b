//! The data of one file that the readers of meshes, skins and animations share.

use super::nodes::NodeGraph;
use super::read::{Accessors, GltfDocument};

/// The document of a file, its accessors and its nodes.
pub(super) struct Context<'a> {
    pub document: &'a GltfDocument,
    pub accessors: &'a Accessors<'a>,
    pub graph: &'a NodeGraph,
}
