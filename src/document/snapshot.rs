//! What the desk saw of a session, to be compared with what it sees now.

use crate::blend::BlendMode;
use crate::document::Viewpoint;
use crate::import::ShapeFile;
use crate::session::{Edits, Session, Source};

/// The part of a session that is work.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    source: Source,
    shapes: Vec<ShapeFile>,
    edits: Edits,
}

impl Snapshot {
    /// The work in a session.
    pub fn of(session: &Session) -> Self {
        Self { source: session.source.clone(), shapes: session.shapes.clone(), edits: session.edits.clone() }
    }

    /// Whether the session holds just that.
    pub fn is_in(&self, session: &Session) -> bool {
        self.source == session.source && self.shapes == session.shapes && self.edits == session.edits
    }
}

/// What is saved with the work and is none: how it is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewSnapshot {
    camera: Viewpoint,
    mode: BlendMode,
    clip: Option<usize>,
    looping: bool,
    speed: f32,
}

impl ViewSnapshot {
    /// How a session is looked at.
    pub fn of(session: &Session) -> Self {
        let playback = &session.playback;
        Self {
            camera: Viewpoint::of(&session.camera),
            mode: session.mode,
            clip: playback.clip,
            looping: playback.looping,
            speed: playback.speed,
        }
    }
}
