//! Figures about the picture on screen, filled in by the app and shown by the UI. Plain data.

use std::path::PathBuf;
use std::sync::Arc;

use crate::bench::Report;
use crate::blend::{BlendMode, Memory};
use crate::scene::Quality;

/// Which clock a time was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The GPU's timestamps.
    Gpu,
    /// The processor's clock: for the CPU mode, and where a software adapter's own clock cannot be trusted.
    Cpu,
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
    pub blend_ms: Option<(f32, Clock)>,
    /// Time of the draw on the GPU.
    pub draw_ms: Option<f32>,
    /// How carefully the picture on screen is drawn.
    pub quality: Quality,
    /// What the head on screen takes for its blending.
    pub memory: Memory,
    /// The last comparison with the reference.
    pub error: Option<ErrorReading>,
    /// What the modes cost, when asked.
    pub measuring: Measuring,
    /// Why a mode cannot be used, in the order of [`BlendMode::ALL`].
    pub unavailable: [Option<String>; 4],
}

/// What the measurement of all modes is doing.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Measuring {
    /// Nothing, and it has nothing to show.
    #[default]
    Idle,
    /// Measuring.
    Busy {
        /// What it is at.
        stage: String,
        /// 0..1.
        fraction: f32,
        /// It was given up, and ends its step.
        is_stopping: bool,
    },
    /// It has ended.
    Done(Arc<Report>),
    /// It could not; why.
    Failed(String),
}

/// What the loader is doing.
#[derive(Clone, Debug, PartialEq)]
pub enum Loading {
    /// Nothing.
    Idle,
    /// Drawing a contact sheet.
    Sheet {
        /// Pictures on it.
        done: usize,
        /// Pictures it will have; as many as there are while it is written.
        total: usize,
    },
    /// Reading a file.
    Busy {
        /// The file's name.
        name: String,
        /// What it is at.
        stage: String,
        /// 0..1.
        fraction: f32,
    },
    /// Shapes are about to be imported; the artist may say how they are matched.
    Shapes {
        /// The files.
        files: Vec<PathBuf>,
    },
    /// Something to say that is no mishap.
    Told {
        /// In a few words.
        title: String,
        /// All of it.
        message: String,
    },
    /// Something went wrong; the head on screen is the one from before.
    Failed {
        /// In a few words.
        title: String,
        /// What was wrong and what to do.
        message: String,
    },
}

impl Readout {
    /// Frame time and rate, while something moves.
    pub fn frame_text(&self) -> Option<String> {
        self.frame_ms.map(|ms| format!("{ms:.1} ms, {:.0} fps", 1000.0 / ms.max(1e-3)))
    }

    /// Time of the blend in the mode in use, and the clock it was read from.
    pub fn blend_text(&self, mode: BlendMode) -> String {
        match self.blend_ms {
            Some((ms, Clock::Gpu)) => format!("{ms:.2} ms GPU"),
            Some((ms, Clock::Cpu)) => format!("{ms:.2} ms CPU"),
            None if mode == BlendMode::Vertex => "within draw".into(),
            None => "–".into(),
        }
    }
}
