//! The data of one file that the readers of meshes, skins and animations share.

use super::nodes::NodeGraph;
use super::read::{Accessors, GltfDocument};
use crate::import::Progress;

/// The document of a file, its accessors and its nodes, and the function that progress is reported to.
pub(super) struct Context<'a> {
    pub document: &'a GltfDocument,
    pub accessors: &'a Accessors<'a>,
    pub graph: &'a NodeGraph,
    pub progress: &'a Progress<'a>,
}
