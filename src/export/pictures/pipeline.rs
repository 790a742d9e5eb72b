//! The pictures of many frames: the adapter draws one while the program works on the one before.

use std::collections::VecDeque;

use super::drawing::{PendingFrame, Picture, PictureDrawing};
use crate::export::FrameSpan;
use crate::render::{HeadNotUploaded, Renderer};
use crate::session::Session;

/// Draws the pictures of frames in order.
pub(in crate::export) struct Pipeline {
    session: Session,
    span: FrameSpan,
    drawing: PictureDrawing,
    waiting: VecDeque<i64>,
    begun: VecDeque<(i64, PendingFrame)>,
}

impl Pipeline {
    /// The pictures that are begun at a time: with two, the adapter always has one to draw.
    const BEGUN: usize = 2;

    /// The pictures of some frames of a span.
    pub(in crate::export) fn new(
        session: Session,
        span: FrameSpan,
        drawing: PictureDrawing,
        frames: impl IntoIterator<Item = i64>,
    ) -> Self {
        Self { session, span, drawing, waiting: frames.into_iter().collect(), begun: VecDeque::new() }
    }

    /// The picture of the next frame; `None` after the last.
    pub(in crate::export) fn next(
        &mut self,
        renderer: &mut Renderer,
    ) -> Result<Option<(i64, Picture)>, HeadNotUploaded> {
        while self.begun.len() < Self::BEGUN
            && let Some(frame) = self.waiting.pop_front()
        {
            self.span.show(&mut self.session, frame);
            let pending = self.drawing.begin(renderer, &self.session, self.span.rate, self.span.secs_of(frame))?;
            self.begun.push_back((frame, pending));
        }
        Ok(self.begun.pop_front().map(|(frame, pending)| (frame, self.drawing.finish(pending))))
    }
}
