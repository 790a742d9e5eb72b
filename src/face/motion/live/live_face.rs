//! The face of a performer at a moment, and the place where the stack finds it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The face of a performer at a moment: what the sender said, smoothed. Its columns are those of a take of the same performance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveFace {
    /// The names of the values, in the sender's dialect.
    pub columns: Arc<[String]>,
    /// One per column: weights, and angles in radians.
    pub values: Vec<f32>,
    /// How much of the face is shown: 1 while it is tracked; 0 after it was lost, so that the layers below show.
    pub presence: f32,
}

/// The live face that is shown, shared by the session, which replaces it, and the stack that is bound to its columns. So the names
/// are bound when the columns change and not with every frame.
#[derive(Clone, Debug, Default)]
pub struct ShownFace(Arc<Mutex<(FaceRevision, LiveFace)>>);

/// The number of one state of a [`ShownFace`], unique within the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaceRevision(u64);

impl ShownFace {
    /// Replaces the face.
    pub fn set(&self, face: LiveFace) {
        static LAST: AtomicU64 = AtomicU64::new(0);
        self.with(|shown| {
            if shown.1 != face {
                *shown = (FaceRevision(LAST.fetch_add(1, Ordering::Relaxed) + 1), face);
            }
        });
    }

    /// The number of the present state.
    pub fn revision(&self) -> FaceRevision {
        self.with(|shown| shown.0)
    }

    /// Looks at the face.
    pub fn look<R>(&self, look: impl FnOnce(&LiveFace) -> R) -> R {
        self.with(|shown| look(&shown.1))
    }

    fn with<R>(&self, then: impl FnOnce(&mut (FaceRevision, LiveFace)) -> R) -> R {
        then(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
