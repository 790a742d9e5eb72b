//! What the processor paints onto a picture that the adapter has drawn.
//!
//! - `labels`, `lettering`, `style`: text. `reference`: the image at the play head, beside the face or over it.

mod labels;
mod lettering;
mod reference;
pub mod style;

pub(super) use labels::LabelText;
pub(in crate::export) use lettering::Lettering;
pub(super) use reference::ReferenceDrawing;
