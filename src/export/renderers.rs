//! The renderers of the heads on a picture.

use std::sync::Arc;

use crate::head::Head;
use crate::render::{HeadNotUploaded, Renderer};

/// The renderers of the heads on a picture: that of the head, and that of another version of it, if both are on the picture.
#[derive(Debug)]
pub struct Renderers<'a> {
    /// Draws the head.
    pub head: &'a mut Renderer,
    /// Draws the other version.
    pub version: Option<&'a mut Renderer>,
}

impl<'a> From<&'a mut Renderer> for Renderers<'a> {
    fn from(head: &'a mut Renderer) -> Self {
        Self { head, version: None }
    }
}

impl Renderers<'_> {
    /// The renderer of a head.
    pub(super) fn of(&mut self, head: &Arc<Head>) -> Result<&mut Renderer, HeadNotUploaded> {
        let has = |renderer: &Renderer| renderer.head().is_some_and(|other| Arc::ptr_eq(other, head));
        match &mut self.version {
            Some(version) if has(version) => Ok(version),
            _ if has(self.head) => Ok(self.head),
            _ => Err(HeadNotUploaded { head: head.name.clone() }),
        }
    }
}
