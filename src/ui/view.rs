//! Data that the panels show besides the session.

use std::path::PathBuf;

use super::export::ExportView;
use super::motion::LiveView;
use super::notices::{Notice, SheetStatus};
use super::poses::Thumbnails;
use super::prompt::Prompt;
use super::reference::ReferenceView;
use super::sound_view::SoundView;
use smirk_editor::bench;
use smirk_editor::document::DocumentStatus;
use smirk_face::judge;
use smirk_face::lint::Finding;
use smirk_graphics::blend::{BlendMode, Memory};
use smirk_picture::render::TimingClock;
use smirk_picture::scene::Quality;

/// Read-only data that the panels show besides the session.
#[derive(Clone, Copy, Debug)]
pub struct WindowView<'a> {
    /// Memory, times and accuracy.
    pub readout: &'a Readout,
    /// The notice in the viewport: progress, a message or a question.
    pub notice: &'a Notice,
    /// What was done last, shown in the top row for some seconds.
    pub status: Option<&'a str>,
    /// What is wrong until it is put right, shown there otherwise.
    pub problem: Option<&'a str>,
    /// The progress of contact sheets, shown below the notice; `None` if there are none.
    pub sheet: Option<SheetStatus>,
    /// What is drawn of the sheet of what differs most between two versions, and how far it is, from 0 to 1.
    pub version_sheet: Option<(&'a str, f32)>,
    /// The sound of what plays.
    pub sound: &'a SoundView,
    /// What the Export page shows besides its request.
    pub export: &'a ExportView,
    /// What the Live section shows besides its setup.
    pub live: &'a LiveView,
    /// A question that covers the window until it is answered.
    pub prompt: Option<&'a Prompt>,
    /// Name and state of the open document.
    pub document: &'a DocumentStatus,
    /// Recently opened files, the latest first.
    pub recent: &'a [PathBuf],
    /// Rendered thumbnails.
    pub thumbnails: &'a Thumbnails,
    /// The reference that is open.
    pub reference: Option<&'a ReferenceView<'a>>,
    /// What the lint found in the head; `None` while it is running.
    pub findings: Option<&'a [Finding]>,
    /// How far the combinations of expressions are tried.
    pub combinations: &'a judge::Status,
    /// What crosses on the face in the viewport; `None` until that is found.
    pub intersections: Option<&'a judge::FaceIntersections>,
    /// Whether a file is dragged over the window.
    pub is_file_hovering: bool,
}

/// How far the current mode is from the f64 reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorReading {
    /// The mode that was measured.
    pub mode: BlendMode,
    /// Largest distance between positions, in world units (glTF: metres).
    pub max_distance: f64,
    /// Largest angle between normals, in degrees.
    pub max_normal_degrees: f64,
    /// Largest extent of the head, in world units.
    pub head_size: f64,
}

/// What the Readout page shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Readout {
    /// The adapter's name and backend.
    pub adapter: String,
    /// Whether the adapter is a software renderer.
    pub is_software: bool,
    /// Smoothed time from frame to frame in milliseconds; `None` while nothing moves.
    pub frame_ms: Option<f32>,
    /// Time of the last blend in milliseconds; `None` in vertex mode, which blends while drawing.
    pub blend_ms: Option<(f32, TimingClock)>,
    /// Time of the last draw on the GPU, in milliseconds.
    pub draw_ms: Option<f32>,
    /// Samples and size of the last rendered image.
    pub quality: Quality,
    /// Memory used for blending the head.
    pub memory: Memory,
    /// The last comparison with the f64 reference.
    pub error: Option<ErrorReading>,
    /// Progress or result of the measurement of all modes.
    pub measuring: bench::Status,
    /// Modes that the adapter cannot run with this head, with the reason.
    pub unavailable_modes: Vec<(BlendMode, String)>,
}

impl Readout {
    /// Why a mode cannot be used; `None` if it can.
    pub fn why_unavailable(&self, mode: BlendMode) -> Option<&str> {
        let mut modes = self.unavailable_modes.iter();
        modes.find(|(other, _)| *other == mode).map(|(_, reason)| reason.as_str())
    }

    /// Frame time and frame rate; `None` while nothing moves.
    pub fn frame_text(&self) -> Option<String> {
        self.frame_ms.map(|ms| format!("{ms:.1} ms, {:.0} fps", 1000.0 / ms.max(1e-3)))
    }

    /// Time of the last blend, and the clock it was measured with.
    pub fn blend_text(&self, mode: BlendMode) -> String {
        match self.blend_ms {
            Some((ms, TimingClock::Gpu)) => format!("{ms:.2} ms GPU"),
            Some((ms, TimingClock::Cpu)) => format!("{ms:.2} ms CPU"),
            None if mode.blends_while_drawing() => "within draw".into(),
            None => "–".into(),
        }
    }
}
