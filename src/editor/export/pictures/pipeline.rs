//! The pictures of many frames: the adapter draws one while the program works on the one before.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use super::drawing::{PendingFrame, PictureDrawing};
use crate::export::{FrameSpan, Renderers};
use crate::session::Session;
use smirk_picture::render::HeadNotUploaded;

/// Draws the pictures of frames in order.
pub(in crate::export) struct Pipeline {
    session: Session,
    span: FrameSpan,
    drawing: Arc<PictureDrawing>,
    waiting: VecDeque<i64>,
    /// The picture that is being drawn in pieces.
    begun: Option<(i64, PendingFrame)>,
    /// The pictures that are drawn, or that the adapter is drawing by itself.
    drawn: VecDeque<(i64, PendingFrame)>,
}

impl Pipeline {
    /// The pictures that are drawn ahead: with two, the adapter always has one to draw while the other is read.
    const AHEAD: usize = 2;

    /// The pictures of some frames of a span.
    pub(in crate::export) fn new(
        session: Session,
        span: FrameSpan,
        drawing: PictureDrawing,
        frames: impl IntoIterator<Item = i64>,
    ) -> Self {
        let (drawing, waiting) = (Arc::new(drawing), frames.into_iter().collect());
        Self { session, span, drawing, waiting, begun: None, drawn: VecDeque::new() }
    }

    /// What finishes the pictures, on any thread.
    pub(in crate::export) fn drawing(&self) -> Arc<PictureDrawing> {
        self.drawing.clone()
    }

    /// Draws ahead until a time. Without it, whole pictures are submitted, and not waited for.
    pub(in crate::export) fn draw(
        &mut self,
        renderers: &mut Renderers<'_>,
        until: Option<Instant>,
    ) -> Result<(), HeadNotUploaded> {
        while self.drawn.len() < Self::AHEAD {
            let next = match self.begun.take() {
                Some(begun) => Some(begun),
                None => self.begin(renderers)?,
            };
            let Some((frame, mut picture)) = next else { break };
            if picture.draw(renderers, until)? {
                self.drawn.push_back((frame, picture));
            } else {
                self.begun = Some((frame, picture));
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
        }
        Ok(())
    }

    fn begin(&mut self, renderers: &mut Renderers<'_>) -> Result<Option<(i64, PendingFrame)>, HeadNotUploaded> {
        let Some(frame) = self.waiting.pop_front() else { return Ok(None) };
        self.span.show(&mut self.session, frame);
        let secs = self.span.secs_of(frame);
        let pending = self.drawing.begin(renderers, &mut self.session, self.span.rate, secs)?;
        Ok(Some((frame, pending)))
    }

    /// The next picture, once it can be read; if it `waits`, that is waited for.
    pub(in crate::export) fn take(&mut self, waits: bool) -> Option<(i64, PendingFrame)> {
        let (_, picture) = self.drawn.front()?;
        if waits {
            picture.wait();
        } else if !picture.is_there() {
            return None;
        }
        self.drawn.pop_front()
    }

    /// Whether all pictures are taken.
    pub(in crate::export) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.begun.is_none() && self.drawn.is_empty()
    }
}
