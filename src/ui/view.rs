//! Data that the panels show besides the session.

use std::path::PathBuf;

use super::thumbnails::Thumbnails;
use crate::bench;
use crate::blend::{BlendMode, Memory};
use crate::document::{DocumentStatus, Notice};
use crate::lint::Finding;
use crate::render::TimingClock;
use crate::scene::Quality;

/// Read-only data that the panels show besides the session.
#[derive(Clone, Copy, Debug)]
pub struct WindowView<'a> {
    /// Memory, times and accuracy.
    pub readout: &'a Readout,
    /// Progress or result of loading and exporting.
    pub loading: &'a Notice,
    /// Name and state of the open document.
    pub files: &'a DocumentStatus,
    /// Recently opened files, the latest first.
    pub recent: &'a [PathBuf],
    /// Rendered thumbnails of poses.
    pub thumbnails: &'a Thumbnails,
    /// What the lint found in the head; `None` while it is running.
    pub findings: Option<&'a [Finding]>,
    /// Whether a file is dragged over the window.
    pub hovering_file: bool,
}

/// How far the current mode is from the f64 reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorReading {
    /// Whom it was read from.
    pub mode: BlendMode,
    /// Largest distance between positions, in world units (glTF: metres).
    pub max_distance: f64,
    /// Largest angle between normals, in degrees.
    pub max_normal_degrees: f64,
    /// Largest extent of the head, in world units.
    pub head_size: f64,
}

/// What the readout panel shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Readout {
    /// The adapter's name and backend.
    pub adapter: String,
    /// Whether the processor draws.
    pub is_software: bool,
    /// Smoothed time from frame to frame while something moves, in milliseconds.
    pub frame_ms: Option<f32>,
    /// Time of the blend; none in vertex mode, where it happens while drawing.
    pub blend_ms: Option<(f32, TimingClock)>,
    /// Time of the draw on the GPU.
    pub draw_ms: Option<f32>,
    /// How carefully the picture on screen is drawn.
    pub quality: Quality,
    /// What the head on screen takes for its blending.
    pub memory: Memory,
    /// The last comparison with the reference.
    pub error: Option<ErrorReading>,
    /// What the modes cost, when asked.
    pub measuring: bench::Status,
    /// Why a mode cannot be used, in the order of [`BlendMode::ALL`].
    pub unavailable: [Option<String>; 4],
}

impl Readout {
    /// Frame time and rate, while something moves.
    pub fn frame_text(&self) -> Option<String> {
        self.frame_ms.map(|ms| format!("{ms:.1} ms, {:.0} fps", 1000.0 / ms.max(1e-3)))
    }

    /// Time of the blend in the mode in use, and the clock it was read from.
    pub fn blend_text(&self, mode: BlendMode) -> String {
        match self.blend_ms {
            Some((ms, TimingClock::Gpu)) => format!("{ms:.2} ms GPU"),
            Some((ms, TimingClock::Cpu)) => format!("{ms:.2} ms CPU"),
            None if mode == BlendMode::Vertex => "within draw".into(),
            None => "–".into(),
        }
    }
}
